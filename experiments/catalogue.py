"""What this project knows, as a table of contents: a question each, and the runs that answer it.

Seconds are those of one core at the small and at the full scale, all runs together, measured on two
slow cores at once. An experiment `after` another uses networks that the other one leaves in
runs/networks.
"""

import numpy as np

from experiments.entries import experiment
from experiments.piece import piece
from experiments.pieces import look_ahead, search_a_tree, train_and_evaluate
from lib2048.network import PATTERNS

FIRST_SEED = 1
# The value at the small scale, and that at the full one.
SEEDS = dict(games=(1_000, 10_000), seeds=(3, 5))
TRAINED = dict(games=(5_000, 100_000), evaluation=(1_000, 10_000))
LONG = dict(games=(3_000, 100_000), evaluation=(500, 10_000))
BEST = dict(coherence=True, lambda_=0.5, restart=1_000)  # the best way of learning found so far
PARTS = 2  # of the games of a search: as many pieces, which run side by side
LOOKUPS = 32  # of a 4x6 network: four patterns on eight images
METHODS = {
    "TD": {},
    "TC": dict(coherence=True),
    "TC, lambda 0.5": dict(coherence=True, lambda_=0.5),
    "TC, lambda 0.5, restart 2,000": BEST | dict(restart=2_000),
    "TC, lambda 0.5, restart 1,000": BEST,
}


def ages(games: int) -> tuple[int, ...]:
    """The ages at which networks are kept: a hundredth, a tenth and all of the games."""
    return games // 100, games // 10, games


def each_seed(seeds: int, games: int, **parameters):
    """The same short training from several seeds.

    What is left out is alike in all experiments, so that they share its runs.
    """
    parameters = dict(alpha=0.1) | parameters
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        yield piece(train_and_evaluate, games=games, evaluation=1_000, seed=seed, **parameters)


def each_method(methods: dict[str, dict], games, evaluation: int, seeds=(FIRST_SEED,)):
    """The same training in several ways, tagged by their names, from each seed."""
    for method, options in methods.items():
        for seed in seeds:
            parameters = dict(games=games, evaluation=evaluation, seed=seed) | options
            yield piece(train_and_evaluate, tags={"method": method}, **parameters)


# Training


def training(values: str, games: int, evaluation: int):
    """A training whose network other experiments use."""
    return piece(
        train_and_evaluate,
        values=values,
        games=games,
        evaluation=evaluation,
        seed=FIRST_SEED,
        block=games // 100,
        ages=ages(games),
    )


def playing(function, part: int = 0, **parameters):
    """Games of the network of "afterstate"; each part plays others."""
    return piece(
        function,
        values="afterstate",
        seed=FIRST_SEED,
        play_seed=FIRST_SEED + 1 + part,
        **parameters,
    )


@experiment("afterstate", **TRAINED, seconds=(3, 75))
def afterstate(games, evaluation):
    """How well does V(afterstate) play after 100,000 games?"""
    yield training("afterstate", games, evaluation)


@experiment("state", **TRAINED, seconds=(5, 150))
def state(games, evaluation):
    """How well does V(state) play after 100,000 games?"""
    yield training("state", games, evaluation)


@experiment(
    "checkpoints",
    games=(5_000, 100_000),
    evaluation=(200, 2_000),
    seconds=(2, 10),
    after=("afterstate",),
)
def checkpoints(games, evaluation):
    """How does V(afterstate) play at different ages of its training?"""
    for age in ages(games):
        yield playing(look_ahead, games=age, evaluation=evaluation)


# What each ingredient is worth


@experiment("isomorphism", **SEEDS, seconds=(12, 110))
def isomorphism(games, seeds):
    """What are the eight images of a board worth: shared tables, one table an image, one image
    only?
    """
    apart = images("4x6")
    yield from each_seed(seeds, games, tags={"images": "8, shared tables"})
    yield from each_seed(
        seeds, games, tags={"images": "8, a table each"}, patterns=apart, symmetries=1
    )
    yield from each_seed(seeds, games, tags={"images": "1"}, symmetries=1)


def images(name: str) -> tuple[tuple[int, ...], ...]:
    """All images of the patterns of a network, as patterns of their own."""
    square = np.arange(16).reshape(4, 4)
    turns = [np.rot90(side, n).ravel().tolist() for side in (square, square.T) for n in range(4)]
    return tuple(
        tuple(turn[cell] for cell in pattern) for pattern in PATTERNS[name] for turn in turns
    )


@experiment("alpha", **SEEDS, seconds=(8, 70))
def alpha(games, seeds):
    """What does the step size do, from far too small to far too large?"""
    for step in (0.0025, 0.1, 0.3, 1.0):
        yield from each_seed(seeds, games, alpha=step)


@experiment("alpha-not-divided", **SEEDS, seconds=(4, 30))
def alpha_not_divided(games, seeds):
    """What happens when alpha is not divided by the number of lookups?"""
    yield from each_seed(seeds, games, tags={"step": "alpha / lookups"})
    yield from each_seed(seeds, games, tags={"step": "alpha"}, alpha=0.1 * LOOKUPS)


@experiment("order", **SEEDS, seconds=(10, 150))
def order(games, seeds):
    """Is it better to learn backward from the end of a game, or forward while playing?"""
    for values in ("afterstate", "state"):
        for direction in ("backward", "forward"):
            yield from each_seed(seeds, games, values=values, order=direction)


@experiment("p4", **SEEDS, seconds=(4, 55))
def p4(games, seeds):
    """How much harder is the game when a fifth of the new tiles are fours?"""
    for share in (0.1, 0.2):
        yield from each_seed(seeds, games, p4=share)


# Strength


@experiment(
    "plies",
    games=(5_000, 100_000),
    evaluation=((500, 40, 8), (10_000, 1_000, 150)),
    seconds=(10, 180),
    after=("afterstate",),
)
def plies(games, evaluation):
    """How much stronger is the network of 100,000 games when it looks 2 or 3 of its moves ahead?"""
    for depth, number in enumerate(evaluation, start=1):
        for part in range(PARTS):
            yield playing(look_ahead, part, plies=depth, games=games, evaluation=number // PARTS)


@experiment(
    "tree-search",
    games=(5_000, 100_000),
    trips=(((10, 10), (150, 4)), ((18, 250), (300, 75))),
    seconds=(10, 280),
    after=("afterstate",),
    record="full",
)
def tree_search(games, trips):
    """What does Monte-Carlo tree search make of the same network, in the time of 2 or 3 plies?

    `trips` has (trips a move, games) for each number of plies; plays the games of "plies".

    So many trips took as long as 2 and 3 plies, measured in turns.
    """
    few, many = trips
    for budget, c in ((few, 0.0), (few, 0.5), (few, 2.0), (many, 0.0)):
        for part in range(PARTS):
            yield playing(
                search_a_tree, part, trips=budget[0], c=c, games=games, evaluation=budget[1]
            )


@experiment("coherence", **LONG, seconds=(10, 900), record="full")
def coherence(games, evaluation):
    """What do temporal coherence, TD(lambda) and playing on from mid-game boards add at 100,000
    games?
    """
    yield from each_method(METHODS, games, evaluation)


def td_then_tc(games: int) -> list:
    """TD for nine tenths of the games, then temporal coherence: the published order."""
    last_tenth = games // 10
    return [(games - last_tenth, None, False), (last_tenth, None, True)]


@experiment("starts", **LONG, seconds=(6, 400), record="full")
def starts(games, evaluation):
    """Does TC gain from an optimistic start, or from plain TD before it?"""
    methods = {
        "TC": dict(coherence=True),
        "TC from an optimistic 40,000": dict(coherence=True, init=40_000.0),
        "TD, then TC for the last tenth": dict(games=td_then_tc(games)),
    }
    yield from each_method(methods, games, evaluation)


@experiment(
    "networks", games=(3_000, 30_000), evaluation=(500, 10_000), seconds=(10, 260), record="full"
)
def networks(games, evaluation):
    """What do eight patterns add to four, learning in the best way?"""
    methods = {patterns: BEST | dict(patterns=patterns) for patterns in ("4x6", "8x6")}
    yield from each_method(methods, games, evaluation)
