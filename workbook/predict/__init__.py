"""Predictions that the reader enters before the answer is shown.

    predict.choice("largest-tile", "Which is the largest tile that can come up on four cells?",
                   {"16": "Too few.", "32": "", "64": "That would take five cells."},
                   answer="32", why="A 32 takes 16, 8, 4 and one more 4: all four cells.")

Each function here returns a widget, so it stands last in a cell of its own. Until the reader has
entered something the answer stays folded; then both are shown side by side, with a word on what
was entered. In exports, and where no kernel runs, the same stands there as text, the answer folded.

texts.py makes that text, widget.py is the widget, and entries.py keeps what readers entered.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from workbook.predict.entries import forget
from workbook.predict.texts import Question
from workbook.predict.widget import Prediction
from workbook.words import checked

__all__ = ["choice", "curve", "forget", "number", "order", "ticks"]

SCALES = ("linear", "log")
CLOSE_LINEAR = 0.1  # of the range: so far off is still close
CLOSE_LOG = 1.5  # so many times as much, or as little, is still close
COLUMNS = 24  # of a sketched curve


def choice(
    name: str, question: str, options: Mapping[str, str], answer: object, why: str
) -> Prediction:
    """One of several options.

    Parameters
    ----------
    name
        Of this prediction; no other in its notebook has it.
    question
        Markdown.
    options
        Each option, with a sentence for those who chose it; that of the right one may be empty.
    answer
        The right option; it may be computed.
    why
        The answer in words, for all.

    Raises
    ------
    ValueError
        If the answer is none of the options, or a wrong option has no sentence.
    """
    options = _replies(name, options)
    right = _one_of(name, answer, options)
    _check_sentences(name, options, {right})
    about = {
        "options": list(options),
        "replies": list(options.values()),
        "right": [list(options).index(right)],
    }
    return Prediction(Question("choice", name, question, why, about))


def ticks(
    name: str, question: str, options: Mapping[str, str], answers: Sequence, why: str
) -> Prediction:
    """Every option that is right, of several.

    Parameters
    ----------
    name, question, why
        As in `choice`.
    options
        Each option, with a sentence for those who were wrong about it.
    answers
        The right options; none or all of them may be right.
    """
    options = _replies(name, options)
    right = {_one_of(name, answer, options) for answer in answers}
    _check_sentences(name, options, set())
    about = {
        "options": list(options),
        "replies": list(options.values()),
        "right": [place for place, option in enumerate(options) if option in right],
    }
    return Prediction(Question("ticks", name, question, why, about))


def order(
    name: str, question: str, items: Sequence[str], answer: Sequence, why: str, ends: tuple = ()
) -> Prediction:
    """Items to be put in order.

    Parameters
    ----------
    name, question, why
        As in `choice`.
    items
        The items, in the order in which they are offered.
    answer
        The same items in the right order.
    ends
        What the first and the last place mean, such as ("most", "least").
    """
    items = [str(item) for item in items]
    right = [_one_of(name, item, items) for item in answer]
    if sorted(right) != sorted(items) or len(set(items)) < len(items):
        raise ValueError(
            f"prediction {name}: the answer holds each item once, got {right} of {items}"
        )
    if ends and len(ends) != 2:
        raise ValueError(f"prediction {name}: ends are two words, got {ends!r}")
    about = {
        "options": items,
        "right": [items.index(item) for item in right],
        "ends": [str(end) for end in ends],
    }
    return Prediction(Question("order", name, question, why, about))


def number(
    name: str,
    question: str,
    low: float,
    high: float,
    answer: float,
    why: str,
    scale: str = "linear",
    unit: str = "",
    close: float | None = None,
    too_low: str = "",
    too_high: str = "",
) -> Prediction:
    """A number on a scale.

    Parameters
    ----------
    name, question, why
        As in `choice`.
    low, high
        The ends of the scale.
    answer
        The right number; it may be computed.
    scale
        "linear" or "log".
    unit
        What stands behind the number, such as "points".
    close
        What counts as close: so far off on a linear scale (a tenth of it unless told otherwise), so
        many times as much or as little on a logarithmic one (1.5).
    too_low, too_high
        A sentence for those who entered less than what is close, or more.
    """
    if scale not in SCALES:
        raise ValueError(f"prediction {name}: the scale is linear or log, got {scale!r}")
    low = checked(low)
    high = checked(high)
    if not low < high or (scale == "log" and low <= 0):
        raise ValueError(f"prediction {name}: no {scale} scale goes from {low} to {high}")
    if close is None:
        close = CLOSE_LOG if scale == "log" else CLOSE_LINEAR * (high - low)
    if not checked(close) > (1 if scale == "log" else 0):
        raise ValueError(f"prediction {name}: {close} is not a distance on a {scale} scale")
    if not low <= checked(answer) <= high:
        raise ValueError(
            f"prediction {name}: the answer lies on the scale from {low} to {high}, got {answer}"
        )
    about = {
        "low": low,
        "high": high,
        "right": checked(answer),
        "scale": scale,
        "unit": unit,
        "close": checked(close),
        "replies": [too_low, too_high],
    }
    return Prediction(Question("number", name, question, why, about))


def curve(
    name: str,
    question: str,
    x: tuple,
    y: tuple,
    answer: Callable | Sequence,
    why: str,
    x_scale: str = "linear",
) -> Prediction:
    """A curve to be sketched.

    Parameters
    ----------
    name, question, why
        As in `choice`.
    x, y
        Of each axis its ends and what it shows: (0, 5_000, "games of training").
    answer
        The true curve: a function of x, or its points (x, y) in order of x.
    x_scale
        "linear" or "log".
    """
    if x_scale not in SCALES:
        raise ValueError(f"prediction {name}: the scale is linear or log, got {x_scale!r}")
    for axis in (x, y):
        if len(axis) != 3 or not checked(axis[0]) < checked(axis[1]):
            raise ValueError(f"prediction {name}: an axis is (low, high, label), got {axis!r}")
    if x_scale == "log" and x[0] <= 0:
        raise ValueError(f"prediction {name}: a logarithmic axis begins above 0, got {x[0]}")
    about = {
        "x": _axis(x),
        "y": _axis(y),
        "scale": x_scale,
        "columns": COLUMNS,
        "right": _points(answer, x, x_scale),
    }
    return Prediction(Question("curve", name, question, why, about))


def _axis(axis: tuple) -> list:
    low, high, label = axis
    return [checked(low), checked(high), str(label)]


def _points(answer: Callable | Sequence, x: tuple, x_scale: str) -> list[list[float]]:
    """The points of the true curve; a function is asked at each column of the sketch."""
    if callable(answer):
        places = [_place(x, column / (COLUMNS - 1), x_scale) for column in range(COLUMNS)]
        return [[place, float(checked(answer(place)))] for place in places]
    points = [[float(checked(at)), float(checked(height))] for at, height in answer]
    if len(points) < 2 or any(here[0] >= after[0] for here, after in zip(points, points[1:])):
        raise ValueError("a curve has two points or more, each at a larger x than the one before")
    return points


def _place(x: tuple, share: float, x_scale: str) -> float:
    """What lies at a share of the way along an axis."""
    low, high, _ = x
    if x_scale == "log":
        return low * math.exp(share * math.log(high / low))
    return low + share * (high - low)


def _replies(name: str, options: Mapping) -> dict[str, str]:
    """The options and their sentences, as texts."""
    if not isinstance(options, Mapping) or len(options) < 2:
        raise ValueError(
            f"prediction {name}: options are {{option: a sentence for who chose it}}, "
            f"two or more, got {options!r:.80}"
        )
    return {str(option): str(reply).strip() for option, reply in options.items()}


def _one_of(name: str, answer: object, options: Sequence | Mapping) -> str:
    """An option that is an answer."""
    if str(answer) not in options:
        raise ValueError(f"prediction {name}: {answer!r} is none of {', '.join(options)}")
    return str(answer)


def _check_sentences(name: str, options: dict[str, str], right: set[str]) -> None:
    """Whether every option but the right ones has a sentence."""
    for option, reply in options.items():
        if not reply and option not in right:
            raise ValueError(f"prediction {name}: say a sentence to those who chose {option!r}")
