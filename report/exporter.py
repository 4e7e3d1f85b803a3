"""The exporter that `jupyter nbconvert --to report notebook.ipynb` finds: one notebook as a PDF.

Printed are the cells tagged `report`, or all cells where none is. Nothing of the notebook is run.
"""

import re
from pathlib import Path

from nbconvert.exporters import Exporter
from nbconvert.utils.exceptions import ConversionException
from traitlets import default

from report import ROOT, files, pdf
from report.document import is_chosen, parts_of
from report.tidy import tidy
from report.title import title_data

TITLE = re.compile(r"#\s+(?:\d\d\s+)?(.*)\n*")  # "# 06 Training": the heading of a notebook
LABEL_IN_A_FILE = re.compile(r"\b(?:fig|tab)-[\w-]+")


class ReportExporter(Exporter):
    """A notebook as a PDF in the manner of the report."""

    export_from_notebook = "Report (PDF)"
    output_mimetype = "application/pdf"

    @default("file_extension")
    def _pdf(self):
        return ".pdf"

    def from_notebook_node(self, nb, resources=None, **options):
        """Convert a notebook.

        Returns
        -------
        content, resources
            The PDF, and what nbconvert passes on.

        Raises
        ------
        ConversionException
            Naming each cell of which something would be lost.
        """
        nb, resources = super().from_notebook_node(nb, resources, **options)
        about = resources.get("metadata", {})
        name = about.get("name") or "notebook"
        folder = about.get("path") or "."
        try:
            return _render(nb, name, folder), resources
        except ValueError as error:
            raise ConversionException(str(error)) from None


def _render(nb, name: str, folder: str) -> bytes:
    files.check(nb, name)
    whole = not any(is_chosen(cell) for cell in nb.cells)
    title = take_title(nb) if whole else ""
    parts, problems = parts_of(tidy(nb), name, folder, whole)
    return pdf.render(
        parts,
        title_data(ROOT) | {"title": title or name},
        problems=problems,
        elsewhere=labels_beside(folder, name),
        floats=not whole,
    )


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
