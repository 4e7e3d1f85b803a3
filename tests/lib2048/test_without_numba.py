"""Where numba is not installed: the same results to the bit, and a word on how slowly they come."""

import json
import os
import subprocess
import sys
from pathlib import Path

import scenario

ROOT = Path(__file__).resolve().parents[2]
HELPERS = ROOT / "tests" / "helpers"
HIDE = "import scenario; scenario.hide_numba()\n"

CHECKS = """
import sys
import warnings

warnings.simplefilter("error")
warnings.filterwarnings("ignore", "numba is not installed")
import workbook.notebook
from workbook import check, solutions
from workbook.learner import learner

wrong = [name for name in check.EXERCISES if not check.passes(name, solutions.SOLUTIONS[name])]
assert not wrong, wrong
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    mine = learner(compile=True, patterns=((0, 1),))
assert "compile=True needs numba" in str(caught[0].message)
assert len(mine.train(games=1).wait().scores) == 1
assert not {name.partition(".")[0] for name in sys.modules} & set(scenario.MISSING)
"""


def run(*arguments):
    """What a Python process prints, and what it says beside that."""
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{HELPERS}"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_both_libraries_give_the_same_to_the_bit():
    told = json.loads(run(str(HELPERS / "scenario.py"), "--no-numba")[0])
    assert told["learned"] == json.loads(json.dumps(scenario.learned()))
    assert told["second game"] == scenario.second_game()
    (said,) = told["said"]
    assert "some thousand times as slowly" in said and "pip install numba" in said


def test_the_checks_accept_what_is_right():
    run("-c", HIDE + CHECKS)


def test_the_command_line_plays_and_there_is_nothing_to_compile():
    quiet = "import warnings; warnings.simplefilter('ignore')\n"
    play = "from lib2048.__main__ import main; main(['play', '--seed', '4', '--plies', '1'])"
    assert "points in" in run("-c", HIDE + quiet + play)[0]
    again = "import runpy; runpy.run_module('lib2048.compile', run_name='__main__')"
    assert "Nothing of lib2048 is compiled" in run("-c", HIDE + quiet + again)[0]
