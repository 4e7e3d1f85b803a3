"""Experiments: what a result depends on, what it is named by, how it is kept."""

import json
import shutil
import sys

import numpy as np
import pytest

import experiments
from experiments import keys, piece, pieces, store, train_and_evaluate
from experiments.piece import identified, plain

LIMIT = 3
SMALL = ((0, 1), (1, 5))


def helper(n):
    return min(n, LIMIT)


def limited(n, factor=2):
    """A piece that uses a helper and a constant of its own file, and the project."""
    return {"value": factor * helper(n), "array": np.arange(n), "name": experiments.piece.__name__}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Results go to a folder of the test's own."""
    monkeypatch.setenv("EXPERIMENTS_HOME", str(tmp_path))
    monkeypatch.delenv("SCALE", raising=False)
    monkeypatch.setattr(
        keys, "project_stamp", keys.loaded_stamp
    )  # sources may be edited while tests run
    return tmp_path


def one(function=limited, **parameters):
    return identified([piece(function, **parameters)], "test")[0]


def stored(made, outcome=None):
    """Keep a result of a piece as a worker does."""
    scalars, arrays, measured = store.split(
        made.function(**made.parameters) if outcome is None else outcome, "f"
    )
    about = {
        "parameters": made.parameters,
        "code": made.code,
        "function": "f",
        "seconds": 1.5,
        "measured": measured,
    }
    store.save(made.path, scalars, arrays, about | store.provenance())
    return made


# Keys


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A copy of the sources, which keys are taken from; edit(file, old, new) changes it."""
    for package in ("lib2048", "experiments"):
        shutil.copytree(
            keys.ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    monkeypatch.setattr(keys, "ROOT", tmp_path)

    def edit(file, old, new):
        text = (tmp_path / file).read_text()
        assert old in text
        (tmp_path / file).write_text(text.replace(old, new, 1))

    return edit


def test_the_code_of_a_piece_is_what_it_reaches():
    found = keys.sources(train_and_evaluate)
    assert {
        "lib2048.fast.rules",
        "lib2048.board",
        "lib2048.saving",
        "experiments.networks",
    } <= found.keys()
    assert {"experiments.pieces:train_and_evaluate", "experiments.pieces:curve"} <= found.keys()
    assert (
        not {"lib2048.draw", "experiments.runner", "experiments.pieces:look_ahead"} & found.keys()
    )
    assert keys.sources(experiments.look_ahead).keys() >= {"lib2048.search"}


@pytest.mark.parametrize(
    "file, old, new, stale",
    [
        ("lib2048/fast/rules.py", '"""', '"""Another docstring. ', False),
        ("lib2048/training.py", "import time", "# a comment\nimport   time", False),
        (
            "lib2048/fast/rules.py",
            "@kernel",
            "_EXTRA = 1\n\n\n@kernel",
            True,
        ),  # a module counts as a whole
        ("lib2048/board.py", "U(", "U( 1 + ", True),  # not imported by the piece's own module
        ("experiments/networks.py", "every: int | None = None", "every: int | None = 7", True),
        ("experiments/pieces.py", "EXPONENTS = 18", "EXPONENTS = 19", True),
        (
            "experiments/pieces.py",
            "plies=1, games=1000",
            "plies=2, games=1000",
            False,
        ),  # another piece's function
        ("experiments/runner.py", "import itertools", "import itertools as i", False),
        ("lib2048/draw.py", "import io", "import io as i", False),
    ],
)
def test_code_makes_stale_what_depends_on_it(copy, monkeypatch, file, old, new, stale):
    made = stored(one(train_and_evaluate), {"score": 1.0})
    assert made.state == "stored"
    copy(file, old, new)
    if "EXPONENTS" in old:
        monkeypatch.setattr(pieces, "EXPONENTS", 19)  # a constant's value is read in memory
    again = one(train_and_evaluate)
    assert again.state == ("stale" if stale else "stored")
    assert (again.path == made.path) != stale


def test_a_function_of_a_notebook_has_what_it_uses_in_its_key(monkeypatch, tmp_path):
    before = keys.sources(limited)
    me = limited.__module__
    assert {f"{me}:limited", f"{me}:helper", f"{me}:helper LIMIT"} <= before.keys()
    monkeypatch.setattr(sys.modules[me], "LIMIT", 4)
    assert keys.code_hash(limited) != keys.parameter_hash(before)
    monkeypatch.setattr(sys.modules[me], "LIMIT", object())
    with pytest.raises(ValueError, match="LIMIT.*make it a parameter"):
        keys.code_hash(limited)

    def inner(n):
        return {"value": n + offset}

    offset = 1
    first = keys.code_hash(inner)
    offset = 2
    assert keys.code_hash(inner) != first
    with pytest.raises(ValueError, match="def"):
        keys.code_hash(lambda n: n)
    namespace = {"__name__": "__main__"}
    exec("def typed(n): return n", namespace)
    with pytest.raises(ValueError, match="source of typed"):
        keys.code_hash(namespace["typed"])


# Pieces


def test_parameters_are_plain_and_complete():
    made = piece(limited, n=np.int64(3))
    assert made.parameters == {"n": 3, "factor": 2} and type(made.parameters["n"]) is int
    assert plain("p", [[1, 2], range(2)]) == ((1, 2), (0, 1))
    assert one(n=1).family != one(n=2).family and one(n=1).family == one(n=1, factor=2).family
    with pytest.raises(ValueError, match="limited cannot be called with.*wrong"):
        piece(limited, n=1, wrong=2)
    with pytest.raises(ValueError, match="parameter n is a number"):
        piece(limited, n=object())
    looking = piece(
        experiments.look_ahead, seed=4
    )  # parameters collected by ** stand beside the others
    assert looking.parameters["seed"] == 4 and "recipe" not in looking.parameters


def test_memory_counts_tables_and_their_coherence():
    base = piece(limited, n=1).memory - 4 * 4 * 16**6
    assert piece(train_and_evaluate, patterns=SMALL).memory == base + 4 * 2 * 16**2
    assert (
        piece(train_and_evaluate, patterns=SMALL, coherence=True).memory == base + 3 * 4 * 2 * 16**2
    )
    assert (
        piece(train_and_evaluate, games=((9, 0.1, False), (1, 1.0, True))).memory
        == base + 3 * 4 * 4 * 16**6
    )
    assert piece(train_and_evaluate, games=(100, 200)).memory == base + 4 * 4 * 16**6, (
        "numbers are no stages"
    )


def test_labels_tell_pieces_apart():
    made = [piece(limited, n=n, tags={"kind": kind}) for kind, n in (("a", 1), ("a", 2), ("b", 3))]
    assert [one.label for one in identified(made, "x")] == [
        "x: kind a, n 1",
        "x: kind a, n 2",
        "x: kind b",
    ]
    assert one(n=1).label == "test"


# The store


def test_a_result_comes_back_as_it_was(home):
    made = one(n=5)
    assert made.state == "missing" and made.load() is None
    values, about = stored(
        made, ({"value": 2.5, "list": [1, None], "array": np.arange(5.0)}, {"t": 1.0})
    ).load()
    assert (
        values["value"] == 2.5
        and values["list"] == [1, None]
        and np.array_equal(values["array"], np.arange(5.0))
    )
    assert about["measured"] == {"t": 1.0} and {"processor", "cores"} <= about["machine"].keys()
    assert {"python", "numba", "numpy"} == about["versions"].keys() and made.state == "stored"
    assert made.seconds == 1.5 and one(n=6).seconds == 30.0
    assert not list(home.rglob("*.part"))


@pytest.mark.parametrize("damage", ["truncate", "json", "without", "other", "pickle"])
def test_half_a_result_is_none(damage):
    made = stored(one(n=5))
    arrays, about = (
        made.path.with_name(made.name + ".npz"),
        made.path.with_name(made.name + ".json"),
    )
    if damage == "truncate":
        arrays.write_bytes(arrays.read_bytes()[:-20])
    elif damage == "json":
        about.write_text(about.read_text()[:-30])
    elif damage == "without":
        arrays.unlink()
    elif damage == "other":
        np.savez(arrays, array=np.arange(6))
    else:
        about.write_text(json.dumps(["not", "a", "result"]))
    assert made.load() is None and made.state != "stored"


def test_only_plain_values_are_kept():
    assert store.split(3, "f") == ({"value": 3}, {}, {})
    for outcome in (None, "text", {"a": object()}, {"a": np.array([object()])}):
        with pytest.raises(ValueError, match="f returns"):
            store.split(outcome, "f")
