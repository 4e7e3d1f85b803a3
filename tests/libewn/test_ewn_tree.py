"""Playouts and the search tree against twins: shares of results, and every node's playouts, mean
and variance.
"""

import copy
import math
import random
import statistics

import naive_ewn
import numba
import numpy as np
import pytest
from test_ewn_game import SIDES, as_dict
from test_ewn_opponents import positions

from lib2048.kernels import uint64
from lib2048.random_words import mix
from libewn import MCTS, Game, instance, playouts
from libewn.playout import SCORES, _playout
from libewn.tree import COUNT, FIRST, ROOT, SQUARES, SUM, N

FEW = bool(numba.config.DISABLE_JIT)


def naive_playout(game, rng, shortcut):
    """A random playout of the twin: (result as libewn's playouts name it, plies)."""
    board, ply, variant = as_dict(game), game.ply, game.variant.name
    while (over := naive_ewn.result(variant, board)) is None:
        side = SIDES[ply % 2]
        die = game.dice[ply % 21] if variant == "tcg2023" or ply == game.ply else rng.randint(1, 6)
        moves = naive_ewn.legal_moves(variant, board, side, die)
        after = [naive_ewn.play(board, side, move) for move in moves]
        winning = [one for one in after if naive_ewn.result(variant, one)]
        board, ply = winning[0] if shortcut and winning else rng.choice(after), ply + 1
    return f"{'win' if over[0] == SIDES[game.mover] else 'loss'} by {over[1]}", ply - game.ply


@pytest.mark.parametrize("variant", ["tcg2023", "classic"])
@pytest.mark.parametrize("shortcut", [False, True])
def test_playouts_end_like_the_twins(variant, shortcut):
    """Shares of the four results and the mean length, from a position where all four come up."""
    start, rng = instance(2, 0, variant), random.Random(1)
    last = Game(start).variant.last
    squares = ([1, -1, -1, 2 * 5, -1, -1], [-1, last - 1, -1, -1, last - 11, -1])
    game, count = Game(start, squares, ply=3), 3000
    found = playouts(game, 200_000, seed=1, shortcut=shortcut)
    results, plies = zip(*(naive_playout(game, rng, shortcut) for _ in range(count)))
    for name in list(found)[:4]:
        error = math.sqrt(found[name] * (1 - found[name]) / count) + 1e-9
        assert abs(results.count(name) / count - found[name]) < 4 * error, name
        assert found[name] > 0
    assert abs(statistics.mean(plies) - found["plies"]) < 4 * statistics.stdev(plies) / math.sqrt(
        count
    )
    assert (
        playouts(game, 1000, seed=1) == playouts(game, 1000, seed=1) != playouts(game, 1000, seed=2)
    )


def twin_search(game, options, budget):
    """The search written anew on `Game`, the twin's formulas and raw scores; only single playouts
    are the kernel's.
    """
    state = [int(mix(uint64(1)))]
    rich = int(options.get("results", "rich") == "rich")
    c, c1, c2 = (
        options.get(name, value) for name, value in (("c", 0.6), ("c1", 1.414), ("c2", 0.25))
    )

    def after(position):
        found = []
        for move in position.legal_moves():
            found.append(copy.deepcopy(position))
            found[-1].play(move)
        return found

    def visit(position):
        scores = []
        for _ in range(options["visit"]):
            if position.winner is not None:
                scores.append(SCORES[rich, 1 if position.by == "goal" else 3])
                continue
            words = [uint64(word) for word in position.words]
            result, after_it = _playout(0, *words, uint64(state[0]), options.get("shortcut", True))
            state[0] = int(after_it)
            scores.append(1 - SCORES[rich, int(result) & 3])
        return scores

    def bound(child, total):
        n, kind = child.playouts(), options["ucb"]
        if kind == "ucb1":
            return naive_ewn.ucb1(child.mean(), n, total, c)
        if kind == "tuned":
            return naive_ewn.tuned(child.mean(), child.variance(), n, total, c, c1, c2)
        batches = [sum(scores) for scores in child.visits]
        return naive_ewn.as_submitted(child.mean(), batches, n, total, c, c1, c2)

    expand = options["expand"] if options.get("tree", True) else math.inf
    return naive_ewn.search(game, after, visit, bound, expand, budget)


def same_tree(pool, node, twin):
    """Playouts, mean and variance of every node, and that its playouts are its own and its
    children's.
    """
    stats, own = pool.stats[node], pool.stats[node, N]
    assert stats[N] == twin.playouts()
    if stats[N]:
        raw = np.array(twin.scores())
        assert stats[SUM] / stats[N] == pytest.approx(raw.mean(), abs=1e-9)
        assert stats[SQUARES] / stats[N] - (stats[SUM] / stats[N]) ** 2 == pytest.approx(
            raw.var(), abs=1e-9
        )
    first, count = pool.links[node, FIRST], pool.links[node, COUNT]
    assert count == len(twin.children)
    for child in range(count):
        own -= pool.stats[first + child, N]
        same_tree(pool, first + child, twin.children[child])
    assert own >= 0 and (node != ROOT or own == 0)


CASES = [
    dict(ucb="ucb1", visit=25, expand=200),
    dict(ucb="ucb1", visit=1, expand=1, c=1.0),
    dict(ucb="tuned", visit=5, expand=10, results="plain"),
    dict(ucb="tuned", visit=5, expand=10, c=1.4, c1=0.2, c2=0.1, results="plain"),
    dict(ucb="as_submitted", visit=25, expand=50),
    dict(ucb="as_submitted", visit=2, expand=6, c2=10.0, results="plain"),
    dict(ucb="ucb1", visit=5, expand=20, tree=False, results="plain", shortcut=False),
]


@pytest.mark.jit_off
@pytest.mark.parametrize("options", CASES, ids=lambda options: " ".join(map(str, options.values())))
def test_the_tree_is_the_twins(options):
    """Every node, in the middle of games and near their end."""
    for number, game in enumerate(positions(1 if FEW else 3, seed=11)):
        budget = options["visit"] * (10 if FEW else 30 + 20 * number)
        search = MCTS(simulations=budget, **options)
        found = search.search(game)
        twin = twin_search(game, options, budget)
        same_tree(search.pools[0], ROOT, twin)
        means = [child.mean() if child.visits else -1 for child in twin.children]
        assert found.move == found.moves[means.index(max(means))]
        assert found.visits.tolist() == [child.playouts() for child in twin.children]
