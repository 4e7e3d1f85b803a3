"""`python -m libewn agent` is the program for the course's referee; `python -m libewn board` shows a game's start."""

import argparse
import sys

from libewn import agent
from libewn.draw import board_text
from libewn.game import Game
from libewn.start import instance


def main() -> int:
    """Read the command line and do what it says; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m libewn", description="EinStein wuerfelt nicht!"
    )
    commands = parser.add_subparsers(dest="command", required=True)
    plays = commands.add_parser(
        "agent", help="play for the course's referee, over standard input and output"
    )
    plays.add_argument(
        "--seconds", type=float, default=agent.SECONDS, help="a ply, at most (%(default)s)"
    )
    shows = commands.add_parser("board", help="print how an instance starts")
    shows.add_argument("--variant", default="tcg2023")
    shows.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.command == "agent":
        return agent.run(asked.seconds)
    try:
        print(board_text(Game(instance(asked.seed, 0, asked.variant))))
    except ValueError as problem:
        print(f"libewn: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
