"""Planted faults about the network."""

from planting import Fault, plant, wrong
from right_answers_game import symmetries_by_quarter_turns
from right_answers_network import (
    estimate_by_loops,
    estimate_by_pairs,
    index_by_horner,
    index_by_powers,
    index_by_shifts,
    update_by_a_list_of_lookups,
    update_by_loops,
)

# index

plant(
    "index",
    index_by_powers,
    Fault(
        "the other order",
        "enumerate(pattern)",
        "enumerate(pattern[::-1])",
        says="digits were in the other order",
    ),
    Fault("decimal", "16**j", "10**j", says="the base were 10"),
    Fault("base 15", "16**j", "15**j", says="not 15"),
    Fault("16 times j", "16**j", "16 * j", says="to the power of j"),
    Fault(
        "rows and columns",
        "row, column = divmod",
        "column, row = divmod",
        says="rows and columns were exchanged",
    ),
    Fault("sorted", "enumerate(pattern)", "enumerate(sorted(pattern))", says="sorted first"),
    Fault("no places", " * 16**j", "", says="without their places"),
    Fault("from 16", "16**j", "16 ** (j + 1)", says="began at 16**1"),
    Fault("cells for places", "16**j", "16**cell", says="its cell on the board"),
    Fault(
        "the last cell left out",
        "enumerate(pattern)",
        "enumerate(pattern[:-1])",
        says="the last cell of the pattern",
    ),
    Fault(
        "the first cell left out",
        "enumerate(pattern)",
        "enumerate(pattern[1:])",
        says="the first cell of the pattern were left out",
    ),
    Fault("cells from 1", "divmod(cell, 4)", "divmod(cell - 1, 4)", says="counted from 1"),
    Fault(
        "tiles",
        "board[row][column]",
        "(2 ** board[row][column] if board[row][column] else 0)",
        says="tiles (2, 4, 8)",
    ),
    Fault("nothing", "return total", "total", says="Is there a return"),
    Fault("a float", "return total", "return float(total)", says="not a float"),
    Fault("a text", "return total", "return hex(total)", says="a text (str)"),
    Fault("the last digit alone", "total += board", "total = board", says="only the last digit"),
    Fault("a bool", "return total", "return total > 0", says="is a comparison returned"),
)
plant(
    "index",
    index_by_shifts,
    Fault("three bits", "(4 * j)", "(3 * j)", says="a shift by 4 bits"),
    Fault(
        "a sum is shifted",
        "number |= board[pattern[j] // 4][pattern[j] % 4] << (4 * j)",
        "number = number + board[pattern[j] // 4][pattern[j] % 4] << 4 * j",
        says="comes before <<",
    ),
    Fault("16 bits", "return number", "return number & 0xFFFF", says="too few bits"),
)
plant(
    "index",
    index_by_horner,
    Fault(
        "the other order by Horner",
        "reversed(pattern)",
        "pattern",
        says="digits were in the other order",
    ),
    Fault(
        "the digits",
        "return number",
        "return [cells[cell] for cell in pattern]",
        says="these are the digits",
    ),
)

# estimate

plant(
    "estimate",
    estimate_by_loops,
    Fault("no images", "symmetries_by_quarter_turns(board)", "[board]", says="without its images"),
    Fault(
        "rotations",
        "symmetries_by_quarter_turns(board)",
        "symmetries_by_quarter_turns(board)[::2]",
        says="only the 4 rotations",
    ),
    Fault(
        "rotations twice",
        "symmetries_by_quarter_turns(board)",
        "symmetries_by_quarter_turns(board)[::2] * 2",
        says="4 rotations were looked up twice",
    ),
    Fault("the first pattern", "range(len(patterns))", "range(1)", says="only the first pattern"),
    Fault(
        "the last pattern left out",
        "range(len(patterns))",
        "range(len(patterns) - 1)",
        says="the last pattern were left out",
    ),
    Fault("one table for all", "tables[k][", "tables[0][", says="the first table"),
    Fault(
        "the mean",
        "return total",
        "return total / (8 * len(patterns))",
        says="the mean of the lookups",
    ),
    Fault("the mean of images", "return total", "return total / 8", says="mean over the 8 images"),
    Fault(
        "the mean of patterns",
        "return total",
        "return total / len(patterns)",
        says="mean over the patterns",
    ),
    Fault("whole numbers", "return total", "return int(total)", says="cut off to a whole number"),
    Fault("not below 0", "return total", "return max(total, 0)", says="could not go below 0"),
    Fault("the last lookup", "total += tables", "total = tables", says="V is the sum of 8 lookups"),
    Fault(
        "a return too early",
        "patterns[k])]\n    return",
        "patterns[k])]\n        return",
        says="V is the sum of 8 lookups",
    ),
    Fault(
        "changes its tables a little",
        "            total +=",
        "            tables[k][index_by_powers(image, patterns[k])] += 1e-9\n            total +=",
        says="It changes its argument 3, tables",
    ),
)
plant(
    "estimate",
    estimate_by_pairs,
    Fault(
        "the other order",
        "table[index_by_horner(image, pattern)]",
        "table[index_by_horner(image, pattern[::-1])]",
        says="digits of the index were in the other",
    ),
    Fault(
        "equal images once",
        "for image in symmetries_by_quarter_turns(board)",
        "for image in [list(map(list, i)) for i in "
        "{tuple(map(tuple, i)) for i in symmetries_by_quarter_turns(board)}]",
        says="images that are equal counted once",
    ),
)


@wrong("estimate", "a table for each image", says="a table of its own")
def estimate_with_32_tables(board, patterns, tables):
    total = 0.0
    for number, image in enumerate(symmetries_by_quarter_turns(board)):
        for k, pattern in enumerate(patterns):
            total += tables[number * len(patterns) + k][index_by_powers(image, pattern)]
    return total


@wrong("estimate", "each weight once", says="a weight that is looked up twice counted once")
def estimate_of_different_weights(board, patterns, tables):
    lookups = set()
    for image in symmetries_by_quarter_turns(board):
        for k, pattern in enumerate(patterns):
            lookups.add((k, index_by_powers(image, pattern)))
    return sum(tables[k][index] for k, index in lookups)


@wrong("estimate", "sets what it has read to 0", says="It changes its argument 3, tables")
def estimate_that_spoils_its_tables(board, patterns, tables):
    value = estimate_by_loops(board, patterns, tables)
    tables[0][0] += 1
    return value


# update

plant(
    "update",
    update_by_loops,
    Fault("not divided", "m = 8 * len(patterns)", "m = 1", says="every lookup got the whole delta"),
    Fault(
        "by the patterns",
        "m = 8 * len(patterns)",
        "m = len(patterns)",
        says="divided by the patterns only",
    ),
    Fault("by the images", "m = 8 * len(patterns)", "m = 8", says="divided by the 8 images only"),
    Fault("by 32", "m = 8 * len(patterns)", "m = 32", says="divided by 32"),
    Fault("put", "+= delta / m", "= delta / m", says="set to delta / m"),
    Fault("the wrong way", "+= delta / m", "-= delta / m", says="delta were taken off"),
    Fault(
        "no images",
        "in symmetries_by_quarter_turns(board)",
        "in [board]",
        says="without its images",
    ),
    Fault(
        "rotations",
        "in symmetries_by_quarter_turns(board)",
        "in symmetries_by_quarter_turns(board)[::2]",
        says="4 rotations",
    ),
    Fault("the first pattern", "range(len(patterns))", "range(1)", says="only the first pattern"),
    Fault("one table for all", "tables[k][", "tables[0][", says="the first table"),
    Fault(
        "nothing is returned",
        "return estimate_by_loops(board, patterns, tables)",
        "tables",
        says="nothing is returned",
    ),
    Fault(
        "delta is returned",
        "return estimate_by_loops(board, patterns, tables)",
        "return delta",
        says="it returns delta",
    ),
    Fault("the share is rounded", "delta / m", "round(delta / m)", says="adds delta / "),
    Fault(
        "a return too early",
        "delta / m\n    return",
        "delta / m\n        return",
        says="adds delta / ",
    ),
    Fault(
        "copies",
        "    m = 8",
        "    tables = [table.copy() for table in tables]\n    m = 8",
        says="copies of the tables",
    ),
    Fault("no weight", "+= delta / m", "+ delta / m", says="no weight changed"),
    Fault(
        "other tables in the list",
        "    m = 8",
        "    tables[:] = [table.copy() for table in tables]\n    m = 8",
        says="copies of the tables",
    ),
    Fault(
        "the other order",
        "patterns[k])] +=",
        "patterns[k][::-1])] +=",
        says="digits of the index were in the other",
    ),
)
plant(
    "update",
    update_by_a_list_of_lookups,
    Fault(
        "by different weights",
        "delta / len(lookups)",
        "delta / len({(id(table), index) for table, index in lookups})",
        says="number of different weights",
    ),
    Fault(
        "each different weight once",
        "in lookups:\n",
        "in {(id(t), i): (t, i) for t, i in lookups}.values():\n",
        says="got its share once",
    ),
)


@wrong("update", "V as it was", says="returns V as it was before")
def update_returning_the_old_value(board, patterns, tables, delta):
    before = float(estimate_by_pairs(board, patterns, tables))
    update_by_loops(board, patterns, tables, delta)
    return before


@wrong("update", "V + delta", says="But it returns V + delta")
def update_returning_the_sum(board, patterns, tables, delta):
    before = float(estimate_by_pairs(board, patterns, tables))
    update_by_loops(board, patterns, tables, delta)
    return before + delta


@wrong("update", "the difference", says="how far V moved")
def update_returning_the_difference(board, patterns, tables, delta):
    before = float(estimate_by_pairs(board, patterns, tables))
    return update_by_loops(board, patterns, tables, delta) - before


@wrong("update", "exactly delta", says="so that V moves by exactly delta")
def update_by_exactly_delta(board, patterns, tables, delta):
    """The step is scaled: right on most boards, and not what is asked for on symmetric ones."""
    lookups = []
    for image in symmetries_by_quarter_turns(board):
        for k, pattern in enumerate(patterns):
            lookups.append((k, index_by_powers(image, pattern)))
    gain = sum(lookups.count(lookup) for lookup in lookups)
    for k, index in lookups:
        tables[k][index] += delta / gain
    return estimate_by_loops(board, patterns, tables)


@wrong("update", "a list of indices", says="np.add.at")
def update_with_lists_of_indices(board, patterns, tables, delta):
    images = symmetries_by_quarter_turns(board)
    for pattern, table in zip(patterns, tables):
        indices = [index_by_powers(image, pattern) for image in images]
        table[indices] += delta / (8 * len(patterns))
    return estimate_by_loops(board, patterns, tables)


@wrong("update", "sums while adding", says="added up while the weights still change")
def update_summing_while_adding(board, patterns, tables, delta):
    total = 0.0
    for image in symmetries_by_quarter_turns(board):
        for pattern, table in zip(patterns, tables):
            index = index_by_powers(image, pattern)
            table[index] += delta / (8 * len(patterns))
            total += table[index]
    return total


@wrong("update", "equal images once", says="images that are equal got their share once")
def update_of_different_images(board, patterns, tables, delta):
    images = []
    for image in symmetries_by_quarter_turns(board):
        if image not in images:
            images.append(image)
    for image in images:
        for pattern, table in zip(patterns, tables):
            table[index_by_powers(image, pattern)] += delta / (8 * len(patterns))
    return estimate_by_loops(board, patterns, tables)


@wrong("update", "different weights, all told", says="every different weight were moved once")
def update_of_different_weights(board, patterns, tables, delta):
    lookups = set()
    for image in symmetries_by_quarter_turns(board):
        for k, pattern in enumerate(patterns):
            lookups.add((k, index_by_powers(image, pattern)))
    for k, index in lookups:
        tables[k][index] += delta / len(lookups)
    return estimate_by_loops(board, patterns, tables)


@wrong("index", "rows for cells", says="board[cell] is a whole row")
def index_of_rows(board, pattern):
    return sum(board[cell] * 16**j for j, cell in enumerate(pattern))


@wrong("index", "powers for exponents", says="2**exponent were put together")
def index_of_powers(board, pattern):
    return sum(2 ** board[cell // 4][cell % 4] * 16**j for j, cell in enumerate(pattern))


@wrong("estimate", "always four tables", says="there were always four tables")
def estimate_of_four_tables(board, patterns, tables):
    images = symmetries_by_quarter_turns(board)
    return sum(tables[k][index_by_hand(image, patterns[k])] for image in images for k in range(4))


def index_by_hand(board, pattern):
    return sum(board[cell // 4][cell % 4] * 16**j for j, cell in enumerate(pattern))
