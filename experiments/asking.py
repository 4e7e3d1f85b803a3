"""What notebooks and the report ask for: stored results, tables of them, networks, and sweeps."""

import itertools

import numpy as np

from experiments import progress, runner
from experiments.entries import check_scale, find, stages
from experiments.networks import Recipe, trained
from experiments.piece import Piece, labelled, piece
from experiments.relays import relay_of
from lib2048 import NTupleNetwork
from lib2048.relay import Relay
from workbook.table import Table, text


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


def table(name: str, scale: str | None = None, **options) -> Table:
    """The results of an experiment, one row a piece.

    What is missing is run. Of an experiment that is kept as a record, what is there is read.

    Parameters
    ----------
    name : str
        The experiment.
    scale : str, optional
        "small" or "full"; what the environment's SCALE says when None.
    **options
        jobs, scheduler and show, as `experiments.runner.run` takes them.
    """
    wanted = find(name)
    scale = check_scale(scale)
    if wanted.reads_record(scale):
        return Table(Result(made) for made in wanted.pieces("full"))
    return collect(wanted.pieces(scale), stages([name], scale), **options)


def result(name: str, scale: str | None = None, **options) -> Result:
    """The result of an experiment of one piece, asked for as `table` is."""
    rows = table(name, scale, **options).rows
    if len(rows) != 1:
        raise ValueError(
            f"{name} has {len(rows)} results; experiments.table({name!r}) has them all"
        )
    return rows[0]


def network(
    name: str, games: int | None = None, scale: str | None = None, show: bool = True, **which
) -> NTupleNetwork:
    """A network of an experiment, read from runs/networks, or trained now.

    Parameters
    ----------
    name : str
        The experiment.
    games : int, optional
        The network as it was after so many games; after all of them when None.
    scale : str, optional
        "small" or "full"; what the environment's SCALE says when None.
    show : bool
        Whether there is a bar.
    **which
        Parameters that choose a piece, such as seed=1, where the experiment has several.
    """
    wanted = find(name)
    scale = check_scale(scale)
    pieces = wanted.pieces("full" if wanted.reads_record(scale) else scale)
    networks = {
        (Recipe.among(piece.parameters), games or piece.parameters["games"])
        for piece in pieces
        if _is_asked_for(piece, which)
    }
    if len(networks) != 1:
        raise ValueError(
            f"{name} has {len(networks)} networks with {which or 'all its parameters'}; "
            "choose one of them"
        )
    recipe, games = networks.pop()
    return trained(recipe, games, show)


def relay(
    name: str,
    plies: int = 1,
    seed: int = 0,
    scale: str | None = None,
    margin: float | None = None,
) -> Relay:
    """The relay of an experiment; its networks are read from runs/networks, or trained now.

    Parameters
    ----------
    name : str
        The experiment, such as "relay-plies".
    plies, seed
        How it looks ahead, and what its games come from; see `lib2048.relay.Relay`.
    scale : str, optional
        "small" or "full"; what the environment's SCALE says when None.
    margin : float, optional
        To look ahead only at what is in doubt; see `lib2048.best_action`.
    """
    wanted = find(name)
    scale = check_scale(scale)
    piece, *_ = wanted.pieces("full" if wanted.reads_record(scale) else scale)
    if "legs" not in piece.parameters:
        raise ValueError(f"{name} is no experiment on a relay; experiments.network has its network")
    legs, tiles, seen = (piece.parameters[part] for part in ("legs", "tiles", "seen"))
    return relay_of(legs, tiles, seen, plies, seed, margin)


def _is_asked_for(piece: Piece, which: dict) -> bool:
    """Whether a piece trains a network, with these values of its parameters and tags."""
    columns = piece.tags | piece.parameters
    return "games" in columns and all(columns.get(name) == value for name, value in which.items())


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
