"""Experiments: trained networks, tables of results, the catalogue."""

import math
import shutil
import threading

import numpy as np
import pytest
from test_results import SMALL, limited, one_piece, stored, with_version

import experiments
from experiments import Table, claims, entries, networks, progress, store, train_and_evaluate
from experiments.catalogue import images
from experiments.networks import Recipe, learn, trained
from lib2048 import NTupleNetwork, symmetries
from lib2048.options import TrainOptions
from lib2048.recipes import find_recipe
from workbook.intervals import interval, student

# Networks


def test_training_goes_on_from_its_checkpoint(monkeypatch):
    recipe = Recipe.among({"patterns": SMALL, "seed": 3})
    net, log, _ = learn(recipe, 300, block=50)

    def stop(done, total):
        if done == 250:
            raise RuntimeError("killed")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError):
        patch.setattr(progress, "report", stop)
        learn(recipe, 300, block=50, every=100)
    seen = []
    monkeypatch.setattr(progress, "report", lambda done, total: seen.append(done))
    resumed, log2, _ = learn(recipe, 300, block=50, every=100)
    assert seen == [250, 300]
    assert np.array_equal(net.weights, resumed.weights) and np.array_equal(log.scores, log2.scores)
    _, log3, _ = learn(recipe, 300, block=50, every=100)
    assert np.array_equal(log.scores, log3.scores) and seen[2:] == [], (
        "it is over, and nothing is trained again"
    )
    (file,) = store.networks().iterdir()
    monkeypatch.setattr(Recipe, "network", None)  # what training would begin with
    assert file.stem.endswith("-run") and np.array_equal(trained(recipe, 300).weights, net.weights)


def test_networks_are_trained_once(monkeypatch):
    recipe = Recipe.among({"patterns": SMALL, "seed": 1})
    net, _, _ = learn(recipe, 40, block=10, ages=(20, 40))
    monkeypatch.setattr(Recipe, "network", None)  # what training would begin with
    assert np.array_equal(trained(recipe, 40).weights, net.weights)
    assert trained(recipe, 20).games == 20
    with pytest.raises(ValueError, match=r"multiples of block=10.*\[25\]"):
        learn(recipe, 40, block=10, ages=(20, 25))


def test_a_network_of_an_older_version_gives_way():
    recipe = Recipe(patterns=SMALL)
    path = recipe.path(40)
    old = path.with_name(path.name.replace("-v1", "-v0"))
    other = recipe.path(41)
    path.parent.mkdir(parents=True)
    old.touch()
    other.touch()
    trained(recipe, 40)
    assert path.exists() and other.exists() and not old.exists()


def test_a_recipe_is_named_by_what_it_chooses(monkeypatch):
    recipe = Recipe(patterns=SMALL, learning=TrainOptions(p4=0.1, seed=2))
    parameters = recipe.parameters()
    assert parameters["seed"] == 2 and parameters["patterns"] == SMALL
    assert not {"threads", "engine", "block", "every", "learning"} & parameters.keys()
    assert Recipe.among(parameters | {"games": 7}) == recipe
    before = recipe.path(40)
    monkeypatch.setattr(networks, "LEARNING", [name for name in networks.LEARNING if name != "p4"])
    assert recipe.path(40) == before, "an option that has its default is not in the name"
    assert Recipe.among({"seed": 3}).path(40) != Recipe().path(40)


def test_a_network_that_cannot_be_kept_is_not_trained(monkeypatch):
    """Each piece that plays with it would train it anew before it fails."""
    nearly_full = shutil.disk_usage("/")._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: nearly_full)
    monkeypatch.setattr(Recipe, "network", None)  # what training would begin with
    with pytest.raises(ValueError, match="may take .*not trained, because it could not be kept"):
        trained(Recipe(patterns=SMALL), 40)


def test_a_network_is_trained_by_one_process_at_a_time(monkeypatch):
    recipe = Recipe(patterns=SMALL)
    path = recipe.path(40)
    with claims.waiting_for(f"network-{path.stem}"):
        other = threading.Thread(target=trained, args=(recipe, 40))
        other.start()
        other.join(0.3)
        assert other.is_alive() and not path.exists()
        net = recipe.network()
        networks.keep(net, path)
    other.join(10)
    assert trained(recipe, 40).games == 0, "what the first one kept was read"


def test_a_training_that_diverges_is_a_result():
    found, measured = train_and_evaluate(200, patterns=SMALL, alpha=50.0, block=10)
    assert found["score"] is None and 0 < found["diverged"] <= 200 and "train_seconds" in measured
    assert len(found["means"]) == len(found["ended"]) <= 20


def test_the_curve_counts_all_games():
    found, _ = train_and_evaluate(45, evaluation=20, patterns=SMALL, block=10)
    assert found["ended"].shape[0] == len(found["means"]) == len(found["best"]) == 4
    assert (found["ended"].sum(axis=1) == 10).all() and found["diverged"] is None
    assert np.array_equal(experiments.reached(found, 2), np.ones(4))
    result = experiments.Result(
        stored(one_piece(train_and_evaluate, patterns=SMALL), (found, {"evaluate_seconds": 2.0}))
    )
    both = experiments.summary_of(result, result)
    assert both.games == 40 and both.mean == pytest.approx(found["score"]) and both.seconds == 4.0


def test_games_that_looked_ahead_are_taken_together_by_their_plies():
    found, _ = train_and_evaluate(20, evaluation=10, patterns=SMALL, block=10)
    stored_of = one_piece(train_and_evaluate, patterns=SMALL)
    ways = [
        {"plies": 1},
        {"plies": 3, "play_downgrade": None},
        {"plies": 3},
        {"plies": 3, "play_downgrade": 64},
        {"plies": 4, "margin": 100},
        {"plies": 5, "play_downgrade": 64, "margin": 100},
    ]
    rows = [
        experiments.Result(stored(stored_of, (found | way, {"evaluate_seconds": 1.0})))
        for way in ways
    ]
    as_it_is = experiments.summaries_by_plies(rows)
    assert {plies: summary.games for plies, summary in as_it_is.items()} == {1: 10, 3: 20}
    assert list(experiments.summaries_by_plies(rows, 64)) == [3]
    assert list(experiments.summaries_by_plies(rows, margin=100)) == [4]
    assert list(experiments.summaries_by_plies(rows, 64, margin=100)) == [5]


# Tables


def rows():
    scores = {1: (10.0, 11.0, 12.0), 2: (20.0, None, None)}
    return Table(
        {"alpha": a, "seed": seed, "score": scores[a][seed]} for a in (1, 2) for seed in range(3)
    )


def test_means_have_students_interval():
    assert student(1) == 12.706 and student(30) == pytest.approx(2.0423, abs=1e-3)
    assert student(11) == pytest.approx(2.2010, abs=3e-3) and student(10**6) == pytest.approx(
        1.96, abs=1e-3
    )
    mean, low, high = interval([1, 2, 3, 4])
    assert mean == 2.5 and high - mean == pytest.approx(mean - low) == pytest.approx(
        3.182 * 1.290994 / 2
    )
    assert math.isnan(interval([7])[1])
    means = rows().means("alpha", "score")
    assert means[0] == {
        "alpha": 1,
        "n": 3,
        "score": 11.0,
        "score_low": pytest.approx(8.516, abs=1e-3),
    } | {"score_high": pytest.approx(13.484, abs=1e-3)}
    assert means[1]["score"] == 20.0 and means[1]["n"] == 3 and means[1]["score_n"] == 1
    with pytest.raises(ValueError, match="no column 'gamma'; it has alpha, seed, score"):
        rows().means("gamma")


def test_tables_are_shown():
    table = rows()
    assert len(table) == 6 and table.where(alpha=2, seed=0)[0]["score"] == 20.0
    assert "| 2 | 0 | 20 |" in table._repr_markdown_() and "<td>20</td>" in table._repr_html_()
    assert "8.516 to 13.48" in repr(table.means("alpha", "score")) and ", of 1" in repr(
        table.means("alpha", "score")
    )
    assert (
        "&lt;" in Table([{"a": "<b>"}])._repr_html_()
        and r"\|" in Table([{"a": "x|y"}])._repr_markdown_()
    )
    results = Table(experiments.Result(stored(one_piece(n=n))) for n in (1, 2))
    assert "factor" not in repr(results), "what all rows share is left out"
    assert "array" not in repr(results)
    figure = table.plot("alpha", "score")
    assert "score over alpha. 11 at 1, 20 at 2" in figure.alt and "<svg" in figure.svg()
    assert len(table.plot("alpha", "score", by="seed").axes[0].containers) == 3


# The catalogue


@pytest.mark.parametrize("scale", ["small", "full"])
def test_every_experiment_has_pieces(scale):
    for name, entry in experiments.EXPERIMENTS.items():
        found = entry.pieces(scale)
        assert entry.question.endswith("?") and min(entry.seconds) > 0
        assert (
            len({made.label for made in found}) == len({made.name for made in found}) == len(found)
        ), name
        assert all(bool(made.record) == (entry.record and scale == "full") for made in found)


def test_an_experiment_asks_a_question_under_a_name_of_its_own(monkeypatch):
    monkeypatch.setattr(entries, "EXPERIMENTS", {})
    scales = dict(seconds=(1, 1))

    @experiments.experiment("one", **scales)
    def asks():
        """Is this
        a question?

        This is none.
        """
        yield one_piece(n=1)

    assert experiments.find("one").question == "Is this a question?"
    with pytest.raises(ValueError, match="two experiments called one"):
        experiments.experiment("one", **scales)
    with pytest.raises(ValueError, match="experiment two asks nothing"):
        experiments.experiment("two", **scales)(lambda: [])


def test_experiments_come_after_what_they_need():
    first, second = experiments.stages(["plies"], "small")
    assert [made.label for made in first] == ["afterstate"] and all(
        "plies" in made.label for made in second
    )
    with pytest.raises(ValueError, match="did you mean plies"):
        experiments.stages(["pliez"], "small")


def test_a_table_an_image_looks_up_what_the_shared_ones_do():
    shared, apart = NTupleNetwork("4x6"), images("4x6")
    assert len(set(apart)) == 32
    board = int(np.random.default_rng(0).integers(1 << 62))
    for k in range(4):
        wanted = {shared.index(k, image) for image in symmetries(board)}
        eight = apart[8 * k : 8 * k + 8]
        found = {
            sum((board >> 4 * cell & 15) << 4 * j for j, cell in enumerate(pattern))
            for pattern in eight
        }
        assert found == wanted


def test_records_are_read_and_never_run():
    with pytest.raises(FileNotFoundError, match="no result of million-afterstate"):
        experiments.result("million-afterstate")
    (made,) = experiments.find("million-afterstate").pieces("full")
    assert made.path == store.home() / "records" / "million-afterstate"
    stored(with_version(made, 0), {"score": 5.0})
    result = experiments.result("million-afterstate")
    assert result["score"] == 5.0 and result.stale and made.state == "stale"
    stored(made, {"score": 6.0})
    result = experiments.result("million-afterstate", scale="small")
    assert result["score"] == 6.0 and not result.stale and made.state == "stored"


def test_scale_and_names_are_checked(monkeypatch):
    assert experiments.check_scale() == "full" and experiments.check_scale("small") == "small"
    monkeypatch.setenv("SCALE", "small")
    assert experiments.check_scale() == "small"
    with pytest.raises(ValueError, match="small or full, got 'huge'"):
        experiments.result("afterstate", "huge")
    with pytest.raises(ValueError, match="no experiment"):
        experiments.result("nonsense")
    with pytest.raises(ValueError, match="2 networks with .*seed.*choose"):
        experiments.network("p4", seed=1)
    with pytest.raises(ValueError, match="beta: a sweep needs"):
        experiments.sweep(limited, n=1, beta=[])


def test_times_are_in_words():
    times = (0.2, 59, 180, 7200)
    assert [progress.in_words(s) for s in times] == ["1 s", "59 s", "3 min", "2.0 h"]


@pytest.mark.parametrize(
    ("called", "name"), [("minutes", "minutes"), ("hour", "hour"), ("search", "plainly")]
)
def test_recipes_are_what_the_records_were_made_by(called, name):
    recipe = find_recipe(called)
    parameters = experiments.find(name).pieces("full")[0].parameters
    assert parameters["games"] == tuple(map(tuple, recipe.stages))
    assert parameters["patterns"] == recipe.patterns
    for option, value in recipe.further_options.items():
        assert parameters[option] == value
    assert parameters["downgrade"] == recipe.options.downgrade
