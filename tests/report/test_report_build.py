"""All of it on two tiny notebooks: report, figures, exporter, and what the command says."""

import importlib.metadata
import io
import tomllib
from types import SimpleNamespace

import pytest
import tiny_notebooks as tiny
from nbconvert.exporters import get_exporter
from nbconvert.utils.exceptions import ConversionException
from pypdf import PdfReader
from tiny_notebooks import code, figure, md, notebook

from experiments.versions import ROOT
from notebook_tools import execute
from notebook_tools.files import sources
from report import build, figures
from report.__main__ import main as report_main
from report.document import Lost
from report.exporter import ReportExporter, ReportHtmlExporter

CELL = """from workbook.cells import figure, listing, say
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30" width="90" height="30">'
    "<title>dots</title></svg>"
)
figure(SVG, "fig-dots", "No dots.")
say("So **5** points.")
listing("win_rate", lambda tiles, tile: 0)"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A report at the small scale, made once."""
    root = tmp_path_factory.mktemp("made")
    first = notebook(
        md("# 01 The game", "no"),
        md("## The game\n\nSee [the dots](#fig-dots)."),
        code("1", count=None),
    )
    second = notebook(
        md("## Strength ([Wilson 1927](#ref-wilson1927))"),
        code(CELL, "report", count=None),
        md("What goes deeper.", "report-more"),
    )
    tiny.write(root, **{"01_a": first, "02_b": second})
    files = set(root.rglob("*"))
    path = build.build("small", root=root, show=False)
    return SimpleNamespace(
        root=root, path=path, new={file for file in root.rglob("*") if file.is_file()} - files
    )


def test_the_small_report_is_one_file(made):
    outside_runs = {
        file.relative_to(made.root).as_posix() for file in made.new if "runs" not in file.parts
    }
    assert outside_runs == {"report/report-small.pdf"}
    pages = [page.extract_text() for page in PdfReader(made.path).pages]
    assert all("Small scale" in page for page in pages)
    text = " ".join(" ".join(pages).split())
    for words in (
        "1 The game",
        "See the dots (Figure 1).",
        "2 Strength (Wilson 1927)",
        "So 5 points.",
        "Figure 1. No dots.",
        "From lib2048/records.py",
        "References E. B. Wilson (1927)",
        "A Where the numbers come from",
        "SHA-256",
    ):
        assert words in text, words


def test_it_is_the_same_when_made_again(made, monkeypatch):
    monkeypatch.setattr(execute, "_run_all", lambda *args: pytest.fail("it ran"))
    before = made.path.read_bytes()
    made.path.unlink()
    assert build.build("small", root=made.root, show=False) == made.path
    assert made.path.read_bytes() == before


def test_the_long_edition_is_another_file_and_says_more(made, monkeypatch):
    monkeypatch.setattr(execute, "_run_all", lambda *args: pytest.fail("it ran"))
    path = build.build("small", root=made.root, show=False, edition="long")
    assert path.name == "report-long-small.pdf"
    short, long = (
        " ".join(page.extract_text() for page in PdfReader(file).pages)
        for file in (made.path, path)
    )
    for words in ("What goes deeper", "A.1 Networks"):
        assert words in long and words not in short
    with pytest.raises(ValueError, match="the edition is homework or long, got 'short'"):
        build.build("small", root=made.root, edition="short")


def test_html_and_refusals(made):
    page = build.build("small", "html", root=made.root, show=False)
    assert page.name == "report-small.html" and "So <strong>5</strong> points." in page.read_text()
    with pytest.raises(ValueError, match="the format is pdf or html, got 'doc'"):
        build.build("small", "doc", root=made.root)
    with pytest.raises(ValueError, match="small or full, got 'huge'"):
        build.build("huge", root=made.root)
    copies = [made.root / "runs" / "notebooks" / "small" / "01_a.ipynb"]
    with pytest.raises(Lost, match="01_a.ipynb, cell 2: a link to #fig-dots, which is nowhere"):
        build.written(copies, "small", "pdf", build.title_data(made.root), made.root)


def test_a_name_that_cannot_be_set_is_told_before_anything_runs(tmp_path, monkeypatch):
    root = tiny.write(tmp_path, **{"01_a": notebook(code("1", "report", count=None))})
    (root / "report").mkdir()
    (root / "report" / "report.toml").write_text('name = "𠮷野"', encoding="utf-8")
    monkeypatch.setattr(execute, "run_experiments", lambda *args, **options: pytest.fail("ran"))
    with pytest.raises(Lost, match="report.toml: no font has 𠮷"):
        build.build("small", root=root, show=False)


def test_the_appendix_tells_of_experiments_and_records(monkeypatch):
    from experiments import EXPERIMENTS
    from report import matter

    reads = notebook(
        code(
            "import experiments\n"
            "experiments.table('alpha'), experiments.result('million-afterstate')"
        )
    )
    texts = [part.text for part in matter.appendix([reads], "small")]
    told = next(text for text in texts if text.startswith("**alpha.**"))
    for words in (EXPERIMENTS["alpha"].question, "seed 1 to 3", "alpha 0.0025 or 0.1 or 0.3 or 1,"):
        assert words in told
    assert "## Recorded runs" in texts and any(
        text.startswith("**million-afterstate.**") for text in texts
    )
    about = {"date": "2026-01-02T10:00:00", "sources": "c" * 64, "version": 1}
    about |= {"seconds": 5400.0, "parameters": {}}
    about |= {"machine": {"processor": "Abacus"}}
    monkeypatch.setattr(
        type(EXPERIMENTS["alpha"].pieces("small")[0]), "load", lambda piece: ({}, about)
    )
    recorded = matter._describe_experiment(EXPERIMENTS["million-afterstate"], "full")
    assert (
        "Made 2026-01-02 in 90 min by the sources `cccccccccccc` on Abacus, "
        "which have changed since." in recorded
    )
    (piece,) = EXPERIMENTS["million-afterstate"].pieces("full")
    about |= {"parameters": piece.parameters}
    recorded = matter._describe_experiment(EXPERIMENTS["million-afterstate"], "full")
    assert recorded.endswith("`cccccccccccc` on Abacus.")


# Figures


def test_the_figures_of_this_checkout_are_those_of_its_notebooks():
    files = {path.name: path.read_bytes() for path in (ROOT / "figures").glob("*.svg")}
    of_notebooks = figures.pictures(sources())
    assert files.keys() - of_notebooks.keys() == figures.DRAWN_BY_OTHERS
    assert [name for name, svg in of_notebooks.items() if files.get(name) != svg] == []


def test_figures_are_written_and_old_ones_deleted(tmp_path):
    root = tiny.write(tmp_path, **{"01_a": notebook(code("f()", outputs=figure("fig-new")))})
    (root / "figures").mkdir()
    for name in ("old.svg", "speed.svg", "new.svg", "notes.txt"):
        (root / "figures" / name).write_text("x")
    paths = sources(root)
    assert figures.write(paths, root) == 2
    assert {file.name for file in (root / "figures").iterdir()} == {
        "speed.svg",
        "new.svg",
        "notes.txt",
    }
    assert (root / "figures" / "new.svg").read_text().startswith("<svg") and figures.write(
        paths, root
    ) == 0
    tiny.write(tmp_path, **{"01_a": notebook(code("f()", count=None))})
    with pytest.raises(ValueError, match="run them first"):
        figures.write(paths, root)
    assert (root / "figures" / "new.svg").exists()


# The exporter


def test_the_exporter_prints_tagged_cells(tmp_path):
    nb = notebook(
        md("# 03 Title", "no"),
        md("## Section"),
        code("f()", "report", outputs=figure()),
        code("x = 1"),
    )
    content, resources = ReportExporter().from_notebook_node(
        nb, {"metadata": {"name": "03_x", "path": str(tmp_path)}}
    )
    text = PdfReader(io.BytesIO(content)).pages[0].extract_text()
    assert "1 Section" in text and "Figure 1" in text and "x = 1" not in text
    assert resources["output_extension"] == ".pdf"


def test_the_exporter_prints_all_cells_where_none_is_tagged(tmp_path):
    cells = [
        md("# 03 Any notebook\n\nWords", "no"),
        md("## Section", "no"),
        code("x = 1", outputs=tiny.stream("out")),
    ]
    nb = notebook(*cells)
    content, _ = ReportExporter().from_notebook_node(
        nb, {"metadata": {"name": "03_x", "path": str(tmp_path)}}
    )
    text = " ".join(PdfReader(io.BytesIO(content)).pages[0].extract_text().split())
    assert text.startswith("Any notebook Contents 1 Section") and "x = 1 out" in text


def test_the_exporter_is_strict_but_knows_the_notebooks_beside(tmp_path):
    tiny.write(tmp_path, **{"01_a": notebook(code('figure(svg, "fig-there", "C.")'))})
    resources = {"metadata": {"name": "02_b", "path": str(tmp_path / "notebooks")}}
    ReportExporter().from_notebook_node(notebook(md("# A\n\n[x](#fig-there)")), resources)
    with pytest.raises(ConversionException, match="02_b.ipynb, cell 1: a link to #fig-gone"):
        ReportExporter().from_notebook_node(notebook(md("# A\n\n[x](#fig-gone)")), resources)


def test_the_exporter_for_html_takes_the_cells_of_an_edition(tmp_path):
    cells = [md("## Section"), md("What goes deeper.", "report-more"), code("x = 1")]
    about = {"metadata": {"name": "03_x", "path": str(tmp_path)}}
    exporters = {edition: ReportHtmlExporter(edition=edition) for edition in ("homework", "long")}
    pages = {
        edition: exporter.from_notebook_node(notebook(*cells), about)[0].decode()
        for edition, exporter in exporters.items()
    }
    assert "What goes deeper" in pages["long"] and "What goes deeper" not in pages["homework"]
    assert all("Section" in page and "x = 1" not in page for page in pages.values())


def test_nbconvert_finds_it_by_name():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["nbconvert.exporters"] == {
        "report": "report.exporter:ReportExporter",
        "report-html": "report.exporter:ReportHtmlExporter",
    }
    origin = importlib.metadata.distribution("lib2048").read_text("direct_url.json") or ""
    if f'"{ROOT.as_uri()}"' not in origin:
        pytest.skip("this checkout is not the installed one")
    assert get_exporter("report") is ReportExporter


# The command


def test_wrong_requests(capsys):
    for arguments, exit_code, told in [
        (["--scale", "huge"], 2, "invalid choice: 'huge'"),
        (["--format", "doc"], 2, "invalid choice: 'doc'"),
        (["--edition", "short"], 2, "invalid choice: 'short'"),
        (["--jobs", "0"], 1, "at least 1, got 0"),
    ]:
        try:
            assert report_main(arguments) == exit_code
        except SystemExit as error:
            assert error.code == exit_code
        assert told in capsys.readouterr().err


def test_ctrl_c_and_losses_end_without_a_traceback(monkeypatch, capsys):
    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("report.__main__.build", stop)
    assert report_main([]) == 130 and "goes on from here" in capsys.readouterr().err

    def lose(*args, **options):
        raise Lost("05.ipynb, cell 2: no")

    monkeypatch.setattr("report.__main__.build", lose)
    assert (
        report_main([]) == 1
        and "no report was written.\n05.ipynb, cell 2: no" in capsys.readouterr().err
    )
