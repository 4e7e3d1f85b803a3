"""The learners' self-checks and time: functions that do not end, other threads, the stop button."""

# ruff: noqa: F401, F811  (fixtures are imported by name)

import _thread
import itertools
import math
import re
import threading
import time

import pytest
from right_answers import run, slide, td0

from workbook import check, grid, trial
from workbook.check import material


def loops(*_):
    while True:
        pass


def catches_what_is_thrown(*_):
    end = time.monotonic() + 30  # for the sake of the other tests
    while time.monotonic() < end:
        try:
            math.sqrt(2)
        except BaseException:
            continue


def sleeps(*_):
    time.sleep(600)


def answers_endlessly(*_):
    return [n for n in itertools.count() if n < 0]


def ended(before):
    """Fail if the thread of a check still runs."""
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()


@pytest.mark.parametrize("fn", [loops, catches_what_is_thrown, sleeps, answers_endlessly])
@pytest.mark.parametrize("name", ["slide", "update_episode_state"])
def test_functions_that_do_not_end(run, monkeypatch, name, fn):
    monkeypatch.setattr(trial, "TIME_LIMIT", 0.2)
    started, before = time.monotonic(), set(threading.enumerate())
    verdict, out = run(name, fn)
    assert (
        not verdict
        and "no answer within 0.2 s" in out
        and "It does not end" in out
        and time.monotonic() - started < 10
    )
    if fn in (loops, answers_endlessly):
        ended(before)


def test_a_function_that_never_ends_in_one_case(run, monkeypatch):
    """The case it does not come back from is shown, and inputs not its own stay whole."""
    monkeypatch.setattr(trial, "TIME_LIMIT", 0.5)
    verdict, out = run("slide", lambda b, a: slide(b, a) if b != material.DEAD else loops())
    assert not verdict and str(material.DEAD) in out and "It does not end" in out
    assert run("slide", slide)[0]


def test_slow_functions_add_up(run, monkeypatch):
    """The limit holds for all cases together, so many slow answers end a check, too."""
    monkeypatch.setattr(trial, "TIME_LIMIT", 0.3)
    started = time.monotonic()
    verdict, out = run("slide", lambda b, a: (time.sleep(0.02), slide(b, a))[1])
    assert not verdict and "It does not end" in out and time.monotonic() - started < 5


def test_only_the_learners_own_time_counts(run, monkeypatch):
    """Compiling what the right answer is computed with must not be held against anybody."""
    monkeypatch.setattr(trial, "TIME_LIMIT", 0.5)
    monkeypatch.setattr(
        grid, "slide", lambda *args, slide=grid.slide: (time.sleep(0.005), slide(*args))[1]
    )
    assert run("slide", slide)[0]


def test_checks_work_in_other_threads(monkeypatch, capsys):
    monkeypatch.setattr(trial, "TIME_LIMIT", 0.3)
    thread = threading.Thread(target=lambda: [check.slide(loops), check.td0(td0)])
    thread.start()
    thread.join(60)
    endless, right = re.split("^(?=✓ td0: )", capsys.readouterr().out, flags=re.MULTILINE)
    assert endless.startswith("✗ slide: wrong ") and "It does not end" in endless
    assert right.startswith("✓ td0: right ")


def test_the_stop_button_stops_a_check():
    timer, started, before = (
        threading.Timer(0.3, _thread.interrupt_main),
        time.monotonic(),
        set(threading.enumerate()),
    )
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        check.slide(loops)
    assert time.monotonic() - started < 5
    ended(before)
