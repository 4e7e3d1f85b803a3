"""Matches as pieces of experiments: what is made of their results, their catalogue, pictures."""

import math
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

import experiments
from experiments import Result, catalogue_ewn
from experiments.catalogue_ewn import tournament
from libewn import MCTS, Game, play_rounds, player, win_share
from workbook.ewn_figures import (
    bounds_figure,
    budgets_figure,
    formulas_figure,
    growth_svg,
    move_name,
)
from workbook.ewn_matches import capped, cells, gain, rounds_of, share

NAMES = [name for name in experiments.EXPERIMENTS if name.startswith("ewn-")]


def played(instances, first=0, **options):
    parameters = {"algorithm": "mcts", "opponent": "normal", "simulations": 200} | options
    return (
        parameters | {"first": first} | tournament(instances=instances, first=first, **parameters)
    )


def test_a_tournament_is_its_rounds_whole_or_in_parts():
    rounds = play_rounds(player("mcts", simulations=200, c=0.3), player("normal"), range(6), seed=1)
    whole = played(6, c=0.3)
    parts = [played(2, c=0.3), played(4, first=2, c=0.3)]
    assert rounds_of([whole]) == rounds_of(parts) == rounds
    assert share(parts) == win_share(rounds)
    assert whole["won"].dtype == whole["eliminated"].dtype == whole["plies"].dtype == np.uint8
    assert whole["won"].shape == (6, 2) and whole["wins"] == sum(one.won for one in rounds)
    assert whole["wins"] == sum(part["wins"] for part in parts)
    assert 0 < capped([whole]) <= 1 and whole["children"] == sum(part["children"] for part in parts)
    assert math.isnan(capped([whole | {"children": 0}]))


def test_cells_and_differences():
    strong, weak = played(6, simulations=2000), played(4, algorithm="mcs", simulations=25)
    both = cells([strong, weak, strong], "algorithm")
    assert [len(part) for part in both.values()] == [2, 1]
    assert list(cells([strong, weak], "algorithm", "simulations")) == [("mcts", 2000), ("mcs", 25)]
    more = gain([strong], [weak])
    assert more.instances == 4, "only instances that both played"
    assert more.value == pytest.approx(strong["won"][:4].mean() - weak["won"].mean())
    with pytest.raises(ValueError, match="no rounds"):
        gain([strong], [played(2, first=6)])


# The catalogue


def test_all_cells_are_played_on_the_same_instances():
    """From number 0 on, without a gap, of one set; a table's cells with one budget."""
    assert len(NAMES) == 10
    for name in NAMES:
        for scale in ("small", "full"):
            pieces = [
                piece.parameters | piece.tags for piece in experiments.find(name).pieces(scale)
            ]
            options = [
                key
                for key in {key for one in pieces for key in one}
                if key not in ("first", "instances")
            ]
            for parts in cells(pieces, *options).values():
                ends = [(part["first"], part["first"] + part["instances"]) for part in parts]
                assert ends[0][0] == 0 and [a for a, _ in ends[1:]] == [b for _, b in ends[:-1]]
            others = [one for one in pieces if one.get("player") == "best, other instances"]
            assert {one["seed"] for one in pieces if one not in others} == {1}
            if name != "ewn-budgets":
                assert len({one["simulations"] for one in pieces}) == 1
            assert [one["seed"] for one in others] == ([2] if name == "ewn-strength" else [])


def test_the_four_tables_have_the_rounds_of_the_report():
    rounds = {}
    for name in NAMES:
        pieces = [piece.parameters | piece.tags for piece in experiments.find(name).pieces("full")]
        columns = ("player", "opponent", "c", "ucb", "pv_k", "move_k", "simulations", "expand")
        rounds[name] = {
            2 * sum(part["instances"] for part in parts)
            for parts in cells(pieces, *columns).values()
        }
    assert rounds.pop("ewn-pv-temperature") == {200} and rounds.pop("ewn-move-temperature") == {500}
    assert rounds.pop("ewn-strength") == {1000, 500}  # 500 on the other instances
    assert rounds.pop("ewn-course") == {100, 50}  # against normal and easy, at 100,000 playouts
    assert rounds.pop("ewn-budgets") == {500}
    assert set.union(*rounds.values()) == {1000}


def test_every_c_has_its_match():
    pieces = [piece.parameters for piece in experiments.find("ewn-formulas").pieces("small")]
    played = cells(pieces, "ucb", "c")
    for (formula, c), by in [
        ((f, c), by) for f, by in catalogue_ewn.HALVED.items() for c in catalogue_ewn.TRIED_C
    ]:
        assert (formula, c) in played and ("ucb1", round(c / by, 3)) in played


def test_small_results_are_made_and_full_ones_read(home, monkeypatch):
    """What "full" means for a record; others are read at any scale (test_catalogue.py)."""
    entry = experiments.find("ewn-pv-temperature")
    assert entry.reads_record("full") and not entry.reads_record("small")
    with pytest.raises(FileNotFoundError, match="ewn-pv-temperature"):
        experiments.table("ewn-pv-temperature", "full")

    def collect(pieces, stages, **options):
        return pieces, stages

    monkeypatch.setattr("experiments.asking.collect", collect)
    pieces, stages = experiments.table("ewn-pv-temperature", "small")
    assert pieces == stages[0] and not any(piece.record for piece in pieces)
    assert all(piece.record for piece in entry.pieces("full"))


def test_a_piece_is_run_and_read(home):
    (small,) = [
        piece
        for piece in experiments.find("ewn-algorithms").pieces("small")
        if piece.tags["player"] == "MCS"
    ]
    small = replace(small, parameters=small.parameters | {"instances": 2, "simulations": 50})
    assert experiments.runner.run([[small]], jobs=1, show=False) == {}
    result = Result(small)
    assert share([result]).instances == 2 and result["player"] == "MCS" and not result.stale


# Pictures


def test_pictures_say_what_they_show():
    game = Game(seed=1)
    search = MCTS(simulations=3000)
    found = search.search(game)
    assert move_name(game, game.legal_moves()[0])[0] == str(game.legal_moves()[0][0])
    bounds = bounds_figure(game, {"one": found, "two": found})
    assert "<svg" in bounds.svg() and len(bounds.axes) == 2
    assert all(
        f"{move_name(game, m)} {n:,} playouts" in bounds.alt
        for m, n in zip(found.moves, found.visits)
    )
    tree = search.tree(game)
    svg = growth_svg(game, {"3,000 & more": tree})
    root = ElementTree.fromstring(svg)
    circles = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    kept = [node for node in tree if node.playouts >= 0.005 * 3000 and node.depth <= 8]
    assert len(circles) == len(kept) and f"{len(tree)} nodes" in root[0].text
    assert all(
        0 <= float(circle.get("cx")) <= 250 and 0 <= float(circle.get("cy")) <= 250
        for circle in circles
    )
    shares = {"ucb1": {0.5: (0.6, 0.5, 0.7), 1.0: (0.7, 0.6, 0.8)}, "tuned": {1.0: (0.6, 0.5, 0.7)}}
    figure = formulas_figure(shares, {"ucb1": 1, "tuned": 2})
    assert "tuned: 60.0 % at 1" in figure.alt and "<svg" in figure.svg()
    lines = [
        line for axes in figure.axes for line in axes.lines if line.get_marker() not in ("|", "_")
    ]
    assert len({(line.get_marker(), line.get_linestyle()) for line in lines}) >= 2, (
        "without colour, they differ"
    )


def test_budgets_are_shown_in_playouts_and_in_time():
    shares = {"tree": {1_000: (0.5, 0.4, 0.6)}, "best": {1_000: (0.8, 0.7, 0.9)}}
    figure = budgets_figure(shares, {"tree": 1.0, "best": 3.0})
    left, right = figure.axes
    assert "best: 80.0 % at 1,000" in figure.alt and "<svg" in figure.svg()
    places = [sorted(line.get_xdata()[0] for line in axes.lines) for axes in (left, right)]
    assert places[0][0] == places[0][-1] == 1_000
    assert places[1][0] == 1_000 and places[1][-1] == 3_000


def test_the_numbers_below_two_panels_keep_apart():
    points = {1_000: (0.5, 0.4, 0.6), 100_000: (0.8, 0.7, 0.9)}
    figure = budgets_figure({"tree": points, "best": points}, {"tree": 1.0, "best": 1.0})
    figure.draw_without_rendering()
    left, right = figure.axes
    ends = [number.get_window_extent() for number in left.get_xticklabels()]
    starts = [number.get_window_extent() for number in right.get_xticklabels()]
    last = max(box.x1 for box in ends if box.x0 < left.bbox.x1)
    first = min(box.x0 for box in starts if box.x1 > right.bbox.x0)
    assert first - last > 20  # dots of a hundredth of an inch
