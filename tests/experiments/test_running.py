"""Experiments in real processes: parallel, kept, stopped, killed and resumed.

The cluster's tests use these pieces too.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from tqdm import tqdm

import experiments
from experiments import (
    EXPERIMENTS,
    PiecesFailed,
    claims,
    local,
    piece,
    progress,
    runner,
    store,
    sweep,
)
from experiments.local import Local
from experiments.piece import labelled
from experiments.place import machine_for
from experiments.worker import Outcome
from libewn.agent import ONE_THREAD

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


def deaf(folder):
    """Listens to nothing that can be ignored, and runs on."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    local.os._exit = lambda code: time.sleep(600)
    note(folder, "deaf")
    time.sleep(600)


def leaves(folder):
    sys.exit(7)


def threads():
    """How many threads this process has, and what it was told about them."""
    told = [os.environ.get(name) for name in ONE_THREAD]
    return {"threads": psutil.Process().num_threads(), "told": told}


def stubborn(folder):
    """Runs until there is a gate; it has a bar, and Ctrl-C makes it return less, as train does."""
    tqdm(disable=True).close()
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


def held(n, folder):
    """Ends when there is a gate."""
    note(folder, f"held {n}")
    while not (Path(folder) / "gate").exists():
        time.sleep(0.02)
    return n


def meet(n, folder):
    """Two of these end only when both have begun."""
    note(folder, f"meet {n}")
    while len(notes(folder)) < 2:
        time.sleep(0.02)
    return n


def training(seed):
    """A training as experiments have it, with all that comes with it."""
    progress.report(1, 2)
    found, _ = experiments.train_and_evaluate(300, evaluation=100, patterns=SMALL, seed=seed)
    return found


def command_line(arguments):
    """python -m experiments with a catalogue of the pieces above."""
    folder = str(store.home())
    EXPERIMENTS.clear()
    scales = dict(seconds=(1, 1))

    @experiments.experiment("mixed", **scales)
    def mixed():
        """Does it go on?"""
        yield from (piece(work, n=n, folder=folder) for n in (1, 2))
        yield piece(stubborn, folder=folder)

    @experiments.experiment("faulty", **scales)
    def faulty():
        """What fails?"""
        yield from (piece(work, n=n, folder=folder) for n in (3, 4))
        yield piece(fails, n=1, folder=folder)
        yield piece(leaves, folder=folder)

    from experiments.__main__ import main

    return main(arguments)


def start(*arguments):
    """The command line above in a process group of its own."""
    code = "import sys, test_running as t; sys.exit(t.command_line(sys.argv[1:]))"
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
    assert "[20/20] work: n" in capsys.readouterr().err
    assert not list(store.running().iterdir())
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
    pieces = labelled([*pieces, *(piece(work, n=n, folder=folder) for n in (1, 2))], "p")
    failed = runner.run([pieces], jobs=2, show=False)
    assert [made.state for made in pieces] == ["stored", "missing", "stored", "stored"]
    assert list(failed) == [pieces[1].label] and "killed, twice" in failed[pieces[1].label]
    assert len(notes(home)["killed 1"]) == 2 and len(notes(home)["killed 9"]) == 2
    assert len(notes(home)["work 1"]) == len(notes(home)["work 2"]) == 1


def test_sources_edited_during_a_run_are_refused(home, monkeypatch):
    monkeypatch.setattr("experiments.versions.sources_hash", lambda: "as they were before")
    with pytest.raises(PiecesFailed, match="edited since this run began; start it again"):
        sweep(work, n=1, folder=str(home), show=False)
    assert notes(home) == {}


def test_a_script_without_a_guard_is_not_run_again(home, tmp_path):
    """Python's own way of starting a process would run the script once more in each."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["begun", "[2, 3]"]


SCRIPT = """
from experiments import sweep

print("begun")
OFFSET = 1


def add(n):
    return n + OFFSET


print([row["value"] for row in sweep(add, n=[1, 2], jobs=2, show=False)])
"""


def test_workers_end_with_their_runner(home):
    """Also one whose runner is gone before it has begun to look."""
    context = multiprocessing.get_context("spawn")
    runner_process = context.Process(target=starts_a_worker, args=(str(home),))
    runner_process.start()
    runner_process.join(40)
    assert runner_process.exitcode == 3
    (worker,) = notes(home)["works on"]
    wait_for(lambda: gone(worker))


def starts_a_worker(folder):
    """What a runner does that dies at once."""
    multiprocessing.get_context("spawn").Process(target=works_on, args=(folder,)).start()
    wait_for(lambda: notes(folder))
    os._exit(3)


def works_on(folder):
    """What a worker does whose piece takes for ever."""
    runner_process = multiprocessing.parent_process()
    note(folder, "works on")
    runner_process.join()
    local._begin()
    time.sleep(600)


def test_a_piece_that_cannot_travel_fails_alone(home):
    lock = threading.Lock()

    def locked(n):
        return n if lock else 0

    pieces = [piece(locked, n=1), piece(work, n=2, folder=str(home))]
    pieces = labelled(pieces, "p")
    failed = runner.run([pieces], jobs=2, show=False)
    assert list(failed) == [pieces[0].label] and "pickle" in failed[pieces[0].label]
    assert pieces[1].state == "stored" and not claims.is_held(pieces[0].name)


def test_a_worker_has_no_idle_threads_of_linear_algebra(home, monkeypatch):
    """Two threads: one that works, and one that holds the leash. What was set stays set here."""
    monkeypatch.setenv(ONE_THREAD[0], "8")
    monkeypatch.delenv(ONE_THREAD[1], raising=False)
    before = dict(os.environ)
    place = Local(jobs=1)
    try:
        (made,) = labelled([piece(threads)], "p")
        outcome = place.submit(made).result(timeout=120)
    finally:
        place.close()
    assert outcome.error is None, outcome.error
    scalars = outcome.parts[0]
    assert scalars["told"] == ["1"] * len(ONE_THREAD)
    if Path("/proc").exists():
        assert scalars["threads"] == 2
    assert dict(os.environ) == before


def test_a_process_that_does_not_listen_is_ended(home):
    """A kernel that runs for long lets no other thread of its process work, and so none watch."""
    place = Local(jobs=1)
    (made,) = labelled([piece(deaf, folder=str(home))], "p")
    place.submit(made)
    wait_for(lambda: notes(home))
    place.close()
    (process,) = notes(home)["deaf"]
    assert gone(process)


def test_a_process_killed_while_it_is_idle_is_done_without(home):
    place = Local(jobs=1)
    pieces = labelled([piece(work, n=n, folder=str(home)) for n in (1, 2)], "p")
    try:
        place.submit(pieces[0]).result(timeout=120)
        (process,) = notes(home)["work 1"]
        os.kill(process, signal.SIGKILL)
        with pytest.raises(BrokenProcessPool):
            place.submit(pieces[1]).result(timeout=120)
        assert place.submit(pieces[1]).result(timeout=120).error is None
    finally:
        place.close()


def test_what_two_stages_share_is_run_once():
    made, other = (labelled([piece(work, n=n, folder="")], "p")[0] for n in (1, 2))
    assert runner.each_once([[made, made], [made, other]]) == [[made], [other]]


# What runs at once


def of_memory(gib, n):
    """A piece that takes so much."""
    return piece(work, n=n, folder="", memory=gib << 30)


@pytest.fixture
def place(monkeypatch):
    """The processes of a machine with 4 GiB, which are never started."""
    local_place = Local(jobs=3)
    local_place.memory = 4 << 30
    monkeypatch.setattr(local_place, "start", lambda made: Future())
    return local_place


def test_memory_and_jobs_limit_what_runs_at_once(place):
    assert place.has_room(of_memory(9, 1)), "alone, everything may run"
    first = place.submit(of_memory(3, 1))
    assert place.has_room(of_memory(1, 2)) and not place.has_room(of_memory(2, 2))
    place.submit(of_memory(0, 2))
    place.submit(of_memory(0, 3))
    assert not place.has_room(of_memory(0, 4)), "three processes are busy"
    del place.running[first]
    assert place.has_room(of_memory(4, 4))
    with pytest.raises(ValueError, match="at least 1, got 0"):
        runner.run([], jobs=0)


def test_large_pieces_go_first_and_small_ones_fit_in_beside_them(place, home):
    pieces = labelled([of_memory(gib, gib) for gib in (1, 2, 3)], "p")
    stage = runner._Stage(pieces, place, progress.Bar(pieces, show=False))
    stage._start_what_fits()
    begun = [running.piece.parameters["n"] for running in stage.running.values()]
    assert begun == [3, 1] and [made.parameters["n"] for made in stage.waiting] == [2]
    stage._give_up()


def test_what_was_killed_runs_again_alone(place, home):
    pieces = labelled([of_memory(0, n) for n in (1, 2)], "p")
    stage = runner._Stage(pieces, place, progress.Bar(pieces, show=False))
    stage.killed[pieces[0].name] = 1
    stage._start_what_fits()
    assert [running.piece for running in stage.running.values()] == [pieces[0]]
    stage._give_up()


def test_a_machine_that_runs_what_was_killed_gets_nothing_else(place):
    once_killed, other = labelled([of_memory(0, n) for n in (1, 2)], "p")
    idle = Local(jobs=3)
    place.submit(once_killed)
    assert machine_for(other, [place], {once_killed.name}) is None
    assert machine_for(other, [place, idle], {once_killed.name}) is idle
    assert machine_for(other, [place]) is place


# Claims


def test_a_claim_is_held_by_the_living_only(home):
    claim = claims.take("x")
    assert claim is not None and claims.take("x") is None and claims.is_held("x")
    progress.write("x", {"done": 1, "total": 2})
    assert progress.read("x") == {"done": 1, "total": 2}
    claim.release()
    assert progress.read("x") is None, "nobody makes it any more"
    progress.forget("x")
    assert progress.said_of("x") is None


def takes(folder, name):
    """Claims something and is killed."""
    os.environ["EXPERIMENTS_HOME"] = folder
    claim = claims.take(name)
    assert claim is not None
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_claim_of_one_that_died_is_taken_by_one_only(home):
    dead = multiprocessing.get_context("spawn").Process(target=takes, args=(str(home), "x"))
    dead.start()
    dead.join(40)
    assert dead.exitcode == -signal.SIGKILL
    for _ in range(20):
        start_together = threading.Barrier(8)

        def try_it(_, start_together=start_together):
            start_together.wait()
            return claims.take("x")

        with ThreadPoolExecutor(8) as pool:
            taken = [claim for claim in pool.map(try_it, range(8)) if claim is not None]
        assert len(taken) == 1
        taken[0].release()


def test_what_another_run_makes_is_waited_for_and_read(home, monkeypatch):
    (made,) = labelled([piece(work, n=3, folder=str(home))], "p")
    claim = claims.take(made.name)
    take = claims.take
    refused = []

    def take_and_tell(name):
        taken = take(name)
        if taken is None:
            refused.append(name)
        return taken

    def other_run():
        wait_for(lambda: len(refused) > 1)
        about = {"parameters": made.parameters, "version": made.version}
        about |= {"function": "work", "seconds": 1.0}
        runner.keep(made, Outcome(1.0, None, ({"value": 9}, {}, about)))
        claim.release()

    monkeypatch.setattr(claims, "take", take_and_tell)
    monkeypatch.setattr(progress, "PAUSE", 0.01)
    other = threading.Thread(target=other_run)
    other.start()
    assert runner.run([[made]], jobs=1, show=False) == {}
    other.join()
    assert notes(home) == {} and made.load()[0]["value"] == 9


def test_a_full_disk_is_told_and_leaves_nothing(home, monkeypatch):
    (made,) = labelled([piece(work, n=3, folder=str(home))], "p")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "replace_file", full)
    failed = runner.run([[made]], jobs=1, show=False)
    assert "No space left" in failed["p"] and made.state == "missing"
    assert not claims.is_held(made.name)


# The bar


def test_the_bar_goes_with_the_seconds_that_pieces_take(home, monkeypatch):
    pieces = [replace(piece(work, n=n, folder=""), cost=cost, label=f"n {n}")
              for n, cost in ((1, 10.0), (2, 30.0))]  # fmt: skip
    bar = progress.Bar(pieces)
    bar.live = True
    bar.line.disable = False
    bar.line.refresh = lambda *_, **__: None
    bar.begin(pieces[1].name)
    progress.write(pieces[1].name, {"done": 1, "total": 3})
    bar.refresh()
    assert bar.line.n == pytest.approx(10) and bar.line.postfix == "n 2 33%"
    bar.begin(pieces[0].name)
    bar.refresh()
    assert bar.line.postfix == "n 2 33%, 1 more"
    bar.running.pop(pieces[0].name)
    bar.finish(pieces[1].name, 12.0)
    assert bar.line.n == pytest.approx(30) and bar.line.total == 40
    bar.line.disable = True
