"""What the agent of the Python course is worth, and what it costs.

It plays in a process of its own and with numpy alone, as it will when it is handed in.
"""

import tempfile
from pathlib import Path

import numpy as np

from experiments.entries import experiment
from experiments.piece import piece
from experiments.versions import versioned
from lib2048 import course
from workbook.course_grader import grade

SEED = 1
NO_LIMIT = 60.0
"""Seconds a move. Trips end the tree search before, so that the result is the same anywhere."""


@versioned(1)
def grade_agent(search="expectimax", plies=1, trips=1, evaluation=10, play_seed=1, moves=None):
    """Write an agent with the network that comes with lib2048, and let it play.

    Parameters
    ----------
    search, plies, trips
        As in `lib2048.course.write_agent`.
    evaluation, play_seed : int
        How many games it plays, from which seed.
    moves : int, optional
        A game is stopped after so many.

    Returns
    -------
    tuple of dict
        The games; the processor time that a move and the import took.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "student_agent.py"
        written = course.write_agent(
            path, search=search, plies=plies, trips=trips, seconds=NO_LIMIT
        )
        games = grade(path, evaluation, play_seed, moves)
    played = {
        "score": games.mean,
        "scores": games.scores.astype(np.int32),
        "max_tiles": np.log2(games.max_tiles).astype(np.uint8),
        "moves": int(games.moves.sum()),
        "bytes": written.nbytes,
    }
    taken = {
        "milliseconds": games.milliseconds,
        "import_seconds": games.import_seconds,
        "evaluate_seconds": games.milliseconds * played["moves"] / 1000,
    }
    return played, taken


@experiment("course-agent", share=(20, 1), moves=(300, None), seconds=(20, 500), record="full")
def course_agent(share, moves):
    """How does the written agent play, looking 1, 2 or 3 plies ahead or searching a tree?"""
    players = {
        "1 ply": (60, dict(plies=1)),
        "2 plies": (40, dict(plies=2)),
        "3 plies": (8, dict(plies=3)),
        "TD-MCTS, 40 trips": (8, dict(search="td-mcts", trips=40)),
    }
    for name, (games, options) in players.items():
        yield piece(
            grade_agent,
            tags={"player": name},
            evaluation=max(2, games // share),
            play_seed=SEED,
            moves=moves,
            **options,
        )
