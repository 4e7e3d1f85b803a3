"""The network in the library is the one that the experiment "compact" made, and says so itself."""

from pathlib import Path

import numpy as np
import pytest

import lib2048
from experiments.asking import Result
from experiments.compact import compact_piece, main, recorded_strength
from experiments.networks import LEARNING, OPTIONS
from lib2048 import NTupleNetwork, Summary, evaluate
from lib2048.compacting import FILE, strength
from lib2048.formats.compact import read_description, tables_checksum

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 3_000_000  # bytes
GAMES = 20  # of the record that are played again


@pytest.fixture
def record(monkeypatch):
    monkeypatch.setenv("EXPERIMENTS_HOME", str(ROOT))
    return Result(compact_piece())


def test_its_weights_are_those_that_the_record_speaks_of(record):
    net = lib2048.compact()
    step = read_description(FILE).step
    assert step == record.about["parameters"]["step"]
    assert tables_checksum(net, step) == record["checksum"]


def test_it_says_the_recipe_of_the_record(record):
    parameters = compact_piece().parameters
    net = lib2048.compact()
    assert net.patterns == parameters["patterns"]
    assert net.games == parameters["games"]
    (history,) = net.history
    for name in set(LEARNING) - {"alpha", "coherence"}:
        learned_with = history.get(name, OPTIONS[name])  # options that came later had their default
        assert learned_with == parameters[name], name
    assert history["stages"] == [[parameters["games"], parameters["alpha"], True]]


def test_its_strength_is_that_of_the_record(record):
    assert strength() == recorded_strength(record)
    summary = Summary.of(record["scores"], record["max_tiles"], record["moves"], 0)
    assert strength()["mean"] == summary.mean == record["score"]
    assert strength()["reached"]["2048"] == summary.share(2048)[0] == record["win_rate"]


def test_it_plays_the_games_of_the_record(record):
    """The first of them, score by score."""
    seed = strength()["seed"]
    played = evaluate(lib2048.compact(), GAMES, seed=seed, progress=False)
    assert np.array_equal(played.scores, record["scores"][:GAMES])


def test_rounding_costs_little(record):
    before, after = record["scores_before"], record["scores"]
    assert after.mean() > 0.95 * before.mean()
    assert FILE.stat().st_size < LARGEST


def test_another_network_is_not_written(record, tmp_path, monkeypatch, capsys):
    """A network that came out otherwise than the record says leaves the file as it is."""
    monkeypatch.setattr("experiments.compact.trained", lambda *_, **__: NTupleNetwork(((0, 1),)))
    monkeypatch.setattr("experiments.compact.FILE", tmp_path / "compact.bin")
    assert main() == 1
    assert "run the experiment again" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
