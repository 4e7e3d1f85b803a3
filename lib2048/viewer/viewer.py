"""The board viewer: watch a network play, look up what it looks up, play against it. The only file with widgets.

    watch(net, seed=7)                        a game the network plays now
    watch(trace)                              a game played before; watch(trace, net=net) lets the network comment on it
    watch({"1k": net1, "100k": net2}, seed=7) one seed, several ages of training

A game goes to the browser once, as bytes, and is played there by viewer.js, so it stays smooth while the kernel trains.
Python is asked only for what needs the network: the lookups of a board, and what it thinks of a board a person made.

    python -m lib2048.viewer out.html --net FILE --seed 7

writes a page that shows a game without Python; so does `viewer.save_html(path)`.
"""

import argparse
import base64
import json
import math
import re
from html import escape
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from lib2048.board import ACTIONS, fours_below, from_array, slide, symmetries, to_array
from lib2048.draw import CELL, EDGE, FRAME, GAP, TILES, board_strip, ink
from lib2048.files import replacing
from lib2048.network import NTupleNetwork
from lib2048.playing import best_action, play
from lib2048.png import board_png
from lib2048.records import Trace
from lib2048.validate import check_p4

HERE = Path(__file__).parent
SPEEDS = (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)
LOOK = {
    "tiles": TILES,
    "inks": [ink(colour) for colour in TILES],
    "frame": FRAME,
    "cell": CELL,
    "gap": GAP,
    "edge": EDGE,
    "speeds": SPEEDS,
    # of each of the 8 images of a board: the cell of the board that its cells 0 to 15 show
    "places": [
        to_array(image).ravel().tolist()
        for image in symmetries(from_array(np.arange(16).reshape(4, 4)))
    ],
}


def lookups(net: NTupleNetwork, board: int) -> list[tuple[int, int, int, float]]:
    """Every lookup of a board: (pattern, image, index, weight). The weights add up to V, but for rounding.

    Image i is `symmetries(board)[i]`, index `net.index(pattern, that image)` and weight `net.table(pattern)[index]`.
    """
    images = symmetries(board)[: net.symmetries]
    places = [
        (k, i, net.index(k, image))
        for k in range(len(net.patterns))
        for i, image in enumerate(images)
    ]
    return [(k, i, index, net.weight(k, index)) for k, i, index in places]


def key_moves(trace: Trace, count: int = 8) -> list[int]:
    """The numbers of 6 to 8 boards that tell a game: first, last, new largest tiles, and others where those are few."""
    boards = np.asarray(trace.boards, np.uint64)
    largest = np.max(
        [boards >> np.uint64(4 * cell) & np.uint64(15) for cell in range(16)], axis=0
    ).astype(int)
    grew = np.flatnonzero(np.diff(np.maximum.accumulate(largest))) + 1
    chosen = {0, len(trace), *grew[::-1][: count - 2].tolist()}
    for move in np.linspace(0, len(trace), count).astype(int).tolist():
        if len(chosen) < min(6, count):
            chosen.add(move)
    return sorted(chosen)


def _plain(number: float) -> float | None:
    """A number as JSON can hold it."""
    return float(number) if math.isfinite(number) else None


class Viewer(anywidget.AnyWidget):
    """What `watch` shows. `move` (as of the last pause), `game`, `playing` and `speed` follow the browser; set them."""

    _esm = HERE / "viewer.js"
    _css = HERE / "viewer.css"
    look = traitlets.Dict(LOOK).tag(sync=True)
    games = traitlets.List().tag(sync=True)  # about each game: name, seed, what its network is
    data = traitlets.Bytes().tag(
        sync=True
    )  # of each game: T + 1 boards (8 bytes), T x 4 values (float32), T actions
    game = traitlets.Int(0).tag(sync=True)
    move = traitlets.Int(0).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    speed = traitlets.Float(1.0).tag(sync=True)

    def __init__(self, traces: dict[str, Trace], nets: dict[str, NTupleNetwork | None]):
        self.traces, self.nets = list(traces.values()), list(nets.values())
        games = [self._about(*one) for one in zip(traces, self.traces, self.nets)]
        super().__init__(games=games, data=b"".join(map(_packed, self.traces)))
        self.on_msg(self._answer)

    @staticmethod
    def _about(name, trace, net) -> dict:
        return {
            "name": str(name),
            "moves": len(trace),
            "seed": None
            if trace.seed is None
            else str(trace.seed),  # JavaScript's numbers have 53 bits
            "plies": trace.plies,
            "fours": int(fours_below(check_p4(trace.p4))),
            "kind": None if net is None else net.values,
            "patterns": [] if net is None else [list(pattern) for pattern in net.patterns],
            "images": 1 if net is None else net.symmetries,
            "keys": key_moves(trace),
        }

    @property
    def trace(self) -> Trace:
        """The game that is shown."""
        return self.traces[self.game]

    @traitlets.validate("game", "move")
    def _keep_inside(self, proposal):
        last = len(self.trace) if proposal["trait"].name == "move" else len(self.traces) - 1
        return max(0, min(proposal["value"], last))

    @traitlets.observe("game")
    def _shorten(self, _):
        self.move = min(self.move, len(self.trace))

    @traitlets.validate("speed")
    def _check_speed(self, proposal):
        if proposal["value"] not in SPEEDS:
            raise ValueError(
                f"the speed is one of {', '.join(map(str, SPEEDS))}, got {proposal['value']!r}"
            )
        return proposal["value"]

    def seek(self, move: int) -> None:
        """Pause and show board number `move`: 0 is the first, len(trace) the last."""
        self.playing, self.move = False, move

    def step(self, moves: int = 1) -> None:
        """Pause and go on by some moves; back if `moves` is negative."""
        self.seek(self.move + moves)

    def close(self) -> None:
        """Stop everything: the view leaves the notebook, and the networks are let go. The picture stays."""
        super().close()
        self.nets = [None] * len(self.nets)
        vars(self).pop("_repr_mimebundle_", None)  # with which ipywidgets hides ours

    def _net(self, game: int) -> NTupleNetwork:
        if self.nets[game] is None:
            raise ValueError(
                "this game comes without a network, or the viewer is closed; see watch(trace, net=net)"
            )
        return self.nets[game]

    def _lens(self, game: int, board: int) -> dict:
        net = self._net(game)
        return {
            "value": _plain(net.value(board)),
            "rows": [[*row[:3], _plain(row[3])] for row in lookups(net, board)],
        }

    def _opinions(self, board: int) -> list:
        """What each network thinks the four actions are worth."""
        asked = [
            (net, board, game.plies, game.p4, game.downgrade)
            for net, game in zip(self.nets, self.traces)
        ]
        return [[*map(_plain, best_action(*one)[1])] if one[0] else None for one in asked]

    def _reply(self, message: dict) -> dict:
        """The answer to a question of the browser; see `ask` in viewer.js."""
        if message["kind"] == "greedy":
            net, how = self._net(message["game"]), self.traces[message["game"]]
            game = play(net, int(message["seed"]), p4=how.p4, downgrade=how.downgrade)
            return {"score": game.score, "moves": len(game), "largest": game.max_tile}
        board = int(message["board"], 16)
        return (
            self._lens(message["game"], board)
            if message["kind"] == "lens"
            else {"values": self._opinions(board)}
        )

    def _answer(self, _widget, message, _buffers) -> None:
        try:
            reply = self._reply(message)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            reply = {"error": str(error)}
        self.send(reply | {"id": message.get("id")})

    def svg(self) -> str:
        """The game in 6 to 8 boards; of several games, the last boards of each, a row for each game."""
        boards, labels, several = [], [], len(self.traces) > 1
        kept = max(2, 8 // len(self.traces)) if several else 8
        for about, trace in zip(self.games, self.traces):
            for n, move in enumerate(about["keys"][-kept:]):
                text = f"end: {trace.score:,} points" if move == len(trace) else f"move {move:,}"
                boards.append(int(trace.boards[move]))
                labels.append(f"{about['name']}: {text}" if several and n == 0 else text)
        return board_strip(boards, labels, columns=kept if several else 4, size=150)

    def _repr_mimebundle_(self, **kwargs) -> dict:
        """The widget for a live notebook, and a picture for everything else."""
        seeds = {trace.seed for trace in self.traces} - {None}
        words = [
            f"{about['name']} {trace.score:,} points".strip()
            for about, trace in zip(self.games, self.traces)
        ]
        text = "2048, " + "; ".join(words) + "".join(f", seed {seed}" for seed in sorted(seeds))
        live = {} if self.comm is None else super()._repr_mimebundle_(**kwargs)[0]
        png = base64.b64encode(board_png(svg := self.svg())).decode()
        return live | {"image/svg+xml": svg, "image/png": png, "text/plain": text}

    def save_html(self, path, title: str = "A game of 2048") -> None:
        """Write one page that shows the games without Python or a network; the lens works on key boards only."""
        answers = {}
        for game, (about, trace) in enumerate(zip(self.games, self.traces)):
            for move in about["keys"] if self.nets[game] else ():
                shown = {board := int(trace.boards[move])}
                if move < len(trace):
                    shown.add(slide(board, int(trace.actions[move]))[0])
                answers |= {f"lens {game} {one:016x}": self._lens(game, one) for one in shown}
        state = {name: getattr(self, name) for name in ("look", "games", "game", "move", "speed")}
        state |= {"data": base64.b64encode(self.data).decode(), "answers": answers}
        page = (HERE / "viewer.html").read_text(encoding="utf-8")
        parts = {
            "title": escape(title),
            "picture": self.svg(),
            "state": json.dumps(state).replace("<", "\\u003c"),
        }
        parts |= {
            kind: (HERE / f"viewer.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")
        }
        page = re.sub("@(title|picture|state|css|js)@", lambda found: parts[found[1]], page)
        with replacing(path, len(page)) as file:
            file.write(page.encode())


def _packed(trace: Trace) -> bytes:
    """A game as viewer.js reads it, little-endian."""
    moves = len(trace.actions)
    if (
        len(trace.boards) != moves + 1
        or np.shape(trace.values) != (moves, 4)
        or np.any(trace.actions >= len(ACTIONS))
    ):
        sizes = f"{len(trace.boards)} boards, {moves} actions, values {np.shape(trace.values)}"
        raise ValueError(
            f"a trace has T + 1 boards, T actions from 0 to 3 and T x 4 values, got {sizes}"
        )
    parts = (trace.boards, "<u8"), (trace.values, "<f4"), (trace.actions, "u1")
    return b"".join(np.asarray(array).astype(kind).tobytes() for array, kind in parts)


def watch(what, seed: int = 0, plies: int = 1, net: NTupleNetwork | None = None) -> Viewer:
    """The viewer of a game: of a Trace, of a network that plays with this seed and plies, or {name: either of them}.

    net: a network to comment on a Trace, which by itself has no lookups to show.
    """
    named = what if isinstance(what, dict) else {"": what}
    if not named or not all(isinstance(one, Trace | NTupleNetwork) for one in named.values()):
        raise ValueError(
            f"watch shows a network, a Trace or {{name: either of them}}, got {what!r}"
        )
    traces = {
        name: one if isinstance(one, Trace) else play(one, seed, plies)
        for name, one in named.items()
    }
    return Viewer(
        traces, {name: net if isinstance(one, Trace) else one for name, one in named.items()}
    )


def main(arguments=None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m lib2048.viewer", description="Write a game as a web page."
    )
    parser.add_argument("page", help="the page to write, such as out.html")
    parser.add_argument(
        "--net",
        required=True,
        nargs="+",
        metavar="FILE",
        help="saved networks; several are compared",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plies", type=int, default=1)
    options = parser.parse_args(arguments)
    nets = {Path(file).stem: NTupleNetwork.load(file) for file in options.net}
    viewer = watch(
        nets if len(nets) > 1 else next(iter(nets.values())), options.seed, options.plies
    )
    viewer.save_html(options.page, f"2048, seed {options.seed}")
    print(f"{options.page}: " + ", ".join(f"{trace.score:,} points" for trace in viewer.traces))


if __name__ == "__main__":
    main()
