"""The program that the course's referee plays against: `libewn-agent`, or `python -m libewn agent`.

Everything is read character by character from standard input, and every answer is flushed. A round:

    two permutations of 012345    the cubes on Red's, then on Blue's start squares, row by row
    21 digits 0-5                 the dice
    f or s                        this program is Red and moves first, or Blue
    moves in turn                 ours written, the other's read: cube and direction, two digits
    y or n                        after the game: another round, or the end

The referee ends the whole match when an answer takes two seconds. So nothing that may take long
stands between a question and its answer. The thread that talks to the referee needs plain Python
only: it is ready in a tenth of a second. A second thread loads numba, compiles what was never
compiled before, and searches. An answer is due at a fixed moment; if the search has none by then,
because it is still loading or because the machine is busy with other work, a quick move is played
(see plain.py) and the late answer is forgotten.

The search takes one thread and a tree of at most 570 MB.
"""

import contextlib
import gc
import os
import queue
import sys
import threading
import time
from typing import Any, NamedTuple, TextIO

from libewn.plain import BLUE, CUBES, DICE, RED, Move, Position, quick_move

SECONDS = 1.5  # from the question to the answer; the referee waits for two
VARIABLE = "LIBEWN_SECONDS"  # the environment's word for another budget
# Of the seconds for a ply, the share after which a quick move is played while the search is still
# loading: then nothing is lost by it, and on a busy machine this thread may be late to wake up.
LOADING_SHARE = 0.6
SPARE = 0.1  # seconds before the answer is due at which the search ends,
SPARE_SHARE = 0.2  # but no more than this share of what there is
LONGEST = 3600.0
# What did best in matches against `hard`.
BEST: dict[str, Any] = dict(visit=1, expand=1, solve=True, reuse=True, prior=30.0, c=0.3)
NODES = 1 << 22
# Libraries of linear algebra start a thread for each core when numpy is imported. None of them is
# needed here.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class EndOfInput(ValueError):
    """The referee has closed the pipe."""


# Searching, in a thread of its own


class Start(NamedTuple):
    """How a round starts."""

    number: int
    red: tuple[int, ...]
    blue: tuple[int, ...]
    dice: tuple[int, ...]


class Question:
    """What to play after these moves of a round, and the moment the answer is due."""

    def __init__(self, start: Start, moves: list[Move], due: float):
        self.start = start
        self.moves = tuple(moves)
        self.due = due
        self.answer: Move | None = None
        self.answered = threading.Event()


class Searcher(threading.Thread):
    """Answers questions by Monte-Carlo tree search, once everything it needs is loaded.

    Parameters
    ----------
    nodes : int
        Room in the search tree.
    """

    def __init__(self, nodes: int):
        super().__init__(daemon=True, name="search")
        self.nodes = nodes
        self.questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self.loaded = False  # until then there are no answers
        self.problem = ""

    def ask(self, question: Question) -> None:
        """Hand over a question; its `answered` is set when there is an answer."""
        self.questions.put(question)

    def end(self) -> None:
        """Let the thread end when it has done what it is at."""
        self.questions.put(None)

    def run(self) -> None:
        """Load, then answer until the end."""
        try:
            with _no_collections():
                answer = _load_search(self.nodes)
            self.loaded = True
            while (question := self.questions.get()) is not None:
                seconds = question.due - time.monotonic()
                if seconds > 0:
                    spare = min(SPARE, SPARE_SHARE * seconds)
                    question.answer = answer(question, seconds - spare)
                    question.answered.set()
        except Exception as problem:  # the round goes on without a search, whatever went wrong
            self.problem = f"the search ended with {type(problem).__name__}: {problem}"
            _tell(self.problem)


@contextlib.contextmanager
def _no_collections():
    """Put garbage collections off, and let later ones pass over all that is there afterwards.

    Numba makes half a million objects when it compiles. To look through them takes an eighth of a
    second of processor time, during which no other thread runs Python, the one that answers the
    referee included; with eight other processes on two cores it would wait for most of a second.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _load_search(nodes: int):
    """Import and compile what the search needs. Returns a function (question, seconds) -> move."""
    from libewn.game import Game
    from libewn.mcts import MCTS
    from libewn.start import Instance

    warm = MCTS(simulations=50, nodes=1024, **BEST)
    game = Game()
    for _ in range(3):
        warm.search(game)
        game.play(warm.move(game))
    warm.move(game)
    player = MCTS(seconds=SECONDS, nodes=nodes, **BEST)
    round_played: Start | None = None

    def answer(question: Question, seconds: float) -> Move:
        nonlocal game, round_played
        if question.start != round_played:
            round_played = question.start
            game = Game(Instance("tcg2023", *question.start[1:]))
            player.start(question.start.number)
        for move in question.moves[game.ply :]:
            game.play(move)
        player.seconds = seconds
        return player.move(game)

    return answer


# Talking to the referee


def _characters(source: TextIO, count: int, allowed: str, what: str) -> str:
    """The next characters, each of which must be one of `allowed`."""
    text = ""
    while len(text) < count:
        character = source.read(1)
        if not character:
            raise EndOfInput(f"the input ended where {what} should be")
        if character not in allowed:
            raise ValueError(f"{what} is made of {allowed!r}, got {character!r}")
        text += character
    return text


def _permutation(source: TextIO, what: str) -> tuple[int, ...]:
    text = _characters(source, CUBES, "012345", what)
    if len(set(text)) < CUBES:
        raise ValueError(f"{what} are a permutation of 012345, got {text!r}")
    return tuple(map(int, text))


def _read_start(source: TextIO, number: int) -> Start:
    red = _permutation(source, "Red's cubes")
    blue = _permutation(source, "Blue's cubes")
    dice = _characters(source, DICE, "012345", "the line of dice")
    return Start(number, red, blue, tuple(map(int, dice)))


def _read_move(source: TextIO) -> Move:
    cube = int(_characters(source, 1, "012345", "the cube of a move"))
    return cube, int(_characters(source, 1, "0123", "the direction of a move"))


class Agent:
    """Plays rounds as the referee leads them.

    Parameters
    ----------
    source, sink : text file
        Where questions come from and answers go to.
    searcher : Searcher
        Who is asked first.
    seconds : float
        From a question to its answer.
    clock_began : float
        When the referee may have started its clock for the first answer, by `time.monotonic`.
    """

    def __init__(
        self, source: TextIO, sink: TextIO, searcher: Searcher, seconds: float, clock_began: float
    ):
        self.source = source
        self.sink = sink
        self.searcher = searcher
        self.seconds = seconds
        self.clock_began: float | None = clock_began

    def play_rounds(self) -> int:
        """Play until the referee says no, or says nothing more after a round.

        Returns how many rounds.
        """
        rounds = 0
        while True:
            self.play_round(rounds)
            rounds += 1
            try:
                if _characters(self.source, 1, "yn", "the answer after a game") == "n":
                    return rounds
            except EndOfInput:
                return rounds

    def play_round(self, number: int) -> Position:
        """Play one round. Returns its last position."""
        start = _read_start(self.source, number)
        own = RED if _characters(self.source, 1, "fs", "the seat") == "f" else BLUE
        position = Position(*start[1:])
        moves: list[Move] = []
        while position.winner is None:
            if position.mover == own:
                move = self._choose(position, start, moves)
                self.sink.write(f"{move[0]}{move[1]}")
                self.sink.flush()
            else:
                move = _read_move(self.source)
            position.play(move)
            moves.append(move)
        return position

    def _choose(self, position: Position, start: Start, moves: list[Move]) -> Move:
        """The move to play, in time."""
        legal = position.legal_moves()
        if len(legal) == 1:
            return legal[0]
        began = time.monotonic() if self.clock_began is None else self.clock_began
        self.clock_began = None
        question = Question(start, moves, began + self.seconds)
        self.searcher.ask(question)
        quick = quick_move(position)
        _wait_until(began + LOADING_SHARE * self.seconds, question)
        if self.searcher.loaded:
            _wait_until(question.due, question)
        return question.answer if question.answer in legal else quick


def _wait_until(moment: float, question: Question) -> None:
    """Wait for the answer to a question, but not longer than until a moment."""
    question.answered.wait(max(0.0, moment - time.monotonic()))


# The program


def _tell(problem: str) -> None:
    if sys.stderr is not None:  # print would take standard output instead
        print(f"libewn-agent: {problem}", file=sys.stderr)


def process_began() -> float:
    """When this process was started, by `time.monotonic`; now, where the system does not say."""
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return time.monotonic()
    return time.monotonic() - max(0.0, age)


def default_seconds() -> float:
    """The seconds for a ply: those of the environment's LIBEWN_SECONDS, else 1.5."""
    text = os.environ.get(VARIABLE, "")
    if not text:
        return SECONDS
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{VARIABLE} is a number of seconds, got {text!r}") from None


def run(seconds: float | None = None, nodes: int = NODES) -> int:
    """Be the program.

    Parameters
    ----------
    seconds : float, optional
        From a question to its answer; `default_seconds` when None.
    nodes : int
        Room in the search tree.

    Returns
    -------
    int
        The exit code: 0, or 2 after what cannot be, which is told on standard error.
    """
    searcher = None
    try:
        seconds = default_seconds() if seconds is None else seconds
        if not 0 < seconds < LONGEST:
            raise ValueError(
                f"the seconds for a ply are more than 0 and less than 3600, got {seconds!r}"
            )
        for name in ("stdin", "stdout"):
            if getattr(sys, name) is None:
                raise ValueError(
                    f"{name} is closed; the referee writes to standard input "
                    "and reads standard output"
                )
        for variable in ONE_THREAD:
            os.environ.setdefault(variable, "1")
        searcher = Searcher(nodes)
        searcher.start()
        Agent(sys.stdin, sys.stdout, searcher, seconds, process_began()).play_rounds()
    except (ValueError, OSError) as problem:
        _tell(str(problem))
        if isinstance(problem, OSError):
            # What was not heard must not be written once more at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    finally:
        if searcher is not None:
            searcher.end()
    return 0


def main() -> int:
    """The entry point `libewn-agent`."""
    if len(sys.argv) > 1:
        _tell(f"there are no arguments, got {sys.argv[1:]}; {VARIABLE} sets the seconds for a ply")
        return 2
    return leave(run())


def leave(code: int) -> int:
    """End the process at once if the search is still busy: compiling cannot be interrupted.

    Returns the exit code where there is nothing to interrupt.
    """
    if any(isinstance(thread, Searcher) for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)
    return code
