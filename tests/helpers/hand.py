"""What the cases worked out by hand share: naive.py and lib2048 behind the same calls.

All numbers are small binary fractions wherever that was possible, so float32 holds them exactly.
"""

import naive
import numpy as np
import pytest

import lib2048


class Naive:
    """The slow twins behind the calls that the cases use; boards are 64-bit integers."""

    def slide(self, board, action):
        after, reward = naive.slide(naive.to_cells(board), action)
        return naive.to_board(after), reward

    def legal_actions(self, board):
        return naive.legal_actions(naive.to_cells(board))

    def network(self, patterns, values="afterstate", init=0.0, symmetries=8):
        return naive.Network(patterns, values, init, symmetries)

    def index(self, net, k, board):
        return naive.index(naive.to_cells(board), net.patterns[k])

    def value(self, net, board):
        return net.value(naive.to_cells(board))

    def update(self, net, board, delta):
        return net.update(naive.to_cells(board), delta)

    def best_action(self, net, board, plies=1, p4=0.1):
        return naive.expectimax(net, naive.to_cells(board), plies, p4)

    def learn(self, net, boards, actions, rewards, alpha, order, coherence=False):
        steps = naive.episode([naive.to_cells(board) for board in boards], actions)
        assert [step.r for step in steps] == rewards
        net.coherence = coherence
        naive.learn(net, steps, alpha, order)


class Library:
    """lib2048 behind the same calls."""

    def slide(self, board, action):
        return lib2048.slide(board, action)

    def legal_actions(self, board):
        return lib2048.legal_actions(board)

    def network(self, patterns, values="afterstate", init=0.0, symmetries=8):
        return lib2048.NTupleNetwork(patterns, values=values, init=init, symmetries=symmetries)

    def index(self, net, k, board):
        return net.index(k, board)

    def value(self, net, board):
        return net.value(board)

    def update(self, net, board, delta):
        return net.update(board, delta)

    def best_action(self, net, board, plies=1, p4=0.1):
        return lib2048.best_action(net, board, plies=plies, p4=p4)

    def learn(self, net, boards, actions, rewards, alpha, order, coherence=False):
        lib2048.learn_episode(
            net,
            np.array(boards, np.uint64),
            np.array(actions, np.uint8),
            np.array(rewards, np.int32),
            alpha,
            order,
            coherence=coherence,
        )


BOTH = [pytest.param(Naive(), id="naive"), pytest.param(Library(), id="lib2048")]


def close(number):
    """Equal up to float32 rounding."""
    return pytest.approx(number, rel=1e-6, abs=1e-6, nan_ok=True)


def board(*rows):
    """4x4 exponents -> 64-bit board."""
    return naive.to_board(naive.flat(rows))


def weights(net, k, exponents):
    """Weights of a one-cell pattern at these exponents."""
    return [float(net.table(k)[exponent]) for exponent in exponents]
