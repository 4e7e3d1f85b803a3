"""The appendix: what the results come from.

Everything here is read from where results are kept; nothing is run.
"""

from experiments import EXPERIMENTS, Experiment, Piece, store
from experiments.progress import in_words
from experiments.versions import LOADED
from lib2048.network import PATTERNS
from report import needs
from report.document import Part
from report.words import ENGLISH, WORDS

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
        The fixed words, as report.words has them.
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
