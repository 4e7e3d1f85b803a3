"""The n-tuple network: a board's value as a sum of table entries.

A pattern is a tuple of cells, such as (0, 1, 2, 4, 5, 6). Its table has one weight for every way
those cells can be filled: 16**6 of them. The board is looked at from all 8 sides, and each side
looks one weight up in each table:

    V(board) = sum over patterns k, sum over images i of the board: table_k[index_k(image_i)]

All 8 images share one table, so what is learned in one corner is known in all four. (Szubert and
Jaśkowski 2014, "Temporal difference learning of n-tuple networks for the game 2048".)

A table has two orders. Whoever asks for an index or a table gets the natural one, in which the
pattern's cells are the digits of a number. In memory a table lies in plane order, which is faster;
see fast/lookup.py.
"""

import os
import warnings
from collections.abc import Iterator, Sequence

import numpy as np

from lib2048 import saving
from lib2048.fast.lookup import (
    F32,
    START,
    Net,
    _from_natural,
    _plane_place,
    _to_natural,
    _update_board,
    _value_of_board,
    lay_out,
    ranks_of,
)
from lib2048.kernels import uint64
from lib2048.patterns import PATTERNS, Pattern, check_patterns, pattern_images
from lib2048.validate import (
    check_board,
    check_count,
    check_finite,
    check_memory,
    check_p4,
    on_one_line,
)

__all__ = ["PATTERNS", "NTupleNetwork", "check_patterns", "new_like"]

VALUES = ("afterstate", "state")


class NTupleNetwork:
    """A value function for 2048.

    Parameters
    ----------
    patterns : str or sequence of sequences of int
        A name of `PATTERNS`, or the patterns, each of 1 to 8 distinct cells.
    values : str
        What V is the value of: "afterstate" or "state".
    init : float
        V of every board before learning.
    symmetries : int
        8, or 1 to look at the board from one side only.

    Attributes
    ----------
    patterns : tuple of tuples of int
        The patterns.
    p4 : float
        The probability of a 4 in the games it learned from last, 0.1 before.
    games : int
        How many games it has learned from.
    history : list of dict
        What `train` was told, and what came of it, one entry a call.

    Raises
    ------
    ValueError
        If an argument is not what it may be, or the tables do not fit into memory.

    Warns
    -----
    UserWarning
        If two patterns are images of each other, since the second one tells the network nothing.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork
    >>> net = NTupleNetwork(((0, 1), (0, 1, 4)))
    >>> net.lookups, net.value(0x21)
    (16, 0.0)
    """

    def __init__(
        self,
        patterns: str | Sequence[Sequence[int]] = "4x6",
        values: str = "afterstate",
        init: float = 0.0,
        symmetries: int = 8,
    ):
        if not isinstance(values, str) or values not in VALUES:
            raise ValueError(f'values is "afterstate" or "state", got {values!r}')
        if not _is_number_below(9, symmetries) or symmetries not in (1, 8):
            raise ValueError(f"symmetries is 8 or 1, got {symmetries!r}")
        self.init = check_finite("init, the value of every board at the start,", init)
        self.patterns = check_patterns(patterns)
        self.values = values
        self.symmetries = int(symmetries)
        self.p4 = 0.1
        self.games = 0
        self.history: list[dict] = []
        self._warn_of_images()
        self._make_tables()

    def _warn_of_images(self) -> None:
        """Warn of patterns that look the same weights up as an earlier one."""
        if self.symmetries == 1:
            return
        for k, pattern in enumerate(self.patterns):
            cells_of_images = [set(image) for image in pattern_images(pattern)]
            for earlier in self.patterns[:k]:
                if set(earlier) in cells_of_images:
                    warnings.warn(
                        f"patterns {earlier} and {pattern} are images of each other: the network "
                        "looks at all sides of the board, so the second one shows it nothing new",
                        stacklevel=3,
                    )

    def _make_tables(self) -> None:
        """Make the tables, and the plans by which kernels find a board's weights in them."""
        count = sum(16 ** len(pattern) for pattern in self.patterns)
        check_memory(4 * count, f"a network of {count:,} weights")
        self.plans, length = lay_out(self.patterns)
        self.weights = np.zeros(length, np.float32)  # zeros never touched take no memory
        if self.init:
            self.weights += F32(self.init / self.lookups)
        self.errors = np.zeros((0, 2), np.float32)

    @property
    def lookups(self) -> int:
        """How many weights make up one value: symmetries x patterns."""
        return self.symmetries * len(self.patterns)

    @property
    def arrays(self) -> Net:
        """The network as kernels see it. Each thread needs one of its own, on the same tables."""
        return Net(
            weights=self.weights,
            errors=self.errors,
            plans=self.plans,
            image_buffer=np.empty((8, 4), np.uint64),
            symmetries=self.symmetries,
            state_values=self.values == "state",
        )

    @property
    def coherent(self) -> bool:
        """Whether the network carries the error sums of temporal coherence learning."""
        return len(self.errors) > 0

    def __repr__(self) -> str:
        weights = sum(16 ** len(pattern) for pattern in self.patterns)
        return (
            f"NTupleNetwork({len(self.patterns)} patterns, V({self.values}), "
            f"{self.lookups} lookups, {weights:,} weights, {self.games:,} games learned from)"
        )

    # A board

    def index(self, k: int, board: int) -> int:
        """The natural index of a pattern on a board: the sum of exponent(cell_j) << 4j.

        Parameters
        ----------
        k : int
            The number of the pattern.
        board : int
            The board.

        Returns
        -------
        int
            An index into `table(k)`.

        Raises
        ------
        ValueError
            If there is no such pattern, or this is no board.

        Examples
        --------
        >>> net = NTupleNetwork(((0, 1, 4),))
        >>> net.index(0, 0x0003_0021) == 1 + 2 * 16 + 3 * 16**2
        True
        """
        board = int(check_board(board))
        index = 0
        for j, cell in enumerate(self._pattern(k)):
            exponent = board >> 4 * cell & 15
            index += exponent << 4 * j
        return index

    def value(self, board: int) -> float:
        """V of a board.

        Parameters
        ----------
        board : int
            The board.

        Returns
        -------
        float
            The sum of its lookups, a float32.

        Raises
        ------
        ValueError
            If this is no board.

        Examples
        --------
        >>> NTupleNetwork(((0, 1),), init=100).value(0x21)
        100.0
        """
        return float(_value_of_board(self.arrays, check_board(board)))

    def update(self, board: int, delta: float) -> float:
        """Move V of a board, in place, by adding delta / lookups to the weight of every lookup.

        V moves by delta, up to rounding, unless the board looks a weight up more than once: such a
        weight is added to each time and read each time, so V moves by more.

        Parameters
        ----------
        board : int
            The board.
        delta : float
            How far V is to move.

        Returns
        -------
        float
            V after.

        Raises
        ------
        ValueError
            If this is no board, or delta is no finite number.

        Examples
        --------
        >>> net = NTupleNetwork(((0, 1),), symmetries=1)
        >>> net.update(0x21, 8.0), net.value(0x21)
        (8.0, 8.0)
        """
        step = F32(check_finite("delta, the change of V,", delta) / self.lookups)
        lookup_places = np.empty(self.lookups, np.uint64)
        return float(_update_board(self.arrays, check_board(board), step, lookup_places))

    def table(self, k: int) -> np.ndarray:
        """A copy of a pattern's table.

        Parameters
        ----------
        k : int
            The number of the pattern.

        Returns
        -------
        numpy.ndarray
            float32, 16**n weights in natural order.

        Raises
        ------
        ValueError
            If there is no such pattern.

        Examples
        --------
        >>> net = NTupleNetwork(((0, 1),), symmetries=1)
        >>> after = net.update(0x21, 8.0)
        >>> net.table(0)[net.index(0, 0x21)]
        np.float32(8.0)
        """
        table = np.empty(16 ** len(self._pattern(k)), np.float32)
        for first, part in self.table_parts(k):
            table[first : first + len(part)] = part
        return table

    def weight(self, k: int, index: int) -> float:
        """One weight of a pattern's table.

        Parameters
        ----------
        k : int
            The number of the pattern.
        index : int
            The natural index, see `index`.

        Returns
        -------
        float
            The weight, without a copy of the table.

        Raises
        ------
        ValueError
            If there is no such pattern or index.

        Examples
        --------
        >>> NTupleNetwork(((0, 1),), init=8).weight(0, 0x21)
        1.0
        """
        size = 16 ** len(self._pattern(k))
        if not _is_number_below(size, index):
            raise ValueError(
                f"an index into table {k} lies between 0 and {size - 1}, got {index!r}"
            )
        place = _plane_place(uint64(index), ranks_of(self.patterns[k]))
        return float(self.plane_table(k)[place])

    # Tables, part by part

    def table_parts(
        self, k: int, part: int = 1 << 20, sums: int | None = None
    ) -> Iterator[tuple[int, np.ndarray]]:
        """Table k in natural order, piece by piece.

        Parameters
        ----------
        k : int
            The number of the pattern.
        part : int
            How many weights a piece has at most.
        sums : int, optional
            0 for the sums of the weights' errors in place of the weights, 1 for the sums of their
            absolute values.

        Yields
        ------
        (int, numpy.ndarray)
            The index of a piece's first weight, and its weights.

        Raises
        ------
        ValueError
            If there is no such pattern, or the network has no such sums.
        """
        part = check_count("part", part)
        table = self._column(k, sums)
        ranks = ranks_of(self.patterns[k])
        for first in range(0, len(table), part):
            piece = np.empty(min(part, len(table) - first), np.float32)
            _to_natural(table, ranks, first, piece)
            yield first, piece

    def set_table_part(
        self,
        k: int,
        first: int,
        values: Sequence[float] | np.ndarray,
        sums: int | None = None,
    ) -> None:
        """Put weights into table k, in place.

        Parameters
        ----------
        k : int
            The number of the pattern.
        first : int
            The natural index of the first of them; the others follow.
        values : array_like
            The weights.
        sums : int, optional
            As in `table_parts`.

        Raises
        ------
        ValueError
            If there is no such pattern, the table has no such indices, or the values are not
            numbers in a row.

        Examples
        --------
        >>> net = NTupleNetwork(((0, 1),), symmetries=1)
        >>> net.set_table_part(0, 0x21, [5.0, 7.0])
        >>> net.weight(0, 0x22), net.value(0x22)
        (7.0, 7.0)
        """
        table = self._column(k, sums)
        weights = _row_of_numbers(values)
        if not _is_number_below(len(table) - len(weights) + 1, first):
            raise ValueError(
                f"table {k} has {len(table)} weights, got {len(weights)} from index {first!r} on"
            )
        _from_natural(weights, ranks_of(self.patterns[k]), first, table)

    # Tables as they lie in memory, which is the fast engine's affair

    def plane_table(self, k: int) -> np.ndarray:
        """Table k as it lies in memory, in plane order (see fast/lookup.py); no copy."""
        return self.weights[self._place_of_table(k)]

    def plane_errors(self, k: int) -> np.ndarray:
        """The error sums of table k in plane order, float32 (16**n, 2); no copy.

        Without coherence there are none, and the shape is (0, 2).
        """
        place = self._place_of_table(k)
        return self.errors[place] if self.coherent else self.errors

    def keep_errors(self) -> None:
        """Make the error sums of temporal coherence learning, all 0, where there are none yet."""
        if not self.coherent:
            size = len(self.weights)
            check_memory(8 * size, f"temporal coherence for {size:,} weights")
            self.errors = np.zeros((size, 2), np.float32)

    def _pattern(self, k: int) -> Pattern:
        if not _is_number_below(len(self.patterns), k):
            raise ValueError(f"the network has patterns 0 to {len(self.patterns) - 1}, got {k!r}")
        return self.patterns[k]

    def _place_of_table(self, k: int) -> slice:
        """Where table k lies among all weights."""
        size = 16 ** len(self._pattern(k))
        start = int(self.plans[k, START])
        return slice(start, start + size)

    def _column(self, k: int, sums: int | None) -> np.ndarray:
        """The weights of table k, or one of its two error sums, in plane order."""
        if sums is None:
            return self.plane_table(k)
        if not self.coherent or not _is_number_below(2, sums):
            there = "0 and 1" if self.coherent else "none"
            raise ValueError(f"of the sums of errors the network has {there}, got sums={sums!r}")
        return self.plane_errors(k)[:, sums]

    # A file

    def save(self, path: str | os.PathLike) -> None:
        """Write the network to a file, in one step: an interruption leaves the file that was there.

        Parameters
        ----------
        path : str or Path
            The file to make or to replace.

        Raises
        ------
        FileNotFoundError
            If the folder of the file does not exist.
        ValueError
            If weights are not finite, because training diverged.
        OSError
            If the disk is full.
        """
        saving.save(self, path)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike,
        patterns: str | tuple | None = None,
        values: str | None = None,
        first_cell: str = "low",
        symmetries: int | None = None,
    ) -> "NTupleNetwork":
        """Read a network from a file of ours or of another program; its first bytes tell which.

        Parameters
        ----------
        path : str or Path
            The file.
        patterns : str or tuple of tuples of int, optional
            The patterns of a weights.bin, which does not say them. Of other files they must be the
            file's.
        values : str, optional
            What V is the value of, "afterstate" or "state". Other programs' files do not say it;
            they are taken to hold V(afterstate) unless told.
        first_cell : str
            Which end of the index a pattern's first cell has in a weights.bin: "low", or "high" in
            a program that computes index * 16 + exponent.
        symmetries : int, optional
            From how many sides another program looks at a board, 8 (the default) or 1, which no
            file of theirs says.

        Returns
        -------
        NTupleNetwork
            The network.

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        ValueError
            If the file is no network, is damaged, is another network than told, or leaves open what
            V is.
        """
        return saving.load(cls, path, patterns, values, first_cell, symmetries)


def new_like(net: NTupleNetwork) -> NTupleNetwork:
    """An untrained network of the same shape and kind; p4 is taken over.

    Parameters
    ----------
    net : NTupleNetwork
        The network to resemble.

    Returns
    -------
    NTupleNetwork
        One that has not learned.

    Examples
    --------
    >>> new_like(NTupleNetwork(((0, 1),), "state"))
    NTupleNetwork(1 patterns, V(state), 8 lookups, 256 weights, 0 games learned from)
    """
    other = NTupleNetwork(net.patterns, net.values, 0.0, net.symmetries)
    other.p4 = check_p4(net.p4)
    return other


def _is_number_below(end: int, number) -> bool:
    """Whether this is a whole number from 0 to end - 1, and no truth value."""
    is_whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    return is_whole and 0 <= number < end


def _row_of_numbers(values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Weights as a row of float32, or a ValueError."""
    row = np.asarray(values)
    if row.ndim != 1 or row.dtype.kind not in "iuf":
        raise ValueError(f"values are numbers in a row, got {on_one_line(values)}")
    return row.astype(np.float32, copy=False)
