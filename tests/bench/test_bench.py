"""lib2048 beside the fixed yardstick, bench/plain.py: the same games, the same weights. And the benchmark itself, on a
clock of its own: no test here depends on how long anything takes."""

import ast
import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest

import bench.__main__ as command
from bench import plain, show, speed
from lib2048 import NTupleNetwork, evaluate, play, train

PLAIN = "881b3095d34f1c88ca6e5e59da0f34d3c84eb436625d105f4c14ca1f92b81fcb"  # of bench/plain.py, which stays as it is
NEAR = 1e-5  # actions whose worths differ by less than this share may be chosen either way


def test_the_yardstick_stays_as_it_is_and_stands_alone():
    source = Path(plain.__file__).read_text(encoding="utf-8")
    assert hashlib.sha256(source.encode()).hexdigest() == PLAIN, (
        "bench/plain.py must never be changed, see there"
    )
    nodes = list(ast.walk(ast.parse(source)))
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    assert imported == {"numpy", "numba"}


def tables(net):
    """The weights of a network as plain holds them."""
    return np.array([net.table(k) for k in range(4)])


@pytest.mark.parametrize("order", speed.ORDERS)
@pytest.mark.parametrize("values", speed.KINDS)
def test_training_gives_the_same_bits(values, order):
    """V(state) as well: its choices could differ where a near-tie is decided by rounding, but do not with this seed."""
    games = 1000 if values == "afterstate" else 300
    net, weights = NTupleNetwork(values=values), plain.new_weights()
    log = train(net, games, order=order, seed=3, progress=False)
    scores, moves = plain.play(weights, speed.KINDS[values], speed.ORDERS[order], 3, 0, games)
    assert np.array_equal(log.scores, scores) and np.array_equal(log.moves, moves)
    assert np.array_equal(tables(net).view(np.uint32), weights.view(np.uint32))
    boards = play(net, seed=1).boards[:-1]
    found = [float(plain._value(weights, board)) for board in boards]
    assert found == [net.value(int(board)) for board in boards]


def lead(net, weights, game, seed):
    """How far plain's best action leads its second where this game of the two sides first differs, as a share."""
    trace, kind = play(net, seed=seed, game=game), speed.KINDS[net.values]
    for board, action in zip(trace.boards, trace.actions):
        if plain._choose(weights, kind, board)[0] != action:
            slides = [plain._slide(board, other) for other in range(4)]
            legal = [(np.uint64(after), reward) for after, reward in slides if after != board]
            second, best = sorted(float(plain._worth(weights, kind, *slide)) for slide in legal)[
                -2:
            ]
            return (best - second) / abs(best)
    pytest.fail(f"game {game} of seed {seed} differs in score or length, but in no choice")


def different(net, weights, games, seed):
    """The numbers of the evaluation games that the two sides play differently."""
    summary = evaluate(net, games, seed=seed, progress=False)
    scores, moves = plain.play(weights, speed.KINDS[net.values], plain.NO_LEARNING, seed, 0, games)
    if np.array_equal(summary.scores, scores):
        assert summary.moves == moves.sum()
    return np.flatnonzero(summary.scores != scores)


@pytest.mark.parametrize("values", speed.KINDS)
def test_evaluation_plays_the_same_games(values):
    net = NTupleNetwork(values=values)
    train(net, 2000, seed=4, progress=False)
    weights = tables(net)
    games = different(net, weights, 1000, seed=5)
    assert len(games) == 0 or values == "state"
    assert all(lead(net, weights, game, seed=5) < NEAR for game in games)


def test_a_wrong_weight_is_not_excused():
    net = NTupleNetwork(values="state")
    train(net, 300, seed=4, progress=False)
    weights = tables(net)
    weights[2, 0x11] += 500
    games = different(net, weights, 20, seed=5)
    assert max(lead(net, weights, game, seed=5) for game in games) > NEAR


# The benchmark


class Player:
    """A side whose games take as long, and have as many moves, as it is told."""

    def __init__(self, clock, seconds, moves=100):
        self.clock, self.seconds, self.moves, self.turns = clock, seconds, moves, []

    def __call__(self, work, offset, games):
        self.clock.now += self.seconds * games
        self.turns.append((work, offset, games))
        return self.moves * games


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_sides_take_turns_at_the_same_games():
    clock = Clock()
    fast, slow = Player(clock, 0.01), Player(clock, 0.04)
    found = speed.alternate(fast, slow, "forward", 100, 4, 0.8, clock)
    assert found["ratio"] == pytest.approx(4) and found["speeds"] == pytest.approx([10_000, 2_500])
    assert found["segment_games"] == 20 and found["same_moves"] and len(found["ratios"]) == 4
    assert fast.turns == slow.turns
    timed = [turn for turn in fast.turns if turn[0] == "forward"]
    assert timed == [("forward", 0, 5)] + [("forward", 5 + 20 * n, 20) for n in range(4)]
    assert all(seed >= speed.UNTIMED for work, seed, _ in fast.turns if work == "evaluation")


def test_segments_stay_within_the_games_allowed():
    clock = Clock()
    found = speed.alternate(
        Player(clock, 0.01), Player(clock, 0.01, moves=90), "backward", 3, 5, 10, clock
    )
    assert found["segment_games"] == 3 and not found["same_moves"]


def test_checkpoints_end_at_the_games_asked_for():
    assert speed.checkpoints(100_000) == [1_000, 10_000, 100_000]
    assert speed.checkpoints(30_000) == [1_000, 10_000, 30_000]
    assert speed.checkpoints(1_000) == [1_000] and speed.checkpoints(50) == [50]


@pytest.mark.skipif(not speed.PINNED, reason="this system does not bind processes to cores")
def test_the_process_is_bound_to_a_core_for_a_while_only():
    before = os.sched_getaffinity(0)
    with speed.one_core():
        assert len(os.sched_getaffinity(0)) == 1 and os.sched_getaffinity(0) <= before
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize("values", speed.KINDS)
@pytest.mark.parametrize("work", speed.WORKS)
def test_both_sides_of_a_comparison_do_the_same(values, work):
    net = NTupleNetwork(values=values)
    speed.train_to(net, 60)
    before = net.weights.copy()
    found = speed.compare(net, work, repeats=2, seconds=1e-3)
    assert (found["values"], found["work"], found["games"]) == (values, work, 60)
    assert found["same_moves"] and min(found["ratios"]) > 0
    assert net.games == 60 and np.array_equal(net.weights, before)


def results_of(games):
    """(section, result) pairs such as speed.measure yields."""
    compared = {"speeds": [4.5e6, 1.5e6], "ratio": 3.0, "quartiles": [2.9, 3.1], "same_moves": True}
    for values in speed.KINDS:
        for checkpoint in speed.checkpoints(games):
            for work in speed.WORKS:
                yield "speed", {"values": values, "work": work, "games": checkpoint} | compared
        yield "threads", {"values": values, "work": "backward", "games": games} | compared
        yield "memory", {"values": values, "games": games, "bytes": 280_000_000}
    yield "first call", {"cold": 9.0, "warm": 0.8}


def test_the_command_prints_and_saves(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "measure", lambda games, progress: results_of(games))
    command.main(["--games", "10000"])
    text = capsys.readouterr().out
    assert (
        "V(afterstate), backward      10,000        4.500        1.500    3.00   2.90 - 3.10\n"
        in text
    )
    assert "280 MB" in text and "9.0 s" in text and "0.80 s" in text
    assert (
        show.REFERENCE["date"] in text and "3.9-4.0 M moves/s" in text and "0.137 M moves/s" in text
    )
    saved = json.loads((tmp_path / "runs" / "bench.json").read_text())
    assert len(saved["speed"]) == 12 and saved["machine"]["cores"] and not saved["interrupted"]
    assert {path.name for path in tmp_path.iterdir()} == {"runs"}
    command.main(["--figure"])
    picture = (tmp_path / "figures" / "speed.svg").read_text()
    assert picture == (tmp_path / "runs" / "speed.svg").read_text() and "<svg" in picture


def test_the_figure_shows_both_sides_and_units():
    found = list(results_of(100_000))
    results = {"speed": [row for section, row in found if section == "speed"], "date": "2026-11-18"}
    figure = show.speed_figure(
        results | {"machine": {"processor": "a processor", "clock": "wall time"}}
    )
    for axes in figure.axes:
        assert (
            len(axes.lines) == 6
            and "million moves a second" in axes.get_ylabel()
            and axes.get_xlabel()
        )
        looks = {(line.get_linestyle(), line.get_marker()) for line in axes.lines}
        assert len(looks) == 6, "without colour, two lines look alike"
        assert [text.get_text() for text in axes.get_xticklabels()] == [
            "1,000",
            "10,000",
            "100,000",
        ]


def test_an_interrupted_run_keeps_what_is_done(monkeypatch, tmp_path, capsys):
    def measure(games, progress):
        yield next(results_of(games))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "measure", measure)
    command.main(["--figure"])
    assert "interrupted" in capsys.readouterr().out
    saved = json.loads((tmp_path / "runs" / "bench.json").read_text())
    assert saved["interrupted"] and len(saved["speed"]) == 1
    assert not (tmp_path / "figures").exists()


@pytest.mark.parametrize("games", ["0", "-5"])
def test_a_number_of_games_that_is_none_is_refused(games, capsys):
    with pytest.raises(SystemExit):
        command.main(["--games", games])
    assert games in capsys.readouterr().err
