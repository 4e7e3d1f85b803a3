"""Boards as text and as SVG.

Red's cubes are dark squares, Blue's light ones with round corners: a grey print keeps
them apart."""

import re
from html import escape
from typing import Protocol

from libewn.rules import STEPS, Variant
from libewn.start import BLUE, RED, SIDES

CELL = 60
LETTER = 10.5  # width of one of a percentage
EDGE = 26
BOARD = "#f4efe6"
LINE = "#a79c8c"
INK = "#2b231c"
# Of Red's cubes and Blue's.
FILLS = ("#a3231b", "#cfe1f4")
RIMS = ("#5c100b", "#1c4f86")
DIGITS = ("#ffffff", "#10335c")
GOAL = "#f0c9c5"  # Red's, a paler red
# Arrows: the last move; moves with a share.
MOVED = "#e0a100"
TRIED = "#2f7d4f"
FONT = 'font-family="Arial, Helvetica, DejaVu Sans, sans-serif" text-anchor="middle"'


class Drawable(Protocol):
    """What a picture needs to know of a game; see game.Game, which is one."""

    @property
    def variant(self) -> Variant: ...
    @property
    def history(self) -> list[tuple[int, int]]: ...
    @property
    def ply(self) -> int: ...
    @property
    def mover(self) -> int: ...
    @property
    def die(self) -> int: ...
    @property
    def winner(self) -> int | None: ...
    @property
    def by(self) -> str | None: ...
    def squares(self) -> tuple[list[int], list[int]]: ...
    def legal_moves(self) -> list[tuple[int, int]]: ...


# As text


def owners(game: Drawable) -> dict[int, tuple[int, int]]:
    """Who stands where: {square: (side, number on the cube)}."""
    standing = {}
    for side, squares in enumerate(game.squares()):
        for cube, square in enumerate(squares):
            if square >= 0:
                standing[square] = side, cube + game.variant.first
    return standing


def state_text(game: Drawable) -> str:
    """Whose turn it is and with which die, or who has won, in a line."""
    if game.winner is not None:
        return f"after {game.ply} plies: {SIDES[game.winner]} has won by {game.by}"
    return f"ply {game.ply}: {SIDES[game.mover]} to move, die {game.die}"


def board_text(game: Drawable) -> str:
    """The board as lines of text: R0 is Red's cube 0, B0 Blue's, a dot an empty square.

    Examples
    --------
    >>> from libewn import Game
    >>> print(board_text(Game(seed=1)).splitlines()[0])
    R4  R0  R2   .   .   .   .
    """
    standing = owners(game)
    names = []
    for square in range(game.variant.last + 1):
        if square in standing:
            side, number = standing[square]
            names.append(f"{'RB'[side]}{number}")
        else:
            names.append(" .")
    columns = game.variant.columns
    rows = [names[start : start + columns] for start in range(0, len(names), columns)]
    return "\n".join(["  ".join(row) for row in rows] + [state_text(game)])


# As a picture


def target_of(game: Drawable, move: tuple[int, int], mover: int | None = None) -> tuple[int, int]:
    """Where a move of the side to move, or of `mover`, starts and ends: two squares."""
    side = game.mover if mover is None else mover
    start = game.squares()[side][move[0] - game.variant.first]
    return start, start + _step(game, move[1], side)


def _step(game: Drawable, direction: int, side: int) -> int:
    """The difference of squares that a move of a side in a direction makes."""
    down, right = STEPS[direction]
    step = down * game.variant.columns + right
    return step if side == RED else -step


def _centre(game: Drawable, square: int) -> tuple[float, float]:
    row, column = divmod(square, game.variant.columns)
    return EDGE + (column + 0.5) * CELL, EDGE + (row + 0.5) * CELL


def _arrow(game: Drawable, start: int, end: int, width: float, colour: str) -> str:
    """An arrow between the middles of two neighbouring squares, kept clear of the digits."""
    start_x, start_y = _centre(game, start)
    end_x, end_y = _centre(game, end)
    distance = ((end_x - start_x) ** 2 + (end_y - start_y) ** 2) ** 0.5
    along_x = (end_x - start_x) / distance
    along_y = (end_y - start_y) / distance
    tail_x = start_x + 19 * along_x
    tail_y = start_y + 19 * along_y
    tip_x = end_x - 17 * along_x
    tip_y = end_y - 17 * along_y
    head = 6 + width
    neck_x = tip_x - head * along_x
    neck_y = tip_y - head * along_y
    barb = 0.6 * head
    corners = (
        (tip_x, tip_y),
        (neck_x - barb * along_y, neck_y + barb * along_x),
        (neck_x + barb * along_y, neck_y - barb * along_x),
    )
    path = " L".join(f"{x:.1f} {y:.1f}" for x, y in corners)
    return (
        f'<line x1="{tail_x:.1f}" y1="{tail_y:.1f}" x2="{neck_x:.1f}" y2="{neck_y:.1f}" '
        f'stroke="{colour}" stroke-width="{width:.1f}"/><path d="M{path} Z" fill="{colour}"/>'
    )


def _label_place(game: Drawable, start: int, end: int, is_taken: bool) -> tuple[float, float]:
    """Where the middle of a move's percentage stands.

    That is in the square it goes to, beyond the arrow; at the far edge of a square that is taken.
    """
    start_x, start_y = _centre(game, start)
    end_x, end_y = _centre(game, end)
    if is_taken:
        return end_x, end_y + (23 if end_y >= start_y else -23)
    return end_x + (end_x - start_x) / 12, end_y + (end_y - start_y) / 20


def _cube(game: Drawable, square: int, side: int, number: int, may_move: bool) -> str:
    x, y = _centre(game, square)
    corner = 3 if side == RED else 18
    rim = 5 if may_move else 2
    return (
        f'<rect x="{x - 20}" y="{y - 20}" width="40" height="40" rx="{corner}" '
        f'fill="{FILLS[side]}" stroke="{RIMS[side]}" stroke-width="{rim}"/>'
        f'<text x="{x}" y="{y + 8}" font-size="23" font-weight="bold" '
        f'fill="{DIGITS[side]}" {FONT}>{number}</text>'
    )


def board_svg(
    game: Drawable, shares: dict | None = None, lastmove: bool = True, size: float = 300
) -> str:
    """A game as an SVG document. Cubes that may move have a thick rim.

    Parameters
    ----------
    game : Game
        The game, as it stands.
    shares : dict, optional
        {move: 0 to 1}, drawn as arrows of that width with the percentage: a search's visits, say.
    lastmove : bool
        Whether to draw the last move as an arrow.
    size : float
        The width in pixels.

    Returns
    -------
    str
        The document.

    Raises
    ------
    ValueError
        If a share is no share, or of a move that is not legal.

    Examples
    --------
    >>> from libewn import Game
    >>> board_svg(Game(seed=1))[:4]
    '<svg'
    """
    shares = shares or {}
    _check_shares(shares, game.legal_moves())
    if not isinstance(size, int | float) or not 0 < size < 10_000:
        raise ValueError(
            f"size, the width in pixels, is a number above 0 and below 10000, got {size!r}"
        )
    width = 2 * EDGE + game.variant.columns * CELL
    height = 2 * EDGE + game.variant.rows * CELL + 24
    parts = [f'<rect width="{width}" height="{height}" rx="8" fill="#ffffff"/>']
    parts += _squares(game)
    parts += _cubes(game)
    if lastmove and game.history:
        parts.append(_last_move(game))
    parts += _tried(game, shares)
    parts.append(
        f'<text x="{width / 2}" y="{height - 14}" font-size="17" fill="{INK}" {FONT}>'
        f"{escape(state_text(game))}</text>"
    )
    title = escape("EinStein würfelt nicht! board: " + "; ".join(board_text(game).splitlines()))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{size:g}" height="{height * (size / width):.6g}" role="img">'
        f"<title>{title}</title>{''.join(parts)}</svg>"
    )


def _check_shares(shares: dict, legal: list[tuple[int, int]]) -> None:
    for move, share in shares.items():
        if move not in legal or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise ValueError(
                f"shares are numbers from 0 to 1 of the legal moves {legal}, "
                f"got {move!r}: {share!r}"
            )


def _squares(game: Drawable) -> list[str]:
    """The empty board; the goals are in their owners' hues."""
    fills = {0: FILLS[BLUE], game.variant.last: GOAL}
    parts = []
    for square in range(game.variant.last + 1):
        x, y = _centre(game, square)
        parts.append(
            f'<rect x="{x - CELL / 2}" y="{y - CELL / 2}" width="{CELL}" height="{CELL}" '
            f'fill="{fills.get(square, BOARD)}" stroke="{LINE}"/>'
        )
    return parts


def _cubes(game: Drawable) -> list[str]:
    """All cubes that are left."""
    movers = {cube for cube, _ in game.legal_moves()}
    parts = []
    for square, (side, number) in owners(game).items():
        may_move = side == game.mover and number in movers
        parts.append(_cube(game, square, side, number, may_move))
    return parts


def _last_move(game: Drawable) -> str:
    """The last move as an arrow."""
    number, direction = game.history[-1]
    side = 1 - game.mover
    end = game.squares()[side][number - game.variant.first]
    return _arrow(game, end - _step(game, direction, side), end, 4, MOVED)


def _tried(game: Drawable, shares: dict) -> list[str]:
    """The arrows of moves with a share, and their labels above all arrows."""
    taken = set(owners(game))
    arrows = []
    labels = []
    for move, share in shares.items():
        start, end = target_of(game, move)
        arrows.append(_arrow(game, start, end, 2 + 10 * share, TRIED))
        x, y = _label_place(game, start, end, end in taken)
        labels += _label(x, y, f"{share:.0%}")
        taken.add(end)
    return arrows + labels


def _label(x: float, y: float, text: str) -> list[str]:
    """A text around a place, on a white plate: it may lie on a cube."""
    wide = LETTER * len(text) + 6
    return [
        f'<rect x="{x - wide / 2:.1f}" y="{y - 9:.1f}" width="{wide:.1f}" height="18" rx="4" '
        f'fill="#ffffff" stroke="{LINE}"/>',
        f'<text x="{x:.1f}" y="{y + 6:.1f}" font-size="17" fill="{INK}" {FONT}>{text}</text>',
    ]


def side_by_side(drawings: list[str], title: str, columns: int = 3, gap: float = 8) -> str:
    """SVG documents of one size in rows, as one document with this title.

    Their own titles are left out.

    Raises
    ------
    ValueError
        If there is nothing to put side by side.
    """
    if not drawings:
        raise ValueError("there is nothing to put side by side")
    wide = _attribute(drawings[0], "width") + gap
    high = _attribute(drawings[0], "height") + gap
    columns = min(columns, len(drawings))
    rows = -(-len(drawings) // columns)
    width = columns * wide - gap
    height = rows * high - gap
    parts = []
    for place, drawing in enumerate(drawings):
        row, column = divmod(place, columns)
        moved = drawing.replace("<svg ", f'<svg x="{column * wide:g}" y="{row * high:g}" ', 1)
        parts.append(re.sub("<title>.*?</title>", "", moved, count=1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _attribute(drawing: str, name: str) -> float:
    """A length that an SVG document says of itself."""
    found = re.search(f' {name}="([0-9.]+)"', drawing)
    if found is None:
        raise ValueError(f"a drawing says its {name} in pixels, got {drawing[:60]!r}")
    return float(found[1])
