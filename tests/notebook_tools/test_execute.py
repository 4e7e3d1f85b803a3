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
from tiny_notebooks import bare, md, notebook

from experiments.versions import ROOT
from notebook_tools import execute, files, manifest
from notebook_tools.execute import NotebookFailed
from notebook_tools.files import passing_folder
from workbook.marks import MARK

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
RUN = """from pathlib import Path
from notebook_tools.execute import run
run("small", root=Path({!r}))"""


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
    copies = execute.run("small", root=root, show=False)
    assert {path: path.read_bytes() for path in (root / "notebooks").iterdir()} == before
    return SimpleNamespace(root=root, copies=copies)


def test_outputs_are_tidy(ran):
    assert [copy.relative_to(ran.root).as_posix() for copy in ran.copies] == [
        "runs/notebooks/small/01_a.ipynb", "runs/notebooks/small/02_b.ipynb"
    ]  # fmt: skip
    nb = files.read(ran.copies[0])
    with_code = [cell for cell in nb.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in with_code] == [1, 2, 3]
    assert [cell.id for cell in nb.cells] == [f"cell-{n:02d}" for n in range(4)]
    (printed,) = with_code[1].outputs  # one stream, and no bar
    assert printed.text == "0\n1\n2\ndone"
    assert with_code[2].outputs[0].data["text/plain"] == "('small', 5)"
    assert set().union(*(cell.metadata for cell in nb.cells)) == {"tags", "slideshow"}
    assert nb.metadata.language_info == {"name": "python"} and "widgets" not in nb.metadata
    assert files.read(ran.copies[1]).cells[0].outputs[0].text == "a kernel of its own\n"


def test_what_brings_widgets_to_life_is_kept_beside_the_copy(ran):
    source = ran.root / "notebooks" / "02_b.ipynb"
    states = json.loads(execute.states_of(source, "small", ran.root).read_text())
    assert states == [[], [{"kind": "a widget", "state": "1"}]]
    shown = files.read(ran.copies[1]).cells[1].outputs[0]
    assert shown.data == {"text/plain": "seen"}


def test_nothing_runs_twice_until_code_changes(ran, monkeypatch):
    def no(*args):
        raise AssertionError("it ran")

    monkeypatch.setattr(execute, "_run_all", no)
    path = ran.root / "notebooks" / "01_a.ipynb"
    nb = files.read(path)
    nb.cells[0].source = "# Other words"
    nb.cells.insert(1, md("new", "report"))
    nb.cells[1]["id"] = "new"
    files.write(nb, path)
    execute.run("small", root=ran.root, show=False)
    copy = files.read(ran.copies[0])
    assert [cell.source for cell in copy.cells[:2]] == ["# Other words", "new"]
    assert copy.cells[3].outputs[0].text == "0\n1\n2\ndone" and copy.cells[4].execution_count == 3
    nb.cells[-1].source += "  # changed"
    files.write(nb, path)
    with pytest.raises(AssertionError, match="it ran"):
        execute.run("small", root=ran.root, show=False)


def test_full_scale_is_written_back(tmp_path):
    root = tiny.write(
        tmp_path, **{"01_a": notebook(bare("6 * 7")), "02_b": notebook(bare(f"print('{ROOT}/x')"))}
    )
    copies = execute.run("full", root=root, show=False)
    assert execute.write_back(copies[:1], root) == [root / "notebooks" / "01_a.ipynb"]
    nb = files.read(root / "notebooks" / "01_a.ipynb")
    assert nb.cells[0].outputs[0].data["text/plain"] == "42" and nb.cells[0].execution_count == 1
    assert MARK not in nb.metadata, "committed files hold no key and no seconds"
    noted = json.loads((root / "report" / "manifest.json").read_text())["notebooks"]
    assert noted == {"01_a.ipynb": manifest.executed_hash(nb)}
    assert execute.write_back(copies[:1], root) == []
    with pytest.raises(
        NotebookFailed,
        match=f"02_b.ipynb: an output names a place on this machine: cell 1: {ROOT}/x",
    ):
        execute.write_back(copies[1:], root)
    nb.cells[0].source = "6 * 8"
    files.write(nb, root / "notebooks" / "01_a.ipynb")
    with pytest.raises(NotebookFailed, match="01_a.ipynb was edited while it ran"):
        execute.write_back(copies[:1], root)


def test_a_failing_cell_is_told_and_the_others_go_on(tmp_path, capsys):
    fails = notebook(md("# A"), bare("x = 1"), bare("x / 0"), bare("print('never')"))
    dies = notebook(bare("import os\nos._exit(1)"))
    root = tiny.write(tmp_path, **{"01_a": fails, "02_b": dies, "03_c": notebook(bare("'fine'"))})
    with pytest.raises(NotebookFailed) as error:
        execute.run("small", root=root, jobs=3)
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
    program = RUN.format(str(root))
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
    program = RUN.format(str(root))
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
    there = ("01_a", "02_b", "10_c", "appendix_d", "draft", "zz_e")
    root = tiny.write(tmp_path, **{name: notebook() for name in there})
    names = lambda *given: [path.stem for path in files.sources(root, given)]  # noqa: E731
    assert names() == ["01_a", "02_b", "10_c", "appendix_d"]
    assert names("appendix") == ["appendix_d"]
    assert names("10", "notebooks/01_a.ipynb") == ["01_a", "10_c"]
    with pytest.raises(ValueError, match="called 03; there are 01_a, 02_b, 10_c, appendix_d"):
        names("01", "03")
    with pytest.raises(ValueError, match="there are none"):
        files.sources(tmp_path / "nowhere")


def test_wrong_requests(capsys):
    for arguments, told in [
        (["--jobs", "0"], "at least 1, got 0"),
        (["99"], "no notebook is called 99"),
    ]:
        assert execute.main(arguments) == 1
        assert told in capsys.readouterr().err
