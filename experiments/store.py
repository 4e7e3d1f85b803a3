"""Results on disk: a .json with numbers, texts and provenance, and an .npz with any arrays.

The .json holds a checksum of itself and the hash of its .npz, which is written first. Both are
written under another name until they are whole. So a result whose writing was cut short, or that
was changed since, is not there. Neither can hold code (no pickle).
"""

import contextlib
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

from experiments.versions import LOADED, ROOT
from lib2048.files import replace_file

FORMAT = 2
ABOUT = {
    "scalars": dict,
    "parameters": dict,
    "version": int | str,
    "function": str,
    "seconds": int | float,
    "arrays": str | None,
}  # what every result says, at least


def json_hash(content) -> str:
    """The hash of what JSON would say of `content`, whatever the order of its dicts."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def file_hash(path: Path) -> str:
    """The hash of the bytes of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


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
    measured = {}
    if isinstance(outcome, tuple) and len(outcome) == 2:
        outcome, measured = outcome
    if isinstance(outcome, int | float | np.number):
        outcome = {"value": outcome}
    if not isinstance(outcome, dict) or not isinstance(measured, dict):
        raise ValueError(
            f"{function} returns a number, a dict, or two dicts, got {type(outcome).__name__}"
        )
    scalars = {}
    arrays = {}
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
    arrays_hash = None
    if arrays:
        stream = io.BytesIO()
        np.savez_compressed(stream, **arrays)
        arrays_hash = hashlib.sha256(stream.getvalue()).hexdigest()
        replace_file(Path(f"{path}.npz"), stream.getvalue())
    content = {**about, "format": FORMAT, "arrays": arrays_hash, "scalars": scalars}
    content = json.loads(json.dumps(content))  # as it will be read: tuples are lists
    content["checksum"] = json_hash(content)
    replace_file(Path(f"{path}.json"), (json.dumps(content, indent=1) + "\n").encode())
    if not arrays:
        Path(f"{path}.npz").unlink(missing_ok=True)


def load(path: Path) -> tuple[dict, dict] | None:
    """(values, about) of a stored result, None where there is no whole one."""
    try:
        about = _read_json(Path(f"{path}.json"))
        values = about.pop("scalars")
        if about["arrays"] is not None:
            values |= _read_arrays(Path(f"{path}.npz"), about["arrays"])
    except (FileNotFoundError, ValueError):
        return None
    return values, about


def _read_json(path: Path) -> dict:
    """What a .json says, or a ValueError where it is not what was written."""
    content = json.loads(path.read_bytes())
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f"{path} is no result of this format")
    if content.pop("checksum", None) != json_hash(content):
        raise ValueError(f"{path} is not as it was written")
    for name, kind in ABOUT.items():
        if name not in content or not isinstance(content[name], kind):
            raise ValueError(f"{path} does not say {name}, got {content.get(name)!r:.40}")
    return content


def _read_arrays(path: Path, expected: str) -> dict[str, np.ndarray]:
    """The arrays of an .npz, or a ValueError where it is another file than the .json speaks of."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != expected:
        raise ValueError(f"{path} is not as it was written")
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def newest(family: str) -> Path | None:
    """Where the newest result of a function and parameters is kept, of whatever version."""
    files = sorted(results().glob(f"{family}-*.json"), key=lambda file: file.stat().st_mtime)
    return files[-1].with_suffix("") if files else None


def machine() -> dict:
    """The class of machine this is: nothing that tells one machine of the class from another."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        model = re.search(r"^model name\s*: (.*)$", cpuinfo.read_text(), re.M)
        processor = model[1] if model else processor
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30),
        "system": platform.system(),
    }


def provenance() -> dict:
    """When, by what and on what something is run."""
    versions = {"python": platform.python_version()}
    for name in ("numba", "numpy"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):  # numba may be missing
            versions[name] = importlib.metadata.version(name)
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "versions": versions,
        "machine": machine(),
        "sources": LOADED,
    }
