"""The searches under the microscope (workbook/explorers/tree.py, search.py)."""

import math

import pytest

from lib2048 import NTupleNetwork, best_action, legal_actions, play, slide, train
from workbook import explore
from workbook.explorers.tree import Tree, count_leaves, spawns, ucb1, usual_c, worths

PATTERNS = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5))
TRIPS = 60


@pytest.fixture(scope="module", params=["afterstate", "state"])
def net(request):
    net = NTupleNetwork(PATTERNS, values=request.param)
    train(net, 80, seed=1, progress=False)
    return net


@pytest.fixture(scope="module")
def boards(net):
    """Boards from the end of a game, on which few tiles may come."""
    return play(net, seed=4).boards[-14:-1].tolist()


@pytest.fixture(scope="module")
def grown(net, boards):
    """A tree and the trips that made it."""
    tree = Tree(net, boards[0], c=40.0, p4=0.1, seed=2)
    return tree, [tree.trip() for _ in range(TRIPS)]


# Expectimax


def test_two_plies_are_those_of_the_library(net, boards):
    for board in boards:
        steps = explore.search(net, board, trips=1).expectimax.steps
        chosen, values = best_action(net, board, plies=2, p4=net.p4)
        assert steps[-2]["marked"] == chosen
        for action in legal_actions(board):
            told = float(steps[-2]["rows"][action][3].replace(",", "").replace("−", "-"))
            assert told == pytest.approx(float(values[action]), rel=1e-5, abs=0.06)


def test_leaves_are_counted():
    board = 0x1234_4321_1234_4320  # one empty cell
    following = [
        after for a in legal_actions(board) for *_, after in spawns(slide(board, a)[0], 0.1)
    ]
    assert count_leaves(board, 1) == len(legal_actions(board))
    assert count_leaves(board, 2) == sum(len(legal_actions(after)) for after in following)


def test_what_comes_after_a_slide():
    rows = spawns(0x1111_1111_1111_1100, 0.2)
    assert sum(share for share, *_ in rows) == pytest.approx(1)
    assert [(cell, exponent) for _, cell, exponent, _ in rows] == [(0, 1), (0, 2), (1, 1), (1, 2)]


# The tree


def test_ucb1_is_the_formula():
    assert ucb1(5.0, 2, 10, 3.0) == 5.0 + 3.0 * math.sqrt(math.log(10) / 2)


def test_each_trip_adds_one_leaf_and_goes_where_ucb_is_largest(net, boards):
    tree = Tree(net, boards[0], c=40.0, p4=0.1, seed=2)
    for number in range(TRIPS):
        root = tree.nodes[0]
        tried = {action: (child.mean, child.visits) for action, child in root.children.items()}
        legal = worths(net, root.board, 0.1)
        trip = tree.trip()
        first = trip.decisions[0]
        if len(tried) < len(legal):
            untried = [action for action in legal if action not in tried]
            assert first.action == max(untried, key=legal.get) and first.bounds == {}
            continue
        for action, (mean, visits) in tried.items():
            wanted = mean + 40.0 * math.sqrt(math.log(number) / visits)
            assert first.bounds[action] == pytest.approx(wanted)
        assert first.bounds[first.action] == max(first.bounds.values())


def test_what_comes_back_is_the_rewards_on_the_way_and_the_leaf(net, grown):
    tree, trips = grown
    came = {}
    for trip in trips:
        actions = [tree.nodes[n] for n in trip.path if tree.nodes[n].action is not None]
        leaf = tree.nodes[trip.path[-1]]
        if leaf.action is None:
            assert trip.value == 0 and not legal_actions(leaf.board)
        else:
            parent = tree.nodes[leaf.parent]
            assert trip.value == worths(net, parent.board, 0.1)[leaf.action]
        rewards = [node.reward for node in actions if node is not leaf]
        assert trip.returned == pytest.approx(trip.value + sum(rewards))
        for node in actions:
            came.setdefault(node.number, []).append(trip.value + sum(rewards))
            if node is not leaf:
                rewards = rewards[1:]
    for number, returns in came.items():
        node = tree.nodes[number]
        assert node.visits == len(returns)
        assert node.mean == pytest.approx(sum(returns) / len(returns))
    assert tree.nodes[0].visits == TRIPS


def test_nodes_hang_together(grown):
    tree, _ = grown
    for node in tree.nodes[1:]:
        parent = tree.nodes[node.parent]
        if node.action is not None:
            assert slide(parent.board, node.action) == (node.board, node.reward)
        else:
            assert node.board == parent.board | node.exponent << 4 * node.cell
            assert parent.board >> 4 * node.cell & 15 == 0


def test_without_a_bonus_it_takes_the_largest_mean(net, boards):
    tree = Tree(net, boards[0], c=0.0, p4=0.1, seed=2)
    for _ in range(20):
        children = dict(tree.nodes[0].children)
        means = {action: child.mean for action, child in children.items()}
        trip = tree.trip()
        if trip.decisions[0].bounds:
            assert means[trip.decisions[0].action] == max(means.values())


# The widget


def test_the_shaded_action_is_the_next_one(net, boards):
    widget = explore.search(net, boards[2], trips=12)
    assert len(widget.trees) == 3
    for run, grown in zip(widget.state["runs"][1:], widget.trees.values()):
        marked = [step["marked"] for step in run["steps"][:-1]]
        assert marked == [trip.decisions[0].action for trip in grown.trips]
        assert run["steps"][-1]["visible"] == len(run["nodes"]) == len(grown.tree.nodes)


def test_the_usual_bonus_is_round(net, boards):
    assert usual_c(NTupleNetwork(((0, 1),)), 0x11, 0.1) >= 1
    values = worths(net, boards[0], 0.1).values()
    spread = (max(values) - min(values)) / 2
    assert spread / 2 < usual_c(net, boards[0], 0.1) < 2 * spread + 2


@pytest.mark.parametrize(
    "wrong, why",
    [
        (dict(board=0x1212_2121_1212_2121), "dead"),
        (dict(trips=0), "0"),
        (dict(c=-1), "-1"),
        (dict(p4=2), "2"),
        (dict(board=-3), "-3"),
    ],
)
def test_what_cannot_be_searched_is_refused(wrong, why):
    with pytest.raises(ValueError, match=why):
        explore.search(NTupleNetwork(((0, 1),)), **wrong)


def test_a_network_is_needed():
    with pytest.raises(ValueError, match="NTupleNetwork"):
        explore.search(0x11)
