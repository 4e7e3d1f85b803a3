"""What no other test calls: `make api` and `make coverage`, on a little of what they work on.

And Python in the versions that this machine has beside its own.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import import_graph
import pdoc
import pytest

from pages.extras import API_MODULES

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
ROOMS = (*import_graph.LAYERS, "tests")
OTHER_PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PARSE = """
import ast, pathlib, sys, warnings
warnings.simplefilter("error")
for name in sys.argv[1:]:
    path = pathlib.Path(name)
    for file in [path] if path.suffix else path.rglob("*.py"):
        ast.parse(file.read_text(encoding="utf-8"), str(file))
print(sys.version_info[:2])
"""


def command_of(target):
    """The words of a target's command, after `python -m`."""
    recipe = re.search(rf"^{target}: .*\n((?:\t.*\n| {{4}}.*\n)+)", MAKEFILE, re.M)[1]
    words = recipe.replace("\\\n", " ").split()
    assert words[:3] == ["exec", "$(python)", "-m"]
    return words[3:]


def test_make_api_documents_what_there_is(tmp_path):
    tool, *words = command_of("api")
    assert tool == "pdoc"
    modules = words[words.index("numpy") + 1 :]
    assert {"lib2048", "libewn", "workbook.check"} <= set(modules)
    assert tuple(modules) == API_MODULES, "make site has the same pages"
    for module in modules:
        folder = ROOT / module.replace(".", "/")
        assert folder.is_dir() or folder.with_suffix(".py").is_file(), module
    pdoc.render.configure(docformat="numpy")
    pdoc.pdoc("lib2048.options", output_directory=tmp_path)
    page = (tmp_path / "lib2048" / "options.html").read_text(encoding="utf-8")
    assert "Temporal coherence learning" in page and "<h6" in page, "numpydoc's sections are read"


def test_make_coverage_measures_both_libraries(tmp_path):
    words = command_of("coverage")
    command = [sys.executable, "-m", *words, "-q", "-p", "no:cacheprovider", "-n", "0"]
    environment = {**os.environ, "COVERAGE_FILE": str(tmp_path / "coverage")}
    done = subprocess.run(
        [*command, "lib2048/options.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    covered = dict(re.findall(r"^(lib\w+/\S+\.py) .* (\d+)%", done.stdout, re.M))
    assert int(covered["lib2048/options.py"]) > 50
    assert covered["libewn/match.py"] == "0"


def interpreters():
    """The Pythons of other versions on this machine: on the PATH, or where pyenv keeps them."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = {}
    for version in OTHER_PYTHONS:
        beside = [str(file) for file in kept.glob(f"{version}.*/bin/python")]
        for program in filter(None, [shutil.which(f"python{version}"), *beside]):
            asked = subprocess.run([program, "-c", ""], capture_output=True)
            if asked.returncode == 0:  # pyenv puts a stand-in on the PATH that may lead nowhere
                found[version] = program
    return found


def test_every_python_here_reads_all_of_it_without_a_warning():
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    others = {version: python for version, python in interpreters().items() if version != own}
    if not others:
        pytest.skip("there is no other Python on this machine")
    for version, python in others.items():
        done = subprocess.run(
            [python, "-c", PARSE, *ROOMS, "set_up.py", "hatch_build.py"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == f"({version.replace('.', ', ')})"
