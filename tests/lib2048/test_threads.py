"""How many threads learn: one at first, all of them for a short try now and then, then whatever
was faster.
"""

import threading

import pytest

from lib2048 import NTupleNetwork, running
from lib2048.engines import FastEngine
from lib2048.options import TrainOptions
from lib2048.running import Runner

TRIES = [8, 32, 128, 512]


def learner(threads=2, order="backward", run=None):
    """A runner of 100,000 games on a small network."""
    engine = FastEngine(NTupleNetwork(((0, 1),)), threads)
    engine.learn_by(TrainOptions(order=order))
    if run is not None:
        engine.run = run
    return Runner(engine, 100_000, threads)


@pytest.mark.parametrize("order", ["backward", "forward"])
@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize("one, all_of_them", [(0, 0), (100, 50), (100, 100), (100, 150)])
def test_the_faster_way_and_a_try_of_the_other(order, threads, one, all_of_them):
    """In chunks 8, 32, 128 and 512, which have an eighth of the games, the slower way is tried.

    Equally fast: one.
    """
    many = learner(threads, order)
    many.speed = {1: one, threads: all_of_them}
    usual, other = (threads, 1) if all_of_them > one else (1, threads)
    for chunk in range(1, 600):
        assert many._threads() == ((other, 0.125) if chunk in TRIES else (usual, 1)), chunk
    many.close()


def test_it_begins_with_one_and_goes_on_with_what_was_faster_when_last_seen():
    many, chosen = learner(), {}
    seen = {1: {1: 100}, 8: {2: 150}, 32: {1: 80}, 100: {2: 70}, 128: {2: 90}, 512: {1: 60}}
    for chunk in range(1, 601):
        chosen[chunk] = many._threads()[0]
        many.speed |= seen.get(chunk, {})
    many.close()
    expected = [*[1] * 7, 2, *[2] * 23, 1, *[2] * 68, *[1] * 27, 2, *[2] * 383, 1, *[2] * 88]
    assert list(chosen.values()) == expected


def test_nothing_to_try_without_learning_or_with_one_thread():
    alone = learner(1)
    playing = Runner(FastEngine(NTupleNetwork(((0, 1),)), 3), 10, 3)
    assert {alone._threads() for _ in range(100)} == {(1, 1)} and {
        playing._threads() for _ in range(100)
    } == {(3, 1)}
    playing.close()


@pytest.mark.parametrize("seconds, best", [({1: 0.003, 2: 0.002}, 2), ({1: 0.003, 2: 0.0045}, 1)])
def test_chunks_are_timed_and_the_faster_way_is_kept(monkeypatch, seconds, best):
    """Told from a clock that the test winds itself, by the seconds a game takes with one thread
    and with two.
    """

    class Clock:
        now = 0.0

        def perf_counter(self):
            return self.now

    clock, lock, chosen, games_of = Clock(), threading.Lock(), [], []
    monkeypatch.setattr(running, "time", clock)

    def run(worker, games, first, count):
        games.done[0] += count
        games.moves[:] = 10
        with lock:
            clock.now += count * seconds[chosen[-1][0]]

    many = learner(run=run)
    choose = many._threads
    monkeypatch.setattr(many, "_threads", lambda: chosen.append(choose()) or chosen[-1])
    for _ in range(140):
        games_of.append(many.chunk(10**6, many.done))
    many.close()
    assert many.done == sum(games_of) and many.speed == pytest.approx(
        {n: 10 / time for n, time in seconds.items()}
    )
    assert [threads for threads, _ in chosen[:8]] == [1] * 7 + [2]
    other = 3 - best
    assert all(
        chosen[n - 1] == ((other, 0.125) if n in TRIES else (best, 1)) for n in range(9, 141)
    )
    for n in (32, 128):  # an eighth of the games a thread has otherwise
        each, usual = games_of[n - 1] / other, games_of[n - 2] / best
        assert (
            each == pytest.approx(usual / 8, abs=1) and 0.05 < usual * best * seconds[best] <= 0.2
        )
