"""`python -m bench.strength`: how well each way of learning plays, and what it took.

python -m bench.strength                  what the experiments below say; runs what is missing
python -m bench.strength --scale small    the same in a minute, to see that it works
"""

import argparse
import sys

import experiments

METHODS = ("coherence", "starts", "networks")  # experiments whose pieces are ways of learning
BEST = "TC, lambda 0.5, restart 1,000"  # how experiment "networks" learns
RECORDS = {  # the long runs, and what their networks do with more thought
    "hour": "best, about an hour",
    "hour-plies": "the same, looking ahead",
    "plainly": "taught plainly, about an hour",
    "plainly-plies": "the same, looking ahead",
    "to-the-end": "restarts to ten moves",
    "to-the-end-plies": "the same, looking ahead",
    "relay-plies": "two networks in turn, an hour",
    "relay-again": "the same with another second network",
}
TILES = (2048, 16384, 32768)
NAME = "{:<46}"
ROW = NAME + " {:>7} {:>9} {:>5} {:>7} {:>20} {:>7} {:>7} {:>7} {:>8}"
HEAD = ROW.format(
    "learned by", "network", "games", "plies", "tested", "mean score (95 %)", *TILES, "train"
)


def line(name: str, results) -> str:
    """One row of the table, from the evaluation games of one or several results."""
    summary = experiments.summary_of(*results)
    learned = results[0]
    half = summary.mean_ci[1] - summary.mean
    seconds = learned.about["measured"].get("train_seconds")
    trainings = learned.get("legs", [learned])  # of a relay there are several
    return ROW.format(
        name,
        trainings[0].get("patterns", "4x6"),
        f"{experiments.games_learned(learned):,}",
        learned.get("plies", 1),
        f"{summary.games:,}",
        f"{summary.mean:,.0f} +- {half:,.0f}",
        *(f"{summary.share(tile)[0]:.1%}" for tile in TILES),
        f"{seconds:,.0f} s" if seconds else "",
    )


def lines(scale: str | None):
    """All rows; what no record holds yet is said in its place."""
    seen = set()
    for experiment in METHODS:
        for result in experiments.table(experiment, scale).rows:
            name = BEST if result["method"] in ("4x6", "8x6") else result["method"]
            row = line(name, [result])
            if row not in seen:  # two experiments may share a piece
                seen.add(row)
                yield row
    for result in experiments.table("downgrade", scale).rows:
        yield line(f"best, downgraded {result['shown smaller']}", [result])
    yield from by_plies("TD", experiments.table("plies", scale).rows)
    for experiment, name in RECORDS.items():
        try:
            yield from by_plies(name, experiments.table(experiment).rows)
        except FileNotFoundError:
            yield f"{NAME.format(name)} not recorded yet: python -m experiments run {experiment}"


def by_plies(name: str, rows):
    """A row for each way of play, from all results that were played so; see `way_of`."""
    ways = {way_of(row) for row in rows}
    shown_in_several_ways = len({tile for _, tile, _ in ways}) > 1
    for way in sorted(ways):
        same = [row for row in rows if way_of(row) == way]
        _, tile, margin = way
        shown = f", {tile}" if tile and shown_in_several_ways else ""
        hopeful = f", margin {margin:,}" if margin else ""
        yield line(name + shown + hopeful, same)


def way_of(row) -> tuple[int, int, float]:
    """How many plies it looked ahead, from which tile on it was shown smaller boards, or 0, and by
    which margin it left out actions, or 0.
    """
    return row.get("plies", 1), row.get("play_downgrade") or 0, row.get("margin") or 0


def main(arguments=None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--scale", choices=("small", "full"), default=None, help="full unless SCALE says otherwise"
    )
    scale = parser.parse_args(arguments).scale
    print(HEAD)
    for row in lines(scale):
        print(row, flush=True)
    print(
        "All: V(afterstate), backward, one thread. "
        "2048, 16384, 32768: share of games that reached the tile. "
        "A tile behind a name: from it on, boards are shown smaller in play. "
        "Margin: the search leaves out actions that are worth less at once, by more points than "
        "that, than the best one turns out to be."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
