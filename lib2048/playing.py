"""Playing and measuring: the best action, one game move by move, many games summed up."""

import functools
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from tqdm.auto import tqdm

from lib2048.engines import FastEngine, playing_rule
from lib2048.files import check_target
from lib2048.formats.episodes import write_episodes
from lib2048.learning import Rule
from lib2048.network import NTupleNetwork
from lib2048.records import Summary, Trace
from lib2048.running import Runner, wait_for
from lib2048.search import NO_NUMBERS, PlayedGame, Search, Start, replay
from lib2048.thinking import LookAhead, Thinker
from lib2048.validate import (
    check_board,
    check_count,
    check_flag,
    check_margin,
    check_memory,
    check_plies,
    check_seconds,
    check_seed,
    check_threads,
    check_whole,
)

MEGABYTE = 1 << 20
NO_ACTIONS = np.empty(0, np.uint8)
NO_VALUES = np.empty((0, 4), np.float32)

Result = TypeVar("Result")
Player = Search | Thinker

DEAD = np.uint64(0x2121_1212_2121_1212)


def best_action(
    net: NTupleNetwork,
    board: int,
    plies: int = 1,
    p4: float | None = None,
    downgrade: int | None = None,
    seconds: float | None = None,
    margin: float | None = None,
) -> tuple[int | None, np.ndarray]:
    """The action that a network takes on a board.

    Parameters
    ----------
    net : NTupleNetwork
        The player.
    board : int
        The board.
    plies : int
        How many of the player's own moves it looks ahead, up to 12; 1 is greedy. Each further one
        makes a move ten to twenty times slower, so more than 5 or 6 need a margin, or patience.
    p4 : float, optional
        The probability of a 4 that it expects; the network's own when None.
    downgrade : int, optional
        Boards with this tile or a larger one are judged as smaller ones, rewards included; see
        `lib2048.fast.downgrading`.
    seconds : float, optional
        In place of plies: it looks ahead as far as it can in this time. `look_ahead` tells how far
        that was.
    margin : float, optional
        To look ahead only at what is in doubt. The actions are looked into in the order of what
        they are worth at once, until the next one is worth less, by more points than the margin,
        than the best has turned out to be worth; it keeps the worth that it has at once. With
        30,000 a strong network looks four plies ahead in about a quarter of the time, and nearly
        always decides the same. Every action is looked into when None.

    Returns
    -------
    (int or None, numpy.ndarray)
        The action, the lowest of equally good ones, and what all four are worth: float32, nan where
        an action is illegal. A dead board gives None and four nans.

    Raises
    ------
    ValueError
        If an argument is not what it may be.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork, best_action
    >>> net = NTupleNetwork(((0, 1),))
    >>> action, values = best_action(net, 0x11)  # two 2-tiles side by side
    >>> action, values.tolist()
    (1, [nan, 4.0, 0.0, 4.0])
    """
    if seconds is not None:
        _check_that_time_decides(plies)
        thought = look_ahead(net, board, seconds=seconds, p4=p4, downgrade=downgrade, margin=margin)
        return thought.action, thought.values
    checked = check_board(board)
    rule = playing_rule(net, p4, 0, downgrade)
    search = Search(net, check_plies(plies), rule, margin=check_margin(margin))
    if plies <= 2:  # a matter of microseconds
        return search.choose(checked)
    choice, was_interrupted = _beside_ctrl_c(lambda: search.choose(checked), search.stop)
    if was_interrupted:
        raise KeyboardInterrupt
    return choice


def look_ahead(
    net: NTupleNetwork,
    board: int,
    plies: int | None = None,
    seconds: float | None = None,
    p4: float | None = None,
    downgrade: int | None = None,
    threads: int = 1,
    memory: int | None = None,
    margin: float | None = None,
) -> LookAhead:
    """Search a board, for so many plies or for a time, and tell how it went.

    With plies alone the result is that of `best_action`, to the bit, with any number of threads and
    any memory. With seconds it looks one ply ahead, then two, and so on, and when the time is over
    the last search that came to its end decides: on another machine, or on a busy one, that may be
    another one. One ply is always looked ahead, and a move that is the only one takes no time.

    Parameters
    ----------
    net : NTupleNetwork
        The player.
    board : int
        The board.
    plies : int, optional
        How many of the player's own moves it looks ahead; with seconds, at most so many.
    seconds : float, optional
        The time it has.
    p4, downgrade, margin
        As in `best_action`.
    threads : int
        How many threads share the search, from four plies on.
    memory : int, optional
        Megabytes for what is worked out already, in all threads together; about 2 a thread when
        None. More of it spares work in a long search, but is slower to look up.

    Returns
    -------
    LookAhead
        The best action, what all four are worth, plies, positions, hit rate and seconds.

    Raises
    ------
    ValueError
        If an argument is not what it may be, or neither plies nor seconds is given.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork, best_action, look_ahead
    >>> net = NTupleNetwork(((0, 1),))
    >>> thought = look_ahead(net, 0x11, seconds=0.1)
    >>> thought.plies >= 1
    True
    >>> look_ahead(net, 0x11, plies=3).action == best_action(net, 0x11, plies=3)[0]
    True
    """
    if plies is None and seconds is None:
        raise ValueError("look_ahead needs plies, seconds or both, got neither")
    checked = check_board(board)
    thinker = Thinker(
        net,
        playing_rule(net, p4, 0, downgrade),
        plies=None if plies is None else check_plies(plies),
        seconds=None if seconds is None else check_seconds(seconds),
        threads=check_threads(threads),
        memory=None if memory is None else _checked_memory(memory),
        margin=check_margin(margin),
    )
    thought, was_interrupted = _beside_ctrl_c(lambda: thinker.choose(checked), thinker.stop)
    if was_interrupted:
        raise KeyboardInterrupt
    return thought


def _checked_memory(megabytes: int) -> int:
    """So many megabytes in bytes, or a ValueError."""
    nbytes = MEGABYTE * check_count("memory, in megabytes,", megabytes)
    check_memory(nbytes, f"memory={megabytes:,}")
    return nbytes


def _check_that_time_decides(plies: int) -> None:
    """ValueError when both plies and seconds are given where only one of them can hold."""
    if plies != 1:
        raise ValueError(f"seconds decides how many plies there are, got plies={plies!r} beside it")


def play(
    net: NTupleNetwork,
    seed: int = 0,
    plies: int = 1,
    p4: float | None = None,
    game: int = 0,
    downgrade: int | None = None,
    board: int | None = None,
    first_move: int = 0,
    seconds: float | None = None,
    margin: float | None = None,
) -> Trace:
    """Play one game and record it.

    Ctrl-C ends a game that is played by looking ahead. What was played so far is returned then.

    Parameters
    ----------
    net : NTupleNetwork
        The player.
    seed, game : int
        What the random tiles come from. It is game number `game` of `evaluate` with the same seed.
    plies, p4, downgrade, margin
        As in `best_action`; p4 is also the probability of a 4 in the game.
    board : int, optional
        The board to begin with, in place of one with two new tiles. The score counts from there.
    first_move : int
        The number of the first move from that board. The tiles that come up depend on the seed and
        the number of the move: with board number k of a game and k, the same player plays the rest
        of that game.
    seconds : float, optional
        In place of plies: the time for each move, see `look_ahead`. Such a game cannot be played
        again: how far each move looks ahead depends on the machine. `plies` of the trace is how far
        the moves looked in the middle of all.

    Returns
    -------
    Trace
        The game.

    Raises
    ------
    ValueError
        If an argument is not what it may be, or the network's values are not numbers.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork, play
    >>> net = NTupleNetwork(((0, 1),))
    >>> trace = play(net, seed=1)
    >>> len(trace.boards) == len(trace) + 1
    True
    >>> rest = play(net, seed=1, board=trace.boards[9], first_move=9)
    >>> rest.score == trace.score - int(trace.rewards[:9].sum())
    True
    """
    plies = check_plies(plies)
    rule = playing_rule(net, p4, seed, downgrade)
    number = int(check_seed(game, "game, the number of a game,"))
    start = _start(board, first_move)
    limit = check_margin(margin)
    if seconds is not None:
        _check_that_time_decides(plies)
        seconds = check_seconds(seconds)
    search = _player(net, plies, rule, seconds, limit, keep_values=True)
    was_interrupted = False
    if plies == 1 and seconds is None:
        played = search.play(number, start)
    else:
        played, was_interrupted = _beside_ctrl_c(lambda: search.play(number, start), search.stop)
    if was_interrupted and played.moves == 0:
        raise KeyboardInterrupt
    return trace_of(rule, number, played, downgrade, margin, start)


def trace_of(
    rule: Rule,
    number: int,
    game: PlayedGame,
    downgrade: int | None,
    margin: float | None,
    start: Start | None = None,
) -> Trace:
    """Game `number` of a rule, which began where `start` says, move by move.

    Its values are nan where the search kept none.
    """
    boards, rewards = replay(rule, number, game.actions, start)
    values = game.values
    if len(values) == 0:
        values = np.full((game.moves, 4), np.nan, np.float32)
    return Trace(
        boards=boards,
        actions=game.actions,
        rewards=rewards,
        values=values,
        seed=int(rule.seed),
        p4=rule.p4,
        plies=game.plies,
        downgrade=downgrade,
        interrupted=not game.is_over,
        margin=margin,
    )


def _start(board: int | None, first_move: int) -> Start | None:
    """Where a game begins, None for two new tiles."""
    number = check_whole("first_move, the number of the first move,", first_move)
    if board is not None:
        return Start(int(check_board(board)), number)
    if number:
        raise ValueError(f"first_move, {number}, belongs to a board that is given as well")
    return None


def evaluate(
    net: NTupleNetwork,
    games: int,
    plies: int = 1,
    p4: float | None = None,
    threads: int = 1,
    seed: int = 0,
    progress: bool = True,
    record: str | Path | None = None,
    downgrade: int | None = None,
    seconds: float | None = None,
    margin: float | None = None,
) -> Summary:
    """Play many games and sum them up.

    The games depend on the seed alone, not on the number of threads. Ctrl-C sums up the games that
    are done: the first so many of them, so that it does not matter which ones take long.

    Parameters
    ----------
    net : NTupleNetwork
        The player.
    games : int
        How many games it plays.
    plies, p4, downgrade, margin
        As in `play`. Scores are those of the real boards.
    threads : int
        How many games are played at the same time.
    seed : int
        What the random tiles come from.
    progress : bool
        Whether to show a bar, when it takes longer than a second.
    record : path, optional
        A file that the games are written to as well, a line each; see `lib2048.formats.episodes`.
        When that fails after the games are played, there is a warning, and the summary all the
        same.
    seconds : float, optional
        In place of plies: the time for each move, as in `play`. The result is not the same twice.

    Returns
    -------
    Summary
        How well the network played.

    Raises
    ------
    ValueError
        If an argument is not what it may be, or the network's values are not numbers.
    KeyboardInterrupt
        If no game was done yet when Ctrl-C came.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork, evaluate
    >>> summary = evaluate(NTupleNetwork(((0, 1),)), 10, seed=1, progress=False)
    >>> summary.games, len(summary.scores)
    (10, 10)
    """
    total = check_count("games", games)
    threads = check_threads(threads)
    plies = check_plies(plies)
    rule = playing_rule(net, p4, seed, downgrade)
    if seconds is not None:
        _check_that_time_decides(plies)
        seconds = check_seconds(seconds)
    limit = check_margin(margin)
    progress = check_flag("progress", progress)
    if record is not None:
        check_target(record)
    started = time.perf_counter()
    with tqdm(total=total, unit=" games", disable=not progress, delay=1, leave=False) as bar:
        if plies == 1 and record is None and seconds is None:
            results = _play_greedily(net, rule, total, threads, bar)
        else:
            stop = np.zeros(1, np.uint8)
            searches = [
                _player(net, plies, rule, seconds, limit, stop) for _ in range(min(threads, total))
            ]
            results = _play_move_by_move(searches, stop, total, bar)
    took = time.perf_counter() - started
    if len(results.scores) == 0:
        raise KeyboardInterrupt
    summary = Summary.of(results.scores, results.max_tiles, results.moves, took)
    if record is not None:
        _write(record, _traces(rule, results, downgrade, margin, progress))
    return summary


class _Results(NamedTuple):
    """The first games of an evaluation, as many as are done."""

    scores: np.ndarray
    max_tiles: np.ndarray
    moves: np.ndarray
    played: list[PlayedGame]  # the games themselves, where they are kept


def _play_greedily(net: NTupleNetwork, rule: Rule, total: int, threads: int, bar: tqdm) -> _Results:
    """Play up to `total` games at the speed of training, fewer when Ctrl-C comes."""
    engine = FastEngine(net, threads)
    engine.play_by(rule)
    runner = Runner(engine, total, threads)
    try:
        runner.prepare()
        while runner.done < total:
            bar.update(runner.chunk(total - runner.done, runner.done))
            if not np.isfinite(runner.last).all():
                raise ValueError(NO_NUMBERS)
    except KeyboardInterrupt:
        pass
    finally:
        runner.close()
    done = runner.finished()
    return _Results(runner.scores[:done], runner.max_tiles[:done], runner.moves[:done], [])


def _player(
    net: NTupleNetwork,
    plies: int,
    rule: Rule,
    seconds: float | None,
    margin: float,
    stop: np.ndarray | None = None,
    keep_values: bool = False,
) -> Player:
    """A player that looks so many plies ahead or, where there is one, as far as its time allows.

    A search keeps the values of the actions only if it is told to, a thinker always.
    """
    if seconds is None:
        return Search(net, plies, rule, stop, keep_values, margin=margin)
    return Thinker(net, rule, seconds=seconds, stop=stop, margin=margin)


def _play_move_by_move(
    searches: Sequence[Player], stop: np.ndarray, total: int, bar: tqdm
) -> _Results:
    """Play up to `total` games and keep their actions, fewer when Ctrl-C comes.

    Each of `searches` plays in a thread of its own, and `stop` is the flag that ends them all.

    A game may take minutes, and one move seconds. So the games are played in threads of their own,
    while this one waits for Ctrl-C and then tells them to stop.
    """
    played: dict[int, PlayedGame] = {}
    numbers = iter(range(total))  # shared: each thread takes the next game that nobody plays yet

    def play_games(search: Player) -> None:
        for number in numbers:
            game = search.play(number)
            if not game.is_over:
                return
            played[number] = game

    searches[0].choose(DEAD)  # compiled here, with nothing to search, where Ctrl-C acts at once
    pool = ThreadPoolExecutor(len(searches))
    try:
        jobs = [pool.submit(play_games, search) for search in searches]
        wait_for(jobs, stop, lambda: bar.update(len(played) - bar.n))
    except KeyboardInterrupt:
        pass
    finally:
        stop[0] = 1
        pool.shutdown()
    done = next((number for number in range(total) if number not in played), total)
    games = [played[number] for number in range(done)]
    return _Results(
        np.array([game.score for game in games], np.int64),
        np.array([game.max_tile for game in games], np.uint8),
        np.array([game.moves for game in games], np.int32),
        games,
    )


def play_game_after_game(
    play_game: Callable[[int], PlayedGame], stop: np.ndarray, games: int, progress: bool
) -> list[PlayedGame]:
    """Let a player play game 0, game 1, ... until Ctrl-C comes, or its flag is set.

    Parameters
    ----------
    play_game : callable
        Plays the game of a number.
    stop : numpy.ndarray
        The flag that ends its search. It is 0 afterwards.
    games, progress
        As in `evaluate`.

    Returns
    -------
    list of PlayedGame
        The games, without their moves. The one that was cut off is left out.

    Raises
    ------
    ValueError
        If games is no count.
    KeyboardInterrupt
        If it was stopped before a game was done.
    """
    total = check_count("games", games)
    hidden = not check_flag("progress", progress)
    played: list[PlayedGame] = []
    stop[0] = 0
    with tqdm(total=total, unit=" games", disable=hidden, delay=1, leave=False) as bar:
        while len(played) < total and not stop[0]:
            number = len(played)
            game, _ = _beside_ctrl_c(functools.partial(play_game, number), stop)
            if game.is_over or not stop[0]:
                played.append(game._replace(actions=NO_ACTIONS, values=NO_VALUES))
                bar.update(1)
    stop[0] = 0
    if not played:
        raise KeyboardInterrupt
    return played


def evaluate_player(
    play_game: Callable[[int], PlayedGame], stop: np.ndarray, games: int, progress: bool
) -> Summary:
    """Sum up the games of a player: all of them or, when it is stopped, those that are done.

    Arguments and errors are those of `play_game_after_game`.
    """
    started = time.perf_counter()
    played = play_game_after_game(play_game, stop, games, progress)
    return Summary.of(
        np.array([game.score for game in played], np.int64),
        np.array([game.max_tile for game in played], np.uint8),
        np.array([game.moves for game in played], np.int32),
        time.perf_counter() - started,
    )


def _beside_ctrl_c(function: Callable[[], Result], stop: np.ndarray) -> tuple[Result, bool]:
    """The result of a search, and whether Ctrl-C ended it.

    It runs in a thread of its own, while this one waits for Ctrl-C and then sets the search's flag.
    """
    pool = ThreadPoolExecutor(1)
    job = None
    try:
        job = pool.submit(function)
        wait_for([job], stop)
        return job.result(), False
    except KeyboardInterrupt:
        stop[0] = 1
        if job is None:  # Ctrl-C came while the search was handed over
            raise
        return job.result(), True
    finally:
        pool.shutdown()


def _traces(
    rule: Rule, results: _Results, downgrade: int | None, margin: float | None, progress: bool
) -> Iterator[Trace]:
    """The games of an evaluation, one after another; what the actions were worth is not known."""
    games = results.played
    bar = tqdm(games, "writing", unit=" games", disable=not progress, delay=1, leave=False)
    for number, game in enumerate(bar):
        yield trace_of(rule, number, game, downgrade, margin)


def _write(record: str | Path, traces: Iterator[Trace]) -> None:
    """Write games to a file; what keeps that from being done is said as a warning."""
    try:
        write_episodes(record, traces)
    except (KeyboardInterrupt, OSError, ValueError) as error:
        reason = str(error) or "stopped by Ctrl-C"
        warnings.warn(f"the games were not written to {record}: {reason}", stacklevel=3)
