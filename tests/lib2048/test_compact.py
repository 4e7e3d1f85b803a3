"""Compact networks: the file, what rounding does to weights, and what it costs."""

import json
import random
import struct
import zlib

import numpy as np
import pytest

from lib2048 import NTupleNetwork, export, export_compact, formats, resume, train
from lib2048.compacting import measure_loss
from lib2048.formats import compact

PATTERNS = ((0, 1, 2), (4, 5, 8, 9), (15,))
RNG = np.random.default_rng(2048)


def random_network(patterns=PATTERNS, size=300.0, **options):
    """A network whose weights are no multiples of anything."""
    net = NTupleNetwork(patterns, **options)
    for k, pattern in enumerate(net.patterns):
        net.set_table_part(k, 0, RNG.normal(0, size, 16 ** len(pattern)))
    return net


def tables(net):
    return np.concatenate([net.table(k) for k in range(len(net.patterns))])


def rebuilt(data, change):
    """The bytes of a file whose description was changed, with the right checksum."""
    start = len(compact.MARK)
    version, length, _ = compact.NUMBERS.unpack_from(data, start)
    body = data[start + compact.NUMBERS.size :]
    about = json.loads(body[:length])
    words = json.dumps(change(about)).encode()
    body = words + body[length:]
    return compact.MARK + struct.pack("<III", version, len(words), zlib.crc32(body)) + body


@pytest.mark.parametrize("step", [None, 2.0**-4, 1.0, 16])
def test_weights_come_back_rounded_to_the_step(tmp_path, step):
    net = random_network(values="state", symmetries=1)
    net.p4 = 0.2
    train(net, 2, progress=False)
    export_compact(net, tmp_path / "net.bin", step, {"mean": 5})
    again, description = compact.read_compact(NTupleNetwork, tmp_path / "net.bin")
    used = description.step
    rounded = np.rint(tables(net) / used) * used
    assert np.array_equal(tables(again), rounded.astype(np.float32))
    if step is None:
        assert np.abs(rounded).max() <= 32767 * used < 2 * np.abs(rounded).max() + 2 * used
    else:
        assert used == step
    for name in ("patterns", "values", "symmetries", "p4", "games", "history"):
        assert getattr(again, name) == getattr(net, name) == getattr(description, name)
    assert description.strength == {"mean": 5}
    assert compact.read_description(tmp_path / "net.bin") == description


def test_what_is_rounded_already_comes_back_as_it_was(tmp_path):
    net = random_network()
    compact.export_compact(net, tmp_path / "one.bin", 0.5)
    once = NTupleNetwork.load(tmp_path / "one.bin")
    export_compact(once, tmp_path / "two.bin", 0.5)
    assert (tmp_path / "one.bin").read_bytes() == (tmp_path / "two.bin").read_bytes()
    assert compact.tables_checksum(net, 0.5) == compact.tables_checksum(once, 0.5)
    assert compact.tables_checksum(net, 0.25) != compact.tables_checksum(once, 0.25)


def test_a_table_of_several_pieces(tmp_path):
    net = NTupleNetwork(((0, 1, 2, 3, 4, 5),))
    at = [0, 1, 16**5 - 1, 16**5, 16**6 - 1]
    for index in at:
        net.set_table_part(0, index, [float(index % 1000) - 300])
    export_compact(net, tmp_path / "large.bin", 1)
    again = NTupleNetwork.load(tmp_path / "large.bin")
    assert np.array_equal(again.table(0), net.table(0))
    assert (tmp_path / "large.bin").stat().st_size < 100_000


def test_it_is_a_format_like_the_others(tmp_path):
    net = random_network()
    export(net, tmp_path / "net.bin", "compact")
    assert formats.recognise(tmp_path / "net.bin") == "compact"
    again = NTupleNetwork.load(tmp_path / "net.bin", patterns=PATTERNS, values="afterstate")
    assert np.abs(tables(again) - tables(net)).max() < 0.05
    for told in ({"patterns": "4x6"}, {"values": "state"}, {"symmetries": 1}):
        (name,) = told
        with pytest.raises(ValueError, match=f"net.bin: found {name} .* as told"):
            NTupleNetwork.load(tmp_path / "net.bin", **told)
    with pytest.raises(ValueError, match='first_cell="high"'):
        NTupleNetwork.load(tmp_path / "net.bin", first_cell="high")
    with pytest.raises(ValueError, match="not a checkpoint"):
        resume(tmp_path / "net.bin")


@pytest.mark.parametrize("step", [3, 0, -1.0, True, "1", None, float("nan"), float("inf")])
def test_a_step_is_a_power_of_two(step):
    with pytest.raises(ValueError, match="step is a power of two"):
        compact.check_compact_step(step)
    assert compact.check_compact_step(np.float32(0.25)) == 0.25


def test_weights_that_do_not_fit_are_refused(tmp_path):
    net = NTupleNetwork(((0, 1),))
    net.set_table_part(0, 7, [40_000.0])
    with pytest.raises(ValueError, match=r"40,000.0, .* larger step, such as 2.0"):
        export_compact(net, tmp_path / "net.bin", 1)
    net.set_table_part(0, 7, [np.nan])
    with pytest.raises(ValueError, match="nan"):
        export_compact(net, tmp_path / "net.bin")
    assert list(tmp_path.iterdir()) == []


def test_the_smallest_step_holds_the_largest_weight():
    for largest in (1.0, 32767.0, 32767.4, 32768.0, 1e-3, 5e5):
        net = NTupleNetwork(((0, 1),))
        net.set_table_part(0, 3, [-largest])
        step = compact.smallest_step(net)
        assert round(largest / step) <= 32767 and round(largest / (step / 2)) > 32767
    assert compact.smallest_step(NTupleNetwork(((0,),))) == 1


# Damaged files


def test_every_damaged_byte_is_noticed(tmp_path):
    net = random_network(((0, 1),))
    data = compact.compact_bytes(net, 1)
    rng = random.Random(1)
    for _ in range(300):
        damaged = bytearray(data)
        damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        (tmp_path / "net.bin").write_bytes(damaged)
        with pytest.raises(ValueError, match="net.bin"):
            NTupleNetwork.load(tmp_path / "net.bin")


@pytest.mark.parametrize("length", [0, 15, 16, 20, 28, 60, -1])
def test_a_file_that_was_cut_short(tmp_path, length):
    data = compact.compact_bytes(random_network(), 1)
    (tmp_path / "net.bin").write_bytes(data[:length])
    with pytest.raises(ValueError, match="net.bin"):
        NTupleNetwork.load(tmp_path / "net.bin")


@pytest.mark.parametrize(
    "name, value",
    [
        ("patterns", [[0, 1, 2, 3, 4, 5, 6, 7]]),  # 8 GB in so few bytes
        ("patterns", [[0, 1]]),
        ("patterns", [[0, 16]]),
        ("patterns", 5),
        ("values", "moves"),
        ("symmetries", 4),
        ("step", 3),
        ("p4", 2),
        ("games", -1),
        ("history", [1]),
        ("strength", "strong"),
        ("more", 1),
    ],
)
def test_a_description_that_does_not_fit(tmp_path, name, value):
    data = compact.compact_bytes(random_network(), 1)
    (tmp_path / "net.bin").write_bytes(rebuilt(data, lambda about: about | {name: value}))
    with pytest.raises(ValueError, match="net.bin, read as a compact network"):
        compact.read_compact(NTupleNetwork, tmp_path / "net.bin")
    (tmp_path / "same.bin").write_bytes(rebuilt(data, lambda about: about))
    compact.read_compact(NTupleNetwork, tmp_path / "same.bin")


# What it costs


def test_the_loss_is_measured_on_equal_games():
    net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5)))
    train(net, 1000, coherence=True, seed=1, progress=False)
    fine = measure_loss(net, 40, seed=3, progress=False)
    coarse = measure_loss(net, 40, step=1024, seed=3, progress=False)
    assert fine.before.scores.tolist() == coarse.before.scores.tolist()
    assert coarse.points == coarse.before.mean - coarse.after.mean
    assert coarse.points > 1000 + abs(fine.points), "steps of 1,024 points leave nothing of it"
    assert coarse.interval[0] < coarse.points < coarse.interval[1]
    assert coarse.nbytes < fine.nbytes
    assert "lost" in str(coarse)
    with pytest.raises(ValueError, match="of at least 2, got 1"):
        measure_loss(net, 1)
