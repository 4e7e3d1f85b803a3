"""What the reader did: the answers to the exercises, and the predictions.

Each check leaves in its output what came of it, so that the report can say whose functions it
prints, which ones were not accepted and why, and which were not tried.
"""

from collections.abc import Iterable
from typing import NamedTuple

from notebook_tools.cells import mark_of
from report.document import Part
from workbook.predict.entries import read_all
from workbook.words import joined, number

RIGHT = "right"
WRONG = "wrong"


class Answer(NamedTuple):
    """What came of an exercise."""

    name: str  # of the exercise, as its check is called
    notebook: str  # where it is asked for first
    verdict: str  # "right", "wrong" or "unwritten"
    why: str  # of a wrong one
    is_printed: bool  # whether the reader's own function is in the report


def answers_in(notebooks: dict[str, object]) -> list[Answer]:
    """What came of each exercise of executed notebooks, {name: notebook}, where it is asked first.

    That is where the notebook that asks for it says so: a function that is mended later, as in the
    museum of faults, is another matter.
    """
    found: dict[str, Answer] = {}
    own = set()
    for notebook, nb in notebooks.items():
        for mark in _marks(nb):
            name = mark.get("check")
            if isinstance(name, str) and name not in found:
                why = str(mark.get("why", ""))
                found[name] = Answer(name, notebook, str(mark.get("verdict")), why, False)
            if mark.get("own") is True:
                own.add(mark.get("listing"))
    return [answer._replace(is_printed=answer.name in own) for answer in found.values()]


def _marks(nb) -> Iterable[dict]:
    """What workbook.cells and the checks say of the outputs of a notebook."""
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            yield mark_of(output)


def in_a_sentence(answers: list[Answer]) -> str:
    """Whose functions the report prints, for its first page; nothing where nothing is asked."""
    if not answers:
        return ""
    right = [answer for answer in answers if answer.verdict == RIGHT]
    printed = [answer.name for answer in right if answer.is_printed]
    text = f"Own functions: {len(right)} of the {len(answers)} that the workbook asks for"
    if not printed:
        return f"{text}; the functions printed here come from the workbook."
    theirs = joined(printed)
    return f"{text}; printed here as the author’s: {theirs}. The others come from the workbook."


def in_lines(answers: list[Answer]) -> list[str]:
    """What a build says last: what is printed as the reader's, what is not, and why."""
    if not answers:
        return []
    right = [answer for answer in answers if answer.verdict == RIGHT]
    wrong = [answer for answer in answers if answer.verdict == WRONG]
    rest = [answer for answer in answers if answer.verdict not in (RIGHT, WRONG)]
    printed = [answer.name for answer in right if answer.is_printed]
    lines = [f"Printed as yours: {', '.join(printed) or 'nothing'}."]
    others = [answer.name for answer in right if not answer.is_printed]
    if others:
        lines.append(f"Accepted, but not printed in this report: {', '.join(others)}.")
    for answer in wrong:
        why = answer.why.rstrip(".")
        lines.append(f"Not accepted: {answer.name} ({answer.notebook}: {why}).")
    if rest:
        lines.append(f"Not tried: {', '.join(answer.name for answer in rest)}.")
    return lines


def predictions() -> list[Part]:
    """The predictions that the reader entered, as a part of the appendix, where there are some."""
    lines = []
    for notebook, entries in sorted(read_all().items()):
        for name, record in entries.items():
            if isinstance(record, dict) and {"question", "entry"} <= record.keys():
                lines.append(_in_an_item(notebook, name, record))
    if not lines:
        return []
    text = "## Predictions\n\nWhat the author expected, before the answer was known.\n\n"
    return [Part("markdown", text + "\n".join(lines), "runs/predictions.json")]


def _in_an_item(notebook: str, name: str, record: dict) -> str:
    """A prediction: what was asked, what was entered, and what is right."""
    asked = str(record["question"]).removeprefix("**Predict.** ").split("\n\n")[0]
    right = str(record.get("answer", "")).split("\n\n")[0].strip("*.")
    lines = [f"- {notebook}, {name}. {asked} *Entered:* {_entered(record)}."]
    if right and not right.startswith(("|", "1.")):
        lines.append(f"  *Right:* {right}.")
    return "\n".join(lines)


def _entered(record: dict) -> str:
    """What was entered, in words."""
    entry = record["entry"]
    lines = str(record["question"]).split("\n")
    options = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    if isinstance(entry, float | int) and not options:
        return number(entry)
    places = entry if isinstance(entry, list) else [entry]
    if all(isinstance(place, int) and 0 <= place < len(options) for place in places):
        return "; ".join(options[place] for place in places) or "none of them"
    return "a curve"
