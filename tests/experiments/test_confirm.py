"""Results that are kept when only code changed: what is compared, what the files then say, what is refused."""

import os
import shutil
from dataclasses import replace

import numpy as np
import pytest
from test_experiments import SMALL, home, limited, stored  # noqa: F401

import experiments
from experiments import beginnings, confirm, keys, piece, progress, store, train_and_evaluate
from experiments.__main__ import main
from experiments.differences import same
from experiments.networks import Recipe
from experiments.piece import EXPERIMENTS

OLD = "0" * 64
TRAINING = dict(games=400, evaluation=40, patterns=SMALL, block=10, seed=3)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """A training of 400 games is a long one."""
    monkeypatch.setattr(beginnings, "WHOLE", 300)
    monkeypatch.setattr(beginnings, "GAMES", 50)


@pytest.fixture(params=["runs", "record"])
def entered(request):
    """Enters an experiment of one piece, kept in runs/ or as a record, and returns its piece."""

    def enter(
        function=train_and_evaluate, name="it", record=request.param == "record", **parameters
    ):
        EXPERIMENTS.pop(name, None)
        options = dict(question="Does it?", scales={"full": {}}, cost={"full": 1}, record=record)
        experiments.experiment(name, **options)(lambda: [piece(function, **parameters)])
        (made,) = experiments.find(name).pieces("full")
        return made

    yield enter
    for name in ("it", "other", "third"):
        EXPERIMENTS.pop(name, None)


def made_by_older_code(made, outcome=None, code=OLD, **changes):
    """Keep a result of a piece, with some values changed, as if other code had made it."""
    values, measured = outcome or made.function(**made.parameters), {}
    if isinstance(values, tuple):
        values, measured = values
    return stored(replace(made, code=code), (values | changes, measured))


def files():
    """The content of all results."""
    folders = store.records(), store.results()
    return {
        file: file.read_bytes()
        for folder in folders
        if folder.exists()
        for file in folder.iterdir()
    }


def confirmed(*names):
    return main(["confirm", *(names or ["it"])])


def test_what_does_the_same_is_kept_for_the_present_code(entered, capsys):
    made = entered(**TRAINING)
    old = made_by_older_code(made)
    before, (values, about) = files(), old.load()
    assert made.state == "stale"
    assert confirmed() == 0
    assert "it: confirmed: first 5 of 40 blocks the same" in capsys.readouterr().out
    (made,) = EXPERIMENTS["it"].pieces("full")
    kept, now = made.load()
    assert made.state == "stored" and not experiments.Result(made).stale
    assert all(same(kept[name], values[name]) for name in values) and kept.keys() == values.keys()
    (entry,) = now.pop("confirmed")
    assert now == about and now["code"] == OLD, "what made it stays readable"
    assert (
        entry["code"] == made.code
        and entry["blocks"] == 5
        and entry["of"] == 40
        and "date" in entry
    )
    arrays = made.path.with_name(made.name + ".npz")
    assert arrays.read_bytes() == before[old.path.with_name(old.name + ".npz")]
    assert made.record or all(files()[file] == content for file, content in before.items()), (
        "nothing is lost"
    )
    assert main(["show", "it"]) == 0
    assert (
        "made by earlier code, first 5 of 40 blocks the same with the present one"
        in capsys.readouterr().out
    )
    assert main(["status"]) == 0 and "it                      stored" in capsys.readouterr().out
    assert confirmed() == 0 and "Nothing is stale" in capsys.readouterr().out
    assert not list(store.running().iterdir())


def test_a_changed_rule_is_refused_and_the_file_stays(entered, capsys, monkeypatch):
    made = entered(**TRAINING)
    made_by_older_code(made)
    before, options = files(), Recipe.options
    monkeypatch.setattr(Recipe, "options", lambda self: options(self) | {"alpha": 0.1001})
    assert confirmed() == 1
    out = capsys.readouterr().out
    assert "it: stays stale: block " in out and "differs: means" in out and "1 different" in out
    assert files() == before and made.state == "stale"


def test_the_last_bit_counts_and_the_first_block_that_differs_is_named(entered, capsys):
    made = entered(**TRAINING)
    means = made.function(**made.parameters)[0]["means"]
    means[[3, 6]] = np.nextafter(means[[3, 6]], np.inf)
    made_by_older_code(made, means=means)
    before = files()
    assert confirmed() == 1
    assert "block 4 differs: means" in capsys.readouterr().out
    assert files() == before
    assert not same(0.0, -0.0) and same(np.nan, np.nan) and not same(np.zeros(1), np.zeros(1, int))


def test_a_short_training_is_done_as_a_whole(entered, capsys):
    made = entered(**TRAINING | {"games": 100, "ages": (50, 100)})
    made_by_older_code(made)
    shutil.rmtree(store.networks())
    assert confirmed() == 0
    assert "all 10 blocks and 40 games of the evaluation the same" in capsys.readouterr().out
    assert not store.networks().exists(), "what is tried leaves nothing"
    other = entered(**TRAINING | {"games": 100, "seed": 4})
    made_by_older_code(other, score=1.0)
    assert confirmed() == 1 and "score differs: " in capsys.readouterr().out
    made_by_older_code(other, means=np.zeros(3))
    assert confirmed() == 1 and "block 1 differs" in capsys.readouterr().out


def test_where_a_training_diverged_is_compared(entered, capsys):
    made = entered(**TRAINING | {"alpha": 1.9, "block": 2})
    outcome = made.function(**made.parameters)
    number = outcome[0]["diverged"]
    made_by_older_code(made, outcome, diverged=number + 1)
    assert 4 < number < 400 and len(outcome[0]["means"]) == (number - 1) // 2 and confirmed() == 1
    assert f"diverged differs: {number} now, {number + 1} in the result" in capsys.readouterr().out
    made_by_older_code(made, outcome, best=outcome[0]["best"] + 4)
    assert confirmed() == 1 and "block 1 differs: best" in capsys.readouterr().out
    made_by_older_code(made, outcome)
    assert confirmed() == 0 and made.load()[0]["diverged"] == number
    assert f"all {number} games the same" in capsys.readouterr().out
    entered(**TRAINING)
    made_by_older_code(EXPERIMENTS["it"].pieces("full")[0], outcome)
    assert confirmed() == 1, "the training does not diverge any more"


def test_the_present_code_diverges(entered, capsys, monkeypatch):
    made_by_older_code(entered(**TRAINING))
    options = Recipe.options
    monkeypatch.setattr(Recipe, "options", lambda self: options(self) | {"alpha": 5000.0})
    assert confirmed() == 1 and "it diverges at game" in capsys.readouterr().out


def test_confirmed_again_after_another_change(entered, monkeypatch, capsys):
    made = entered(**TRAINING)
    made_by_older_code(made)
    hash_now = keys.code_hash
    monkeypatch.setattr(keys, "code_hash", lambda function: "1" * 64)
    assert confirmed() == 0
    assert EXPERIMENTS["it"].pieces("full")[0].state == "stored" and made.state == "stale"
    monkeypatch.setattr(keys, "code_hash", hash_now)
    assert confirmed() == 0
    _, about = made.load()
    assert about["code"] == OLD and [entry["code"] for entry in about["confirmed"]] == [
        "1" * 64,
        made.code,
    ]
    assert made.state == "stored" and made.confirmation(about) == about["confirmed"][1]


def test_what_cannot_be_confirmed_is_left(entered, capsys):
    made = entered(limited, n=3)
    made_by_older_code(made)
    before = files()
    assert confirmed() == 0 and made.state == "stale" and files() == before
    assert "it: cannot be confirmed, run it: nothing says how" in capsys.readouterr().out


def test_a_torn_file_and_a_missing_one_are_no_results(entered, capsys):
    made = entered(**TRAINING)
    assert confirmed() == 0 and "Nothing is stale" in capsys.readouterr().out
    old = made_by_older_code(made)
    arrays = old.path.with_name(old.name + ".npz")
    arrays.write_bytes(arrays.read_bytes()[:-20])
    before = files()
    assert confirmed() == 0 and files() == before and made.state == "missing"


@pytest.mark.parametrize("entered", ["record"], indirect=True)
def test_a_record_with_other_parameters_stays_stale(entered, capsys):
    stored(entered(**TRAINING | {"seed": 7}))
    made, before = entered(**TRAINING), files()
    assert made.state == "stale" and confirmed() == 0 and files() == before
    assert (
        "cannot be confirmed, run it: its result was made with other parameters"
        in capsys.readouterr().out
    )


def test_what_fails_is_told_and_the_others_go_on(entered, monkeypatch, capsys):
    made_by_older_code(entered(limited, n=3))
    made_by_older_code(entered(name="other", **TRAINING))
    monkeypatch.setitem(beginnings.PARTNERS, limited, lambda *_: 1 / 0)
    assert confirmed("it", "other") == 1
    out = capsys.readouterr().out
    assert "it: cannot be tried: ZeroDivisionError" in out and "1 failed, 1 confirmed" in out
    assert EXPERIMENTS["other"].pieces("full")[0].state == "stored"


def test_ctrl_c_leaves_all_as_it_was(entered, monkeypatch, capsys):
    made = entered(**TRAINING)
    made_by_older_code(made)
    before = files()

    def stop(done, total):
        assert progress.read(made.name)["pid"] == os.getpid(), "it is claimed"
        if done == 20:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(progress, "report", stop)
        assert confirmed() == 130
    assert files() == before and not list(store.running().iterdir())
    assert confirmed() == 0


def test_edited_sources_are_refused(entered, monkeypatch, capsys):
    made_by_older_code(entered(**TRAINING))
    before = files()
    monkeypatch.setattr(keys, "project_stamp", lambda: "edited since")
    assert confirmed() == 2 and "edited since this process loaded them" in capsys.readouterr().err
    assert files() == before


# Requests


def test_how_much_is_tried():
    assert beginnings.beginning(1_000, 10_000) == 30
    assert beginnings.beginning(1_000, 12) == 12, "a minute"
    assert beginnings.beginning(1_000, 1) == 2 and beginnings.beginning(50, 50, least=5) == 5
    assert beginnings.beginning(1, 1, least=5) == 1


def test_requests_are_checked_and_no_result_depends_on_this(capsys):
    assert (
        main(["confirm"]) == 2
        and "confirm takes names of experiments or --all" in capsys.readouterr().err
    )
    assert main(["confirm", "hour", "--all"]) == 2 and "not both" in capsys.readouterr().err
    assert main(["confirm", "houre"]) == 2 and "did you mean hour" in capsys.readouterr().err
    assert (
        main(["confirm", "--all", "--scale", "small"]) == 0
        and "Nothing is stale" in capsys.readouterr().out
    )
    for function in beginnings.PARTNERS:
        machinery = {f"experiments.{name}" for name in ("confirm", "beginnings", "differences")}
        assert not machinery & keys.sources(function).keys()
    entry = {"code": "", "blocks": 30, "of": 1000}
    assert (
        confirm.in_words(entry)
        == "made by earlier code, first 30 of 1,000 blocks the same with the present one"
    )
