"""python -m report.notebooks [NAME ...] [--scale full|small] [--jobs 2]: execute the notebooks on clean kernels.

Executed copies lie in runs/notebooks/SCALE. A notebook runs again only when something it depends on has changed
(needs.py). At the full scale the outputs are written back into notebooks/ as well.
"""

import argparse
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

from experiments import EXPERIMENTS, check_scale, progress, runner, stages
from experiments.entries import SCALES
from lib2048.validate import check_count
from report import ROOT, needs
from report.files import read, sources, write
from report.kernels import NotebookFailed, Run
from report.tidy import MARK, machine_paths, take_outputs, tidy

GUESS = {"small": 15.0, "full": 60.0}  # seconds of a notebook that never ran here


class Job(NamedTuple):
    """A notebook that has to run; `name`, `label` and `seconds` are what the bars show."""

    name: str
    label: str
    seconds: float
    key: str
    source: Path
    copy: Path
    nb: object  # the notebook as it was when the key was made


def copy_of(source: Path, scale: str, root: Path = ROOT) -> Path:
    """Where the executed copy of a notebook lies."""
    return root / "runs" / "notebooks" / scale / source.name


def _known(copy: Path) -> tuple[object, dict]:
    """(the executed copy, what it was made of and how long that took), (None, {}) where there is none."""
    try:
        nb = read(copy)
    except (OSError, ValueError):
        return None, {}
    return nb, nb.metadata.get(MARK, {})


def plan(paths: list[Path], scale: str, root: Path = ROOT) -> list[Job]:
    """What has to run. Copies of the others get the present prose."""
    jobs = []
    for source in paths:
        nb, copy = read(source), copy_of(source, scale, root)
        done, about = _known(copy)
        key = needs.key(nb, scale)
        if about.get("key") == key:
            write(_signed(take_outputs(done, nb), key, about["seconds"]), copy)
        else:
            name, seconds = f"notebook-{scale}-{source.stem}", about.get("seconds", GUESS[scale])
            jobs.append(Job(name, source.stem, seconds, key, source, copy, nb))
    return jobs


def _signed(nb, key: str, seconds: float):
    nb.metadata[MARK] = {"key": key, "seconds": round(seconds, 1)}
    return nb


def run_experiments(paths: list[Path], scale: str, jobs=None, show: bool = True) -> None:
    """Run what is missing of the experiments that these notebooks read; records are left to `make experiments`."""
    names = dict.fromkeys(name for path in paths for name in needs.experiments_of(read(path)))
    wanted = [name for name in names if not EXPERIMENTS[name].reads_record(scale)]
    failed = runner.run(stages(wanted, scale), jobs, show=show)
    if failed:
        raise runner.PiecesFailed(
            "\n\n".join(f"{label} failed:\n{error}" for label, error in failed.items())
        )


def check_jobs(jobs) -> int:
    """How many notebooks run at once, or a ValueError."""
    return check_count("jobs, the number of notebooks at once,", jobs)


def run(
    scale: str | None = None, names=(), jobs: int = 2, root: Path = ROOT, show: bool = True
) -> list[Path]:
    """Execute what is not up to date. Returns the executed copies in order; raises NotebookFailed when all have run."""
    scale, paths, jobs = check_scale(scale), sources(root, names), check_jobs(jobs)
    waiting = plan(paths, scale, root)
    run_experiments([job.source for job in waiting], scale, show=show)
    if waiting:
        _run_all(sorted(waiting, key=lambda job: -job.seconds), scale, jobs, show)
    return [copy_of(path, scale, root) for path in paths]


def _run_all(waiting: list[Job], scale: str, jobs: int, show: bool) -> None:
    runs, failed, lock = [], [], threading.Lock()

    def work(job):
        state = {"started": time.time()}
        with lock:
            runs.append(one := Run(job.source.stem, job.nb))
        progress.write(job.name, state)
        board.begin(job.name)

        def tell(done, total):
            progress.write(job.name, state | {"done": done, "total": total})

        try:
            one.execute(job.source.parent, scale, tell)
            seconds = time.time() - state["started"]
            if not one.stopped:
                write(_signed(tidy(job.nb), job.key, seconds), job.copy)
            return seconds
        finally:
            progress.forget(job.name)

    with progress.Board(waiting, show) as board, ThreadPoolExecutor(jobs) as pool:
        tasks = {pool.submit(work, job): job for job in waiting}
        pending = set(tasks)
        try:
            while pending:
                done, pending = wait(pending, progress.PAUSE, FIRST_COMPLETED)
                for task in done:
                    error = task.exception()
                    if error is None:
                        board.finish(tasks[task].name, task.result())
                    else:
                        failed.append(str(error) or repr(error))
                        board.finish(tasks[task].name, 0.0, failed[-1].split("\n")[0])
                board.refresh()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            with lock:
                for one in runs:
                    one.stop()
            raise
    if failed:
        raise NotebookFailed("\n\n".join(failed))


def write_back(copies: list[Path], root: Path = ROOT) -> list[Path]:
    """Write the outputs of executed copies into notebooks/. Returns the files that changed."""
    changed = []
    for copy in copies:
        path, done = root / "notebooks" / copy.name, read(copy)
        if found := machine_paths(done):
            raise NotebookFailed(
                f"{path.name}: an output names a place on this machine: {'; '.join(found)}"
            )
        nb, before = read(path), path.read_bytes()
        if needs.code(nb) != needs.code(done):
            raise NotebookFailed(f"{path.name} was edited while it ran; start again")
        write(take_outputs(done, nb), path)
        changed += [path] if path.read_bytes() != before else []
    return changed


def main(arguments=None) -> int:
    """Do what the command line says; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m report.notebooks", description="Execute the notebooks."
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="05, say; all of them when left out"
    )
    parser.add_argument("--scale", choices=SCALES, help="small: quick, notebooks/ stays as it is")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at once")
    options = parser.parse_args(arguments)
    try:
        scale = check_scale(options.scale)
        copies = run(scale, options.names, options.jobs)
        if scale == "full":
            changed = write_back(copies)
            print(f"{len(copies)} notebooks are up to date, {len(changed)} of them written anew.")
        else:
            print(
                f"{len(copies)} notebooks are up to date in {copies[0].parent.relative_to(ROOT)}."
            )
    except (ValueError, OSError) as error:
        print(f"report.notebooks: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            "\nStopped. What is finished is kept; the same command goes on from here.",
            file=sys.stderr,
        )
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
