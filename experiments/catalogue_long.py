"""The long runs, whose results are kept in records, in git; their checkpoints in runs/networks."""

from experiments.catalogue import BEST, FIRST_SEED, LONG
from experiments.entries import experiment
from experiments.piece import piece
from experiments.pieces import look_ahead, train_and_evaluate, train_compact
from lib2048.recipes import Recipe, find_recipe, last_tenth_slowly

MILLION = dict(games=(10_000, 1_000_000), evaluation=(1_000, 10_000))
TOO_LARGE = 16_384  # the tile from which on boards are shown smaller
SMALL_PATTERNS = ((0, 1, 2, 4, 5), (4, 5, 6, 8, 9), (0, 1, 2, 3, 4), (4, 5, 6, 7, 8))
STEP = 16.0  # points to which the weights of the network in a page are rounded
SEEDS = range(1, 6)
OTHER_GAMES = 1_000  # seeds of games that nothing was chosen on begin above it


def way_of(recipe: Recipe) -> dict:
    """How the network of a recipe is made and learns; its stages say coherence."""
    return dict(patterns=recipe.patterns, **recipe.further_options)


HOUR = way_of(find_recipe("hour"))
FOUR_PATTERNS = way_of(find_recipe("minutes"))
PLAIN_HOUR = way_of(find_recipe("search"))
TO_THE_END = dict(patterns="4x6", lambda_=0.5, restart=10)


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


def ending_slowly(games: int, evaluation: int, way: dict, seed: int, points: int, every: int):
    """A training that ends slowly, with so many points to its curve."""
    return piece(
        train_and_evaluate,
        games=last_tenth_slowly(games),
        evaluation=evaluation,
        seed=seed,
        block=games // points,
        every=every,
        **way,
    )


def looking_ahead(
    plies: int,
    games: int,
    evaluation: int,
    way: dict,
    seed: int,
    play_seed: int,
    shown_smaller: int | None = TOO_LARGE,
):
    """Games of the network of such a training, shown smaller boards in them from a tile on."""
    return piece(
        look_ahead,
        plies=plies,
        games=last_tenth_slowly(games),
        evaluation=evaluation,
        seed=seed,
        play_seed=play_seed,
        play_downgrade=shown_smaller,
        **way,
    )


def looking_ahead_in_parts(games: int, play: dict, way: dict):
    """Games of the network of such a training, in parts: {(plies, shown smaller): (parts, games)}.

    Nothing was chosen by these games.
    """
    for (plies, shown), (parts, number) in play.items():
        for play_seed in range(OTHER_GAMES + 1, OTHER_GAMES + 1 + parts):
            yield looking_ahead(plies, games, number, way, FIRST_SEED, play_seed, shown)


@experiment("million-state-p4-0.2", **MILLION, seconds=(10, 2_400), record=True)
def million_state(games, evaluation):
    """Where does V(state) get in a million games, a fifth of the new tiles fours?"""
    yield long_run(games, evaluation, values="state", p4=0.2)


@experiment("million-afterstate", **MILLION, seconds=(5, 1_000), record=True)
def million_afterstate(games, evaluation):
    """Where does V(afterstate) get in a million games?"""
    yield long_run(games, evaluation, values="afterstate", p4=0.1)


@experiment("downgrade", **LONG, tile=(1_024, TOO_LARGE), seconds=(8, 750), record="full")
def downgrade(games, evaluation, tile):
    """What does it bring to be shown large tiles as smaller ones, in play or in learning too?"""
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
    "hour", games=(5_000, 150_000), evaluation=(500, 10_000), seconds=(25, 3_600), record=True
)
def hour(games, evaluation):
    """How strong does the best way of learning get in about an hour?"""
    yield ending_slowly(games, evaluation, HOUR, FIRST_SEED, points=1000, every=50_000)


@experiment(
    "hour-plies",
    games=(5_000, 150_000),
    evaluation=((40, 4), (1_000, 1_000)),
    parts=((2, 2), (10, 20)),
    seconds=(15, 2_200),
    after=("hour",),
    record=True,
)
def hour_plies(games, evaluation, parts):
    """How strong is the network of an hour when it looks 2 or 3 of its moves ahead?"""
    for plies, number, count in zip((2, 3), evaluation, parts):
        for part in range(count):
            play_seed = FIRST_SEED + 1 + part
            yield looking_ahead(plies, games, number // count, HOUR, FIRST_SEED, play_seed)


@experiment("minutes", **LONG, seeds=((1, 2), SEEDS), seconds=(16, 5_000), record=True)
def minutes(games, evaluation, seeds):
    """How strong does the best way of learning get from 100,000 games, with four patterns?"""
    for seed in seeds:
        yield ending_slowly(games, evaluation, FOUR_PATTERNS, seed, points=100, every=25_000)


@experiment(
    "minutes-plies",
    games=(3_000, 100_000),
    evaluation=({1: 100, 3: 2}, {1: 10_000, 3: 100}),
    seeds=((1, 2), SEEDS),
    seconds=(10, 1_500),
    after=("minutes",),
    record=True,
)
def minutes_plies(games, evaluation, seeds):
    """How strong are these networks in other games, and when they look 3 of their moves ahead?"""
    for seed in seeds:
        for plies, number in evaluation.items():
            yield looking_ahead(plies, games, number, FOUR_PATTERNS, seed, OTHER_GAMES + seed)


@experiment(
    "hour-four", games=(5_000, 270_000), evaluation=(500, 10_000), seconds=(20, 3_600), record=True
)
def hour_four(games, evaluation):
    """What does the hour bring to four patterns, from as many moves?"""
    yield ending_slowly(games, evaluation, FOUR_PATTERNS, FIRST_SEED, points=1000, every=45_000)


@experiment(
    "hour-four-plies",
    games=(5_000, 270_000),
    evaluation=({1: 100, 3: 2}, {1: 10_000, 3: 400}),
    parts=(1, 8),
    seconds=(15, 1_200),
    after=("hour-four",),
    record=True,
)
def hour_four_plies(games, evaluation, parts):
    """How strong is that network in other games, and when it looks 3 of its moves ahead?"""
    for plies, number in evaluation.items():
        for part in range(parts):
            play_seed = OTHER_GAMES + 1 + part
            yield looking_ahead(plies, games, number // parts, FOUR_PATTERNS, FIRST_SEED, play_seed)


@experiment(
    "plainly", games=(5_000, 240_000), evaluation=(500, 10_000), seconds=(15, 3_600), record=True
)
def plainly(games, evaluation):
    """What does an hour bring to a network that is shown boards as they are while it learns?"""
    yield ending_slowly(games, evaluation, PLAIN_HOUR, FIRST_SEED, points=1000, every=50_000)


# How a network that was taught plainly plays: the plies it looks ahead, and the tile from which on
# it is shown smaller boards; then the parts, and the games of a part.
PLAIN_PLAY = {
    (1, None): (10, 1_000),
    (1, TOO_LARGE): (10, 1_000),
    (3, None): (10, 30),
    (3, TOO_LARGE): (34, 30),
    (4, TOO_LARGE): (10, 6),
}


@experiment(
    "plainly-plies",
    games=(5_000, 240_000),
    play=(dict.fromkeys(PLAIN_PLAY, (1, 2)), PLAIN_PLAY),
    seconds=(15, 5_000),
    after=("plainly",),
    record=True,
)
def plainly_plies(games, play):
    """How strong is it in other games, shown smaller boards there or not, and some moves ahead?"""
    yield from looking_ahead_in_parts(games, play, PLAIN_HOUR)


@experiment(
    "to-the-end", games=(5_000, 240_000), evaluation=(500, 10_000), seconds=(15, 2_600), record=True
)
def to_the_end(games, evaluation):
    """What do four patterns learn from the moves of an hour, played on to the last ten moves?"""
    yield ending_slowly(games, evaluation, TO_THE_END, FIRST_SEED, points=1000, every=50_000)


END_PLAY = {
    (1, None): (10, 1_000),
    (1, TOO_LARGE): (10, 1_000),
    (3, None): (10, 30),
    (3, TOO_LARGE): (5, 20),
    (4, None): (10, 3),
}


@experiment(
    "to-the-end-plies",
    games=(5_000, 240_000),
    play=(dict.fromkeys(END_PLAY, (1, 2)), END_PLAY),
    seconds=(15, 1_200),
    after=("to-the-end",),
    record=True,
)
def to_the_end_plies(games, play):
    """How strong is that network in other games, and when it looks some of its moves ahead?"""
    yield from looking_ahead_in_parts(games, play, TO_THE_END)


# The network that comes with the library, which compact.py writes into it


@experiment(
    "compact", games=(1_000, 100_000), evaluation=(100, 5_000), seconds=(4, 600), record="full"
)
def compact(games, evaluation):
    """How strong is a network that fits into a web page, and what does rounding cost it?"""
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
