"""The benchmark: its two sides do the same, and the bookkeeping on a clock of its own.

No test here depends on how long anything takes.
"""

import json
import os

import numpy as np
import pytest

import bench.__main__ as command
from bench import show, speed
from lib2048 import NTupleNetwork
from lib2048.network import VALUES

# Both sides


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("work", speed.WORKS)
def test_both_sides_make_the_same_moves(values, work):
    net = NTupleNetwork(values=values)
    speed.train_to(net, 60)
    plain = speed.plain_side(net)
    fast = speed.fast_side(speed.copy_of(net))
    for offset in (0, 20):
        assert fast(work, offset, 20) == plain(work, offset, 20) > 1000
    assert net.games == 60


def test_the_plain_side_learns_in_a_copy_of_its_own():
    net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)))
    plain = speed.plain_side(net)
    before = plain("evaluation", 5, 10)
    plain("backward", 0, 100)
    assert plain("evaluation", 5, 10) != before
    assert not net.weights.any()


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
    compared = speed.alternate(fast, slow, "forward", 100, 4, 0.8, clock)
    assert compared["ratio"] == pytest.approx(4)
    assert compared["speeds"] == pytest.approx([10_000, 2_500])
    assert compared["segment_games"] == 20
    assert compared["same_moves"] and len(compared["ratios"]) == 4
    assert fast.turns == slow.turns
    timed = [turn for turn in fast.turns if turn[0] == "forward"]
    assert timed == [("forward", 0, 5)] + [("forward", 5 + 20 * n, 20) for n in range(4)]
    assert all(seed >= speed.UNTIMED for work, seed, _ in fast.turns if work == "evaluation")


def test_segments_stay_within_the_games_allowed():
    clock = Clock()
    one = Player(clock, 0.01)
    other = Player(clock, 0.01, moves=90)
    compared = speed.alternate(one, other, "backward", 3, 5, 10, clock)
    assert compared["segment_games"] == 3 and not compared["same_moves"]


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


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("work", speed.WORKS)
def test_a_comparison_leaves_the_network_as_it_is(values, work):
    net = NTupleNetwork(values=values)
    speed.train_to(net, 60)
    before = net.weights.copy()
    compared = speed.compare(net, work, repeats=2, seconds=1e-3)
    assert (compared["values"], compared["work"], compared["games"]) == (values, work, 60)
    assert compared["same_moves"] and min(compared["ratios"]) > 0
    assert net.games == 60 and np.array_equal(net.weights, before)


def results_of(games):
    """(section, result) pairs such as speed.measure yields."""
    compared = {"speeds": [4.5e6, 1.5e6], "ratio": 3.0, "quartiles": [2.9, 3.1], "same_moves": True}
    for values in VALUES:
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
    line = "V(afterstate), backward      10,000        4.500        1.500    3.00   2.90 - 3.10\n"
    assert line in text
    assert "280 MB" in text and "9.0 s" in text and "0.80 s" in text
    assert show.REFERENCE["date"] in text
    assert "2.58-2.59 M moves/s" in text and "0.097 M moves/s" in text
    assert "backward, the first 5,000 games: 0.552-0.553 M moves/s" in text
    assert "Learning backward, at 10,000 games here, beside TDL2048-Demo there:\n" in text
    assert "the fast engine 8.1 times and the plain engine 2.7 times as fast" in text
    saved = json.loads((tmp_path / "runs" / "bench.json").read_text())
    assert len(saved["speed"]) == 12 and saved["machine"]["cores"] and not saved["interrupted"]
    assert {path.name for path in tmp_path.iterdir()} == {"runs"}
    command.main(["--figure"])
    picture = (tmp_path / "figures" / "speed.svg").read_text()
    assert picture == (tmp_path / "runs" / "speed.svg").read_text() and "<svg" in picture


def test_the_figure_shows_both_sides_and_units():
    rows = [result for section, result in results_of(100_000) if section == "speed"]
    machine = {"processor": "a processor", "clock": "wall time"}
    figure = show.speed_figure({"speed": rows, "date": "2026-11-18", "machine": machine})
    for axes in figure.axes:
        assert len(axes.lines) == 6
        assert "million moves a second" in axes.get_ylabel() and axes.get_xlabel()
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
