"""`python -m libewn agent` plays for the referee, `python -m libewn board` shows a start."""

import argparse
import sys

from libewn import agent


def main() -> int:
    """Read the command line and do what it says; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m libewn", description="EinStein würfelt nicht!")
    commands = parser.add_subparsers(dest="command", required=True)
    plays = commands.add_parser(
        "agent", help="play for the course's referee, over standard input and output"
    )
    plays.add_argument(
        "--seconds",
        type=float,
        help=f"from a question to its answer ({agent.SECONDS}, or what {agent.VARIABLE} says)",
    )
    shows = commands.add_parser("board", help="print how an instance starts")
    shows.add_argument("--variant", default="tcg2023", help="tcg2023 or classic")
    shows.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.command == "agent":
        return agent.leave(agent.run(asked.seconds))
    try:
        print(_start_of(asked.variant, asked.seed))
    except ValueError as problem:
        print(f"libewn: {problem}", file=sys.stderr)
        return 2
    return 0


def _start_of(variant: str, seed: int) -> str:
    """The first board of an instance.

    What it takes is imported here: the agent must not wait for it.
    """
    from libewn import Game, board_text, instance

    return board_text(Game(instance(seed, 0, variant)))


if __name__ == "__main__":
    sys.exit(main())
