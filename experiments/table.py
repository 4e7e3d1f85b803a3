"""Tables of results, which stand in workbook/table.py; by this name notebooks know their words."""

from workbook.intervals import interval
from workbook.table import Table, is_number, text

__all__ = ["Table", "interval", "is_number", "text"]
