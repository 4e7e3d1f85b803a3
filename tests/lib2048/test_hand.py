"""Cases worked out by hand, run on the slow twins in naive.py and on lib2048: the game and the
network.
"""

import hand
import naive
import pytest
from hand import board, close, weights

UP, RIGHT, DOWN, LEFT = naive.ACTIONS
pytestmark = pytest.mark.jit_off


@pytest.fixture(params=hand.BOTH)
def impl(request):
    """Every case runs on both."""
    return request.param


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
    line = {LEFT: (4, 5, 6, 7), RIGHT: (7, 6, 5, 4), UP: (2, 6, 10, 14), DOWN: (14, 10, 6, 2)}[
        action
    ]

    def laid(row):
        cells = [0] * 16
        for i, tile in zip(line, row):
            cells[i] = tile.bit_length() - 1 if tile else 0
        return naive.to_board(cells)

    assert impl.slide(laid(before), action) == (laid(after or before), reward)


def test_slide_of_a_whole_board(impl):
    """The four rows earn 4, 0, 8 + 16 and nothing: 28."""
    before = naive.to_board(
        naive.from_tiles([[2, 2, 4, 0], [0, 8, 0, 2], [4, 4, 8, 8], [2, 4, 2, 4]])
    )
    after = naive.to_board(
        naive.from_tiles([[4, 4, 0, 0], [8, 2, 0, 0], [8, 16, 0, 0], [2, 4, 2, 4]])
    )
    assert impl.slide(before, LEFT) == (after, 28)


def test_a_full_board_whose_only_pairs_are_32768_is_dead(impl):
    full = board([15, 15, 1, 2], [15, 3, 4, 5], [6, 7, 8, 9], [1, 2, 3, 4])
    assert impl.legal_actions(full) == []
    assert impl.legal_actions(board([14, 14, 1, 2], [15, 3, 4, 5], [6, 7, 8, 9], [1, 2, 3, 4])) == [
        RIGHT,
        LEFT,
    ]


# (b) Indices

#     2   8 128   4        1 3 7 2
#     8  32  64 256        3 5 6 8
#     2   4  32 128        1 2 5 7
#     4   2   8  16        2 1 3 4
SAMPLE = board([1, 3, 7, 2], [3, 5, 6, 8], [1, 2, 5, 7], [2, 1, 3, 4])


@pytest.mark.parametrize(
    "pattern, expected",
    [
        # Exponents 1 3 7 2 3 5, the first lowest: 0x532731 = 1 + 3*16 + 7*256 + 2*4096 + 3*65536 +
        # 5*1048576 = 1 + 48 + 1792 + 8192 + 196608 + 5242880
        ((0, 1, 2, 3, 4, 5), 5449521),
        # The left column upwards, 2 1 3 1: 0x1312 = 2 + 16 + 768 + 4096
        ((12, 8, 4, 0), 4882),
        ((0, 4, 8, 12), 0x2131),
        ((15, 7), 0x84),
        ((7, 15), 0x48),
        ((15,), 4),
    ],
)
def test_index(impl, pattern, expected):
    net = impl.network((pattern,))
    assert impl.index(net, 0, SAMPLE) == expected
    assert impl.index(net, 0, 0) == 0


def test_index_counts_patterns_from_zero(impl):
    net = impl.network(((0, 1), (3, 2, 1)))
    assert impl.index(net, 0, SAMPLE) == 0x31
    assert impl.index(net, 1, SAMPLE) == 0x372


# (c) Value and update: two patterns under eight symmetries make 16 lookups. Pattern (0, 1) reads a
# corner and one of its neighbours along the edge, for four corners and two neighbours each; pattern
# (0, 1, 4) reads a corner, one of these neighbours, then the other.

PAIR_AND_CORNER = ((0, 1), (0, 1, 4))
#     1 2 5 3     pairs: (1,2) (1,4) (3,5) (3,6) (2,1) (2,7) (5,4) (5,8), all different; the triples
# extend them     4 0 0 6     7 0 0 8     2 1 4 5
ASYMMETRIC = board([1, 2, 5, 3], [4, 0, 0, 6], [7, 0, 0, 8], [2, 1, 4, 5])
#     1 2 3 4     equal to its transpose: pairs (1,2) (4,3) (4,7) (10,9), triples (1,2,2) (4,3,7)
# (4,7,3) (10,9,9),     2 5 6 7     each twice     3 6 8 9     4 7 9 10
TRANSPOSE = board([1, 2, 3, 4], [2, 5, 6, 7], [3, 6, 8, 9], [4, 7, 9, 10])
CORNER = board([1, 0, 0, 0], *[[0] * 4] * 3)
EDGE = board([0, 2, 0, 0], *[[0] * 4] * 3)


def test_update_of_an_asymmetric_board_moves_its_value_by_delta(impl):
    net = impl.network(PAIR_AND_CORNER, init=16.0)
    assert net.lookups == 16
    assert impl.value(net, ASYMMETRIC) == close(16)  # every weight is 16/16 = 1
    assert impl.update(net, ASYMMETRIC, 8.0) == close(24)  # each of 16 weights gets 8/16 = 0.5
    assert impl.value(net, ASYMMETRIC) == close(24)
    # (1, 2) has index 1 + 2*16 = 33, (1, 2, 4) has 33 + 4*256 = 1057, (2, 1) has 18; (9, 9) is not
    # on the board
    assert [float(net.table(0)[i]) for i in (33, 18, 153)] == [1.5, 1.5, 1.0]
    assert [float(net.table(1)[i]) for i in (1057, 0)] == [1.5, 1.0]


@pytest.mark.parametrize(
    "name, shown, moves",
    [
        # 8 weights, each looked up twice, so each gets 2 shares and counts twice: 8 * 2 * 2 = 32
        # shares of delta/16
        ("transpose", TRANSPOSE, 2.0),
        # Per pattern: the weight (1, 0...) twice and (0, 0...) six times, 2*2 + 6*6 = 40 shares;
        # two patterns, 80/16
        ("corner", CORNER, 5.0),
        # (0, 2) once, (0, 0) seven times: 1 + 49; (0, 2, 0) once, (0, 0, 2) once, (0, 0, 0) six
        # times: 1 + 1 + 36; 88/16
        ("edge", EDGE, 5.5),
        # The empty board looks one weight of each pattern up eight times: 64 + 64 = 128 shares,
        # 128/16
        ("empty", 0, 8.0),
    ],
)
def test_update_of_a_symmetric_board_moves_its_value_by_more(impl, name, shown, moves):
    net = impl.network(PAIR_AND_CORNER, init=16.0)
    assert impl.update(net, shown, 4.0) == close(16 + moves * 4)
    assert impl.value(net, shown) == close(16 + moves * 4)


def test_updates_share_weights_between_boards(impl):
    """delta 16 is 1 a lookup: after CORNER the weights are (1, 0): 2, (0, 0): 6, (1, 0, 0): 2, (0,
    0, 0): 6.
    """
    net = impl.network(PAIR_AND_CORNER)
    assert impl.update(net, CORNER, 16.0) == close(80)  # 2*2 + 6*6, for two patterns
    assert impl.value(net, 0) == close(96)  # 8*6 + 8*6
    assert impl.value(net, EDGE) == close(78)  # 0 + 7*6, and 0 + 0 + 6*6
    # EDGE then gets 1 a lookup: (0, 2): 1, (0, 0): 6+7 = 13, (0, 2, 0): 1, (0, 0, 2): 1, (0, 0, 0):
    # 6+6 = 12
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
