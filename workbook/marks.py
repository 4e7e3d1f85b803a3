"""How cells and their outputs are marked with what the report needs to know of them."""

import re

MARK = "lib2048"  # the name in the metadata of an output

# What a figure or a table may be called. The name of a file in figures/ is made from it.
LABEL = re.compile(r"(fig|tab)(-[a-z0-9]+)+")

MAGIC = "%%md"  # the first line of a cell of prose with computed numbers; see prose.py


def is_prose(source: str) -> bool:
    """Whether a code cell's source is prose.

    Examples
    --------
    >>> is_prose("%%md\\nIt took {n:,} games."), is_prose("n = 3")
    (True, False)
    """
    first, _, _ = source.lstrip().partition("\n")
    return first.strip() == MAGIC
