"""Running notebooks: clean kernels, tidy outputs, nothing twice.

Nothing is lost by a failure or by Ctrl-C.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from types import SimpleNamespace

import psutil
import pytest
import tiny_notebooks as tiny
from nbformat.v4 import new_output
from tiny_notebooks import code, md, notebook, stream

from experiments.versions import ROOT
from report import manifest, needs, notebooks, tidy
from report.files import passing_folder
from report.notebooks import NotebookFailed

BUSY = """import sys
from tqdm.auto import tqdm
for n in tqdm(range(3)):
    print(n)
print("done", end="")"""
WIDGET = """import os
from IPython.display import display
wanted = os.environ["LIB2048_PAGES"]
page = {"kind": "a widget", "state": wanted}
display({"text/plain": "seen", "application/vnd.lib2048.page+json": page}, raw=True)"""


def bare(source, *tags):
    """A code cell that has not been run."""
    return code(source, *tags, count=None)


# Running


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Two notebooks, run at the small scale."""
    root = tmp_path_factory.mktemp("ran")
    first = notebook(
        md("# Title"), bare("import os\nx = 5"), bare(BUSY), bare("os.environ['SCALE'], x")
    )
    first.cells[1].metadata |= {"slideshow": {"slide_type": "skip"}, "scrolled": True}
    own = "try:\n    x\nexcept NameError:\n    print('a kernel of its own')"
    second = notebook(bare(own), bare(WIDGET))
    tiny.write(root, **{"01_a": first, "02_b": second})
    before = {path: path.read_bytes() for path in (root / "notebooks").iterdir()}
    copies = notebooks.run("small", root=root, show=False)
    assert {path: path.read_bytes() for path in (root / "notebooks").iterdir()} == before
    return SimpleNamespace(root=root, copies=copies)


def test_outputs_are_tidy(ran):
    assert [copy.relative_to(ran.root).as_posix() for copy in ran.copies] == [
        "runs/notebooks/small/01_a.ipynb", "runs/notebooks/small/02_b.ipynb"
    ]  # fmt: skip
    nb = notebooks.read(ran.copies[0])
    with_code = [cell for cell in nb.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in with_code] == [1, 2, 3]
    assert [cell.id for cell in nb.cells] == [f"cell-{n:02d}" for n in range(4)]
    (printed,) = with_code[1].outputs  # one stream, and no bar
    assert printed.text == "0\n1\n2\ndone"
    assert with_code[2].outputs[0].data["text/plain"] == "('small', 5)"
    assert set().union(*(cell.metadata for cell in nb.cells)) == {"tags", "slideshow"}
    assert nb.metadata.language_info == {"name": "python"} and "widgets" not in nb.metadata
    assert notebooks.read(ran.copies[1]).cells[0].outputs[0].text == "a kernel of its own\n"


def test_what_brings_widgets_to_life_is_kept_beside_the_copy(ran):
    source = ran.root / "notebooks" / "02_b.ipynb"
    states = json.loads(notebooks.states_of(source, "small", ran.root).read_text())
    assert states == [[], [{"kind": "a widget", "state": "1"}]]
    shown = notebooks.read(ran.copies[1]).cells[1].outputs[0]
    assert shown.data == {"text/plain": "seen"}


def test_nothing_runs_twice_until_code_changes(ran, monkeypatch):
    def no(*args):
        raise AssertionError("it ran")

    monkeypatch.setattr(notebooks, "_run_all", no)
    path = ran.root / "notebooks" / "01_a.ipynb"
    nb = notebooks.read(path)
    nb.cells[0].source = "# Other words"
    nb.cells.insert(1, md("new", "report"))
    nb.cells[1]["id"] = "new"
    notebooks.write(nb, path)
    notebooks.run("small", root=ran.root, show=False)
    copy = notebooks.read(ran.copies[0])
    assert [cell.source for cell in copy.cells[:2]] == ["# Other words", "new"]
    assert copy.cells[3].outputs[0].text == "0\n1\n2\ndone" and copy.cells[4].execution_count == 3
    nb.cells[-1].source += "  # changed"
    notebooks.write(nb, path)
    with pytest.raises(AssertionError, match="it ran"):
        notebooks.run("small", root=ran.root, show=False)


def test_full_scale_is_written_back(tmp_path):
    root = tiny.write(
        tmp_path, **{"01_a": notebook(bare("6 * 7")), "02_b": notebook(bare(f"print('{ROOT}/x')"))}
    )
    copies = notebooks.run("full", root=root, show=False)
    assert notebooks.write_back(copies[:1], root) == [root / "notebooks" / "01_a.ipynb"]
    nb = notebooks.read(root / "notebooks" / "01_a.ipynb")
    assert nb.cells[0].outputs[0].data["text/plain"] == "42" and nb.cells[0].execution_count == 1
    assert tidy.MARK not in nb.metadata, "committed files hold no key and no seconds"
    noted = json.loads((root / "report" / "manifest.json").read_text())["notebooks"]
    assert noted == {"01_a.ipynb": manifest.executed_hash(nb)}
    assert notebooks.write_back(copies[:1], root) == []
    with pytest.raises(
        NotebookFailed,
        match=f"02_b.ipynb: an output names a place on this machine: cell 1: {ROOT}/x",
    ):
        notebooks.write_back(copies[1:], root)
    nb.cells[0].source = "6 * 8"
    notebooks.write(nb, root / "notebooks" / "01_a.ipynb")
    with pytest.raises(NotebookFailed, match="01_a.ipynb was edited while it ran"):
        notebooks.write_back(copies[:1], root)


def test_a_failing_cell_is_told_and_the_others_go_on(tmp_path, capsys):
    fails = notebook(md("# A"), bare("x = 1"), bare("x / 0"), bare("print('never')"))
    dies = notebook(bare("import os\nos._exit(1)"))
    root = tiny.write(tmp_path, **{"01_a": fails, "02_b": dies, "03_c": notebook(bare("'fine'"))})
    with pytest.raises(NotebookFailed) as error:
        notebooks.run("small", root=root, jobs=3)
    assert "01_a.ipynb, cell 3: ZeroDivisionError: division by zero" in str(error.value)
    assert "x / 0" in str(error.value) and "never" not in str(error.value)
    assert "02_b.ipynb, cell 1: the kernel died" in str(error.value)
    told = capsys.readouterr().err
    assert "FAILED 01_a: 01_a.ipynb, cell 3" in told and "/3] 03_c" in told
    assert [path.name for path in (root / "runs" / "notebooks" / "small").iterdir()] == [
        "03_c.ipynb"
    ]


def test_ctrl_c_keeps_what_is_done(tmp_path):
    endless = notebook(bare("import time\ntime.sleep(600)"))
    root = tiny.write(tmp_path, **{"01_a": notebook(bare("1")), "02_b": endless})
    program = (
        f"import pathlib, report.notebooks as it; it.run('small', root=pathlib.Path({str(root)!r}))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    copies = root / "runs" / "notebooks" / "small"
    try:
        limit = time.time() + 120
        while not (copies / "01_a.ipynb").exists() and time.time() < limit:
            time.sleep(0.1)
        time.sleep(1)
        kernels = psutil.Process(process.pid).children(recursive=True)
        assert kernels
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in told and [path.name for path in copies.iterdir()] == [
        "01_a.ipynb"
    ]
    assert psutil.wait_procs(kernels, timeout=10)[1] == []


def test_what_a_killed_run_leaves_goes_with_the_next(tmp_path, monkeypatch):
    endless = notebook(bare("import time\ntime.sleep(600)"))
    root = tiny.write(tmp_path, **{"01_a": endless})
    passing = tmp_path / "passing"
    passing.mkdir()
    program = (
        f"import pathlib, report.notebooks as it; it.run('small', root=pathlib.Path({str(root)!r}))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, env=os.environ | {"TMPDIR": str(passing)}
    )
    try:
        limit = time.time() + 120
        while not list(passing.glob("*/kernel.json")) and time.time() < limit:
            time.sleep(0.1)
        kernels = psutil.Process(process.pid).children(recursive=True)
        assert kernels
    finally:
        process.kill()
    assert psutil.wait_procs(kernels, timeout=30)[1] == [], "kernels see that they are alone"
    assert not (root / "runs" / "notebooks").exists()
    (left,) = passing.iterdir()
    monkeypatch.setattr(tempfile, "tempdir", str(passing))
    with passing_folder():
        assert left.exists(), "its program may be about to lock it"
    os.utime(left, (0, 0))
    with passing_folder() as ours:
        os.utime(ours, (0, 0))
        with passing_folder():
            assert ours.exists() and not left.exists()
    assert list(passing.iterdir()) == []


def test_names(tmp_path):
    files = ("01_a", "02_b", "10_c", "appendix_d", "draft", "zz_e")
    root = tiny.write(tmp_path, **{name: notebook() for name in files})
    names = lambda *given: [path.stem for path in notebooks.sources(root, given)]  # noqa: E731
    assert names() == ["01_a", "02_b", "10_c", "appendix_d"]
    assert names("appendix") == ["appendix_d"]
    assert names("10", "notebooks/01_a.ipynb") == ["01_a", "10_c"]
    with pytest.raises(ValueError, match="called 03; there are 01_a, 02_b, 10_c, appendix_d"):
        names("01", "03")
    with pytest.raises(ValueError, match="there are none"):
        notebooks.sources(tmp_path / "nowhere")


# What outputs depend on


def key(*sources, scale="small"):
    return needs.key(notebook(*map(bare, sources)), scale)


def test_the_key_is_made_of_code_and_scale():
    assert key("x = 1") == needs.key(notebook(md("prose"), bare("x = 1", "report")), "small")
    assert len({key("x = 1"), key("x = 2"), key("x = 1", "y"), key("x = 1", scale="full")}) == 4


def test_modules_are_those_that_are_reached():
    def modules(source):
        return needs.modules_of(notebook(bare(source)))

    assert modules("import numpy as np\n%matplotlib inline\nprint(") == set()
    board = modules("from lib2048 import slide")
    assert {"lib2048.board", "lib2048.kernels", "lib2048.validate"} <= board
    others = ("lib2048.fast", "lib2048.network", "lib2048.training", "lib2048.draw", "experiments")
    assert [name for name in board if name.startswith(others)] == []
    assert modules("%matplotlib inline\nfrom lib2048 import slide") == board
    assert "lib2048.fast.rules" in modules(
        "from lib2048.training import train"
    ) and "lib2048.draw" in modules("import lib2048")
    shown = modules("import experiments")
    assert {"workbook.table", "experiments.pieces", "lib2048.fast.rules"} <= shown
    assert not shown & {"experiments.runner", "experiments.catalogue", "experiments.store"}


def test_what_counts_of_experiments_is_there():
    """A renamed module would count no more, and old outputs would pass for new ones."""
    assert all(map(needs.module_file, needs.OF_EXPERIMENTS | needs.SHOWN_BY_EXPERIMENTS))
    for name in ("network", "sweep", "summary_of", "train_and_evaluate"):
        reached = needs.modules_of(notebook(bare(f"from experiments import {name}")))
        assert reached & needs.OF_EXPERIMENTS, name


def test_the_key_follows_modules_results_and_sources(monkeypatch):
    user, other = "from lib2048 import slide", "import numpy"
    before = (
        key(user),
        key(other),
        key(user + "\nfrom workbook.cells import listing\nlisting('slide')"),
    )
    monkeypatch.setattr(needs, "file_hash", lambda path: f"new {path.name}")
    after = (
        key(user),
        key(other),
        key(user + "\nfrom workbook.cells import listing\nlisting('slide')"),
    )
    assert before[0] != after[0] and before[1] == after[1] and before[2] != after[2]
    reads = 'import experiments\nfor name in ("alpha", "p4"):\n    experiments.table(name)'
    assert needs.experiments_of(notebook(bare(reads), bare("x = 'order'"))) == ["alpha", "p4"]
    prose = "%%md\nIt is {experiments.result('alpha')['x']:.2f}, `{p4}`, and so on."
    assert needs.experiments_of(notebook(bare(prose))) == ["alpha"]
    assert needs.experiments_of(notebook(bare("%%md\nA brace { that is never closed."))) == []
    names = needs._results(notebook(bare(reads)), "small")
    assert names and all(name.startswith("train_and_evaluate-") for name in names)


# Tidying


def test_widgets_leave_a_picture_or_a_line():
    view = {tidy.VIEW: {"model_id": "top"}, "text/plain": "VBox(children=())"}
    svg = view | {"image/svg+xml": "<svg/>"}
    outputs = [new_output("display_data", view), new_output("display_data", svg)]
    nb = tidy.tidy(notebook(code("x", outputs=outputs)))
    line, picture = nb.cells[0].outputs
    assert line.data == {"text/plain": tidy.WIDGET} and line.metadata == {
        tidy.MARK: {"widget": True}
    }
    assert "image/svg+xml" in picture.data and tidy.VIEW not in picture.data


def test_a_widget_whose_picture_is_the_next_output_goes():
    view = {tidy.VIEW: {"model_id": "top"}, "text/plain": "a game"}
    follows = {tidy.MARK: {"picture follows": True}}
    outputs = [
        new_output("display_data", view, metadata=follows),
        new_output("display_data", {"image/svg+xml": "<svg/>"}),
    ]
    nb = tidy.tidy(notebook(code("x", outputs=outputs)))
    (picture,) = nb.cells[0].outputs
    assert "image/svg+xml" in picture.data


def test_streams_are_joined_and_bars_go():
    bar = stream("10%|#  | 1/10\r20%|## |\n", "stderr")
    outputs = stream("a\n") + bar + stream("b\rc\n") + stream("warning", "stderr")
    nb = tidy.tidy(notebook(code("x", outputs=outputs)))
    kept = [(output.name, output.text) for output in nb.cells[0].outputs]
    assert kept == [("stdout", "a\nc\n"), ("stderr", "warning")]


def test_machine_paths_are_found():
    home = "/".join(["", "home", "me", "x"])  # so that it does not stand here
    outputs = stream(f"see {home} and https://a.org{home}") + tiny.data(
        text_html="<a>C:\\Users\\me</a>"
    )
    places = tidy.machine_paths(notebook(md(home), code(home, outputs=outputs)))
    assert places == [f"cell 2: {home}", "cell 2: C:\\Users\\me"]
