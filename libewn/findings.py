"""What a search has found out about a position, read off its tree."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lib2048.kernels import U
from libewn.game import Game, moves_of
from libewn.rules import _choices
from libewn.search import _capped
from libewn.tree import COUNT, FIRST, OWN, PROOF, ROOT, SQUARES, SUM, N, Pool, Rule, _bound


@dataclass
class Findings:
    """What a search knows about the position it was asked about; arrays have an entry for each legal move."""

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
    caps: tuple[
        int, int
    ]  # of all children with playouts in the tree: those whose tuned bound is at its cap; all

    @property
    def capped(self) -> float:
        """The share of children whose tuned bound is at its cap, which makes it a ucb1 bound with half the c."""
        return self.caps[0] / self.caps[1] if self.caps[1] else math.nan


class Branch(NamedTuple):
    """A node of the tree, for drawing."""

    parent: int  # number of the parent in the list; -1 for the root
    depth: int
    move: (
        tuple[int, int] | int | None
    )  # that led here; before the roll of `classic` the die; None for the root
    playouts: int
    mean: float  # score to the side that moved here, nan without playouts
    proof: int  # 1: that side wins for certain, -1: it loses, 0: open


def find(pool: Pool, rule: Rule, game: Game, kept: int) -> Findings:
    """The findings of a tree whose root is the position of `game`; the move is still to be chosen."""
    first, count = pool.links[ROOT, FIRST], pool.links[ROOT, COUNT]
    children = slice(first, first + count)
    visits = pool.stats[children, N].copy()
    with np.errstate(invalid="ignore", divide="ignore"):
        means = pool.stats[children, SUM] / visits
        variances = np.maximum(pool.stats[children, SQUARES] / visits - means**2, 0)
    log_n = math.log(max(pool.stats[ROOT, N], 1.0))
    return Findings(
        moves=game.legal_moves(),
        move=None,
        visits=visits.astype(np.int64),
        means=means,
        variances=variances,
        bounds=np.array(
            [_bound(pool.stats, child, log_n, rule) for child in range(first, first + count)]
        ),
        proofs=np.sign(pool.links[children, PROOF]),
        line=_line(pool, game),
        playouts=int(pool.stats[ROOT, N]),
        kept=kept,
        nodes=int(pool.used[0]),
        seconds=math.nan,
        caps=_capped(pool, rule),
    )


def _line(pool: Pool, game: Game) -> list[tuple[int, int]]:
    """The most visited move, the most visited answer, and so on, as far as the tree has grown; in `classic` the move
    alone, since the next die is not known."""
    node, moves = ROOT, []
    while game.winner is None and pool.links[node, COUNT]:
        first = pool.links[node, FIRST]
        visits = pool.stats[first : first + pool.links[node, COUNT], N]
        best = int(np.argmax(visits))
        if not visits[best]:
            break
        node = first + best
        moves.append(game.legal_moves()[best])
        if game.variant.name == "classic":
            return moves
        game.play(moves[-1])
    for _ in moves:
        game.undo()
    return moves


def branches(pool: Pool, game: Game, least: int) -> list[Branch]:
    """The tree below the position of `game`, breadth first: its nodes with at least so many playouts."""
    kind, found, nodes = game.variant, [], []

    def add(parent: int, depth: int, move, node: int) -> None:
        playouts, total = pool.stats[node, N], pool.stats[node, SUM]
        mean = float(total / playouts) if playouts else math.nan
        found.append(
            Branch(parent, depth, move, int(playouts), mean, int(np.sign(pool.links[node, PROOF])))
        )
        nodes.append(node)

    add(-1, 0, None, ROOT)
    number = 0
    while number < len(nodes):
        node, depth = nodes[number], found[number].depth
        first, count = int(pool.links[node, FIRST]), int(pool.links[node, COUNT])
        if kind.name == "classic" and depth % 2:
            labels = range(kind.first, kind.first + count)
        elif count:
            die = game.dice[(game.ply + depth) % len(game.dice)] - kind.first
            if kind.name == "classic" and depth:
                die = found[number].move - kind.first
            labels = moves_of(
                kind, pool.words[node, OWN], _choices(kind.code, pool.words[node, OWN], U(die))
            )
        for child in range(count):
            if pool.stats[first + child, N] >= least:
                add(number, depth + 1, labels[child], first + child)
        number += 1
    return found
