"""Pictures of n-tuple networks: patterns, indices, the eight images of a board, touched weights.

And what they rest on: which weights a board looks up, and how far an update moves V.
"""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from lib2048.board import from_array, symmetries, to_array
from lib2048.draw import MARK, board_text
from lib2048.engines import check_network
from lib2048.patterns import check_patterns
from workbook.axes import PAGE, Picture, no_frame
from workbook.sheet import WIDE, Sheet

NUMBERED = from_array(np.arange(16).reshape(4, 4))  # each cell holds its own number

# Lookups


def turned(pattern) -> list[tuple[int, ...]]:
    """The 8 images of a pattern.

    On a board, image i of the pattern sees what the pattern itself sees on image i of the board.

    Parameters
    ----------
    pattern
        A tuple of cells.

    Returns
    -------
    list of tuple
        The images; the first is the pattern itself.

    Examples
    --------
    >>> turned((0, 1))[:2]
    [(0, 1), (12, 8)]
    """
    (pattern,) = check_patterns((pattern,))
    origins = [to_array(image).ravel().tolist() for image in symmetries(NUMBERED)]
    return [tuple(origin[cell] for cell in pattern) for origin in origins]


def lookups(net, board: int) -> list[tuple[int, int]]:
    """The lookups that make up V(board), image by image.

    Parameters
    ----------
    net
        A network.
    board
        A board.

    Returns
    -------
    list of tuple
        (pattern k, index) of each.
    """
    check_network(net)
    images = symmetries(board)[: net.symmetries]
    return [(k, net.index(k, image)) for image in images for k in range(len(net.patterns))]


def overlap(net, board: int, updated: int) -> float:
    """How far `net.update(updated, 1.0)` moves V of another board.

    Parameters
    ----------
    net
        A network.
    board
        The board whose value moves.
    updated
        The board that is updated.

    Returns
    -------
    float
        The share of the step that arrives at `board`.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork
    >>> net = NTupleNetwork(((0, 1, 2, 3),))
    >>> overlap(net, 0x4321, 0x4321), overlap(net, 0x4321, 0x8765)
    (1.25, 0.5)
    """
    read = Counter(lookups(net, board))
    added = Counter(lookups(net, updated))
    return sum(times * added[lookup] for lookup, times in read.items()) / net.lookups


def gain(net, board: int) -> float:
    """How far `net.update(board, 1.0)` moves V of the board itself.

    Parameters
    ----------
    net
        A network.
    board
        A board.

    Returns
    -------
    float
        1, or more where weights are looked up, and so added to, repeatedly.
    """
    return overlap(net, board, board)


# Patterns


def patterns_svg(patterns) -> str:
    """Patterns, four in a row: each cell with its number, those of the pattern dark.

    Parameters
    ----------
    patterns
        As `NTupleNetwork` takes them.

    Returns
    -------
    str
        An SVG document.
    """
    patterns = check_patterns(patterns)
    sheet = Sheet(180 * min(4, len(patterns)))
    for k, pattern in enumerate(patterns):
        row, column = divmod(k, 4)
        _pattern(sheet, 180 * column + 12, 190 * row + 4, k, pattern)
    rows = -(-len(patterns) // 4)
    told = [f"pattern {k}: cells {_listed(pattern)}" for k, pattern in enumerate(patterns)]
    return sheet.svg(190 * rows, "Patterns. " + "; ".join(told))


def _pattern(sheet: Sheet, left: float, top: float, k: int, pattern) -> None:
    """Pattern k on an empty board with numbered cells."""
    sheet.board(left, top, 156, 0, fill=dict.fromkeys(pattern, MARK))
    for cell in range(16):
        row, column = divmod(cell, 4)
        sheet.words(
            left + 26 + column * 34.7,
            top + 31 + row * 34.7,
            str(cell),
            14,
            bold=cell in pattern,
            colour="#ffffff" if cell in pattern else "#5a5048",
        )
    sheet.words(left + 78, top + 176, f"{k}: {_listed(pattern)}")


def _listed(cells) -> str:
    return " ".join(map(str, cells))


# Indices


def index_svg(board: int, pattern) -> str:
    """How the index of a pattern on a board is made up, cell by cell.

    Parameters
    ----------
    board
        A board.
    pattern
        A tuple of cells.

    Returns
    -------
    str
        An SVG document.
    """
    (pattern,) = check_patterns((pattern,))
    exponents = to_array(board).ravel()[list(pattern)].tolist()
    index = sum(exponent * 16**j for j, exponent in enumerate(exponents))
    sheet = Sheet(WIDE)
    numbers = {cell: j for j, cell in enumerate(pattern)}
    sheet.board(4, 4, 200, board, squares=pattern, marks=numbers)
    columns = {"j": 250, "cell": 310, "tile": 385, "exponent": 475, "16^j": 580, "adds": 700}
    for name, x in columns.items():
        sheet.words(x, 28, name, bold=True, anchor="end")
    for j, (cell, exponent) in enumerate(zip(pattern, exponents)):
        tile = str(2**exponent) if exponent else "empty"
        row = (j, cell, tile, exponent, f"{16**j:,}", f"{exponent * 16**j:,}")
        for text, x in zip(row, columns.values()):
            sheet.words(x, 54 + 26 * j, str(text), anchor="end")
    bottom = max(210, 98 + 26 * len(pattern))
    total = f"index = {index:,}"
    digits = f"in hexadecimal 0x{index:0{len(pattern)}x}, the last digit is cell {pattern[0]}'s"
    sheet.words(700, bottom - 34, total, bold=True, anchor="end")
    sheet.words(700, bottom - 8, digits, anchor="end")
    title = f"Index of pattern {pattern}. {board_text(board)}. {total}, {digits}"
    return sheet.svg(bottom + 4, title)


VIEW = 376  # height of one of the two views of the eight images


def images_svg(board: int, pattern) -> str:
    """The eight images of a board and the index of a pattern on each, in two views.

    Above, the board is turned under the pattern; below, the pattern is turned over the board. The
    lookups are the same.

    Parameters
    ----------
    board
        A board.
    pattern
        A tuple of cells.

    Returns
    -------
    str
        An SVG document.
    """
    (pattern,) = check_patterns((pattern,))
    sheet = Sheet(640)
    turned_boards = [(image, pattern) for image in symmetries(board)]
    turned_patterns = [(board, image) for image in turned(pattern)]
    _view(sheet, 0, "The board is turned, the pattern stays", turned_boards)
    _view(sheet, VIEW, "The board stays, the pattern is turned", turned_patterns)
    told = [f"image {i}: {_index(*pair):#x}" for i, pair in enumerate(turned_boards)]
    title = (
        f"The eight images of a board with pattern {pattern}. {board_text(board)}. "
        f"{', '.join(told)}"
    )
    return sheet.svg(2 * VIEW - 4, title)


def _index(board: int, pattern) -> int:
    exponents = to_array(board).ravel()
    return sum(int(exponents[cell]) << 4 * j for j, cell in enumerate(pattern))


def _view(sheet: Sheet, top: float, name: str, pairs: list) -> None:
    """Eight pairs (board, pattern) in two rows, each with its index."""
    sheet.words(12, top + 20, name, 15, bold=True, anchor="start")
    for i, (board, pattern) in enumerate(pairs):
        row, column = divmod(i, 4)
        x, y = 160 * column + 12, top + 34 + 168 * row
        numbers = {cell: j for j, cell in enumerate(pattern)}
        sheet.board(x, y, 136, board, squares=pattern, marks=numbers)
        index = f"0x{_index(board, pattern):0{len(pattern)}x}"
        sheet.words(x + 68, y + 153, f"image {i}: {index}")


# Weights


def sizes_figure(sizes: Mapping[str, float]) -> Picture:
    """How much memory things take, from the smallest to the largest.

    Parameters
    ----------
    sizes
        Bytes, by name, in the order in which they are drawn from the top.

    Returns
    -------
    Picture
        The figure.
    """
    figure = Picture(figsize=(PAGE, 0.36 * len(sizes) + 0.9), layout="constrained")
    axes = figure.subplots()
    axes.barh(list(sizes), [float(size) for size in sizes.values()], 0.62, color=MARK)
    for name, size in sizes.items():
        axes.annotate(_memory(size), (size, name), (4, 0), "data", "offset points", va="center")
    axes.set(xscale="log", xlabel="bytes", xlim=(100, 1e25))
    axes.invert_yaxis()
    no_frame(axes)
    told = [f"{name}: {_memory(size)}" for name, size in sizes.items()]
    figure.alt = "How much memory tables take. " + "; ".join(told)
    return figure


def _memory(size: float) -> str:
    """A number of bytes as one says it."""
    for unit, name in ((1e18, "million TB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size:.0f} bytes"


def touched_weights(net) -> np.ndarray:
    """How many weights learning has changed.

    Parameters
    ----------
    net
        A network.

    Returns
    -------
    numpy.ndarray
        int64 (patterns, 16), by the largest exponent in a weight's index.
    """
    check_network(net)
    at_the_start = np.float32(net.init / net.lookups)
    touched = np.zeros((len(net.patterns), 16), np.int64)
    for k, pattern in enumerate(net.patterns):
        for first, weights in net.table_parts(k):
            indices = first + np.flatnonzero(weights != at_the_start)
            exponents = indices[:, None] >> 4 * np.arange(len(pattern)) & 15
            largest = exponents.max(axis=1, initial=0)
            touched[k] += np.bincount(largest, minlength=16)
    return touched


def weights_there(net) -> np.ndarray:
    """How many weights there are, in the form of `touched_weights`."""
    exponents = np.arange(16)
    cells = np.array([[len(pattern)] for pattern in net.patterns])
    return (exponents + 1) ** cells - exponents**cells


def touched_figure(net) -> Picture:
    """How many weights learning has changed, beside how many there are, by the largest tile.

    Parameters
    ----------
    net
        A network.

    Returns
    -------
    Picture
        The figure.
    """
    touched = touched_weights(net).sum(axis=0)
    there = weights_there(net).sum(axis=0)
    tiles = ["empty", *(str(2**exponent) for exponent in range(1, 16))]
    places = np.arange(16)
    figure = Picture(figsize=(PAGE, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.bar(places, there, 0.82, color="#e3ddd5", edgecolor="#83766a", label="there are")
    axes.bar(places, touched, 0.5, color=MARK, label="changed by learning")
    for place in places[touched > 0]:
        _share(axes, place, there[place], 100 * touched[place] / there[place])
    axes.set_xticks(places, tiles, rotation=40, ha="right", rotation_mode="anchor", fontsize=9)
    axes.set(
        yscale="log",
        xlabel="largest tile in the index",
        ylabel=f"weights in {len(net.patterns)} tables",
    )
    axes.set_ylim(0.8, 4 * there.max())
    axes.legend(frameon=False, loc="upper left")
    no_frame(axes)
    told = [f"{tile}: {count:,} of {total:,}" for tile, count, total in zip(tiles, touched, there)]
    figure.alt = (
        f"Weights changed by learning from {net.games:,} games, by largest tile in the index. "
        + "; ".join(told)
    )
    return figure


def _share(axes, x: float, y: float, percent: float) -> None:
    """A share above a bar, and no wider than that."""
    digits = 1 if percent < 0.1 else 2
    axes.annotate(
        f"{percent:.{digits}g}%" if percent < 99.5 else "100%",
        (x, y),
        (0, 3),
        "data",
        "offset points",
        ha="center",
        fontsize=8,
    )
