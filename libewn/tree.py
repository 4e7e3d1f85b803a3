"""The search tree in arrays: its nodes and the UCB formulas. Visits are in search.py.

A node is a position; its statistics are those of the side that moved there, in playouts. `tcg2023`
has one kind of node. In `classic` positions whose die is rolled take turns with positions before
the roll, whose six children are visited at random.

UCB of child i (Auer, Cesa-Bianchi and Fischer 2002), N and n the playouts of its parent and its
own, v its variance:

    ucb1           mean + c sqrt(ln N / n)
    tuned          mean + c sqrt(ln N / n * min(v + c1 sqrt(ln N / n), c2))
    as_submitted   mean + c sqrt(ln N / n) * min(s - mean s + c1 c sqrt(ln N / n), c2)

with s the sum of the squares of whole visits' scores over the number of playouts: the formula that
the program of the report computes by mistake. Its s is so large that c2 always holds, which makes
it ucb1 with c c2.
"""

import math
from typing import NamedTuple

import numpy as np

from lib2048.kernels import kernel
from libewn.playout import HALF, _next

ROOT = 0
# Columns of stats: the number of playouts; of their scores the sum, the sum of squares, and the sum
# of the squares of whole visits' sums; what the position was guessed to be worth.
N, SUM, SQUARES, BATCHES, PRIOR = range(5)
# Columns of words: the side to move, the other one.
OWN, OPP = range(2)
# Columns of links: the first child, the number of children, what is known for certain.
FIRST, COUNT, PROOF = range(3)
# Proofs: how the side that moved there fares. From BY_GOAL on the game is over.
LOST, OPEN, WON, BY_GOAL, BY_ELIMINATION = range(-1, 4)
LONGEST = 512  # nodes on a path; no game has more than 204 plies
UCB1, TUNED, AS_SUBMITTED = range(3)
PROVEN_LOSS = -1e9  # below every bound
NODE_BYTES = 5 * 8 + 2 * 8 + 3 * 4


class Rule(NamedTuple):
    """How to search, as kernels need it."""

    variant: int
    formula: int
    c: float
    c1: float
    c2: float
    visit: int  # playouts a visit
    expand: int  # playouts from which a node gets children
    rich: int
    shortcut: bool
    heat: float  # K of the softmax over UCB; infinite for the best
    solve: bool  # carry proven wins and losses up the tree
    prior: float  # playouts that the guess counts for


class Pool(NamedTuple):
    """The nodes and what goes with them."""

    stats: np.ndarray  # float64 (nodes, 5)
    words: np.ndarray  # uint64 (nodes, 2)
    links: np.ndarray  # int32 (nodes, 3)
    path: np.ndarray  # int32 (LONGEST): the nodes of this visit, the root first
    used: np.ndarray  # int64 (1): nodes in use
    state: np.ndarray  # uint64 (1): of the random numbers


def new_pool(nodes: int) -> Pool:
    """A pool for so many nodes; the system hands out its memory when nodes are first used."""
    return Pool(
        np.zeros((nodes, 5)),
        np.zeros((nodes, 2), np.uint64),
        np.zeros((nodes, 3), np.int32),
        np.zeros(LONGEST, np.int32),
        np.zeros(1, np.int64),
        np.zeros(1, np.uint64),
    )


@kernel()
def _add_node(pool, own, opp, proof, prior):
    """Take the next node of the pool, every field set anew."""
    node = pool.used[0]
    pool.used[0] = node + 1
    for field in range(PRIOR):
        pool.stats[node, field] = 0.0
    pool.stats[node, PRIOR] = prior
    pool.words[node, OWN] = own
    pool.words[node, OPP] = opp
    pool.links[node, FIRST] = 0
    pool.links[node, COUNT] = 0
    pool.links[node, PROOF] = proof
    return node


@kernel(forceinline=True)
def _random(pool):
    """32 random bits (uint64)."""
    pool.state[0] = _next(pool.state[0])
    return pool.state[0] >> HALF


@kernel(forceinline=True)
def _cap_term(stats, node, log_n, c1):
    """v + c1 sqrt(ln N / n), what `tuned` caps at c2."""
    n = stats[node, N]
    mean = stats[node, SUM] / n
    return stats[node, SQUARES] / n - mean * mean + c1 * math.sqrt(log_n / n)


@kernel(forceinline=True)
def _bound(stats, node, log_n, rule):
    """The UCB of a child whose parent has ln N = log_n; infinite for a child without playouts."""
    n = stats[node, N] + rule.prior
    if n == 0.0:
        return math.inf
    mean = (stats[node, SUM] + rule.prior * stats[node, PRIOR]) / n
    spread = math.sqrt(log_n / n)
    if rule.formula == TUNED and stats[node, N] > 0.0:
        spread_of_scores = min(_cap_term(stats, node, log_n, rule.c1), rule.c2)
        return mean + rule.c * spread * math.sqrt(spread_of_scores)
    if rule.formula == AS_SUBMITTED and stats[node, N] > 0.0:
        squared = stats[node, BATCHES] / stats[node, N]
        term = squared - mean * squared + rule.c1 * rule.c * spread
        return mean + rule.c * spread * min(term, rule.c2)
    return mean + rule.c * spread


@kernel()
def _chosen_child(pool, rule, node):
    """The child to visit next: the one with the highest bound, of equals the first.

    With a finite heat K it is child i with a chance proportional to exp(K bound_i): the largest of
    K bound_i plus a random variate of Gumbel's distribution, one for each child.
    """
    first = pool.links[node, FIRST]
    log_n = math.log(max(pool.stats[node, N], 1.0))
    highest = -math.inf
    chosen = first
    for child in range(first, first + pool.links[node, COUNT]):
        bound = _bound(pool.stats, child, log_n, rule)
        if rule.solve and pool.links[child, PROOF] < OPEN:
            bound = PROVEN_LOSS
        if rule.heat < math.inf:
            uniform = (float(_random(pool)) + 0.5) / 2.0**32
            if bound < math.inf:
                bound = rule.heat * bound - math.log(-math.log(uniform))
        if bound > highest:
            highest = bound
            chosen = child
    return chosen
