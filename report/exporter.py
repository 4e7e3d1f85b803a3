"""The way from an executed notebook to pages, as exporters of nbconvert with preprocessors.

`jupyter nbconvert --to report notebook.ipynb` makes a PDF of one notebook, `--to report-html` a
page of HTML; `make report` takes its parts from all notebooks in the same way (`parts`). Printed
are the cells that are tagged for an edition, or all cells where none is. Nothing of a notebook is
run.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from nbconvert.exporters import Exporter
from nbconvert.preprocessors import Preprocessor
from nbconvert.utils.exceptions import ConversionException
from traitlets import Bool, Enum, default

from experiments.versions import ROOT
from notebook_tools import files
from notebook_tools.cells import code_cells
from notebook_tools.tidy import put_back, tidy
from report import html, pdf
from report.document import EDITIONS, LONG, NUMBER, Part, is_chosen, parts_of
from report.title import title_data

TITLE = re.compile(r"#\s+(?:\d\d\s+)?(.*)\n*")  # "# 06 Training": the heading of a notebook
LABEL_IN_A_FILE = re.compile(r"\b(?:fig|tab)-[\w-]+")


class TidyOutputs(Preprocessor):
    """Leaves of the outputs what can be printed the same each time."""

    def preprocess(self, nb, resources):
        """Tidy a notebook."""
        return tidy(nb), resources


class TaggedCells(Preprocessor):
    """Leaves the cells of an edition, each with its number; all cells where none is tagged."""

    edition = Enum(EDITIONS, LONG, help="which tagged cells are left").tag(config=True)
    plays = Bool(False, help="whether it is a page, where games play").tag(config=True)

    def preprocess(self, nb, resources):
        """Choose the cells of a notebook."""
        for number, cell in enumerate(nb.cells, 1):
            cell.metadata[NUMBER] = number
        is_whole = not any(is_chosen(cell) for cell in nb.cells)
        if not is_whole:
            nb.cells = [cell for cell in nb.cells if is_chosen(cell, self.edition, self.plays)]
        return nb, resources | {"whole": is_whole}


class PartsExporter(Exporter):
    """What the exporters of the report share: a notebook as parts."""

    edition = Enum(EDITIONS, LONG, help="homework, or long").tag(config=True)
    plays = Bool(False, help="whether it is a page, where games play").tag(config=True)

    def _init_preprocessors(self):
        super()._init_preprocessors()
        self.register_preprocessor(TidyOutputs(parent=self), enabled=True)
        tagged = TaggedCells(parent=self, edition=self.edition, plays=self.plays)
        self.register_preprocessor(tagged, enabled=True)

    def parts(
        self, nb, name: str, folder: str, states: Iterable[list[dict]] = ()
    ) -> tuple[list[Part], list[str]]:
        """The parts of a notebook in a folder, and a line for each thing that cannot be printed.

        `states` are what brings its widgets to life, for each cell of code.
        """
        of_cells = dict(zip((cell.get("id") for cell in code_cells(nb)), states))
        nb, resources = Exporter.from_notebook_node(self, nb, {})
        for cell in code_cells(nb):
            put_back(cell, of_cells.get(cell.get("id"), []))
        return parts_of(nb, name, folder, resources["whole"], self.edition, self.plays)


class ReportExporter(PartsExporter):
    """A notebook as a PDF in the manner of the report."""

    export_from_notebook = "Report (PDF)"
    output_mimetype = "application/pdf"
    renderer = pdf

    @default("file_extension")
    def _extension(self):
        return ".pdf"

    def from_notebook_node(self, nb, resources=None, **options):
        """Convert a notebook; a ConversionException names all cells that would lose something."""
        about = (resources or {}).get("metadata", {})
        name = about.get("name") or "notebook"
        folder = about.get("path") or "."
        try:
            files.check(nb, name)
            nb, resources = super().from_notebook_node(nb, resources, **options)
            return self._render(nb, name, folder, resources["whole"]), resources
        except ValueError as error:
            raise ConversionException(str(error)) from None

    def _render(self, nb, name: str, folder: str, is_whole: bool) -> bytes | str:
        title = take_title(nb) if is_whole else ""
        parts, problems = parts_of(nb, name, folder, is_whole, self.edition)
        parts = [part.standing() for part in parts]
        about = title_data(ROOT) | {"title": title or name, "alone": "yes"}
        elsewhere = labels_beside(folder, name)
        options = {} if self.renderer is html else {"floats": not is_whole}
        return self.renderer.render(parts, about, problems=problems, elsewhere=elsewhere, **options)


class ReportHtmlExporter(ReportExporter):
    """A notebook as a page of HTML in the manner of the report."""

    export_from_notebook = "Report (HTML)"
    output_mimetype = "text/html"
    renderer = html

    @default("file_extension")
    def _extension(self):
        return ".html"


def take_title(nb) -> str:
    """Take the heading out of the first cell, where it has one; returns its words."""
    if not nb.cells or nb.cells[0].cell_type != "markdown":
        return ""
    first = nb.cells[0]
    heading = TITLE.match(first.source)
    if heading is None:
        return ""
    first.source = first.source[heading.end() :]
    return re.sub(r"[*`$]", "", heading[1]).strip()


def labels_beside(folder, name: str) -> set[str]:
    """Labels that the other notebooks in a folder give.

    A link to one of them is right in the report as a whole.
    """
    labels = set()
    for file in Path(folder).glob("*.ipynb"):
        if file.stem != name:
            labels.update(
                LABEL_IN_A_FILE.findall(file.read_text(encoding="utf-8", errors="replace"))
            )
    return labels
