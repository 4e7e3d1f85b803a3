"""A function over a grid of parameters, in one line; and stored results as rows of a table."""

import itertools

import numpy as np

from experiments import progress, runner
from experiments.piece import Piece, labelled, piece
from workbook.table import Table, text


def sweep(function, *, jobs=None, scheduler=None, show=True, memory=None, **parameters) -> Table:
    """Call a function with every combination of the lists among the parameters; a row for each.

    Results are stored and never computed twice: a result is found again while the function's source
    (or the version that `@versioned` declares) and the parameters stay the same.

    Parameters
    ----------
    function : callable
        Returns a number or a dict, which depend on its parameters alone.
    jobs, scheduler, show
        As `experiments.runner.run` takes them.
    memory : int, optional
        Bytes that one call takes at most; worked out from `patterns` when None.
    **parameters
        A list, a range or an array is swept over, anything else handed on as it is. Write patterns
        as tuples.

    Examples
    --------
    >>> from experiments import sweep, train_and_evaluate
    >>> table = sweep(train_and_evaluate, alpha=[0.01, 0.1], seed=range(5))  # doctest: +SKIP
    >>> table.plot("alpha", "score")  # doctest: +SKIP
    """
    swept = {
        name: list(value)
        for name, value in parameters.items()
        if isinstance(value, list | range | np.ndarray)
    }
    empty = [name for name, choices in swept.items() if not choices]
    if empty:
        raise ValueError(
            f"{', '.join(empty)}: a sweep needs at least one value each, got an empty list"
        )
    pieces = []
    for choice in itertools.product(*swept.values()):
        chosen = parameters | dict(zip(swept, choice))
        pieces.append(piece(function, memory=memory, **chosen))
    pieces = labelled(pieces, function.__name__)
    return collect(pieces, [pieces], jobs=jobs, scheduler=scheduler, show=show)


def collect(pieces: list[Piece], stages: list[list[Piece]], **options) -> Table:
    """Run what is missing of `stages` and put the results of `pieces` in a table."""
    failed = runner.run(stages, **options)
    if failed:
        count = len({piece.name for piece in pieces})
        raise runner.PiecesFailed(_what_failed(failed, count))
    return Table(Result(piece) for piece in pieces)


def _what_failed(failed: dict[str, str], count: int) -> str:
    """The message about pieces that failed: a line each, and the first traceback."""
    head = (
        f"{len(failed)} of {count} pieces failed; what the others made is stored, "
        "and the same call goes on from there"
    )
    lines = [f"{label}: {progress.what_failed(error)}" for label, error in failed.items()]
    return "\n".join([head, *lines, "", "The first of them:", next(iter(failed.values()))])


class Result(dict):
    """A stored result: the parameters, the tags and what the function returned.

    Attributes
    ----------
    about : dict
        Where it comes from.
    stale : bool
        Whether the code or the parameters have changed since; a record is read all the same.
    """

    def __init__(self, piece: Piece):
        stored = piece.load()
        if stored is None:
            raise FileNotFoundError(
                f"no result of {piece.label or piece.name}; `python -m experiments run` makes it"
            )
        values, self.about = stored
        super().__init__(piece.parameters | piece.tags | values)
        self.stale = not piece.fits(self.about)

    def __repr__(self) -> str:
        return f"Result({', '.join(f'{name}={text(value)}' for name, value in self.items())})"
