"""The exporter that `jupyter nbconvert --to report notebook.ipynb` finds: one notebook as a PDF.

Printed are the cells tagged `report`, or all cells where none is.
"""

import re
from pathlib import Path

from nbconvert.exporters import Exporter
from nbconvert.utils.exceptions import ConversionException
from traitlets import default

from report import pdf
from report.document import Lost, is_chosen, parts_of
from report.kernels import ROOT
from report.tidy import tidy
from report.title import title_data


class ReportExporter(Exporter):
    """A notebook as a PDF in the manner of the report."""

    export_from_notebook = "Report (PDF)"
    output_mimetype = "application/pdf"

    @default("file_extension")
    def _pdf(self):
        return ".pdf"

    def from_notebook_node(self, nb, resources=None, **options):
        """The PDF of a notebook; ConversionException names each cell of which something would be lost."""
        nb, resources = super().from_notebook_node(nb, resources, **options)
        about = resources.get("metadata", {})
        name, folder = about.get("name") or "notebook", about.get("path") or "."
        whole = not any(map(is_chosen, nb.cells))
        title = take_title(nb) if whole else ""
        parts, problems = parts_of(tidy(nb), name, folder, whole)
        try:
            found = title_data(ROOT) | {"title": title or name}
            beside = labels_beside(folder, name)
            return pdf.render(
                parts, found, problems=problems, elsewhere=beside, floats=not whole
            ), resources
        except (Lost, ValueError) as error:
            raise ConversionException(str(error)) from None


def take_title(nb) -> str:
    """Take the heading out of the first cell, where it has one; returns its words."""
    first = nb.cells[0] if nb.cells else None
    found = (
        re.match(r"#\s+(?:\d\d\s+)?(.*)\n*", first.source)
        if first and first.cell_type == "markdown"
        else None
    )
    if not found:
        return ""
    first.source = first.source[found.end() :]
    return re.sub(r"[*`$]", "", found[1]).strip()


def labels_beside(folder, name: str) -> set[str]:
    """Labels that the other notebooks in a folder give: a link to one of them is right in the report as a whole."""
    texts = [
        file.read_text(encoding="utf-8")
        for file in Path(folder).glob("*.ipynb")
        if file.stem != name
    ]
    return {label for text in texts for label in re.findall(r"\b(?:fig|tab)-[\w-]+", text)}
