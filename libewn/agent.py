"""The program that the course's referee plays against: `python -m libewn agent`.

Everything is read character by character from standard input, and every answer is flushed. A round:

    two permutations of 012345    the cubes on Red's, then on Blue's start squares, row by row
    21 digits 0-5                 the dice
    f or s                        this program is Red and moves first, or Blue
    moves in turn                 ours written, the other's read: cube and direction, two digits
    y or n                        after the game: another round, or the end

It thinks 1.8 of the referee's 2 seconds a ply, in one thread, with a tree of at most 570 MB.
"""

import gc
import os
import sys
import time
from typing import TextIO

import psutil

from libewn.game import BLUE, RED, Game
from libewn.match import player
from libewn.rules import CUBES, VARIANTS
from libewn.start import Instance

SECONDS = 1.8
SPARE = 0.05  # of these, left for what is not searching
BEST = dict(
    visit=1, expand=1, solve=True, reuse=True, prior=30.0, c=0.3
)  # what did best in matches against `hard`
NODES = 1 << 22


def _characters(source: TextIO, count: int, allowed: str, what: str) -> str:
    """The next characters, each of which must be one of `allowed`."""
    text = ""
    while len(text) < count:
        one = source.read(1)
        if not one:
            raise ValueError(f"the input ended where {what} should be")
        if one not in allowed:
            raise ValueError(f"{what} is made of {allowed!r}, got {one!r}")
        text += one
    return text


def _permutation(source: TextIO, what: str) -> tuple[int, ...]:
    text = _characters(source, CUBES, "012345", what)
    if len(set(text)) < CUBES:
        raise ValueError(f"{what} are a permutation of 012345, got {text!r}")
    return tuple(map(int, text))


def _read_move(source: TextIO, game: Game) -> tuple[int, int]:
    cube = int(_characters(source, 1, "012345", "the cube of a move"))
    return cube, int(_characters(source, 1, "0123", "the direction of a move"))


def play_round(source: TextIO, sink: TextIO, one, seed: int = 0) -> Game:
    """Play one round as the referee leads it, with the player `one`. Returns the finished game."""
    red, blue = _permutation(source, "Red's cubes"), _permutation(source, "Blue's cubes")
    dice = tuple(
        map(int, _characters(source, VARIANTS["tcg2023"].dice, "012345", "the line of dice"))
    )
    own = RED if _characters(source, 1, "fs", "the seat") == "f" else BLUE
    game = Game(Instance("tcg2023", red, blue, dice))
    one.start(seed)
    while game.winner is None:
        if game.mover == own:
            move = one.move(game)
            sink.write(f"{move[0]}{move[1]}")
            sink.flush()
        else:
            move = _read_move(source, game)
        game.play(move)
    return game


def play_rounds(source: TextIO, sink: TextIO, one) -> int:
    """Play rounds until the referee says no. Returns how many."""
    rounds = 0
    while True:
        play_round(source, sink, one, rounds)
        rounds += 1
        if _characters(source, 1, "yn", "the answer after a game") == "n":
            return rounds


def _warm_up(options: dict) -> None:
    """Compile, or load from the cache, what a game needs."""
    game, one = (
        Game(),
        player("mcts", **{**options, "seconds": None, "simulations": 50, "nodes": 1024}),
    )
    for _ in range(3):
        game.play(one.search(game).move)
    one.move(game)


class Hasty:
    """A player whose first move makes up for the time that the program took to start."""

    def __init__(self, one, seconds: float):
        self.one, self.seconds, self.start = one, seconds, one.start

    def move(self, game: Game) -> tuple[int, int]:
        """The move to play."""
        usual, self.one.seconds = self.one.seconds, self.seconds
        self.seconds = usual
        try:
            return self.one.move(game)
        finally:
            self.one.seconds = usual


def _tell(problem: str) -> None:
    if sys.stderr is not None:  # print would take standard output instead
        print(f"libewn-agent: {problem}", file=sys.stderr)


def run(seconds: float = SECONDS, nodes: int = NODES) -> int:
    """Be the program; returns its exit code: 0, or 2 after what cannot be, which is told on standard error."""
    try:
        if not 0 < seconds < 3600:
            raise ValueError(
                f"the seconds for a ply are more than 0 and less than 3600, got {seconds!r}"
            )
        for name in ("stdin", "stdout"):
            if getattr(sys, name) is None:
                raise ValueError(
                    f"{name} is closed; the referee writes to standard input and reads standard output"
                )
        one = player("mcts", seconds=max(seconds - SPARE, seconds / 2), nodes=nodes, **BEST)
        _warm_up(BEST)
        gc.freeze()
        spent = (
            time.time() - psutil.Process().create_time()
        )  # the referee may have its clock running since the start
        play_rounds(sys.stdin, sys.stdout, Hasty(one, max(one.seconds - spent, one.seconds / 4)))
    except (ValueError, OSError) as problem:
        _tell(str(problem))
        if isinstance(
            problem, OSError
        ):  # what was not heard must not be written once more at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return 0


def main() -> int:
    """The entry point `libewn-agent`."""
    if len(sys.argv) > 1:
        _tell(f"there are no arguments, got {sys.argv[1:]}")
        return 2
    return run()
