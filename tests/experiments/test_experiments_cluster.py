"""Experiments on a Dask cluster: a real scheduler and two worker processes on this machine."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

import numpy as np
import pytest
from test_experiments_run import ROOT, fails, home, killed, notes, training, wait_for, work  # noqa: F401

import experiments
from experiments import PiecesFailed, keys, piece, runner, sweep
from experiments.cluster import Cluster
from experiments.cluster import work as work_there
from experiments.piece import identified

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
from distributed import Client  # noqa: E402

SETTINGS = {  # a task is given up when a second worker dies of it; workers are missed quickly
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
    "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error",
}


def dask(*arguments, **environment):
    """A process of Dask's own command line."""
    places = [
        environment.pop("sources", str(ROOT)),
        str(ROOT / "tests" / "helpers"),
        str(ROOT / "tests" / "experiments"),
        os.environ.get("PYTHONPATH", ""),
    ]
    quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tempfile.gettempdir())
    command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
    environment = {**os.environ, **SETTINGS, "PYTHONPATH": os.pathsep.join(places), **environment}
    return subprocess.Popen(command, env=environment, **quiet)


class Machines:
    """A scheduler and the workers started so far."""

    def __init__(self, folder, count=2):
        self.folder, self.file, self.workers = folder, folder / "scheduler.json", []
        self.scheduler = dask(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file)
        )
        wait_for(self.file.exists)
        self.client = None
        self.add(count)
        self.client = Client(scheduler_file=str(self.file), set_as_default=False)
        self.address = self.client.scheduler.address
        self.wait()

    def add(self, count=1, **options):
        """Start workers of one thread, without a nanny that would start them again."""
        started = [
            dask("worker", "--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny", "--memory-limit", "2GB",
                 "--local-directory", str(self.folder), EXPERIMENTS_HOME=str(self.folder), **options)
            for _ in range(count)
        ]  # fmt: skip
        self.workers += started
        return started

    def wait(self):
        """Until as many workers are there as live."""
        wait_for(
            lambda: (
                len(self.client.nthreads()) == sum(worker.poll() is None for worker in self.workers)
            )
        )

    def close(self):
        if self.client:
            self.client.close()
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    found = Machines(tmp_path_factory.mktemp("cluster"))
    yield found
    found.close()


def test_results_are_those_of_this_machine_and_come_back(machines, home, monkeypatch, tmp_path):  # noqa: F811
    there = sweep(training, seed=[5, 6], scheduler=machines.address)
    assert len(list(home.glob("runs/results/training-*.npz"))) == 2 and not list(
        home.glob("runs/running/*")
    )
    monkeypatch.setenv("EXPERIMENTS_HOME", str(tmp_path / "here"))
    here = sweep(training, seed=[5, 6], jobs=2)
    for ours, theirs in zip(here, there):
        assert (
            ours.keys() == theirs.keys() and ours["score"] == theirs["score"] and ours.about["code"]
        )
        for name, value in ours.items():
            if isinstance(value, np.ndarray):
                assert (
                    value.dtype == theirs[name].dtype and value.tobytes() == theirs[name].tobytes()
                ), name


def test_what_fails_there_is_told_here(machines, home):  # noqa: F811
    with pytest.raises(PiecesFailed, match="RuntimeError: the reason"):
        sweep(fails, n=1, folder=str(home), scheduler=machines.address, show=False)


def test_one_worker_of_one_thread_is_enough(tmp_path, home):  # noqa: F811
    alone = Machines(tmp_path, 1)
    try:
        table = sweep(work, n=[1, 2, 3], folder=str(home), scheduler=alone.address, show=False)
    finally:
        alone.close()
    assert [row["value"] for row in table] == [1, 4, 9]
    assert os.getpid() not in sum(notes(home).values(), []), "it ran on the worker"


def test_a_worker_killed_in_the_middle_is_done_without(machines, home):  # noqa: F811
    def kill_one():
        wait_for(lambda: len(notes(home)) >= 3)
        os.kill(machines.workers[0].pid, signal.SIGKILL)
        machines.workers[0].wait()

    killer = threading.Thread(target=kill_one, daemon=True)
    killer.start()
    table = sweep(
        work, n=range(6), seconds=0.5, folder=str(home), scheduler=machines.address, show=False
    )
    killer.join()
    assert [row["value"] for row in table] == [0, 1, 4, 9, 16, 25] and machines.workers[
        0
    ].poll() is not None
    assert sum(map(len, notes(home).values())) > 6, "what the killed one ran was run again"


def test_workers_of_other_code_are_refused(machines, home, tmp_path):  # noqa: F811
    for package in ("lib2048", "experiments"):
        shutil.copytree(
            ROOT / package, tmp_path / "old" / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    with open(tmp_path / "old" / "lib2048" / "rules.py", "a") as file:
        file.write("\n_ANOTHER = 1\n")
    machines.wait()
    (old,) = machines.add(sources=str(tmp_path / "old"))
    machines.wait()
    with pytest.raises(
        ValueError, match=r"worker tcp://127.0.0.1:\d+ has other code, [0-9a-f]{12}, this machine"
    ):
        sweep(work, n=1, folder=str(home), scheduler=machines.address)
    assert notes(home) == {}
    old.terminate()
    old.wait()
    machines.wait()


def test_a_piece_that_kills_its_workers_ends(machines, home):  # noqa: F811
    """joblib's own backend would wait for it for ever."""
    machines.add(2)
    machines.wait()
    pieces = [piece(killed, folder=str(home), times=9), piece(work, n=1, folder=str(home))]
    failed = runner.run([identified(pieces, "p")], scheduler=machines.address, show=False)
    assert len(failed) == 1 and "KilledWorker" in next(iter(failed.values()))
    assert [made.state for made in identified(pieces, "p")] == ["missing", "stored"]
    assert len(notes(home)["killed 9"]) == 2


def test_memory_of_workers(machines):
    machines.wait()
    cluster = Cluster(machines.address)
    try:
        count = len(cluster.client.nthreads())
        assert cluster.slots(piece(work, n=1, folder="", memory=1 << 30)) == count > 0
        with pytest.raises(ValueError, match="takes 3.0 GiB, more than any worker has"):
            cluster.slots(piece(work, n=1, folder="", memory=3 << 30))
    finally:
        cluster.close()


def test_a_worker_that_joins_later_checks_itself(monkeypatch):
    class Worker:
        address = "tcp://there:1"

    monkeypatch.setattr("distributed.get_worker", Worker)
    outcome = work_there(identified([piece(work, n=1, folder="nowhere")], "p")[0], "another hash")
    assert "tcp://there:1 has other code, " + keys.loaded_hash()[:12] in outcome.error


def test_no_scheduler_is_a_clear_error(monkeypatch):
    monkeypatch.setattr("experiments.cluster.PATIENCE", 0.3)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(
            ValueError, match="no Dask scheduler answers at .*expected tcp://HOST:PORT"
        ):
            Cluster(address)
    monkeypatch.setattr("experiments.cluster.distributed", None)
    with pytest.raises(ValueError, match=r"needs Dask: .*lib2048\[cluster\]"):
        experiments.sweep(work, n=1, folder="", scheduler="tcp://127.0.0.1:9")
