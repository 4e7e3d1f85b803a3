"""The museum of faults: without a fault it is lib2048 to the bit, and each fault goes wrong in just
the way it says."""

import random

import naive
import numpy as np
import pytest

import experiments
import lib2048
from experiments.museum import RIGHT, WRONG, resume_with, train_with
from lib2048 import DOWN, LEFT, NTupleNetwork, from_tiles, symmetries
from workbook import faults, museum
from workbook.museum import LAST_MOVES, choose_with, learn_with, move_with, read_reversed

SMALL = ((0, 1), (9, 4, 8))
NAMES = [
    "LATE_REWARD",
    "END_RECORD",
    "STALE_VALUE",
    "NO_NEW_TILE",
    "NOT_DIVIDED",
    "OTHER_ODDS",
    "FROM_MINUS_1",
    "UPSIDE_DOWN",
    "HALF_REWARD",
    "ONE_TABLE",
    "CLIPPED",
    "SUMS_LOST",
    "DIGITS_REVERSED",
]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Results go to a folder of the test's own."""
    monkeypatch.setenv("EXPERIMENTS_HOME", str(tmp_path))


def constant(values="afterstate", value=100.0):
    """A network of one lookup, in a cell that LAST_MOVES never changes: all V are one weight."""
    return NTupleNetwork(((15,),), values, init=value, symmetries=1)


def trained(net, fault="NONE", games=60, seed=3):
    """What 60 games look like in which the network learns, in place, with a fault."""
    log, signs = museum.train(net, games, 0.5, seed, fault)
    assert len(log.scores) == games
    return signs


# Without a fault


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("sides", [8, 1])
def test_training_without_a_fault_is_lib2048s(values, sides):
    net, other = (NTupleNetwork(SMALL, values, init=20.0, symmetries=sides) for _ in range(2))
    signs = trained(net)
    log = lib2048.train(other, 60, 0.5, seed=3, progress=False)
    assert np.array_equal(net.weights, other.weights) and net.weights.std() > 1
    assert np.array_equal(signs.scores, log.scores)
    assert np.array_equal(signs.max_tiles, log.max_tiles)
    assert np.array_equal(signs.moves, log.moves)
    assert not signs.alive.any()


def test_the_curve_without_a_fault_is_lib2048s():
    result = train_with(patterns=SMALL, games=100, seed=2)
    log = lib2048.train(NTupleNetwork(SMALL), 100, 0.1, seed=2, block=5, progress=False)
    assert np.array_equal(result["means"], log.means)
    assert np.array_equal(result["best"], log.best)
    assert result["score"] == pytest.approx(log.means[-5:].mean())
    assert result["diverged"] is None


def test_progress_is_told_after_each_block():
    told = []
    museum.train(
        NTupleNetwork(SMALL), 50, 0.1, 1, block=20, report=lambda *so_far: told.append(so_far)
    )
    assert told == [(20, 50), (40, 50), (50, 50)]


def test_only_faults_that_kernels_have_are_planted():
    for name in ("SUMS_LOST", "LONGEST", "late_reward", "", None):
        with pytest.raises(ValueError, match="kernels have the faults NONE, LATE_REWARD"):
            move_with(name, LAST_MOVES[0][0], LEFT)


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_single_steps_without_a_fault_are_lib2048s(values):
    net = NTupleNetwork(SMALL, values)
    for k in range(2):
        weights = np.random.default_rng(k).random(16 ** len(SMALL[k]))
        net.set_table_part(k, 0, weights.astype(np.float32))
    for seed in range(3):
        boards, actions, _ = naive.random_game(random.Random(seed))
        numbers = [naive.to_board(cells) for cells in boards]
        for board in numbers:
            assert [move_with("NONE", board, action) for action in range(4)] == [
                lib2048.slide(board, action) for action in range(4)
            ]
            action, worths = lib2048.best_action(net, board)
            chosen, worth = choose_with("NONE", net, board)
            assert chosen == action and (action is None or worth == worths[action])
        rewards = [lib2048.slide(board, action)[1] for board, action in zip(numbers, actions)]
        other = NTupleNetwork.__new__(NTupleNetwork)
        other.__dict__ = net.__dict__ | {"weights": net.weights.copy()}
        value = learn_with("NONE", net, numbers, actions, rewards, 0.5)
        assert value == lib2048.learn_episode(other, numbers, actions, rewards, 0.5)
        assert np.array_equal(net.weights, other.weights)


# Faults in learning. With alpha 1 the one weight becomes its target: 4 = r_1 + 0, or 12 = r_0 + r_1
# for states.


@pytest.mark.parametrize(("fault", "values", "learned"), [
    ("NONE", "afterstate", 4),
    ("NONE", "state", 12),
    ("LATE_REWARD", "state", 4),  # r_0 is nobody's, r_1 counts a step too late
    ("END_RECORD", "afterstate", 3),  # 100 - 100 for the dead board, then -1 and 4 more
    ("END_RECORD", "state", 11),
    ("STALE_VALUE", "afterstate", -96),  # 100 - 100, then 4 - 100 more
    ("STALE_VALUE", "state", -84),  # 100 + (4 - 100), then 12 - 100 more
    ("CLIPPED", "afterstate", 100),  # down by 1, towards 4 + 99 up by 1
    ("CLIPPED", "state", 100),
    ("NO_NEW_TILE", "afterstate", 0),  # without its new 2 the board does not move: V becomes V
])  # fmt: skip
def test_learning_the_last_moves(fault, values, learned):
    net = constant(values)
    assert learn_with(fault, net, *LAST_MOVES, alpha=1.0) == learned == net.value(LAST_MOVES[0][0])


def test_the_next_move_is_looked_for_on_the_board_without_its_new_tile():
    boards = [
        from_tiles([row, *museum.REST]) for row in ([4, 4, 8, 2], [8, 8, 2, 2], [16, 4, 2, 0])
    ]
    net = NTupleNetwork(((0,),), symmetries=1)  # V is the exponent in the corner
    net.set_table_part(0, 0, np.arange(16))
    assert learn_with("NONE", net, boards, [LEFT, LEFT], [8, 20], 0.0) == 3
    learn_with("NO_NEW_TILE", net, boards, [LEFT, LEFT], [8, 20], 1.0)
    # s'_1 (corner 16) learned 0 from the end; s'_0 is 8 8 2 ., which goes LEFT to 16 2 . . for 16
    # points and V = 0.
    assert net.weight(0, 4) == 0 and net.weight(0, 3) == 16


def test_values_grow_without_end_when_the_new_tile_is_left_out():
    patterns = ((0, 1, 4, 5), (1, 2, 5, 6))
    result = train_with("NO_NEW_TILE", patterns=patterns, alpha=0.5, games=2_000)
    assert result["diverged"] and result["score"] is None


# Faults in choosing

ALIKE = from_tiles([[0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 4, 0], [0, 0, 0, 0]])


def test_the_sum_is_not_the_mean():
    net = NTupleNetwork(((0,),), "state", init=100.0)
    assert choose_with("NONE", net, ALIKE) == (0, pytest.approx(100))
    assert choose_with("NOT_DIVIDED", net, ALIKE) == (0, pytest.approx(1400)), "14 cells are empty"
    net = NTupleNetwork(((0,),), "afterstate", init=100.0)
    assert choose_with("NOT_DIVIDED", net, ALIKE)[1] == pytest.approx(100)


def test_the_expected_share_of_fours():
    net = NTupleNetwork(((3,),), "state", symmetries=1)
    net.set_table_part(
        0, 2, np.ones(1)
    )  # worth 1 where the new tile is a 4; with a 2 the board is dead
    assert choose_with("NONE", net, LAST_MOVES[0][1]) == (LEFT, pytest.approx(4.1))
    assert choose_with("OTHER_ODDS", net, LAST_MOVES[0][1]) == (LEFT, pytest.approx(4.2))


def test_nothing_below_minus_one_is_chosen():
    assert choose_with("NONE", constant(value=-100.0), ALIKE) == (0, -100)
    assert choose_with("FROM_MINUS_1", constant(value=-100.0), ALIKE)[0] is None
    assert choose_with("FROM_MINUS_1", constant(value=-0.5), ALIKE) == (0, -0.5)
    result = train_with("FROM_MINUS_1", patterns=SMALL, init=-100.0, games=20)
    assert not result["best"].any() and result["alive"] == 1


# Faults in the game


def test_down_is_left_upside_down():
    rng = np.random.default_rng(0)
    for board in rng.integers(0, 5, (200, 4, 4)).astype(int):
        for action in range(4):
            wanted, reward = lib2048.slide(lib2048.from_array(board), action)
            after, gained = move_with("UPSIDE_DOWN", lib2048.from_array(board), action)
            upside_down = lib2048.from_array(lib2048.to_array(wanted)[::-1])
            assert gained == reward and after == (
                upside_down if action == DOWN and reward >= 0 else wanted
            )


def test_halved_rewards_play_the_same_games_for_half_the_points():
    """Halving a float loses nothing, so all is the same to the bit but for the factor."""
    net, half = NTupleNetwork(SMALL), NTupleNetwork(SMALL)
    right = trained(net)
    wrong = trained(half, "HALF_REWARD")
    board = LAST_MOVES[0][0]
    assert move_with("HALF_REWARD", board, LEFT) == (lib2048.slide(board, LEFT)[0], 4)
    assert np.array_equal(half.weights * 2, net.weights)
    assert np.array_equal(right.max_tiles, wrong.max_tiles)
    assert np.array_equal(right.moves, wrong.moves)
    assert np.array_equal(right.scores, 2 * wrong.scores)


def test_the_tiles_say_what_a_game_must_have_scored():
    net = NTupleNetwork(SMALL)
    signs = trained(net)
    missing = signs.full_scores - signs.scores
    assert (missing >= 0).all() and not (missing % 4).any(), "4 points for every 4 that was spawned"
    for game in range(3):
        trace = lib2048.play(net, seed=1, game=game)
        boards = [naive.to_cells(int(board)) for board in trace.boards]
        after = [naive.slide(board, action)[0] for board, action in zip(boards, trace.actions)]
        fours = boards[0].count(2) + sum(
            new.count(2) - old.count(2) for new, old in zip(boards[1:], after)
        )
        full = sum((e - 1) << e for e in boards[-1] if e)
        assert faults.full_score(trace.boards[-1]) == full == trace.score + 4 * fours


# Faults in the network, in patterns and files


def test_one_table_four_times():
    net = NTupleNetwork(((0,), (15,)), symmetries=1)
    net.set_table_part(0, 0, np.ones(1))  # an empty cell is worth 1 in the first table only
    board = from_tiles([[0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert choose_with("NONE", net, board)[1] == 1
    assert choose_with("ONE_TABLE", net, board)[1] == 2
    wrong = NTupleNetwork(SMALL)
    trained(wrong, "ONE_TABLE")
    assert wrong.table(0).any() and not wrong.table(1).any()


def test_an_error_that_is_clipped_moves_every_weight_by_alpha():
    boards, actions, rewards = LAST_MOVES
    last = boards[1:], actions[1:], rewards[1:]
    two = {
        fault: NTupleNetwork(((12,), (15,)), init=100.0, symmetries=1)
        for fault in ("NONE", "CLIPPED")
    }
    assert learn_with("NONE", two["NONE"], *last, 0.1) == pytest.approx(90)
    assert learn_with("CLIPPED", two["CLIPPED"], *last, 0.1) == pytest.approx(99.8)


def test_six_patterns_are_two():
    def different(patterns):
        marks = [sum(1 << 4 * cell for cell in pattern) for pattern in patterns]
        return len({min(symmetries(mark)) for mark in marks})

    assert len(museum.SIX_THAT_ARE_TWO) == 6 and different(museum.SIX_THAT_ARE_TWO) == 2
    assert different(lib2048.PATTERNS["6x6"]) == 6


def test_a_pattern_and_its_image_learn_what_one_of_them_does():
    one = NTupleNetwork(((0, 1, 4),))
    with pytest.warns(UserWarning, match="images of each other"):
        two = NTupleNetwork(((0, 1, 4), (3, 2, 7)))
    assert np.array_equal(trained(one).scores, trained(two).scores)
    assert np.array_equal(one.table(0), two.table(0) * 2)
    assert np.array_equal(two.table(0), two.table(1))


def test_lost_sums_let_every_step_through(monkeypatch):
    monkeypatch.setitem(lib2048.PATTERNS, "4x6", ((0, 1, 4, 5), (1, 2, 5, 6)))
    right, wrong = (
        resume_with(fault, coherence=True, games=200, seed=1) for fault in ("NONE", "SUMS_LOST")
    )
    assert right["rate_before"] == right["rate_after"] < 1
    assert wrong["rate_before"] == right["rate_before"]
    assert wrong["rate_after"] == 1
    # What it knows is all there.
    assert wrong["value_before"] == wrong["value_after"] == right["value_after"]
    assert np.array_equal(wrong["means"][:10], right["means"][:10])
    assert wrong["means"][10] != right["means"][10]
    log = lib2048.train(NTupleNetwork("4x6"), 200, coherence=True, seed=1, block=10, progress=False)
    assert np.array_equal(right["means"], log.means)


def test_digits_in_the_other_order():
    net = NTupleNetwork(SMALL, "state")
    trained(net)
    read = read_reversed(net)
    assert read.values == "state" and read.games == net.games
    board = from_tiles([[2, 4, 0, 0], [8, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
    for k, pattern in enumerate(SMALL):
        digits = [lib2048.to_array(board).ravel()[cell] for cell in pattern]
        number = sum(int(digit) << 4 * j for j, digit in enumerate(reversed(digits)))
        assert read.weight(k, read.index(k, board)) == net.weight(k, number)
    assert read.value(board) != net.value(board)


# What notebooks ask


@pytest.mark.parametrize("fault", NAMES)
def test_the_code_of_a_fault_is_shown(fault):
    text = museum.shown(fault).replace('"', "")
    assert text.startswith("def ") and f"    if fault == {fault}" in text
    assert 4 <= len(text.splitlines()) <= 6
    with pytest.raises(ValueError, match="no fault is called 'FAULT'"):
        museum.shown("FAULT")


def test_every_fault_is_in_the_experiment():
    run = {made.parameters["fault"] for made in experiments.find("faults").pieces("full")}
    assert run == {"NONE", *NAMES}
    assert all(right in RIGHT for right, *_ in WRONG.values())
