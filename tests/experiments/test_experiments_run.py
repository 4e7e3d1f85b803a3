"""Experiments in real processes: parallel, kept, stopped, killed and resumed. The cluster's tests use them too."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest

import experiments
from experiments import PiecesFailed, piece, progress, runner, store, sweep
from experiments.piece import EXPERIMENTS, identified

ROOT = Path(__file__).resolve().parents[2]
SMALL = ((0, 1), (1, 5))


# Pieces. They note in a folder that they ran, and by which process.


def note(folder, text):
    with open(Path(folder) / "notes", "a") as file:
        file.write(f"{text} {os.getpid()}\n")


def in_order(folder):
    """The notes so far: [(text, process), ...]."""
    file = Path(folder) / "notes"
    lines = file.read_text().splitlines() if file.exists() else []
    return [(text, int(pid)) for text, _, pid in (line.rpartition(" ") for line in lines)]


def notes(folder):
    """The notes so far: {text: [process, ...]}."""
    found = {}
    for text, pid in in_order(folder):
        found.setdefault(text, []).append(pid)
    return found


def work(n, folder, seconds=0.0):
    note(folder, f"work {n}")
    time.sleep(seconds)
    return {"value": n * n, "array": np.arange(n)}


def fails(n, folder):
    note(folder, f"fails {n}")
    raise RuntimeError("the reason")


def sometimes(n, folder):
    note(folder, f"begin {n}")
    time.sleep(0.1)
    note(folder, f"end {n}")
    if n == 2:
        raise RuntimeError("the reason 2")
    return n


def leaves(folder):
    sys.exit(7)


def stubborn(folder):
    """Runs until there is a gate; Ctrl-C only makes it return less, as train does."""
    note(folder, "stubborn")
    try:
        while not (Path(folder) / "gate").exists():
            time.sleep(0.02)
    except KeyboardInterrupt:
        return {"value": -1}
    return {"value": 1}


def killed(folder, times, together=()):
    """Is killed so many times; not before others of its kind have begun as well."""
    note(folder, f"killed {times}")
    while not all(f"killed {other}" in notes(folder) for other in together):
        time.sleep(0.02)
    if len(notes(folder)[f"killed {times}"]) <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"value": times}


def training(seed):
    progress.report(1, 2)
    found, _ = experiments.train_and_evaluate(300, evaluation=100, patterns=SMALL, seed=seed)
    return found


def command_line(arguments):
    """python -m experiments with a catalogue of the pieces above."""
    folder = str(store.home())
    EXPERIMENTS.clear()
    scales, cost = {"small": {}, "full": {}}, {"small": 1, "full": 1}

    @experiments.experiment("mixed", question="Does it go on?", scales=scales, cost=cost)
    def mixed():
        yield from (piece(work, n=n, folder=folder) for n in (1, 2))
        yield piece(stubborn, folder=folder)

    @experiments.experiment("faulty", question="What fails?", scales=scales, cost=cost)
    def faulty():
        yield from (piece(work, n=n, folder=folder) for n in (3, 4))
        yield piece(fails, n=1, folder=folder)
        yield piece(leaves, folder=folder)

    from experiments.__main__ import main

    return main(arguments)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPERIMENTS_HOME", str(tmp_path))
    places = [
        str(ROOT),
        str(ROOT / "tests" / "helpers"),
        str(ROOT / "tests" / "experiments"),
        os.environ.get("PYTHONPATH", ""),
    ]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(places))
    return tmp_path


def start(*arguments):
    """The command line above in a process group of its own."""
    code = "import sys, test_experiments_run as t; sys.exit(t.command_line(sys.argv[1:]))"
    pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], start_new_session=True, **pipes
    )


def wait_for(condition, seconds=40):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.05)


def gone(pid):
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


# In this process


def test_a_sweep_uses_two_processes_and_runs_once(home, monkeypatch, capsys):
    options = dict(folder=str(home), n=range(10), seconds=[0.05, 0.051])
    table = sweep(work, jobs=2, **options)
    pids = {pid for made in notes(home).values() for pid in made}
    assert len(table) == 20 and len(pids) == 2 and os.getpid() not in pids
    assert [row["value"] for row in table][::2] == [n * n for n in range(10)]
    assert "[20/20] work: n" in capsys.readouterr().err and not list(store.running().iterdir())
    monkeypatch.setattr(runner, "Local", None)
    again = sweep(work, jobs=2, **options)
    assert all(np.array_equal(a["array"], b["array"]) for a, b in zip(table, again))
    assert sum(map(len, notes(home).values())) == 20
    assert again.means("n", "value")[3]["value"] == 9
    wait_for(lambda: all(map(gone, pids)))


def test_what_fails_is_told_and_the_rest_goes_on(home):
    with pytest.raises(
        PiecesFailed, match="1 of 3 pieces failed(.|\n)*sometimes: n 2(.|\n)*the reason 2"
    ):
        sweep(sometimes, jobs=1, n=[1, 2, 3], folder=str(home), show=False)
    lines = [text for text, _ in in_order(home)]
    assert len(lines) == 6 and lines[1::2] == [
        line.replace("begin", "end") for line in lines[::2]
    ], "one at a time"
    assert len(list(store.results().glob("sometimes-*.json"))) == 2


def test_a_killed_piece_is_tried_again_and_others_are_not_lost(home):
    folder = str(home)
    pieces = [piece(killed, folder=folder, times=times, together=(1, 9)) for times in (1, 9)]
    pieces = identified([*pieces, *(piece(work, n=n, folder=folder) for n in (1, 2))], "p")
    failed = runner.run([pieces], jobs=2, show=False)
    assert [made.state for made in pieces] == ["stored", "missing", "stored", "stored"]
    assert list(failed) == [pieces[1].label] and "killed, twice" in failed[pieces[1].label]
    assert len(notes(home)["killed 1"]) == 2 and len(notes(home)["killed 9"]) == 2
    assert len(notes(home)["work 1"]) == len(notes(home)["work 2"]) == 1


def test_sources_edited_during_a_run_are_refused(home, monkeypatch):
    monkeypatch.setattr(runner._begun, "is_set", lambda: True)  # this process is no worker
    (made,) = identified([piece(work, n=1, folder=str(home))], "p")
    assert (
        "edited during the run" in runner.work(replace(made, code="another"), "other stamp").error
    )
    assert made.state == "missing"
    assert runner.work(made, "other stamp").error is None, "what was edited is not what it runs"
    assert made.state == "stored"


def test_what_two_stages_share_is_run_once():
    made, other = (identified([piece(work, n=n, folder="")], "p")[0] for n in (1, 2))
    seen = set()
    assert runner.unique([made, made], seen) == [made] and runner.unique([made, other], seen) == [
        other
    ]


def test_memory_and_jobs_limit_what_runs_at_once(monkeypatch):
    local = runner.Local(jobs=8)
    local.free = 4 << 30
    big, small = (
        piece(work, n=1, folder="", memory=3 << 30),
        piece(work, n=2, folder="", memory=1 << 30),
    )
    tiny = piece(work, n=3, folder="", memory=1 << 20, cost=1.0)
    assert [local.slots(one) for one in (big, small, tiny)] == [1, 4, 8]
    found = [(slots, len(group)) for slots, group in runner.waves([tiny, small, big, big], local)]
    assert found == [(1, 2), (4, 1), (8, 1)]
    with pytest.raises(ValueError, match="at least 1, got 0"):
        runner.Local(jobs=0)


def test_a_claim_is_held_by_the_living_only(home):
    with progress.claim("x", lambda: False) as mine:
        assert mine and progress.read("x")["pid"] == os.getpid()
    assert progress.read("x") is None
    progress.write("x", {"pid": os.getpid(), "born": 0.0, "done": 1, "total": 2})
    assert progress.read("x") is None and progress.was_begun("x")
    with progress.claim("x", lambda: False) as mine:
        assert mine
    with progress.claim("x", lambda: True) as mine:
        assert not mine
