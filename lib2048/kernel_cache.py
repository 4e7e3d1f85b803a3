"""Where compiled kernels are kept, and when one is compiled again.

Compiling all kernels takes longer than most games that are played with them, so each is kept in a
file, and the next process reads it. Numba can do this by itself, but it notices a change only in
the file a function stands in: not in a function that it calls from another file, not in a constant,
not in the fields of a NamedTuple. And it takes a change of a docstring for one.

So the file of a kernel is named by a **fingerprint** of what the compiler sees: the bytecode of the
kernel, the values of the constants it names, the same of every function it calls, and the types of
its arguments. Whatever changes the compiled code changes the name. Whatever does not (a comment, a
message, another function in the same file) does not. Processor, numba, Python and what else kernels
depend on name the folder.

Numba's own settings stay as they are: functions that a user compiles go where numba puts them.
NUMBA_CACHE_DIR is honoured for kernels as well.
"""

import contextlib
import dis
import functools
import glob
import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
import types as python_types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config, sigutils
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.core.types import BaseTuple, Type  # type: ignore[attr-defined]

from lib2048.files import replace_file

SUFFIX = ".kernel"
KEPT = 3  # versions of a kernel: so an edit that is taken back, or another branch, compiles nothing
DAYS = 30  # after which a version that no process has used is deleted
SECONDS_OF_A_DAY = 24 * 60 * 60
OTHERS_MAY_WRITE = 0o022  # the bits of a folder's mode that say so
DIGEST_BYTES = hashlib.sha256().digest_size
LARGE = 1024  # bytes from which on the digest of an array is remembered

OPEN_LIBRARIES = ("numba", "llvmlite", "numpy")
"""Libraries whose functions are known by name, as their versions name the cache folder."""

SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
"""Settings of numba that change compiled code, and that numba's own cache leaves out of account."""


# Fingerprints


class Fingerprint:
    """A digest of what compiled code depends on.

    Functions are described once, by a number wherever they come up again, so functions that call
    each other are no difficulty.
    """

    def __init__(self):
        self._digest = hashlib.sha256()
        self._numbers = {}  # id of a function or class: in which order it came up

    def hexdigest(self) -> str:
        """The digest of all that was added."""
        return self._digest.hexdigest()

    def add(self, value: Any) -> None:
        """Add a value that a kernel may use.

        Parameters
        ----------
        value : object
            A constant, a function, a type, or a tuple of such.

        Raises
        ------
        TypeError
            For a value of which it is not known what compiled code takes from it.
        """
        if isinstance(value, Dispatcher):
            self._add_words("kernel", sorted(value.targetoptions.items()))
            self._add_function(value.py_func)
        elif isinstance(value, _Intrinsic):
            self._add_words("intrinsic")
            self._add_function(value._defn)
        elif isinstance(value, python_types.FunctionType):
            self._add_function(value)
        elif isinstance(value, python_types.CodeType):
            self._add_code(value)
        elif isinstance(value, type):
            self._add_class(value)
        elif isinstance(value, python_types.ModuleType):
            self._add_module(value)
        elif isinstance(value, np.ndarray):
            self._add_words("array", value.dtype.str, value.shape, _digest_of(value))
        elif isinstance(value, tuple | list):
            self._add_words(type(value).__name__, len(value), getattr(value, "_fields", ()))
            for entry in value:
                self.add(entry)
        elif isinstance(value, str | bytes | int | float | complex | bool | range | None):
            self._add_words(type(value).__name__, repr(value))
        elif isinstance(value, np.generic):
            self._add_words(value.dtype.str, value.tobytes())
        elif isinstance(value, python_types.BuiltinFunctionType | np.ufunc | Type):
            self._add_words("named", str(value))
        else:
            raise TypeError(
                f"a kernel uses {value!r:.80}, of type {type(value).__name__}, and it is not known "
                "what compiled code takes from it; use numbers, arrays, tuples or kernels"
            )

    def add_argument_type(self, argument: Type) -> None:
        """Add the type of an argument, with the names of the fields: kernels find them by place."""
        self._add_words("argument", str(argument))
        if isinstance(argument, BaseTuple):
            self._add_words(getattr(argument, "fields", ()))
            for part in argument:
                self.add_argument_type(part)

    def _add_words(self, *words: object) -> None:
        self._digest.update(repr(words).encode())

    def _is_new(self, value: object) -> bool:
        """Number a function or a class; False if it has a number, which is then all that counts."""
        is_new = id(value) not in self._numbers
        number = self._numbers.setdefault(id(value), len(self._numbers))
        self._add_words("number", number)
        return is_new

    def _add_function(self, function: python_types.FunctionType) -> None:
        if not self._is_new(function):
            return
        self._add_words(function.__module__, function.__qualname__)
        self._add_code(function.__code__, function.__doc__)
        self.add(function.__defaults__)
        for cell in function.__closure__ or ():
            self.add(cell.cell_contents)
        for name in _global_names(function.__code__):
            if name in function.__globals__:
                self._add_words(name)
                self.add(function.__globals__[name])

    def _add_code(self, code: python_types.CodeType, docstring: str | None = None) -> None:
        self._add_words(code.co_name, code.co_code, code.co_names, code.co_varnames)
        self._add_words(code.co_freevars, code.co_cellvars)
        for constant in code.co_consts:
            if docstring is None or constant != docstring:
                self.add(constant)

    def _add_class(self, class_: type) -> None:
        self._add_words("class", class_.__module__, class_.__qualname__)
        if _is_open(class_.__module__) or class_.__module__ == "builtins":
            return
        if self._is_new(class_):
            self._add_words(getattr(class_, "_fields", ()))
            for name, member in sorted(vars(class_).items()):
                if isinstance(member, python_types.FunctionType) and not hasattr(class_, "_fields"):
                    self._add_words(name)
                    self.add(member)

    def _add_module(self, module: python_types.ModuleType) -> None:
        """Add a library's name. A module of ours could change without a change of its name."""
        if not _is_open(module.__name__) and module.__name__ not in sys.stdlib_module_names:
            raise TypeError(
                f"a kernel uses the module {module.__name__}: import what it uses by name, "
                "so that a change of it is noticed"
            )
        self._add_words("module", module.__name__)


def _is_open(module: str) -> bool:
    return module.partition(".")[0] in OPEN_LIBRARIES


@functools.cache
def _global_names(code: python_types.CodeType) -> tuple[str, ...]:
    """The global names that a function's code reads, with those of the functions inside it."""
    names = set()
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            names.add(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            names.update(_global_names(constant))
    return tuple(sorted(names))


_digests: dict[int, tuple[np.ndarray, str]] = {}


def _digest_of(array: np.ndarray) -> str:
    """A digest of an array's bytes.

    That of a large one is taken once in a process. Numba takes the values of a constant once, too.
    """
    if id(array) in _digests:
        return _digests[id(array)][1]
    if array.dtype.hasobject:
        raise TypeError(f"a kernel uses an array of Python objects: {array!r:.80}")
    digest = hashlib.sha256(array.tobytes()).hexdigest()
    if array.nbytes >= LARGE:
        _digests[id(array)] = (array, digest)
    return digest


# Folders


def target() -> tuple[str, str, str]:
    """What numba compiles for: (platform, processor, features of the processor).

    NUMBA_CPU_NAME and NUMBA_CPU_FEATURES may name another processor than this one.
    """
    return cpu_target.target_context.codegen().magic_tuple()


def _folder_name() -> str:
    """A name for what all kernels depend on: processor, Python, libraries, settings."""
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    settings = [getattr(config, name, None) for name in SETTINGS]
    digest = hashlib.sha256(repr((target(), versions, settings)).encode()).hexdigest()
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    return f"kernels-{python}-{digest[:12]}"


def _homes() -> Iterator[Path]:
    """The folders in which the cache may lie, the best first."""
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR)
    yield Path(__file__).parent / "__pycache__"
    with contextlib.suppress(RuntimeError):  # nobody knows where this user's home is
        yield Path.home() / ".cache" / "lib2048"
    with contextlib.suppress(OSError):
        yield _temporary_home()


def _temporary_home() -> Path:
    """A folder of this user alone in the system's folder of temporary files, or an OSError.

    That folder is open to everybody, and a kernel is machine code, which runs with the rights of
    whoever loads it. So a folder there is used only if nobody else can have put files into it.
    """
    user = os.getuid() if hasattr(os, "getuid") else "user"
    home = Path(tempfile.gettempdir()) / f"lib2048-{user}"
    home.mkdir(mode=0o700, exist_ok=True)
    status = home.lstat()
    if hasattr(os, "getuid") and (status.st_uid != user or status.st_mode & OTHERS_MAY_WRITE):
        raise PermissionError(f"others can write to {home}")
    return home


@functools.cache
def cache_folder() -> Path | None:
    """The folder of compiled kernels; None, after a warning, where none can be written."""
    for home in _homes():
        folder = home / _folder_name()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            os.utime(folder)  # it was used today, see _delete_unused
        except OSError:
            continue
        return folder
    warn_not_kept("no folder for them can be written")
    return None


@functools.cache
def _delete_unused(home: Path) -> None:
    """Delete the folders, and in them the kernels, that no process has used for a long time.

    Once in a process.
    """
    long_ago = time.time() - DAYS * SECONDS_OF_A_DAY
    for folder in home.glob("kernels-*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_mtime < long_ago:
                shutil.rmtree(folder)
        for file in folder.glob(f"*{SUFFIX}"):
            with contextlib.suppress(OSError):
                if file.stat().st_mtime < long_ago:
                    file.unlink()


def _delete_old_versions(file: Path) -> None:
    """Delete all but the latest used versions of a kernel.

    A process reads a kernel's file once and whole, so this takes nothing away from processes that
    run.
    """
    versions = []
    for version in file.parent.glob(f"{glob.escape(_without_fingerprint(file.name))}-*{SUFFIX}"):
        with contextlib.suppress(OSError):  # another process has just deleted it
            versions.append((version.stat().st_mtime, version))
    for _, version in sorted(versions, reverse=True)[KEPT:]:
        with contextlib.suppress(OSError):
            version.unlink()


def _without_fingerprint(name: str) -> str:
    return name.rpartition("-")[0]


@functools.cache
def warn_not_kept(reason: str) -> None:
    """Say, once, that compiled kernels are not kept."""
    warnings.warn(
        f"compiled kernels are not kept, as {reason}; so each process compiles them anew, which "
        "takes up to a minute. Set NUMBA_CACHE_DIR to a folder that can be written.",
        stacklevel=2,
    )


# The cache of one kernel


class KernelCache(NullCache):
    """What numba asks for the compiled code of one kernel, and gives it to.

    A file holds the digest of what follows, then the compiled code as numba packs it. A file that
    is damaged is deleted, and the kernel compiled as if there had been none.
    """

    def __init__(self, function: Callable):
        self._function = function

    @property
    def cache_path(self) -> str | None:
        """The folder, for numba's statistics."""
        folder = cache_folder()
        return None if folder is None else str(folder)

    def load_overload(self, sig: tuple, target_context: Any) -> CompileResult | None:
        """The compiled code for a signature, or None when there is none."""
        file = self._file(sig)
        if file is None or not file.exists():
            return None
        target_context.refresh()
        try:
            packed = file.read_bytes()
            content = packed[DIGEST_BYTES:]
            if hashlib.sha256(content).digest() != packed[:DIGEST_BYTES]:
                raise ValueError(f"{file} is damaged")
            compiled = CompileResult._rebuild(target_context, *pickle.loads(content))
            os.utime(file)  # among the versions of this kernel, it is the latest used
        except Exception:  # whatever unpacking a damaged file may raise: compiling is always right
            with contextlib.suppress(OSError):
                file.unlink()
            return None
        return compiled

    def save_overload(self, sig: tuple, data: CompileResult) -> None:
        """Keep the compiled code for a signature."""
        file = self._file(sig)
        if file is None or data.lifted or data.library.has_dynamic_globals:
            return
        content = dumps(data._reduce())
        try:
            replace_file(file, hashlib.sha256(content).digest() + content)
        except (OSError, ValueError) as error:  # a full disk is no reason not to play
            warn_not_kept(f"{file.parent} cannot be written ({error})")
            return
        _delete_old_versions(file)
        _delete_unused(file.parent.parent)

    def _file(self, sig) -> Path | None:
        """The file for this kernel, as it is now, and these types of arguments."""
        folder = cache_folder()
        if folder is None:
            return None
        arguments, _ = sigutils.normalize_signature(sig)
        signature = hashlib.sha256(repr([str(argument) for argument in arguments]).encode())
        fingerprint = Fingerprint()
        fingerprint.add(self._function)
        for argument in arguments:
            fingerprint.add_argument_type(argument)
        name = re.sub(r"[^\w.]", "", f"{self._function.__module__}.{self._function.__qualname__}")
        parts = (name, signature.hexdigest()[:8], fingerprint.hexdigest()[:16])
        return folder / ("-".join(parts) + SUFFIX)
