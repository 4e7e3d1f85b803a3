"""A cell that shows a viewer, run again and again in a real kernel: the memory does not fill."""

import gc
import os
import threading
import weakref
from pathlib import Path

import jupyter_client
import pytest

from lib2048 import NTupleNetwork
from lib2048.viewer import watch

ROOT = Path(__file__).resolve().parents[2]
BEGIN = """
import gc
import psutil
from lib2048 import compact
from lib2048.viewer import watch
"""
CELL = "net = compact(); viewer = watch(net, seed=7); viewer"
MEASURE = "gc.collect(); print(psutil.Process().memory_info().rss / 1e6)"
WEIGHTS = 16.8  # MB of each network


class Kernel:
    """A kernel as a notebook has it."""

    def __init__(self):
        self.manager = jupyter_client.KernelManager()
        self.manager.start_kernel(cwd=str(ROOT), env=os.environ | {"PYTHONPATH": str(ROOT)})
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=120)

    def run(self, code):
        """Run a cell; returns what it printed."""
        printed = []

        def hear(message):
            assert message["msg_type"] != "error", message["content"]["evalue"]
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])

        self.client.execute_interactive(code, timeout=120, output_hook=hear)
        return "".join(printed)

    def megabytes(self):
        return float(self.run(MEASURE))

    def stop(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture
def kernel():
    kernel = Kernel()
    kernel.run(BEGIN)
    yield kernel
    kernel.stop()


def growth(kernel, times):
    """By how many MB the memory grows when the cell runs so many times, after the first few."""
    for _ in range(3):
        kernel.run(CELL)
    before = kernel.megabytes()
    for _ in range(times):
        kernel.run(CELL)
    return kernel.megabytes() - before


@pytest.mark.slow
def test_a_few_runs_do_not_keep_their_networks(kernel):
    grown = growth(kernel, 8)
    print(f"8 runs: {grown:+.0f} MB")
    assert grown < 7 * WEIGHTS, "eight networks were made, and freed memory comes back late"


@pytest.mark.long
def test_fifty_runs_take_little_memory(kernel):
    grown = growth(kernel, 50)
    print(f"50 runs: {grown:+.0f} MB")
    assert grown < 50


def test_a_closed_viewer_leaves_nothing_behind():
    threads = set(threading.enumerate())
    net = NTupleNetwork(((0, 1),))
    viewer = watch({"a": net, "b": net}, seed=1)
    viewer._reply({"topic": "opinions", "board": "21"})
    held = weakref.ref(viewer)
    viewer.close()
    assert viewer.comm is None
    assert viewer.nets == [None, None]
    del viewer
    gc.collect()
    assert held() is None
    assert set(threading.enumerate()) <= threads
