"""A stranger's notebook in the report: it runs nothing, and touches nothing that it may not.

Each attempt is a cell. It is either refused, with the notebook and the cell named, or printed as
the text that it is. Code that Typst ran would print CANARY, which stands in no attempt as one word;
what lies outside the checkout holds SECRET.
"""

import io
import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
import tiny_notebooks as tiny
from nbformat.v4 import new_output, new_raw_cell
from pypdf import PdfReader
from tiny_notebooks import code, data, figure, md, notebook, stream, table

from experiments.versions import ROOT
from notebook_tools import tidy
from notebook_tools.files import sources
from report import figures, html, pdf
from report.document import Lost, parts_of
from report.exporter import ReportExporter
from report.title import title_data

CODE = '#("CAN"+"ARY")'  # Typst that prints CANARY where it runs
SCRIPT = "<script>ran()</script>"
ABOUT = title_data(Path("nowhere"))

TAGS = {
    "a", "annotation", "article", "b", "body", "blockquote", "br", "code", "col",
    "colgroup", "div", "em", "figcaption", "figure", "h1", "h2", "h3", "h4",
    "h5", "h6", "head", "header", "hr", "html", "img", "li", "main",
    "math", "meta", "mfrac", "mi", "mn", "mo", "mrow", "mstyle", "msub",
    "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "nav",
    "ol", "p", "pre", "s", "semantics", "span", "strong", "style", "table",
    "tbody", "td", "th", "thead", "title", "tr", "ul", "mspace", "del",
}  # fmt: skip


class Reader(HTMLParser):
    """Reads a page as a browser would, and collects what it may not hold."""

    def __init__(self):
        super().__init__()
        self.wrong = []

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            self.wrong.append(tag)
        for name, value in attrs:
            address = value or ""
            is_bad_link = name == "href" and not address.startswith(("#", "https://", "mailto:"))
            is_bad_source = name == "src" and not address.startswith("data:image/")
            if name.startswith("on") or is_bad_link or is_bad_source:
                self.wrong.append((tag, name, value))


def wrong_in(page: bytes) -> list:
    """What a page holds that could run or load something."""
    reader = Reader()
    reader.feed(page.decode())
    reader.close()
    return reader.wrong


def text_of(content: bytes) -> str:
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


@pytest.fixture
def folder(tmp_path):
    """The folder of a notebook in a checkout, with a secret outside."""
    (tmp_path / "secret.svg").write_text(tiny.SVG.format(alt="SECRET", text="SECRET"))
    folder = tmp_path / "checkout" / "notebooks"
    folder.mkdir(parents=True)
    (folder / "link.svg").symlink_to(tmp_path / "secret.svg")
    (folder / "outside").symlink_to(tmp_path)
    (folder / "text.svg").write_text("no picture")
    (folder / "text.txt").write_text("no picture")
    return folder


def files_below(folder) -> dict:
    """{path: content} of all files."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def render(renderer, folder, *cells):
    parts, problems = parts_of(notebook(md("# Title"), *cells), "05_x", str(folder))
    return renderer.render(parts, dict(ABOUT), problems=problems)


# Markdown that is text, and nothing else


HARMLESS = {
    "typst in a text": f"so {CODE} \\{CODE} #import and @ref $x$",
    "typst in a heading": f"## A {CODE}",
    "typst in code": f"a `` ` {CODE} ` `` b",
    "typst in long code": f"```` ``` {CODE} ``` ````",
    "typst in a code block": f"````\n```\n{CODE}\n```\n````",
    "typst in an indented block": f"    ```{CODE}",
    "typst in a table": f"| a | b |\n|---|---|\n| ]), {CODE} | `]`{CODE} // /* |",
    "typst in a formula's text": '$\\text{a" ' + CODE + ' "b}$',
    "a typst comment in a formula": "$\\text{*/ // /*}$",
    "names of stand-ins": "$\\operatorname{a} \\text{nbop1x} \\text{nbcomma}$ picture-0-1.",
    "a raw span": f"`{CODE}`{{=typst}} `{SCRIPT}`{{=html}}",
    "entities": f"&lt;script&gt;ran()&lt;/script&gt; &#35;{CODE[1:]}",
    "an address with quotes": f'[x](<https://a.org/"); {CODE} #(">)',
    "an address with a backslash": f'[x](<https://a.org/\\\\"); {CODE} #(\\\\">)',
    "an address that ends an attribute": '[x](<https://a.org/" onclick="ran()>)',
    "a title that ends an attribute": f"[x](https://a.org '\">{SCRIPT}')",
    "a mail address": '[x](<mailto:a"b>)',
    "a formula that ends an attribute": f'$\\text{{"{SCRIPT}}}$',
    "script in an operator": f"$\\mathop{{ab\\mbox{{{SCRIPT}}}}}$",
    "script in code": f"`{SCRIPT}`\n\n```html\n{SCRIPT}\n```",
}


@pytest.mark.parametrize("attempt", HARMLESS)
def test_text_stays_text(folder, attempt):
    before = files_below(folder)
    cell = md(HARMLESS[attempt])
    assert "CANARY" not in text_of(render(pdf, folder, cell))
    assert wrong_in(render(html, folder, cell)) == []
    assert files_below(folder) == before


# Markdown that is refused


REFUSED = {
    "typst in an operator's name": (
        f'$\\operatorname{{a") {CODE} op("b}}$',
        "a name is of letters, digits and spaces",
    ),
    "typst in a short operator": (
        f'$\\mathop{{ab\\mbox{{" {CODE} "}}}}$',
        "cannot be converted",
    ),
    "the library of typst in an operator": (
        '$\\mathop{ab\\mbox{" std.eval("1") "}}$',
        "cannot be converted",
    ),
    "an operator that does not end": ('$\\mathop{ab\\mbox{"}}$', "cannot be converted"),
    "a comment out of an operator": ('$\\mathop{ab\\mbox{" // "}}$', "cannot be converted"),
    "a percent sign in an operator's name": ("$\\operatorname{a%1}$", "a name is of letters"),
    "typst as a language": (f"~~~ x```{CODE}```\ncode\n~~~", "a code block whose language is"),
    "raw typst": (f"```{{=typst}}\n{CODE}\n```", "a code block whose language is {=typst}"),
    "raw html": (f"```{{=html}}\n{SCRIPT}\n```", "a code block whose language is {=html}"),
    "a language that ends an attribute": (
        f'```x">{SCRIPT}\ncode\n```',
        "a code block whose language",
    ),
    "script": (SCRIPT, "HTML, which would be lost: <script>"),
    "script in a line": (f"so {SCRIPT} on", "HTML, which would be lost: <script>"),
    "script between comments": (f"<!-- a -->{SCRIPT}<!-- b -->", "HTML, which would be lost"),
    "a handler": ('<b onclick="ran()">x</b>', "HTML, which would be lost: <b"),
    "a script as an address": ("[x](javascript:ran())", "a link to javascript:ran()"),
    "a script named like a notebook": (
        "[x](javascript:ran().ipynb)",
        "a link to javascript:ran().ipynb",
    ),
    "a page as an address": ("[x](data:text/html,%3Cscript%3E)", "a link to data:text/html"),
    "a file as an address": ("[x](file:///etc/passwd)", "a link to file:///etc/passwd"),
    "typst as a label": (f"[x](<#fig>)[{CODE}]>)", "a link to #fig"),
    "typst as a picture": (f'![x](<a", alt: "")) {CODE} #((">)', "there is no picture"),
    "html as a picture": ('![x](<a" onerror="ran()>)', "there is no picture"),
    "a picture from the net": ("![x](https://a.org/a.svg)", "is not a file beside the notebook"),
    "a picture of another host": ("![x](//a.org/a.svg)", "more than a path beside"),
    "a page as a picture": ("![x](data:text/html,%3Cscript%3E)", "is not a file beside"),
    "a picture by its full path": ("![x]({secret})", "more than a path beside the notebook"),
    "a picture as a file address": ("![x](file://{secret})", "is not a file beside"),
    "a picture above": ("![x](../../secret.svg)", "lies outside"),
    "a picture above, in percents": ("![x](%2e%2e/%2e%2e/secret.svg)", "lies outside"),
    "a picture above, through a link": ("![x](outside/secret.svg)", "lies outside"),
    "a picture that is a link": ("![x](link.svg)", "lies outside"),
    "a picture above, as on Windows": ("![x](<..\\..\\secret.svg>)", "there is no picture"),
    "a picture on a drive": ("![x](<C:\\secret.svg>)", "is not a file beside"),
    "a picture on a share": ("![x](<\\\\\\\\host\\secret.svg>)", "more than a path beside"),
    "a picture at home": ("![x](~/secret.svg)", "more than a path beside"),
    "a picture with a null in its name": ("![x](a%00.svg)", "there is no picture"),
    "a picture that is none": ("![x](text.svg)", "text.svg: a picture that is no whole SVG"),
    "a file that is no picture": ("![x](text.txt)", "there is no picture text.txt"),
    "a command for the terminal": ("a \x1b]0;x\x07 b", "the control character U+001B"),
    "half a letter": ("a \ud800 b", "the control character U+D800"),
}


@pytest.mark.parametrize("attempt", REFUSED)
@pytest.mark.parametrize("renderer", [pdf, html], ids=["pdf", "html"])
def test_markdown_is_refused(folder, attempt, renderer):
    text, reason = REFUSED[attempt]
    secret = folder.parents[1] / "secret.svg"
    cell = md(text.replace("{secret}", str(secret)))
    before = files_below(folder)
    with pytest.raises(Lost) as error:
        render(renderer, folder, cell)
    assert str(error.value).startswith("05_x.ipynb, cell 2: ") and reason in str(error.value)
    assert "\x1b" not in str(error.value)
    assert files_below(folder) == before


# Outputs


def svg(inside: str) -> str:
    return tiny.SVG.format(alt="a", text="x").replace("<rect", f"{inside}<rect")


def marked(**mark) -> list:
    """The output of a figure, with other metadata."""
    (shown, _) = figure()
    shown.metadata["lib2048"] |= mark
    return [shown]


BAD_LABELS = [
    "fig-../../evil",
    "fig-/etc/evil",
    f'fig-x"{SCRIPT}',
    f"fig-x> {CODE} <y",
    "fig-x\n",
    "fig-A",
    "fig-",
    "tab-..",
    "sec-1",
    7,
    ["fig-one"],
]
REFUSED_OUTPUTS = {
    **{f"the label {label!r}": (marked(label=label), "label") for label in BAD_LABELS},
    "a caption that is no text": (marked(caption={"a": 1}), "caption"),
    "a caption of two paragraphs": (figure(caption="a\n\nb."), "not one paragraph"),
    "a caption that is a list": (figure(caption="- a\n- b."), "not one paragraph"),
    "a caption that is code": (figure(caption="```\na.\n```"), "not one paragraph"),
    "script in a caption": (figure(caption=f"A {SCRIPT}."), "HTML, which would be lost"),
    "words that are none": (marked(alt=None), "alt"),
    "a table that is none": (marked(label="tab-one"), "text/markdown"),
    "a script": (data(text_html=SCRIPT, text_plain="x"), None),
    "a program": (data(application_javascript="ran()"), "application/javascript"),
    "a picture with a script": (figure(svg=svg(SCRIPT)), "<script>"),
    "a picture with a handler": (figure(svg=svg('<g onload="ran()"/>')), "code in it"),
    "a picture with a page": (figure(svg=svg("<foreignObject/>")), "<foreignObject>"),
    "a picture of a file": (figure(svg=svg('<image href="/etc/passwd"/>')), "refers to /etc"),
    "a picture of a picture": (
        figure(svg=svg('<image href="data:image/svg+xml,x"/>')),
        "refers to data:image/svg",
    ),
    "a picture with a script as an address": (
        figure(svg=svg('<a href="javascript:ran()"/>')),
        "refers to javascript",
    ),
    "a style from the net": (
        figure(svg=svg("<style>@import 'https://a.org';</style>")),
        "a <style> that refers",
    ),
    "a style in disguise": (
        figure(svg=svg("<style>a{b:\\75rl(https://a.org)}</style>")),
        "a <style> that refers",
    ),
    "a colour from the net": (
        figure(svg=svg('<g fill=" URL( https://a.org )"/>')),
        "refers to",
    ),
    "a picture with entities": (
        figure(svg='<!DOCTYPE s [<!ENTITY x SYSTEM "/etc/passwd">]>' + svg("")),
        "not plain SVG",
    ),
    "a widget": (
        [new_output("display_data", {tidy.VIEW: "no model", "text/plain": "VBox()"})],
        "a widget without a picture",
    ),
}


@pytest.mark.parametrize("attempt", REFUSED_OUTPUTS)
@pytest.mark.parametrize("renderer", [pdf, html], ids=["pdf", "html"])
def test_outputs_are_refused(folder, attempt, renderer):
    outputs, reason = REFUSED_OUTPUTS[attempt]
    cell = code("f()", "report", outputs=outputs)
    if reason is None:  # the plain text is printed in place of it
        assert SCRIPT.encode() not in render(renderer, folder, cell)
        return
    with pytest.raises(Lost) as error:
        render(renderer, folder, cell)
    assert str(error.value).startswith("05_x.ipynb, cell 2: ") and reason in str(error.value)


HARMLESS_OUTPUTS = {
    "printed": stream(f"{CODE} {SCRIPT} ``` \\"),
    "printed in colours": stream(f"\x1b[31m{SCRIPT}\x1b[0m"),
    "a text": data(text_plain=f'"{CODE} {SCRIPT}'),
    "words of a picture": figure(svg=svg(""), alt=f'"); {CODE} {SCRIPT}'.replace("<", "&lt;")),
    "a caption": figure(caption=f"]) {CODE}."),
    "a table": table(text=f"| ] {CODE} |\n|---|\n| \\<script> |"),
    "a size": [
        new_output(
            "display_data",
            {"image/png": "", "text/plain": "x"},
            metadata={"image/png": {"width": "1pt) #x", "height": [1]}},
        )
    ],
}
HARMLESS_OUTPUTS["a size"][0].data["image/png"] = tiny.PNG


@pytest.mark.parametrize("attempt", HARMLESS_OUTPUTS)
def test_outputs_stay_what_they_are(folder, attempt):
    cell = code("f()", "report", outputs=HARMLESS_OUTPUTS[attempt])
    assert "CANARY" not in text_of(render(pdf, folder, cell))
    assert wrong_in(render(html, folder, cell)) == []


def test_sources_are_printed_as_they_are(folder):
    source = f"'''\n```\n{CODE} {SCRIPT}\n````\n'''"
    cell = code(source, "report", "report-source")
    assert "CANARY" not in text_of(render(pdf, folder, cell))
    assert wrong_in(render(html, folder, cell)) == []


def test_raw_cells_are_refused(folder):
    with pytest.raises(Lost, match="05_x.ipynb, cell 2: a raw cell"):
        render(html, folder, new_raw_cell(SCRIPT, metadata={"tags": ["report"]}))


@pytest.mark.parametrize("heading", [f"# 05 {CODE} {SCRIPT} <\n\ntext", "text"])
def test_the_name_and_the_title_of_a_notebook_are_text(folder, heading):
    name = f'05_{CODE}{SCRIPT}"'
    about = {"metadata": {"name": name, "path": str(folder)}}
    nb = notebook(md(heading.replace("<", "&lt;"), "no"), md("## Section", "no"))
    content, _ = ReportExporter().from_notebook_node(nb, about)
    title = PdfReader(io.BytesIO(content)).metadata.title
    assert CODE in title and "CANARY" not in text_of(content)


def test_the_page_forbids_what_it_does_not_need(folder):
    page = render(html, folder, md("text")).decode()
    assert "Content-Security-Policy\" content=\"default-src 'none'; img-src data:;" in page


# What lies around the cells


def test_widget_states_that_turn_in_circles_or_are_none():
    view = {tidy.VIEW: {"model_id": "a"}, "text/plain": "VBox(children=())"}
    circle = {"children": ["IPY_MODEL_b", 7], "_model_name": 5}
    back = {"children": ["IPY_MODEL_a"], "_model_name": SCRIPT}
    states = [
        {"state": {"a": {"state": circle}, "b": {"state": back}}},
        {"state": {"a": {"state": []}, "b": 7}},
        {"state": []},
        [],
        None,
    ]
    for state in states:
        nb = notebook(code("x", outputs=[new_output("display_data", dict(view))]))
        nb.metadata["widgets"] = {tidy.STATE: state}
        (output,) = tidy.tidy(nb).cells[0].outputs
        assert output.data == {"text/plain": tidy.WIDGET} and "widgets" not in nb.metadata


@pytest.mark.parametrize("label", [label for label in BAD_LABELS if isinstance(label, str)])
def test_figures_are_written_into_their_folder_only(tmp_path, label):
    nb = notebook(code("f()", outputs=marked(label=label)))
    root = tiny.write(tmp_path / "checkout", **{"01_a": nb})
    before = files_below(tmp_path)
    with pytest.raises(ValueError, match="01_a.ipynb, cell 1: the label"):
        figures.write(sources(root), root)
    assert files_below(tmp_path) == before


def test_files_that_are_no_notebooks_are_refused(tmp_path):
    (tmp_path / "notebooks").mkdir()
    badly_tagged = notebook(new_raw_cell("x"))
    badly_tagged.cells[0].metadata.tags = 5
    wrong = {
        "[]": "no notebook",
        "{": "no notebook",
        '{"cells": 5}': "no",
        json.dumps(badly_tagged): "no valid notebook",
    }
    for text, reason in wrong.items():
        (tmp_path / "notebooks" / "01_a.ipynb").write_text(text)
        with pytest.raises(ValueError, match=f"01_a.ipynb is {reason}"):
            figures.write(sources(tmp_path), tmp_path)


WATCHED = """
import json, os, sys, tempfile
from pathlib import Path
folder, told = Path(sys.argv[1]), []
import nbformat, report.html, report.pdf
from report.document import parts_of
from report.exporter import ReportExporter
from report.title import title_data
import subprocess, typst, fontTools.ttLib

def watch(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        if isinstance(path, (str, bytes)) and (flags or 0) & (os.O_WRONLY | os.O_RDWR):
            told.append(["write", os.fsdecode(path)])
    elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
        told.append(["run", str(arguments[0])])
    elif event.startswith("socket.") and event != "socket.__new__":
        told.append(["net", event])
    elif event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.chmod"):
        if arguments[-1] in (None, -1):  # else a name in an open folder, as shutil.rmtree has it
            told.append(["change", str(arguments[0])])

sys.addaudithook(watch)
path = folder / "05_x.ipynb"
about = {"metadata": {"name": "05_x", "path": str(folder)}}
pdf, _ = ReportExporter().from_notebook_node(nbformat.read(path, as_version=4), about)
parts, problems = parts_of(nbformat.read(path, as_version=4), "05_x", str(folder))
title = title_data(folder)
page = report.html.render(parts, title, problems=problems)
sizes = [len(pdf), len(page)]
print(json.dumps({"told": told, "temporary": tempfile.gettempdir(), "pages": sizes}))
"""


def test_building_opens_nothing_but_its_own_temporary_files(folder):
    """Of all harmless attempts at once, with Python itself watching."""
    cells = [md("# Title"), *(md(text) for text in HARMLESS.values())]
    figures_and_tables = ("words of a picture", "a caption", "a table")  # all with one label
    plain = [HARMLESS_OUTPUTS[name] for name in HARMLESS_OUTPUTS if name not in figures_and_tables]
    outputs = [output for shown in plain for output in shown]
    cells += [code("f()", "report", outputs=outputs), code("g()", "report", outputs=figure())]
    tiny.write(folder.parent, **{"05_x": notebook(*cells)})
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(folder)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    seen = json.loads(done.stdout)
    assert all(size > 1000 for size in seen["pages"])
    for event, what in seen["told"]:
        if event == "run":
            assert Path(what).stem == "pandoc", what  # pypandoc looks for it in several places
        else:
            allowed = (seen["temporary"], "/dev/null")
            assert event in ("write", "change") and what.startswith(allowed), (event, what)
