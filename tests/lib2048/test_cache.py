"""The kernel cache: what changes compiled code is compiled again by the next process.

Tried on a copy of the package, in new processes; and fingerprints for themselves, on small
functions.
"""

import errno
import os
import shutil
import stat
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

import lib2048
from lib2048 import kernel_cache
from lib2048.kernel_cache import DAYS, KEPT, SUFFIX, Fingerprint
from lib2048.kernels import kernel

pytestmark = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="without numba nothing is compiled"
)

SCRIPT = """
import numpy as np
import lib2048
from lib2048 import kernel_cache
from lib2048.engines import learning_rule
from lib2048.fast import lookup, planes, rules
from lib2048.formats import episodes
from lib2048.options import TrainOptions

net = lib2048.NTupleNetwork(((0,),), symmetries=1)
net.set_table_part(0, 0, np.arange(16))
rule, places = learning_rule(net, TrainOptions(0.5, p4=0.1)), np.empty(1, np.uint64)
learned = rules._learn(net.arrays, rule, places, planes._to_planes(np.uint64(0x5)), np.float32(11))
after, rewards = np.zeros(1, np.uint64), np.zeros(1, np.int32)
episodes._slide_all(np.array([0x11], np.uint64), np.array([3], np.uint8), after, rewards)
print(net.value(0x3), learned, after[0], rewards[0])
kernels = lookup._value_of_board, rules._learn, episodes._slide_all
print(*(sum(kernel.stats.cache_hits.values()) for kernel in kernels))
print(kernel_cache.cache_folder())
"""
RIGHT = "3.0 8.0 2 4"  # V is the exponent in cell 0; 5 learns half of the way to 11; the slide
NONE, ALL = "0 0 0", "1 1 1"  # which of the three kernels came from the cache


def run(folder, script=SCRIPT, warned="", **variables):
    """The lines that a new process prints, with the package in `folder`."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA", "LIB2048"))
    }
    env |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"} | variables
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (warned in done.stderr) if warned else not done.stderr, done.stderr
    return done.stdout.splitlines()


def copy_package(folder):
    """A copy of lib2048 without anything compiled."""
    source = Path(lib2048.__file__).parent
    shutil.copytree(source, folder / "lib2048", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A copy of the package that has compiled its kernels, and the cache folder."""
    folder = copy_package(tmp_path_factory.mktemp("a copy"))
    values, hits, cache = run(folder)
    assert (values, hits) == (RIGHT, NONE)
    assert Path(cache).parent == folder / "lib2048" / "__pycache__"
    return folder, cache


@pytest.fixture
def edited(original):
    """A function that edits a file of the copy; afterwards the copy is what it was."""
    folder, _ = original
    before = {}

    def edit(file, change):
        path = folder / "lib2048" / file
        before.setdefault(path, path.read_text(encoding="utf-8"))
        text = change(path.read_text(encoding="utf-8"))
        assert text != before[path]
        path.write_text(text, encoding="utf-8")

    yield edit
    for path, text in before.items():
        path.write_text(text, encoding="utf-8")


def test_an_unchanged_package_compiles_nothing_again(original):
    folder, cache = original
    assert run(folder) == [RIGHT, ALL, cache]


def test_what_compiled_code_does_not_depend_on_compiles_nothing_again(original, edited):
    """A comment, a docstring, a message, another function; line numbers change too."""
    folder, cache = original
    edited("fast/lookup.py", lambda text: "# a comment\n" + text)
    edited(
        "fast/lookup.py", lambda text: text.replace('"""V of a board', '"""The value of a board')
    )
    edited("board.py", lambda text: text.replace("no empty cell", "not one empty cell"))
    edited("fast/rules.py", lambda text: text + "\n\n@kernel()\ndef _new(n):\n    return n\n")
    assert run(folder) == [RIGHT, ALL, cache]


def appended(function):
    """An edit: the kernel is defined once more, at the end of its file."""
    return lambda text: f"{text}\n\n@kernel(forceinline=True)\n{function}\n"


@pytest.mark.parametrize(
    "file, change, values, hits",
    [
        # Every index is 0. _gather is called in lookup.py.
        (
            "fast/bits.py",
            appended("def _gather(*args):\n    return uint64(0)"),
            "5.5 5.5 2 4",
            "0 0 1",
        ),
        # _add_to_lookups is called in rules.py.
        (
            "fast/lookup.py",
            appended("def _add_to_lookups(*args):\n    return F32(7)"),
            "3.0 7.0 2 4",
            "1 0 1",
        ),
        # _slide_rows is called in board.py, and from there in episodes.py.
        (
            "board.py",
            appended("def _slide_rows(board):\n    return board << 4, board, uint64(8)"),
            "3.0 8.0 272 8",
            "1 1 0",
        ),
        # A constant that only the values of a table depend on: 32768 cannot be made any more.
        (
            "board.py",
            lambda text: text.replace("\nLARGEST = 15 ", "\nLARGEST = 14 "),
            RIGHT,
            "1 1 0",
        ),
        # Two fields of one type trade places: no type changes that numba knows of.
        (
            "learning.py",
            lambda text: (
                text.replace("    alpha: float\n", "    third: float = 0.0\n")
                .replace("    lambda_: float = 0.0\n", "    alpha: float = 0.0\n")
                .replace("    third: float = 0.0\n", "    lambda_: float\n")
            ),
            RIGHT,
            "1 0 1",
        ),
    ],
    ids=["bits", "lookup", "board", "constant", "fields"],
)
def test_an_edit_reaches_functions_of_other_files(original, edited, file, change, values, hits):
    """Just what depends on it is compiled; taken back, everything comes from the cache again."""
    folder, cache = original
    before = (folder / "lib2048" / file).read_text(encoding="utf-8")
    edited(file, change)
    found = run(folder)
    assert found == [values, hits, cache]
    (folder / "lib2048" / file).write_text(before, encoding="utf-8")
    assert run(folder) == [RIGHT, ALL, cache]


# What is numba's and the user's stays theirs

OWN_FUNCTION = """
import numba
before = numba.config.CACHE_DIR
import lib2048
assert numba.config.CACHE_DIR == before
from own import double
print(double(21), double.stats.cache_path)
"""


def test_functions_of_a_user_stay_out_of_our_folder(original, tmp_path):
    folder, cache = original
    (tmp_path / "own.py").write_text(
        "import numba\n\n@numba.njit(cache=True)\ndef double(n):\n    return 2 * n\n"
    )
    (line,) = run(tmp_path, OWN_FUNCTION, PYTHONPATH=f"{folder}{os.pathsep}{tmp_path}")
    assert line == f"42 {tmp_path / '__pycache__'}"


@pytest.mark.skipif(
    kernel_cache.target()[0].split("-")[0] != "x86_64", reason="the names of processors are x86's"
)
@pytest.mark.parametrize("processor", ["generic", "nehalem"])
def test_another_processor_can_be_compiled_for(original, processor):
    """Without BMI2: a kernel with pext would end the process. The values are the same."""
    folder, cache = original
    variables = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""}
    values, hits, elsewhere = run(folder, **variables)
    assert (values, hits) == (RIGHT, NONE)
    assert Path(elsewhere).parent == Path(cache).parent and elsewhere != cache
    script = "from lib2048.fast.bits import FAST_BITS; print(FAST_BITS)"
    assert run(folder, script, **variables) == ["False"]


# Where nothing can be written, and what is damaged


def blocked(folder):
    """A copy of the package whose __pycache__ cannot be made, as a file is there."""
    copy_package(folder)
    (folder / "lib2048" / "__pycache__").write_text("a file where the folder should be")
    return folder


def test_the_cache_goes_to_the_first_folder_that_can_be_written(tmp_path):
    package = blocked(tmp_path / "package")
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    temporary.mkdir()
    told = {"NUMBA_CACHE_DIR": str(tmp_path / "told"), "HOME": str(home), "TMPDIR": str(temporary)}
    script = "from lib2048 import kernel_cache; print(kernel_cache.cache_folder().parent)"
    assert run(package, script, **told) == [str(tmp_path / "told")]
    told["NUMBA_CACHE_DIR"] = os.devnull
    assert run(package, script, **told) == [str(home / ".cache" / "lib2048")]
    told["HOME"] = os.devnull
    assert run(package, script, **told) == [str(temporary / f"lib2048-{os.getuid()}")]
    (temporary / f"lib2048-{os.getuid()}").chmod(0o777)
    warned = "compiled kernels are not kept, as no folder for them can be written"
    script = "from lib2048 import kernel_cache; print(kernel_cache.cache_folder())"
    assert run(package, script, warned, **told) == ["None"]


def test_without_a_home_and_without_a_folder_kernels_still_work(tmp_path, monkeypatch):
    """Path.home raises where a user has neither HOME nor an entry among the system's users."""

    def no_home():
        raise RuntimeError("Could not determine home directory.")

    def no_temporary_folder():
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(kernel_cache.Path, "home", no_home)
    monkeypatch.setattr(kernel_cache.tempfile, "gettempdir", no_temporary_folder)
    monkeypatch.setattr(kernel_cache, "__file__", str(tmp_path / "missing" / os.devnull / "file"))
    monkeypatch.setattr(kernel_cache, "config", types.SimpleNamespace(CACHE_DIR=os.devnull))
    (tmp_path / "missing").write_text("a file where the folder should be")
    kernel_cache.cache_folder.cache_clear()
    kernel_cache.warn_not_kept.cache_clear()
    try:
        with pytest.warns(UserWarning, match="Set NUMBA_CACHE_DIR to a folder"):
            assert fresh_kernel()(4) == 5
        assert fresh_kernel()(5) == 6  # and no second warning
    finally:
        kernel_cache.cache_folder.cache_clear()
        kernel_cache.warn_not_kept.cache_clear()


def fresh_kernel(number=1):
    """A kernel that adds a number, and has compiled nothing yet."""

    @kernel()
    def add(n):
        return n + number

    return add


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache folder for kernels of this process."""
    folder = tmp_path / "home" / "kernels-now"
    folder.mkdir(parents=True)
    monkeypatch.setattr(kernel_cache, "cache_folder", lambda: folder)
    kernel_cache.warn_not_kept.cache_clear()
    yield folder
    kernel_cache.warn_not_kept.cache_clear()


def hits(dispatcher):
    return sum(dispatcher.stats.cache_hits.values())


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:20],
        lambda content: content[:-1],
        lambda content: content[:-100] + bytes([content[-100] ^ 1]) + content[-99:],
        lambda content: b"something else altogether",
    ],
    ids=["empty", "in the digest", "cut off", "one bit", "another file"],
)
def test_a_damaged_file_is_compiled_anew(cache, damage):
    assert fresh_kernel()(1) == 2
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    again = fresh_kernel()
    assert again(1) == 2 and hits(again) == 0
    third = fresh_kernel()
    assert third(1) == 2 and hits(third) == 1 and list(cache.iterdir()) == [file]


def test_a_file_that_no_longer_fits_is_compiled_anew(cache):
    """Whole, but what it holds cannot be taken apart: as after a change inside numba."""
    assert fresh_kernel()(1) == 2
    (file,) = cache.iterdir()
    content = kernel_cache.dumps(("something", "else"))
    file.write_bytes(kernel_cache.hashlib.sha256(content).digest() + content)
    again = fresh_kernel()
    assert again(1) == 2 and hits(again) == 0


def test_a_full_disk_is_told_once_and_stops_nothing(cache, monkeypatch):
    def full(path, content):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(kernel_cache, "replace_file", full)
    with pytest.warns(UserWarning, match="No space left on device.*NUMBA_CACHE_DIR") as warned:
        assert fresh_kernel()(1) == 2 and fresh_kernel(2)(1) == 3
    assert len(warned) == 1 and list(cache.iterdir()) == []


# What is deleted


def test_the_latest_versions_of_a_kernel_are_kept(cache):
    files = [fresh_kernel(number)._cache._file((numba.int64,)) for number in range(KEPT + 2)]
    assert len(set(files)) == len(files)
    for number in range(KEPT + 2):
        assert fresh_kernel(number)(1) == 1 + number
        os.utime(files[number], (number, number))  # in seconds, whatever the clock of the disk
        if number == 2:  # used again, so that number 1 is now the one used least lately
            assert fresh_kernel(0)(1) == 1
            assert files[0].stat().st_mtime > DAYS
            os.utime(files[0], (2.5, 2.5))
    assert [file.exists() for file in files] == [True, False, False, True, True]


def test_what_no_process_used_for_long_is_deleted(cache):
    home = cache.parent
    long_ago = time.time() - (DAYS + 1) * 24 * 60 * 60
    lately = time.time() - (DAYS - 1) * 24 * 60 * 60
    for name, when in (("kernels-old", long_ago), ("kernels-new", lately), ("other", long_ago)):
        (home / name / "inside").mkdir(parents=True)
        os.utime(home / name, (when, when))
    for name, when in (("old", long_ago), ("new", lately)):
        (cache / f"{name}{SUFFIX}").write_bytes(b"")
        os.utime(cache / f"{name}{SUFFIX}", (when, when))
    kernel_cache._delete_unused.cache_clear()
    assert fresh_kernel()(1) == 2
    assert sorted(path.name for path in home.iterdir()) == ["kernels-new", "kernels-now", "other"]
    assert f"new{SUFFIX}" in os.listdir(cache) and f"old{SUFFIX}" not in os.listdir(cache)


# Fingerprints


def digest(value):
    fingerprint = Fingerprint()
    fingerprint.add(value)
    return fingerprint.hexdigest()


def functions(source, **names):
    """What `source` defines, in a module of its own."""
    exec(source, names)
    return names


def test_values_that_differ_have_different_fingerprints():
    class Pair(NamedTuple):
        one: int
        two: int

    class Turned(NamedTuple):
        two: int
        one: int

    Turned.__qualname__ = Pair.__qualname__
    large = np.arange(1000)
    values = [1, 1.0, True, None, "1", b"1", (1,), [1], (1, (2, 3)), ((1, 2), 3), range(3)]
    values += [np.uint64(1), np.int64(1), np.float32(1), np.array([1]), np.array([1.0])]
    values += [large, large.reshape(10, 100), large[::-1], np.uint64, np.int64, np.add, len, max]
    values += [Pair, Turned, Pair(1, 2), np, types.FunctionType, numba.uint64, fresh_kernel()]
    digests = [digest(value) for value in values]
    assert len(set(digests)) == len(values)
    assert [digest(value) for value in values] == digests


SOURCE = """
def helper(n, step=1):
    return n + step * FACTOR

def function(n):
    '''A docstring.'''
    return helper(n) if n < 10 else function(n - 1)
"""


@pytest.mark.parametrize(
    "old, new, same",
    [
        ("A docstring.", "Another.", True),
        ("\ndef function", "\n# a comment\n\ndef function", True),
        ("return n + step", "return n - step", False),
        ("step=1", "step=2", False),
        ("n < 10", "n < 11", False),
        ("function(n - 1)", "helper(n - 1)", False),
        ("FACTOR", "(FACTOR + 1)", False),
    ],
)
def test_a_functions_fingerprint_is_what_compiled_code_depends_on(old, new, same):
    before = digest(functions(SOURCE, FACTOR=2)["function"])
    changed = SOURCE.replace(old, new)
    assert changed != SOURCE
    assert (digest(functions(changed, FACTOR=2)["function"]) == before) == same
    assert digest(functions(SOURCE, FACTOR=3)["function"]) != before
    assert digest(functions(SOURCE, FACTOR=2, UNUSED=3)["function"]) == before


def test_functions_that_call_each_other_depend_on_each_other():
    source = "def a(n):\n    return b(n) + ONE\n\ndef b(n):\n    return a(n) + TWO\n"
    for name in "ab":
        digests = {
            digest(functions(source, ONE=one, TWO=two)[name]) for one in (1, 2) for two in (1, 2)
        }
        assert len(digests) == 4


def test_options_of_a_kernel_count():
    def add(n):
        return n + 1

    ways = [{}, {"forceinline": True}, {"nogil": True}]
    assert len({digest(kernel(**options)(add)) for options in ways}) == 3


def test_what_is_not_understood_is_refused():
    """Better no kernel than a stale one: who writes such a kernel learns it at the first call."""
    source = "def function():\n    return THING\n"
    refused = [
        (lib2048, "module lib2048: import what it uses by name"),
        ({1: 2}, "of type dict"),
        (object(), "of type object"),
        (np.array([None]), "an array of Python objects"),
    ]
    for thing, message in refused:
        with pytest.raises(TypeError, match=message):
            digest(functions(source, THING=thing)["function"])


def test_a_temporary_folder_that_others_can_write_to_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache.tempfile, "gettempdir", lambda: str(tmp_path))
    home = kernel_cache._temporary_home()
    assert home.parent == tmp_path and stat.S_IMODE(home.stat().st_mode) == 0o700
    home.chmod(0o770)
    with pytest.raises(PermissionError, match="others can write to"):
        kernel_cache._temporary_home()
