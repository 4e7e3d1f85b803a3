"""The command line: `python -m lib2048.viewer out.html --net FILE --seed 7` writes a page."""

import argparse
from pathlib import Path

from lib2048.network import NTupleNetwork
from lib2048.viewer.viewer import watch


def main(arguments: list[str] | None = None) -> None:
    """Write a game as a web page.

    Parameters
    ----------
    arguments : list of str, optional
        The words of the command line; those of this process when left out.
    """
    options = _parser().parse_args(arguments)
    nets = {Path(file).stem: NTupleNetwork.load(file) for file in options.net}
    shown = nets if len(nets) > 1 else next(iter(nets.values()))
    viewer = watch(shown, options.seed, options.plies)
    viewer.save_html(options.page, f"2048, seed {options.seed}")
    scores = ", ".join(f"{trace.score:,} points" for trace in viewer.traces)
    print(f"{options.page}: {scores}")


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
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plies", type=int, default=1)
    return parser


if __name__ == "__main__":
    main()
