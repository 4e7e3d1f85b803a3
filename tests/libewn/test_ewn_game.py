"""libewn's rules: against the twin, against OpenSpiel, and what must hold for any game."""

import random
import re
from collections import Counter
from xml.etree import ElementTree

import naive_ewn
import numba
import numpy as np
import pytest

from libewn import BLUE, RED, Game, Instance, best_move, board_svg, board_text, instance, instances

FEW = bool(numba.config.DISABLE_JIT)
SIDES = ("red", "blue")


def random_game(start, rng):
    game = Game(start)
    while game.winner is None:
        game.play(rng.choice(game.legal_moves()))
    return game


def as_dict(game):
    """The position as the twin writes it."""
    columns = game.variant.columns
    return {
        divmod(square, columns): (SIDES[side], cube + game.variant.first)
        for side, squares in enumerate(game.squares())
        for cube, square in enumerate(squares)
        if square >= 0
    }


@pytest.mark.jit_off
@pytest.mark.parametrize("variant", ["tcg2023", "classic"])
def test_lock_step_with_the_twin(variant):
    """Positions, moves in their order, mover and end, ply by ply."""
    rng, ends = random.Random(1), Counter()
    for start in instances(20 if FEW else 2000, seed=5, variant=variant):
        game, board = Game(start), naive_ewn.start(variant, start.red, start.blue)
        while (over := naive_ewn.result(variant, board)) is None:
            side = SIDES[game.ply % 2]
            assert (SIDES[game.mover], game.winner, as_dict(game)) == (side, None, board)
            moves = naive_ewn.legal_moves(
                variant, board, side, start.dice[game.ply % len(start.dice)]
            )
            assert game.legal_moves() == moves
            assert 1 <= len(moves) <= 8
            move = rng.choice(moves)
            game.play(move)
            board = naive_ewn.play(board, side, move)
        assert (SIDES[game.winner], game.by) == over and as_dict(game) == board
        assert game.legal_moves() == [] and game.ply <= 204
        ends[over] += 1
    assert FEW or len(ends) == 4 and min(ends.values()) > 5


def test_classic_in_lock_step_with_openspiel():
    """2,000 games.

    OpenSpiel's player 1, White, starts at the bottom right and moves first: our Red, turned round.
    """
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    rng, won = random.Random(2), Counter()
    names = {"right": 0, "left": 0, "down": 1, "up": 1, "diag": 2}
    theirs = pyspiel.load_game("einstein_wurfelt_nicht")
    for number in range(2000):
        state = theirs.new_initial_state()
        for _ in range(2):
            state.apply_action(rng.randrange(720))
        cells = re.findall(r"\|([bw_])([\d_])\|", str(state))
        white = [int(cell[1]) for cell in cells[::-1] if cell[0] == "w"]
        black = [int(cell[1]) for cell in cells[::-1] if cell[0] == "b"]
        dice = [rng.randint(1, 6) for _ in range(96)]
        game = Game(Instance("classic", tuple(white), tuple(black), tuple(dice)))
        while not state.is_terminal():
            assert [chance for _, chance in state.chance_outcomes()] == [pytest.approx(1 / 6)] * 6
            state.apply_action(dice[game.ply] - 1)
            assert state.current_player() == 1 - game.mover
            actions = {}
            for action in state.legal_actions():
                colour, cube, way = re.fullmatch(
                    r"([BW])(\d)-(\w+)\*?", state.action_to_string(action)
                ).groups()
                assert colour == "WB"[game.mover]
                actions[int(cube), names[way]] = action
            assert sorted(game.legal_moves()) == sorted(actions)
            move = rng.choice(sorted(actions))
            state.apply_action(actions[move])
            game.play(move)
            board = {
                (4 - n // 5, 4 - n % 5): (SIDES["wb".index(colour)], int(cube))
                for n, (colour, cube) in enumerate(re.findall(r"\|([bw_])([\d_])\|", str(state)))
                if colour != "_"
            }
            assert as_dict(game) == board, f"game {number}"
        assert game.winner is not None
        assert state.returns() == [1.0, -1.0][:: 1 if game.winner == BLUE else -1]
        won[game.winner, game.by] += 1
    assert len(won) == 4


@pytest.mark.jit_off
@pytest.mark.parametrize("variant", ["tcg2023", "classic"])
def test_undo_restores_every_position(variant):
    rng = random.Random(3)
    for start in instances(3 if FEW else 100, seed=1, variant=variant):
        game, seen = Game(start), []
        while game.winner is None:
            seen.append(
                (game.squares(), game.ply, game.mover, game.die, game.words, game.legal_moves())
            )
            game.play(rng.choice(game.legal_moves()))
        moves = list(game.history)
        for before, move in zip(seen[::-1], moves[::-1]):
            assert game.undo() == move
            assert (
                game.squares(),
                game.ply,
                game.mover,
                game.die,
                game.words,
                game.legal_moves(),
            ) == before
        assert game.winner is None and game.by is None
        for move in moves:
            game.play(move)


@pytest.mark.jit_off
def test_turning_the_board_round_with_colours_swapped_keeps_the_moves():
    rng = random.Random(4)
    for start in instances(3 if FEW else 100, seed=2):
        game = random_game(start, rng)
        for _ in range(rng.randrange(1, len(game.history))):
            game.undo()
        red, blue = ([41 - s if s >= 0 else -1 for s in side] for side in game.squares())
        turned = Game(
            start, (blue, red), game.ply + 21
        )  # an odd number of plies later: the same die, the other side
        assert (turned.mover, turned.die) == (1 - game.mover, game.die)
        assert turned.legal_moves() == game.legal_moves()
        assert turned.words[2] == game.words[2]
        if FEW:
            continue
        assert best_move(turned, 4) == best_move(game, 4)


def test_each_die_alternates_its_owner():
    game = Game()
    for ply in range(21):
        now, later = (Game(game.instance, game.squares(), n) for n in (ply, ply + 21))
        assert (
            now.die == later.die == game.dice[ply] and later.mover == 1 - now.mover == 1 - ply % 2
        )


def test_a_game_can_go_on_from_any_position():
    rng = random.Random(5)
    for start in instances(50, seed=3):
        game = Game(start)
        for _ in range(8):
            game.play(rng.choice(game.legal_moves()))
        copy = Game(start, game.squares(), game.ply)
        while copy.winner is None:
            move = rng.choice(copy.legal_moves())
            copy.play(move)
            game.play(move)
            assert copy.squares() == game.squares()
        assert (game.winner, game.by) == (copy.winner, copy.by)


def test_capturing_ones_own_cube():
    """Cube 0 in the corner, 1 to its right: the horizontal move takes it, and then die 1 moves cube
    0 or 2.
    """
    start = instance(seed=4)._replace(dice=(0, 0, 1) + (0,) * 18)
    game = Game(start, ([0, 1, 2, 7, 8, 14], [41 - s for s in (0, 1, 2, 7, 8, 14)]))
    game.play((0, 0))
    assert game.squares()[RED] == [1, -1, 2, 7, 8, 14]
    game.play((0, 0))
    assert game.squares()[BLUE] == [40, -1, 39, 34, 33, 27]
    assert [cube for cube, _ in game.legal_moves()] == [0] * 3 + [2] * 3


def test_taking_the_last_cube_on_its_own_corner_is_elimination():
    """Red's last step reaches square 41 and takes Blue's only cube there: the better of the two
    counts.
    """
    start = instance(seed=1)
    game = Game(start, ([40, -1, -1, -1, -1, -1], [-1, -1, 41, -1, -1, -1]))
    game.play((0, 0))
    assert (game.winner, game.by) == (RED, "elimination")


def test_instances_depend_on_seed_number_and_variant_alone():
    assert instances(3, seed=7)[2] == instance(7, 2) != instance(7, 1) != instance(8, 1)
    assert instance(7, 2).red != instance(7, 2, "classic").red
    many = instances(600, seed=9)
    counts = np.bincount([die for one in many for die in one.dice], minlength=6)
    assert len(counts) == 6 and (abs(counts - 2100) < 5 * np.sqrt(2100 * 5 / 6)).all()
    places = np.bincount([one.red[0] for one in many], minlength=6)
    assert (abs(places - 100) < 5 * np.sqrt(100 * 5 / 6)).all()


def test_text_shows_the_position():
    game = Game(instance(seed=1))
    rows = board_text(game).splitlines()
    assert len(rows) == 7 and rows[0].split()[:3] == [f"R{cube}" for cube in game.instance.red[:3]]
    assert rows[6] == f"ply 0: Red to move, die {game.die}"
    assert str(game) == board_text(game)
    done = random_game(game.instance, random.Random(1))
    assert f"{'Red' if done.winner == RED else 'Blue'} has won by {done.by}" in str(done)


@pytest.mark.parametrize("variant", ["tcg2023", "classic"])
def test_svg_is_whole_and_names_every_cube(variant):
    game = Game(instance(seed=1, variant=variant))
    first = game.legal_moves()
    shown = board_svg(game, shares={first[0]: 0.25, first[-1]: 0.75}, size=200)
    root = ElementTree.fromstring(shown)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    numbers = [str(n + game.variant.first) for n in range(6)]
    assert sorted(t for t in texts if t in numbers) == sorted(numbers * 2)
    assert "25%" in texts and "75%" in texts and "Red to move" in texts[-1]
    game.play(first[0])
    assert (
        board_svg(game).count("<path") == 1 and board_svg(game, lastmove=False).count("<path") == 0
    )
    assert game._repr_svg_() == board_svg(game)
    with pytest.raises(ValueError, match="shares"):
        board_svg(game, shares={(9, 9): 0.5})
    with pytest.raises(ValueError, match="shares are numbers"):
        board_svg(game, shares={game.legal_moves()[0]: "half"})
    for size in (-1, 0, "wide", float("nan")):
        with pytest.raises(ValueError, match="size, the width in pixels"):
            board_svg(game, size=size)


START = instance(seed=1)
SQUARES = Game(START).squares()


@pytest.mark.parametrize(
    "call, named",
    [
        (lambda: Game("tcg2024"), "'tcg2024'"),
        (lambda: instance(0, 0, "chess"), "'chess'"),
        (lambda: instance(-1), "-1"),
        (lambda: instances(2.5), "2.5"),
        (lambda: Game(START._replace(red=(0, 1, 2, 3, 4, 4))), r"\(0, 1, 2, 3, 4, 4\)"),
        (lambda: Game(START._replace(red=(0, 1, 2, 3, 4, 6))), "6"),
        (lambda: Game(START._replace(dice=START.dice[:20])), "20"),
        (lambda: Game(START._replace(dice="0" * 21)), "0000"),
        (lambda: Game(instance(variant="classic")._replace(dice=(0,))), "0"),
        (lambda: Game(START, ply=-1), "-1"),
        (lambda: Game(START, SQUARES[:1]), "position"),
        (lambda: Game(START, 5), "5"),
        (lambda: Game(START, (SQUARES[0], SQUARES[0])), "one square"),
        (lambda: Game(START, (SQUARES[0][:5], SQUARES[1])), "6 cubes"),
        (lambda: Game(START, ([42] * 6, SQUARES[1])), "42"),
        (lambda: Game(START, ([-1] * 6, SQUARES[1])), "no cube"),
        (lambda: Game(START, ([41] + [-1] * 5, [-1] * 5 + [3])), "goal"),
        (lambda: Game(START).play((9, 0)), r"\(9, 0\)"),
        (lambda: Game(START).play("x"), "'x'"),
        (lambda: Game(START).play(None), "None"),
        (lambda: Game(START).undo(), "ply 0"),
        (lambda: random_game(START, random.Random(1)).play((0, 0)), "over"),
    ],
)
def test_what_cannot_be_is_a_value_error(call, named):
    with pytest.raises(ValueError, match=named):
        call()
