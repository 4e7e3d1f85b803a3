"""Whether everything a notebook needs is here: `ready()` says so in a line."""

import platform
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from IPython.display import display
from packaging.requirements import Requirement

import lib2048
from lib2048 import NTupleNetwork, train
from lib2048.fast.bits import FAST_BITS

PROJECT = Path(lib2048.__file__).parents[1] / "pyproject.toml"
REPAIR = "Close the notebook, run `make setup` (or what README says for systems without make)"
REPAIR += ", then start Jupyter with `make lab`."


def ready() -> None:
    """Say in a line whether everything is here and runs; the versions are folded away below it."""
    problems = _problems(_needed())
    rows = [f"| {name} | {wanted} | {here} |" for name, wanted, here in _versions(_needed())]
    if problems:
        told = "\n".join(f"- {problem}" for problem in problems)
        text = f"**Not everything is ready.**\n\n{told}\n\n{REPAIR}"
    else:
        speed = "" if FAST_BITS else " (without fast bit instructions: a little slower)"
        text = f"Everything is ready: Python {platform.python_version()}, compiled functions run"
        text += f"{speed}."
    folded = "\n".join(["| library | needed | here |", "|---|---|---|", *rows])
    details = f"<details><summary>Versions</summary>\n\n{folded}\n\n</details>"
    display({"text/markdown": f"{text}\n\n{details}", "text/plain": text}, raw=True)


def _needed() -> list[Requirement]:
    """What the project says it needs."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["viewer"]]
    return [Requirement(text) for text in wanted]


def _versions(needed: list[Requirement]) -> list[tuple[str, str, str]]:
    """(library, what is needed, what is here) of each."""
    return [(wanted.name, str(wanted.specifier), _here(wanted.name)) for wanted in needed]


def _here(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _problems(needed: list[Requirement]) -> list[str]:
    """What is missing, does not fit or does not run; each a sentence."""
    problems = []
    for wanted in needed:
        here = _here(wanted.name)
        if here == "missing":
            problems.append(f"{wanted.name} is not installed.")
        elif not wanted.specifier.contains(here, prereleases=True):
            problems.append(f"{wanted.name} {here} is here, {wanted.specifier} is needed.")
    if not problems:
        problems += _failures_of_training()
    return problems


def _failures_of_training() -> list[str]:
    """Train the smallest network there is, which compiles what has to be compiled."""
    try:
        train(NTupleNetwork(((0, 1),)), 10, progress=False)
    except Exception as error:
        return [f"The compiled functions do not run: {type(error).__name__}: {error}"]
    return []
