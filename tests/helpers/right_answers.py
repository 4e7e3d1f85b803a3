"""Right answers to the exercises, in many styles: RIGHT[NAME] are accepted by `check.NAME`.

`run` asks it. They come from the slow twins, from lib2048, and from how students write.
"""

import numpy as np
import planting
import pytest
import right_answers_choosing  # noqa: F401  (each enters its answers)
import right_answers_game
import right_answers_learning  # noqa: F401
import right_answers_network  # noqa: F401
import right_answers_search  # noqa: F401
import right_answers_table

from workbook import check, solutions

RIGHT = {name: [*planting.RIGHT[name], solutions.SOLUTIONS[name]] for name in check.EXERCISES}
slide = right_answers_game.slide_by_rows
td0 = right_answers_table.td0_by_the_error


@pytest.fixture
def run(capsys):
    """run(name, function) -> (whether it is right, what was printed)."""

    def run(name, function):
        capsys.readouterr()
        shown = getattr(check, name)(function)
        assert shown is None, "a notebook would show what a check returns"
        out, err = capsys.readouterr()
        assert err == ""
        marks = (f"✓ {name}: right in all ", f"✗ {name}: wrong in case ", f"… {name}: not written")
        assert out.startswith(marks), out
        return out.startswith("✓"), out

    return run


def disguised(thing, kind):
    """An answer in another type: tuples, arrays or numpy numbers for lists and Python's numbers."""
    if isinstance(thing, dict):
        return {key: disguised(value, kind) for key, value in thing.items()}
    if isinstance(thing, np.ndarray):
        thing = thing.tolist()
    if isinstance(thing, list | tuple):
        parts = [disguised(part, kind) for part in thing]
        if kind == "arrays" and is_regular(thing):
            return np.array(parts)
        return tuple(parts) if kind == "tuples" else parts
    if thing is None or kind == "tuples":
        return thing
    return disguised_number(thing, kind)


def is_regular(thing):
    """Whether a list holds numbers of one type, or rows of such numbers."""
    if isinstance(thing[0] if thing else None, list | tuple):
        rows = [isinstance(row, list | tuple) and is_regular(row) for row in thing]
        return all(rows) and len({np.shape(row) for row in thing}) == 1
    return len({type(number) for number in thing}) == 1 and isinstance(thing[0], int | float)


def disguised_number(number, kind):
    """A number of another type."""
    if kind == "arrays":
        is_small = isinstance(number, int) and 0 <= number < 256
        return np.uint8(number) if is_small else np.array(number)
    return np.int64(number) if isinstance(number, int) else np.float32(number)
