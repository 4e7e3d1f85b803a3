"""The report: right numbers, right files, the same PDF from the same run."""

import subprocess
import sys
from io import BytesIO

import pytest
from pypdf import PdfReader

import report
from lib2048 import NTupleNetwork, evaluate, train
from report import run

TINY = {"games": 60, "block": 20, "evaluation": 30}


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A report at tiny scales that writes into a folder of its own."""
    for module in (report, run):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(run, "NETWORK", {"patterns": ((0, 1, 2, 3), (4, 5, 6, 7)), "values": "afterstate"})
    monkeypatch.setattr(report, "NETWORK", {"patterns": "4x6", "values": "afterstate"})
    monkeypatch.setattr(run, "source_hash", lambda: "0123456789ab")
    monkeypatch.setattr(report, "source_hash", lambda: "0123456789ab")
    for scale in ("full", "small"):
        monkeypatch.setitem(run.SCALES, scale, TINY)
    return tmp_path


def files(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_small_writes_one_untracked_file(tree):
    pdf = report.build("small", progress=False)
    assert [name for name in files(tree) if not name.startswith("runs/")] == ["report/report-small.pdf"]
    text = PdfReader(BytesIO(pdf.read_bytes())).pages[0].extract_text()
    assert "small scale" in text
    net = NTupleNetwork(**run.NETWORK)
    train(net, 60, **run.RULE, seed=run.TRAIN_SEED, progress=False)
    summary = evaluate(net, 30, seed=run.TEST_SEED, progress=False)
    assert f"avg = {summary.mean:.0f}, max = {summary.max}" in text


def test_full_writes_report_and_figures_the_same_twice(tree):
    pdf = report.build("full", progress=False)
    assert [name for name in files(tree) if not name.startswith("runs/")] == [
        "figures/board.svg", "figures/curve.svg", "report/report.pdf"
    ]  # fmt: skip
    first = {name: (tree / name).read_bytes() for name in files(tree)}
    assert "small scale" not in PdfReader(BytesIO(pdf.read_bytes())).pages[0].extract_text()
    report.build("full", progress=False)  # the run is kept, so also its seconds
    assert {name: (tree / name).read_bytes() for name in files(tree)} == first


def test_a_page_fits_one_page(tree):
    assert len(PdfReader(BytesIO(report.build("small", progress=False).read_bytes())).pages) == 1


def test_an_interrupted_run_leaves_nothing(tree, monkeypatch):
    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "evaluate", stop)
    with pytest.raises(KeyboardInterrupt):
        report.build("full", progress=False)
    assert files(tree) == []


def test_unknown_scale():
    with pytest.raises(ValueError, match="huge"):
        report.build("huge")
    command = [sys.executable, "-m", "report", "--scale", "huge"]
    done = subprocess.run(command, cwd=run.ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and "small" in done.stderr
