"""Writing a file so that an interruption, a full disk or an error loses nothing."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path


def check_target(path) -> Path:
    """The path of a file that is to be written, or an error that says why it cannot be."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} to write {path.name} in")
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is there and not a regular file, so it cannot be replaced by one")
    return path


@contextmanager
def replacing(path, nbytes: int = 0):
    """A file to write about `nbytes` bytes to, which becomes `path` when all went well; else `path` stays as it was."""
    path = check_target(path)
    free = shutil.disk_usage(path.parent).free
    if nbytes > free:
        raise ValueError(f"{path} would take {nbytes:,} bytes, the disk has {free:,} free")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
