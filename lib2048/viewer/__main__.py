"""The command line: `python -m lib2048.viewer out.html --net FILE --seed 7` writes a page.

With --compact the page carries the network of `lib2048.compact`, which plays in it.
"""

import argparse
import re
from pathlib import Path

from lib2048.files import check_target
from lib2048.network import NTupleNetwork
from lib2048.viewer.playing import playing_page
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
    if not options.net and not options.compact:
        parser.error("name a saved network with --net FILE, or take --compact")
    try:
        said = _write(options)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(f"{options.page}: {said}")


def _write(options: argparse.Namespace) -> str:
    """Write the page; returns in words what it shows."""
    if not options.net:
        playing_page(options.page, seed=options.seed)
        return "the network of the library plays in it"
    return write_recorded(
        options.page,
        options.net,
        options.name,
        options.seed,
        options.plies,
        options.margin,
        options.compact,
    )


def write_recorded(
    page: str,
    files: list[str],
    names: list[str] | None = None,
    seed: int = 0,
    plies: int = 1,
    margin: float | None = None,
    compact: bool = False,
) -> str:
    """Write a page with a game that each of some networks plays now.

    Parameters
    ----------
    page : str
        The page to write.
    files : list of str
        The saved networks.
    names : list of str, optional
        What to call them.
    seed, plies : int
        The game, and how many moves they look ahead.
    margin : float, optional
        To look ahead only at what is in doubt; see `lib2048.best_action`.
    compact : bool
        Whether the page carries the network of `lib2048.compact` as well.

    Returns
    -------
    str
        The scores of the games in words.

    Raises
    ------
    FileNotFoundError, ValueError
        If a file is missing or is no network.
    """
    check_target(page)  # before the networks are read and play
    nets = [NTupleNetwork.load(file) for file in files]
    distinct = _distinct(names or _names(files, nets))
    shown = dict(zip(distinct, nets, strict=True)) if len(nets) > 1 else nets[0]
    viewer = watch(shown, seed, plies, margin=margin)
    viewer.save_html(page, f"2048, seed {seed}", compact)
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
        nargs="+",
        default=[],
        metavar="FILE",
        help="saved networks; several are compared",
    )
    parser.add_argument(
        "--compact",
        action="store_true",
        help="carry the network of the library in the page, where it plays whole games",
    )
    parser.add_argument("--name", nargs="+", help="what to call them, one name for each")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plies", type=int, default=1)
    parser.add_argument(
        "--margin", type=float, metavar="POINTS", help="look ahead only at what is in doubt"
    )
    return parser


if __name__ == "__main__":
    main()
