"""What a search has found out about a position, read off its tree."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lib2048.kernels import uint64
from libewn.game import Game, moves_of
from libewn.rules import _choices
from libewn.search import _capped
from libewn.tree import COUNT, FIRST, OWN, PROOF, ROOT, SQUARES, SUM, N, Pool, Rule, _bound


@dataclass
class Findings:
    """What a search knows about a position; arrays have an entry for each legal move."""

    moves: list[tuple[int, int]]
    move: tuple[int, int] | None  # the one to play
    visits: np.ndarray  # playouts, int64
    means: np.ndarray  # mean score to the side to move, nan without playouts
    variances: np.ndarray  # of the raw scores of those playouts
    bounds: np.ndarray  # UCB
    proofs: np.ndarray  # 1 a proven win for the side to move, -1 a proven loss, 0 open
    line: list[tuple[int, int]]  # principal variation: the most visited move, and so on
    playouts: int  # of the root, kept ones included
    kept: int  # of these, those kept from the search before
    nodes: int
    seconds: float
    # Of all children with playouts in the tree: those whose tuned bound is at its cap; all of them.
    caps: tuple[int, int]

    @property
    def capped(self) -> float:
        """The share of children whose tuned bound is at its cap: a ucb1 bound with half the c."""
        return self.caps[0] / self.caps[1] if self.caps[1] else math.nan


class Branch(NamedTuple):
    """A node of the tree, for drawing."""

    parent: int  # number of the parent in the list; -1 for the root
    depth: int
    # What led here: a move; a die, where it was rolled; None for the root.
    move: tuple[int, int] | int | None
    playouts: int
    mean: float  # score to the side that moved here, nan without playouts
    proof: int  # 1: that side wins for certain, -1: it loses, 0: open


def find(pool: Pool, rule: Rule, game: Game, kept: int) -> Findings:
    """Read the findings off a tree for the position of `game`. The move is still to be chosen."""
    first = pool.links[ROOT, FIRST]
    last = first + pool.links[ROOT, COUNT]
    children = slice(first, last)
    visits = pool.stats[children, N].copy()
    with np.errstate(invalid="ignore", divide="ignore"):
        means = pool.stats[children, SUM] / visits
        variances = np.maximum(pool.stats[children, SQUARES] / visits - means**2, 0)
    log_n = math.log(max(pool.stats[ROOT, N], 1.0))
    bounds = [_bound(pool.stats, child, log_n, rule) for child in range(first, last)]
    return Findings(
        moves=game.legal_moves(),
        move=None,
        visits=visits.astype(np.int64),
        means=means,
        variances=variances,
        bounds=np.array(bounds),
        proofs=np.sign(pool.links[children, PROOF]),
        line=_line(pool, game),
        playouts=int(pool.stats[ROOT, N]),
        kept=kept,
        nodes=int(pool.used[0]),
        seconds=math.nan,
        caps=_capped(pool, rule),
    )


def _line(pool: Pool, game: Game) -> list[tuple[int, int]]:
    """The most visited move, the most visited answer, and so on, as far as the tree has grown.

    In `classic` it is the move alone, since the next die is not known.
    """
    node = ROOT
    moves: list[tuple[int, int]] = []
    while game.winner is None and pool.links[node, COUNT]:
        first = pool.links[node, FIRST]
        visits = pool.stats[first : first + pool.links[node, COUNT], N]
        most_visited = int(np.argmax(visits))
        if not visits[most_visited]:
            break
        node = first + most_visited
        moves.append(game.legal_moves()[most_visited])
        if game.variant.name == "classic":
            return moves
        game.play(moves[-1])
    for _ in moves:
        game.undo()
    return moves


def branches(pool: Pool, game: Game, least: int) -> list[Branch]:
    """The tree below the position of `game`, breadth first: its nodes with enough playouts.

    Parameters
    ----------
    pool : Pool
        The tree.
    game : Game
        The game whose position is the root.
    least : int
        How many playouts are enough.
    """
    tree: list[Branch] = []
    nodes: list[int] = []

    def add(parent: int, depth: int, move: tuple[int, int] | int | None, node: int) -> None:
        playouts = pool.stats[node, N]
        mean = float(pool.stats[node, SUM] / playouts) if playouts else math.nan
        proof = int(np.sign(pool.links[node, PROOF]))
        tree.append(Branch(parent, depth, move, int(playouts), mean, proof))
        nodes.append(node)

    add(-1, 0, None, ROOT)
    number = 0
    while number < len(nodes):
        first = int(pool.links[nodes[number], FIRST])
        for child, move in enumerate(_moves_below(pool, game, tree[number], nodes[number])):
            if pool.stats[first + child, N] >= least:
                add(number, tree[number].depth + 1, move, first + child)
        number += 1
    return tree


def _moves_below(pool: Pool, game: Game, branch: Branch, node: int) -> list:
    """What leads to each child of a node: moves, or dice where one is rolled."""
    count = int(pool.links[node, COUNT])
    variant = game.variant
    is_classic = variant.name == "classic"
    if not count:
        return []
    if is_classic and branch.depth % 2:
        return list(range(variant.first, variant.first + count))
    if is_classic and isinstance(branch.move, int):
        number_on_die = branch.move
    else:
        number_on_die = game.dice[(game.ply + branch.depth) % len(game.dice)]
    own = pool.words[node, OWN]
    choices = _choices(variant.code, own, uint64(number_on_die - variant.first))
    return moves_of(variant, own, choices)
