"""What a check shows: a tick, or a cross with the first wrong case side by side.

In a notebook that is a small page with the boards drawn, elsewhere the same as text.
"""

import sys
from html import escape
from itertools import zip_longest

from IPython import get_ipython
from IPython.display import display

from lib2048.board import from_array
from lib2048.draw import board_svg
from workbook.answers import Thing, is_board, is_row
from workbook.marks import MARK
from workbook.trial import Failure, Verdict

TICK = "✓"
CROSS = "✗"
UNWRITTEN = "…"
COLOURS = {TICK: "#2e8b47", CROSS: "#d0342c", UNWRITTEN: "#8a6d1d"}
"""Of the marks; each stands out on white and on black."""
LARGEST_DRAWN = 15  # the exponent of the largest tile that has a picture
BOARD_SIZE = 132  # pixels
TABLE = "border-collapse:separate;border-spacing:0 4px;margin:4px 0"
LEFT = "text-align:left;vertical-align:top;padding-right:28px"


def show(exercise, verdict: Verdict) -> None:
    """Show what came of a check."""
    if hasattr(get_ipython(), "kernel"):
        shown = {"text/plain": text(exercise, verdict), "text/html": page(exercise, verdict)}
        display(shown, raw=True, metadata={MARK: mark_of(exercise, verdict)})
        return
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text(exercise, verdict).encode(encoding, "backslashreplace").decode(encoding))


def mark_of(exercise, verdict: Verdict) -> dict[str, str]:
    """What the report needs to know of a check: whether the function is right, else why not."""
    if verdict.right:
        return {"check": exercise.name, "verdict": "right"}
    failure = verdict.failure
    if failure is None:
        return {"check": exercise.name, "verdict": "unwritten"}
    why = failure.reason or f"wrong in case {failure.number}"
    return {"check": exercise.name, "verdict": "wrong", "why": why}


def mark(verdict: Verdict) -> str:
    """The sign of a verdict."""
    if verdict.right:
        return TICK
    return CROSS if verdict.failure else UNWRITTEN


def headline(exercise, verdict: Verdict) -> str:
    """What a verdict comes to, in a line."""
    if verdict.right:
        return f"{exercise.name}: right in all {verdict.count} cases. {exercise.now}".rstrip()
    if verdict.failure is None:
        return f"{exercise.name}: not written yet. What is asked for:"
    return f"{exercise.name}: wrong in case {verdict.failure.number}"


def asked_for(exercise) -> str:
    """Where a learner can look up what is asked for."""
    return f"Asked for: {exercise.signature}. help(check.{exercise.name}) says all of it."


# As text


def text(exercise, verdict: Verdict) -> str:
    """What is shown where there is no notebook."""
    lines = [f"{mark(verdict)} {headline(exercise, verdict)}"]
    failure = verdict.failure
    if failure is not None:
        lines += _case_lines(failure)
        lines += [_table(failure)]
        lines += failure.facts
        lines += [failure.reason] if failure.reason else []
        lines += [asked_for(exercise)]
    elif not verdict.right:
        lines += [exercise.specification]
    return "\n".join(lines)


def _case_lines(failure: Failure) -> list[str]:
    about = [f"This case is there for a rule: {failure.about}."] if failure.about else []
    return [failure.call, *about]


def _table(failure: Failure) -> str:
    """Given, expected and got side by side."""
    columns = []
    for title, column in _columns(failure):
        columns.append([title, *(line for thing in column for line in thing.lines())])
    widths = [max(map(len, column)) + 4 for column in columns]
    rows = zip_longest(*columns, fillvalue="")
    return "\n".join("".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def _columns(failure: Failure) -> list[tuple[str, list[Thing]]]:
    return [("given", failure.given), ("expected", failure.expected), ("got", failure.got)]


# As a page


def page(exercise, verdict: Verdict) -> str:
    """What is shown in a notebook."""
    sign = mark(verdict)
    style = f"color:{COLOURS[sign]};font-weight:bold;font-size:1.2em"
    parts = [
        f'<div><span style="{style}">{sign}</span> {escape(headline(exercise, verdict))}</div>'
    ]
    failure = verdict.failure
    if failure is not None:
        parts += [f"<div><code>{escape(failure.call)}</code></div>"]
        parts += [f"<div>{escape(line)}</div>" for line in _case_lines(failure)[1:]]
        parts += [_pictured_table(failure)]
        parts += [_preformatted(failure.facts)] if failure.facts else []
        parts += [f"<div><b>{escape(failure.reason)}</b></div>"] if failure.reason else []
        parts += [f"<div>{escape(asked_for(exercise))}</div>"]
    elif not verdict.right:
        parts += [_preformatted(exercise.specification.splitlines())]
    return "\n".join(parts)


def _preformatted(lines: list[str]) -> str:
    text = escape("\n".join(lines))
    return f'<pre style="margin:4px 0;background:none;white-space:pre-wrap">{text}</pre>'


def _pictured_table(failure: Failure) -> str:
    columns = _columns(failure)
    titles = "".join(f'<th scope="col" style="{LEFT}">{title}</th>' for title, _ in columns)
    cells = "".join(
        f'<td style="{LEFT}">{"".join(map(_pictured, column))}</td>' for _, column in columns
    )
    return f'<table style="{TABLE}"><tr>{titles}</tr><tr>{cells}</tr></table>'


def _pictured(thing: Thing) -> str:
    """A thing as a picture where it is a board, else as text."""
    if is_board(thing.value) and max(map(max, thing.value)) <= LARGEST_DRAWN:
        name = f"<div>{escape(thing.name)}</div>" if thing.name else ""
        rows = [[int(exponent) for exponent in row] for row in thing.value]
        return f"{name}<div>{board_svg(from_array(rows), size=BOARD_SIZE)}</div>"
    if is_row(thing.value):
        return _preformatted([thing.name, *Thing("", thing.value).lines()])
    return _preformatted(thing.lines())
