"""The training run behind the report, kept in runs/ until its parameters or the code it ran change."""

import hashlib
import json
import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

import numpy as np

from lib2048 import NTupleNetwork, Summary, TrainLog, evaluate, play, slide, train

ROOT = Path(__file__).resolve().parents[1]
SCALES = {
    "full": {"games": 100_000, "block": 1_000, "evaluation": 10_000},
    "small": {"games": 3_000, "block": 100, "evaluation": 500},
}
NETWORK = {"patterns": "4x6", "values": "afterstate"}
RULE = {"order": "backward", "alpha": 0.1, "p4": 0.1}
TRAIN_SEED, TEST_SEED = 1, 2  # different, so that no game of the training comes up again


def load_or_run(scale: str, progress: bool = True) -> tuple[TrainLog, Summary, dict]:
    """The run of this scale: the log of training, the summary of evaluation, and facts about both."""
    key = json.dumps([SCALES[scale], NETWORK, RULE, TRAIN_SEED, TEST_SEED, source_hash()])
    file = ROOT / "runs" / f"report-{scale}-{hashlib.sha256(key.encode()).hexdigest()[:12]}.npz"
    if not file.exists():
        arrays, facts = run(scale, progress)
        file.parent.mkdir(exist_ok=True)
        partial = file.with_suffix(".tmp")
        with partial.open("wb") as stream:
            np.savez_compressed(stream, facts=json.dumps(facts), **arrays)
        partial.replace(file)
    with np.load(file) as kept:
        facts = json.loads(str(kept["facts"]))
        training = [kept[name] for name in ("scores", "max_tiles", "moves")]
        log = TrainLog(*training, SCALES[scale]["block"], facts["train_seconds"], seed=TRAIN_SEED)
        tests = [kept[f"test_{name}"] for name in ("scores", "max_tiles", "moves")]
        summary = Summary.of(*tests, facts["test_seconds"])
    return log, summary, facts


def run(scale: str, progress: bool) -> tuple[dict, dict]:
    """Train and evaluate: (arrays, facts). Ctrl-C raises KeyboardInterrupt, because half a run makes no report."""
    wanted = SCALES[scale]
    net = NTupleNetwork(**NETWORK)
    log = train(net, wanted["games"], **RULE, seed=TRAIN_SEED, block=wanted["block"], progress=progress)
    if log.interrupted:
        raise KeyboardInterrupt
    summary = evaluate(net, wanted["evaluation"], seed=TEST_SEED, progress=progress)
    if summary.games < wanted["evaluation"]:
        raise KeyboardInterrupt
    arrays = {"scores": log.scores, "max_tiles": log.max_tiles, "moves": log.moves}
    arrays |= {"test_scores": summary.scores, "test_max_tiles": summary.max_tiles, "test_moves": summary.moves}
    facts = {"train_seconds": log.seconds, "test_seconds": summary.seconds}
    return arrays, facts | {"machine": machine(), "versions": versions()} | ending(net)


def ending(net) -> dict:
    """How game 0 of the evaluation ended: the board, the last action, the cell of the last new tile, score, moves."""
    game = play(net, seed=TEST_SEED)
    before, last = (int(board) for board in game.boards[-2:])
    action = int(game.actions[-1])
    cell = ((slide(before, action)[0] ^ last).bit_length() - 1) // 4
    return {"board": last, "lastmove": [action, cell], "score": game.score, "moves": len(game)}


def source_hash() -> str:
    """A hash of the sources that a result depends on: lib2048 without what only draws."""
    digest = hashlib.sha256()
    for file in sorted((ROOT / "lib2048").glob("*.py")):
        if file.name not in ("draw.py", "viewer.py", "check.py"):
            digest.update(f"{file.name}\n{file.read_text(encoding='utf-8')}".encode())
    return digest.hexdigest()[:12]


def versions() -> str:
    """Python and the libraries that compute."""
    return f"Python {platform.python_version()}, numpy {version('numpy')}, numba {version('numba')}"


def machine() -> str:
    """The processor, its cores, the system."""
    name = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), name)
    elif platform.system() == "Darwin":
        asked = subprocess.run(["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True)
        name = asked.stdout.strip() or name
    return f"{name}, {os.cpu_count()} logical cores, {platform.system()}"
