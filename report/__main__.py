"""python -m report [--scale full|small] [--format pdf|html] [--jobs 2]: bring all up to date and write the report."""

import argparse
import sys
import time

from experiments import check_scale
from experiments.entries import SCALES
from report import ROOT
from report.build import FORMATS, build


def main(arguments=None) -> int:
    """Do what the command line says; returns the exit code: 1 where something failed, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="python -m report", description="Make the report from the notebooks."
    )
    parser.add_argument(
        "--scale", choices=SCALES, help="small: quick, into another file; full when left out"
    )
    parser.add_argument("--format", choices=FORMATS, default="pdf")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at once")
    options = parser.parse_args(arguments)
    began = time.time()
    try:
        path = build(check_scale(options.scale), options.format, jobs=options.jobs)
    except (ValueError, OSError) as error:
        print(f"\nreport: no report was written.\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            "\nStopped. What is finished is kept; the same command goes on from here.",
            file=sys.stderr,
        )
        return 130
    print(f"Wrote {path.relative_to(ROOT)} in {time.time() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
