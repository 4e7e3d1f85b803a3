"""Results that are kept when only code changed: pieces that play with a kept network, matches, results of long ago."""

# ruff: noqa: F401, F811  (fixtures are imported by name)

import json
import shutil
from dataclasses import replace

import pytest
from test_confirm import OLD, TRAINING, confirmed, entered, made_by_older_code, small
from test_experiments import SMALL, home

from experiments import beginnings, keys, look_ahead, networks, store
from experiments.networks import Recipe
from experiments.tournaments import tournament

MATCH = dict(algorithm="mcts", opponent="easy", simulations=20)


@pytest.fixture
def hours(entered, monkeypatch):
    """A training that keeps its networks and two experiments that play with them, all of older code."""
    made = entered(**TRAINING | {"ages": (200, 400)})
    options = dict(evaluation=40, patterns=SMALL, seed=3)
    pieces = [
        entered(look_ahead, name=name, games=age, **options)
        for name, age in (("other", 400), ("third", 200))
    ]
    with monkeypatch.context() as patch:
        patch.setattr(networks, "_code", lambda: OLD)
        for one in (made, *pieces):
            made_by_older_code(one)
    return made, pieces


def test_a_confirmed_training_takes_its_networks_over(hours, capsys):
    made, pieces = hours
    assert confirmed("other") == 0 and pieces[0].state == "stale"
    assert "cannot be confirmed, run it: its network is not kept" in capsys.readouterr().out
    content = {
        file.name.replace(OLD[:12], ""): file.read_bytes() for file in store.networks().iterdir()
    }
    assert confirmed("it") == 0
    assert "first 5 of 40 blocks and 2 games of the evaluation the same" in capsys.readouterr().out
    code = keys.code_hash(networks.learn)[:12]
    assert {
        file.name.replace(code, ""): file.read_bytes() for file in store.networks().iterdir()
    } == content
    assert confirmed("other", "third") == 0 and [one.state for one in pieces] == [
        "stored",
        "stored",
    ]
    assert "other: confirmed: first 2 of 40 games the same" in capsys.readouterr().out


def test_a_network_that_plays_otherwise_is_not_taken_over(hours, capsys):
    made, _ = hours
    values, about = (made if made.record else replace(made, code=OLD)).load()
    values["scores"][1] += 4
    made_by_older_code(made, (values, {}))
    names = sorted(file.name for file in store.networks().iterdir())
    assert confirmed() == 1 and "evaluation game 2 differs: scores" in capsys.readouterr().out
    assert (
        sorted(file.name for file in store.networks().iterdir()) == names and made.state == "stale"
    )


def test_the_checkpoint_of_a_training_is_taken_over_when_that_is_over(entered, monkeypatch):
    made = entered(**TRAINING | {"every": 200})
    with monkeypatch.context() as patch:
        patch.setattr(networks, "_code", lambda: OLD)
        outcome = made.function(**made.parameters)
    (file,) = store.networks().iterdir()
    whole, half = file.read_bytes(), store.networks() / "half.npz"
    networks.learn(Recipe.among(made.parameters), 200, 10)[0].save(half)
    for content, games in ((b"torn", None), (half.read_bytes(), None), (whole, 2)):
        file.write_bytes(content)
        shutil.rmtree(made.path.parent, ignore_errors=True)
        made_by_older_code(made, outcome)
        assert confirmed() == 0
        assert made.load()[1]["confirmed"][0].get("evaluation") == games
        assert file.exists() == (games is None)
    assert Recipe.among(made.parameters).path(400, "-run").read_bytes() == whole


def test_the_first_instances_of_a_tournament_are_compared(entered, monkeypatch, capsys):
    monkeypatch.setattr(beginnings, "INSTANCES", 3)
    made = entered(tournament, instances=6, first=2, **MATCH)
    found = made.function(**made.parameters)
    plies = found["plies"].copy()
    plies[2, 1] += 1
    made_by_older_code(made, (found | {"plies": plies}, {}))
    assert confirmed() == 1 and "instance 3 differs: plies" in capsys.readouterr().out
    made_by_older_code(made, (found, {}))
    assert confirmed() == 0 and "first 3 of 6 instances the same" in capsys.readouterr().out
    every = entered(tournament, instances=2, **MATCH)
    made_by_older_code(every, children=-1)
    assert confirmed() == 1 and "children differs" in capsys.readouterr().out


def test_a_result_from_before_an_option_counts_with_its_default(entered, capsys):
    made = entered(**TRAINING, record=True)
    old = made_by_older_code(made)
    file = old.path.with_name(old.name + ".json")
    about = json.loads(file.read_text())
    del about["parameters"]["downgrade"]
    file.write_text(json.dumps(about))
    assert made.state == "stale" and confirmed() == 0 and made.state == "stored"
    entered(**TRAINING, downgrade=64, record=True)
    file.write_text(json.dumps(about))
    capsys.readouterr()
    assert confirmed() == 0
    assert (
        "cannot be confirmed, run it: its result was made with other parameters"
        in capsys.readouterr().out
    )
