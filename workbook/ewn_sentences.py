"""Sentences that judge matches of the second game, made from the numbers they speak of.

As in sentences.py, there is a wording for whatever the numbers may say.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from libewn.match import Estimate
from workbook.ewn_matches import as_percent, gain, share
from workbook.words import joined, number, times

HALF_OF_ROUNDS = 0.05  # from one half: closer is called even
ABOUT_EQUAL = 1.25  # times that are no further apart are called about equal


def who_wins(parts) -> tuple[str, str]:
    """Who wins most rounds: (an answer in short, in words)."""
    estimate = share(parts)
    told = f"It wins {as_percent(estimate)} per cent of its rounds"
    if estimate.value > 0.5 + HALF_OF_ROUNDS:
        return "the one that plays at random to the end", told
    if estimate.value < 0.5 - HALF_OF_ROUNDS:
        return "the one that looks eight plies ahead", told
    return "neither: they are about even", told


def textbook_constant(regrets: Mapping[str, Sequence[float]], textbook: str, blind: str) -> str:
    """How UCB1 with the textbook's constant fares beside a rule that never tries anything again.

    Parameters
    ----------
    regrets
        {rule: the regret of each repetition}.
    textbook, blind
        The names of the two rules.
    """
    difference = np.subtract(regrets[textbook], regrets[blind])
    mean = difference.mean()
    half = 1.96 * difference.std(ddof=1) / math.sqrt(len(difference))
    names = (np.mean(regrets[textbook]), np.mean(regrets[blind]))
    told = f"It loses {names[0]:.0f} on average, and “{blind}” {names[1]:.0f}"
    if mean > half:
        return (
            f"{told}. So exploring by the book costs more here than not exploring at all: with so "
            "few pulls there is no time to win back what is spent on arms that are worse. But look "
            "at the largest regret: who never tries again may stay with a wrong arm to the end"
        )
    if mean < -half:
        return f"{told}, so exploring by the book pays here"
    return f"{told}, which in so many repetitions may be luck"


def worth_of_steps(gains: Mapping[str, Estimate]) -> str:
    """Which steps add something, and which may be luck."""
    most = max(gains, key=lambda step: gains[step].value)
    clear = [step for step in gains if step != most and gains[step].low > 0]
    costs = [step for step in gains if gains[step].high < 0]
    luck = [step for step in gains if gains[step].low <= 0 <= gains[step].high]

    def told(steps: list[str]) -> str:
        return joined([f"{step} ({as_percent(gains[step], '+')})" for step in steps])

    if most in luck:
        sentences = [f"No step is clear of 0: {told(list(gains))}"]
        luck = []
    else:
        sentences = [f"What adds most is {most}, {as_percent(gains[most], '+')} percentage points"]
    if clear:
        lie = "The interval of {} lies" if len(clear) == 1 else "The intervals of {} lie"
        sentences.append(f"{lie.format(told(clear))} clear of 0 as well")
    if luck:
        hold = "its interval holds" if len(luck) == 1 else "their intervals hold"
        sentences.append(f"What came of {told(luck)} may be luck, because {hold} 0")
    if costs:
        sentences.append(f"Rounds are lost by {told(costs)}")
    return ". ".join(sentences) + "."


def hardly_matters(parts_of: Mapping[float, list]) -> str:
    """Whether the best and the worst c can be told apart."""
    ranked = sorted(parts_of, key=lambda c: share(parts_of[c]).value)
    worst, best = ranked[0], ranked[-1]
    apart = gain(parts_of[best], parts_of[worst])
    told = f"$c = {best}$ won most here and $c = {worst}$ least, {as_percent(apart, '+')} apart"
    if apart.low > 0:
        # the two were picked as the extremes of several, which alone sets them apart
        return f"{told}, which is more than chance between two but not much for the extremes"
    return f"{told}: a difference that chance makes as well"


def at_equal_time(single, single_cost: float, trees: Mapping[int, list]) -> str:
    """What single playouts bring beside a tree that has about as much time.

    Parameters
    ----------
    single
        The parts of the player with single playouts.
    single_cost
        How many times as long a playout of it takes.
    trees
        {playouts: the parts of the tree with visits of 25}.
    """
    playouts = single[0]["simulations"]
    same = gain(single, trees[min(trees, key=lambda n: abs(math.log(n / playouts)))])
    in_time = min(trees, key=lambda n: abs(math.log(n / (playouts * single_cost))))
    fair = gain(single, trees[in_time])
    told = (
        f"With {number(playouts)} playouts each, single playouts are worth "
        f"{as_percent(same, '+')} percentage points. But a playout takes them "
        f"{times(single_cost)} as long. Beside a tree with {number(in_time)} playouts, which has "
        f"about the same time, it is {as_percent(fair, '+')}"
    )
    if fair.low > 0:
        return f"{told}: {'less, but ' if fair.value < same.value else ''}still clearly above 0."
    if fair.high < 0:
        return f"{told}: at equal time they lose."
    return f"{told}: at equal time nothing is left that could not be luck."


def who_profits(bandit: Mapping[int, list], tree: Mapping[int, list]) -> str:
    """What more playouts bring to a bandit and to a tree, over the budgets that both had.

    Parameters
    ----------
    bandit, tree
        {playouts a move: parts}.
    """
    both = sorted(bandit.keys() & tree.keys())
    if len(both) < 2:
        raise ValueError(f"two budgets that both had are needed, got {sorted(bandit)}")
    few, many = both[0], both[-1]
    gains = {"the bandit": gain(bandit[many], bandit[few]), "the tree": gain(tree[many], tree[few])}
    told = joined([f"{as_percent(added, '+')} to {name}" for name, added in gains.items()])
    between_budgets = (
        f"To go from {number(few)} to {number(many)} playouts a move brings {told}, in percentage "
        "points."
    )
    if gains["the tree"].low > gains["the bandit"].high:
        return (
            f"{between_budgets} What the bandit lacks is not precision. It measures, ever more "
            "precisely, what a move is worth against answers at random"
        ) + "."
    return f"{between_budgets} The two cannot be told apart here."


def best_in_time(by_budget: Mapping[str, Mapping[int, list]], slower: Mapping[str, float]) -> str:
    """Whether the best player with its smallest budget beats the tree in at least as much time."""
    fewest = min(by_budget["best"])
    time_taken = fewest * slower["best"]
    longer = [n for n in by_budget["tree"] if n >= time_taken]
    if not longer:
        return "its times do not overlap with those of the tree."
    budget_of_tree = min(longer)
    ahead = gain(by_budget["best"][fewest], by_budget["tree"][budget_of_tree])
    players = f"with {number(fewest)} playouts the best player wins"
    tree = f"a tree of {number(budget_of_tree)}, which takes longer"
    if ahead.low > 0:
        return f"{players} {as_percent(ahead)} percentage points more than {tree}."
    if ahead.high < 0:
        return f"{players} fewer rounds than {tree} ({as_percent(ahead, '+')} percentage points)."
    return f"{players} about as many rounds as {tree} ({as_percent(ahead, '+')} percentage points)."


def where_chance_costs(down: Estimate, end: Estimate) -> str:
    """What a blind choice does on the way down and at the end."""
    places = {"on the way down the tree": down, "at the end": end}
    costs = [place for place, change in places.items() if change.high < 0]
    if len(costs) == 2:
        return "Blind choices cost rounds in both places."
    if costs:
        return f"A blind choice costs rounds {costs[0]}; elsewhere it may be luck."
    return "That a blind choice costs rounds cannot be seen from so few."


def lost_or_won(change: Estimate, unit: str = "") -> str:
    """What a change does to the share of rounds won, with its interval.

    Parameters
    ----------
    change
        By how much the share changes.
    unit
        What stands behind the number.

    Examples
    --------
    >>> lost_or_won(Estimate(-0.135, -0.21, -0.055, 100), " percentage points")
    'loses 13.5 percentage points (−21.0 to −5.5)'
    >>> lost_or_won(Estimate(0.02, -0.01, 0.05, 100))
    'wins 2.0 more (−1.0 to +5.0)'
    """
    interval = as_percent(change, "+").split(" ", 1)[1]
    size = f"{abs(100 * change.value):.1f}{unit}"
    if change.value < 0:
        return f"loses {size} {interval}"
    return f"wins {size} more {interval}"


def equal_or_not(ratios: Sequence[float]) -> str:
    """Whether times are about equal."""
    if all(1 / ABOUT_EQUAL <= ratio <= ABOUT_EQUAL for ratio in ratios):
        return "So they are compared at about equal time."
    return "So these times are not equal, and the slower one has an advantage."


def what_counts(visit: Estimate, expansion: Estimate) -> str:
    """Whether it is the visit or the expansion that makes single playouts strong.

    Parameters
    ----------
    visit
        What smaller visits add while nodes get children at the same time.
    expansion
        What sooner children add while visits stay small.
    """
    is_visit = visit.low > 0
    is_expansion = expansion.low > 0
    if is_visit and is_expansion:
        more_of_it = "the sooner children" if expansion.value > visit.value else "the visits"
        return f"So both count, and {more_of_it} more."
    if is_expansion:
        return "So it is the sooner children, the larger tree, that count."
    if is_visit:
        return "So it is the smaller visits that count."
    return "Neither alone is clear of 0."
