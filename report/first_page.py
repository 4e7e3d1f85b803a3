"""The first page of the report: what was done, how well it plays, and where everything is.

It is there where a notebook has a cell tagged `report-first`, which is the score plot. All numbers
are read from where results are kept.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import experiments
from report.document import HOMEWORK, Part
from workbook.table import Table
from workbook.words import number, percent, plus_minus

ASKED = (
    ("Scores of 100,000 games, as a plot", ("fig-curves",)),
    ("The mechanism of TD(0)", ("The mechanism of TD(0)",)),
    ("N-tuple network: implementation, use", ("N-tuple network: implementation and use",)),
    ("Index, estimate, update", ("Index, estimate and update in detail",)),
    ("Action selection of V(afterstate)", ("Action selection of V(afterstate)",)),
    ("Action selection of V(state)", ("Action selection of V(state)",)),
    ("TD backup of V(afterstate)", ("TD backup of V(afterstate)",)),
    ("TD backup of V(state)", ("TD backup of V(state)",)),
    (
        "Select best move, update episode",
        ("Select best move and update episode in detail",),
    ),
    ("How the whole program works", ("The whole learner on one page",)),
    ("Strength: tiles reached, win rate", ("The statistics block",)),
    ("What was tried, and what it is worth", ("What is each ingredient worth?",)),
    ("More than TD(0)", ("Beyond TD(0)",)),
    ("A second game: search, results", ("Another game: EinStein würfelt nicht!",)),
)
"""What a course asks for, and the headings or labels where it is found."""


@dataclass(frozen=True)
class FirstPage:
    """What stands on the first page, below the title."""

    abstract: Part
    results: Part
    asked: list[tuple[str, list[str]]]  # what, and the headings or labels where it is
    functions: str  # whose functions are printed


def first_page(
    parts: Iterable[Part], scale: str, edition: str, functions: str, words: dict[str, str]
) -> FirstPage | None:
    """The first page of an edition; None where the notebooks have nothing for it.

    Parameters
    ----------
    parts
        The parts of the report.
    scale
        "small" or "full".
    edition
        "homework" or "long"; the long one has a list of contents in place of what is asked for.
    functions
        A sentence on whose functions are printed.
    words
        The fixed words of the report, as report.words has them.
    """
    parts = list(parts)
    if not any(part.is_first or part.label == "fig-curves" for part in parts):
        return None
    numbers = _Numbers(scale)
    return FirstPage(
        abstract=Part("markdown", f"**{words['abstract']}.** {numbers.abstract()}", "the abstract"),
        results=numbers.table(),
        asked=_found(parts) if edition == HOMEWORK else [],
        functions=functions,
    )


def in_order(parts: Iterable[Part], first_page: FirstPage | None) -> list[Part]:
    """Parts with those of the first page before all others."""
    first = []
    if first_page is not None:
        first = [
            replace(first_page.abstract, is_first=True),
            replace(first_page.results, is_first=True),
        ]
    parts = list(parts)
    first += [part for part in parts if part.is_first]
    return first + [part for part in parts if not part.is_first]


def _found(parts: list[Part]) -> list[tuple[str, list[str]]]:
    """What is asked for, with those of its places that are in these parts."""
    there = {part.label for part in parts if part.label}
    for part in parts:
        if part.kind == "markdown":
            there |= set(re.findall(r"^#+ +(?:\d\d +)?(.*?) *$", part.text, re.MULTILINE))
    found = [(what, [place for place in places if place in there]) for what, places in ASKED]
    return [(what, places) for what, places in found if places]


class _Numbers:
    """The results that the first page tells."""

    def __init__(self, scale: str):
        kinds = {"V(afterstate)": "afterstate", "V(state)": "state"}
        self.trained = {
            kind: experiments.result(name, scale, show=False) for kind, name in kinds.items()
        }
        self.games = self.trained["V(afterstate)"]["games"]
        self.kinds = {kind: experiments.summary_of(result) for kind, result in self.trained.items()}
        plies = experiments.table("plies", scale, show=False).rows
        self.deepest = max(row["plies"] for row in plies)
        self.ahead = _of_depth(plies, self.deepest)
        self.hour = experiments.summary_of(experiments.result("hour", scale, show=False))
        far = experiments.table("hour-plies", scale, show=False).rows
        self.deepest_of_hour = max(row["plies"] for row in far)
        self.far = _of_depth(far, self.deepest_of_hour)

    def abstract(self) -> str:
        """Six lines: what was done and what came of it."""
        after, before = self.kinds.values()
        return f"""A program learns 2048 from its own games alone. The value of a board, the score
still to be expected, is a sum of weights from an n-tuple network, and TD(0) moves it towards the
reward and the value that followed. After {number(self.games)} games V(afterstate) scores
{number(after.mean)} points on average and reaches 2048 in {percent(after.share(2048)[0], 1)} of its
evaluation games, V(state) {number(before.mean)} and {percent(before.share(2048)[0], 1)}. The best
way comes to {number(self.hour.mean)} points after about an hour, and to {number(self.far.mean)}
looking {self.deepest_of_hour} moves ahead. A second game is played by Monte-Carlo tree search."""

    def table(self) -> Part:
        """The key results."""
        rows = [
            self._row(f"{kind}, TD(0)", summary, self.games) for kind, summary in self.kinds.items()
        ]
        looking = f"V(afterstate), looking {self.deepest} moves ahead"
        rows.append(self._row(looking, self.ahead, self.games))
        rows.append(self._row("eight patterns, the best way", self.hour, self.hour_games()))
        looking = f"the same, looking {self.deepest_of_hour} moves ahead"
        rows.append(self._row(looking, self.far, self.hour_games()))
        caption = (
            "Key results: mean scores with 95 % intervals, and the share of the evaluation games "
            "that reached each tile. Looking ahead is expectimax. The best way has temporal "
            "coherence, longer targets, restarts and eight patterns of six cells."
        )
        markdown = Table(rows)._repr_markdown_()
        return Part("table", markdown, "the key results", "tab-key-results", caption)

    def hour_games(self) -> int:
        """How many games the longest training took."""
        games = experiments.result("hour", show=False).about["parameters"]["games"]
        return games if isinstance(games, int) else sum(stage[0] for stage in games)

    @staticmethod
    def _row(player: str, summary, games: int) -> dict[str, str]:
        half = (summary.mean_ci[1] - summary.mean_ci[0]) / 2
        row = {
            "player": player,
            "trained on": number(games),
            "mean score": plus_minus(summary.mean, half),
        }
        for tile in (2048, 8192, 16384, 32768):
            row[f"{tile}"] = percent(summary.share(tile)[0], 1)
        return row


def _of_depth(rows: list, plies: int):
    """A summary of the games that looked so far ahead."""
    return experiments.summary_of(*(row for row in rows if row["plies"] == plies))
