"""python -m experiments.compact: write the network of the experiment "compact" into the library.

The file lib2048/data/compact.bin holds the network as the recorded run made it, and says how strong
that run found it. A network whose weights are others than the record says is not written.
"""

import sys

from experiments.asking import Result
from experiments.entries import find
from experiments.networks import Recipe, trained
from experiments.piece import Piece
from lib2048.compacting import FILE
from lib2048.formats.compact import export_compact, tables_checksum
from lib2048.records import Summary

NAME = "compact"


def compact_piece() -> Piece:
    """The piece whose result is the record."""
    (piece,) = find(NAME).pieces("full")
    return piece


def recorded_strength(record: Result) -> dict:
    """What the file says of how well the network plays: the numbers of the record alone."""
    scores = record["scores"]
    summary = Summary.of(scores, record["max_tiles"], record["moves"], 0.0)
    shares = {str(tile): share for tile, (share, _, _) in summary.reached.items()}
    return {
        "experiment": NAME,
        "games": summary.games,
        "seed": record.about["parameters"]["seed"] + 1,
        "mean": summary.mean,
        "mean_ci": list(summary.mean_ci),
        "max": summary.max,
        "reached": shares,
        "mean_before_rounding": record["score_before"],
        "checksum": record["checksum"],
    }


def main() -> int:
    """Write the file; returns the exit code."""
    piece = compact_piece()
    record = Result(piece)
    step = piece.parameters["step"]
    net = trained(Recipe.among(piece.parameters), piece.parameters["games"], show=True)
    checksum = tables_checksum(net, step)
    if checksum != record["checksum"]:
        print(
            f"the network's weights have the checksum {checksum}, those of the record "
            f"{record['checksum']}: run the experiment again (python -m experiments run {NAME})",
            file=sys.stderr,
        )
        return 1
    export_compact(net, FILE, step, recorded_strength(record))
    print(f"{FILE}: {FILE.stat().st_size:,} bytes, {record['score']:,.0f} points a game")
    return 0


if __name__ == "__main__":
    sys.exit(main())
