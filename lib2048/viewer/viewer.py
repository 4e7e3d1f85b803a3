"""The board viewer: watch a network play, look up what it looks up, play against it.

    watch(net, seed=7)                        a game the network plays now
    watch(trace)                              a game played before
    watch(trace, net=net)                     the same, and the network comments on it
    watch({"1k": net1, "100k": net2}, seed=7) one seed, several ages of training
    watch(net, board=board)                   a game from a board of yours
    watch(board)                              a board, to edit and to play on from

Python is asked only for what needs the network: the lookups of a board, and what it thinks of a
board that a person made. `python -m lib2048.viewer out.html --net FILE --seed 7` writes a page that
shows a game without Python; so does `viewer.save_html(path)`.
"""

import base64
import math
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from lib2048.board import fours_below, from_tiles, slide
from lib2048.draw import board_strip
from lib2048.engines import check_network
from lib2048.network import NTupleNetwork
from lib2048.playing import best_action, play
from lib2048.records import Trace
from lib2048.validate import check_board, check_seed, on_one_line
from lib2048.viewer.joining import joined
from lib2048.viewer.judging import judged, played_on
from lib2048.viewer.look import LOOK, SCRIPT, SPEEDS
from lib2048.viewer.lookups import lookups
from lib2048.viewer.networks import Networks
from lib2048.viewer.own import key_of, notebook, recalled, remember, replayed_record
from lib2048.viewer.packing import described, packed
from lib2048.viewer.page import write_page
from lib2048.viewer.playing import playing_script, playing_state
from lib2048.viewer.widget import ReplayWidget, shared_style

BOARDS = 8  # in the picture of a game
BOARD_SIZE = 150  # their width in pixels


class Viewer(ReplayWidget):
    """What `watch` shows.

    `move` (as of the last pause), `game`, `playing` and `speed` follow the browser; set them, and
    the browser follows. `own` is the game that the reader plays in it, as a Trace.

    Parameters
    ----------
    traces : dict of Trace
        The games, by name.
    nets : dict of NTupleNetwork or None
        For each game the network that may be asked about it.
    """

    POSITION = "move"
    SPEEDS = SPEEDS
    PAGE_STATE = ("look", "games", "game", "move", "speed")
    PAGE_SCRIPT = joined(SCRIPT / "standalone.js")

    _esm = joined(SCRIPT / "view.js")
    _css = shared_style()
    look = traitlets.Dict(LOOK).tag(sync=True)
    games: traitlets.List = traitlets.List().tag(sync=True)  # about each game: see `described`
    data = traitlets.Bytes().tag(sync=True)  # the games themselves: see `packed`
    game = traitlets.Int(0).tag(sync=True)
    move = traitlets.Int(0).tag(sync=True)
    own_moves = traitlets.Dict().tag(sync=True)  # the record of own.js, {} without a game
    own_key = traitlets.Unicode().tag(sync=True)  # what the browser remembers that record by

    def __init__(self, traces: dict[str, Trace], nets: dict[str, NTupleNetwork | None]):
        self._networks = Networks(list(nets.values()))
        self.traces = list(traces.values())
        data = b"".join(map(packed, self.traces))  # which looks whether they are whole
        key = key_of(list(traces), self.traces, notebook())
        games = [
            described(name, trace, net)
            for name, trace, net in zip(traces, self.traces, nets.values(), strict=True)
        ]
        super().__init__(
            games=games,
            data=data,
            own_key=key,
            own_moves=recalled(key),
        )
        self.on_msg(self._answer)

    @property
    def nets(self) -> list[NTupleNetwork | None]:
        """The networks of the games, None where there is none or none any more."""
        return self._networks.present()

    @property
    def trace(self) -> Trace:
        """The game that is shown."""
        return self.traces[self.game]

    @property
    def own(self) -> Trace | None:
        """The game that the reader plays or played in the viewer, None as long as there is none."""
        if not self.own_moves:
            return None
        fours = self.own_moves["fours"]
        p4 = next(trace.p4 for trace in self.traces if int(fours_below(trace.p4)) == fours)
        return replayed_record(self.own_moves, p4)

    @traitlets.observe("own_moves")
    def _remember_own(self, change):
        if change["new"]:
            remember(self.own_key, change["new"])

    @traitlets.validate("game", "move")
    def _keep_inside(self, proposal):
        last = len(self.trace) if proposal["trait"].name == "move" else len(self.traces) - 1
        return max(0, min(proposal["value"], last))

    @traitlets.observe("game")
    def _shorten(self, _):
        self.move = min(self.move, len(self.trace))

    def close(self) -> None:
        """Stop everything: the view leaves the notebook, the networks are let go."""
        super().close()
        self._networks.release()

    # What Python answers

    def _answer(self, _widget, message, _buffers) -> None:
        """Answer a question of the browser, see asker.js; what goes wrong is an answer as well."""
        try:
            reply = self._reply(message)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            reply = {"error": str(error)}
        self.send(reply | {"id": message.get("id")})

    def _reply(self, message: dict) -> dict:
        if message["topic"] == "greedy":
            return self._greedy(message["game"], int(message["seed"]))
        if message["topic"] == "judge":
            return self._judge(message["game"], message["boards"])
        board = int(message["board"], 16)
        if message["topic"] == "play on":
            return self._play_on(message["games"], board, int(message["seed"]), message["first"])
        if message["topic"] == "lens":
            return self._lens(message["game"], board)
        return {"values": self._opinions(board)}

    def _lens(self, game: int, board: int) -> dict:
        """V of a board, and the lookups that make it up."""
        net = self._networks.of(game)
        rows = [
            [pattern, image, index, _plain(weight)]
            for pattern, image, index, weight in lookups(net, board)
        ]
        return {"value": _plain(net.value(board)), "rows": rows}

    def _opinions(self, board: int) -> list[list[float | None] | None]:
        """What each network thinks the four actions are worth."""
        opinions: list[list[float | None] | None] = []
        for net, trace in zip(self.nets, self.traces, strict=True):
            if net is None:
                opinions.append(None)
            else:
                _, values = best_action(
                    net,
                    board,
                    trace.plies,
                    trace.p4,
                    trace.downgrade,
                    margin=trace.margin,
                )
                opinions.append([_plain(value) for value in values])
        return opinions

    def _greedy(self, game: int, seed: int) -> dict:
        """What greedy play reaches from a seed."""
        net = self._networks.of(game)
        how = self.traces[game]
        trace = play(net, seed, p4=how.p4, downgrade=how.downgrade)
        return {"score": trace.score, "moves": len(trace), "largest": trace.max_tile}

    def _judge(self, game: int, boards: list[str]) -> dict:
        """What the network of a game thinks the four actions are worth, on many boards."""
        net = self._networks.of(game)
        values = judged(net, [int(board, 16) for board in boards], self.traces[game])
        return {"values": _plain_rows(values)}

    def _play_on(self, games: list[int], board: int, seed: int, first_move: int) -> dict:
        """How the networks of some games play on from a board: actions, values."""
        played = []
        for game in games:
            net = self._networks.of(game)
            trace = played_on(net, board, seed, first_move, self.traces[game])
            actions = "".join(map(str, trace.actions.tolist()))
            played.append({"actions": actions, "values": _plain_rows(trace.values)})
        return {"played": played}

    # Pictures and pages

    def svg(self) -> str:
        """The game in 6 to 8 boards; of several games, the last boards of each in a row."""
        if len(self.traces) == 1:
            boards, labels = self._strip(0, BOARDS)
            return board_strip(boards, labels, columns=BOARDS // 2, size=BOARD_SIZE)
        kept = max(2, BOARDS // len(self.traces))
        boards = []
        labels = []
        for number, about in enumerate(self.games):
            of_this, named = self._strip(number, kept)
            named[0] = f"{about['name']}: {named[0]}"
            boards += of_this
            labels += named
        return board_strip(boards, labels, columns=kept, size=BOARD_SIZE)

    def _strip(self, number: int, kept: int) -> tuple[list[int], list[str]]:
        """The last key boards of a game, with a label for each."""
        trace = self.traces[number]
        moves = self.games[number]["keys"][-kept:]
        boards = [int(trace.boards[move]) for move in moves]
        labels = [f"move {move:,}" for move in moves]
        if moves[-1] == len(trace):
            labels[-1] = f"end: {trace.score:,} points"
        return boards, labels

    @property
    def words(self) -> str:
        """The games and their seeds in a line."""
        seeds = sorted({trace.seed for trace in self.traces if trace.seed is not None})
        games = [
            f"{about['name']} {trace.score:,} points".strip()
            for about, trace in zip(self.games, self.traces, strict=True)
        ]
        return "2048, " + "; ".join(games) + "".join(f", seed {seed}" for seed in seeds)

    def save_html(
        self,
        path: str | Path,
        title: str = "A game of 2048",
        compact: bool | NTupleNetwork = False,
    ) -> None:
        """Write one page that shows the games without Python or the net.

        The lens of that page knows the key boards only, since it has no network to ask. A compact
        network in the page is another player beside the games: it plays whole new games there,
        advises a reader, and only its games have a lens then.

        Parameters
        ----------
        path : str or Path
            The file to write.
        title : str
            What stands above the games.
        compact : bool or NTupleNetwork
            Whether the page carries the network of `lib2048.compact`; or another small network
            for it to carry.

        Raises
        ------
        FileNotFoundError
            If the folder of the file does not exist.
        ValueError
            If the network is too large for a page.
        """
        if compact is False:
            self._write_page(path, title)
            return
        net = None if compact is True else compact
        playing = playing_state(net, self.traces[0].seed or 0)
        state = self._page_state() | playing | {"answers": None, "speed": self.speed}
        write_page(path, title, self.svg(), state, str(self._css), playing_script())

    def _page_state(self) -> dict:
        games = [
            about if net is not None else about | {"learned": None}  # there is no lens without it
            for about, net in zip(self.games, self.nets, strict=True)
        ]
        data = base64.b64encode(self.data).decode()
        return super()._page_state() | {
            "games": games,
            "data": data,
            "answers": self._page_answers(),
            "own_key": key_of([about["name"] for about in self.games], self.traces),
        }

    def _page_answers(self) -> dict[str, dict]:
        """What the lens says of the key boards and of the afterstates that follow them."""
        answers = {}
        for number, net in enumerate(self.nets):
            moves = self.games[number]["keys"] if net is not None else ()
            for move in moves:
                for board in _board_and_afterstate(self.traces[number], move):
                    answers[f"lens {number} {board:016x}"] = self._lens(number, board)
        return answers


def _plain(number: float) -> float | None:
    """A number as JSON can hold it."""
    return float(number) if math.isfinite(number) else None


def _plain_rows(values: np.ndarray) -> list[list[float | None]]:
    """Rows of numbers as JSON can hold them."""
    return [[_plain(value) for value in row] for row in values.tolist()]


def _board_and_afterstate(trace: Trace, move: int) -> set[int]:
    """Board number `move` of a game, and the afterstate of the action taken there."""
    board = int(trace.boards[move])
    if move == len(trace):
        return {board}
    afterstate, _ = slide(board, int(trace.actions[move]))
    return {board, afterstate}


def watch(
    what: NTupleNetwork | Trace | dict | int | ArrayLike,
    seed: int = 0,
    plies: int = 1,
    net: NTupleNetwork | None = None,
    board: int | ArrayLike | None = None,
    margin: float | None = None,
) -> Viewer:
    """Watch a game.

    Parameters
    ----------
    what : NTupleNetwork, Trace, dict or board
        A network that plays a game now, a game that was played before, or {name: either of them}
        to compare several. Or a board, to look at, to edit and to play on from.
    seed : int
        The game to play.
    plies : int
        How many moves a network looks ahead.
    net : NTupleNetwork, optional
        A network to comment on a Trace or a board, which by themselves have no lookups to show.
    board : int or 4 x 4 tiles, optional
        The board that networks begin with, in place of one with two new tiles: 64 bits, or the
        tiles as they are written, such as [[2, 4, 8, 0], ...].
    margin : float, optional
        To look ahead only at what is in doubt, which is faster; see `lib2048.best_action`.

    Returns
    -------
    Viewer
        The viewer, which a notebook shows.

    Raises
    ------
    ValueError
        If that is not a game, a board or something that plays one.

    Examples
    --------
    >>> viewer = watch([[1024, 1024, 0, 0], [0] * 4, [0] * 4, [0] * 4])
    >>> viewer.trace.max_tile, len(viewer.trace)
    (1024, 0)
    """
    if net is not None:
        check_network(net)
    start = None if board is None else board_from(board)
    named = what if isinstance(what, dict) else {"": what}
    if not named:
        raise ValueError("watch was given {}, with no game to show")
    if start is not None and any(isinstance(game, Trace) for game in named.values()):
        raise ValueError("a Trace has a first board of its own, so board= has no use beside it")
    traces: dict[str, Trace] = {}
    nets: dict[str, NTupleNetwork | None] = {}
    for name, game in named.items():
        if isinstance(game, NTupleNetwork):
            traces[name] = play(game, seed, plies, board=start, margin=margin)
            nets[name] = game
        else:
            traces[name] = game if isinstance(game, Trace) else _still(game, seed, what)
            nets[name] = net
    return Viewer(traces, nets)


def board_from(given: int | ArrayLike) -> int:
    """A board that is given as 64 bits, or as 4 x 4 tiles.

    Parameters
    ----------
    given : int or array_like
        The board, or its tiles as they are written: [[2, 4, 8, 0], ...].

    Returns
    -------
    int
        The board, 64 bits.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if isinstance(given, int | np.integer):
        return int(check_board(given))
    return from_tiles(given)


def _still(given: Any, seed: int, what: Any) -> Trace:
    """A board as a game without moves; `what` is all that was given to `watch`."""
    message = (
        "watch shows a network, a Trace, {name: either of them}, or a board as an integer or as "
        f"4 x 4 tiles, got {on_one_line(what)}"
    )
    if given is not what or not isinstance(given, int | np.integer | list | tuple | np.ndarray):
        raise ValueError(message)
    try:
        board = board_from(given)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{message}: {error}") from None
    return Trace(
        boards=np.array([board], np.uint64),
        actions=np.zeros(0, np.uint8),
        rewards=np.zeros(0, np.int32),
        values=np.zeros((0, 4), np.float32),
        seed=int(check_seed(seed)),
    )
