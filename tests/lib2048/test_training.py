"""Learning: the rules on whole games against the slow twin, and what a run of training promises."""

import random
import subprocess
import sys
from pathlib import Path

import naive
import numpy as np
import pytest
from fingerprint import fingerprint
from naive import LEFT

import lib2048
from lib2048 import NTupleNetwork, running

SMALL = ((0, 1), (9, 4, 8))
RULES = [(values, order) for values in ("afterstate", "state") for order in ("backward", "forward")]


def network(values="afterstate", patterns=SMALL, init=40.0, symmetries=8):
    return NTupleNetwork(patterns, values, init=init, symmetries=symmetries)


def pair(values, symmetries=8, coherence=False):
    """A network of random weights and its twin. (With equal weights many actions are equally
    good but for rounding.)
    """
    net, rng = network(values, symmetries=symmetries), np.random.default_rng(1)
    twin = naive.Network(SMALL, values, symmetries=symmetries, coherence=coherence)
    for k, pattern in enumerate(SMALL):
        table = rng.random(16 ** len(pattern)).astype(np.float32) * 80
        net.set_table_part(k, 0, table)
        twin.tables[k] = dict(enumerate(table.tolist()))
    return net, twin


def train(net, episodes, alpha=0.5, order="backward", **options):
    return lib2048.train(net, episodes, alpha, order, progress=False, **options)


def same(first, second):
    """Same bits in two networks."""
    assert first.games == second.games and first.p4 == second.p4
    return np.array_equal(first.weights, second.weights) and np.array_equal(
        first.errors, second.errors
    )


def joined(*logs):
    """The results of logs in a row, as lists."""
    return [
        np.concatenate([getattr(log, name) for log in logs]).tolist()
        for name in ("scores", "max_tiles", "moves")
    ]


# The rules


@pytest.mark.jit_off
@pytest.mark.parametrize("values, order", RULES)
@pytest.mark.parametrize(
    "coherence, symmetries, p4, games",
    [
        (False, 8, 0.1, 2),
        (False, 1, 0.5, 4),
        (True, 8, 0.2, 2),
        (True, 1, 0.0, 4),
    ],
)
def test_whole_games_are_the_twins(values, order, coherence, symmetries, p4, games):
    """Chosen, rewarded, spawned and learned from alike: scores, moves and tiles to the unit,
    weights up to rounding.
    """
    (net, twin), alpha = pair(values, symmetries, coherence), 1.0 if coherence else 0.5
    log = train(net, games, alpha, order, coherence=coherence, p4=p4, seed=11)
    for game in range(games):
        steps, last = naive.train_game(twin, naive.Stream(11, game, p4), alpha, order)
        played = (log.scores[game], log.moves[game], log.max_tiles[game])
        assert played == (sum(step.r for step in steps), len(steps), max(last))
    assert log.moves.sum() > 60 * games
    for k in range(len(SMALL)):
        assert net.table(k) == pytest.approx(np.array(twin.table(k)), rel=1e-4, abs=1e-3)
        if coherence:
            for which in (0, 1):
                kept = np.concatenate([part for _, part in net.table_parts(k, sums=which)])
                expected = [twin.sums[k].get(i, (0.0, 0.0))[which] for i in range(len(kept))]
                assert kept == pytest.approx(np.array(expected), rel=1e-4, abs=1e-3)


@pytest.mark.jit_off
@pytest.mark.parametrize("values, order", RULES)
@pytest.mark.parametrize("coherence", [False, True])
def test_recorded_games_are_the_twins(values, order, coherence):
    """learn_episode on games of random moves: the rules without the choosing."""
    net, twin = pair(values, coherence=coherence)
    for seed in range(2):
        boards, actions, rewards = naive.random_game(random.Random(seed))
        naive.learn(twin, naive.episode(boards, actions), 0.3, order)
        numbers = [naive.to_board(cells) for cells in boards]
        last = lib2048.learn_episode(net, numbers, actions, rewards, 0.3, order, coherence)
        learned = numbers[0 if order == "backward" else -2]
        if values == "afterstate":
            learned = lib2048.slide(learned, actions[0 if order == "backward" else -1])[0]
        assert last == net.value(learned) and type(last) is float
    assert net.games == 2
    for k in range(len(SMALL)):
        assert net.table(k) == pytest.approx(np.array(twin.table(k)), rel=1e-4, abs=1e-3)


@pytest.mark.jit_off
@pytest.mark.parametrize("values, order", RULES)
def test_a_game_whose_last_spawn_kills(values, order):
    """1 2 3 3 over rows that never move goes LEFT for 16 to 1 2 4 ., where a 4 leaves no move.

    With alpha 1 and no weight looked up twice, V(s') becomes 0 and V(s) becomes 16, whatever
    V(dead board) reads.
    """
    rows = [5, 6, 7, 8, 3, 4, 5, 6, 7, 8, 9, 10]
    before, after, dead = (
        naive.to_board([*top, *rows]) for top in ((1, 2, 3, 3), (1, 2, 4, 0), (1, 2, 4, 2))
    )
    net = network(values, patterns=((2,), (3,)), init=100.0, symmetries=1)
    assert lib2048.slide(before, LEFT) == (after, 16) and lib2048.legal_actions(dead) == []
    last = lib2048.learn_episode(net, [before, dead], [LEFT], [16], 1.0, order)
    assert last == (0 if values == "afterstate" else 16)
    assert net.value(after if values == "afterstate" else before) == last
    assert net.value(dead) != 0 and net.games == 1


# The same bits


@pytest.mark.parametrize("values, order", RULES)
def test_block_size_and_repetition_change_no_bit(values, order):
    nets = [network(values) for _ in range(4)]
    logs = [
        train(net, 30, order=order, seed=3, block=block)
        for net, block in zip(nets, (1000, 1, 7, 1000))
    ]
    assert all(
        same(net, nets[0]) and joined(log) == joined(logs[0])
        for net, log in zip(nets[1:], logs[1:])
    )
    other = network(values)
    assert joined(train(other, 30, order=order, seed=4)) != joined(logs[0]) and not same(
        other, nets[0]
    )


def test_another_process_gives_the_same_bits():
    script = Path(fingerprint.__code__.co_filename)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1] == fingerprint() == fingerprint()


@pytest.mark.parametrize("values, order", RULES)
@pytest.mark.parametrize("coherence", [False, True])
def test_two_calls_continue_like_one(values, order, coherence):
    once, twice = network(values), network(values)
    whole = train(once, 25, order=order, coherence=coherence, seed=5)
    parts = [train(twice, n, order=order, coherence=coherence, seed=5) for n in (1, 9, 15)]
    assert same(once, twice) and once.games == 25
    assert joined(*parts) == joined(whole) and [part.first for part in parts] == [0, 1, 10]
    assert [entry["games"] for entry in twice.history] == [1, 9, 15]


def test_game_n_depends_on_seed_and_n_alone():
    """With alpha 0 nothing is learned, so a game started anywhere is the game of its number."""
    net, later = network(), network()
    scores = train(net, 40, 0.0, seed=6).scores
    later.games = 25
    assert train(later, 15, 0.0, seed=6).scores.tolist() == scores[25:].tolist()
    assert len(set(scores.tolist())) > 20 and np.all(net.weights == net.weights[0])


@pytest.fixture
def all_threads_at_once(monkeypatch):
    """All threads from the first chunk on; otherwise they would first be tried after some
    hundred games.
    """
    monkeypatch.setattr(running.Runner, "_threads", lambda self: (self.threads, 1))


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_play_the_same_games(threads, all_threads_at_once):
    """Learning nothing, so that what threads write over each other does not matter: the log is
    that of one thread.
    """
    one, several = network(), network()
    assert joined(train(several, 50, 0.0, seed=7, threads=threads)) == joined(
        train(one, 50, 0.0, seed=7)
    )
    assert several.games == 50


@pytest.mark.parametrize("values, order", RULES)
def test_threads_that_learn_leave_everything_consistent(values, order, all_threads_at_once):
    net, log = network(values), []
    log.append(train(net, 31, 0.1, order, threads=2, seed=8, block=10))
    log.append(train(net, 1, 0.1, order, threads=2, seed=8))
    assert (
        net.games == 32 and [len(part.scores) for part in log] == [31, 1] and len(log[0].means) == 3
    )
    scores, tiles, moves = (np.array(part) for part in joined(*log))
    assert (moves > 20).all() and (scores > 0).all() and np.isfinite(net.weights).all()
    # A tile of exponent e was merged for at least (e - 1) 2^e - 2^e points if all its tiles spawned
    # as 4.
    assert (scores >= (tiles - 2) * 2.0**tiles).all() and (scores % 4 == 0).all()


# Options and the log


def test_defaults():
    """alpha 0.1, or 1.0 with coherence; p4 the network's own, which is 0.1 until it learned
    with another.
    """
    for coherence, alpha in ((False, 0.1), (True, 1.0)):
        net, other = network(), network()
        lib2048.train(net, 5, coherence=coherence, progress=False)
        train(other, 5, alpha, "backward", coherence=coherence, p4=0.1, seed=0)
        assert same(net, other)
    train(net, 1, p4=0.3)
    assert net.p4 == 0.3
    train(net, 1)
    train(other, 2, p4=0.3)
    assert same(net, other)


def test_p4_reaches_the_spawns_and_the_expectation():
    """With p4 = 1 all tiles are 4s and more, so every reward is a multiple of 8; with 0 the
    first is a 2.
    """
    for values in ("afterstate", "state"):
        fours, twos = (train(network(values), 20, p4=p4) for p4 in (1.0, 0.0))
        assert (fours.scores % 8 == 0).all() and (twos.scores % 8 != 0).any()


@pytest.mark.jit_off
def test_the_log():
    net, seen = network(), []
    log = train(
        net,
        np.int64(10),
        np.float32(0.25),
        block=4,
        seed=9,
        callback=lambda part: seen.append(part),
    )
    assert [len(part.scores) for part in seen] == [4, 8, 10]
    assert (log.scores.dtype, log.max_tiles.dtype, log.moves.dtype) == (
        np.int64,
        np.uint8,
        np.int32,
    )
    assert (log.block, log.first, log.seed, log.interrupted) == (4, 0, 9, False) and log.seconds > 0
    assert log.means.tolist() == [log.scores[:4].mean(), log.scores[4:8].mean()]
    assert log.best.tolist() == [log.scores[:4].max(), log.scores[4:8].max()]
    assert log.rate(64).tolist() == [(2.0 ** log.max_tiles[i : i + 4] >= 64).mean() for i in (0, 4)]
    assert seen[1].means.tolist() == log.means.tolist()
    short = train(net, 3, block=100)
    assert short.means.tolist() == [short.scores.mean()] and short.first == 10


def test_the_bar_shows_speed_and_mean(capsys):
    lib2048.train(network(), 20, block=10, progress=True)
    shown = capsys.readouterr().err
    assert "20/20" in shown and "M moves/s" in shown and "mean" in shown
    train(network(), 20)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("values, order", RULES)
def test_divergence_stops_training_with_a_clear_error(values, order):
    """And again for each later call, as the weights stay what they are."""
    net = network(values)
    with pytest.raises(ValueError, match=r"diverged at game \d+.* alpha 50.*smaller alpha"):
        train(net, 1000, 50.0, order)
    games = net.games
    assert 0 < games < 1000 and sum(entry["games"] for entry in net.history) == games
    with pytest.raises(ValueError, match="diverged"):
        train(net, 1000, 0.1, order)
    assert net.games == games + 1
