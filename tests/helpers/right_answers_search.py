"""Right answers about measuring, the second game, and the Python course."""

import bisect
import math
from fractions import Fraction

import numpy as np
from planting import right

# win_rate


@right("win_rate")
def win_rate_by_counting(max_tiles, tile):
    reached = 0
    for largest in max_tiles:
        if largest >= tile:
            reached += 1
    return reached / len(max_tiles)


@right("win_rate")
def win_rate_by_mean(max_tiles, tile):
    return np.mean(max_tiles >= tile)


@right("win_rate")
def win_rate_by_sum(max_tiles, tile):
    return sum(one >= tile for one in max_tiles) / len(max_tiles)


@right("win_rate")
def win_rate_by_filter(max_tiles, tile):
    winners = [one for one in max_tiles if one >= tile]
    return len(winners) / len(max_tiles)


@right("win_rate")
def win_rate_of_losers(max_tiles, tile):
    return 1 - float((max_tiles < tile).sum()) / len(max_tiles)


# get_action


@right("get_action")
def get_action_by_logarithms(state, score, choose):
    board = [[int(math.log2(tile)) if tile > 0 else 0 for tile in row] for row in state]
    return [0, 3, 1, 2][choose(board)]


@right("get_action")
def get_action_by_arrays(state, score, choose):
    board = np.zeros((4, 4), dtype=int)
    board[state > 0] = np.log2(state[state > 0]).astype(int)
    return {0: 0, 1: 3, 2: 1, 3: 2}[choose(board)]


@right("get_action")
def get_action_by_halving(state, score, choose):
    def exponent(tile):
        count = 0
        while tile > 1:
            tile //= 2
            count += 1
        return count

    names = ["up", "right", "down", "left"]
    course = ["up", "down", "left", "right"]
    action = choose([[exponent(int(tile)) for tile in row] for row in state])
    return course.index(names[action])


@right("get_action")
def get_action_by_bit_length(state, score, choose):
    rows = []
    for row in state.tolist():
        rows.append(tuple(max(tile.bit_length() - 1, 0) for tile in row))
    action = choose(tuple(rows))
    if action == 1:
        return 3
    if action == 2:
        return 1
    if action == 3:
        return 2
    return 0


@right("get_action")
def get_action_by_a_table(state, score, choose):
    exponents = {0: 0}
    for exponent in range(1, 18):
        exponents[2**exponent] = exponent
    board = [[exponents[int(tile)] for tile in row] for row in state]
    return np.array([0, 3, 1, 2])[choose(board)]


# movable


@right("movable")
def movable_by_neighbours(cubes, die):
    if die in cubes:
        return [die]
    lower = [cube for cube in cubes if cube < die]
    higher = [cube for cube in cubes if cube > die]
    return lower[-1:] + higher[:1]


@right("movable")
def movable_by_walking(cubes, die):
    """Step away from the die in both directions until a cube is met."""
    if die in cubes:
        return [die]
    found = []
    for step in (-1, 1):
        cube = die + step
        while 0 <= cube <= 5:
            if cube in cubes:
                found.append(cube)
                break
            cube += step
    return found


@right("movable")
def movable_by_min_and_max(cubes, die):
    lower = max([cube for cube in cubes if cube < die], default=None)
    higher = min([cube for cube in cubes if cube > die], default=None)
    if die in cubes:
        return (die,)
    return tuple(cube for cube in (lower, higher) if cube is not None)


@right("movable")
def movable_by_bisection(cubes, die):
    place = bisect.bisect_left(cubes, die)
    if place < len(cubes) and cubes[place] == die:
        return [die]
    return cubes[max(0, place - 1) : place + 1]


@right("movable")
def movable_by_arrays(cubes, die):
    cubes = np.array(cubes)
    if (cubes == die).any():
        return np.array([die])
    return np.concatenate([cubes[cubes < die][-1:], cubes[cubes > die][:1]])


# ucb1


@right("ucb1")
def ucb1_by_math(mean, n, total, c):
    if n == 0:
        return math.inf
    return mean + c * math.sqrt(math.log(total) / n)


@right("ucb1")
def ucb1_by_numpy(mean, n, total, c):
    return mean + c * np.sqrt(np.log(total) / n) if n > 0 else np.inf


@right("ucb1")
def ucb1_by_powers(mean, n, total, c):
    if not n:
        return float("inf")
    return c * (math.log(total) / n) ** 0.5 + mean


@right("ucb1")
def ucb1_by_roots(mean, n, total, c):
    if n < 1:
        return float("infinity")
    exploration = c * math.sqrt(math.log(total)) / math.sqrt(n)
    return mean + exploration


@right("ucb1")
def ucb1_with_try(mean, n, total, c):
    try:
        return mean + c * math.sqrt(math.log(total) / n)
    except ZeroDivisionError:
        return math.inf


# tuned


@right("tuned")
def tuned_in_steps(mean, variance, n, total, c, c1, c2):
    L = math.log(total) / n
    cap = min(variance + c1 * math.sqrt(L), c2)
    return mean + c * math.sqrt(L * cap)


@right("tuned")
def tuned_in_one_line(mean, variance, n, total, c, c1, c2):
    return mean + c * math.sqrt(
        math.log(total) / n * min(variance + c1 * math.sqrt(math.log(total) / n), c2)
    )


@right("tuned")
def tuned_by_numpy(mean, variance, n, total, c, c1, c2):
    ratio = np.log(total) / n
    return mean + c * np.sqrt(ratio * np.minimum(variance + c1 * np.sqrt(ratio), c2))


@right("tuned")
def tuned_with_if(mean, variance, n, total, c, c1, c2):
    spread = math.sqrt(math.log(total) / n)
    bound = variance + c1 * spread
    if bound > c2:
        bound = c2
    return mean + c * spread * math.sqrt(bound)


@right("tuned")
def tuned_by_powers(mean, variance, n, total, c, c1, c2):
    L = math.log(total) / n
    return c * (L * sorted([variance + c1 * L**0.5, c2])[0]) ** 0.5 + mean


# mcts_backup


@right("mcts_backup")
def mcts_backup_on_copies(ns, totals, visit, total):
    ns = list(ns)
    totals = list(totals)
    for level in range(len(ns) - 1, -1, -1):
        ns[level] += visit
        totals[level] += total
        total = visit - total
    return ns, totals


@right("mcts_backup")
def mcts_backup_in_place(ns, totals, visit, total):
    for level in reversed(range(len(ns))):
        ns[level] = ns[level] + visit
        totals[level] = totals[level] + total
        total = visit - total
    return ns, totals


@right("mcts_backup")
def mcts_backup_by_parity(ns, totals, visit, total):
    leaf = len(ns) - 1
    new_totals = []
    for level, old in enumerate(totals):
        same_side = (leaf - level) % 2 == 0
        new_totals.append(old + (total if same_side else visit - total))
    return [n + visit for n in ns], new_totals


@right("mcts_backup")
def mcts_backup_by_arrays(ns, totals, visit, total):
    brought = np.full(len(ns), float(total))
    brought[-2::-2] = visit - total
    return np.array(ns) + visit, np.array(totals) + brought


@right("mcts_backup")
def mcts_backup_by_recursion(ns, totals, visit, total):
    if not ns:
        return [], []
    above_ns, above_totals = mcts_backup_by_recursion(ns[:-1], totals[:-1], visit, visit - total)
    return [*above_ns, ns[-1] + visit], [*above_totals, totals[-1] + total]


@right("win_rate")
def win_rate_as_a_fraction(max_tiles, tile):
    return Fraction(int(sum(max_tiles >= tile)), len(max_tiles))
