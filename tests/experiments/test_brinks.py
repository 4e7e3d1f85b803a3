"""Where the games of a relay end, and playing on from the brink, tried with small networks."""

import numpy as np

from experiments.brinks import SEED_OF_AGAIN, _at_the_brink, play_to_the_brink, sums_of_tiles
from experiments.relays import networks_of
from lib2048 import play, to_array
from lib2048.relay import Relay

LEGS = tuple(
    dict(patterns=((0, 1, 2, 4), (4, 5, 6, 8)), seed=1, restart=restart, games=((300, 1.0, True),))
    for restart in (100, 20)
)
TILES = (64,)
SEEN = 60
TILE, LACKING = 256, 128
WAYS = ((1, None), (2, None), (2, 50))
GAMES, AGAIN = 6, 3


def play_small(ways=WAYS):
    return play_to_the_brink(
        LEGS, TILES, SEEN, (TILE, LACKING), ways, AGAIN, evaluation=GAMES, play_seed=5
    )


def small_relay():
    return Relay(networks_of(LEGS, TILES, SEEN), TILES, seed=5)


def test_the_sum_of_tiles_grows_with_every_move():
    game = play(networks_of(LEGS[:1], (), SEEN)[0], seed=1)
    sums = sums_of_tiles(game.boards)
    assert set(np.diff(sums)) == {2, 4}
    assert sums[-1] == sum(2 ** int(e) for e in to_array(game.boards[-1]).flat if e)
    assert sums_of_tiles([0xF000_0000_0000_0001]).tolist() == [32_770]


def test_the_brink_is_the_first_board_that_lacks_so_little():
    boards = np.array([0x11, 0x31, 0x32, 0x33], np.uint64)
    assert _at_the_brink(boards, 16, 6) == 0x31
    assert _at_the_brink(boards, 16, 4) == 0x32
    assert _at_the_brink(boards, 64, 4) is None


def test_games_end_as_the_relay_plays_them():
    found, _ = play_small()
    games = [small_relay().play(number) for number in range(GAMES)]
    assert found["sums"].tolist() == [int(sums_of_tiles(game.boards)[-1]) for game in games]
    assert [2**exponent for exponent in found["max_tiles"].tolist()] == [
        game.max_tile for game in games
    ]


def test_the_last_network_plays_on_from_the_brink_in_each_way():
    found, seconds = play_small()
    games = [small_relay().play(number) for number in range(GAMES)]
    boards = [_at_the_brink(game.boards, TILE, LACKING) for game in games]
    boards = [board for board in boards if board is not None]
    assert len(boards) > 1 and found["begun"] == AGAIN * len(boards)
    assert sorted(seconds) == [f"seconds_of_way_{number}" for number in range(len(WAYS))]
    last = networks_of(LEGS, TILES, SEEN)[-1]
    for number, (plies, margin) in enumerate(WAYS):
        made = moves = 0
        for place, board in enumerate(boards):
            for turn in range(AGAIN):
                game = play(
                    last,
                    SEED_OF_AGAIN + 5,
                    plies,
                    board=board,
                    game=AGAIN * place + turn,
                    margin=margin,
                )
                largest = np.array([to_array(each).max() for each in game.boards])
                there = np.flatnonzero(largest >= 8)
                made += len(there) > 0
                moves += int(there[0]) if len(there) else len(game)
        assert found["made"][number] == made and found["moves"][number] == moves


def test_a_brink_that_no_game_comes_to_has_no_games():
    found, _ = play_to_the_brink(
        LEGS, TILES, SEEN, (32_768, 8), WAYS[:1], AGAIN, evaluation=2, play_seed=5
    )
    assert found["begun"] == 0 and found["made"].tolist() == [0]
