"""Files: the notebooks, which there are, reading, checking and writing them; and passing files.

What is needed only while something runs lies in a folder of its own in the system's folder for such
things. A program that is killed cannot take it away, so the next one does.
"""

import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbformat.validator import iter_validate

from experiments.versions import ROOT
from lib2048.files import replace_file

try:
    import fcntl
except ImportError:  # Windows has no such locks, and there what was left stays
    fcntl = None

PASSING = "lib2048-passing-"  # how the names of passing folders begin
LOCK = "lock"  # a file in each of them that is locked while its program lives
YOUNG = 60.0  # seconds for which a folder may not have its lock yet


def read(path: Path):
    """A notebook of the current format, its cells with ids that stay, or a ValueError."""
    try:
        nb = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except (nbformat.ValidationError, ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{path.name} is no notebook: {error!s:.200}") from None
    nb.nbformat_minor = max(5, nb.nbformat_minor)
    for number, cell in enumerate(nb.get("cells", [])):
        cell.setdefault("id", f"cell-{number:02d}")
    check(nb, path.stem)
    return nb


def check(nb, name: str) -> None:
    """Raise ValueError unless a notebook is made as its format says."""
    error = next(iter_validate(nb), None)
    if error is not None:
        place = "/".join(str(step) for step in error.absolute_path)
        raise ValueError(f"{name}.ipynb is no valid notebook: {place}: {error.message[:200]}")


def write(nb, path: Path) -> bool:
    """Write a notebook, unless the file says the same already; returns whether it changed."""
    return write_if_other(path, (nbformat.writes(nb).rstrip("\n") + "\n").encode())


def write_if_other(path: Path, content: bytes) -> bool:
    """Write a file, unless it says the same already; returns whether it changed."""
    if path.exists() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, content)
    return True


def sources(root: Path = ROOT, names: Iterable[str] = ()) -> list[Path]:
    """The notebooks of a checkout in order: those with a number, then the appendices.

    These are the files notebooks/NN_name.ipynb and notebooks/appendix_name.ipynb that there are;
    no list is kept anywhere else. With names, such as 06 or 06_training, these are the notebooks
    whose names begin so; ValueError where there is none.
    """
    files = (root / "notebooks").glob("*.ipynb")
    # Digits sort before letters, so appendices come last.
    there = sorted(path for path in files if re.match(r"(\d\d|appendix)_", path.name))
    wanted = [Path(name).stem for name in names]
    unknown = [name for name in wanted if not any(path.stem.startswith(name) for path in there)]
    if unknown or not there:
        called = ", ".join(unknown) or "NN_name.ipynb"
        found = ", ".join(path.stem for path in there) or "none"
        raise ValueError(f"no notebook is called {called}; there are {found}")
    if not wanted:
        return there
    return [path for path in there if path.stem.startswith(tuple(wanted))]


@contextmanager
def passing_folder() -> Iterator[Path]:
    """A folder that is gone afterwards, and so is what earlier programs left that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PASSING}*"):
        if _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=PASSING, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with open(folder / LOCK, "wb") as lock:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder


def _is_abandoned(folder: Path) -> bool:
    """Whether the program that made a passing folder has ended."""
    if fcntl is None:
        return False
    try:
        if time.time() - folder.stat().st_mtime < YOUNG:
            return False
        with open(folder / LOCK, "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # it is locked, gone, or somebody else's
        return False
    return True
