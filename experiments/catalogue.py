"""What this project knows, as a table of contents: each experiment asks a question and says what answers it.

Costs are seconds of one core for all pieces together, measured on two slow cores at once. An experiment `after` another
uses networks that the other one leaves in runs/networks.
"""

import numpy as np

from experiments.entries import experiment
from experiments.piece import piece
from experiments.pieces import look_ahead, train_and_evaluate
from lib2048.network import PATTERNS

ABLATION = {"small": {"games": 1_000, "seeds": 3}, "full": {"games": 10_000, "seeds": 4}}
FIRST_SEED = 1
BEST = {
    "coherence": True,
    "lambda_": 0.5,
    "restart": 1_000,
}  # the best way of learning found so far
METHODS = {
    "TD": {},
    "TC": {"coherence": True},
    "TC, lambda 0.5": {"coherence": True, "lambda_": 0.5},
    "TC, lambda 0.5, restart 2,000": {"coherence": True, "lambda_": 0.5, "restart": 2_000},
    "TC, lambda 0.5, restart 1,000": BEST,
}


def ages(games: int) -> tuple[int, ...]:
    """The training ages at which networks are kept: a hundredth, a tenth and all of the games."""
    return games // 100, games // 10, games


def each_seed(seeds: int, games: int, **parameters):
    """The same short training from several seeds. What is left out is alike everywhere, and so run once."""
    parameters = {"alpha": 0.1} | parameters
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        yield piece(train_and_evaluate, games=games, evaluation=1_000, seed=seed, **parameters)


# Training


@experiment(
    "afterstate",
    question="How well does V(afterstate) play after 100,000 games?",
    scales={
        "small": {"games": 5_000, "evaluation": 1_000},
        "full": {"games": 100_000, "evaluation": 10_000},
    },
    cost={"small": 3, "full": 75},
)
def afterstate(games, evaluation):
    yield _training("afterstate", games, evaluation)


@experiment(
    "state",
    question="How well does V(state) play after 100,000 games?",
    scales={
        "small": {"games": 5_000, "evaluation": 1_000},
        "full": {"games": 100_000, "evaluation": 10_000},
    },
    cost={"small": 5, "full": 150},
)
def state(games, evaluation):
    yield _training("state", games, evaluation)


def _training(values, games, evaluation):
    parameters = {
        "values": values,
        "games": games,
        "evaluation": evaluation,
        "seed": FIRST_SEED,
        "block": games // 100,
    }
    return piece(train_and_evaluate, ages=ages(games), **parameters)


@experiment(
    "checkpoints",
    question="How does V(afterstate) play at different ages of its training?",
    scales={
        "small": {"games": 5_000, "evaluation": 200},
        "full": {"games": 100_000, "evaluation": 2_000},
    },
    cost={"small": 2, "full": 10},
    after=("afterstate",),
)
def checkpoints(games, evaluation):
    for age in ages(games):
        options = {
            "games": age,
            "evaluation": evaluation,
            "values": "afterstate",
            "seed": FIRST_SEED,
        }
        yield piece(look_ahead, play_seed=FIRST_SEED + 1, **options)


# What each ingredient is worth


@experiment(
    "isomorphism",
    question="What are the eight images of a board worth: shared tables, one table an image, one image only?",
    scales=ABLATION,
    cost={"small": 12, "full": 110},
)
def isomorphism(games, seeds):
    yield from each_seed(seeds, games, tags={"images": "8, shared tables"})
    yield from each_seed(
        seeds, games, tags={"images": "8, a table each"}, patterns=images("4x6"), symmetries=1
    )
    yield from each_seed(seeds, games, tags={"images": "1"}, symmetries=1)


def images(name: str) -> tuple[tuple[int, ...], ...]:
    """All images of the patterns of a network, as patterns of their own."""
    square = np.arange(16).reshape(4, 4)
    turns = [np.rot90(side, n).ravel().tolist() for side in (square, square.T) for n in range(4)]
    return tuple(
        tuple(turn[cell] for cell in pattern) for pattern in PATTERNS[name] for turn in turns
    )


@experiment(
    "alpha",
    question="What does the step size do, from far too small to far too large?",
    scales=ABLATION,
    cost={"small": 8, "full": 70},
)
def alpha(games, seeds):
    for value in (0.0025, 0.1, 0.3, 1.0):
        yield from each_seed(seeds, games, alpha=value)


@experiment(
    "alpha-not-divided",
    question="What happens when alpha is not divided by the number of lookups?",
    scales={
        "small": {"games": 1_000, "seeds": 3, "lookups": 32},
        "full": {"games": 10_000, "seeds": 4, "lookups": 32},
    },
    cost={"small": 4, "full": 30},
)
def alpha_not_divided(games, seeds, lookups):
    yield from each_seed(seeds, games, tags={"step": "alpha / lookups"})
    yield from each_seed(seeds, games, tags={"step": "alpha"}, alpha=0.1 * lookups)


@experiment(
    "order",
    question="Is it better to learn backward from the end of a game, or forward while playing?",
    scales=ABLATION,
    cost={"small": 10, "full": 150},
)
def order(games, seeds):
    for values in ("afterstate", "state"):
        for direction in ("backward", "forward"):
            yield from each_seed(seeds, games, values=values, order=direction)


@experiment(
    "p4",
    question="How much harder is the game when a fifth of the new tiles are fours?",
    scales=ABLATION,
    cost={"small": 4, "full": 55},
)
def p4(games, seeds):
    for share in (0.1, 0.2):
        yield from each_seed(seeds, games, p4=share)


# Strength


@experiment(
    "plies",
    question="How much stronger is the network of 100,000 games when it looks 2 or 3 of its moves ahead?",
    scales={
        "small": {"games": 5_000, "evaluation": (500, 40, 8), "parts": 2},
        "full": {"games": 100_000, "evaluation": (10_000, 1_000, 150), "parts": 2},
    },
    cost={"small": 10, "full": 180},
    after=("afterstate",),
)
def plies(games, evaluation, parts):
    for depth, number in enumerate(evaluation, start=1):
        for part in range(parts):
            options = {
                "games": games,
                "evaluation": number // parts,
                "values": "afterstate",
                "seed": FIRST_SEED,
            }
            yield piece(look_ahead, plies=depth, play_seed=FIRST_SEED + 1 + part, **options)


@experiment(
    "coherence",
    question="What do temporal coherence, TD(lambda) and playing on from mid-game boards add at 100,000 games?",
    scales={
        "small": {"games": 3_000, "evaluation": 500},
        "full": {"games": 100_000, "evaluation": 10_000},
    },
    cost={"small": 10, "full": 900},
    record="full",
)
def coherence(games, evaluation):
    yield from _each_method(METHODS, games, evaluation)


def _each_method(methods, games, evaluation):
    for method, options in methods.items():
        options = {"games": games, "evaluation": evaluation, "seed": FIRST_SEED} | options
        yield piece(train_and_evaluate, tags={"method": method}, **options)


@experiment(
    "starts",
    question="Does TC gain from an optimistic start, or from plain TD before it?",
    scales={
        "small": {"games": 3_000, "evaluation": 500},
        "full": {"games": 100_000, "evaluation": 10_000},
    },
    cost={"small": 6, "full": 400},
    record="full",
)
def starts(games, evaluation):
    stages = [(games - games // 10, None, False), (games // 10, None, True)]
    methods = {
        "TC": {"coherence": True},
        "TC from an optimistic 40,000": {"coherence": True, "init": 40_000.0},
        "TD, then TC for the last tenth": {"games": stages},
    }
    yield from _each_method(methods, games, evaluation)


@experiment(
    "networks",
    question="What do eight patterns add to four, learning in the best way?",
    scales={
        "small": {"games": 3_000, "evaluation": 500},
        "full": {"games": 30_000, "evaluation": 10_000},
    },
    cost={"small": 10, "full": 260},
    record="full",
)
def networks(games, evaluation):
    methods = {patterns: BEST | {"patterns": patterns} for patterns in ("4x6", "8x6")}
    yield from _each_method(methods, games, evaluation)
