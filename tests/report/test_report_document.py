"""What of a notebook reaches the report.

Nothing is lost in silence: every loss names the notebook and the cell.
"""

import pytest
import tiny_notebooks as tiny
from nbformat.v4 import new_output, new_raw_cell
from tiny_notebooks import code, data, figure, md, notebook, stream, table

from notebook_tools.folding import fold
from report.document import EDITIONS, HOMEWORK, LONG, Lost, parts_of
from report.pandoc import REFERENCES, convert, reference_parts


def parts(*cells, whole=False):
    taken, problems = parts_of(notebook(*cells), "05_x", whole=whole)
    assert problems == []
    return taken


def problems(*cells):
    """The problems of notebook 05_x: those of its outputs, and those of the conversion."""
    taken, wrong = parts_of(notebook(*cells), "05_x")
    try:
        convert(taken, "typst", wrong)
    except Lost as error:
        return str(error).split("\n")
    return []


def svg(text):
    """An SVG document with this text in it."""
    return tiny.SVG.format(alt="a", text=text)


# What is taken


def test_tagged_cells_only_in_order():
    cells = [
        md("# One"),
        md("not this", "other"),
        code("x = 1", "report", outputs=stream("printed\n")),
        md("deeper", "report-more"),
        md("last"),
    ]
    taken = parts(*cells)
    assert [part.text for part in taken] == ["# One", "printed", "deeper", "last"]
    assert [part.where for part in taken] == [f"05_x.ipynb, cell {n}" for n in (1, 3, 4, 5)]


def test_what_plays_is_for_the_long_edition_as_a_page():
    nb = notebook(md("always"), md("deeper", "report-more"), md("Watch:", "report-plays"))
    taken = {
        (edition, plays): [
            part.text for part in parts_of(nb, "05_x", edition=edition, plays=plays)[0]
        ]
        for edition in EDITIONS
        for plays in (False, True)
    }
    assert taken == {
        (HOMEWORK, False): ["always"],
        (HOMEWORK, True): ["always"],
        (LONG, False): ["always", "deeper"],
        (LONG, True): ["always", "deeper", "Watch:"],
    }


def test_sources_come_when_asked_for():
    tagged, bare = code("x = 1", "report", "report-source"), code("y = 2", "report")
    assert [part.text for part in parts(tagged, bare)] == ["```python\nx = 1\n```"]
    taken = parts(md("text", "other"), code("'```'", outputs=data(text_plain="'```'")), whole=True)
    assert [part.text for part in taken] == ["text", "```python\n'```'\n```", "'```'"]


def test_what_is_folded_is_taken_without_its_source_and_a_question_without_its_answer():
    told = {"asked": "**Predict.** Which?\n\n- 16\n- 32", "answered": "**32.**"}
    question = data(text_markdown=f"{told['asked']}\n\n<details>32</details>")
    question[0].metadata = {"lib2048": {"prediction": told}}
    prose = data(text_markdown="It took 3 games.")
    nb = notebook(
        code('predict.choice("tile", "Which?", {}, 32, "")', outputs=question),
        code("%%md\nIt took {n} games.", outputs=prose),
    )
    taken, wrong = parts_of(fold(nb), "05_x", whole=True)
    assert wrong == []
    assert [part.text for part in taken] == [told["asked"], "It took 3 games."]


def test_figures_tables_and_listings_keep_what_they_are():
    listing = {"text/markdown": "From `a.py`:\n\n```python\nx\n```", "text/plain": ""}
    shown = new_output(
        "display_data", listing, metadata={"lib2048": {"listing": "slide", "own": False}}
    )
    taken = parts(code("...", "report", outputs=[*figure(), *table(), shown]))
    assert [part.kind for part in taken] == ["figure", "table", "listing"]
    shown_figure = taken[0]
    fields = shown_figure.label, shown_figure.caption, shown_figure.alt
    assert (*fields, shown_figure.picture.size) == (
        "fig-one",
        "A grey box.",
        "a box",
        (150, 75),
    )
    assert taken[2].caption == "From `a.py`:" and taken[2].text.startswith("```python")


def test_a_widget_that_has_a_picture_is_its_picture():
    view = {
        "application/vnd.jupyter.widget-view+json": {"model_id": "1"},
        "text/plain": "VBox(children=())",
    }
    both = new_output(
        "display_data", view | {"image/svg+xml": tiny.SVG.format(alt="strip", text="s")}
    )
    (picture,) = parts(code("watch()", "report", outputs=[both]))
    assert (picture.kind, picture.alt) == ("picture", "strip")


def test_a_widget_and_the_picture_after_it_are_one_picture():
    view = {
        "application/vnd.jupyter.widget-view+json": {"model_id": "1"},
        "text/plain": "a game",
    }
    live = new_output("display_data", view, metadata={"lib2048": {"picture follows": True}})
    svg = tiny.SVG.format(alt="strip", text="s")
    still = new_output("display_data", {"image/svg+xml": svg, "text/plain": "a game"})
    (picture,) = parts(code("watch()", "report", outputs=[live, still]))
    assert (picture.kind, picture.alt) == ("picture", "strip")


def test_a_picture_without_words_is_told_as_such():
    shown = data(image_png=tiny.PNG, text_plain="<Figure size 640x480 with 1 Axes>")
    (source, picture) = parts(code("plot()", outputs=shown), whole=True)
    assert picture.alt == "Picture drawn by the code above" and picture.kind == "picture"


def test_headings_begin_at_the_first_level():
    assert {part.shift for part in parts(md("## A\n\n```\n# no heading\n```"), md("### B"))} == {1}
    assert {part.shift for part in parts(md("# A"), md("### B"))} == {0}


# What is refused


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (r"$\frac{a$ is broken", "a $ that neither begins nor ends"),
        (r"$\nonsense{a}$", r"the formula $\nonsense{a}$ cannot be converted"),
        (r"$x^2 never ends", "a $ that neither"),
        (r"$\color{red}{x}$", r"uses \color, which would be lost"),
        (r"\begin{align} a \end{align}", "TeX outside of $...$"),
        ("<b>bold</b>", "HTML, which would be lost: <b>"),
        ("<div>\nblock\n</div>", "HTML, which would be lost: <div>"),
        ("[there](#fig-none)", "a link to #fig-none, which is nowhere in the report"),
        ("[there](#ref-none)", "a link to #ref-none"),
        ("[there](data.csv)", "a link to data.csv, which readers of the report do not have"),
        ("![](a.png)", "the picture a.png has no alternative text"),
        ("![far](https://example.org/a.png)", "is not a file beside the notebook"),
    ],
)
def test_markdown_that_would_be_lost(text, reason):
    (first, *_) = problems(md("fine"), md(text))
    assert first.startswith("05_x.ipynb, cell 2: ") and reason in first


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        (
            [new_output("error", ename="ValueError", evalue="no", traceback=[])],
            "it raised ValueError: no",
        ),
        (stream("UserWarning: x", "stderr"), "it wrote to stderr: UserWarning: x"),
        (data(text_plain="VBox(children=(Button(),))"), "VBox(children"),
        (data(text_plain="<lib2048.x.Y object at 0x7f>"), "<lib2048.x.Y object"),
        (data(text_html="<b>x</b>", text_plain="<IPython.core.display.HTML object>"), "text/html"),
        (data(text_html="<b>x</b>"), "an output of the kind text/html"),
        (
            [new_output("display_data", {}, metadata={"lib2048": {"widget": True}})],
            "a widget without a picture",
        ),
        (
            data(image_png=tiny.PNG, text_plain="<Figure size 640x480 with 1 Axes>"),
            "a picture without alternative text",
        ),
        (figure(svg="<svg"), "no whole SVG document"),
        (figure(svg=svg("</text><foreignObject/><text>")), "<foreignObject>"),
        (
            figure(svg=svg('</text><image href="https://x.org/a.png"/><text>')),
            "refers to https://",
        ),
    ],
)
def test_outputs_that_would_be_lost(outputs, reason):
    (first, *_) = problems(md("fine"), md("fine"), code("...", "report", outputs=outputs))
    assert first.startswith("05_x.ipynb, cell 3: ") and reason in first


def test_cells_that_cannot_be_printed():
    assert "a raw cell" in problems(new_raw_cell("x", metadata={"tags": ["report"]}))[0]
    assert "has not been run" in problems(code("x", "report", count=None))[0]


def test_all_problems_are_told_at_once():
    told = problems(
        md("<b>"),
        code("", "x"),
        md("[a](#fig-a)"),
        code("f()", "report", outputs=stream("no", "stderr")),
    )
    assert [line.split(":")[0] for line in told] == [f"05_x.ipynb, cell {n}" for n in (4, 1, 3)]


def test_a_label_is_given_once():
    told = problems(
        code("f()", "report", outputs=figure()), code("g()", "report", outputs=figure())
    )
    assert told == ["05_x.ipynb, cell 2: the label fig-one is taken, by 05_x.ipynb, cell 1"]


# What it becomes


def typst(text, *others):
    return convert(parts(md(text), *others), "typst").parts[0].text


def test_links_get_numbers():
    shown = code("f()", "report", outputs=[*figure(), *table()])
    assert typst("See [the box](#fig-one).", shown) == "See the box (#ref(<fig-one>))."
    assert typst("(see [the box](#fig-one))", shown) == r"\(see the box, #ref(<fig-one>))"
    assert (
        typst("[Figure](#fig-one), [the table](#tab-one)", shown)
        == "#ref(<fig-one>), #ref(<tab-one>)"
    )
    page = convert(parts(md("[the box](#fig-one)"), shown), "html").parts[0].text
    assert page == '<p>the box (<a href="#fig-one">Figure 1</a>)</p>'


def test_links_to_papers_sections_notebooks_and_the_web():
    links = "[Sutton 1988](#ref-sutton1988) [s](#The-game) [n](01_a.ipynb) <https://x.org>"
    converted = convert(parts(md(f"# 03 The *game*\n\n{links}")), "typst")
    text = converted.parts[0].text
    assert text.startswith("= The #emph[game]\n") and "#link(<ref-sutton1988>)[Sutton 1988]" in text
    assert (
        "s (#ref(<sec-the-game>))" in text
        and " n " in text
        and '#link("https://x.org")' in text
        and converted.cited == ["ref-sutton1988"]
    )


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"16{,}777{,}216", '16","777","216'),
        (r"\arg\max_a x", 'op("arg max", limits: #true)_a x'),
        (r"\operatorname{mean}_x", 'op("mean", limits: #false)_x'),
        (r"\bigl( x \bigr)", r"lr(size: #1.2em, \() x lr(size: #1.2em, \))"),
        (r"\lvert x \rvert", "lr(|x|)"),
        (r"a\;b\!c", "a #h(0.278em) b #h(-0.167em) c"),
    ],
)
def test_formulas(tex, expected):
    assert expected in typst(f"so ${tex}$")
    assert typst(f"so ${tex}$").startswith('so #formula("')


def test_only_a_paragraph_after_a_paragraph_is_indented():
    """A lead-in is set by itself; behind a formula the sentence goes on, so it has no indent."""
    text = typst("First.\n\nSo\n\n$$a$$\n\nand then\n\n$$b$$")
    assert [line for line in text.split("\n") if line.startswith("#lead")] == [
        "#lead(true)[",
        "#lead(false)[",
    ]
    for before, is_indented in {"Text.": "true", "## Heading": "false", "$$a$$": "false"}.items():
        converted = convert(parts(md(f"# A\n\n{before}"), md("So\n\n$$b$$")), "typst")
        assert converted.parts[1].text.startswith(f"#lead({is_indented})["), before
    assert "#lead(false)[\n#strong[The sum.]" in typst("First.\n\n**The sum.** It is\n\n$$a$$")


def test_an_apostrophe_behind_a_digit_is_no_prime():
    assert typst('lib2048\'s player says "no"') == "lib2048’s player says “no”"


def test_dollars_and_comments():
    assert typst(r"it costs \$5, `\$x` and $\$5$ <!-- hidden -->").startswith(
        r"it costs \$5, `\$x` and #formula("
    )


def test_columns_of_numbers_stand_to_the_right():
    text = (
        "| a | b | c | d |\n|---|---|---|:-:|\n"
        "| x | 1,000 | 2.5 (2.1 to 3.0) | 1 |\n| y | −20 % | - | 2 |"
    )
    assert typst(text).startswith(
        "#grid-of(11, (left, right, right, center,), ([a], [b], [c], [d],), ([x], [1,000],"
    )


def test_every_reference_has_its_place_in_the_list():
    """Also one whose author has no initials, a project for instance."""
    labels = [part.label for part in reference_parts(f"ref-{key}" for key in REFERENCES)]
    assert len(labels) == len(REFERENCES)
    assert (
        labels.index("ref-oka2016") < labels.index("ref-pufferlib") < labels.index("ref-steele2014")
    )
