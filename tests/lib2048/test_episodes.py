"""Games as lines of text, against the slow twins in naive.py and lines that are wrong."""

import random

import naive
import numpy as np
import pytest

from lib2048 import NTupleNetwork, Trace, evaluate, play
from lib2048.formats.episodes import format_line, parse_line, read_episodes, write_episodes

GAMES = [naive.random_game(random.Random(seed)) for seed in range(5)]
LINE = "slide:place@1554090000000|0131(7)#L[4](1)F2#U41#R[8](2)01|place@1554090000123"


def boards_of(trace):
    return [naive.to_cells(board) for board in trace.boards]


@pytest.mark.jit_off
@pytest.mark.parametrize("boards, actions, rewards", GAMES)
def test_lines_of_the_twin(boards, actions, rewards):
    """Read: boards, actions, rewards are the twin's. Written: character by character the twin's line."""
    trace = parse_line(naive.format_episode(boards, actions, times=range(2 + 2 * len(actions))))
    assert (
        boards_of(trace) == boards
        and trace.actions.tolist() == actions
        and trace.rewards.tolist() == rewards
    )
    assert trace.score == sum(rewards) and trace.max_tile == 2 ** max(boards[-1])
    assert (trace.boards.dtype, trace.actions.dtype, trace.rewards.dtype) == (
        np.uint64,
        np.uint8,
        np.int32,
    )
    assert (
        trace.values.shape == (len(actions), 4)
        and np.isnan(trace.values).all()
        and trace.seed is None
    )
    assert format_line(trace) == naive.format_episode(boards, actions)
    ends = dict(names="me:you", winner="you", opened=5, closed=9)
    assert format_line(trace, **ends) == naive.format_episode(boards, actions, **ends)


def test_a_line_by_hand():
    """A 2 in cells 0 and 3; LEFT makes a 4; a 4 in cell 15; UP moves it to cell 3; a 2 in cell 4; RIGHT makes an 8."""
    trace = parse_line(LINE)
    assert trace.boards.tolist() == [0x1001, 0x2 | 0x2 << 60, 0x2002 | 1 << 16, 0x3001 | 1 << 28]
    assert trace.actions.tolist() == [3, 0, 1] and trace.rewards.tolist() == [4, 0, 8]
    plain = "slide:place@0|0131#L[4]F2#U41#R[8]01|place@0"
    assert format_line(trace) == plain
    for other in (
        LINE.replace("@1554090000000", "@1554ms"),
        plain + "\r\n",
        plain.replace("F2", "F2[0](12)"),
    ):
        assert parse_line(other).boards.tolist() == trace.boards.tolist()
    assert parse_line(plain.replace("0131", "3101")).boards.tolist() == trace.boards.tolist()
    assert len(parse_line("N/A@0|0131|place@0")) == 0  # stopped before the first move


WRONG = {
    "": "column 1: found 1 fields, expected 3",
    "a@0|0131": "found 2 fields",
    "a@0|0131|b@0|": "found 4 fields",
    "a|0131|b@0": "column 1: found 'a', expected a name, @ and milliseconds",
    "a@0|0131|b@x": "column 10: found 'b@x'",
    "a@-5|0131|b@0": "column 1: found 'a@-5'",
    "a@0||b@0": "column 5: found '|b@0', expected two tiles in two cells",
    "a@0|01|b@0": "column 5: .* two tiles",
    "a@0|0102|b@0": "column 5: found '0102|b@0', expected two tiles in two cells",
    "a@0|0133|b@0": "column 5",
    "a@0|G131|b@0": "column 5",
    "a@0|0131#L[4]|b@0": r"column 9: found '#L\[4\]', expected a slide and a new tile",
    "a@0|0131#L[4]F2#|b@0": "column 16: found '#'",
    "a@0|0131#l[4]F2|b@0": "column 9: found '#l",
    "a@0|0131#L[4]F3|b@0": "column 9: found '#L.*F3', expected",
    "a@0|0131#L[4]F2F1|b@0": "column 16: found 'F1'",
    "a@0|0131#L[4]F2[4]|b@0": r"column 16: found '\[4\]'",
    "a@0|0131#L[-4]F2|b@0": "column 9",
    "a@0|0131#L[99999999999]F2|b@0": "column 9",
    "a@0|0131#L[\u0664]F2|b@0": "column 9",
    "a@0|0131#LF2|b@0": "column 9: found reward 0 for move 0, #LF2, expected 4",
    "a@0|0131#L[8]F2|b@0": "found reward 8 for move 0, .* expected 4",
    "a@0|0131#L[4]F2#U[4]41|b@0": r"column 16: found reward 4 for move 1, #U\[4\]41, expected 0",
    "a@0|0131#U41|b@0": "column 9: found move 0, #U41, expected one that is possible on board 0x0000000000001001",
    "a@0|0131#L[4]01|b@0": "column 9: found move 0, .*01, expected one that is possible on board",
    "a@0|0131#L[4]02|b@0": "column 9: found move 0",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_lines(line):
    with pytest.raises(ValueError, match=WRONG[line]):
        parse_line(line)


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_games_of_ours_come_back(tmp_path, values):
    net, path = NTupleNetwork(((0, 1), (0, 1, 4)), values, init=10.0), tmp_path / "games"
    traces = [play(net, seed) for seed in range(5)]
    write_episodes(path, iter(traces))
    again = read_episodes(path)
    for one, other in zip(traces, again, strict=True):
        assert np.array_equal(one.boards, other.boards) and np.array_equal(
            one.actions, other.actions
        )
        assert np.array_equal(one.rewards, other.rewards) and one.score == other.score
    for line, trace in zip(path.read_text().splitlines(), traces, strict=True):
        boards, actions, rewards = naive.read_episode(line)
        assert (boards, actions, rewards) == (
            boards_of(trace),
            trace.actions.tolist(),
            trace.rewards.tolist(),
        )
    write_episodes(tmp_path / "copy", again)
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()


def test_evaluate_records_its_games(tmp_path):
    net, path = NTupleNetwork(((0, 1),), init=1.0), tmp_path / "games"
    summary = evaluate(net, 5, seed=3, progress=False, record=path)
    assert [trace.score for trace in read_episodes(path)] == summary.scores.tolist()


def test_files(tmp_path):
    path = tmp_path / "games"
    path.write_bytes(f"{LINE}\r\n\n{LINE.replace('F2', 'F3')}\n".encode())
    with pytest.raises(ValueError, match=r"games, line 3, column 34: found '#L\[4\]\(1\)F3"):
        read_episodes(path)
    path.write_bytes(b"\xff@0|0131|b@0\n")
    assert len(read_episodes(path)) == 1
    with pytest.raises(FileNotFoundError, match="there is no file .*missing"):
        read_episodes(tmp_path / "missing")
    with pytest.raises(ValueError, match="starts with two tiles"):
        write_episodes(path, [Trace(np.array([0x11111], np.uint64), *np.zeros((3, 0)))])
    assert path.read_bytes() == b"\xff@0|0131|b@0\n" and list(tmp_path.iterdir()) == [path]


def test_games_that_have_no_line():
    """A game of another start, or one that the rules do not allow."""

    def game(boards, actions):
        boards, actions = np.array(boards, np.uint64), np.array(actions, np.uint8)
        return Trace(
            boards,
            actions,
            np.zeros(len(actions), np.int32),
            np.zeros((len(actions), 4), np.float32),
        )

    first, after = 0x1001, 0x2
    assert format_line(game([first, after | 1 << 60], [3])) == "slide:place@0|0131#L[4]F1|place@0"
    for start in (0, 0x1, 0x111, 0x3001):
        with pytest.raises(ValueError, match=f"starts with two tiles, .* got board {start:#018x}"):
            format_line(game([start], []))
    wrong = [
        after,
        after | 3 << 60,
        after | 4 << 60,
        after | 0x11000,
        0x3,
        0x6,
        0x1,
        first | 1 << 60,
        2**64 - 1,
    ]
    for board in wrong:
        with pytest.raises(ValueError, match=f"do not lead from {first:#018x} to {board:#018x}"):
            format_line(game([first, board], [3]))
    for action in (0, 4, 255):  # UP moves nothing; the others are no actions
        with pytest.raises(ValueError, match=f"action {action} and a new tile do not lead"):
            format_line(game([first, first | 1 << 60], [action]))
    with pytest.raises(ValueError, match="one board more than actions, got 1 and 1"):
        format_line(game([first], [3]))
    for names in ("a|b", "a@b", "a\nb"):
        with pytest.raises(ValueError, match="a name has no | and no @"):
            format_line(game([first], []), names=names)


def test_fuzz():
    """3,000 damaged lines: every one is a game that goes by the rules, or a ValueError."""
    rng, read = random.Random(0), 0
    lines = [naive.format_episode(boards, actions) for boards, actions, _ in GAMES]
    for _ in range(3000):
        text = list(rng.choice(lines))
        for _ in range(rng.choice((1, 1, 2, 4))):
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(3)] = rng.choices(
                "0123456789ABCDEFGZ#URDL[]()@|-ms \0\n\u0664", k=rng.randrange(3)
            )
        try:
            trace = parse_line("".join(text))
        except ValueError:
            continue
        naive_boards, actions, rewards = naive.read_episode(format_line(trace))
        assert naive_boards == boards_of(trace) and rewards == trace.rewards.tolist()
        read += 1
    assert 100 < read < 2000


def test_long_lines_do_not_hang():
    for tail in ("[" + "1" * 10**6, "(" * 10**6, "0" * 10**6, "#L[4]F2" * 10**5):
        with pytest.raises(ValueError, match="column"):
            parse_line("a@0|0131#L[4]F2" + tail + "|b@0")
        with pytest.raises(ValueError, match="column"):
            parse_line("a" + tail + "@0|0131" + tail + "|b@")
