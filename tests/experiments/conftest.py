"""Results of these tests go to a folder of their own; processes that they start find the tests."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The folder that takes the place of the checkout."""
    monkeypatch.setenv("EXPERIMENTS_HOME", str(tmp_path))
    monkeypatch.delenv("SCALE", raising=False)
    places = [ROOT, ROOT / "tests" / "helpers", ROOT / "tests" / "experiments"]
    places.append(os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, places)))
    return tmp_path
