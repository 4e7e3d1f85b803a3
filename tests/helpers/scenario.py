"""What both libraries do, told in numbers, to be compared between machines and ways of running.

python tests/helpers/scenario.py                as Python is here
python tests/helpers/scenario.py --no-numba     as if numba were not installed
"""

import hashlib
import json
import sys
import warnings

PATTERNS = ((0, 1, 2), (3, 7, 6, 2))
CROWDED = 0x1234_5678_9ABC_1230
MISSING = ("numba", "llvmlite")
LEARNING = (
    {},
    {"order": "forward"},
    {"coherence": True, "lambda_": 0.5},
    {"restart": 60, "downgrade": 64},
    {"engine": "plain"},
    {"engine": "plain", "order": "forward", "coherence": True},
    {"engine": "plain", "restart": 60},
)


class Hide:
    """Answers every import of numba as if it were not there."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def digest(*arrays):
    """A short digest of arrays, bit by bit."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(array.tobytes())
    return total.hexdigest()[:16]


def learned():
    """Scores, weights and games of small networks, by each way of learning."""
    import lib2048

    told = {}
    for values, ways in (("afterstate", LEARNING), ("state", LEARNING[:1] + LEARNING[4:5])):
        for options in ways:
            net = lib2048.NTupleNetwork(PATTERNS, values=values)
            log = lib2048.train(net, 1, seed=3, block=1, progress=False, **options)
            tables = [net.table(k) for k in range(len(PATTERNS))]
            told[f"{values} {options}"] = [log.scores.tolist(), digest(*tables)]
        game = lib2048.play(net, seed=5, board=CROWDED, plies=2)
        summary = lib2048.evaluate(net, 1, seed=4, progress=False)
        told[f"{values} played"] = [game.score, digest(game.boards, game.values), summary.mean]
    return told


def second_game():
    """A game of EinStein würfelt nicht!, by tree search."""
    import libewn

    players = (libewn.player("mcts", simulations=40), libewn.player("easy"))
    game = libewn.play_game(*players, libewn.instance(1, 0))
    return [str(move) for move in game.history]


def hide_numba():
    """From here on, numba is not installed."""
    sys.meta_path.insert(0, Hide())


if __name__ == "__main__":
    if "--no-numba" in sys.argv:
        hide_numba()
    warnings.simplefilter("error")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        import lib2048  # noqa: F401  (what it warns of)
    said = [str(warning.message) for warning in caught]
    print(json.dumps({"said": said, "learned": learned(), "second game": second_game()}))
