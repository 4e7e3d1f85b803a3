"""Pages of notebooks: what stands where, what is folded, where links lead."""

import json
import re

import pytest
import tiny_notebooks as tiny
from tiny_notebooks import code, figure, md, notebook, stream, table

from lib2048 import watch
from lib2048.viewer.still import PAGE
from notebook_tools.tidy import page_states, tidy
from pages import build, extras, search
from pages.__main__ import main
from pages.frame import Book
from pages.markdown import as_html
from pages.reading import page_of, plain_text, read_page
from report import live

PREDICTION = 'predict.choice("tile", "Which?", {}, 1, "why")'

ANSWER = "<details><summary>Answer</summary>\n\nThis one.\n\n</details>"


def first():
    """A notebook with a bit of everything."""
    return notebook(
        md("# 01 The *first*\n\n**Question.** What is it?\n\n[02 second](02_b.ipynb)", "x"),
        md(
            "## A section\n\n$x^2$, [the figure](#fig-one), [there](#tab-one), [S](#ref-sutton2018)"
        ),
        code("%%md\nFive.", outputs=tiny.data(text_markdown="It is *five*.")),
        code("x < 5", outputs=[*stream("3 < 4\n"), *figure()]),
        md("### Deeper\n\n[the second](02_b.ipynb#tab-one)"),
        code(PREDICTION, outputs=tiny.data(text_markdown=f"**Predict.** Which?\n\n{ANSWER}")),
        md("It was this one.", "reveal"),
        code("2 + 2", "reveal", outputs=tiny.data(text_plain="4")),
        md("On we go."),
        code("def solved(): ...", "solution"),
    )


def second():
    back = "[a heading](01_a.ipynb#A-section), called as JupyterLab calls it"
    return notebook(md(f"# 02 The second\n\n**Why?** So, {back}."), code("1", outputs=table()))


@pytest.fixture(scope="module")
def book():
    return Book([read_page(first(), "01_a"), read_page(second(), "02_b")], [])


def test_texts_are_converted_together_and_come_apart_again():
    texts = ["## A `b`", "| a |\n|---|\n| 1 |", "$\\alpha$", "```python\nx = 1\n```", "- a", "- b"]
    html = as_html(texts)
    assert html[0] == '<h2 id="a-b">A <code>b</code></h2>'
    assert "<table>" in html[1] and "<math" in html[2] and "sourceCode" in html[3]
    assert html[4:] == ["<ul>\n<li>a</li>\n</ul>", "<ul>\n<li>b</li>\n</ul>"]


def test_a_text_that_swallows_the_next_is_told():
    with pytest.raises(ValueError, match="2 texts became 1"):
        as_html(["```\nopen", "more"])


def test_a_page_has_title_question_and_sections(book):
    page = book.pages[0]
    assert (page.title, page.question) == ("01 The first", "What is it?")
    told = [(section.level, section.identifier) for section in page.sections]
    assert told == [(2, "a-section"), (3, "deeper")]
    assert book.pages[1].question == "Why?"


def test_a_page_without_a_heading_is_told():
    with pytest.raises(ValueError, match="empty has no heading"):
        page_of("<p>words</p>", "empty")


def test_prose_has_no_source_and_a_prediction_neither(book):
    body = book.pages[0].body
    assert "%%md" not in body and "It is <em>five</em>" in body
    assert "predict.choice" not in body and '<div class="site-cell site-asks">' in body
    assert "3 &lt; 4" in body


def test_what_is_told_later_is_folded_in_one_piece(book):
    body = book.pages[0].body
    (told,) = re.findall(r'<details class="site-reveal">.*?</details>', body, re.DOTALL)
    assert "It was this one." in told and "4" in told and "On we go." not in told
    (solution,) = re.findall(r'<details class="site-solution">.*?</details>', body, re.DOTALL)
    assert "solved" in solution


def test_figures_have_numbers_and_files(book):
    page = book.pages[0]
    assert page.labels == {"fig-one": "Figure 1"}
    (name,) = page.pictures
    assert f'src="pictures/{name}" alt="a box"' in page.body
    assert "<strong>Figure 1.</strong> A grey box." in page.body


def test_links_lead_to_pages_of_the_site(book):
    html = book.file(book.pages[0])
    links = re.findall(r'href="([^"]*)"', html)
    assert "#fig-one" in links and "02_b.html#tab-one" in links
    assert "references.html#ref-sutton2018" in links
    assert not [link for link in links if ".ipynb" in link]
    assert 'href="01_a.html#a-section"' in book.file(book.pages[1])
    assert '<a rel="next" href="02_b.html">' in html and 'rel="prev"' not in html


@pytest.mark.parametrize(
    "link, message",
    [
        ("#fig-none", "no page has"),
        ("09_none.ipynb", "no page of the site"),
        ("01_a.ipynb#Nowhere", "which is not there"),
    ],
)
def test_a_link_into_the_void_is_told(link, message):
    page = read_page(notebook(md(f"# A\n\n[here]({link}), I say")), "01_a")
    with pytest.raises(ValueError, match=message):
        Book([page], []).file(page)


def test_the_index_has_all_sections_and_no_markup(book):
    script = search.script(book.pages)
    entries = json.loads(script.partition(" = ")[2].rstrip(";\n"))
    assert [(entry["page"], entry["id"]) for entry in entries] == [
        ("01_a.html", ""),
        ("01_a.html", "a-section"),
        ("01_a.html", "deeper"),
        ("02_b.html", ""),
    ]
    assert "It is five." in entries[1]["text"] and "<" not in entries[2]["text"]
    assert "Which?" in entries[2]["text"] and "This one." not in entries[2]["text"]


def test_words_of_formulas_are_said_once():
    (html,) = as_html(["$V$ and & more"])
    assert plain_text(html) == "V and & more"


def test_a_widget_takes_the_place_of_its_picture(monkeypatch):
    monkeypatch.setenv("LIB2048_PAGES", "1")
    viewer = watch([[1024, 1024, 0, 0], [0] * 4, [0] * 4, [0] * 4])
    shown = viewer._picture() | viewer._for_page()
    nb = notebook(md("# A"), code("1", outputs=tiny.data(text_plain="1")), code("watch(board)"))
    nb.cells[2].outputs = tiny.data(text_plain="2") + [tiny.new_output("display_data", shown)]
    states = page_states(nb)
    assert [len(of_cell) for of_cell in states] == [0, 1]
    assert PAGE not in json.dumps(tidy(nb))
    page = read_page(nb, "01_a", states)
    assert page.kinds == {"lib2048.viewer.viewer.Viewer"}
    assert page.body.count('<div class="site-live"') == 1
    assert len(page.pictures) == 1, "the picture stays for paper"
    assert read_page(nb, "01_a").kinds == set(), "without its state it is a picture"


def test_no_page_state_where_no_page_is_made():
    assert watch([[2, 2, 0, 0], [0] * 4, [0] * 4, [0] * 4])._for_page() == {}


def test_a_widget_of_strangers_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no widget of this project: os.system"):
        live.script_and_style("os.system")
    with pytest.raises(ValueError, match="workbook.explore has no widget Gone"):
        live.script_and_style("workbook.explore.Gone")


def test_a_whole_site_of_notebooks_as_they_lie(tmp_path):
    root = tiny.write(tmp_path, **{"01_a": first(), "02_b": second()})
    (root / "notebooks" / "glossary.md").write_text("# Glossary\n\n[tile](01_a.ipynb)\n")
    folder = tmp_path / "site"
    for _ in range(2):  # the second takes the place of the first
        start = build.build(folder=folder, root=root, committed=True, without=("play", "api"))
    assert start == folder / "index.html"
    there = {path.name for path in folder.iterdir()}
    wanted = {"01_a.html", "02_b.html", "glossary.html", "references.html", "site.css", "site.js"}
    assert wanted | {"index.html", "search-index.js", "pictures"} == there
    assert "What is it?" in start.read_text() and "play.html" not in start.read_text()


def test_the_playing_page_leads_back(tmp_path):
    extras.write_playing_page(tmp_path / "play.html")
    page = (tmp_path / "play.html").read_text(encoding="utf-8")
    assert page.count('<a href="index.html">') == 1


def test_the_report_has_a_way_back(tmp_path, monkeypatch):
    """Whatever language its contents are headed in; the report beside the notebooks has none."""
    report = tmp_path / "report-long.html"
    report.write_text('<nav aria-label="目錄"><h2>目錄</h2></nav><nav></nav>', encoding="utf-8")
    monkeypatch.setattr(extras, "build_report", lambda *_, **__: report)
    extras.write_report(tmp_path / "report.html", "small")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.startswith('<nav aria-label="目錄"><p><a href="index.html">')
    assert page.count("index.html") == 1 and "index.html" not in report.read_text("utf-8")


def test_an_unknown_thing_to_leave_out_is_told(capsys):
    assert main(["--without", "api,music"]) == 1
    assert "play, report, api, got music" in capsys.readouterr().err


def test_a_folder_with_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match="no site of ours"):
        build.build(folder=tmp_path, committed=True, without=build.EXTRAS)
    assert (tmp_path / "thesis.txt").exists()


def test_papers_are_listed_by_the_family_names_of_their_authors():
    keys = re.findall(r'id="ref-(\w+)"', extras.references().body)
    papers = [key for key in keys if re.fullmatch(r"[a-z]+(19|20[0-3])\d+", key)]
    assert papers == sorted(papers)
    assert keys.index("browne2012") < keys.index("tdl2048") < keys.index("sutton1988")
