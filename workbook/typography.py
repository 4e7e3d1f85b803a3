"""Signs as print has them: one minus, one apostrophe, one percent, whatever was typed.

What is code, a formula or an address stays as it is.
"""

import re

from workbook.words import SPACE

# What is no prose: fenced code, formulas, code in a line, addresses of links, HTML.
NO_PROSE = re.compile(
    r"^(?:```+|~~~+)[^\n]*\n.*?^(?:```+|~~~+)[ \t]*$"
    r"|\$\$.+?\$\$"
    r"|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)"
    r"|\$(?![\s$])(?:[^$\\\n]|\\.)+?(?<!\s)\$(?!\d)"
    r"|\]\([^)]*\)"
    r"|<[^<>]+>"
    r"|https?://\S+",
    re.MULTILINE | re.DOTALL,
)
SIGNS = (
    (re.compile(r"(?<=\d)[ \u00a0\u202f]?%"), f"{SPACE}%"),
    (re.compile(r"(?<![\w–-])(\d[\d.,]*)-(\d[\d.,]*)(?![\w-])"), r"\1–\2"),  # from, to
    (re.compile(r"(?<![\w-])-(?=\d)"), "−"),
    (re.compile(r"(?<=\|) - (?=\|)"), " – "),  # an empty cell of a table
    (re.compile(r"\b([sV])'"), r"\1′"),
    (re.compile(r"(?<=\w)'"), "’"),
    (re.compile(r"(?<=\d) x (?=\d)"), " × "),
    (re.compile(r"(?<![\w-])([2-4])x([2-4])(?![\w-])"), r"\1 × \2"),  # boards; 4x6 is a name
    (re.compile(r"\.\.\."), "…"),
    (re.compile(r"(?<![\w-])alpha(?![\w-])"), "α"),
    (re.compile(r"(?<![\w-])lambda(?![\w-])"), "λ"),
    (re.compile(r"(?<![\w.-])p4(?![\w=(.-])"), "p₄"),
    (re.compile(r"(?<![\w=])([A-Za-zα-ω]) = (?=[+−-]?\d)"), f"\\1{SPACE}={SPACE}"),  # on one line
)


def as_printed(markdown: str) -> str:
    """A text in Markdown with the signs that print has.

    Examples
    --------
    >>> as_printed("It's V(s') - from 3-4, or -2 - in `a-1%` and $1 - 1$, or 5%.")
    'It’s V(s′) - from 3–4, or −2 - in `a-1%` and $1 - 1$, or 5\\xa0%.'
    >>> as_printed("on 2026-11-19, 4 x 4 ...")
    'on 2026-11-19, 4 × 4 …'
    >>> as_printed("p4 0.1, p4=0.1, `p4`")
    'p₄ 0.1, p4=0.1, `p4`'
    """
    pieces = []
    end = 0
    for kept in NO_PROSE.finditer(markdown):
        pieces += [_set(markdown[end : kept.start()]), kept[0]]
        end = kept.end()
    pieces.append(_set(markdown[end:]))
    return "".join(pieces)


def _set(prose: str) -> str:
    for typed, printed in SIGNS:
        prose = typed.sub(printed, prose)
    return prose
