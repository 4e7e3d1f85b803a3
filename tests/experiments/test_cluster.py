"""Experiments on a Dask cluster: a real scheduler and two worker processes on this machine."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import Future

import numpy as np
import psutil
import pytest
from test_running import (
    ROOT,
    fails,
    held,
    in_order,
    killed,
    meet,
    notes,
    training,
    wait_for,
    work,
)

import experiments
from experiments import PiecesFailed, cluster, piece, runner, sweep, versions
from experiments.cluster import Cluster, connect
from experiments.piece import labelled
from experiments.place import Machine, machine_for

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
from distributed import Client  # noqa: E402

SETTINGS = {  # a task is given up when a second worker dies of it; workers are missed quickly
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
    "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error",
}


def dask(*arguments, **environment):
    """A process of Dask's own command line, which listens on this machine only."""
    return start_dask([*arguments, "--dashboard-address", "127.0.0.1:0"], **environment)


def start_dask(arguments, **environment):
    """A process of Dask's own command line."""
    places = [
        environment.pop("sources", str(ROOT)),
        str(ROOT / "tests" / "helpers"),
        str(ROOT / "tests" / "experiments"),
        os.environ.get("PYTHONPATH", ""),
    ]
    quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tempfile.gettempdir())
    environment = {**os.environ, **SETTINGS, "PYTHONPATH": os.pathsep.join(places), **environment}
    return subprocess.Popen([sys.executable, "-m", "dask", *arguments], env=environment, **quiet)


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

    def add(self, count=1, threads=1, **options):
        """Start workers, without a nanny that would start them again."""
        arguments = ["--scheduler-file", str(self.file), "--nthreads", str(threads), "--no-nanny"]
        arguments += ["--host", "127.0.0.1", "--memory-limit", "2GB"]
        arguments += ["--local-directory", str(self.folder)]
        options["EXPERIMENTS_HOME"] = str(self.folder)
        started = [dask("worker", *arguments, **options) for _ in range(count)]
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


def listening(process):
    """The addresses that a process and its children listen on."""
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    sockets = [socket for member in family for socket in member.net_connections("tcp")]
    return [socket.laddr.ip for socket in sockets if socket.status == psutil.CONN_LISTEN]


def test_the_commands_of_the_readme_listen_on_this_machine_only(tmp_path):
    readme = (ROOT / "experiments" / "README.md").read_text(encoding="utf-8")
    commands = [line.split()[3:] for line in readme.splitlines() if "python -m dask " in line]
    assert [command[0] for command in commands] == ["scheduler", "worker"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    commands = [[part.replace("8786", port) for part in command] for command in commands]
    commands = [[part.replace("8787", "0") for part in command] for command in commands]
    commands[1] += ["--local-directory", str(tmp_path)]
    processes = [start_dask(command) for command in commands]
    try:
        with Client(f"tcp://127.0.0.1:{port}", timeout=40, set_as_default=False) as client:
            client.wait_for_workers(4, timeout=60)
            addresses = sum((listening(process) for process in processes), [])
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()
    assert len(addresses) >= 10 and set(addresses) == {"127.0.0.1"}


def test_results_are_those_of_this_machine_and_come_back(machines, home, monkeypatch, tmp_path):
    there = sweep(training, seed=[5, 6], scheduler=machines.address)
    assert len(list(home.glob("runs/results/training-*.npz"))) == 2 and not list(
        home.glob("runs/running/*")
    )
    monkeypatch.setenv("EXPERIMENTS_HOME", str(tmp_path / "here"))
    here = sweep(training, seed=[5, 6], jobs=2)
    for ours, theirs in zip(here, there):
        assert ours.keys() == theirs.keys() and ours["score"] == theirs["score"]
        for name, value in ours.items():
            if isinstance(value, np.ndarray):
                assert (
                    value.dtype == theirs[name].dtype and value.tobytes() == theirs[name].tobytes()
                ), name


def test_what_fails_there_is_told_here(machines, home):
    with pytest.raises(PiecesFailed, match="RuntimeError: the reason"):
        sweep(fails, n=1, folder=str(home), scheduler=machines.address, show=False)


def test_one_worker_of_one_thread_is_enough(tmp_path, home):
    alone = Machines(tmp_path, 1)
    try:
        table = sweep(work, n=[1, 2, 3], folder=str(home), scheduler=alone.address, show=False)
    finally:
        alone.close()
    assert [row["value"] for row in table] == [1, 4, 9]
    assert os.getpid() not in sum(notes(home).values(), []), "it ran on the worker"


def test_a_worker_killed_in_the_middle_is_done_without(machines, home):
    killed_process = []

    def kill_one():
        wait_for(lambda: len(in_order(home)) == 2)  # both workers are at a piece
        _, pid = in_order(home)[0]
        (worker,) = [worker for worker in machines.workers if worker.pid == pid]
        worker.kill()
        worker.wait()
        killed_process.append(pid)
        (home / "gate").touch()

    killer = threading.Thread(target=kill_one, daemon=True)
    killer.start()
    options = dict(folder=str(home), scheduler=machines.address, show=False)
    table = sweep(held, n=range(6), **options)
    killer.join()
    assert [row["value"] for row in table] == [0, 1, 2, 3, 4, 5]
    ran_by = notes(home)
    (lost,) = [text for text, pids in ran_by.items() if killed_process[0] in pids]
    assert len(ran_by[lost]) == 2, "what the killed one ran was run again"
    assert sum(map(len, ran_by.values())) == 7


@pytest.fixture
def old_sources(tmp_path):
    """The sources of this project, one of them changed."""
    for package in versions.PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / "old" / package, ignore=ignored)
    with open(tmp_path / "old" / "lib2048" / "board.py", "a") as file:
        file.write("\n_ANOTHER = 1\n")
    return str(tmp_path / "old")


def test_workers_of_other_code_are_refused(machines, home, old_sources):
    machines.wait()
    (old,) = machines.add(sources=old_sources)
    machines.wait()
    with pytest.raises(
        ValueError,
        match=r"worker tcp://127.0.0.1:\d+ has (sources [0-9a-f]{12}) in (Python 3.\d+), "
        r"this machine (?!\1)sources [0-9a-f]{12} in \2; bring its checkout to the same state",
    ):
        sweep(work, n=1, folder=str(home), scheduler=machines.address)
    assert notes(home) == {}
    old.terminate()
    old.wait()
    machines.wait()


def test_workers_of_another_python_are_refused(machines, monkeypatch):
    def in_another_python(sources):
        return f"sources {sources[:12]} in Python 3.0"

    machines.wait()
    monkeypatch.setattr(versions, "code_in_words", in_another_python)
    told = r"has (sources [0-9a-f]{12}) in Python 3\.[1-9]\d*, this machine \1 in Python 3\.0;"
    with pytest.raises(ValueError, match=told):
        Cluster(machines.address)


def test_a_worker_of_other_code_that_joins_during_a_run_gets_nothing_and_is_retired(
    machines,
    home,
    old_sources,
    capsys,
):
    machines.wait()
    joined = []

    def join():
        """Both workers hold a piece until the third one has come and gone."""
        wait_for(lambda: notes(home))
        joined.extend(machines.add(sources=old_sources))
        try:
            wait_for(lambda: joined[0].poll() is not None, seconds=90)
        finally:
            (home / "gate").touch()

    helper = threading.Thread(target=join, daemon=True)
    helper.start()
    options = dict(folder=str(home), scheduler=machines.address)
    table = sweep(held, n=range(4), **options)
    helper.join()
    assert [row["value"] for row in table] == list(range(4))
    ran_on = {pid for pids in notes(home).values() for pid in pids}
    assert joined[0].pid not in ran_on and joined[0].poll() is not None
    machines.wait()
    assert "has sources" in capsys.readouterr().err


def test_a_worker_that_joins_during_a_run_helps(tmp_path, home):
    alone = Machines(tmp_path, 1)
    try:

        def join():
            wait_for(lambda: notes(home))
            alone.add()

        helper = threading.Thread(target=join, daemon=True)
        helper.start()
        options = dict(folder=str(home), scheduler=alone.address, show=False)
        sweep(work, n=range(20), seconds=0.7, **options)
        helper.join()
    finally:
        alone.close()
    ran_on = {pid for pids in notes(home).values() for pid in pids}
    assert len(ran_on) == 2


def test_a_worker_of_two_threads_runs_two_pieces(tmp_path, home):
    double = Machines(tmp_path, 0)
    try:
        double.add(threads=2)
        double.wait()
        options = dict(scheduler=double.address, show=False)
        together = sweep(meet, n=[1, 2], folder=str(home), **options)
        trained = sweep(training, seed=[5, 6, 7, 8], **options)
    finally:
        double.close()
    assert [row["value"] for row in together] == [1, 2]
    here = sweep(training, seed=[5, 6, 7, 8], jobs=2, show=False)
    assert [row["score"] for row in trained] == [row["score"] for row in here]


def test_a_piece_that_kills_its_workers_ends(machines, home):
    machines.add(2)
    machines.wait()
    pieces = [piece(killed, folder=str(home), times=9), piece(work, n=1, folder=str(home))]
    failed = runner.run([labelled(pieces, "p")], scheduler=machines.address, show=False)
    assert len(failed) == 1 and "twice; had it enough memory?" in next(iter(failed.values()))
    assert [made.state for made in labelled(pieces, "p")] == ["missing", "stored"]
    assert len(notes(home)["killed 9"]) == 2


def test_memory_of_workers(machines):
    machines.wait()
    place = Cluster(machines.address)
    try:
        fits = piece(work, n=1, folder="", memory=1 << 30)
        assert machine_for(fits, place.machines) in place.machines
        with pytest.raises(ValueError, match="takes 3.0 GiB, more than any worker has"):
            machine_for(piece(work, n=1, folder="", memory=3 << 30), place.machines)
    finally:
        place.close()


def test_the_threads_of_a_worker_share_its_memory():
    worker = Machine(threads=3, memory=2 << 30)
    gib = piece(work, n=1, folder="", memory=1 << 30)
    small = piece(work, n=1, folder="", memory=1 << 20)
    worker.running[1] = gib
    assert worker.has_room(gib)
    worker.running[2] = small
    assert not worker.has_room(gib) and worker.has_room(small)
    worker.running[3] = small
    assert not worker.has_room(small), "it has three threads"
    assert Machine(1, None).has_room(piece(work, n=1, folder="", memory=1 << 50))


@pytest.mark.parametrize(
    "address",
    ["", "nonsense", "nonsense://x:1", "127.0.0.1:8786", "tcp://127.0.0.1", "tcp://:8786",
     "tcp://127.0.0.1:99999", "tcp://127.0.0.1:port", "http://127.0.0.1:9"],
)  # fmt: skip
def test_malformed_addresses_are_told(address, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with pytest.raises(ValueError, match="no Dask scheduler answers at .* be tcp://HOST:PORT: .+"):
        connect(address)


@pytest.fixture
def listener():
    """Something that listens, takes connections and says nothing."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


def test_what_is_no_scheduler_is_a_clear_error(monkeypatch, listener):
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    for address in ("tcp://127.0.0.1:9", listener):
        with pytest.raises(ValueError, match=f"no Dask scheduler answers at '{address}'"):
            Cluster(address)


def test_a_worker_is_no_scheduler(machines):
    address = next(iter(machines.client.nthreads()))
    with pytest.raises(ValueError, match=f"what answers at {address} is a Worker"):
        Cluster(address)


def test_a_scheduler_without_workers_is_told(tmp_path, home, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 2)
    empty = Machines(tmp_path, 0)
    try:
        with pytest.raises(ValueError, match="has no worker; experiments/README.md says"):
            sweep(work, n=1, folder=str(home), scheduler=empty.address, show=False)
    finally:
        empty.close()


def test_a_scheduler_that_dies_ends_the_run(tmp_path, home, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 5)
    dying = Machines(tmp_path, 1)

    def die():
        wait_for(lambda: notes(home))
        dying.scheduler.kill()
        dying.scheduler.wait()

    killer = threading.Thread(target=die, daemon=True)
    killer.start()
    try:
        with pytest.raises(ValueError, match="the scheduler does not answer any more"):
            options = dict(folder=str(home), scheduler=dying.address, show=False)
            sweep(work, n=range(4), seconds=60, **options)
    finally:
        killer.join()
        dying.client = None  # closing it would wait for the scheduler
        dying.close()


def test_when_all_workers_have_left_the_run_ends(monkeypatch, machines):
    machines.wait()
    place = Cluster(machines.address)
    monkeypatch.setattr(cluster, "ABANDONED", 0)
    try:
        monkeypatch.setattr(place, "_threads", dict)
        with pytest.raises(ValueError, match="all workers have left"):
            place.look()
    finally:
        place.close()


def test_a_piece_whose_worker_left_is_to_run_again(monkeypatch, machines):
    machines.wait()
    place = Cluster(machines.address)
    try:
        address = next(iter(place.workers))
        future = Future()
        place.workers[address].running[future] = piece(work, n=1, folder="")
        threads = place._threads()
        del threads[address]
        monkeypatch.setattr(place, "_threads", lambda: threads)
        place.look()
        assert future.cancelled() and address not in place.workers
    finally:
        place.close()


def test_without_dask_it_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match=r"needs Dask: .*lib2048\[cluster\]"):
        experiments.sweep(work, n=1, folder="", scheduler="tcp://127.0.0.1:9")
