"""Weights of large tiles that begin as those of smaller ones: against a slow twin."""

import numpy as np
import pytest

from lib2048 import NTupleNetwork, resume, train
from lib2048.fast.promoting import promote

SMALL = ((0, 1, 4), (9, 4, 8))
STAGES = [(300, 1.0, True), (100, 1.0, True), (150, 0.1, True)]  # promoted after 256 and 512


def taught(games=150):
    net = NTupleNetwork(SMALL)
    train(net, games, seed=1, coherence=True, progress=False)
    return net


def smaller(exponents):
    """What a pattern sees, with the tiles above its largest gap read as half of what they are."""
    missing = [each for each in range(1, max(exponents)) if each not in exponents]
    if not missing or exponents.count(15) > 1:
        return exponents
    return tuple(each - (each > missing[-1]) for each in exponents)


def slow_promotion(net, k, least):
    """The table that promotion makes of table k, as a dict from natural indices to weights."""
    tables = [dict(), dict()]
    for known, sums in zip(tables, (None, 1)):
        for first, part in net.table_parts(k, sums=sums):
            known.update(enumerate(part.tolist(), first))
    weights, absolute = tables
    promoted = dict(weights)
    for index in weights:
        exponents = tuple(index >> 4 * j & 15 for j in range(3))
        while absolute[index] == 0 and max(exponents) >= least:
            before, exponents = exponents, smaller(exponents)
            if exponents == before:
                break
            source = sum(each << 4 * j for j, each in enumerate(exponents))
            if absolute[source] > 0:
                promoted[index] = weights[source]
                break
    return promoted


@pytest.mark.parametrize("tile, least", [(2, 1), (64, 6), (256, 8)])
def test_tables_are_those_of_the_twin(tile, least):
    net = taught()
    expected = [slow_promotion(net, k, least) for k in range(2)]
    before = net.weights.copy()
    errors = net.errors.copy()
    count = promote(net, tile)
    for k in range(2):
        assert net.table(k).tolist() == list(expected[k].values())
    assert count >= (net.weights != before).sum() > 0
    assert np.array_equal(net.errors, errors)


def test_it_is_done_when_the_games_have_doubled():
    by_hand = NTupleNetwork(SMALL)
    for games in (256, 256, 88):
        if by_hand.coherent:
            promote(by_hand, 64)
        train(by_hand, games, coherence=True, seed=2, restart=50, progress=False)
    nets = [NTupleNetwork(SMALL), NTupleNetwork(SMALL)]
    for net, promoted in zip(nets, (64, None)):
        options = dict(promote=promoted, coherence=True, seed=2, restart=50, progress=False)
        train(net, 100, **options)
        train(net, 500, **options)
    assert np.array_equal(nets[0].weights, by_hand.weights)
    assert not np.array_equal(nets[1].weights, by_hand.weights)


def test_both_engines_learn_the_same():
    nets = [NTupleNetwork(SMALL), NTupleNetwork(SMALL)]
    for net, engine in zip(nets, ("fast", "plain")):
        train(net, STAGES, seed=3, promote=64, engine=engine, progress=False)
    assert np.array_equal(nets[0].weights, nets[1].weights)
    assert np.array_equal(nets[0].errors, nets[1].errors)


@pytest.mark.parametrize("last", [255, 256, 300])
def test_it_is_done_once_where_training_was_interrupted(tmp_path, last):
    def stop(log):
        if len(log.scores) >= last:
            raise KeyboardInterrupt

    options = dict(seed=4, promote=64, every=1, block=1, progress=False)
    whole = NTupleNetwork(SMALL)
    train(whole, STAGES, **options)
    path = tmp_path / "run.npz"
    log = train(NTupleNetwork(SMALL), STAGES, callback=stop, checkpoint=path, **options)
    assert log.interrupted and len(log.scores) == last
    net, _ = resume(path, progress=False)
    assert np.array_equal(net.weights, whole.weights)


def test_what_is_wrong_is_refused():
    with pytest.raises(ValueError, match="keeps none"):
        promote(NTupleNetwork(SMALL), 64)
    net = taught(1)
    with pytest.raises(ValueError, match="power of two"):
        promote(net, 100)
    with pytest.raises(ValueError, match="promote.*got 100"):
        train(net, 1, promote=100, coherence=True)
    for episodes in (10, [(10, 1.0, True), (10, 1.0)]):
        with pytest.raises(ValueError, match="promote goes with coherence"):
            train(net, episodes, promote=64)
