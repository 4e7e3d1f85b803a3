"""The agent as a program: a referee written from the course's protocol plays it over pipes; bad
input.
"""

import gc
import io
import os
import random
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import naive_ewn
import psutil
import pytest

from libewn import Game, Instance, agent, plain, player
from libewn.start import BLUE, RED

ROOT = Path(__file__).resolve().parents[2]
SIDES = ("red", "blue")


def start_agent(*arguments, **variables):
    """The program, with pipes, as the referee starts it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-m", "libewn", "agent", *arguments]
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return subprocess.Popen(command, env=environment, cwd=ROOT, **pipes)


class Referee:
    """Leads rounds of the program against one of our opponents, and watches moves and times."""

    def __init__(self, program):
        self.program, self.slowest = program, 0.0

    def say(self, text):
        self.program.stdin.write(text.encode())
        self.program.stdin.flush()

    def hear(self):
        began = time.perf_counter()
        answer = self.program.stdout.read(2).decode()
        self.slowest = max(self.slowest, time.perf_counter() - began)
        return int(answer[0]), int(answer[1])

    def round(self, opponent, seat, rng):
        """One round with the rules of the twin; returns the winner's seat."""
        red, blue = (tuple(rng.sample(range(6), 6)) for _ in SIDES)
        dice = tuple(rng.randrange(6) for _ in range(21))
        self.say("".join(map(str, red + blue + dice)) + "fs"[seat])
        board, ply, shadow = (
            naive_ewn.start("tcg2023", red, blue),
            0,
            Game(Instance("tcg2023", red, blue, dice)),
        )
        while naive_ewn.result("tcg2023", board) is None:
            side = SIDES[ply % 2]
            if ply % 2 == seat:
                move = self.hear()
                assert move in naive_ewn.legal_moves("tcg2023", board, side, dice[ply % 21]), (
                    board,
                    side,
                    move,
                )
            else:
                move = opponent.move(shadow)
                self.say(f"{move[0]}{move[1]}")
            board, ply = naive_ewn.play(board, side, move), ply + 1
            shadow.play(move)
        return SIDES.index(naive_ewn.result("tcg2023", board)[0])


def test_rounds_over_pipes_against_our_opponents():
    """Both seats against each, a new process for every opponent; 0.06 s a ply to keep it short."""
    rng = random.Random(1)
    for name in ("easy", "normal", "hard"):
        program = start_agent("--seconds", "0.06")
        try:
            referee, opponent = Referee(program), player(name)
            opponent.start(1)
            for number, seat in enumerate((RED, BLUE, BLUE, RED)):
                referee.round(opponent, seat, rng)
                referee.say("n" if number == 3 else "y")
            assert (
                program.wait(10) == 0
                and program.stdout.read() == b""
                and program.stderr.read() == b""
            )
        finally:
            program.kill()
            program.communicate()


def test_quick_moves_are_sensible():
    """Without any search the agent wins four of five games against one that moves at random."""
    rng = random.Random(1)
    won = 0
    for number in range(100):
        red, blue = (rng.sample(range(6), 6) for _ in SIDES)
        position = plain.Position(red, blue, [rng.randrange(6) for _ in range(21)])
        seat = number % 2
        while position.winner is None:
            is_ours = position.mover == seat
            move = plain.quick_move(position) if is_ours else rng.choice(position.legal_moves())
            position.play(move)
        won += position.winner == seat
    assert won >= 80


def test_quick_moves_win_at_once_and_do_not_let_the_other_win():
    """Red's cube 0 may go beside the corner that Blue's cube 5 threatens, or capture that cube."""
    position = plain.Position(range(6), range(6), [0] * 21)
    position.squares = [{0: (5, 5)}, {5: (3, 3)}]
    assert plain.quick_move(position) == (0, 0), "into the corner"
    position.squares = [{0: (1, 0), 1: (2, 5)}, {5: (1, 1), 4: (5, 0)}]
    assert plain.quick_move(position) == (0, 0), "Blue would be in Red's corner next"


@pytest.mark.parametrize("seed", range(20))
def test_the_plain_rules_are_those_of_the_twin_and_of_the_kernels(seed):
    rng = random.Random(seed)
    red, blue = (tuple(rng.sample(range(6), 6)) for _ in SIDES)
    dice = tuple(rng.randrange(6) for _ in range(21))
    position = plain.Position(red, blue, dice)
    board = naive_ewn.start("tcg2023", red, blue)
    game = Game(Instance("tcg2023", red, blue, dice))
    for ply in range(1000):
        side = SIDES[ply % 2]
        moves = naive_ewn.legal_moves("tcg2023", board, side, dice[ply % 21])
        assert position.legal_moves() == moves == game.legal_moves()
        move = rng.choice(moves)
        position.play(move)
        board = naive_ewn.play(board, side, move)
        game.play(move)
        squares = {
            square: (SIDES[s], c) for s in (0, 1) for c, square in position.squares[s].items()
        }
        assert squares == board
        ended = naive_ewn.result("tcg2023", board)
        assert position.winner == game.winner == (SIDES.index(ended[0]) if ended else None)
        if ended:
            break
    else:
        raise AssertionError("the game does not end")
    assert position.legal_moves() == []


def test_a_move_that_is_not_legal_leaves_the_position_as_it_is():
    position = plain.Position(range(6), range(6), [0] * 21)
    with pytest.raises(ValueError, match=r"\(5, 0\)"):
        position.play((5, 0))
    assert position.ply == 0 and position.legal_moves() == [(0, 0), (0, 1), (0, 2)]


def test_the_search_answers_when_it_is_loaded():
    """A question with minutes to go: the answer is the search's, and takes the moves before it into
    account.
    """
    searcher = agent.Searcher(nodes=1000)
    searcher.start()
    start = agent.Start(0, tuple(range(6)), tuple(range(6)), (0,) * 21)
    position = plain.Position(*start[1:])
    moves = []
    for _ in range(4):
        due = time.monotonic() + 0.2
        question = agent.Question(start, moves, due)
        while not question.answered.wait(0.3):  # loading, at first
            question = agent.Question(start, moves, time.monotonic() + 0.2)
            searcher.ask(question)
        assert question.answer in position.legal_moves()
        moves.append(question.answer)
        position.play(question.answer)
    searcher.end()
    searcher.join(60)
    assert not searcher.is_alive() and searcher.problem == ""


def test_an_overdue_question_is_passed_over_and_a_quick_move_played():
    """A searcher that never answers costs no more than the seconds for a ply, and no round."""

    class Silent:
        loaded = True
        asked = 0

        def ask(self, question):
            self.asked += 1

    source = io.StringIO(GOOD + "f")
    sink = io.StringIO()
    silent = Silent()
    player = agent.Agent(source, sink, silent, 0.01, time.monotonic())
    with pytest.raises(agent.EndOfInput):
        player.play_rounds()
    assert silent.asked == 1
    position = plain.Position(range(6), range(6), list(map(int, GOOD[12:])))
    assert sink.getvalue() == "".join(map(str, plain.quick_move(position)))


class NoAnswer:
    """Stands in for the event that there is an answer: notes how long it is waited for."""

    def __init__(self, waits):
        self.waits = waits

    def wait(self, seconds):
        self.waits.append(seconds)


@pytest.mark.parametrize(
    "loaded, began_before, waits",
    [
        (False, 0.0, [600.0]),  # of 1,000 seconds: nothing comes while the search is loading
        (True, 0.0, [600.0, 1000.0]),
        (True, 700.0, [0.0, 300.0]),
        (False, 2000.0, [0.0]),  # the moment is past, so the quick move is played at once
        (True, 2000.0, [0.0, 0.0]),
    ],
)
def test_how_long_an_answer_is_waited_for(loaded, began_before, waits, monkeypatch):
    """By a clock that stands still."""
    monkeypatch.setattr(agent.time, "monotonic", lambda: 5000.0)
    waited = []

    class Silent:
        def __init__(self):
            self.loaded = loaded

        def ask(self, question):
            question.answered = NoAnswer(waited)

    sink = io.StringIO()
    player = agent.Agent(io.StringIO(GOOD + "f"), sink, Silent(), 1000.0, 5000.0 - began_before)
    with pytest.raises(agent.EndOfInput):
        player.play_rounds()
    assert waited == waits
    position = plain.Position(range(6), range(6), list(map(int, GOOD[12:])))
    assert sink.getvalue() == "".join(map(str, plain.quick_move(position)))


def test_nothing_is_collected_while_the_search_is_loading(monkeypatch):
    """A collection among the objects of a compiler keeps the talking thread waiting."""
    collecting = []
    monkeypatch.setattr(agent, "_load_search", lambda nodes: collecting.append(gc.isenabled()))
    assert gc.isenabled()
    searcher = agent.Searcher(nodes=1000)
    searcher.end()
    searcher.run()
    assert collecting == [False]
    assert gc.isenabled() and searcher.loaded and searcher.problem == ""
    gc.unfreeze()


def test_a_search_that_fails_is_told_and_the_round_goes_on(monkeypatch, capsys):
    def fails(nodes):
        raise MemoryError("no room for the tree")

    monkeypatch.setattr(agent, "_load_search", fails)
    searcher = agent.Searcher(nodes=1000)
    searcher.start()
    searcher.join(60)
    assert "no room for the tree" in capsys.readouterr().err


def test_the_end_of_the_input_after_a_round_is_the_end():
    """The course's referee sends nothing after the last round, and closes the pipe."""
    program = start_agent("--seconds", "0.02")
    try:
        referee = Referee(program)
        referee.round(player("easy"), RED, random.Random(3))
        out, err = program.communicate(timeout=60)  # closes its input
        assert (program.returncode, out, err) == (0, b"", b"")
    finally:
        program.kill()
        program.communicate()


def test_it_is_ready_with_nothing_but_python():
    """What the talking thread needs is imported without numpy and numba."""
    code = "import sys, libewn.agent; print({'numpy', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stdout + done.stderr


def test_no_idle_threads_stand_beside_the_search():
    program = start_agent("--seconds", "0.3")
    try:
        referee = Referee(program)
        for _ in range(20):
            referee.round(player("easy"), RED, random.Random(4))
            threads = psutil.Process(program.pid).num_threads()
            if "numba" in "".join(item.path for item in psutil.Process(program.pid).memory_maps()):
                break
            referee.say("y")
        assert threads == 2, "one that talks and one that searches"
        assert psutil.Process(program.pid).memory_info().rss < 1e9
    finally:
        program.kill()
        program.communicate()


class Busy:
    """Processes that do nothing but keep the machine busy."""

    def __init__(self, count):
        self.processes = [
            subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)
        ]

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        for process in self.processes:
            process.kill()
            process.wait()


LIMIT = 1.7  # seconds that an answer may take here; the referee aborts the match after two


@pytest.mark.long
@pytest.mark.parametrize("cache", ["cold", "warm"])
def test_no_answer_is_late_on_a_busy_machine(cache, tmp_path):
    """Eight busy processes.

    From a cold cache three rounds from each seat against each opponent; then ten.
    """
    environment = {}
    rounds = 3 if cache == "cold" else 10
    rng = random.Random(5)
    with Busy(8):
        for name in ("easy", "normal", "hard"):
            if cache == "cold":  # for each opponent anew
                environment = {"NUMBA_CACHE_DIR": str(tmp_path / name)}
                (tmp_path / name).mkdir()
            program = start_agent(**environment)
            try:
                referee = Referee(program)
                opponent = player(name)
                opponent.start(1)
                for number, seat in enumerate((RED, BLUE) * rounds):
                    referee.round(opponent, seat, rng)
                    if number < 2 * rounds - 1:
                        referee.say("y")
                out, err = program.communicate(timeout=60)
                assert (program.returncode, out, err) == (0, b"", b"")
            finally:
                program.kill()
                program.communicate()
            print(f"{cache} cache, against {name}: slowest answer {referee.slowest:.2f} s")
            assert referee.slowest < LIMIT


def test_the_tree_fits_into_the_memory_allowed():
    """The pools at their largest, and 300 MB for Python and the kernels.

    These take 180 MB, and 290 where the kernels had to be compiled first.
    """
    assert player("mcts", nodes=agent.NODES, **agent.BEST).bytes + 300e6 < 1e9


GOOD = "012345" * 2 + "012345012345012345012"


@pytest.mark.parametrize(
    "text, named",
    [
        ("", "Red's cubes"),
        ("0123", "Red's cubes"),
        ("012344", "'012344'"),
        ("012346", "'6'"),
        ("012345012345" + "0" * 20, "dice"),
        ("012345012345" + "0" * 20 + "6", "'6'"),
        (GOOD, "seat"),
        (GOOD + "x", "'x'"),
        (GOOD + "\n", r"\n"),
        (GOOD + "s", "cube"),
        (GOOD + "s0", "direction"),
        (GOOD + "s9", "'9'"),
        (GOOD + "s07", "'7'"),
        (GOOD + "s50", "(5, 0)"),
        (GOOD + "sé", "codec"),
    ],
)
def test_a_closed_pipe_or_a_wrong_character_is_an_error_and_exit_code_2(
    text, named, monkeypatch, capsys
):
    raw = text.encode() if "é" not in text else text.encode("latin-1")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), "utf-8"))
    assert agent.run(seconds=0.02, nodes=1000) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and named in printed.err and len(printed.err.splitlines()) == 1


def test_the_process_ends_with_2_when_a_pipe_closes():
    program = start_agent("--seconds", "0.1")
    program.stdin.write((GOOD + "f").encode())
    program.stdin.flush()
    assert len(program.stdout.read(2)) == 2
    out, err = program.communicate(timeout=20)  # closes its input
    assert (
        program.returncode == 2 and out == b"" and err.startswith(b"libewn-agent: the input ended")
    )
    program = start_agent("--seconds", "0.3")
    program.stdout.close()  # nobody hears the answer
    try:
        program.stdin.write((GOOD + "f").encode())
        program.stdin.flush()
    except BrokenPipeError:
        pass
    assert program.wait(20) == 2
    assert program.stderr.read().startswith(b"libewn-agent: ")
    program.stdin.close()
    program.stderr.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes descriptors")
@pytest.mark.parametrize(
    "closed, heard",
    [
        ("<&-", "stdin is closed"),
        (">&-", "stdout is closed"),
        ("2>&-", ""),
        (">/dev/full", "No space"),
    ],
)
def test_a_descriptor_that_is_closed_is_an_error_too(closed, heard):
    if closed.endswith("full") and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    command = f'"{sys.executable}" -m libewn agent --seconds 0.05 {closed}'
    sent = GOOD + ("f" if closed.endswith("full") else "x")
    done = subprocess.run(command, shell=True, input=sent, capture_output=True, text=True, cwd=ROOT)
    assert (
        done.returncode == 2
        and done.stdout == ""
        and heard in done.stderr
        and "Traceback" not in done.stderr
    )
    assert len(done.stderr.splitlines()) == bool(heard)


def test_the_program_of_the_course_is_the_agent_without_arguments(monkeypatch, capsys):
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "scripts"
    ]
    assert scripts["libewn-agent"] == "libewn.agent:main"
    asked = []
    monkeypatch.setattr(agent, "run", lambda: asked.append("run") or 0)
    monkeypatch.setattr(agent, "leave", lambda code: code)  # it would end this process, too
    monkeypatch.setattr(sys, "argv", ["libewn-agent"])
    assert agent.main() == 0 and asked == ["run"]
    monkeypatch.setattr(sys, "argv", ["libewn-agent", "--fast"])
    assert agent.main() == 2 and "--fast" in capsys.readouterr().err and asked == ["run"]


def test_arguments_and_budgets_that_cannot_be():
    done = subprocess.run(
        [sys.executable, "-m", "libewn", "agent", "--seconds", "-1"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 2 and "-1" in done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "libewn", "board", "--variant", "chess"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 2 and "'chess'" in done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "libewn", "board"], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0 and "Red to move" in done.stdout
