"""Cases worked out by hand, run on the slow twins in naive.py and on lib2048.

All numbers are small binary fractions wherever that was possible, so float32 holds them exactly.
"""

import importlib.util
import math

import naive
import pytest

UP, RIGHT, DOWN, LEFT = naive.ACTIONS
NAN = math.nan


class Naive:
    """The slow twins behind the calls that the cases use; boards are 64-bit integers."""

    def slide(self, board, action):
        after, reward = naive.slide(naive.to_cells(board), action)
        return naive.to_board(after), reward

    def legal_actions(self, board):
        return naive.legal_actions(naive.to_cells(board))

    def network(self, patterns, values="afterstate", init=0.0, symmetries=8):
        return naive.Network(patterns, values, init, symmetries)

    def index(self, net, k, board):
        return naive.index(naive.to_cells(board), net.patterns[k])

    def value(self, net, board):
        return net.value(naive.to_cells(board))

    def update(self, net, board, delta):
        return net.update(naive.to_cells(board), delta)

    def best_action(self, net, board, plies=1, p4=0.1):
        return naive.expectimax(net, naive.to_cells(board), plies, p4)

    def learn(self, net, boards, actions, rewards, alpha, order, coherence=False):
        steps = naive.episode([naive.to_cells(board) for board in boards], actions)
        assert [step.r for step in steps] == rewards
        net.coherence = coherence
        naive.learn(net, steps, alpha, order)


class Library:
    """lib2048 behind the same calls."""

    def __init__(self):
        import lib2048
        import lib2048.td
        self.lib = lib2048

    def slide(self, board, action):
        return self.lib.slide(board, action)

    def legal_actions(self, board):
        return self.lib.legal_actions(board)

    def network(self, patterns, values="afterstate", init=0.0, symmetries=8):
        return self.lib.NTupleNetwork(patterns, values=values, init=init, symmetries=symmetries)

    def index(self, net, k, board):
        return net.index(k, board)

    def value(self, net, board):
        return net.value(board)

    def update(self, net, board, delta):
        return net.update(board, delta)

    def best_action(self, net, board, plies=1, p4=0.1):
        return self.lib.best_action(net, board, plies=plies, p4=p4)

    def learn(self, net, boards, actions, rewards, alpha, order, coherence=False):
        import numpy as np
        self.lib.td.learn_episode(net, np.array(boards, np.uint64), np.array(actions, np.uint8),
                                  np.array(rewards, np.int32), alpha, order, coherence=coherence)


@pytest.fixture(params=["naive", "lib2048"])
def impl(request):
    """Every case runs on both; lib2048 is passed over only where there is no such package."""
    if request.param == "naive":
        return Naive()
    if importlib.util.find_spec("lib2048") is None:
        pytest.skip("there is no lib2048 to test")
    return Library()


def close(number):
    """Equal up to float32 rounding."""
    return pytest.approx(number, rel=1e-6, abs=1e-6, nan_ok=True)


def board(*rows):
    """4x4 exponents -> 64-bit board."""
    return naive.to_board(naive.flat(rows))


def weights(net, k, exponents):
    """Weights of a one-cell pattern at these exponents."""
    return [float(net.table(k)[exponent]) for exponent in exponents]


# (a) Slides: tiles of a row, the row after a slide to the left, the reward

ROWS = [
    ([2, 2, 2, 2], [4, 4, 0, 0], 8),  # two pairs, 4 + 4
    ([2, 2, 2, 0], [4, 2, 0, 0], 4),  # the pair nearest the edge merges
    ([4, 2, 2, 0], [4, 4, 0, 0], 4),  # a new 4 does not merge again
    ([2, 2, 4, 8], [4, 4, 8, 0], 4),
    ([4, 4, 8, 16], [8, 8, 16, 0], 8),
    ([2, 0, 0, 2], [4, 0, 0, 0], 4),  # gaps do not matter
    ([2, 2, 0, 4], [4, 4, 0, 0], 4),
    ([8, 8, 16, 16], [16, 32, 0, 0], 48),  # 16 + 32
    ([0, 0, 0, 2], [2, 0, 0, 0], 0),  # a move without a merge earns 0
    ([0, 4, 0, 2], [4, 2, 0, 0], 0),
    ([2, 4, 2, 4], None, -1),
    ([2, 0, 0, 0], None, -1),
    ([0, 0, 0, 0], None, -1),
    ([16384, 16384, 0, 0], [32768, 0, 0, 0], 32768),  # the largest merge there is
    ([16384, 16384, 32768, 32768], [32768, 32768, 32768, 0], 32768),
    ([32768, 32768, 0, 0], None, -1),  # two 32768 do not merge
    ([32768, 32768, 32768, 32768], None, -1),
    ([0, 32768, 0, 32768], [32768, 32768, 0, 0], 0),  # but they move
    ([32768, 32768, 2, 2], [32768, 32768, 4, 0], 4),
    ([32768, 2, 2, 32768], [32768, 4, 32768, 0], 4),
]


@pytest.mark.parametrize("action", naive.ACTIONS)
@pytest.mark.parametrize("before, after, reward", ROWS)
def test_slide_of_one_row(impl, before, after, reward, action):
    """The row lies along each direction in turn, its first tile at the edge the tiles move to."""
    line = {LEFT: (4, 5, 6, 7), RIGHT: (7, 6, 5, 4), UP: (2, 6, 10, 14), DOWN: (14, 10, 6, 2)}[action]

    def laid(row):
        cells = [0] * 16
        for i, tile in zip(line, row):
            cells[i] = tile.bit_length() - 1 if tile else 0
        return naive.to_board(cells)

    assert impl.slide(laid(before), action) == (laid(after or before), reward)


def test_slide_of_a_whole_board(impl):
    """The four rows earn 4, 0, 8 + 16 and nothing: 28."""
    before = naive.to_board(naive.from_tiles([[2, 2, 4, 0], [0, 8, 0, 2], [4, 4, 8, 8], [2, 4, 2, 4]]))
    after = naive.to_board(naive.from_tiles([[4, 4, 0, 0], [8, 2, 0, 0], [8, 16, 0, 0], [2, 4, 2, 4]]))
    assert impl.slide(before, LEFT) == (after, 28)


def test_a_full_board_whose_only_pairs_are_32768_is_dead(impl):
    full = board([15, 15, 1, 2], [15, 3, 4, 5], [6, 7, 8, 9], [1, 2, 3, 4])
    assert impl.legal_actions(full) == []
    assert impl.legal_actions(board([14, 14, 1, 2], [15, 3, 4, 5], [6, 7, 8, 9], [1, 2, 3, 4])) == [RIGHT, LEFT]


# (b) Indices

#     2   8 128   4        1 3 7 2
#     8  32  64 256        3 5 6 8
#     2   4  32 128        1 2 5 7
#     4   2   8  16        2 1 3 4
SAMPLE = board([1, 3, 7, 2], [3, 5, 6, 8], [1, 2, 5, 7], [2, 1, 3, 4])


@pytest.mark.parametrize("pattern, expected", [
    # Exponents 1 3 7 2 3 5, the first lowest: 0x532731
    # = 1 + 3*16 + 7*256 + 2*4096 + 3*65536 + 5*1048576 = 1 + 48 + 1792 + 8192 + 196608 + 5242880
    ((0, 1, 2, 3, 4, 5), 5449521),
    # The left column upwards, 2 1 3 1: 0x1312 = 2 + 16 + 768 + 4096
    ((12, 8, 4, 0), 4882),
    ((0, 4, 8, 12), 0x2131),
    ((15, 7), 0x84),
    ((7, 15), 0x48),
    ((15,), 4),
])
def test_index(impl, pattern, expected):
    net = impl.network((pattern,))
    assert impl.index(net, 0, SAMPLE) == expected
    assert impl.index(net, 0, 0) == 0


def test_index_counts_patterns_from_zero(impl):
    net = impl.network(((0, 1), (3, 2, 1)))
    assert impl.index(net, 0, SAMPLE) == 0x31
    assert impl.index(net, 1, SAMPLE) == 0x372


# (c) Value and update: two patterns under eight symmetries make 16 lookups.
# Pattern (0, 1) reads a corner and one of its neighbours along the edge, for four corners and two neighbours each;
# pattern (0, 1, 4) reads a corner, one of these neighbours, then the other.

PAIR_AND_CORNER = ((0, 1), (0, 1, 4))
#     1 2 5 3     pairs: (1,2) (1,4) (3,5) (3,6) (2,1) (2,7) (5,4) (5,8), all different; the triples extend them
#     4 0 0 6
#     7 0 0 8
#     2 1 4 5
ASYMMETRIC = board([1, 2, 5, 3], [4, 0, 0, 6], [7, 0, 0, 8], [2, 1, 4, 5])
#     1 2 3 4     equal to its transpose: pairs (1,2) (4,3) (4,7) (10,9), triples (1,2,2) (4,3,7) (4,7,3) (10,9,9),
#     2 5 6 7     each twice
#     3 6 8 9
#     4 7 9 10
TRANSPOSE = board([1, 2, 3, 4], [2, 5, 6, 7], [3, 6, 8, 9], [4, 7, 9, 10])
CORNER = board([1, 0, 0, 0], *[[0] * 4] * 3)
EDGE = board([0, 2, 0, 0], *[[0] * 4] * 3)


def test_update_of_an_asymmetric_board_moves_its_value_by_delta(impl):
    net = impl.network(PAIR_AND_CORNER, init=16.0)
    assert net.lookups == 16
    assert impl.value(net, ASYMMETRIC) == close(16)  # every weight is 16/16 = 1
    assert impl.update(net, ASYMMETRIC, 8.0) == close(24)  # each of 16 weights gets 8/16 = 0.5
    assert impl.value(net, ASYMMETRIC) == close(24)
    # (1, 2) has index 1 + 2*16 = 33, (1, 2, 4) has 33 + 4*256 = 1057, (2, 1) has 18; (9, 9) is not on the board
    assert [float(net.table(0)[i]) for i in (33, 18, 153)] == [1.5, 1.5, 1.0]
    assert [float(net.table(1)[i]) for i in (1057, 0)] == [1.5, 1.0]


@pytest.mark.parametrize("name, shown, moves", [
    # 8 weights, each looked up twice, so each gets 2 shares and counts twice: 8 * 2 * 2 = 32 shares of delta/16
    ("transpose", TRANSPOSE, 2.0),
    # Per pattern: the weight (1, 0...) twice and (0, 0...) six times, 2*2 + 6*6 = 40 shares; two patterns, 80/16
    ("corner", CORNER, 5.0),
    # (0, 2) once, (0, 0) seven times: 1 + 49; (0, 2, 0) once, (0, 0, 2) once, (0, 0, 0) six times: 1 + 1 + 36; 88/16
    ("edge", EDGE, 5.5),
    # The empty board looks one weight of each pattern up eight times: 64 + 64 = 128 shares, 128/16
    ("empty", 0, 8.0),
])
def test_update_of_a_symmetric_board_moves_its_value_by_more(impl, name, shown, moves):
    net = impl.network(PAIR_AND_CORNER, init=16.0)
    assert impl.update(net, shown, 4.0) == close(16 + moves * 4)
    assert impl.value(net, shown) == close(16 + moves * 4)


def test_updates_share_weights_between_boards(impl):
    """delta 16 is 1 a lookup: after CORNER the weights are (1, 0): 2, (0, 0): 6, (1, 0, 0): 2, (0, 0, 0): 6."""
    net = impl.network(PAIR_AND_CORNER)
    assert impl.update(net, CORNER, 16.0) == close(80)  # 2*2 + 6*6, for two patterns
    assert impl.value(net, 0) == close(96)  # 8*6 + 8*6
    assert impl.value(net, EDGE) == close(78)  # 0 + 7*6, and 0 + 0 + 6*6
    # EDGE then gets 1 a lookup: (0, 2): 1, (0, 0): 6+7 = 13, (0, 2, 0): 1, (0, 0, 2): 1, (0, 0, 0): 6+6 = 12
    assert impl.update(net, EDGE, 16.0) == close(166)  # 1 + 7*13, and 1 + 1 + 6*12
    assert impl.value(net, CORNER) == close(158)  # 2*2 + 6*13, and 2*2 + 6*12
    assert weights(net, 0, [0x01, 0x00, 0x20, 0x10]) == [2, 13, 1, 0]


def test_images_have_one_value(impl):
    net = impl.network(PAIR_AND_CORNER)
    impl.update(net, ASYMMETRIC, 16.0)
    for image in naive.symmetries(naive.to_cells(ASYMMETRIC)):
        assert impl.value(net, naive.to_board(image)) == close(16)


def test_without_symmetries_only_the_board_itself_counts(impl):
    net = impl.network(PAIR_AND_CORNER, symmetries=1)
    assert net.lookups == 2
    assert impl.update(net, TRANSPOSE, 3.0) == close(3)  # two weights get 1.5 each
    assert float(net.table(0)[0x21]) == 1.5 and float(net.table(1)[0x221]) == 1.5
    mirror = board([4, 3, 2, 1], [7, 6, 5, 2], [9, 8, 6, 3], [10, 9, 7, 4])
    assert impl.value(net, mirror) == close(0)


# (d) The four learning rules on one game of three moves. Only the top row changes:
#
#      s0   1 1 3 2  LEFT, r0 = 4    s0'  2 3 2 .  then a 4 in the gap
#      s1   2 3 2 2  RIGHT, r1 = 8   s1'  . 2 3 3  then a 2
#      s2   1 2 3 3  LEFT, r2 = 16   s2'  1 2 4 .  then a 4
#      s3   1 2 4 2  dead

BELOW = [5, 6, 7, 8], [3, 4, 5, 6], [7, 8, 9, 10]


def top(*row):
    """The board of this top row above rows that never move."""
    return board(row, *BELOW)


STATES = [top(1, 1, 3, 2), top(2, 3, 2, 2), top(1, 2, 3, 3)]
AFTERSTATES = [top(2, 3, 2, 0), top(0, 2, 3, 3), top(1, 2, 4, 0)]
GAME = [*STATES, top(1, 2, 4, 2)], [LEFT, RIGHT, LEFT], [4, 8, 16]


def test_the_game_follows_the_rules(impl):
    boards, actions, rewards = GAME
    for state, action, after, reward in zip(boards, actions, AFTERSTATES, rewards):
        assert impl.slide(state, action) == (after, reward)
    assert impl.legal_actions(boards[-1]) == []


# Patterns (1,) and (2,) without symmetries: V = A[exponent of cell 1] + B[exponent of cell 2], two lookups, no weight
# twice. V starts at 8, each weight at 4. With alpha = 1/2 each weight gets error/4 and V moves by error/2.
#   s0' reads A3 B2    s1' reads A2 B3    s2' reads A2 B4
#   s0  reads A1 B3    s1  reads A3 B2    s2  reads A2 B3    s3 reads A2 B4, but V(dead) = 0
PLAIN = {
    # s2': error 0 - 8 = -8, A2 = B4 = 2, V = 4, target 16 + 4 = 20
    # s1': V = 2 + 4 = 6, error 14, A2 = 5.5, B3 = 7.5, V = 13, target 8 + 13 = 21
    # s0': V = 8, error 13, A3 = B2 = 7.25
    ("afterstate", "backward"): dict(A=[4, 5.5, 7.25], B=[7.25, 7.5, 2], V=[14.5, 13, 7.5]),
    # s0' learns 8 + 8 - 8 = 8: A3 = B2 = 6.  s1' learns 16 + 8 - 8 = 16: A2 = B3 = 8.
    # s2' = 8 + 4 learns 0 - 12 = -12: A2 = 5, B4 = 1
    ("afterstate", "forward"): dict(A=[4, 5, 6], B=[6, 8, 1], V=[12, 13, 6]),
    # s2: error 16 + 0 - 8 = 8, A2 = B3 = 6, V = 12.  s1: error 8 + 12 - 8 = 12, A3 = B2 = 7, V = 14.
    # s0: V = 4 + 6 = 10, error 4 + 14 - 10 = 8, A1 = 6, B3 = 8
    ("state", "backward"): dict(A=[6, 6, 7], B=[7, 8, 4], V=[14, 14, 14]),
    # s0 learns 4 + 8 - 8 = 4: A1 = B3 = 5.  s2 is now 4 + 5 = 9, s1 learns 8 + 9 - 8 = 9: A3 = B2 = 6.25.
    # s2 learns 16 + 0 - 9 = 7: A2 = 5.75, B3 = 6.75
    ("state", "forward"): dict(A=[5, 5.75, 6.25], B=[6.25, 6.75, 4], V=[11.75, 12.5, 12.5]),
}


@pytest.mark.parametrize("values, order", PLAIN)
def test_learning_with_every_weight_looked_up_once(impl, values, order):
    expected = PLAIN[values, order]
    net = impl.network(((1,), (2,)), values, init=8.0, symmetries=1)
    impl.learn(net, *GAME, 0.5, order)
    assert weights(net, 0, [1, 2, 3]) == close(expected["A"])
    assert weights(net, 1, [2, 3, 4]) == close(expected["B"])
    shown = AFTERSTATES if values == "afterstate" else STATES
    assert [impl.value(net, b) for b in shown] == close(expected["V"])


# Pattern (0,) under eight symmetries: 8 lookups, each corner twice, so V = 2 (w[c] + w[c'] + 2 more corners). Starting
# at 0 with alpha = 1/2, an error e gives e/16 a lookup: e/8 to the weight of each corner, as often as it is a corner.
#   corners: s0' 2 0, s1' 0 3, s2' 1 0    s0 1 2, s1 2 2, s2 1 3    and always 7 10
CORNERS = {
    # s2': error 0, target 16.  s1': error 16, w0 = w3 = w7 = w10 = 2, V = 16 (delta was 8), target 8 + 16 = 24.
    # s0': V = 2 (0 + 2 + 2 + 2) = 12, error 12, each + 1.5: w2 = 1.5, w0 = w7 = w10 = 3.5
    ("afterstate", "backward"): dict(w=[3.5, 0, 1.5, 2, 3.5, 3.5], V=[24, 25, 21]),
    # s0' learns 8 + 0 - 0 = 8: w0 = w2 = w7 = w10 = 1.  V(s1') = V(s2') = 6, s1' learns 16: w0 = w7 = w10 = 3, w3 = 2.
    # s2' = 2 (0 + 3 + 3 + 3) = 18 learns -18, each - 2.25: w1 = -2.25, w0 = w7 = w10 = 0.75
    ("afterstate", "forward"): dict(w=[0.75, -2.25, 1, 2, 0.75, 0.75], V=[6.5, 8.5, 0]),
    # s2: error 16, w1 = w3 = w7 = w10 = 2, V = 16.  s1: V = 2 (0 + 0 + 2 + 2) = 8, error 8 + 16 - 8 = 16, + 2 a corner:
    # w2 = 4, w7 = w10 = 4, V = 32.  s0: V = 2 (2 + 4 + 4 + 4) = 28, error 4 + 32 - 28 = 8, + 1: w1 = 3, the others 5
    ("state", "backward"): dict(w=[0, 3, 5, 2, 5, 5], V=[36, 40, 30]),
    # s0 learns 4, + 0.5: w1 = w2 = w7 = w10 = 0.5.  V(s1) = 2 (4 * 0.5) = 4, V(s2) = 2 (0.5 + 0 + 1) = 3, s1 learns
    # 8 + 3 - 4 = 7, + 0.875 a corner: w2 = 0.5 + 1.75 = 2.25, w7 = w10 = 1.375.  V(s2) = 2 (0.5 + 0 + 2.75) = 6.5,
    # it learns 9.5, + 1.1875: w1 = 1.6875, w3 = 1.1875, w7 = w10 = 2.5625
    ("state", "forward"): dict(w=[0, 1.6875, 2.25, 1.1875, 2.5625, 2.5625], V=[18.125, 19.25, 16]),
}


@pytest.mark.parametrize("values, order", CORNERS)
def test_learning_with_weights_looked_up_more_than_once(impl, values, order):
    """The value after an update is read once all shares are in; a sum taken along the way would be too small."""
    expected = CORNERS[values, order]
    net = impl.network(((0,),), values)
    impl.learn(net, *GAME, 0.5, order)
    assert weights(net, 0, [0, 1, 2, 3, 7, 10]) == close(expected["w"])
    shown = AFTERSTATES if values == "afterstate" else STATES
    assert [impl.value(net, b) for b in shown] == close(expected["V"])


# Coherence on the same game, alpha = 1. Pattern (4,) without symmetries reads the 5 that never moves: V = w for every
# board, so one weight sees all errors. Its sums are S (of errors) and N (of |errors|), both 0 at first.

def test_coherence_backward(impl):
    """s2': error 0 - 8, rate 1, w = 0, S = -8, N = 8, target 16.  s1': error 16, rate |-8|/8 = 1, w = 16, S = 8,
    N = 24, target 24.  s0': error 8, rate 8/24 = 1/3, w = 16 + 8/3 = 56/3."""
    net = impl.network(((4,),), init=8.0, symmetries=1)
    impl.learn(net, *GAME, 1.0, "backward", coherence=True)
    assert weights(net, 0, [5]) == close([56 / 3])


def test_coherence_forward_and_sums_that_last(impl):
    """First game: errors 8 (8 + 8 - 8), 16, -32 (0 - 32), all at rate 1: w = 16, 32, 0; S = -8, N = 56.
    Second: error 8, rate 8/56 = 1/7, w = 8/7, S = 0, N = 64.  Error 16, rate 0/64, w = 8/7, S = 16, N = 80.
    Error -8/7, rate 16/80 = 1/5, w = 8/7 - 8/35 = 32/35."""
    net = impl.network(((4,),), init=8.0, symmetries=1)
    impl.learn(net, *GAME, 1.0, "forward", coherence=True)
    assert weights(net, 0, [5]) == close([0])
    impl.learn(net, *GAME, 1.0, "forward", coherence=True)
    assert weights(net, 0, [5]) == close([32 / 35])


def test_coherence_of_a_weight_looked_up_twice(impl):
    """Pattern (5,) under eight symmetries reads the centre 6 7 4 5, each twice: V = 8w, w starts at 1, and each lookup
    is an error of its own. Errors 8 and 16 at rate 1 give each weight two shares of 1, then two of 2: w = 7, S = N = 6.
    The last error is 0 - 56, a share of -7: the first lookup at rate 6/6 makes w = 0, S = -1, N = 13, the second at
    rate 1/13 makes w = -7/13. (Reading both rates first would end at -7.)"""
    net = impl.network(((5,),), init=8.0)
    impl.learn(net, *GAME, 1.0, "forward", coherence=True)
    assert weights(net, 0, [4, 5, 6, 7]) == close([-7 / 13] * 4)


# (e) A spawn that kills. s2 = 1 2 3 3 can go LEFT to 1 2 4 . or RIGHT to . 1 2 4, both for 16. After LEFT both spawns
# are dead; after RIGHT a 2 gives the live 1 1 2 4 and a 4 the dead 2 1 2 4. V is 8 for every board.

@pytest.mark.parametrize("values, plies, p4, expected", [
    # V(s') is looked up, whatever may be spawned: 16 + 8. A tie: the lower action, RIGHT.
    ("afterstate", 1, 0.1, [NAN, 24, NAN, 24]),
    # LEFT: 16 + 0. RIGHT: 16 + 0.9 V(1 1 2 4) + 0.1 * 0 = 16 + 7.2
    ("state", 1, 0.1, [NAN, 23.2, NAN, 16]),
    ("state", 1, 0.2, [NAN, 22.4, NAN, 16]),
    # 1 1 2 4 merges for 4 into an afterstate of value 8: 12. RIGHT: 16 + 0.9 * 12
    ("afterstate", 2, 0.1, [NAN, 26.8, NAN, 16]),
    # 1 1 2 4 goes LEFT for 4 to 2 2 4 ., and 2 2 4 1 and 2 2 4 2 both live: 4 + 8 = 12 again
    ("state", 2, 0.1, [NAN, 26.8, NAN, 16]),
    # A third move: 2 2 4 1 and 2 2 4 2 earn 8 and go LEFT to 3 4 1 . and 3 4 2 ., or RIGHT to . 3 4 1 and . 3 4 2:
    # 8 + 8. The alternative . 2 2 4 becomes 1 2 2 4 (8 + 8) or 2 2 2 4 (8 + 8). So 16 + 0.9 (4 + 16)
    ("afterstate", 3, 0.1, [NAN, 34, NAN, 16]),
])
def test_a_dead_board_is_worth_nothing_in_an_expectation(impl, values, plies, p4, expected):
    net = impl.network(((3,),), values, init=8.0, symmetries=1)
    action, four = impl.best_action(net, STATES[2], plies, p4)
    assert action == RIGHT
    assert list(four) == close(expected)


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("plies", [1, 2])
def test_a_dead_board_has_no_action(impl, values, plies):
    net = impl.network(((3,),), values, init=8.0, symmetries=1)
    action, four = impl.best_action(net, GAME[0][-1], plies)
    assert action is None
    assert all(math.isnan(value) for value in four)


# (f) Two plies on nearly full boards, p4 = 1/4. V is the weight of the exponent in the top right cell:
# W0 = 10, W1 = 1, W2 = 2, W3 = 5, W4 = 20, the others 0.

def top_right(impl, values):
    """The network of these five weights, each set by an update of a board that holds nothing else."""
    net = impl.network(((3,),), values, symmetries=1)
    for exponent, weight in enumerate([10, 1, 2, 5, 20]):
        impl.update(net, exponent << 12, float(weight))
    return net


@pytest.mark.parametrize("values, plies, expected, best", [
    # LEFT: 8 + V(2 3 3 .) = 8 + W0. RIGHT: 8 + V(. 2 3 3) = 8 + W3
    ("afterstate", 1, [NAN, 13, NAN, 18], LEFT),
    # LEFT: 2 3 3 1 -> LEFT 16 + V(2 4 1 .) = 26 (RIGHT 16 + W1); 2 3 3 2 -> LEFT 26 (RIGHT 16 + W2). 8 + 26
    # RIGHT: 1 2 3 3 -> RIGHT 16 + V(. 1 2 4) = 36 (LEFT 16 + W0); 2 2 3 3 -> RIGHT 24 + V(. . 3 4) = 44 (LEFT 24 + W0).
    # 8 + 0.75 * 36 + 0.25 * 44 = 8 + 27 + 11
    ("afterstate", 2, [NAN, 46, NAN, 34], RIGHT),
    # LEFT: 8 + 0.75 W1 + 0.25 W2. RIGHT: 8 + W3, both spawns live
    ("state", 1, [NAN, 13, NAN, 9.25], RIGHT),
    # LEFT, 2 3 3 1: LEFT 2 4 1 . -> 16 + 0.75 W1 (2 4 1 2 is dead) = 16.75; RIGHT . 2 4 1 -> 16 + 0.25 W1 = 16.25.
    # LEFT, 2 3 3 2: LEFT 2 4 2 . -> 16 + 0.25 W2 = 16.5; RIGHT . 2 4 2 -> 16 + 0.25 W2 = 16.5.
    #   8 + 0.75 * 16.75 + 0.25 * 16.5 = 24.6875
    # RIGHT, 1 2 3 3: LEFT 1 2 4 . -> 16 + 0; RIGHT . 1 2 4 -> 16 + 0.75 W4 = 31.
    # RIGHT, 2 2 3 3: LEFT 3 4 . . -> 24 + (W0 + 0.75 W1 + 0.25 W2)/2 = 29.625; RIGHT . . 3 4 -> 24 + W4 = 44.
    #   8 + 0.75 * 31 + 0.25 * 44 = 42.25
    ("state", 2, [NAN, 42.25, NAN, 24.6875], RIGHT),
])
def test_two_plies_on_a_full_board(impl, values, plies, expected, best):
    """s1 = 2 3 2 2: LEFT earns 8 and leaves 2 3 3 ., RIGHT earns 8 and leaves . 2 3 3."""
    action, four = impl.best_action(top_right(impl, values), STATES[1], plies, 0.25)
    assert list(four) == close(expected)
    assert action == best


@pytest.mark.parametrize("plies, expected", [
    # UP brings an 8 to the corner, W8 = 0; RIGHT: 4 + V(. . 2 4); LEFT: 4 + V(2 4 . .)
    (1, [0, 24, NAN, 14]),
    # UP leaves 1 1 4 8 / 5 6 7 6 / 3 4 5 10 / 7 8 9 .; whatever is spawned, LEFT earns 4 and leaves W0: 14 (RIGHT: 4).
    # RIGHT leaves . . 2 4; a 2 in either cell: RIGHT or UP for 0 leaves the 4 there, W4 = 20 (1 . 2 4 goes to . 1 2 4,
    #   . 1 2 4 goes UP in its first column); a 4 in either cell: RIGHT merges for 8 to . . 3 4, 8 + 20 = 28.
    #   4 + 0.75 * 20 + 0.25 * 28 = 26
    # LEFT leaves 2 4 . .; a spawn x beside the 4: RIGHT . 2 4 x, Wx (UP: an 8 in the corner, 0), so 1 or 2;
    #   a spawn in the corner: LEFT 2 4 x ., W0 = 10. 4 + (0.75 * 1 + 0.25 * 2 + 10)/2 = 4 + 11.25/2
    (2, [14, 26, NAN, 9.625]),
])
def test_two_plies_average_over_the_empty_cells(impl, plies, expected):
    """1 1 4 . above the rows that are full: two empty cells after LEFT and RIGHT, one after UP."""
    action, four = impl.best_action(top_right(impl, "afterstate"), top(1, 1, 4, 0), plies, 0.25)
    assert list(four) == close(expected)
    assert action == RIGHT
