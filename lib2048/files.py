"""Writing a file so that an interruption, a full disk or an error loses nothing.

A file is written under a temporary name beside its target, flushed to the disk, and only then
renamed. A rename happens in one step, so whoever looks sees the old file or the new one, whole, and
never half of either.

The temporary name is random: two threads, or two containers that share a disk and count their
processes alike, never write to the same file. While a program writes, it holds a lock on its
temporary file. The lock ends with the program, however it ends, so a temporary file without a lock
was left behind by a program that died, and the next save in that folder removes it.
"""

import contextlib
import errno
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

PREFIX = ".lib2048-"
SUFFIX = ".part"
SECONDS_OF_A_DAY = 24 * 60 * 60


def check_path(path: Any) -> Path:
    """The name of a file as a Path, or a ValueError for what names none.

    Parameters
    ----------
    path : str or Path
        What was given.

    Returns
    -------
    Path
        The same.

    Raises
    ------
    ValueError
        If it is empty, or neither text nor a Path.

    Examples
    --------
    >>> check_path(7)
    Traceback (most recent call last):
        ...
    ValueError: a file is named by text or a Path, such as "net.npz", got 7
    """
    is_name = isinstance(path, str | os.PathLike) and isinstance(os.fspath(path), str)
    if not is_name or os.fspath(path) == "" or "\0" in os.fspath(path):
        raise ValueError(f'a file is named by text or a Path, such as "net.npz", got {path!r}')
    return Path(path)


def check_source(path: str | os.PathLike) -> Path:
    """A file that is there to be read.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    Path
        The same.

    Raises
    ------
    FileNotFoundError
        If there is no such file; the message says if there is a folder in its place.
    ValueError
        If this is no name of a file.

    Examples
    --------
    >>> check_source("no such file.npz")
    Traceback (most recent call last):
        ...
    FileNotFoundError: there is no file no such file.npz
    """
    source = check_path(path)
    if source.is_file():
        return source
    if source.is_dir():
        raise FileNotFoundError(f"{path} is a folder, where a file is wanted")
    raise FileNotFoundError(f"there is no file {path}")


def check_target(path: str | os.PathLike) -> Path:
    """The regular file that writing to `path` would make or replace.

    A symbolic link is followed, so that the file it points to is replaced and the link stays.

    Parameters
    ----------
    path : str or Path
        Where a file is to be written.

    Returns
    -------
    Path
        The file to write.

    Raises
    ------
    FileNotFoundError
        If the folder of the file does not exist.
    PermissionError
        If no file can be made in that folder.
    ValueError
        If there is something else at `path`, such as a folder, which a file cannot replace, or if
        this is no name of a file.

    Examples
    --------
    >>> check_target("no such folder/net.npz")
    Traceback (most recent call last):
        ...
    FileNotFoundError: there is no folder no such folder to write net.npz in
    """
    target = check_path(path)
    if target.is_symlink():
        target = Path(os.path.realpath(target))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {target.parent} to write {target.name} in")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise PermissionError(
            f"the folder {target.parent} may not be written to, so {target.name} cannot be made"
        )
    is_endless_link = target.is_symlink()
    if is_endless_link or target.exists() and not target.is_file():
        raise ValueError(f"{path} is there and not a regular file, so it cannot be replaced by one")
    return target


@contextmanager
def replacing(path: str | os.PathLike, nbytes: int = 0, sync: bool = True) -> Iterator[BinaryIO]:
    """A file to write to that becomes `path` when all went well; otherwise `path` stays as it was.

    The permissions of a file that is replaced are kept, and so is a symbolic link to it. (A second
    hard link goes on naming the old file: a rename cannot be had otherwise.)

    Parameters
    ----------
    path : str or Path
        The file to make or to replace.
    nbytes : int
        About how many bytes will be written, if known, so that a disk that has no room for them is
        found out before anything is written.
    sync : bool
        Whether to wait until the content is on the disk, so that it outlasts a power cut. What is
        of use only while a program runs need not wait.

    Yields
    ------
    BinaryIO
        The file to write to.

    Raises
    ------
    FileNotFoundError, ValueError
        If `path` is no place for a file, see `check_target`.
    OSError
        If the disk is full, or whatever else happens in writing.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(f"{folder}/greeting.txt") as file:
    ...         _ = file.write(b"hello")
    ...     Path(f"{folder}/greeting.txt").read_text()
    'hello'
    """
    target = check_target(path)
    _remove_abandoned(target.parent)
    _check_room(target, nbytes)
    with _temporary_file(target) as (temporary, file):
        yield file
        file.flush()
        if sync:
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):  # there is nothing to replace
            shutil.copymode(target, temporary)
        if fcntl is None:
            file.close()  # Windows renames no file that is open
        os.replace(temporary, target)


def replace_file(path: str | os.PathLike, content: bytes, sync: bool = True) -> None:
    """Write `content` to `path` in one step, see `replacing`.

    Parameters
    ----------
    path : str or Path
        The file to make or to replace.
    content : bytes
        All that the file is to hold.
    sync : bool
        Whether to wait until it is on the disk.

    Raises
    ------
    FileNotFoundError, ValueError, OSError
        As `replacing` does.
    """
    with replacing(path, len(content), sync) as file:
        file.write(content)


def _check_room(target: Path, nbytes: int) -> None:
    free = shutil.disk_usage(target.parent).free
    if nbytes > free:
        message = f"{target} would take {nbytes:,} bytes, the disk has {free:,} free"
        raise OSError(errno.ENOSPC, message)


@contextmanager
def _temporary_file(target: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """A new, locked file beside the target: (its path, the file open for writing).

    It is removed at the end, unless it was renamed. Errors in closing and removing it are passed
    over in silence: either the content is safe by then, or another exception is under way that must
    not be hidden.
    """
    temporary, file = _create_locked(target)
    try:
        yield temporary, file
    finally:
        with contextlib.suppress(OSError):
            file.close()
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _create_locked(target: Path) -> tuple[Path, BinaryIO]:
    # Until it has the permissions of the file it will replace, nobody else may look into it.
    mode = 0o600 if target.exists() else 0o666

    def with_mode(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    while True:
        temporary = target.with_name(f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}")
        file = open(temporary, "xb", opener=with_mode)  # noqa: SIM115 (the caller closes it)
        if fcntl is None:
            return temporary, file
        # Some file systems know no locks. There nobody can lock it in order to remove it, either.
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:
            return temporary, file
        file.close()  # somebody took it for abandoned, in the moment before it was locked


def _remove_abandoned(folder: Path) -> None:
    """Remove the temporary files in a folder that were left behind by programs that died."""
    for leftover in folder.glob(f"{PREFIX}*{SUFFIX}"):
        with contextlib.suppress(OSError):  # another program was faster, or it is another user's
            if fcntl is None:
                _remove_old(leftover)
            else:
                _remove_unlocked(leftover)


def _remove_unlocked(leftover: Path) -> None:
    """Remove a temporary file; OSError when the program that writes it is alive."""
    with open(leftover, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        leftover.unlink()


def _remove_old(leftover: Path) -> None:
    """Remove a temporary file that nobody has written to for a day."""
    if time.time() - leftover.stat().st_mtime > SECONDS_OF_A_DAY:
        leftover.unlink()
