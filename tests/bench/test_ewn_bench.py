"""libewn beside its fixed yardstick, bench/ewn_plain.py: the same playouts, the same tree.

And the benchmark's table, on a clock of its own.
"""

import ast
import hashlib
import json
from pathlib import Path

import pytest

from bench import ewn, ewn_plain, speed
from lib2048.kernels import uint64
from lib2048.random_words import mix
from libewn import MCTS, Game, instances, playouts

# Of bench/ewn_plain.py, which stays as it is.
PLAIN = "191c7e5729ec5bd286d08701a14d844fb5e7634e1f14cd77a600183e4d5cc6b5"


def test_the_yardstick_stays_as_it_is_and_stands_alone():
    source = Path(ewn_plain.__file__).read_text(encoding="utf-8")
    assert hashlib.sha256(source.encode()).hexdigest() == PLAIN, (
        "bench/ewn_plain.py must never be changed, see there"
    )
    nodes = list(ast.walk(ast.parse(source)))
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    assert imported == {"math", "numpy", "numba"}


@pytest.mark.parametrize("shortcut", [False, True])
def test_playouts_are_the_same(shortcut):
    for number, start in enumerate(instances(20, seed=3)):
        found = playouts(Game(start), 1000, seed=number, shortcut=shortcut)
        won = round(1000 * (found["win by goal"] + found["win by elimination"]))
        eliminated = round(1000 * (found["win by elimination"] + found["loss by elimination"]))
        same = ewn_plain.playouts(
            start.red, start.blue, start.dice, mix(uint64(number)), shortcut, 1000
        )
        assert same == (won, eliminated, round(1000 * found["plies"]))


def test_the_tree_is_the_same():
    for number, start in enumerate(instances(5, seed=3)):
        search = MCTS(simulations=20_000)
        search.start(number)
        found = search.search(Game(start))
        same = ewn_plain.search(start.red, start.blue, start.dice, mix(uint64(number + 1)), 20_000)
        assert same.tolist() == found.visits.tolist()


def test_every_row_runs_and_is_printed():
    """Both sides of each row make the same number of playouts."""
    clock = iter(range(10**6))
    for name, fast, other in ewn.rows():
        if fast is not None:
            sides = ewn.repeated(fast), ewn.repeated(other)
            found = speed.alternate(*sides, "search", 1, 1, 1.0, lambda: float(next(clock)))
            assert found["same_moves"] and found["speeds"][0] > 0
            assert ewn.line({"work": name} | found).startswith(name)


def test_the_command_prints_and_saves(monkeypatch, tmp_path, capsys):
    compared = {
        "work": "playouts",
        "speeds": [2.5e6, 1.25e6],
        "ratio": 2.0,
        "quartiles": [1.9, 2.1],
    }
    monkeypatch.setattr(ewn, "ROOT", tmp_path)
    monkeypatch.setattr(
        ewn, "measure", lambda repeats, seconds: [compared, ("OpenSpiel", "not installed")]
    )
    assert ewn.main(["--quick"]) == 0
    text = capsys.readouterr().out
    assert "2.500     1.250    2.00   1.90 - 2.10\n" in text and "OpenSpiel: not installed" in text
    assert json.loads((tmp_path / "runs" / "bench-ewn.json").read_text())["speed"] == [compared]
