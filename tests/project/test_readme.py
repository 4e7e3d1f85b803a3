"""README.md says what is so: its Python runs; targets, commands and files it names are there."""

import importlib.util
import re
from pathlib import Path

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


def test_results_are_those_of_the_report():
    words = " ".join(
        page.extract_text() for page in PdfReader(ROOT / "report" / "report.pdf").pages
    )
    mean, share = re.search(
        r"scored ([\d,]+) points on average and reached the 2048 tile in ([\d.]+)%", TEXT
    ).groups()
    assert mean in words and share in words


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)]+)\)", TEXT) + re.findall(r'src="([^"]+)"', TEXT)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_module_is_described():
    listed = {Path(link).name for link in re.findall(r"\]\((lib2048/[^)]+)\)", TEXT)}
    assert {file.name for file in (ROOT / "lib2048").glob("[a-z]*.py")} <= listed
