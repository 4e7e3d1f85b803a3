"""Ways of learning, compared as fairly as this project can: five trainings each, steps tuned first.

One training says little about a way of learning: another seed, and a network of temporal coherence
may be a third weaker. So each way is run from five seeds. And a way whose step was never tuned says
little about the way, so the steps are tuned first, on seeds of their own (100 and more), and what
was best there is what the others are compared with. Evaluation games come from other seeds again.
"""

from experiments.catalogue import BEST, each_method, td_then_tc
from experiments.entries import experiment

SEEDS = (1, 2, 3, 4, 5)
TUNING_SEEDS = (101, 102)
TD_STEPS = (0.03, 0.1, 0.2, 0.3, 0.5, 0.7)
TC_STEPS = (0.25, 0.5, 1.0)
TUNED_STEP = 0.5  # of TD: the best of TD_STEPS on TUNING_SEEDS, which a test compares
OPTIMISTIC = 40_000.0  # points that every board promises at first

COMPARED = {
    "TD, step 0.1": dict(alpha=0.1),
    f"TD, step {TUNED_STEP}": dict(alpha=TUNED_STEP),
    "TC": dict(coherence=True),
    "TC, lambda 0.5": dict(coherence=True, lambda_=0.5),
    "TC, lambda 0.5, restart 1,000": BEST,
}


@experiment(
    "steps",
    games=(200, 10_000),
    evaluation=(50, 1_000),
    seeds=(TUNING_SEEDS[:1], TUNING_SEEDS),
    seconds=(10, 150),
    record="full",
)
def steps(games, evaluation, seeds):
    """Which step suits TD, and which TC, in trainings of this length?"""
    for step in TD_STEPS:
        yield from each_method({"TD": dict(alpha=step)}, games, evaluation, seeds)
    for step in TC_STEPS:
        yield from each_method({"TC": dict(alpha=step, coherence=True)}, games, evaluation, seeds)


@experiment(
    "methods", games=(200, 10_000), evaluation=(50, 2_000), seconds=(15, 400), record="full"
)
def methods(games, evaluation):
    """What is each way of learning worth, from five seeds: at equal games, moves, and seconds?"""
    yield from each_method(COMPARED, games, evaluation, SEEDS)


@experiment(
    "optimism",
    games=(200, 10_000),
    evaluation=(50, 2_000),
    seeds=(SEEDS[:2], SEEDS),
    seconds=(15, 400),
    record="full",
)
def optimism(games, evaluation, seeds):
    """Does an optimistic start help: backward, forward, and with TD before TC as it was
    published?
    """
    for order in ("backward", "forward"):
        for init in (0.0, OPTIMISTIC):
            start = "optimistic" if init else "0"
            way = dict(order=order, init=init)
            ways = {
                f"TC, {order}, from {start}": way | dict(coherence=True),
                f"TD, then TC, {order}, from {start}": way | dict(games=td_then_tc(games)),
            }
            yield from each_method(ways, games, evaluation, seeds)
