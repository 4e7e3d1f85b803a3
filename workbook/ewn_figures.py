"""Pictures of what a search knows and how players fare: bounds of the moves, a growing tree, shares of wins over c."""

from html import escape

import numpy as np

from libewn.draw import FILLS, FONT, INK, RIMS
from libewn.findings import Branch, Findings
from libewn.game import Game
from workbook.axes import CURVES, LINES, MARKS, Picture

ARROWS = ("→↓↘↗", "←↑↖↙")
WIDTH, HEIGHT, TOP, DEEPEST = 250, 250, 40, 8  # of a tree in pixels; depth drawn


def move_name(game: Game, move: tuple[int, int]) -> str:
    """A move of the side to move as a text: cube and arrow.

    >>> move_name(Game(), (3, 0))
    '3 →'
    """
    return f"{move[0]} {ARROWS[game.mover][move[1]]}"


def bounds_figure(game: Game, found: dict[str, Findings]) -> Picture:
    """For each search of a position: the mean of every move (dot), its UCB (bar), its playouts (number)."""
    figure, texts = (
        Picture(
            figsize=(2.6 * len(found) + 0.8, 0.42 * len(game.legal_moves()) + 1.2),
            layout="constrained",
        ),
        [],
    )
    axes_of = figure.subplots(1, len(found), sharex=True, sharey=True, squeeze=False)[0]
    names = [move_name(game, move) for move in game.legal_moves()]
    places = np.arange(len(names))
    for axes, (title, one) in zip(axes_of, found.items()):
        highest = int(np.argmax(one.bounds))
        axes.hlines(
            places,
            one.means,
            one.bounds,
            color=CURVES[2],
            linewidth=[6 if n == highest else 3 for n in places],
        )
        axes.plot(one.means, places, "o", color=CURVES[0], markersize=5)
        for place, visits in enumerate(one.visits):
            label = f"{visits:,}"
            axes.annotate(
                label,
                (1, place),
                (-2, 5),
                ("axes fraction", "data"),
                "offset points",
                ha="right",
                fontsize=8,
            )
        axes.set(title=title, xlabel="mean, and UCB")
        axes.grid(axis="x", color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        shown = zip(names, one.visits, one.means, one.bounds)
        texts.append(
            f"{title}: "
            + ", ".join(f"{m} {v:,} playouts, mean {a:.3f}, UCB {b:.3f}" for m, v, a, b in shown)
        )
    axes_of[0].set_yticks(places, names)
    axes_of[0].set(ylabel="cube and direction", ylim=(len(names) - 0.5, -0.7))
    figure.alt = "Bounds of the moves. " + "; ".join(texts)
    return figure


def _places(tree: list[Branch]) -> list[tuple[float, float]]:
    """The strip (left, right) of each node, from 0 to 1: as wide as its share of the root's playouts."""
    strips, used = [(0.0, 1.0)], [0.0] * len(tree)
    for node in tree[1:]:
        left = strips[node.parent][0] + used[node.parent]
        wide = node.playouts / tree[0].playouts
        used[node.parent] += wide
        strips.append((left, left + wide))
    return strips


def _tree(tree: list[Branch], mover: int, least: float) -> str:
    """The nodes with at least the share `least` of the playouts, as parts of an SVG document."""
    strips, lines, dots, texts = _places(tree), [], [], []

    def at(number: int) -> tuple[float, float]:
        left, right = strips[number]
        return 8 + (WIDTH - 16) * (left + right) / 2, TOP + (HEIGHT - TOP - 12) * tree[
            number
        ].depth / DEEPEST

    for number, node in enumerate(tree):
        share = node.playouts / tree[0].playouts
        if share < least or node.depth > DEEPEST:
            continue
        (x, y), side = at(number), (mover + node.depth + 1) % 2
        if node.parent >= 0:
            u, v = at(node.parent)
            look = f'stroke="#8a8178" stroke-width="{0.6 + 6 * share:.1f}"'
            lines.append(f'<line x1="{u:.1f}" y1="{v:.1f}" x2="{x:.1f}" y2="{y:.1f}" {look}/>')
            if node.depth == 1 and share >= 0.08:
                place = f'x="{x + 7 + 6 * share**0.5:.1f}" y="{y - 3:.1f}" font-size="11" {FONT}'.replace(
                    "middle", "start"
                )
                for ink in (
                    'fill="#ffffff" stroke="#ffffff" stroke-width="4" aria-hidden="true"',
                    f'fill="{INK}"',
                ):
                    texts.append(f"<text {place} {ink}>{share:.0%}</text>")  # on a white rim
        look = f'fill="{FILLS[side]}" stroke="{RIMS[side]}"' if node.depth else f'fill="{INK}"'
        dots.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 + 6 * share**0.5:.1f}" {look}/>')
    return "".join(lines + dots + texts)


def growth_svg(game: Game, trees: dict[str, list[Branch]], least: float = 0.005) -> str:
    """A tree at several ages, side by side, as an SVG document: every node stands over its share of the playouts.

    trees: {title: what MCTS.tree returns} for the position of `game`. Nodes with less than `least` of the playouts are
    left out. Dark dots are positions after a move of Red, light ones after a move of Blue.
    """
    parts, texts = [], []
    for place, (title, tree) in enumerate(trees.items()):
        deepest = max(node.depth for node in tree)
        name = f'<text x="{WIDTH / 2}" y="16" font-size="13" font-weight="bold" fill="{INK}" {FONT}>{escape(title)}</text>'
        parts.append(
            f'<g transform="translate({place * (WIDTH + 10)} 0)">{name}{_tree(tree, game.mover, least)}</g>'
        )
        texts.append(f"{title}: {len(tree)} nodes, {deepest} plies deep")
    across = len(trees) * (WIDTH + 10) - 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {HEIGHT}" width="{across}" height="{HEIGHT}" '
        f'role="img"><title>{escape("A growing tree. " + "; ".join(texts))}</title>'
        f'<rect width="{across}" height="{HEIGHT}" fill="#ffffff"/>{"".join(parts)}</svg>'
    )


def formulas_figure(shares: dict[str, dict[float, tuple]], divisors: dict[str, float]) -> Picture:
    """Shares of wins over c, left as c is written, right as the c of UCB1 that it comes to.

    shares: {formula: {c: (share, low, high)}}. divisors: what a formula's c is divided by to give that of UCB1.
    """
    figure, texts = Picture(figsize=(7.4, 3.4), layout="constrained"), []
    left, right = figure.subplots(1, 2, sharey=True)
    for n, (name, points) in enumerate(shares.items()):
        cs = np.array(sorted(points))
        value, low, high = (100 * np.array([points[c][part] for c in cs]) for part in range(3))
        look = {
            "color": CURVES[n],
            "marker": MARKS[n],
            "linestyle": LINES[n],
            "capsize": 3,
            "label": name,
        }
        look |= {"markersize": 6} if n else {"markersize": 9, "markerfacecolor": "white"}
        for axes, by in ((left, 1), (right, divisors[name])):
            axes.errorbar(
                cs / by, value, (value - low, high - value), **look
            )  # the first hollow: others lie on it
        texts.append(f"{name}: " + ", ".join(f"{v:.1f} % at {c:g}" for c, v in zip(cs, value)))
    for axes, label in ((left, "c as written"), (right, "c of UCB1 that it comes to")):
        axes.set(xscale="log", xlabel=label)
        axes.set_xticks([0.05, 0.1, 0.2, 0.5, 1.0], ["0.05", "0.1", "0.2", "0.5", "1"])
        axes.minorticks_off()
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    left.set_ylabel("rounds won (%, 95 % interval)")
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(shares), frameon=False)
    figure.alt = "Rounds won over c. " + "; ".join(texts)
    return figure
