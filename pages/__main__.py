"""python -m pages [--scale full|small] [--committed] [--without report,api]: make the site.

The notebooks run first, as far as they are not up to date. `--committed` runs none of them.
"""

import argparse
import sys
import time
from pathlib import Path

from experiments import check_scale
from experiments.entries import SCALES
from notebook_tools.execute import STOPPED
from pages.build import EXTRAS, SITE, build


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; returns the exit code."""
    options = _parser().parse_args(arguments)
    began = time.time()
    try:
        first = build(
            check_scale(options.scale),
            options.folder,
            jobs=options.jobs,
            committed=options.committed,
            without=_checked(options.without),
        )
    except (ValueError, OSError) as error:
        print(f"\npages: no site was made.\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        return 130
    print(f"The site is there, made in {time.time() - began:.0f} s. Open {first} in a browser,")
    print(f"or serve it: python -m http.server --directory {first.parent} --bind 127.0.0.1")
    return 0


def _checked(without: str) -> list[str]:
    """The names in what was given to --without."""
    names = [name for name in without.split(",") if name]
    unknown = [name for name in names if name not in EXTRAS]
    if unknown:
        raise ValueError(f"--without takes some of {', '.join(EXTRAS)}, got {', '.join(unknown)}")
    return names


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pages", description="Make a site of the notebooks, for any browser."
    )
    parser.add_argument("--scale", choices=SCALES, help="small: quick; full when left out")
    parser.add_argument("--folder", type=Path, default=SITE, help="where the site goes")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at once")
    parser.add_argument(
        "--committed", action="store_true", help="run nothing: pictures in place of widgets"
    )
    parser.add_argument(
        "--without", default="", metavar="NAMES", help=f"leave out some of {','.join(EXTRAS)}"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
