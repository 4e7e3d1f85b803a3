"""The second game's experiments: the four tables of source report 002, what hides behind them, and how strong it gets.

All are played on the same instances, from both seats: there are twice as many rounds as instances. A table that had
fewer rounds in the report takes the first instances. At the full scale the budget is 100,000 simulations a move where
players are measured against hard, and less where many players are compared with each other, which would take hours.
"""

from experiments.entries import experiment
from experiments.piece import PROCESS, piece
from experiments.tournaments import tournament
from libewn.agent import BEST
from libewn.tree import NODE_BYTES

WORK = 25_000_000  # instances times simulations a move in a piece: a run that was stopped loses minutes
NODES = 1 << 21  # room for the tree of the best player at 100,000 simulations a move
SMALL = {"instances": 40, "simulations": 2_000}
FULL = {"instances": 500, "simulations": 100_000}
QUICK = {"instances": 500, "simulations": 10_000}
PLAIN = {"results": "plain", "c": 1.0}
ALGORITHMS = {  # the report's columns; its c was 1.0 in all of them
    "MCS": PLAIN | {"algorithm": "mcs"},
    "MCTS": PLAIN,
    "MCTS, rich": {"c": 1.0},
    "MCTS, rich, tuned": {"c": 1.0, "ucb": "tuned"},
}
REPORTED_C = (1.4, 1.0, 0.6, 0.2)
HALVED = {"tuned": 2, "as_submitted": 4}  # at its cap a formula is ucb1 with its c divided by this
HEATS = (0.0, 2.0, 5.0, 10.0, 20.0, 40.0)  # K of the temperatures
SUBMITTED = {"ucb": "tuned", "c": 0.6}  # what the report played its temperatures with
STEPS = {  # from plain UCB1 to the best player, one ingredient after the other
    "single playouts": {
        "visit": 1,
        "expand": 1,
    },  # one a visit, and a node gets children at its second
    "solved endings": {"solve": True},
    "the guess": {"prior": BEST["prior"]},
    "the kept tree": {"reuse": True},
}


def cell(
    name: str, opponent: str, instances: int, simulations: int, algorithm: str = "mcts", **options
):
    """The pieces of one cell of a table; `name` is the player's there."""
    memory = PROCESS + 2 * NODE_BYTES * options.get("nodes", 1 << 18)
    step = max(1, WORK // simulations)
    for first in range(0, instances, step):
        part = {
            "simulations": simulations,
            "first": first,
            "instances": min(step, instances - first),
        }
        options |= {"algorithm": algorithm, "opponent": opponent}
        yield piece(tournament, tags={"player": name}, memory=memory, **part, **options)


@experiment(
    "ewn-algorithms",
    question="MCS, MCTS, rich results, the tuned formula: how do they fare against hard?",
    scales={"small": SMALL, "full": FULL},
    cost={"small": 5, "full": 1_200},
    record="full",
)
def algorithms(instances, simulations):
    for name, options in ALGORITHMS.items():
        yield from cell(name, "hard", instances, simulations, **options)
    yield from cell("as submitted", "hard", instances, simulations, ucb="as_submitted", c=1.0)


@experiment(
    "ewn-strength",
    question="How strong is the best player, against easy, normal and hard, and next to plain UCB1 at its c?",
    scales={"small": SMALL, "full": FULL},
    cost={"small": 10, "full": 2_000},
    record="full",
)
def strength(instances, simulations):
    yield from cell("UCB1", "hard", instances, simulations, c=BEST["c"])
    for opponent in ("hard", "normal", "easy"):
        yield from cell("best", opponent, instances, simulations, nodes=NODES, **BEST)
    # The best player's numbers were chosen on instances of seed 1: is it as good on others?
    yield from cell(
        "best, other instances", "hard", instances // 2, simulations, seed=2, nodes=NODES, **BEST
    )


@experiment(
    "ewn-formulas",
    question="Are the three formulas the same at matched c: tuned at c and UCB1 at c/2, as submitted and UCB1 at c/4?",
    scales={"small": SMALL, "full": QUICK},
    cost={"small": 10, "full": 200},
    record="full",
)
def formulas(instances, simulations):
    for c in sorted({1.4, 1.0, *(round(c / by, 3) for c in REPORTED_C for by in HALVED.values())}):
        yield from cell("ucb1", "hard", instances, simulations, ucb="ucb1", c=c)
    for formula in HALVED:
        for c in REPORTED_C:
            yield from cell(formula, "hard", instances, simulations, ucb=formula, c=c)


@experiment(
    "ewn-ingredients",
    question="What makes the best player better than plain UCB1?",
    scales={"small": SMALL, "full": QUICK},
    cost={"small": 5, "full": 180},
    record="full",
)
def ingredients(instances, simulations):
    options = {"c": BEST["c"], "nodes": NODES}
    for name, step in STEPS.items():
        options |= step
        yield from cell(f"with {name}", "hard", instances, simulations, **options)
    for name, step in list(STEPS.items())[
        :-1
    ]:  # without the last it is the player before the last step
        left = {key: value for key, value in options.items() if key not in step}
        yield from cell(f"best without {name}", "hard", instances, simulations, **left)


@experiment(
    "ewn-pv-temperature",
    question="What does it do to choose by chance along the principal variation?",
    scales={"small": SMALL, "full": QUICK | {"instances": 100}},
    cost={"small": 3, "full": 30},
    record="full",
)
def pv_temperature(instances, simulations):
    for heat in HEATS:
        yield from cell("pv", "hard", instances, simulations, pv_k=heat, **SUBMITTED)


@experiment(
    "ewn-move-temperature",
    question="What does it do to choose the final move by chance?",
    scales={"small": SMALL, "full": QUICK | {"instances": 250}},
    cost={"small": 3, "full": 75},
    record="full",
)
def move_temperature(instances, simulations):
    for heat in HEATS:
        yield from cell("move", "hard", instances, simulations, move_k=heat, **SUBMITTED)


@experiment(
    "ewn-weaker",
    question="How do the algorithms and c = 0.6 fare against normal and easy?",
    scales={"small": SMALL, "full": QUICK},
    cost={"small": 8, "full": 100},
    record="full",
)
def weaker(instances, simulations):
    players = ALGORITHMS | {"tuned, c = 0.6": {"ucb": "tuned", "c": 0.6}}
    for opponent in ("normal", "easy"):
        for name, options in players.items():
            yield from cell(name, opponent, instances, simulations, **options)
