"""JupyterLab is opened at the first notebook, with trust in what git has as it is, and no more."""

import os
import shutil
import subprocess

import nbformat
import pytest
import tiny_notebooks as tiny
from jupyterlab_server.config import get_page_config
from nbformat.sign import MemorySignatureStore, NotebookNotary
from tiny_notebooks import code, notebook

from notebook_tools import lab

SHOWN = tiny.data(text_html="<b>x</b>")


def git(folder, *arguments):
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """What `main` tells Jupyter by the environment is taken back after the test."""
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "")


@pytest.fixture
def checkout(tmp_path):
    """A checkout with a notebook that is as committed, and all sorts that are not."""
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    root = tmp_path / "checkout"
    names = ("00_kept", "01_changed", "02_gone", "03_staged")
    tiny.write(root, **{name: notebook(code(name, outputs=SHOWN)) for name in names})
    git(tmp_path, "init", "checkout")
    git(root, "add", ".")
    git(root, "commit", "-m", "x")
    other = notebook(code("other", outputs=SHOWN))
    tiny.write(
        root, **{"01_changed": other, "03_staged": other, "04_new": other, "05_added": other}
    )
    git(root, "add", "notebooks/03_staged.ipynb", "notebooks/05_added.ipynb")
    (root / "notebooks" / "02_gone.ipynb").unlink()
    (root / "notebooks" / "06_link.ipynb").symlink_to("04_new.ipynb")
    git(root, "add", "notebooks/06_link.ipynb")
    git(root, "commit", "-m", "y", "--", "notebooks/06_link.ipynb")
    return root


def test_only_what_git_has_unchanged_is_trusted(checkout):
    notary = NotebookNotary(store_factory=MemorySignatureStore, secret=b"x", data_dir=str(checkout))
    paths = lab.unchanged_notebooks(checkout)
    assert [path.name for path in paths] == ["00_kept.ipynb"]
    assert lab.trust(paths, notary) == 1
    trusted = set()
    for path in (checkout / "notebooks").iterdir():
        if notary.check_signature(nbformat.read(path, as_version=4)):
            trusted.add(path.name)
    assert trusted == {"00_kept.ipynb"}
    assert lab.trust(paths, notary) == 0


def test_a_checkout_inside_another_is_looked_at_by_itself(checkout):
    inside = checkout / "inside"
    tiny.write(inside, **{"00_kept": notebook(code("x")), "01_new": notebook(code("y"))})
    git(checkout, "add", "inside/notebooks/00_kept.ipynb")
    git(checkout, "commit", "-m", "z", "--", "inside")
    assert [path.name for path in lab.unchanged_notebooks(inside)] == ["00_kept.ipynb"]


def test_without_git_nothing_is_trusted(tmp_path, monkeypatch):
    root = tiny.write(tmp_path, **{"00_a": notebook(code("x"))})
    assert lab.unchanged_notebooks(root) == []
    monkeypatch.setenv("PATH", "")
    assert lab.unchanged_notebooks(root) == []


def test_it_opens_at_the_first_notebook_with_the_options_it_is_given(checkout, monkeypatch):
    calls = []
    monkeypatch.setattr(lab.LabApp, "launch_instance", lambda argv: calls.append(argv))
    monkeypatch.setattr(lab, "trust", lambda paths: calls.append([path.name for path in paths]))
    monkeypatch.setattr(lab, "unchanged_notebooks", lambda: [checkout / "00_kept.ipynb"])
    assert lab.main(["--allow-root"]) == 0
    trusted, arguments = calls
    assert trusted == ["00_kept.ipynb"]
    assert arguments == [
        f"--ServerApp.root_dir={lab.ROOT}",
        "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb",
        "--allow-root",
    ]


def test_a_checkout_without_notebooks_is_told(tmp_path):
    with pytest.raises(ValueError, match="there are none"):
        lab.lab_arguments([], tmp_path)


@pytest.mark.parametrize(("user", "given"), [(0, ["--port", "1"]), (0, []), (1000, [])])
def test_root_is_told_what_jupyterlab_wants(monkeypatch, capsys, user, given):
    monkeypatch.setattr(lab.os, "geteuid", lambda: user)
    monkeypatch.setattr(lab.LabApp, "launch_instance", lambda argv: None)
    monkeypatch.setattr(lab, "unchanged_notebooks", lambda: [])
    assert lab.main(given) == (user == 0)
    assert ('LAB="--allow-root"' in capsys.readouterr().err) == (user == 0)
    assert lab.main([*given, "--allow-root"]) == 0


def test_jupyterlab_asks_nothing_when_it_opens(tmp_path, monkeypatch):
    """Its offer of news, which pops up on every new machine, is not even loaded."""
    monkeypatch.setattr(lab.LabApp, "launch_instance", lambda argv: None)
    monkeypatch.setattr(lab, "unchanged_notebooks", lambda: [])
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path / "own"))
    assert lab.main(["--allow-root"]) == 0
    assert os.environ["JUPYTER_CONFIG_PATH"].startswith(str(tmp_path / "own") + os.pathsep)
    disabled = get_page_config([])["disabledExtensions"]
    assert "@jupyterlab/apputils-extension:announcements" in disabled
