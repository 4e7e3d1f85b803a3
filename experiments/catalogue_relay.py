"""Networks that play in turns, each taught from where it takes over; kept in records, in git."""

from experiments.brinks import play_to_the_brink
from experiments.catalogue import FIRST_SEED
from experiments.catalogue_long import OTHER_GAMES
from experiments.entries import experiment
from experiments.piece import piece
from experiments.pieces import train_and_evaluate
from experiments.relays import habit, play_a_relay, relay_piece, train_leg
from lib2048.recipes import last_tenth_slowly

NETWORK = dict(patterns="8x6", lambda_=0.5)
RESTARTS = (1_000, 10)
"""Of each leg: the first learns all of the game, the second practises to its end."""

SEEDS = (FIRST_SEED, 3)
"""Of each leg. The second has a seed whose training begins well, by its first few thousand
games: see relay-beginnings."""

SEEDS_AGAIN = (FIRST_SEED, 4)
"""The second has the other seed whose training begins well."""

RELAY: dict[str, tuple] = dict(
    games=((3_000, 2_000), (100_000, 140_000)),
    tiles=((256,), (16_384,)),
    seen=(200, 10_000),
)

BEGINNINGS = RELAY | dict(beginning=(100, 6_000), seeds=((1, 2), (1, 2, 3, 4, 5)))
"""Several trainings of the second network that stop early: after how many games, and the seeds."""


def legs_of(games, seeds=SEEDS) -> tuple[dict, ...]:
    """The legs of a relay, from how many games each of its networks learns from, and the seeds."""
    return tuple(
        dict(NETWORK, restart=restart, seed=seed, games=last_tenth_slowly(number))
        for restart, seed, number in zip(RESTARTS, seeds, games)
    )


@experiment("relay-1", **RELAY, evaluation=(100, 10_000), seconds=(20, 1_000), record=True)
def relay_1(games, tiles, seen, evaluation):
    """What does the first network of a relay learn, from whole games?"""
    leg = legs_of(games)[0]
    yield piece(
        train_and_evaluate, evaluation=evaluation, block=games[0] // 1000, every=10_000, **leg
    )


def begun_legs(games, beginning: int, seed: int) -> tuple[dict, dict]:
    """The legs of a relay, the second of which has only begun to learn."""
    first, second = legs_of(games)
    return first, second | dict(seed=seed, games=((beginning, 1.0, True),))


@experiment(
    "relay-beginnings",
    **BEGINNINGS,
    seconds=(10, 450),
    after=("relay-1",),
    record=True,
)
def relay_beginnings(games, tiles, seen, beginning, seeds):
    """How differently does the second network of a relay begin to learn, from other seeds?"""
    for seed in seeds:
        yield relay_piece(
            train_leg,
            begun_legs(games, beginning, seed),
            tiles,
            tags={"seed": seed},
            seen=seen,
            block=beginning // 10,
        )


@experiment(
    "relay-habits",
    **BEGINNINGS,
    seconds=(5, 150),
    after=("relay-beginnings",),
    record=True,
)
def relay_habits(games, tiles, seen, beginning, seeds):
    """How do the networks that began so arrange their tiles?"""
    for seed in seeds:
        legs = begun_legs(games, beginning, seed)
        yield relay_piece(habit, legs, tiles, tags={"seed": seed}, seen=seen)


@experiment("relay-2", **RELAY, seconds=(10, 2_600), after=("relay-1",), record=True)
def relay_2(games, tiles, seen):
    """What does the second network of a relay learn, which plays on where the first hands over?"""
    yield relay_piece(
        train_leg,
        legs_of(games),
        tiles,
        seen=seen,
        block=max(1, games[1] // 1000),
        every=10_000,
    )


MARGIN = 30_000

BRINK_GAMES = OTHER_GAMES + 1_000
"""Seeds from here on are those of relay-brink."""

RELAY_PLAY = {
    (1, None): (10, 1_000),
    (3, None): (34, 30),
    (4, None): (40, 6),
    (4, MARGIN): (40, 6),
    (5, MARGIN): (24, 6),
}
"""How many parts, and how many games in each, by how many plies the relay looks ahead and by which
margin it leaves out actions."""


@experiment(
    "relay-plies",
    **RELAY,
    play=(dict.fromkeys(RELAY_PLAY, (1, 2)), RELAY_PLAY),
    seconds=(15, 6_800),
    after=("relay-2",),
    record=True,
)
def relay_plies(games, tiles, seen, play):
    """How strong is the relay, some moves ahead, in games that chose no more than its margin?"""
    yield from played_relays(legs_of(games), tiles, seen, play)


def played_relays(legs, tiles, seen, play):
    """Pieces in which a relay plays, by the plies and margins of `play`."""
    for (plies, margin), (parts, number) in play.items():
        for play_seed in range(OTHER_GAMES + 1, OTHER_GAMES + 1 + parts):
            yield relay_piece(
                play_a_relay,
                legs,
                tiles,
                seen=seen,
                plies=plies,
                evaluation=number,
                play_seed=play_seed,
                margin=margin,
            )


@experiment(
    "relay-again",
    **RELAY,
    play=({(3, None): (1, 2)}, {(3, None): (17, 30), (4, MARGIN): (40, 6)}),
    seconds=(15, 3_000),
    after=("relay-1",),
    record=True,
)
def relay_again(games, tiles, seen, play):
    """How strong is the relay when its second network learned from another seed?"""
    yield from played_relays(legs_of(games, SEEDS_AGAIN), tiles, seen, play)


BRINK_WAYS = ((3, None), (4, None), (5, None), (6, MARGIN))
"""By how many plies, and by which margin, it is played on from the brink."""


@experiment(
    "relay-brink",
    **RELAY,
    brink=((512, 128), (32_768, 512)),
    ways=(((1, None), (2, None)), BRINK_WAYS),
    parts=(2, 30),
    evaluation=(5, 10),
    search=((2, 1_000), (4, MARGIN)),
    seconds=(10, 2_400),
    after=("relay-2",),
    record=True,
)
def relay_brink(games, tiles, seen, brink, ways, parts, evaluation, search):
    """Where do the games of the relay end, and does it help to look further ahead there?"""
    plies, margin = search
    for play_seed in range(BRINK_GAMES + 1, BRINK_GAMES + 1 + parts):
        yield relay_piece(
            play_to_the_brink,
            legs_of(games),
            tiles,
            seen=seen,
            brink=brink,
            ways=ways,
            again=2,
            plies=plies,
            margin=margin,
            evaluation=evaluation,
            play_seed=play_seed,
        )
