"""The plain engine gives the same bits as the fast one, and does what the rules say."""

import random

import naive
import numpy as np
import pytest

from lib2048 import NTupleNetwork, best_action, learning, play, resume, symmetries, train
from lib2048.plain_network import bring_back, plain_network

SMALL = ((0, 1, 2, 4), (9, 4, 8), (5, 6, 9, 10))  # one of them in an order of its own
OPTIONS = {
    "TD(0)": {},
    "coherence": {"coherence": True},
    "lambda, restart": {"lambda_": 0.5, "restart": 200},
    "coherence, lambda, restart": {"coherence": True, "lambda_": 0.5, "restart": 200},
    "forward": {"order": "forward"},
    "forward, coherence": {"order": "forward", "coherence": True},
    "more fours": {"p4": 0.3, "alpha": 0.3},
}


def bits(array):
    """Floating-point numbers as the words they are stored in: 0.0 and -0.0 differ."""
    return array.view(np.uint32)


def assert_same(net, other):
    """The two networks are equal to the bit."""
    assert np.array_equal(bits(net.weights), bits(other.weights))
    assert np.array_equal(bits(net.errors), bits(other.errors))
    assert net.games == other.games


def assert_same_games(log, other):
    assert np.array_equal(log.scores, other.scores)
    assert np.array_equal(log.max_tiles, other.max_tiles)
    assert np.array_equal(log.moves, other.moves)


def trained(values="afterstate", sides=8, games=200, seed=6):
    """A small network that knows something."""
    net = NTupleNetwork(SMALL, values, init=50.0, symmetries=sides)
    train(net, games, 0.3, seed=seed, progress=False)
    return net


def sample_boards():
    """Boards of random games, the dead ones at their ends too."""
    boards = []
    for seed in range(4):
        cells, _, _ = naive.random_game(random.Random(seed))
        boards += [naive.to_board(board) for board in cells]
    return boards


# The same as the fast engine, to the bit


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize(("sides", "init"), [(8, 0.0), (1, 0.0), (8, 160.0)])
@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_a_thousand_games_teach_both_engines_the_same(values, sides, init, options):
    nets = [NTupleNetwork(SMALL, values, init, sides) for _ in range(2)]
    logs = [
        train(net, 1000, seed=1, progress=False, engine=engine, **options)
        for net, engine in zip(nets, ("plain", "fast"))
    ]
    assert nets[0].weights.std() > 1
    assert_same(*nets)
    assert_same_games(*logs)


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_the_4x6_network_learns_the_same(values):
    nets = [NTupleNetwork("4x6", values) for _ in range(2)]
    for net, engine in zip(nets, ("plain", "fast")):
        train(net, 200, seed=2, progress=False, engine=engine)
    assert_same(*nets)


def test_engines_take_over_from_each_other():
    changing = NTupleNetwork(SMALL)
    for engine in ("fast", "plain", "fast", "plain"):
        train(changing, 100, seed=3, coherence=True, progress=False, engine=engine)
    other = NTupleNetwork(SMALL)
    train(other, 400, seed=3, coherence=True, progress=False)
    assert_same(changing, other)


def test_stages_block_and_checkpoint_change_nothing(tmp_path):
    stages = [(60, 0.1, False), (90, 1.0, True)]
    plain = NTupleNetwork(SMALL)
    seen = []

    def look(log):
        seen.append((len(log.scores), plain.value(0x1234)))

    train(
        plain,
        stages,
        seed=4,
        block=50,
        progress=False,
        callback=look,
        checkpoint=tmp_path / "run.npz",
        every=40,
        engine="plain",
    )
    fast = NTupleNetwork(SMALL)
    expected = []
    train(
        fast,
        stages,
        seed=4,
        block=50,
        progress=False,
        callback=lambda log: expected.append((len(log.scores), fast.value(0x1234))),
    )
    assert_same(plain, fast)
    assert seen == expected and len(seen) == 3


def test_a_stopped_training_goes_on(tmp_path):
    class Stop(KeyboardInterrupt):
        pass

    def stop(log):
        if len(log.scores) == 60:
            raise Stop

    path = tmp_path / "run.npz"
    options = {"seed": 5, "block": 30, "progress": False, "engine": "plain"}
    train(NTupleNetwork(SMALL), 90, callback=stop, checkpoint=path, every=30, **options)
    net, log = resume(path, progress=False)
    whole = NTupleNetwork(SMALL)
    assert_same_games(log, train(whole, 90, **options))
    assert_same(net, whole)


def test_two_threads_learn_from_all_games():
    net = NTupleNetwork(SMALL)
    log = train(net, 300, seed=5, threads=2, progress=False, engine="plain")
    assert net.games == 300 and (log.moves > 0).all() and net.weights.any()


def test_smaller_boards_are_not_for_the_plain_engine():
    net = NTupleNetwork(SMALL)
    with pytest.raises(ValueError, match='downgrade goes with engine="fast", got engine="plain"'):
        train(net, 10, engine="plain", downgrade=16384)
    with pytest.raises(ValueError, match='engine is "fast" or "plain", got .slow.'):
        train(net, 10, engine="slow")
    assert net.games == 0 and not net.weights.any()


# The five functions


@pytest.mark.parametrize("patterns", [((0, 1, 2, 4, 5), (4, 5, 6, 8)), ((0, 5, 10, 15), (3,))])
def test_the_index_is_the_natural_one_from_every_side(patterns):
    net = NTupleNetwork(patterns)
    network = plain_network(net)
    for board in sample_boards()[::20]:
        for k in range(len(patterns)):
            indices = [int(learning.index(network, k, i, np.uint64(board))) for i in range(8)]
            assert indices[0] == net.index(k, board)
            assert sorted(indices) == sorted(net.index(k, image) for image in symmetries(board))


@pytest.mark.parametrize("sides", [8, 1])
def test_estimate_and_update_are_the_networks(sides):
    net = trained(sides=sides)
    network = plain_network(net)
    for board in sample_boards()[::7]:
        assert learning.estimate(network, np.uint64(board)) == net.value(board)
        step = np.float32(3.0)
        after = learning.update(network, np.uint64(board), step)
        assert after == net.update(board, 3.0 * net.lookups)
    copy = NTupleNetwork(SMALL, symmetries=sides)
    bring_back(network, copy)
    assert np.array_equal(bits(copy.weights), bits(net.weights))


def test_all_eight_images_have_one_value_to_the_bit():
    network = plain_network(trained())
    for board in sample_boards()[::11]:
        images = [np.uint64(image) for image in symmetries(board)]
        assert len({float(learning.estimate(network, image)) for image in images}) == 1


def test_the_mean_over_spawns_is_that_of_all_boards_that_may_follow():
    net = trained("state")
    network = plain_network(net)
    for board in sample_boards()[::9]:
        for action in range(4):
            afterstate, reward = naive.slide(naive.to_cells(board), action)
            if reward < 0:
                continue
            expected = sum(
                share * (0.0 if naive.is_dead(cells) else net.value(naive.to_board(cells)))
                for share, cells in naive.successors(afterstate, 0.2)
            )
            mean = learning.spawn_mean(
                network, np.uint64(naive.to_board(afterstate)), np.float32(0.2)
            )
            assert mean == pytest.approx(expected, rel=1e-5, abs=1e-3)


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_the_best_move_is_the_one_that_best_action_names(values):
    net = trained(values)
    network = plain_network(net)
    for board in sample_boards()[::3]:
        action, values_of_actions = best_action(net, board)
        chosen, afterstate, reward, worth = learning.select_best_move(
            network, np.uint64(board), np.float32(net.p4)
        )
        if action is None:
            assert chosen == -1
            continue
        assert chosen == action and worth == values_of_actions[action]
        cells, earned = naive.slide(naive.to_cells(board), action)
        assert (int(afterstate), int(reward)) == (naive.to_board(cells), earned)


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_a_game_is_learned_as_the_slow_twin_learns_it(values):
    net = trained(values)
    twin = naive.Network(SMALL, values, init=0.0)
    for k in range(len(SMALL)):
        for index, weight in enumerate(net.table(k)):
            twin.tables[k][index] = float(weight)
    trace = play(net, seed=8)
    boards = [naive.to_cells(int(board)) for board in trace.boards]
    steps = naive.episode(boards, [int(action) for action in trace.actions])
    naive.learn(twin, steps, 0.5)
    network = plain_network(net)
    episode = learning.new_episode()
    for t, step in enumerate(steps):
        learned = step.s if values == "state" else step.after
        episode.boards[t] = naive.to_board(learned)
        episode.rewards[t] = step.r
    rule = learning.Rule(alpha=0.5 / net.lookups)
    learning.update_episode(network, rule, episode, len(steps), np.uint64(trace.boards[-1]))
    bring_back(network, net)
    for board in boards[::5]:
        expected = twin.value(board)
        assert net.value(naive.to_board(board)) == pytest.approx(expected, rel=1e-4, abs=1e-2)


# Copies


def test_a_copy_takes_everything_there_and_back():
    net = NTupleNetwork(((2, 0, 1), (15, 3), (7,)), "state")
    train(net, 30, seed=1, coherence=True, progress=False)
    copy = NTupleNetwork(net.patterns, "state")
    bring_back(plain_network(net), copy)
    assert np.array_equal(bits(copy.weights), bits(net.weights))
    assert np.array_equal(bits(copy.errors), bits(net.errors)) and net.errors.any()


def test_a_copy_is_not_the_network():
    net = trained()
    before = net.weights.copy()
    network = plain_network(net)
    learning.update(network, np.uint64(0x1234), np.float32(5))
    assert np.array_equal(net.weights, before)
    bring_back(network, net)
    assert not np.array_equal(net.weights, before)
