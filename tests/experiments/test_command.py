"""Experiments on the command line: failures, Ctrl-C, kill -9, and what a second start does."""

import os
import signal
import traceback

import psutil
from test_running import gone, notes, start, wait_for

from experiments import progress, store
from experiments.__main__ import main


def test_failures_end_in_exit_code_1():
    process = start("run", "faulty")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1 and "2 of 4 results are stored" in out
    assert "RuntimeError: the reason" in err and "SystemExit: 7" in err
    assert "4 of 4 results to make; about" in err
    assert "FAILED faulty" in err and "] FAILED" in err


def test_ctrl_c_stops_cleanly_and_a_second_start_resumes():
    process = start("run", "mixed", "--jobs", "2")
    wait_for(
        lambda: (
            "stubborn" in notes(store.home())
            and len(list(store.results().glob("work-*.json"))) == 2
        )
    )
    workers = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)  # what a terminal does: the workers hear it as well
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130 and "goes on from here" in err
    assert "Traceback" not in err and "leaked" not in err, err
    wait_for(lambda: all(gone(worker.pid) for worker in workers))
    listing = start("status")
    assert "2 stored, 1 missing" in listing.communicate(timeout=20)[0], "half a result is none"
    (store.home() / "gate").touch()
    again = start("run", "--all")
    assert again.wait(timeout=60) == 1, "faulty fails"
    assert {text: len(pids) for text, pids in notes(store.home()).items() if text != "fails 1"} == {
        "work 1": 1, "work 2": 1, "work 3": 1, "work 4": 1, "stubborn": 2
    }  # fmt: skip


def test_kill_9_loses_the_running_piece_only():
    process = start("run", "mixed", "--jobs", "2")
    wait_for(
        lambda: (
            "stubborn" in notes(store.home())
            and len(list(store.results().glob("work-*.json"))) == 2
        )
    )
    worker = notes(store.home())["stubborn"][0]
    process.kill()
    process.communicate(timeout=20)
    wait_for(lambda: gone(worker))  # nothing goes on unseen
    assert progress.read(next(store.running().glob("stubborn-*.json")).stem) is None
    (store.home() / "gate").touch()
    assert start("run", "mixed").wait(timeout=60) == 0
    assert {text: len(pids) for text, pids in notes(store.home()).items()} == {
        "work 1": 1,
        "work 2": 1,
        "stubborn": 2,
    }


def test_two_runs_at_once_do_each_piece_once():
    runs = [start("run", "mixed", "--jobs", "2") for _ in range(2)]
    wait_for(
        lambda: (
            "stubborn" in notes(store.home())
            and len(list(store.results().glob("work-*.json"))) == 2
        )
    )
    (store.home() / "gate").touch()
    for run in runs:
        _, err = run.communicate(timeout=60)
        assert run.returncode == 0, err
    assert {text: len(pids) for text, pids in notes(store.home()).items()} == {
        "work 1": 1,
        "work 2": 1,
        "stubborn": 1,
    }


def test_what_failed_is_the_line_that_was_raised():
    try:
        raise RuntimeError("alpha is too large:\n  the values\ndiverged")
    except RuntimeError:
        assert progress.what_failed(traceback.format_exc()) == "RuntimeError: alpha is too large:"
    assert progress.what_failed("ValueError: no traceback") == "ValueError: no traceback"


def test_the_list_and_wrong_requests(capsys, monkeypatch):
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "afterstate" in out and "How well does V(afterstate) play" in out and "missing" in out
    assert main(["run", "afterstat"]) == 2 and "did you mean afterstate" in capsys.readouterr().err
    assert main(["run"]) == 2 and "names of experiments or --all" in capsys.readouterr().err
    assert main(["run", "afterstate", "--all"]) == 2 and "not both" in capsys.readouterr().err
    assert (
        main(["run", "afterstate", "--jobs", "0"]) == 2
        and "at least 1, got 0" in capsys.readouterr().err
    )
    both = ["run", "afterstate", "--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"]
    assert main(both) == 2 and "its workers decide" in capsys.readouterr().err
    for where in (
        ["--scale", "small"],
        ["--scale", "small", "status"],
        ["status", "--scale", "small"],
    ):
        assert main(where) == 0 and "at the small scale" in capsys.readouterr().out
    assert (
        main(["show", "p4", "--scale", "small"]) == 0
        and "p4: p4 0.2, seed 1: missing" in capsys.readouterr().out
    )
    monkeypatch.setenv("SCALE", "tiny")
    assert main(["status"]) == 2 and "small or full, got 'tiny'" in capsys.readouterr().err
