"""The recorded long runs: their results are kept in report/records, in git; checkpoints in runs/networks."""

from .catalogue import BEST, FIRST_SEED
from .downgraded import play_downgraded
from .piece import experiment, piece
from .pieces import look_ahead, train_and_evaluate

HOUR = {name: value for name, value in BEST.items() if name != "coherence"} | {"patterns": "8x6"}


def hours_stages(games: int) -> list:
    """Temporal coherence throughout; for the last tenth of the games with a tenth of the step, to settle."""
    return [(games - games // 10, 1.0, True), (games // 10, 0.1, True)]


@experiment(
    "million-state-p4-0.2",
    question="Where does V(state) get in a million games, a fifth of the new tiles fours?",
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
    scales={"small": {"games": 5_000, "evaluation": 500}, "full": {"games": 300_000, "evaluation": 10_000}},
    cost={"small": 25, "full": 3_600},
    record=True,
)
def hour(games, evaluation):
    options = {"evaluation": evaluation, "seed": FIRST_SEED, "block": games // 1000, "every": 50_000}
    yield piece(train_and_evaluate, games=hours_stages(games), **options, **HOUR)


@experiment(
    "hour-plies",
    question="How strong is the network of an hour when it looks 3 of its moves ahead?",
    scales={
        "small": {"games": 5_000, "evaluation": 4, "parts": 2},
        "full": {"games": 300_000, "evaluation": 100, "parts": 2},
    },
    cost={"small": 15, "full": 300},
    after=("hour",),
    record=True,
)
def hour_plies(games, evaluation, parts):
    yield from _in_parts(look_ahead, games, evaluation, parts, plies=3)


@experiment(
    "hour-downgraded",
    question="How strong is the network of an hour when it is shown tiles from 16384 on as smaller ones?",
    scales={
        "small": {"games": 5_000, "evaluation": (500, 4), "parts": 2},
        "full": {"games": 300_000, "evaluation": (10_000, 1_000), "parts": 10},
    },
    cost={"small": 15, "full": 1_500},
    after=("hour",),
    record=True,
)
def hour_downgraded(games, evaluation, parts):
    for plies, number in zip((1, 3), evaluation):
        yield from _in_parts(play_downgraded, games, number, parts if plies > 1 else 1, plies=plies)


def _in_parts(function, games, evaluation, parts, **options):
    """Evaluation games of the network of an hour, in pieces that one can wait for."""
    options |= {"games": hours_stages(games), "evaluation": evaluation // parts, "seed": FIRST_SEED} | HOUR
    for part in range(parts):
        yield piece(function, play_seed=FIRST_SEED + 1 + part, **options)
