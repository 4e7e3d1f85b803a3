"""Damaged files of every kind: each is read, or refused with a ValueError that names it.

No crash, no other exception, and no more memory taken than the file accounts for.
"""

import io
import json
import random
import struct
import tracemalloc
import zipfile
from typing import NamedTuple

import naive
import numpy as np
import pytest
from test_formats import (
    DEMO,
    FRAMEWORK,
    KINDS,
    PATTERNS,
    PYTHON,
    SUMS,
    TABLES,
    TDL,
    TDL_TC,
    changed,
    put,
    told,
)

from lib2048 import NTupleNetwork, formats, read_episodes, resume, train
from lib2048.saving import load_checkpoint

EXTREMES = [
    0,
    1,
    4,
    15,
    16,
    17,
    255,
    256,
    512,
    2**16,
    2**24,
    2**31 - 1,
    2**31,
    2**32,
    2**60,
    2**63,
    2**64 - 1,
]

# What may stand in JSON in place of something else.
ODDITIES = [None, True, -1, 0, 2**63, 1e400, "", "x", [], [[]], {}, [[0, 16]], [[0, 1]] * 3, -0.5]


# Damage to bytes


def replace_a_byte(rng, data, at):
    data[at : at + 1] = bytes([rng.randrange(256)])


def flip_a_bit(rng, data, at):
    byte = (data[at : at + 1] or b"\0")[0]
    data[at : at + 1] = bytes([byte ^ 1 << rng.randrange(8)])


def write_a_number(rng, data, at):
    width = rng.choice((2, 4, 8))
    data[at : at + width] = (rng.choice(EXTREMES) % 256**width).to_bytes(width, "little")


def write_a_float(rng, data, at):
    data[at : at + 4] = struct.pack("<f", rng.choice((np.nan, np.inf, -1.0, 3e38)))


def cut_out(rng, data, at):
    del data[at : at + rng.randrange(1, 40)]


def cut_off(rng, data, at):
    del data[at:]


def insert_anything(rng, data, at):
    data[at:at] = rng.randbytes(rng.randrange(1, 40))


def repeat_a_part(rng, data, at):
    data[at:at] = data[at : at + rng.randrange(1, 200)]


DAMAGE = [
    replace_a_byte,
    flip_a_bit,
    write_a_number,
    write_a_float,
    cut_out,
    cut_off,
    insert_anything,
    repeat_a_part,
]


def damaged(rng, data):
    """The bytes with one to three things wrong, mostly near the front, where the headers are."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = int(len(data) * rng.random() ** rng.choice((1, 4)))
        rng.choice(DAMAGE)(rng, data, at)
    return bytes(data)


# Damage inside an archive, where its checksums do not see it


def damaged_inside(rng, data):
    """An archive in which one member is damaged, or the description says something odd."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(list(members))
    if name == "about.npy" and rng.random() < 0.8:
        members[name] = with_an_oddity(rng, members[name])
    else:
        members[name] = damaged(rng, members[name])
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def with_an_oddity(rng, member):
    """The description of a file with something odd in one place."""
    about = json.loads(np.load(io.BytesIO(member)).tobytes())
    place = about
    while True:
        key = rng.choice(list(place))
        if not isinstance(place[key], dict) or not place[key] or rng.random() < 0.2:
            break
        place = place[key]
    if rng.random() < 0.2:
        del place[key]
    else:
        place[key] = rng.choice(ODDITIES)
    file = io.BytesIO()
    np.save(file, np.frombuffer(json.dumps(about).encode(), np.uint8))
    return file.getvalue()


def damaged_archive(rng, data):
    """An archive damaged on the outside or, mostly, inside."""
    if rng.random() < 0.3:
        return damaged(rng, data)
    return damaged_inside(rng, data)


# Nine kinds of files


class Made:
    """Makes networks and keeps them, so that their memory can be looked at."""

    def __init__(self):
        self.networks = []

    def __call__(self, *arguments):
        self.networks.append(NTupleNetwork(*arguments))
        return self.networks[-1]

    def nbytes(self):
        return sum(net.weights.nbytes + net.errors.nbytes for net in self.networks)


def read_network(path, rng, make):
    net = formats.load(make, path)
    assert_network_is_whole(net)


def read_framework_network(path, rng, make):
    net = formats.load(make, path, PATTERNS, None, rng.choice(("low", "high")))
    assert_network_is_whole(net)


def read_native_network(path, rng, make):
    net = NTupleNetwork.load(path)
    make.networks.append(net)
    assert_network_is_whole(net)
    assert (np.abs(net.errors[:, 0]) <= net.errors[:, 1]).all()
    net.save(path.with_name("again"))  # what can be read can be written
    assert np.array_equal(NTupleNetwork.load(path.with_name("again")).weights, net.weights)


def read_checkpoint(path, rng, make):
    net, plan, log = load_checkpoint(make, path)
    assert_network_is_whole(net)
    assert len(log.scores) == len(log.moves) == len(log.max_tiles) <= plan.games
    assert len(log.means) >= 0


def read_games(path, rng, make):
    for trace in read_episodes(path):
        assert trace.score >= 0


def assert_network_is_whole(net):
    assert np.isfinite(net.weights).all()
    assert np.isfinite(net.errors).all()
    assert 0 <= net.games < 2**63
    assert 0 <= net.p4 <= 1


def native_bytes(folder):
    """A network and a checkpoint of lib2048, with error sums."""
    net = NTupleNetwork(PATTERNS)
    train(net, 4, progress=False, coherence=True, checkpoint=folder / "run", every=2)
    net.save(folder / "net")
    return (folder / "net").read_bytes(), (folder / "run").read_bytes()


class Kind(NamedTuple):
    """Whole files of one kind, how they are damaged and read, and what memory they account for."""

    files: list[bytes]
    damage: object
    read: object
    memory: float  # bytes of a network for each byte of a file, at most


@pytest.fixture(scope="module")
def kinds(tmp_path_factory):
    network, checkpoint = native_bytes(tmp_path_factory.mktemp("native"))
    names = [naive.tdl2048_bytes(PATTERNS, TABLES, naming=naming) for naming in ("old", "text")]
    marked = [naive.tdl2048_bytes(PATTERNS, TABLES, sums, marked=True) for sums in (None, SUMS)]
    games = [naive.random_game(random.Random(seed)) for seed in range(3)]
    lines = [naive.format_episode(boards, actions) for boards, actions, _ in games]
    # A native file has a bit for a weight, which takes 4 bytes here, and 12 with its error sums.
    return {
        "demo": Kind([DEMO], damaged, read_network, 1),
        "framework": Kind([FRAMEWORK], damaged, read_framework_network, 1),
        "framework-python": Kind([PYTHON], damaged, read_framework_network, 1),
        "tdl2048": Kind([TDL], damaged, read_network, 1),
        "tdl2048 with sums": Kind([TDL_TC], damaged, read_network, 1),
        "tdl2048 of other versions": Kind([*names, *marked], damaged, read_network, 1),
        "native": Kind([network], damaged_archive, read_native_network, 12 * 8),
        "checkpoint": Kind([checkpoint], damaged_archive, read_checkpoint, 12 * 8),
        "episodes": Kind(["\n".join(lines).encode()], damaged, read_games, 1),
    }


KIND_NAMES = [
    "demo",
    "framework",
    "framework-python",
    "tdl2048",
    "tdl2048 with sums",
    "tdl2048 of other versions",
    "native",
    "checkpoint",
    "episodes",
]


def read_damaged_files(folder, kind, rng, count):
    """How many of so many damaged files are read, and how many refused."""
    outcomes = {"read": 0, "refused": 0}
    for _ in range(count):
        data = kind.damage(rng, rng.choice(kind.files))
        path = put(folder, data)
        make = Made()
        try:
            kind.read(path, rng, make)
            outcomes["read"] += 1
        except ValueError as error:
            assert str(path) in str(error)
            outcomes["refused"] += 1
        assert make.nbytes() <= kind.memory * len(data)
    return outcomes


@pytest.mark.parametrize("name", KIND_NAMES)
def test_damaged_files(tmp_path, kinds, name):
    outcomes = read_damaged_files(tmp_path, kinds[name], random.Random(name), 400)
    assert outcomes["read"] > 4
    assert outcomes["refused"] > 100


@pytest.mark.long
@pytest.mark.parametrize("name", KIND_NAMES)
def test_many_damaged_files(tmp_path, kinds, name):
    """50,000 of all kinds together, and no memory is lost on the way."""
    rng = random.Random(name + " again")
    read_damaged_files(tmp_path, kinds[name], rng, 200)
    tracemalloc.start()
    try:
        read_damaged_files(tmp_path, kinds[name], rng, 200)
        before, _ = tracemalloc.get_traced_memory()
        read_damaged_files(tmp_path, kinds[name], rng, 5200)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 1_000_000


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_headers_take_no_memory(tmp_path, kind):
    """Every number of every header, one after another, as large as can be."""
    data = KINDS[kind]
    for at in [*range(60), *range(1030, 1120)]:
        for size in (2**16, 2**28, 2**31 - 1, 2**32, 2**60, 2**64 - 1):
            path = put(tmp_path, changed(data, at, struct.pack("<Q", size)))
            tracemalloc.start()
            try:
                NTupleNetwork.load(path, told(data))
            except ValueError:
                pass
            finally:
                _, peak = tracemalloc.get_traced_memory()
                tracemalloc.stop()
            assert peak < 100_000


def test_a_whole_checkpoint_can_be_resumed(tmp_path):
    """The checkpoint that is damaged above is a good one."""
    native_bytes(tmp_path)
    net, log = resume(tmp_path / "run", progress=False)
    assert net.games == len(log.scores) == 4
