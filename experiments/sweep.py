"""A function over a grid of parameters, in one line; and stored results as rows of a table."""

import itertools

import numpy as np

from experiments import progress, runner
from experiments.piece import identified, piece
from experiments.table import Table, text


def sweep(function, *, jobs=None, scheduler=None, show=True, memory=None, **parameters) -> Table:
    """Call a function with every combination of the lists among the parameters. Returns the table of the results.

    A list, a range or an array is swept over, anything else handed on as it is (write patterns as tuples). The function
    returns a number or a dict, which depend on its parameters alone; results are stored and never computed twice.

    >>> table = sweep(train_and_evaluate, games=2_000, alpha=[0.01, 0.1, 1.0], seed=range(5))
    >>> table.plot("alpha", "score")  # table.means("alpha") are the numbers
    """
    swept = {
        name: list(value)
        for name, value in parameters.items()
        if isinstance(value, list | range | np.ndarray)
    }
    empty = [name for name, values in swept.items() if not values]
    if empty:
        raise ValueError(
            f"{', '.join(empty)}: a sweep needs at least one value each, got an empty list"
        )
    pieces = []
    for values in itertools.product(*swept.values()):
        pieces.append(piece(function, memory=memory, **parameters | dict(zip(swept, values))))
    pieces = identified(pieces, function.__name__)
    return collect(pieces, [pieces], jobs=jobs, scheduler=scheduler, show=show)


def collect(pieces, stages, **options) -> Table:
    """Run what is missing and put the results of `pieces` in a table."""
    failed = runner.run(stages, **options)
    if failed:
        lines = [f"{label}: {progress.what_failed(error)}" for label, error in failed.items()]
        lines += ["", "The first of them:", next(iter(failed.values()))]
        count = f"{len(failed)} of {len({piece.name for piece in pieces})} pieces failed"
        head = f"{count}; what the others made is stored, and the same call goes on from there"
        raise runner.PiecesFailed("\n".join([head, *lines]))
    return Table(Result(piece) for piece in pieces)


class Result(dict):
    """A stored result: the parameters, the tags and what the function returned; `about` says where it comes from."""

    def __init__(self, piece):
        stored = piece.load()
        if stored is None:
            raise FileNotFoundError(
                f"no result of {piece.label or piece.name}; `python -m experiments run` makes it"
            )
        values, self.about = stored
        super().__init__(piece.parameters | piece.tags | values)
        self.stale = not piece.fits(self.about)  # a record may be: it is read all the same

    def __repr__(self):
        return f"Result({', '.join(f'{name}={text(value)}' for name, value in self.items())})"
