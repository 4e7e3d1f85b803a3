"""A learner beside networks that lib2048 trained from as many games."""

from dataclasses import dataclass

from lib2048 import NTupleNetwork, Summary, TrainLog, evaluate, train
from workbook.axes import Picture
from workbook.intervals import next_one
from workbook.learning_curve import learning_curve
from workbook.words import in_words, joined, number, plural

FIRST_SEED = 100  # of lib2048's trainings
EVALUATION_SEED = 999


@dataclass
class Comparison:
    """A learner's score beside those of lib2048's networks.

    Attributes
    ----------
    games
        From how many games each learned.
    yours : Summary
        How well the learner's weights play.
    others : list of Summary
        How well each of lib2048's networks plays, in the same games.
    logs : dict of TrainLog
        The trainings that `figure` shows: yours, and lib2048's first one.
    """

    games: int
    yours: Summary
    others: list[Summary]
    logs: dict[str, TrainLog]

    @property
    def usual(self) -> tuple[float, float]:
        """Where the mean score of one more network of lib2048 lies, in 95 of 100 cases."""
        return next_one([summary.mean for summary in self.others])

    @property
    def verdict(self) -> str:
        """What the comparison says, in a sentence or two."""
        low, high = self.usual
        means = [summary.mean for summary in self.others]
        ends = joined([number(round(min(means))), number(round(max(means)))])
        text = (
            f"From {plural(self.games, 'game')} each, yours scores {_with_interval(self.yours)}. "
            f"{in_words(len(means)).capitalize()} networks that lib2048 trained scored between "
            f"{ends}."
        )
        if self.yours.mean < low:
            return (
                f"{text} Yours is further below them than luck explains. The checks try one "
                "function at a time; look at how they work together, and at the step size."
            )
        if self.yours.mean > high:
            return f"{text} Yours is above what luck explains: what do you do better?"
        return f"{text} One more of these might well score what yours does: it learns as they do."

    @property
    def figure(self) -> Picture:
        """The learning curves of yours, and of lib2048’s first network."""
        return learning_curve(self.logs, tile=1024)

    def _rows(self) -> list[tuple[str, str, str]]:
        """Who, mean score, share of games that reached 1024."""
        named = [("yours", self.yours)]
        named += [(f"lib2048, seed {FIRST_SEED + n}", other) for n, other in enumerate(self.others)]
        return [
            (name, _with_interval(summary), f"{100 * summary.share(1024)[0]:.0f}")
            for name, summary in named
        ]

    def _repr_markdown_(self) -> str:
        head = ["| network | mean score (95 % interval) | 1024 reached (%) |", "|---|---|---|"]
        rows = [f"| {name} | {score} | {share} |" for name, score, share in self._rows()]
        return "\n".join([*head, *rows, "", self.verdict])

    def __repr__(self) -> str:
        rows = [f"{name}: {score}, {share} % reach 1024" for name, score, share in self._rows()]
        return "\n".join([*rows, self.verdict])


def _with_interval(summary: Summary) -> str:
    low, high = summary.mean_ci
    return f"{number(round(summary.mean))} ± {number(round((high - low) / 2))}"


def compare(
    net: NTupleNetwork, log: TrainLog | None, alpha: float, games: int, seeds: int
) -> Comparison:
    """Train networks from as many games as `net` has learned from, and measure all.

    Parameters
    ----------
    net
        The learner's weights.
    log
        Its training, for the figure.
    alpha
        The step size it learned with.
    games
        How many games each plays.
    seeds
        How many networks are trained.
    """
    block = log.block if log is not None else max(1, net.games // 10)
    others = []
    logs = {} if log is None else {"yours": log}
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        other = NTupleNetwork(net.patterns, values=net.values)
        run = train(
            other, net.games, alpha=alpha, p4=net.p4, seed=seed, block=block, progress=False
        )
        logs.setdefault("lib2048", run)
        others.append(_measured(other, games))
    return Comparison(net.games, _measured(net, games), others, logs)


def _measured(net: NTupleNetwork, games: int) -> Summary:
    return evaluate(net, games, seed=EVALUATION_SEED, progress=False)
