"""Searches measured in turns: processor time for a unit of work."""

import random
import time
from collections.abc import Callable, Mapping, Sequence

from libewn import Game, instance


def in_turns(jobs: Mapping[str, Callable[[int], int]], rounds: int) -> dict[str, float]:
    """Processor seconds a unit of work, measured in alternation.

    Machines slow down and speed up. What is measured in turns is slowed down alike, so ratios hold.

    Parameters
    ----------
    jobs
        Functions that are told the number of the round, from 0, and return how many units they did.
    rounds
        How many rounds. One more comes first, and does not count.

    Returns
    -------
    dict
        {name: seconds a unit}.
    """
    seconds = dict.fromkeys(jobs, 0.0)
    units = dict.fromkeys(jobs, 0)
    for round_number in range(-1, rounds):
        for name, job in jobs.items():
            began = time.process_time()
            done = job(max(round_number, 0))
            if round_number >= 0:
                seconds[name] += time.process_time() - began
                units[name] += done
    return {name: seconds[name] / units[name] for name in jobs}


def middle_positions(count: int, seed: int = 1) -> list[Game]:
    """Positions some plies into games that were begun at random.

    Examples
    --------
    >>> [game.ply for game in middle_positions(3)]
    [0, 2, 4]
    """
    rng = random.Random(seed)
    positions = []
    number_of_instance = 0
    while len(positions) < count:
        game = Game(instance(seed, number_of_instance))
        for _ in range(2 * (number_of_instance % 6)):
            if game.winner is None:
                game.play(rng.choice(game.legal_moves()))
        if game.winner is None:
            positions.append(game)
        number_of_instance += 1
    return positions


def searching(search, positions: Sequence[Game]) -> Callable[[int], int]:
    """A job for `in_turns`: search a position; its units are playouts."""

    def job(number_of_round: int) -> int:
        search.start(0)
        return search.search(positions[number_of_round % len(positions)]).playouts

    return job
