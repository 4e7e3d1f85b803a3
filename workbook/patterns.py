"""Pictures of n-tuple networks: patterns, indices, the eight images of a board, and which weights have been touched."""

from collections import Counter

import numpy as np

from lib2048.board import from_array, symmetries, to_array
from lib2048.draw import MARK, board_text
from lib2048.network import check_patterns
from lib2048.engines import check_network
from workbook.axes import Picture
from workbook.sheet import WIDE, Sheet

NUMBERED = from_array(
    np.arange(16).reshape(4, 4)
)  # the board that holds in each cell the number of that cell


def turned(pattern) -> list[tuple[int, ...]]:
    """The 8 images of a pattern: on a board, image i sees what the pattern itself sees on image i of the board.

    >>> turned((0, 1))[:2]
    [(0, 1), (12, 8)]
    """
    (pattern,) = check_patterns((pattern,))
    origins = [to_array(image).ravel().tolist() for image in symmetries(NUMBERED)]
    return [tuple(origin[cell] for cell in pattern) for origin in origins]


def lookups(net, board: int) -> list[tuple[int, int]]:
    """The lookups that make up V(board), image by image: (pattern k, index)."""
    check_network(net)
    images = symmetries(board)[: net.symmetries]
    return [(k, net.index(k, image)) for image in images for k in range(len(net.patterns))]


def overlap(net, board: int, updated: int) -> float:
    """How far `net.update(updated, 1.0)` moves V of another board: the share of its step that arrives there.

    >>> net = NTupleNetwork(((0, 1, 2, 3),))
    >>> overlap(net, 0x4321, 0x4321), overlap(net, 0x4321, 0x8765)
    (1.25, 0.5)
    """
    read = Counter(lookups(net, board))
    added = Counter(lookups(net, updated))
    return sum(times * added[lookup] for lookup, times in read.items()) / net.lookups


def gain(net, board: int) -> float:
    """How far `net.update(board, 1.0)` moves V of the board itself.

    1, or more where weights are looked up, and so added to, repeatedly.
    """
    return overlap(net, board, board)


def patterns_svg(patterns) -> str:
    """Patterns as an SVG document, four in a row: each cell with its number, those of the pattern dark."""
    patterns = check_patterns(patterns)
    columns = min(4, len(patterns))
    sheet, said = Sheet(180 * columns), []
    for k, pattern in enumerate(patterns):
        left, top = 180 * (k % 4) + 12, 190 * (k // 4) + 4
        names = " ".join(map(str, pattern))
        sheet.board(left, top, 156, 0, fill=dict.fromkeys(pattern, MARK))
        for cell in range(16):
            x, y = left + 26 + cell % 4 * 34.7, top + 31 + cell // 4 * 34.7
            sheet.words(
                x,
                y,
                str(cell),
                14,
                bold=cell in pattern,
                colour="#ffffff" if cell in pattern else "#5a5048",
            )
        sheet.words(left + 78, top + 176, f"{k}: {names}")
        said.append(f"pattern {k}: cells {names}")
    return sheet.svg(190 * -(-len(patterns) // 4), "Patterns. " + "; ".join(said))


def index_svg(board: int, pattern) -> str:
    """How the index of a pattern on a board is made up, cell by cell, as an SVG document."""
    (pattern,) = check_patterns((pattern,))
    exponents = to_array(board).ravel()[list(pattern)].tolist()
    sheet, high = Sheet(WIDE), max(210, 98 + 26 * len(pattern))
    sheet.board(
        4, 4, 200, board, squares=pattern, marks={cell: j for j, cell in enumerate(pattern)}
    )
    columns = {"j": 250, "cell": 310, "tile": 385, "exponent": 475, "16^j": 580, "adds": 700}
    for name, x in columns.items():
        sheet.words(x, 28, name, bold=True, anchor="end")
    for j, (cell, exponent) in enumerate(zip(pattern, exponents)):
        tile = f"{2**exponent:,}" if exponent else "empty"
        row = (j, cell, tile, exponent, f"{16**j:,}", f"{exponent * 16**j:,}")
        for text, x in zip(row, columns.values()):
            sheet.words(x, 54 + 26 * j, str(text), anchor="end")
    index = sum(exponent * 16**j for j, exponent in enumerate(exponents))
    total = f"index = {index:,}"
    digits = f"in hexadecimal 0x{index:0{len(pattern)}x}, the last digit is cell {pattern[0]}'s"
    sheet.words(700, high - 34, total, bold=True, anchor="end")
    sheet.words(700, high - 8, digits, anchor="end")
    return sheet.svg(
        high + 4, f"Index of pattern {pattern}. {board_text(board)}. {total}, {digits}"
    )


def images_svg(board: int, pattern) -> str:
    """The eight images of a board and the index of a pattern on each, as an SVG document, in two views.

    Above, the board is turned under the pattern; below, the pattern is turned over the board. The lookups are the same.
    """
    (pattern,) = check_patterns((pattern,))
    sheet, said = Sheet(640), []
    views = [
        (
            "The board is turned, the pattern stays",
            [(image, pattern) for image in symmetries(board)],
        )
    ]
    views.append(
        ("The board stays, the pattern is turned", [(board, image) for image in turned(pattern)])
    )
    for view, (name, pairs) in enumerate(views):
        sheet.words(12, 376 * view + 20, name, 15, bold=True, anchor="start")
        for i, (one, cells) in enumerate(pairs):
            left, top = 160 * (i % 4) + 12, 376 * view + 34 + 168 * (i // 4)
            index = sum(int(to_array(one).flat[cell]) << 4 * j for j, cell in enumerate(cells))
            sheet.board(
                left, top, 136, one, squares=cells, marks={cell: j for j, cell in enumerate(cells)}
            )
            sheet.words(left + 68, top + 153, f"image {i}: 0x{index:0{len(cells)}x}")
            said.append(f"image {i}: {index:#x}")
    title = f"The eight images of a board with pattern {pattern}. {board_text(board)}. {', '.join(said[:8])}"
    return sheet.svg(376 * 2 - 4, title)


def touched_weights(net) -> np.ndarray:
    """How many weights learning has changed: int64 (patterns, 16), by the largest exponent in a weight's index."""
    check_network(net)
    found, start = np.zeros((len(net.patterns), 16), np.int64), np.float32(net.init / net.lookups)
    for k, pattern in enumerate(net.patterns):
        for first, weights in net.table_parts(k):
            indices = first + np.flatnonzero(weights != start)
            digits = indices[:, None] >> 4 * np.arange(len(pattern)) & 15
            found[k] += np.bincount(digits.max(axis=1, initial=0), minlength=16)
    return found


def weights_there(net) -> np.ndarray:
    """How many weights there are: int64 (patterns, 16), by the largest exponent in a weight's index."""
    exponents, sizes = np.arange(16), np.array([[len(pattern)] for pattern in net.patterns])
    return (exponents + 1) ** sizes - exponents**sizes


def touched_figure(net) -> Picture:
    """How many weights learning has changed, beside how many there are, by the largest tile in the index."""
    touched, there = touched_weights(net).sum(axis=0), weights_there(net).sum(axis=0)
    tiles = ["empty", *(f"{2**exponent}" for exponent in range(1, 16))]
    figure = Picture(figsize=(7, 3.6), layout="constrained")
    axes, places = figure.subplots(), np.arange(16)
    axes.bar(places, there, 0.82, color="#e3ddd5", edgecolor="#83766a", label="there are")
    axes.bar(places, touched, 0.5, color=MARK, label="changed by learning")
    for place in places[touched > 0]:
        share = 100 * touched[place] / there[place]
        axes.annotate(f"{share:.2g}%" if share < 99.5 else "100%", (place, there[place]), (0, 3), "data",
                      "offset points", ha="center", fontsize=8)  # fmt: skip
    axes.set_xticks(places, tiles, rotation=40, ha="right", rotation_mode="anchor", fontsize=9)
    axes.set(
        yscale="log",
        xlabel="largest tile in the index",
        ylabel=f"weights in {len(net.patterns)} tables",
    )
    axes.set_ylim(bottom=0.8)
    axes.legend(frameon=False, loc="upper left")
    axes.spines[["top", "right"]].set_visible(False)
    parts = [f"{tile}: {count:,} of {total:,}" for tile, count, total in zip(tiles, touched, there)]
    figure.alt = (
        f"Weights changed by learning from {net.games:,} games, by largest tile in the index. "
        + "; ".join(parts)
    )
    return figure
