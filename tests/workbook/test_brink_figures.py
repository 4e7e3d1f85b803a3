"""What is told and drawn of the brink is what the games say."""

import numpy as np
import pytest

from workbook.brinks import (
    further_ahead,
    going_on,
    lost_at_the_brink,
    more_of_a_hundred,
    row_of_way,
    ways_on,
    where_games_end,
)


class Result(dict):
    """A result of relay-brink with two ways."""

    def __init__(self, begun, made, moves=(100, 100), seconds=(1.0, 2.0)):
        super().__init__(begun=begun, made=np.array(made), moves=np.array(moves))
        measured = {f"seconds_of_way_{n}": took for n, took in enumerate(seconds)}
        self.about = {"parameters": {"ways": [[3, None], [6, 30_000]]}, "measured": measured}


RESULTS = [Result(10, [4, 9], [100, 200]), Result(30, [16, 27], [300, 200], [3.0, 6.0])]


def plain(text: str) -> str:
    """Without the spaces at which no line breaks."""
    return text.replace("\u00a0", " ")


def test_the_figure_falls_where_games_end():
    figure = going_on([16_384, 5_000, 30_000, 40_000], (16_384, 32_768))
    (curve,) = figure.axes[0].lines
    assert curve.get_xdata().tolist() == [0, 5_000, 16_384, 30_000, 40_000]
    assert curve.get_ydata().tolist() == [100, 75, 50, 25, 0]
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["16,384", "32,768"]
    assert "16,384: 50 %; 32,768: 25 %" in figure.alt, "as the curve goes on"


def test_ways_are_summed_over_the_results():
    first, second = ways_on(RESULTS)
    assert first["plies"] == 3 and first["margin"] is None
    assert (first["begun"], first["made"], first["moves"], first["seconds"]) == (40, 20, 400, 4.0)
    assert row_of_way(second, 512) == {
        "plies": 6,
        "margin": "30,000",
        "games": 40,
        "512 (%)": "90.0 (76.9-96.0)",
        "moves a game": 10,
        "ms a move": "20",
    }


def test_ways_are_compared_result_by_result():
    """Where all results differ alike there is no doubt; where they differ otherwise there is."""
    alike = [Result(10, [2, 5]), Result(10, [6, 9])]
    assert more_of_a_hundred(alike, 1, 0) == (30.0, 0.0)
    mixed = [Result(10, [2, 4]), Result(10, [6, 10])]
    difference, half = more_of_a_hundred(mixed, 1, 0)
    assert difference == 30.0
    assert half == pytest.approx(12.706 * np.std([20, 40], ddof=1) / 2**0.5)


@pytest.mark.parametrize(
    "made, said",
    [
        ([(4, 8), (5, 8), (4, 9)], "So 6 plies are better than 3. Still, with 6 plies, at 20 mill"),
        ([(8, 4), (8, 5), (9, 4)], "So 6 plies are worse than 3, and with 6 plies"),
        ([(8, 4), (4, 8), (6, 7)], "cannot tell whether 6 plies are better than 3. Even with 6"),
        ([(10, 10), (10, 10)], "cannot tell whether 6 plies are better than 3."),
    ],
)
def test_the_deepest_is_judged_beside_the_first(made, said):
    rows = [Result(10, each) for each in made]
    told = plain(further_ahead(rows))
    shares = [sum(each[n] for each in made) / len(made) * 10 for n in (0, 1)]
    assert f"With 3 and 6 plies the second network makes the tile in {shares[0]:.0f} %" in told
    assert said in told
    assert f"{100 - shares[1]:.0f} % of the games are lost" in told


def test_where_no_game_came_nothing_is_judged():
    assert further_ahead([Result(0, [0, 0], [0, 0])]) == "No game came so far."


def test_games_are_lost_at_the_brink_past_it_or_before():
    sums = [16_000, 20_000, 32_300, 32_772, 40_000]
    assert lost_at_the_brink(sums, [13, 14, 14, 14, 15], 15, 512) == (3, 1, 1)


def test_games_that_end_everywhere_are_told_so():
    told = plain(where_games_end(np.arange(64, 65_536, 64), 8_192))
    assert told.startswith("13 % of the games") and told.endswith(
        "If they ended anywhere, 13 % would."
    )


def test_the_worst_places_are_named():
    near = [8_100] * 2 + [16_300] * 20 + [16_388] * 10 + [32_700] * 18
    told = plain(where_games_end(near + [20_000] * 50, 8_192))
    assert told.startswith("50 % of the games end in the last eighth")
    assert (
        "are 16,384 (30 % of all games) and 32,768 (18 % of all games). 74 % of the games" in told
    )
    told = plain(where_games_end(near + [30_000] * 50, 8_192))
    assert "is safe for a while: 0 % of the games past the first one end before the sum is" in told
