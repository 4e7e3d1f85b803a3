"""Who makes what: a lock for each thing that is being made, so that no two processes make it.

The operating system holds the locks and takes them from a process that dies, so a claim is never
stale. The lock files themselves stay in runs/locks; they are empty.
"""

import contextlib

from filelock import FileLock, Timeout

from experiments import store


def _lock(name: str) -> FileLock:
    folder = store.home() / "runs" / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    return FileLock(folder / f"{name}.lock", thread_local=False)


def take(name: str) -> FileLock | None:
    """Claim something, or None when it is claimed already. `release()` gives it back."""
    lock = _lock(name)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return None
    return lock


def is_held(name: str) -> bool:
    """Whether anybody has claimed it."""
    lock = take(name)
    if lock is None:
        return True
    lock.release()
    return False


@contextlib.contextmanager
def waiting_for(name: str):
    """Claim something for a while, once whoever has it gives it back or dies."""
    with _lock(name):
        yield
