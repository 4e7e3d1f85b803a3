"""Prose with computed numbers: the cell magic `%%md`.

    %%md
    After {log.games:,} games the mean is {points(log.means[-1])}, {percent(share)} of the
    $V(s_0)$ that the network promises. Formulas keep their braces: $\\frac{a}{b}$.

What stands in braces is Python, evaluated where the notebook's cells are; `{expression:format}`
formats it as an f-string would. Inside formulas and `code` braces are left alone, and
`@{expression}` computes there. `{{` and `}}` are braces in the text.

A sentence must not say what is not so, so this is strict: a name that is not defined, NaN, an
infinity, None, or a number of 17 digits fails the cell, and the error quotes the expression.
"""

import math
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
from IPython import get_ipython
from IPython.display import display

from workbook.marks import MAGIC, MARK
from workbook.typography import as_printed
from workbook.words import SPACE, typeset

FOLDED = Path(__file__).with_name("folded.css")  # how what is folded away looks
LONGEST_FLOAT = 6  # letters of a float that may stand in prose as it is, such as 0.0025
NO_NUMBER = re.compile(r"(?<![\w-])[+−-]?(?:nan|inf)(?![\w-])")
NO_TEXT = re.compile(r"<[\w.]+ (?:object )?at 0x|<(?:function|bound method|built-in|class) ")
COMMA = re.compile(r"(?<=\d),(?=\d{3})")  # between the digits of a number
OPENING = {"(": ")", "[": "]", "{": "}"}
QUOTES = ('"""', "'''", '"', "'")

# What keeps its braces: fenced code, formulas on lines of their own, code, formulas in a line. A
# formula in a line ends in its paragraph, and neither begins nor ends with a space.
FENCE = re.compile(r"^(```+|~~~+)[^\n]*\n.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
DISPLAYED = re.compile(r"\$\$.+?\$\$", re.DOTALL)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
FORMULA = re.compile(r"\$(?![\s$])(?:[^$\\\n]|\\.|\n(?!\s*\n))+?(?<!\s)\$(?!\d)")


class ProseError(ValueError):
    """A piece of prose that cannot be said."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it: the message, for our own lines would help nobody."""
        return [f"ProseError: {self}"]


class Piece(NamedTuple):
    """A piece of prose: text as it is, or an expression with its format."""

    text: str
    is_expression: bool = False
    format: str = ""
    place: str = "text"  # where it stands: "text", "formula" or "code"


def compose(text: str, names: dict) -> str:
    """Put values into a text.

    Parameters
    ----------
    text
        Markdown with `{expression}` or `{expression:format}` in it.
    names
        The names that expressions may use, with their values.

    Returns
    -------
    str
        The Markdown.

    Raises
    ------
    ProseError
        If an expression cannot be evaluated, or what it gives cannot stand in prose.

    Examples
    --------
    >>> compose("{n:,} games, $x_{n}$, `{n}`, $x_{@{n:,}}$, {{n}}, {-0.5}", {"n": 1_000})
    '1,000 games, $x_{n}$, `{n}`, $x_{1{,}000}$, {n}, −0.5'
    """
    return "".join(_said(piece, names) for piece in pieces_of(text))


def pieces_of(text: str) -> list[Piece]:
    """The pieces of a text, in order."""
    pieces = []
    place = 0
    plain_from = 0

    def keep(until: int) -> None:
        if until > plain_from:
            pieces.append(Piece(text[plain_from:until]))

    while place < len(text):
        protected = _protected_at(text, place)
        if protected:
            keep(place)
            pieces += _pieces_of_protected(protected)
            place += len(protected)
        elif text.startswith(("{{", "}}"), place):
            keep(place)
            pieces.append(Piece(text[place]))
            place += 2
        elif text[place] == "{":
            keep(place)
            end = _end_of_expression(text, place)
            pieces.append(_expression(text[place + 1 : end]))
            place = end + 1
        elif text[place] == "}":
            raise ProseError(f"a }} without its {{, behind {text[:place][-40:]!r}; write }}}}")
        else:
            place += 2 if text[place] == "\\" else 1
            continue
        plain_from = place
    keep(len(text))
    return pieces


def _protected_at(text: str, place: int) -> str:
    """The formula or code that begins at a place, if one does."""
    at_line_start = place == 0 or text[place - 1] == "\n"
    letter = text[place]
    patterns = []
    if at_line_start and letter in "`~":
        patterns.append(FENCE)
    if letter == "$":
        patterns += [DISPLAYED, FORMULA]
    if letter == "`":
        patterns.append(CODE)
    for pattern in patterns:
        match = pattern.match(text, place)
        if match:
            return match[0]
    if letter == "$":
        near = text[place : place + 40]
        raise ProseError(f"a $ that begins no formula, at {near!r}; a dollar is written \\$")
    return ""


def _pieces_of_protected(text: str) -> list[Piece]:
    """A formula or code, of which only `@{...}` is computed."""
    pieces = []
    place = 0
    while (start := text.find("@{", place)) >= 0:
        pieces.append(Piece(text[place:start]))
        end = _end_of_expression(text, start + 1)
        kind = "formula" if text.startswith("$") else "code"
        pieces.append(_expression(text[start + 2 : end])._replace(place=kind))
        place = end + 1
    pieces.append(Piece(text[place:]))
    return pieces


def _end_of_expression(text: str, start: int) -> int:
    """Where the } stands that closes the { at a place."""
    waiting = []  # the brackets that are to be closed
    place = start
    while place < len(text):
        quote = next((mark for mark in QUOTES if text.startswith(mark, place)), "")
        if quote:
            place = _end_of_string(text, place, quote)
            continue
        letter = text[place]
        if letter in OPENING:
            waiting.append(OPENING[letter])
        elif waiting and letter == waiting[-1]:
            waiting.pop()
            if not waiting:
                return place
        place += 1
    raise ProseError(
        f"a {{ without its }}, at {text[start : start + 40]!r}; write {{{{ for a brace"
    )


def _end_of_string(text: str, start: int, quote: str) -> int:
    """The place behind a string of Python."""
    place = start + len(quote)
    while place < len(text) and not text.startswith(quote, place):
        place += 2 if text[place] == "\\" else 1
    return place + len(quote)


def _expression(inside: str) -> Piece:
    """What stands between braces: an expression, and behind a colon its format."""
    place = _colon(inside)
    if place < 0:
        return Piece(inside.strip(), True)
    return Piece(inside[:place].strip(), True, inside[place + 1 :].strip())


def _colon(inside: str) -> int:
    """Where the format begins: the first colon that is in no bracket and no string, or -1."""
    depth = 0
    place = 0
    while place < len(inside):
        quote = next((mark for mark in QUOTES if inside.startswith(mark, place)), "")
        if quote:
            place = _end_of_string(inside, place, quote)
            continue
        letter = inside[place]
        depth += (letter in "([{") - (letter in ")]}")
        if letter == ":" and depth == 0:
            return place
        place += 1
    return -1


def _said(piece: Piece, names: dict) -> str:
    if not piece.is_expression:
        return piece.text
    shown = piece.text + (f":{piece.format}" if piece.format else "")
    if not piece.text:
        raise ProseError("{} holds no expression; write {{}} for braces")
    try:
        value = eval(f"({piece.text}\n)", names)
        text = written(value, piece.format)
    except Exception as error:
        raise ProseError(f"{{{shown}}}: {_in_short(error)}") from error
    return _fitting(text, piece.place)


def _fitting(text: str, place: str) -> str:
    """A value as formulas and code want it, which have signs of their own."""
    if place == "text":
        return text
    text = text.replace("−", "-").replace(SPACE, " ")
    if place == "formula":
        text = COMMA.sub("{,}", text).replace(" %", r"\,\%")
    return text


def _in_short(error: Exception) -> str:
    if isinstance(error, ValueError) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}"


def written(value, format_: str = "") -> str:
    """A value as it stands in prose.

    Parameters
    ----------
    value
        A number, a text, a list of them, or anything that writes itself as Markdown (a Table).
    format_
        How to format it, as in an f-string.

    Raises
    ------
    ValueError
        If it says nothing to a reader.
    """
    if hasattr(value, "_repr_markdown_") and not format_:
        return value._repr_markdown_()
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if value is None or isinstance(value, bool):
        raise ValueError(f"it is {value}, which is no word for prose")
    if isinstance(value, int | float):
        return _written_number(value, format_)
    text = format(value, format_)
    if NO_NUMBER.search(text):
        raise ValueError(f"it holds a value that is no number: {text:.80}")
    if NO_TEXT.search(text) or callable(value):
        raise ValueError(f"it is {text:.60}, which no reader understands")
    return text


def _written_number(value: float, format_: str) -> str:
    if not math.isfinite(value):
        raise ValueError(f"it is {value}, not a finite number")
    if format_:
        text = format(value, format_).replace("%", f"{SPACE}%")
    else:
        text = str(value)
        is_long = len(text.lstrip("-")) > LONGEST_FLOAT or "e" in text
        if isinstance(value, float) and is_long:
            asked = "say how to round it, as in {x:.2f}, {number(x)} or {percent(x)}"
            raise ValueError(f"it is {text}; {asked}")
    return typeset(text)


def md(line: str, cell: str) -> None:
    """The cell magic `%%md`: show the cell's Markdown with the values of its expressions."""
    if line.strip():
        raise ProseError(f"nothing stands behind {MAGIC} in its line, got {line.strip()!r}")
    text = compose(cell.strip("\n"), get_ipython().user_ns)
    text = as_printed(text)
    display({"text/markdown": text, "text/plain": text}, raw=True)


def register() -> None:
    """Teach the notebook this magic, and how it looks; nothing where no notebook runs."""
    shell = get_ipython()
    if shell is None:
        return
    shell.register_magic_function(md, "cell", "md")
    if hasattr(shell, "kernel"):
        shell.events.register("post_run_cell", _show_style)


def _show_style(result) -> None:
    """Show how what is folded away looks, below the cell that brings these words.

    It is shown each time that the cell is run, because running it clears what stands below it.
    """
    if "workbook.notebook" in result.info.raw_cell:
        style = f"<style>\n{FOLDED.read_text(encoding='utf-8')}</style>"
        display({"text/html": style, "text/plain": ""}, raw=True, metadata={MARK: {"style": True}})
