"""Learning in the page: the browser's learner is Python's to the bit, and the page shows it."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import numpy as np
import pytest
from browsing import SHOTS, browser, open_page, wait

from lib2048 import NTupleNetwork, playing_page, train
from lib2048.viewer.joining import joined
from lib2048.viewer.look import SCRIPT
from lib2048.viewer.playing import school_settings

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GAMES = 60
LEARN = """async ([source, settings, games]) => {
    const file = new Blob([source], { type: "text/javascript" });
    const { Learner } = (await import(URL.createObjectURL(file))).default;
    const learner = new Learner({ ...settings, seed: BigInt(settings.seed) });
    const scores = Array.from({ length: games }, () => learner.play().score);
    const tables = learner.tables.map(table => {
        const touched = [...table.keys()].filter(index => table[index] !== 0);
        return touched.map(index => [index, table[index]]);
    });
    return { scores, tables };
}"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "play.html"
    playing_page(path, NTupleNetwork(((0, 1),)), seed=7)
    return path


def test_it_learns_what_python_learns(browser):
    """The same games, and the same weights to the last bit."""
    settings = school_settings()
    page = browser.new_page()
    learned = page.evaluate(LEARN, [joined(SCRIPT / "learning.js"), settings, GAMES])
    page.close()
    net = NTupleNetwork(settings["patterns"])
    options = {"alpha": settings["alpha"], "lambda_": settings["lambda"], "coherence": True}
    log = train(net, GAMES, seed=int(settings["seed"]), progress=False, **options)
    assert learned["scores"] == log.scores.tolist()
    for k, entries in enumerate(learned["tables"]):
        table = np.zeros(16 ** len(net.patterns[k]), np.float32)
        for index, weight in entries:
            table[index] = weight
        assert np.array_equal(table, net.table(k)), k


def test_a_reader_watches_it_learn(browser, file):
    """Games are counted and a curve grows; it pauses, goes on, and plays what it has learned."""
    page, wrong = open_page(browser, file)
    status = page.locator(".schoolstatus")
    page.get_by_role("button", name="Let a network learn from nothing").click()

    def games():
        text = status.text_content()
        return int(text.split(" games")[0].replace(",", "")) if "newest" in text else 0

    wait(lambda: games() > 20, 60)
    page.locator(".school .line.worth").wait_for(state="attached")
    page.get_by_role("button", name="Pause learning").click()
    page.get_by_role("button", name="Watch what it has learned").click()
    pupil = page.get_by_role("button", name="learned here")  # asked for after the pause
    pupil.wait_for()
    before = games()
    assert f"learned here, {before:,} games" in pupil.text_content()
    assert pupil.get_attribute("aria-pressed") == "true"
    page.wait_for_timeout(1000)
    assert games() == before, "it pauses"
    largest = int(page.locator("dd.move").text_content().split("/")[1].replace(",", ""))
    assert largest > 100
    page.get_by_role("button", name="Go on learning").click()
    wait(lambda: games() > before, 60)
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / "school.png", full_page=True)
    assert wrong == []
    page.context.close()
