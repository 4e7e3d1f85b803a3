"""Monte-Carlo tree search on 2048: a slow twin grows the same trees; games hang on the seed."""

import math

import numpy as np
import pytest

import lib2048
from lib2048 import NTupleNetwork, best_action, from_tiles, legal_actions, slide
from lib2048.board import fours_below
from lib2048.random_words import GOLDEN, mix
from lib2048.tree_search import TreeSearch

BOARDS = (
    from_tiles([[2, 4, 8, 16], [4, 8, 16, 32], [2, 2, 8, 64], [0, 4, 8, 128]]),
    from_tiles([[2, 0, 0, 0], [0, 0, 0, 4], [0, 0, 8, 0], [2, 0, 0, 0]]),
    from_tiles([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 8, 8]]),
)
DEAD = from_tiles([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]])
ONE_WAY = from_tiles([[0, 2, 4, 8], [0, 4, 8, 16], [0, 8, 16, 32], [0, 16, 32, 64]])


@pytest.fixture(scope="module", params=("afterstate", "state"))
def net(request):
    """A small network of random weights."""
    made = NTupleNetwork(((0, 1, 2), (4, 5)), values=request.param)
    rng = np.random.default_rng(1)
    for k in range(2):
        table = made.table(k)
        made.set_table_part(k, 0, (rng.random(len(table)) * 20).astype(np.float32))
    return made


class Twin:
    """The same search in plain Python, with a dict for each board."""

    def __init__(self, net, c, state, p4=0.1):
        self.net = net
        self.c = c
        self.state = state
        self.p4 = p4

    def search(self, board, trips):
        """(the means, the visits) of the four actions."""
        root, _ = self.new(board)
        sums = [entry["total"] for entry in root["actions"].values()]
        bonus = self.c * max(max(sums) - min(sums), 1.0)
        for _ in range(trips):
            self.trip(root, bonus)
        means = np.full(4, np.nan)
        visits = np.zeros(4)
        for action, entry in root["actions"].items():
            means[action] = entry["total"] / entry["visits"]
            visits[action] = entry["visits"]
        return means, visits

    def new(self, board):
        _, worths = best_action(self.net, board, p4=self.p4)
        actions = {}
        for action in legal_actions(board):
            afterstate, reward = slide(board, action)
            worth = float(worths[action])
            entry = {"afterstate": afterstate, "reward": reward, "visits": 1, "total": worth}
            actions[action] = entry | {"followers": {}}
        return {"actions": actions}, max((a["total"] for a in actions.values()), default=0.0)

    def trip(self, node, bonus):
        path = []
        value = 0.0
        while node["actions"]:
            entry = self.chosen(node, bonus)
            path.append(entry)
            board = self.spawned(entry["afterstate"])
            if board not in entry["followers"]:
                entry["followers"][board], value = self.new(board)
                break
            node = entry["followers"][board]
        for entry in reversed(path):
            value += entry["reward"]
            entry["visits"] += 1
            entry["total"] += value

    def chosen(self, node, bonus):
        log_n = math.log(sum(entry["visits"] for entry in node["actions"].values()))
        bounds = {
            action: entry["total"] / entry["visits"] + bonus * math.sqrt(log_n / entry["visits"])
            for action, entry in node["actions"].items()
        }
        return node["actions"][max(bounds, key=bounds.get)]

    def spawned(self, afterstate):
        self.state = (self.state + int(GOLDEN)) % 2**64
        word = int(mix(np.uint64(self.state)))
        empty = [cell for cell in range(16) if not afterstate >> 4 * cell & 15]
        cell = empty[(word >> 32) * len(empty) >> 32]
        is_four = (word & 0xFFFF_FFFF) < fours_below(self.p4)
        return afterstate | (2 if is_four else 1) << 4 * cell


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("trips", "c"), [(1, 0.5), (7, 0.0), (60, 0.0), (60, 0.4), (200, 3.0)])
def test_a_slow_twin_grows_the_same_tree(net, board, trips, c):
    player = TreeSearch(net, trips, c, seed=3)
    twin = Twin(net, c, int(player.tree.random[0]))
    means, visits = twin.search(board, trips)
    action, found = player.choose(board)
    assert player.visits.tolist() == visits.tolist()
    np.testing.assert_allclose(found, means, rtol=1e-5)
    assert action == np.nanargmax(found)
    assert visits.sum() == trips + len(legal_actions(board))


def test_much_exploration_spreads_trips_and_none_gathers_them(net):
    spread = TreeSearch(net, 200, c=100.0)
    spread.choose(BOARDS[1])
    assert np.ptp(spread.visits) <= 2
    gathered = TreeSearch(net, 200, c=0.0)
    gathered.choose(BOARDS[1])
    assert np.ptp(gathered.visits) > 50


def test_on_a_dead_board_there_is_no_action(net):
    action, means = TreeSearch(net, 5).choose(DEAD)
    assert action is None and np.isnan(means).all()


def test_the_only_action_needs_no_trip(net):
    assert legal_actions(ONE_WAY) == [lib2048.LEFT]
    player = TreeSearch(net, 50)
    action, _ = player.choose(ONE_WAY)
    assert action == lib2048.LEFT and player.visits.tolist() == [0, 0, 0, 1]


def test_games_depend_on_the_seed_and_their_number_alone(net):
    first = TreeSearch(net, 4, seed=5)
    games = [first.play(number) for number in range(3)]
    again = TreeSearch(net, 4, seed=5).play(2)
    assert again.actions.tolist() == games[2].actions.tolist() and again.score == games[2].score
    assert len({game.score for game in games}) > 1
    assert TreeSearch(net, 4, seed=6).play(2).actions.tolist() != again.actions.tolist()
    summary = TreeSearch(net, 4, seed=5).evaluate(3, progress=False)
    assert summary.scores.tolist() == [game.score for game in games]
    assert summary.moves == sum(game.moves for game in games)


def test_its_games_are_played_by_the_rules(net):
    player = TreeSearch(net, 3, seed=2)
    game = player.play(1)
    boards, rewards = lib2048.search.replay(player.rule, 1, game.actions)
    assert rewards.sum() == game.score and legal_actions(int(boards[-1])) == []


def test_the_flag_ends_a_search_at_once(net):
    player = TreeSearch(net, 1 << 20)
    player.stop[0] = 1
    assert not player.play().is_over and player.tree.used[0] <= 1


def test_values_that_are_no_numbers_are_refused():
    net = NTupleNetwork(((0,),))
    net.set_table_part(0, 0, np.full(16, np.nan, np.float32))
    with pytest.raises(ValueError, match="not numbers"):
        TreeSearch(net, 3).play()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(trips=0), "trips"),
        (dict(trips=2.5), "trips"),
        (dict(c=-1.0), "c is"),
        (dict(c=math.nan), "c is"),
        (dict(p4=2), "p4"),
    ],
)
def test_bad_arguments_are_refused(net, arguments, message):
    with pytest.raises(ValueError, match=message):
        TreeSearch(net, **arguments)


def test_bad_networks_boards_and_counts_are_refused(net):
    with pytest.raises(ValueError, match="NTupleNetwork"):
        TreeSearch("net")
    with pytest.raises(ValueError, match="board"):
        TreeSearch(net).choose(-1)
    with pytest.raises(ValueError, match="games"):
        TreeSearch(net).evaluate(0)
