"""Experiments on relays: each network is taught once, where those before it hand over.

The recorded networks take an hour to train, so what the functions do is tried with small ones, and
compared to what it gave when the records were made.
"""

import types

import numpy as np
import pytest

import experiments
from experiments import claims, relays, store
from experiments.catalogue_relay import RELAY, RESTARTS, legs_of
from experiments.relays import (
    habit,
    networks_of,
    play_a_relay,
    relay_piece,
    train_leg,
)
from lib2048 import NTupleNetwork, play, symmetries, to_array, train
from lib2048.relay import Relay

SMALL = ((0, 1, 2, 4), (4, 5, 6, 8), (0, 1, 2, 3))
LEGS = tuple(
    dict(patterns=SMALL, lambda_=0.5, seed=1, restart=restart, games=((games, 1.0, True),))
    for restart, games in ((100, 600), (20, 300), (10, 200))
)
TILES = (256, 512)
SEEN = 60


def test_a_leg_learns_from_the_tile_on():
    result, measured = train_leg(LEGS[:2], TILES[:1], SEEN, block=100)
    assert 0 < result["starts"] <= SEEN
    assert result["ended"].shape == (3, 18)
    assert result["ended"][:, :8].sum() == 0, "no game of it ends below the tile"
    assert result["ended"].sum() == 300 and measured["train_seconds"] > 0


def test_each_network_is_trained_once(monkeypatch):
    train_leg(LEGS, TILES, SEEN, block=100)
    names = sorted(path.name for path in store.networks().iterdir())
    assert len(names) == 3, "the last one, and the two before it, which it needed"
    played, _ = play_a_relay(LEGS, TILES, SEEN, evaluation=5)
    monkeypatch.setattr(relays, "_teach", None)
    again, _ = play_a_relay(LEGS, TILES, SEEN, evaluation=5)
    assert again["scores"].tolist() == played["scores"].tolist()
    assert sorted(path.name for path in store.networks().iterdir()) == names


def test_what_was_not_trained_yet_is_trained_to_the_same_bits(home):
    train_leg(LEGS[:2], TILES[:1], SEEN)
    (path,) = store.networks().glob("relay-*")
    first = NTupleNetwork.load(path).weights.copy()
    path.unlink()
    play_a_relay(LEGS[:2], TILES[:1], SEEN, evaluation=1)
    assert np.array_equal(NTupleNetwork.load(path).weights, first)


def test_a_leg_goes_on_from_its_checkpoint(monkeypatch):
    whole, _ = train_leg(LEGS[:2], TILES[:1], SEEN, block=50)
    for path in store.networks().iterdir():
        path.unlink()

    def stop(net, path):
        raise RuntimeError("killed")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="killed"):
        patch.setattr(relays, "keep", stop)
        train_leg(LEGS[:2], TILES[:1], SEEN, block=50, every=100)
    monkeypatch.setattr("experiments.networks.train", None)  # nothing is begun anew
    again, _ = train_leg(LEGS[:2], TILES[:1], SEEN, block=50, every=100)
    assert np.array_equal(whole["means"], again["means"])


def test_a_habit_is_that_of_the_last_network():
    found, _ = habit(LEGS[:2], TILES[:1], SEEN, looked_at=5)
    first, second = networks_of(LEGS[:2], TILES[:1], SEEN)
    starts = Relay([first], seed=relays.SEED_OF_STARTS).first_boards(TILES[0], SEEN, False)
    games = [play(second, board=start, game=number) for number, start in enumerate(starts[:5])]
    assert found["score"] == np.mean([game.score for game in games])
    assert found["typical_board"].shape == (4, 4)


@pytest.mark.parametrize("board", [0x1234_0000_5678_9ABC, 0x1000_0000_0000_0000, 0x77])
def test_a_board_is_laid_in_one_way(board):
    laid = relays._laid(board)
    assert all(np.array_equal(relays._laid(side), laid) for side in symmetries(board))
    edges = [2.0 ** to_array(side)[0] for side in symmetries(board)]
    heaviest = max(edge[edge > 1].sum() for edge in edges)
    upper = 2.0 ** laid[0]
    assert upper[upper > 1].sum() == heaviest
    assert upper[:2].max() >= upper[2:].max()


def test_a_typical_board_is_the_median_of_each_cell(monkeypatch):
    monkeypatch.setattr(relays, "FIRST_TAKEN", 0)
    monkeypatch.setattr(relays, "TAKEN_EVERY", 1)
    boards = [0x21, 0x41, 0x31]
    game = types.SimpleNamespace(boards=np.array(boards, np.uint64))
    assert relays.typical_board([game]).tolist() == [[1, 3, 0, 0], *[[0] * 4] * 3]


def test_games_too_short_have_no_typical_board():
    short = play(NTupleNetwork(SMALL), seed=1)
    assert len(short) < relays.FIRST_TAKEN
    assert relays.typical_board([short]).tolist() == [[0] * 4] * 4


def test_nobody_trains_what_another_process_trains(monkeypatch):
    asked = []
    real = claims.waiting_for
    monkeypatch.setattr(claims, "waiting_for", lambda name: asked.append(name) or real(name))
    play_a_relay(LEGS[:2], TILES[:1], SEEN, evaluation=1)
    assert any(name.startswith("network-relay-") for name in asked)


def test_a_leg_that_diverges_is_an_error():
    legs = (LEGS[0], LEGS[1] | {"games": ((500, 500.0),), "lambda_": 0.0})
    with pytest.raises(ValueError, match="training diverged at game"):
        train_leg(legs, TILES[:1], SEEN)


@pytest.mark.parametrize("option", ["restrat", "downgrade", "starts"])
def test_a_leg_has_the_options_it_plays_by(option):
    with pytest.raises(ValueError, match=f"a leg of a relay has no option {option}"):
        play_a_relay((LEGS[0] | {option: 64},), (), SEEN, evaluation=1)


def test_the_first_network_is_taught_as_any_other():
    with pytest.raises(ValueError, match=r"got 1 legs and tiles \(\) \(train_and_evaluate"):
        train_leg(LEGS[:1], (), SEEN)


def test_the_relay_of_an_experiment_plays(monkeypatch):
    made = relay_piece(play_a_relay, LEGS, TILES, seen=SEEN)
    entry = types.SimpleNamespace(pieces=lambda scale: [made], reads_record=lambda scale: False)
    monkeypatch.setitem(experiments.EXPERIMENTS, "small-relay", entry)
    played, _ = play_a_relay(LEGS, TILES, SEEN, plies=2, evaluation=3, play_seed=7)
    relay = experiments.relay("small-relay", plies=2, seed=7, scale="small")
    assert [relay.play(number).score for number in range(3)] == played["scores"].tolist()
    hopeful, _ = play_a_relay(LEGS, TILES, SEEN, 3, 3, play_seed=7, margin=50)
    relay = experiments.relay("small-relay", 3, seed=7, scale="small", margin=50)
    assert [relay.play(number).score for number in range(3)] == hopeful["scores"].tolist()
    with pytest.raises(ValueError, match="afterstate is no experiment on a relay"):
        experiments.relay("afterstate", scale="small")


def test_its_memory_is_that_of_all_its_networks():
    legs = legs_of((10, 10))
    one = relay_piece(train_leg, legs[:1], (), seen=1).memory
    two = relay_piece(train_leg, legs, (8_192,), seen=1).memory
    assert two - one == 3 * 4 * 8 * 16**6


def test_the_catalogue_has_a_leg_for_each_restart():
    for games, tiles in zip(RELAY["games"], RELAY["tiles"]):
        assert len(games) == len(RESTARTS) == len(tiles) + 1


MEANS = {2: 7029.24, 3: 4977.98}  # of all games of a leg, by its number
SCORES = {
    1: [3460, 13244, 16504, 11980, 14552, 7152],
    2: [16864, 27632, 27516, 25548],
}  # of the first games, by plies


@pytest.mark.parametrize("number", MEANS)
def test_a_leg_learns_what_it_learned(number):
    result, _ = train_leg(LEGS[:number], TILES[: number - 1], SEEN, block=100)
    assert result["means"].mean() == pytest.approx(MEANS[number])


@pytest.mark.parametrize("plies", SCORES)
def test_a_relay_plays_as_it_did(plies):
    played, _ = play_a_relay(LEGS, TILES, SEEN, plies, len(SCORES[plies]), play_seed=7)
    assert played["scores"].tolist() == SCORES[plies]


def test_small_networks_can_be_taught_so():
    """What these tests lean on: the first network makes the tiles at which it hands over."""
    net = NTupleNetwork(SMALL)
    log = train(net, 600, coherence=True, lambda_=0.5, seed=1, progress=False)
    assert (log.max_tiles >= 9).mean() > 0.1
