"""The game of the book as one picture that moves: figures/game.svg, which README shows.

    svg = game_svg(the_game())

First a dozen moves one by one, then in ever longer strides, and slowly again where the largest tile
comes up. Every frame lies in the document; a style sheet shows one at a time. Nothing in it is a
script, so it moves in an `img` tag too. Printed, or opened by itself where the reader asked for
less motion, it stands still at the last frame.
"""

import numpy as np

from lib2048 import Trace, to_array
from lib2048.draw import (
    BASELINE,
    CELL,
    DIGIT,
    FONT,
    FRAME,
    RIM,
    SIDE,
    TILES,
    corner,
    ink,
    rectangle,
)

FIRST_MOVES = 12  # shown one by one
STRIDES = 70  # frames from there to the move that makes the largest tile
AROUND = 6  # moves before that one that are shown one by one again
SECONDS_A_MOVE = 0.35
SECONDS_A_STRIDE = 0.12
SECONDS_AT_THE_END = 4.0
HEADER = 96  # above the board: score and moves


def frames(game: Trace) -> list[tuple[int, float]]:
    """Which boards of a game are shown, and for how many seconds each.

    Parameters
    ----------
    game
        The game.

    Examples
    --------
    >>> from workbook.story import the_game
    >>> shown = frames(the_game())
    >>> shown[0], shown[1][0], shown[-1][1]
    ((0, 0.35), 1, 4.0)
    """
    largest = int(np.argmax([to_array(board).max() for board in game.boards]))
    slow_again = max(FIRST_MOVES, largest - AROUND)
    strides = np.geomspace(FIRST_MOVES, slow_again, STRIDES).round().astype(int)
    seconds = dict.fromkeys(strides.tolist(), SECONDS_A_STRIDE)
    seconds |= dict.fromkeys(range(FIRST_MOVES), SECONDS_A_MOVE)
    seconds |= dict.fromkeys(range(slow_again, largest), SECONDS_A_MOVE)
    seconds[largest] = SECONDS_AT_THE_END
    return sorted(seconds.items())


def game_svg(game: Trace, size: int = 360) -> str:
    """A game as an SVG document that moves.

    Parameters
    ----------
    game
        The game.
    size
        Its width in pixels.

    Examples
    --------
    >>> from workbook.story import the_game
    >>> svg = game_svg(the_game())
    >>> svg[:4], len(svg) < 300_000
    ('<svg', True)
    """
    shown = frames(game)
    scores = np.concatenate([[0], np.cumsum(game.rewards)])
    starts = np.cumsum([0, *(seconds for _, seconds in shown)])
    total = float(starts[-1])
    height = SIDE + HEADER
    groups = []
    for number, (move, seconds) in enumerate(shown):
        is_last = number == len(shown) - 1
        name = "frame last" if is_last else "frame"
        style = f"animation-delay:{starts[number] - total:.2f}s"
        if not is_last:
            style += f";animation-name:{_pace(seconds)}"
        content = _frame(int(game.boards[move]), int(scores[move]), move)
        groups.append(f'<g class="{name}" style="{style}">{content}</g>')
    last_move = shown[-1][0]
    text = (
        f"A game of 2048 that a network plays, in time lapse: {last_move:,} moves, "
        f"{scores[last_move]:,} points, and the first {game.max_tile} is made."
    )
    panel = rectangle(0, 0, SIDE, 14, f'fill="{FRAME}"', height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {height}" width="{size}" '
        f'height="{size * height / SIDE:.0f}" role="img"><title>{text}</title>'
        f"<style>{_style(total)}</style><defs>{_tiles()}</defs>"
        f"{panel}{_empty_cells()}{''.join(groups)}</svg>"
    )


def _pace(seconds: float) -> str:
    """The name of the animation that shows a frame for so long."""
    return "stride" if seconds == SECONDS_A_STRIDE else "move"


def _style(total: float) -> str:
    """Each frame is seen for its part of the whole, then hidden until it comes round again."""
    rules = [
        f".frame{{visibility:hidden;animation:move {total:.2f}s step-end infinite}}",
        ".last{visibility:visible;animation-name:end}",
        "@media (prefers-reduced-motion:reduce),print{.frame{animation:none}}",
    ]
    paces = {"move": SECONDS_A_MOVE, "stride": SECONDS_A_STRIDE, "end": SECONDS_AT_THE_END}
    for name, seconds in paces.items():
        share = 100 * seconds / total
        rules.append(
            f"@keyframes {name}{{0%{{visibility:visible}}{share:.3f}%{{visibility:hidden}}"
            "100%{visibility:hidden}}"
        )
    return "".join(rules)


def _tiles() -> str:
    """Each tile once, at the corner of the drawing, to be placed by `use`."""
    drawn = []
    for exponent in range(1, len(TILES)):
        number = str(2**exponent)
        font = min(48, 0.86 * CELL / (DIGIT * len(number)))
        y = CELL / 2 + BASELINE * font
        colour = TILES[exponent]
        square = rectangle(0, 0, CELL, 8, f'fill="{colour}" {RIM}')
        drawn.append(
            f'<g id="t{exponent}">{square}'
            f'<text x="{CELL / 2:g}" y="{y:.4g}" font-size="{font:.4g}" font-weight="bold" '
            f'fill="{ink(colour)}" {FONT}>{number}</text></g>'
        )
    return "".join(drawn)


def _empty_cells() -> str:
    """The sixteen places of a board, below its header."""
    drawn = []
    for cell in range(16):
        x, y = corner(cell)
        drawn.append(rectangle(x, y + HEADER, CELL, 8, f'fill="{TILES[0]}" {RIM}'))
    return "".join(drawn)


def _frame(board: int, score: int, move: int) -> str:
    """The tiles of a board, and what stands above it."""
    drawn = [_number(0.3, f"{score:,}", "points"), _number(0.7, f"{move:,}", "moves")]
    for cell, exponent in enumerate(to_array(board).flat):
        if exponent:
            x, y = corner(cell)
            drawn.append(f'<use href="#t{exponent}" x="{x}" y="{y + HEADER}"/>')
    return "".join(drawn)


def _number(place: float, number: str, what: str) -> str:
    """A number of the header, at a share of the width, with a word for it."""
    x = f"{place * SIDE:g}"
    white = 'fill="#ffffff"'
    return (
        f'<text x="{x}" y="58" font-size="44" font-weight="bold" {white} {FONT}>{number}</text>'
        f'<text x="{x}" y="90" font-size="24" {white} {FONT}>{what}</text>'
    )
