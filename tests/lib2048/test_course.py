"""The agent of the Python course: it plays as lib2048 does, needs only numpy, checks itself."""

import ast
import importlib.util
import random

import numpy as np
import pytest
from course_worlds import WORLDS

from lib2048 import NTupleNetwork, best_action, compact, course, play, slide, to_array
from lib2048.course.writing import TEMPLATE
from workbook.course_environment import CourseEnvironment, slid_board
from workbook.course_grader import grade

OURS = ("up", "right", "down", "left")
PATTERNS = ((0, 1, 2, 3), (0, 1, 4, 5), (4, 5, 6))


def small_network(symmetries=8):
    """A network with weights of all sizes, without any training."""
    net = NTupleNetwork(PATTERNS, symmetries=symmetries)
    rng = np.random.default_rng(1)
    for k, pattern in enumerate(PATTERNS):
        net.set_table_part(k, 0, rng.integers(-3000, 3000, 16 ** len(pattern)).astype(np.float32))
    return net


def imported(path):
    """An agent as a module."""
    spec = importlib.util.spec_from_file_location("agent_under_test", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def net():
    return small_network()


@pytest.fixture(scope="module")
def agent(net, tmp_path_factory):
    path = tmp_path_factory.mktemp("course") / "student_agent.py"
    course.write_agent(path, net)
    return imported(path)


@pytest.fixture(scope="module")
def boards(net):
    trace = play(net, seed=1)
    return [int(board) for board in trace.boards[:-1:7]]


def tiles_of(board):
    exponents = to_array(board).astype(int)
    return np.where(exponents == 0, 0, 2**exponents)


def test_slides_are_those_of_the_library(agent, boards):
    rows = np.array([to_array(board).ravel() for board in boards])
    afterstates, rewards, moved = agent.slide_all(rows)
    for n, board in enumerate(boards):
        for action in range(4):
            afterstate, reward = slide(board, action)
            assert to_array(afterstate).ravel().tolist() == afterstates[n, action].tolist()
            assert rewards[n, action] == max(reward, 0)
            assert moved[n, action] == (reward != -1)


@pytest.mark.parametrize("symmetries", [8, 1])
def test_values_are_those_of_the_network(symmetries, boards, tmp_path):
    net = small_network(symmetries)
    course.write_agent(tmp_path / "agent.py", net)
    rows = np.array([to_array(board).ravel() for board in boards])
    values = imported(tmp_path / "agent.py").NETWORK.values(rows)
    assert values.tolist() == [net.value(board) for board in boards]


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_expectimax_plays_as_the_library_does(plies, agent, net, boards):
    for board in boards[::5]:
        _, values = best_action(net, board, plies=plies)
        chosen = agent.expectimax(agent.board_of(tiles_of(board)), agent.NETWORK, plies)
        assert np.isclose(values[chosen], np.nanmax(values), rtol=1e-5, atol=1e-3)


def test_actions_are_said_in_the_order_of_the_environment(net, agent, boards, tmp_path):
    course.write_agent(tmp_path / "agent.py", net, actions=("left", "up", "right", "down"))
    other = imported(tmp_path / "agent.py")
    for board in boards[::5]:
        state = tiles_of(board)
        said = agent.ACTIONS[agent.get_action(state, 0)]
        assert said == other.ACTIONS[other.get_action(state, 0)]
        assert slide(board, OURS.index(said))[1] != -1
        assert (state == tiles_of(board)).all(), "the board of the environment is changed"


def test_boards_may_hold_exponents(net, agent, boards, tmp_path):
    course.write_agent(tmp_path / "agent.py", net, state="exponents")
    other = imported(tmp_path / "agent.py")
    for board in boards[::5]:
        assert other.get_action(to_array(board), 0) == agent.get_action(tiles_of(board), 0)


def test_dead_boards_and_boards_that_are_none(agent):
    dead = np.array([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]])
    assert agent.get_action(dead, 0) == 0
    huge = np.array([[65536, 32768, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 0]])
    assert agent.get_action(huge, 0) in (1, 3)
    for wrong, says in [
        (np.arange(16).reshape(4, 4), "exponents"),
        (np.full((4, 4), 6), "is a 6"),
        (np.full((4, 4), -2), "is a -2"),
        (np.zeros(16), "shape"),
    ]:
        with pytest.raises(ValueError, match=says):
            agent.get_action(wrong, 0)


def test_tree_search_takes_a_legal_action_and_leaves_the_random_numbers_alone(
    net, tmp_path, boards
):
    course.write_agent(tmp_path / "agent.py", net, search="td-mcts", seconds=60, trips=20)
    searching = imported(tmp_path / "agent.py")
    random.seed(1)
    before = random.getstate()
    for board in boards[::9]:
        action = searching.get_action(tiles_of(board), 0)
        assert slide(board, OURS.index(searching.ACTIONS[action]))[1] != -1
        assert searching.get_action(tiles_of(board), 0) == action
    assert random.getstate() == before


def test_a_trip_down_the_tree_tells_all_the_way_up_what_it_found(agent, boards):
    board = agent.board_of(tiles_of(boards[len(boards) // 2]))
    chance = random.Random(1)
    root = agent.Node(board, agent.NETWORK)
    guesses = list(root.totals)
    first = max(root.legal, key=lambda action: guesses[action])
    agent.one_trip(root, agent.NETWORK, 0.0, chance)
    (key,) = root.children
    child = root.children[key]
    assert key[0] == first, "with nothing for seldom tried actions it takes the best guess"
    assert root.totals[first] == guesses[first] + root.rewards[first] + child.worth
    assert child.worth == max(child.totals[action] for action in child.legal)
    for _ in range(99):
        agent.one_trip(root, agent.NETWORK, 1e6, chance)
    assert sum(root.visits) == 4 + 100
    assert all(root.visits[action] > 1 for action in root.legal)
    below = [node for node in root.children.values() if node.legal]
    passes = sum(sum(node.visits) - 4 for node in below)
    assert passes + len(root.children) == 100, "each trip made a child, or went on from one"


def test_the_file_is_python_3_8(tmp_path, net):
    course.write_agent(tmp_path / "agent.py", net)
    tree = ast.parse((tmp_path / "agent.py").read_text(), feature_version=(3, 8))
    subscripted = [node for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)]
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            subscripted += [a.annotation for a in function.args.args] + [function.returns]
    kinds = {type(node).__name__ for node in subscripted}
    assert kinds <= {"Name", "Attribute", "Constant", "NoneType"}, "list[int] fails there"
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", node.names[0].name) for node in imports}
    assert names == {"base64", "importlib", "math", "random", "time", "zlib", "typing", "numpy"}
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    newer = {"removeprefix", "removesuffix", "bit_count", "lcm", "cache", "randbytes"}
    assert used & newer == set()


def test_it_plays_whole_games_where_only_numpy_is(tmp_path, net):
    course.write_agent(tmp_path / "agent.py", net, plies=1)
    games = grade(tmp_path / "agent.py", games=3, seed=1)
    again = grade(tmp_path / "agent.py", games=1, seed=1)
    assert len(games.scores) == 3 and (games.moves > 20).all()
    assert again.scores[0] == games.scores[0], "the same seed is the same game"


def test_the_network_that_comes_along_scores(tmp_path):
    written = course.write_agent(tmp_path / "agent.py", plies=1)
    assert written.nbytes == (tmp_path / "agent.py").stat().st_size < 3_000_000
    text = (tmp_path / "agent.py").read_text()
    assert max(map(len, text.splitlines())) <= 100
    games = grade(tmp_path / "agent.py", games=2, seed=2, moves=800)
    assert (games.scores > 8_000).all(), "800 moves without dying, of a network that knows how"
    agent = imported(tmp_path / "agent.py")
    trace = play(compact(), seed=3)
    for board, action in zip(trace.boards[:-1:50], trace.actions[::50]):
        state = agent.board_of(tiles_of(int(board)))
        assert agent.expectimax(state, agent.NETWORK, 1) == action


def test_an_agent_that_needs_more_than_numpy_is_refused(tmp_path):
    (tmp_path / "agent.py").write_text("import scipy\n")
    with pytest.raises(ValueError, match="scipy is not installed here"):
        grade(tmp_path / "agent.py", games=1)


# Checking the environment


def test_the_course_as_it_is_passes(agent):
    environment = CourseEnvironment()  # which draws from Python's own random numbers
    before = random.getstate()
    agent.check_environment(environment)
    assert random.getstate() == before


@pytest.mark.parametrize("name", WORLDS)
def test_other_conventions_are_named(agent, name):
    world, says = WORLDS[name]
    with pytest.raises(ValueError, match=says):
        agent.check_environment(world(seed=3))


def test_the_environment_is_checked_at_import(tmp_path, net, monkeypatch):
    monkeypatch.syspath_prepend("tests/helpers")
    course.write_agent(tmp_path / "good.py", net, environment="course_worlds:Upright")
    imported(tmp_path / "good.py")
    course.write_agent(tmp_path / "bad.py", net, environment="course_worlds:OtherOrder")
    with pytest.raises(ValueError, match="action 1 of the environment"):
        imported(tmp_path / "bad.py")


def test_an_environment_in_the_same_file_is_checked(tmp_path, net):
    course.write_agent(tmp_path / "agent.py", net)
    text = (tmp_path / "agent.py").read_text()
    pasted = "from course_worlds import OtherOrder as Game2048Env\n\nNETWORK = Network("
    (tmp_path / "agent.py").write_text(text.replace("NETWORK = Network(", pasted))
    with pytest.raises(ValueError, match="slid right:\nset ACTIONS"):
        imported(tmp_path / "agent.py")


def test_a_damaged_network_is_noticed(tmp_path, net):
    course.write_agent(tmp_path / "agent.py", net)
    text = (tmp_path / "agent.py").read_text()
    (tmp_path / "agent.py").write_text(text.replace("EXAMPLE_VALUE = ", "EXAMPLE_VALUE = 1 + "))
    with pytest.raises(ValueError, match="is damaged"):
        imported(tmp_path / "agent.py")


# What cannot be written


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"search": "mcts"}, "search is"),
        ({"plies": 0}, "plies is a whole number from 1 to 5, got 0"),
        ({"plies": 1.5}, "got 1.5"),
        ({"seconds": 0}, "seconds, the time for a move,"),
        ({"seconds": "1"}, "got '1'"),
        ({"trips": 0}, "trips is a whole number from 1 to 1000000, got 0"),
        ({"actions": ("up", "down")}, "actions says"),
        ({"actions": ("up", "up", "left", "right")}, "each once"),
        ({"state": "cells"}, 'state is "tiles" or "exponents"'),
        ({"environment": "env2048"}, "a module and a class"),
        ({"step": 3}, "power of two"),
        ({"step": 2.0**-10}, "take a larger step"),
    ],
)
def test_bad_requests_are_refused(tmp_path, net, options, says):
    with pytest.raises(ValueError, match=says):
        course.write_agent(tmp_path / "agent.py", net, **options)
    assert list(tmp_path.iterdir()) == []


def test_networks_of_states_and_missing_folders_are_refused(tmp_path):
    with pytest.raises(ValueError, match="net is an NTupleNetwork, got 'net.npz'"):
        course.write_agent(tmp_path / "agent.py", "net.npz")
    with pytest.raises(ValueError, match='values="state"'):
        course.write_agent(tmp_path / "agent.py", NTupleNetwork(PATTERNS, values="state"))
    with pytest.raises(FileNotFoundError):
        course.write_agent(tmp_path / "nowhere" / "agent.py", small_network())


def test_the_template_plays_too():
    template = imported(TEMPLATE)
    assert template.get_action(CourseEnvironment(seed=1).board, 0) in range(4)


# The environment itself


def test_the_environment_slides_as_the_library_does(boards):
    for board in boards[::3]:
        for action, name in enumerate(("up", "down", "left", "right")):
            slid, reward = slid_board(tiles_of(board), action)
            afterstate, ours = slide(board, OURS.index(name))
            assert slid.tolist() == tiles_of(afterstate).tolist()
            assert reward == max(ours, 0)
