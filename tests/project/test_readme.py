"""README.md says what is so: its Python runs; targets, commands and files it names are there."""

import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def code(language):
    """The code blocks in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.M | re.S)


def test_the_python_runs(tmp_path, monkeypatch, capsys):
    """As it stands there, with fewer games."""
    (block,) = code("python")
    small, changed = re.subn(r"\b(train|evaluate)\(net, ([\d_]+)", r"\1(net, 20", block)
    assert changed == 2
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(small, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert names["net"].games == 20
    assert "20\tavg = " in printed
    assert f"{names['game'].score} points in {len(names['game'].actions)} moves" in printed
    assert names["NTupleNetwork"].load("net.npz").games == 20


def test_the_python_is_short():
    assert len([line for line in code("python")[0].splitlines() if line.strip()]) <= 10


def test_targets_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    named = set(re.findall(r"(?:`|^)make ([a-z]+)", TEXT, re.M))
    assert {"report", "test"} <= named <= targets


MODULES = sorted(set(re.findall(r"(?:python|py) -m (\w+(?:\.\w+)*)", TEXT)))


@pytest.mark.parametrize("module", MODULES)
def test_modules_can_be_run(module):
    found = importlib.util.find_spec(module)
    assert found, f"README says python -m {module}"
    if found.submodule_search_locations is not None:
        assert importlib.util.find_spec(f"{module}.__main__"), f"README says python -m {module}"
    else:
        assert 'if __name__ == "__main__":' in Path(found.origin).read_text(encoding="utf-8")


def test_every_target_that_runs_python_is_there_without_make():
    makefile = (ROOT / "Makefile").read_text()
    modules = set(re.findall(r"\$\(python\) -m (\w+(?:\.\w+)*)", makefile))
    assert len(modules) > 10
    assert modules <= set(MODULES)


RECORDS = ("coherence-method-TD", "minutes-seed-1", "hour")  # of the first table


def test_the_first_numbers_are_those_of_the_records():
    """Games, minutes, mean score and shares of three trainings, as they are in records/."""
    table = TEXT.split("| what it learned by |")[1].split("\n\n")[0]
    rows = [re.split(r" *\| *", row.strip("| ")) for row in table.splitlines()[2:]]
    assert len(rows) == len(RECORDS)
    for name, (_, games, minutes, mean, *shares) in zip(RECORDS, rows):
        record = json.loads((ROOT / "records" / f"{name}.json").read_text(encoding="utf-8"))
        learned = record["parameters"]["games"]
        learned = learned if isinstance(learned, int) else sum(stage[0] for stage in learned)
        assert games == f"{learned:,} games"
        assert minutes == f"{record['measured']['train_seconds'] / 60:.1f} minutes"
        assert mean == f"{record['scalars']['score']:,.0f}"
        assert record["parameters"]["evaluation"] == 10_000
        with np.load(ROOT / "records" / f"{name}.npz") as arrays:
            tiles = arrays["max_tiles"]
        for share, exponent in zip(shares, (11, 14)):
            assert share == f"{100 * np.mean(tiles >= exponent):.1f} %"


STRENGTHS = (  # records of the second table, several where one row sums up several
    "coherence-method-TD",
    "coherence-method-TC-lambda-0.5-restart-1-000",
    "downgrade-shown-smaller-always",
    "hour",
    "hour-plies-plies-2-*",
    "hour-plies-plies-3-*",
    "plainly-plies-plies-1-*-play_downgrade-16384",
    "plainly-plies-plies-3-*-play_downgrade-16384",
    "to-the-end-plies-plies-1-*-play_downgrade-None",
    "to-the-end-plies-plies-3-*-play_downgrade-None",
    "relay-plies-plies-1-*",
    "relay-plies-plies-3-*",
    "relay-plies-plies-4-*-margin-None",
    "relay-plies-plies-4-*-margin-30000",
    "relay-plies-plies-5-*-margin-30000",
    "relay-again-plies-3-*",
    "relay-again-plies-4-*",
)


def test_the_second_numbers_are_those_of_the_records():
    """Mean scores with their intervals, and shares of games that reached a tile."""
    table = TEXT.split("| learned by |")[1].split("\n\n")[0]
    rows = [re.split(r" *\| *", row.strip("| ")) for row in table.splitlines()[2:]]
    assert len(rows) == len(STRENGTHS)
    for pattern, (*_, mean, wins, large, largest) in zip(STRENGTHS, rows):
        files = sorted((ROOT / "records").glob(f"{pattern}.npz"))
        assert files, pattern
        scores = np.concatenate([np.load(file)["scores"] for file in files])
        tiles = np.concatenate([np.load(file)["max_tiles"] for file in files])
        half = 1.96 * scores.std(ddof=1) / len(scores) ** 0.5
        assert mean == f"{scores.mean():,.0f} ± {half:,.0f}", pattern
        for share, exponent in ((wins, 11), (large, 14), (largest, 15)):
            assert share == f"{100 * np.mean(tiles >= exponent):.1f} %", pattern


def test_the_mean_of_five_seeds_is_that_of_the_records():
    """What the sentence below the first table says."""
    records = [ROOT / "records" / f"minutes-seed-{seed}.json" for seed in range(1, 6)]
    scores = [json.loads(path.read_text(encoding="utf-8"))["scalars"]["score"] for path in records]
    assert f"score {sum(scores) / 5:,.0f} points on average" in TEXT


def test_results_are_those_of_the_report():
    words = " ".join(
        page.extract_text() for page in PdfReader(ROOT / "report" / "report.pdf").pages
    )
    assert "68,981" in TEXT and "68,981" in words


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)]+)\)", TEXT) + re.findall(r'src="([^"]+)"', TEXT)
    assert len(links) > 10
    headings = re.findall(r"^#+ (.*)$", TEXT, re.M)
    anchors = {"#" + heading.lower().replace(" ", "-") for heading in headings}
    lost = [link for link in links if link not in anchors and not (ROOT / link).exists()]
    assert lost == []


def test_links_of_contributing_lead_somewhere():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_module_is_described():
    listed = {Path(link).name for link in re.findall(r"\]\((lib2048/[^)]+)\)", TEXT)}
    assert {file.name for file in (ROOT / "lib2048").glob("[a-z]*.py")} <= listed
