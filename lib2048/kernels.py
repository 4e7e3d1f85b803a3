"""Kernels: functions that numba compiles, and keeps compiled (see kernel_cache.py).

A kernel works on numbers and on the arrays it is given, and allocates none. So numba need not count
references, which would cost more than the work.

Where numba is not installed, as in Python inside a browser, kernels are the Python functions that
they are written as: they give the same games and the same weights to the bit, and take their time.
"""

import functools
import threading
import warnings
from collections.abc import Callable

import numpy as np

try:
    import numba
except ImportError:
    HAS_NUMBA = False
    COMPILES = False
else:
    HAS_NUMBA = True
    COMPILES = not numba.config.DISABLE_JIT
    from lib2048.kernel_cache import KernelCache

uint64 = np.uint64
"""A word of 64 bits.

A mixture of uint64 and int64 is a float to numba, so words are said to be words.
"""

SLOW = (
    "numba is not installed, so lib2048 runs as plain Python. It gives the same results, but "
    "learns some thousand times as slowly: a few games a second. `pip install numba` makes it fast."
)

if not HAS_NUMBA:
    warnings.warn(SLOW, stacklevel=2)


def kernel(forceinline: bool = False, nogil: bool = False) -> Callable[[Callable], Callable]:
    """Compile a function the first time it is called with arguments of some types.

    Without numba, and with NUMBA_DISABLE_JIT=1, it stays a Python function, slow, that a debugger
    can step through.

    Parameters
    ----------
    forceinline : bool
        Whether its body takes the place of every call, as is right for the small functions of the
        innermost loops.
    nogil : bool
        Whether other threads may run Python meanwhile.

    Returns
    -------
    callable
        A decorator.

    Examples
    --------
    >>> @kernel()
    ... def _double(number):
    ...     return 2 * number
    >>> _double(21)
    42
    """

    def compiled(function: Callable) -> Callable:
        if not COMPILES:
            return _plain(function)
        dispatcher = numba.njit(_nrt=False, forceinline=forceinline, nogil=nogil)(function)
        # Numba has no public way to give a function a cache of its own. `cache=True` would set this
        # attribute too.
        dispatcher._cache = KernelCache(function)
        return dispatcher

    return compiled


class _Quiet(threading.local):
    """Whether this thread is inside a kernel, where numpy was told to be quiet."""

    is_on = False


_quiet = _Quiet()


def _plain(function: Callable) -> Callable:
    """A kernel that is not compiled.

    Words of 64 bits overflow in random numbers and in counting bits, and are meant to. Compiled
    code does so without a word, but numpy would warn of it. Telling it not to takes longer than
    many a kernel, so only the outermost one does.
    """

    @functools.wraps(function)
    def plain(*arguments, **named):
        if _quiet.is_on:
            return function(*arguments, **named)
        _quiet.is_on = True
        try:
            with np.errstate(all="ignore"):
                return function(*arguments, **named)
        finally:
            _quiet.is_on = False

    return plain
