"""The wheel: it holds the two libraries and nothing else, and works where only numba is.

It is built here and put into an environment elsewhere, in which no other package of ours can be
found: numpy, numba, llvmlite and tqdm are linked into it one by one. Nothing needs the network.
"""

import importlib.metadata
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("llvmlite", "numba", "numpy", "tqdm")
LARGEST = 3_500_000  # bytes of a wheel
ROUND = "012345" * 2 + "012345012345012345012" + "f"  # what a referee sends first


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The path of the wheel built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def elsewhere(wheel, tmp_path_factory):
    """A folder with an environment that holds the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "env", symlinks=True)
    site = next((folder / "env").glob("[Ll]ib*/**/site-packages"))
    installed = Path(sysconfig.get_path("purelib"))
    for name in NEEDED:
        tops = {
            file.parts[0]
            for file in importlib.metadata.distribution(name).files
            if file.parts[0] != ".."
        }
        for top in tops - {"__pycache__"}:
            (site / top).symlink_to(installed / top)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return folder


def run(folder, *arguments, text=None):
    """Run Python in the environment, from another folder, without the variables of this process."""
    (python,) = folder.glob("env/[bS]*/python")
    environment = {"HOME": str(folder), "PATH": ""}
    return subprocess.run(
        [str(python), *arguments],
        cwd=folder,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
    )


def test_it_holds_the_libraries_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    rooms = {name.split("/")[0] for name in names}
    assert {room for room in rooms if not room.endswith(".dist-info")} == {"lib2048", "libewn"}
    listing = subprocess.run(
        ["git", "ls-files", "-z", "lib2048", "libewn"], cwd=ROOT, capture_output=True, text=True
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    tracked = {name for name in listing.stdout.split("\0") if name}
    held = {name for name in names if name.startswith(("lib2048/", "libewn/"))}
    assert held == tracked, "data files and py.typed included"


def test_it_promises_no_program_that_it_does_not_hold(wheel):
    """An entry point that leads nowhere breaks every nbconvert of the environment."""
    archive = zipfile.ZipFile(wheel)
    (entry_points,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
    text = archive.read(entry_points).decode()
    assert "libewn-agent = libewn.agent:main" in text
    assert "lib2048 = lib2048.__main__:main" in text
    modules = re.findall(r"= ([\w.]+):", text)
    assert {module.split(".")[0] for module in modules} <= {"lib2048", "libewn"}
    exporters = importlib.metadata.entry_points(group="nbconvert.exporters").names
    assert "report" in exporters, "installed from a checkout, the exporter is there"


def test_it_asks_for_little(wheel):
    """Whoever only wants the library gets numpy, numba (with llvmlite) and tqdm."""
    (metadata,) = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("METADATA")]
    text = zipfile.ZipFile(wheel).read(metadata).decode()
    asked = re.findall(r"^Requires-Dist: ([\w-]+)[^;\n]*(;.*)?$", text, re.M)
    without_extra = {name: marker for name, marker in asked if "extra ==" not in marker}
    assert sorted(without_extra) == sorted(NEEDED)
    in_a_browser = [name for name, marker in without_extra.items() if "emscripten" not in marker]
    assert in_a_browser == ["numpy", "tqdm"]
    assert set(re.findall(r"^Provides-Extra: (\w+)", text, re.M)) >= {
        "viewer",
        "workbook",
        "cluster",
    }
    assert "License-File: LICENSE" in text


def test_the_ten_lines_of_the_readme_run_there(elsewhere):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", readme, re.M | re.S)
    small = re.sub(r"\b(train|evaluate)\(net, ([\d_]+)", r"\1(net, 20", block)
    (elsewhere / "first.py").write_text(small + "import lib2048; print(lib2048.__file__)\n")
    done = run(elsewhere, "first.py")
    assert done.returncode == 0, done.stderr
    assert "20\tavg = " in done.stdout
    assert str(elsewhere) in done.stdout.splitlines()[-1]


def test_the_agent_plays_there(elsewhere):
    """Its first move comes, and the end of the input ends it."""
    done = run(
        elsewhere, "-c", "import sys; from libewn.agent import main; sys.exit(main())", text=ROUND
    )
    assert re.match(r"[0-5][0-3]", done.stdout), done.stderr


def test_a_trained_network_comes_along(wheel, elsewhere):
    """Three lines, from another folder, without the net; and it keeps the wheel small."""
    assert wheel.stat().st_size < LARGEST
    lines = "import lib2048\nnet = lib2048.compact()\nprint(lib2048.play(net, seed=1).max_tile)"
    done = run(elsewhere, "-c", lines)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 1024


def test_the_command_line_works_there(elsewhere):
    """What `pipx run lib2048` calls: it plays, and writes a page, without the viewer's extra."""
    command = "import sys; from lib2048.__main__ import main; sys.exit(main())"
    done = run(elsewhere, "-c", command, "play", "--seed", "3")
    assert done.returncode == 0 and "points in" in done.stdout, done.stderr
    done = run(elsewhere, "-c", command, "watch", "game.html")
    assert done.returncode == 0, done.stderr
    assert (elsewhere / "game.html").stat().st_size > 1_000_000
    done = run(elsewhere, "-c", command, "watch", "--recorded", "--net", "net.npz")
    assert done.returncode == 2 and "lib2048[viewer]" in done.stderr
    done = run(elsewhere, "-m", "lib2048", "play", "--net", "none.npz")
    assert done.returncode == 2 and done.stderr == "lib2048: there is no file none.npz\n"


@pytest.mark.parametrize("name, extra", [("watch", "viewer")])
def test_what_is_missing_is_named_with_the_extra_that_brings_it(elsewhere, name, extra):
    done = run(elsewhere, "-c", f"import lib2048; lib2048.{name}")
    assert done.returncode != 0
    assert f"lib2048[{extra}]" in done.stderr
