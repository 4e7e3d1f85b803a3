"""What notebooks and the report ask for: results, tables of them, and networks."""

from experiments.entries import check_scale, find, stages
from experiments.networks import Recipe, trained
from experiments.piece import Piece
from experiments.sweep import Result, collect
from lib2048 import NTupleNetwork
from workbook.table import Table


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
        return Table(Result(piece) for piece in wanted.pieces("full"))
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


def _is_asked_for(piece: Piece, which: dict) -> bool:
    """Whether a piece trains a network, with these values of its parameters and tags."""
    columns = piece.tags | piece.parameters
    return "games" in columns and all(columns.get(name) == value for name, value in which.items())
