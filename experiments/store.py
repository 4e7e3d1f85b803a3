"""Results on disk: a .json with numbers, texts and provenance, and an .npz with the arrays where there are any.

The .npz is written first and the .json names its hash, both under another name until they are whole: a result whose
writing was cut short is not there. Neither can hold code (no pickle).
"""

import datetime
import hashlib
import importlib.metadata
import io
import json
import os
import platform
import re
from pathlib import Path

import numpy as np
import psutil

from experiments.keys import ROOT
from lib2048.files import replacing

FORMAT = 1
PARTS = ("scalars", "parameters", "code", "function", "seconds", "format", "arrays")


def home() -> Path:
    """The folder that runs/ and records/ lie in: the checkout, or what EXPERIMENTS_HOME names."""
    if "EXPERIMENTS_HOME" in os.environ:
        return Path(os.environ["EXPERIMENTS_HOME"])
    return ROOT if (ROOT / "pyproject.toml").exists() else Path.cwd()


def results() -> Path:
    """The folder of results."""
    return home() / "runs" / "results"


def records() -> Path:
    """The folder of results kept in git."""
    return home() / "records"


def networks() -> Path:
    """The folder of trained networks and of checkpoints."""
    return home() / "runs" / "networks"


def running() -> Path:
    """The folder that says what is being run now."""
    return home() / "runs" / "running"


def split(outcome, function: str) -> tuple[dict, dict, dict]:
    """What a piece's function returned as (scalars, arrays, measured), or a ValueError."""
    outcome, measured = (
        outcome if isinstance(outcome, tuple) and len(outcome) == 2 else (outcome, {})
    )
    if isinstance(outcome, int | float | np.number):
        outcome = {"value": outcome}
    if not isinstance(outcome, dict) or not isinstance(measured, dict):
        raise ValueError(
            f"{function} returns a number, a dict, or two dicts, got {type(outcome).__name__}"
        )
    scalars, arrays = {}, {}
    for name, value in outcome.items():
        if isinstance(value, np.ndarray) and value.dtype != object:
            arrays[name] = value
        else:
            scalars[name] = value.item() if isinstance(value, np.generic) else value
    try:
        json.dumps([scalars, measured])
    except TypeError as error:
        raise ValueError(
            f"{function} returns numbers, texts, lists and numpy arrays, got {error}"
        ) from None
    return scalars, arrays, measured


def save(path: Path, scalars: dict, arrays: dict, about: dict) -> None:
    """Write a result; one that is already there is replaced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content, digest = io.BytesIO(), None
    if arrays:
        np.savez_compressed(content, **arrays)
        digest = hashlib.sha256(content.getvalue()).hexdigest()
        with replacing(f"{path}.npz", content.tell()) as file:
            file.write(content.getvalue())
    _write(path, {**about, "format": FORMAT, "arrays": digest, "scalars": scalars})
    if not arrays:
        Path(f"{path}.npz").unlink(missing_ok=True)


def _write(path: Path, about: dict) -> None:
    text = json.dumps(about, indent=1) + "\n"
    with replacing(f"{path}.json", len(text)) as file:
        file.write(text.encode())


def confirm(source: Path, path: Path, entry: dict) -> None:
    """Keep the result `source` at `path`, which may be the same place, with an entry more in its field "confirmed".

    Nothing else in it changes. Each entry is of a comparison with what the result was first made with, so all stay.
    """
    about = json.loads(Path(f"{source}.json").read_bytes())
    if about["arrays"] is not None and source != path:
        content = Path(f"{source}.npz").read_bytes()
        with replacing(f"{path}.npz", len(content)) as file:
            file.write(content)
    scalars = about.pop("scalars")
    _write(path, {**about, "confirmed": [*about.get("confirmed", ()), entry], "scalars": scalars})


def load(path: Path) -> tuple[dict, dict] | None:
    """(values, about) of a stored result, None where there is no whole one."""
    try:
        about = json.loads(Path(f"{path}.json").read_bytes())
        if (
            not isinstance(about, dict)
            or not about.keys() >= set(PARTS)
            or about["format"] != FORMAT
        ):
            return None
        values = about.pop("scalars")
        if about["arrays"] is not None:
            content = Path(f"{path}.npz").read_bytes()
            if hashlib.sha256(content).hexdigest() != about["arrays"]:
                return None
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                values |= {name: file[name] for name in file.files}
        return values, about
    except (FileNotFoundError, ValueError):
        return None


def newest(family: str) -> Path | None:
    """Where the newest result of a function with certain parameters is kept, of whatever code."""
    files = sorted(results().glob(f"{family}-*.json"), key=lambda file: file.stat().st_mtime)
    return files[-1].with_suffix("") if files else None


def of_family(family: str) -> tuple[dict, dict] | None:
    """The newest result of a function with certain parameters, of whatever code."""
    path = newest(family)
    return load(path) if path else None


def machine() -> dict:
    """The class of machine this is: nothing that tells one machine of the class from another."""
    name, info = platform.processor() or platform.machine(), Path("/proc/cpuinfo")
    if info.exists() and (found := re.search(r"^model name\s*: (.*)$", info.read_text(), re.M)):
        name = found[1]
    memory = round(psutil.virtual_memory().total / 2**30)
    return {
        "processor": name,
        "cores": os.cpu_count(),
        "memory_gib": memory,
        "system": platform.system(),
    }


def provenance() -> dict:
    """When, by what and on what something is run."""
    versions = {name: importlib.metadata.version(name) for name in ("numba", "numpy")}
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {
        "date": now,
        "versions": {"python": platform.python_version(), **versions},
        "machine": machine(),
    }
