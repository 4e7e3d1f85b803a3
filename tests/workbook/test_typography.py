"""Minus, apostrophe, prime and percent are set one way in all prose."""

import re

import pytest

from notebook_tools.files import read, sources
from workbook.marks import is_prose
from workbook.typography import NO_PROSE, as_printed

FIELD = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")  # of computed prose
TYPED = {
    "an apostrophe or a prime (’ ′)": "'",
    "a minus (−)": r"(?<![\w-])-(?=\d)",
    "a percent sign without its space (5 %)": r"\d%",
    "three dots (…)": r"\.\.\.",
    "a cross (×)": r"\d x \d",
    "Greek letters in words (α, λ)": r"\balpha\b(?!-beta)|\(lambda\)",
}


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("s'_t, the board's and V'", "s′_t, the board’s and V′"),
        ("from 3.5-12.1, 1,000-2,000 or 5-tuple", "from 3.5–12.1, 1,000–2,000 or 5-tuple"),
        ("-3, (-1.5 to -0.2), a-1, 2026-11-19", "−3, (−1.5 to −0.2), a-1, 2026-11-19"),
        (
            "alpha = 0.1, TD(lambda), alpha-beta, `alpha`",
            "α\u00a0=\u00a00.1, TD(λ), alpha-beta, `alpha`",
        ),
        ("25% | 25 %", "25\u00a0% | 25\u00a0%"),
        ("| a | - | - |", "| a | – | – |"),
        ("- 2 tiles\n- 4 x 4", "- 2 tiles\n- 4 × 4"),
        ("2x2 game, 4x6 network, 2x3-cell", "2 × 2 game, 4x6 network, 2x3-cell"),
        ("with K = 40 and c = −0.5", "with K\u00a0=\u00a040 and c\u00a0=\u00a0−0.5"),
        ("`it's 5%`, $s'-1$ and $$-3$$", "`it's 5%`, $s'-1$ and $$-3$$"),
        ("```python\nx = -1  # it's\n```", "```python\nx = -1  # it's\n```"),
        ("[it's](a/b-1-2%20'.html) <i x='-1'>", "[it’s](a/b-1-2%20'.html) <i x='-1'>"),
        ("https://doi.org/10.1007/s-1-2...", "https://doi.org/10.1007/s-1-2..."),
    ],
)
def test_signs_become_those_of_print(typed, printed):
    assert as_printed(typed) == printed
    assert as_printed(printed) == printed


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.stem[:2])
def test_prose_of_the_notebooks(path):
    for number, cell in enumerate(read(path).cells, 1):
        if cell.cell_type != "markdown" and not is_prose(cell.source):
            continue
        prose = FIELD.sub("9", NO_PROSE.sub("", cell.source).replace("%%md", ""))
        for name, pattern in TYPED.items():
            found = re.search(f".{{0,20}}(?:{pattern}).{{0,20}}", prose)
            assert found is None, f"cell {number} has {name} typed otherwise: {found[0]!r}"
