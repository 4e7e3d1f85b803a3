"""The explorers by their short names: `explore.slide()` and so on. See workbook/explorers."""

from workbook.explorers.alpha import alpha
from workbook.explorers.backup import backup
from workbook.explorers.choose import choose
from workbook.explorers.index import index
from workbook.explorers.search import search
from workbook.explorers.slide import slide

__all__ = ["alpha", "backup", "choose", "index", "search", "slide"]
