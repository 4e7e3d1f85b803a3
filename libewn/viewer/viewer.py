"""The game viewer: watch two players, and where the search's playouts go.

    watch("hard", MCTS(simulations=2000), seed=7)     a game between two players: Red, Blue
    watch(game, comment=MCTS(simulations=2000))       a finished game, with a search that comments

In a notebook a reader can take the seat of either player. `viewer.save_html(path)` writes a page
that shows the game without Python; nobody can play on it.
"""

from pathlib import Path
from typing import Any

import traitlets

from lib2048.validate import check_whole
from lib2048.viewer.joining import joined
from lib2048.viewer.widget import ReplayWidget, shared_style
from libewn import draw
from libewn.game import Game
from libewn.match import PLAYERS, Player, player
from libewn.mcts import MCTS, NEVER
from libewn.opponents import AlphaBeta
from libewn.start import SIDES, Instance, instance
from libewn.viewer.opposing import Opponent
from libewn.viewer.recording import Replayer, record

HERE = Path(__file__).parent
SCRIPT = HERE / "script"
STYLE = shared_style() + (HERE / "style" / "ewn.css").read_text(encoding="utf-8")
TITLE = "EinStein würfelt nicht!"
SPEEDS = (0.25, 0.5, 1, 2, 4, 8, 16)
BOARDS = 6  # in the picture of a game
BOARD_SIZE = 260  # their width in pixels

LOOK = {
    "cell": draw.CELL,
    "edge": draw.EDGE,
    "board": draw.BOARD,
    "line": draw.LINE,
    "fills": draw.FILLS,
    "rims": draw.RIMS,
    "digits": draw.DIGITS,
    "goal": draw.GOAL,
    "moved": draw.MOVED,
    "tried": draw.TRIED,
    "speeds": SPEEDS,
}


class Viewer(ReplayWidget):
    """What `watch` shows.

    `ply` (as of the last pause), `playing` and `speed` follow the browser; set them, and the
    browser follows.

    Parameters
    ----------
    played : Game
        The finished game.
    about : dict
        What the browser is to know of it: see `watch` and recording.py.
    opponent : Opponent
        Who answers a person who plays in the browser.
    """

    POSITION = "ply"
    SPEEDS = SPEEDS
    PAGE_STATE = ("look", "game", "ply", "speed")
    PAGE_SCRIPT = joined(SCRIPT / "standalone.js")

    _esm = joined(SCRIPT / "view.js")
    _css = STYLE
    look = traitlets.Dict(LOOK).tag(sync=True)
    game = traitlets.Dict().tag(sync=True)
    ply = traitlets.Int(0).tag(sync=True)

    def __init__(self, played: Game, about: dict, opponent: Opponent):
        self.played = played
        self._opponent = opponent
        super().__init__(game=about)
        self.on_msg(self._answer)

    def _answer(self, _widget, message, _buffers) -> None:
        """Answer a move of the browser, see person.js; what goes wrong is an answer as well."""
        try:
            plies = self._opponent.answer(message["person"], message["moves"], message["advised"])
            reply: dict[str, Any] = {"plies": plies}
        except (ValueError, KeyError, TypeError) as error:
            reply = {"error": str(error)}
        self.send(reply | {"id": message.get("id")})

    @traitlets.validate("ply")
    def _keep_inside(self, proposal):
        return max(0, min(proposal["value"], len(self.game["plies"]) - 1))

    def svg(self) -> str:
        """The game in some of its boards, the last one among them."""
        moves = self.played.history.copy()
        shown = {round(n * len(moves) / (BOARDS - 1)) for n in range(BOARDS)}
        boards = []
        _take_back(self.played)
        for number, ply in enumerate(self.game["plies"]):
            if number in shown:
                boards.append(draw.board_svg(self.played, _shares(ply), size=BOARD_SIZE))
            if number < len(moves):
                self.played.play(moves[number])
        return draw.side_by_side(boards, self.words, columns=3)

    @property
    def words(self) -> str:
        """The game in a line."""
        sides = [
            f"{side} {name}".strip() for side, name in zip(SIDES, self.game["names"], strict=True)
        ]
        players = " against ".join(sides)
        result = draw.state_text(self.played)
        return f"{TITLE}, {players}, seed {self.game['seed']}: {result}"

    def _page_state(self) -> dict:
        return super()._page_state() | {"alone": True}  # there is nobody to play against

    def save_html(self, path: str | Path, title: str = f"A game of {TITLE}") -> None:
        """Write one page that shows the game without Python.

        Parameters
        ----------
        path : str or Path
            The file to write.
        title : str
            What stands above the game.
        """
        self._write_page(path, title)


def _shares(ply: dict) -> dict[tuple[int, int], float] | None:
    """The share of a position's playouts by move, None where nobody searched."""
    visits = ply.get("visits", [])
    total = sum(visits)
    if not total:
        return None
    moves = [(cube, way) for cube, way, _, _ in ply["moves"]]
    return {move: count / total for move, count in zip(moves, visits, strict=True)}


def _take_back(game: Game) -> list[tuple[int, int]]:
    """Take a game back to its start. Returns its moves."""
    moves = game.history.copy()
    while game.history:
        game.undo()
    return moves


def watch(
    red: Player | str | Game,
    blue: Player | str | None = None,
    start: Instance | Game | None = None,
    seed: int = 0,
    comment: MCTS | None = None,
) -> Viewer:
    """Watch a game between two players, or a finished one.

    Parameters
    ----------
    red, blue : Player or str
        Players, or names of such without options: "easy", "normal", "hard". A finished Game as
        `red`, alone, is played again.
    start : Instance or Game, optional
        What to play, or a game to go on from; instance `seed`, number 0, when it is left out.
    seed : int
        What the players' random numbers depend on.
    comment : MCTS, optional
        A search to think about the positions about which the player itself did not search.

    Returns
    -------
    Viewer
        The viewer, which a notebook shows.

    Raises
    ------
    ValueError
        If these are not two players or a finished game, or the other arguments are not as above.
    """
    check_whole("seed", seed)
    if comment is not None and not isinstance(comment, MCTS):
        raise ValueError(f"a comment comes from an MCTS, got {comment!r}")
    if blue is None and isinstance(red, Game) and red.winner is not None:
        game = red
        players: list[Player] = [Replayer(_take_back(game))] * 2
        names = ["", ""]
    else:
        game = _beginning(start, seed)
        names = [_name(red), _name(blue)]
        players = [_player(red), _player(blue)]
        if not all(map(_can_play, players)):
            raise ValueError(
                f"watch shows two players, such as {', '.join(PLAYERS)}, or a finished Game, "
                f"got {names}"
            )
    about = {
        "rows": game.variant.rows,
        "columns": game.variant.columns,
        "first": game.variant.first,
        "dice": list(game.dice),
        "known": game.variant.name != "classic",  # whether both sides know the dice to come
        "start": game.ply,
        "names": names,
        "seed": str(seed),  # as text, because JavaScript's numbers have 53 bits
    }
    opponent = Opponent(players, game, seed, comment)
    red_player, blue_player = players
    about["plies"] = record(red_player, blue_player, game, seed, comment)
    return Viewer(game, about, opponent)


def _beginning(start: Instance | Game | None, seed: int) -> Game:
    """The game as it is before the players take over."""
    if start is None:
        return Game(instance(seed))
    if isinstance(start, Game):
        return Game(start.instance, start.squares(), start.ply)
    if isinstance(start, Instance):
        return Game(start)
    raise ValueError(f"a game starts from an Instance or a Game, got {start!r}")


def _player(player_or_name: Any) -> Any:
    return player(player_or_name) if isinstance(player_or_name, str) else player_or_name


def _can_play(candidate) -> bool:
    return hasattr(candidate, "move") and hasattr(candidate, "start")


def _name(player_or_name: Any) -> str:
    """What a player is called on the screen."""
    match player_or_name:
        case str(name):
            return name
        case AlphaBeta(depth=depth):
            return f"alpha-beta, depth {depth}"
        case MCTS() as search:
            return _search_name(search)
    return type(player_or_name).__name__


def _search_name(search: MCTS) -> str:
    name = "MCS" if search.rule.expand == NEVER else "MCTS"
    if search.simulations:
        return f"{name}, {search.simulations:,} playouts a move"
    return f"{name}, {search.seconds:g} s a move"
