"""What the outputs of a notebook depend on: its code, what that reaches, and the scale."""

from tiny_notebooks import bare, md, notebook

from notebook_tools import needs


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
