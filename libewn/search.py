"""One visit of the tree search, and many of them; see tree.py for the nodes and formulas."""

import math

import numpy as np

from lib2048.kernels import kernel, uint64
from libewn.guessing import _guess
from libewn.playout import HALF, SCORES, _playout
from libewn.rules import (
    CLASSIC,
    CUBES,
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

MOST_CHILDREN = 8  # no position has more moves, nor a die more numbers


@kernel()
def _add_child(pool, rule, own, opp, dice, proof):
    """A node where `own` is to move. With `solve`, a side that can win at once has won."""
    if rule.solve and proof == OPEN and dice != UNROLLED:
        choices = _choices(rule.variant, own, dice & uint64(7))
        if _may_win(opp, choices) and _winning_move(rule.variant, opp, choices) < choices.number:
            proof = LOST
    guess = 0.0
    if rule.prior > 0.0:
        guess = _guess(rule.variant, own, opp)
    _add_node(pool, own, opp, proof, guess)


@kernel()
def _expand(pool, rule, node, dice):
    """Give a node its children: one for each legal move, or for each die where it is not rolled."""
    own = pool.words[node, OWN]
    opp = pool.words[node, OPP]
    variant = rule.variant
    first = pool.used[0]
    if variant == CLASSIC and dice == UNROLLED:
        for die in range(CUBES):
            _add_child(pool, rule, own, opp, uint64(die), OPEN)
    else:
        choices = _choices(variant, own, dice & uint64(7))
        for index in range(choices.number):
            mine, other, target = _moved(variant, own, opp, choices, uint64(index))
            proof = OPEN
            if _is_over(variant, other, target):
                proof = BY_ELIMINATION if (other & DEAD) == DEAD else BY_GOAL
            _add_child(pool, rule, other, mine, _turned(variant, dice), proof)
    pool.links[node, FIRST] = first
    pool.links[node, COUNT] = pool.used[0] - first


@kernel()
def _prove(pool, node, rolled):
    """Note what the children prove about a node. Returns whether they decide it.

    A proof says how the side fares that moved there. After a roll, that side has lost as soon as
    one child is a win for the side to move, and won if all children are losses. Before a roll all
    six dice must agree.
    """
    first = pool.links[node, FIRST]
    count = pool.links[node, COUNT]
    won = 0
    lost = 0
    for child in range(first, first + count):
        if pool.links[child, PROOF] > OPEN:
            won += 1
        elif pool.links[child, PROOF] < OPEN:
            lost += 1
    proof = OPEN
    if rolled and won > 0:
        proof = LOST
    elif rolled and lost == count or not rolled and won == count:
        proof = WON
    elif not rolled and lost == count:
        proof = LOST
    pool.links[node, PROOF] = proof
    return proof != OPEN


@kernel()
def _descend(pool, rule, dice):
    """Follow the bounds from the root to a leaf, which gets children if it is due.

    Returns (depth, dice).
    """
    depth = 0
    node = ROOT
    pool.path[0] = ROOT
    while True:
        if pool.links[node, COUNT] == 0:
            is_due = node == ROOT or pool.stats[node, N] >= rule.expand
            is_full = pool.used[0] + MOST_CHILDREN > len(pool.links)
            if not is_due or is_full or pool.links[node, PROOF] != OPEN:
                return depth, dice
            _expand(pool, rule, node, dice)
            if rule.solve and _prove_path(pool, rule, depth):
                return depth, dice
        if rule.variant == CLASSIC and dice == UNROLLED:
            dice = (_random(pool) * uint64(CUBES)) >> HALF
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
    proof = pool.links[node, PROOF]
    visit = rule.visit
    if proof != OPEN:
        score = 1.0 if proof > OPEN else 0.0
        if proof == BY_GOAL:
            score = SCORES[rule.rich, 1]
        return score * visit, score * score * visit
    own = pool.words[node, OWN]
    opp = pool.words[node, OPP]
    state = pool.state[0]
    total = 0.0
    squares = 0.0
    for _ in range(visit):
        result, state = _playout(rule.variant, own, opp, dice, state, rule.shortcut)
        score = 1.0 - SCORES[rule.rich, result & uint64(3)]
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
    capped = 0
    visited = 0
    for node in range(pool.used[0]):
        first = pool.links[node, FIRST]
        log_n = math.log(max(pool.stats[node, N], 1.0))
        for child in range(first, first + pool.links[node, COUNT]):
            if pool.stats[child, N] == 0.0:
                continue
            visited += 1
            if _cap_term(pool.stats, child, log_n, rule.c1) >= rule.c2:
                capped += 1
    return capped, visited


@kernel()
def _transplant(old, new, root):
    """Copy the subtree below `root` of one pool into another, breadth first.

    new.links[:, FIRST] names the source of a node until its children are copied.
    """
    new.used[0] = 0
    _copy_node(old, new, root)
    node = 0
    while node < new.used[0]:
        source = new.links[node, FIRST]
        first = old.links[source, FIRST]
        count = old.links[source, COUNT]
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
    for field in range(old.words.shape[1]):
        new.words[node, field] = old.words[source, field]
    new.links[node, FIRST] = source
    new.links[node, COUNT] = old.links[source, COUNT]
    new.links[node, PROOF] = old.links[source, PROOF]
