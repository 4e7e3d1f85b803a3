"""Damaged files of other programs: refused with a ValueError, and no more memory taken than the file is long."""

import random
import struct
import tracemalloc

import naive
import numpy as np
import pytest
from test_formats import (
    DEMO,
    FRAMEWORK,
    KINDS,
    PATTERNS,
    PYTHON,
    TABLES,
    TDL,
    TDL_TC,
    changed,
    put,
    told,
)

from lib2048 import NTupleNetwork, formats

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


def mutated(rng, data):
    """The bytes with one to three things wrong; most of the damage near the front, where the headers are."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = int(len(data) * rng.random() ** rng.choice((1, 4)))
        how = rng.randrange(7)
        if how == 0:
            data[at : at + 1] = bytes([rng.randrange(256)])
        elif how == 1:
            data[at : at + 1] = bytes([(data[at : at + 1] or b"\0")[0] ^ 1 << rng.randrange(8)])
        elif how == 2:
            width = rng.choice((2, 4, 8))
            data[at : at + width] = (rng.choice(EXTREMES) % 256**width).to_bytes(width, "little")
        elif how == 3:
            del data[at : at + rng.randrange(1, 40)]
        elif how == 4:
            data[at:at] = rng.randbytes(rng.randrange(1, 40))
        elif how == 5:
            data[at:at] = data[at : at + rng.randrange(1, 200)]
        else:
            data[at : at + 4] = struct.pack("<f", rng.choice((np.nan, np.inf, -1.0, 3e38)))
    return bytes(data)


@pytest.mark.parametrize("seed", range(4))
def test_fuzz(tmp_path, seed):
    """2,500 damaged files a seed: read, or refused with a ValueError before more memory is taken than the file has."""
    rng, made, outcomes = random.Random(seed), [], {"read": 0, "refused": 0}
    old, text = (naive.tdl2048_bytes(PATTERNS, TABLES, naming=naming) for naming in ("old", "text"))

    def make(*arguments):
        made.append(NTupleNetwork(*arguments))
        return made[-1]

    for _ in range(2500):
        source = rng.choice((DEMO, FRAMEWORK, PYTHON, TDL, TDL_TC, old, text))
        data = mutated(rng, source)
        path = put(tmp_path, data)
        made.clear()
        try:
            net = formats.load(
                make,
                path,
                told(source),
                None,
                rng.choice(("low", "high")) if told(source) else "low",
            )
            assert (
                net is made[0] and np.isfinite(net.weights).all() and np.isfinite(net.errors).all()
            )
            outcomes["read"] += 1
        except ValueError as error:
            assert str(path) in str(error)
            outcomes["refused"] += 1
        assert sum(net.weights.nbytes + net.errors.nbytes for net in made) < len(data)
    assert outcomes["read"] > 100 and outcomes["refused"] > 1000, outcomes


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_headers_take_no_memory(tmp_path, kind):
    """Every number of every header, one after another, as large as can be."""
    data = KINDS[kind]
    for at in [*range(60), *range(1030, 1120)]:
        for size in (2**16, 2**28, 2**31 - 1, 2**32, 2**60, 2**64 - 1):
            path = put(tmp_path, changed(data, at, struct.pack("<Q", size)))
            tracemalloc.start()
            try:
                formats.load(NTupleNetwork, path, told(data))
            except ValueError:
                pass
            finally:
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
            assert peak < 100_000
