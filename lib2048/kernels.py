"""Where numba keeps compiled kernels, and how a kernel gathers bits quickly.

Two things every kernel file needs:

* `kernel_cache(*folders)` names numba's disk cache after the kernel sources. Numba notices a change in the file a
  function stands in, but not in a function that it calls from another file; a folder named by a hash of all of them
  cannot be stale.
* `_gather` and `_nth_bit` pick bits out of a 64-bit word; `_scatter`, in planes.py, puts them back. Processors with
  BMI2 do each in one instruction (`pext`, `pdep`). Every other processor, and pure Python, takes the portable bodies,
  which give the same bits. LIB2048_PORTABLE=1 forces the portable bodies.
"""

import functools
import hashlib
import os
import sys
from pathlib import Path

import numba
import numpy as np
from numba import njit

uint64 = np.uint64
U = uint64


def kernel_cache(*folders: str | os.PathLike) -> Path:
    """Send the kernels defined from now on to a cache folder named by the kernel sources in `folders`."""
    digest = hashlib.sha256(
        f"{numba.__version__} {sys.version} {os.environ.get('LIB2048_PORTABLE')}".encode()
    )
    for folder in folders:
        for file in sorted(Path(folder).rglob("*.py")):
            source = file.read_bytes()
            if b"@kernel" in source:
                digest.update(file.name.encode() + source)
    name = f"kernels-{digest.hexdigest()[:16]}"
    homes = [Path(folders[0]) / "__pycache__", Path.home() / ".cache" / "lib2048"]
    if "NUMBA_CACHE_DIR" in os.environ:
        homes.insert(0, Path(os.environ["NUMBA_CACHE_DIR"]))
    for home in homes:
        try:
            (home / name).mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(home / name, os.W_OK):
            numba.config.CACHE_DIR = str(home / name)
            return home / name
    raise ValueError(
        f"no folder for compiled kernels is writable, tried {[str(home) for home in homes]}"
    )


kernel = functools.partial(njit, cache=True, _nrt=False)
"""Compile a function that works on the arrays it is given and allocates none, so numba need not count references, which
would cost more than the work. `@kernel(forceinline=True)` marks the small functions of the innermost loops."""
