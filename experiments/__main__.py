"""python -m experiments [list | run NAME ... | run --all | confirm NAME ... | confirm --all | status | show NAME]"""

import argparse
import os
import sys
import time

from experiments import EXPERIMENTS, check_scale, confirm, find, progress, runner, stages
from experiments.piece import SCALES
from experiments.table import Table


def main(arguments=None) -> int:
    """Do what the command line says; returns the exit code: 1 where something failed, 2 for a wrong request."""
    options = _parser().parse_args(arguments)
    try:
        options.scale = check_scale(options.scale)
        return options.do(options)
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (ValueError, OSError) as error:
        print(f"experiments: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            "\nStopped. What is finished is kept; the same command goes on from here.",
            file=sys.stderr,
        )
        return 130


def _parser() -> argparse.ArgumentParser:
    description = "Run what takes longer than a minute, once."
    parser = argparse.ArgumentParser(prog="python -m experiments", description=description)
    common = argparse.ArgumentParser(add_help=False)
    scale = {
        "choices": SCALES,
        "help": "full when neither this nor the variable SCALE says otherwise",
    }
    parser.add_argument("--scale", **scale)
    common.add_argument(
        "--scale", default=argparse.SUPPRESS, **scale
    )  # keeps what stands before the command
    commands = parser.add_subparsers(metavar="COMMAND")
    commands.add_parser("list", parents=[common], help="name, cost, state, question").set_defaults(
        do=_list
    )
    run = commands.add_parser("run", parents=[common], help="run what is missing or stale")
    run.add_argument("names", nargs="*", metavar="NAME")
    run.add_argument(
        "--all", action="store_true", help="every experiment, the long recorded ones too"
    )
    run.add_argument(
        "--jobs",
        type=int,
        help="processes at once; all cores, as far as memory allows, when left out",
    )
    run.add_argument(
        "--scheduler", help="run on a Dask cluster: tcp://HOST:PORT (see experiments/README.md)"
    )
    run.set_defaults(do=_run)
    again = (
        "try the beginning of what only changed code made stale, and keep it where it is the same"
    )
    confirming = commands.add_parser("confirm", parents=[common], help=again)
    confirming.add_argument("names", nargs="*", metavar="NAME")
    confirming.add_argument("--all", action="store_true", help="every experiment")
    confirming.set_defaults(do=_confirm)
    commands.add_parser(
        "status", parents=[common], help="what is stored, missing, running"
    ).set_defaults(do=_status)
    show = commands.add_parser(
        "show", parents=[common], help="the results of an experiment and where they come from"
    )
    show.add_argument("name", metavar="NAME")
    show.set_defaults(do=_show)
    parser.set_defaults(do=_list)
    return parser


def _states(pieces) -> str:
    """ "stored", "running", or how many pieces are in which state."""
    states = ["running" if progress.read(piece.name) else piece.state for piece in pieces]
    counts = {state: states.count(state) for state in ("stored", "running", "stale", "missing")}
    return ", ".join(
        f"{n} {state}" if n < len(states) else state for state, n in counts.items() if n
    )


def _list(options) -> int:
    print(
        f"Experiments at the {options.scale} scale, with the time of one core: as last measured, or a guess.\n"
    )
    for name, entry in EXPERIMENTS.items():
        pieces = entry.pieces(options.scale)
        cost = progress.in_words(sum(piece.seconds for piece in pieces))
        print(f"{name:22}{cost:>7}  {_states(pieces)}\n    {entry.question}")
    return 0


def _wanted(options, command: str) -> list:
    """The pieces that names or --all ask for, with those that they need, in stages."""
    if options.names and options.all:
        raise ValueError(f"{command} takes names of experiments or --all, not both")
    if not options.names and not options.all:
        raise ValueError(
            f"{command} takes names of experiments or --all; there are {', '.join(EXPERIMENTS)}"
        )
    return stages(EXPERIMENTS if options.all else options.names, options.scale)


def _run(options) -> int:
    wanted = _wanted(options, "run")
    failed = runner.run(wanted, options.jobs, options.scheduler)
    for label, error in failed.items():
        print(f"\n{label} failed:\n{error}", file=sys.stderr)
    count = len({piece.name for stage in wanted for piece in stage})
    print(f"{count - len(failed)} of {count} results are stored.")
    return 1 if failed else 0


def _confirm(options) -> int:
    verdicts = confirm.run(_wanted(options, "confirm"))
    if not verdicts:
        print("Nothing is stale.")
        return 0
    counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
    print(f"Of {verdicts.total()} stale results: {counts}.")
    return 1 if verdicts[confirm.DIFFERENT] or verdicts[confirm.FAILED] else 0


def _status(options) -> int:
    found = {name: entry.pieces(options.scale) for name, entry in EXPERIMENTS.items()}
    every = {piece.name: piece for pieces in found.values() for piece in pieces}
    print(f"At the {options.scale} scale, of {len(every)} results: {_states(every.values())}.\n")
    for name, pieces in found.items():
        print(f"{name:24}{_states(pieces)}")
        for piece in pieces:
            if (state := progress.read(piece.name)) is not None:
                share = f"{state['done']:,} of {state['total']:,}, " if state.get("total") else ""
                since = progress.in_words(time.time() - state.get("started", time.time()))
                print(f"    {piece.label}: {share}begun {since} ago, process {state['pid']}")
    return 0


def _show(options) -> int:
    entry = find(options.name)
    pieces = entry.pieces(options.scale)
    print(f"{entry.name}: {entry.question}\n")
    for piece in pieces:
        stored = piece.load()
        print(f"{piece.label}: {piece.state}")
        if stored is not None:
            values, about = stored
            machine, versions = about["machine"], about["versions"]
            print(Table([values]))
            print(
                f"    {about['date']}, {progress.in_words(about['seconds'])}, code {about['code'][:12]}"
            )
            if about["code"] != piece.code and (entry := piece.confirmation(about)):
                print(f"    {confirm.in_words(entry)}")
            print(f"    {', '.join(f'{name} {version}' for name, version in versions.items())}")
            cores = f"{machine['cores']} cores, {machine['memory_gib']} GiB"
            print(f"    {machine['processor']}, {cores}, {machine['system']}\n")
    if missing := [piece for piece in pieces if piece.state != "stored"]:
        cost = progress.in_words(sum(piece.seconds for piece in missing))
        command = f"python -m experiments run {entry.name} --scale {options.scale}"
        print(f"{command} makes what is missing or stale: about {cost} of one core.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
