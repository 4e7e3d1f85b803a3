"""One visit of the tree search, and many of them; see tree.py for the nodes and formulas."""

import math

import numpy as np

from lib2048.kernels import U, kernel
from libewn.guessing import _guess
from libewn.playout import HALF, SCORES, _playout
from libewn.rules import (
    CLASSIC,
    DEAD,
    UNROLLED,
    _choices,
    _is_over,
    _may_win,
    _moved,
    _turned,
    _winning_move,
)
from libewn.tree import (
    BATCHES,
    BY_ELIMINATION,
    BY_GOAL,
    COUNT,
    FIRST,
    LOST,
    OPEN,
    OPP,
    OWN,
    PROOF,
    ROOT,
    SQUARES,
    SUM,
    WON,
    N,
    _add_node,
    _cap_term,
    _chosen_child,
    _random,
)


@kernel()
def _add_child(pool, rule, own, opp, dice, proof):
    """A node where `own` is to move. With `solve`, a side that can win at once has won."""
    if rule.solve and proof == OPEN and dice != UNROLLED:
        choices = _choices(rule.variant, own, dice & U(7))
        if _may_win(opp, choices) and _winning_move(rule.variant, opp, choices) < choices.count:
            proof = LOST
    _add_node(pool, own, opp, proof, _guess(rule.variant, own, opp) if rule.prior > 0.0 else 0.0)


@kernel()
def _expand(pool, rule, node, dice):
    """Give a node its children: one for each legal move, or for each die where it is not rolled."""
    own, opp, variant = pool.words[node, OWN], pool.words[node, OPP], rule.variant
    first = pool.used[0]
    if variant == CLASSIC and dice == UNROLLED:
        for die in range(6):
            _add_child(pool, rule, own, opp, U(die), OPEN)
    else:
        choices = _choices(variant, own, dice & U(7))
        for index in range(choices.count):
            mine, other, target = _moved(variant, own, opp, choices, U(index))
            proof = OPEN
            if _is_over(variant, other, target):
                proof = BY_ELIMINATION if (other & DEAD) == DEAD else BY_GOAL
            _add_child(pool, rule, other, mine, _turned(variant, dice), proof)
    pool.links[node, FIRST], pool.links[node, COUNT] = first, pool.used[0] - first


@kernel()
def _prove(pool, node, rolled):
    """Whether the children decide a node; notes it (a win for the side to move there if one child is won, a loss if
    all are lost; before a roll all six must agree)."""
    first, count = pool.links[node, FIRST], pool.links[node, COUNT]
    won, lost = 0, 0
    for child in range(first, first + count):
        won += 1 if pool.links[child, PROOF] > OPEN else 0
        lost += 1 if pool.links[child, PROOF] < OPEN else 0
    if rolled:
        proof = LOST if won > 0 else (WON if lost == count else OPEN)
    else:
        proof = WON if won == count else (LOST if lost == count else OPEN)
    pool.links[node, PROOF] = proof
    return proof != OPEN


@kernel()
def _descend(pool, rule, dice):
    """Follow the bounds from the root to a leaf, which gets children if it is due.

    Returns (depth, dice).
    """
    depth, node = 0, ROOT
    pool.path[0] = ROOT
    while True:
        if pool.links[node, COUNT] == 0:
            due = node == ROOT or pool.stats[node, N] >= rule.expand
            if not due or pool.links[node, PROOF] != OPEN or pool.used[0] + 8 > len(pool.links):
                return depth, dice
            _expand(pool, rule, node, dice)
            if rule.solve and _prove_path(pool, rule, depth):
                return depth, dice
        if rule.variant == CLASSIC and dice == UNROLLED:
            dice = (_random(pool) * U(6)) >> HALF
            node = pool.links[node, FIRST] + np.int64(dice)
        else:
            node = _chosen_child(pool, rule, node)
            dice = _turned(rule.variant, dice)
        depth += 1
        pool.path[depth] = node


@kernel()
def _prove_path(pool, rule, depth):
    """Carry what the children of the last node prove up the path.

    Returns whether they decide that node.
    """
    for level in range(depth, -1, -1):
        rolled = rule.variant != CLASSIC or level % 2 == 0
        if not _prove(pool, pool.path[level], rolled):
            return level < depth
    return True


@kernel()
def _score(pool, rule, node, dice):
    """(sum, sum of squares) of a visit's scores, to the side that moved to this node."""
    proof, visit = pool.links[node, PROOF], rule.visit
    if proof != OPEN:
        score = 1.0 if proof > OPEN else 0.0
        if proof == BY_GOAL:
            score = SCORES[rule.rich, 1]
        return score * visit, score * score * visit
    own, opp, state = pool.words[node, OWN], pool.words[node, OPP], pool.state[0]
    total, squares = 0.0, 0.0
    for _ in range(visit):
        result, state = _playout(rule.variant, own, opp, dice, state, rule.shortcut)
        score = 1.0 - SCORES[rule.rich, result & U(3)]
        total += score
        squares += score * score
    pool.state[0] = state
    return total, squares


@kernel()
def _back_up(pool, rule, depth, total, squares):
    """Add a visit's scores to the nodes of the path, each to the side that moved there."""
    visit = float(rule.visit)
    for level in range(depth, -1, -1):
        node = pool.path[level]
        pool.stats[node, N] += visit
        pool.stats[node, SUM] += total
        pool.stats[node, SQUARES] += squares
        pool.stats[node, BATCHES] += total * total
        if rule.variant != CLASSIC or level % 2 == 1:  # another side moved to the node above
            squares += visit - 2.0 * total
            total = visit - total


@kernel()
def _search(pool, rule, dice, budget):
    """Visit until the root has `budget` playouts, or is proven."""
    while pool.stats[ROOT, N] < budget and pool.links[ROOT, PROOF] == OPEN:
        depth, last = _descend(pool, rule, dice)
        total, squares = _score(pool, rule, pool.path[depth], last)
        _back_up(pool, rule, depth, total, squares)


@kernel()
def _capped(pool, rule):
    """(children with playouts whose tuned bound is at its cap, children with playouts)."""
    capped, visited = 0, 0
    for node in range(pool.used[0]):
        first, log_n = pool.links[node, FIRST], math.log(max(pool.stats[node, N], 1.0))
        for child in range(first, first + pool.links[node, COUNT]):
            if pool.stats[child, N] > 0.0:
                visited += 1
                capped += 1 if _cap_term(pool.stats, child, log_n, rule.c1) >= rule.c2 else 0
    return capped, visited


@kernel()
def _transplant(old, new, root):
    """Copy the subtree below `root` of one pool into another, breadth first. new.links[:, FIRST] names the source of
    a node until its children are copied."""
    new.used[0] = 0
    _copy_node(old, new, root)
    node = 0
    while node < new.used[0]:
        source = new.links[node, FIRST]
        first, count = old.links[source, FIRST], old.links[source, COUNT]
        new.links[node, FIRST] = new.used[0] if count > 0 else 0
        for child in range(first, first + count):
            _copy_node(old, new, child)
        node += 1


@kernel()
def _copy_node(old, new, source):
    """Append a node of another pool, its first child replaced by its own number there."""
    node = new.used[0]
    new.used[0] = node + 1
    for field in range(old.stats.shape[1]):
        new.stats[node, field] = old.stats[source, field]
    new.words[node, OWN], new.words[node, OPP] = old.words[source, OWN], old.words[source, OPP]
    new.links[node, FIRST], new.links[node, COUNT] = source, old.links[source, COUNT]
    new.links[node, PROOF] = old.links[source, PROOF]
