"""Choosing a move: what each action is worth, and the best of them.

An action is worth its reward plus what comes after it. A network of afterstate values knows the latter directly:
V(s'). A network of state values must look one step further, at every board that may come up next:

    V(afterstate):  r + V(s')
    V(state):       r + mean over the empty cells of (1 - p4) V(s' with a 2 there) + p4 V(s' with a 4 there)

A dead board is worth 0 in that mean, whatever its lookups say.
"""

import numpy as np

from lib2048.board import _count_bits
from lib2048.fast.lookup import (
    AFTERSTATE,
    CELLS,
    F32,
    START,
    _column,
    _images,
    _images_of_four,
    _value,
)
from lib2048.fast.planes import _empty, _is_stuck, _planes, _slides
from lib2048.kernels import U, _gather, kernel

NOTHING = F32(-np.inf)  # what an illegal action is worth


@kernel(forceinline=True)
def _spawn_share(net, planes, k, empty_cells, p4):
    """One lookup's part of the sum of V over all spawns, a 2 weighing 1 - p4 and a 4 weighing p4 (float32).

    A tile that appears outside the pattern leaves the index as it is. Inside, a 2 sets the cell's bit in plane 0 and
    a 4 the one in plane 1, so the new index is a sum, and nothing has to be gathered anew.
    """
    weights, plans = net.weights, net.plans
    place = plans[k, START] + _gather(planes, plans, k)
    empty = _gather(_empty(planes), plans, k)
    outside, twos, fours = empty_cells, F32(0), F32(0)
    while empty:
        two = empty & (~empty + U(1))
        twos += weights[place + two]
        fours += weights[place + (two << plans[k, CELLS])]
        outside -= F32(1)
        empty ^= two
    return outside * weights[place] + ((F32(1) - p4) * twos + p4 * fours)


@kernel()
def _mean_over_last_cell(net, planes, cell, p4):
    """The mean of V after a spawn in the only empty cell, where the next board may be dead (float32)."""
    two, four = planes | cell, planes | (cell << U(16))
    after_two = F32(0) if _is_stuck(two) else _value(net, _images(two))
    after_four = F32(0) if _is_stuck(four) else _value(net, _images(four))
    return (F32(1) - p4) * after_two + p4 * after_four


@kernel()
def _mean_over_spawns(net, planes, images, p4):
    """The mean of V over the boards that may follow an afterstate (float32)."""
    empty = _empty(planes)
    if empty & (empty - U(1)) == U(0):
        return _mean_over_last_cell(net, planes, empty, p4)
    cells = F32(_count_bits(empty))
    a, b, c, d, e, f, g, h = images
    total = F32(0)
    for k in range(len(net.plans)):
        if net.images == 1:
            total += _spawn_share(net, a, k, cells, p4)
        else:
            ab = _spawn_share(net, a, k, cells, p4) + _spawn_share(net, b, k, cells, p4)
            cd = _spawn_share(net, c, k, cells, p4) + _spawn_share(net, d, k, cells, p4)
            ef = _spawn_share(net, e, k, cells, p4) + _spawn_share(net, f, k, cells, p4)
            gh = _spawn_share(net, g, k, cells, p4) + _spawn_share(net, h, k, cells, p4)
            total += (ab + cd) + (ef + gh)
    return total / cells


@kernel(forceinline=True)
def _worth(net, planes, images, p4):
    """What comes after an action, as the network sees it (float32)."""
    if net.kind == AFTERSTATE:
        return _value(net, images)
    return _mean_over_spawns(net, planes, images, p4)


@kernel(forceinline=True)
def _outcomes(net, planes, p4):
    """The four afterstates and what each action is worth, in the order up, right, down, left.

    Returns (afterstates, worths, reward of up or down, reward of right or left); the images of the afterstates are
    left in net.room, one column each.
    """
    up, right, down, left, along, across = _slides(planes)
    _images_of_four(up, right, down, left, net.room)
    of_up, of_right, of_down, of_left = NOTHING, NOTHING, NOTHING, NOTHING
    if up != planes:
        of_up = F32(along) + _worth(net, up, _column(net.room, 0), p4)
    if right != planes:
        of_right = F32(across) + _worth(net, right, _column(net.room, 1), p4)
    if down != planes:
        of_down = F32(along) + _worth(net, down, _column(net.room, 2), p4)
    if left != planes:
        of_left = F32(across) + _worth(net, left, _column(net.room, 3), p4)
    return (up, right, down, left), (of_up, of_right, of_down, of_left), along, across


@kernel(forceinline=True)
def _choose(net, planes, p4):
    """The best action: (action, afterstate, reward, worth). Action -1 for a dead board; of equals the lowest action.

    Written as selections, not branches: which action is best is what a processor cannot guess.
    """
    (up, right, down, left), (of_up, of_right, of_down, of_left), along, across = _outcomes(
        net, planes, p4
    )
    first, second = of_right > of_up, of_left > of_down
    high, low = (of_right if first else of_up), (of_left if second else of_down)
    last = low > high
    worth = low if last else high
    sideways = second if last else first
    afterstate = (left if second else down) if last else (right if first else up)
    action = (2 if last else 0) + (1 if sideways else 0)
    if worth == NOTHING:
        action = -1
    return action, afterstate, (across if sideways else along), worth


@kernel()
def _action_values(net, board, p4):
    """What the four actions are worth on a board (float32 tuple), nan where nothing moves."""
    _, worths, _, _ = _outcomes(net, _planes(board), p4)
    up, right, down, left = worths
    nan = F32(np.nan)
    return (
        nan if up == NOTHING else up,
        nan if right == NOTHING else right,
        nan if down == NOTHING else down,
        nan if left == NOTHING else left,
    )
