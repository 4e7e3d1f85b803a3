"""The board viewer without a browser: what goes to it, what Python answers, pictures and pages."""

import base64
import gc
import json
import re
import weakref
import xml.etree.ElementTree as ET

import nbformat
import numpy as np
import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output

from lib2048 import (
    NTupleNetwork,
    Trace,
    best_action,
    evaluate,
    from_tiles,
    play,
    slide,
    symmetries,
    to_array,
    train,
)
from lib2048.draw import contrast
from lib2048.viewer import still, watch, widget
from lib2048.viewer.__main__ import main
from lib2048.viewer.lookups import lookups
from lib2048.viewer.moments import key_moves
from lib2048.viewer.networks import KEEPERS
from lib2048.viewer.viewer import LOOK
from lib2048.viewer.widget import HERE

PATTERNS = ((0, 1, 2, 3), (1, 4, 5), (9,))
WIDGET = "application/vnd.jupyter.widget-view+json"
SEEN = 0x0021_0F34_1203_5101


@pytest.fixture(scope="module")
def net():
    trained = NTupleNetwork(PATTERNS)
    train(trained, 150, seed=3, progress=False)
    return trained


@pytest.fixture
def viewer(net):
    return watch(net, seed=7)


def asked(viewer, **question):
    """What Python answers to a question of the browser."""
    replies = []
    viewer.send = replies.append
    viewer._answer(viewer, {"id": "q 1"} | question, [])
    (reply,) = json.loads(json.dumps(replies, allow_nan=False))
    assert reply.pop("id") == "q 1"
    return reply


# Moving about


def test_seeks_steps_and_stays_inside_the_game(viewer, net):
    trace = play(net, seed=7)
    assert viewer.move == 0 and (viewer.trace.boards == trace.boards).all()
    viewer.playing = True
    viewer.seek(3)
    assert (viewer.move, viewer.playing) == (3, False)
    viewer.step()
    viewer.step(2)
    viewer.step(-1)
    assert viewer.move == 5
    viewer.seek(10**6)
    assert viewer.move == len(trace)
    viewer.step()
    assert viewer.move == len(trace)
    viewer.step(-(10**6))
    assert viewer.move == 0


def test_another_game_may_be_shorter(net):
    viewer = watch(
        {
            "long": play(net, seed=7),
            "short": play(net, seed=7, p4=1.0),
            "new": NTupleNetwork(PATTERNS),
        }
    )
    viewer.seek(10**6)
    for game in (1, 2):
        viewer.game = game
        assert viewer.move <= len(viewer.trace)
    viewer.game = 9
    assert viewer.game == 2
    assert [about["name"] for about in viewer.games] == ["long", "short", "new"]
    assert [about["learned"] for about in viewer.games] == [None, None, "afterstate"]


def test_speed_is_one_of_the_steps(viewer):
    viewer.speed = 64
    with pytest.raises(ValueError, match="0.25"):
        viewer.speed = 3
    assert viewer.speed == 64


def test_refuses_what_is_no_game(net):
    trace = play(net, seed=1)
    for wrong in (None, {}, {"a": 3}, [trace]):
        with pytest.raises(ValueError, match="watch"):
            watch(wrong)
    with pytest.raises(ValueError, match="T \\+ 1 boards"):
        watch(Trace(trace.boards[1:], trace.actions, trace.rewards, trace.values))


# What goes to the browser


def test_game_arrives_as_it_was(net):
    viewer = watch({"a": net, "b": net}, seed=5)
    trace, data = play(net, seed=5), viewer.data
    T = len(trace)
    assert len(data) == 2 * (8 * (T + 1) + 16 * T + T)
    assert (np.frombuffer(data, "<u8", T + 1) == trace.boards).all()
    assert np.array_equal(
        np.frombuffer(data, "<f4", 4 * T, 8 * (T + 1)).reshape(T, 4), trace.values, equal_nan=True
    )
    assert (np.frombuffer(data, "u1", T, 8 * (T + 1) + 16 * T) == trace.actions).all()
    assert viewer.games[0]["seed"] == "5" and viewer.games[0]["fours"] == round(0.1 * 2**32)


def test_ten_thousand_moves_take_less_than_a_megabyte():
    T = 10_000
    trace = Trace(
        np.arange(T + 1, dtype=np.uint64),
        np.zeros(T, np.uint8),
        np.zeros(T),
        np.zeros((T, 4)),
        2**62,
    )
    state = watch(trace, net=NTupleNetwork("8x6")).get_state()
    data = state.pop("data")
    assert len(data) + len(json.dumps(state)) < 1_000_000
    assert len(data) < 260_000


# What Python answers


@pytest.mark.parametrize("how", [{}, {"values": "state"}, {"symmetries": 1}])
def test_lookups_are_the_networks_own(how):
    net = NTupleNetwork(PATTERNS, **how)
    train(net, 60, seed=4, progress=False)
    rows = lookups(net, SEEN)
    assert len(rows) == net.lookups
    assert [row[:2] for row in rows] == [(k, i) for k in range(3) for i in range(net.symmetries)]
    for k, i, index, weight in rows:
        assert index == net.index(k, symmetries(SEEN)[i])
        assert weight == net.table(k)[index]
    assert sum(row[3] for row in rows) == pytest.approx(net.value(SEEN), rel=1e-5)


def test_places_say_which_cells_an_image_shows(net):
    for image, places in zip(symmetries(SEEN), LOOK["places"]):
        assert [image >> 4 * cell & 15 for cell in range(16)] == [
            SEEN >> 4 * place & 15 for place in places
        ]


def test_answers_the_lens(viewer, net):
    reply = asked(viewer, topic="lens", game=0, board=f"{SEEN:016x}")
    assert reply == {"value": net.value(SEEN), "rows": [list(row) for row in lookups(net, SEEN)]}


def test_answers_what_each_network_thinks(net):
    viewer = watch({"a": net, "b": play(net, seed=1)}, seed=1, plies=2)
    board = int(viewer.trace.boards[9])
    first, second = asked(viewer, topic="opinions", board=f"{board:016x}")["values"]
    values = best_action(net, board, plies=2)[1].tolist()
    assert first == [None if value != value else value for value in values] and second is None


def test_a_game_with_a_margin_is_judged_so(net):
    viewer = watch(net, seed=1, plies=3, margin=1)
    assert viewer.trace.margin == 1
    board = int(viewer.trace.boards[9])
    (opinions,) = asked(viewer, topic="opinions", board=f"{board:016x}")["values"]
    values = best_action(net, board, plies=3, margin=1)[1].tolist()
    assert opinions == [None if value != value else value for value in values]
    assert values != best_action(net, board, plies=3)[1].tolist()


def test_a_game_with_smaller_boards_is_judged_so(net):
    viewer, board = watch(play(net, seed=1, downgrade=16), net=net), 0x4311_3110_1100_1000
    (values,) = asked(viewer, topic="opinions", board=f"{board:016x}")["values"]
    smaller = best_action(net, board, downgrade=16)[1].tolist()
    assert values == [None if value != value else value for value in smaller]
    greedy = evaluate(net, 1, seed=99, progress=False, downgrade=16)
    assert asked(viewer, topic="greedy", game=0, seed="99")["score"] == greedy.max


def test_answers_what_greedy_play_reaches(viewer, net):
    best, reply = (
        evaluate(net, 1, seed=99, progress=False),
        asked(viewer, topic="greedy", game=0, seed="99"),
    )
    assert (reply["score"], reply["moves"], reply["largest"]) == (
        best.max,
        best.moves,
        max(best.reached),
    )


def test_nonsense_gets_an_answer_too(viewer, net):
    questions = (
        {},
        {"topic": "lens", "game": 0, "board": "x"},
        {"topic": "lens", "game": 7, "board": "0"},
        {"topic": "greedy", "game": 0, "seed": "-1"},
        {"topic": "opinions", "board": "f" * 17},
    )
    for question in questions:
        assert set(asked(viewer, **question)) == {"error"}, question
    assert "network" in asked(watch(play(net)), topic="lens", game=0, board="0")["error"]


def test_weights_that_grew_without_bound_can_be_looked_up(net):
    wild = NTupleNetwork(((0, 1),), init=1.0)
    wild.weights[:] = np.inf
    assert asked(watch(play(net), net=wild), topic="lens", game=0, board="21")["value"] is None


def test_close_lets_go_of_everything(net):
    mine = NTupleNetwork(((0, 1),))
    held, viewer = weakref.ref(mine), watch(mine, seed=1)
    viewer.close()
    del mine
    gc.collect()
    assert held() is None and viewer.comm is None
    bundle = viewer._repr_mimebundle_()
    assert WIDGET not in bundle and bundle["image/svg+xml"].startswith("<svg")
    viewer.close()


def test_only_the_newest_viewers_keep_their_networks():
    """Cells that are run again leave their viewers behind: ipywidgets keeps them all."""
    viewers = []
    references = []
    for _ in range(5):
        net = NTupleNetwork(((0, 1),))
        viewers.append(watch(net, seed=1))
        references.append(weakref.ref(net))
    del net
    gc.collect()
    alive = [reference() is not None for reference in references]
    assert alive == [False] * (5 - KEEPERS) + [True] * KEEPERS
    assert "run the cell again" in asked(viewers[0], topic="lens", game=0, board="0")["error"]
    assert asked(viewers[0], topic="opinions", board="21") == {"values": [None]}
    assert "error" not in asked(viewers[-1], topic="lens", game=0, board="0")
    viewers[-KEEPERS].close()
    gc.collect()
    assert references[-KEEPERS]() is None


def test_a_network_that_is_in_use_serves_all_its_viewers(net):
    viewers = [watch(net, seed=1) for _ in range(KEEPERS + 3)]
    for viewer in viewers:
        assert asked(viewer, topic="lens", game=0, board="0")["value"] == net.value(0)


def test_a_page_whose_network_is_gone_has_no_lens(tmp_path):
    viewer = watch(NTupleNetwork(((0, 1),)), seed=1)
    viewer._networks.release()
    viewer.save_html(tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text()
    state = json.loads(page.split('id="state">')[1].split("</script>")[0])
    assert state["games"][0]["learned"] is None and state["answers"] == {}


@pytest.mark.parametrize("p4", [0.1, 0.3])
def test_a_persons_game_comes_back_as_a_trace(net, p4):
    """Whoever makes the network's moves gets the network's game."""
    trace = play(net, seed=7, p4=p4)
    viewer = watch({"another": net, "this": trace}, seed=1)
    assert viewer.own is None
    fours = viewer.games[1]["fours"]
    actions = "".join(map(str, trace.actions.tolist()))
    viewer.own_moves = {"seed": "7", "fours": fours, "actions": actions}
    own = viewer.own
    assert (own.boards == trace.boards).all() and (own.actions == trace.actions).all()
    assert (own.rewards == trace.rewards).all() and own.score == trace.score
    assert (own.seed, own.p4, len(own)) == (7, p4, len(trace))
    assert np.isnan(own.values).all() and own.values.shape == (len(trace), 4)
    reviewed = watch(own, net=net)
    assert reviewed.words.endswith("seed 7")
    viewer.own_moves = {"seed": "7", "fours": fours, "actions": ""}
    assert len(viewer.own) == 0 and viewer.own.boards[0] == trace.boards[0]
    illegal = next(a for a in range(4) if slide(int(trace.boards[0]), a)[1] < 0)
    viewer.own_moves = {"seed": "7", "fours": fours, "actions": str(illegal)}
    with pytest.raises(ValueError, match=f"move 0 of this game, action {illegal}, is not possible"):
        _ = viewer.own
    viewer.own_moves = {"seed": "7", "fours": fours, "actions": f"{actions}0"}
    message = f"move {len(trace)} of this game, action 0, is not possible"
    with pytest.raises(ValueError, match=message):
        _ = viewer.own
    viewer.own_moves = {"seed": "7", "fours": fours, "actions": "4"}
    with pytest.raises(ValueError, match="an action is 0 .*, got 4"):
        _ = viewer.own


def test_a_persons_game_from_a_board_comes_back(net):
    trace = play(net, seed=7)
    viewer = watch(net, seed=7)
    actions = "".join(map(str, trace.actions[20:50].tolist()))
    about = {"seed": "7", "fours": viewer.games[0]["fours"], "actions": actions}
    viewer.own_moves = about | {"start": f"{int(trace.boards[20]):016x}", "first": 20}
    own = viewer.own
    assert (own.boards == trace.boards[20:51]).all()
    assert own.score == trace.rewards[20:50].sum()
    again = watch(net, seed=7)  # the cell is run again
    assert (again.own.boards == own.boards).all()
    assert watch(net, seed=8).own is None and watch({"me": net}, seed=7).own is None
    viewer.own_moves = about | {"start": "fffffffffffffffff", "first": 20}
    with pytest.raises(ValueError, match="2\\*\\*64"):
        _ = viewer.own


def test_answers_what_many_boards_are_worth(viewer, net):
    boards = viewer.trace.boards[:30].tolist()
    question = {"topic": "judge", "game": 0, "boards": [f"{board:016x}" for board in boards]}
    values = np.array(asked(viewer, **question)["values"], float)
    assert np.array_equal(values.astype(np.float32), viewer.trace.values[:30], equal_nan=True)
    assert asked(viewer, topic="judge", game=0, boards=[]) == {"values": []}


def test_answers_how_networks_play_on(net):
    viewer = watch({"a": net, "b": NTupleNetwork(PATTERNS)}, seed=7)
    trace = viewer.traces[0]
    board = f"{int(trace.boards[40]):016x}"
    question = {"topic": "play on", "games": [0, 1], "board": board, "seed": "7", "first": 40}
    first, second = asked(viewer, **question)["played"]
    assert first["actions"] == "".join(map(str, trace.actions[40:].tolist()))
    values = np.array(first["values"], float).astype(np.float32)
    assert np.array_equal(values, trace.values[40:], equal_nan=True)
    assert second["actions"] and second != first


def test_watches_a_board(net):
    tiles = [[1024, 1024, 0, 0], [2, 0, 0, 0], [0] * 4, [0] * 4]
    board = from_tiles(tiles)
    for given in (board, np.uint64(board), tiles, np.array(tiles)):
        viewer = watch(given, net=net)
        assert viewer.trace.boards.tolist() == [board] and len(viewer.trace) == 0
        assert viewer.nets == [net]
    (values,) = asked(viewer, topic="opinions", board=f"{board:016x}")["values"]
    assert values[1] == best_action(net, board)[1][1]
    assert viewer.svg().startswith("<svg")
    played = watch({"a": net}, seed=3, board=tiles).trace
    assert played.boards[0] == board and len(played) > 10


@pytest.mark.parametrize(
    "wrong, told",
    [
        ([[3, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4], "power of two"),
        ([[2, 4]], "4 x 4"),
        (-1, "2\\*\\*64"),
        (True, "64-bit integer"),
        (2.5, "a board as an integer"),
    ],
)
def test_refuses_what_is_no_board(net, wrong, told):
    with pytest.raises(ValueError, match=told):
        watch(wrong)
    with pytest.raises(ValueError):
        watch(net, board=wrong)
    with pytest.raises(ValueError, match="board="):
        watch(play(net), board=0x21)


# Pictures and pages


def test_key_boards_tell_the_game(net):
    trace = play(net, seed=7)
    keys = key_moves(trace)
    assert (
        6 <= len(keys) <= 8
        and keys == sorted(set(keys))
        and keys[0] == 0
        and keys[-1] == len(trace)
    )
    first = next(
        t for t, board in enumerate(trace.boards) if 2 ** to_array(board).max() == trace.max_tile
    )
    assert first in keys
    short = Trace(trace.boards[:3], trace.actions[:2], trace.rewards[:2], trace.values[:2])
    assert key_moves(short) == [0, 1, 2]
    assert key_moves(
        Trace(trace.boards[:1], trace.actions[:0], trace.rewards[:0], trace.values[:0])
    ) == [0]


def test_saved_and_exported_it_is_a_picture(net):
    viewer = watch({"1k": net, "2k": net}, seed=7)
    data = viewer._repr_mimebundle_()
    assert set(data) == {WIDGET, "image/svg+xml", "image/png", "text/plain"}
    assert data[WIDGET]["model_id"] == viewer.model_id
    assert (
        base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
        and len(data["image/png"]) < 100_000
    )
    assert f"{viewer.trace.score:,} points" in data["text/plain"] and "seed 7" in data["text/plain"]
    ET.fromstring(data["image/svg+xml"])
    assert data["image/svg+xml"].count("<g ") == 8 and len(data["image/svg+xml"]) < 60_000
    shown = new_notebook(
        cells=[new_code_cell("viewer", outputs=[new_output("execute_result", data=data)])]
    )
    page, _ = HTMLExporter().from_notebook_node(nbformat.from_dict(shown))
    picture = base64.b64encode(data["image/svg+xml"].encode()).decode()
    assert picture in page and WIDGET not in page.split("<body")[1]


def test_a_cell_keeps_the_widget_and_then_the_picture(net, monkeypatch):
    shown = []

    def display(data, raw, metadata=None):
        assert raw
        shown.append(new_output("display_data", data, metadata=metadata or {}))

    monkeypatch.setattr(still, "display", display)
    viewer = watch(net, seed=7)
    viewer._ipython_display_()
    live, picture, style = shown
    assert set(style.data) == {"text/html"} and style.metadata == {"lib2048": {"reopened": True}}
    assert set(live.data) == {WIDGET, "text/plain"}
    assert live.metadata == {"lib2048": {"picture follows": True}}
    assert set(picture.data) == {"image/svg+xml", "image/png", "text/plain"}
    assert f'class="{still.STILL}"' in picture.data["image/svg+xml"]
    assert still.STILL in widget.shared_style(), "which hides it while the widget lives"
    notebook = new_notebook(cells=[new_code_cell("viewer", outputs=[live, picture])])
    page, _ = HTMLExporter().from_notebook_node(nbformat.from_dict(notebook))
    assert page.split("<body")[1].count("<img") == 1 and WIDGET not in page.split("<body")[1]
    viewer.close()
    shown.clear()
    viewer._ipython_display_()
    (only,) = shown
    assert "image/png" in only.data and WIDGET not in only.data


def test_page_needs_nothing_from_elsewhere(net, tmp_path):
    viewer = watch({"</script><b>": net}, seed=7)
    viewer.seek(2)
    viewer.save_html(tmp_path / "game.html", "A <game> & more")
    page = (tmp_path / "game.html").read_text()
    assert not re.search(
        r"(src|href)=\"(?!data:)|@import|url\(|\bfetch\(|\bimport\b[^\n]*from", page
    )
    assert set(re.findall(r"https?://[^\s\"]+", page)) == {"http://www.w3.org/2000/svg"}
    assert page.count("</script>") == 2 and "<title>A &lt;game&gt; &amp; more</title>" in page
    state = json.loads(page.split('id="state">')[1].split("</script>")[0])
    board, action = int(viewer.trace.boards[0]), int(viewer.trace.actions[0])
    for shown in (board, slide(board, action)[0]):
        assert state["answers"][f"lens 0 {shown:016x}"]["value"] == net.value(shown)
    assert state["move"] == 2 and list(tmp_path.iterdir()) == [tmp_path / "game.html"]


def test_command_line(net, tmp_path, capsys):
    net.save(tmp_path / "net.npz")
    main([str(tmp_path / "out.html"), "--net", str(tmp_path / "net.npz"), "--seed", "7"])
    assert f"{play(net, 7).score:,} points" in capsys.readouterr().out
    assert (tmp_path / "out.html").stat().st_size < 400_000


def names_of(page):
    state = json.loads(page.read_text().split('id="state">')[1].split("</script>")[0])
    return [about["name"] for about in state["games"]]


def test_command_line_names_what_it_compares(net, tmp_path):
    page = tmp_path / "out.html"
    young, old = NTupleNetwork(PATTERNS), tmp_path / "old.npz"
    young.save(tmp_path / "young.npz")
    net.save(old)
    files = [str(tmp_path / "young.npz"), str(old)]
    main([str(page), "--net", *files])
    assert names_of(page) == ["young", "old"]
    main([str(page), "--net", *files, "--name", "first", "second"])
    assert names_of(page) == ["first", "second"]
    hashed = [str(tmp_path / f"afterstate-8d601d1e4237-{n}-15f00518123e.npz") for n in (1, 2, 3)]
    for file, saved in zip(hashed, (young, net, net), strict=True):
        saved.save(file)
    main([str(page), "--net", *hashed])
    assert names_of(page) == ["0 games", "150 games (2)", "150 games (3)"]


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["out.html", "--net", "missing.npz"], "missing.npz"),
        (["no folder/out.html", "--net", "net.npz"], "no folder"),
        (["out.html", "--net", "net.npz", "--seed", "-1"], "-1"),
        (["out.html", "--net", "net.npz", "--plies", "0"], "0"),
        (["out.html", "--net", "text.npz"], "text.npz"),
        (["out.html", "--net", "net.npz", "--name", "a", "b"], "2 names"),
    ],
)
def test_command_line_says_what_is_wrong(net, tmp_path, capsys, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    net.save("net.npz")
    (tmp_path / "text.npz").write_text("no network")
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2 and told in capsys.readouterr().err
    assert not (tmp_path / "out.html").exists()


def test_numbers_can_be_read_on_every_tile():
    assert all(contrast(tile, number) >= 4.5 for tile, number in zip(LOOK["tiles"], LOOK["inks"]))
    assert len(LOOK["tiles"]) == 16


def test_widgets_stay_in_one_file():
    widgets = re.compile("(import|from) (anywidget|ipywidgets)")
    assert [path.name for path in HERE.glob("*.py") if widgets.search(path.read_text())] == [
        "still.py"
    ]
