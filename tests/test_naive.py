"""The slow twins hold what must be true of them whatever lib2048 does."""

import itertools
import math
import random
import struct

import naive
import pytest

UP, RIGHT, DOWN, LEFT = naive.ACTIONS
ROWS = [list(row) for row in itertools.product(range(16), repeat=4)]
#     2   8 128   4        1 3 7 2
#     8  32  64 256        3 5 6 8
#     2   4  32 128        1 2 5 7
#     4   2   8  16        2 1 3 4
SAMPLE = naive.from_tiles([[2, 8, 128, 4], [8, 32, 64, 256], [2, 4, 32, 128], [4, 2, 8, 16]])
GAMES = [naive.random_game(random.Random(seed)) for seed in range(5)]
PATTERNS = ((0, 1), (4, 5, 8))


def tile_sum(cells):
    """The sum of the tiles of a row or board."""
    return sum(2 ** exponent for exponent in cells if exponent)


def random_cells(rng, empty=0.3):
    """A board of any tiles, 32768 included."""
    return [0 if rng.random() < empty else rng.randint(1, 15) for _ in range(16)]


def trained(values="afterstate", symmetries=8):
    """A small network that has learned from the random games."""
    network = naive.Network(PATTERNS, values, init=5.0, symmetries=symmetries)
    for boards, actions, _ in GAMES:
        naive.learn(network, naive.episode(boards, actions), 0.1)
    return network


def test_boards_as_numbers_and_rows():
    board = 0x4312_7521_8653_2731  # the cells of SAMPLE from the last to the first
    assert naive.to_board(SAMPLE) == board
    assert naive.to_cells(board) == SAMPLE
    assert naive.to_rows(SAMPLE) == [[1, 3, 7, 2], [3, 5, 6, 8], [1, 2, 5, 7], [2, 1, 3, 4]]
    assert naive.flat(naive.to_rows(SAMPLE)) == SAMPLE
    assert naive.to_cells(2 ** 64 - 1) == [15] * 16


def test_every_row_keeps_its_tile_sum_and_earns_what_it_merges():
    assert len(ROWS) == 65_536
    for row in ROWS:
        after, reward = naive.slide_row_left(row)
        assert tile_sum(after) == tile_sum(row)
        # Merging two of 2^e into 2^(e+1) leaves the sum, so it is the sum of squares that shows which tiles merged:
        # it grows by 2 * 4^e for a reward of 2^(e+1)
        gone = sum(exponent > 0 for exponent in row) - sum(exponent > 0 for exponent in after)
        growth = sum(4 ** e for e in after if e) - sum(4 ** e for e in row if e)
        assert (reward == 0) == (gone == 0)
        if gone == 1:
            assert reward * reward == 2 * growth
        if gone == 2:
            assert reward == 2 ** after[0] + 2 ** after[1]


def test_every_row_ends_packed_to_the_left_with_no_gap():
    for row in ROWS:
        after, _ = naive.slide_row_left(row)
        kept = [exponent for exponent in after if exponent]
        assert after == kept + [0] * (4 - len(kept)) and max(after) <= 15


def test_right_is_mirrored_left_and_columns_are_turned_rows():
    rng = random.Random(1)
    for _ in range(2000):
        cells = random_cells(rng)
        left, reward = naive.slide(cells, LEFT)
        mirrored = naive.reflect(cells)
        turned = naive.rotate(cells)
        assert naive.slide(mirrored, RIGHT) == (naive.reflect(left), reward)
        assert naive.slide(turned, UP) == (naive.rotate(left), reward)
        assert naive.slide(naive.rotate(naive.rotate(turned)), DOWN)[1] == reward


def test_all_rows_slide_right_as_their_mirror_image_slides_left():
    for row in ROWS:
        cells = [0] * 8 + row + [0] * 4
        after, reward = naive.slide_row_left(row[::-1])
        expected = (cells, -1) if after[::-1] == row else ([0] * 8 + after[::-1] + [0] * 4, reward)
        assert naive.slide(cells, RIGHT) == expected


def test_slide_leaves_its_board_alone():
    cells = list(SAMPLE)
    for action in naive.ACTIONS:
        naive.slide(cells, action)
    assert cells == SAMPLE


def test_dead_is_full_without_equal_neighbours_below_32768():
    rng = random.Random(2)
    for _ in range(3000):
        cells = random_cells(rng, empty=rng.choice([0.0, 0.0, 0.05]))
        pairs = [(i, i + 1) for i in range(16) if i % 4 < 3] + [(i, i + 4) for i in range(12)]
        alive = 0 in cells or any(cells[i] == cells[j] != 15 for i, j in pairs)
        assert naive.is_dead(cells) != alive
    assert naive.is_dead([15] * 16)
    assert naive.is_dead([0] * 16)
    assert naive.is_dead(SAMPLE)


def test_images():
    assert naive.to_rows(naive.rotate(SAMPLE))[0] == [2, 1, 3, 1]  # the left column read upwards
    images = naive.symmetries(SAMPLE)
    assert images[0] == SAMPLE and len({tuple(image) for image in images}) == 8
    for image in images:
        assert {tuple(again) for again in naive.symmetries(image)} == {tuple(image) for image in images}
    transpose = [1, 2, 3, 4, 2, 5, 6, 7, 3, 6, 8, 9, 4, 7, 9, 10]
    assert len({tuple(image) for image in naive.symmetries(transpose)}) == 4
    assert len({tuple(image) for image in naive.symmetries([3] * 16)}) == 1


def test_symmetries_keep_neighbours():
    """Each image keeps the 24 pairs of neighbouring cells, which only the eight symmetries of the square do."""
    pairs = {frozenset(p) for p in [(i, i + 1) for i in range(16) if i % 4 < 3] + [(i, i + 4) for i in range(12)]}
    for image in naive.symmetries(list(range(16))):
        assert {frozenset(image[i] for i in pair) for pair in pairs} == pairs


def test_spawns():
    after = [0 if i in (3, 9) else 5 for i in range(16)]
    spawns = naive.successors(after, 0.1)
    assert [p for p, _ in spawns] == pytest.approx([0.45, 0.05, 0.45, 0.05])
    assert [board[3] for _, board in spawns] == [1, 2, 0, 0]
    assert [board[9] for _, board in spawns] == [0, 0, 1, 2]
    assert naive.successors([5] * 16) == []
    assert math.fsum(p for p, _ in naive.successors([0] * 16, 0.2)) == pytest.approx(1)


def test_only_an_afterstate_with_one_empty_cell_can_spawn_a_dead_board():
    """With two empty cells one is left after the spawn, and a tile beside an empty cell can move."""
    rng = random.Random(3)
    for _ in range(500):
        cells = random_cells(rng)
        if cells.count(0) >= 2:
            assert not any(naive.is_dead(board) for _, board in naive.successors(cells))


@pytest.mark.parametrize("symmetries", [1, 8])
def test_value_is_the_same_by_images_of_the_patterns(symmetries):
    """The images of the board under fixed patterns, or the images of the patterns on a fixed board."""
    network = trained(symmetries=symmetries)
    moved = naive.symmetries(list(range(16)))[:symmetries]
    for boards, _, _ in GAMES:
        expected = math.fsum(network.weight(k, naive.index(boards[-1], [image[cell] for cell in pattern]))
                             for image in moved for k, pattern in enumerate(PATTERNS))
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
            assert naive.expectimax(network, cells, 1) == pytest.approx((action, four), nan_ok=True)
            assert [a for a in naive.ACTIONS if not math.isnan(four[a])] == naive.legal_actions(cells)
            assert action in naive.acceptable(four) and four[action] == max(v for v in four if not math.isnan(v))
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
    assert naive.expectimax(state, cells, 2) == pytest.approx(naive.expectimax(after, cells, 2), nan_ok=True)
    _, one = naive.expectimax(after, cells, 1)
    _, two = naive.expectimax(after, cells, 2)
    assert all(b >= a for a, b in zip(one, two) if not math.isnan(a))


def test_episode_checks_its_moves():
    boards, actions, rewards = GAMES[0]
    steps = naive.episode(boards, actions)
    assert [step.r for step in steps] == rewards and [step.s for step in steps] == boards[:-1]
    assert [naive.slide(step.s, step.a) for step in steps] == [(step.after, step.r) for step in steps]
    with pytest.raises(ValueError):
        naive.episode(boards[:-1], actions[:-1])
    with pytest.raises(ValueError):
        naive.episode(boards, [(action + 1) % 4 for action in actions])


def unshared(steps, values):
    """A network of one weight a board and the boards it learns; none repeats, as every spawn adds to the tile sum."""
    boards = [step.after if values == "afterstate" else step.s for step in steps]
    assert len({tuple(board) for board in boards}) == len(boards)
    return naive.Network((tuple(range(16)),), values, init=3.0, symmetries=1), boards


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("boards, actions, rewards", GAMES)
def test_backward_with_alpha_one_and_no_sharing_stores_the_score_to_come(values, boards, actions, rewards):
    steps = naive.episode(boards, actions)
    network, shown = unshared(steps, values)
    naive.learn(network, steps, 1.0, "backward")
    to_come = [sum(rewards[t:]) for t in range(len(rewards) + 1)]
    expected = to_come[1:] if values == "afterstate" else to_come[:-1]
    assert [network.value(board) for board in shown] == pytest.approx(expected)


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("boards, actions, rewards", GAMES)
def test_forward_with_alpha_one_and_no_sharing_stores_the_next_reward(values, boards, actions, rewards):
    """Every V read is still the initial 3, and the dead board counts 0."""
    steps = naive.episode(boards, actions)
    network, shown = unshared(steps, values)
    naive.learn(network, steps, 1.0, "forward")
    expected = [r + 3 for r in rewards[1:]] + [0] if values == "afterstate" else [r + 3 for r in rewards]
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
    steady = [(k, i) for k in range(2) for i, (total, absolute) in coherent.sums[k].items() if abs(total) == absolute]
    mixed = [(k, i) for k in range(2) for i, (total, absolute) in coherent.sums[k].items() if abs(total) < absolute]
    assert steady and mixed
    assert all(coherent.weight(k, i) == pytest.approx(coherent.sums[k][i][0]) for k, i in steady)
    assert all(abs(total) <= absolute for sums in coherent.sums for total, absolute in sums.values())
    assert plain.sums == [{}, {}]


def test_wilson():
    """Known intervals; every interval stays inside 0..1 and holds the share."""
    assert naive.wilson(5, 10) == pytest.approx((0.236593, 0.763407), abs=1e-6)
    assert naive.wilson(0, 10) == pytest.approx((0, 0.277533), abs=1e-6)
    assert naive.wilson(10, 10) == pytest.approx((0.722467, 1), abs=1e-6)
    assert naive.wilson(0, 0) == (0, 1)
    for n in (1, 7, 1000):
        for k in range(n + 1):
            low, high = naive.wilson(k, n)
            assert 0 <= low <= k / n + 1e-15 and k / n - 1e-15 <= high <= 1


@pytest.mark.parametrize("boards, actions, rewards", GAMES)
def test_episode_lines_round_trip(boards, actions, rewards):
    line = naive.format_episode(boards, actions, times=range(2 + 2 * len(actions)))
    assert naive.read_episode(line) == (boards, actions, rewards)
    assert naive.read_episode(naive.format_episode(boards, actions) + "\n") == (boards, actions, rewards)


def test_an_episode_line_character_by_character():
    """A 2 in cells 0 and 3; LEFT merges them into a 4 for 4; a 4 in cell 15 takes 2 ms."""
    boards = [[1, 0, 0, 1] + [0] * 12, [2, 0, 0, 0] + [0] * 11 + [2]]
    line = naive.format_episode(boards, [LEFT], "a:b", "b", 10, 20, (0, 0, 0, 2))
    assert line == "a:b@10|0131#L[4]F2(2)|b@20"
    assert naive.read_episode(line) == (boards, [LEFT], [4])
    assert naive.read_episode("a:b@10ms|3101(7)#L[4](3)F2|b@20ms") == (boards, [LEFT], [4])


@pytest.mark.parametrize("moves", ["0131#L[8]F2", "0131#L[4]02", "01#L", "0131#L[4]", "0131#X11", "0131F1", "0101",
                                   "01", "", "0130", "0131#L[4]G1", "0131#U#L"])
def test_episode_lines_that_do_not_add_up_are_refused(moves):
    with pytest.raises(ValueError):
        naive.read_episode(f"a:b@0|{moves}|b@0")


def test_weight_files_byte_by_byte():
    """One pattern of one cell: 16 weights, 64 bytes."""
    patterns, tables = ((10,),), [[float(i) for i in range(16)]]
    raw = struct.pack("<16f", *range(16))
    sixteen = bytes([16, 0, 0, 0, 0, 0, 0, 0])
    assert naive.demo_bytes(patterns, tables) == (
        bytes([1, 0, 0, 0, 0, 0, 0, 0]) + bytes([17, 0, 0, 0]) + b"1-tuple pattern a" + sixteen + raw)
    assert naive.framework_bytes(tables) == bytes([1, 0, 0, 0]) + sixteen + raw
    assert naive.framework_bytes(tables, 8) == bytes([1, 0, 0, 0, 0, 0, 0, 0]) + sixteen + raw
    start, size, end = bytes([0, 1, 0, 0, 0, 4]), bytes([4, 0]) + sixteen, bytes([0, 0])
    assert naive.tdl2048_bytes(patterns, tables) == start + bytes([10, 0, 0, 0, 1, 0, 0, 0]) + size + raw + end
    assert naive.tdl2048_bytes(patterns, tables, naming="old") == (
        start + bytes([10, 0, 0, 0, 0, 0, 0, 0]) + size + raw + end)
    assert naive.tdl2048_bytes(patterns, tables, naming="text") == start + b"a       " + size + raw + end
    sums = [([1.0] * 16, [2.0] * 16)]
    more = bytes([4, 0, 32, 0, 0, 0, 0, 0, 0, 0]) + struct.pack("<32f", *[1.0] * 16, *[2.0] * 16)
    assert naive.tdl2048_bytes(patterns, tables, sums) == (
        start + bytes([10, 0, 0, 0, 1, 0, 0, 0]) + size + raw + more + end)


def test_file_lengths_grow_with_the_weights_to_those_of_real_files():
    """Headers are what is left without the weights; a real 4x6 file has the same headers and 4 * 16^6 weights."""
    patterns = ((0, 1), (4, 5), (0, 2), (4, 6))
    tables, weights = [[0.0] * 256] * 4, 4 * 16 ** 6 * 4
    header = len(naive.demo_bytes(patterns, tables)) - 4 * 256 * 4
    assert header + 4 * 4 + weights == 268_435_600  # the real names are four digits longer
    plain = len(naive.tdl2048_bytes(patterns, tables)) - 4 * 256 * 4
    coherent = len(naive.tdl2048_bytes(patterns, tables, [(t, t) for t in tables])) - 3 * 4 * 256 * 4
    assert plain + weights == 268_435_545
    assert coherent + 3 * weights == 805_306_497


def test_first_cell_high_reverses_the_digits_of_the_index():
    table = [float(i) for i in range(16 ** 3)]
    high = naive.reverse_digits(table)
    assert high[0x123] == 0x321 and high[0x00f] == 0xf00
    assert naive.reverse_digits(high) == table
    assert naive.framework_bytes([table], first_cell="high") == naive.framework_bytes([high])
