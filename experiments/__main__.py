"""python -m experiments [status | run NAME ... | run --all | show NAME]"""

import argparse
import os
import sys
import time

from experiments import EXPERIMENTS, check_scale, find, progress, runner, stages
from experiments.entries import SCALES
from experiments.piece import Piece
from workbook.table import Table

FAILED = 1
WRONG_REQUEST = 2
STOPPED = 130  # what a shell calls a program that Ctrl-C ended


def main(arguments=None) -> int:
    """Do what the command line says; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        options.scale = check_scale(getattr(options, "scale", None))
        return options.do(options)
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (ValueError, OSError) as error:
        print(f"experiments: {error}", file=sys.stderr)
        return WRONG_REQUEST
    except KeyboardInterrupt:
        print(
            "\nStopped. What is finished is kept; the same command goes on from here.",
            file=sys.stderr,
        )
        return STOPPED


def _parser() -> argparse.ArgumentParser:
    scale = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    scale.add_argument(
        "--scale", choices=SCALES, help="full when neither this nor the variable SCALE is there"
    )
    parser = argparse.ArgumentParser(
        prog="python -m experiments",
        parents=[scale],
        description="Run what takes longer than a minute, once.",
    )
    parser.set_defaults(do=_status)
    commands = parser.add_subparsers(metavar="COMMAND")

    def command(name: str, do, explanation: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, parents=[scale], help=explanation)
        added.set_defaults(do=do)
        return added

    command(
        "status",
        _status,
        "what there is; stored, missing, or how far it is; also without a command",
    )
    run = command("run", _run, "run what is missing or stale")
    run.add_argument("names", nargs="*", metavar="NAME")
    run.add_argument("--all", action="store_true", help="every experiment, the long ones too")
    run.add_argument(
        "--jobs",
        type=int,
        help="processes at once; all cores, as far as memory allows, if left out",
    )
    run.add_argument(
        "--scheduler", help="run on a Dask cluster: tcp://HOST:PORT (see experiments/README.md)"
    )
    show = command("show", _show, "the results of an experiment and where they come from")
    show.add_argument("name", metavar="NAME")
    return parser


def _counted(states: list[str]) -> str:
    """ "stored", "running", or how many pieces are in which state."""
    counts = {state: states.count(state) for state in ("stored", "running", "stale", "missing")}
    if len(states) in counts.values():
        return states[0]
    return ", ".join(f"{count} {state}" for state, count in counts.items() if count)


def _run(options) -> int:
    if options.names and options.all:
        raise ValueError("run takes names of experiments or --all, not both")
    if not options.names and not options.all:
        raise ValueError(
            f"run takes names of experiments or --all; there are {', '.join(EXPERIMENTS)}"
        )
    wanted = stages(EXPERIMENTS if options.all else options.names, options.scale)
    failed = runner.run(wanted, options.jobs, options.scheduler)
    for label, error in failed.items():
        print(f"\n{label} failed:\n{error}", file=sys.stderr)
    count = len({piece.name for stage in wanted for piece in stage})
    print(f"{count - len(failed)} of {count} results are stored.")
    return FAILED if failed else 0


def _status(options) -> int:
    print(
        f"Experiments at the {options.scale} scale, with the time of one core: "
        "as last measured, or a guess.\n"
    )
    for name, entry in EXPERIMENTS.items():
        pieces = entry.pieces(options.scale)
        running = {piece.label: progress.read(piece.name) for piece in pieces}
        cost = progress.in_words(sum(piece.seconds for piece in pieces))
        states = ["running" if running[piece.label] else piece.state for piece in pieces]
        print(f"{name:22}{cost:>7}  {_counted(states)}\n    {entry.question}")
        for label, state in running.items():
            if state is not None:
                print(f"    {label}: {_how_far(state)}")
    return 0


def _how_far(state: dict) -> str:
    """What is known of a running piece, in words."""
    texts = []
    if state.get("total"):
        texts.append(f"{state['done']:,} of {state['total']:,}")
    if "started" in state:
        texts.append(f"begun {progress.in_words(time.time() - state['started'])} ago")
    if "process" in state:
        texts.append(f"process {state['process']}")
    return ", ".join(texts)


def _show(options) -> int:
    entry = find(options.name)
    pieces = entry.pieces(options.scale)
    print(f"{entry.name}: {entry.question}\n")
    for piece in pieces:
        print(f"{piece.label}: {piece.state}")
        _show_result(piece)
    missing = [piece for piece in pieces if piece.state != "stored"]
    if missing:
        cost = progress.in_words(sum(piece.seconds for piece in missing))
        command = f"python -m experiments run {entry.name} --scale {options.scale}"
        print(f"{command} makes what is missing or stale: about {cost} of one core.")
    return 0


def _show_result(piece: Piece) -> None:
    """What is stored of a piece, and where it comes from."""
    stored = piece.load()
    if stored is None:
        return
    values, about = stored
    machine = about["machine"]
    versions = [f"{name} {version}" for name, version in about["versions"].items()]
    seconds = progress.in_words(about["seconds"])
    print(Table([values]))
    print(f"    {about['date']}, {seconds}, version {about['version']} of {about['function']}")
    print(f"    {', '.join(versions)}, sources {about['sources'][:12]}")
    cores = f"{machine['cores']} cores, {machine['memory_gib']} GiB"
    print(f"    {machine['processor']}, {cores}, {machine['system']}\n")


if __name__ == "__main__":
    sys.exit(main())
