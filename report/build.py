"""All of it: experiments, notebooks, figures, the report."""

import json
import sys
from pathlib import Path

from experiments import check_scale
from experiments.versions import ROOT
from lib2048.files import replace_file
from notebook_tools import execute, manifest
from notebook_tools.files import read, sources
from report import figures, html, letters, pdf
from report.answers import Answer, answers_in, in_a_sentence, in_lines, predictions
from report.document import EDITIONS, HOMEWORK, LONG, Lost
from report.exporter import PartsExporter
from report.matter import appendix, first_page
from report.title import NO_NAME, title_data

RENDERERS = {"pdf": pdf, "html": html}
FORMATS = tuple(RENDERERS)


def build(
    scale: str | None = None,
    kind: str = "pdf",
    root: Path = ROOT,
    jobs: int = 2,
    show: bool = True,
    edition: str = HOMEWORK,
) -> Path:
    """Bring everything up to date and write the report; returns its path.

    At the full scale that is report/report.pdf (or .html), report-long for the long edition, and
    figures/ is written as well; at the small one report/report-small.pdf or report-long-small, and
    no tracked file changes.

    Parameters
    ----------
    scale
        "small" or "full"; what the environment's SCALE says when None.
    kind
        "pdf" or "html".
    root
        The checkout.
    jobs
        How many notebooks run at once.
    show
        Whether to show how far it is.
    edition
        "homework", what one hands in, or "long", the book.

    Raises
    ------
    ValueError
        If a notebook fails, or something in one would be lost.
    """
    scale = check_scale(scale)
    jobs = execute.check_jobs(jobs)
    if kind not in FORMATS:
        raise ValueError(f"the format is {' or '.join(FORMATS)}, got {kind!r}")
    if edition not in EDITIONS:
        raise ValueError(f"the edition is {' or '.join(EDITIONS)}, got {edition!r}")
    about = title_data(root)
    if scale != "full":
        about["note"] = about["words"]["small"]
    # Before anything is computed: letters that no font has, and titles that cannot be set.
    letters.check(letters.texts_of(sources(root)), about["font"], about["family"])
    pdf.check_title(about)
    execute.run_experiments(sources(root), scale, show=show)
    copies = execute.run(scale, jobs=jobs, root=root, show=show)
    if scale == "full":
        figures.write(copies, root)
    if show and not about["name"]:
        print(NO_NAME, file=sys.stderr)
    if show:
        print("Setting the pages", file=sys.stderr)
    content = written(copies, scale, kind, about, root, edition)
    path = _path_of(scale, kind, root, edition)
    path.parent.mkdir(exist_ok=True)
    replace_file(path, content)
    if path.relative_to(root) in manifest.REPORTS:
        manifest.note_report(copies, root, path)
    if show:
        print("\n".join(in_lines(_answers_in(copies))), file=sys.stderr)
    return path


def _path_of(scale: str, kind: str, root: Path, edition: str) -> Path:
    name = "report" if edition == HOMEWORK else f"report-{edition}"
    if scale != "full":
        name += "-small"
    return root / "report" / f"{name}.{kind}"


def _answers_in(copies: list[Path]) -> list[Answer]:
    return answers_in({copy.stem: read(copy) for copy in copies})


def written(
    copies: list[Path],
    scale: str,
    kind: str,
    about: dict,
    root: Path = ROOT,
    edition: str = HOMEWORK,
) -> bytes:
    """The report on executed notebooks. Raises Lost when anything in it would be lost."""
    read_copies = [read(copy) for copy in copies]
    parts = []
    problems = []
    plays = kind == "html" and edition == LONG
    exporter = PartsExporter(edition=edition, plays=plays)
    for copy, nb in zip(copies, read_copies):
        states = _states(copy, scale, root) if plays else []
        parts_here, problems_here = exporter.parts(nb, copy.stem, str(root / "notebooks"), states)
        parts += parts_here
        problems += problems_here
    if not parts and not problems:
        raise Lost("no cell of the notebooks is tagged report")
    functions = in_a_sentence(_answers_in(copies))
    last = appendix(read_copies, scale, about["words"], in_short=edition == HOMEWORK)
    if edition == LONG:
        last += predictions()
    return RENDERERS[kind].render(
        parts,
        about,
        last,
        problems,
        first_page=first_page(parts, scale, edition, functions, about["words"]),
        edition=edition,
    )


def _states(copy: Path, scale: str, root: Path) -> list[list[dict]]:
    """What brings the widgets of a notebook to life, cell by cell; nothing where none is kept."""
    path = execute.states_of(copy, scale, root)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
