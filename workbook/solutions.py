"""A right answer to each exercise, in the plainest style.

What is asked for stands with the checks (`help(check.slide)`). A notebook shows these functions
folded, below the exercise; `cell` writes such a cell. Whoever wants to learn something opens them
last.

Boards are four rows of four exponents; on the 2x2 game a board is a tuple of four.
"""

import inspect
import math
import re

from workbook import grid

UP, RIGHT, DOWN, LEFT = range(4)


# The game


def slide_left(row):
    tiles = [exponent for exponent in row if exponent > 0]
    slid = []
    reward = 0
    while tiles:
        exponent = tiles.pop(0)
        if tiles and tiles[0] == exponent and exponent < 15:
            tiles.pop(0)  # both become one
            exponent += 1
            reward += 2**exponent
        slid.append(exponent)  # what stands here cannot merge again
    while len(slid) < 4:
        slid.append(0)
    return slid, reward


def slide(board, action):
    def columns_as_rows(rows):
        return [list(column) for column in zip(*rows)]

    def mirrored(rows):
        return [row[::-1] for row in rows]

    rows = [list(row) for row in board]
    if action in (UP, DOWN):
        rows = columns_as_rows(rows)
    if action in (RIGHT, DOWN):
        rows = mirrored(rows)
    reward = 0
    for number, row in enumerate(rows):
        rows[number], gained = slide_left(row)
        reward += gained
    if action in (RIGHT, DOWN):  # and back, in the other order
        rows = mirrored(rows)
    if action in (UP, DOWN):
        rows = columns_as_rows(rows)
    if rows == [list(row) for row in board]:
        return board, -1
    return rows, reward


def spawn(board, rng, p4):
    empty = []
    for row in range(4):
        for column in range(4):
            if board[row][column] == 0:
                empty.append((row, column))
    row, column = empty[rng.integers(len(empty))]
    exponent = 2 if rng.random() < p4 else 1
    following = [list(cells) for cells in board]  # a copy
    following[row][column] = exponent
    return following


def play_game(board, choose, slide, spawn):
    path = []
    action = choose(board)
    while action is not None:
        afterstate, reward = slide(board, action)
        path.append((board, action, reward, afterstate))
        board = spawn(afterstate)
        action = choose(board)
    return path


# Values in a table


def value_iteration(model):
    V = dict.fromkeys(model, 0.0)
    change = math.inf
    while change > 1e-9:
        change = 0.0
        for s, actions in model.items():
            worths = []
            for outcomes in actions.values():
                worth = 0.0
                for probability, r, s_next in outcomes:
                    following = 0.0 if s_next is None else V[s_next]
                    worth += probability * (r + following)
                worths.append(worth)
            best = max(worths)
            change = max(change, abs(best - V[s]))
            V[s] = best
    return V


def td0(V, s, r, s_next, alpha):
    following = 0.0 if s_next is None else V[s_next]
    V[s] += alpha * (r + following - V[s])


def td0_backward(V, game, alpha):
    for s, _, r, s_next in reversed(game):
        td0(V, s, r, s_next, alpha)


def monte_carlo(V, game, alpha):
    G = 0.0
    for s, _, r, _ in reversed(game):
        G += r
        V[s] += alpha * (G - V[s])


# The network


def index(board, pattern):
    total = 0
    for j, cell in enumerate(pattern):
        row, column = divmod(cell, 4)
        total += board[row][column] * 16**j
    return total


def symmetries(board):
    images = []
    for _ in range(4):
        board = [list(row) for row in zip(*board[::-1])]  # a quarter turn clockwise
        mirror_image = [row[::-1] for row in board]
        images += [board, mirror_image]
    return images


def estimate(board, patterns, tables):
    total = 0.0
    for image in symmetries(board):
        for pattern, table in zip(patterns, tables):
            total += table[index(image, pattern)]
    return total


def update(board, patterns, tables, delta):
    m = 8 * len(patterns)
    for image in symmetries(board):
        for pattern, table in zip(patterns, tables):
            table[index(image, pattern)] += delta / m
    return estimate(board, patterns, tables)


# Choosing, and learning from a game


def select_afterstate(board, value):
    best = None
    best_worth = None
    for action in range(4):
        afterstate, reward = grid.slide(board, action)
        if reward == -1:
            continue  # nothing moves
        worth = reward + value(afterstate)
        if best is None or worth > best_worth:
            best = action
            best_worth = worth
    return best


def spawn_mean(afterstate, value, p4):
    total = 0.0
    empty = 0
    for row in range(4):
        for column in range(4):
            if afterstate[row][column] == 0:
                empty += 1
                total += (1 - p4) * value(grid.place(afterstate, row, column, 1))
                total += p4 * value(grid.place(afterstate, row, column, 2))
    return total / empty


def select_state(board, value, p4):
    def expected(afterstate):
        return spawn_mean(afterstate, value, p4)

    return select_afterstate(board, expected)


def bellman_afterstate(V, afterstate, spawns, moves):
    mean = 0.0
    for probability, board in spawns(afterstate):
        best = None
        for following, reward in moves(board).values():
            worth = reward + V[following]
            if best is None or worth > best:
                best = worth
        if best is not None:  # a dead board adds nothing
            mean += probability * best
    return mean


def update_episode_afterstate(path, value, update, alpha):
    target = 0.0  # nothing follows the last afterstate
    for _, _, r, after in reversed(path):
        error = target - value(after)
        target = r + update(after, alpha * error)


def update_episode_state(path, value, update, alpha):
    following = 0.0  # V of the dead board
    for s, _, r, _ in reversed(path):
        error = r + following - value(s)
        following = update(s, alpha * error)


# Beyond TD(0)


def returns(rewards):
    still_to_come = []
    total = 0
    for reward in reversed(rewards):
        still_to_come.append(total)
        total += reward
    still_to_come.reverse()
    return still_to_come


def tc_step(weights, errors, sizes, i, step):
    rate = 1.0
    if sizes[i] > 0:
        rate = abs(errors[i]) / sizes[i]
    weights[i] += rate * step
    errors[i] += step
    sizes[i] += abs(step)


def lambda_target(rewards, values, lambda_):
    targets = [0.0] * len(rewards)  # nothing follows the last afterstate
    for t in reversed(range(len(rewards) - 1)):
        following = (1 - lambda_) * values[t + 1] + lambda_ * targets[t + 1]
        targets[t] = rewards[t + 1] + following
    return targets


# Playing and measuring


def expectimax(board, value, plies, p4):
    best = None
    best_worth = 0.0  # of a dead board
    for action in range(4):
        afterstate, reward = grid.slide(board, action)
        if reward == -1:
            continue
        worth = reward
        if plies == 1:
            worth += value(afterstate)
        else:
            empty = grid.empty_cells(afterstate)
            for row, column in empty:
                for exponent, probability in [(1, 1 - p4), (2, p4)]:
                    following = grid.place(afterstate, row, column, exponent)
                    _, deeper = expectimax(following, value, plies - 1, p4)
                    worth += probability * deeper / len(empty)
        if best is None or worth > best_worth:
            best = action
            best_worth = worth
    return best, best_worth


def win_rate(max_tiles, tile):
    reached = 0
    for largest in max_tiles:
        if largest >= tile:
            reached += 1
    return reached / len(max_tiles)


# The second game


def movable(cubes, die):
    if die in cubes:
        return [die]
    lower = [cube for cube in cubes if cube < die]
    higher = [cube for cube in cubes if cube > die]
    return lower[-1:] + higher[:1]


def ucb1(mean, n, total, c):
    if n == 0:
        return math.inf
    return mean + c * math.sqrt(math.log(total) / n)


def tuned(mean, variance, n, total, c, c1, c2):
    ratio = math.log(total) / n
    cap = min(variance + c1 * math.sqrt(ratio), c2)
    return mean + c * math.sqrt(ratio * cap)


def mcts_backup(ns, totals, visit, total):
    ns = list(ns)
    totals = list(totals)
    for level in reversed(range(len(ns))):
        ns[level] += visit
        totals[level] += total
        total = visit - total  # what one side wins, the other loses
    return ns, totals


# In the Python course


def get_action(state, score, choose):
    board = []
    for row in state:
        board.append([int(tile).bit_length() - 1 if tile > 0 else 0 for tile in row])
    action = choose(board)
    return {UP: 0, DOWN: 1, LEFT: 2, RIGHT: 3}[action]


# Cells of notebooks


def cell(name: str) -> str:
    """The source of a notebook's cell with the solution of an exercise, and its check.

    There a solution is called `solved_NAME`, and calls `solved_OTHER` where it needs another one.

    Parameters
    ----------
    name : str
        The exercise, as its check is called.

    Returns
    -------
    str
        What goes into the cell.

    Raises
    ------
    ValueError
        If there is no such exercise.

    Examples
    --------
    >>> print(cell("td0_backward"))
    def solved_td0_backward(V, game, alpha):
        for s, _, r, s_next in reversed(game):
            solved_td0(V, s, r, s_next, alpha)
    <BLANKLINE>
    <BLANKLINE>
    check.td0_backward(solved_td0_backward)
    """
    if name not in SOLUTIONS:
        raise ValueError(f"there are solutions of {', '.join(SOLUTIONS)}, got {name!r}")
    source = inspect.getsource(SOLUTIONS[name]).strip()
    handed_in = set(inspect.signature(SOLUTIONS[name]).parameters)
    for other in SOLUTIONS:
        if other not in handed_in:
            source = re.sub(rf"(?<![.\w]){other}\(", f"solved_{other}(", source)
    return f"{source}\n\n\ncheck.{name}(solved_{name})"


SOLUTIONS = {
    name: function
    for name, function in list(globals().items())
    if inspect.isfunction(function) and function is not cell
}
