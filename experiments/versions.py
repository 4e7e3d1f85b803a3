"""What says that a stored result is still good: the declared version of its function.

    @versioned(2)
    def train_and_evaluate(...):

Nobody can tell from a hash of the sources whether they *do* something else now or only *say* it
otherwise, so the function that makes a result says it itself: whoever makes it, or anything it
calls, give other results raises the number, and then results with the old number are stale. The
hash of the sources is kept with each result too, but only to say where it comes from.
"""

import hashlib
import inspect
import platform
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("lib2048", "libewn", "workbook", "experiments")


def versioned(number: int, options: dict | None = None):
    """Declare the version of a function that results come from.

    Parameters
    ----------
    number : int
        The version. A stored result with another one is stale.
    options : dict, optional
        The names and defaults of what the function takes as `**options`.
    """

    def declare(function):
        function.version = number
        if options:
            signature = inspect.signature(function)
            *own, _their_place = signature.parameters.values()
            own += [
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
                for name, value in options.items()
            ]
            function.__signature__ = signature.replace(parameters=own)
        return function

    return declare


def version_of(function) -> int | str:
    """The declared version of a function, or else the hash of its source.

    ValueError if it is no function that a `def` made, or its source cannot be read.
    """
    function = getattr(function, "py_func", function)  # a compiled function holds its Python one
    if not inspect.isfunction(function) or function.__name__ == "<lambda>":
        raise ValueError(f"an experiment runs a function defined with `def`, got {function!r}")
    if hasattr(function, "version"):
        return function.version
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        raise ValueError(
            f"the source of {function.__qualname__} cannot be read; "
            "define it in a file or a notebook cell, or declare a version with @versioned(1)"
        ) from None
    return hashlib.sha256(source.encode()).hexdigest()[:12]


def sources_hash() -> str:
    """The hash of this project's modules on disk: their names and bytes, but for ends of lines."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            content = file.read_bytes().replace(b"\r\n", b"\n")
            digest.update(f"{file.relative_to(ROOT).as_posix()} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()


LOADED = sources_hash()  # what this process has in memory, even when files are edited later


def code_in_words(sources: str) -> str:
    """What decides whether a process gives the same results: its sources and its Python."""
    major, minor, _ = platform.python_version_tuple()
    return f"sources {sources[:12]} in Python {major}.{minor}"
