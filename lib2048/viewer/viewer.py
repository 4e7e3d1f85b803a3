"""The board viewer: watch a network play, look up what it looks up, play against it.

    watch(net, seed=7)                        a game the network plays now
    watch(trace)                              a game played before
    watch(trace, net=net)                     the same, and the network comments on it
    watch({"1k": net1, "100k": net2}, seed=7) one seed, several ages of training

Python is asked only for what needs the network: the lookups of a board, and what it thinks of a
board that a person made. `python -m lib2048.viewer out.html --net FILE --seed 7` writes a page that
shows a game without Python; so does `viewer.save_html(path)`.
"""

import base64
import math
from pathlib import Path

import numpy as np
import traitlets

from lib2048.board import fours_below, from_array, slide, symmetries, to_array
from lib2048.draw import CELL, EDGE, FRAME, GAP, TILES, board_strip, ink
from lib2048.network import NTupleNetwork
from lib2048.playing import best_action, play
from lib2048.records import Trace
from lib2048.viewer.joining import joined
from lib2048.viewer.lookups import lookups
from lib2048.viewer.networks import Networks
from lib2048.viewer.own import replayed
from lib2048.viewer.packing import described, packed
from lib2048.viewer.widget import HERE, ReplayWidget, shared_style

SPEEDS = (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)
SCRIPT = HERE / "script"
BOARDS = 8  # in the picture of a game
BOARD_SIZE = 150  # their width in pixels


def _seen_cells() -> list[list[int]]:
    """Of each of the 8 images of a board: the cell of the board that its cells 0 to 15 show."""
    numbered = from_array(np.arange(16).reshape(4, 4))
    return [to_array(image).ravel().tolist() for image in symmetries(numbered)]


LOOK = {
    "tiles": TILES,
    "inks": [ink(colour) for colour in TILES],
    "frame": FRAME,
    "cell": CELL,
    "gap": GAP,
    "edge": EDGE,
    "speeds": SPEEDS,
    "places": _seen_cells(),
}


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

    def __init__(self, traces: dict[str, Trace], nets: dict[str, NTupleNetwork | None]):
        self.traces = list(traces.values())
        self._networks = Networks(list(nets.values()))
        games = [
            described(name, trace, net)
            for name, trace, net in zip(traces, self.traces, nets.values(), strict=True)
        ]
        super().__init__(games=games, data=b"".join(map(packed, self.traces)))
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
        actions = [int(action) for action in self.own_moves["actions"]]
        return replayed(int(self.own_moves["seed"]), actions, p4)

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
        board = int(message["board"], 16)
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
                _, values = best_action(net, board, trace.plies, trace.p4, trace.downgrade)
                opinions.append([_plain(value) for value in values])
        return opinions

    def _greedy(self, game: int, seed: int) -> dict:
        """What greedy play reaches from a seed."""
        net = self._networks.of(game)
        how = self.traces[game]
        trace = play(net, seed, p4=how.p4, downgrade=how.downgrade)
        return {"score": trace.score, "moves": len(trace), "largest": trace.max_tile}

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

    def save_html(self, path: str | Path, title: str = "A game of 2048") -> None:
        """Write one page that shows the games without Python or a network.

        The lens of that page knows the key boards only, since it has no network to ask.

        Parameters
        ----------
        path : str or Path
            The file to write.
        title : str
            What stands above the games.
        """
        self._write_page(path, title)

    def _page_state(self) -> dict:
        games = [
            about if net is not None else about | {"learned": None}  # there is no lens without it
            for about, net in zip(self.games, self.nets, strict=True)
        ]
        data = base64.b64encode(self.data).decode()
        answers = self._page_answers()
        return super()._page_state() | {"games": games, "data": data, "answers": answers}

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


def _board_and_afterstate(trace: Trace, move: int) -> set[int]:
    """Board number `move` of a game, and the afterstate of the action taken there."""
    board = int(trace.boards[move])
    if move == len(trace):
        return {board}
    afterstate, _ = slide(board, int(trace.actions[move]))
    return {board, afterstate}


def watch(
    what: NTupleNetwork | Trace | dict,
    seed: int = 0,
    plies: int = 1,
    net: NTupleNetwork | None = None,
) -> Viewer:
    """Watch a game.

    Parameters
    ----------
    what : NTupleNetwork, Trace or dict
        A network that plays a game now, a game that was played before, or {name: either of them}
        to compare several.
    seed : int
        The game to play.
    plies : int
        How many moves a network looks ahead.
    net : NTupleNetwork, optional
        A network to comment on a Trace, which by itself has no lookups to show.

    Returns
    -------
    Viewer
        The viewer, which a notebook shows.

    Raises
    ------
    ValueError
        If that is not a game or something that plays one.
    """
    named = what if isinstance(what, dict) else {"": what}
    if not named or not all(_can_be_watched(game) for game in named.values()):
        raise ValueError(
            f"watch shows a network, a Trace or {{name: either of them}}, got {what!r}"
        )
    traces = {}
    nets = {}
    for name, game in named.items():
        if isinstance(game, Trace):
            traces[name] = game
            nets[name] = net
        else:
            traces[name] = play(game, seed, plies)
            nets[name] = game
    return Viewer(traces, nets)


def _can_be_watched(game) -> bool:
    return isinstance(game, Trace | NTupleNetwork)
