"""What cells say of themselves: those of code, the tags of a cell, the mark of an output."""

from workbook.marks import MARK


def code_cells(nb) -> list:
    """The code cells of a notebook."""
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def tags_of(cell) -> list[str]:
    """The tags of a cell."""
    tags = cell.metadata.get("tags", [])
    return tags if isinstance(tags, list) else []


def mark_of(output) -> dict:
    """What workbook.cells says of an output; nothing where it says nothing."""
    mark = output.get("metadata", {}).get(MARK, {})
    return mark if isinstance(mark, dict) else {}
