"""The recorded long runs: their results are kept in records, in git; checkpoints in runs/networks."""

from experiments.catalogue import BEST, FIRST_SEED
from experiments.entries import experiment
from experiments.piece import piece
from experiments.pieces import look_ahead, train_and_evaluate

TOO_LARGE = 16_384  # the tile from which on boards are shown smaller
HOUR = {name: value for name, value in BEST.items() if name != "coherence"}
HOUR |= {"patterns": "8x6", "downgrade": TOO_LARGE}


def hours_stages(games: int) -> list:
    """Temporal coherence throughout; for the last tenth of the games with a tenth of the step, to settle."""
    return [(games - games // 10, 1.0, True), (games // 10, 0.1, True)]


@experiment(
    "million-state-p4-0.2",
    question="Where does V(state) get in a million games, a fifth of the new tiles fours?",
    scales={
        "small": {"games": 10_000, "evaluation": 1_000},
        "full": {"games": 1_000_000, "evaluation": 10_000},
    },
    cost={"small": 10, "full": 2_400},
    record=True,
)
def million_state(games, evaluation):
    yield _long_run(games, evaluation, values="state", p4=0.2)


@experiment(
    "million-afterstate",
    question="Where does V(afterstate) get in a million games?",
    scales={
        "small": {"games": 10_000, "evaluation": 1_000},
        "full": {"games": 1_000_000, "evaluation": 10_000},
    },
    cost={"small": 5, "full": 1_000},
    record=True,
)
def million_afterstate(games, evaluation):
    yield _long_run(games, evaluation, values="afterstate", p4=0.1)


def _long_run(games, evaluation, every=20_000, **recipe):
    parameters = {
        "games": games,
        "evaluation": evaluation,
        "seed": FIRST_SEED,
        "block": games // 1000,
    }
    return piece(train_and_evaluate, every=every, **parameters, **recipe)


@experiment(
    "downgrade",
    question="What does it bring to be shown large tiles as smaller ones, in play only or in learning too?",
    scales={
        "small": {"games": 3_000, "evaluation": 500, "tile": 1_024},
        "full": {"games": 100_000, "evaluation": 10_000, "tile": TOO_LARGE},
    },
    cost={"small": 8, "full": 750},
    record="full",
)
def downgrade(games, evaluation, tile):
    options = {"games": games, "evaluation": evaluation, "seed": FIRST_SEED} | BEST
    played = {"play_seed": FIRST_SEED + 1, "play_downgrade": tile}
    yield piece(look_ahead, tags={"shown smaller": "in play"}, **options, **played)
    yield piece(train_and_evaluate, tags={"shown smaller": "always"}, downgrade=tile, **options)


@experiment(
    "hour",
    question="How strong does the best way of learning get in about an hour?",
    scales={
        "small": {"games": 5_000, "evaluation": 500},
        "full": {"games": 150_000, "evaluation": 10_000},
    },
    cost={"small": 25, "full": 3_600},
    record=True,
)
def hour(games, evaluation):
    options = {
        "evaluation": evaluation,
        "seed": FIRST_SEED,
        "block": games // 1000,
        "every": 50_000,
    }
    yield piece(train_and_evaluate, games=hours_stages(games), **options, **HOUR)


@experiment(
    "hour-plies",
    question="How strong is the network of an hour when it looks 2 or 3 of its moves ahead?",
    scales={
        "small": {"games": 5_000, "evaluation": (40, 4), "parts": (2, 2)},
        "full": {"games": 150_000, "evaluation": (1_000, 1_000), "parts": (10, 20)},
    },
    cost={"small": 15, "full": 2_200},
    after=("hour",),
    record=True,
)
def hour_plies(games, evaluation, parts):
    for plies, number, count in zip((2, 3), evaluation, parts):
        for part in range(count):
            options = {
                "games": hours_stages(games),
                "evaluation": number // count,
                "seed": FIRST_SEED,
            } | HOUR
            yield piece(
                look_ahead,
                plies=plies,
                play_seed=FIRST_SEED + 1 + part,
                play_downgrade=TOO_LARGE,
                **options,
            )
