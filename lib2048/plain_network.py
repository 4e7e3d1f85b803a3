"""Between a network and the plain engine, which learns in tables of its own.

An NTupleNetwork keeps its weights in an order that the fast engine likes, all tables in a row. The
plain engine has one table a pattern, in natural order. So it learns in a copy, and what it learned
is brought back.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from lib2048.learning import Network, new_network, with_errors
from lib2048.network import NTupleNetwork


def plain_network(net: NTupleNetwork) -> Network:
    """A copy of a network for the plain engine.

    Parameters
    ----------
    net : NTupleNetwork
        Any network. The copy has the same weights and the same sums of temporal coherence. The
        cells of each pattern are sorted in it, as those of the named networks are anyway.

    Returns
    -------
    Network
        For one thread at a time, see `learning.with_own_memory`.

    Raises
    ------
    ValueError
        If there is not enough memory for it.
    """
    patterns = [sorted(pattern) for pattern in net.patterns]
    copy = new_network(patterns, net.symmetries, net.values == "state")
    if net.coherent:
        copy = with_errors(copy)
    for k, sums, table in _all_tables(copy):
        for first, part in net.table_parts(k, sums=sums):
            if part.any():  # memory that is never written to is never taken
                table[_sorted_indices(first, len(part), net.patterns[k])] = part
    return copy


def bring_back(copy: Network, net: NTupleNetwork) -> None:
    """Write what a copy has learned into the network it was made of, in place.

    Parameters
    ----------
    copy : Network
        What `plain_network` made.
    net : NTupleNetwork
        The network it was made of, or one like it.
    """
    if len(copy.errors):
        net.keep_errors()
    for k, sums, table in _all_tables(copy):
        for first, before in net.table_parts(k, sums=sums):
            part = table[_sorted_indices(first, len(before), net.patterns[k])]
            if not np.array_equal(part, before):
                net.set_table_part(k, first, np.ascontiguousarray(part), sums=sums)


def _all_tables(copy: Network) -> Iterator[tuple[int, int | None, np.ndarray]]:
    """The weights of each pattern, and its two sums of errors: (pattern, None or 0 or 1, table)."""
    for k in range(len(copy.tables)):
        yield k, None, copy.tables[k]
        if len(copy.errors):
            yield k, 0, copy.errors[k, :, 0]
            yield k, 1, copy.errors[k, :, 1]


def _sorted_indices(first: int, count: int, pattern: Sequence[int]) -> slice | np.ndarray:
    """Where the natural indices first, first + 1, ... are in the table of the sorted pattern."""
    if list(pattern) == sorted(pattern):
        return slice(first, first + count)
    natural = np.arange(first, first + count)
    indices = np.zeros_like(natural)
    for digit, cell in enumerate(sorted(pattern)):
        exponent = (natural >> 4 * pattern.index(cell)) & 15
        indices |= exponent << 4 * digit
    return indices
