"""An agent of the Python course, played as its grader would: in a process of its own.

games = grade("student_agent.py", games=20, seed=1)
games.scores.mean()
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

RUNNER = Path(__file__).with_name("course_environment.py")
LONGEST = 3600  # seconds


@dataclass(frozen=True)
class Graded:
    """What came of some games.

    Attributes
    ----------
    scores, max_tiles, moves : ndarray
        Of each game.
    milliseconds : float
        Of processor time, that get_action took for a move.
    import_seconds : float
        Of processor time, that importing the agent took.
    """

    scores: np.ndarray
    max_tiles: np.ndarray
    moves: np.ndarray
    milliseconds: float
    import_seconds: float

    @property
    def mean(self) -> float:
        """The mean score."""
        return float(self.scores.mean())


def grade(path: str | os.PathLike, games: int, seed: int = 0, moves: int | None = None) -> Graded:
    """Let an agent play, where nothing but Python and numpy can be imported.

    Parameters
    ----------
    path : str or Path
        Its file, with a function get_action(state, score).
    games : int
        How many games.
    seed : int
        What the new tiles come from.
    moves : int, optional
        A game is stopped after so many.

    Returns
    -------
    Graded
        Scores, and how long the agent thought.

    Raises
    ------
    ValueError
        If the agent cannot be imported, or fails: with the last line of its error.
    """
    words = [sys.executable, "-I", str(RUNNER), str(path), str(games), str(seed)]
    if moves is not None:
        words.append(str(moves))
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # one core: what one thread takes
    )
    if done.returncode:
        said = done.stderr.strip().rpartition("Error: ")[2]
        raise ValueError(f"{path} cannot be graded: {said}")
    played = [json.loads(line) for line in done.stdout.splitlines()]
    columns = {name: np.array([game[name] for game in played]) for name in played[0]}
    return Graded(
        columns["score"],
        columns["max_tile"],
        columns["moves"],
        1000 * float(columns["seconds"].sum() / columns["moves"].sum()),
        float(columns["import_seconds"][0]),
    )
