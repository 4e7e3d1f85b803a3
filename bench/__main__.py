"""`python -m bench`: the speed of lib2048 beside its plain engine.

Prints a table, and writes runs/bench.json and a plot of it.

python -m bench                    the whole of it
python -m bench --games 10000      train no further than that
python -m bench --figure           renew figures/speed.svg as well
"""

import argparse
import datetime
import json
import os
import platform
import sys
import time
from pathlib import Path

import llvmlite.binding
import numba
import numpy as np

from bench.show import REFERENCE, head, rest, row, speed_figure
from bench.speed import CHECKPOINTS, PINNED, measure
from experiments.versions import ROOT
from lib2048.fast.bits import FAST_BITS
from lib2048.files import replace_file
from lib2048.validate import check_count


def machine() -> dict:
    """What the figures were measured on and with."""
    return {
        "processor": f"{llvmlite.binding.get_host_cpu_name()}, {platform.machine()}",
        "cores": os.cpu_count(),
        "system": platform.system(),
        "pext": FAST_BITS,
        # Threads and the first call are wall time everywhere.
        "clock": "processor time" if PINNED else "wall time",
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
    }


def minutes(games: int) -> float:
    """About how long it takes: 11.3 for all of it on the reference machine, which was busy then."""
    reached = sum(checkpoint <= games for checkpoint in CHECKPOINTS)
    return 0.9 + 0.5 * reached + 8.9 * games / 100_000


def new_results() -> dict:
    """Results with nothing measured yet."""
    return {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "reference": REFERENCE,
        "interrupted": False,
        "speed": [],
        "threads": [],
        "first call": [],
        "memory": [],
    }


def measure_into(results: dict, games: int) -> None:
    """Measure everything, and print a row for each comparison as it is done."""
    started = time.perf_counter()
    try:
        for section, result in measure(games, progress=sys.stderr.isatty()):
            results[section].append(result)
            if section == "speed":
                print(row(result), flush=True)
    except KeyboardInterrupt:
        results["interrupted"] = True
    results["seconds"] = round(time.perf_counter() - started, 1)


def save(results: dict, figure: bool) -> list[Path]:
    """Write runs/bench.json and runs/speed.svg. Returns the paths of what was written.

    With `figure`, figures/speed.svg is written too, if all is measured.
    """
    texts = {ROOT / "runs" / "bench.json": json.dumps(results, indent=1) + "\n"}
    if results["speed"]:
        picture = speed_figure(results).svg()
        texts[ROOT / "runs" / "speed.svg"] = picture
        if figure and not results["interrupted"]:
            texts[ROOT / "figures" / "speed.svg"] = picture
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode())
    return list(texts)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="How fast lib2048 is beside its plain engine."
    )
    parser.add_argument(
        "--games", type=int, default=CHECKPOINTS[-1], help="train no further (default %(default)s)"
    )
    parser.add_argument("--figure", action="store_true", help="renew figures/speed.svg as well")
    options = parser.parse_args(arguments)
    try:
        check_count("--games", options.games)
    except ValueError as error:
        parser.error(str(error))
    return options


def main(arguments: list[str] | None = None) -> None:
    """Measure, print and save."""
    options = parse(arguments)
    results = new_results()
    about = results["machine"]
    print(f"The fast engine and the plain one in turns, on one core of {about['processor']}.")
    print(f"About {minutes(options.games):.0f} minutes; Ctrl-C ends it and keeps what is done.\n")
    print(f"Millions of moves a second of {about['clock']}, after so many games of training;")
    print("medians over the pairs of segments.")
    print(head("fast", "plain"), flush=True)
    measure_into(results, options.games)
    print(rest(results))
    ended = ", interrupted" if results["interrupted"] else ""
    print(f"\n{results['seconds'] / 60:.1f} minutes{ended}. Written:")
    for path in save(results, options.figure):
        print(f"  {path}")


if __name__ == "__main__":
    main()
