"""The long runs, whose results are kept in records, in git; their checkpoints in runs/networks."""

from experiments.catalogue import BEST, FIRST_SEED
from experiments.entries import experiment
from experiments.piece import piece
from experiments.pieces import look_ahead, train_and_evaluate, train_compact
from lib2048.recipes import find_recipe, last_tenth_slowly

TOO_LARGE = 16_384  # the tile from which on boards are shown smaller
SMALL_PATTERNS = ((0, 1, 2, 4, 5), (4, 5, 6, 8, 9), (0, 1, 2, 3, 4), (4, 5, 6, 7, 8))
STEP = 16.0  # points to which the weights of the network in a page are rounded
BEST_OF_AN_HOUR = find_recipe("hour")
# How the network of an hour learns; its stages say coherence.
HOUR = dict(patterns=BEST_OF_AN_HOUR.patterns, **BEST_OF_AN_HOUR.further_options)


def long_run(games: int, evaluation: int, **recipe):
    """A training with a thousand points to its curve, which goes on from a checkpoint."""
    return piece(
        train_and_evaluate,
        games=games,
        evaluation=evaluation,
        seed=FIRST_SEED,
        block=games // 1000,
        every=20_000,
        **recipe,
    )


@experiment(
    "million-state-p4-0.2",
    "Where does V(state) get in a million games, a fifth of the new tiles fours?",
    small=dict(games=10_000, evaluation=1_000),
    full=dict(games=1_000_000, evaluation=10_000),
    seconds=(10, 2_400),
    record=True,
)
def million_state(games, evaluation):
    yield long_run(games, evaluation, values="state", p4=0.2)


@experiment(
    "million-afterstate",
    "Where does V(afterstate) get in a million games?",
    small=dict(games=10_000, evaluation=1_000),
    full=dict(games=1_000_000, evaluation=10_000),
    seconds=(5, 1_000),
    record=True,
)
def million_afterstate(games, evaluation):
    yield long_run(games, evaluation, values="afterstate", p4=0.1)


@experiment(
    "downgrade",
    "What does it bring to be shown large tiles as smaller ones, in play only or in learning too?",
    small=dict(games=3_000, evaluation=500, tile=1_024),
    full=dict(games=100_000, evaluation=10_000, tile=TOO_LARGE),
    seconds=(8, 750),
    record="full",
)
def downgrade(games, evaluation, tile):
    options = dict(games=games, evaluation=evaluation, seed=FIRST_SEED) | BEST
    yield piece(
        look_ahead,
        tags={"shown smaller": "in play"},
        play_seed=FIRST_SEED + 1,
        play_downgrade=tile,
        **options,
    )
    yield piece(train_and_evaluate, tags={"shown smaller": "always"}, downgrade=tile, **options)


@experiment(
    "hour",
    "How strong does the best way of learning get in about an hour?",
    small=dict(games=5_000, evaluation=500),
    full=dict(games=150_000, evaluation=10_000),
    seconds=(25, 3_600),
    record=True,
)
def hour(games, evaluation):
    yield piece(
        train_and_evaluate,
        games=last_tenth_slowly(games),
        evaluation=evaluation,
        seed=FIRST_SEED,
        block=games // 1000,
        every=50_000,
        **HOUR,
    )


@experiment(
    "hour-plies",
    "How strong is the network of an hour when it looks 2 or 3 of its moves ahead?",
    small=dict(games=5_000, evaluation=(40, 4), parts=(2, 2)),
    full=dict(games=150_000, evaluation=(1_000, 1_000), parts=(10, 20)),
    seconds=(15, 2_200),
    after=("hour",),
    record=True,
)
def hour_plies(games, evaluation, parts):
    for plies, number, count in zip((2, 3), evaluation, parts):
        for part in range(count):
            yield piece(
                look_ahead,
                plies=plies,
                games=last_tenth_slowly(games),
                evaluation=number // count,
                seed=FIRST_SEED,
                play_seed=FIRST_SEED + 1 + part,
                play_downgrade=TOO_LARGE,
                **HOUR,
            )


# The network that comes with the library, which compact.py writes into it


@experiment(
    "compact",
    "How strong is a network that fits into a web page, and what does rounding cost it?",
    small=dict(games=1_000, evaluation=100),
    full=dict(games=100_000, evaluation=5_000),
    seconds=(4, 600),
    record="full",
)
def compact(games, evaluation):
    yield piece(
        train_compact,
        games=games,
        evaluation=evaluation,
        step=STEP,
        patterns=SMALL_PATTERNS,
        seed=FIRST_SEED,
        block=games // 100,
        every=20_000,
        **BEST,
    )
