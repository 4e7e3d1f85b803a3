"""A prediction as text, and its texts as a browser shows them."""

import functools
import re
from dataclasses import dataclass

import pypandoc

from workbook.typography import as_printed
from workbook.words import number

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
READER = "commonmark+pipe_tables+strikeout+tex_math_dollars+smart"
BETWEEN = "\n\n---\n\n"  # texts that are converted together
RULE = re.compile(r"\s*<hr ?/?>\s*")
ONE_PARAGRAPH = re.compile(r"\s*<p>((?:(?!</p>).)*)</p>\s*", re.DOTALL)
POINTS_TOLD = 5  # of a curve, in a table


def _end(value: float) -> str:
    """An end of a scale, with the digits that it was given with: 0.1 and not 0.100.

    Examples
    --------
    >>> _end(0.1), _end(100), _end(1e12)
    ('0.1', '100', '1,000,000,000,000')
    """
    _, _, decimals = f"{value:.6f}".rstrip("0").partition(".")
    return number(value, len(decimals))


@dataclass(frozen=True)
class Question:
    """What is asked, in Markdown, and what is right."""

    kind: str  # "choice", "ticks", "order", "number" or "curve"
    name: str
    text: str
    why: str
    about: dict  # what else the kind knows; see __init__.py

    def __post_init__(self):
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name):
            raise ValueError(
                "a prediction is named by small letters, digits and hyphens, "
                f"such as 'largest-tile', got {self.name!r}"
            )
        if not self.text.strip() or not self.why.strip():
            raise ValueError(f"prediction {self.name} needs a question and its answer in words")

    @property
    def for_browser(self) -> dict:
        """What the widget needs to know, its texts as HTML."""
        about = dict(self.about)
        texts = {"text": [self.text], "why": [self.why]}
        for field in ("options", "replies"):
            texts[field] = about.get(field, [])
        every = [text for field in texts.values() for text in field]
        converted = iter(as_html(tuple(every)))
        for field, of_field in texts.items():
            about[field] = [next(converted) for _ in of_field]
        return about | {"kind": self.kind, "name": self.name}

    @property
    def asked(self) -> str:
        """The question and what can be answered, without the answer."""
        lines = [f"**Predict.** {self.text.strip()}"]
        if "options" in self.about:
            lines.append("\n".join(f"- {option}" for option in self.about["options"]))
        if self.kind == "ticks":
            lines.append("(Several may be right, or none.)")
        if self.kind == "number":
            low, high = (_end(self.about[field]) for field in ("low", "high"))
            lines.append(f"(Between {low} and {high}{self._unit()}.)")
        if self.kind == "curve":
            lines.append(f"(Sketch {self.about['y'][2]} over {self.about['x'][2]}.)")
        return "\n\n".join(lines)

    def _unit(self) -> str:
        return f" {self.about['unit']}" if self.about["unit"] else ""

    @property
    def answered(self) -> str:
        """The answer, and a word on each wrong one."""
        return "\n\n".join(filter(None, [self._right(), self.why.strip(), self._replies()]))

    def _right(self) -> str:
        right = self.about["right"]
        if self.kind == "number":
            return f"**{number(self.about['right'])}{self._unit()}.**"
        if self.kind == "curve":
            return self._table()
        options = [self.about["options"][place] for place in right]
        if self.kind == "order":
            return "\n".join(f"{place}. {option}" for place, option in enumerate(options, 1))
        return f"**{'; '.join(options) or 'None of them'}.**"

    def _table(self) -> str:
        """Some points of the true curve."""
        points = self.about["right"]
        kept = {round(n * (len(points) - 1) / (POINTS_TOLD - 1)) for n in range(POINTS_TOLD)}
        rows = [f"| {number(points[n][0])} | {number(points[n][1])} |" for n in sorted(kept)]
        head = f"| {self.about['x'][2]} | {self.about['y'][2]} |"
        return "\n".join([head, "|---|---|", *rows])

    def _replies(self) -> str:
        replies = self.about.get("replies", [])
        if self.kind == "number":
            named = zip(("Less", "More"), replies)
        else:
            right = [] if self.kind == "ticks" else self.about["right"]
            named = (
                [
                    (option, reply)
                    for place, (option, reply) in enumerate(zip(self.about["options"], replies))
                    if place not in right
                ]
                if replies
                else []
            )
        return "\n".join(f"- *{option}*: {reply}" for option, reply in named if reply)

    @property
    def folded(self) -> str:
        """The question, and the answer folded below it."""
        details = f"<details><summary>Answer</summary>\n\n{self.answered}\n\n</details>"
        return as_printed(f"{self.asked}\n\n{details}")


@functools.cache
def as_html(texts: tuple[str, ...]) -> list[str]:
    """Markdown texts as HTML, formulas as MathML, which browsers draw by themselves.

    A text of one paragraph comes without its `<p>`.
    """
    if not any(texts):
        return ["" for _ in texts]
    document = BETWEEN.join(as_printed(text.strip()) or "&nbsp;" for text in texts)
    html = pypandoc.convert_text(document, "html5", format=READER, extra_args=["--mathml"])
    converted = RULE.split(html.strip())
    if len(converted) != len(texts):
        raise ValueError(f"a text of a prediction holds no --- line, got {texts}")
    return [_bare(html) if text.strip() else "" for html, text in zip(converted, texts)]


def _bare(html: str) -> str:
    alone = ONE_PARAGRAPH.fullmatch(html)
    return alone[1] if alone else html
