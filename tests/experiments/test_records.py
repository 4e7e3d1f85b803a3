"""Every record in git: the beginning of its work is done anew and compared to the bit.

A record stays good until somebody raises the version of the function that made it (versions.py).
This is what notices that the function, or anything it calls, gives other results by now and its
version was forgotten.

Learning is chaotic: a weight that differs in its last bit soon changes a move, and with it all
later games. So blocks of a curve that are alike to the bit are strong evidence. The rounds of a
match, and the games that a trained network plays, depend on nothing but their number.

`python -m pytest -m long tests/experiments/test_records.py` goes further into each.
"""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import experiments
from experiments import (
    EXPERIMENTS,
    Recipe,
    catalogue_methods,
    catalogue_relay,
    look_ahead,
    museum,
    store,
    train_and_evaluate,
)
from experiments.brinks import play_to_the_brink
from experiments.catalogue_course import grade_agent
from experiments.catalogue_ewn import tournament
from experiments.networks import LEARNING, default_block
from experiments.pieces import curve, search_a_tree, train_compact
from experiments.relays import habit, play_a_relay, train_leg
from lib2048 import NTupleNetwork, Summary, TrainLog, recipes, train
from workbook.museum import train as train_with_fault

ROOT = Path(__file__).resolve().parents[2]
CURVE = ("means", "best", "moves_of_block", "ended")
PLAYED = ("scores", "max_tiles")
ROUNDS = ("won", "eliminated", "plies")

# How far the beginning goes.
SHORT = {"games": 1_000, "blocks": 1, "instances": 2}
LONG = {"games": 5_000, "blocks": 3, "instances": 10}


def recorded(function) -> list:
    """The pieces of the catalogue that are kept in git and that a function makes."""
    entries = [entry for entry in EXPERIMENTS.values() if entry.record]
    pieces = [piece for entry in entries for piece in entry.pieces("full")]
    return [pytest.param(piece, id=piece.record) for piece in pieces if piece.function is function]


@pytest.fixture(autouse=True)
def the_records_of_this_checkout(monkeypatch):
    monkeypatch.setenv("EXPERIMENTS_HOME", str(ROOT))


def same(now: np.ndarray, before: np.ndarray) -> bool:
    """Whether two arrays are alike to the bit."""
    return (now.dtype, now.shape, now.tobytes()) == (before.dtype, before.shape, before.tobytes())


def assert_begins_so(now: dict, before: dict, names, count: int) -> None:
    """The first `count` rows of these arrays are alike to the bit."""
    assert count > 0
    for name in names:
        for row in range(count):
            first, second = now[name][row : row + 1], before[name][row : row + 1]
            assert same(first, second), f"{name}, row {row}: {first} now, {second} in the record"


def test_all_records_are_of_the_present_versions():
    pieces = [
        piece for entry in EXPERIMENTS.values() if entry.record for piece in entry.pieces("full")
    ]
    names = {piece.record for piece in pieces}
    assert {file.stem for file in store.records().glob("*.json")} == names
    assert {file.stem for file in store.records().glob("*.npz")} <= names
    assert [piece.record for piece in pieces if piece.state != "stored"] == []
    assert {piece.function for piece in pieces} == {
        train_and_evaluate,
        train_compact,
        look_ahead,
        search_a_tree,
        train_leg,
        play_a_relay,
        play_to_the_brink,
        habit,
        tournament,
        grade_agent,
        museum.train_with,
        museum.resume_with,
    }


# Training

TRAININGS = recorded(train_and_evaluate) + recorded(train_compact)


def one_seed_each(trainings: list) -> list:
    """The first training of each kind: the same work from other seeds finds the same mistakes."""
    kinds = {}
    for training in trainings:
        piece = training.values[0]
        kind = {name: value for name, value in piece.parameters.items() if name != "seed"}
        kinds.setdefault((piece.function, str(kind)), training)
    return list(kinds.values())


class Enough(Exception):
    """The training is as far as it is to go."""


def learn_beginning(parameters: dict, least: dict) -> tuple[dict, int]:
    """(the beginning of a training's curve, how many blocks it has)."""
    recipe = Recipe.among(parameters)
    block = parameters["block"] or default_block(parameters["games"])
    blocks = max(least["blocks"], math.ceil(least["games"] / block))
    logs: list[TrainLog] = []

    def after_block(log: TrainLog) -> None:
        logs.append(log)
        if len(log.scores) >= blocks * block:
            raise Enough

    options = {name: getattr(recipe.learning, name) for name in LEARNING}
    with pytest.raises(Enough):
        train(
            recipe.network(),
            parameters["games"],
            block=block,
            progress=False,
            callback=after_block,
            **options,
        )
    return curve(logs[-1]), blocks


@pytest.mark.parametrize("piece", one_seed_each(TRAININGS))
def test_a_training_begins_as_it_did(piece):
    values, _ = piece.load()
    learned, blocks = learn_beginning(piece.parameters, SHORT)
    assert_begins_so(learned, values, CURVE, blocks)


@pytest.mark.long
@pytest.mark.parametrize("piece", TRAININGS)
def test_a_training_goes_on_as_it_did(piece):
    values, _ = piece.load()
    learned, blocks = learn_beginning(piece.parameters, LONG)
    assert_begins_so(learned, values, CURVE, blocks)


def test_the_tuned_step_is_the_best_of_those_tried():
    scores = {}
    for piece in EXPERIMENTS["steps"].pieces("full"):
        values, _ = piece.load()
        step = piece.parameters["alpha"]
        scores.setdefault((piece.parameters["coherence"], step), []).append(values["score"])
    means = {key: np.mean(those) for key, those in scores.items()}
    best_of_td = max((key for key in means if not key[0]), key=means.__getitem__)
    assert best_of_td == (False, catalogue_methods.TUNED_STEP)
    best_of_tc = max((key for key in means if key[0]), key=means.__getitem__)
    assert best_of_tc == (True, 1.0), "the step that TC has by default"


def summary_of_search(name: str, plies: int, shown: int | None, margin: int | None) -> Summary:
    """The games of all pieces that looked so far ahead."""
    rows = experiments.table(name, "full").rows
    return experiments.summaries_by_plies(rows, shown, margin)[plies]


def share_of_32768(
    name: str, plies: int, shown: int | None = 16_384, margin: int | None = None
) -> str:
    """In how many games so deep a search, shown smaller boards, made one."""
    summary = summary_of_search(name, plies, shown, margin)
    return f"{100 * summary.share(32768)[0]:.0f} % of {summary.games:,}"


def test_what_the_recipes_say_of_looking_ahead_is_in_the_records():
    said = " ".join(recipes.__doc__.split())
    for name in ("minutes-plies", "hour-four-plies", "hour-plies", "plainly-plies"):
        assert share_of_32768(name, 3) in said
    for name in ("to-the-end-plies", "relay-plies"):
        assert share_of_32768(name, 3, shown=None) in said
    assert share_of_32768("relay-plies", 4, shown=None) in said
    margin = catalogue_relay.MARGIN
    assert f"a margin of {margin:,}" in said
    for plies in (4, 5):
        assert share_of_32768("relay-plies", plies, shown=None, margin=margin) in said
    assert share_of_32768("relay-again", 3, shown=None) in said
    assert share_of_32768("relay-again", 4, shown=None, margin=margin) in said
    every, hopeful = (summary_of_search("relay-plies", 4, None, each) for each in (None, margin))
    assert "with four, in less than a millisecond for a move on average" in said
    assert every.seconds / every.moves < 0.001
    assert "four plies took about a quarter of that time" in said
    saved = every.seconds / every.moves / (hopeful.seconds / hopeful.moves)
    assert 3 < saved < 6


# Matches


def play_beginning(piece, instances: int) -> None:
    values, _ = piece.load()
    instances = min(instances, piece.parameters["instances"])
    rounds = tournament(**piece.parameters | {"instances": instances})
    assert_begins_so(rounds, values, ROUNDS, instances)


@pytest.mark.parametrize("piece", recorded(tournament))
def test_a_match_begins_as_it_did(piece):
    play_beginning(piece, SHORT["instances"])


@pytest.mark.long
@pytest.mark.parametrize("piece", recorded(tournament))
def test_a_match_goes_on_as_it_did(piece):
    play_beginning(piece, LONG["instances"])


# Looking ahead. These records play with networks that only long trainings give: 30 of them with the
# one of experiment "hour", an hour of work, and one with a network that takes six minutes. So
# `look_ahead` itself is done with a network that is there in a moment, and compared to what it gave
# when the records were made. The network is downgraded from a tile that it reaches.

SOON = {"patterns": ((0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10)), "coherence": True, "seed": 1}
SCORES = {  # of the first games, by plies and by the tile from which on boards are shown smaller
    (1, None): [5612, 2392, 2364, 3052, 3380, 2992, 5004, 3300],
    (1, 256): [3156, 2392, 6452, 4684, 3772, 3092, 5968, 2368],
    (2, None): [1016, 828, 11464, 22836, 7528, 15328, 6588, 12364],
    (2, 256): [1016, 828, 15060, 12196, 6516, 2472, 6380, 5500],
    (3, None): [22316, 34620],
    (3, 256): [11596, 27024],
}


@pytest.mark.parametrize("plies, downgrade", SCORES)
def test_looking_ahead_gives_what_it_gave(plies, downgrade, tmp_path, monkeypatch):
    monkeypatch.setenv("EXPERIMENTS_HOME", str(tmp_path))
    scores = SCORES[plies, downgrade]
    options = SOON | {"games": 1_500, "play_seed": 7, "play_downgrade": downgrade}
    played, _ = look_ahead(plies=plies, evaluation=len(scores), **options)
    assert played["scores"].tolist() == scores


@pytest.mark.long
def test_a_network_of_six_minutes_plays_as_it_did(tmp_path, monkeypatch):
    (piece,) = EXPERIMENTS["downgrade"].pieces("full")[:1]
    values, _ = piece.load()
    monkeypatch.setenv("EXPERIMENTS_HOME", str(tmp_path))
    played, _ = look_ahead(**piece.parameters | {"evaluation": 200})
    assert_begins_so(played, values, PLAYED, 200)


# Searching a tree, with such a network too: the network of these records takes two minutes.

TREE_SCORES = {  # of the first games, by trips and by c
    (4, 0.0): [3460, 1396, 6172, 11964, 5668, 2996],
    (12, 0.5): [6720, 12108, 7304, 15288],
}


@pytest.mark.parametrize("trips, c", TREE_SCORES)
def test_searching_a_tree_gives_what_it_gave(trips, c, tmp_path, monkeypatch):
    monkeypatch.setenv("EXPERIMENTS_HOME", str(tmp_path))
    scores = TREE_SCORES[trips, c]
    played, _ = search_a_tree(
        trips=trips, c=c, evaluation=len(scores), games=1_500, play_seed=7, **SOON
    )
    assert played["scores"].tolist() == scores


# Faults


@pytest.mark.filterwarnings("ignore:.*patterns")  # that are images of each other: one of the faults
@pytest.mark.parametrize("piece", one_seed_each(recorded(museum.train_with)))
def test_a_fault_begins_as_it_did(piece):
    before, _ = piece.load()
    options = piece.parameters
    block = options["games"] // museum.BLOCKS
    net = NTupleNetwork(options["patterns"], options["values"], options["init"])
    log, _ = train_with_fault(net, block, options["alpha"], options["seed"], options["fault"])
    assert len(log.scores) == block
    assert_begins_so(curve(replace(log, block=block)), before, CURVE, 1)


@pytest.mark.parametrize("piece", one_seed_each(recorded(museum.resume_with)))
def test_what_was_taken_up_again_goes_on_as_it_did(piece):
    before, _ = piece.load()
    again = museum.resume_with(**piece.parameters)
    assert_begins_so(again, before, CURVE, museum.BLOCKS)
    assert {name: again[name] for name in before if name not in CURVE} == {
        name: before[name] for name in before if name not in CURVE
    }


# Agents


@pytest.mark.parametrize(
    "piece",
    [
        pytest.param(*given.values, id=given.id, marks=[] if number == 0 else pytest.mark.long)
        for number, given in enumerate(recorded(grade_agent))
    ],
)
def test_an_agent_begins_as_it_did(piece):
    before, _ = piece.load()
    played, _ = grade_agent(**piece.parameters | {"evaluation": 1})
    assert_begins_so(played, before, PLAYED, 1)
