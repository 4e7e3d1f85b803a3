"""Games as lines of text, against the slow twins in naive_files.py and lines that are wrong."""

import random

import naive
import numpy as np
import pytest

from lib2048 import NTupleNetwork, Trace, evaluate, play
from lib2048.formats import episodes
from lib2048.formats.episodes import format_line, parse_line, read_episodes, write_episodes

GAMES = [naive.random_game(random.Random(seed)) for seed in range(5)]
LINE = "slide:place@1554090000000|0131(7)#L[4](1)F2#U41#R[8](2)01|place@1554090000123"
PLAIN = "slide:place@0|0131#L[4]F2#U41#R[8]01|place@0"


def boards_of(trace):
    """The boards of a game as the twins have them."""
    return [naive.to_cells(board) for board in trace.boards]


def assert_is_game(trace, boards, actions, rewards):
    assert boards_of(trace) == boards
    assert trace.actions.tolist() == actions
    assert trace.rewards.tolist() == rewards


@pytest.mark.jit_off
@pytest.mark.parametrize("boards, actions, rewards", GAMES)
def test_lines_of_the_twin(boards, actions, rewards):
    """Read: boards, actions, rewards are the twin's. Written: character by character its line."""
    times = range(2 + 2 * len(actions))
    trace = parse_line(naive.format_episode(boards, actions, times=times))
    assert_is_game(trace, boards, actions, rewards)
    assert trace.score == sum(rewards)
    assert trace.max_tile == 2 ** max(boards[-1])
    assert trace.boards.dtype == np.uint64
    assert trace.actions.dtype == np.uint8
    assert trace.rewards.dtype == np.int32
    assert trace.values.shape == (len(actions), 4)
    assert np.isnan(trace.values).all()
    assert trace.seed is None
    assert format_line(trace) == naive.format_episode(boards, actions)
    ends = dict(names="me:you", winner="you", opened=5, closed=9)
    assert format_line(trace, **ends) == naive.format_episode(boards, actions, **ends)


def test_a_line_by_hand():
    """A 2 in cells 0 and 3; LEFT makes a 4; a 4 in cell 15; UP moves it; a 2; RIGHT makes an 8."""
    trace = parse_line(LINE)
    assert trace.boards.tolist() == [0x1001, 0x2 | 0x2 << 60, 0x2002 | 1 << 16, 0x3001 | 1 << 28]
    assert trace.actions.tolist() == [3, 0, 1]
    assert trace.rewards.tolist() == [4, 0, 8]
    assert format_line(trace) == PLAIN


@pytest.mark.parametrize(
    "line",
    [
        LINE.replace("@1554090000000", "@1554ms"),
        PLAIN + "\r\n",
        PLAIN.replace("F2", "F2[0](12)"),
        PLAIN.replace("0131", "3101"),
        PLAIN.replace("#U", "#U(-3)"),  # the clock was set back
        PLAIN.replace("slide:place", "me@home:place"),
        PLAIN.replace("slide:place", ""),
        PLAIN.replace("|place@0", "|N/A@0"),
        PLAIN.replace("|place@0", "|mit größter Mühe@0"),
    ],
)
def test_other_ways_to_write_the_same_game(line):
    assert parse_line(line).boards.tolist() == parse_line(PLAIN).boards.tolist()


def test_a_game_that_was_stopped_before_its_first_move():
    assert len(parse_line("N/A@0|0131|place@0")) == 0


@pytest.mark.jit_off
@pytest.mark.parametrize("moves", [1, 2, 30])
def test_a_game_that_ends_with_a_slide(tmp_path, moves):
    """Where a program says that it has won, no tile is placed any more."""
    boards, actions, rewards = GAMES[0]
    last, _ = naive.slide(boards[moves - 1], actions[moves - 1])
    boards = [*boards[:moves], last]
    actions = actions[:moves]
    rewards = rewards[:moves]
    line = naive.format_episode(boards, actions)
    trace = parse_line(line)
    assert_is_game(trace, boards, actions, rewards)
    assert format_line(trace) == line
    write_episodes(tmp_path / "games", [trace])
    (again,) = read_episodes(tmp_path / "games")
    assert np.array_equal(again.boards, trace.boards)


WRONG = {
    "": "column 1: found 1 fields, expected 3",
    "a@0|0131": "found 2 fields",
    "a@0|0131|b@0|": "found 4 fields",
    "a|0131|b@0": "column 1: found 'a', expected a name, @ and milliseconds",
    "a@0|0131|b@x": "column 10: found 'b@x'",
    "a@0|0131|b@": "column 10: found 'b@'",
    "a@0|0131|b@ms": "column 10: found 'b@ms'",
    "a@0|0131|b@\u0664": "column 10: found 'b@",
    "a@-5|0131|b@0": "column 1: found 'a@-5'",
    "a@0||b@0": "column 5: found '|b@0', expected two tiles in two cells",
    "a@0|01|b@0": "column 5: .* two tiles",
    "a@0|0102|b@0": "column 5: found '0102|b@0', expected two tiles in two cells",
    "a@0|0133|b@0": "column 5",
    "a@0|G131|b@0": "column 5",
    "a@0|0131#L[4]#U|b@0": r"column 9: found '#L\[4\]#U', expected a slide and a new tile",
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
    "a@0|0131#L[8]|b@0": "found reward 8 for move 0, .* expected 4",
    "a@0|0131#L[4]F2#U[4]41|b@0": r"column 16: found reward 4 for move 1, #U\[4\]41, expected 0",
    "a@0|0131#U41|b@0": "column 9: found move 0, #U41, expected one .* board 0x0000000000001001",
    "a@0|0131#U|b@0": "column 9: found move 0, #U, expected one that is possible on board",
    "a@0|0131#L[4]01|b@0": "column 9: found move 0, .*01, expected one that is possible on board",
    "a@0|0131#L[4]02|b@0": "column 9: found move 0",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_lines(line):
    with pytest.raises(ValueError, match=WRONG[line]):
        parse_line(line)


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_games_of_ours_come_back(tmp_path, values):
    net = NTupleNetwork(((0, 1), (0, 1, 4)), values, init=10.0)
    path = tmp_path / "games"
    traces = [play(net, seed) for seed in range(5)]
    write_episodes(path, iter(traces))
    again = read_episodes(path)
    for trace, copy in zip(traces, again, strict=True):
        assert np.array_equal(trace.boards, copy.boards)
        assert np.array_equal(trace.actions, copy.actions)
        assert np.array_equal(trace.rewards, copy.rewards)
        assert trace.score == copy.score
    for line, trace in zip(path.read_text().splitlines(), traces, strict=True):
        assert_is_game(trace, *naive.read_episode(line))
    write_episodes(tmp_path / "copy", again)
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()


def test_evaluate_records_its_games(tmp_path):
    net = NTupleNetwork(((0, 1),), init=1.0)
    path = tmp_path / "games"
    summary = evaluate(net, 5, seed=3, progress=False, record=path)
    assert [trace.score for trace in read_episodes(path)] == summary.scores.tolist()


# Files


def test_a_bad_line_is_named(tmp_path):
    path = tmp_path / "games"
    path.write_bytes(f"{LINE}\r\n\n{LINE.replace('F2', 'F3')}\n".encode())
    with pytest.raises(ValueError, match=r"games, line 3, column 34: found '#L\[4\]\(1\)F3"):
        read_episodes(path)


def test_bad_lines_need_not_cost_the_file(tmp_path):
    path = tmp_path / "games"
    bad = LINE.replace("F2", "F3")
    path.write_text(f"{bad}\n{LINE}\nhello\n{PLAIN}")
    expected = r"games, 2 bad lines left out: line 1, column 34: .*; line 3, column 1: found 1 fi"
    with pytest.warns(UserWarning, match=expected):
        traces = read_episodes(path, strict=False)
    assert [trace.score for trace in traces] == [12, 12]
    path.write_text(f"{bad}\n" * 9 + LINE)
    with pytest.warns(UserWarning, match="9 bad lines left out: line 1, .*line 3, .*; and more$"):
        assert len(read_episodes(path, strict=False)) == 1


def test_a_file_without_bad_lines_gives_no_warning(tmp_path, recwarn):
    path = tmp_path / "games"
    path.write_text(f"{LINE}\n{PLAIN}\n")
    assert len(read_episodes(path, strict=False)) == 2
    assert not recwarn.list


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_line_is_read_with_a_bound(tmp_path, monkeypatch, end):
    """What is longer than any game is refused, and read piece by piece."""
    monkeypatch.setattr(episodes, "LONGEST_LINE", 100)
    path = tmp_path / "games"
    following = end + PLAIN.encode() if end else b""
    path.write_bytes(PLAIN.replace("slide", "s" * 50).encode() + following)
    whole = len(read_episodes(path))
    for length in (102, 200, 201, 202, 203, 1000):
        line = PLAIN.replace("slide", "s" * (length - len(PLAIN) + len("slide"))).encode()
        assert len(line) == length
        path.write_bytes(line + following)
        with pytest.raises(ValueError, match="line 1, column 101: found more, expected the end"):
            read_episodes(path)
        with pytest.warns(UserWarning, match="1 bad lines left out: line 1, column 101"):
            assert len(read_episodes(path, strict=False)) == whole - 1


def test_names_in_other_encodings(tmp_path):
    path = tmp_path / "games"
    path.write_bytes(b"\xff@0|0131|b@0\n")
    assert len(read_episodes(path)) == 1


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no file .*missing"):
        read_episodes(tmp_path / "missing")


def test_a_game_without_a_line_leaves_the_file_that_was_there(tmp_path):
    path = tmp_path / "games"
    write_episodes(path, [parse_line(PLAIN)])
    no_start = Trace(np.array([0x11111], np.uint64), *np.zeros((3, 0)))
    with pytest.raises(ValueError, match="starts with two tiles"):
        write_episodes(path, [parse_line(LINE), no_start])
    assert path.read_text() == PLAIN + "\n"
    assert list(tmp_path.iterdir()) == [path]


# Games that have no line


def game(boards, actions):
    """A game with these boards and actions; rewards and values do not matter."""
    moves = len(actions)
    return Trace(
        np.array(boards, np.uint64),
        np.array(actions, np.uint8),
        np.zeros(moves, np.int32),
        np.zeros((moves, 4), np.float32),
    )


FIRST = 0x1001
AFTER = 0x2  # LEFT


def test_lines_of_games_by_hand():
    with_tile = game([FIRST, AFTER | 1 << 60], [3])
    assert format_line(with_tile) == "slide:place@0|0131#L[4]F1|place@0"
    assert format_line(game([FIRST, AFTER], [3])) == "slide:place@0|0131#L[4]|place@0"


@pytest.mark.parametrize("start", [0, 0x1, 0x111, 0x3001])
def test_games_with_another_start(start):
    with pytest.raises(ValueError, match=f"starts with two tiles, .* got board {start:#018x}"):
        format_line(game([start], []))


@pytest.mark.parametrize(
    "board",
    [
        AFTER | 3 << 60,
        AFTER | 4 << 60,
        AFTER | 0x11000,
        0x3,
        0x6,
        0x1,
        FIRST,
        FIRST | 1 << 60,
        2**64 - 1,
    ],
)
def test_games_with_a_board_that_does_not_follow(board):
    with pytest.raises(ValueError, match=f"do not lead from {FIRST:#018x} to {board:#018x}"):
        format_line(game([FIRST, board], [3]))


def test_games_in_which_a_tile_is_missing_before_the_end():
    """After LEFT, RIGHT would move the 4 back."""
    message = f"do not lead from {FIRST:#018x} to {AFTER:#018x}"
    with pytest.raises(ValueError, match=message):
        format_line(game([FIRST, AFTER, 0x2000 | 1 << 60], [3, 1]))


@pytest.mark.parametrize("action", [0, 4, 255])
def test_games_with_an_action_that_is_none(action):
    """UP moves nothing; the others are no actions."""
    with pytest.raises(ValueError, match=f"action {action} and a new tile do not lead"):
        format_line(game([FIRST, FIRST | 1 << 60], [action]))


def test_games_that_cannot_be_written():
    with pytest.raises(ValueError, match="one board more than actions, got 1 and 1"):
        format_line(game([FIRST], [3]))
    for ends in ({"names": "a|b"}, {"names": "a@b"}, {"winner": "a\nb"}, {"closed": -1}):
        with pytest.raises(ValueError, match="a name has no | and no @"):
            format_line(game([FIRST], []), **ends)


# Damage


SCRAPS = "0123456789ABCDEFGZ#URDL[]()@|-ms \0\n\u0664"


def damaged(rng, line):
    """A line in which up to four scraps are put in place of up to two characters each."""
    text = list(line)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(text))
        text[at : at + rng.randrange(3)] = rng.choices(SCRAPS, k=rng.randrange(3))
    return "".join(text)


def test_fuzz():
    """3,000 damaged lines: every one is a game that goes by the rules, or a ValueError."""
    rng = random.Random(0)
    lines = [naive.format_episode(boards, actions) for boards, actions, _ in GAMES]
    read = 0
    for _ in range(3000):
        try:
            trace = parse_line(damaged(rng, rng.choice(lines)))
        except ValueError:
            continue
        assert_is_game(trace, *naive.read_episode(format_line(trace)))
        read += 1
    assert 100 < read < 2000


@pytest.mark.parametrize(
    "tail", ["[" + "1" * 10**6, "(" * 10**6, "0" * 10**6, "#L[4]F2" * 10**5, "@1" * 10**6]
)
def test_long_lines_do_not_hang(tail):
    with pytest.raises(ValueError, match="column"):
        parse_line("a@0|0131#L[4]F2" + tail + "|b@0")
    with pytest.raises(ValueError, match="column"):
        parse_line("a" + tail + "@0|0131" + tail + "|b@")
