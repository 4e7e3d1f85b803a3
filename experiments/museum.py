"""The museum of faults as an experiment: each fault beside the right program, from the same seeds.

What is wrong in each program is in workbook/faults.py and workbook/museum.py.
"""

import warnings

import numpy as np

from experiments import progress
from experiments.catalogue import FIRST_SEED
from experiments.entries import experiment
from experiments.piece import piece
from experiments.pieces import curve
from experiments.versions import versioned
from lib2048 import NTupleNetwork, TrainLog, play, train
from workbook import museum
from workbook.table import Table

BLOCKS = 20  # of a learning curve
LAST = 5  # blocks, at its end, by which a training is judged


@versioned(1)
def train_with(
    fault="NONE", values="afterstate", patterns="4x6", init=0.0, alpha=0.1, games=600, seed=0
):
    """Train with a fault of faults.py: the curve, and what its last blocks show of the fault.

    estimate: what the first move seemed worth, as a share of the score that came. surprise: see
    faults.surprise. alive: share of games that ended while something could still move. of_full:
    score as a share of faults.full_score.
    """
    with warnings.catch_warnings():  # patterns that are images of each other are one of the faults
        warnings.simplefilter("ignore")
        net = NTupleNetwork(patterns, values, init)
    block = games // BLOCKS
    log, signs = museum.train(net, games, alpha, seed, fault, block, progress.report)
    done = len(log.scores)
    last = slice(max(0, done - LAST * block), done)
    scored = float(signs.scores[last].sum())
    full_scores = float(signs.full_scores[last].sum())
    shown = {
        "estimate": float(signs.estimates[last].sum() / max(1.0, scored)),
        "surprise": float(signs.surprises[last].mean()),
        "alive": float(signs.alive[last].mean()),
        "of_full": scored / max(1.0, full_scores),
    }
    return _ended(log, None if done == games else done) | shown


@versioned(1)
def resume_with(fault="NONE", coherence=False, games=600, seed=0):
    """Train, keep the network in a file, take it up again with a fault, train on.

    value_before, value_after: V of a game's boards, on average. rate_before, rate_after: the mean
    share of a step that temporal coherence lets through, of all weights ever moved.
    """
    net = NTupleNetwork("4x6")
    block = games // BLOCKS
    options = {"coherence": coherence, "seed": seed, "block": block, "progress": False}
    first_half = train(net, games // 2, **options)
    boards = play(net, seed=seed).boards[:-1]
    before = {"value_before": _mean_value(net, boards), "rate_before": _mean_rate(net)}
    net = museum.taken_up(net, fault)
    after = {"value_after": _mean_value(net, boards), "rate_after": _mean_rate(net)}
    second_half = train(net, games - games // 2, **options)
    if first_half.interrupted or second_half.interrupted:
        raise KeyboardInterrupt
    log = TrainLog(
        scores=np.concatenate([first_half.scores, second_half.scores]),
        max_tiles=np.concatenate([first_half.max_tiles, second_half.max_tiles]),
        moves=np.concatenate([first_half.moves, second_half.moves]),
        block=block,
        seconds=0.0,
    )
    return _ended(log, None) | before | after


def _ended(log: TrainLog, diverged: int | None) -> dict:
    """A curve, and what its last blocks came to: None where the values grew without end."""
    score = None
    win_rate = None
    if diverged is None:
        last = slice(-LAST * log.block, None)
        score = float(log.scores[last].mean())
        win_rate = float((log.max_tiles[last] >= 11).mean())
    return curve(log) | {"score": score, "win_rate": win_rate, "diverged": diverged}


def _mean_value(net: NTupleNetwork, boards) -> float:
    return float(np.mean([net.value(int(board)) for board in boards]))


def _mean_rate(net: NTupleNetwork) -> float | None:
    """The mean share of a step that temporal coherence lets through, over weights that were moved.

    A weight's share is |sum of errors| / sum of |errors|, and 1 while the latter is 0.
    """
    if not net.coherent:
        return None
    sums, absolute = net.errors[net.weights != 0].astype(float).T
    shares = np.where(absolute > 0, np.abs(sums) / np.where(absolute > 0, absolute, 1), 1)
    return float(shares.mean())


# The experiment

RIGHT = {
    "V(afterstate)": (train_with, {}),
    "V(state)": (train_with, {"values": "state"}),
    "six patterns": (train_with, {"patterns": "6x6"}),
    "TC": (resume_with, {"coherence": True}),
}
"""The right programs. {title: (function, parameters)}"""

WRONG = {
    "reward one step late": ("V(state)", train_with, {"values": "state", "fault": "LATE_REWARD"}),
    "end of the game learned from": ("V(afterstate)", train_with, {"fault": "END_RECORD"}),
    "V as it was at play time": ("V(afterstate)", train_with, {"fault": "STALE_VALUE"}),
    "next move without the new tile": ("V(afterstate)", train_with, {"fault": "NO_NEW_TILE"}),
    "sum in place of the mean": (
        "V(state)",
        train_with,
        {"values": "state", "fault": "NOT_DIVIDED"},
    ),
    "0.8 and 0.2 expected": ("V(state)", train_with, {"values": "state", "fault": "OTHER_ODDS"}),
    "best so far starts at -1": ("V(afterstate)", train_with, {"fault": "FROM_MINUS_1"}),
    "DOWN left upside down": ("V(afterstate)", train_with, {"fault": "UPSIDE_DOWN"}),
    "rewards halved": ("V(afterstate)", train_with, {"fault": "HALF_REWARD"}),
    "one table four times": ("V(afterstate)", train_with, {"fault": "ONE_TABLE"}),
    "not divided, but clipped": ("V(afterstate)", train_with, {"fault": "CLIPPED"}),
    "six patterns that are two": (
        "six patterns",
        train_with,
        {"patterns": museum.SIX_THAT_ARE_TWO},
    ),
    "TC sums not saved": ("TC", resume_with, {"coherence": True, "fault": "SUMS_LOST"}),
    "digits in the other order": ("V(afterstate)", resume_with, {"fault": "DIGITS_REVERSED"}),
}
"""The faults. {title: (title of the right program it is set beside, function, parameters)}"""

MEMORY = 1 << 30  # bytes: two networks a piece, or one with the sums of temporal coherence


@experiment("faults", games=(500, 5_000), seeds=(2, 5), seconds=(25, 600), record="full")
def every_fault(games, seeds):
    """What do the classic faults do to the learning curve?

    The right programs and the faulty ones, from the same seeds.
    """
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        for title, (*_, function, options) in (RIGHT | WRONG).items():
            yield piece(
                function, tags={"run": title}, memory=MEMORY, games=games, seed=seed, **options
            )


def beside(table: Table, title: str) -> tuple[Table, Table]:
    """The rows of a fault's right counterpart and of the fault itself, in the order of seeds."""
    right, *_ = WRONG[title]
    return table.where(run=right), table.where(run=title)
