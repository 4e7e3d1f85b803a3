"""The recorded long runs: their results are kept in report/records, in git; checkpoints in runs/networks."""

from .catalogue import BEST, FIRST_SEED
from .piece import experiment, piece
from .pieces import look_ahead, train_and_evaluate

HOUR = BEST | {"patterns": "8x6"}


@experiment(
    "million-state-p4-0.2",
    question="Where does V(state) get in a million games, a fifth of the new tiles fours, as in source report 004?",
    scales={"small": {"games": 10_000, "evaluation": 1_000}, "full": {"games": 1_000_000, "evaluation": 10_000}},
    cost={"small": 10, "full": 2_400},
    record=True,
)
def million_state(games, evaluation):
    yield _long_run(games, evaluation, values="state", p4=0.2)


@experiment(
    "million-afterstate",
    question="Where does V(afterstate) get in a million games?",
    scales={"small": {"games": 10_000, "evaluation": 1_000}, "full": {"games": 1_000_000, "evaluation": 10_000}},
    cost={"small": 5, "full": 1_000},
    record=True,
)
def million_afterstate(games, evaluation):
    yield _long_run(games, evaluation, values="afterstate", p4=0.1)


def _long_run(games, evaluation, every=20_000, **recipe):
    parameters = {"games": games, "evaluation": evaluation, "seed": FIRST_SEED, "block": games // 1000}
    return piece(train_and_evaluate, every=every, **parameters, **recipe)


@experiment(
    "hour",
    question="How strong does the best way of learning get in about an hour?",
    scales={"small": {"games": 5_000, "evaluation": 500}, "full": {"games": 150_000, "evaluation": 10_000}},
    cost={"small": 25, "full": 1_800},
    record=True,
)
def hour(games, evaluation):
    yield _long_run(games, evaluation, every=50_000, **HOUR)


@experiment(
    "hour-plies",
    question="How strong is the network of an hour when it looks 3 of its moves ahead?",
    scales={
        "small": {"games": 5_000, "evaluation": 4, "parts": 2},
        "full": {"games": 150_000, "evaluation": 100, "parts": 2},
    },
    cost={"small": 15, "full": 300},
    after=("hour",),
    record=True,
)
def hour_plies(games, evaluation, parts):
    for part in range(parts):
        options = {"games": games, "evaluation": evaluation // parts, "seed": FIRST_SEED, "plies": 3}
        yield piece(look_ahead, play_seed=FIRST_SEED + 1 + part, **options, **HOUR)
