"""Networks of other programs against bytes written independently (naive_files.py)."""

import copy
import random
import struct
import tracemalloc

import naive
import numpy as np
import pytest

from lib2048 import NTupleNetwork, files, formats, train
from lib2048.formats import tables as format_tables

PATTERNS = ((0, 1), (9, 5), (15,))
SHARES_OF_TDL2048 = (1, 1, 0.5)  # the third pattern lies on a diagonal
RNG = np.random.default_rng(2048)
TABLES = [RNG.normal(0, 100, 16 ** len(pattern)).astype("f4").tolist() for pattern in PATTERNS]
SUMS = [tuple(np.abs(RNG.normal(0, 9, (2, 16 ** len(p))).astype("f4")).tolist()) for p in PATTERNS]
DEMO = naive.demo_bytes(PATTERNS, TABLES)
FRAMEWORK = naive.framework_bytes(TABLES)
PYTHON = naive.framework_bytes(TABLES, count_bytes=8)
TDL = naive.tdl2048_bytes(PATTERNS, TABLES)
ONE_TC = naive.tdl2048_bytes(PATTERNS[:1], TABLES, SUMS)
TDL_TC = naive.tdl2048_bytes(PATTERNS, TABLES, SUMS)
KINDS = {"demo": DEMO, "framework": FRAMEWORK, "framework-python": PYTHON, "tdl2048": TDL}


def told(data):
    """The patterns where a file does not say them."""
    return PATTERNS if data in (FRAMEWORK, PYTHON) else None


def put(folder, data):
    """A new file each time: to write over an old one makes some file systems wait for the disk."""
    path = folder / "network"
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    return path


def read(folder, data, **options):
    """The network that a file of these bytes holds."""
    return NTupleNetwork.load(put(folder, data), **options)


def holds_the_tables(net, shares=(1, 1, 1)):
    """Whether the network has the patterns and weights that all the files above hold."""
    tables = [net.table(k) / share for k, share in enumerate(shares)]
    return net.patterns == PATTERNS and [table.tolist() for table in tables] == TABLES


def some_boards(seeds=range(2)):
    """Boards of random games, as lists of cells."""
    for seed in seeds:
        boards, _, _ = naive.random_game(random.Random(seed))
        yield from boards[::9]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_recognised_read_and_written_again(tmp_path, kind):
    data = KINDS[kind]
    path = put(tmp_path, data)
    assert formats.recognise(path) == kind
    net = NTupleNetwork.load(path, patterns=told(data))
    assert holds_the_tables(net, SHARES_OF_TDL2048 if kind == "tdl2048" else (1, 1, 1))
    assert not net.coherent
    assert (net.values, net.games, net.symmetries) == ("afterstate", 0, 8)
    formats.export(net, tmp_path / "again", kind)
    assert (tmp_path / "again").read_bytes() == data
    assert formats.file_size(PATTERNS, kind) == len(data)
    assert NTupleNetwork.load(path, patterns=PATTERNS, values="state").values == "state"


def sums_of(net, k, contents):
    """A table of error sums, put together from pieces."""
    return np.concatenate([piece for _, piece in net.table_parts(k, 7, contents)]).tolist()


def test_error_sums_of_tdl2048(tmp_path):
    net = read(tmp_path, TDL_TC)
    assert holds_the_tables(net, SHARES_OF_TDL2048)
    assert net.coherent
    for k, (errors, absolute_errors) in enumerate(SUMS):
        assert sums_of(net, k, format_tables.ERROR_SUMS) == errors
        assert sums_of(net, k, format_tables.ABSOLUTE_ERROR_SUMS) == absolute_errors
    formats.export(net, tmp_path / "again", "tdl2048")
    assert (tmp_path / "again").read_bytes() == TDL_TC
    assert formats.file_size(PATTERNS, "tdl2048", coherent=True) == len(TDL_TC)


def test_other_formats_have_no_room_for_error_sums(tmp_path):
    net = read(tmp_path, DEMO)
    net.keep_errors()
    net.errors[:] = 1
    for kind in ("demo", "framework"):
        formats.export(net, tmp_path / "again", kind)
        assert (tmp_path / "again").read_bytes() == KINDS[kind]


@pytest.mark.parametrize("naming", ["old", "text"])
def test_other_ways_to_name_a_pattern_in_tdl2048(tmp_path, naming):
    net = read(tmp_path, naive.tdl2048_bytes(PATTERNS, TABLES, naming=naming))
    assert holds_the_tables(net, SHARES_OF_TDL2048)


@pytest.mark.parametrize("sums", [None, SUMS])
def test_files_of_tdl2048_with_another_suffix_begin_with_a_mark(tmp_path, sums):
    data = naive.tdl2048_bytes(PATTERNS, TABLES, sums, marked=True)
    net = read(tmp_path, data)
    assert formats.recognise(tmp_path / "network") == "tdl2048"
    assert holds_the_tables(net, SHARES_OF_TDL2048)
    assert net.coherent == (sums is not None)


# From how many sides a program looks


DIAGONAL_PATTERNS = ((0, 5, 10), (3, 6, 9), (12,), (5,), (0, 5, 9), (10, 0))


@pytest.mark.filterwarnings("ignore:.* are images of each other")
@pytest.mark.parametrize("patterns", [PATTERNS, DIAGONAL_PATTERNS])
def test_v_is_as_in_tdl2048_for_patterns_on_a_diagonal(tmp_path, patterns):
    """TDL2048 makes each way to look at a board once, such a pattern has four of them."""
    tables = [RNG.normal(0, 100, 16 ** len(pattern)).astype("f4").tolist() for pattern in patterns]
    data = naive.tdl2048_bytes(patterns, tables)
    options = {"symmetries": 8} if patterns == DIAGONAL_PATTERNS else {}
    net = read(tmp_path, data, **options)
    for cells in some_boards():
        expected = naive.tdl2048_value(patterns, tables, cells)
        assert net.value(naive.to_board(cells)) == pytest.approx(expected, rel=1e-4, abs=1e-3)
    formats.export(net, tmp_path / "again", "tdl2048")
    assert (tmp_path / "again").read_bytes() == data


def test_v_on_a_diagonal_is_the_same_in_the_demo(tmp_path):
    """The Demo looks eight weights up whatever the pattern, and so does lib2048."""
    net = read(tmp_path, naive.demo_bytes(PATTERNS, TABLES))
    twin = naive.Network(PATTERNS)
    twin.tables = [dict(enumerate(table)) for table in TABLES]
    for cells in some_boards():
        expected = twin.value(cells)
        assert net.value(naive.to_board(cells)) == pytest.approx(expected, rel=1e-4, abs=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_that_looks_from_one_side(tmp_path, kind):
    """No file says so; told, V is the sum of one lookup a pattern, and the file comes back."""
    data = KINDS[kind]
    net = read(tmp_path, data, patterns=told(data), symmetries=1)
    assert net.symmetries == 1
    assert holds_the_tables(net)
    for cells in some_boards(seeds=[3]):
        lookups = [table[naive.index(cells, pattern)] for table, pattern in zip(TABLES, PATTERNS)]
        assert net.value(naive.to_board(cells)) == pytest.approx(sum(lookups), rel=1e-5)
    with pytest.raises(ValueError, match="has symmetries=1: if the program has as many, say so"):
        formats.export(net, tmp_path / "again", kind)
    formats.export(net, tmp_path / "again", kind, symmetries=1)
    assert (tmp_path / "again").read_bytes() == data


ROWS_AND_COLUMNS = ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11), (0, 4, 8, 12))  # of 8x4patt


@pytest.mark.filterwarnings("ignore:.* are images of each other")
@pytest.mark.parametrize("patterns", [ROWS_AND_COLUMNS, ((0, 1), (1, 0)), ((0, 1, 4), (13, 12, 8))])
@pytest.mark.parametrize("kind", KINDS)
def test_patterns_that_are_images_of_each_other_leave_open_what_v_is(tmp_path, kind, patterns):
    tables = [[1.0] * 16 ** len(pattern) for pattern in patterns]
    writers = {
        "demo": lambda: naive.demo_bytes(patterns, tables),
        "tdl2048": lambda: naive.tdl2048_bytes(patterns, tables),
        "framework": lambda: naive.framework_bytes(tables),
        "framework-python": lambda: naive.framework_bytes(tables, count_bytes=8),
    }
    path = put(tmp_path, writers[kind]())
    with pytest.raises(ValueError, match="are images of each other, .* say symmetries=1 if"):
        NTupleNetwork.load(path, patterns=patterns)
    for symmetries in (1, 8):
        net = NTupleNetwork.load(path, patterns=patterns, symmetries=symmetries)
        assert net.symmetries == symmetries
        assert net.value(0) == symmetries * len(patterns)


def test_other_numbers_of_sides_are_refused(tmp_path):
    path = put(tmp_path, DEMO)
    for symmetries in (4, 2, 0, -1, "8"):
        with pytest.raises(ValueError, match=r"symmetries is 8 or 1, .* pattern\(p, 4\)"):
            NTupleNetwork.load(path, symmetries=symmetries)
        with pytest.raises(ValueError, match="symmetries is 8 or 1"):
            formats.export(NTupleNetwork(PATTERNS), tmp_path / "x", "demo", symmetries=symmetries)
    with pytest.raises(ValueError, match="to have symmetries=1, this network has symmetries=8"):
        formats.export(NTupleNetwork(PATTERNS), tmp_path / "x", "demo", symmetries=1)


def test_a_native_file_says_from_how_many_sides(tmp_path):
    NTupleNetwork(PATTERNS, symmetries=1).save(tmp_path / "net.npz")
    assert NTupleNetwork.load(tmp_path / "net.npz").symmetries == 1
    assert NTupleNetwork.load(tmp_path / "net.npz", symmetries=1).symmetries == 1
    with pytest.raises(ValueError, match="it has symmetries=1, got symmetries=8"):
        NTupleNetwork.load(tmp_path / "net.npz", symmetries=8)


# What TDL2048 keeps where it learned nothing


TINY = float(np.finfo(np.float32).tiny)


def test_weights_that_tdl2048_never_touched_take_no_room_here(tmp_path):
    """Its sums start at 1.2e-38. Here they are 0, so the weights are as in a new network."""
    pattern = (0, 1, 2)
    table = [0.0] * 16**3
    errors = [TINY] * 16**3
    absolute_errors = [TINY] * 16**3
    table[5], errors[5], absolute_errors[5] = 3.0, -1.0, 2.0
    data = naive.tdl2048_bytes([pattern], [table], [(errors, absolute_errors)])
    net = read(tmp_path, data)
    assert np.count_nonzero(net.errors) == 2
    assert sums_of(net, 0, format_tables.ERROR_SUMS)[5] == -1.0
    assert sums_of(net, 0, format_tables.ABSOLUTE_ERROR_SUMS)[5] == 2.0
    net.save(tmp_path / "native")
    bitmap = 16**3 / 8
    assert (tmp_path / "native").stat().st_size < bitmap + 1600
    formats.export(net, tmp_path / "again", "tdl2048")
    assert (tmp_path / "again").read_bytes() == data


def test_learning_goes_on_alike_from_either_kind_of_untouched_sums(tmp_path):
    """No error is so small that 1.2e-38 would make a difference to it."""
    pattern = (0, 1)
    table = RNG.normal(0, 1, 16**2).astype("f4").tolist()
    untouched = [TINY] * 16**2
    net = read(tmp_path, naive.tdl2048_bytes([pattern], [table], [(untouched, untouched)]))
    twin = copy.deepcopy(net)
    twin.errors[:] = np.float32(TINY)
    for network in (net, twin):
        train(network, 20, coherence=True, seed=1, progress=False)
    assert np.array_equal(net.weights, twin.weights)
    touched = net.errors[:, 1] > 0
    assert touched.any()
    assert np.array_equal(net.errors[touched], twin.errors[touched])


# Which end of the index the first cell has


@pytest.mark.parametrize("count_bytes", [4, 8])
def test_first_cell_in_the_high_digit(tmp_path, count_bytes):
    """The values of boards tell whether weights went where the index says."""
    data = naive.framework_bytes(TABLES, count_bytes, "high")
    net = read(tmp_path, data, patterns=PATTERNS, first_cell="high")
    assert holds_the_tables(net)
    twin = naive.Network(PATTERNS)
    twin.tables = [dict(enumerate(table)) for table in TABLES]
    for cells in some_boards():
        expected = twin.value(cells)
        assert net.value(naive.to_board(cells)) == pytest.approx(expected, rel=1e-4, abs=1e-3)
    assert not holds_the_tables(read(tmp_path, data, patterns=PATTERNS))
    kind = {4: "framework", 8: "framework-python"}[count_bytes]
    formats.export(net, tmp_path / "again", kind, first_cell="high")
    assert (tmp_path / "again").read_bytes() == data
    assert net.patterns == PATTERNS
    assert holds_the_tables(net)


# Size and memory


@pytest.mark.parametrize(
    "kind, coherent, nbytes",
    [("demo", False, 268_435_600), ("tdl2048", False, 268_435_545), ("tdl2048", True, 805_306_497)],
)
def test_sizes_of_4x6_files(kind, coherent, nbytes):
    assert formats.file_size("4x6", kind, coherent) == nbytes


def test_many_pieces_give_the_same_network_as_one(tmp_path, monkeypatch):
    monkeypatch.setattr(format_tables, "PIECE", 16)
    net = read(tmp_path, TDL_TC)
    assert holds_the_tables(net, SHARES_OF_TDL2048)
    formats.export(net, tmp_path / "again", "tdl2048")
    assert (tmp_path / "again").read_bytes() == TDL_TC


@pytest.mark.parametrize("kind", KINDS)
def test_no_step_takes_memory_for_another_copy_of_a_table(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(format_tables, "PIECE", 1 << 12)
    net = NTupleNetwork(((0, 1, 2, 3, 4),))
    net.set_table_part(0, 0, np.arange(16**5))
    path = tmp_path / "large"
    nbytes = 4 * 16**5
    tracemalloc.start()
    try:
        formats.export(net, path, kind)
        _, peak_of_export = tracemalloc.get_traced_memory()
        again = NTupleNetwork.load(path, patterns=net.patterns)
        _, peak_of_load = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_of_export < nbytes / 8
    assert nbytes < peak_of_load < nbytes * 9 / 8
    assert np.array_equal(again.weights, net.weights)


# What is refused: the bytes, how they are loaded, what the message says


def changed(data, at, new):
    """The bytes with `new` written over what is at place `at`."""
    return data[:at] + new + data[at + len(new) :]


def nan_at_end(data, tail=0):
    """The bytes with the last number, which `tail` bytes follow, replaced by nan."""
    return changed(data, len(data) - tail - 4, struct.pack("<f", np.nan))


REFUSED_HEADS = {
    "nothing": (b"", "found 0 bytes .* expected a file of lib2048"),
    "text": (b"slide:place@0|0122|place@9\n" * 9, "network: found 243 bytes that start 73 6c 69"),
    "zeros": (bytes(1000), "is not a network"),
    "only a mark": (b"w\0", "is not a network"),
}

REFUSED_DEMOS = {
    "cut": (DEMO[:-1], "the end of the file, 63 bytes ahead, expected 64 bytes for table 2"),
    "cut in a header": (DEMO[:1100], "expected .* bytes for"),
    "trailing byte": (DEMO + b"x", "found 1 bytes after the last table, expected the end of the"),
    "huge count": (changed(DEMO, 0, b"\xff" * 8), "bytes for the length of name 3"),
    "huge name": (changed(DEMO, 8, b"\xff\xff\xff\x7f"), "found a name of 2147483647 bytes for t"),
    "negative name": (changed(DEMO, 8, b"\xff" * 4), "found a name of -1 bytes"),
    "no name": (changed(DEMO, 12, b"2-tuple patteln 01"), "the name b'2-tuple patteln 01' of tab"),
    "no cell": (changed(DEMO, 28, b"0g"), "name '0g' of table 0, expected 1 to 8 distinct hex dig"),
    "cell twice": (changed(DEMO, 28, b"00"), "found the name '00' of table 0"),
    "cells missing": (changed(DEMO, 12, b"3"), "found the name b'3-tuple pattern 01'"),
    "wrong size": (
        changed(DEMO, 30, struct.pack("<Q", 255)),
        "found 255 as the size of table 0, expected 256",
    ),
    "nan": (nan_at_end(DEMO), "found nan as weight 15 of table 2, expected a finite number"),
}

REFUSED_TDLS = {
    "cut after tables": (TDL[:-1], "1 bytes ahead, expected 2 bytes for what follows table 2"),
    "two files": (TDL + TDL, "after the last table"),
    "a table too many": (changed(TDL, 1, b"\4"), "end of the file, 0 bytes ahead, expected 1 byt"),
    "a table too few": (changed(TDL, 1, b"\2"), "bytes after the last table"),
    "huge size": (
        changed(TDL, 16, struct.pack("<Q", 16**8)),
        "found the name|found 4294967296 as the size",
    ),
    "wrong version": (changed(TDL, 1050, b"\5"), "found 5 as the version of table 1, expected 4"),
    "doubles": (changed(TDL, 14, b"\x08"), "8 as the bytes of a weight of table 0, expected 4"),
    "no cell": (changed(TDL, 6, b"\x11"), "found the name '11' of table 0"),
    "text": (changed(TDL, 6, b"mono/6t!"), "found the name 'mono/6t!'"),
    "6 cells": (changed(TDL, 10, b"\6"), "found the name '000001' of table 0"),
    "other field": (changed(TDL_TC, 1048, b"\2"), "2 after table 0, expected 0, or 4 and error su"),
    "other sums": (
        changed(TDL_TC, 1050, b"\1"),
        "found 513 as the number of error sums of table 0, expected 512",
    ),
    "sums of one": (
        changed(ONE_TC, 1, b"\2") + TDL[1050:2095],
        "found error sums of 1 of 2 tables, expected those",
    ),
    "nan sum": (nan_at_end(TDL_TC, 2), "found nan as sum of .errors. 15 of table 2"),
    "negative sum": (
        changed(TDL_TC, len(TDL_TC) - 6, struct.pack("<f", -1)),
        "-1.0 as sum of .errors. 15 .* 0",
    ),
    "another mark": (b"w" + b"c" + TDL[1:], "is not a network"),
}

REFUSED_FRAMEWORKS = {
    "trailing bytes": (FRAMEWORK + bytes(8), PATTERNS, "found 8 bytes after the last table"),
    "untold": (FRAMEWORK, None, "does not say its patterns: tell them"),
    "fewer told": (FRAMEWORK, PATTERNS[:2], "found 3 as the number of tables, expected 2"),
    "other told": (PYTHON, ((0, 1), (9,), (15,)), "256 as the size of table 1, expected 16"),
    "infinite": (
        changed(PYTHON, 16, struct.pack("<f", -np.inf)),
        PATTERNS,
        "found -inf as weight 0 of",
    ),
}

REFUSED_OPTIONS = {
    "patterns": (DEMO, {"patterns": "4x6"}, r"the patterns \(\(0, 1\), .* expected .* as told"),
    "cell order": (TDL, {"patterns": ((0, 1), (5, 9), (15,))}, "as told"),
    "high": (DEMO, {"first_cell": "high"}, "demo file, where the first cell is the low one"),
    "values": (DEMO, {"values": "move"}, 'values is "afterstate" or "state", got \'move\''),
}


def assert_refused(folder, data, message, **options):
    """The bytes are refused with a message that also names the file."""
    path = put(folder, data)
    with pytest.raises(ValueError, match=message) as caught:
        NTupleNetwork.load(path, **options)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("data, message", (REFUSED_HEADS | REFUSED_DEMOS | REFUSED_TDLS).values())
def test_refused_files(tmp_path, data, message):
    assert_refused(tmp_path, data, message)


@pytest.mark.parametrize("data, patterns, message", REFUSED_FRAMEWORKS.values())
def test_refused_files_of_the_framework(tmp_path, data, patterns, message):
    assert_refused(tmp_path, data, message, patterns=patterns)


@pytest.mark.parametrize("data, options, message", REFUSED_OPTIONS.values())
def test_refused_options(tmp_path, data, options, message):
    assert_refused(tmp_path, data, message, **options)


def test_options_that_are_wrong_whatever_the_file(tmp_path):
    path = put(tmp_path, FRAMEWORK)
    with pytest.raises(ValueError, match='first_cell is "low" or "high", got \'left\''):
        NTupleNetwork.load(path, PATTERNS, first_cell="left")
    with pytest.raises(ValueError, match="at least one pattern"):
        NTupleNetwork.load(path, ())


def test_a_native_file_is_not_one_of_another_program(tmp_path):
    path = put(tmp_path, b"PK\3\4" + bytes(40))
    assert formats.recognise(path) == formats.NATIVE
    with pytest.raises(ValueError, match="read it with NTupleNetwork.load"):
        formats.load(NTupleNetwork, path)


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no file .*missing"):
        NTupleNetwork.load(tmp_path / "missing")
    with pytest.raises(FileNotFoundError, match="is a folder, where a file is wanted"):
        formats.recognise(tmp_path)


def test_export_refuses_what_a_format_cannot_say(tmp_path):
    net = NTupleNetwork(PATTERNS)
    path = tmp_path / "x"
    kinds = "one of compact, demo, framework, framework-python, tdl2048, got 'onnx'"
    with pytest.raises(ValueError, match=kinds):
        formats.export(net, path, "onnx")
    with pytest.raises(ValueError, match="to have symmetries=8, this network has symmetries=1"):
        formats.export(NTupleNetwork(PATTERNS, symmetries=1), path, "demo")
    with pytest.warns(UserWarning, match="images of each other"):
        twice = NTupleNetwork(((0, 1), (0, 1)))
    with pytest.raises(ValueError, match="merges tables of the same pattern"):
        formats.export(twice, path, "tdl2048")
    for kind in ("demo", "tdl2048"):
        with pytest.raises(ValueError, match=f"a {kind} file has the first cell at the low end"):
            formats.export(net, path, kind, first_cell="high")
    with pytest.raises(ValueError, match="first_cell is"):
        formats.export(net, path, "framework", first_cell="left")
    with pytest.raises(FileNotFoundError, match="there is no folder .*nowhere to write x in"):
        formats.export(net, tmp_path / "nowhere" / "x", "demo")
    net.plane_table(2)[3] = 3e38
    with pytest.raises(ValueError, match="found inf as weight 3 of table 2, expected a finite"):
        formats.export(net, path, "tdl2048")  # doubled, for its pattern lies on a diagonal
    assert list(tmp_path.iterdir()) == []


def test_a_failed_export_leaves_the_file_that_was_there(tmp_path, monkeypatch):
    net = NTupleNetwork(PATTERNS)
    path = put(tmp_path, b"precious")
    net.plane_table(2)[-1] = np.nan
    with pytest.raises(ValueError, match="found nan as weight 15 of table 2"):
        formats.export(net, path, "demo")
    too_little = type("Usage", (), {"free": len(DEMO) - 1})
    monkeypatch.setattr(files.shutil, "disk_usage", lambda folder: too_little)
    message = f"would take {len(DEMO):,} bytes, the disk has {len(DEMO) - 1:,} free"
    with pytest.raises(OSError, match=message):
        formats.export(NTupleNetwork(PATTERNS), path, "demo")
    assert path.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [path]


def test_export_onto_a_symbolic_link_writes_its_target(tmp_path):
    net = read(tmp_path, DEMO)
    target = tmp_path / "target"
    link = tmp_path / "link"
    link.symlink_to(target)
    formats.export(net, link, "demo")
    assert link.is_symlink()
    assert target.read_bytes() == DEMO
