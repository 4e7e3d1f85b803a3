"""Sentences that compare players and ways of learning, made from the numbers they speak of.

As in sentences.py, there is a wording for whatever the numbers may say.
"""

from collections.abc import Sequence

from workbook.words import joined


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
    """Whether TD(lambda) takes the bad luck out of temporal coherence.

    Parameters
    ----------
    plain, mixed
        Scores of trainings by TC from some seeds, and by TC with lambda 0.5.

    Examples
    --------
    >>> lambda_and_luck([40_000, 50_000], [60_000, 61_000])
    'TC alone has an unlucky seed: its worst training reaches 80 % of its best. With ...
    """
    worst = min(plain) / max(plain)
    worst_mixed = min(mixed) / max(mixed)
    told = f"its worst training reaches {worst:.0%} of its best".replace("%", " %")
    told_mixed = f"the worst reaches {worst_mixed:.0%} of the best".replace("%", " %")
    all_above = min(mixed) > max(plain)
    if worst < 0.9 and worst_mixed > 0.9:
        text = (
            f"TC alone has an unlucky seed: {told}. With lambda 0.5 {told_mixed}. Targets that "
            "look further ahead are less often wrong in the first games, so fewer weights are "
            "slowed down by errors that contradict each other too early"
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


def equal_budgets(games: dict, moves: dict, seconds: dict) -> str:
    """Whether the order of ways of learning is the same whatever is held equal.

    Parameters
    ----------
    games, moves, seconds
        The scores of each way's trainings at equal games, equal moves and equal seconds.

    Examples
    --------
    >>> equal_budgets({"a": [1], "b": [2]}, {"a": [1], "b": [2]}, {"a": [2], "b": [1]})
    'What is held equal decides: b leads at equal games and at equal moves, a at equal seconds.'
    """
    budgets = {"equal games": games, "equal moves": moves, "equal seconds": seconds}
    best = {}
    for budget, scores in budgets.items():
        means = {name: sum(values) / len(values) for name, values in scores.items()}
        best[budget] = max(means, key=means.__getitem__)
    if len(set(best.values())) == 1:
        leader = best["equal games"]
        return f"Whatever is held equal, {leader} leads; by how much depends on what that is."
    leads = {}
    for budget, name in best.items():
        leads.setdefault(name, []).append(f"at {budget}")
    told = [
        f"{name}{' leads' if n == 0 else ''} {joined(where)}"
        for n, (name, where) in enumerate(leads.items())
    ]
    return f"What is held equal decides: {', '.join(told)}."


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
    reached = f"from {share:.1%} to {deeper:.1%}".replace("%", " %")
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
        f"The share of 32768 goes {reached}, which is no difference: all that the search gains, it "
        "gains before.",
    )
