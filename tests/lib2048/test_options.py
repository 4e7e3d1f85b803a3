"""The options of learning: one list of them, which train, checkpoints and stages go by."""

import dataclasses
import inspect
import json

import pytest

from lib2048 import NTupleNetwork, resume, train
from lib2048.options import Plan, Stage, TrainOptions

SMALL = ((0, 1, 2), (4, 5))
STAGES = [(30, 0.5), (20, None, True)]
OTHERS = {  # every option that is no stage's, in a value that is not its default
    "order": "backward",
    "p4": 0.2,
    "threads": 2,
    "seed": 3,
    "block": 5,
    "lambda_": 0.5,
    "restart": 10,
    "downgrade": 128,
    "promote": None,
    "every": 7,
    "engine": "fast",
}


def test_train_has_the_defaults_of_the_options():
    """A reader sees the most used options in the signature of train; they must not drift apart."""
    in_signature = inspect.signature(train).parameters
    for field in dataclasses.fields(TrainOptions):
        if field.name in in_signature:
            assert in_signature[field.name].default == field.default, field.name
    names = [field.name for field in dataclasses.fields(TrainOptions)]
    assert [name for name in in_signature if name in names] == names[:7]


def test_an_option_that_does_not_exist_is_refused():
    net = NTupleNetwork(SMALL)
    with pytest.raises(TypeError, match="momentum"):
        train(net, 1, momentum=0.9)
    assert net.games == 0 and not net.weights.any()


@pytest.mark.parametrize(
    "option, value, right",
    [
        ("engine", "quick", '"fast" or "plain"'),
        ("engine", None, '"fast" or "plain"'),
        ("downgrade", 100, "power of two"),
        ("p4", 1.5, "between 0 and 1"),
    ],
)
def test_what_is_wrong_is_refused_when_the_object_is_made(option, value, right):
    with pytest.raises(ValueError, match=right) as caught:
        TrainOptions(**{option: value})
    assert repr(value) in str(caught.value)


def test_downgrading_is_of_the_fast_engine():
    with pytest.raises(ValueError, match='downgrade goes with engine="fast"'):
        TrainOptions(engine="plain", downgrade=16384)


@pytest.mark.parametrize(
    "options, step",
    [
        ({}, 0.1),
        ({"coherence": True}, 1.0),
        ({"alpha": 0.3}, 0.3),
        ({"alpha": 0, "coherence": True}, 0),
    ],
)
def test_the_step(options, step):
    assert TrainOptions(**options).step == step


def test_stages_follow_each_other():
    plan = Plan.make([(30, 0.5), (20, None, True), (10,)], TrainOptions(**OTHERS), first=4)
    assert plan.games == 60 and plan.first == 4
    expected = {0: (30, 0.5, False), 29: (30, 0.5, False), 30: (50, None, True)}
    expected |= {49: (50, None, True), 50: (60, None, False), 59: (60, None, False)}
    for done, (end, alpha, coherence) in expected.items():
        options, end_of_stage = plan.stage_after(done)
        assert (end_of_stage, options.alpha, options.coherence) == (end, alpha, coherence)
        assert dataclasses.replace(options, alpha=None, coherence=False) == TrainOptions(**OTHERS)


@pytest.mark.parametrize("episodes", [50, STAGES])
def test_a_plan_comes_back_from_a_file(episodes):
    plan = Plan.make(episodes, TrainOptions(**OTHERS), first=4)
    stored = json.loads(json.dumps(plan.as_dict()))
    assert Plan.from_dict(stored) == plan
    assert {name: stored[name] for name in OTHERS} == OTHERS


FIRST_EDITION = {  # a plan as the first edition wrote it into its checkpoints
    "stages": [[30, 0.5, False], [20, None, True]],
    "order": "backward",
    "p4": 0.1,
    "threads": 1,
    "seed": 5,
    "block": 10,
    "decay": 0.25,
    "restart": 20,
    "downgrade": None,
    "every": 20,
    "first": 0,
}


def test_a_plan_of_the_first_edition():
    plan = Plan.from_dict(FIRST_EDITION)
    assert plan.stages == (Stage(30, 0.5, False), Stage(20, None, True))
    assert plan.options.lambda_ == 0.25 and plan.options.restart == 20 and plan.options.seed == 5
    older = {name: FIRST_EDITION[name] for name in FIRST_EDITION if name != "downgrade"}
    assert Plan.from_dict(older) == plan


def test_a_checkpoint_of_the_first_edition_is_gone_on_with(tmp_path, monkeypatch):
    class Stop(Exception):
        """Ends training from a callback."""

    def stop(log):
        if len(log.scores) == 30:
            raise Stop

    options = {"seed": 5, "block": 10, "lambda_": 0.25, "restart": 20, "progress": False}
    whole, net, path = NTupleNetwork(SMALL), NTupleNetwork(SMALL), tmp_path / "run.npz"
    expected = train(whole, STAGES, **options)
    with monkeypatch.context() as patch:
        patch.setattr(Plan, "as_dict", lambda self: FIRST_EDITION)
        with pytest.raises(Stop):
            train(net, STAGES, **options, checkpoint=path, every=20, callback=stop)
    again, log = resume(path, progress=False)
    assert log.scores.tolist() == expected.scores.tolist()
    assert (again.weights == whole.weights).all() and (again.errors == whole.errors).all()


@pytest.mark.parametrize(
    "change, right",
    [
        ({"stages": []}, "a list of"),
        ({"stages": 7}, "not iterable"),
        ({"stages": [["many"]]}, "whole number"),
        ({"order": "sideways"}, '"backward" or "forward"'),
        ({"first": -1}, "first"),
        ({"momentum": 0.9}, "momentum"),
        ({"threads": "two"}, "threads"),
    ],
)
def test_a_plan_that_cannot_be_followed(change, right):
    with pytest.raises(ValueError, match="the plan of its training") as caught:
        Plan.from_dict(FIRST_EDITION | change)
    assert right in str(caught.value)


@pytest.mark.parametrize("stored", [None, 5, [], "plan", {}])
def test_what_is_no_plan_at_all(stored):
    with pytest.raises(ValueError, match="the plan of its training"):
        Plan.from_dict(stored)
