"""The game as a picture that moves: one frame at a time, and as README shows it."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
from browsing import ROOT, browser  # noqa: F401  (a fixture)

from workbook.animation import frames, game_svg
from workbook.story import the_game

FILE = ROOT / "figures" / "game.svg"
LARGEST = 1_000_000  # bytes


def test_the_stored_picture_is_the_one_that_is_drawn():
    assert FILE.read_text(encoding="utf-8") == game_svg(the_game()), "run make figures"
    assert FILE.stat().st_size < LARGEST
    ElementTree.parse(FILE)


def test_one_frame_after_another_is_shown():
    """Each begins when the one before it ends, and the last one ends the round."""
    svg = FILE.read_text(encoding="utf-8")
    total = float(re.search(r"animation:move ([\d.]+)s", svg)[1])
    delays = [float(delay) for delay in re.findall(r"animation-delay:(-?[\d.]+)s", svg)]
    shown = frames(the_game())
    assert len(delays) == len(shown) == svg.count("<g class=")
    ends = [*delays[1:], 0.0]
    for (_, seconds), start, end in zip(shown, delays, ends):
        assert end - start == pytest.approx(seconds, abs=0.02)
    assert delays[0] == pytest.approx(-total, abs=0.02)


def test_it_ends_where_the_largest_tile_comes_up():
    game = the_game()
    last = frames(game)[-1][0]
    assert game.max_tile == 4096
    assert f"{last:,} moves" in FILE.read_text(encoding="utf-8")
    assert int(game.boards[last - 1]) != int(game.boards[last])


@pytest.mark.browser
def test_it_moves_in_an_image_and_stands_still_for_whoever_asks(browser, tmp_path):  # noqa: F811
    page = browser.new_page(viewport={"width": 400, "height": 460})
    (tmp_path / "page.html").write_text(f'<img src="{FILE.as_uri()}" width="360">')
    page.goto((tmp_path / "page.html").as_uri())
    first = page.screenshot()
    page.wait_for_timeout(900)
    assert page.screenshot() != first
    page.emulate_media(reduced_motion="reduce")
    page.goto(FILE.as_uri())
    assert page.locator("g.frame:visible").count() == 1
    assert page.locator("g.last").is_visible()
    page.close()
