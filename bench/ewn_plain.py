"""The yardstick for the second game: random playouts and tree search, written plainly. KEEP IT.

A ratio "libewn against plain" means something only as long as plain stays what it is. So this file
is not tuned and not shared: it imports nothing from libewn and nothing there imports it.

It is what one writes first and would be content with: the squares of the twelve cubes and a board
of 42 squares in arrays, a table of the squares next to each square, the legal moves as a list, a
capture by looking at the board. The variant is `tcg2023`. Search is UCB1 with rich results, 25
playouts a visit, children from 200 playouts on.

It draws the same random numbers in the same order as libewn (Knuth's MMIX generator, upper half)
and lists the moves in the order of the assignment, so both sides play the same playouts and grow
the same tree from the same seed.
"""

import math

import numpy as np
from numba import njit

U = np.uint64
ROWS = 6
COLUMNS = 7
SQUARES = ROWS * COLUMNS
CUBES = 6
DICE = 21
DOWN = ((0, 1, 1, -1), (0, -1, -1, 1))  # of each side, for each direction
RIGHT = ((1, 0, 1, 1), (-1, 0, -1, -1))
GOALS = np.array((SQUARES - 1, 0))
STARTS = ((0, 1, 2, 7, 8, 14), (27, 33, 34, 39, 40, 41))
WIN_BY_ELIMINATION = 1.0
WIN_BY_GOAL = 0.9
VISIT = 25
EXPAND = 200
C = 0.6
NOBODY, GOAL, ELIMINATION = range(3)  # how a move has won
MOST_MOVES = 8
LONGEST = 256


def _target_table():
    """int64[side, square, 4]: where each direction leads, -1 off the board."""
    table = np.full((2, SQUARES, 4), -1)
    for side in range(2):
        for square in range(SQUARES):
            for direction in range(4):
                row = square // COLUMNS + DOWN[side][direction]
                column = square % COLUMNS + RIGHT[side][direction]
                if 0 <= row < ROWS and 0 <= column < COLUMNS:
                    table[side, square, direction] = row * COLUMNS + column
    return table


TARGETS = _target_table()


def start(red, blue) -> np.ndarray:
    """Squares of Red's cubes 0 to 5, then of Blue's: int64 (12).

    red, blue: the cubes on each side's start squares, row by row.
    """
    squares = np.zeros(2 * CUBES, np.int64)
    for side, cubes in enumerate((red, blue)):
        for square, cube in zip(STARTS[side], cubes):
            squares[CUBES * side + cube] = square
    return squares


@njit(cache=True)
def _next(state):
    """The next state of the random numbers (uint64)."""
    return state * U(6364136223846793005) + U(1442695040888963407)


@njit(cache=True)
def _fill(squares, board, alive):
    """Write, in place, who stands where, -1 for nobody; and how many cubes each side has."""
    board[:] = -1
    alive[:] = 0
    for piece in range(2 * CUBES):
        if squares[piece] >= 0:
            board[squares[piece]] = piece
            alive[piece // CUBES] += 1


@njit(cache=True)
def _moves(squares, side, die, moves):
    """Write the legal moves (piece, target) into moves (int64[8, 2]), the lower cube's first.

    Returns how many.
    """
    count = 0
    low = die
    high = die
    if squares[CUBES * side + die] < 0:
        while low >= 0 and squares[CUBES * side + low] < 0:
            low -= 1
        while high < CUBES and squares[CUBES * side + high] < 0:
            high += 1
    for cube in (low, high):
        if cube < 0 or cube >= CUBES or count > 0 and low == high:
            continue
        for direction in range(4):
            target = TARGETS[side, squares[CUBES * side + cube], direction]
            if target >= 0:
                moves[count, 0] = CUBES * side + cube
                moves[count, 1] = target
                count += 1
    return count


@njit(cache=True)
def _play(squares, board, alive, side, piece, target):
    """Play a move, in place. Returns how it has won, or NOBODY."""
    taken = board[target]
    if taken >= 0:
        squares[taken] = -1
        alive[taken // CUBES] -= 1
    board[squares[piece]] = -1
    board[target] = piece
    squares[piece] = target
    if alive[1 - side] == 0:
        return ELIMINATION
    return GOAL if target == GOALS[side] else NOBODY


@njit(cache=True)
def _wins(board, alive, side, target):
    """Whether a move to this square wins at once."""
    taken = board[target]
    return target == GOALS[side] or (alive[1 - side] == 1 and taken >= 0 and taken // CUBES != side)


@njit(cache=True)
def _playout(squares, board, alive, ply, dice, state, shortcut, moves):
    """Play random moves to the end, in place. Returns (side that won, how, plies played, state)."""
    played = 0
    while True:
        side = (ply + played) % 2
        count = _moves(squares, side, dice[(ply + played) % DICE], moves)
        state = _next(state)
        index = np.int64(((state >> U(32)) * U(count)) >> U(32))
        if shortcut:
            for n in range(count):
                if _wins(board, alive, side, moves[n, 1]):
                    index = n
                    break
        how = _play(squares, board, alive, side, moves[index, 0], moves[index, 1])
        played += 1
        if how != NOBODY:
            return side, how, played, state


@njit(cache=True)
def _playouts(position, ply, dice, state, shortcut, count):
    """Play many games from a position.

    Returns (wins of the side to move, wins by elimination of either, plies, state).
    """
    squares = position.copy()
    board = np.empty(SQUARES, np.int64)
    alive = np.empty(2, np.int64)
    first_board = np.empty(SQUARES, np.int64)
    first_alive = np.empty(2, np.int64)
    moves = np.empty((MOST_MOVES, 2), np.int64)
    won = 0
    eliminated = 0
    plies = 0
    _fill(position, first_board, first_alive)
    for _ in range(count):
        squares[:] = position
        board[:] = first_board
        alive[:] = first_alive
        side, how, played, state = _playout(
            squares, board, alive, ply, dice, state, shortcut, moves
        )
        won += side == ply % 2
        eliminated += how == ELIMINATION
        plies += played
    return won, eliminated, plies, state


@njit(cache=True)
def _expand(node, ply, dice, used, stats, places, links, outcome):
    """Give a node a child for each legal move, in place. Returns how many nodes are used now."""
    squares = np.empty(2 * CUBES, np.int64)
    board = np.empty(SQUARES, np.int64)
    alive = np.empty(2, np.int64)
    moves = np.empty((MOST_MOVES, 2), np.int64)
    side = ply % 2
    for cube in range(2 * CUBES):
        squares[cube] = places[node, cube]
    count = _moves(squares, side, dice[ply % DICE], moves)
    links[node, 0] = used
    links[node, 1] = count
    for move in range(count):
        for cube in range(2 * CUBES):
            squares[cube] = places[node, cube]
        _fill(squares, board, alive)
        outcome[used] = _play(squares, board, alive, side, moves[move, 0], moves[move, 1])
        stats[used] = 0.0
        places[used] = squares
        links[used] = 0
        used += 1
    return used


@njit(cache=True)
def _best_child(node, stats, links):
    """The child with the highest bound, of equals the first."""
    log_n = math.log(max(stats[node, 0], 1.0))
    highest = -1.0
    chosen = 0
    for child in range(links[node, 0], links[node, 0] + links[node, 1]):
        playouts_of_child = stats[child, 0]
        bound = math.inf
        if playouts_of_child > 0.0:
            mean = stats[child, 1] / playouts_of_child
            bound = mean + C * math.sqrt(log_n / playouts_of_child)
        if bound > highest:
            highest = bound
            chosen = child
    return chosen


@njit(cache=True)
def _visit(position, ply, dice, state):
    """The sum of the scores of a visit's playouts, to the side not to move, and the state."""
    squares = position.copy()
    board = np.empty(SQUARES, np.int64)
    alive = np.empty(2, np.int64)
    first_board = np.empty(SQUARES, np.int64)
    first_alive = np.empty(2, np.int64)
    moves = np.empty((MOST_MOVES, 2), np.int64)
    mover = (ply + 1) % 2
    total = 0.0
    _fill(position, first_board, first_alive)
    for _ in range(VISIT):
        squares[:] = position
        board[:] = first_board
        alive[:] = first_alive
        side, how, _, state = _playout(squares, board, alive, ply, dice, state, True, moves)
        score = WIN_BY_GOAL if how == GOAL else WIN_BY_ELIMINATION
        total += score if side == mover else 1.0 - score
    return total, state


@njit(cache=True)
def _search(position, ply, dice, state, budget, stats, places, links, outcome):
    """Grow a tree until its root has `budget` playouts. Modified in place, node 0 the root:

    stats     float64 (nodes, 2): playouts, and the sum of scores to the side that moved there
    places    int8 (nodes, 12): squares
    links     int32 (nodes, 2): first child, number of children
    outcome   int8 (nodes): how the game was won by the move there
    """
    path = np.zeros(LONGEST, np.int64)
    used = 1
    stats[0] = 0.0
    places[0] = position
    links[0] = 0
    outcome[0] = NOBODY
    while stats[0, 0] < budget:
        node = 0
        depth = 0
        while True:
            is_due = outcome[node] == NOBODY and (node == 0 or stats[node, 0] >= EXPAND)
            if links[node, 1] == 0 and is_due and used + MOST_MOVES <= len(links):
                used = _expand(node, ply + depth, dice, used, stats, places, links, outcome)
            if links[node, 1] == 0:
                break
            node = _best_child(node, stats, links)
            depth += 1
            path[depth] = node
        if outcome[node] == GOAL:
            total = VISIT * WIN_BY_GOAL
        elif outcome[node] == ELIMINATION:
            total = VISIT * WIN_BY_ELIMINATION
        else:
            for cube in range(2 * CUBES):
                position[cube] = places[node, cube]
            total, state = _visit(position, ply + depth, dice, state)
        for level in range(depth, -1, -1):
            stats[path[level], 0] += VISIT
            stats[path[level], 1] += total
            total = VISIT - total
    return used, state


def playouts(red, blue, dice, state, shortcut, count) -> tuple[int, int, int]:
    """(Red's wins, wins by elimination, plies) of random games from the start of an instance."""
    position = start(red, blue)
    won, eliminated, plies, _ = _playouts(position, 0, np.array(dice), U(state), shortcut, count)
    return won, eliminated, plies


def search(red, blue, dice, state, budget, nodes=1 << 18) -> np.ndarray:
    """Playouts of each legal move after a search from the start of an instance (int64)."""
    stats = np.zeros((nodes, 2))
    places = np.zeros((nodes, 2 * CUBES), np.int8)
    links = np.zeros((nodes, 2), np.int32)
    outcome = np.zeros(nodes, np.int8)
    position = start(red, blue)
    _search(position, 0, np.array(dice), U(state), float(budget), stats, places, links, outcome)
    first = links[0, 0]
    return stats[first : first + links[0, 1], 0].astype(np.int64)
