"""Pieces and their results: what a result depends on, what it is named by, how it is kept."""

import hashlib
import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import experiments
from experiments import piece, store, train_and_evaluate, versions
from experiments.piece import labelled, plain
from experiments.store import json_hash
from experiments.versions import sources_hash, version_of, versioned

SMALL = ((0, 1), (1, 5))


def limited(n, factor=2):
    """A piece that nobody has declared a version of."""
    return {"value": factor * n, "array": np.arange(n), "name": "limited"}


def one_piece(function=limited, **parameters):
    """A piece with its label."""
    return labelled([piece(function, **parameters)], "test")[0]


def stored(made, outcome=None):
    """Keep a result of a piece as the runner does."""
    if outcome is None:
        outcome = made.function(**made.parameters)
    scalars, arrays, measured = store.split(outcome, "f")
    about = {
        "parameters": made.parameters,
        "version": made.version,
        "function": "f",
        "seconds": 1.5,
        "measured": measured,
    }
    store.save(made.path, scalars, arrays, about | store.provenance())
    return made


def with_version(made, version):
    """The piece as it is when its function has another version."""
    again = replace(made)
    again.__dict__["version"] = version
    return again


# Versions


def test_a_declared_version_is_what_counts():
    @versioned(1)
    def counted(n):
        return n

    before = version_of(counted)

    @versioned(1)
    def counted(n):
        """The same, said otherwise."""
        return n + 0

    assert before == version_of(counted) == 1
    assert version_of(train_and_evaluate) == train_and_evaluate.version


def test_a_function_without_one_is_named_by_its_source():
    def swept(n):
        return n

    before = version_of(swept)
    assert len(before) == 12 and before == version_of(swept)

    def swept(n):
        return n + 1

    assert version_of(swept) != before
    with pytest.raises(ValueError, match="def"):
        version_of(lambda n: n)
    with pytest.raises(ValueError, match="def"):
        version_of(np.sin)
    namespace = {"__name__": "__main__"}
    exec("def typed(n): return n", namespace)
    with pytest.raises(ValueError, match="source of typed"):
        version_of(namespace["typed"])


def test_another_version_makes_stale_and_the_sources_do_not(monkeypatch):
    made = stored(one_piece(n=5))
    assert made.state == "stored"
    monkeypatch.setattr(store, "LOADED", "other sources")
    assert one_piece(n=5).state == "stored"
    newer = with_version(made, 7)
    assert newer.state == "stale" and newer.name.endswith("-v7")
    record = stored(replace(made, record="kept"))
    assert record.state == "stored" and with_version(record, 7).state == "stale"


def test_the_hash_of_the_sources_is_of_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(versions, "ROOT", tmp_path)
    (tmp_path / "lib2048").mkdir()
    file = tmp_path / "lib2048" / "a.py"
    file.write_bytes(b"x = 1\n")
    before = sources_hash()
    assert before == hashlib.sha256(b"lib2048/a.py 6\nx = 1\n").hexdigest()
    file.write_bytes(b"x = 1\r\n")
    assert sources_hash() == before, "a checkout on Windows has other ends of lines"
    file.write_bytes(b"x = 1  # a comment\n")
    assert sources_hash() != before
    file.write_bytes(b"x = 1\n")
    file.rename(tmp_path / "lib2048" / "b.py")
    assert sources_hash() != before


# Pieces


def test_parameters_are_plain_and_complete():
    made = piece(limited, n=np.int64(3))
    assert made.parameters == {"n": 3, "factor": 2}
    assert type(made.parameters["n"]) is int
    assert plain("p", [[1, 2], range(2)]) == ((1, 2), (0, 1))
    assert one_piece(n=1).family != one_piece(n=2).family
    assert one_piece(n=1).family == one_piece(n=1, factor=2).family
    with pytest.raises(ValueError, match="limited cannot be called with.*wrong"):
        piece(limited, n=1, wrong=2)
    with pytest.raises(ValueError, match="parameter n is a number"):
        piece(limited, n=object())


def test_options_stand_beside_the_other_parameters():
    made = piece(experiments.look_ahead, seed=4)
    assert made.parameters["seed"] == 4 and made.parameters["p4"] == 0.1
    assert "options" not in made.parameters
    assert list(made.parameters)[:2] == ["plies", "games"], "in the order of the function"
    with pytest.raises(
        ValueError, match="unexpected keyword argument 'gamma'; it takes .*evaluation.*, values"
    ):
        piece(train_and_evaluate, gamma=0.9)


def learning(options):
    """A function of pieces that takes these options, with their defaults."""

    @versioned(1, options)
    def learns(games=10, **options):
        return {"score": 1.0}

    return learns


def test_an_option_that_comes_later_makes_nothing_stale():
    options = {"alpha": 0.1, "seed": 0}
    made = stored(one_piece(learning(options), seed=3))
    later = learning(options | {"gamma": 1.0})
    again = one_piece(later, seed=3)
    assert again.parameters == {"games": 10, "alpha": 0.1, "seed": 3, "gamma": 1.0}
    assert again.path == made.path and again.state == "stored"
    assert one_piece(later, seed=3, gamma=0.9).state == "missing"
    other = learning(options | {"alpha": 1.0})
    assert one_piece(other, seed=3).state == "stale", "the default was another"


def test_memory_counts_tables_and_their_coherence():
    def memory(**parameters):
        return piece(train_and_evaluate, **parameters).memory

    weights_of_4x6 = 4 * 16**6
    base = piece(limited, n=1).memory - 4 * weights_of_4x6
    assert memory(patterns=SMALL) == base + 4 * 2 * 16**2
    assert memory(patterns=SMALL, coherence=True) == base + 3 * 4 * 2 * 16**2
    stages = ((9, 0.1, False), (1, 1.0, True))
    assert memory(games=stages) == base + 3 * 4 * weights_of_4x6
    assert memory(games=(100, 200)) == base + 4 * weights_of_4x6, "numbers are no stages"


def test_labels_tell_pieces_apart():
    variants = (("a", 1), ("a", 2), ("b", 3))
    made = [piece(limited, n=n, tags={"kind": kind}) for kind, n in variants]
    labels = [labelled_piece.label for labelled_piece in labelled(made, "x")]
    assert labels == ["x: kind a, n 1", "x: kind a, n 2", "x: kind b"]
    assert one_piece(n=1).label == "test"


# The store


def test_a_result_comes_back_as_it_was(home):
    made = one_piece(n=5)
    assert made.state == "missing" and made.load() is None
    outcome = {"value": 2.5, "list": [1, None], "array": np.arange(5.0)}
    values, about = stored(made, (outcome, {"t": 1.0})).load()
    assert values["value"] == 2.5 and values["list"] == [1, None]
    assert np.array_equal(values["array"], np.arange(5.0))
    assert about["measured"] == {"t": 1.0}
    assert {"processor", "cores"} <= about["machine"].keys()
    assert {"python", "numba", "numpy"} == about["versions"].keys()
    assert about["sources"] == versions.LOADED and len(about["sources"]) == 64
    assert made.state == "stored"
    assert made.seconds == 1.5 and one_piece(n=6).seconds == 30.0
    assert not list(home.rglob("*.part"))


def changed(text: str, damage: str) -> str:
    """What a .json says after something happened to it."""
    content = json.loads(text)
    if damage == "truncated":
        return text[:-30]
    if damage == "a digit":
        return text.replace('"value": 10', '"value": 11')
    if damage == "no result":
        return json.dumps(["not", "a", "result"])
    if damage == "no parameters":
        content["parameters"] = None
    if damage == "older":
        content["format"] = 1
    del content["checksum"]
    content["checksum"] = json_hash(content)
    return json.dumps(content)


@pytest.mark.parametrize("damage", ["truncated", "a digit", "no result", "no parameters", "older"])
def test_a_json_that_is_not_whole_is_no_result(damage, capsys):
    made = stored(one_piece(n=5))
    file = made.path.with_name(made.name + ".json")
    before = file.read_text()
    file.write_text(changed(before, damage))
    assert file.read_text() != before
    assert made.load() is None and made.state == "stale"
    with pytest.raises(FileNotFoundError, match="no result of test"):
        experiments.Result(made)


@pytest.mark.parametrize("damage", ["truncated", "missing", "other", "pickle"])
def test_arrays_that_are_not_whole_are_no_result(damage):
    made = stored(one_piece(n=5))
    file = made.path.with_name(made.name + ".npz")
    if damage == "truncated":
        file.write_bytes(file.read_bytes()[:-20])
    elif damage == "missing":
        file.unlink()
    elif damage == "other":
        np.savez(file, array=np.arange(6))
    else:
        np.savez(file, array=np.array([{}], object))
    assert made.load() is None and made.state != "stored"


def test_only_plain_values_are_kept():
    assert store.split(3, "f") == ({"value": 3}, {}, {})
    for outcome in (None, "text", {"a": object()}, {"a": np.array([object()])}):
        with pytest.raises(ValueError, match="f returns"):
            store.split(outcome, "f")


def test_experiments_are_light_to_import():
    heavy = "{'distributed', 'dask', 'matplotlib'}"
    program = f"import sys, experiments; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "set()", done.stdout + done.stderr
