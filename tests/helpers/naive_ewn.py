"""Slow twins of libewn, written from the rules in plain Python and meant to be read against them.

A position is a dict {(row, column): (side, cube)}; sides are "red" and "blue", directions are named
as the referee numbers them. Nothing here knows of bits, or of a board seen from the other side.
"""

import math

SIZES = {"tcg2023": (6, 7), "classic": (5, 5)}
RED_WAYS = {0: (0, 1), 1: (1, 0), 2: (1, 1), 3: (-1, 1)}  # right, down, down-right, up-right
BLUE_WAYS = {0: (0, -1), 1: (-1, 0), 2: (-1, -1), 3: (1, -1)}  # left, up, up-left, down-left
RED_START = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)]
BLUE_START = {
    "tcg2023": [(3, 6), (4, 5), (4, 6), (5, 4), (5, 5), (5, 6)],
    "classic": [(2, 4), (3, 3), (3, 4), (4, 2), (4, 3), (4, 4)],
}


def start(variant, red, blue):
    """The position at the start, from the cubes on each side's start squares."""
    board = {square: ("red", cube) for square, cube in zip(RED_START, red)}
    return board | {square: ("blue", cube) for square, cube in zip(BLUE_START[variant], blue)}


def other(side):
    return "blue" if side == "red" else "red"


def cubes(board, side):
    """The numbers of a side's cubes, ascending."""
    return sorted(cube for owner, cube in board.values() if owner == side)


def movable(board, side, die):
    """The cubes that may move with this die, the lower one first."""
    numbers = cubes(board, side)
    if die in numbers:
        return [die]
    lower = [number for number in numbers if number < die]
    higher = [number for number in numbers if number > die]
    return ([max(lower)] if lower else []) + ([min(higher)] if higher else [])


def legal_moves(variant, board, side, die):
    """[(cube, direction)] in the order of the assignment."""
    rows, columns = SIZES[variant]
    moves = []
    for cube in movable(board, side, die):
        (row, column), *_ = [square for square, owner in board.items() if owner == (side, cube)]
        for direction, (down, right) in (RED_WAYS if side == "red" else BLUE_WAYS).items():
            if variant == "classic" and direction == 3:
                continue
            if 0 <= row + down < rows and 0 <= column + right < columns:
                moves.append((cube, direction))
    return moves


def play(board, side, move):
    """The position after a move; whatever stood on the target is gone."""
    cube, direction = move
    (square, *_) = [square for square, owner in board.items() if owner == (side, cube)]
    down, right = (RED_WAYS if side == "red" else BLUE_WAYS)[direction]
    after = dict(board)
    after[square[0] + down, square[1] + right] = after.pop(square)
    return after


def result(variant, board):
    """(winner, "goal" or "elimination"), or None while the game goes on."""
    rows, columns = SIZES[variant]
    if board.get((rows - 1, columns - 1), ("", 0))[0] == "red":
        by_goal = "red"
    elif board.get((0, 0), ("", 0))[0] == "blue":
        by_goal = "blue"
    else:
        by_goal = None
    for side in ("red", "blue"):
        if not cubes(board, other(side)):
            return side, "elimination"
    return (by_goal, "goal") if by_goal else None


def distance(variant, board, side):
    """The fewest king's moves that a cube of this side is away from its goal."""
    rows, columns = SIZES[variant]
    row, column = (rows - 1, columns - 1) if side == "red" else (0, 0)
    return min(
        max(abs(row - r), abs(column - c)) for (r, c), (owner, _) in board.items() if owner == side
    )


def minimax(variant, board, side, dice, ply, depth):
    """What a position is worth to the side to move, without any pruning."""
    if depth == 0:
        return distance(variant, board, other(side)) - distance(variant, board, side)
    values = []
    for move in legal_moves(variant, board, side, dice[ply % len(dice)]):
        after = play(board, side, move)
        if result(variant, after):
            values.append(10_000)
        else:
            values.append(-minimax(variant, after, other(side), dice, ply + 1, depth - 1))
    return max(values)


def opponent_move(variant, board, side, dice, ply, depth):
    """The move of normal (depth 2) and hard (depth 8)."""
    moves = legal_moves(variant, board, side, dice[ply % len(dice)])
    best, best_value = None, -math.inf
    for move in moves:
        after = play(board, side, move)
        value = 10_000
        if not result(variant, after):
            value = -minimax(variant, after, other(side), dice, ply + 1, depth - 1)
        if value > best_value:
            best, best_value = move, value
    if best_value == -10_000:
        best = ([move for move in moves if move[1] == 2] + moves)[0]
    return best


def ucb1(mean, n, total, c):
    """Auer, Cesa-Bianchi and Fischer 2002, with the factor c in place of sqrt 2."""
    return mean + c * math.sqrt(math.log(total) / n)


def tuned(mean, variance, n, total, c, c1, c2):
    """Their tuned bound; c = 1, c1 = sqrt 2 and c2 = 1/4 in the paper."""
    ratio = math.log(total) / n
    return mean + c * math.sqrt(ratio * min(variance + c1 * math.sqrt(ratio), c2))


def as_submitted(mean, batches, n, total, c, c1, c2):
    """What the report's program computes; `batches` are the sums of the scores of whole visits."""
    squared = sum(batch**2 for batch in batches) / n
    root = math.sqrt(math.log(total) / n)
    return mean + c * root * min(squared - mean * squared + c1 * c * root, c2)


class Node:
    """A node of the twin's search tree: raw scores to the side that moved here, one list a
    visit.
    """

    def __init__(self, position):
        self.position, self.children, self.visits = position, [], []

    def scores(self):
        return [score for visit in self.visits for score in visit]

    def playouts(self):
        return len(self.scores())

    def mean(self):
        return sum(self.scores()) / self.playouts()

    def variance(self):
        return sum((score - self.mean()) ** 2 for score in self.scores()) / self.playouts()


def search(root, after, visit, bound, expand, budget):
    """Plain MCTS: after(position) -> positions one move on; visit(position) -> scores to the side
    that moved there;
    bound(child, playouts of the parent) -> UCB. A node gets children from `expand` playouts on, the
    root at once."""
    root = Node(root)
    while root.playouts() < budget:
        path = [root]
        while True:
            node = path[-1]
            if not node.children and (node is root or node.playouts() >= expand):
                node.children = [Node(position) for position in after(node.position)]
            if not node.children:
                break
            fresh = [child for child in node.children if not child.visits]
            path.append(
                fresh[0]
                if fresh
                else max(node.children, key=lambda child: bound(child, node.playouts()))
            )
        scores = visit(path[-1].position)
        for node in reversed(path):
            node.visits.append(scores)
            scores = [1 - score for score in scores]
    return root
