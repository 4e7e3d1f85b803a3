"""The table of search speeds: its rows, its boards, and what it refuses."""

import numpy as np
import pytest

import bench.search as bench_search
from lib2048 import NTupleNetwork, legal_actions

NET = NTupleNetwork(((0, 1), (4, 8, 9)))


def test_a_row_for_each_number_of_plies(monkeypatch, capsys):
    monkeypatch.setattr(bench_search, "compact", lambda: NET)
    monkeypatch.setattr(bench_search, "GAMES", 1)
    assert bench_search.main(["--plies", "3", "--seconds", "0"]) == 0
    about, head, *rows = capsys.readouterr().out.splitlines()
    assert repr(NET) in about and head == bench_search.HEAD
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]
    assert all(row.split()[-3] == "1" for row in rows)
    assert [row.split()[-1] for row in rows] == ["100.0%"] * 3


def test_a_margin_leaves_out_so_much_that_it_decides_otherwise():
    generator = np.random.default_rng(1)
    net = NTupleNetwork(((0, 1, 4, 5), (4, 8, 9)))
    net.weights[:] = generator.random(len(net.weights)) * 100
    boards = bench_search.boards_of_games(net, 2)
    every, wide, narrow = (
        bench_search.measure(net, 3, boards, 600, margin)["actions"] for margin in (np.inf, 1e9, 0)
    )
    assert every == wide
    assert 1 > np.mean(np.equal(every, narrow)) > 0


def test_what_a_search_did_is_counted():
    boards = bench_search.boards_of_games(NET, 2)
    one, two, three = (bench_search.measure(NET, plies, boards[:3], 600) for plies in (1, 2, 3))
    assert one["moves"] == two["moves"] == three["moves"] == 3
    assert one["positions a second"] == 0 < two["positions a second"]
    assert one["known"] == 0 and 0 < three["known"] < 1


def test_boards_are_those_of_games_and_always_the_same():
    boards = bench_search.boards_of_games(NET, 2)
    assert np.array_equal(boards, bench_search.boards_of_games(NET, 2))
    assert len(boards) > 2 and all(legal_actions(board) for board in boards)


@pytest.mark.parametrize(
    "words, why",
    [
        (["--plies", "13"], "1 to 12, got 13"),
        (["--margin", "-5"], "0 or more, or None, got -5.0"),
        (["--seconds", "-1"], "at least 0, got -1"),
        (["--net", "no such.npz"], "no such"),
    ],
)
def test_what_cannot_be_measured_is_refused(words, why, capsys):
    with pytest.raises(SystemExit):
        bench_search.main(words)
    assert why in capsys.readouterr().err
