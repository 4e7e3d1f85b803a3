"""Right answers about the network."""

import functools
import math

import naive
import numpy as np
from planting import right
from right_answers_game import flat, symmetries_by_arrays, symmetries_by_quarter_turns

import lib2048

# index


@right("index")
def index_by_powers(board, pattern):
    total = 0
    for j, cell in enumerate(pattern):
        row, column = divmod(cell, 4)
        total += board[row][column] * 16**j
    return total


@right("index")
def index_by_shifts(board, pattern):
    number = 0
    for j in range(len(pattern)):
        number |= board[pattern[j] // 4][pattern[j] % 4] << (4 * j)
    return number


@right("index")
def index_by_horner(board, pattern):
    cells = [cell for row in board for cell in row]
    number = 0
    for cell in reversed(pattern):
        number = 16 * number + cells[cell]
    return number


@right("index")
def index_by_arrays(board, pattern):
    exponents = np.array(board).ravel()[list(pattern)]
    places = 16 ** np.arange(len(pattern), dtype=np.int64)
    return (exponents * places).sum()


@right("index")
def index_by_text(board, pattern):
    digits = "".join(f"{board[cell // 4][cell % 4]:x}" for cell in pattern)
    return int(digits[::-1], 16)


@right("index")
def index_by_reduce(board, pattern):
    exponents = [board[cell >> 2][cell & 3] for cell in pattern]
    return np.uint32(functools.reduce(lambda n, e: n << 4 | e, exponents[::-1], 0))


# estimate


@right("estimate")
def estimate_by_loops(board, patterns, tables):
    total = 0.0
    for image in symmetries_by_quarter_turns(board):
        for k in range(len(patterns)):
            total += tables[k][index_by_powers(image, patterns[k])]
    return total


@right("estimate")
def estimate_by_pairs(board, patterns, tables):
    return sum(
        table[index_by_horner(image, pattern)]
        for pattern, table in zip(patterns, tables)
        for image in symmetries_by_quarter_turns(board)
    )


@right("estimate")
def estimate_exactly(board, patterns, tables):
    images = naive.symmetries(flat(board))
    return math.fsum(
        tables[k][naive.index(image, pattern)]
        for image in images
        for k, pattern in enumerate(patterns)
    )


@right("estimate")
def estimate_by_arrays(board, patterns, tables):
    images = symmetries_by_arrays(board).reshape(8, 16)
    total = np.float32(0)
    for pattern, table in zip(patterns, tables):
        indices = (images[:, pattern] * 16 ** np.arange(len(pattern))).sum(axis=1)
        total += table[indices].sum()
    return total


@right("estimate")
def estimate_by_moving_the_pattern(board, patterns, tables):
    """The images of the pattern on one board, where others turn the board."""
    places = symmetries_by_arrays(np.arange(16).reshape(4, 4)).reshape(8, 16)
    cells = np.array(board).ravel()
    total = 0.0
    for pattern, table in zip(patterns, tables):
        for image in places:
            index = sum(int(cells[image[cell]]) << 4 * j for j, cell in enumerate(pattern))
            total += float(table[index])
    return total


def network(patterns, tables):
    net = lib2048.NTupleNetwork(patterns)
    for k, table in enumerate(tables):
        net.set_table_part(k, 0, table)
    return net


@right("estimate")
def estimate_of_the_library(board, patterns, tables):
    return network(patterns, tables).value(lib2048.from_array(board))


# update


@right("update")
def update_by_loops(board, patterns, tables, delta):
    m = 8 * len(patterns)
    for image in symmetries_by_quarter_turns(board):
        for k in range(len(patterns)):
            tables[k][index_by_powers(image, patterns[k])] += delta / m
    return estimate_by_loops(board, patterns, tables)


@right("update")
def update_by_a_list_of_lookups(board, patterns, tables, delta):
    lookups = []
    for image in symmetries_by_quarter_turns(board):
        for pattern, table in zip(patterns, tables):
            lookups.append((table, index_by_shifts(image, pattern)))
    share = delta / len(lookups)
    for table, index in lookups:
        table[index] += share
    return sum(table[index] for table, index in lookups)


@right("update")
def update_with_add_at(board, patterns, tables, delta):
    images = symmetries_by_quarter_turns(board)
    for pattern, table in zip(patterns, tables):
        indices = [index_by_horner(image, pattern) for image in images]
        np.add.at(table, indices, delta / (8 * len(patterns)))
    return estimate_by_arrays(board, patterns, tables)


@right("update")
def update_by_counting(board, patterns, tables, delta):
    """Each different weight once, by as much as it is looked up."""
    images = symmetries_by_quarter_turns(board)
    for pattern, table in zip(patterns, tables):
        indices = [index_by_powers(image, pattern) for image in images]
        for index in set(indices):
            table[index] += indices.count(index) * delta / (8 * len(patterns))
    return estimate_exactly(board, patterns, tables)


@right("update")
def update_of_the_library(board, patterns, tables, delta):
    net = network(patterns, tables)
    after = net.update(lib2048.from_array(board), delta)
    for k in range(len(patterns)):
        tables[k][:] = net.table(k)
    return after


@right("update")
def update_in_float32(board, patterns, tables, delta):
    step = np.float32(delta / (8 * len(patterns)))
    for image in symmetries_by_quarter_turns(board):
        for pattern, table in zip(patterns, tables):
            place = index_by_text(image, pattern)
            table[place] = table[place] + step
    return np.float32(estimate_by_pairs(board, patterns, tables))
