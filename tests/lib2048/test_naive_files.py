"""The slow twins of statistics and file formats hold what must be true whatever lib2048 does."""

import random
import struct

import naive
import pytest

LEFT = naive.LEFT
GAMES = [naive.random_game(random.Random(seed)) for seed in range(5)]


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
    assert naive.read_episode(naive.format_episode(boards, actions) + "\n") == (
        boards,
        actions,
        rewards,
    )


def test_an_episode_line_character_by_character():
    """A 2 in cells 0 and 3; LEFT merges them into a 4 for 4; a 4 in cell 15 takes 2 ms."""
    boards = [[1, 0, 0, 1] + [0] * 12, [2, 0, 0, 0] + [0] * 11 + [2]]
    line = naive.format_episode(boards, [LEFT], "a:b", "b", 10, 20, (0, 0, 0, 2))
    assert line == "a:b@10|0131#L[4]F2(2)|b@20"
    assert naive.read_episode(line) == (boards, [LEFT], [4])
    assert naive.read_episode("a:b@10ms|3101(7)#L[4](3)F2|b@20ms") == (boards, [LEFT], [4])


def test_an_episode_may_end_with_a_slide():
    boards, actions, rewards = naive.read_episode("a:b@0|0131#L[4]|a@1")
    assert boards == [[1, 0, 0, 1] + [0] * 12, [2] + [0] * 15]
    assert (actions, rewards) == ([LEFT], [4])
    assert naive.format_episode(boards, actions) == "slide:place@0|0131#L[4]|place@0"


@pytest.mark.parametrize(
    "moves",
    [
        "0131#L[8]F2",
        "0131#L[4]02",
        "01#L",
        "0131#L[4]#U",
        "0131#X11",
        "0131F1",
        "0101",
        "01",
        "",
        "0130",
        "0131#L[4]G1",
        "0131#U#L",
    ],
)
def test_episode_lines_that_do_not_add_up_are_refused(moves):
    with pytest.raises(ValueError):
        naive.read_episode(f"a:b@0|{moves}|b@0")


def test_weight_files_byte_by_byte():
    """One pattern of one cell: 16 weights, 64 bytes."""
    patterns, tables = ((10,),), [[float(i) for i in range(16)]]
    raw = struct.pack("<16f", *range(16))
    sixteen = bytes([16, 0, 0, 0, 0, 0, 0, 0])
    assert naive.demo_bytes(patterns, tables) == (
        bytes([1, 0, 0, 0, 0, 0, 0, 0])
        + bytes([17, 0, 0, 0])
        + b"1-tuple pattern a"
        + sixteen
        + raw
    )
    assert naive.framework_bytes(tables) == bytes([1, 0, 0, 0]) + sixteen + raw
    assert naive.framework_bytes(tables, 8) == bytes([1, 0, 0, 0, 0, 0, 0, 0]) + sixteen + raw
    start, size, end = bytes([0, 1, 0, 0, 0, 4]), bytes([4, 0]) + sixteen, bytes([0, 0])
    assert (
        naive.tdl2048_bytes(patterns, tables)
        == start + bytes([10, 0, 0, 0, 1, 0, 0, 0]) + size + raw + end
    )
    assert naive.tdl2048_bytes(patterns, tables, naming="old") == (
        start + bytes([10, 0, 0, 0, 0, 0, 0, 0]) + size + raw + end
    )
    assert (
        naive.tdl2048_bytes(patterns, tables, naming="text")
        == start + b"a       " + size + raw + end
    )
    sums = [([1.0] * 16, [2.0] * 16)]
    more = bytes([4, 0, 32, 0, 0, 0, 0, 0, 0, 0]) + struct.pack("<32f", *[1.0] * 16, *[2.0] * 16)
    assert naive.tdl2048_bytes(patterns, tables, sums) == (
        start + bytes([10, 0, 0, 0, 1, 0, 0, 0]) + size + raw + more + end
    )


def test_file_lengths_grow_with_the_weights_to_those_of_real_files():
    """Headers are what is left without the weights; a real 4x6 file has the same headers."""
    patterns = ((0, 1), (4, 5), (0, 2), (4, 6))
    tables, weights = [[0.0] * 256] * 4, 4 * 16**6 * 4
    header = len(naive.demo_bytes(patterns, tables)) - 4 * 256 * 4
    assert header + 4 * 4 + weights == 268_435_600  # the real names are four digits longer
    plain = len(naive.tdl2048_bytes(patterns, tables)) - 4 * 256 * 4
    coherent = (
        len(naive.tdl2048_bytes(patterns, tables, [(t, t) for t in tables])) - 3 * 4 * 256 * 4
    )
    assert plain + weights == 268_435_545
    assert coherent + 3 * weights == 805_306_497


def test_first_cell_high_reverses_the_digits_of_the_index():
    table = [float(i) for i in range(16**3)]
    high = naive.reverse_digits(table)
    assert high[0x123] == 0x321 and high[0x00F] == 0xF00
    assert naive.reverse_digits(high) == table
    assert naive.framework_bytes([table], first_cell="high") == naive.framework_bytes([high])
