"""Everything in this project that takes longer than a minute, run in one place and kept.

The catalogue (the files called catalogue, and museum.py) says what there is, and
`python -m experiments` lists it. Notebooks and the report ask here:

    experiments.result("afterstate")["means"]       the result of an experiment of one piece
    experiments.table("alpha").means("alpha")       the results of one of many pieces
    experiments.network("afterstate", games=1_000)  a network as it was after so many games
    experiments.relay("relay-plies", plies=3)       networks that take turns
    experiments.sweep(function, alpha=[0.1, 1.0], seed=range(5))   an experiment of your own
    experiments.summary_of(result)                  its evaluation games as a Summary

Each runs what is missing. Long recorded runs are only read, from records.
"""

from experiments import (  # noqa: F401 (entries)
    catalogue,
    catalogue_course,
    catalogue_ewn,
    catalogue_long,
    catalogue_methods,
    catalogue_relay,
    museum,
)
from experiments.asking import Result, collect, network, relay, result, sweep, table
from experiments.entries import EXPERIMENTS, Experiment, check_scale, experiment, find, stages
from experiments.networks import Recipe, games_learned, trained
from experiments.piece import Piece, piece
from experiments.pieces import (
    look_ahead,
    reached,
    summaries_by_plies,
    summary_of,
    train_and_evaluate,
)
from experiments.progress import report
from experiments.runner import PiecesFailed
from experiments.versions import versioned
from workbook.table import Table

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Piece",
    "PiecesFailed",
    "Recipe",
    "Result",
    "Table",
    "check_scale",
    "collect",
    "experiment",
    "find",
    "games_learned",
    "look_ahead",
    "network",
    "piece",
    "reached",
    "relay",
    "report",
    "result",
    "stages",
    "summaries_by_plies",
    "summary_of",
    "sweep",
    "table",
    "train_and_evaluate",
    "trained",
    "versioned",
]
