"""Boards as text and as SVG.

Red's cubes are dark squares, Blue's light ones with round corners: a grey print keeps
them apart."""

import re
from html import escape
from numbers import Real

from libewn.game import BLUE, RED, Game
from libewn.rules import STEPS
from libewn.start import SIDES

CELL, EDGE = 60, 26
BOARD, LINE, INK = "#f4efe6", "#a79c8c", "#2b231c"
FILLS, RIMS, DIGITS = ("#a3231b", "#cfe1f4"), ("#5c100b", "#1c4f86"), ("#ffffff", "#10335c")
GOAL = "#f0c9c5"  # of Red, a paler red
MOVED, TRIED = "#e0a100", "#2f7d4f"  # arrows: the last move; moves with a share
FONT = 'font-family="Arial, Helvetica, DejaVu Sans, sans-serif" text-anchor="middle"'


def _owners(game: Game) -> dict[int, tuple[int, int]]:
    """Square -> (side, number on the cube)."""
    first = game.variant.first
    return {
        square: (side, cube + first)
        for side, squares in enumerate(game.squares())
        for cube, square in enumerate(squares)
        if square >= 0
    }


def target_of(game: Game, move: tuple[int, int], mover: int | None = None) -> tuple[int, int]:
    """(square a move starts from, square it goes to), for a move of the side to move or of `mover`."""
    side = game.mover if mover is None else mover
    down, right = STEPS[move[1]]
    square = game.squares()[side][move[0] - game.variant.first]
    return square, square + (down * game.variant.columns + right) * (1 if side == RED else -1)


def state_text(game: Game) -> str:
    """Whose turn it is and with which die, or who has won, in a line."""
    if game.winner is not None:
        return f"after {game.ply} plies: {SIDES[game.winner]} has won by {game.by}"
    return f"ply {game.ply}: {SIDES[game.mover]} to move, die {game.die}"


def board_text(game: Game) -> str:
    """The board as lines of text: R0 is Red's cube 0, B0 Blue's, a dot an empty square.

    >>> print(board_text(Game(seed=1)).splitlines()[0])
    R3  R5  R4   .   .   .   .
    """
    owners, columns = _owners(game), game.variant.columns
    names = [
        "RB"[owners[s][0]] + str(owners[s][1]) if s in owners else " ."
        for s in range(game.variant.last + 1)
    ]
    rows = ["  ".join(names[start : start + columns]) for start in range(0, len(names), columns)]
    return "\n".join([*rows, state_text(game)])


def _centre(game: Game, square: int) -> tuple[float, float]:
    row, column = divmod(square, game.variant.columns)
    return EDGE + (column + 0.5) * CELL, EDGE + (row + 0.5) * CELL


def _arrow(game: Game, start: int, end: int, width: float, colour: str) -> str:
    """An arrow between the middles of two neighbouring squares, kept clear of the digits."""
    (x, y), (u, v) = _centre(game, start), _centre(game, end)
    along = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
    dx, dy = (u - x) / along, (v - y) / along
    x, y, u, v, head = x + 19 * dx, y + 19 * dy, u - 17 * dx, v - 17 * dy, 6 + width
    neck_x, neck_y, barb = u - head * dx, v - head * dy, 0.6 * head
    points = (
        (u, v),
        (neck_x - barb * dy, neck_y + barb * dx),
        (neck_x + barb * dy, neck_y - barb * dx),
    )
    path = " L".join(f"{a:.1f} {b:.1f}" for a, b in points)
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{neck_x:.1f}" y2="{neck_y:.1f}" stroke="{colour}" '
        f'stroke-width="{width:.1f}"/><path d="M{path} Z" fill="{colour}"/>'
    )


def _label_place(game: Game, start: int, end: int, taken: bool) -> tuple[float, float]:
    """Where a move's percentage stands: in the square it goes to, beyond the arrow; at the far edge of one taken."""
    (x, y), (u, v) = _centre(game, start), _centre(game, end)
    if taken:
        return u, v + (26 if v >= y else -16)
    return u + (u - x) / 12, v + 5 + (v - y) / 20


def _cube(game: Game, square: int, side: int, number: int, may_move: bool) -> str:
    x, y = _centre(game, square)
    rim = 5 if may_move else 2
    return (
        f'<rect x="{x - 20}" y="{y - 20}" width="40" height="40" rx="{3 if side == RED else 18}" fill="{FILLS[side]}" '
        f'stroke="{RIMS[side]}" stroke-width="{rim}"/><text x="{x}" y="{y + 8}" font-size="23" font-weight="bold" '
        f'fill="{DIGITS[side]}" {FONT}>{number}</text>'
    )


def board_svg(
    game: Game, shares: dict | None = None, lastmove: bool = True, size: float = 300
) -> str:
    """A game as an SVG document. Cubes that may move have a thick rim.

    shares: {move: 0 to 1}, drawn as arrows of that width with the percentage, such as a search's
    visits. lastmove: whether to draw the last move as an arrow. size: width in pixels.

    >>> board_svg(Game(seed=1))[:4]
    '<svg'
    """
    legal = game.legal_moves()
    for move, share in (shares or {}).items():
        if move not in legal or not isinstance(share, Real) or not 0 <= share <= 1:
            raise ValueError(
                f"shares are numbers from 0 to 1 of the legal moves {legal}, got {move!r}: {share!r}"
            )
    if not isinstance(size, Real) or not 0 < size < 10_000:
        raise ValueError(
            f"size, the width in pixels, is a number above 0 and below 10000, got {size!r}"
        )
    rows, columns = game.variant.rows, game.variant.columns
    width, height = 2 * EDGE + columns * CELL, 2 * EDGE + rows * CELL + 24
    parts = [f'<rect width="{width}" height="{height}" rx="8" fill="#ffffff"/>']
    for square in range(rows * columns):
        x, y = _centre(game, square)
        fill = {0: FILLS[BLUE], game.variant.last: GOAL}.get(
            square, BOARD
        )  # the goals, in their owners' hues
        parts.append(
            f'<rect x="{x - CELL / 2}" y="{y - CELL / 2}" width="{CELL}" height="{CELL}" fill="{fill}" '
            f'stroke="{LINE}"/>'
        )
    movers = {cube for cube, _ in legal}
    for square, (side, number) in _owners(game).items():
        parts.append(_cube(game, square, side, number, side == game.mover and number in movers))
    if lastmove and game.history:
        down, right = STEPS[game.history[-1][1]]
        sign = 1 if game.mover == BLUE else -1
        cube = game.history[-1][0] - game.variant.first
        end = game.squares()[1 - game.mover][cube]
        parts.append(_arrow(game, end - sign * (down * columns + right), end, 4, MOVED))
    taken, labels = set(_owners(game)), []  # labels stand above all arrows
    for move, share in (shares or {}).items():
        start, end = target_of(game, move)
        parts.append(_arrow(game, start, end, 2 + 10 * share, TRIED))
        labels.append((*_label_place(game, start, end, end in taken), f"{share:.0%}"))
        taken.add(end)
    for x, y, label in labels:
        for look in (
            'fill="#ffffff" stroke="#ffffff" stroke-width="4" aria-hidden="true"',
            f'fill="{INK}"',
        ):
            parts.append(
                f'<text x="{x:.1f}" y="{y:.1f}" font-size="15" {FONT} {look}>{label}</text>'
            )  # on a white rim
    text = escape(state_text(game))
    parts.append(
        f'<text x="{width / 2}" y="{height - 14}" font-size="17" fill="{INK}" {FONT}>{text}</text>'
    )
    scale = size / width
    title = escape("EinStein würfelt nicht! board: " + "; ".join(board_text(game).splitlines()))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{size:g}" '
        f'height="{height * scale:.6g}" role="img"><title>{title}</title>{"".join(parts)}</svg>'
    )


def side_by_side(drawings: list[str], title: str, columns: int = 3, gap: float = 8) -> str:
    """SVG documents of one size in rows, as one document with this title; their own titles are left out."""
    if not drawings:
        raise ValueError("there is nothing to put side by side")
    width, height = (
        float(re.search(f' {name}="([0-9.]+)"', drawings[0])[1]) + gap
        for name in ("width", "height")
    )
    columns = min(columns, len(drawings))
    across, high = columns * width - gap, -(-len(drawings) // columns) * height - gap
    parts = []
    for place, drawing in enumerate(drawings):
        x, y = place % columns * width, place // columns * height
        parts.append(
            re.sub(
                "<title>.*?</title>",
                "",
                drawing.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" ', 1),
                count=1,
            )
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:g} {high:g}" width="{across:g}" '
        f'height="{high:g}" role="img"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )
