"""Sentences that compare players and ways of learning, made from the numbers they speak of.

As in sentences.py, there is a wording for whatever the numbers may say.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from workbook.seeds import over_seeds
from workbook.words import (
    in_words,
    joined,
    milliseconds,
    number,
    percent,
    plus_minus,
    signed,
    times,
)

OFTEN = 100  # games, from which on a mean of them says something


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
    >>> verdict_of_difference(1_766, 932), verdict_of_difference(-300, 400)
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


def step_and_restart(usual, tuned, mixed, restarted) -> str:
    """What TD gains by its best step, and TC with lambda by restarts.

    Parameters
    ----------
    usual, tuned
        Scores of trainings by TD from some seeds, with its usual step and with its best one.
    mixed, restarted
        Scores of trainings by TC with lambda, without restarts and with them.

    Examples
    --------
    >>> step_and_restart([10.0, 12.0], [20.0, 24.0], [30.0, 34.0], [50.0, 52.0])
    'TD at its best step scores 2.0 times as much as at its usual one, and restarts bring 19 ± ...
    """
    ratio = round(np.mean(tuned)) / round(np.mean(usual))
    (mean, half), (with_restarts, half_with) = over_seeds(mixed), over_seeds(restarted)
    gain = more_or_fewer(printed_difference(with_restarts, mean), math.hypot(half, half_with))
    return (
        f"TD at its best step scores {times(ratio)} as much as at its usual one, and restarts "
        f"bring {gain} than TC with lambda alone."
    )


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
    >>> more_or_fewer(6_236, 931), more_or_fewer(-40.2, 100)
    ('6,236 ± 931 points more', '40 ± 100 points fewer')
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


def chosen_by(difference: float, half: float) -> str:
    """Whether games that something was chosen by flatter it.

    Parameters
    ----------
    difference
        How many points more than these games other ones bring.
    half
        Half the width of the difference's 95 % interval.

    Examples
    --------
    >>> chosen_by(-5_000, 3_000)
    'In other games it scores 5,000 ± 3,000 points fewer: the games it was chosen by flattered it.'
    >>> chosen_by(500, 3_000)
    'In other games it scores 500 ± 3,000 points more, which may be no difference at all: here ...
    """
    told = f"In other games it scores {more_or_fewer(difference, half)}"
    verdict = verdict_of_difference(difference, half)
    if verdict == "clearly weaker":
        return f"{told}: the games it was chosen by flattered it."
    if verdict == "clearly stronger":
        return f"{told}. The games it was chosen by did not flatter it, they were hard ones."
    return (
        f"{told}, which may be no difference at all: here the choice flattered nobody by more than "
        "the games are sure of."
    )


def sizes_and_search(eight: dict, four: dict, trainings: Iterable) -> str:
    """Whether a smaller network gains more from search than a larger one.

    Parameters
    ----------
    eight, four
        Summaries of the network of eight patterns, and of that of four, by the number of plies.
    trainings
        Summaries of several trainings of four patterns, each in its deepest search: how far
        trainings of one kind lie apart.

    Returns
    -------
    str
        Sentences on greedy play, on the deepest search of both, and on what follows.
    """
    plies, greedy, deep = _greedy_and_deep(four, eight)
    answer_of_eight, _ = brink(eight)
    answer, sentence = brink(four)
    told = (
        f"Greedily, four patterns score {more_or_fewer(*greedy)} than eight; looking {plies} plies "
        f"ahead, {more_or_fewer(*deep)}. {sentence}"
    )
    if answer == answer_of_eight:
        return f"{told} So both sizes meet the same brink, and the size is not what makes it."
    if answer == "it rises as well":
        told = f"{told} So the size may have to do with it."
    else:
        told = f"{told} So the size may have to do with it, but fewer patterns are not the cure."
    shares = [summary.share(32768)[0] for summary in trainings]
    return (
        f"{told} But that is one training of each, and trainings differ: of the "
        f"{in_words(len(shares))} of four patterns, one made a 32768 in {percent(min(shares))} of "
        f"its games and another in {percent(max(shares))}."
    )


def longer_and_search(short: dict, long: dict) -> str:
    """Whether a network that learned longer is the better one to search with, too.

    Parameters
    ----------
    short, long
        Summaries of the networks that learned from fewer and from more moves, by the number of
        plies.

    Returns
    -------
    str
        Sentences on greedy play, on the deepest search of both, and on what follows.
    """
    plies, greedy, deep = _greedy_and_deep(long, short)
    shares = [percent(network[plies].share(32768)[0]) for network in (short, long)]
    told = (
        f"Greedily, the longer training scores {more_or_fewer(*greedy)}. Looking {plies} plies "
        f"ahead, it scores {more_or_fewer(*deep)}, and the share of 32768 goes from {shares[0]} to "
        f"{shares[1]}."
    )
    verdict = verdict_of_difference(*deep)
    if verdict == "clearly stronger":
        return f"{told} So learning longer pays, whether one searches or not."
    if verdict_of_difference(*greedy) != "clearly stronger":
        return f"{told} So learning longer has brought nothing here."
    if verdict == "clearly weaker":
        return (
            f"{told} So learning longer made the better player and the worse adviser of a search. "
            "If that holds for more trainings than one, it fits the suspicion: what a network "
            "learns of shown boards is true as long as the gap is a large one. A young network, "
            "which does not yet tell boards with small gaps apart so well, is misled by them less. "
            "Whoever wants to search should then stop early, or learn from real boards."
        )
    return (
        f"{told} So what learning longer brought is not to be seen any more once one searches: "
        "either search had that too, or these games are too few to show it."
    )


def plain_teaching(shown: dict, plain: dict) -> str:
    """Whether a network that learned from the boards themselves is the better one to search with.

    Parameters
    ----------
    shown, plain
        Summaries of the network that learned from boards shown smaller, and of the one that learned
        from them as they are, by the number of plies.

    Returns
    -------
    str
        Sentences on greedy play, on the deepest search of both, and on what follows.
    """
    plies, greedy, deep = _greedy_and_deep(plain, shown)
    share, _, high = shown[plies].share(32768)
    plain_share, plain_low, _ = plain[plies].share(32768)
    told = (
        f"Greedily, the plainly taught network scores {more_or_fewer(*greedy)} than the one that "
        f"learned from shown boards; looking {plies} plies ahead, {more_or_fewer(*deep)}. It "
        f"makes a 32768 in {percent(plain_share, 1)} of its games then, the other in "
        f"{percent(share, 1)}."
    )
    verdict = verdict_of_difference(*deep)
    if plain_low > high and verdict == "clearly stronger":
        return (
            f"{told} So it was the teaching, as far as one training of each can say: whoever wants "
            "to search had better learn from real boards, and leave the showing to the play."
        )
    if plain_low > high:
        return (
            f"{told} So plain teaching carries the search past the brink more often, but it pays "
            "for that elsewhere: the mean is not clearly higher."
        )
    if verdict == "clearly weaker":
        return f"{told} So the teaching was not at fault: without it, search comes to less."
    return f"{told} So the teaching alone does not explain why search gains so little here."


def practised_to_the_end(real: dict, shown: dict, practised: dict) -> str:
    """Whether a network that began games again close to their end is the better one to search with.

    Parameters
    ----------
    real, shown
        Summaries of the plainly taught network with which it is compared, by the number of plies:
        on boards as they are, and shown smaller ones in play.
    practised
        Summaries of the network that began games again close to their end, on boards as they are.

    Returns
    -------
    str
        Sentences on greedy play, on a search of both, and on what follows.
    """
    plies, greedy, _ = _greedy_and_deep(practised, real)
    deep = difference_of_means(practised[plies].scores, shown[plies].scores)
    share, low, high = practised[plies].share(32768)
    share_of_real, _, high_of_real = real[plies].share(32768)
    share_of_shown, low_of_shown, high_of_shown = shown[plies].share(32768)
    told = (
        f"Greedily, and on boards as they are, the network that practised to the end scores "
        f"{more_or_fewer(*greedy)} than the one that did not. But looking {plies} plies ahead it "
        f"makes a 32768 in {percent(share, 1)} of its games on these boards, the other in "
        f"{percent(share_of_real, 1)}"
    )
    if low <= high_of_real:
        return f"{told}, which is no clear gain: practice at the end was not what was missing."
    told = (
        f"{told}. So practice at the end was missing, as far as one training of each can say, of "
        "different size and length. Shown smaller boards, the other makes one in "
        f"{percent(share_of_shown, 1)} of its games"
    )
    if low > high_of_shown:
        told = f"{told}: what the trick does for it, practice does better."
    elif high < low_of_shown:
        told = f"{told}: the trick still does more than the practice."
    else:
        told = f"{told}: what the trick does for it, practice does as well, without a trick."
    if verdict_of_difference(*deep) != "clearly weaker":
        return f"{told} And it costs nothing: this network scores {more_or_fewer(*deep)} than that."
    got_there, _, most_got_there = practised[plies].share(16384)
    others_got_there, fewest_others, _ = shown[plies].share(16384)
    told = f"{told} But it has its price: this network scores {more_or_fewer(*deep)} than that"
    if most_got_there < fewest_others:
        told = (
            f"{told}, because only {percent(got_there, 1)} of its games get as far as a 16384, of "
            f"the other's {percent(others_got_there, 1)}"
        )
    return (
        f"{told}. Whoever had a network for the first part of the game and another one for the "
        "last, each taught only there, might have both."
    )


def in_turn_and_alone(relay: dict, alone: dict) -> str:
    """Whether networks that take turns play better than a single one.

    Parameters
    ----------
    relay
        Summaries of the relay, by the number of plies.
    alone
        Summaries of a single network that is shown smaller boards in play.

    Returns
    -------
    str
        Sentences on greedy play, on the deepest search that both played often, on what deeper
        search brings, and on the deepest of all.
    """
    plies, greedy, deep = _greedy_and_deep(*map(_played_often, (relay, alone)))
    share, of_other = (percent(summaries[plies].share(32768)[0], 1) for summaries in (relay, alone))
    told = (
        f"Greedily the relay scores {more_or_fewer(*greedy)} than the single network that is shown "
        f"smaller boards, and with {plies} plies {more_or_fewer(*deep)}. With so many plies the "
        f"relay makes a 32768 in {share} of its games, the single network in {of_other}. "
    )
    told += {
        "clearly stronger": "So it pays to teach the end of the game by itself.",
        "clearly weaker": "So networks that each begin from nothing know less than one.",
        "not to be told apart": "So no gain can be told.",
    }[verdict_of_difference(*deep)]
    depths = sorted(relay)
    shares = joined([percent(relay[each].share(32768)[0], 1) for each in depths])
    _, _, high_of_first = relay[depths[0]].share(32768)
    _, low_of_last, _ = relay[depths[-1]].share(32768)
    what = "grows" if low_of_last > high_of_first else "does not clearly grow"
    deepest = relay[depths[-1]]
    return (
        f"{told} Its share of games with a 32768 {what} with the plies: {shares} with "
        f"{joined([str(each) for each in depths])}. With {depths[-1]} plies the relay needs "
        f"{_time_of_a_move(deepest)} for a move and scores {with_interval(deepest)} points in "
        f"{number(deepest.games)} games."
    )


def what_a_margin_brings(every: dict, hopeful: dict) -> str:
    """What a margin costs and saves, and whether the move further that it makes room for pays.

    Parameters
    ----------
    every
        Summaries of searches that look into every action, by the number of plies.
    hopeful
        Summaries of searches with a margin. The smallest number of plies is one of the former too.
    """
    plies, further = sorted(hopeful)
    costs = difference_of_means(hopeful[plies].scores, every[plies].scores)
    brings = difference_of_means(hopeful[further].scores, hopeful[plies].scores)
    of_costs = {
        "clearly stronger": "So it even plays better.",
        "clearly weaker": "So some of what it leaves out was worth a thought.",
        "not to be told apart": "These games cannot tell the two apart.",
    }[verdict_of_difference(*costs)]
    of_brings = {
        "clearly stronger": "So the time that is saved is worth spending.",
        "clearly weaker": "So looking further even harms it.",
        "not to be told apart": "These games cannot tell whether the further move brings anything.",
    }[verdict_of_difference(*brings)]
    return (
        f"To look {plies} moves ahead the relay then needs {_time_of_a_move(hopeful[plies])} in "
        f"place of {_time_of_a_move(every[plies])}, and scores {more_or_fewer(*costs)}. {of_costs} "
        f"In {_time_of_a_move(hopeful[further])} it looks {further} moves ahead, and scores "
        f"{more_or_fewer(*brings)} than with {plies}. {of_brings}"
    )


def another_training(ways: Mapping[str, tuple]) -> str:
    """How a player does beside another training of the same kind, and whether they differ.

    Parameters
    ----------
    ways
        The games of the first training and those of the other one, by how they looked ahead.
    """
    told = []
    verdicts = set()
    for way, (first, other) in ways.items():
        difference = difference_of_means(other.scores, first.scores)
        verdicts.add(verdict_of_difference(*difference))
        share_of_first, _, _ = first.share(32768)
        share, _, _ = other.share(32768)
        told.append(
            f"with {way} it scores {more_or_fewer(*difference)} than the first relay and makes a "
            f"32768 in {percent(share)} of {number(other.games)} games, the first in "
            f"{percent(share_of_first)} of {number(first.games)}"
        )
    if verdicts == {"not to be told apart"}:
        judged = "So the two cannot be told apart. Both had begun well, though: what would have "
        judged += "come of the others is not known."
    elif verdicts <= {"not to be told apart", "clearly stronger"}:
        judged = "So the other one is even stronger."
    elif verdicts <= {"not to be told apart", "clearly weaker"}:
        judged = "So the other one is weaker: the seed matters."
    else:
        judged = "So the seed matters, in one way or the other."
    text = "; ".join(told)
    return f"{text[0].upper()}{text[1:]}. {judged}"


def with_interval(summary) -> str:
    """The mean score of some games, and half the width of its interval."""
    return plus_minus(summary.mean, summary.mean_ci[1] - summary.mean)


def _time_of_a_move(summary) -> str:
    return milliseconds(1_000 * summary.seconds / summary.moves)


def _played_often(summaries: dict) -> dict:
    """The summaries of at least a hundred games: fewer say little about a mean."""
    return {plies: summary for plies, summary in summaries.items() if summary.games >= OFTEN}


def beginnings(begun: Sequence[Mapping], habits: Mapping, chosen: int) -> str:
    """How far the beginnings of trainings lie apart, why, and which of them was gone on with.

    Parameters
    ----------
    begun
        Results of trainings that were stopped early, from the worst to the best, each with its seed
        and the mean scores of its blocks.
    habits
        The typical board of each, by its seed.
    chosen
        The seed of the training that was carried through.
    """
    worst, best = begun[0], begun[-1]
    ratio = best["means"][-1] / worst["means"][-1]
    lie_apart = ratio > 1.25
    if lie_apart:
        told = f"The best scores {times(ratio)} as much as the worst."
    else:
        told = f"They lie close together: the best scores {times(ratio)} as much as the worst."
    runs_on = [_runs_to_the_corner(habits[result["seed"]]) for result in begun]
    if lie_apart and any(runs_on) and runs_on == sorted(runs_on) and not all(runs_on):
        board, row = ("board", "the row") if sum(runs_on) == 1 else ("boards", "each row")
        seeds = joined([str(result["seed"]) for result in begun[-sum(runs_on) :]])
        told += (
            f" One can see why. On the {board} of seed {seeds} {row} of the largest tiles runs on "
            "to the corner. On the others it turns off before, and what is left in the corner is "
            "no larger than the largest tile below. Such a habit may last because a weight whose "
            "errors contradicted each other early takes small steps from then on."
        )
    (taught_on,) = [result for result in begun if result["seed"] == chosen]
    if taught_on["means"][-1] > 0.9 * best["means"][-1]:
        return f"{told} The training of seed {chosen}, which began well, was carried through."
    return (
        f"{told} The training of seed {chosen} was carried through, although another began better."
    )


def _runs_to_the_corner(board) -> bool:
    """Whether the last cell of the upper row holds more than any cell below that row."""
    upper, *below = np.asarray(board).tolist()
    return upper[-1] > max(max(row) for row in below)


def _greedy_and_deep(one: dict, other: dict) -> tuple:
    """How one network differs from another: in greedy play, and in the deepest search of both.

    Both are given by the number of plies. Returns how many plies that search looks ahead, and the
    two differences, each as (points, half its interval).
    """
    plies = max(one.keys() & other.keys())
    greedy = difference_of_means(one[1].scores, other[1].scores)
    deep = difference_of_means(one[plies].scores, other[plies].scores)
    return plies, greedy, deep


def printed_difference(mean: float, other: float) -> float:
    """How far a mean lies above another, as a reader finds it who subtracts what tables print.

    Tables print mean scores without digits after the point. Rounded before they are subtracted,
    two means give what stands there; rounded afterwards, their difference may be one off.

    Examples
    --------
    >>> printed_difference(68_981.4, 67_214.6), round(68_981.4 - 67_214.6)
    (1766.0, 1767)
    """
    return float(round(mean) - round(other))


def difference_of_means(scores, others) -> tuple[float, float]:
    """The difference of two means as they are printed, and half its 95 % interval over games.

    Examples
    --------
    >>> difference, half = difference_of_means([3.0, 5.0], [1.0, 1.0])
    >>> difference, round(half, 2)
    (3.0, 1.96)
    """
    difference = printed_difference(np.mean(scores), np.mean(others))
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
