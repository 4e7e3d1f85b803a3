"""A learner of the reader's own functions: whose they are, what it learns, what is refused."""

import numpy as np
import pytest
from numba.core.errors import NumbaError

from lib2048 import NTupleNetwork, best_action, from_array, learn_episode, slide, train
from workbook import grid, solutions
from workbook.learner import learner
from workbook.learner import parts as parts_module
from workbook.learner.compiled import compiled, in_short

PATTERNS = ((0, 1, 2), (4, 5, 6))
ALL = {
    "slide": solutions.slide,
    "spawn": solutions.spawn,
    "play_game": solutions.play_game,
    "symmetries": solutions.symmetries,
    "index": solutions.index,
    "estimate": solutions.estimate,
    "update": solutions.update,
    "select": solutions.select_afterstate,
    "update_episode": solutions.update_episode_afterstate,
}


@pytest.fixture(autouse=True)
def trusting(monkeypatch):
    """Checks take seconds; only the test that is about them asks them."""
    monkeypatch.setattr(parts_module, "fault_of", lambda name, function: None)


def make(**functions):
    return learner(patterns=PATTERNS, **functions)


def as_tuples(board, action):
    after, reward = solutions.slide(board, action)
    return tuple(map(tuple, after)), float(reward)


def test_says_whose_functions_it_is_made_of():
    mine = make(index=solutions.index, slide=solutions.slide)
    assert mine.sources == {
        "slide": "yours",
        "spawn": "from the workbook",
        "play_game": "from the workbook",
        "symmetries": "from the workbook",
        "index": "yours",
        "estimate": "from the workbook",
        "update": "from the workbook",
        "select_afterstate": "from the workbook",
        "update_episode_afterstate": "from the workbook",
    }
    assert "Yours: slide, index. From the workbook: spawn," in repr(mine)
    assert set(make(**ALL).sources.values()) == {"yours"}


def test_what_is_not_written_yet_comes_from_the_workbook():
    def my_slide(board, action): ...

    def my_index(board, pattern):
        """The index."""

    mine = make(slide=my_slide, index=my_index)
    assert "yours" not in mine.sources.values()
    assert "(Not written yet: slide, index.)" in repr(mine)


def test_what_does_not_pass_its_check_is_refused_unless_it_is_taken_anyway(monkeypatch):
    monkeypatch.undo()

    def my_index(board, pattern):
        return 7

    with pytest.raises(
        ValueError, match=r"index is not yet.\nindex: check.index\(my_index\) shows"
    ):
        make(index=my_index)
    mine = make(index=my_index, anyway=True)
    assert "index: it does not pass its check" in repr(mine)
    assert mine.train(games=1).wait().scores[0] > 0


@pytest.mark.parametrize(
    "given, reason",
    [
        ({"slid": solutions.slide}, "got slid"),
        ({"slide": 3}, "slide is a function, got 3"),
        ({"values": "action"}, "values are afterstate or state"),
        ({"patterns": ((0, 0),)}, "cell"),
        ({"p4": 2}, "p4"),
        ({"spawn_mean": solutions.spawn_mean}, "got spawn_mean"),
    ],
)
def test_what_cannot_be_a_learner_is_refused(given, reason):
    with pytest.raises(ValueError, match=reason):
        learner(**({"patterns": PATTERNS} | given))


def test_learns_from_all_functions_the_same_as_from_none():
    """The reader's functions, if they are right, and the workbook's are interchangeable."""
    mine, ours = make(**ALL), make(spawn=solutions.spawn)
    scores = [made.train(games=6, seed=2).wait().scores for made in (mine, ours)]
    assert np.array_equal(*scores)
    for own, other in zip(mine.player.tables, ours.player.tables):
        assert np.allclose(own, other, rtol=1e-3)


def test_functions_may_answer_in_tuples_and_floats():
    plain, other = make(slide=solutions.slide), make(slide=as_tuples)
    assert np.array_equal(*(made.train(games=2).wait().scores for made in (plain, other)))


def test_slides_are_made_of_the_slide_of_a_row():
    mine = make(slide_left=solutions.slide_left)
    rng = np.random.default_rng(1)
    for board in rng.integers(0, 4, (30, 4, 4)).tolist():
        for action in range(4):
            assert mine.player.slide(board, action) == grid.slide(board, action)
    assert mine.sources["slide_left"] == "yours"


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_learns_as_lib2048_does(values):
    """One game, learned by lib2048 and by the learner, gives the same weights."""
    mine = learner(values=values, patterns=PATTERNS)
    path, last = mine.player.game(np.random.default_rng(1))
    mine.player.learn(path, 0.25)
    net = NTupleNetwork(PATTERNS, values=values)
    boards = [from_array(np.array(board)) for board, _, _, _ in path]
    boards.append(from_array(np.array(last)))
    actions = [action for _, action, _, _ in path]
    learn_episode(net, boards, actions, [reward for _, _, reward, _ in path], alpha=0.25)
    for own, table in zip(mine.player.tables, (net.table(0), net.table(1))):
        assert np.allclose(own, table, rtol=1e-3, atol=1e-3)


def test_plays_saves_and_measures(tmp_path):
    mine = make()
    mine.train(games=3, seed=5).wait()
    trace = mine.play(seed=7)
    assert trace.score == sum(trace.rewards) and len(trace.boards) == len(trace) + 1
    for board, action, after in zip(trace.boards, trace.actions, trace.boards[1:]):
        afterstate, reward = slide(int(board), int(action))
        assert reward >= 0 and bin(afterstate ^ int(after)).count("1") in (1, 2)
    chosen = [best_action(mine.network, int(board))[0] for board in trace.boards[:-1]]
    assert np.mean(chosen == trace.actions) > 0.9, "but where two are worth the same"
    assert np.nanmax(trace.values, axis=1) == pytest.approx(
        [trace.values[t, action] for t, action in enumerate(trace.actions)]
    )
    net = NTupleNetwork.load(mine.save(tmp_path / "runs" / "mine.npz"))
    assert net.games == 3 and net.value(0x4321) == pytest.approx(mine.value(0x4321), rel=1e-4)
    summary = mine.evaluate(3)
    assert summary.games == 3 and summary.mean > 0


def test_goes_on_learning_and_goes_by_time():
    once, twice = make(), make()
    once.train(games=4, seed=1).wait()
    for _ in range(2):
        twice.train(games=2, seed=1).wait()
    assert np.array_equal(once.player.tables[0], twice.player.tables[0])
    live = make().train(seconds=0.2)
    log = live.wait()
    assert len(log.scores) >= 1 and live.view.about["seconds"] == 0.2
    assert live.view.status == "done"


def test_stands_beside_lib2048():
    mine = make()
    with pytest.raises(ValueError, match="learned nothing yet"):
        mine.beside_lib2048()
    mine.train(games=5).wait()
    comparison = mine.beside_lib2048(games=20, seeds=3)
    assert comparison.games == 5 and len(comparison.others) == 3
    run = train(NTupleNetwork(PATTERNS), 5, alpha=0.1, seed=100, progress=False)
    assert np.array_equal(comparison.logs["lib2048"].scores, run.scores)
    text = comparison._repr_markdown_()
    assert "| yours |" in text and "From 5\u00a0games each, yours scores" in text
    assert "Three networks that lib2048 trained" in text
    assert "yours" in comparison.figure.alt


@pytest.mark.parametrize(
    "score, said",
    [(1e6, "above what luck explains"), (-1e6, "below them than luck"), (None, "well")],
)
def test_the_verdict_fits_the_numbers(score, said):
    mine = make()
    mine.train(games=2).wait()
    comparison = mine.beside_lib2048(games=10, seeds=3)
    if score is None:
        score = np.mean([summary.mean for summary in comparison.others])
    comparison.yours.mean = score
    assert said in comparison.verdict


def test_values_that_run_away_are_told():
    def my_update(board, patterns, tables, delta):
        for table in tables:
            table += 1e38
        return 0.0

    with pytest.raises(ValueError, match="training went off after 1 games"):
        make(update=my_update).train(games=5).wait()


# Compiled


def my_index(board, pattern):
    total = 0
    for j, cell in enumerate(pattern):
        total += board[cell // 4][cell % 4] << 4 * j
    return total


def my_symmetries(board):  # of lists: zip(*board) is nothing that numba compiles
    return solutions.symmetries(board)


@pytest.mark.slow
def test_compiles_what_can_be_compiled():
    mine = learner(compile=True, patterns=PATTERNS, index=my_index, symmetries=my_symmetries)
    assert mine.sources["index"] == "yours"
    assert mine.sources["symmetries"] == "from the workbook"
    assert "symmetries: yours does not compile: " in repr(mine)
    log = mine.train(games=60, seed=1).wait()
    assert len(log.scores) == 60
    board = grid.new_board(np.random.default_rng(1))
    plain = make()
    plain.player.tables = mine.player.tables
    assert mine.player.value(board) == pytest.approx(plain.player.value(board), rel=1e-4)
    assert mine.player.choose(board) == plain.player.choose(board)
    assert mine.play(1).score > 0


@pytest.mark.parametrize(
    "function, arguments, hint",
    [
        (lambda board: sum(x for x in board), (np.arange(3),), "as a loop"),
        (lambda path: list(reversed(path)), (np.arange(3),), "range(len(path) - 1, -1, -1)"),
        (lambda rng, cells: rng.choice(cells), (np.random.default_rng(), np.arange(3)), "integers"),
        (lambda board: grid.is_dead(board), (np.arange(3),), "your own functions"),
        (lambda board: np.array(board), (np.eye(4),), "np.asarray(board).copy()"),
    ],
)
def test_what_would_compile_instead_is_said(function, arguments, hint):
    with pytest.raises(NumbaError) as failed:
        compiled(function)(*arguments)
    assert hint in in_short(failed.value)


def test_a_mean_over_new_tiles_belongs_to_values_of_states():
    with pytest.raises(ValueError, match="means over new tiles belong"):
        learner(patterns=PATTERNS, spawn_mean=solutions.spawn_mean)


def doubled(x):
    return 2 * x


def test_a_function_is_compiled_with_what_it_calls():
    def outer(x):
        return doubled(x) + inner(x)

    def inner(x):
        return x + 1

    made = compiled(outer)
    assert made(3) == 10 and made.nopython_signatures, "compiled, and not run by Python"
