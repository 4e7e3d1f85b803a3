"""All of it: experiments, notebooks, figures, the report."""

import sys
from pathlib import Path

from experiments import check_scale
from lib2048.files import replacing
from report import ROOT, figures, html, notebooks, pdf
from report.appendix import appendix
from report.document import Lost, parts_of
from report.title import title_data

FORMATS = ("pdf", "html")
SMALL = "Small scale: a quick run, whose numbers are not the report's"


def build(
    scale=None, kind: str = "pdf", root: Path = ROOT, jobs: int = 2, show: bool = True
) -> Path:
    """Bring everything up to date and write the report. Returns its path.

    At the full scale that is report/report.pdf (or .html), and figures/ is written as well; at the small one
    report/report-small.pdf, and no tracked file changes.
    """
    scale, jobs = check_scale(scale), notebooks.check_jobs(jobs)
    if kind not in FORMATS:
        raise ValueError(f"the format is {' or '.join(FORMATS)}, got {kind!r}")
    about = title_data(root, "" if scale == "full" else SMALL)
    notebooks.run_experiments(notebooks.sources(root), scale, show=show)
    copies = notebooks.run(scale, jobs=jobs, root=root, show=show)
    if scale == "full":
        figures.write(copies, root)
    if show:
        print("Setting the pages", file=sys.stderr)
    content = written(copies, scale, kind, about, root)
    path = root / "report" / f"report{'' if scale == 'full' else '-small'}.{kind}"
    path.parent.mkdir(exist_ok=True)
    with replacing(path, len(content)) as file:
        file.write(content)
    return path


def written(copies: list[Path], scale: str, kind: str, about: dict, root: Path = ROOT) -> bytes:
    """The report on executed notebooks. Raises Lost when anything in it would be lost."""
    read = [notebooks.read(copy) for copy in copies]
    parts, problems = [], []
    for copy, nb in zip(copies, read):
        found, wrong = parts_of(nb, copy.stem, str(root / "notebooks"))
        parts, problems = parts + found, problems + wrong
    if not parts and not problems:
        raise Lost("no cell of the notebooks is tagged report")
    renderer = {"pdf": pdf, "html": html}[kind]
    return renderer.render(parts, about, appendix(read, scale), problems)
