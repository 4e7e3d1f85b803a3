"""The n-tuple network: a board's value as a sum of table entries.

A pattern is a tuple of cells, such as (0, 1, 2, 4, 5, 6). Its table has one weight for every way those cells can be
filled: 16**6 of them. The board is looked at from all 8 sides, and each side looks one weight up in each table:

    V(board) = sum over patterns k, sum over images i of the board: table_k[index_k(image_i)]

All 8 images share one table, so what is learned in one corner is known in all four. (Szubert and Jaskowski 2014,
"Temporal difference learning of n-tuple networks for the game 2048".)
"""

import os

import numpy as np

from lib2048 import saving
from lib2048.fast.bits import gather_plan
from lib2048.fast.lookup import (
    F32,
    START,
    Net,
    _from_natural,
    _plane_place,
    _to_natural,
    _update_board,
    _value_of_board,
)
from lib2048.kernels import U
from lib2048.patterns import PATTERNS, check_patterns
from lib2048.validate import check_board, check_finite, check_memory, check_p4

__all__ = ["PATTERNS", "NTupleNetwork", "check_patterns", "new_like"]

GAP = 2320  # weights left unused after a large table: tables a power of two apart compete for the same cache lines
VALUES = ("afterstate", "state")


class NTupleNetwork:
    """A value function for 2048.

    patterns: a name of PATTERNS or a tuple of tuples of cells. values: what V is the value of, "afterstate" or
    "state". init: V of every board before learning. symmetries: 8, or 1 to look at the board from one side only.

    >>> net = NTupleNetwork((((0, 1)), (0, 1, 4)))
    >>> net.lookups, net.value(0x21)
    (16, 0.0)
    """

    def __init__(
        self, patterns="4x6", values: str = "afterstate", init: float = 0.0, symmetries: int = 8
    ):
        if not isinstance(values, str) or values not in VALUES:
            raise ValueError(f'values is "afterstate" or "state", got {values!r}')
        if isinstance(symmetries, bool) or symmetries not in (1, 8):
            raise ValueError(f"symmetries is 8 or 1, got {symmetries!r}")
        self.init = check_finite("init, the value of every board at the start", init)
        self.patterns = check_patterns(patterns)
        self.values, self.symmetries = values, int(symmetries)
        self.p4 = 0.1
        self.games = 0
        self.history: list[dict] = []
        sizes = [16 ** len(pattern) for pattern in self.patterns]
        check_memory(4 * sum(sizes), f"a network of {sum(sizes):,} weights")
        starts = np.cumsum([0] + [size + (GAP if size > 16**4 else 0) for size in sizes])
        self.weights = np.zeros(
            int(starts[-1]), np.float32
        )  # untouched pages of zeros take no memory
        if init:
            self.weights += F32(init / self.lookups)
        self.errors = np.zeros((0, 2), np.float32)
        self.plans = np.array(
            [
                gather_plan(15 - cell for cell in pattern) + [U(start)]
                for pattern, start in zip(self.patterns, starts, strict=False)
            ]
        )

    @property
    def lookups(self) -> int:
        """How many weights make up one value: symmetries x patterns."""
        return self.symmetries * len(self.patterns)

    @property
    def arrays(self) -> Net:
        """The network as kernels see it."""
        image_buffer = np.empty((8, 4), np.uint64)
        return Net(
            self.weights,
            self.errors,
            self.plans,
            image_buffer,
            self.symmetries,
            self.values == "state",
        )

    @property
    def coherent(self) -> bool:
        """Whether the network carries the error sums of temporal coherence learning."""
        return len(self.errors) > 0

    def __repr__(self) -> str:
        return (
            f"NTupleNetwork({len(self.patterns)} patterns, V({self.values}), {self.lookups} lookups, "
            f"{sum(16 ** len(pattern) for pattern in self.patterns):,} weights, {self.games:,} games learned from)"
        )

    def index(self, k: int, board: int) -> int:
        """The natural index of pattern k on a board: the sum of exponent(cell_j) << 4j.

        >>> NTupleNetwork(((0, 1, 4),)).index(0, 0x0003_0021)
        801
        """
        board = int(check_board(board))
        return sum((board >> 4 * cell & 15) << 4 * j for j, cell in enumerate(self._pattern(k)))

    def value(self, board: int) -> float:
        """V of a board."""
        return float(_value_of_board(self.arrays, check_board(board)))

    def update(self, board: int, delta: float) -> float:
        """Add delta / lookups to the weight of every lookup of a board, in place. Returns V after.

        V moves by delta, up to rounding, unless the board looks a weight up more than once: such a weight is added to
        each time and read each time, so V moves by more.
        """
        check_finite("delta, the change of V", delta)
        places = np.empty(self.lookups, np.uint64)
        return float(
            _update_board(self.arrays, check_board(board), F32(delta / self.lookups), places)
        )

    def table(self, k: int) -> np.ndarray:
        """A copy of table k in natural order: float32, 16**n."""
        out = np.empty(16 ** len(self._pattern(k)), np.float32)
        for first, part in self.table_parts(k):
            out[first : first + len(part)] = part
        return out

    def weight(self, k: int, index: int) -> float:
        """The weight at a natural index of table k."""
        size = 16 ** len(self._pattern(k))
        if (
            isinstance(index, bool)
            or not isinstance(index, int | np.integer)
            or not 0 <= index < size
        ):
            raise ValueError(
                f"an index into table {k} lies between 0 and {size - 1}, got {index!r}"
            )
        return float(self.plane_table(k)[_plane_place(U(index), self._ranks(k))])

    def table_parts(self, k: int, part: int = 1 << 20, sums: int | None = None):
        """Table k in natural order, piece by piece: (first index, weights) with at most `part` weights at a time.

        With sums 0 or 1: the sums of the weights' errors or of their absolute values instead of the weights.
        """
        table, ranks = (
            self.plane_table(k) if sums is None else self.plane_errors(k)[:, sums],
            self._ranks(k),
        )
        for first in range(0, len(table), part):
            out = np.empty(min(part, len(table) - first), np.float32)
            _to_natural(table, ranks, first, out)
            yield first, out

    def set_table_part(
        self, k: int, first: int, values: np.ndarray, sums: int | None = None
    ) -> None:
        """Put weights (or error sums, as in table_parts) of indices first, first + 1, ... into table k, in place."""
        table = self.plane_table(k) if sums is None else self.plane_errors(k)[:, sums]
        if first < 0 or first + len(values) > len(table):
            raise ValueError(
                f"table {k} has {len(table)} weights, got indices {first} to {first + len(values) - 1}"
            )
        _from_natural(np.asarray(values, np.float32), self._ranks(k), first, table)

    def plane_table(self, k: int) -> np.ndarray:
        """Table k as it lies in memory, in plane order (see lookup.py); a view, not a copy."""
        size, start = 16 ** len(self._pattern(k)), int(self.plans[k, START])
        return self.weights[start : start + size]

    def plane_errors(self, k: int) -> np.ndarray:
        """The error sums of table k in plane order, (16**n, 2), or (0, 2) without coherence; a view, not a copy."""
        size, start = 16 ** len(self._pattern(k)), int(self.plans[k, START])
        return self.errors[start : start + size] if self.coherent else self.errors

    def keep_errors(self) -> None:
        """Make room for the error sums of temporal coherence learning, where there is none yet."""
        if not self.coherent:
            size = len(self.weights)
            check_memory(8 * size, f"temporal coherence for {size:,} weights")
            self.errors = np.zeros((size, 2), np.float32)

    def _pattern(self, k):
        if (
            isinstance(k, bool)
            or not isinstance(k, int | np.integer)
            or not 0 <= k < len(self.patterns)
        ):
            raise ValueError(f"the network has patterns 0 to {len(self.patterns) - 1}, got {k!r}")
        return self.patterns[k]

    def _ranks(self, k):
        """The rank of each cell of pattern k: the last cell of the board first, as kernels gather them."""
        order = sorted(self.patterns[k], reverse=True)
        return np.array([order.index(cell) for cell in self.patterns[k]], np.uint64)

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
            What V is the value of, "afterstate" or "state". Other programs' files do not say it; they
            are taken to hold V(afterstate) unless told.
        first_cell : str
            Which end of the index a pattern's first cell has in a weights.bin: "low", or "high" in a
            program that computes index * 16 + exponent.
        symmetries : int, optional
            From how many sides another program looks at a board, 8 (the default) or 1, which no file
            of theirs says.

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
    """An untrained network of the same shape and kind; p4 is taken over."""
    other = NTupleNetwork(net.patterns, net.values, 0.0, net.symmetries)
    other.p4 = check_p4(net.p4)
    return other
