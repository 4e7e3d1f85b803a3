"""Sentences that compare players and ways of learning, made from the numbers they speak of.

As in sentences.py, there is a wording for whatever the numbers may say.
"""

import math
from collections.abc import Sequence

from workbook.seeds import over_seeds
from workbook.words import joined, percent, plus_minus


def verdict_of_difference(difference: float, half: float) -> str:
    """Whether one of two is the stronger.

    Parameters
    ----------
    difference
        How much the one has more than the other.
    half
        Half the width of the difference's 95 % interval.

    Examples
    --------
    >>> verdict_of_difference(1_767, 932), verdict_of_difference(-300, 400)
    ('clearly stronger', 'not to be told apart')
    """
    if not half > 0:
        raise ValueError(f"half an interval is above 0, got {half!r}")
    if difference > half:
        return "clearly stronger"
    if difference < -half:
        return "clearly weaker"
    return "not to be told apart"


def lambda_and_luck(plain: Sequence[float], mixed: Sequence[float]) -> str:
    r"""Whether TD(lambda) takes the bad luck out of temporal coherence.

    Parameters
    ----------
    plain, mixed
        Scores of trainings by TC from some seeds, and by TC with lambda 0.5.

    Examples
    --------
    >>> lambda_and_luck([40_000, 50_000], [60_000, 61_000])
    'TC alone has an unlucky seed: its worst training reaches 80\xa0% of its best. With ...
    """
    worst = min(plain) / max(plain)
    worst_mixed = min(mixed) / max(mixed)
    told = f"its worst training reaches {percent(worst)} of its best"
    told_mixed = f"the worst reaches {percent(worst_mixed)} of the best"
    all_above = min(mixed) > max(plain)
    if worst < 0.9 and worst_mixed > 0.9:
        text = (
            f"TC alone has an unlucky seed: {told}. With lambda 0.5 {told_mixed}. A likely "
            "reason: targets that look further ahead are less often wrong in the first games, so "
            "that fewer weights are slowed down by errors that contradict each other too early"
        )
    elif worst_mixed >= worst:
        text = (
            f"The trainings of TC lie close together already: {told}. With lambda 0.5 {told_mixed}"
        )
    else:
        text = f"Here lambda does not take the luck out: {told}; with lambda 0.5 {told_mixed}"
    if all_above:
        return text + ". And every training with lambda is better than the best one without."
    return text + "."


def more_or_fewer(difference: float, half: float) -> str:
    """How many points more or fewer one has than another.

    Parameters
    ----------
    difference
        How much the one has more than the other.
    half
        Half the width of the difference's 95 % interval.

    Examples
    --------
    >>> more_or_fewer(6_235, 931), more_or_fewer(-40.2, 100)
    ('6,235 ± 931 points more', '40 ± 100 points fewer')
    """
    return f"{plus_minus(abs(difference), half)} points {'more' if difference > 0 else 'fewer'}"


def equal_budgets(games: dict, moves: dict, seconds: dict) -> str:
    """Which way of learning is ahead, by what is held equal, and which ones keep up with it.

    Two ways are told apart where the difference of their means is larger than its 95 % interval
    over trainings.

    Parameters
    ----------
    games, moves, seconds
        The scores of each way's trainings at equal games, equal moves and equal seconds.

    Examples
    --------
    >>> clear = {"a": [10, 11, 12], "b": [20, 21, 22]}
    >>> close = {"a": [20, 21, 23], "b": [20, 21, 22]}
    >>> equal_budgets(clear, clear, clear)
    'Whatever is held equal, *b* is clearly ahead; by how much depends on what that is.'
    >>> equal_budgets(clear, clear, close)
    'At equal games *b* is clearly ahead, and at equal moves as well. At equal seconds *a* has ...
    """
    budgets = {"equal games": games, "equal moves": moves, "equal seconds": seconds}
    ahead = {budget: _ahead(scores) for budget, scores in budgets.items()}
    clear = {budget: leader for budget, (leader, level) in ahead.items() if not level}
    if len(clear) == len(budgets) and len(set(clear.values())) == 1:
        leader = clear["equal games"]
        return (
            f"Whatever is held equal, *{leader}* is clearly ahead; by how much depends on what "
            "that is."
        )
    told = []
    said = ""  # who was clearly ahead in the sentence before
    for budget, (leader, level) in ahead.items():
        if level:
            told.append(
                f". At {budget} *{leader}* has the best mean, but {joined(level)} cannot be told "
                "from it by so few trainings"
            )
        elif leader == said:
            told.append(f", and at {budget} as well")
        else:
            told.append(f". At {budget} *{leader}* is clearly ahead")
        said = "" if level else leader
    text = "".join(told).removeprefix(". ") + "."
    if "equal games" in clear and "equal seconds" not in clear:
        text += " So much of what is won at equal games is paid for: in moves, and in time."
    return text


def _ahead(scores: dict) -> tuple[str, list[str]]:
    """The way with the best mean, and those that cannot be told from it."""
    means = {name: over_seeds(values) for name, values in scores.items()}
    leader = max(means, key=lambda name: means[name][0])
    best, best_half = means[leader]
    level = [
        f"*{name}*"
        for name, (mean, half) in means.items()
        if name != leader and best - mean <= math.hypot(best_half, half)
    ]
    return leader, level


def brink(looks: dict) -> tuple[str, str]:
    """What looking further ahead does to the share of games that reach a 32768.

    Parameters
    ----------
    looks
        Summaries by the number of plies, from few to many.

    Returns
    -------
    tuple of str
        The answer in short, and a sentence.
    """
    first, *_, last = looks.values()
    share, low, high = first.share(32768)
    deeper, deeper_low, deeper_high = last.share(32768)
    reached = f"from {percent(share, 1)} to {percent(deeper, 1)}"
    if deeper_low > high:
        return (
            "it rises as well",
            f"With the deepest search the share of 32768 goes {reached}, so here the network does "
            "get past it.",
        )
    if deeper_high < low:
        return (
            "it falls",
            f"With the deepest search the share of 32768 goes {reached}: it falls, although more "
            "games get near it.",
        )
    return (
        "it hardly changes",
        f"The share of 32768 goes {reached}, which may be no difference at all: what the search "
        "gains, it gains before.",
    )
