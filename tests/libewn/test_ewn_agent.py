"""The agent as a program: a referee written from the course's protocol plays it over pipes; bad input."""

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

from libewn import Game, Instance, agent, player
from libewn.game import BLUE, RED

ROOT = Path(__file__).resolve().parents[2]
SIDES = ("red", "blue")


def start_agent(*arguments):
    """The program, with pipes, as the referee starts it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
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
    rng, won = random.Random(1), 0
    for name in ("easy", "normal", "hard"):
        program = start_agent("--seconds", "0.06")
        try:
            referee, opponent = Referee(program), player(name)
            opponent.start(1)
            for number, seat in enumerate((RED, BLUE, BLUE, RED)):
                won += referee.round(opponent, seat, rng) == seat
                referee.say("n" if number == 3 else "y")
            assert (
                program.wait(10) == 0
                and program.stdout.read() == b""
                and program.stderr.read() == b""
            )
        finally:
            program.kill()
            program.communicate()
    assert won >= 8


@pytest.mark.slow
def test_ready_within_two_seconds_and_never_over_two_a_ply():
    """With a warm cache: the start in seconds of processor time, which other work does not stretch; then, of a program
    that is ready, every answer of a round at the usual 1.8 s."""
    start_agent().communicate(b"")  # warms the cache
    program = start_agent("--seconds", "0.02")
    program.stdin.write((GOOD + "f").encode())
    program.stdin.flush()
    assert len(program.stdout.read(2)) == 2
    times = psutil.Process(program.pid).cpu_times()
    program.communicate()
    assert times.user + times.system < 2
    program = start_agent()
    try:
        referee = Referee(program)
        time.sleep(4)
        referee.round(player("normal"), BLUE, random.Random(2))
        assert psutil.Process(program.pid).memory_info().rss < 1e9
        referee.say("n")
        assert program.wait(10) == 0
        assert referee.slowest < 2.0
    finally:
        program.kill()
        program.communicate()


def test_the_tree_fits_into_the_memory_allowed():
    """The pools at their largest, and 300 MB for Python and the kernels, which take 200."""
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
