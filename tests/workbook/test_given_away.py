"""No cell of a handout solves an exercise: no function of it passes a check by a wrapper."""

import pytest
from given_away import functions_of, solved_by
from tiny_notebooks import code, notebook

from notebook_tools import handout
from notebook_tools.files import read, sources


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.stem)
def test_no_function_of_a_handout_passes_a_check(path):
    nb = handout.handout(read(path), path.stem)
    assert solved_by(functions_of(nb)) == set()


GIVING_AWAY = {
    ("naive_index", "index"): """
from lib2048 import to_array


def naive_index(board, pattern):
    exponents = to_array(board).ravel()
    return sum(int(exponents[cell]) * 16**j for j, cell in enumerate(pattern))
""",
    ("naive_slide", "slide"): """
import lib2048


def naive_slide(action, board):
    return lib2048.slide(board, action)
""",
    ("mean_by_hand", "spawn_mean"): """
def mean_by_hand(afterstate, value, p4):
    empty = [cell for cell in range(16) if not afterstate >> 4 * cell & 15]
    total = 0.0
    for cell in empty:
        total += (1 - p4) * value(afterstate | 1 << 4 * cell)
        total += p4 * value(afterstate | 2 << 4 * cell)
    return total / len(empty)
""",
    ("learn_states", "update_episode_state"): """
def learn_states(net, path, alpha):
    following = 0.0
    for s, _, r, _ in reversed(path):
        error = r + following - net.value(s)
        following = net.update(s, alpha * error)
""",
    ("learn", "td0_backward"): """
def learn(V, game, alpha):
    for s, _, r, s_next in reversed(game):
        target = r if s_next is None else r + V[s_next]
        V[s] += alpha * (target - V[s])
""",
    ("bound", "ucb1"): """
import math

bound = lambda c, mean, n, total: math.inf if n == 0 else mean + c * math.sqrt(math.log(total) / n)
""",
}


@pytest.mark.parametrize(("pair", "source"), GIVING_AWAY.items(), ids=lambda part: str(part)[:30])
def test_what_gives_an_exercise_away_is_found(pair, source):
    assert pair in solved_by(functions_of(notebook(code(source))))


def test_what_is_left_out_gives_nothing_away():
    (_, exercise), source = next(iter(GIVING_AWAY.items()))
    nb = notebook(code(source, "naive", "gives-away"), code("print(1)"))
    assert functions_of(handout.handout(nb, "01_a")) == {}
    stub = f"def my_{exercise}(board, pattern): ...\n\n\ndef helper(board):\n    return board"
    assert list(functions_of(notebook(code(stub)))) == ["helper"]
