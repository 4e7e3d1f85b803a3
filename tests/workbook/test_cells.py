"""What cells of the notebooks show: figures, tables, sentences, listings."""

import subprocess
import sys

import pytest

from experiments.versions import ROOT
from workbook import cells


def test_figure_say_and_listing(monkeypatch):
    shown = []
    monkeypatch.setattr(
        cells, "display", lambda data, metadata=None, raw=False: shown.append((data, metadata))
    )
    monkeypatch.setattr("workbook.listings.display", cells.display)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">{}</svg>'
    cells.figure(svg.format("<title>a &lt; b</title>"), "fig-x", "A caption.")
    assert shown[0][1]["lib2048"] == {"label": "fig-x", "caption": "A caption.", "alt": "a < b"}
    assert set(shown[0][0]) == {"image/svg+xml", "image/png", "text/plain"}
    assert shown[0][1]["image/png"] == {"width": 40}
    with pytest.raises(ValueError, match="no whole SVG document"):
        cells.figure("<g><title>a</title></g>", "fig-x", "A.")
    faults = [
        ("fig-x", "A.", "SVG document"),
        ("x", "A.", "a label"),
        ("fig-../x", "A.", "a label"),
        ("fig-X", "A.", "a label"),
        ("fig-x", "no stop", "caption"),
    ]
    for label, caption, reason in faults:
        with pytest.raises(ValueError, match=reason):
            cells.figure("x", label, caption)

    def mine(max_tiles, tile):
        return sum(one >= tile for one in max_tiles) / len(max_tiles)

    def wrong(max_tiles, tile):
        return 0.5

    shown.clear()
    for own in (None, wrong, mine):
        cells.listing("win_rate", own)
    theirs, also_theirs, own = (data["text/markdown"] for data, _ in shown)
    assert theirs == also_theirs and theirs.startswith(
        "From `lib2048/records.py`:\n\n```python\ndef share("
    )
    assert (
        own.startswith("The author's own `mine`")
        and "def mine(max_tiles, tile):\n    return sum(" in own
    )
    with pytest.raises(ValueError, match="slide_left, slide, symmetries"):
        cells.listing("train")


def test_every_exercise_has_a_listing(capsys):
    from workbook import check
    from workbook.listings import WORKERS

    assert set(WORKERS) <= set(check.EXERCISES)
    for name in WORKERS:
        cells.listing(name)
    assert "def " in capsys.readouterr().out


def test_listings_show_the_plain_engine():
    from workbook.listings import WORKERS

    files = {
        exercise: {getattr(function, "py_func", function).__module__ for function in functions}
        for exercise, functions in WORKERS.items()
    }
    assert files.pop("win_rate") == {"lib2048.records"}
    assert {name for name, homes in files.items() if homes == {"lib2048.board"}} == {
        "slide_left",
        "slide",
        "symmetries",
    }
    del files["slide_left"], files["slide"], files["symmetries"]
    assert all(homes == {"lib2048.learning"} for homes in files.values())


def test_cells_are_light():
    heavy = {"typst", "pypandoc", "nbconvert", "experiments"}
    program = f"import sys, workbook.cells; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr
