"""The files from which other places start: what they name is there, and they can be read there."""

import json
import os
import re
import stat
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]


def without_comments(path):
    """JSON as editors read it, in which a line may be a comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return json.loads("\n".join(line for line in lines if not line.lstrip().startswith("//")))


def test_binder_compiles_what_there_is():
    script = ROOT / "postBuild"
    assert os.name == "nt" or script.stat().st_mode & stat.S_IXUSR, "Binder runs it as a program"
    text = script.read_text(encoding="utf-8")
    modules = re.findall(r"^python -m (\S+)$", text, re.M)
    assert modules == ["lib2048.compile", "libewn.compile"]
    assert all(find_spec(module) for module in modules)
    if os.name != "nt":
        subprocess.run(["bash", "-n", str(script)], check=True)


def test_the_dev_container_and_vs_code_use_the_environment_that_set_up_makes():
    container = without_comments(ROOT / ".devcontainer" / "devcontainer.json")
    assert container["postCreateCommand"] == "python set_up.py"
    settings = without_comments(ROOT / ".vscode" / "settings.json")
    of_container = container["customizations"]["vscode"]
    for settings_here in (settings, of_container["settings"]):
        assert settings_here["python.defaultInterpreterPath"].endswith("/.venv/bin/python")
    recommended = without_comments(ROOT / ".vscode" / "extensions.json")["recommendations"]
    assert set(of_container["extensions"]) <= set(recommended)
    marks = settings["python.testing.pytestArgs"][-1]
    known = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for mark in re.findall(r"not (\w+)", marks):
        assert f'"{mark}: ' in known


@pytest.mark.parametrize("is_there", [True, False])
def test_colab_installs_the_wheel_and_plays(tmp_path, monkeypatch, capsys, is_there):
    """Its cells, with fewer games, and without what only Colab has or what reaches the net."""
    cells = nbformat.read(ROOT / "launch" / "colab.ipynb", as_version=4).cells
    install, widgets, *rest = [cell.source for cell in cells if cell.cell_type == "code"]
    monkeypatch.chdir(tmp_path)
    install, replaced = re.subn(
        r'^%pip install --quiet "\{(\w+)\}"$', r"print(\1)", install, flags=re.M
    )
    assert replaced == 1
    wheel = tmp_path / "lib2048-0.2.0-py3-none-any.whl"

    class Files:
        @staticmethod
        def upload():
            wheel.touch()

    monkeypatch.setitem(sys.modules, "google", type(sys)("google"))
    if is_there:
        wheel.touch()
    else:
        colab = type(sys)("google.colab")
        colab.files = Files
        monkeypatch.setitem(sys.modules, "google.colab", colab)
    names = {}
    exec(install, names)
    assert capsys.readouterr().out == f"{wheel}[viewer]\n"
    exec(widgets, names)
    for cell in rest:
        exec(re.sub(r"(own, )[\d_]+", r"\g<1>5", cell), names)
    assert "5\tavg = " in capsys.readouterr().out
    assert names["own"].games == 5
