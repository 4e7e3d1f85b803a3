"""The command line: `python -m lib2048 COMMAND`, or `lib2048 COMMAND` where the wheel is installed.

    play, evaluate, watch     with the network that comes with the library, or with one of yours
    train                     a network of your own
    export                    a network for another program, or for a web page
    agent                     a student_agent.py for a course in Python

Exit codes: 0 when all went well, 2 for a request that cannot be fulfilled, 130 after Ctrl-C.
"""

import argparse
import importlib.metadata
import os
import sys
from collections.abc import Callable
from pathlib import Path

from lib2048 import NTupleNetwork, compact, course, evaluate, export, play, show, train
from lib2048.compacting import strength
from lib2048.files import check_source, check_target
from lib2048.formats import COMPACT, FORMATS, NATIVE, recognise
from lib2048.formats.compact import export_compact
from lib2048.formats.episodes import write_episodes
from lib2048.network import VALUES
from lib2048.recipes import RECIPES, find_recipe
from lib2048.validate import ORDERS, check_count
from lib2048.viewer.playing import playing_page

DONE = 0
WRONG_REQUEST = 2
STOPPED = 130  # what a shell calls a program that Ctrl-C ended

USUAL_GAMES = 10_000
ROWS = 10  # of the learning curve that is printed

PROGRAM = "lib2048"
EXAMPLES = f"""examples:
  {PROGRAM} play --seed 7                   one game by the network that comes with lib2048
  {PROGRAM} watch                           a page with it, to watch and to play against
  {PROGRAM} evaluate --games 1000           how strong it is
  {PROGRAM} train net.npz --games 20000     a network of your own
  {PROGRAM} play --net net.npz              a game by that one
  {PROGRAM} export net.npz 2048.bin --kind demo
  {PROGRAM} agent student_agent.py          an agent that needs nothing but numpy
  {PROGRAM} train --help                    all that a command takes
"""
PLAY_EXAMPLES = f"""examples:
  {PROGRAM} play --seed 7
  {PROGRAM} play --net net.npz --plies 2
  {PROGRAM} play --net net.npz --record game.txt
"""
EVALUATE_EXAMPLES = f"""examples:
  {PROGRAM} evaluate --games 1000
  {PROGRAM} evaluate --net net.npz --games 10000 --threads 2
  {PROGRAM} evaluate --net weights.bin --patterns 4x6 --plies 2 --games 100
"""
TRAIN_EXAMPLES = f"""examples:
  {PROGRAM} train net.npz --games 20000
  {PROGRAM} train net.npz --games 20000                      20,000 more, if net.npz is there
  {PROGRAM} train strong.npz --recipe minutes                100,000 games in the best way known
  {PROGRAM} train other.npz --coherence --lambda 0.5 --restart 1000
  {PROGRAM} train state.npz --values state --order forward
  {PROGRAM} train small.npz --patterns 01245,45689,01234,45678
"""
WATCH_EXAMPLES = f"""examples:
  {PROGRAM} watch                           writes 2048.html: open it in a browser
  {PROGRAM} watch page.html --seed 7
  {PROGRAM} watch --net net.npz             the page carries that network; it has to be small
  {PROGRAM} watch --recorded --net young.npz old.npz --plies 2
"""
EXPORT_EXAMPLES = f"""examples:
  {PROGRAM} export net.npz 2048.bin --kind demo
  {PROGRAM} export net.npz small.bin --kind compact --step 16
  {PROGRAM} export weights.bin net.npz --kind native --patterns 4x6
  {PROGRAM} export net.npz weights.bin --kind framework --first-cell high
"""
AGENT_EXAMPLES = f"""examples:
  {PROGRAM} agent student_agent.py
  {PROGRAM} agent student_agent.py --net net.npz --plies 3
  {PROGRAM} agent student_agent.py --search td-mcts --seconds 0.05
  {PROGRAM} agent student_agent.py --actions up,right,down,left --state exponents
"""


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says.

    Parameters
    ----------
    arguments : list of str, optional
        The words of the command line; those of this process when left out.

    Returns
    -------
    int
        The exit code.
    """
    options = _parser().parse_args(arguments)
    try:
        return options.do(options)
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (ValueError, OSError, ImportError) as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return WRONG_REQUEST
    except KeyboardInterrupt:
        print(f"\n{PROGRAM}: stopped", file=sys.stderr)
        return STOPPED


# What there is to say


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Learn to play 2048 with n-tuple networks, and watch them play.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_train(commands)
    _add_play(commands)
    _add_evaluate(commands)
    _add_watch(commands)
    _add_export(commands)
    _add_agent(commands)
    return parser


def _version() -> str:
    """The version that is installed."""
    try:
        return importlib.metadata.version(PROGRAM)
    except importlib.metadata.PackageNotFoundError:
        return "(a checkout that is not installed)"


def _command(
    commands, name: str, do: Callable[[argparse.Namespace], int], help_: str, examples: str = ""
) -> argparse.ArgumentParser:
    added = commands.add_parser(
        name,
        help=help_,
        description=help_[0].upper() + help_[1:] + ".",
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    added.set_defaults(do=do)
    return added


def _add_train(commands) -> None:
    command = _command(commands, "train", _train, "train a network, or go on", TRAIN_EXAMPLES)
    command.add_argument(
        "file",
        help="where the network is kept, from every 10,000 games on; "
        "one that is there learns on from what it knows",
    )
    command.add_argument("--games", type=int, help="how many (10,000)")
    command.add_argument(
        "--recipe",
        choices=sorted(RECIPES),
        help="a way of learning that proved good, in place of --games and the options below",
    )
    command.add_argument(
        "--patterns", help="of a new network: 4x6 to 8x6, or cells such as 0123,0145 (4x6)"
    )
    command.add_argument(
        "--values", choices=VALUES, help="of a new network: what it values (afterstate)"
    )
    command.add_argument(
        "--order", choices=ORDERS, default="backward", help="learn after a game, or during it"
    )
    command.add_argument("--alpha", type=float, help="the step; 0.1, or 1 with --coherence")
    command.add_argument("--coherence", action="store_true", help="temporal coherence learning")
    command.add_argument("--lambda", type=float, default=0.0, dest="lambda_", help="of TD(lambda)")
    command.add_argument(
        "--restart", type=int, default=0, help="play on from the middle of long games; 1000, say"
    )
    command.add_argument(
        "--downgrade", type=int, metavar="TILE", help="show boards with it as smaller ones; 16384"
    )
    command.add_argument("--p4", type=float, help="the probability of a 4 (0.1)")
    command.add_argument("--threads", type=int, default=1)
    command.add_argument("--seed", type=int, default=0)


def _add_net(command: argparse.ArgumentParser) -> None:
    """The options of a command that takes one trained network."""
    command.add_argument(
        "--net", metavar="FILE", help="a saved network; the one that comes with lib2048 if left out"
    )
    _add_weights(command)
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--plies", type=int, default=1, help="moves it looks ahead (1)")
    command.add_argument(
        "--seconds", type=float, help="a move, in place of --plies: as far ahead as that allows"
    )
    _add_margin(command)


def _add_margin(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--margin",
        type=float,
        metavar="POINTS",
        help="with more plies, leave out actions that look worse at once, by more than so many "
        "points, than the best turns out to be; with 30000 a strong network looks four plies ahead "
        "in about a quarter of the time",
    )


def _add_weights(command: argparse.ArgumentParser) -> None:
    """The options that say of another program's file what it does not say itself."""
    command.add_argument("--patterns", help="of a weights.bin, which does not say them: 4x6, ...")
    command.add_argument(
        "--first-cell",
        choices=("low", "high"),
        default="low",
        help="of a weights.bin: which end of the index a pattern's first cell has; high in a "
        "program that computes index * 16 + exponent (low)",
    )
    command.add_argument(
        "--values",
        choices=VALUES,
        help="of another program's file: what its V is the value of (afterstate)",
    )
    command.add_argument(
        "--symmetries",
        type=int,
        choices=(8, 1),
        help="of another program's file: from how many sides that program looks at a board (8)",
    )


def _add_play(commands) -> None:
    command = _command(
        commands, "play", _play, "play one game and print how it ended", PLAY_EXAMPLES
    )
    _add_net(command)
    command.add_argument("--record", metavar="FILE", help="write the game to a file as well")


def _add_evaluate(commands) -> None:
    command = _command(
        commands, "evaluate", _evaluate, "play many games and sum them up", EVALUATE_EXAMPLES
    )
    _add_net(command)
    command.add_argument("--games", type=int, default=1_000, help="how many (1,000)")
    command.add_argument("--threads", type=int, default=1)
    command.add_argument("--record", metavar="FILE", help="write the games to a file as well")


def _add_watch(commands) -> None:
    command = _command(
        commands, "watch", _watch, "write a page to watch a network in a browser", WATCH_EXAMPLES
    )
    command.add_argument("page", nargs="?", default="2048.html", help="the page (2048.html)")
    command.add_argument("--net", nargs="+", metavar="FILE", default=[], help="saved networks")
    command.add_argument("--seed", type=int, default=0)
    command.add_argument(
        "--recorded",
        action="store_true",
        help="one recorded game of each network; nothing is played in the page, "
        "so the networks may be large (needs lib2048[viewer])",
    )
    command.add_argument("--plies", type=int, default=1, help="moves it looks ahead, if --recorded")
    _add_margin(command)


def _add_export(commands) -> None:
    command = _command(
        commands, "export", _export, "write a network in another format", EXPORT_EXAMPLES
    )
    command.add_argument("net", help="a saved network, of lib2048 or of another program")
    command.add_argument("file", help="the file to write")
    command.add_argument("--kind", required=True, choices=[NATIVE, COMPACT, *FORMATS])
    _add_weights(command)
    command.add_argument(
        "--step", type=float, help="to which a compact network is rounded: a power of two"
    )


def _add_agent(commands) -> None:
    command = _command(
        commands, "agent", _agent, "write an agent for a course in Python", AGENT_EXAMPLES
    )
    command.add_argument("file", help="the file to write, such as student_agent.py")
    command.add_argument(
        "--net", metavar="FILE", help="a saved network; the one that comes with lib2048 if left out"
    )
    _add_weights(command)
    command.add_argument("--search", choices=course.SEARCHES, default="expectimax")
    command.add_argument("--plies", type=int, default=2, help="moves expectimax looks ahead (2)")
    command.add_argument("--seconds", type=float, default=0.02, help="a move, of td-mcts (0.02)")
    command.add_argument("--trips", type=int, default=1000, help="a move, of td-mcts (1,000)")
    command.add_argument(
        "--actions",
        default=",".join(course.DIRECTIONS),
        help="what the environment's actions 0 to 3 do (up,down,left,right)",
    )
    command.add_argument("--state", choices=course.STATES, default="tiles")
    command.add_argument(
        "--environment", default="", help="to be checked at import: env2048:Game2048Env, say"
    )


# What is done


def _patterns(text: str | None) -> str | tuple[tuple[int, ...], ...] | None:
    """Patterns as they are typed: a name, or cells as hexadecimal digits with commas between."""
    if text is None or "x" in text:
        return text
    try:
        return tuple(tuple(int(digit, 16) for digit in name) for name in text.split(","))
    except ValueError:
        raise ValueError(
            "patterns are a name such as 4x6, or cells as hexadecimal digits such as 0123,0145; "
            f"got {text!r}"
        ) from None


def _network(options: argparse.Namespace) -> NTupleNetwork:
    """The network that --net names, or the one that comes with the library."""
    named = _named_network(options)
    return compact() if named is None else named


def _named_network(options: argparse.Namespace) -> NTupleNetwork | None:
    """The network that --net names; None where nothing is named, and nothing said of it."""
    if options.net is not None:
        return _read(options, options.first_cell)
    if options.patterns or options.values or options.symmetries or options.first_cell != "low":
        raise ValueError(
            "--patterns, --values, --first-cell and --symmetries say what a file leaves open: "
            "name the file with --net FILE"
        )
    return None


def _read(options: argparse.Namespace, first_cell: str) -> NTupleNetwork:
    """The network that is named, read with what is said of it."""
    return NTupleNetwork.load(
        options.net,
        patterns=_patterns(options.patterns),
        values=options.values,
        first_cell=first_cell,
        symmetries=options.symmetries,
    )


def _train(options: argparse.Namespace) -> int:
    path = check_target(options.file)  # before hours are spent
    games = _games_to_learn_from(options.games, options.recipe)
    net = _network_to_train(path, options.patterns, options.recipe, options.values)
    all_games = games or find_recipe(options.recipe).games
    log = train(
        net,
        games,
        recipe=options.recipe,
        alpha=options.alpha,
        order=options.order,
        coherence=options.coherence,
        lambda_=options.lambda_,
        restart=options.restart,
        downgrade=options.downgrade,
        p4=options.p4,
        threads=options.threads,
        seed=options.seed,
        block=max(1, all_games // ROWS),
        checkpoint=path,  # so that a power cut does not cost hours
    )
    net.save(path)
    for number, mean in enumerate(log.means, 1):
        print(f"{log.first + number * log.block:>10,} games  {mean:>10,.0f} points a game")
    stopped = "stopped; what was learned is kept. " if log.interrupted else ""
    print(f"{stopped}{path}: {net.games:,} games learned from, in {log.seconds:,.0f} s now")
    return STOPPED if log.interrupted else DONE


def _games_to_learn_from(games: int | None, recipe: str | None) -> int | None:
    """How many games were asked for; None where a recipe says it."""
    if recipe is not None:
        if games is not None:
            raise ValueError(f"--recipe {recipe} says itself how many games, got --games {games}")
        return None
    return USUAL_GAMES if games is None else check_count("--games", games)


def _network_to_train(
    path: Path, patterns: str | None, recipe: str | None, values: str | None
) -> NTupleNetwork:
    """The network of a file, if there is one, or a new one."""
    if not path.exists():
        usual = find_recipe(recipe).patterns if recipe else "4x6"
        return NTupleNetwork(_patterns(patterns) or usual, values=values or "afterstate")
    if recognise(path) != NATIVE:
        raise ValueError(
            f"{path} is not in the format of lib2048, in which a training is kept: write it so "
            f"first, with {PROGRAM} export {path} net.npz --kind {NATIVE}"
        )
    net = NTupleNetwork.load(path, patterns=_patterns(patterns), values=values)
    print(f"{path} goes on from {net.games:,} games.")
    return net


def _play(options: argparse.Namespace) -> int:
    if options.record:
        check_target(options.record)
    net = _network(options)
    trace = play(net, options.seed, options.plies, seconds=options.seconds, margin=options.margin)
    print(show(int(trace.boards[-1])))
    print(
        f"{trace.score:,} points in {len(trace):,} moves, largest tile {trace.max_tile}, "
        f"seed {options.seed}"
    )
    if options.record:
        write_episodes(options.record, [trace])
    return STOPPED if trace.interrupted else DONE


def _evaluate(options: argparse.Namespace) -> int:
    net = _network(options)
    if options.net is None:
        measured = strength()
        print(
            f"The network that comes with lib2048: {measured['mean']:,.0f} points a game in "
            f"{measured['games']:,} games when it was made."
        )
    summary = evaluate(
        net,
        options.games,
        plies=options.plies,
        threads=options.threads,
        seed=options.seed,
        record=options.record,
        seconds=options.seconds,
        margin=options.margin,
    )
    low, high = summary.mean_ci
    sure = f", 95 % interval {low:,.0f} to {high:,.0f}"
    if summary.games == 1:
        sure = "; one game does not tell how sure that is"
    print(summary, end="")
    print(f"mean {summary.mean:,.1f} points{sure}")
    return STOPPED if summary.games < options.games else DONE


def _watch(options: argparse.Namespace) -> int:
    path = check_target(options.page)
    if options.recorded:
        _write_recorded(options)
    elif len(options.net) > 1 or options.plies != 1 or options.margin is not None:
        raise ValueError(
            "a page in which a network plays holds one network, which looks one move ahead; "
            "several networks, more plies or a margin need --recorded; the name of the page goes "
            "before --net: lib2048 watch page.html --net net.npz"
        )
    else:
        net = NTupleNetwork.load(options.net[0]) if options.net else None
        playing_page(path, net, options.seed)
    print(f"Open this page in a browser: {path.resolve().as_uri()}")
    return DONE


def _write_recorded(options: argparse.Namespace) -> None:
    """Write a page with one recorded game of each network."""
    try:
        from lib2048.viewer.__main__ import write_recorded
    except ModuleNotFoundError as missing:
        raise ImportError(
            f"--recorded needs {missing.name}, which is not installed: "
            "pip install 'lib2048[viewer]'"
        ) from None
    if not options.net:
        raise ValueError("--recorded shows saved networks: name them with --net FILE")
    write_recorded(
        options.page,
        options.net,
        seed=options.seed,
        plies=options.plies,
        margin=options.margin,
    )


def _export(options: argparse.Namespace) -> int:
    target = check_target(options.file)
    if target.exists() and target.samefile(check_source(options.net)):
        raise ValueError(
            f"{options.net} would be replaced by what is made of it: name another file"
        )
    if options.step is not None and options.kind != COMPACT:
        raise ValueError(f"--step goes with --kind compact, got --kind {options.kind}")
    written = options.first_cell if _is_weights(options.kind) else "low"
    is_of_target_alone = _is_weights(options.kind) and not _is_weights(recognise(options.net))
    net = _read(options, "low" if is_of_target_alone else options.first_cell)
    if options.kind == NATIVE:
        net.save(options.file)
    elif options.kind == COMPACT:
        export_compact(net, options.file, options.step)
    else:
        export(net, options.file, options.kind, written, options.symmetries)
    print(f"{options.file}: {Path(options.file).stat().st_size:,} bytes, {net!r}")
    return DONE


def _is_weights(kind: str) -> bool:
    """Whether a kind of file is a weights.bin, which leaves open what --first-cell says."""
    return kind in FORMATS and not FORMATS[kind].names_patterns


def _agent(options: argparse.Namespace) -> int:
    net = _named_network(options)
    written = course.write_agent(
        options.file,
        net,
        search=options.search,
        plies=options.plies,
        seconds=options.seconds,
        trips=options.trips,
        actions=options.actions.split(","),
        state=options.state,
        environment=options.environment,
    )
    print(written)
    return DONE


if __name__ == "__main__":
    sys.exit(main())
