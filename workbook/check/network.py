"""Checks of the network: indices, the value of a board, and an update."""

from collections import Counter
from itertools import product

import numpy as np

from workbook import grid
from workbook.answers import board_of
from workbook.check import material
from workbook.check.exercise import Suspects, exercise
from workbook.check.material import EMPTY, EQUAL, MIXED, PATTERNS, TOP, random_boards, random_tables
from workbook.trial import Case

# index

INDEX = Suspects()


def _right_index(board, pattern):
    return material.index(board_of(board), pattern)


def _exponents(board, pattern) -> list[int]:
    return [board[cell // 4][cell % 4] for cell in pattern]


def _number(digits, base=16) -> int:
    """The number with these digits, the first the lowest."""
    return sum(digit * base**place for place, digit in enumerate(digits))


@INDEX.add(
    "It looks as if the digits were in the other order: the first cell of the pattern is the "
    "lowest digit, the last the highest."
)
def _digits_in_the_other_order(board, pattern):
    return _number(_exponents(board, pattern)[::-1])


@INDEX.add("It looks as if the base were 10. A digit here has 16 values, so it is 16**j.")
def _decimal(board, pattern):
    return _number(_exponents(board, pattern), base=10)


@INDEX.add("The base is 16: a shift by 4 bits for each cell, not by 3.")
def _base_8(board, pattern):
    return _number(_exponents(board, pattern), base=8)


@INDEX.add("The base is 16, not 15: exponents go from 0 to 15, which is 16 values.")
def _base_15(board, pattern):
    return _number(_exponents(board, pattern), base=15)


@INDEX.add(
    "It looks as if rows and columns were exchanged: cell 1 is right of cell 0, cell 4 is below "
    "it. row, column = divmod(cell, 4)."
)
def _columns_for_rows(board, pattern):
    return _number([board[cell % 4][cell // 4] for cell in pattern])


@INDEX.add("It looks as if the cells were sorted first: they count in the order of the pattern.")
def _sorted_cells(board, pattern):
    return _number(_exponents(board, sorted(pattern)))


@INDEX.add(
    "It looks as if tiles (2, 4, 8) were put together, not exponents (1, 2, 3): the board already "
    "holds exponents."
)
def _tiles_for_exponents(board, pattern):
    exponents = _exponents(board, pattern)
    return _number([2**exponent if exponent else 0 for exponent in exponents])


@INDEX.add(
    "It looks as if 2**exponent were put together, not the exponents: the digits are the exponents "
    "themselves, and an empty cell is 0."
)
def _powers_for_exponents(board, pattern):
    return _number([2**exponent for exponent in _exponents(board, pattern)])


@INDEX.add(
    "board[cell] is a whole row: the board is four rows of four, and row, column = divmod(cell, 4)."
)
def _rows_for_cells(board, pattern):
    return sum(board[cell] * 16**place for place, cell in enumerate(pattern))


@INDEX.add("It looks as if the exponents were added up without their places: multiply by 16**j.")
def _sum_of_exponents(board, pattern):
    return sum(_exponents(board, pattern))


@INDEX.add(
    "It looks as if a digit were multiplied with 16 times its place: it is 16 to the power of j, "
    "16**j."
)
def _times_for_powers(board, pattern):
    return sum(16 * place * e for place, e in enumerate(_exponents(board, pattern)))


@INDEX.add("It looks as if the first digit began at 16**1: it is times 16**0, which is 1.")
def _places_from_one(board, pattern):
    return 16 * _number(_exponents(board, pattern))


@INDEX.add("It looks as if only the last digit counted: add the digits up (+=).")
def _last_digit(board, pattern):
    return _exponents(board, pattern)[-1] * 16 ** (len(pattern) - 1)


@INDEX.add("It looks as if the last cell of the pattern were left out.")
def _without_the_last_cell(board, pattern):
    return _number(_exponents(board, pattern)[:-1])


@INDEX.add("It looks as if the first cell of the pattern were left out.")
def _without_the_first_cell(board, pattern):
    return _number(_exponents(board, pattern)[1:])


@INDEX.add("It looks as if cells were counted from 1: the first cell of the board is 0.")
def _cells_from_one(board, pattern):
    return _number(_exponents(board, [cell - 1 for cell in pattern]))


@INDEX.add(
    "It looks as if a digit's place were its cell on the board: it is its place in the pattern, "
    "the j of cell_j."
)
def _cells_for_places(board, pattern):
    return sum(board[cell // 4][cell % 4] << 4 * cell for cell in pattern)


@INDEX.add(
    "It looks as if a sum were shifted: in Python + comes before <<, so that a + b << 4 is "
    "(a + b) << 4. Use brackets."
)
def _shift_after_plus(board, pattern):
    total = 0
    for place, exponent in enumerate(_exponents(board, pattern)):
        total = total + exponent << 4 * place
    return total


@INDEX.add("The number fits into too few bits: an index of 8 cells needs 32 of them.")
def _sixteen_bits(board, pattern):
    return _number(_exponents(board, pattern)) & 0xFFFF


@INDEX.add("One number is asked for; these are the digits that it is made of.")
def _digits_alone(board, pattern):
    return _exponents(board, pattern)


@exercise(
    right=_right_index,
    suspects=INDEX,
    now="It tells where in its table a pattern looks.",
)
def index():
    """index(board, pattern) -> int

    The number whose hexadecimal digits are the exponents in the cells of the pattern: the sum of
    exponent(cell_j) * 16**j, where cell_0 is the first cell of the pattern. Cells are counted row
    by row, from 0 at the top left to 15 at the bottom right.
    """
    patterns = [(0, 1), (13,), (4, 1, 0), (0, 1, 2, 3, 4, 5), (9, 8, 2, 15, 6, 11, 12, 3)]
    boards = [MIXED, [[15, 10, 14, 9], *MIXED[1:]], *random_boards(10, seed=3)]
    for board, pattern in product(boards, patterns):
        yield Case((board, pattern), explain=_explain_index)


def _explain_index(told) -> list[str]:
    """The digits of the right index, and of the wrong one if it is a number at all."""
    board, pattern = told.arguments
    digits = ", ".join(
        f"cell {cell}: {exponent}"
        for cell, exponent in zip(pattern, _exponents(board, pattern), strict=True)
    )
    lines = [f"The exponents: {digits}. Expected is {told.expected:#x}, a digit for each cell."]
    if isinstance(told.got, int):
        lines.append(f"You return {told.got:#x}.")
    return lines


# estimate

ESTIMATE = Suspects()
UPDATE = Suspects()


def _lookups_of(images, patterns, find=_right_index) -> list[tuple[int, int]]:
    return [(k, find(image, pattern)) for image in images for k, pattern in enumerate(patterns)]


def _four_turns(board) -> list:
    images = []
    for _ in range(4):
        images.append(board)
        board = [list(column) for column in zip(*board)][::-1]
    return images


def _different(board) -> list:
    images = []
    for image in grid.symmetries(board):
        if image not in images:
            images.append(image)
    return images


def _half_turns(board) -> list:
    half_turned = [row[::-1] for row in board[::-1]]
    return [board, half_turned] + [[row[::-1] for row in image] for image in (board, half_turned)]


def _all_lookups(board, patterns) -> list:
    return _lookups_of(grid.symmetries(board), patterns)


def _each_once(board, patterns) -> list:
    return list(dict.fromkeys(_all_lookups(board, patterns)))


def _of_different_images(board, patterns) -> list:
    return _lookups_of(_different(board), patterns)


# Ways to look up too little or the wrong things, which spoil an estimate and an update alike
LOOKUPS = {
    "It looks as if the board alone were looked up, without its images: V is the sum over all 8 "
    "symmetric images.": lambda board, patterns: _lookups_of([board], patterns),
    "It looks as if only the 4 rotations were looked up: the 4 mirror images count as well.": (
        lambda board, patterns: _lookups_of(_four_turns(board), patterns)
    ),
    "It looks as if the 4 rotations were looked up twice, and no mirror image.": (
        lambda board, patterns: _lookups_of(_four_turns(board) * 2, patterns)
    ),
    "It looks as if only 4 of the 8 images were looked up: quarter turns are missing.": (
        lambda board, patterns: _lookups_of(_half_turns(board), patterns)
    ),
    "It looks as if images that are equal counted once: all 8 count, however many are equal.": (
        _of_different_images
    ),
    "It looks as if a weight that is looked up twice counted once: on a symmetric board it counts "
    "as often as it is looked up.": _each_once,
    "It looks as if only the first pattern were looked up: each pattern has its table.": (
        lambda board, patterns: _lookups_of(grid.symmetries(board), patterns[:1])
    ),
    "It looks as if the last pattern were left out.": (
        lambda board, patterns: _lookups_of(grid.symmetries(board), patterns[:-1])
    ),
    "It looks as if all patterns were looked up in the first table: pattern k has tables[k].": (
        lambda board, patterns: [(0, i) for _, i in _all_lookups(board, patterns)]
    ),
    "It looks as if the digits of the index were in the other order: the first cell is the "
    "lowest.": lambda board, patterns: _lookups_of(
        grid.symmetries(board), patterns, _digits_in_the_other_order
    ),
    "It looks as if the base of the index were 10: it is 16.": (
        lambda board, patterns: _lookups_of(grid.symmetries(board), patterns, _decimal)
    ),
    "It looks as if rows and columns were exchanged in the index.": (
        lambda board, patterns: _lookups_of(grid.symmetries(board), patterns, _columns_for_rows)
    ),
}


def _estimate_by(find):
    def estimate(board, patterns, tables):
        return sum(float(tables[k][index]) for k, index in find(board, patterns))

    return estimate


for _sentence, _find in LOOKUPS.items():
    if "rows and columns" not in _sentence:  # all 8 images together do not tell
        ESTIMATE.add(_sentence)(_estimate_by(_find))


@ESTIMATE.add("It looks as if the mean of the lookups were returned: V is their sum.")
def _mean_of_lookups(board, patterns, tables):
    return material.estimate(board, patterns, tables) / (8 * len(patterns))


@ESTIMATE.add("It looks as if the mean over the 8 images were returned: V is the sum over them.")
def _mean_of_images(board, patterns, tables):
    return material.estimate(board, patterns, tables) / 8


@ESTIMATE.add("It looks as if the mean over the patterns were returned: V is the sum over them.")
def _mean_of_patterns(board, patterns, tables):
    return material.estimate(board, patterns, tables) / len(patterns)


@ESTIMATE.add("It looks as if V were rounded to a whole number.")
def _rounded(board, patterns, tables):
    return round(material.estimate(board, patterns, tables))


@ESTIMATE.add("It looks as if V were cut off to a whole number.")
def _cut_off(board, patterns, tables):
    return int(material.estimate(board, patterns, tables))


@ESTIMATE.add("It looks as if V could not go below 0: a value may be negative.")
def _not_below_0(board, patterns, tables):
    return max(0.0, material.estimate(board, patterns, tables))


@ESTIMATE.add(
    "It looks as if each image had a table of its own, or as if there were always four tables. "
    "There are as many as patterns, len(patterns), and the 8 images share them, which is what "
    "symmetry is for."
)
def _a_table_for_each_image(board, patterns, tables):
    return sum(
        tables[number * len(patterns) + k][_right_index(image, pattern)]
        for number, image in enumerate(grid.symmetries(board))
        for k, pattern in enumerate(patterns)
    )


@exercise(
    right=material.estimate,
    suspects=ESTIMATE,
    now="The network can say now what it expects of a board.",
)
def estimate():
    """estimate(board, patterns, tables) -> V

    The value of a board: the sum of tables[k][index(image, patterns[k])] over its 8 images and all
    patterns k. That makes m = 8 * len(patterns) lookups; a weight that is looked up twice counts
    twice. The tables stay as they are.
    """
    boards = [MIXED, TOP, EQUAL, EMPTY, *random_boards(20, seed=4)]
    for number, board in enumerate([*boards, MIXED]):
        patterns = PATTERNS[number % 4]
        tables = random_tables(patterns, seed=number)
        if number == len(boards):
            tables = [0 * table for table in tables]  # where the smallest change shows
        yield Case((board, patterns, tables), explain=_explain_lookups)


def _explain_lookups(told) -> list[str]:
    return told_lookups(*told.arguments[:3])


def told_lookups(board, patterns, tables) -> list[str]:
    """The lookups of a board, a line for each table: how often which weight is looked up."""
    lookups = material.lookups(board, patterns)
    lines = [f"V is the sum of {len(lookups)} lookups, one for each pattern on each image:"]
    for k, pattern in enumerate(patterns):
        counts = Counter(index for table, index in lookups if table == k)
        weights = [
            f"{times} x [{index:#0{len(pattern) + 2}x}] {tables[k][index]:g}"
            for index, times in counts.items()
        ]
        lines.append(f"  table {k}, cells {pattern}: {', '.join(weights)}")
    return lines


# update


def _update_by(find, m=None):
    """An update of other lookups, with delta divided by another number."""

    def update(board, patterns, tables, delta):
        lookups = find(board, patterns)
        share = delta / (8 * len(patterns) if m is None else m(patterns, lookups))
        for k, index in lookups:
            tables[k][index] += share
        return material.estimate(board, patterns, tables)

    return update


UPDATE.add(
    "It looks as if every lookup got the whole delta: divide it by the number of lookups, "
    "m = 8 * len(patterns). Undivided, V moves m times as far, and learning diverges."
)(_update_by(_all_lookups, m=lambda patterns, lookups: 1))
UPDATE.add("It looks as if delta were divided by the patterns only: the 8 images count as well.")(
    _update_by(_all_lookups, m=lambda patterns, lookups: len(patterns))
)
UPDATE.add("It looks as if delta were divided by the 8 images only: the patterns count as well.")(
    _update_by(_all_lookups, m=lambda patterns, lookups: 8)
)
UPDATE.add(
    "It looks as if delta were divided by the number of different weights: m is the number of all "
    "lookups, 8 * len(patterns), also where some are of the same weight."
)(_update_by(_all_lookups, m=lambda patterns, lookups: len(set(lookups))))
UPDATE.add(
    "It looks as if delta were divided by 32. That is m for four patterns: m is 8 * len(patterns)."
)(_update_by(_all_lookups, m=lambda patterns, lookups: 32))
UPDATE.add(
    "It looks as if every different weight were moved once, by delta divided by how many there "
    "are. Asked for is delta / m for each of the m lookups: one looked up twice gets it twice."
)(_update_by(_each_once, m=lambda patterns, lookups: len(lookups)))
UPDATE.add("It looks as if delta were taken off: it is added. An error below 0 does the rest.")(
    _update_by(_all_lookups, m=lambda patterns, lookups: -len(lookups))
)

for _sentence, _find in LOOKUPS.items():
    if "rows and columns" in _sentence or _find in (_each_once, _of_different_images):
        continue  # it makes no difference to all 8 images together, or is said elsewhere
    UPDATE.add(_sentence)(_update_by(_find))
    UPDATE.add(f"{_sentence} And delta is divided by that number of lookups.")(
        _update_by(_find, m=lambda patterns, lookups: len(lookups))
    )


def _update_and(answer):
    """A right update that returns something else."""

    def update(board, patterns, tables, delta):
        before = material.estimate(board, patterns, tables)
        after = material.update(board, patterns, tables, delta)
        return answer(before, after, delta)

    return update


UPDATE.add(
    "The tables are right. But it returns V as it was before: V after is what the weights add up "
    "to now. Call estimate at the end."
)(_update_and(lambda before, after, delta: before))
UPDATE.add(
    "The tables are right. But it returns V + delta. On a symmetric board V moves by more, since "
    "weights that are looked up twice get their share twice and count twice: call estimate again."
)(_update_and(lambda before, after, delta: before + delta))
UPDATE.add("The tables are right. But it returns delta, and V after is asked for.")(
    _update_and(lambda before, after, delta: delta)
)
UPDATE.add("The tables are right. But it returns how far V moved, and V after is asked for.")(
    _update_and(lambda before, after, delta: after - before)
)
UPDATE.add("The tables are right. But nothing is returned, and V after is asked for.")(
    _update_and(lambda before, after, delta: None)
)


@UPDATE.add(
    "It looks as if the weights were set to delta / m: it must be added to what they are (+=)."
)
def _sets_weights(board, patterns, tables, delta):
    lookups = _all_lookups(board, patterns)
    for k, index in lookups:
        tables[k][index] = delta / len(lookups)
    return material.estimate(board, patterns, tables)


@UPDATE.add(
    "It looks as if V were added up while the weights still change: a weight that is looked up "
    "again later has not got all of its shares yet. Change all weights first, then call estimate."
)
def _sums_while_adding(board, patterns, tables, delta):
    lookups = _all_lookups(board, patterns)
    total = 0.0
    for k, index in lookups:
        tables[k][index] += delta / len(lookups)
        total += tables[k][index]
    return total


@UPDATE.add(
    "It looks as if the step were scaled so that V moves by exactly delta. A good idea, but not "
    "what is asked for: each lookup adds delta / m, and V of a symmetric board moves by more."
)
def _moves_by_exactly_delta(board, patterns, tables, delta):
    lookups = _all_lookups(board, patterns)
    times = Counter(lookups)
    gain = sum(count * count for count in times.values())
    for place, count in times.items():
        tables[place[0]][place[1]] += delta * count / gain
    return material.estimate(board, patterns, tables)


UPDATE.add(
    "It looks as if a weight that is looked up twice got its share once: add delta / m for every "
    "lookup. With a list of indices, tables[k][indices] += share, numpy adds once for equal ones: "
    "use a loop, or np.add.at."
)(_update_by(_each_once))
UPDATE.add(
    "It looks as if images that are equal got their share once: all 8 images count, however many "
    "are equal."
)(_update_by(_of_different_images))


@UPDATE.add("It looks as if copies of the tables were changed: V moved, but the tables did not.")
def _changes_copies(board, patterns, tables, delta):
    return material.update(board, patterns, [table.copy() for table in tables], delta)


@UPDATE.add("It looks as if no weight changed at all.")
def _changes_nothing(board, patterns, tables, delta):
    return material.estimate(board, patterns, tables)


@exercise(
    right=material.update,
    suspects=UPDATE,
    now="This is all that learning does to a network: moving V of a board.",
)
def update():
    """update(board, patterns, tables, delta) -> V after

    Adds delta / m to the weight of each of the m = 8 * len(patterns) lookups, in place, and
    returns V after that. A weight that is looked up twice gets delta / m twice and counts twice in
    V, so V of a symmetric board moves by more than delta.
    """
    for number, board in enumerate([MIXED, TOP, EQUAL, EMPTY, *random_boards(12, seed=5)]):
        patterns = PATTERNS[number % 4]
        yield Case(
            (board, patterns, random_tables(patterns, seed=number), (12, -6, 0.75)[number % 3]),
            ask=_ask_to_update,
            read=_read_weights,
            may_change=(2,),
            missing="as it was",
            explain=_explain_update,
        )


def _ask_to_update(function, arguments):
    """What is returned, and the weights that changed, by name.

    The tables are the caller's own, whatever became of the list of them.
    """
    tables = list(arguments[2])
    before = [table.copy() for table in tables]
    value = function(*arguments)
    changed = {
        _weight_name(k, index): float(tables[k][index])
        for k, old in enumerate(before)
        for index in np.flatnonzero(tables[k] != old)
    }
    return [value, changed]


def _read_weights(answer, arguments):
    """The weights that changed, and V after."""
    value, changed = answer
    return changed | {"V after": value}


def _weight_name(k: int, index: int) -> str:
    return f"weight {index:#x} of table {k}"


def _explain_update(told) -> list[str]:
    """What an update does to the part of the network that came out wrong."""
    board, patterns, tables, delta = told.arguments
    lookups = material.lookups(board, patterns)
    share = delta / len(lookups)
    before = material.estimate(board, patterns, tables)
    lines = [
        f"delta is {delta:g}: each of the {len(lookups)} lookups adds delta / {len(lookups)} ="
        f" {share:g} to its weight."
    ]
    if told.part == "V after":
        moved = f"V was {before:g} before and is {told.expected:g} after."
        return [*lines, moved, *told_lookups(board, patterns, tables)]
    times = sum(told.part == _weight_name(k, index) for k, index in lookups)
    often = {0: "not at all", 1: "once"}.get(times, f"{times} times, so it gets {times * share:g}")
    return [*lines, f"The board looks the {told.part} up {often}."]
