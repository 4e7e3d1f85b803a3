"""Recipes: ways of learning by name."""

import numpy as np
import pytest

from lib2048 import NTupleNetwork, recipes, train
from lib2048.options import Plan, Stage, TrainOptions
from lib2048.recipes import RECIPES, Recipe, find_recipe

SHORT = Recipe(
    "4x6",
    (Stage(30, 1.0, True), Stage(10, 0.1, True)),
    TrainOptions(lambda_=0.5, restart=20, promote=64),
)


@pytest.mark.parametrize("name", RECIPES)
def test_each_recipe_is_a_plan(name):
    recipe = find_recipe(name)
    assert Plan.make(recipe.stages, recipe.options, 0).games == recipe.games
    assert name in recipes.__doc__


def test_training_by_a_recipe_is_training_by_what_it_says(monkeypatch):
    monkeypatch.setitem(RECIPES, "short", SHORT)
    nets = [NTupleNetwork(((0, 1, 4),)) for _ in range(2)]
    log = train(nets[0], recipe="short", seed=3, block=7, p4=0.2, progress=False)
    stages = [(30, 1.0, True), (10, 0.1, True)]
    options = dict(lambda_=0.5, restart=20, promote=64, seed=3, p4=0.2)
    train(nets[1], stages, progress=False, **options)
    assert len(log.scores) == 40 and log.block == 7
    assert np.array_equal(nets[0].weights, nets[1].weights)


@pytest.mark.parametrize(
    "given, message",
    [
        (dict(recipe="our"), "did you mean 'hour'"),
        (dict(recipe=60), "no recipe is called 60; there are lesson"),
        (dict(recipe="hour", episodes=10), "how many games, got episodes=10"),
        (dict(recipe="hour", restart=5), "says restart itself, got restart=5"),
        (dict(recipe="hour", coherence=True), "says coherence itself"),
        (dict(), "the name of a recipe"),
    ],
)
def test_what_a_recipe_says_is_not_said_twice(given, message):
    net = NTupleNetwork(((0, 1),))
    with pytest.raises(ValueError, match=message):
        train(net, progress=False, **given)
    assert net.games == 0
