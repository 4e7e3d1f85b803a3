"""Everything in this project that takes longer than a minute, run in one place and kept.

The catalogue (the files called catalogue, and museum.py) says what there is; `python -m experiments` lists it.
Notebooks and the report ask here:

    experiments.result("afterstate")["means"]      the result of an experiment of one piece
    experiments.table("alpha").means("alpha")      the results of one of many pieces
    experiments.network("afterstate", games=1_000) a network as it was after so many games
    experiments.sweep(function, alpha=[0.1, 1.0], seed=range(5))   an experiment of your own
    experiments.summary_of(result)                 its evaluation games as a Summary

Each runs what is missing. Long recorded runs are only read, from records.
"""

from experiments import catalogue, catalogue_ewn, catalogue_long, keys, museum  # noqa: F401 (for what they register)
from experiments.networks import Recipe, trained
from experiments.piece import EXPERIMENTS, Experiment, Piece, check_scale, experiment, find, piece
from experiments.pieces import look_ahead, reached, summary_of, train_and_evaluate
from experiments.progress import report
from experiments.runner import PiecesFailed
from experiments.sweep import Result, collect, sweep
from experiments.table import Table

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Piece",
    "PiecesFailed",
    "Recipe",
    "Result",
    "Table",
    "check_scale",
    "experiment",
    "find",
    "look_ahead",
    "network",
    "piece",
    "reached",
    "report",
    "result",
    "stages",
    "summary_of",
    "sweep",
    "table",
    "train_and_evaluate",
    "trained",
]

keys.loaded_stamp()  # noted now, before anything is edited


def stages(names, scale: str) -> list[list[Piece]]:
    """The pieces of experiments in the order they need each other, with those of the experiments they are after."""
    depth = {}

    def visit(name):
        if name not in depth:
            depth[name] = 1 + max((visit(earlier) for earlier in find(name).after), default=-1)
        return depth[name]

    for name in names:
        visit(name)
    levels = [
        [name for name in depth if depth[name] == level]
        for level in range(max(depth.values(), default=-1) + 1)
    ]
    return [[piece for name in level for piece in find(name).pieces(scale)] for level in levels]


def table(name: str, scale: str | None = None, **options) -> Table:
    """The results of an experiment, one row a piece. What is missing is run; of a record, what is there is read.

    scale: "small" or "full"; what the environment's SCALE says when None. options: jobs, scheduler, show.
    """
    wanted, scale = find(name), check_scale(scale)
    if wanted.reads_record(scale):
        return Table(Result(piece) for piece in wanted.pieces("full"))
    return collect(wanted.pieces(scale), stages([name], scale), **options)


def result(name: str, scale: str | None = None, **options) -> Result:
    """The result of an experiment of one piece. It is run when it is missing; a record is read."""
    rows = table(name, scale, **options).rows
    if len(rows) != 1:
        raise ValueError(
            f"{name} has {len(rows)} results; experiments.table({name!r}) has them all"
        )
    return rows[0]


def network(
    name: str, games: int | None = None, scale: str | None = None, show: bool = True, **which
):
    """A network of an experiment, after all its games or fewer: read from runs/networks, or trained now.

    which: parameters that choose a piece, such as seed=1, where the experiment has several.
    """
    wanted = find(name)
    pieces = wanted.pieces("full" if wanted.reads_record(scale := check_scale(scale)) else scale)
    found = {}
    for one in pieces:
        columns = one.tags | one.parameters
        if "games" in columns and all(columns.get(key) == value for key, value in which.items()):
            found[Recipe.among(one.parameters), games or one.parameters["games"]] = one
    if len(found) != 1:
        raise ValueError(
            f"{name} has {len(found)} networks with {which or 'all its parameters'}; choose one of them"
        )
    recipe, games = next(iter(found))
    return trained(recipe, games, show)
