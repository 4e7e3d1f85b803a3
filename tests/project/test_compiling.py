"""Compiling everything at set-up: whoever comes afterwards, with any call, waits for nothing."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

ROOT = Path(__file__).resolve().parents[2]

USE_LIB2048 = """
import sys
from pathlib import Path

import numpy as np

import lib2048
from lib2048 import formats

folder = Path(sys.argv[1])
exported = set()
rng = np.random.default_rng(1)
board = lib2048.new_board(rng)
for call in lib2048.legal_actions, lib2048.symmetries, lib2048.show, lib2048.to_array:
    call(board)
lib2048.spawn(lib2048.slide(board, lib2048.legal_actions(board)[0])[0], rng)
for values in "afterstate", "state":
    for symmetries in 8, 1:
        net = lib2048.NTupleNetwork(((0, 1), (1, 2, 5)), values=values, symmetries=symmetries)
        for order in "backward", "forward":
            for more in {}, {"coherence": True}, {"threads": 2}, {"engine": "plain"}:
                lib2048.train(net, 3, order=order, progress=False, **more)
        lib2048.train(net, 3, lambda_=0.5, restart=100, downgrade=64, progress=False)
        lib2048.train(net, 3, engine="plain", coherence=True, lambda_=0.5, progress=False)
        checkpoint = folder / "checkpoint.npz"
        lib2048.train(net, 3, coherence=True, checkpoint=checkpoint, progress=False)
        lib2048.resume(checkpoint, progress=False)
        game = lib2048.play(net, seed=1)
        for order in "backward", "forward":
            lib2048.learn_episode(net, game.boards, game.actions, game.rewards, order=order)
        lib2048.learn_episode(net, game.boards, game.actions, game.rewards, coherence=True)
        net.value(board), net.index(1, board), net.update(board, 0.0), net.weight(1, 5)
        net.table(1), net.set_table_part(1, 3, [5.0, 7.0])
        net.save(folder / "net.npz")
        lib2048.NTupleNetwork.load(folder / "net.npz")
        for kind in [*sorted(formats.FORMATS), "compact"]:
            try:
                lib2048.export(net, folder / kind, kind, symmetries=symmetries)
                path = folder / kind
                formats.load(lib2048.NTupleNetwork, path, net.patterns, symmetries=symmetries)
            except ValueError:
                pass  # this program has no such networks
            else:
                exported.add(kind)
        for plies in 1, 2, 3:
            lib2048.best_action(net, board, plies=plies)
        lib2048.best_action(net, board, downgrade=64)
        for plies in 1, 2:
            lib2048.play(net, seed=2, plies=plies, downgrade=64)
            for threads in 1, 2:
                lib2048.evaluate(net, 3, plies=plies, threads=threads, progress=False)
        lib2048.evaluate(net, 3, record=folder / "played.txt", progress=False)
        lib2048.write_episodes(folder / "games.txt", [game])
        lib2048.read_episodes(folder / "games.txt")
assert exported == {*formats.FORMATS, "compact"}, exported
lib2048.watch(net)
lib2048.watch({"this": net, "that": net}, plies=2)
"""

USE_LIBEWN = """
import libewn

for variant in "tcg2023", "classic":
    start = libewn.instance(1, 0, variant)
    game = libewn.Game(start)
    libewn.guess(game), libewn.playouts(game, 50), libewn.playouts(game, 50, shortcut=False)
    if variant == "tcg2023":
        libewn.best_move(game, 3)
    players = [libewn.player(name, simulations=50) for name in ("mcs", "mcts")]
    for more in (
        {"ucb": "tuned"},
        {"ucb": "as_submitted", "results": "plain"},
        {"solve": True, "prior": 30.0},
        {"reuse": True, "visit": 1, "expand": 1},
        {"pv_k": 3.0, "move_k": 3.0},
    ):
        players.append(libewn.MCTS(simulations=50, **more))
    if variant == "tcg2023":
        players += [libewn.player(name) for name in ("easy", "normal", "hard")]
    for player in players:
        finished = libewn.play_game(player, libewn.player("easy"), start)
    searching = libewn.MCTS(50)
    searching.search(game)
    searching.tree(game)
    libewn.board_svg(game), libewn.board_text(game)
    libewn.watch(finished, comment=searching)
libewn.watch("easy", "normal")
libewn.play_rounds(libewn.player("mcts", simulations=50), libewn.player("easy"), [0])
"""

SEARCH_LIKE_THE_AGENT = """
from libewn import agent

agent._load_search(1000)
"""


def run(*arguments, cache):
    """A Python process that keeps its kernels in a folder; returns what kernels are there then."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return {file.name for file in cache.rglob("*.kernel")}


@pytest.mark.slow
@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="without numba nothing is compiled")
def test_after_compiling_nothing_is_left_to_compile(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir()
    run("-m", "lib2048.compile", cache=cache)
    compiled = run("-m", "libewn.compile", cache=cache)
    assert len(compiled) > 100
    for script in USE_LIB2048, USE_LIBEWN, SEARCH_LIKE_THE_AGENT:
        left = run("-c", script, str(tmp_path), cache=cache) - compiled
        assert not left, "lib2048/compile.py or libewn/compile.py leaves these out"
