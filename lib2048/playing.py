"""Playing and measuring: one game recorded move by move, many games summed up."""

import time

import numpy as np
from tqdm.auto import tqdm

from lib2048.board import (
    _first_board,
    _is_dead,
    _slide,
    _spawn,
)
from lib2048.fast.choosing import _action_values
from lib2048.fast.downgrading import _downgrade_planes
from lib2048.fast.planes import _to_board, _to_planes
from lib2048.files import check_target
from lib2048.kernels import U
from lib2048.engines import FastEngine, check_network, playing_rule
from lib2048.random_words import GOLDEN, mix, stream
from lib2048.records import Summary, Trace
from lib2048.running import Runner
from lib2048.search import Search
from lib2048.validate import (
    check_board,
    check_count,
    check_downgrade,
    check_p4,
    check_plies,
    check_seed,
)

NO_NUMBERS = (
    "this network holds values that are not numbers: it diverged in training, and cannot play"
)


def best_action(
    net, board: int, plies: int = 1, p4: float | None = None, downgrade: int | None = None
) -> tuple[int | None, np.ndarray]:
    """The action the network takes: (action, what the four actions are worth, nan where illegal).

    plies counts the player's moves looked ahead; 1 is greedy. Of equally good actions the lowest is taken. A dead
    board gives (None, four nans). With downgrade=16384, say, boards with that tile or a larger one are judged as
    smaller ones, rewards included, see downgrade.py.
    """
    check_network(net)
    board, plies, top = check_board(board), check_plies(plies), check_downgrade(downgrade)
    board = _to_board(_downgrade_planes(_to_planes(board), top))
    p4 = net.p4 if p4 is None else check_p4(p4)
    values = _values(net, board, plies, p4, None if plies == 1 else Search(plies))
    return _best(values), values


def _values(net, board, plies: int, p4: float, search) -> np.ndarray:
    """What the four actions are worth, float32, nan where illegal."""
    if plies == 1:
        return np.array(_action_values(net.arrays, board, np.float32(p4)), np.float32)
    return search.values(net, board, p4)


def _best(values) -> int | None:
    return None if np.isnan(values).all() else int(np.nanargmax(values))


def play(
    net,
    seed: int = 0,
    plies: int = 1,
    p4: float | None = None,
    game: int = 0,
    downgrade: int | None = None,
) -> Trace:
    """Play one game and record it. It is game number `game` of evaluate with the same seed."""
    plies, rule = check_plies(plies), playing_rule(net, p4, seed, downgrade)
    state = int(stream(rule.seed, check_seed(game, "game, the number of a game,")))
    board, search = U(_first_board(U(state), rule.fours)), None if plies == 1 else Search(plies)
    state = (state + 2 * int(GOLDEN)) % 2**64
    boards, actions, rewards, values = [board], [], [], []
    while True:
        worths = _values(net, _to_board(_downgrade_planes(_to_planes(board), rule.downgrade_from)), plies, rule.p4, search)
        action = _best(worths)
        if action is None:
            if not _is_dead(board):
                raise ValueError(NO_NUMBERS)
            break
        afterstate, reward = _slide(board, action)
        state = (state + int(GOLDEN)) % 2**64
        board = U(_spawn(U(afterstate), U(mix(U(state))), rule.fours))
        boards.append(board)
        actions.append(action)
        rewards.append(reward)
        values.append(worths)
    return Trace(
        np.array(boards, np.uint64),
        np.array(actions, np.uint8),
        np.array(rewards, np.int32),
        np.array(values, np.float32).reshape(-1, 4),
        int(rule.seed),
        rule.p4,
        plies,
        downgrade,
    )


def evaluate(
    net,
    games: int,
    plies: int = 1,
    p4: float | None = None,
    threads: int = 1,
    seed: int = 0,
    progress: bool = True,
    record=None,
    downgrade: int | None = None,
) -> Summary:
    """Play many games and sum them up. The games depend on the seed alone, not on the number of threads.

    With downgrade=16384, say, the network is shown boards with that tile or a larger one as smaller ones, see
    downgrade.py; scores are those of the real boards. With `record`, the games are also written to that file, in the
    courses' line format (see episodes.py). Ctrl-C sums up the games that are done.
    """
    total, threads, plies = (
        check_count("games", games),
        check_count("threads", threads),
        check_plies(plies),
    )
    rule, started = playing_rule(net, p4, seed, downgrade), time.perf_counter()
    if record is not None:
        check_target(record)
    engine = FastEngine(net, threads) if plies == 1 else Search(plies, net)
    engine.play_by(rule)
    runner = Runner(engine, total, threads)
    bar = tqdm(total=total, unit=" games", disable=not progress, delay=1, leave=False)
    try:
        while runner.done < total:
            bar.update(runner.chunk(total - runner.done, runner.done))
            if not np.isfinite(runner.last).all():
                raise ValueError(NO_NUMBERS)
    except KeyboardInterrupt:
        if runner.finished() == 0:
            raise
    finally:
        runner.close()
        bar.close()
    done, seconds = runner.finished(), time.perf_counter() - started
    if record is not None:
        from lib2048.formats.episodes import write_episodes

        numbers = tqdm(
            range(done), "writing", unit=" games", disable=not progress, delay=1, leave=False
        )
        write_episodes(
            record, (play(net, seed, plies, rule.p4, game, downgrade) for game in numbers)
        )
    return Summary.of(runner.scores[:done], runner.max_tiles[:done], runner.moves[:done], seconds)
