"""python -m report [--edition homework|long] [--format pdf|html] [--scale full|small] [--jobs 2].

This makes the report. Everything that it is made of is brought up to date first.
"""

import argparse
import sys
import time

from experiments import check_scale
from experiments.entries import SCALES
from experiments.versions import ROOT
from notebook_tools.execute import STOPPED
from report.build import FORMATS, build
from report.document import EDITIONS, HOMEWORK


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; returns 1 where something failed, 130 after Ctrl-C."""
    options = _parser().parse_args(arguments)
    began = time.time()
    try:
        scale = check_scale(options.scale)
        path = build(scale, options.format, jobs=options.jobs, edition=options.edition)
    except (ValueError, OSError) as error:
        print(f"\nreport: no report was written.\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        return 130
    print(f"Wrote {path.relative_to(ROOT)} in {time.time() - began:.0f} s")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m report", description="Make the report from the notebooks."
    )
    parser.add_argument(
        "--scale", choices=SCALES, help="small: quick, into another file; full when left out"
    )
    parser.add_argument(
        "--edition",
        choices=EDITIONS,
        default=HOMEWORK,
        help="homework: what one hands in, the default; long: the book",
    )
    parser.add_argument("--format", choices=FORMATS, default="pdf")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at once")
    return parser


if __name__ == "__main__":
    sys.exit(main())
