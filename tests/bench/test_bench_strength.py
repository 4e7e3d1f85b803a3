"""The table of strengths: from results as experiments hold them, and from missing records."""

import types

import numpy as np

import bench.strength as strength
import experiments
from workbook.table import Table


class Row(dict):
    """A result with its provenance."""

    about = types.MappingProxyType({"measured": {"train_seconds": 61.4, "evaluate_seconds": 2.0}})


def row(mean, exponents, **parameters):
    """Two evaluation games around a mean score."""
    played = {
        "scores": np.array([mean - 100, mean + 100]),
        "max_tiles": np.array(exponents),
        "moves": 10,
    }
    return Row({"games": 3000, "patterns": "4x6"} | played | parameters)


LEG = {"patterns": "8x6", "games": ((900, 1.0, True), (100, 0.1, True))}
RESULTS = {
    "coherence": [row(1000, [10, 11], method="TC"), row(2000, [11, 14], method=strength.BEST)],
    "starts": [
        row(1000, [10, 11], method="TC"),
        row(900, [9, 9], method="late", games=((2700,), (300, None, True))),
    ],
    "networks": [
        row(2000, [11, 14], method="4x6"),
        row(2500, [15, 14], method="8x6", patterns="8x6"),
    ],
    "plies": [row(500, [10, 9], plies=1), row(700, [11, 11], plies=2), row(900, [11, 11], plies=2)],
    "hour": [row(9000, [15, 15], patterns="8x6", games=((4500, 1.0, True), (500, 0.1, True)))],
    "plainly-plies": [
        row(5000 + tile, [14, 14], plies=plies, play_downgrade=tile or None, patterns="8x6")
        for plies, tile in ((1, 0), (1, 16_384), (3, 16_384), (3, 16_384))
    ],
    "relay-plies": [
        row(
            mean,
            [15, 15],
            plies=3,
            legs=(LEG, LEG | {"games": 500}),
            margin=margin,
        )
        for mean, margin in ((7000, None), (6000, 20_000))
    ],
    "downgrade": [
        row(2100, [11, 14], plies=1, **{"shown smaller": way}) for way in ("in play", "always")
    ],
}


def table(name, scale=None):
    if name not in RESULTS:
        raise FileNotFoundError(name)
    return Table(RESULTS[name])


def test_each_way_of_learning_has_one_row(monkeypatch, capsys):
    monkeypatch.setattr(experiments, "table", table)
    assert strength.main(["--scale", "small"]) == 0
    head, *rows, note = capsys.readouterr().out.splitlines()
    found = [[text for text in line.split("  ") if text.strip()] for line in rows]
    assert [line[0].strip() for line in found] == [
        "TC",
        strength.BEST,
        "late",
        strength.BEST,
        "best, downgraded in play",
        "best, downgraded always",
        "TD",
        "TD",
        "best, about an hour",
        "the same, looking ahead",
        "taught plainly, about an hour",
        "the same, looking ahead",
        "the same, looking ahead, 16384",
        "the same, looking ahead, 16384",
        "restarts to ten moves",
        "the same, looking ahead",
        "two networks in turn, an hour",
        "two networks in turn, an hour, margin 20,000",
        "the same with another second network",
    ]
    assert "not recorded yet: python -m experiments run relay-again" in rows[18]
    assert " 1,500 " in rows[16] and "8x6" in rows[16]  # the games of all networks
    assert "7,000 +-" in rows[16] and "6,000 +-" in rows[17]
    assert "not recorded yet: python -m experiments run hour-plies" in rows[9]
    assert "not recorded yet: python -m experiments run plainly" in rows[10]
    assert "5,000 +-" in rows[11] and "21,384 +-" in rows[12]  # shown as they are, and smaller
    assert "      4 " in rows[13]
    assert "1,000 +- 196" in rows[0] and "50.0%" in rows[0] and "61 s" in rows[0]
    assert (
        "100.0%" in rows[3] and "8x6" in rows[3] and "50.0%" in rows[3]
    )  # 2048 in both games, 32768 in one
    assert " 3,000 " in rows[2]  # games of both stages
    assert (
        "      4 " in rows[7] and "800 +-" in rows[7]
    )  # the parts of one depth are taken together
    measured = [line for line in rows if "not recorded" not in line]
    assert all(len(line) == len(head) for line in measured) and "reached the tile" in note
