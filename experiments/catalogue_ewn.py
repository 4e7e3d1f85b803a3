"""The second game's experiments: the four tables of source report 002, and how strong it gets.

All are played on the same instances, from both seats: there are twice as many rounds as instances.
A table that had fewer rounds in the report takes the first instances. At the full scale the budget
is 100,000 simulations a move where players are measured against hard, and less where many players
are compared with each other, which would take hours. A table keeps to one number of playouts.
"""

import numpy as np

from experiments import progress
from experiments.entries import experiment
from experiments.piece import PROCESS, piece
from experiments.versions import versioned
from libewn.agent import BEST
from libewn.match import play_rounds, player
from libewn.tree import NODE_BYTES
from workbook.ewn_matches import REPORTED_C, REPORTED_K

WORK = 25_000_000  # instances times simulations in a piece: a run that was stopped loses minutes
NODES = 1 << 21  # room for the tree of the best player at 100,000 simulations a move
NODES_OF_OTHERS = 1 << 18
FULL = dict(instances=(40, 500), simulations=(2_000, 100_000))
QUICK = dict(instances=(40, 500), simulations=(2_000, 10_000))
PLAIN = dict(results="plain", c=1.0)
ALGORITHMS = {  # the report's columns; its c was 1.0 in all of them
    "MCS": PLAIN | dict(algorithm="mcs"),
    "MCTS": PLAIN,
    "MCTS, rich": dict(c=1.0),
    "MCTS, rich, tuned": dict(c=1.0, ucb="tuned"),
}
TRIED_C = tuple(REPORTED_C["hard"])
HALVED = {"tuned": 2, "as_submitted": 4}  # at its cap a formula is ucb1 with its c divided by this
HEATS = tuple(REPORTED_K)  # K of the temperatures
SUBMITTED = dict(ucb="tuned", c=0.6)  # what the report played its temperatures with
STEPS = {  # from plain UCB1 to the best player, one ingredient after the other
    # one playout a visit, and a node gets children at its second
    "single playouts": dict(visit=1, expand=1),
    "solved endings": dict(solve=True),
    "the guess": dict(prior=BEST["prior"]),
    "the kept tree": dict(reuse=True),
}


@versioned(1)
def tournament(algorithm, opponent, simulations, instances, first=0, seed=1, **options):
    """Let a player meet an opponent on some instances, from both seats each.

    Parameters
    ----------
    algorithm : str
        The player: "mcs" or "mcts".
    opponent : str
        Whom it meets.
    simulations : int
        How many simulations the player has for a move.
    instances, first, seed : int
        How many instances of the set `seed` are played, from number `first` on.
    **options
        Of the player.

    Returns
    -------
    dict
        won, eliminated, plies: uint8 (instances, 2), the columns Red and Blue as the player's seat.
        children: of all trees grown, those with playouts; at_cap: of these, those whose tuned bound
        stood at its cap when a search ended. wins: how many rounds the player won.
    """
    candidate = player(algorithm, simulations=simulations, **options)
    other = player(opponent)
    rounds = []
    for number in range(first, first + instances):
        rounds += play_rounds(candidate, other, [number], seed=seed)
        progress.report(number + 1 - first, instances)

    def column(values) -> np.ndarray:
        return np.array(values, np.uint8).reshape(instances, 2)

    at_cap, children = candidate.caps[:2]
    return {
        "won": column([played.won for played in rounds]),
        "eliminated": column([played.by == "elimination" for played in rounds]),
        "plies": column([played.plies for played in rounds]),
        "wins": sum(played.won for played in rounds),
        "at_cap": int(at_cap),
        "children": int(children),
    }


def cell(
    name: str, opponent: str, instances: int, simulations: int, algorithm: str = "mcts", **options
):
    """The pieces of one cell of a table; `name` is the player's there."""
    memory = PROCESS + 2 * NODE_BYTES * options.get("nodes", NODES_OF_OTHERS)
    step = max(1, WORK // simulations)
    for first in range(0, instances, step):
        yield piece(
            tournament,
            tags={"player": name},
            memory=memory,
            simulations=simulations,
            first=first,
            instances=min(step, instances - first),
            **options | dict(algorithm=algorithm, opponent=opponent),
        )


@experiment("ewn-algorithms", **FULL, seconds=(5, 1_200), record="full")
def algorithms(instances, simulations):
    """MCS, MCTS, rich results, the tuned formula: how do they fare against hard?"""
    for name, options in ALGORITHMS.items():
        yield from cell(name, "hard", instances, simulations, **options)
    yield from cell("as submitted", "hard", instances, simulations, ucb="as_submitted", c=1.0)


@experiment("ewn-strength", **FULL, seconds=(10, 2_000), record="full")
def strength(instances, simulations):
    """How strong is the best player, against easy, normal and hard, and next to plain UCB1 at its
    c?
    """
    best = dict(nodes=NODES) | BEST
    yield from cell("UCB1", "hard", instances, simulations, c=BEST["c"])
    for opponent in ("hard", "normal", "easy"):
        yield from cell("best", opponent, instances, simulations, **best)
    # The best player's numbers were chosen on instances of seed 1: is it as good on others?
    name = "best, other instances"
    yield from cell(name, "hard", instances // 2, simulations, seed=2, **best)


@experiment("ewn-formulas", **QUICK, seconds=(10, 200), record="full")
def formulas(instances, simulations):
    """Are the three formulas the same at matched c: tuned at c and UCB1 at c/2, as submitted and
    UCB1 at c/4?
    """
    matched = {round(c / by, 3) for c in TRIED_C for by in HALVED.values()}
    for c in sorted({1.4, 1.0} | matched):
        yield from cell("ucb1", "hard", instances, simulations, ucb="ucb1", c=c)
    for formula in HALVED:
        for c in TRIED_C:
            yield from cell(formula, "hard", instances, simulations, ucb=formula, c=c)


@experiment("ewn-ingredients", **QUICK, seconds=(5, 180), record="full")
def ingredients(instances, simulations):
    """What makes the best player better than plain UCB1?"""
    options = dict(c=BEST["c"], nodes=NODES)
    for name, step in STEPS.items():
        options |= step
        yield from cell(f"with {name}", "hard", instances, simulations, **options)
    *all_but_last, _ = STEPS.items()  # without the last it is the player before the last step
    for name, step in all_but_last:
        left = {option: value for option, value in options.items() if option not in step}
        yield from cell(f"best without {name}", "hard", instances, simulations, **left)


@experiment(
    "ewn-pv-temperature", **QUICK | dict(instances=(40, 100)), seconds=(3, 30), record="full"
)
def pv_temperature(instances, simulations):
    """What does it do to choose by chance along the principal variation?"""
    for heat in HEATS:
        yield from cell("pv", "hard", instances, simulations, pv_k=heat, **SUBMITTED)


@experiment(
    "ewn-move-temperature", **QUICK | dict(instances=(40, 250)), seconds=(3, 75), record="full"
)
def move_temperature(instances, simulations):
    """What does it do to choose the final move by chance?"""
    for heat in HEATS:
        yield from cell("move", "hard", instances, simulations, move_k=heat, **SUBMITTED)


@experiment("ewn-weaker", **QUICK, seconds=(8, 100), record="full")
def weaker(instances, simulations):
    """How do the algorithms and c = 0.6 fare against normal and easy?"""
    players = ALGORITHMS | {"tuned, c = 0.6": dict(ucb="tuned", c=0.6)}
    for opponent in ("normal", "easy"):
        for name, options in players.items():
            yield from cell(name, opponent, instances, simulations, **options)


@experiment("ewn-course", **FULL | dict(instances=(40, 50)), seconds=(6, 130), record="full")
def course(instances, simulations):
    """How do the algorithms fare against normal and easy with the budget they had against hard?"""
    for opponent, count in (("normal", instances), ("easy", instances // 2)):
        for name, options in ALGORITHMS.items():
            yield from cell(name, opponent, count, simulations, **options)


@experiment("ewn-expansion", **QUICK, seconds=(8, 250), record="full")
def expansion(instances, simulations):
    """When should a node get children, and how many playouts should a visit make?"""
    usual = dict(c=BEST["c"])
    for expand in (25, 75, 800):  # 200 is in ewn-formulas
        yield from cell("visits of 25", "hard", instances, simulations, expand=expand, **usual)
    single = usual | dict(visit=1, nodes=NODES)
    for expand in (25, 200):  # 1 is in ewn-ingredients
        yield from cell("visits of 1", "hard", instances, simulations, expand=expand, **single)


@experiment(
    "ewn-budgets",
    instances=(40, 250),
    simulations=((200, 500, 1_000), (1_000, 3_000, 30_000)),
    seconds=(10, 200),
    record="full",
)
def budgets(instances, simulations):
    """What do more playouts bring to a bandit, a tree, a tree of single playouts, the best
    player?
    """
    low, middle, high = simulations
    usual = dict(c=BEST["c"])
    players = {
        "bandit": usual | dict(algorithm="mcs"),
        "tree": usual,
        "single playouts": usual | STEPS["single playouts"] | dict(nodes=NODES),
        "best": BEST | dict(nodes=NODES),
    }
    for name, options in players.items():
        for playouts in (low, middle):
            yield from cell(name, "hard", instances, playouts, **options)
    # 10,000 and 100,000 of the others are in ewn-formulas, ewn-ingredients and ewn-strength; 30,000
    # single playouts would take as long as everything here.
    yield from cell("bandit", "hard", instances, 10 * low, **players["bandit"])
    for name in ("bandit", "tree"):
        yield from cell(name, "hard", instances, high, **players[name])
