"""Front and back matter: the first page, which says what was done, how well it plays and where
everything is, and the appendix, which says what the results come from.

All of it is read from where results are kept; nothing is run.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import experiments
from experiments import EXPERIMENTS, Experiment, Piece, store
from experiments.catalogue_long import TOO_LARGE
from experiments.progress import in_words
from experiments.versions import LOADED
from lib2048 import Summary
from lib2048.network import PATTERNS
from notebook_tools import needs
from report.document import HOMEWORK, Part
from report.title import ENGLISH, WORDS
from workbook.ewn_matches import share
from workbook.table import Table
from workbook.words import number, percent, plus_minus

ASKED = (
    ("Scores of 100,000 games, as a plot", ("fig-curves",)),
    ("The mechanism of TD(0)", ("The mechanism of TD(0)",)),
    ("N-tuple network: implementation, use", ("N-tuple network: implementation and use",)),
    ("Index, estimate, update", ("Index, estimate and update in detail",)),
    (
        "Action selection of V(afterstate)",
        ("Action selection of V(afterstate)", "fig-select-afterstate"),
    ),
    ("Action selection of V(state)", ("Action selection of V(state)", "fig-select-state")),
    ("TD backup of V(afterstate)", ("TD backup of V(afterstate)", "fig-backup-afterstate")),
    ("TD backup of V(state)", ("TD backup of V(state)", "fig-backup-state")),
    (
        "Select best move, update episode",
        ("Select best move and update episode in detail",),
    ),
    ("How the whole program works", ("The whole learner on one page",)),
    ("Player and environment", ("Player and environment",)),
    (
        "What was tried, and what it is worth",
        ("What is each ingredient worth?", "tab-ablations"),
    ),
    ("Strength: tiles reached, win rate", ("The statistics block",)),
    ("More than TD(0)", ("Beyond TD(0)",)),
    ("A second game: search, results", ("Another game: EinStein würfelt nicht!",)),
)
"""What a course asks for, and the headings or labels where it is found, the best place last."""
KEY_RESULTS = "tab-key-results"
PROGRAM_NAMES = {"numba": "Numba", "numpy": "NumPy", "python": "Python"}

# Parameters that no result depends on, or that other parameters say.
NOT_TOLD = {"ages", "block", "every", "function"}
NOT_USED = (None, False, 0, ())  # values that say that a parameter is not used

MADE_BY = (
    "`make report` runs everything and writes these pages. `make report EDITION=long` writes the "
    "whole book, where the parameters of every experiment are, and all that goes deeper."
)
HASHES = "The last two are SHA-256 hashes of the sources: the first 16 digits."
NETWORKS = (
    "Every pattern is looked up on the eight images of a board, and the eight share its table. "
    "Unless said otherwise, learning is TD(0), backward from the end of each game, with "
    "$\\alpha = 0.1$ for the whole step (with temporal coherence 1.0), and a new tile is a 4 with "
    "probability 0.1."
)
EXPERIMENTS_TOLD = (
    "A result is kept until its parameters change, or the version of what made it. Times are those "
    "of one process. Where several seeds are given, the same was done from each of them."
)
RECORDS_TOLD = (
    "These take up to hours, so their results are kept with the sources and read from there."
)


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
        The fixed words of the report, as report.title has them.
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
        ahead = _by_plies("plies", scale)
        self.deepest = max(ahead)
        self.ahead = ahead[self.deepest]
        self.hour = experiments.summary_of(experiments.result("hour", scale, show=False))
        far = _by_plies("hour-plies", scale, TOO_LARGE)
        self.deepest_of_hour = max(far)
        self.far = far[self.deepest_of_hour]
        self.relay = _by_plies("relay-plies", scale)
        strong = experiments.table("ewn-strength", scale, show=False).rows
        self.rounds = share([row for row in strong if _is_best_against_hard(row)])

    def abstract(self) -> str:
        """Six lines: what was done and what came of it."""
        after, before = self.kinds.values()
        looking_ahead = [(plies, games) for plies, games in self.relay.items() if plies > 1]
        looking_ahead.append((self.deepest_of_hour, self.far))
        plies, best = max(looking_ahead, key=lambda player: player[1].mean)
        return f"""A program learns 2048 from its own games alone. The value of a board, the score
still to be expected, is a sum of weights from an n-tuple network, and TD(0) moves it towards the
reward and the value that followed. After {number(self.games)} games V(afterstate) scores
{number(after.mean)} points on average and reaches 2048 in {percent(after.share(2048)[0], 1)} of its
evaluation games, V(state) {number(before.mean)} and {percent(before.share(2048)[0], 1)}. After
about an hour of training the best greedy player scores {number(self.hour.mean)} points, and the
best that looks {plies} moves ahead {number(best.mean)}
([the table](#{KEY_RESULTS})). A second game, EinStein würfelt nicht!, is played by tree search: our
player wins {percent(self.rounds.value, 1)} of its rounds against `hard`, the strongest program of a
course."""

    def table(self) -> Part:
        """The key results."""
        rows = [
            self._row(f"{kind}, TD(0)", summary, self.games) for kind, summary in self.kinds.items()
        ]
        looking = f"V(afterstate), looking {self.deepest} moves ahead"
        rows.append(self._row(looking, self.ahead, self.games))
        rows.append(self._row("eight patterns", self.hour, _games_of("hour")))
        looking = f"the same, looking {self.deepest_of_hour} moves ahead"
        rows.append(self._row(looking, self.far, _games_of("hour")))
        for plies in sorted({self.deepest_of_hour, max(self.relay)}):
            looking = f"two networks in turn, looking {plies} ahead"
            rows.append(self._row(looking, self.relay[plies], _games_of("relay-2")))
        caption = (
            "Key results: mean scores, and the share of the evaluation games that reached each "
            "tile. The 95 % intervals are over games, of one training each. Looking ahead is "
            "expectimax. The eight patterns of six cells have temporal coherence, longer targets "
            "and restarts. One network has downgrading, too. The two in turn do without: one plays "
            "until there is a 16384, and one from there on."
        )
        markdown = Table(rows)._repr_markdown_()
        return Part("table", markdown, "the key results", KEY_RESULTS, caption)

    @staticmethod
    def _row(player: str, summary, games: int) -> dict[str, str]:
        half = (summary.mean_ci[1] - summary.mean_ci[0]) / 2
        row = {
            "player": player,
            "training games": number(games),
            "evaluation games": number(summary.games),
            "mean score": plus_minus(summary.mean, half),
        }
        for tile in (2048, 8192, 16384, 32768):
            row[f"{tile}"] = percent(summary.share(tile)[0], 1)
        return row


def _games_of(name: str) -> int:
    """How many games the network of an experiment of one piece learned from, or all of a relay."""
    return experiments.games_learned(experiments.result(name, show=False).about["parameters"])


def _by_plies(name: str, scale: str, shown_smaller: int | None = None) -> dict[int, Summary]:
    """The games of an experiment by how many plies they looked ahead."""
    rows = experiments.table(name, scale, show=False).rows
    return experiments.summaries_by_plies(rows, shown_smaller)


def _is_best_against_hard(row) -> bool:
    return row["player"] == "best" and row["opponent"] == "hard"


def appendix(
    notebooks: list, scale: str, words: dict[str, str] = WORDS[ENGLISH], in_short: bool = False
) -> list[Part]:
    """The appendix of a report made of these notebooks.

    Parameters
    ----------
    notebooks
        The executed notebooks.
    scale
        "small" or "full".
    words
        The fixed words, as report.title has them.
    in_short
        Leave out the networks and what is known of each experiment: the long edition has that.
    """
    if in_short:
        rows = _facts(notebooks, scale)
        told = "; ".join(f"{name}: {value}" for name, value in rows.items())
        texts = [f"# {words['sources']}", f"{MADE_BY} {told[:1].upper()}{told[1:]}. {HASHES}"]
        return [Part("markdown", text, "the appendix") for text in texts]
    read = [EXPERIMENTS[name] for name in needs.experiments_of_all(notebooks)]
    runs = [experiment for experiment in read if not experiment.reads_record(scale)]
    records = [experiment for experiment in read if experiment.reads_record(scale)]
    texts = [f"# {words['sources']}", _sources(notebooks, scale)]
    texts += [f"## {words['networks']}", NETWORKS + "\n\n" + _table_of_networks()]
    if runs:
        texts += [f"## {words['experiments']}", EXPERIMENTS_TOLD]
        texts += [_describe_experiment(experiment, scale) for experiment in runs]
    if records:
        texts += [f"## {words['records']}", RECORDS_TOLD]
        texts += [_describe_experiment(experiment, "full") for experiment in records]
    return [Part("markdown", text, "the appendix") for text in texts]


def _sources(notebooks: list, scale: str) -> str:
    """A table of what everything was run by and on."""
    lines = ["| what | value |", "|:--|:--|"]
    lines += [f"| {name} | {value} |" for name, value in _facts(notebooks, scale).items()]
    return "\n".join(lines) + "\n\n" + HASHES


def _facts(notebooks: list, scale: str) -> dict[str, str]:
    """What everything was run by and on."""
    about = store.provenance()
    machine = about["machine"]
    versions = [f"{PROGRAM_NAMES[name]} {about['versions'][name]}" for name in PROGRAM_NAMES]
    scale_told = scale
    if scale != "full":
        scale_told += " (a quick run, whose numbers are not the report's)"
    return {
        "scale": scale_told,
        "machine": (
            f"{machine['processor']}, {machine['cores']} logical cores, "
            f"{machine['memory_gib']} GiB, {machine['system']}"
        ),
        "versions": ", ".join(versions),
        "sources of lib2048, libewn, experiments": f"`{LOADED[:16]}`",
        "code of the notebooks": f"`{needs.code_hash_of_all(notebooks)[:16]}`",
    }


def _table_of_networks() -> str:
    lines = ["| name | patterns (cells 0 to f, row by row) | weights |", "|:--|:--|--:|"]
    for name, patterns in PATTERNS.items():
        in_digits = ["".join(f"{cell:x}" for cell in pattern) for pattern in patterns]
        cells = ", ".join(f"`{digits}`" for digits in in_digits)
        weights = sum(16 ** len(pattern) for pattern in patterns)
        lines.append(f"| {name} | {cells} | {weights:,} |")
    return "\n".join(lines)


def _describe_experiment(experiment: Experiment, scale: str) -> str:
    """A paragraph: the question, the parameters, and where the results come from."""
    pieces = experiment.pieces(scale)
    loaded = [(piece, piece.load()) for piece in pieces]
    stored = [(piece, result[1]) for piece, result in loaded if result is not None]
    text = f"**{experiment.name}.** {experiment.question} Parameters: {_parameters(pieces)}."
    if not stored:
        return f"{text} *No result is stored.*"
    text += f" {_provenance(stored, experiment.reads_record(scale))}."
    missing = len(pieces) - len(stored)
    if missing:
        text += f" *{missing} of {len(pieces)} results are missing.*"
    return text


def _provenance(stored: list[tuple[Piece, dict]], is_record: bool) -> str:
    """When, by what and on what results were made."""
    abouts = [about for _, about in stored]
    dates = sorted({about["date"][:10] for about in abouts})
    days = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    time = in_words(sum(about["seconds"] for about in abouts))
    sources = sorted({about["sources"][:12] for about in abouts})
    text = f"Made {days} in {time} by the sources "
    text += ", ".join(f"`{digits}`" for digits in sources)
    if is_record:
        machines = sorted({about["machine"]["processor"] for about in abouts})
        text += f" on {', '.join(machines)}"
        if not all(piece.fits(about) for piece, about in stored):
            text += ", which have changed since"
    return text


def _parameters(pieces: list[Piece]) -> str:
    """The parameters of some pieces: "games 10,000, alpha 0.1 or 0.3, seed 1 to 4"."""
    values_of: dict[str, list] = {}
    for piece in pieces:
        for name, value in piece.parameters.items():
            values = values_of.setdefault(name, [])
            if value not in values:
                values.append(value)
    told = []
    for name, values in values_of.items():
        is_used = len(values) > 1 or values[0] not in NOT_USED
        if name not in NOT_TOLD and is_used:
            told.append(f"{name.replace('_', ' ')} {_format_values(values)}")
    return ", ".join(told)


def _format_values(values: list) -> str:
    """Values of one parameter for a reader: "1 to 4", "0.1 or 0.3"."""
    are_integers = all(type(value) is int for value in values)
    if len(values) > 2 and are_integers and values == [*range(values[0], values[-1] + 1)]:
        return f"{values[0]} to {values[-1]}"
    return " or ".join(_format_value(value) for value in values)


def _format_value(value) -> str:
    if value is None or isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,g}"
    if isinstance(value, tuple):
        return _format_tuple(value)
    return str(value)


def _format_tuple(value: tuple) -> str:
    if not value or not isinstance(value[0], tuple):
        return ", ".join(_format_value(entry) for entry in value)
    if _is_stage(value[0]):
        return " + ".join(f"{games:,}" for games, *_ in value)
    return f"{len(value)} of its own"


def _is_stage(entry: tuple) -> bool:
    """Whether this is a stage of training: games, alpha, coherence."""
    return len(entry) == 3 and isinstance(entry[2], bool)
