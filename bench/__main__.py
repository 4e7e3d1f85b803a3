"""`python -m bench`: the speed of lib2048 beside the plain yardstick, as a table, runs/bench.json and a plot.

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
from bench.speed import CHECKPOINTS, PINNED, ROOT, measure
from lib2048.files import replacing
from lib2048.fast.bits import FAST_BITS
from lib2048.validate import check_count


def machine() -> dict:
    """What the figures were measured on and with."""
    return {
        "processor": f"{llvmlite.binding.get_host_cpu_name()}, {platform.machine()}",
        "cores": os.cpu_count(),
        "system": platform.system(),
        "pext": FAST_BITS,
        "clock": "processor time"
        if PINNED
        else "wall time",  # threads and the first call are wall time everywhere
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
    }


def minutes(games: int) -> float:
    """About how long it takes: 11.3 for all of it on the reference machine, while other programs kept it busy."""
    return 0.9 + 0.5 * sum(n <= games for n in CHECKPOINTS) + 8.9 * games / 100_000


def save(results: dict, figure: bool) -> list[Path]:
    """Write runs/bench.json and runs/speed.svg, and figures/speed.svg if asked to and all is measured: their paths."""
    texts = {ROOT / "runs" / "bench.json": json.dumps(results, indent=1) + "\n"}
    if results["speed"]:
        texts[ROOT / "runs" / "speed.svg"] = picture = speed_figure(results).svg()
        if figure and not results["interrupted"]:
            texts[ROOT / "figures" / "speed.svg"] = picture
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(text.encode())
    return list(texts)


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="How fast lib2048 is beside a plain kernel."
    )
    parser.add_argument(
        "--games", type=int, default=CHECKPOINTS[-1], help="train no further (default %(default)s)"
    )
    parser.add_argument("--figure", action="store_true", help="renew figures/speed.svg as well")
    options = parser.parse_args(arguments)
    try:
        games = check_count("--games", options.games)
    except ValueError as error:
        parser.error(str(error))
    started = time.perf_counter()
    results = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "reference": REFERENCE,
    }
    results |= {"interrupted": False, "speed": [], "threads": [], "first call": [], "memory": []}
    print(
        f"lib2048 and the plain kernel of bench/plain.py in turns, on one core of {results['machine']['processor']}."
    )
    print(f"About {minutes(games):.0f} minutes; Ctrl-C ends it and keeps what is done.\n")
    print(
        f"Millions of moves a second of {results['machine']['clock']}, after so many games of training; medians"
    )
    print(head("lib2048", "plain"), flush=True)
    try:
        for section, found in measure(games, progress=sys.stderr.isatty()):
            results[section].append(found)
            if section == "speed":
                print(row(found), flush=True)
    except KeyboardInterrupt:
        results["interrupted"] = True
    results["seconds"] = round(time.perf_counter() - started, 1)
    print(rest(results))
    print(
        f"\n{results['seconds'] / 60:.1f} minutes{', interrupted' if results['interrupted'] else ''}. Written:"
    )
    for path in save(results, options.figure):
        print(f"  {path}")


if __name__ == "__main__":
    main()
