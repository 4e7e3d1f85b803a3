"""The PDF: accepted as PDF/UA-1, readable by machines, with its fonts, the same twice.

What it cannot show fails.
"""

import io
import re

import pytest
import tiny_notebooks as tiny
from pypdf import PdfReader
from tiny_notebooks import code, data, figure, md, notebook, stream, table

from report import html, pdf
from report.document import EDITIONS, HOMEWORK, LONG, Lost, Part, fence, parts_of
from report.title import WORDS, title_data

TEXT = """# The value of a board

It is $V(s') = \\sum_k w_k$ ([Sutton 1988](#ref-sutton1988)), see [the box](#fig-one) and
[the numbers](#tab-one).

$$V(s) \\leftarrow V(s) + \\alpha \\bigl( r + V(s') - V(s) \\bigr)$$

## Part

- one `piece`
- two

| name | value |
|------|-------|
| x | 1 |
"""
SHOWN = [*figure(), *table(), *stream("first\tsecond\n")]
NB = notebook(md(TEXT), code("def f():\n    pass", "report", "report-source", outputs=SHOWN))


@pytest.fixture
def about(tmp_path):
    """Title data, with what is given changed."""
    return lambda **changed: title_data(tmp_path) | changed


def render(nb, about, renderer=pdf, folder="", **options):
    parts, problems = parts_of(nb, "05_x", str(folder), whole=options.pop("whole", False))
    return renderer.render(parts, about, problems=problems, **options)


def text_of(content):
    return " ".join(
        " ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages).split()
    )


def objects(content):
    """Everything in a PDF that is a dictionary."""
    reader = PdfReader(io.BytesIO(content))
    entries = (
        reader.get_object(number)
        for number in range(1, len(reader.xref[0]) + len(reader.xref_objStm) + 1)
    )
    return [entry for entry in entries if isinstance(entry, dict)]


def test_what_it_says(about):
    content = render(
        NB, about(name="A. Student", number="0123456", course="Games", date="May 2026")
    )
    text = text_of(content)
    for words in (
        "TD(0) learning for 2048 A. Student 0123456 Games May 2026 Contents",
        "1 The value of a board",
        "1.1 Part",
        "(Sutton 1988), see the box (Figure 1) and the numbers (Table 1).",
        "Figure 1. A grey box.",
        "Table 1. Numbers.",
        "def f():",
        "first second",
        "References",
        "R. S. Sutton (1988). Learning to predict",
    ):
        assert words in text, words
    assert "\\" not in text and "$" not in text and "#ref" not in text and "�" not in text


def test_narrow_tables_in_a_row_stand_beside_each_other_in_the_homework(about):
    """Their captions begin on one line of the page; in the long edition they do not."""
    wide = Part("table", f"| {'x' * 99} |\n|---|\n| 1 |", "a", "tab-wide", "Wide")
    narrow = [
        Part("table", "| n |\n|---|\n| 1 |", "a", f"tab-{name}", name) for name in ("Left", "Right")
    ]
    heights = {}
    for edition in EDITIONS:
        heights[edition] = {}

        def note(text, page, matrix, *_, seen=heights[edition]):
            for word in re.findall("Left|Right|Wide", text):
                seen[word] = page[1] * matrix[4] + page[3] * matrix[5] + page[5]

        content = pdf.render([wide, *narrow], about(), edition=edition, floats=False)
        for page in PdfReader(io.BytesIO(content)).pages:
            page.extract_text(visitor_text=note)
    assert heights[HOMEWORK]["Left"] == heights[HOMEWORK]["Right"] < heights[HOMEWORK]["Wide"]
    assert heights[LONG]["Left"] > heights[LONG]["Right"]


TALL = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 500" width="500" height="500">'
    '<title>a tower</title><rect width="500" height="500" fill="#cccccc"/></svg>'
)


def test_a_table_fills_the_place_below_the_text_that_a_tall_figure_leaves(about):
    words = " ".join(["word"] * 350)
    text = md(f"# A\n\nSee [it](#fig-one) and [the table](#tab-one).\n\n{words}")
    shown = code("f()", "report", outputs=[*figure(svg=TALL), *table()])
    content = render(notebook(text, shown), about())
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]
    at = {what: [what in page for page in pages].index(True) for what in ("Figure 1.", "Table 1.")}
    assert at["Table 1."] < at["Figure 1."]


def test_code_and_what_was_printed_are_not_torn_near_their_ends(about):
    """Nine lines at either end of code stay on a page, and short prints stay whole."""
    parts = []
    for n in range(12):
        names = [f"name_{n:02d}_{line:02d} = 1" for line in range(24)]
        parts.append(Part("markdown", fence("\n".join(names)), "a"))
        printed = "\n".join(f"printed_{n:02d}_{line:02d}" for line in range(12 + n))
        parts.append(Part("printed", printed, "a"))
    pages = [
        page.extract_text() for page in PdfReader(io.BytesIO(pdf.render(parts, about()))).pages
    ]
    page_of = {word: n for n, page in enumerate(pages) for word in re.findall(r"\w+_\d+_\d+", page)}
    torn = 0
    for n in range(12):
        lines = [page_of[f"name_{n:02d}_{line:02d}"] for line in range(24)]
        assert len(set(lines[:9])) == 1 == len(set(lines[-9:]))
        torn += lines[0] != lines[-1]
        assert len({page_of[f"printed_{n:02d}_{line:02d}"] for line in range(12 + n)}) == 1
    assert 0 < torn < 6, "long code may go over pages, in its middle"


def test_code_stands_out_beside_the_text_where_its_lines_are_long(about):
    """So no line of at most 100 letters is broken."""
    lines = {letters: f"{'a' * (letters - 8)} = 'end'" for letters in (40, 100)}
    starts = {}
    for letters, line in lines.items():
        part = Part("markdown", fence(f"{line}\nlast = {letters}"), "a")
        places = []

        def note(text, page, matrix, *_, seen=places):
            if text.strip():
                height = page[1] * matrix[4] + page[3] * matrix[5] + page[5]
                seen.append((text.strip(), page[0] * matrix[4] + page[4], round(height)))

        content = pdf.render([part], about())
        for page in PdfReader(io.BytesIO(content)).pages:
            page.extract_text(visitor_text=note)
        assert len({height for word, _, height in places if re.search("aaa|end", word)}) == 1
        starts[letters] = min(x for word, x, _ in places if word.startswith(("aaa", "last")))
    assert starts[100] < starts[40] - 20


def test_it_is_accessible(about):
    entries = objects(render(NB, about()))
    catalog = next(entry for entry in entries if entry.get("/Type") == "/Catalog")
    assert catalog["/MarkInfo"]["/Marked"] and catalog["/Lang"] == "en"
    assert b"pdfuaid:part" in catalog["/Metadata"].get_data()
    spoken = {entry["/Alt"] for entry in entries if "/Alt" in entry}
    assert "a box" in spoken and r"V(s') = \sum_k w_k" in spoken
    figures = [entry for entry in entries if entry.get("/S") in ("/Figure", "/Formula")]
    assert len(figures) >= 3 and all(figure.get("/Alt") for figure in figures)
    assert {"/H1", "/H2", "/Table", "/TH", "/L", "/Code"} <= {entry.get("/S") for entry in entries}


def test_fonts_are_inside(about):
    entries = objects(render(NB, about(name="王小明")))
    fonts = [entry for entry in entries if entry.get("/Type") == "/FontDescriptor"]
    assert fonts and all(any(f"/FontFile{n}" in font for n in ("", 2, 3)) for font in fonts)
    assert any("LibertinusSerif" in font["/FontName"] for font in fonts)


def test_the_same_bytes_twice(about):
    assert render(NB, about(name="王小明")) == render(NB, about(name="王小明"))


@pytest.mark.parametrize("name", ["王小明", "陳妤瑄", "林昀霈", "张伟", "游錫堃"])
def test_a_chinese_name_shows(about, name):
    content = render(NB, about(name=name))
    assert name in text_of(content)
    assert PdfReader(io.BytesIO(content)).metadata.author == name


def test_a_name_with_a_letter_that_no_font_has(about):
    with pytest.raises(Lost, match="report.toml: no font has 𠮷"):
        render(NB, about(name="𠮷野"))
    with pytest.raises(Lost, match="report.toml: no font has 𠮷"):
        pdf.check_title(about(name="𠮷野"))
    pdf.check_title(about(name="王小明", note="small"))


def test_the_note_stands_on_every_page(about):
    long = notebook(*(md(f"# Section {n}\n\n" + "word " * 400) for n in range(4)))
    pages = PdfReader(io.BytesIO(render(long, about(note="small scale")))).pages
    assert len(pages) > 2 and all("small scale" in page.extract_text() for page in pages)


def test_title_data(tmp_path):
    (tmp_path / "report").mkdir()
    toml = tmp_path / "report" / "report.toml"
    toml.write_text('title = "Mine"\nnumber = 7')
    assert title_data(tmp_path)["title"] == "Mine" and title_data(tmp_path)["number"] == "7"
    wrong = {
        'titel = "x"': "has titel",
        "title": "cannot be read",
        'font = "no.otf"': "the font no.otf",
    }
    for text, reason in wrong.items():
        toml.write_text(text)
        with pytest.raises(ValueError, match=reason):
            title_data(tmp_path)
    example = pdf.HERE / "report.example.toml"
    toml.write_bytes(example.read_bytes())
    assert set(title_data(tmp_path)) == {
        *("title", "name", "number", "course", "date", "font", "note", "family"),
        *("language", "authors", "words"),
    }


NAME = 'name = "王小明"'


@pytest.mark.parametrize(
    "content",
    [NAME.encode("utf-8-sig"), NAME.encode(), b"# a comment\r\n" + NAME.encode() + b"\r\n"],
)
def test_title_data_in_utf_8_with_or_without_its_mark(tmp_path, content):
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "report.toml").write_bytes(content)
    assert title_data(tmp_path)["name"] == "王小明"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            b"# x\n" + NAME.encode("big5"),
            'line 2, is not in UTF-8: in Big5 it reads name = "王小明"',
        ),
        ('name = "张伟"'.encode("gbk"), 'in GBK it reads name = "张伟"'),
        (NAME.encode("utf-16"), "is in UTF-16; save it with the encoding UTF-8"),
        ('title = "T"\nname = 王小明  # me', 'line 2: a text stands in quotes: name = "王小明"'),
        ('title = "T"\n作者 = "王小明"', "line 2, has 作者. It may have title, name, number"),
        (
            'name = "王"\nname = "李"',
            "line 2, has name a second time; several go into a list: name",
        ),
        ('date = "1"\ndate = "2"', "line 2, has date a second time"),
        ("name = “王小明”", 'line 1: a text stands in quotes: name = "王小明"$'),
        ("number = 0123456", 'line 1: a text stands in quotes: number = "0123456"$'),
        ("name = [王小明, 陳妤瑄]", r'line 1: .*: name = \["王小明", "陳妤瑄"\]$'),
        ('name ＝ "王小明"', 'line 1: a text stands in quotes: name = "王小明"$'),
        ('course = ["A", "B"]', 'line 1: course is one text, not a list; write course = "A, B"'),
        ('name = [["A"]]', r'line 1: name is a list of texts, such as name = \["...'),
        ('name = ["A", "B"]\nnumber = "1"', r'line 2: 2 in name and 1 in number.*\["...", "..."\]'),
        ("x = 1", "line 1, has x. It may have title, name"),
        ('\nauthors = ["A"]', "line 2, has authors; write name = ..."),
        ('titel = "A"', "line 1, has titel; write title = ..."),
        ('language = "zh"', 'line 1: write language = "en" or language = "zh-TW", got \'zh\''),
        ("name = true", "name is a text, such as"),
        ('[name]\nfirst = "A"', "name is a text, such as"),
        ('name = "A', "report.toml cannot be read"),
    ],
)
def test_title_data_that_are_wrong_say_what_to_write(tmp_path, content, reason):
    (tmp_path / "report").mkdir()
    content = content if isinstance(content, bytes) else content.encode()
    (tmp_path / "report" / "report.toml").write_bytes(content)
    with pytest.raises(ValueError, match=reason):
        title_data(tmp_path)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (md("a smile 😀"), "no font has 😀 (U+1F600)"),
        (md("lines\u2028that end\u2029otherwise, 😀"), "no font has 😀 (U+1F600)"),
        (md("in a formula $😀$"), "no font has 😀"),
        (code("f()", "report", outputs=stream("printed 😀")), "no font has 😀"),
        (
            code("f()", "report", outputs=figure(svg=tiny.SVG.format(alt="a", text="𠮷"))),
            "fig-one has letters that no",
        ),
        (code("f()", "report", outputs=figure(caption="Caption 😀.")), "no font has 😀"),
        (
            code("f()", "report", outputs=data(image_png="aGVsbG8=", text_plain="a dot")),
            "a picture that is no image/png",
        ),
        (
            code("f()", "report", outputs=data(image_png=tiny.PNG[:11] + "=", text_plain="a dot")),
            "failed to decode image",
        ),
        (md("![a figure](figures/gone.svg)"), "there is no picture figures/gone.svg"),
        (md("#### Too deep"), "skipped from heading level 1 to 4"),
    ],
)
def test_what_cannot_be_shown_fails_with_its_cell(about, cell, reason):
    with pytest.raises(Lost) as error:
        render(notebook(md("# A"), md("fine"), cell), about())
    assert str(error.value).startswith("05_x.ipynb, cell 3: ") and reason in str(error.value)


def test_pictures_beside_the_notebook_and_from_outputs(about, tmp_path):
    (tmp_path / "box.svg").write_text(tiny.SVG.format(alt="t", text="x"))
    dot = code("f()", "report", outputs=data(image_png=tiny.PNG, text_plain="a dot"))
    nb = notebook(md("# A\n\n![a grey box](box.svg)"), dot)
    entries = objects(render(nb, about(), folder=tmp_path))
    spoken = {entry["/Alt"] for entry in entries if "/Alt" in entry}
    assert spoken == {"a grey box", "a dot"}


def test_nothing_runs_off_the_page(about):
    long = "x" * 300
    wide = "\n".join("|" + cell * 14 for cell in (" column |", "---|", " 1234.5 |"))
    cells = [
        md(
            f"# A\n\n`{long}` and `{'f(a=1).' * 40}`\n\n"
            f"| a | b |\n|---|---|\n| {'word ' * 60} | `{long}` |"
        ),
        code(f'x = "{long}"', "report", "report-source", outputs=stream(f"{long}\n{'word ' * 60}")),
        code("f()", "report", outputs=table(text=wide)),
    ]
    ends = []

    def end_of(
        text, matrix, place, font, size
    ):  # at least: letters are wider than 0.4 of their height
        if text.strip():
            ends.append(
                place[4] * matrix[0]
                + matrix[4]
                + 0.4 * size * place[0] * matrix[0] * len(text.strip("\n"))
            )

    for page in PdfReader(io.BytesIO(render(notebook(*cells), about()))).pages:
        page.extract_text(visitor_text=end_of)
    assert len(ends) > 50 and max(ends) < 18.6 / 2.54 * 72  # points; the text ends at 18.5 cm


def test_several_authors_and_words_in_chinese(tmp_path):
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "report.toml").write_text(
        'name = ["王小明", "A. Student"]\nnumber = ["0123456", "0123457"]\nlanguage = "zh-TW"',
        encoding="utf-8",
    )
    given = title_data(tmp_path)
    assert given["authors"] == [("王小明", "0123456"), ("A. Student", "0123457")]
    parts, _ = parts_of(NB, "05_x")
    content = pdf.render(parts, given, appendix=[Part("markdown", "# B\n\n[x](#tab-one)", "b")])
    text = text_of(content)
    for words in (
        "王小明 A. Student 0123456 0123457",
        "目錄 1",
        "the box (圖 1)",
        "表 1. Numbers.",
    ):
        assert words in text, words
    assert "參考文獻" in text and "x (表 1)" in text
    assert not re.search("Contents|Figure|Table|References", text)
    entries = objects(content)
    assert next(entry for entry in entries if entry.get("/Type") == "/Catalog")["/Lang"] == "zh-TW"
    page = html.render(parts, given).decode()
    assert '<html lang="zh-TW">' in page and "目錄" in page and "圖 1" in page


def test_a_line_is_left_for_a_name(about):
    assert "Name Student number" in text_of(render(NB, about()))
    assert "Student number" not in text_of(render(NB, about(name="A. Student")))


def test_every_language_has_every_word():
    english, *others = WORDS.values()
    for words in others:
        assert words.keys() == english.keys() and all(words.values())


def test_html_is_one_page_with_everything_in_it(about):
    page = render(NB, about(name="王小明", note="small scale"), html).decode()
    assert "<title>TD(0) learning for 2048</title>" in page
    for words in ("王小明", "small scale", "Figure 1.", "Table 1.", "<math", "Sutton"):
        assert words in page, words
    assert (
        '<h2 id="sec-the-value-of-a-board">1 The value of a board</h2>' in page
        and '<h3 id="sec-part">1.1 Part</h3>' in page
    )
    assert 'alt="a box"' in page and 'src="data:image/svg+xml;base64,' in page
    assert not re.findall(
        r'(?:src|href)="(?!data:|#|https://doi)[^"]*"|url\((?!"data:)|<link|<script', page
    )
    assert render(NB, about(name="王小明", note="small scale"), html).decode() == page
    anchors = set(re.findall(r' id="([^"]*)"', page))
    assert set(re.findall(r'href="#([^"]*)"', page)) <= anchors
    with pytest.raises(Lost, match="05_x.ipynb, cell 1: the formula"):
        render(notebook(md(r"$\nonsense$")), about(), html)
