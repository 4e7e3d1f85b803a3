"""The tree search: formulas, proofs, reuse, temperatures, statistics, and what every search must
keep to.
"""

import math
import random

import numpy as np
import pytest
from test_ewn_game import random_game
from test_ewn_opponents import positions

from libewn import (
    MCTS,
    Game,
    best_move,
    guess,
    instance,
    paired_difference,
    play_rounds,
    player,
    playouts,
    win_share,
)
from libewn.tree import COUNT, FIRST, OPEN, PROOF, ROOT, N


def test_tuned_is_the_papers_at_c_1_and_ucb1_with_half_c_when_capped():
    search = MCTS(simulations=3000, ucb="tuned", c=1.0, c1=math.sqrt(2), visit=1, expand=10**9)
    found = search.search(Game(seed=1))
    for n, mean, variance, bound in zip(found.visits, found.means, found.variances, found.bounds):
        ratio = math.log(found.playouts) / n
        paper = mean + math.sqrt(ratio * min(0.25, variance + math.sqrt(2 * ratio)))
        assert bound == pytest.approx(paper, abs=1e-9)
    capped = MCTS(simulations=5000, ucb="tuned", c=0.8, c1=1e9).search(Game(seed=1))
    half = MCTS(simulations=5000, ucb="ucb1", c=0.4).search(Game(seed=1))
    assert capped.visits.tolist() == half.visits.tolist() and capped.capped == 1.0
    np.testing.assert_allclose(capped.bounds, half.bounds, rtol=1e-12)


def test_as_submitted_is_ucb1_with_a_quarter_of_c():
    """Why the report's sweep of c found nothing: with 25 playouts a visit the capped term always
    is.
    """
    wrong = MCTS(simulations=5000, ucb="as_submitted", c=0.6).search(Game(seed=2))
    quarter = MCTS(simulations=5000, ucb="ucb1", c=0.15).search(Game(seed=2))
    assert wrong.visits.tolist() == quarter.visits.tolist()


def test_same_seed_and_simulations_same_game():
    def game_of(seed):
        search = MCTS(simulations=400, visit=1, expand=1, solve=True, reuse=True, prior=5.0)
        return [
            r[2:] for r in play_rounds(search, player("normal"), [seed, seed + 1])
        ], search.findings.visits.tolist()

    assert game_of(3) == game_of(3) != game_of(5)


def test_the_guess_counts_as_so_many_playouts():
    game = Game(seed=1)
    found = MCTS(simulations=500, tree=False, visit=1, prior=30.0, c=0.3).search(game)
    for move, n, mean, bound in zip(found.moves, found.visits, found.means, found.bounds):
        game.play(move)
        worth = 1 - guess(game)  # to the side that has just moved
        game.undo()
        total = n * mean if n else 0.0
        assert bound == pytest.approx(
            (total + 30 * worth) / (n + 30) + 0.3 * math.sqrt(math.log(500) / (n + 30))
        )


def test_proofs_agree_with_minimax():
    """Where the search proves the position, a full search to the end finds the same."""
    proven = 0
    for game in positions(60, seed=13, plies=6):
        search = MCTS(simulations=20_000, visit=1, expand=1, solve=True)
        found = search.search(game)
        pool = search.pools[0]
        if pool.links[ROOT, PROOF] != OPEN:
            proven += 1
            assert best_move(game, 20)[1] == (10_000 if pool.links[ROOT, PROOF] < OPEN else -10_000)
        for move, proof in zip(found.moves, found.proofs):
            if proof:
                game.play(move)
                value = 10_000 if game.winner is not None else -best_move(game, 20)[1]
                game.undo()
                assert value == 10_000 * proof
    assert proven > 40


def test_reuse_keeps_the_subtree_as_it_is():
    search = MCTS(simulations=3000, visit=1, expand=2, reuse=True)
    game = Game(seed=6)
    for _ in range(4):
        found = search.search(game)
        game.play(found.move)
        search_pool, kept = search.pools[0], found.visits[found.moves.index(found.move)]
        node = int(search_pool.links[ROOT, FIRST]) + found.moves.index(found.move)
        before = search_pool.stats[node].copy(), search_pool.links[node, COUNT]
        reply = search.search(game)
        assert reply.kept == kept and reply.playouts == kept + 3000
        assert before[0][N] == kept and before[1] == len(reply.moves)
        assert sum(reply.visits) >= kept - 2
        game.play(reply.move)
    fresh = Game(instance(seed=99))
    assert search.search(fresh).kept == 0
    for end in positions(20, seed=3):
        assert search.search(end).kept == 0


@pytest.mark.parametrize("variant", ["tcg2023", "classic"])
def test_a_full_pool_goes_on_with_playouts(variant):
    game = Game(instance(1, 0, variant))
    search = MCTS(simulations=5000, visit=1, expand=1, nodes=100)
    found = search.search(game)
    assert found.playouts == 5000 == found.visits.sum() and found.nodes <= 100
    assert search.bytes == 100 * sum(array.nbytes // 100 for array in search.pools[0][:3])


def test_classic_visits_every_die_alike_and_beats_random_play():
    search = MCTS(simulations=6000, visit=1, expand=5)
    search.search(Game(instance(1, 0, "classic")))
    pool = search.pools[0]
    child = int(pool.links[ROOT, FIRST]) + int(
        np.argmax(pool.stats[1 : 1 + pool.links[ROOT, COUNT], N])
    )
    first, total = int(pool.links[child, FIRST]), pool.stats[child, N]
    assert pool.links[child, COUNT] == 6
    assert (
        abs(pool.stats[first : first + 6, N] / total - 1 / 6) < 5 * math.sqrt(5 / 36 / total)
    ).all()
    weak, strong = player("easy"), player("mcts", simulations=1000)
    assert win_share(play_rounds(strong, weak, range(30), variant="classic")).value > 0.75


def test_seconds_are_kept():
    found = MCTS(seconds=0.15, nodes=1 << 16).search(Game(seed=1))
    assert 0.05 < found.seconds < 0.4 and found.playouts > 1000
    both = MCTS(seconds=30, simulations=500).search(Game(seed=1))
    assert both.playouts == 500


def test_findings_teach():
    game = Game(seed=1)
    found = MCTS(simulations=20_000, visit=5, expand=20).search(game)
    assert found.visits.sum() == found.playouts == 20_000
    assert found.line[0] == found.moves[int(np.argmax(found.visits))] and len(found.line) > 2
    for move in found.line:
        game.play(move)
    assert 0 <= found.capped <= 1


@pytest.mark.parametrize("variant", ["tcg2023", "classic"])
def test_the_tree_can_be_drawn(variant):
    """Every branch is a legal move (or a die) of its parent, and the parents' playouts hold the
    children's.
    """
    game, search = Game(instance(3, 0, variant)), MCTS(simulations=3000, visit=5, expand=10)
    found = search.search(game)
    nodes = search.tree(game, least=5)
    assert nodes[0] == (-1, 0, None, 3000, nodes[0].mean, 0)
    assert [one.playouts for one in nodes if one.depth == 1] == [n for n in found.visits if n >= 5]
    inside = [0] * len(nodes)
    for one in nodes[1:]:
        inside[one.parent] += one.playouts
        path, step = [], one
        while step.parent >= 0:
            path.append(step)
            step = nodes[step.parent]
        assert len(path) == one.depth
        if variant == "tcg2023":
            for step in path[::-1]:
                game.play(step.move)
            for _ in path:
                game.undo()
        elif one.depth % 2 == 0:
            assert one.move in range(1, 7)
    assert (
        all(below <= one.playouts for below, one in zip(inside, nodes))
        and max(one.depth for one in nodes) > 3
    )
    assert search.caps[1] == found.caps[1] > 0
    game.play(found.move)
    with pytest.raises(ValueError, match="ply 1"):
        search.tree(game)


@pytest.mark.slow
def test_a_tree_beats_a_bandit_and_the_best_beats_the_plain_one():
    from libewn.agent import BEST

    played = {
        name: play_rounds(
            player(kind, simulations=3000, **options), player("hard"), range(80), seed=4
        )
        for name, kind, options in (
            ("mcs", "mcs", {}),
            ("mcts", "mcts", {}),
            ("best", "mcts", BEST),
        )
    }
    assert paired_difference(played["mcts"], played["mcs"]).value > 0
    assert paired_difference(played["best"], played["mcts"]).low > 0


@pytest.mark.parametrize(
    "options, named",
    [
        (dict(simulations=0), "0"),
        (dict(simulations=-5), "-5"),
        (dict(seconds=-1), "-1"),
        (dict(seconds=float("nan")), "nan"),
        (dict(ucb="ucb2"), "'ucb2'"),
        (dict(results="some"), "'some'"),
        (dict(c=-0.1), "-0.1"),
        (dict(c1="x"), "'x'"),
        (dict(visit=0), "0"),
        (dict(expand=-1), "-1"),
        (dict(pv_k=-2), "-2"),
        (dict(move_k=math.inf), "inf"),
        (dict(nodes=3), "3"),
        (dict(prior=-1), "-1"),
    ],
)
def test_what_cannot_be_is_a_value_error(options, named):
    with pytest.raises(ValueError, match=named):
        MCTS(**options)


def test_a_finished_game_is_not_searched():
    over = random_game(instance(seed=1), random.Random(1))
    for call in (MCTS().search, MCTS().move, lambda game: playouts(game, 5)):
        with pytest.raises(ValueError, match="over"):
            call(over)
    with pytest.raises(ValueError, match="0"):
        playouts(Game(), 0)
