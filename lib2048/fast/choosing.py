"""Choosing a move: what each action is worth, and the best of them.

An action is worth its reward plus what comes after it. A network of afterstate values knows the
latter directly: V(s'). A network of state values must look one step further, at every board that
may come up next:

    V(afterstate):  r + V(s')
    V(state):       r + mean over empty cells of (1 - p4) V(s' with a 2) + p4 V(s' with a 4)

A dead board is worth 0 in that mean, whatever its lookups say.
"""

import numpy as np

from lib2048.board import DOWN, UP, _count_bits
from lib2048.fast.bits import CELLS, _gather
from lib2048.fast.lookup import (
    F32,
    START,
    _images,
    _images_in_column,
    _images_of_four,
    _sum_of_eight,
    _value,
)
from lib2048.fast.planes import (
    _empty_in_planes,
    _is_dead_in_planes,
    _slide_all_ways,
)
from lib2048.kernels import kernel, uint64

ILLEGAL = F32(-np.inf)  # what an action is worth that moves nothing

# What comes after a move


@kernel(forceinline=True)
def _spawn_share(net, image, k, empty_cells, p4):
    """One lookup's part of the sum of V over all spawns, a 4 weighing p4, a 2 the rest (float32).

    A tile that appears outside the pattern leaves the index as it is. Inside, a 2 sets the cell's
    bit in plane 0 and a 4 the one in plane 1, so the new index is a sum, and nothing has to be
    gathered anew. That is why the mean is taken lookup by lookup, not board by board.
    """
    weights = net.weights
    plans = net.plans  # written out each time, it made choosing an action a tenth slower
    place = plans[k, START] + _gather(image, plans, k)
    empty_inside = _gather(_empty_in_planes(image), plans, k)
    empty_outside = empty_cells
    sum_of_twos = F32(0)
    sum_of_fours = F32(0)
    while empty_inside:
        two = empty_inside & (~empty_inside + uint64(1))
        sum_of_twos += weights[place + two]
        sum_of_fours += weights[place + (two << plans[k, CELLS])]
        empty_outside -= F32(1)
        empty_inside ^= two
    return empty_outside * weights[place] + ((F32(1) - p4) * sum_of_twos + p4 * sum_of_fours)


@kernel(forceinline=True)
def _mean_over_last_cell(net, planes, cell, p4):
    """The mean of V after a spawn in the only empty cell; the next board may be dead (float32)."""
    two = planes | cell
    four = planes | (cell << 16)
    after_two = F32(0) if _is_dead_in_planes(two) else _value(net, _images(two))
    after_four = F32(0) if _is_dead_in_planes(four) else _value(net, _images(four))
    return (F32(1) - p4) * after_two + p4 * after_four


@kernel(forceinline=True)
def _mean_over_spawns(net, planes, images, p4):
    """The mean of V over the boards that may follow an afterstate (float32).

    It is long, and still takes the place of its four calls, as the mean over the last cell does in
    it: called instead, they made learning V(state) a third slower.

    Only where a single cell is empty may the next board be dead: with two empty cells, a tile can
    move into the other.
    """
    empty = _empty_in_planes(planes)
    if empty & (empty - uint64(1)) == uint64(0):
        return _mean_over_last_cell(net, planes, empty, p4)
    empty_cells = F32(_count_bits(empty))
    total = F32(0)
    for k in range(len(net.plans)):
        if net.symmetries == 1:
            total += _spawn_share(net, images[0], k, empty_cells, p4)
        else:
            total += _sum_of_eight(
                (
                    _spawn_share(net, images[0], k, empty_cells, p4),
                    _spawn_share(net, images[1], k, empty_cells, p4),
                    _spawn_share(net, images[2], k, empty_cells, p4),
                    _spawn_share(net, images[3], k, empty_cells, p4),
                    _spawn_share(net, images[4], k, empty_cells, p4),
                    _spawn_share(net, images[5], k, empty_cells, p4),
                    _spawn_share(net, images[6], k, empty_cells, p4),
                    _spawn_share(net, images[7], k, empty_cells, p4),
                )
            )
    return total / empty_cells


@kernel(forceinline=True)
def _worth_after(net, afterstate, images, p4):
    """What comes after the reward: V(s'), or the mean of V over what may follow (float32)."""
    if net.state_values:
        return _mean_over_spawns(net, afterstate, images, p4)
    return _value(net, images)


# The four actions


@kernel(forceinline=True)
def _worth(net, planes, afterstate, images, reward, p4):
    """What an action is worth that leads from `planes` to `afterstate` (float32)."""
    if afterstate == planes:
        return ILLEGAL
    return F32(reward) + _worth_after(net, afterstate, images, p4)


@kernel(forceinline=True)
def _outcomes(net, planes, p4):
    """The four afterstates and what each action is worth, in the order up, right, down, left.

    Returns (afterstates, worths, reward of up or down, reward of right or left).
    """
    up, right, down, left, reward_along, reward_across = _slide_all_ways(planes)
    images = net.image_buffer
    _images_of_four(up, right, down, left, images)
    worths = (
        _worth(net, planes, up, _images_in_column(images, 0), reward_along, p4),
        _worth(net, planes, right, _images_in_column(images, 1), reward_across, p4),
        _worth(net, planes, down, _images_in_column(images, 2), reward_along, p4),
        _worth(net, planes, left, _images_in_column(images, 3), reward_across, p4),
    )
    return (up, right, down, left), worths, reward_along, reward_across


@kernel(forceinline=True)
def _choose(net, planes, p4):
    """The best action, as (action, afterstate, reward, worth).

    Of equally good actions it is the lowest. On a dead board it is -1.

    Two semi-finals and a final, written as selections, not branches: which action is best is what a
    processor cannot guess, and a wrong guess costs it more than all the comparisons.
    """
    afterstates, worths, reward_along, reward_across = _outcomes(net, planes, p4)
    up, right, down, left = afterstates
    worth_up, worth_right, worth_down, worth_left = worths

    right_beats_up = worth_right > worth_up
    first_worth = worth_right if right_beats_up else worth_up
    first_afterstate = right if right_beats_up else up
    left_beats_down = worth_left > worth_down
    second_worth = worth_left if left_beats_down else worth_down
    second_afterstate = left if left_beats_down else down

    second_beats_first = second_worth > first_worth
    worth = second_worth if second_beats_first else first_worth
    afterstate = second_afterstate if second_beats_first else first_afterstate
    across = left_beats_down if second_beats_first else right_beats_up
    reward = reward_across if across else reward_along
    action = (DOWN if second_beats_first else UP) + (1 if across else 0)
    if worth == ILLEGAL:
        action = -1
    return action, afterstate, reward, worth
