"""The set-up: dependency lists that agree, environments, style, and tests without a compiler.

set_up.py is tried with commands that are written down instead of run, the Makefile on a copy in a
folder with a space in its name, with small shell scripts that stand in for Python. Nothing here
needs the network.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import set_up
from set_up import Environment, SetUpFailed

ROOT = Path(__file__).resolve().parents[2]

# PyPI's name -> conda-forge's, where they differ. An environment built from conda-forge has pandoc
# beside pypandoc.
CONDA_NAMES = {"typst": "typst-py", "pypandoc_binary": "pypandoc", "dask": "dask-core"}
CONDA_ONLY = {"python", "pip", "pandoc"}


def requirements():
    """Everything pyproject.toml asks for: to build, to run, and each extra."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = data["project"]
    lists = [
        data["build-system"]["requires"],
        project["dependencies"],
        *project["optional-dependencies"].values(),
    ]
    found = [Requirement(line) for lines in lists for line in lines]
    return [requirement for requirement in found if requirement.name != project["name"]]


# Dependency lists


def test_environment_yml_agrees_with_pyproject():
    text = (ROOT / "environment.yml").read_text()
    conda, pip = text.split("dependencies:\n")[1].split("  - pip:\n")
    lines = re.findall(r"^ +- (.*)$", conda, re.M) + re.findall(r"^ +- (?!-e)(.*)$", pip, re.M)
    found = {re.match(r"[\w.-]+", line)[0]: re.sub(r"^[\w.-]+", "", line) for line in lines}
    wanted = {CONDA_NAMES.get(r.name, r.name): str(r.specifier) for r in requirements()}
    assert {name: spec for name, spec in found.items() if name not in CONDA_ONLY} == wanted
    assert set(found) >= CONDA_ONLY
    assert re.findall(r"^ +- (-e.*)$", pip, re.M) == ["-e ."]


def test_lock_pins_every_dependency_with_hashes():
    text = (ROOT / "requirements.lock").read_text()
    assert (
        "://" not in text
        and "--index" not in text
        and "find-links" not in text
        and "-e " not in text
    )
    entry = r"^([A-Za-z][\w.-]*)==(\S+)(?: ; ([^\\\n]*))?(?: \\\n    --hash=sha256:[0-9a-f]{64})+$"
    entries = re.findall(entry, text, re.M)
    assert len(entries) == len(re.findall(r"^[^#\s]", text, re.M)), (
        "a line of requirements.lock has no pin or no hash"
    )
    for wanted in requirements():
        pins = [
            (v, m)
            for name, v, m in entries
            if canonicalize_name(name) == canonicalize_name(wanted.name)
        ]
        assert pins, f"{wanted.name} is not in requirements.lock: run make lock"
        assert all(wanted.specifier.contains(version) for version, _ in pins), (
            f"{wanted}: locked are {pins}"
        )
        for minor in range(11, 16):
            here = {"python_version": f"3.{minor}", "python_full_version": f"3.{minor}.9"}
            if wanted.marker is None or wanted.marker.evaluate(here):
                fits = [v for v, marker in pins if not marker or Marker(marker).evaluate(here)]
                assert len(fits) == 1, f"{wanted.name} on Python 3.{minor}: {fits}"


def test_tracked_files_name_no_registry_and_no_place_on_a_machine():
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode:
        pytest.skip("not a git checkout")
    # A path counts where it begins, not inside a longer path, an address or base64.
    bad = re.compile(
        rb"(?<![\w/.~+%$}>-])/(home|root|tmp|work|opt|Users|private/var)(?=/\w)|pypi\.org|pythonhosted\.org"
        rb"|registry\.npmjs|conda\.anaconda|--(extra-)?index-url|--[f]ind-links"
    )
    hits = []
    for name in listing.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            hits += [f"{name}: {m[0].decode()}" for m in bad.finditer((ROOT / name).read_bytes())]
    assert not hits


# Making .venv: set_up.py


class Checkout(Environment):
    """A checkout whose commands are written down; its environment is a few empty files."""

    def __init__(self, folder):
        super().__init__(folder, run=self.pretend)
        for name in ("requirements.lock", "pyproject.toml"):
            (folder / name).write_text(name)
        self.commands = []
        self.failing = ""  # what a command that fails holds
        self.error = None  # what it raises

    def pretend(self, command):
        line = " ".join(command)
        self.commands.append(
            line.replace(sys.executable, "python3").replace(str(self.python), "PYTHON")
        )
        if self.failing and self.failing in line:
            raise self.error or subprocess.CalledProcessError(1, command)
        if "venv" in command:
            self.python.parent.mkdir(parents=True)
            self.python.write_text("")
            (self.folder / "pyvenv.cfg").write_text("uv = 1" if command[0] == "uv" else "home = x")

    def update(self):
        """Bring up to date -> the commands that took."""
        self.commands.clear()
        self.bring_up_to_date()
        return list(self.commands)


PIP = "PYTHON -m pip --disable-pip-version-check install"
ITSELF = "--no-deps --no-build-isolation -e ."
COMPILING = ["PYTHON -m lib2048.compile", "PYTHON -m libewn.compile"]
BY_PIP = [
    "python3 -m venv .venv",
    f"{PIP} --require-hashes -r requirements.lock",
    f"{PIP} {ITSELF}",
    *COMPILING,
]
BY_UV = [
    "uv venv --quiet --no-project --python python3 .venv",
    "uv pip install --python PYTHON --require-hashes -r requirements.lock",
    f"uv pip install --python PYTHON {ITSELF}",
    *COMPILING,
]


@pytest.fixture(params=[BY_PIP, BY_UV], ids=["pip", "uv"])
def by_either(request, monkeypatch):
    """The commands of a whole set-up, where uv is on the PATH and where it is not."""
    has_uv = request.param is BY_UV
    monkeypatch.setattr(shutil, "which", lambda name: "/uv" if has_uv else None)
    return request.param


@pytest.fixture
def without_uv(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)


def test_setup_is_done_once_and_again_when_needed(tmp_path, by_either):
    checkout = Checkout(tmp_path)
    assert checkout.update() == by_either
    assert checkout.update() == []
    (tmp_path / "requirements.lock").touch()
    assert checkout.update() == [], "touched, but the same"
    (tmp_path / "pyproject.toml").write_text("another extra")
    assert checkout.update() == by_either[2:]
    (tmp_path / "requirements.lock").write_text("another version")
    assert checkout.update() == by_either
    assert not checkout.set_aside.exists()
    checkout.stamp.write_text('{"place": "elsewhere"}')  # the checkout was moved
    assert checkout.update() == by_either


STOPPED = [None, KeyboardInterrupt(), OSError("no space left")]  # ways to fail


@pytest.mark.parametrize("failing", ["venv .venv", "requirements.lock", "-e ."])
@pytest.mark.parametrize("error", STOPPED)
def test_an_environment_that_works_is_put_back(tmp_path, without_uv, failing, error):
    checkout = Checkout(tmp_path)
    checkout.update()
    (checkout.folder / "kept").write_text("from before")
    (tmp_path / "requirements.lock").write_text("a version that cannot be had")
    checkout.failing, checkout.error = failing, error
    with pytest.raises(SetUpFailed if error is None else type(error)) as caught:
        checkout.update()
    assert (checkout.folder / "kept").exists() and checkout.present()
    assert not checkout.set_aside.exists()
    if error is None:
        assert "back in its place" in str(caught.value)
    checkout.failing = ""
    assert checkout.update() == BY_PIP
    assert not (checkout.folder / "kept").exists()


@pytest.mark.parametrize("failing", ["lib2048.compile", "libewn.compile"])
@pytest.mark.parametrize("error", STOPPED)
def test_an_environment_without_all_kernels_is_kept_and_completed(
    tmp_path, without_uv, failing, error
):
    checkout = Checkout(tmp_path)
    checkout.failing, checkout.error = failing, error
    with pytest.raises(SetUpFailed if error is None else type(error)) as caught:
        checkout.update()
    assert checkout.present() and not checkout.set_aside.exists()
    assert "next set-up compiles the rest" in checkout.what_is_there()
    if error is None:
        assert f"-m {failing}` failed" in str(caught.value)
        assert checkout.what_is_there() in str(caught.value)
    checkout.failing = ""
    assert checkout.update() == COMPILING
    assert checkout.update() == []


def test_an_environment_of_before_kernels_were_stamped_is_completed(tmp_path, without_uv):
    checkout = Checkout(tmp_path)
    checkout.update()
    made_of = checkout.wanted()
    del made_of["kernels"]
    checkout.stamp.write_text(json.dumps(made_of))
    assert checkout.update() == COMPILING


@pytest.mark.parametrize(
    "had_one, failing, said",
    [
        (False, "requirements.lock", "There is no environment now"),
        (False, "libewn.compile", ".venv is complete and can be used, but not all"),
        (True, "requirements.lock", "The earlier .venv is there, but it is not what"),
        (True, "lib2048.compile", ".venv is complete and can be used, but not all"),
    ],
)
def test_ctrl_c_says_what_is_there(tmp_path, without_uv, capsys, had_one, failing, said):
    checkout = Checkout(tmp_path)
    if had_one:
        checkout.update()
        (tmp_path / "requirements.lock").write_text("a newer version")
    checkout.failing, checkout.error = failing, KeyboardInterrupt()
    assert set_up.main([], checkout) == 130
    assert f"set_up: stopped. {said}" in capsys.readouterr().err
    checkout.failing = ""
    assert set_up.main([], checkout) == 0
    assert checkout.present() == checkout.wanted()


def test_a_set_up_that_was_killed_is_made_good(tmp_path, without_uv):
    checkout = Checkout(tmp_path)
    checkout.update()
    (checkout.folder / "kept").write_text("from before")
    checkout.folder.rename(checkout.set_aside)  # killed after this
    checkout.folder.mkdir()
    assert checkout.update() == []
    assert (checkout.folder / "kept").exists()
    checkout.folder.rename(checkout.set_aside)
    shutil.copytree(checkout.set_aside, checkout.folder)  # killed before the old one was deleted
    assert checkout.update() == []
    assert not checkout.set_aside.exists()


def test_a_first_set_up_that_fails_leaves_nothing_half_made(tmp_path, without_uv):
    checkout = Checkout(tmp_path)
    checkout.failing = "requirements.lock"
    with pytest.raises(SetUpFailed, match="no environment now"):
        checkout.update()
    assert not checkout.folder.exists()


def test_pip_steps_in_where_uv_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: "/uv")
    checkout = Checkout(tmp_path)
    checkout.failing = "uv pip install --python"
    assert checkout.update() == [*BY_UV[:2], *BY_PIP]


def test_two_set_ups_at_once_take_turns(tmp_path):
    """Two processes: the second finds the work done.

    Each step takes a while, so that they do meet.
    """
    (tmp_path / "requirements.lock").write_text("x")
    (tmp_path / "pyproject.toml").write_text("y")
    program = """
import sys, time, pathlib
from set_up import Environment
folder = pathlib.Path(sys.argv[1])
def run(command):
    with open(folder / "commands", "a") as file:
        file.write(" ".join(command) + "\\n")
    time.sleep(0.3)
    if "venv" in command:
        environment.python.parent.mkdir(parents=True)
        environment.python.write_text("")
environment = Environment(folder, run)
print(environment.bring_up_to_date())
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    both = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = sorted(process.communicate(timeout=60)[0].split()[-1] for process in both)
    assert said == ["False", "True"]
    assert (tmp_path / "commands").read_text().count("requirements.lock") == 1


# The Makefile

STAND_IN = """#!/bin/sh
# stands in for python: writes the call down
echo "${0##*/} $*" >> "$LOG"
case "$*" in
    "-c import lib2048") test -n "$INSTALLED" ;;
    "set_up.py --quiet") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
esac
"""
SET_UP = "python3 set_up.py --quiet"


class MakeIn:
    """A copy of the Makefile; nothing but a few system tools and stand-ins are on its PATH."""

    def __init__(self, tmp_path, *stand_ins):
        self.home = tmp_path
        self.folder = tmp_path / "a b"
        self.programs = tmp_path / "bin"
        self.log = tmp_path / "log"
        self.folder.mkdir()
        shutil.copy(ROOT / "Makefile", self.folder)
        self.programs.mkdir()
        for tool in ("awk", "cp", "echo", "mkdir"):
            (self.programs / tool).symlink_to(shutil.which(tool))
        for name in stand_ins:
            self.stand_in(self.programs / name)

    def stand_in(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(STAND_IN)
        path.chmod(0o755)

    def make(self, *arguments, fails=False, **variables):
        """Run make in an otherwise empty environment -> the calls it made, past the search."""
        self.log.write_text("")
        variables |= {"PATH": str(self.programs), "HOME": str(self.home), "LOG": str(self.log)}
        done = subprocess.run(
            [MAKE, *arguments], cwd=self.folder, env=variables, capture_output=True, text=True
        )
        self.output = done.stdout + done.stderr
        assert bool(done.returncode) == fails, self.output
        return [line for line in self.log.read_text().splitlines() if "version_info" not in line]


MAKE = shutil.which("make")
needs_make = pytest.mark.skipif(MAKE is None, reason="no make")


@needs_make
def test_plain_make_lists_the_targets(tmp_path):
    checkout = MakeIn(tmp_path)
    assert checkout.make() == []
    targets = re.findall(r"^([a-z-]+): [^=\n]*## ", (ROOT / "Makefile").read_text(), re.M)
    assert len(targets) > 12
    for target in targets:
        assert re.search(rf"^make {target} +\w", checkout.output, re.M), target


@needs_make
def test_another_python_is_found_or_its_absence_explained(tmp_path):
    checkout = MakeIn(tmp_path, "python3.12")
    assert checkout.make("setup") == ["python3.12 set_up.py --quiet"]
    (checkout.programs / "python3.12").unlink()
    checkout.make("setup", fails=True)
    assert "3.11" in checkout.output


@needs_make
@pytest.mark.parametrize("variable", ["CONDA_PREFIX", "VIRTUAL_ENV"])
def test_an_active_environment_with_lib2048_is_used(tmp_path, variable):
    checkout = MakeIn(tmp_path, "python3")
    prefix = tmp_path / "an env"
    checkout.stand_in(prefix / "bin" / "python")
    active = {variable: str(prefix)}
    calls = checkout.make("bench", INSTALLED="yes", **active)
    assert calls == ["python -c import lib2048", "python -m bench"]
    calls = checkout.make("bench", **active)
    assert calls == ["python -c import lib2048", SET_UP, "python -m bench"]
    calls = checkout.make("setup", INSTALLED="yes", **active)
    compiling = [f"python -m {module}" for module in set_up.COMPILING]
    assert calls == ["python -c import lib2048", *compiling]
    assert checkout.make("setup", **active) == ["python -c import lib2048", SET_UP]


@needs_make
def test_options_reach_the_programs(tmp_path):
    checkout = MakeIn(tmp_path, "python3")
    for words, call in {
        ("report",): "report",
        ("report", "SCALE=small"): "report --scale small",
        ("report", "SCALE=small", "FORMAT=html"): "report --format html --scale small",
        ("report", "EDITION=long"): "report --edition long",
        ("notebooks", "SCALE=small", "JOBS=3"): "notebook_tools.execute --scale small --jobs 3",
        ("lab", "LAB=--allow-root --no-browser"): "notebook_tools.lab --allow-root --no-browser",
        ("site", "SCALE=small", "JOBS=1"): "pages --scale small --jobs 1",
    }.items():
        assert checkout.make(*words) == [SET_UP, f"python -m {call}"]


@needs_make
def test_what_ends_make_ends_its_program(tmp_path):
    """SIGTERM to make reaches the program: no shell stands between the two."""
    checkout = MakeIn(tmp_path, "python3")
    sleeper = checkout.folder / ".venv" / "bin" / "python"
    checkout.make("setup")
    sleeper.unlink()
    sleeper.write_text("#!/bin/sh\necho $$ > pid\nexec sleep 60\n")
    sleeper.chmod(0o755)
    (checkout.programs / "sleep").symlink_to(shutil.which("sleep"))
    (checkout.programs / "python3").write_text("#!/bin/sh\n")  # set_up.py has nothing to do
    process = subprocess.Popen(
        [MAKE, "bench"], cwd=checkout.folder, env={"PATH": str(checkout.programs)}
    )
    file = checkout.folder / "pid"
    wait_until(lambda: file.exists() and file.read_text().strip())
    number = int(file.read_text())
    process.terminate()
    process.wait(timeout=20)
    wait_until(lambda: not is_running(number))


def wait_until(happened, seconds=20):
    ends = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.02)


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


# Passes over the whole project


@pytest.mark.parametrize("arguments", [["check"], ["format", "--check"]], ids=" ".join)
def test_style(arguments):
    """Modules, tests and the code of the notebooks pass the linter and are as it formats them."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *arguments, "."], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_kernels_without_jit():
    """Tests marked jit_off run once more as plain Python, where array bounds are checked."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-m",
        "jit_off",
        "-p",
        "no:cacheprovider",
    ]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
