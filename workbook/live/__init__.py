"""Training that is watched while it runs, and while other cells run.

    live = train_live(net, 50_000, seed=1)      trains in a thread of its own
    live                                        shows a growing curve, and a board that plays on
    ...                                         other cells
    log = live.wait()                           waits for the end; the log that train returns

training.py is the thread, widget.py what is seen of it (script/ and style.css its browser's side),
and still.py the picture that remains.
"""

from collections.abc import Callable

from lib2048 import NTupleNetwork, TrainLog, best_action, play, train
from workbook.live.training import LiveTraining, Stopped

__all__ = ["LiveTraining", "Stopped", "train_live"]

POINTS = 100  # of the curve, unless a block is asked for
LARGEST_BLOCK = 1000


def train_live(
    net: NTupleNetwork,
    games: int,
    block: int | None = None,
    seed: int = 0,
    callback: Callable[[TrainLog], object] | None = None,
    **options,
) -> LiveTraining:
    """Train a network in the background.

    The same games give the same network as `lib2048.train`, to the bit.

    Parameters
    ----------
    net
        The network that learns, in place. Other cells may play with it meanwhile.
    games
        From how many games it learns.
    block
        How many games make a point of the curve; without it there are about a hundred points.
    seed
        The seed of the games.
    callback
        Called after each block with the log so far, in the thread that trains.
    **options
        What else `lib2048.train` takes.

    Returns
    -------
    LiveTraining
        What a notebook shows: `.wait()` returns the log once all is done, `.stop()` ends it early,
        `.log` is the log so far.

    Examples
    --------
    >>> net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)))
    >>> live = train_live(net, 100, seed=1)
    >>> log = live.wait()
    >>> len(log.scores), net.games
    (100, 100)
    """
    if block is None:
        block = max(1, min(LARGEST_BLOCK, games // POINTS))
    played_before = net.games

    def work(tell: Callable[[TrainLog], None]) -> TrainLog:
        def after_block(log: TrainLog) -> None:
            if callback is not None:
                callback(log)
            tell(log)

        return train(
            net, games, block=block, seed=seed, progress=False, callback=after_block, **options
        )

    def choose(board: int) -> int | None:
        action, _ = best_action(net, board)
        return action

    def last_board() -> int:
        return int(play(net, seed=seed).boards[-1])

    return LiveTraining(work, choose, last_board, games, played_before)
