"""The game viewer: watch two players, and where the search's playouts go. The only file of libewn with widgets.

    watch("hard", MCTS(simulations=2000), seed=7)            a game between two players: Red, Blue
    watch(game, comment=MCTS(simulations=2000))              a game played before, with a search that comments on it

A game goes to the browser once and is played there by viewer.js, so it stays smooth while Python is busy.
`viewer.save_html(path)` writes a page that shows it without Python.
"""

import json
import math
import re
from html import escape
from pathlib import Path

import anywidget
import traitlets

from lib2048.files import replacing
from lib2048.viewer.viewer import HERE as SHARED
from libewn import draw
from libewn.game import Game
from libewn.match import PLAYERS, player
from libewn.mcts import MCTS, NEVER
from libewn.opponents import AlphaBeta
from libewn.start import SIDES, Instance, check_whole, instance

HERE = Path(__file__).parent
STYLE = "\n".join((folder / "viewer.css").read_text(encoding="utf-8") for folder in (SHARED, HERE))
SPEEDS = (0.25, 0.5, 1, 2, 4, 8, 16)
LOOK = {
    **{"cell": draw.CELL, "edge": draw.EDGE, "board": draw.BOARD, "line": draw.LINE},
    **{"fills": draw.FILLS, "rims": draw.RIMS, "digits": draw.DIGITS, "goal": draw.GOAL},
    **{"moved": draw.MOVED, "tried": draw.TRIED, "speeds": SPEEDS},
}
BOARDS, SIZE = 6, 260  # in the picture of a game: boards, and the width of each in pixels


def _plain(numbers) -> list[float | None]:
    """Numbers as JSON can hold them."""
    return [float(number) if math.isfinite(number) else None for number in numbers]


def _position(game: Game) -> dict:
    """What the browser needs to draw a position."""
    moves = [[*move, *draw.target_of(game, move)] for move in game.legal_moves()]
    found = {"squares": game.squares(), "mover": game.mover, "moves": moves, "note": ""}
    return found | (
        {"die": game.die} if game.winner is None else {"winner": game.winner, "by": game.by}
    )


def _thoughts(found, game: Game) -> dict:
    """What a search found out, for the browser; `found` may be None."""
    if found is None:
        text = (
            "The only move: nobody searched."
            if len(game.legal_moves()) == 1
            else "Nobody searched here."
        )
        return {"note": text}
    return {
        "visits": found.visits.tolist(),
        "means": _plain(found.means),
        "proofs": found.proofs.tolist(),
    }


def _moved(one, game: Game):
    """(the move of a player, what its search found or None)."""
    if not isinstance(one, MCTS):
        return one.move(game), None
    one.findings = None
    return one.move(game), one.findings


def record(red, blue, game: Game, seed: int = 0, comment: MCTS | None = None) -> list[dict]:
    """Let two players play a game to its end, and note every position with what was thought of it.

    comment: a search that thinks about the positions about which the player itself did not search.
    """
    plies, players = [], (red, blue)
    for n, one in enumerate(players + (comment,) * (comment is not None)):
        one.start(2 * seed + n)
    while game.winner is None:
        ply = _position(game)
        move, found = _moved(players[game.mover], game)
        if found is None and comment is not None and len(ply["moves"]) > 1:
            found = comment.search(game)
        ply |= _thoughts(found, game) | {"move": game.legal_moves().index(move)}
        plies.append(ply)
        game.play(move)
    return [*plies, _position(game)]


class _Replayer:
    """A player that plays the moves of a finished game again."""

    def __init__(self, moves):
        self.moves = list(moves)

    def start(self, seed: int) -> None:
        """Begin a new game."""

    def move(self, game: Game) -> tuple[int, int]:
        """The move that was played."""
        return self.moves[len(game.history)]


class Viewer(anywidget.AnyWidget):
    """What `watch` shows. `ply` (as of the last pause), `playing` and `speed` follow the browser; set them."""

    _esm = HERE / "viewer.js"
    _css = STYLE
    look = traitlets.Dict(LOOK).tag(sync=True)
    game = traitlets.Dict().tag(sync=True)  # the game as JSON: see _position and watch
    ply = traitlets.Int(0).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    speed = traitlets.Float(1.0).tag(sync=True)

    def __init__(self, played: Game, about: dict):
        self.played = played
        super().__init__(game=about)

    @traitlets.validate("ply")
    def _keep_inside(self, proposal):
        return max(0, min(proposal["value"], len(self.game["plies"]) - 1))

    @traitlets.validate("speed")
    def _check_speed(self, proposal):
        if proposal["value"] not in SPEEDS:
            raise ValueError(
                f"the speed is one of {', '.join(map(str, SPEEDS))}, got {proposal['value']!r}"
            )
        return proposal["value"]

    def seek(self, ply: int) -> None:
        """Pause and show the position after so many plies."""
        self.playing, self.ply = False, ply

    def step(self, plies: int = 1) -> None:
        """Pause and go on by some plies; back if `plies` is negative."""
        self.seek(self.ply + plies)

    def close(self) -> None:
        """The view leaves the notebook; the picture stays."""
        super().close()
        vars(self).pop("_repr_mimebundle_", None)  # with which ipywidgets hides ours

    def svg(self) -> str:
        """The game in some of its boards, the last one among them."""
        plies, moves, boards = self.game["plies"], self.played.history.copy(), []
        shown = {round(n * len(moves) / (BOARDS - 1)) for n in range(BOARDS)}
        _take_back(self.played)
        for number, ply in enumerate(plies):
            if number in shown:
                total = sum(ply.get("visits", ()))
                shares = (
                    {tuple(move[:2]): n / total for move, n in zip(ply["moves"], ply["visits"])}
                    if total
                    else None
                )
                boards.append(draw.board_svg(self.played, shares, size=SIZE))
            if number < len(moves):
                self.played.play(moves[number])
        return draw.side_by_side(boards, self.words, columns=3)

    @property
    def words(self) -> str:
        """The game in a line."""
        names = " against ".join(
            f"{side} {name}".strip() for side, name in zip(SIDES, self.game["names"])
        )
        return f"EinStein wuerfelt nicht!, {names}, seed {self.game['seed']}: {draw.state_text(self.played)}"

    def _repr_mimebundle_(self, **kwargs) -> dict:
        """The widget for a live notebook, and a picture for everything else."""
        live = {} if self.comm is None else super()._repr_mimebundle_(**kwargs)[0]
        return live | {"image/svg+xml": self.svg(), "text/plain": self.words}

    def save_html(self, path, title: str = "A game of EinStein wuerfelt nicht!") -> None:
        """Write one page that shows the game without Python or a network."""
        state = {name: getattr(self, name) for name in ("look", "game", "ply", "speed")}
        page = (SHARED / "viewer.html").read_text(encoding="utf-8")
        script = (HERE / "viewer.js").read_text(encoding="utf-8")
        parts = {"title": escape(title), "picture": self.svg(), "css": STYLE, "js": script}
        parts["state"] = json.dumps(state).replace("<", "\\u003c")
        page = re.sub("@(title|picture|state|css|js)@", lambda found: parts[found[1]], page)
        with replacing(path, len(page)) as file:
            file.write(page.encode())


def _take_back(game: Game) -> list[tuple[int, int]]:
    """Take a game back to its start. Returns its moves."""
    moves = game.history.copy()
    while game.history:
        game.undo()
    return moves


def _name(one) -> str:
    """What a player is called on the screen."""
    if not isinstance(one, MCTS):
        return (
            type(one).__name__
            if not isinstance(one, AlphaBeta)
            else f"alpha-beta, depth {one.depth}"
        )
    kind = "MCS" if one.rule.expand == NEVER else "MCTS"
    return (
        f"{kind}, {one.simulations:,} playouts a move"
        if one.simulations
        else f"{kind}, {one.seconds:g} s a move"
    )


def watch(red, blue=None, start=None, seed: int = 0, comment: MCTS | None = None) -> Viewer:
    """The viewer of a game between two players, or of a finished Game (red alone).

    red, blue: players, or names of such without options: "easy", "normal", "hard". start: an Instance, or a Game to go
    on from; instance `seed` number 0 when it is left out. comment: a search to think about positions about which the
    player itself did not.
    """
    check_whole("seed", seed)
    if comment is not None and not isinstance(comment, MCTS):
        raise ValueError(f"a comment comes from an MCTS, got {comment!r}")
    if blue is None and isinstance(red, Game) and red.winner is not None:
        game, names = red, ["", ""]
        red = blue = _Replayer(_take_back(game))
    else:
        if start is not None and not isinstance(start, Instance | Game):
            raise ValueError(f"a game starts from an Instance or a Game, got {start!r}")
        begin = instance(seed) if start is None else start
        game = (
            Game(begin.instance, begin.squares(), begin.ply)
            if isinstance(start, Game)
            else Game(begin)
        )
        names = [one if isinstance(one, str) else _name(one) for one in (red, blue)]
        red, blue = (player(one) if isinstance(one, str) else one for one in (red, blue))
        if not all(hasattr(one, "move") and hasattr(one, "start") for one in (red, blue)):
            raise ValueError(
                f"watch shows two players, such as {', '.join(PLAYERS)}, or a finished Game, got {names}"
            )
    about = {
        "rows": game.kind.rows,
        "columns": game.kind.columns,
        "first": game.kind.first,
        "dice": list(game.dice),
    }
    about |= {
        "known": game.kind.name != "classic",
        "start": game.ply,
        "names": names,
        "seed": str(seed),
    }
    return Viewer(game, about | {"plies": record(red, blue, game, seed, comment)})
