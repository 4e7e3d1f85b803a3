"""Search under a microscope: expectimax by plies and a search tree by trips, told step by step."""

from pathlib import Path

from lib2048.board import ACTIONS, legal_actions, slide, to_array
from lib2048.engines import check_network
from lib2048.network import NTupleNetwork
from lib2048.playing import best_action, play
from lib2048.validate import check_board, check_not_negative, check_p4, check_whole
from lib2048.viewer.joining import joined
from workbook.explorers.tree import (
    Decision,
    Node,
    Tree,
    Trip,
    count_leaves,
    spawns,
    usual_c,
    worths,
)
from workbook.widgets.drawing import Drawing
from workbook.widgets.widget import WorkbookWidget, page_script, widget_style

SCRIPT = Path(__file__).parent / "script"
STYLE = Path(__file__).parents[1] / "widgets" / "style"
ARROWS = "↑→↓←"
CURIOUS = 4  # times the usual c
DEEPEST = 3  # plies of expectimax
MOST_LEAVES = 200_000  # of expectimax; one ply less where there are more
LEAF = {"afterstate": "r + V(s′)", "state": "r + the mean of V over new tiles"}
SIZE = 170  # of the board in the picture, in pixels
ROW = 22


def points(value: float) -> str:
    """Points with a digit after the point, and a minus that is one.

    Examples
    --------
    >>> points(-1234.56)
    '−1,234.6'
    """
    return f"{value:,.1f}".replace("-", "−")


def named(action: int) -> str:
    """An action with its arrow."""
    return f"{ARROWS[action]} {ACTIONS[action]}"


def cells(board: int) -> list[int]:
    """A board as 16 exponents."""
    return to_array(board).ravel().tolist()


# Expectimax


class Expectimax:
    """Expectimax, ply by ply, as steps for the reader.

    Parameters
    ----------
    net : NTupleNetwork
        The network that values leaves.
    board : int
        The board, which is not dead.
    p4 : float
        The probability of a 4.
    """

    def __init__(self, net: NTupleNetwork, board: int, p4: float):
        self.net = net
        self.board = board
        self.p4 = p4
        self.nodes: list[dict] = [{"parent": None, "label": ""}]
        self.first = worths(net, board, p4)  # r + W(s', 1)
        self.sums = dict(self.first)
        self.leaves = dict.fromkeys(self.first, 1)
        self.actions = {action: self._add(0, ARROWS[action]) for action in self.first}
        self.steps: list[dict] = []
        self._tell_first()
        for action in self.first:
            self._deepen(action)
        self._compare()

    def _add(self, parent: int, label: str = "") -> int:
        self.nodes.append({"parent": parent, "label": label})
        return len(self.nodes) - 1

    @property
    def best(self) -> int:
        """The action of the largest sum, the first of equals."""
        return max(self.sums, key=lambda action: self.sums[action])

    def _step(self, told: list[str], path: list[int], board: int | None, caption: str) -> None:
        rows = []
        for action in range(4):
            if action not in self.sums:
                rows.append([named(action), "", "", "", "not possible"])
                continue
            _, reward = slide(self.board, action)
            value = self.sums[action] - reward
            leaves = f"{self.leaves[action]:,}"
            rows.append(
                [named(action), f"{reward:,}", points(value), points(self.sums[action]), leaves]
            )
        self.steps.append(
            {
                "told": told,
                "rows": rows,
                "marked": self.best,
                "visible": len(self.nodes),
                "path": path,
                "visits": [1] * len(self.nodes),
                "leaf": None if board is None else cells(board),
                "caption": caption,
            }
        )

    def _tell_first(self) -> None:
        told = [
            f"One ply: the network values each of the {len(self.first)} afterstates, and that is "
            "W(s′).",
            f"{ACTIONS[self.best].capitalize()} has the largest r + W.",
        ]
        self._step(told, [0, self.actions[self.best]], None, "")

    def _deepen(self, action: int) -> None:
        """Two plies for one action: the mean over all new tiles of the best answer to each."""
        afterstate, reward = slide(self.board, action)
        mean = 0.0
        leaves = 0
        least = None
        for share, cell, exponent, board in spawns(afterstate, self.p4):
            answers = worths(self.net, board, self.p4)
            value = max(answers.values(), default=0.0)
            mean += share * value
            leaves += len(answers)
            node = self._add(self.actions[action])
            if least is None or value < least[0]:
                least = value, cell, exponent, board, node
        before = self.sums[action] - reward
        self.sums[action] = reward + mean
        self.leaves[action] = leaves
        assert least is not None  # an afterstate has an empty cell
        worst, cell, exponent, board, node = least
        dead = "" if worths(self.net, board, self.p4) else ", which is dead"
        told = [
            f"Two plies for {ACTIONS[action]}: all new tiles, and the best answer to each. "
            f"W(s′) is their mean, {points(mean)}; with one ply it was {points(before)}.",
            f"The worst of them is a {2**exponent} in cell {cell}{dead}: {points(worst)}.",
        ]
        caption = f"a {2**exponent} in cell {cell}"
        self._step(told, [0, self.actions[action], node], board, caption)

    def _compare(self) -> None:
        """What deeper searches say, where they are small enough to be looked at."""
        two = self.best
        greedy = max(self.first, key=lambda action: self.first[action])
        change = "the same as" if two == greedy else f"not {ACTIONS[greedy]} as"
        told = [f"Two plies choose {ACTIONS[two]}, {change} one ply."]
        leaves = count_leaves(self.board, DEEPEST) if self._is_small() else MOST_LEAVES + 1
        if leaves <= MOST_LEAVES:
            chosen, values = best_action(self.net, self.board, plies=DEEPEST, p4=self.p4)
            self.sums = {action: float(values[action]) for action in self.first}
            for action in self.first:
                afterstate, _ = slide(self.board, action)
                following = spawns(afterstate, self.p4)
                self.leaves[action] = sum(count_leaves(row[3], DEEPEST - 1) for row in following)
            assert chosen is not None
            told.append(
                f"Three plies value {sum(self.leaves.values()):,} afterstates and choose "
                f"{ACTIONS[chosen]}."
            )
        self._step(told, [0, self.actions[self.best]], None, "")

    def _is_small(self) -> bool:
        """Whether counting the leaves of the deepest search takes no time."""
        return sum(self.leaves.values()) < MOST_LEAVES // 40


# The tree


class Trips:
    """A tree that grows, trip by trip, as steps for the reader.

    Parameters
    ----------
    tree : Tree
        The tree, which grows.
    trips : int
        How many trips.
    """

    def __init__(self, tree: Tree, trips: int):
        self.tree = tree
        self.steps: list[dict] = []
        self.trips: list[Trip] = []
        start = ["The tree is the board alone. Which leaf comes first?"]
        self._step(start, [0], None, "")
        for number in range(trips):
            trip = tree.trip()
            self.trips.append(trip)
            leaf = tree.nodes[trip.path[-1]]
            told = self._told(trip)
            if number == trips - 1:
                told.append(f"The trips end. Played is the action with most visits, {self.played}.")
            self._step(told, trip.path, leaf.board, self._caption(leaf))

    @property
    def played(self) -> str:
        """The action of the root with the most visits, the first of equals."""
        children = self.tree.nodes[0].children
        return ACTIONS[max(sorted(children), key=lambda action: children[action].visits)]

    @property
    def nodes(self) -> list[dict]:
        """The nodes of the tree as the script draws them."""
        return [{"parent": node.parent, "label": _label(node)} for node in self.tree.nodes]

    def _step(self, told: list[str], path: list[int], board: int | None, caption: str) -> None:
        rows, marked = self._rows()
        self.steps.append(
            {
                "told": told,
                "rows": rows,
                "marked": marked,
                "visible": len(self.tree.nodes),
                "path": path,
                "visits": [node.visits for node in self.tree.nodes],
                "leaf": None if board is None else cells(board),
                "caption": caption,
            }
        )

    def _rows(self) -> tuple[list[list[str]], int]:
        """The actions of the root with their numbers, and the action that comes next."""
        root = self.tree.nodes[0]
        values = worths(self.tree.net, root.board, self.tree.p4)
        bounds = self.tree.bounds(root)
        rows = []
        for action in range(4):
            if action not in values:
                rows.append([named(action), "", "", "", "not possible"])
            elif action not in bounds:
                rows.append([named(action), "0", "–", "–", "not tried yet"])
            else:
                child = root.children[action]
                bonus = points(bounds[action] - child.mean)
                numbers = [str(child.visits), points(child.mean), bonus, points(bounds[action])]
                rows.append([named(action), *numbers])
        following = self.tree._decide(root, values).action
        return rows, following

    def _told(self, trip: Trip) -> list[str]:
        """A trip in sentences."""
        told = []
        nodes = self.tree.nodes
        for depth, decision in enumerate(trip.decisions):
            where = "At the root" if depth == 0 else "There"
            told.append(f"{where} {self._why(decision)}")
            after = 2 * depth + 2  # the place of the state that follows in the path
            if after < len(trip.path):
                drawn = nodes[trip.path[after]]
                told.append(f"Chance draws a {2**drawn.exponent} in cell {drawn.cell}.")
        leaf = nodes[trip.path[-1]]
        if leaf.action is None:
            told.append("That board is dead, and worth 0.")
        else:
            told.append(f"The leaf is worth {LEAF[self.tree.net.values]} = {points(trip.value)}.")
        if len(trip.path) > 2:
            told.append(
                f"With the rewards on the way, {points(trip.returned)} come back to the root."
            )
        return told

    def _why(self, decision: Decision) -> str:
        name = ACTIONS[decision.action]
        if not decision.bounds:
            return f"{name} has not been tried: it becomes a leaf."
        bounds = ", ".join(
            f"{ACTIONS[action]} {points(bound)}" for action, bound in decision.bounds.items()
        )
        return f"{name} has the largest UCB ({bounds})."

    def _caption(self, leaf: Node) -> str:
        if leaf.action is None:
            return "a dead board"
        return f"the leaf, after {ACTIONS[leaf.action]}"


def _label(node: Node) -> str:
    """What stands at a node: only the actions of the root have room for it."""
    return ARROWS[node.action] if node.parent == 0 and node.action is not None else ""


# The widget


class SearchMicroscope(WorkbookWidget):
    """What `search` shows."""

    _esm = joined(SCRIPT / "search.js")
    _css = widget_style(STYLE / "search.css")
    PAGE_SCRIPT = page_script(SCRIPT / "search.js")

    def __init__(self, net: NTupleNetwork, board: int, c: float, trips: int, p4: float, seed: int):
        self.board = board
        self.expectimax = Expectimax(net, board, p4)
        self.trees = {
            step: Trips(Tree(net, board, step, p4, seed), trips) for step in (0.0, c, CURIOUS * c)
        }
        runs = [
            {
                "name": "expectimax",
                "unit": "step",
                "heads": ["action", "r", "W(s′)", "r + W", "leaves"],
                "mark": "best",
                "nodes": self.expectimax.nodes,
                "steps": self.expectimax.steps,
            }
        ]
        for step, grown in self.trees.items():
            runs.append(
                {
                    "name": f"MCTS, c = {step:,.6g}",
                    "unit": "trip",
                    "heads": ["action", "visits", "mean", "bonus", "UCB"],
                    "mark": "next",
                    "nodes": grown.nodes,
                    "steps": grown.steps,
                }
            )
        super().__init__({"board": cells(board), "runs": runs})

    @property
    def words(self) -> str:
        """What the searches choose, in a line."""
        told = [f"two plies choose {ACTIONS[self._two_plies]}"]
        for c, grown in self.trees.items():
            told.append(f"{len(grown.trips)} trips with c = {c:,.6g} {grown.played}")
        return "Search: " + ", ".join(told)

    @property
    def _two_plies(self) -> int:
        """What expectimax chooses with two plies, before it is compared with three."""
        return self.expectimax.steps[-2]["marked"]

    def svg(self) -> str:
        """The board, and the last tables of expectimax and of a tree."""
        drawing = Drawing(SIZE + 690)
        drawing.board(10, 12, SIZE, self.board)
        shown = [self.state["runs"][0], self.state["runs"][2]]
        for number, run in enumerate(shown):
            left = SIZE + 36 + 330 * number
            last = run["steps"][-1]
            drawing.words(left, 26, run["name"], bold=True, anchor="start")
            for row, texts in enumerate([run["heads"], *last["rows"]]):
                is_marked = row - 1 == last["marked"]
                for column, text in enumerate(texts):
                    anchor = "end" if column else "start"
                    place = left + (0, 100, 165, 230, 300)[column]
                    drawing.words(place, 50 + ROW * row, text, 12, is_marked, anchor)
        return drawing.svg(SIZE + 24, self.words)


def search(
    net: NTupleNetwork,
    board: int | None = None,
    c: float | None = None,
    trips: int = 24,
    p4: float | None = None,
    seed: int = 0,
) -> SearchMicroscope:
    """Searches of one board under a microscope: expectimax by plies, and a tree by trips.

    Parameters
    ----------
    net : NTupleNetwork
        The network that values leaves.
    board : int, optional
        The board, with few empty cells so that there is not too much to see. One from the end of a
        game of the network's own where none is given.
    c : float, optional
        How much the bonus of UCB1 counts, in points; half of what lies between the actions when
        None. The tree is grown with 0 and four times as much as well.
    trips : int
        How many trips into the tree, at most 200.
    p4 : float, optional
        The probability of a 4; the network's own when None.
    seed : int
        What the new tiles of the tree are drawn from.

    Returns
    -------
    SearchMicroscope
        The widget, which a notebook shows.

    Raises
    ------
    ValueError
        If this is no network, the board is dead, or a number is not what it may be.
    """
    check_network(net)
    p4 = net.p4 if p4 is None else check_p4(p4)
    trips = check_whole("trips", trips, 1, 200)
    seed = check_whole("seed", seed)
    if board is None:
        trace = play(net)
        board = int(trace.boards[-min(8, len(trace)) - 1])
    board = int(check_board(board))
    if not legal_actions(board):
        raise ValueError(f"no action is possible on this board, {board:#018x}: it is dead")
    c = usual_c(net, board, p4) if c is None else check_not_negative("c", c)
    return SearchMicroscope(net, board, c, trips, p4, seed)
