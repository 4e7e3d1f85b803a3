"""Training in the background: the same as in the foreground, watched, stopped, and its faults."""

import asyncio
import threading
import time

import numpy as np
import pytest

from lib2048 import NTupleNetwork, train
from lib2048.training import Diverged
from workbook.live import train_live
from workbook.live.still import picture
from workbook.live.training import LiveTraining

PATTERNS = ((0, 1, 2, 3), (4, 5, 6, 7))
FOREVER = 10_000_000  # games


def new():
    return NTupleNetwork(PATTERNS)


def threads():
    return [thread for thread in threading.enumerate() if thread.daemon and thread.is_alive()]


def test_learns_the_same_as_train():
    net, other = new(), new()
    log = train_live(net, 300, seed=3, block=50).wait()
    expected = train(other, 300, seed=3, block=50, progress=False)
    assert np.array_equal(log.scores, expected.scores) and log.block == 50
    assert not log.interrupted and net.games == 300
    for k in range(len(PATTERNS)):
        assert np.array_equal(net.table(k), other.table(k))


def test_goes_on_where_the_network_was():
    net, other = new(), new()
    train_live(net, 50, seed=3).wait()
    live = train_live(net, 50, seed=3)
    live.wait()
    train(other, 100, seed=3, progress=False)
    assert np.array_equal(net.table(0), other.table(0))
    assert live.view.about["first"] == 50


def test_tells_the_view_and_those_who_ask():
    called = []
    live = train_live(new(), 200, seed=1, callback=called.append)
    log = live.wait()
    assert live.log is log and not live.running
    view = live.view
    assert view.status == "done" and view.played == 200 and view.problem == ""
    games, means, best = zip(*view.points)
    assert games == tuple(range(2, 201, 2)) and len(called) == 100
    assert means == pytest.approx(log.means, abs=0.06) and best == tuple(log.best)
    assert "200\u00a0games" in view.words


def test_stops_and_keeps_what_it_learned():
    net = new()
    live = train_live(net, FOREVER, block=10)
    while live.log is None:
        time.sleep(0.01)
    log = live.stop()
    assert log.interrupted and 0 < len(log.scores) == net.games < FOREVER
    assert live.view.status == "stopped"
    assert train(net, 10, progress=False).first == net.games - 10


def test_the_button_stops_it_while_a_cell_awaits():
    live = train_live(new(), FOREVER, block=10)

    async def cell():
        button = asyncio.get_running_loop().call_later
        button(0.3, live.view._hear, None, {"topic": "stop"}, [])
        return await live

    assert asyncio.run(cell()).interrupted


def test_ctrl_c_while_waiting_stops_it(monkeypatch):
    live = train_live(new(), FOREVER, block=10)

    def interrupted(timeout=None):
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(live._ended, "wait", interrupted)
    assert live.wait().interrupted


def test_waiting_may_be_cut_short():
    live = train_live(new(), FOREVER, block=10)
    assert live.wait(timeout=0.3) is live.log and live.running
    live.stop()


def test_what_goes_wrong_is_shown_and_raised():
    live = train_live(new(), 100, alpha=1e30)
    with pytest.raises(Diverged, match="training diverged"):
        live.wait()
    assert live.view.status == "failed" and live.view.problem.startswith("Diverged: training")
    live = train_live(new(), 100, alpha=-1)
    with pytest.raises(ValueError, match="alpha"):
        live.wait()


def test_threads_and_networks_go_when_it_is_done():
    import gc
    import weakref

    before = len(threads())
    net = new()
    live = train_live(net, 20)
    live.wait()
    assert len(threads()) == before
    gone = weakref.ref(net)
    del net
    gc.collect()
    assert gone() is None, "the view, which stays, holds no network"
    assert live.view.status == "done"


def test_a_board_plays_on_meanwhile(monkeypatch):
    monkeypatch.setattr("workbook.live.training.PAUSE", 0.01)
    seen = []
    monkeypatch.setattr(LiveTraining, "_tell", lambda self, log: setattr(self, "log", log))
    done = threading.Event()

    def work(tell):
        done.wait(10)
        raise ValueError("enough")

    board_moves = iter([3, 0, 3, 1])

    def choose(board):
        seen.append(board)
        return next(board_moves, None)

    live = LiveTraining(work, choose, lambda: 0, games=1)
    while len(seen) < 20:
        time.sleep(0.01)
    done.set()
    with pytest.raises(ValueError, match="enough"):
        live.wait()
    assert len(set(seen)) >= 3, "it moves, and begins anew when it is over"


def test_its_picture_is_renewed_at_the_end():
    empty = picture(None, None, 100)
    assert empty.alt == "A training of 100\u00a0games that has just begun"
    log = train(new(), 100, seed=1, block=10, progress=False)
    drawn = picture(log, 0x4321, 100)
    assert "100\u00a0games" in drawn.alt and drawn.svg() == picture(log, 0x4321, 100).svg()
    live = train_live(new(), 20)
    live.wait()
    data = live.view._picture()
    assert "v2048-still" in data["image/svg+xml"] and data["image/png"]
