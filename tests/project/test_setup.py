"""The set-up: dependency lists that agree, the Makefile's environments, style, and the pass without numba's compiler.

The Makefile is tried on a copy in a folder with a space in its name, with small shell scripts that stand in for
Python and uv and write down how they were called. Nothing here needs the network.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]

# PyPI's name -> conda-forge's, where they differ. An environment built from conda-forge has pandoc beside pypandoc.
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
    return [Requirement(line) for one in lists for line in one]


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


# The Makefile

STAND_IN = """#!/bin/sh
# stands in for python and for uv: writes the call down and does as told
echo "${0##*/} $*" >> "$LOG"
case "$*" in
    "-c import lib2048") test -n "$INSTALLED" ;;
    *"venv "*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *requirements.lock) test -z "$BROKEN" ;;
esac
"""
PIP_SETUP = [
    "python3 -m venv .venv",
    "python -m pip --disable-pip-version-check install --require-hashes -r requirements.lock",
    "python -m pip --disable-pip-version-check install --no-deps --no-build-isolation -e .",
]
UV_SETUP = [
    "uv venv --quiet --no-project --python python3 .venv",
    "uv pip install --python .venv/bin/python --require-hashes -r requirements.lock",
    "uv pip install --python .venv/bin/python --no-deps --no-build-isolation -e .",
]


class Checkout:
    """A copy of the files that `make` reads, run with nothing but a few system tools and the stand-ins on the PATH."""

    def __init__(self, tmp_path, *stand_ins):
        self.tmp, self.dir, self.bin, self.log = (
            tmp_path,
            tmp_path / "a b",
            tmp_path / "bin",
            tmp_path / "log",
        )
        self.dir.mkdir()
        for name in ("Makefile", "pyproject.toml", "requirements.lock"):
            shutil.copy(ROOT / name, self.dir / name)
            os.utime(self.dir / name, (10**9, 10**9))
        self.bin.mkdir()
        for tool in ("awk", "cat", "cp", "echo", "mkdir", "rm", "touch"):
            (self.bin / tool).symlink_to(shutil.which(tool))
        for name in stand_ins:
            self.stand_in(self.bin / name)

    def stand_in(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(STAND_IN)
        path.chmod(0o755)

    def make(self, *args, fails=False, **env):
        """Runs make in an otherwise empty environment -> the calls it made (without the search for a Python)."""
        self.log.write_text("")
        env = {"PATH": str(self.bin), "HOME": str(self.tmp), "LOG": str(self.log), **env}
        done = subprocess.run([MAKE, *args], cwd=self.dir, env=env, capture_output=True, text=True)
        self.output = done.stdout + done.stderr
        assert bool(done.returncode) == fails, self.output
        return [line for line in self.log.read_text().splitlines() if "version_info" not in line]

    def outdate(self, name):
        """Makes a stamp older than what it depends on."""
        os.utime(self.dir / ".venv" / name, (10**8, 10**8))


MAKE = shutil.which("make")
needs_make = pytest.mark.skipif(MAKE is None, reason="no make")


@needs_make
def test_plain_make_lists_the_targets(tmp_path):
    checkout = Checkout(tmp_path)
    assert checkout.make() == []
    for target in (
        "setup",
        "lab",
        "notebooks",
        "handout",
        "report",
        "figures",
        "test",
        "bench",
        "lock",
        "clean",
    ):
        assert re.search(rf"^make {target} +\w", checkout.output, re.M), target
    assert not (checkout.dir / ".venv").exists()


@needs_make
@pytest.mark.parametrize(
    ("stand_ins", "setup"), [(["python3"], PIP_SETUP), (["python3", "uv"], UV_SETUP)]
)
def test_setup_is_done_once_and_again_when_needed(tmp_path, stand_ins, setup):
    checkout = Checkout(tmp_path, *stand_ins)
    bench = "python -m bench"
    assert checkout.make("bench") == [*setup, bench]
    assert checkout.make("bench") == [bench]
    checkout.outdate(".ready")  # pyproject.toml changed
    assert checkout.make("bench") == [setup[2], bench]
    checkout.outdate(".locked")  # requirements.lock changed
    assert checkout.make("bench") == [*setup, bench]
    checkout.dir = checkout.dir.rename(tmp_path / "c d")
    assert checkout.make("bench") == [*setup, bench]
    own = str(checkout.dir / ".venv")
    assert checkout.make("bench", VIRTUAL_ENV=own, INSTALLED="yes") == [bench], (
        "activating .venv changes nothing"
    )
    assert not (checkout.dir / "uv.lock").exists()


@needs_make
def test_an_interrupted_setup_starts_again(tmp_path):
    checkout = Checkout(tmp_path, "python3")
    assert checkout.make("bench", fails=True, BROKEN="yes") == PIP_SETUP[:2]
    assert not list(checkout.dir.glob(".venv/.[lr]*"))
    assert checkout.make("bench") == [*PIP_SETUP, "python -m bench"]


@needs_make
def test_another_python_is_found_or_its_absence_explained(tmp_path):
    checkout = Checkout(tmp_path, "python3.12")
    assert checkout.make("setup") == ["python3.12 -m venv .venv", *PIP_SETUP[1:]]
    (checkout.bin / "python3.12").unlink()
    shutil.rmtree(checkout.dir / ".venv")
    checkout.make("setup", fails=True)
    assert "3.11" in checkout.output


@needs_make
@pytest.mark.parametrize("variable", ["CONDA_PREFIX", "VIRTUAL_ENV"])
def test_an_active_environment_with_lib2048_is_used(tmp_path, variable):
    checkout = Checkout(tmp_path, "python3", "uv")
    prefix = tmp_path / "an env"
    checkout.stand_in(prefix / "bin" / "python")
    calls = checkout.make("bench", INSTALLED="yes", **{variable: str(prefix)})
    assert calls == ["python -c import lib2048", "python -m bench"]
    assert not (checkout.dir / ".venv").exists()
    calls = checkout.make("bench", **{variable: str(prefix)})
    assert calls == ["python -c import lib2048", *UV_SETUP, "python -m bench"]


@needs_make
def test_scale_and_format_reach_the_report(tmp_path):
    checkout = Checkout(tmp_path, "python3")
    checkout.make("setup")
    assert checkout.make("report") == ["python -m report"]
    assert checkout.make("report", "SCALE=small") == ["python -m report --scale small"]
    assert checkout.make("report", SCALE="small", FORMAT="html") == [
        "python -m report --scale small --format html"
    ]
    assert checkout.make("notebooks", "SCALE=small", "JOBS=3") == [
        "python -m report.notebooks --scale small --jobs 3"
    ]
    assert checkout.make("figures", "handout") == [
        "python -m report.figures",
        "python -m report.handout",
    ]


# Passes over the whole project


def test_style():
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "."], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_kernels_without_jit():
    """Tests marked jit_off run a second time as plain Python, where wrapping integers warn and bounds are checked."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-m",
        "jit_off",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore:overflow",
    ]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
