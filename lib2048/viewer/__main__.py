"""The command line: `python -m lib2048.viewer out.html --net FILE --seed 7` writes a page."""

import argparse
import re
from pathlib import Path

from lib2048.files import check_target
from lib2048.network import NTupleNetwork
from lib2048.viewer.viewer import watch

HASH = re.compile("[0-9a-f]{8,}")


def main(arguments: list[str] | None = None) -> None:
    """Write a game as a web page.

    Parameters
    ----------
    arguments : list of str, optional
        The words of the command line; those of this process when left out.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.name and len(options.name) != len(options.net):
        parser.error(
            f"there are {len(options.net)} networks, but {len(options.name)} names for them"
        )
    try:
        scores = _write(options)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(f"{options.page}: {scores}")


def _write(options: argparse.Namespace) -> str:
    """Write the page; returns the scores of its games in words."""
    check_target(options.page)  # before the networks are read and play
    nets = [NTupleNetwork.load(file) for file in options.net]
    names = _distinct(options.name or _names(options.net, nets))
    shown = dict(zip(names, nets, strict=True)) if len(nets) > 1 else nets[0]
    viewer = watch(shown, options.seed, options.plies)
    viewer.save_html(options.page, f"2048, seed {options.seed}")
    return ", ".join(f"{trace.score:,} points" for trace in viewer.traces)


def _names(files: list[str], nets: list[NTupleNetwork]) -> list[str]:
    """What to call networks: by their files, or by their games where hashes name the files."""
    stems = [Path(file).stem for file in files]
    if any(HASH.search(stem) for stem in stems):
        return [f"{net.games:,} games" for net in nets]
    return stems


def _distinct(names: list[str]) -> list[str]:
    """The names, with a number where one comes again."""
    distinct = []
    for number, name in enumerate(names, 1):
        is_new = names.count(name) == 1
        distinct.append(name if is_new else f"{name} ({number})")
    return distinct


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lib2048.viewer", description="Write a game as a web page."
    )
    parser.add_argument("page", help="the page to write, such as out.html")
    parser.add_argument(
        "--net",
        required=True,
        nargs="+",
        metavar="FILE",
        help="saved networks; several are compared",
    )
    parser.add_argument("--name", nargs="+", help="what to call them, one name for each")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plies", type=int, default=1)
    return parser


if __name__ == "__main__":
    main()
