"""How outputs of cells are marked with what the report needs to know of them."""

import re

MARK = "lib2048"  # the name in the metadata of an output

# What a figure or a table may be called. The name of a file in figures/ is made from it.
LABEL = re.compile(r"(fig|tab)(-[a-z0-9]+)+")
