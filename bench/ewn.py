"""`python -m bench.ewn`: the speed of libewn beside ewn_plain.py and OpenSpiel's MCTSBot.

    python -m bench.ewn                the whole of it, about two minutes
    python -m bench.ewn --quick        a few seconds, to see that it works

Speeds are playouts a second. The two sides of a row take turns, as in speed.py. Beside plain the
variant is `tcg2023` and both play the same playouts; beside OpenSpiel it is `classic`, which is the
game OpenSpiel has, with the same number of playouts a visit on both sides. What is measured goes to
runs/bench-ewn.json.
"""

import argparse
import datetime
import json
import sys
import time
from functools import partial

from bench import ewn_plain as plain
from bench.__main__ import machine
from bench.speed import CLOCK, alternate, one_core
from experiments.versions import ROOT
from lib2048.files import replace_file
from lib2048.kernels import uint64
from lib2048.random_words import mix
from libewn import MCTS, Game, instance, playouts

# In one unit of work:
COUNT = 1_000  # playouts from a start,
SIMULATIONS = 20_000  # playouts of a search
ROLLOUTS = (1, 25)  # a visit, beside OpenSpiel
MOST = 1 << 30
HEAD = f"{'work':<38} {'libewn':>9} {'other':>9} {'ratio':>7}   middle half"


def repeated(unit):
    """A side for `alternate`, of so many units of work; unit(n) returns its playouts."""

    def segment(_work: str, offset: int, units: int) -> int:
        return sum(unit(offset + n) for n in range(units))

    return segment


def fast_playouts(shortcut: bool, number: int) -> int:
    """Playouts from the start of an instance, with libewn."""
    playouts(Game(instance(1, number)), COUNT, seed=number, shortcut=shortcut)
    return COUNT


def plain_playouts(shortcut: bool, number: int) -> int:
    """The same with plain."""
    start = instance(1, number)
    plain.playouts(start.red, start.blue, start.dice, mix(uint64(number)), shortcut, COUNT)
    return COUNT


def fast_search(search: MCTS, variant: str, number: int) -> int:
    """A search of the start of an instance, with libewn."""
    search.start(number)
    return search.search(Game(instance(1, number, variant))).playouts


def plain_search(number: int) -> int:
    """The same with plain."""
    start = instance(1, number)
    return int(
        plain.search(start.red, start.blue, start.dice, mix(uint64(number + 1)), SIMULATIONS).sum()
    )


def spiel_side(pyspiel, rollouts: int):
    """A unit of work for OpenSpiel's MCTSBot: a search of a start of `classic`, die rolled."""
    game = pyspiel.load_game("einstein_wurfelt_nicht")
    visits = SIMULATIONS // rollouts

    def unit(number: int) -> int:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[number % len(state.legal_actions())])
        seed = number & 0xFFFF_FFFF
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=seed)
        bot = pyspiel.MCTSBot(game, evaluator, 0.6, visits, 1000, False, seed, False)
        bot.mcts_search(state)
        return visits * rollouts

    return unit


def rows():
    """(name, side of libewn, other side) of each comparison; or (name, None, why not)."""
    for shortcut in (False, True):
        name = f"playouts{', wins played at once' if shortcut else ''}"
        yield name, partial(fast_playouts, shortcut), partial(plain_playouts, shortcut)
    search = MCTS(simulations=SIMULATIONS)
    yield "MCTS, 25 playouts a visit", partial(fast_search, search, "tcg2023"), plain_search
    try:
        import pyspiel  # a test dependency only
    except ImportError:
        yield "OpenSpiel's MCTSBot", None, "open_spiel is not installed"
        return
    for rollouts in ROLLOUTS:
        options = {"visit": rollouts, "expand": rollouts, "shortcut": False, "results": "plain"}
        search = MCTS(simulations=SIMULATIONS, **options)
        name = f"MCTS against OpenSpiel's, {rollouts} a visit"
        yield name, partial(fast_search, search, "classic"), spiel_side(pyspiel, rollouts)


def measure(repeats: int, seconds: float):
    """Measure each row, one after the other: dicts, or (name, why not)."""
    for name, fast, other in rows():
        if fast is None:
            yield name, other
            continue
        sides = repeated(fast), repeated(other)
        for side in sides:
            side("warm up", 0, 1)
        with one_core():
            yield {"work": name} | alternate(*sides, "search", MOST, repeats, seconds, CLOCK)


def line(measured: dict) -> str:
    """A row of the table, in millions of playouts a second."""
    ours, other = (speed / 1e6 for speed in measured["speeds"])
    low, high = measured["quartiles"]
    return (
        f"{measured['work']:<38} {ours:>9.3f} {other:>9.3f} {measured['ratio']:>7.2f}   "
        f"{low:.2f} - {high:.2f}"
    )


def main(arguments=None) -> int:
    """Measure, print, write runs/bench-ewn.json."""
    parser = argparse.ArgumentParser(prog="python -m bench.ewn", description="How fast libewn is.")
    parser.add_argument(
        "--quick", action="store_true", help="short segments: rough figures in seconds"
    )
    repeats, seconds = (3, 0.05) if parser.parse_args(arguments).quick else (9, 1.0)
    results = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "speed": [],
        "left out": [],
    }
    print(f"libewn and others in turns, on one core of {results['machine']['processor']}.")
    print(
        f"Millions of playouts a second of {results['machine']['clock']}; medians\n{HEAD}",
        flush=True,
    )
    started = time.perf_counter()
    for row in measure(repeats, seconds):
        was_measured = isinstance(row, dict)
        results["speed" if was_measured else "left out"].append(row)
        print(line(row) if was_measured else ": ".join(row), flush=True)
    results["seconds"] = round(time.perf_counter() - started, 1)
    file = ROOT / "runs" / "bench-ewn.json"
    text = json.dumps(results, indent=1) + "\n"
    file.parent.mkdir(exist_ok=True)
    replace_file(file, text.encode())
    print(f"\n{results['seconds']:.0f} seconds. Written:\n  {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
