"""Sentences that judge computed numbers.

A sentence in fixed Markdown can come to stand beside numbers that say the opposite, when a seed, a
scale or a rule changes. The sentences here are made from the numbers they speak of: where the
numbers may fall either way there is a wording for each, and numbers that fit no wording are refused
with a ValueError.
"""

import numpy as np

from workbook.words import in_words, joined, percent, scientific

RUNAWAY = 10  # mean values this many times what was still to come have nothing to do with the game


def minus(text: str) -> str:
    """The text with typographic minus signs before numbers, as prose has them."""
    return text.replace("-", "−")


def whole(value: float) -> str:
    """A number without digits after the point, as one says it."""
    return minus(f"{value:,.0f}")


def after_one_game(learned: dict, still_to_come) -> str:
    """What fresh networks make of one game.

    Parameters
    ----------
    learned
        Mean values in the parts of the game: ``{(alpha, order): values}``, with the orders
        "forward", "backward" and, for alpha 1, "backward, by the gain".
    still_to_come
        Mean points that the game still brought, in the same parts.
    """
    small = [learned[0.1, order][0] for order in ("forward", "backward")]
    forward, backward, exact = (
        np.asarray(learned[1.0, order])
        for order in ("forward", "backward", "backward, by the gain")
    )
    limit = RUNAWAY * max(still_to_come)
    if not np.isfinite(exact).all() or abs(exact).max() > limit:
        raise ValueError(f"divided by the gain, values should stay finite, got {exact.tolist()}")
    if max(map(abs, small)) > min(abs(backward[0]), abs(exact[0])):
        raise ValueError(f"a small alpha should carry less than a large one, got {learned}")
    sentences = [
        f"When the first quarter of the game was played, {whole(still_to_come[0])} points were "
        f"still to come, on average. With $\\alpha = 0.1$ so little passes from move to move that "
        f"one game teaches next to nothing of them in either order ({whole(small[0])} forward, "
        f"{whole(small[1])} backward).",
        f"With $\\alpha = 1$ forward, a value learns of the next reward and little beyond "
        f"({whole(forward[0])}).",
    ]
    if abs(backward).max() > limit or not np.isfinite(backward).all():
        sentences.append(
            "Backward, every value should learn the rest of the game at once. Instead the values "
            f"run away, to {whole(backward[0])}: not one of them has anything to do with this "
            "game."
        )
        cause = (
            "The step is to blame. A board that looks a weight up twice adds to it twice and reads "
            "it twice, so its V flies past the target, and the move before takes this V for a part "
            "of its own target."
        )
    else:
        sentences.append(
            "Backward, every value learns the rest of the game at once, although not exactly "
            f"({whole(backward[0])})."
        )
        cause = (
            "A board that looks a weight up twice adds to it twice and reads it twice, so its V "
            "flies past the target, and the move before takes this V for a part of its own target."
        )
    sentences.append(
        f"{cause} Divide each step by how far it really moves V, its gain, and each update reaches "
        f"its target: the values come to {whole(exact[0])} in the first quarter."
    )
    if exact[-1] > still_to_come[-1]:
        sentences.append(
            f"In the last quarter they are still too high ({whole(exact[-1])} where "
            f"{whole(still_to_come[-1])} were to come), because boards share weights, and "
            "backward the early boards with their large values are learned last."
        )
    return " ".join(sentences)


def shrinking_steps(monte_carlo, td, difference, games: int) -> str:
    """Which of the two rules ends closer to the true values when steps shrink as 1/n.

    Parameters
    ----------
    monte_carlo, td
        RMS errors at the end, one for each seed; both rules learned from the same games.
    difference
        Mean of td - monte_carlo, and the ends of its 95 % interval.
    games
        How many games they learned from.
    """
    mean, low, high = difference
    if not low <= mean <= high:
        raise ValueError(f"a mean lies within its interval, got {difference}")
    ends = f"{np.mean(monte_carlo):.2f} points for Monte-Carlo and {np.mean(td):.2f} for TD(0)"
    if low > 0:
        wins = int(np.sum(np.less(monte_carlo, td)))
        with_seeds = f"though with {wins} of {len(td)} seeds only"
        if wins == len(td):
            with_seeds = "with every seed"
        return (
            f"after {games:,} games it is {ends}. So here Monte-Carlo wins on average, "
            f"{with_seeds}: in a plain mean every target counts alike for ever, also the first "
            "targets of TD(0), which were wrong because $V$ was"
        )
    if high < 0:
        return f"after {games:,} games it is {ends}, so TD(0) is ahead here as well"
    return f"after {games:,} games it is {ends}. This difference may be luck"


def order_of_updates(ratios: dict, carried: float) -> str:
    """What learning forward costs, and why no more.

    Parameters
    ----------
    ratios
        Score of forward learning as a share of that of backward learning: ``{"V(afterstate)": 0.98,
        ...}``.
    carried
        How far V of a board moves when the board one move later is updated, as a share of that
        update.
    """
    if not 0 < carried < 1:
        raise ValueError(f"boards one move apart share some of their weights, got {carried}")
    shares = joined(f"{percent(ratio)} with {name}" for name, ratio in ratios.items())
    text = (
        f"Seed by seed, learning forward reaches {shares} of the score of learning backward, in "
        "the mean of these ratios."
    )
    if min(ratios.values()) < 0.8:
        return f"{text} So the order of the updates matters."
    return (
        f"{text} That is surprisingly much, as in a table of values a reward travels back by one "
        "move a game. But boards one move apart share weights. When a board is updated, the value "
        f"of the one before it moves at once by {percent(carried)} as much, the one before that by "
        "less, and so on, although none of them is updated."
    )


def why_alpha_1_diverges(plain, by_gain, one_image) -> str:
    """The cause of divergence at alpha = 1, from trainings of `whole_step` over the same seeds."""
    games = max(len(run.scores) for run in by_gain)
    broken = sum(run.ran_away for run in plain)
    twice = np.mean([run.repeating for run in plain])
    beyond = np.mean([run.overshooting for run in plain])
    unharmed = [run for run in (*by_gain, *one_image) if not run.ran_away]
    if len(unharmed) < len(by_gain) + len(one_image) or any(run.repeating for run in one_image):
        raise ValueError("values ran away although no update went beyond its target")
    if not broken:
        raise ValueError("with alpha = 1 no training ran away, so there is no cause to give")
    size = max(abs(run.largest[run.largest < np.inf]).max() for run in plain)
    return (
        f"The values ran away in {broken} of {len(plain)} trainings with the plain step (in one "
        f"of them to {scientific(size, digits=0)}). In {percent(twice)} of all updates the board "
        "looked some weight up more than once, so that V moved further than the error, and in "
        f"{percent(beyond)} by more than twice the error, so that V ended further from its target "
        "than before. Divided by "
        f"the gain, the same step kept the values finite in all {len(by_gain)} trainings of "
        f"{games:,} games, and so did a single image, which looks no weight up twice, in all "
        f"{len(one_image)}. So it is the weights that count twice which make alpha = 1 diverge. "
        "Finite does not mean good: "
        f"{whole(np.mean([run.scores[-1_000:].mean() for run in by_gain]))} points in the last "
        "games, because with alpha = 1 each value follows the luck of the latest game."
    )


def alpha_1_in_short(plain, by_gain) -> str:
    """What `why_alpha_1_diverges` tells, for readers who have not followed the trial."""
    broken = sum(run.ran_away for run in plain)
    if not broken or any(run.ran_away for run in by_gain):
        raise ValueError(
            "the step as it is should let values run away, and divided by the gain not"
        )
    return (
        "With $\\alpha = 1$ each value should become its target. But a board that looks a weight "
        "up twice adds to it twice and reads it twice, so that its value flies past the target: "
        f"in {broken} of {len(plain)} trainings the values ran away, and in none of "
        f"{len(by_gain)} where each step was divided by how far it really moves V."
    )


def what_one_table_did(share: dict, games: int) -> str:
    """What became of a network whose patterns share one table by mistake.

    Parameters
    ----------
    share
        Its score as a share of the right program's, with the ends of its 95 % interval, as
        `workbook.seeds.ratio` gives it.
    games
        How many games both learned from.
    """
    ratio, low, high = (share[name] for name in ("ratio", "ratio_low", "ratio_high"))
    reached = (
        f"After {games:,} games it reaches {percent(ratio)} of the right program’s score (between "
        f"{percent(low)} and {percent(high)})"
    )
    if low > 1:
        return f"{reached}: up to here the wrong program learns *better*."
    if high < 1:
        return f"{reached}: it still learns, but less."
    return f"{reached}: the curve does not give it away."


def without_the_sums(right: dict, wrong: dict, share: dict) -> str:
    """What became of trainings by temporal coherence that went on without their sums.

    Parameters
    ----------
    right, wrong
        Scores at the end by the seed of the training: with the sums, and without.
    share
        The second as a share of the first, as `workbook.seeds.ratio` gives it.
    """
    mean, low, high = (share[name] for name in ("ratio", "ratio_low", "ratio_high"))
    behind = min(right, key=right.__getitem__)
    others = [wrong[seed] / right[seed] for seed in right if seed != behind]
    told = (
        f"At the end the trainings without their sums have {percent(mean)} of the score of those "
        f"with them (between {percent(low)} and {percent(high)})"
    )
    if high < 1:
        return f"{told}: what was lost is not made good."
    lagged = right[behind] < 0.75 * np.median(list(right.values()))
    if not lagged or wrong[behind] < 1.1 * right[behind]:
        return f"{told}: by then what was lost is made good, as far as one can tell."
    return (
        f"{told}. Did the fault do good, then? With one seed of {in_words(len(right))} it did: "
        f"there the right program had {whole(right[behind])} points, far fewer than with the "
        f"others, and the wrong one {whole(wrong[behind])}. A likely reason is that this network "
        "had frozen: its weights took ever smaller steps too early, and losing the sums thawed "
        f"them. With the others the wrong program ended at {percent(min(others))} to "
        f"{percent(max(others))} of the right one."
    )


def right_by_stage(rows) -> str:
    """Whether V is right early and late in the game, from rows of `promises.beside`.

    The first row is the early stage that is spoken of, the last one the late stage.
    """
    early, late = rows[0], rows[-1]
    both = (
        f"Where the largest tile is {early.group}, {whole(early.promised)} points are promised "
        f"and {whole(early.came)} come; where it is {late.group}, {whole(late.promised)} are "
        "promised "
        f"and {whole(late.came)} come."
    )
    verdicts = (early.verdict, late.verdict)
    if verdicts == ("too little", "too much"):
        return (
            f"{both} So V is wrong in both directions: it promises too little early in the game "
            "and too much late. It knows how good a player it is on the whole, so to speak, but "
            "not how far this game has come."
        )
    if verdicts == ("too much", "too little"):
        return (
            f"{both} So V is wrong in both directions: too much early in the game, too little late."
        )
    if verdicts == ("too little", "too little"):
        return (
            f"{both} So V promises too little throughout. This network is young: its values began "
            "at 0, and they are still on their way up."
        )
    if verdicts == ("too much", "too much"):
        return f"{both} So V promises too much throughout."
    if "too little" in verdicts:
        wrong = early if early.verdict == "too little" else late
        return (
            f"{both} So V promises too little on the boards with a {wrong.group}; on the others "
            "the difference may be luck. Values begin at 0, and are still on their way up."
        )
    if "too much" in verdicts:
        wrong = early if early.verdict == "too much" else late
        return (
            f"{both} So V promises too much on the boards with a {wrong.group}; on the others the "
            "difference may be luck."
        )
    return f"{both} These differences may be luck."


def price_of_a_mistake(claimed: float, cost) -> str:
    """Whether the moves that a network rejects are as bad as it says.

    Parameters
    ----------
    claimed
        By how much they are worth less in its eyes, on average.
    cost
        How many points less they made, on average, and the ends of its 95 % interval.
    """
    mean, low, high = cost
    numbers = (
        f"On average the network says that the other action costs {whole(claimed)} points. It "
        f"costs {whole(mean)} (between {whole(low)} and {whole(high)})."
    )
    if low <= 0 <= high:
        return (
            f"{numbers} That may be nothing at all, so these tries do not even show that its "
            "choice is the better one"
            + (", and its claim is too large." if high < claimed else ".")
        )
    if high < 0:
        return f"{numbers} So the action it rejected would have been the better one."
    if high < claimed:
        return (
            f"{numbers} So on the whole it is right about *which* action is better, and "
            f"exaggerates by how much: its claim is {claimed / mean:.1f} times the cost."
        )
    if low > claimed:
        return (
            f"{numbers} So on the whole it is right about which action is better, and understates "
            "by how much."
        )
    return (
        f"{numbers} So on the whole it is right about which action is better and, as far as these "
        "tries can tell, by how much."
    )


def key_moment(claimed: float, lead: float, half: float) -> str:
    """What came of the difference between two choices that a network claimed.

    Parameters
    ----------
    claimed
        The difference in the eyes of the network.
    lead, half
        The difference of the points made, and half of its 95 % interval.
    """
    made = (
        f"The choice of the oldest makes {whole(abs(lead))} ± {whole(half)} points "
        f"{'more' if lead > 0 else 'fewer'} than that of the youngest; it had claimed to make "
        f"{whole(claimed)} more."
    )
    if lead + half < 0:
        return f"{made} So here the youngest was right, and the oldest did not know it."
    if lead - half > claimed:
        return f"{made} So the choice was right, and matters more than it said."
    if lead + half < claimed and lead > half:
        return f"{made} So the choice was right, but matters less than it said."
    if lead + half < claimed:
        return (
            f"{made} So the claim is far too large, and so many tries do not even tell which "
            "choice is the better one."
        )
    if lead > half:
        return f"{made} So the choice was right, and the claim as well, as far as one can tell."
    return f"{made} So many tries do not tell which choice is the better one."


def corner_or_edge(young, old) -> str:
    """Where networks keep their largest tile.

    Parameters
    ----------
    young
        Shares of boards with the largest tile in a corner, of several networks of one age.
    old
        That share of one older network.
    """
    few, many = 100 * min(young), 100 * max(young)
    seeds = f"between {few:.0f} and {many:.0f} % of their boards"
    before = (
        f"All {len(young)} young networks keep it out of the corner most of the time (it is there "
        f"on {seeds})"
        if many < 50
        else f"The {len(young)} young networks have it in a corner on {seeds}"
    )
    share = f"{100 * old:.0f} %"
    if old > max(young):
        return (
            f"{before}. The one that learned longer has it there more often, on {share}. So the "
            "corner may be something that is found late; one training cannot prove it."
        )
    return f"{before}, and so does the one that learned longer: {share}."


def search_in_training(one_ply, two_plies, cost: float) -> str:
    """What it would mean to look ahead while training.

    Parameters
    ----------
    one_ply, two_plies
        Summaries of evaluation games of one network that looks so far ahead.
    cost
        How many times as long a move takes with 2 plies.
    """
    short = one_ply.moves / one_ply.games
    long = two_plies.moves / two_plies.games
    longer = long / short
    lasting = f"{whole(long)} moves each in place of {whole(short)}"
    if longer > cost:
        raise ValueError(
            f"games {longer:.2f} times as long for {cost:.2f} times the time are a gain"
        )
    if longer < 1.02:
        return (
            f"as many games would bring no more moves to learn from ({lasting}), while a move "
            f"would take {cost:,.0f} times as long"
        )
    return (
        f"as many games would bring {longer:.2f} times the moves to learn from, because a stronger "
        f"player plays longer ({lasting}). But a move would take {cost:,.0f} times as long, so in "
        f"the same time it would learn from about {cost / longer:,.0f} times fewer moves"
    )


def two_values_of_a_board(value: float, worth: float) -> str:
    """A network's value of a state beside what its best action there is worth, by the same network.

    Parameters
    ----------
    value
        V of the state.
    worth
        The largest r + mean of V over the boards that may follow.
    """
    both = f"the board is worth {value:,.1f}, and the best action on it r + mean = {worth:,.1f}"
    if abs(value - worth) <= 0.1 * max(abs(value), abs(worth)):
        return f"By one and the same network, {both}: here the two agree."
    return (
        f"By one and the same network, {both}. Yet a board should be worth what its best action "
        "is. Which of the two numbers would you trust, and how can one network give both?"
    )


def overtaking(curves: dict, marks: list) -> str:
    """When TD(0) overtakes Monte-Carlo, at equal step sizes.

    Parameters
    ----------
    curves
        Mean errors at the marks: ``{alpha: {"Monte-Carlo": errors, "TD(0)": errors}}``.
    marks
        The numbers of games.
    """
    behind = {
        alpha: np.greater_equal(of_rule["TD(0)"], of_rule["Monte-Carlo"])
        for alpha, of_rule in curves.items()
    }
    if not any(late.any() for late in behind.values()):
        return "TD(0) is ahead from the first games on, whichever step size both are given."
    when = [f"at {alpha:g} {_overtakes(late, marks)}" for alpha, late in behind.items()]
    first = [bool(late[0]) for late in behind.values()]
    start = "Monte-Carlo is ahead at first" if all(first) else "Monte-Carlo is ahead for a while"
    return (
        f"{start}: every state of a game learns the outcome at once, whereas by TD(0) what the "
        "last move earned passes through all values in between and is multiplied by $\\alpha$ at "
        "each, as in [the example](#fig-chain). TD(0) overtakes when its targets, which vary less, "
        f"leave less noise in $V$: with a step size of {joined(when).removeprefix('at ')}."
    )


def _overtakes(behind, marks: list) -> str:
    """From which game on TD(0) stays ahead, in words."""
    places = np.flatnonzero(behind)
    if not len(places):
        return "from the first games on"
    start = places[-1] + 1
    return f"from game {marks[start]:,} on" if start < len(marks) else "not yet at the end"


def best_against_best(monte_carlo: list, td: list, alphas: tuple) -> str:
    """How the two rules compare when each is given its own best of some step sizes.

    Parameters
    ----------
    monte_carlo, td
        The errors after few games, more and many.
    alphas
        The step sizes that were tried.
    """
    tried = f"of {len(alphas)} step sizes from {min(alphas):g} to {max(alphas):g}"
    gains = [1 - mine / theirs for mine, theirs in zip(td, monte_carlo)]
    if min(gains) > 0:
        return (
            f"{tried}, the error of TD(0) is the smaller one at every number of games, by "
            f"{100 * min(gains):.0f} to {100 * max(gains):.0f} %."
        )
    if max(gains) < 0:
        return f"{tried}, Monte-Carlo has the smaller error at every number of games."
    return f"{tried}, now the one and now the other has the smaller error."


def stuck(best: float, usual: float, others: dict) -> str:
    """Whether a player that learns from its own greedy games stays behind, and what helps.

    Parameters
    ----------
    best
        The score of the best player there is.
    usual
        The score of the greedy player.
    others
        Scores where something was changed, by what it was.
    """
    gains = {name: score for name, score in others.items() if score - usual > 0.02 * best}
    if best - usual < 0.02 * best:
        return (
            f"it has {usual:.1f} of the {best:.1f} points of the best player: it is not stuck here."
        )
    text = f"it has no more than {usual:.1f} points, where the best player has {best:.1f}."
    if not gains:
        return f"{text} Nothing that was tried helps it further."
    helped = joined(f"to {score:.1f} {name}" for name, score in gains.items())
    return f"{text} But it gets {helped}."


def optimist_at_birth(at_birth: float, best: float) -> str:
    """What a player is worth to whom every living board promises the same, before it learns."""
    if at_birth < 0.98 * best:
        return "So it has something to learn, and the rest is the work of its disappointments."
    return (
        "So there was nothing left to learn, and we have learned nothing about exploration. Every "
        "living board promises 100 and a dead one 0: this player stays alive wherever it can, and "
        "among such actions takes the largest reward. On four cells that happens to be the best "
        "there is."
    )


def from_first_to_last(scores, count: int, low: float, high: float) -> str:
    """What a learner's first and last games brought, beside twenty other trainings.

    Parameters
    ----------
    scores
        The scores of all games, in order.
    count
        How many games at the beginning, and at the end, are looked at.
    low, high
        The smallest and the largest mean of the last games of the twenty.
    """
    if len(scores) < 2 * count:
        return f"There were {len(scores)} games, too few to compare the beginning with the end."
    first = np.mean(scores[:count])
    last = np.mean(scores[-count:])
    text = (
        f"The first {count} games brought {whole(first)} points on average, and the last {count} "
        f"brought {whole(last)}."
    )
    if last < low:
        return (
            f"{text} That is below all twenty trainings of lib2048, which happens by luck about "
            "once in twenty times. Train once more with another seed; if it stays below, "
            "something is wrong in how your functions work together."
        )
    if last > high:
        return (
            f"{text} That is above all twenty trainings of lib2048, which happens by luck about "
            "once in twenty times. Do not celebrate before you have tried another seed."
        )
    return f"{text} The twenty trainings of lib2048 ended in the same range. Yes: it learns."


def one_table(right, wrong, games: int) -> str:
    """What becomes of networks whose four patterns share one table.

    Parameters
    ----------
    right, wrong
        Mean scores of trainings with four tables, and with one that is used four times; one for
        each seed.
    games
        How many games each has learned from.
    """
    gained = 100 * (np.mean(wrong) / np.mean(right) - 1)
    wins = int(np.sum(np.greater(wrong, right)))
    text = (
        f"In the first {games:,} games, with {len(right)} seeds each, the right networks scored "
        f"{whole(np.mean(right))} on average, and those with one table {whole(np.mean(wrong))}"
    )
    if gained <= 0:
        return f"{text}. Here the fault costs {-gained:.0f} %."
    return (
        f"{text}: {gained:.0f} % more, and more with {wins} of {len(right)} seeds. The faulty "
        "program learns faster! A likely reason is that each of its weights is told of more "
        "boards: early on, when everything is still unknown, a rough answer for many boards beats "
        "an exact one for few. So a curve that rises steeply does not prove that a program is "
        "right. Only a check does."
    )
