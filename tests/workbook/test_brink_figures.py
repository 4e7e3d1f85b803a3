"""What is told and drawn of the brink is what the games say."""

import numpy as np
import pytest

from workbook.brinks import further_ahead, going_on, lost_at_the_brink, ways_on, where_games_end


class Result(dict):
    """A result of relay-brink with two ways."""

    def __init__(self, begun, made, moves, seconds):
        super().__init__(begun=begun, made=np.array(made), moves=np.array(moves))
        measured = {f"seconds_of_way_{n}": took for n, took in enumerate(seconds)}
        ways = [[3, None], [6, 30_000]]
        self.about = {"parameters": {"ways": ways}, "measured": measured}


RESULTS = [Result(10, [4, 9], [100, 200], [1.0, 2.0]), Result(30, [16, 27], [300, 200], [3.0, 6.0])]


def plain(text: str) -> str:
    """Without the spaces at which no line breaks."""
    return text.replace("\u00a0", " ")


def way(plies, made, begun=400):
    return {"plies": plies, "begun": begun, "made": made, "milliseconds": 2.0}


def test_the_figure_falls_where_games_end():
    figure = going_on([10_000, 20_000, 30_000, 40_000], (16_384, 32_768))
    (curve,) = figure.axes[0].lines
    assert curve.get_xdata().tolist() == [8_192, 10_000, 20_000, 30_000, 40_000]
    assert curve.get_ydata().tolist() == [100, 75, 50, 25, 0]
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["16,384", "32,768"]
    assert "16,384: 75 %; 32,768: 25 %" in figure.alt


def test_ways_are_summed_over_the_pieces():
    first, second = ways_on(RESULTS)
    assert first == {"plies": 3, "margin": None, "begun": 40, "made": 20, "milliseconds": 10.0}
    assert second == {"plies": 6, "margin": 30_000, "begun": 40, "made": 36, "milliseconds": 20.0}


@pytest.mark.parametrize(
    "made, said",
    [
        (300, "So it pays to look further ahead there, and at 2 milliseconds for a move 25 %"),
        (100, "So looking further ahead even harms there."),
        (205, "cannot tell whether looking further ahead pays there; 49 % of them are lost"),
    ],
)
def test_the_deepest_is_judged_beside_the_first(made, said):
    told = plain(further_ahead([way(3, 200), way(4, 190), way(6, made)]))
    assert f"With 3, 4 and 6 plies it makes the tile in 50 %, 48 % and {made / 4:.0f} %" in told
    assert said in told


def test_games_are_lost_at_the_brink_or_before():
    sums = [16_000, 20_000, 32_300, 32_772, 40_000]
    assert lost_at_the_brink(sums, [13, 14, 14, 14, 15], 15, 512) == pytest.approx(2 / 3)


def test_games_that_end_everywhere_are_told_so():
    told = where_games_end(range(0, 65_536, 64), 8_192)
    assert plain(told).startswith("12 % of the games") and "hardly more than anywhere" in told
    told = where_games_end([7_900, 8_100, 16_300, 20_000], 8_192)
    assert plain(told) == (
        "75 % of the games end in the last eighth before the sum is a multiple of 8,192."
    )
