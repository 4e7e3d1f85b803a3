"""The kernel cache: an edit to any kernel takes effect in the next process; without an edit nothing is compiled again.

Tried on a copy of the package. Numba by itself notices an edit only for the functions that stand in the edited file.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import lib2048
from lib2048 import kernels

SCRIPT = """
import numba, numpy as np
import lib2048
from lib2048.formats import episodes
from lib2048.fast import lookup, planes, rules
from lib2048.engines import learning_rule
from lib2048.options import TrainOptions

net = lib2048.NTupleNetwork(((0,),), symmetries=1)
net.set_table_part(0, 0, np.arange(16))
rule, places = learning_rule(net, TrainOptions(0.5, p4=0.1)), np.empty(1, np.uint64)
learned = rules._learn(net.arrays, rule, places, planes._to_planes(np.uint64(0x5)), np.float32(11))
after, rewards = np.zeros(1, np.uint64), np.zeros(1, np.int32)
episodes._slide_all(np.array([0x11], np.uint64), np.array([3], np.uint8), after, rewards)
print(net.value(0x3), learned, after[0], rewards[0])
kernels = lookup._value_of, rules._learn, episodes._slide_all
print(sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels))
print(numba.config.CACHE_DIR)
"""


def run(folder, **variables):
    """What a new process computes with the package in `folder`, how many kernels it found in the cache, and where."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA", "LIB2048"))
    }
    env |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=folder, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    values, hits, cache = done.stdout.splitlines()
    return values, int(hits), Path(cache)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A copy of the package that has compiled its kernels, and what it computes."""
    folder = tmp_path_factory.mktemp("a copy")
    shutil.copytree(
        Path(lib2048.__file__).parent,
        folder / "lib2048",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return folder, run(folder)


def test_an_unchanged_package_compiles_nothing_again(original):
    folder, (values, hits, cache) = original
    assert (
        values == "3.0 8.0 2 4" and hits == 0
    )  # V is the exponent in cell 0; 5 learns half of the way to 11
    assert cache.parent == folder / "lib2048" / "__pycache__"
    (folder / "lib2048" / "draw.py").open("a").write("# no kernel in here\n")
    assert run(folder) == (values, 3, cache)


@pytest.mark.parametrize(
    "file, change, expected",
    [
        # _gather is called in lookup.py: every index is 0
        ("kernels.py", "def _gather(*args):\n    return U(0)", "5.5 5.5 2 4"),
        # _add is called in rules.py
        ("lookup.py", "def _add(*args):\n    return F32(7)", "3.0 7.0 2 4"),
        # _slide_rows is called in board.py, and from there in episodes.py
        (
            "board.py",
            "def _slide_rows(board):\n    return board << U(4), board, U(8)",
            "3.0 8.0 272 8",
        ),
    ],
    ids=["kernels.py", "lookup.py", "board.py"],
)
def test_an_edit_reaches_functions_of_other_files(original, file, change, expected):
    """The copy goes back to what it was with the file, and then takes its kernels from the cache as before."""
    folder, (values, _, cache) = original
    path = folder / "lib2048" / file
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n\n@kernel(forceinline=True)\n{change}\n", encoding="utf-8")
    found, hits, elsewhere = run(folder)
    path.write_text(text, encoding="utf-8")
    assert found == expected and hits == 0 and elsewhere != cache
    assert run(folder) == (values, 3, cache)


def test_the_cache_goes_where_it_is_told_or_can_be_written(original, tmp_path, monkeypatch):
    folder, (_, _, cache) = original
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert kernels.kernel_cache(folder / "lib2048").parent == cache.parent
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "told"))
    told = kernels.kernel_cache(folder / "lib2048")
    assert (
        told.parent == tmp_path / "told" and told.is_dir() and str(told) == numba.config.CACHE_DIR
    )
    monkeypatch.setenv("NUMBA_CACHE_DIR", os.devnull)
    monkeypatch.setattr(kernels.Path, "home", lambda: tmp_path / "home")
    package = tmp_path / "package"
    package.mkdir()
    (package / "__pycache__").write_text("a file where the folder should be")
    assert kernels.kernel_cache(package).parent == tmp_path / "home" / ".cache" / "lib2048"


def test_the_folder_is_named_by_the_sources_and_the_bit_code(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    one, two = tmp_path / "one", tmp_path / "two"
    names = []
    for texts in (
        ["@kernel a"],
        ["@kernel a", "plain"],
        ["@kernel a", "@kernel b"],
        ["@kernel b", "@kernel a"],
    ):
        shutil.rmtree(one, ignore_errors=True)
        one.mkdir()
        for n, text in enumerate(texts):
            (one / f"{n}.py").write_text(text)
        names.append(kernels.kernel_cache(one).name)
    assert names[0] == names[1] and len(set(names)) == 3
    two.mkdir()
    (two / "more.py").write_text("@kernel c")
    names.append(kernels.kernel_cache(one, two).name)
    assert len(set(names)) == 4
