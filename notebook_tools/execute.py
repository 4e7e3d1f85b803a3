"""python -m notebook_tools.execute [NAME ...] [--scale full|small] [--jobs 2]: run the notebooks.

Each runs on a clean kernel of its own, of this Python. Executed copies lie in runs/notebooks/SCALE,
and in runs/widgets/SCALE what brings their widgets to life on a page. A notebook runs again only
when something it depends on has changed (needs.py). At the full scale the outputs are written back
into notebooks/ as well.
"""

import argparse
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from experiments import EXPERIMENTS, check_scale, progress, runner, stages
from experiments.entries import SCALES
from experiments.versions import ROOT
from lib2048.files import replace_file
from lib2048.validate import check_count
from lib2048.viewer.still import PAGES_WANTED
from notebook_tools import manifest, needs
from notebook_tools.files import passing_folder, read, sources, write
from notebook_tools.folding import fold
from notebook_tools.tidy import (
    add_dots,
    empty_first_lines,
    machine_paths,
    page_states,
    take_outputs,
    tidy,
)
from workbook.marks import MARK

ANSI_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
USUAL_SECONDS = {"small": 15.0, "full": 60.0}  # of a notebook that never ran here
STOPPED = "\nStopped. What is finished is kept; the same command goes on from here."


class NotebookFailed(ValueError):
    """A cell raised an error, or its kernel died."""


class OwnKernel(KernelSpecManager):
    """Knows one kernel: the Python that runs this.

    What a user may have installed under the same name is another one.
    """

    def get_kernel_spec(self, kernel_name):
        """The kernel of this Python, whatever a notebook asks for."""
        return KernelSpec(resource_dir="", **get_kernel_dict())


class Run:
    """A notebook being executed, which is changed in place. Another thread may end it."""

    def __init__(self, name: str, nb):
        self.name = name
        self.nb = nb
        self.stopped = False
        self.manager = AsyncKernelManager(kernel_spec_manager=OwnKernel())

    def execute(
        self, folder: Path, scale: str, tell: Callable[[int, int], None] | None = None
    ) -> None:
        """Execute all cells in a working directory, with SCALE in the environment.

        After each cell `tell` is called with the cells that are done and their number.
        NotebookFailed is raised if a cell fails.
        """
        client = NotebookClient(
            self.nb,
            km=self.manager,
            timeout=None,
            record_timing=False,
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": str(folder)}},
        )
        # A profile of its own: neither a user's start-up files nor their history.
        with passing_folder() as profile:
            self.manager.connection_file = str(profile / "kernel.json")
            environment = self._environment(scale, profile)
            with client.setup_kernel(env=environment, cleanup_kc=True):
                for number, cell in enumerate(self.nb.cells, 1):
                    if cell.cell_type == "code" and not self.stopped:
                        self._execute_cell(client, cell, number)
                    if tell is not None:
                        tell(number, len(self.nb.cells))
                client.set_widgets_metadata()

    def _environment(self, scale: str, profile: Path) -> dict[str, str]:
        paths = [str(ROOT)]
        if "PYTHONPATH" in os.environ:
            paths.append(os.environ["PYTHONPATH"])
        changed = {
            "SCALE": scale,
            "PYTHONPATH": os.pathsep.join(paths),
            "IPYTHONDIR": str(profile),
            PAGES_WANTED: "1",  # the widgets' states are kept beside the copies
        }
        return os.environ | changed

    def _execute_cell(self, client: NotebookClient, cell, number: int) -> None:
        cell.outputs = []
        cell.execution_count = None
        where = f"{self.name}.ipynb, cell {number}"
        try:
            client.execute_cell(cell, number - 1)
        except CellExecutionError as error:
            traceback = ANSI_COLOUR.sub("", error.traceback)
            raise NotebookFailed(f"{where}: {error.ename}: {error.evalue}\n\n{traceback}") from None
        except DeadKernelError:
            raise NotebookFailed(f"{where}: the kernel died; had it enough memory?") from None

    def stop(self) -> None:
        """End the kernel at once."""
        self.stopped = True
        process = getattr(self.manager.provisioner, "process", None)
        if process is not None:
            process.kill()


class Job(NamedTuple):
    """A notebook that has to run; `name`, `label` and `seconds` are what the bar shows."""

    name: str
    label: str
    seconds: float
    key: str
    source: Path
    copy: Path
    states: Path
    nb: object  # the notebook as it was when the key was made


def copy_of(source: Path, scale: str, root: Path = ROOT) -> Path:
    """Where the executed copy of a notebook lies."""
    return root / "runs" / "notebooks" / scale / source.name


def states_of(source: Path, scale: str, root: Path = ROOT) -> Path:
    """Where the states of a notebook's widgets lie, which bring them to life on pages."""
    return root / "runs" / "widgets" / scale / f"{source.stem}.json"


def plan(paths: list[Path], scale: str, root: Path = ROOT) -> list[Job]:
    """What has to run. Copies of the others get the present prose."""
    jobs = []
    for source in paths:
        nb = read(source)
        copy = copy_of(source, scale, root)
        key = needs.key(nb, scale)
        executed = _read_copy(copy)
        about = {} if executed is None else executed.metadata.get(MARK, {})
        states = states_of(source, scale, root)
        if about.get("key") == key and states.exists():
            write(_signed(take_outputs(executed, nb), key, about["seconds"]), copy)
            continue
        seconds = about.get("seconds", USUAL_SECONDS[scale])
        name = f"notebook-{scale}-{source.stem}"
        jobs.append(Job(name, source.stem, seconds, key, source, copy, states, nb))
    return jobs


def _read_copy(copy: Path):
    """An executed copy, None where there is none that can be read."""
    try:
        return read(copy)
    except (OSError, ValueError):
        return None


def _signed(nb, key: str, seconds: float):
    """A notebook that says what its outputs depend on, and how long they took."""
    nb.metadata[MARK] = {"key": key, "seconds": round(seconds, 1)}
    return nb


def run_experiments(
    paths: list[Path], scale: str, jobs: int | None = None, show: bool = True
) -> None:
    """Run what is missing of the experiments that these notebooks read.

    Records are left to `make experiments`.
    """
    names = needs.experiments_of_all(read(path) for path in paths)
    wanted = [name for name in names if not EXPERIMENTS[name].reads_record(scale)]
    failed = runner.run(stages(wanted, scale), jobs, show=show)
    if failed:
        reasons = [f"{label} failed:\n{error}" for label, error in failed.items()]
        raise runner.PiecesFailed("\n\n".join(reasons))


def check_jobs(jobs) -> int:
    """How many notebooks run at once, or a ValueError."""
    return check_count("jobs, the number of notebooks at once,", jobs)


def run(
    scale: str | None = None,
    names: Iterable[str] = (),
    jobs: int = 2,
    root: Path = ROOT,
    show: bool = True,
) -> list[Path]:
    """Execute what is not up to date; returns the executed copies, in order.

    Parameters
    ----------
    scale
        "small" or "full"; what the environment's SCALE says when None.
    names
        Beginnings of the names of the notebooks; all of them when there are none.
    jobs
        How many run at once.
    root
        The checkout.
    show
        Whether to show a bar.

    Raises
    ------
    NotebookFailed
        When all have run, if one failed.
    """
    scale = check_scale(scale)
    paths = sources(root, names)
    jobs = check_jobs(jobs)
    waiting = plan(paths, scale, root)
    run_experiments([job.source for job in waiting], scale, show=show)
    if waiting:
        longest_first = sorted(waiting, key=lambda job: -job.seconds)
        _run_all(longest_first, scale, jobs, show)
    return [copy_of(path, scale, root) for path in paths]


def _run_all(waiting: list[Job], scale: str, jobs: int, show: bool) -> None:
    """Execute notebooks, some at once. Raises NotebookFailed when all have run, if one failed."""
    with progress.Bar(waiting, show) as bar:
        failures = _Kernels(scale, bar).run(waiting, jobs)
    if failures:
        raise NotebookFailed("\n\n".join(failures))


class _Kernels:
    """The kernels that are running notebooks, each seen to by a thread."""

    def __init__(self, scale: str, bar: progress.Bar):
        self.scale = scale
        self.bar = bar
        self.runs = []
        self.stopped = False
        self.lock = threading.Lock()  # for the list of runs and the end of all

    def run(self, waiting: list[Job], jobs: int) -> list[str]:
        """Execute notebooks; returns what failed."""
        with ThreadPoolExecutor(jobs) as pool:
            tasks = {pool.submit(self._execute, job): job for job in waiting}
            try:
                return self._wait_for(tasks)
            except BaseException:  # Ctrl-C above all
                pool.shutdown(wait=False, cancel_futures=True)
                self._stop()
                raise

    def _wait_for(self, tasks: dict[Future, Job]) -> list[str]:
        failures = []
        pending = set(tasks)
        while pending:
            done, pending = wait(pending, progress.PAUSE, FIRST_COMPLETED)
            for task in done:
                name = tasks[task].name
                error = task.exception()
                if error is None:
                    self.bar.finish(name, task.result())
                else:
                    failures.append(str(error) or repr(error))
                    self.bar.finish(name, 0.0, failures[-1].split("\n")[0])
            self.bar.refresh()
        return failures

    def _execute(self, job: Job) -> float:
        """Execute a notebook and keep its copy; returns the seconds it took."""
        run = Run(job.source.stem, job.nb)
        with self.lock:
            if self.stopped:
                return 0.0
            self.runs.append(run)
        began = time.time()

        def tell(done: int, total: int) -> None:
            progress.write(job.name, {"started": began, "done": done, "total": total})

        tell(0, len(job.nb.cells))
        self.bar.begin(job.name)
        try:
            run.execute(job.source.parent, self.scale, tell)
        finally:
            progress.forget(job.name)
        seconds = time.time() - began
        if not run.stopped:
            states = json.dumps(page_states(job.nb), separators=(",", ":"))
            job.states.parent.mkdir(parents=True, exist_ok=True)
            replace_file(job.states, states.encode())
            kept = empty_first_lines(add_dots(tidy(job.nb)))
            write(_signed(kept, job.key, seconds), job.copy)
        return seconds

    def _stop(self) -> None:
        with self.lock:
            self.stopped = True
            for run in self.runs:
                run.stop()


def write_back(copies: list[Path], root: Path = ROOT) -> list[Path]:
    """Write the outputs of executed copies into notebooks/, and note them as executed.

    Returns the files that changed. NotebookFailed if an output names a place on this machine, or a
    notebook was edited while it ran.
    """
    changed = []
    for copy in copies:
        path = root / "notebooks" / copy.name
        if write(_with_outputs_of(read(copy), path), path):
            changed.append(path)
    manifest.note_executed([root / "notebooks" / copy.name for copy in copies], root)
    return changed


def _with_outputs_of(executed, path: Path):
    """The notebook in a file, with the outputs of an executed copy of it."""
    places = machine_paths(executed)
    if places:
        told = "; ".join(places)
        raise NotebookFailed(f"{path.name}: an output names a place on this machine: {told}")
    nb = read(path)
    if needs.code(nb) != needs.code(executed):
        raise NotebookFailed(f"{path.name} was edited while it ran; start again")
    return fold(take_outputs(executed, nb))


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        print(_bring_up_to_date(check_scale(options.scale), options.names, options.jobs))
    except (ValueError, OSError) as error:
        print(f"notebook_tools.execute: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m notebook_tools.execute", description="Execute the notebooks."
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="06, say; all of them when left out"
    )
    parser.add_argument("--scale", choices=SCALES, help="small: quick, notebooks/ stays as it is")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at once")
    return parser


def _bring_up_to_date(scale: str, names: list[str], jobs: int) -> str:
    """Execute notebooks and write their outputs back; returns what there is to say of it."""
    copies = run(scale, names, jobs)
    if scale == "full":
        changed = write_back(copies)
        return f"{len(copies)} notebooks are up to date, {len(changed)} of them written anew."
    folder = copies[0].parent.relative_to(ROOT)
    return f"{len(copies)} notebooks are up to date in {folder}."


if __name__ == "__main__":
    sys.exit(main())
