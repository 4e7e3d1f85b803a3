"""Pictures of a search of the second game: bounds of the moves, a growing tree, wins over c."""

from collections.abc import Callable, Mapping
from html import escape

import numpy as np

from libewn.draw import FILLS, FONT, INK, RIMS
from libewn.findings import Branch, Findings
from libewn.game import Game
from workbook.axes import (
    CURVES,
    GRID,
    LINES,
    MARKS,
    Picture,
    look,
    no_frame,
    tidy,
    with_commas,
)
from workbook.words import percent

BETWEEN = 0.14  # two panels, so that the numbers below them stay apart; as a share of a panel
ARROWS = ("→↓↘↗", "←↑↖↙")


def move_name(game: Game, move: tuple[int, int]) -> str:
    """A move of the side to move as a text: cube and arrow.

    Parameters
    ----------
    game
        The position.
    move
        Cube and direction.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> move_name(Game(), (3, 0))
    '3 →'
    """
    cube, direction = move
    return f"{cube} {ARROWS[game.mover][direction]}"


# Bounds

ROOM = 0.16  # for the playouts, at the right of the longest bar; as a share of a panel


def bounds_figure(game: Game, searches: Mapping[str, Findings]) -> Picture:
    """For each search of a position: the mean of each move (dot), its UCB (bar), its playouts.

    Parameters
    ----------
    game
        The position.
    searches
        What searches of it found, by the title of their panel.

    Returns
    -------
    Picture
        The figure. A thick bar is that of the move that is tried next.
    """
    names = [move_name(game, move) for move in game.legal_moves()]
    figure = Picture(
        figsize=(2.6 * len(searches) + 0.8, 0.42 * len(names) + 1.2), layout="constrained"
    )
    row = figure.subplots(1, len(searches), sharex=True, sharey=True, squeeze=False)[0]
    for axes, (title, findings) in zip(row, searches.items()):
        _bounds(axes, findings)
        axes.set(title=title, xlabel="mean, and UCB")
        axes.grid(axis="x", **GRID)
        no_frame(axes)
    low, high = row[0].get_xlim()
    row[0].set_xlim(low, high + ROOM * (high - low))
    row[0].set_yticks(np.arange(len(names)), names)
    row[0].set(ylabel="cube and direction", ylim=(len(names) - 0.5, -0.7))
    told = [f"{title}: {_told_bounds(names, found)}" for title, found in searches.items()]
    figure.alt = "Bounds of the moves. " + "; ".join(told)
    return figure


def _bounds(axes, findings: Findings) -> None:
    """The moves of one search, one below the other."""
    places = np.arange(len(findings.bounds))
    highest = int(np.argmax(findings.bounds))
    widths = [6 if place == highest else 3 for place in places]
    axes.hlines(places, findings.means, findings.bounds, color=CURVES[2], linewidth=widths)
    axes.plot(findings.means, places, "o", color=CURVES[0], markersize=5)
    for place, visits in enumerate(findings.visits):
        axes.annotate(
            f"{visits:,}",
            (1, place),
            (-2, 5),
            ("axes fraction", "data"),
            "offset points",
            ha="right",
            fontsize=9,
        )


def _told_bounds(names: list[str], findings: Findings) -> str:
    """What a panel shows, in words."""
    rows = zip(names, findings.visits, findings.means, findings.bounds)
    return ", ".join(
        f"{name} {visits:,} playouts, mean {mean:.3f}, UCB {bound:.3f}"
        for name, visits, mean, bound in rows
    )


# A growing tree

WIDTH = 250  # of a tree, in pixels
HEIGHT = 250
TOP = 40  # where its root is
DEEPEST = 8  # plies that are drawn
BRANCH = "#8a8178"
FAR_LEFT = 15  # of the root: the line to a node there comes from where its share would stand
LABEL = 34  # how wide a share is


def growth_svg(game: Game, trees: Mapping[str, list[Branch]], least: float = 0.005) -> str:
    """A tree at several ages, side by side: every node stands over its share of the playouts.

    Dark dots are positions after a move of Red, light ones after a move of Blue.

    Parameters
    ----------
    game
        The position at the root.
    trees
        What `MCTS.tree` returns for it, by title.
    least
        Nodes with a smaller share of the playouts are left out.

    Returns
    -------
    str
        An SVG document.
    """
    parts = []
    texts = []
    for place, (title, tree) in enumerate(trees.items()):
        look = f'font-size="16" font-weight="bold" fill="{INK}" {FONT}'
        name = f'<text x="{WIDTH / 2}" y="16" {look}>{escape(title)}</text>'
        at = f"translate({place * (WIDTH + 10)} 0)"
        parts.append(f'<g transform="{at}">{name}{_tree(tree, game.mover, least)}</g>')
        deepest = max(node.depth for node in tree)
        texts.append(f"{title}: {len(tree)} nodes, {deepest} plies deep")
    across = len(trees) * (WIDTH + 10) - 10
    title = escape("A growing tree. " + "; ".join(texts))
    size = f'viewBox="0 0 {across} {HEIGHT}" width="{across}" height="{HEIGHT}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{title}</title>'
        f'<rect width="{across}" height="{HEIGHT}" fill="#ffffff"/>{"".join(parts)}</svg>'
    )


def _strips(tree: list[Branch]) -> list[tuple[float, float]]:
    """The strip (left, right) of each node, from 0 to 1: as wide as its share of the playouts."""
    strips = [(0.0, 1.0)]
    used = [0.0] * len(tree)  # of each node's strip, by its children so far
    for node in tree[1:]:
        left = strips[node.parent][0] + used[node.parent]
        width = node.playouts / tree[0].playouts
        used[node.parent] += width
        strips.append((left, left + width))
    return strips


def _tree(tree: list[Branch], mover: int, least: float) -> str:
    """The nodes with at least the share `least` of the playouts, as parts of an SVG document."""
    places = [
        (
            8 + (WIDTH - 16) * (left + right) / 2,
            TOP + (HEIGHT - TOP - 12) * node.depth / DEEPEST,
        )
        for node, (left, right) in zip(tree, _strips(tree))
    ]
    lines = []
    dots = []
    shares = []
    for node, place in zip(tree, places):
        share = node.playouts / tree[0].playouts
        if share < least or node.depth > DEEPEST:
            continue
        side = (mover + node.depth + 1) % 2  # who made the move that leads here
        if node.parent >= 0:
            lines.append(_branch(places[node.parent], place, share))
        if node.depth == 1 and share >= 0.08:
            shares.append(_written_share(places[0], place, share))
        dots.append(_dot(place, share, side if node.depth else None))
    return "".join(lines + shares + dots)


def _branch(start: tuple[float, float], end: tuple[float, float], share: float) -> str:
    """The line from a node to its parent, as thick as its share of the playouts."""
    (x1, y1), (x2, y2) = start, end
    look = f'stroke="{BRANCH}" stroke-width="{0.6 + 6 * share:.1f}"'
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {look}/>'


def _radius(share: float) -> float:
    return 2 + 6 * share**0.5


def _dot(place: tuple[float, float], share: float, side: int | None) -> str:
    """A node, in the colour of the side that moved to it; the root has none."""
    x, y = place
    look = f'fill="{INK}"'
    if side is not None:
        look = f'fill="{FILLS[side]}" stroke="{RIMS[side]}"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_radius(share):.1f}" {look}/>'


def _written_share(root: tuple[float, float], place: tuple[float, float], share: float) -> str:
    """The share of a node as a number, on a white rim, beside the line that comes from the root."""
    x, y = place
    apart = 5 + _radius(share)
    anchor = "start"
    if root[0] - x > FAR_LEFT:
        anchor, apart = "end", -apart
        y += 5  # below the lines to the nodes further left
    elif x + apart + LABEL > WIDTH - 12:  # where the last dots lie
        y -= 6
    where = f'x="{x + apart:.1f}" y="{y - 2:.1f}"'
    look = f'font-size="15" {FONT.replace("middle", anchor)}'
    rim = 'fill="#ffffff" stroke="#ffffff" stroke-width="4" aria-hidden="true"'
    return "".join(
        f"<text {where} {look} {colour}>{percent(share, 0)}</text>"
        for colour in (rim, f'fill="{INK}"')
    )


# Wins over c


def formulas_figure(
    shares: Mapping[str, Mapping[float, tuple]], divisors: Mapping[str, float]
) -> Picture:
    """Shares of wins over c, left as c is written, right as the c of UCB1 that it comes to.

    Parameters
    ----------
    shares
        ``{formula: {c: (share, low, high)}}``.
    divisors
        What a formula's c is divided by to give that of UCB1.

    Returns
    -------
    Picture
        The figure.
    """
    factors = {name: 1 / divisor for name, divisor in divisors.items()}
    figure, left, right, told = _on_two_scales(shares, factors, _formula_look, "{}")
    _c_axis(left, "c as written")
    _c_axis(right, "c of UCB1 that it comes to")
    figure.alt = "Rounds won over c. " + told
    return figure


def _on_two_scales(
    shares: Mapping[str, Mapping[float, tuple]],
    factors: Mapping[str, float],
    look_of: Callable[[int], dict],
    place: str,
) -> tuple:
    """Shares of wins with their intervals, twice: as they are given, and by a common measure.

    Parameters
    ----------
    shares
        ``{curve: {x: (share, low, high)}}``.
    factors
        What a curve's x is multiplied by in the right panel.
    look_of
        The look of the n-th curve.
    place
        How x is written in words.

    Returns
    -------
    tuple
        The figure, its two panels, and what they show in words.
    """
    figure = Picture(figsize=(7.4, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    figure.get_layout_engine().set(wspace=BETWEEN)
    texts = []
    for n, (name, points) in enumerate(shares.items()):
        x = np.array(sorted(points))
        share, low, high = 100 * np.array([points[one][:3] for one in x]).T
        errors = (share - low, high - share)
        style = look_of(n) | {"capsize": 3, "label": name}
        left.errorbar(x, share, errors, **style)
        right.errorbar(x * factors[name], share, errors, **style)
        places = [f"{won:.1f} % at {place.format(one)}" for one, won in zip(x, share)]
        texts.append(f"{name}: " + ", ".join(places))
    left.set_ylabel("rounds won (%, 95 % interval)")
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(shares), frameon=False)
    return figure, left, right, "; ".join(texts)


def _formula_look(n: int) -> dict:
    """The look of the n-th formula; the marks of the first are hollow, as others lie on them."""
    mark = {"markersize": 6} if n else {"markersize": 9, "markerfacecolor": "white"}
    return {"color": CURVES[n], "marker": MARKS[n], "linestyle": LINES[n]} | mark


def _c_axis(axes, label: str) -> None:
    """A logarithmic axis of c."""
    axes.set(xscale="log", xlabel=label)
    axes.set_xticks([0.05, 0.1, 0.2, 0.5, 1.0], ["0.05", "0.1", "0.2", "0.5", "1.0"])
    axes.minorticks_off()
    axes.grid(**GRID)
    no_frame(axes)


# Wins over the budget


def budgets_figure(
    shares: Mapping[str, Mapping[int, tuple]], costs: Mapping[str, float]
) -> Picture:
    """Shares of wins over the budget: left in playouts, right in time.

    Parameters
    ----------
    shares
        ``{player: {playouts a move: (share, low, high)}}``.
    costs
        How long a playout of each takes, as a multiple of one that all are compared with.

    Returns
    -------
    Picture
        The figure.
    """
    figure, left, right, told = _on_two_scales(shares, costs, look, "{:,}")
    for axes, label in ((left, "playouts a move"), (right, "time a move, in playouts of the tree")):
        tidy(axes, xscale="log", xlabel=label)
        axes.xaxis.set_major_formatter(with_commas)
        axes.minorticks_off()
    figure.alt = "Rounds won over the budget. " + told
    return figure
