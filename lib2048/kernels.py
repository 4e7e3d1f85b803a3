"""Kernels: functions that numba compiles, and keeps compiled (see kernel_cache.py).

A kernel works on numbers and on the arrays it is given, and allocates none. So numba need not count
references, which would cost more than the work.
"""

from collections.abc import Callable

import numba
import numpy as np

from lib2048.kernel_cache import KernelCache

uint64 = np.uint64
"""A word of 64 bits.

A mixture of uint64 and int64 is a float to numba, so words are said to be words.
"""


def kernel(forceinline: bool = False, nogil: bool = False) -> Callable[[Callable], Callable]:
    """Compile a function the first time it is called with arguments of some types.

    With NUMBA_DISABLE_JIT=1 it stays a Python function, slow, that a debugger can step through.

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
        dispatcher = numba.njit(_nrt=False, forceinline=forceinline, nogil=nogil)(function)
        if not numba.config.DISABLE_JIT:
            # Numba has no public way to give a function a cache of its own. `cache=True` would set
            # this attribute too.
            dispatcher._cache = KernelCache(function)
        return dispatcher

    return compiled
