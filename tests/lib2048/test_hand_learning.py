"""Cases worked out by hand, run on the slow twins in naive.py and on lib2048: learning, choosing
and searching.
"""

import math

import hand
import naive
import pytest
from hand import board, close, weights

UP, RIGHT, DOWN, LEFT = naive.ACTIONS
NAN = math.nan
pytestmark = pytest.mark.jit_off


@pytest.fixture(params=hand.BOTH)
def impl(request):
    """Every case runs on both."""
    return request.param


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


# Patterns (1,) and (2,) without symmetries: V = A[exponent of cell 1] + B[exponent of cell 2], two
# lookups, no weight twice. V starts at 8, each weight at 4. With alpha = 1/2 each weight gets
# error/4 and V moves by error/2.   s0' reads A3 B2    s1' reads A2 B3    s2' reads A2 B4   s0
# reads A1 B3    s1  reads A3 B2    s2  reads A2 B3    s3 reads A2 B4, but V(dead) = 0
PLAIN = {
    # s2': error 0 - 8 = -8, A2 = B4 = 2, V = 4, target 16 + 4 = 20
    # s1': V = 2 + 4 = 6, error 14, A2 = 5.5, B3 = 7.5, V = 13, target 8 + 13 = 21
    # s0': V = 8, error 13, A3 = B2 = 7.25
    ("afterstate", "backward"): dict(A=[4, 5.5, 7.25], B=[7.25, 7.5, 2], V=[14.5, 13, 7.5]),
    # s0' learns 8 + 8 - 8 = 8: A3 = B2 = 6.  s1' learns 16 + 8 - 8 = 16: A2 = B3 = 8.
    # s2' = 8 + 4 learns 0 - 12 = -12: A2 = 5, B4 = 1
    ("afterstate", "forward"): dict(A=[4, 5, 6], B=[6, 8, 1], V=[12, 13, 6]),
    # s2: error 16 + 0 - 8 = 8, A2 = B3 = 6, V = 12.  s1: error 8 + 12 - 8 = 12, A3 = B2 = 7, V =
    # 14. s0: V = 4 + 6 = 10, error 4 + 14 - 10 = 8, A1 = 6, B3 = 8
    ("state", "backward"): dict(A=[6, 6, 7], B=[7, 8, 4], V=[14, 14, 14]),
    # s0 learns 4 + 8 - 8 = 4: A1 = B3 = 5.  s2 is now 4 + 5 = 9, s1 learns 8 + 9 - 8 = 9: A3 = B2 =
    # 6.25. s2 learns 16 + 0 - 9 = 7: A2 = 5.75, B3 = 6.75
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


# Pattern (0,) under eight symmetries: 8 lookups, each corner twice, so V = 2 (w[c] + w[c'] + 2 more
# corners). Starting at 0 with alpha = 1/2, an error e gives e/16 a lookup: e/8 to the weight of
# each corner, as often as it is a corner.   corners: s0' 2 0, s1' 0 3, s2' 1 0    s0 1 2, s1 2 2,
# s2 1 3    and always 7 10
CORNERS = {
    # s2': error 0, target 16.  s1': error 16, w0 = w3 = w7 = w10 = 2, V = 16 (delta was 8), target
    # 8 + 16 = 24. s0': V = 2 (0 + 2 + 2 + 2) = 12, error 12, each + 1.5: w2 = 1.5, w0 = w7 = w10 =
    # 3.5
    ("afterstate", "backward"): dict(w=[3.5, 0, 1.5, 2, 3.5, 3.5], V=[24, 25, 21]),
    # s0' learns 8 + 0 - 0 = 8: w0 = w2 = w7 = w10 = 1.  V(s1') = V(s2') = 6, s1' learns 16: w0 = w7
    # = w10 = 3, w3 = 2. s2' = 2 (0 + 3 + 3 + 3) = 18 learns -18, each - 2.25: w1 = -2.25, w0 = w7 =
    # w10 = 0.75
    ("afterstate", "forward"): dict(w=[0.75, -2.25, 1, 2, 0.75, 0.75], V=[6.5, 8.5, 0]),
    # s2: error 16, w1 = w3 = w7 = w10 = 2, V = 16.  s1: V = 2 (0 + 0 + 2 + 2) = 8, error 8 + 16 - 8
    # = 16, + 2 a corner: w2 = 4, w7 = w10 = 4, V = 32.  s0: V = 2 (2 + 4 + 4 + 4) = 28, error 4 +
    # 32 - 28 = 8, + 1: w1 = 3, the others 5
    ("state", "backward"): dict(w=[0, 3, 5, 2, 5, 5], V=[36, 40, 30]),
    # s0 learns 4, + 0.5: w1 = w2 = w7 = w10 = 0.5.  V(s1) = 2 (4 * 0.5) = 4, V(s2) = 2 (0.5 + 0 +
    # 1) = 3, s1 learns 8 + 3 - 4 = 7, + 0.875 a corner: w2 = 0.5 + 1.75 = 2.25, w7 = w10 = 1.375.
    # V(s2) = 2 (0.5 + 0 + 2.75) = 6.5, it learns 9.5, + 1.1875: w1 = 1.6875, w3 = 1.1875, w7 = w10
    # = 2.5625
    ("state", "forward"): dict(w=[0, 1.6875, 2.25, 1.1875, 2.5625, 2.5625], V=[18.125, 19.25, 16]),
}


@pytest.mark.parametrize("values, order", CORNERS)
def test_learning_with_weights_looked_up_more_than_once(impl, values, order):
    """The value after an update is read once all shares are in; a sum taken along the way would be
    too small.
    """
    expected = CORNERS[values, order]
    net = impl.network(((0,),), values)
    impl.learn(net, *GAME, 0.5, order)
    assert weights(net, 0, [0, 1, 2, 3, 7, 10]) == close(expected["w"])
    shown = AFTERSTATES if values == "afterstate" else STATES
    assert [impl.value(net, b) for b in shown] == close(expected["V"])


# Coherence on the same game, alpha = 1. Pattern (4,) without symmetries reads the 5 that never
# moves: V = w for every board, so one weight sees all errors. Its sums are S (of errors) and N (of
# |errors|), both 0 at first.


def test_coherence_backward(impl):
    """s2': error 0 - 8, rate 1, w = 0, S = -8, N = 8, target 16.  s1': error 16, rate |-8|/8 = 1, w
    = 16, S = 8,
    N = 24, target 24.  s0': error 8, rate 8/24 = 1/3, w = 16 + 8/3 = 56/3."""
    net = impl.network(((4,),), init=8.0, symmetries=1)
    impl.learn(net, *GAME, 1.0, "backward", coherence=True)
    assert weights(net, 0, [5]) == close([56 / 3])


def test_coherence_forward_and_sums_that_last(impl):
    """First game: errors 8 (8 + 8 - 8), 16, -32 (0 - 32), all at rate 1: w = 16, 32, 0; S = -8, N =
    56.
    Second: error 8, rate 8/56 = 1/7, w = 8/7, S = 0, N = 64.  Error 16, rate 0/64, w = 8/7, S = 16,
    N = 80. Error -8/7, rate 16/80 = 1/5, w = 8/7 - 8/35 = 32/35."""
    net = impl.network(((4,),), init=8.0, symmetries=1)
    impl.learn(net, *GAME, 1.0, "forward", coherence=True)
    assert weights(net, 0, [5]) == close([0])
    impl.learn(net, *GAME, 1.0, "forward", coherence=True)
    assert weights(net, 0, [5]) == close([32 / 35])


def test_coherence_of_a_weight_looked_up_twice(impl):
    """Pattern (5,) under eight symmetries reads the centre 6 7 4 5, each twice: V = 8w, w starts at
    1, and each lookup
    is an error of its own. Errors 8 and 16 at rate 1 give each weight two shares of 1, then two of
    2: w = 7, S = N = 6. The last error is 0 - 56, a share of -7: the first lookup at rate 6/6 makes
    w = 0, S = -1, N = 13, the second at rate 1/13 makes w = -7/13. (Reading both rates first would
    end at -7.)"""
    net = impl.network(((5,),), init=8.0)
    impl.learn(net, *GAME, 1.0, "forward", coherence=True)
    assert weights(net, 0, [4, 5, 6, 7]) == close([-7 / 13] * 4)


# (e) A spawn that kills. s2 = 1 2 3 3 can go LEFT to 1 2 4 . or RIGHT to . 1 2 4, both for 16.
# After LEFT both spawns are dead; after RIGHT a 2 gives the live 1 1 2 4 and a 4 the dead 2 1 2 4.
# V is 8 for every board.


@pytest.mark.parametrize(
    "values, plies, p4, expected",
    [
        # V(s') is looked up, whatever may be spawned: 16 + 8. A tie: the lower action, RIGHT.
        ("afterstate", 1, 0.1, [NAN, 24, NAN, 24]),
        # LEFT: 16 + 0. RIGHT: 16 + 0.9 V(1 1 2 4) + 0.1 * 0 = 16 + 7.2
        ("state", 1, 0.1, [NAN, 23.2, NAN, 16]),
        ("state", 1, 0.2, [NAN, 22.4, NAN, 16]),
        # 1 1 2 4 merges for 4 into an afterstate of value 8: 12. RIGHT: 16 + 0.9 * 12
        ("afterstate", 2, 0.1, [NAN, 26.8, NAN, 16]),
        # 1 1 2 4 goes LEFT for 4 to 2 2 4 ., and 2 2 4 1 and 2 2 4 2 both live: 4 + 8 = 12 again
        ("state", 2, 0.1, [NAN, 26.8, NAN, 16]),
        # A third move: 2 2 4 1 and 2 2 4 2 earn 8 and go LEFT to 3 4 1 . and 3 4 2 ., or RIGHT to .
        # 3 4 1 and . 3 4 2: 8 + 8. The alternative . 2 2 4 becomes 1 2 2 4 (8 + 8) or 2 2 2 4 (8 +
        # 8). So 16 + 0.9 (4 + 16)
        ("afterstate", 3, 0.1, [NAN, 34, NAN, 16]),
    ],
)
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


# (f) Two plies on nearly full boards, p4 = 1/4. V is the weight of the exponent in the top right
# cell: W0 = 10, W1 = 1, W2 = 2, W3 = 5, W4 = 20, the others 0.


def top_right(impl, values):
    """The network of these five weights, each set by updating a board that holds nothing else."""
    net = impl.network(((3,),), values, symmetries=1)
    for exponent, weight in enumerate([10, 1, 2, 5, 20]):
        impl.update(net, exponent << 12, float(weight))
    return net


@pytest.mark.parametrize(
    "values, plies, expected, best",
    [
        # LEFT: 8 + V(2 3 3 .) = 8 + W0. RIGHT: 8 + V(. 2 3 3) = 8 + W3
        ("afterstate", 1, [NAN, 13, NAN, 18], LEFT),
        # LEFT: 2 3 3 1 -> LEFT 16 + V(2 4 1 .) = 26 (RIGHT 16 + W1); 2 3 3 2 -> LEFT 26 (RIGHT 16 +
        # W2). 8 + 26 RIGHT: 1 2 3 3 -> RIGHT 16 + V(. 1 2 4) = 36 (LEFT 16 + W0); 2 2 3 3 -> RIGHT
        # 24 + V(. . 3 4) = 44 (LEFT 24 + W0). 8 + 0.75 * 36 + 0.25 * 44 = 8 + 27 + 11
        ("afterstate", 2, [NAN, 46, NAN, 34], RIGHT),
        # LEFT: 8 + 0.75 W1 + 0.25 W2. RIGHT: 8 + W3, both spawns live
        ("state", 1, [NAN, 13, NAN, 9.25], RIGHT),
        # LEFT, 2 3 3 1: LEFT 2 4 1 . -> 16 + 0.75 W1 (2 4 1 2 is dead) = 16.75; RIGHT . 2 4 1 -> 16
        # + 0.25 W1 = 16.25. LEFT, 2 3 3 2: LEFT 2 4 2 . -> 16 + 0.25 W2 = 16.5; RIGHT . 2 4 2 -> 16
        # + 0.25 W2 = 16.5.   8 + 0.75 * 16.75 + 0.25 * 16.5 = 24.6875 RIGHT, 1 2 3 3: LEFT 1 2 4 .
        # -> 16 + 0; RIGHT . 1 2 4 -> 16 + 0.75 W4 = 31. RIGHT, 2 2 3 3: LEFT 3 4 . . -> 24 + (W0 +
        # 0.75 W1 + 0.25 W2)/2 = 29.625; RIGHT . . 3 4 -> 24 + W4 = 44.   8 + 0.75 * 31 + 0.25 * 44
        # = 42.25
        ("state", 2, [NAN, 42.25, NAN, 24.6875], RIGHT),
    ],
)
def test_two_plies_on_a_full_board(impl, values, plies, expected, best):
    """s1 = 2 3 2 2: LEFT earns 8 and leaves 2 3 3 ., RIGHT earns 8 and leaves . 2 3 3."""
    action, four = impl.best_action(top_right(impl, values), STATES[1], plies, 0.25)
    assert list(four) == close(expected)
    assert action == best


@pytest.mark.parametrize(
    "plies, expected",
    [
        # UP brings an 8 to the corner, W8 = 0; RIGHT: 4 + V(. . 2 4); LEFT: 4 + V(2 4 . .)
        (1, [0, 24, NAN, 14]),
        # UP leaves 1 1 4 8 / 5 6 7 6 / 3 4 5 10 / 7 8 9 .; whatever is spawned, LEFT earns 4 and
        # leaves W0: 14 (RIGHT: 4). RIGHT leaves . . 2 4; a 2 in either cell: RIGHT or UP for 0
        # leaves the 4 there, W4 = 20 (1 . 2 4 goes to . 1 2 4,   . 1 2 4 goes UP in its first
        # column); a 4 in either cell: RIGHT merges for 8 to . . 3 4, 8 + 20 = 28.   4 + 0.75 * 20 +
        # 0.25 * 28 = 26 LEFT leaves 2 4 . .; a spawn x beside the 4: RIGHT . 2 4 x, Wx (UP: an 8 in
        # the corner, 0), so 1 or 2;   a spawn in the corner: LEFT 2 4 x ., W0 = 10. 4 + (0.75 * 1 +
        # 0.25 * 2 + 10)/2 = 4 + 11.25/2
        (2, [14, 26, NAN, 9.625]),
    ],
)
def test_two_plies_average_over_the_empty_cells(impl, plies, expected):
    """1 1 4 . above the rows that are full: two empty cells after LEFT and RIGHT, one after UP."""
    action, four = impl.best_action(top_right(impl, "afterstate"), top(1, 1, 4, 0), plies, 0.25)
    assert list(four) == close(expected)
    assert action == RIGHT
