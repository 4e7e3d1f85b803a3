"""What differs between two results, to the bit."""

import json

import numpy as np


def same(one, other) -> bool:
    """Whether two values of results are alike to the bit."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return False
    return json.dumps(one) == json.dumps(
        other
    )  # as they are written down: nan is nan, and a tuple a list


def rows_differ(found: dict, values: dict, names, count: int, unit: str) -> str:
    """The first of `count` rows in which arrays differ, in words; nothing where there is none."""
    for name in names:
        if not isinstance(values.get(name), np.ndarray):
            return f"the result holds no {name}"
    for row in range(count):
        for name in names:
            now, before = found[name][row : row + 1], values[name][row : row + 1]
            if not same(now, before):
                return f"{unit} {row + 1:,} differs: {name} {_brief(now)} now, {_brief(before)} in the result"
    return ""


def values_differ(found: dict, values: dict) -> str:
    """The first value, of any kind, in which two results differ, in words; nothing where there is none."""
    for name in {**values, **found}:
        if name not in found or name not in values or not same(found[name], values[name]):
            now, before = _brief(found.get(name)), _brief(values.get(name))
            return f"{name} differs: {now} now, {before} in the result"
    return ""


def _brief(value) -> str:
    """A value in a line. Numbers have all their digits, for they may differ in the last."""
    written = str(value.tolist()) if isinstance(value, np.ndarray) else str(value)
    return written if len(written) <= 80 else written[:77] + "..."
