"""A game that a person played in the browser, move by move."""

import numpy as np

from lib2048.board import _first_board, _spawn, fours_below, slide
from lib2048.kernels import uint64
from lib2048.random_words import GOLDEN, mix, stream
from lib2048.records import Trace


def replayed(seed: int, actions: list[int], p4: float) -> Trace:
    """Play given moves again, with the tiles that came up in the browser.

    Parameters
    ----------
    seed : int
        The seed of the game; the tiles are those of `play` with this seed.
    actions : list of int
        The moves that were made.
    p4 : float
        The probability of a 4-tile.

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
    fours = fours_below(p4)
    state = int(stream(uint64(seed), uint64(0)))
    step = int(GOLDEN)
    boards = [int(_first_board(uint64(state), fours))]
    rewards = []
    for number, action in enumerate(actions):
        afterstate, reward = slide(boards[-1], action)
        if reward < 0:
            raise ValueError(f"move {number} of this game, action {action}, is not possible")
        # the first board took the two words before
        word = uint64(mix(uint64((state + (number + 3) * step) % 2**64)))
        boards.append(int(_spawn(uint64(afterstate), word, fours)))
        rewards.append(reward)
    return Trace(
        boards=np.array(boards, np.uint64),
        actions=np.array(actions, np.uint8),
        rewards=np.array(rewards, np.int32),
        values=np.full((len(actions), 4), np.nan, np.float32),
        seed=seed,
        p4=p4,
    )
