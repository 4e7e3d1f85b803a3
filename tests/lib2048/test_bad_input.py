"""What is not allowed gets a ValueError that names the value, before anything is changed."""

import math

import naive
import numpy as np
import pytest

import lib2048
from lib2048 import NTupleNetwork, files, formats, validate
from lib2048.formats import compact
from lib2048.formats.compact import export_compact
from lib2048.viewer.playing import playing_page

SMALL = ((0, 1), (9, 4, 8))
NET = NTupleNetwork(SMALL, init=5.0)
lib2048.train(NET, 3, 0.5, progress=False)
NAN, INF = math.nan, math.inf
DEAD = lib2048.from_tiles([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]])
RNG = np.random.default_rng(0)


def state(net):
    """All that a network holds."""
    return (
        net.weights.tobytes(),
        net.errors.tobytes(),
        net.p4,
        net.games,
        repr(net.history),
        net.patterns,
        net.values,
    )


def refused(call, value, kind=ValueError):
    """The call raises, names the value and leaves NET as it was; returns what was said."""
    before = state(NET)
    with pytest.raises(kind) as caught:
        call(value)
    said = str(caught.value)
    assert state(NET) == before
    shown = {repr(value), str(value)} | {
        repr(value.item()) for value in [value] if isinstance(value, np.generic)
    }
    assert any(text in said for text in shown), said
    return said


def on_boards(board):
    return [
        lambda: lib2048.slide(board, 0),
        lambda: lib2048.legal_actions(board),
        lambda: lib2048.symmetries(board),
        lambda: lib2048.spawn(board, RNG),
        lambda: lib2048.to_array(board),
        lambda: lib2048.show(board),
        lambda: NET.index(0, board),
        lambda: NET.value(board),
        lambda: NET.update(board, 1.0),
        lambda: lib2048.best_action(NET, board),
        lambda: lib2048.best_action(NET, board, plies=2),
    ]


@pytest.mark.parametrize(
    "board",
    [
        -1,
        2**64,
        2**70,
        1.0,
        "0x11",
        None,
        True,
        NAN,
        np.int64(-5),
        np.float64(3),
        [[0] * 4] * 4,
        np.array([1, 2]),
    ],
)
def test_boards(board):
    for call in on_boards(board):
        assert "board" in refused(lambda _, call=call: call(), board)


@pytest.mark.parametrize(
    "action", [-1, 4, 100, 1.0, "left", None, True, NAN, np.int8(-1), np.array([1])]
)
def test_actions(action):
    assert "0 (up), 1 (right), 2 (down) or 3 (left)" in refused(
        lambda a: lib2048.slide(0x11, a), action
    )


@pytest.mark.parametrize(
    "cells, named",
    [
        ([0] * 16, "(16,)"),
        ([[0] * 4] * 3, "(3, 4)"),
        ([[0] * 5] * 4, "(4, 5)"),
        (3, "()"),
        ([], "(0,)"),
        ([[0, 0, 0, 16]] + [[0] * 4] * 3, "16"),
        ([[0, -1, 0, 0]] + [[0] * 4] * 3, "-1"),
        ([[0.5] * 4] * 4, "0.5"),
        ([["a"] * 4] * 4, "a"),
        (None, "None"),
        ([[True] * 4] * 4, "True"),
        ([[0] * 4, [0] * 3, [0] * 4, [0] * 4], "[0, 0, 0]"),
    ],
)
def test_arrays(cells, named):
    with pytest.raises(ValueError) as caught:
        lib2048.from_array(cells)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "tiles, named",
    [
        ([0] * 16, "(16,)"),
        ([[2] * 4] * 5, "(5, 4)"),
        ([[2] * 4] * 3, "[2, 2, 2, 2]"),
        (np.full((3, 4), 2), "array([[2, 2, 2, 2], [2, 2, 2, 2],"),
        ({}, "{}"),
        ([[0, 0, 0, 65536]] + [[0] * 4] * 3, "65536"),
        ([[0, 3, 0, 0]] + [[0] * 4] * 3, "3"),
        ([[1] * 4] * 4, "1"),
        ([[-2] * 4] * 4, "-2"),
        ([["2"] * 4] * 4, "'2'"),
        ([[2.5] * 4] * 4, "2.5"),
        ([[2, 4], [2]], "[2]"),
        (None, "None"),
    ],
)
def test_tiles(tiles, named):
    with pytest.raises(ValueError) as caught:
        lib2048.from_tiles(tiles)
    assert named in str(caught.value)


@pytest.mark.parametrize("rng", [None, 1, "random", np.random.default_rng])
def test_chance_comes_from_a_generator(rng):
    for call in (lambda r: lib2048.spawn(0x1, r), lib2048.new_board):
        assert "such as np.random.default_rng(1)" in refused(call, rng)


def test_a_full_board_takes_no_tile():
    with pytest.raises(ValueError, match=f"{DEAD:#018x}"):
        lib2048.spawn(DEAD, RNG)


@pytest.mark.parametrize("p4", [-0.1, 1.5, NAN, "often", "0.5", True, [0.1], 1j, 10**400])
def test_p4(p4):
    for call in (
        lambda p: lib2048.spawn(0x1, RNG, p),
        lambda p: lib2048.new_board(RNG, p),
        lambda p: lib2048.best_action(NET, 0x11, p4=p),
        lambda p: lib2048.play(NET, p4=p),
        lambda p: lib2048.evaluate(NET, 5, p4=p, progress=False),
        lambda p: lib2048.train(NET, 5, p4=p, progress=False),
    ):
        assert "between 0 and 1" in refused(call, p4)


@pytest.mark.parametrize(
    "patterns, named",
    [
        ((), "none"),
        (((),), "()"),
        (((0, 16),), "16"),
        (((0, -1),), "-1"),
        (((1, 2, 1),), "(1, 2, 1)"),
        ("9x9", "'9x9'"),
        (5, "5"),
        (((0.5,),), "0.5"),
        ((tuple(range(9)),), "9"),
        (("01",), "'01'"),
        (None, "None"),
        ((0, 1, 2), "(0, 1, 2)"),
        (((0, 1), (2, None)), "None"),
    ],
)
def test_patterns(patterns, named):
    with pytest.raises(ValueError) as caught:
        NTupleNetwork(patterns)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "option, value, right",
    [
        *[("values", value, "afterstate") for value in ("board", None, 3, ["state"])],
        *[("init", value, "finite") for value in (NAN, INF, "five", None, [1.0], 10**400)],
        *[("symmetries", value, "8 or 1") for value in (0, 4, -8, "8", None, 2.5, np.True_)],
    ],
)
def test_network_options(option, value, right):
    assert right in refused(lambda v: NTupleNetwork(SMALL, **{option: v}), value)


@pytest.mark.parametrize(
    "option, value, right",
    [
        *[("episodes", value, "whole number") for value in (0, -1, 2.5, "ten", True, np.int64(-3))],
        *[("episodes", value, "whole number") for value in ([(0, 0.1)], [(5, 0.1), (-2, 0.1)])],
        *[("episodes", value, "a list of") for value in ([], [5], [()], [(5, 0.1, True, 1)])],
        *[("alpha", value, "not negative") for value in (-1, -0.1)],
        *[("alpha", value, "float32") for value in (1e300,)],
        *[
            ("alpha", value, "finite")
            for value in (NAN, -INF, "big", [0.1], np.float32(NAN), 10**400)
        ],
        *[
            ("order", value, '"backward" or "forward"')
            for value in ("sideways", None, 1, ["backward"])
        ],
        *[("seed", value, "whole number") for value in (-1, 2**63, 1.5, "x", None)],
        *[("block", value, "at least 1") for value in (0, -10, 1.5, "x", None)],
        *[("threads", value, "from 1 to 1024") for value in (0, -2, 1.5, "x", None, 2000)],
        *[("every", value, "at least 1") for value in (0, -2, 1.5)],
        *[("lambda_", value, "between 0 and 1") for value in (-0.1, 1.1, NAN, "x")],
        *[("restart", value, "whole number") for value in (-1, 0.5, "x", 10**30)],
        *[("progress", value, "True or False") for value in ("no", 0, None)],
        *[("callback", value, "a function") for value in (3, "print")],
        *[("checkpoint", value, "text or a Path") for value in (3, "", b"net.npz")],
    ],
)
def test_training_options(option, value, right):
    """Also while the others are such as change something: another p4, and coherence, which
    needs room.
    """
    options = {"episodes": 5, "p4": 0.7, "coherence": True, "progress": False, option: value}
    if isinstance(value, list) and option == "episodes":
        options["coherence"] = False  # stages say that themselves
        with pytest.raises(ValueError, match=right):
            lib2048.train(NET, **options)
    else:
        assert right in refused(lambda v: lib2048.train(NET, **options), value)


@pytest.mark.parametrize(
    "name, hint",
    [
        ("lamda_", "did you mean 'lambda_'"),
        ("games", "did you mean 'episodes'"),
        ("zzz", "there are alpha, order"),
    ],
)
def test_an_option_that_does_not_exist(name, hint):
    with pytest.raises(TypeError, match=f"no option '{name}'; {hint}"):
        lib2048.train(NET, 5, **{name: 0.5})


def test_more_games_than_memory_can_log():
    before = state(NET)
    for call in (lib2048.train, lib2048.evaluate):
        with pytest.raises(ValueError, match="log of 1,000,000,000,000 games takes .* GiB"):
            call(NET, 10**12, progress=False)
    assert state(NET) == before


def test_training_wants_games_or_a_recipe():
    before = state(NET)
    with pytest.raises(ValueError, match="a number of games, or stages, or the name of a recipe"):
        lib2048.train(NET, progress=False)
    assert state(NET) == before
    assert NET.games == 3 and not NET.coherent and NET.p4 == 0.1


def test_a_later_stage_is_checked_before_the_first_is_played():
    for stages in ([(5, 0.1), (5, NAN)], [(5, 0.1), (0, 0.1)], [(5, 0.1), (5, "x", True)]):
        before = state(NET)
        with pytest.raises(ValueError):
            lib2048.train(NET, stages, progress=False)
        assert state(NET) == before


@pytest.mark.parametrize(
    "option, value, right",
    [
        *[("games", value, "at least 1") for value in (0, -1, 2.5, "ten", None, True)],
        *[("threads", value, "from 1 to 1024") for value in (0, 1.5, 10**12)],
        *[("seed", value, "whole number") for value in (-1, 2**63, "x")],
        *[("plies", value, "1 to 12") for value in (0, 13, -1, 1.5, "x", True, None)],
        *[("progress", value, "True or False") for value in ("no", 1)],
        *[("record", value, "text or a Path") for value in (3, "")],
    ],
)
def test_evaluation_options(option, value, right):
    options = {"games": 5, "progress": False, option: value}
    assert right in refused(lambda v: lib2048.evaluate(NET, **options), value)
    if option in ("plies", "seed"):
        assert right in refused(lambda v: lib2048.play(NET, **{option: v}), value)
    if option == "plies":
        assert right in refused(lambda v: lib2048.best_action(NET, 0x11, v), value)


@pytest.mark.parametrize("delta", [NAN, INF, "x", None, [1.0]])
def test_updates(delta):
    assert "finite" in refused(lambda d: NET.update(0x11, d), delta)


@pytest.mark.parametrize("k", [-1, 2, 99])
def test_pattern_numbers(k):
    for call in (lambda k: NET.index(k, 0), NET.table, lambda k: NET.weight(k, 0), NET.plane_table):
        assert "0 to 1" in refused(call, k)


@pytest.mark.parametrize("memory", [0, 1.5, "x", 10**12])
def test_the_memory_of_a_search(memory):
    said = refused(lambda m: lib2048.look_ahead(NET, 0x11, plies=2, memory=m), f"{memory!r:.4}")
    assert "memory" in said


def test_table_indices():
    for index in (-1, 256):
        assert "0 and 255" in refused(lambda i: NET.weight(0, i), index)
    for first, count in ((-1, 3), (255, 2), (0, 257), (0.5, 1), (True, 1), (NAN, 1), ("0", 1)):
        before = state(NET)
        with pytest.raises(ValueError, match="256"):
            NET.set_table_part(0, first, np.zeros(count))
        assert state(NET) == before


@pytest.mark.parametrize("values", [None, 3.0, "12", [[1.0]], [None], [1j]])
def test_weights_are_numbers_in_a_row(values):
    assert "numbers in a row" in refused(lambda v: NET.set_table_part(0, 0, v), values)


def test_parts_of_tables():
    for part in (0, -1, 1.5, "x"):
        assert "at least 1" in refused(lambda p: list(NET.table_parts(0, p)), part)
    assert "has none" in refused(lambda s: list(NET.table_parts(0, sums=s)), 0)
    coherent = NTupleNetwork(SMALL)
    coherent.keep_errors()
    for sums in (2, -1, "x", True):
        assert "has 0 and 1" in refused(lambda s: list(coherent.table_parts(0, sums=s)), sums)


# Numbers that both games take


@pytest.mark.parametrize("value", [2, 8, True, np.True_, 3.0, "3", None, NAN])
def test_whole_numbers_have_limits(value):
    limits = "n is a whole number from 3 to 7, got"
    assert limits in refused(lambda v: validate.check_whole("n", v, 3, 7), value)


def test_whole_numbers_are_taken():
    assert validate.check_whole("n", 3, 3, 7) == 3 and validate.check_whole("n", 7, 3, 7) == 7
    assert type(validate.check_whole("n", np.uint8(5))) is int
    for value in (-1, 2**63):
        assert "at least 0" in refused(lambda v: validate.check_whole("n", v), value)


@pytest.mark.parametrize("value", [-1, -0.5, NAN, INF, 10**400, True, np.True_, 1j, "1", None, [1]])
def test_numbers_below_nothing_are_refused(value):
    said = refused(lambda v: validate.check_not_negative("c", v), value)
    assert "c is a number of at least 0, got" in said


@pytest.mark.parametrize("value", [0, 0.5, np.float32(0.5), np.int64(3), 1e300])
def test_numbers_from_nothing_on_are_taken(value):
    taken = validate.check_not_negative("c", value)
    assert taken == value and type(taken) is float


# Episodes

ROWS = [5, 6, 7, 8, 3, 4, 5, 6, 7, 8, 9, 10]
BEFORE, AFTER, LAST = (
    naive.to_board([*top, *ROWS]) for top in ((1, 2, 3, 3), (1, 2, 4, 0), (1, 2, 4, 2))
)
ALIVE, EIGHT = (naive.to_board([*top, *ROWS]) for top in ((1, 2, 4, 4), (1, 2, 4, 3)))
UP, RIGHT, DOWN, LEFT = naive.ACTIONS


@pytest.mark.parametrize(
    "boards, actions, rewards, named",
    [
        ([], [], [], "0 boards"),
        ([LAST], [], [], "1 boards"),
        ([BEFORE, LAST], [LEFT], [], "0 rewards"),
        ([BEFORE, LAST], [LEFT, LEFT], [16], "2 actions"),
        ([BEFORE], [LEFT], [16], "1 boards"),
        ([BEFORE, LAST], [LEFT], [8], "8"),
        ([BEFORE, LAST], [LEFT], ["16"], "'16'"),
        (None, [LEFT], [16], "boards is a list or an array, got None"),
        ([BEFORE, LAST], 3, [16], "actions is a list or an array, got 3"),
        ([BEFORE, LAST], [RIGHT], [16], f"{LAST}"),
        ([BEFORE, LAST], [UP], [-1], "step 0"),
        ([BEFORE, BEFORE | 1], [UP], [-1], "step 0"),
        ([BEFORE, AFTER], [LEFT], [16], f"{AFTER}"),
        ([BEFORE, EIGHT], [LEFT], [16], f"{EIGHT}"),
        ([BEFORE, ALIVE], [LEFT], [16], f"{ALIVE}"),
        ([BEFORE, LAST ^ 3 << 60], [LEFT], [16], "step 0"),
        ([BEFORE, LAST], [7], [16], "7"),
        ([BEFORE, -1], [LEFT], [16], "-1"),
        # The first move of a game that goes on: the last board is not dead
        ([0x0011, 0x1002], [LEFT], [4], f"{0x1002}"),
        # A move that moves nothing, with the tile that would follow
        ([0x0001, 0x0011], [LEFT], [-1], "step 0"),
    ],
)
@pytest.mark.parametrize("order", ["backward", "forward"])
def test_episodes(boards, actions, rewards, named, order):
    before = state(NET)
    with pytest.raises(ValueError) as caught:
        lib2048.learn_episode(NET, boards, actions, rewards, 0.5, order, coherence=True)
    assert named in str(caught.value)
    assert state(NET) == before
    lib2048.learn_episode(NTupleNetwork(SMALL), [BEFORE, LAST], [LEFT], [16], 0.5, order)


@pytest.mark.parametrize("option, value", [("alpha", NAN), ("alpha", "x"), ("order", "sideways")])
def test_options_of_episodes(option, value):
    refused(
        lambda v: lib2048.learn_episode(NET, [BEFORE, LAST], [LEFT], [16], **{option: v}), value
    )


@pytest.mark.parametrize("beside", [{"alpha": 0.5}, {"coherence": True}])
def test_stages_say_alpha_and_coherence_themselves(beside):
    with pytest.raises(ValueError, match="stages say alpha and coherence themselves"):
        lib2048.train(NET, [(5, 0.1, True)], progress=False, **beside)
    assert NET.games == 3 and not NET.coherent


def test_a_diverged_network_neither_plays_nor_is_saved(tmp_path):
    net = lib2048.NTupleNetwork(((0, 1), (4, 5, 6)))
    with pytest.raises(ValueError, match="diverged"):
        lib2048.train(net, 1000, 50.0, progress=False)
    for threads in (1, 3):
        for plies in (1, 2, 3):
            with pytest.raises(ValueError, match="not numbers"):
                lib2048.evaluate(net, 10, plies, threads=threads, progress=False)
            with pytest.raises(ValueError, match="not numbers"):
                lib2048.play(net, plies=plies)
    with pytest.raises(ValueError, match="not saved"):
        net.save(tmp_path / "net.npz")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "option, value",
    [
        ("restart", True),
        ("lambda_", True),
        ("alpha", True),
        ("coherence", "no"),
        ("coherence", 0.3),
        ("coherence", 1),
    ],
)
def test_a_truth_value_is_no_number_and_a_number_no_truth_value(option, value):
    refused(lambda wrong: lib2048.train(NET, 1, progress=False, **{option: wrong}), value)


@pytest.mark.parametrize("first_cell", ["high", "nonsense"])
def test_a_native_file_has_its_first_cell_low(first_cell, tmp_path):
    NET.save(tmp_path / "net.npz")
    with pytest.raises(ValueError, match=first_cell):
        NTupleNetwork.load(tmp_path / "net.npz", first_cell=first_cell)


# Files


@pytest.mark.parametrize("path", [None, 3, "", "nul\0.npz", b"net.npz", ["net.npz"]])
def test_names_of_files(path):
    for call in (
        NET.save,
        NTupleNetwork.load,
        lib2048.resume,
        lambda p: lib2048.export(NET, p, "demo"),
        lambda p: export_compact(NET, p),
        lambda p: lib2048.write_episodes(p, []),
        lib2048.read_episodes,
        lambda p: playing_page(p, NET),
    ):
        assert 'such as "net.npz"' in refused(call, path)


def test_a_folder_is_no_file(tmp_path):
    for call in (NTupleNetwork.load, lib2048.read_episodes, compact.read_description):
        with pytest.raises(FileNotFoundError, match="is a folder, where a file is wanted"):
            call(tmp_path)


def test_a_folder_that_may_not_be_written_to_is_found_out_before_a_game_is_played(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(files.os, "access", lambda path, mode: path != tmp_path)
    before = state(NET)
    for call in (
        lambda path: lib2048.train(NET, 5, checkpoint=path, progress=False),
        lambda path: lib2048.evaluate(NET, 5, record=path, progress=False),
    ):
        with pytest.raises(PermissionError, match="may not be written to, so x.npz cannot be made"):
            call(tmp_path / "x.npz")
    assert state(NET) == before and not list(tmp_path.iterdir())


@pytest.mark.parametrize("traces", [None, 3, "game.txt", lib2048.play(NET), [None], [3]])
def test_games_to_write(traces, tmp_path):
    with pytest.raises(ValueError, match=r"traces is a list of games|a game is a Trace"):
        lib2048.write_episodes(tmp_path / "games.txt", traces)
    assert not list(tmp_path.iterdir())


def test_a_game_may_come_in_lists():
    game = lib2048.play(NET, seed=1)
    fields = ("boards", "actions", "rewards", "values")
    lists = {name: getattr(game, name).tolist() for name in fields}
    again = lib2048.Trace(**lists)
    assert all(np.array_equal(getattr(again, n), getattr(game, n), equal_nan=True) for n in fields)
    assert [getattr(again, n).dtype for n in fields] == [getattr(game, n).dtype for n in fields]
    for name in fields:
        for wrong in (["x"], {}, [1j]):
            said = refused(lambda w, n=name: lib2048.Trace(**lists | {n: w}), wrong)
            assert f"{name} of a Trace are numbers" in said
    unknown = lib2048.Trace(**lists | {"values": None})
    assert unknown.values.shape == (len(game), 4) and np.isnan(unknown.values).all()
    with pytest.raises(ValueError, match=r"a trace has T \+ 1 boards, .* got 0 boards"):
        lib2048.watch(lib2048.Trace([], [], [], []))


@pytest.mark.parametrize("strength", [3, "strong", {"mean": NAN}, {"games": range}])
def test_the_strength_in_a_compact_file(strength, tmp_path):
    said = refused(lambda s: export_compact(NET, tmp_path / "n.bin", strength=s), strength)
    assert "which JSON can hold" in said and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "write",
    [
        lambda path: formats.export("net.npz", path, "demo"),
        lambda path: export_compact("net.npz", path),
        lambda path: playing_page(path, "net.npz"),
    ],
)
def test_a_file_is_no_network_to_write(write, tmp_path):
    path = tmp_path / "written"
    with pytest.raises(ValueError, match=r"net is an NTupleNetwork, got 'net\.npz'"):
        write(path)
    assert not path.exists()
