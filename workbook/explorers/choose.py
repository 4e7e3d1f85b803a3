"""What the actions of a board are worth, to a network of afterstates and to one of states.

The boards that it is made with are valued at once, so they are there without Python. When the
reader changes a tile, the browser asks.
"""

from collections.abc import Sequence
from pathlib import Path

from lib2048.board import ACTIONS, legal_actions, slide, to_array
from lib2048.engines import check_network
from lib2048.network import NTupleNetwork
from lib2048.playing import best_action, play
from lib2048.records import Trace
from lib2048.validate import check_board, check_p4
from lib2048.viewer.joining import joined
from lib2048.viewer.networks import Networks
from workbook.widgets.drawing import Drawing
from workbook.widgets.widget import WorkbookWidget, page_script, plain, widget_style

SCRIPT = Path(__file__).parent / "script"
STYLE = Path(__file__).parents[1] / "widgets" / "style"
STORED = 6  # boards of a game that are valued at once
SIZE = 200  # of the board in the picture, in pixels
ROW = 24  # height of a row of the picture's tables
FUTURES = {"afterstate": "V(s')", "state": "mean V"}


def opinion(net: NTupleNetwork, board: int, p4: float) -> dict:
    """What a network makes of the actions of a board.

    Parameters
    ----------
    net : NTupleNetwork
        The network.
    board : int
        The board.
    p4 : float
        The probability that a new tile is a 4.

    Returns
    -------
    dict
        "best", the action it takes, None on a dead board; "value", V of the board itself where the
        network values states; and "actions", for each of the four None or a dict of reward, future
        and worth. For a network of states "spawns" has a row for each empty cell: the cell, V with
        a 2 there, V with a 4 there.

    Examples
    --------
    >>> found = opinion(NTupleNetwork(((0, 1),), init=5.0), 0x1122, 0.1)
    >>> found["best"], found["actions"][3]["reward"], found["actions"][3]["worth"]
    (1, 12, 17.0)
    """
    best, worths = best_action(net, board, p4=p4)
    actions = []
    for action, worth in enumerate(worths):
        afterstate, reward = slide(board, action)
        if afterstate == board:
            actions.append(None)
            continue
        about = {"reward": reward, "worth": float(worth)}
        if net.values == "state":
            about |= _spawns(net, afterstate, p4)
        else:
            about["future"] = net.value(afterstate)
        actions.append(about)
    value = _live_value(net, board) if net.values == "state" else None
    return {"best": best, "value": value, "actions": actions}


def _live_value(net: NTupleNetwork, board: int) -> float:
    """V(s), which is 0 for a dead board."""
    return net.value(board) if legal_actions(board) else 0.0


def _spawns(net: NTupleNetwork, afterstate: int, p4: float) -> dict:
    """The values of all boards that may follow an afterstate, and their mean."""
    rows = []
    total = 0.0
    for cell in range(16):
        if afterstate >> 4 * cell & 15:
            continue
        with_two = _live_value(net, afterstate | 1 << 4 * cell)
        with_four = _live_value(net, afterstate | 2 << 4 * cell)
        rows.append([cell, with_two, with_four])
        total += (1 - p4) * with_two + p4 * with_four
    return {"future": total / len(rows), "spawns": rows}


class ActionChooser(WorkbookWidget):
    """What `choose` shows."""

    _esm = joined(SCRIPT / "choose.js")
    _css = widget_style(STYLE / "gallery.css", STYLE / "choose.css")
    PAGE_SCRIPT = page_script(SCRIPT / "choose.js")

    def __init__(self, nets: list[NTupleNetwork], boards: list[int], p4: float):
        self._networks = Networks(list(nets))
        self.boards = boards
        self.p4 = p4
        self.opinions = [[opinion(net, board, p4) for net in nets] for board in boards]
        super().__init__(
            {
                "kinds": [net.values for net in nets],
                "p4": p4,
                "boards": [to_array(board).ravel() for board in boards],
                "opinions": self.opinions,
            }
        )
        self.on_msg(self._answer)

    def _answer(self, _widget, message: dict, _buffers) -> None:
        """Value a board that the reader made; what goes wrong is an answer as well."""
        try:
            board = int(message["board"], 16)
            count = len(self._networks)
            nets = [self._networks.of(number) for number in range(count)]
            reply = {"opinions": [plain(opinion(net, board, self.p4)) for net in nets]}
        except (ValueError, KeyError, TypeError) as error:
            reply = {"error": str(error)}
        self.send(reply | {"id": message.get("id")})

    def close(self) -> None:
        """Stop everything: the view leaves the notebook, the networks are let go."""
        super().close()
        self._networks.release()

    def _page_state(self) -> dict:
        return super()._page_state() | {"stored": True}  # there is no Python to ask

    @property
    def words(self) -> str:
        """What is chosen on the first board, in a line."""
        told = []
        for kind, found in zip(self.state["kinds"], self.opinions[0]):
            name = "nothing" if found["best"] is None else ACTIONS[found["best"]]
            told.append(f"V({kind}) chooses {name}")
        return "Action selection: on this board " + ", ".join(told)

    def svg(self) -> str:
        """The first board, and for each network a table of the actions."""
        kinds = self.state["kinds"]
        drawing = Drawing(SIZE + 40 + 300 * len(kinds))
        drawing.board(10, 14, SIZE, self.boards[0])
        for number, (kind, found) in enumerate(zip(kinds, self.opinions[0])):
            left = SIZE + 36 + 300 * number
            self._table(drawing, left, kind, found)
        return drawing.svg(SIZE + 28, self.words)

    def _table(self, drawing: Drawing, left: float, kind: str, found: dict) -> None:
        heads = ("action", "r", FUTURES[kind], "sum")
        places = (left, left + 110, left + 190, left + 270)
        drawing.words(left, 30, f"V({kind})", bold=True, anchor="start")
        self._row(drawing, places, 30 + ROW, heads, bold=False)
        for action, about in enumerate(found["actions"]):
            texts = [ACTIONS[action], "–", "–", "–"]
            if about is not None:
                numbers = (about["future"], about["worth"])
                texts[1:] = [f"{about['reward']:,}", *(f"{number:,.1f}" for number in numbers)]
            is_best = action == found["best"]
            self._row(drawing, places, 30 + (2 + action) * ROW, texts, bold=is_best)

    def _row(self, drawing: Drawing, places, y: float, texts, bold: bool) -> None:
        for place, text, anchor in zip(places, texts, ("start", "end", "end", "end")):
            drawing.words(place, y, text, bold=bold, anchor=anchor)


def choose(
    net: NTupleNetwork | Sequence[NTupleNetwork],
    board: int | Trace | Sequence[int] | None = None,
    p4: float | None = None,
) -> ActionChooser:
    """What the four actions of a board are worth, and why. The reader changes tiles.

    Parameters
    ----------
    net : NTupleNetwork or two of them
        A network, or one of V(afterstate) and one of V(state) to set side by side.
    board : int, sequence of int or Trace, optional
        The board to begin with, or several, or a game of which some boards are taken: those can be
        looked at without Python. A game of the network's own where none is given.
    p4 : float, optional
        The probability of a 4, in the mean over new tiles. The first network's own when None.

    Returns
    -------
    ActionChooser
        The widget, which a notebook shows.

    Raises
    ------
    ValueError
        If this is no network, no board, or two networks of one kind.
    """
    nets = [net] if isinstance(net, NTupleNetwork) else list(net)
    for each in nets:
        check_network(each)
    kinds = [each.values for each in nets]
    if not 1 <= len(set(kinds)) == len(kinds):
        raise ValueError(
            "give choose one network, or one of V(afterstate) and one of V(state), got "
            f"{len(nets)} of {', '.join(sorted(set(kinds))) or 'none'}"
        )
    p4 = nets[0].p4 if p4 is None else check_p4(p4)
    return ActionChooser(nets, _boards(nets[0], board), p4)


def _boards(net: NTupleNetwork, board: int | Trace | Sequence[int] | None) -> list[int]:
    """The boards that are valued at once."""
    if board is None:
        board = play(net)
    if isinstance(board, Trace):
        last = len(board) - 1
        moves = sorted({last * part // STORED for part in range(1, STORED)} | {last})
        return [int(board.boards[move]) for move in moves]
    if isinstance(board, list | tuple):
        return [int(check_board(each)) for each in board]
    return [int(check_board(board))]
