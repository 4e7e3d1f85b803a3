"""A hash of values and of training, to compare processes by.

As a script it prints which bit code it used, and the hash.
"""

import hashlib

import numpy as np

import lib2048
from lib2048.fast.bits import FAST_BITS


def fingerprint():
    """Both kinds, both orders, coherence, one and eight images, one to six cells; 24 games."""
    digest = hashlib.sha256()
    for values in ("afterstate", "state"):
        for order in ("backward", "forward"):
            for symmetries, patterns in (
                (8, ((0, 1, 2, 4), (5, 6, 9))),
                (1, ((3, 2, 1, 0, 7, 11), (14,))),
            ):
                net = lib2048.NTupleNetwork(patterns, values, init=10.0, symmetries=symmetries)
                log = lib2048.train(net, 2, 0.5, order, p4=0.2, seed=7, progress=False)
                more = lib2048.train(net, 1, 0.5, order, coherence=True, seed=7, progress=False)
                trace = lib2048.play(net, seed=3)
                for array in (
                    net.weights,
                    net.errors,
                    log.scores,
                    more.moves,
                    trace.boards,
                    trace.values,
                ):
                    digest.update(np.ascontiguousarray(array))
    return digest.hexdigest()


if __name__ == "__main__":
    print("pext" if FAST_BITS else "portable", fingerprint())
