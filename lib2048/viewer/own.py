"""A game that a person played in the browser, move by move.

The browser tells of it as a record: what it began with, and the actions. Everything else follows
from the rules, tile by tile.
"""

import hashlib
import os

import numpy as np

from lib2048.board import fours_below
from lib2048.learning import Rule
from lib2048.records import Trace
from lib2048.search import Start, replay
from lib2048.validate import check_action, check_board, check_seed, check_whole

_remembered: dict[str, dict] = {}  # the newest record of each place in which games are played


def replayed(seed: int, actions: list[int], p4: float, start: Start | None = None) -> Trace:
    """Play given moves again, with the tiles that came up in the browser.

    Parameters
    ----------
    seed : int
        The seed of the game; the tiles are those of `play` with this seed.
    actions : list of int
        The moves that were made.
    p4 : float
        The probability of a 4-tile.
    start : Start, optional
        The board that it began with, if that was not one with two new tiles.

    Returns
    -------
    Trace
        The game as far as it was played. Nobody said what the actions were worth, so its values
        are nan.

    Raises
    ------
    ValueError
        If a move is not possible.
    """
    rule = Rule(alpha=0.0, p4=p4, fours=fours_below(p4), seed=check_seed(seed))
    made = np.array([check_action(action) for action in actions], np.uint8)
    boards, rewards = replay(rule, 0, made, start)
    return Trace(
        boards=boards,
        actions=made,
        rewards=rewards,
        values=np.full((len(actions), 4), np.nan, np.float32),
        seed=seed,
        p4=p4,
    )


def replayed_record(record: dict, p4: float) -> Trace:
    """The game of a record, see own.js.

    Parameters
    ----------
    record : dict
        The seed, the actions as digits, and, where the game began with a given board, that board
        in hexadecimal digits (`start`) and the number of its first move (`first`).
    p4 : float
        The probability of a 4-tile.

    Returns
    -------
    Trace
        The game.

    Raises
    ------
    ValueError
        If the record is of no game.

    Examples
    --------
    >>> replayed_record({"seed": "7", "actions": "1", "start": "11", "first": 0}, 0.1).score
    4
    """
    actions = [int(action) for action in record["actions"]]
    start = None
    if record.get("start"):
        board = int(check_board(int(record["start"], 16)))
        start = Start(board, check_whole("the number of the first move", record["first"]))
    return replayed(int(record["seed"]), actions, p4, start)


# A cell that is run again makes a new viewer, in which the reader's game goes on


def key_of(names: list[str], traces: list[Trace], place: str = "") -> str:
    """What a reader's game is remembered by: where it is played, and beside which games.

    Parameters
    ----------
    names : list of str
        What the games beside it are called.
    traces : list of Trace
        Those games.
    place : str
        The notebook, or nothing for a page, which knows its own address.

    Returns
    -------
    str
        A short text, the same whenever these are the same.
    """
    beside = [
        (name, trace.seed, trace.p4, int(trace.boards[0]) if trace.seed is None else 0)
        for name, trace in zip(names, traces, strict=True)
    ]
    return hashlib.sha256(repr((place, beside)).encode()).hexdigest()[:16]


def notebook() -> str:
    """The notebook that this process belongs to, as far as that is known."""
    return os.environ.get("JPY_SESSION_NAME", os.getcwd())


def remember(key: str, record: dict) -> None:
    """Keep a record until this process ends."""
    _remembered[key] = record


def recalled(key: str) -> dict:
    """The record that was kept last, {} where there is none."""
    return _remembered.get(key, {})
