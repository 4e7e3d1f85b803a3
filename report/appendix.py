"""The appendix: what the results come from. Everything here is read from where results are kept, nothing is run."""

import hashlib
import json

from experiments import EXPERIMENTS, store
from experiments.progress import in_words
from experiments.versions import LOADED
from lib2048.network import PATTERNS
from report import needs
from report.document import Part

NAMES = {"numba": "Numba", "numpy": "NumPy", "python": "Python"}
DULL = {
    "block",
    "ages",
    "every",
    "function",
}  # parameters that no result depends on, or that others say
OFF = (None, False, 0, ())  # what says that a parameter is not used


def appendix(notebooks: list, scale: str) -> list[Part]:
    """The appendix of a report made of these notebooks."""
    names = dict.fromkeys(name for nb in notebooks for name in needs.experiments_of(nb))
    runs = [EXPERIMENTS[name] for name in names if not EXPERIMENTS[name].reads_record(scale)]
    records = [EXPERIMENTS[name] for name in names if EXPERIMENTS[name].reads_record(scale)]
    texts = [
        "# Where the numbers come from",
        _sources(notebooks, scale),
        "## Networks",
        _networks(),
    ]
    if runs:
        texts += ["## Experiments", _INTRODUCTION, *(_told(one, scale) for one in runs)]
    if records:
        texts += ["## Recorded runs", _RECORDS, *(_told(one, "full") for one in records)]
    return [Part("markdown", text, "the appendix") for text in texts]


HASHES = "\n\nThe last two are SHA-256 hashes of the sources: the first 16 digits."
_INTRODUCTION = (
    "A result is kept until its parameters change, or the version of what made it. Times are those "
    "of one process. Where several seeds are given, the same was done from each of them."
)
_RECORDS = "These take up to hours, so their results are kept with the sources and read from there."


def _table(rows: dict[str, str]) -> str:
    return "\n".join(
        [
            "| what | value |",
            "|:--|:--|",
            *(f"| {name} | {value} |" for name, value in rows.items()),
        ]
    )


def _sources(notebooks: list, scale: str) -> str:
    about, code = store.provenance(), [needs.code(nb) for nb in notebooks]
    versions, machine = about["versions"], about["machine"]
    return (
        _table(
            {
                "scale": f"{scale}"
                + (" (a quick run, whose numbers are not the report's)" if scale != "full" else ""),
                "machine": f"{machine['processor']}, {machine['cores']} logical cores, {machine['memory_gib']} GiB, "
                f"{machine['system']}",
                "versions": ", ".join(
                    f"{NAMES[name]} {version}" for name, version in sorted(versions.items())
                ),
                "sources of lib2048, libewn, experiments": f"`{LOADED[:16]}`",
                "code of the notebooks": f"`{hashlib.sha256(json.dumps(code).encode()).hexdigest()[:16]}`",
            }
        )
        + HASHES
    )


def _networks() -> str:
    rows = ["| name | patterns (cells 0 to f, row by row) | weights |", "|:--|:--|--:|"]
    for name, patterns in PATTERNS.items():
        cells = ", ".join(f"`{''.join(f'{cell:x}' for cell in pattern)}`" for pattern in patterns)
        rows.append(f"| {name} | {cells} | {sum(16 ** len(pattern) for pattern in patterns):,} |")
    text = (
        "Every pattern is looked up on the eight images of a board, and the eight share its table. Unless said "
        "otherwise, learning is TD(0), backward from the end of each game, with $\\alpha = 0.1$ for the whole step "
        "(with temporal coherence 1.0), and a new tile is a 4 with probability 0.1."
    )
    return text + "\n\n" + "\n".join(rows)


def _told(entry, scale: str) -> str:
    """A paragraph about an experiment: its question, its parameters, and the provenance of its results."""
    pieces = entry.pieces(scale)
    found = [(piece, loaded[1]) for piece in pieces if (loaded := piece.load()) is not None]
    stored = [about for _, about in found]
    text = f"**{entry.name}.** {entry.question} {_parameters(pieces)}."
    if not stored:
        return text + " *No result is stored.*"
    dates = sorted({about["date"][:10] for about in stored})
    sources = sorted({about["sources"][:12] for about in stored})
    sources = ", ".join(f"`{digits}`" for digits in sources)
    seconds = sum(about["seconds"] for about in stored)
    text += f" Made {' to '.join(dict.fromkeys((dates[0], dates[-1])))} in {in_words(seconds)} by the sources {sources}"
    if entry.reads_record(scale):
        machines = {about["machine"]["processor"] for about in stored}
        text += f" on {', '.join(sorted(machines))}"
        if not all(piece.fits(about) for piece, about in found):
            text += ", which have changed since"
    missing = len(pieces) - len(stored)
    return text + "." + (f" *{missing} of {len(pieces)} results are missing.*" if missing else "")


def _parameters(pieces) -> str:
    """The parameters of some pieces: "games 10,000, alpha 0.1 or 0.3, seed 1 to 4"."""
    columns = {}
    for piece in pieces:
        for name, value in piece.parameters.items():
            if name not in DULL:
                columns.setdefault(name, {})[value] = None
    used = {
        name: list(values)
        for name, values in columns.items()
        if len(values) > 1 or [*values][0] not in OFF
    }
    return "Parameters: " + ", ".join(
        f"{name.replace('_', ' ')} {_values(found)}" for name, found in used.items()
    )


def _values(values: list) -> str:
    if (
        len(values) > 2
        and all(type(value) is int for value in values)
        and values == [*range(values[0], values[-1] + 1)]
    ):
        return f"{values[0]} to {values[-1]}"
    return " or ".join(map(_value, values))


def _value(value) -> str:
    """A parameter for a reader."""
    if isinstance(value, bool) or value is None:
        return "yes" if value else "no"
    if isinstance(value, tuple):
        stages = (
            value
            and isinstance(value[0], tuple)
            and len(value[0]) == 3
            and isinstance(value[0][2], bool)
        )
        if stages:  # of training: games, alpha, coherence
            return " + ".join(f"{games:,}" for games, *_ in value)
        return (
            f"{len(value)} of its own"
            if value and isinstance(value[0], tuple)
            else ", ".join(map(_value, value))
        )
    return (
        f"{value:,}"
        if isinstance(value, int)
        else f"{value:,g}"
        if isinstance(value, float)
        else str(value)
    )
