"""Tables and sentences about matches of the second game, and about searches at equal time.

A cell of a table holds the parts that `experiments.tournaments.cells` gives. As in sentences.py,
there is a wording for whatever the numbers may say.
"""

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from experiments.tournaments import gain, rounds_of, share
from libewn import Game, instance
from libewn.match import Estimate, win_share
from workbook.words import joined, number, signed, times, typeset

__all__ = [
    "ALGORITHMS",
    "REPORTED",
    "REPORTED_C",
    "algorithm_rows",
    "as_percent",
    "at_equal_time",
    "best_in_time",
    "budget",
    "c_rows",
    "count_of",
    "equal_or_not",
    "hardly_matters",
    "in_turns",
    "middle_positions",
    "more",
    "search_and_chance",
    "searching",
    "short_verdict",
    "temperature_rows",
    "textbook_constant",
    "told_apart",
    "what_counts",
    "where_chance_costs",
    "who_gains",
    "who_profits",
    "who_wins",
    "won",
    "worth_of_steps",
]

ALGORITHMS = {
    "MCS": "MCS",
    "MCTS": "MCTS, UCB1",
    "MCTS, rich": "+ rich",
    "MCTS, rich, tuned": "+ tuned",
}
"""The players of the first table: as the experiments call them, and as the table does."""

REPORTED = {
    "hard": (477, 793, 825, 808),
    "normal": (783, 962, 952, 957),
    "easy": (991, 986, 991, 990),
}
"""The course report's rounds won of 1,000, by opponent, in the order of ALGORITHMS."""

REPORTED_C = {
    "hard": {1.4: 833, 1.0: 808, 0.6: 832, 0.2: 796},
    "normal": {1.0: 957, 0.6: 953},
    "easy": {1.0: 990, 0.6: 992},
}
"""The course report's rounds won of 1,000, by opponent and c of the tuned formula."""

REPORTED_K = {
    0.0: (93, 18),
    2.0: (115, 86),
    5.0: (136, 175),
    10.0: (143, 225),
    20.0: (158, 273),
    40.0: (161, 351),
}
"""By K: rounds won of 200 with chance on the way down, of 500 with chance at the end."""

HALF_OF_ROUNDS = 0.05  # from one half: closer is called even
SURE = 0.025  # the chance of the furthest values on either side of a 95 % interval
NOTHING = "–"  # in a cell of a table
ABOUT_EQUAL = 1.25  # times that are no further apart are called about equal


# Cells of tables


def won(parts) -> str:
    """The share of rounds won, in per cent with its interval.

    Where all rounds were won, or none, drawing instances again says nothing: the interval is the
    exact one then, with an instance for one observation.
    """
    estimate = share(parts)
    end = SURE ** (1 / estimate.instances)
    if estimate.value == 1.0:
        estimate = estimate._replace(low=end)
    elif estimate.value == 0.0:
        estimate = estimate._replace(high=1.0 - end)
    return as_percent(estimate)


def as_percent(estimate: Estimate, sign: str = "") -> str:
    """An estimate in per cent.

    Examples
    --------
    >>> as_percent(Estimate(0.5, 0.4, 0.6, 10)), as_percent(Estimate(0.01, -0.02, 0.04, 10), "+")
    ('50.0 (40.0 to 60.0)', '+1.0 (−2.0 to +4.0)')
    """
    value, low, high = (typeset(f"{100 * part:{sign}.1f}") for part in estimate[:3])
    return f"{value} ({low} to {high})"


def more(parts, baseline) -> str:
    """How many percentage points more were won than by `baseline`, instance by instance."""
    return as_percent(gain(parts, baseline), "+")


def budget(parts) -> str:
    """What a cell was played with, in words."""
    rounds = sum(part["won"].size for part in parts)
    return f"{rounds:,} rounds, {parts[0]['simulations']:,} playouts a move"


def count_of(parts) -> str:
    """How many rounds a cell has, as a text."""
    return number(sum(part["won"].size for part in parts))


def two_rows(opponent: str, reported: Mapping, ours: Mapping) -> list[dict]:
    """A row of the course report's shares (per cent), and one of ours; columns may be missing."""
    theirs = {name: f"{value:.1f}" for name, value in reported.items()}
    here = {name: won(parts) for name, parts in ours.items() if parts}
    return [
        {"against": f"{opponent}, course report"} | theirs,
        {"against": f"{opponent}, here"} | here,
    ]


def algorithm_rows(played: Mapping) -> list[dict]:
    """The first table: by opponent, the course report's shares and ours."""
    rows = []
    for opponent, wins in REPORTED.items():
        reported = {title: count / 10 for title, count in zip(ALGORITHMS.values(), wins)}
        ours = {title: played[opponent, name] for name, title in ALGORITHMS.items()}
        rows += two_rows(opponent, reported, ours)
    return rows


def c_rows(tuned: Mapping) -> list[dict]:
    """The second table: by opponent and c of the tuned formula."""
    rows = []
    for opponent, wins in REPORTED_C.items():
        columns = {c: f"c = {c}" for c in REPORTED_C["hard"]}
        reported = {columns[c]: count / 10 for c, count in wins.items()}
        ours = {column: tuned.get((opponent, c)) for c, column in columns.items()}
        empty = dict.fromkeys(columns.values(), NOTHING)
        for row in two_rows(opponent, reported, ours):
            rows.append({"against": row["against"]} | empty | row)
    return rows


def temperature_rows(place: int, rounds: int, ours: Mapping, best) -> list[dict]:
    """For each K the course report's share and ours, and ours when the best is taken.

    Parameters
    ----------
    place, rounds
        Which column of REPORTED_K, and of how many rounds.
    ours
        {K: parts}.
    best
        The parts of the player that takes the best; the rounds that `ours` played count.
    """
    rows = []
    for k, parts in ours.items():
        reported = f"{100 * REPORTED_K[k][place] / rounds:.1f}"
        rows.append({"K": f"{k:g}", "course report": reported, "here": won(parts)})
    numbers = {played.number for played in rounds_of(ours[0.0])}
    same = [played for played in rounds_of(best) if played.number in numbers]
    last = {"K": "the best", "course report": NOTHING, "here": as_percent(win_share(same))}
    return [*rows, last]


# Judging


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
        sentences.append(f"Clear of 0 beside it: {told(clear)}")
    if luck:
        sentences.append(f"The interval holds 0, so it may be luck, for {told(luck)}")
    if costs:
        sentences.append(f"Rounds are lost by {told(costs)}")
    return ". ".join(sentences) + "."


def hardly_matters(parts_of: Mapping[float, list]) -> str:
    """Whether the best and the worst c can be told apart."""
    ranked = sorted(parts_of, key=lambda c: share(parts_of[c]).value)
    worst, best = ranked[0], ranked[-1]
    apart = gain(parts_of[best], parts_of[worst])
    told = f"c = {best:g} won most here and c = {worst:g} least, {as_percent(apart, '+')} apart"
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
    between_budgets = f"From {number(few)} to {number(many)} playouts a move bring {told}."
    if gains["the tree"].low > gains["the bandit"].value:
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
    told = (
        f"with {number(fewest)} playouts the best player wins {as_percent(ahead, '+')} percentage "
        f"points beside a tree of {number(budget_of_tree)}, which takes longer."
    )
    return told


def where_chance_costs(down: Estimate, end: Estimate) -> str:
    """What a blind choice does on the way down and at the end."""
    places = {"on the way down the tree": down, "at the end": end}
    costs = [place for place, change in places.items() if change.high < 0]
    if len(costs) == 2:
        return "Blind choices cost rounds in both places."
    if costs:
        return f"A blind choice costs rounds {costs[0]}; elsewhere it may be luck."
    return "That a blind choice costs rounds cannot be seen from so few."


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


def difference_of_means(scores, others) -> tuple[float, float]:
    """The difference of two means, and half its 95 % interval over games.

    Examples
    --------
    >>> difference, half = difference_of_means([3.0, 5.0], [1.0, 1.0])
    >>> difference, round(half, 2)
    (3.0, 1.96)
    """
    difference = float(np.mean(scores) - np.mean(others))
    variance = np.var(scores, ddof=1) / len(scores) + np.var(others, ddof=1) / len(others)
    return difference, 1.96 * math.sqrt(variance)


def short_verdict(scores, others) -> str:
    """The tree, with its scores, beside expectimax with its own, as the answer to a question."""
    difference, half = difference_of_means(scores, others)
    if abs(difference) <= half:
        return "they cannot be told apart"
    return "the tree" if difference > 0 else "expectimax"


def told_apart(name: str, scores, other: str, others) -> str:
    """Which of two players scores more.

    Parameters
    ----------
    name, other
        The players.
    scores, others
        The scores of their games.
    """
    difference, half = difference_of_means(scores, others)
    told = f"{signed(difference, 0)} ± {number(half, 0)} points"
    if difference > half:
        return f"{name} is ahead of {other} ({told})"
    if difference < -half:
        return f"{name} is behind {other} ({told})"
    return f"{name} cannot be told apart from {other} ({told})"


def search_and_chance(verdicts: Sequence[str]) -> str:
    """What to make of a tree beside expectimax on 2048.

    Parameters
    ----------
    verdicts
        What `short_verdict` says of each budget.
    """
    if set(verdicts) == {"expectimax"}:
        return (
            "So here the tree loses, which won in the game of the cubes. A likely reason is "
            "chance. Expectimax gives every new tile its true probability, and takes the best "
            "answer to each. The tree draws its tiles, few of each, and its means keep whatever "
            "the trips met on the way, early mistakes included. In the game of the cubes the dice "
            "are known, and nothing has to be averaged over. That is a guess, though, and nobody "
            "has tested it here."
        )
    if set(verdicts) == {"the tree"}:
        return "So the tree is worth its time here too: it looks deep where it pays."
    return (
        "So the two are close: what the tree gains in depth, it loses where it meets only some of "
        "the tiles that may come."
    )


def who_gains(scores_by_c: Mapping[float, Sequence[float]]) -> str:
    """Which c scores clearly more than c = 0, as the answer to a question.

    Parameters
    ----------
    scores_by_c
        {c: scores of games}, with c = 0 among them.
    """
    ahead = {}
    for c, scores in scores_by_c.items():
        difference, half = difference_of_means(scores, scores_by_c[0.0])
        if c > 0 and difference > half:
            ahead[c] = difference
    if not ahead:
        return "neither does"
    return f"c = {max(ahead, key=ahead.__getitem__):g} scores clearly more"


# Time


def in_turns(jobs: Mapping[str, Callable[[int], int]], rounds: int) -> dict[str, float]:
    """Processor seconds a unit of work, measured in alternation.

    Machines slow down and speed up. What is measured in turns is slowed down alike, so ratios hold.

    Parameters
    ----------
    jobs
        Functions that are told the number of the round, from 0, and return how many units they did.
    rounds
        How many rounds. One more comes first, and does not count.

    Returns
    -------
    dict
        {name: seconds a unit}.
    """
    seconds = dict.fromkeys(jobs, 0.0)
    units = dict.fromkeys(jobs, 0)
    for round_number in range(-1, rounds):
        for name, job in jobs.items():
            began = time.process_time()
            done = job(max(round_number, 0))
            if round_number >= 0:
                seconds[name] += time.process_time() - began
                units[name] += done
    return {name: seconds[name] / units[name] for name in jobs}


def middle_positions(count: int, seed: int = 1) -> list[Game]:
    """Positions some plies into games that were begun at random.

    Examples
    --------
    >>> [game.ply for game in middle_positions(3)]
    [0, 2, 4]
    """
    rng = random.Random(seed)
    positions = []
    number_of_instance = 0
    while len(positions) < count:
        game = Game(instance(seed, number_of_instance))
        for _ in range(2 * (number_of_instance % 6)):
            if game.winner is None:
                game.play(rng.choice(game.legal_moves()))
        if game.winner is None:
            positions.append(game)
        number_of_instance += 1
    return positions


def searching(search, positions: Sequence[Game]) -> Callable[[int], int]:
    """A job for `in_turns`: search a position; its units are playouts."""

    def job(number_of_round: int) -> int:
        search.start(0)
        return search.search(positions[number_of_round % len(positions)]).playouts

    return job
