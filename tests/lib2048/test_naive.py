"""The slow twins of network and learning hold what must be true of them whatever lib2048 does."""

import math
import random

import naive
import pytest

UP, RIGHT, DOWN, LEFT = naive.ACTIONS
#     2   8 128   4        1 3 7 2
#     8  32  64 256        3 5 6 8
#     2   4  32 128        1 2 5 7
#     4   2   8  16        2 1 3 4
SAMPLE = naive.from_tiles([[2, 8, 128, 4], [8, 32, 64, 256], [2, 4, 32, 128], [4, 2, 8, 16]])
GAMES = [naive.random_game(random.Random(seed)) for seed in range(5)]
PATTERNS = ((0, 1), (4, 5, 8))


def trained(values="afterstate", symmetries=8):
    """A small network that has learned from the random games."""
    network = naive.Network(PATTERNS, values, init=5.0, symmetries=symmetries)
    for boards, actions, _ in GAMES:
        naive.learn(network, naive.episode(boards, actions), 0.1)
    return network


@pytest.mark.parametrize("symmetries", [1, 8])
def test_value_is_the_same_by_images_of_the_patterns(symmetries):
    """The images of the board under fixed patterns, or those of the patterns on a fixed board."""
    network = trained(symmetries=symmetries)
    moved = naive.symmetries(list(range(16)))[:symmetries]
    for boards, _, _ in GAMES:
        expected = math.fsum(
            network.weight(k, naive.index(boards[-1], [image[cell] for cell in pattern]))
            for image in moved
            for k, pattern in enumerate(PATTERNS)
        )
        assert network.value(boards[-1]) == pytest.approx(expected, rel=1e-12)


def test_images_have_equal_values_only_under_eight_symmetries():
    assert len({trained().value(image) for image in naive.symmetries(SAMPLE)}) == 1
    assert len({trained(symmetries=1).value(image) for image in naive.symmetries(SAMPLE)}) > 1


def test_update_adds_one_share_a_lookup():
    network = naive.Network(PATTERNS, init=32.0)
    assert network.lookups == 16 and network.value(SAMPLE) == 32
    before = [network.table(k) for k in range(2)]
    after = network.update([0] * 16, 16.0)
    added = [sum(network.table(k)) - sum(before[k]) for k in range(2)]
    assert added == [8, 8]
    assert after == network.value([0] * 16) == 32 + 2 * 8 * 8


def test_update_moves_the_value_by_delta_times_the_squared_multiplicities():
    network, rng = trained(), random.Random(4)
    for _ in range(50):
        cells = [rng.randint(0, 2) for _ in range(16)]
        lookups = network.indices(cells)
        squares = sum(lookups.count(lookup) ** 2 for lookup in set(lookups))
        before = network.value(cells)
        assert network.update(cells, 3.0) - before == pytest.approx(3.0 * squares / 16)


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_one_ply_is_greedy_and_dead_boards_have_no_action(values):
    network = trained(values)
    for boards, _, _ in GAMES:
        for cells in boards[-8:-1]:
            action, four = naive.choose(network, cells)
            again, values_again = naive.expectimax(network, cells, 1)
            assert again == action and values_again == pytest.approx(four, nan_ok=True)
            assert [a for a in naive.ACTIONS if not math.isnan(four[a])] == naive.legal_actions(
                cells
            )
            assert action in naive.acceptable(four) and four[action] == max(
                v for v in four if not math.isnan(v)
            )
        action, four = naive.choose(network, boards[-1])
        assert action is None and all(math.isnan(value) for value in four)
        assert naive.acceptable(four) == []


def test_ties_go_to_the_lowest_action():
    assert naive.best([math.nan, 3.0, 7.0, 7.0])[0] == DOWN
    assert naive.best([0.0, 0.0, 0.0, 0.0])[0] == UP
    assert naive.best([math.nan, -5.0, math.nan, -2.0])[0] == LEFT
    assert naive.acceptable([7.0, math.nan, 7.000001, 6.9]) == [UP, DOWN]


def test_search_with_a_network_of_zeros_sees_rewards_alone():
    """Both kinds of value then give r + the mean of the best next reward, never less than r."""
    cells = GAMES[0][0][-6]
    state, after = naive.Network(PATTERNS, "state"), naive.Network(PATTERNS, "afterstate")
    _, one = naive.expectimax(after, cells, 1)
    _, two = naive.expectimax(after, cells, 2)
    assert naive.expectimax(state, cells, 2)[1] == pytest.approx(two, nan_ok=True)
    assert all(b >= a for a, b in zip(one, two) if not math.isnan(a))


def test_episode_checks_its_moves():
    boards, actions, rewards = GAMES[0]
    steps = naive.episode(boards, actions)
    assert [step.r for step in steps] == rewards and [step.s for step in steps] == boards[:-1]
    assert [naive.slide(step.s, step.a) for step in steps] == [
        (step.after, step.r) for step in steps
    ]
    with pytest.raises(ValueError):
        naive.episode(boards[:-1], actions[:-1])
    with pytest.raises(ValueError):
        naive.episode(boards, [(action + 1) % 4 for action in actions])


def unshared(steps, values):
    """A network of one weight a board, and the boards it learns.

    None of them comes twice, as every spawn adds to the sum of the tiles.
    """
    boards = [step.after if values == "afterstate" else step.s for step in steps]
    assert len({tuple(board) for board in boards}) == len(boards)
    return naive.Network((tuple(range(16)),), values, init=3.0, symmetries=1), boards


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("boards, actions, rewards", GAMES)
def test_backward_with_alpha_one_and_no_sharing_stores_the_score_to_come(
    values, boards, actions, rewards
):
    steps = naive.episode(boards, actions)
    network, shown = unshared(steps, values)
    naive.learn(network, steps, 1.0, "backward")
    to_come = [sum(rewards[t:]) for t in range(len(rewards) + 1)]
    expected = to_come[1:] if values == "afterstate" else to_come[:-1]
    assert [network.value(board) for board in shown] == pytest.approx(expected)


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("boards, actions, rewards", GAMES)
def test_forward_with_alpha_one_and_no_sharing_stores_the_next_reward(
    values, boards, actions, rewards
):
    """Every V read is still the initial 3, and the dead board counts 0."""
    steps = naive.episode(boards, actions)
    network, shown = unshared(steps, values)
    naive.learn(network, steps, 1.0, "forward")
    expected = (
        [r + 3 for r in rewards[1:]] + [0] if values == "afterstate" else [r + 3 for r in rewards]
    )
    if values == "state":
        expected[-1] = rewards[-1]
    assert [network.value(board) for board in shown] == pytest.approx(expected)


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("order", ["backward", "forward"])
def test_coherence_changes_nothing_while_a_weight_has_errors_of_one_sign(values, order):
    plain, coherent = (naive.Network(PATTERNS, values, coherence=flag) for flag in (False, True))
    for network in (plain, coherent):
        for boards, actions, _ in GAMES:
            naive.learn(network, naive.episode(boards, actions), 0.1, order)
    steady = [
        (k, i)
        for k in range(2)
        for i, (total, absolute) in coherent.sums[k].items()
        if abs(total) == absolute
    ]
    mixed = [
        (k, i)
        for k in range(2)
        for i, (total, absolute) in coherent.sums[k].items()
        if abs(total) < absolute
    ]
    assert steady and mixed
    assert all(coherent.weight(k, i) == pytest.approx(coherent.sums[k][i][0]) for k, i in steady)
    assert all(
        abs(total) <= absolute for sums in coherent.sums for total, absolute in sums.values()
    )
    assert plain.sums == [{}, {}]


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("order", ["backward", "forward"])
def test_learning_while_playing_is_learning_from_the_recorded_game(values, order):
    """Only the choices differ, which either order makes from the network as it is at that time."""
    playing, recorded = (
        naive.Network(((0, 1), (0,)), values, init=20.0, symmetries=1) for _ in range(2)
    )
    for game in range(2):
        stream = naive.Stream(5, game, 0.2)
        steps, last = naive.train_game(playing, stream, 0.5, order)
        first = naive.Stream(5, game, 0.2).first_board()
        assert steps[0].s == first and naive.is_dead(last)
        following = [step.s for step in steps[1:]] + [last]
        assert naive.episode([first, *following], [step.a for step in steps]) == steps
        if order == "backward":
            assert all(naive.choose(recorded, step.s, 0.2)[0] == step.a for step in steps)
        naive.learn(recorded, steps, 0.5, order)
        for k in range(2):
            assert playing.table(k) == pytest.approx(recorded.table(k))
