"""python -m report [--scale full|small] [--format pdf]"""

import argparse
import sys

from . import ROOT, SCALES, build


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m report", description="Build the PDF report.")
    parser.add_argument("--scale", choices=SCALES, default="full", help="small: quick, into another file")
    parser.add_argument("--format", choices=["pdf"], default="pdf")
    options = parser.parse_args()
    try:
        pdf = build(options.scale)
    except KeyboardInterrupt:
        sys.exit("Interrupted; no report was written.")
    print(f"Wrote {pdf.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
