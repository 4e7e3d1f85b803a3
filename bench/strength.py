"""`python -m bench.strength`: how well each way of learning plays, measured on its evaluation games, with what it took.

    python -m bench.strength                  what experiments "coherence" and "plies" say; runs what is missing
    python -m bench.strength --scale small    the same in half a minute, to see that it works
"""

import argparse
import sys

import experiments

HEAD = f"{'learned by':<30} {'plies':>5} {'games':>7} {'mean score (95 %)':>20} {'2048':>7} {'16384':>7} {'train':>7}"


def line(name: str, plies: int, games: int, results) -> str:
    """One row of the table, from the evaluation games of one or several results."""
    summary = experiments.summary_of(*results)
    half = summary.mean_ci[1] - summary.mean
    seconds = results[0].about["measured"].get("train_seconds")
    train = f"{seconds:.0f} s" if seconds else ""
    shares = " ".join(f"{summary.share(tile)[0]:>7.1%}" for tile in (2048, 16384))
    return f"{name:<30} {plies:>5} {games:>7,} {f'{summary.mean:,.0f} +- {half:,.0f}':>20} {shares} {train:>7}"


def main(arguments=None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=__doc__.splitlines()[0])
    parser.add_argument("--scale", choices=("small", "full"), default=None, help="full unless SCALE says otherwise")
    scale = parser.parse_args(arguments).scale
    methods, ahead = experiments.table("coherence", scale), experiments.table("plies", scale)
    print(HEAD)
    for result in methods.rows:
        print(line(result["method"], 1, result["games"], [result]))
    for plies in sorted({result["plies"] for result in ahead.rows}):
        parts = [result for result in ahead.rows if result["plies"] == plies]
        print(line("TD", plies, parts[0]["games"], parts))
    print("All: 4x6 network, V(afterstate), backward, one thread. 2048, 16384: share of games that reached the tile.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
