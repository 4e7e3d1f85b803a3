"""Networks of other programs against bytes written independently (naive.py), and against bytes that are wrong."""

import random
import struct
import tracemalloc

import naive
import numpy as np
import pytest

from lib2048 import NTupleNetwork, files, saving
from lib2048.formats import foreign

PATTERNS = ((0, 1), (9, 5), (15,))
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


def put(tmp_path, data):
    """A new file each time: to write over an old one makes some file systems wait for the disk."""
    path = tmp_path / "network"
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    return path


def same(net):
    """The network has the patterns and weights that all the files above hold."""
    return net.patterns == PATTERNS and all(
        net.table(k).tolist() == table for k, table in enumerate(TABLES)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_recognised_read_and_written_again(tmp_path, kind):
    path = put(tmp_path, KINDS[kind])
    assert foreign.recognise(path) == kind
    net = saving.load(NTupleNetwork, path, patterns=told(KINDS[kind]))
    assert same(net) and not net.coherent
    assert (net.values, net.games, net.symmetries) == ("afterstate", 0, 8)
    saving.export(net, tmp_path / "again", kind)
    assert (tmp_path / "again").read_bytes() == KINDS[kind]
    assert foreign.file_size(PATTERNS, kind) == len(KINDS[kind])
    assert foreign.load(NTupleNetwork, path, patterns=PATTERNS, values="state").values == "state"


def test_error_sums_of_tdl2048(tmp_path):
    net = foreign.load(NTupleNetwork, put(tmp_path, TDL_TC))
    assert same(net) and net.coherent
    for k, sums in enumerate(SUMS):
        for column in (0, 1):
            assert (
                np.concatenate([part for _, part in net.table_parts(k, 7, column)]).tolist()
                == sums[column]
            )
    foreign.export(net, tmp_path / "again", "tdl2048")
    assert (tmp_path / "again").read_bytes() == TDL_TC
    assert foreign.file_size(PATTERNS, "tdl2048", coherent=True) == len(TDL_TC)
    for kind in ("demo", "framework"):  # these have no room for the sums
        foreign.export(net, tmp_path / "again", kind)
        assert (tmp_path / "again").read_bytes() == KINDS[kind]


@pytest.mark.parametrize("naming", ["old", "text"])
def test_other_ways_to_name_a_pattern_in_tdl2048(tmp_path, naming):
    assert same(
        foreign.load(
            NTupleNetwork, put(tmp_path, naive.tdl2048_bytes(PATTERNS, TABLES, naming=naming))
        )
    )


@pytest.mark.parametrize("count_bytes", [4, 8])
def test_first_cell_in_the_high_digit(tmp_path, count_bytes):
    """The values of boards tell whether weights went where the index says."""
    path = put(tmp_path, naive.framework_bytes(TABLES, count_bytes, "high"))
    net = foreign.load(NTupleNetwork, path, patterns=PATTERNS, first_cell="high")
    assert same(net)
    twin = naive.Network(PATTERNS)
    twin.tables = [dict(enumerate(table)) for table in TABLES]
    for boards, _, _ in (naive.random_game(random.Random(seed)) for seed in range(2)):
        for cells in boards[::9]:
            assert net.value(naive.to_board(cells)) == pytest.approx(
                twin.value(cells), rel=1e-4, abs=1e-3
            )
    assert not same(foreign.load(NTupleNetwork, path, patterns=PATTERNS))


@pytest.mark.parametrize(
    "kind, coherent, nbytes",
    [("demo", False, 268_435_600), ("tdl2048", False, 268_435_545), ("tdl2048", True, 805_306_497)],
)
def test_sizes_of_4x6_files(kind, coherent, nbytes):
    assert foreign.file_size("4x6", kind, coherent) == nbytes


def test_tables_pass_through_memory_in_pieces(tmp_path, monkeypatch):
    """Many pieces give the same network as one; no step takes memory for another copy of a table."""
    monkeypatch.setattr(foreign, "PART", 16)
    assert same(foreign.load(NTupleNetwork, put(tmp_path, TDL_TC)))
    monkeypatch.setattr(foreign, "PART", 1 << 12)
    net = NTupleNetwork(((0, 1, 2, 3, 4),))
    net.set_table_part(0, 0, np.arange(16**5))
    path, nbytes = tmp_path / "large", 4 * 16**5
    for kind in KINDS:
        tracemalloc.start()
        try:
            foreign.export(net, path, kind)
            assert tracemalloc.get_traced_memory()[1] < nbytes / 8
            again = foreign.load(NTupleNetwork, path, patterns=net.patterns)
            assert nbytes < tracemalloc.get_traced_memory()[1] < nbytes * 9 / 8
        finally:
            tracemalloc.stop()
        assert np.array_equal(again.weights, net.weights)


# What is refused: the bytes, how they are loaded, what the message says


def changed(data, at, new):
    """The bytes with `new` written over what is at place `at`."""
    return data[:at] + new + data[at + len(new) :]


def nan_at_end(data, tail=0):
    return changed(data, len(data) - tail - 4, struct.pack("<f", np.nan))


REFUSED = {
    "nothing": (b"", {}, "found 0 bytes .* expected a file of lib2048"),
    "text": (
        b"slide:place@0|0122|place@9\n" * 9,
        {},
        "is not a network: found 243 bytes that start 73 6c 69",
    ),
    "zeros": (bytes(1000), {}, "is not a network"),
    "native": (b"PK\3\4" + bytes(40), {}, "read it with NTupleNetwork.load"),
    "cut": (
        DEMO[:-1],
        {},
        "found the end of the file, 63 bytes ahead, expected 64 bytes for table 2",
    ),
    "cut in a header": (DEMO[:1100], {}, "expected .* bytes for"),
    "cut after tables": (TDL[:-1], {}, "1 bytes ahead, expected 2 bytes for what follows table 2"),
    "trailing byte": (
        DEMO + b"x",
        {},
        "found 1 bytes after the last table, expected the end of the file",
    ),
    "trailing bytes": (
        FRAMEWORK + bytes(8),
        {"patterns": PATTERNS},
        "found 8 bytes after the last table",
    ),
    "two files": (TDL + TDL, {}, "after the last table"),
    "a table too many": (
        changed(TDL, 1, b"\4"),
        {},
        "the end of the file, 0 bytes ahead, expected 1 bytes",
    ),
    "a table too few": (changed(TDL, 1, b"\2"), {}, "bytes after the last table"),
    "huge count": (changed(DEMO, 0, b"\xff" * 8), {}, "bytes for the length of name 3"),
    "huge name": (
        changed(DEMO, 8, b"\xff\xff\xff\x7f"),
        {},
        "found a name of 2147483647 bytes for table 0",
    ),
    "negative name": (changed(DEMO, 8, b"\xff" * 4), {}, "found a name of -1 bytes"),
    "no name": (
        changed(DEMO, 12, b"2-tuple patteln 01"),
        {},
        "found the name b'2-tuple patteln 01' of table 0",
    ),
    "no cell": (
        changed(DEMO, 28, b"0g"),
        {},
        "found the name '0g' of table 0, expected 1 to 8 distinct hex digits",
    ),
    "cell twice": (changed(DEMO, 28, b"00"), {}, "found the name '00' of table 0"),
    "cells missing": (changed(DEMO, 12, b"3"), {}, "found the name b'3-tuple pattern 01'"),
    "wrong size": (
        changed(DEMO, 30, struct.pack("<Q", 255)),
        {},
        "found 255 as the size of table 0, expected 256",
    ),
    "huge size": (
        changed(TDL, 16, struct.pack("<Q", 16**8)),
        {},
        "found the name|found 4294967296 as the size",
    ),
    "wrong version": (
        changed(TDL, 1050, b"\5"),
        {},
        "found 5 as the version of table 1, expected 4",
    ),
    "doubles": (
        changed(TDL, 14, b"\x08"),
        {},
        "found 8 as the bytes of a weight of table 0, expected 4",
    ),
    "tdl no cell": (changed(TDL, 6, b"\x11"), {}, "found the name '11' of table 0"),
    "tdl text": (changed(TDL, 6, b"mono/6t!"), {}, "found the name 'mono/6t!'"),
    "tdl 6 cells": (changed(TDL, 10, b"\6"), {}, "found the name '000001' of table 0"),
    "other field": (
        changed(TDL_TC, 1048, b"\2"),
        {},
        "found 2 after table 0, expected 0, or 4 and error sums",
    ),
    "other sums": (
        changed(TDL_TC, 1050, b"\1"),
        {},
        "found 513 as the number of error sums of table 0, expected 512",
    ),
    "sums of one": (
        changed(ONE_TC, 1, b"\2") + TDL[1050:2095],
        {},
        "found error sums of 1 of 2 tables, expected those",
    ),
    "patterns": (
        DEMO,
        {"patterns": "4x6"},
        r"found the patterns \(\(0, 1\), .* expected .* as told",
    ),
    "cell order": (TDL, {"patterns": ((0, 1), (5, 9), (15,))}, "as told"),
    "untold": (FRAMEWORK, {}, "does not say its patterns: tell them"),
    "fewer told": (
        FRAMEWORK,
        {"patterns": PATTERNS[:2]},
        "found 3 as the number of tables, expected 2",
    ),
    "other told": (
        PYTHON,
        {"patterns": ((0, 1), (9,), (15,))},
        "found 256 as the size of table 1, expected 16",
    ),
    "no pattern told": (FRAMEWORK, {"patterns": ()}, "at least one pattern"),
    "end": (
        FRAMEWORK,
        {"patterns": PATTERNS, "first_cell": "left"},
        'first_cell is "low" or "high", got \'left\'',
    ),
    "high": (DEMO, {"first_cell": "high"}, "demo file, where the first cell is the low one"),
    "values": (DEMO, {"values": "move"}, 'values is "afterstate" or "state", got \'move\''),
    "nan": (nan_at_end(DEMO), {}, "found nan as weight 15 of table 2, expected a finite number"),
    "infinite": (
        changed(PYTHON, 16, struct.pack("<f", -np.inf)),
        {"patterns": PATTERNS},
        "found -inf as weight 0 of",
    ),
    "nan sum": (nan_at_end(TDL_TC, 2), {}, "found nan as sum of .errors. 15 of table 2"),
    "negative sum": (
        changed(TDL_TC, len(TDL_TC) - 6, struct.pack("<f", -1)),
        {},
        "-1.0 as sum of .errors. 15 .* 0",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path, name):
    data, options, message = REFUSED[name]
    path = put(tmp_path, data)
    with pytest.raises(ValueError, match=message) as caught:
        foreign.load(NTupleNetwork, path, **options)
    assert str(path) in str(caught.value) or name in ("end", "no pattern told")


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no file .*missing"):
        foreign.load(NTupleNetwork, tmp_path / "missing")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        foreign.recognise(tmp_path)


def test_export_refuses_what_a_format_cannot_say(tmp_path):
    net = NTupleNetwork(PATTERNS)
    with pytest.raises(
        ValueError, match="one of demo, framework, framework-python, tdl2048, got 'onnx'"
    ):
        foreign.export(net, tmp_path / "x", "onnx")
    with pytest.raises(ValueError, match="from all 8 sides, this network from 1"):
        foreign.export(NTupleNetwork(PATTERNS, symmetries=1), tmp_path / "x", "demo")
    with pytest.raises(ValueError, match="merges tables of the same pattern"):
        foreign.export(NTupleNetwork(((0, 1), (0, 1))), tmp_path / "x", "tdl2048")
    with pytest.raises(FileNotFoundError, match="there is no folder .*nowhere to write x in"):
        foreign.export(net, tmp_path / "nowhere" / "x", "demo")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_export_leaves_the_file_that_was_there(tmp_path, monkeypatch):
    net, path = NTupleNetwork(PATTERNS), put(tmp_path, b"precious")
    net.plane_table(2)[-1] = np.nan
    with pytest.raises(ValueError, match="found nan as weight 15 of table 2"):
        foreign.export(net, path, "demo")
    monkeypatch.setattr(
        files.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": len(DEMO) - 1})
    )
    with pytest.raises(
        OSError, match=f"would take {len(DEMO):,} bytes, the disk has {len(DEMO) - 1:,} free"
    ):
        foreign.export(NTupleNetwork(PATTERNS), path, "demo")
    assert path.read_bytes() == b"precious" and list(tmp_path.iterdir()) == [path]
