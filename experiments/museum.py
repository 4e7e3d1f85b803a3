"""The museum of bugs, run: every fault from the same seeds as the right program it is set beside.

The faults in learning, choosing and the game are kernels in faults.py; those in saving, loading and the choice of
patterns are here. Without a fault, both functions train as lib2048 does.
"""

import ast
import inspect
import math
import sys

import numpy as np

from experiments import progress
from experiments.catalogue import FIRST_SEED
from experiments.keys import versioned
from experiments.piece import experiment, piece
from experiments.pieces import curve
from experiments.table import Table, interval, is_number
from lib2048 import LEFT, NTupleNetwork, TrainLog, from_tiles, play, slide, train
from lib2048.engines import learning_rule
from lib2048.options import TrainOptions
from lib2048.validate import check_board
from workbook import faults

BLOCKS = 20  # of a curve
LAST = 5  # these blocks of a curve are what a training came to
# All places of a rectangle of three cells by two; turned and mirrored, a board shows only two of them.
SIX_THAT_ARE_TWO = tuple(
    tuple(first + cell for cell in (0, 1, 2, 4, 5, 6)) for first in (0, 1, 4, 5, 8, 9)
)


@versioned(1)
def train_with(
    fault="NONE", values="afterstate", patterns="4x6", init=0.0, alpha=0.1, games=600, seed=0
):
    """Train with a fault of faults.py. Returns the curve, and what the last blocks show of the fault.

    estimate: what the first move seemed worth, as a share of the score that came. surprise: see faults._surprise.
    alive: share of games that ended while something could still move. of_full: score as a share of faults._full_score.
    """
    net, done, block = NTupleNetwork(patterns, values, init), 0, games // BLOCKS
    rule = learning_rule(net, TrainOptions(alpha, seed=seed))
    path = faults.new_episode(net)
    signs = np.zeros((games, len(faults.SIGNS)))
    while done < games:
        part = signs[done : done + block]
        learned = faults._run(net.arrays, rule, path, part, done, getattr(faults, fault))
        done += learned
        progress.report(done, games)
        if learned < len(part):
            break
    score, largest, moves, estimate, surprise, alive, full = signs[:done].T
    last = slice(max(0, done - LAST * block), done)
    signs = {
        "estimate": float(estimate[last].sum() / max(1.0, score[last].sum())),
        "surprise": float(surprise[last].mean()),
        "alive": float(alive[last].mean()),
        "of_full": float(score[last].sum() / max(1.0, full[last].sum())),
    }
    log = TrainLog(
        score.astype(np.int64), largest.astype(np.uint8), moves.astype(np.int32), block, 0.0
    )
    return _ended(log, None if done == games else done) | signs


@versioned(1)
def resume_with(fault="NONE", coherence=False, games=600, seed=0):
    """Train, keep the network, take it up again with a fault, train on.

    value_before, value_after: V of a game's boards, on average. rate_before, rate_after: the mean share of a step that
    temporal coherence lets through, of all weights ever moved.
    """
    net, block = NTupleNetwork("4x6"), games // BLOCKS
    options = {"coherence": coherence, "seed": seed, "block": block, "progress": False}
    logs = [train(net, games // 2, **options)]
    boards = play(net, seed=seed).boards[:-1]
    signs = {"value_before": _mean_value(net, boards), "rate_before": _mean_rate(net)}
    if fault == "SUMS_LOST":
        net.errors = np.zeros(net.errors.shape, np.float32)  # the file held the weights only
    if fault == "DIGITS_REVERSED":
        net = read_reversed(net)
    signs |= {"value_after": _mean_value(net, boards), "rate_after": _mean_rate(net)}
    logs.append(train(net, games - games // 2, **options))
    if any(log.interrupted for log in logs):
        raise KeyboardInterrupt
    parts = [
        np.concatenate([getattr(log, name) for log in logs])
        for name in ("scores", "max_tiles", "moves")
    ]
    return _ended(TrainLog(*parts, block, 0.0), None) | signs


def read_reversed(net) -> NTupleNetwork:
    """The tables of a network, read by a program with a pattern's last cell in the low digit."""
    other = NTupleNetwork([pattern[::-1] for pattern in net.patterns], net.values)
    other.games = net.games
    for k in range(len(net.patterns)):
        for first, weights in net.table_parts(k, 1 << 12):
            if weights.any():  # most are 0, and untouched memory costs nothing
                other.set_table_part(k, first, weights)
    return other


def _ended(log: TrainLog, diverged) -> dict:
    """A curve, and what the last blocks came to: None when there are none because the values grew without end."""
    found, last = curve(log), slice(-LAST * log.block, None)
    came = {"score": None, "win_rate": None}
    if diverged is None:
        came = {
            "score": float(log.scores[last].mean()),
            "win_rate": float((log.max_tiles[last] >= 11).mean()),
        }
    return found | came | {"diverged": diverged}


def _mean_value(net, boards) -> float:
    return float(np.mean([net.value(int(board)) for board in boards]))


def _mean_rate(net) -> float | None:
    """The mean of |sum of errors| / sum of |errors|, which is 1 while the latter is 0, over weights that were moved."""
    if not net.coherent:
        return None
    sums, absolute = net.errors[net.weights != 0].astype(float).T
    return float(
        np.where(absolute > 0, np.abs(sums) / np.where(absolute > 0, absolute, 1), 1).mean()
    )


# By hand: one move, one choice, one episode with a fault

REST = (
    [32, 64, 128, 256],
    [8, 16, 32, 64],
    [128, 256, 512, 1024],
)  # three rows in which nothing moves
LAST_MOVES = (  # the end of a game: boards, actions, rewards
    [from_tiles([row, *REST]) for row in ([4, 4, 16, 2], [8, 16, 2, 2], [8, 16, 4, 2])],
    [LEFT, LEFT],
    [8, 4],
)


def move_with(fault: str, board: int, action: int) -> tuple[int, int]:
    """(afterstate, reward) of an action, as `lib2048.slide` gives it."""
    afterstate, reward = faults._move(check_board(board), action, getattr(faults, fault))
    return int(afterstate), int(reward)


def choose_with(fault: str, net, board: int) -> tuple[int | None, float]:
    """The action a network takes and what it seems worth; (None, nan) when there is none."""
    action, _, _, worth = faults._best(
        net.arrays, check_board(board), np.float32(net.p4), getattr(faults, fault)
    )
    return (None, math.nan) if action < 0 else (int(action), float(worth))


def learn_with(fault: str, net, boards, actions, rewards, alpha: float) -> float:
    """Learn from a recorded episode, last move first, as `lib2048.learn_episode` does. Returns the last value."""
    rule = learning_rule(net, TrainOptions(alpha))
    path = faults.new_episode(net)
    for t, (board, action, reward) in enumerate(zip(boards, actions, rewards)):
        learned = check_board(board if net.values == "state" else slide(board, action)[0])
        path.boards[t], path.actions[t], path.rewards[t], path.values[t] = (
            learned,
            action,
            reward,
            net.value(learned),
        )
    last = check_board(boards[-1])
    return float(faults._learn(net.arrays, rule, path, len(actions), last, getattr(faults, fault)))


def shown(fault: str) -> str:
    """The lines of a fault as they stand in the source, below the first line of their function."""
    for module in (faults, sys.modules[__name__]):
        lines = inspect.getsource(module).splitlines()
        for function in ast.walk(ast.parse("\n".join(lines))):
            for node in ast.walk(function) if isinstance(function, ast.FunctionDef) else ():
                wanted = (
                    isinstance(node, ast.If) and ast.unparse(node.test).replace("'", "").split()[:3]
                )
                if wanted == ["fault", "==", fault]:
                    return "\n".join(
                        [
                            lines[function.lineno - 1],
                            "    ...",
                            *lines[node.lineno - 1 : node.end_lineno],
                        ]
                    )
    raise ValueError(f"no fault is called {fault!r}")


# The experiment

RIGHT = {
    "V(afterstate)": (train_with, {}),
    "V(state)": (train_with, {"values": "state"}),
    "six patterns": (train_with, {"patterns": "6x6"}),
    "TC": (resume_with, {"coherence": True}),
}
WRONG = {  # title of the fault: (the right program it is set beside, function, parameters)
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
    "six patterns that are two": ("six patterns", train_with, {"patterns": SIX_THAT_ARE_TWO}),
    "TC sums not saved": ("TC", resume_with, {"coherence": True, "fault": "SUMS_LOST"}),
    "digits in the other order": ("V(afterstate)", resume_with, {"fault": "DIGITS_REVERSED"}),
}


@experiment(
    "faults",
    question="What do the classic faults do to the learning curve?",
    scales={"small": {"games": 600, "seeds": 2}, "full": {"games": 5_000, "seeds": 3}},
    cost={"small": 20, "full": 160},
)
def every_fault(games, seeds):
    """The right programs and the faulty ones, from the same seeds."""
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        for title, (*_, function, options) in (RIGHT | WRONG).items():
            memory = (
                1 << 30 if function is resume_with else None
            )  # two networks, or one with its sums
            yield piece(
                function, tags={"run": title}, memory=memory, games=games, seed=seed, **options
            )


def beside(table: Table, title: str) -> tuple[Table, Table]:
    """The rows of a fault's right counterpart and of the fault itself, in the order of their seeds."""
    return table.where(run=WRONG[title][0]), table.where(run=title)


def ratio(rows, right, of: str = "score") -> dict:
    """How `rows` compare with the rows of the same seeds in `right`: mean of the ratios, and its 95 % interval.

    None where a row has no number, because its training diverged.
    """
    base = {row["seed"]: row[of] for row in right}
    ratios = [row[of] / base[row["seed"]] if is_number(row[of]) else None for row in rows]
    found = interval(ratios) if None not in ratios else (None, None, None)
    return dict(zip(("ratio", "ratio_low", "ratio_high"), found))


def against(table, by: str, base, names: dict) -> list[dict]:
    """Variants of an experiment against its standard, the rows in which the column `by` holds `base`.

    names: {value of the column: what it is called}. Mean score and `ratio` with their intervals, share that won.
    """
    found = []
    for value, name in names.items():
        rows, right = table.where(**{by: value}), table.where(**{by: base})
        (means,) = rows.means(by, ["score", "win_rate"]).rows
        kept = {key: means[key] for key in ("score", "score_low", "score_high", "win_rate")}
        found.append({"name": name} | kept | ratio(rows, right))
    return found
