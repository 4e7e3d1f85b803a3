"""`python -m lib2048`: what each command prints, writes and answers to what is wrong."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lib2048 import NTupleNetwork, compact, evaluate, play, read_episodes, show, train
from lib2048.__main__ import main
from lib2048.compacting import strength
from lib2048.options import Stage
from lib2048.recipes import RECIPES
from lib2048.viewer.__main__ import write_recorded

ROOT = Path(__file__).resolve().parents[2]
PATTERNS = ((0, 1, 2, 3), (4, 5, 6, 7))


@pytest.fixture
def net(tmp_path):
    """The path of a trained network."""
    made = NTupleNetwork(PATTERNS)
    train(made, 100, seed=1, progress=False)
    made.save(tmp_path / "net.npz")
    return tmp_path / "net.npz"


def run(*words):
    """The exit code of a command; argparse leaves by an exception."""
    try:
        return main([str(word) for word in words])
    except SystemExit as left:
        return left.code


def refused(capsys, *words):
    """What a command that must fail says, in one line."""
    assert run(*words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.strip().splitlines()[-1]


def test_train_makes_a_network_and_goes_on(tmp_path, capsys):
    path = tmp_path / "own.npz"
    words = ["train", path, "--games", 200, "--patterns", "0123,4567", "--seed", 3]
    assert run(*words, "--coherence", "--lambda", 0.5, "--restart", 500) == 0
    said = capsys.readouterr().out
    assert "200 games learned from" in said
    assert len(re.findall(r"games +[\d,]+ points a game", said)) == 10
    expected = NTupleNetwork(PATTERNS)
    train(expected, 200, coherence=True, lambda_=0.5, restart=500, seed=3, progress=False)
    assert np.array_equal(NTupleNetwork.load(path).table(0), expected.table(0))
    assert run("train", path, "--games", 10) == 0
    assert "goes on from 200 games" in capsys.readouterr().out
    assert NTupleNetwork.load(path).games == 210


def test_what_was_learned_is_there_before_training_ends(tmp_path, capsys, monkeypatch):
    def fail(*_):
        raise OSError("the power is cut")

    monkeypatch.setattr(NTupleNetwork, "save", fail)
    path = tmp_path / "own.npz"
    assert "power is cut" in refused(capsys, "train", path, "--games", 5, "--patterns", "0123")
    assert NTupleNetwork.load(path).games == 5


def test_train_by_a_recipe(tmp_path, capsys, monkeypatch):
    """A recipe of few games stands for the long ones."""
    short = replace(RECIPES["minutes"], stages=(Stage(20, None, True),))
    monkeypatch.setitem(RECIPES, "minutes", short)
    path = tmp_path / "net.npz"
    assert run("train", path, "--recipe", "minutes", "--patterns", "0123,4567", "--seed", 2) == 0
    assert "20 games learned from" in capsys.readouterr().out
    expected = NTupleNetwork(PATTERNS)
    train(expected, recipe="minutes", seed=2, progress=False)
    assert np.array_equal(NTupleNetwork.load(path).table(0), expected.table(0))
    new = tmp_path / "new.npz"
    said = refused(capsys, "train", new, "--recipe", "minutes", "--games", 5, "--patterns", "01")
    assert "says itself how many games" in said


def test_train_takes_what_a_network_values_and_the_order(tmp_path, capsys):
    path = tmp_path / "state.npz"
    words = ["train", path, "--games", 20, "--patterns", "0123,4567", "--seed", 3, "--p4", 0.2]
    assert run(*words, "--values", "state", "--order", "forward", "--downgrade", 64) == 0
    expected = NTupleNetwork(PATTERNS, values="state")
    train(expected, 20, order="forward", downgrade=64, p4=0.2, seed=3, progress=False)
    trained = NTupleNetwork.load(path)
    assert trained.values == "state" and trained.p4 == 0.2
    assert np.array_equal(trained.table(0), expected.table(0))
    capsys.readouterr()
    assert "state" in refused(capsys, "train", path, "--values", "afterstate")


def test_the_version_is_that_of_what_is_installed(capsys):
    assert run("--version") == 0
    assert re.fullmatch(r"lib2048 (\d[\w.+]*|\(a checkout .*\))\n", capsys.readouterr().out)


def test_play_prints_the_game_of_the_seed(net, tmp_path, capsys):
    assert run("play", "--net", net, "--seed", 5, "--record", tmp_path / "game.txt") == 0
    trace = play(NTupleNetwork.load(net), seed=5)
    said = capsys.readouterr().out
    assert said.startswith(show(int(trace.boards[-1])))
    assert f"{trace.score:,} points in {len(trace):,} moves" in said
    (written,) = read_episodes(tmp_path / "game.txt")
    assert np.array_equal(written.actions, trace.actions)


def test_play_without_a_network_plays_with_the_one_of_the_library(capsys):
    assert run("play", "--seed", 2) == 0
    assert f"{play(compact(), seed=2).score:,} points" in capsys.readouterr().out


def test_evaluate_prints_the_courses_block(net, tmp_path, capsys):
    record = tmp_path / "games.txt"
    assert run("evaluate", "--net", net, "--games", 30, "--seed", 4, "--record", record) == 0
    summary = evaluate(NTupleNetwork.load(net), 30, seed=4, progress=False)
    said = capsys.readouterr().out
    assert said.startswith(f"30\tavg = {int(summary.mean)}, max = {summary.max}, ops = ")
    assert f"mean {summary.mean:,.1f} points" in said
    assert len(read_episodes(record)) == 30
    deep = ("--net", net, "--seed", 4, "--plies", 3, "--margin", 2)
    assert run("evaluate", "--games", 1, *deep) == run("play", *deep) == 0
    looked = evaluate(NTupleNetwork.load(net), 1, 3, seed=4, progress=False, margin=2)
    said = capsys.readouterr().out
    assert said.startswith(f"1\tavg = {looked.max}, ") and f"\n{looked.max:,} points in" in said
    assert run("evaluate", "--net", net, "--games", 1) == 0
    assert "one game does not tell how sure that is" in capsys.readouterr().out


def test_evaluate_says_how_strong_the_library_s_own_network_was(capsys):
    assert run("evaluate", "--games", 2) == 0
    assert f"{strength()['mean']:,.0f} points a game" in capsys.readouterr().out


def test_watch_writes_a_page_and_says_where(net, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("watch", "--net", net, "--seed", 3) == 0
    said = capsys.readouterr().out
    assert said == f"Open this page in a browser: {(tmp_path / '2048.html').as_uri()}\n"
    small = (tmp_path / "2048.html").read_text(encoding="utf-8")
    assert run("watch", "other.html") == 0
    whole = (tmp_path / "other.html").read_text(encoding="utf-8")
    assert len(small) < len(whole) < 4_000_000
    assert run("watch", "both.html", "--recorded", "--net", net, net, "--plies", 2) == 0
    assert "net (2)" in (tmp_path / "both.html").read_text(encoding="utf-8")


def test_a_recorded_game_may_look_ahead_with_a_margin(net, tmp_path):
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    assert run("watch", one, "--recorded", "--net", net, "--plies", 2, "--margin", 0) == 0
    game = play(NTupleNetwork.load(net), plies=2, margin=0)
    assert game.score != play(NTupleNetwork.load(net), plies=2).score, "or this test tells nothing"
    assert write_recorded(other, [net], plies=2, margin=0) == f"{game.score:,} points"
    assert one.read_text(encoding="utf-8") == other.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["demo", "compact", "native"])
def test_export_writes_what_can_be_read_again(net, tmp_path, capsys, kind):
    target = tmp_path / "there"
    assert run("export", net, target, "--kind", kind) == 0
    assert f"{target.stat().st_size:,} bytes" in capsys.readouterr().out
    before, after = NTupleNetwork.load(net), NTupleNetwork.load(target)
    assert np.allclose(after.table(0), before.table(0), atol=0.5)


def test_export_reads_other_programs_too(net, tmp_path):
    weights = tmp_path / "weights.bin"
    assert run("export", net, weights, "--kind", "framework") == 0
    words = ["export", weights, tmp_path / "again.npz", "--kind", "native"]
    assert run(*words, "--patterns", "0123,4567") == 0
    again = NTupleNetwork.load(tmp_path / "again.npz")
    assert np.array_equal(again.table(1), NTupleNetwork.load(net).table(1))


def test_export_turns_the_cells_of_a_weights_file_round(tmp_path):
    before = NTupleNetwork(((0, 1, 2, 4),))  # no mirror image of itself read backwards
    train(before, 100, seed=1, progress=False)
    net, low, high, again = (tmp_path / name for name in ("net.npz", "low", "high", "again.npz"))
    before.save(net)
    assert run("export", net, low, "--kind", "framework") == 0
    assert run("export", net, high, "--kind", "framework", "--first-cell", "high") == 0
    assert low.read_bytes() != high.read_bytes()
    told = ["--patterns", "0124", "--first-cell", "high"]
    assert run("export", high, again, "--kind", "native", *told) == 0
    assert np.array_equal(NTupleNetwork.load(again).table(0), before.table(0))
    assert run("export", high, tmp_path / "same", "--kind", "framework", *told) == 0
    assert (tmp_path / "same").read_bytes() == high.read_bytes()


def test_what_a_file_leaves_open_can_be_told(tmp_path):
    """What V is the value of, and from how many sides that program looks at a board."""
    before = NTupleNetwork(PATTERNS, values="state", symmetries=1)
    train(before, 100, seed=1, progress=False)
    before.save(tmp_path / "net.npz")
    names = "net.npz", "2048.bin", "again.npz", "record.txt"
    net, demo, again, record = (tmp_path / name for name in names)
    told = ["--values", "state", "--symmetries", 1]
    assert run("export", net, demo, "--kind", "demo", *told) == 0
    assert run("export", demo, again, "--kind", "native", *told) == 0
    after = NTupleNetwork.load(again)
    assert (after.values, after.symmetries) == ("state", 1)
    assert np.array_equal(after.table(1), before.table(1))
    assert run("play", "--net", demo, "--seed", 4, "--record", record, *told) == 0
    (played,) = read_episodes(record)
    assert np.array_equal(played.actions, play(before, seed=4).actions)


@pytest.mark.parametrize(
    "told", ["--values=state", "--symmetries=1", "--patterns=4x6", "--first-cell=high"]
)
@pytest.mark.parametrize("command", [["play"], ["evaluate"], ["agent", "student_agent.py"]])
def test_what_is_told_of_no_file_is_refused(tmp_path, capsys, monkeypatch, command, told):
    monkeypatch.chdir(tmp_path)
    assert "name the file with --net FILE" in refused(capsys, *command, told)
    assert list(tmp_path.iterdir()) == []


def test_what_is_wrong_is_said_in_a_line(net, tmp_path, capsys):
    def says(*words):
        return refused(capsys, *words)

    assert "there is no file no.npz" in says("play", "--net", "no.npz")
    assert "no folder" in says("train", tmp_path / "no" / "net.npz")
    assert "--games is" in says("train", tmp_path / "new.npz", "--games", 0)
    assert not (tmp_path / "new.npz").exists()
    assert "a seed" in says("play", "--net", net, "--seed", -1)
    assert "plies" in says("evaluate", "--net", net, "--plies", 13)
    assert "margin" in says("play", "--net", net, "--plies", 2, "--margin", -1)
    assert "margin" in says("evaluate", "--net", net, "--plies", 2, "--margin", "nan")
    assert "plies=2 beside it" in says("play", "--net", net, "--plies", 2, "--seconds", 1)
    assert "above 0" in says("evaluate", "--net", net, "--seconds", 0)
    assert "games" in says("evaluate", "--net", net, "--games", 0)
    assert "got '0g'" in says("train", tmp_path / "new.npz", "--patterns", "0g")
    assert "no network is named '9x9'" in says("train", tmp_path / "new.npz", "--patterns", "9x9")
    assert "patterns" in says("train", net, "--patterns", "4x6")
    assert run("export", net, tmp_path / "small.bin", "--kind", "compact") == 0
    capsys.readouterr()
    assert "small.bin net.npz --kind native" in says("train", tmp_path / "small.bin")
    assert "step is a power of two" in says(
        "export", net, tmp_path / "x", "--kind", "compact", "--step", 3
    )
    assert "name another file" in says("export", net, net, "--kind", "demo")
    assert "--step goes with" in says("export", net, tmp_path / "x", "--kind", "demo", "--step", 1)
    demo = ("export", net, tmp_path / "x", "--kind", "demo", "--first-cell")
    assert "where the first cell is the low one" in says(*demo, "high")
    assert "invalid choice: 'left'" in says(*demo, "left")
    assert "invalid choice: 4" in says(*demo[:-1], "--symmetries", "4")
    assert "symmetries=8, got symmetries=1" in says(*demo[:-1], "--symmetries", 1)
    assert "holds V(afterstate), got values='state'" in says(*demo[:-1], "--values", "state")
    assert "several networks" in says("watch", tmp_path / "p.html", "--net", net, net)
    assert "goes before --net" in says("watch", "--net", net, tmp_path / "p.html")
    assert "a margin need --recorded" in says("watch", tmp_path / "p.html", "--margin", 5)
    recorded = ("watch", tmp_path / "p.html", "--recorded", "--net", net, "--plies", 2)
    assert "0 or more, or None, got -5" in says(*recorded, "--margin", -5)
    assert "--net FILE" in says("watch", tmp_path / "p.html", "--recorded")
    assert "invalid choice" in says("export", net, tmp_path / "x", "--kind", "onnx")
    assert "required" in says()


@pytest.mark.parametrize(
    "command", [(), ("train",), ("play",), ("evaluate",), ("watch",), ("export",)]
)
def test_help_has_examples(capsys, command):
    assert run(*command, "--help") == 0
    said = capsys.readouterr().out
    assert "examples:" in said
    examples = re.findall(r"^  lib2048 (\w+)", said, re.M)
    assert set(examples) <= {"train", "play", "evaluate", "watch", "export", "agent"}
    assert len(examples) >= 3


def test_ctrl_c_keeps_what_was_learned(tmp_path):
    path = tmp_path / "net.npz"
    command = [sys.executable, "-u", "-m", "lib2048", "train", str(path), "--games", "1000000"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        said = b""
        while not re.search(rb"\b[1-9]\d*/1000000", said):  # the bar counts games: it learns
            said += process.stderr.read1()
            assert process.poll() is None, said
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"what was learned is kept" in out
    assert NTupleNetwork.load(path).games > 0


def test_agent_writes_a_file_that_plays(tmp_path, net, capsys):
    words = ["agent", tmp_path / "agent.py", "--net", net, "--plies", 1]
    assert run(*words, "--actions", "up,right,down,left", "--state", "exponents") == 0
    assert "agent.py: " in capsys.readouterr().out
    text = (tmp_path / "agent.py").read_text()
    assert "ACTIONS = ('up', 'right', 'down', 'left')  # what" in text
    assert 'STATE = "exponents"  # what' in text
    assert "got ['up']" in refused(capsys, "agent", tmp_path / "no.py", "--actions", "up")
    assert not (tmp_path / "no.py").exists()
