"""Right answers to the exercises: RIGHT[NAME] are functions that `check.NAME` must accept.

`run` asks it.

They come from the slow twins, from lib2048, and from the wrong answers with no fault switched on.
"""

import functools
import math

import naive
import numpy as np
import pytest
import wrong_answers
import wrong_answers_learning as learning

import lib2048
from workbook import check


@pytest.fixture
def run(capsys):
    """run(name, fn) -> (verdict, what was printed)."""

    def run(name, fn):
        capsys.readouterr()
        assert getattr(check, name)(fn) is None, "a notebook would show what a check returns"
        out, err = capsys.readouterr()
        assert err == ""
        marks = (f"✓ {name}: right in all ", f"✗ {name}: wrong in case ", f"… {name}: not written")
        assert out.startswith(marks), out
        return out.startswith("✓"), out

    return run


# Right answers, from the slow twins


def flat(board):
    return [int(e) for e in naive.flat(board)]


def slide(board, action):
    after, reward = naive.slide(flat(board), action)
    return naive.to_rows(after), reward


def lookups(board, patterns):
    return [
        (k, naive.index(image, p))
        for image in naive.symmetries(flat(board))
        for k, p in enumerate(patterns)
    ]


def estimate(board, patterns, tables):
    return math.fsum(tables[k][i] for k, i in lookups(board, patterns))


def update(board, patterns, tables, delta):
    for k, i in lookups(board, patterns):
        tables[k][i] += delta / (8 * len(patterns))
    return estimate(board, patterns, tables)


def spawn_mean(after, value, p4):
    return naive.mean_over_spawns(flat(after), p4, lambda cells: value(naive.to_rows(cells)))


def best(board, worth):
    moves = [slide(board, action) for action in range(4)]
    return naive.best([r + worth(after) if r >= 0 else math.nan for after, r in moves])[0]


def td0(V, s, r, s_next, alpha):
    V[s] += alpha * (r + (0 if s_next is None else V[s_next]) - V[s])


class Network:
    """What naive's rules ask of a network."""

    def __init__(self, value, update):
        self.value, self.update = value, update


def by_naive(rule):
    def learn(path, value, update, alpha):
        rule(Network(value, update), [naive.Step(*step) for step in path], alpha)

    return learn


def bare_state(path, value, update, alpha):
    """With float32 numbers, boards as tuples, and V of the following state read again."""
    for t in range(len(path) - 1, -1, -1):
        s, _, r, _ = path[t]
        following = value(np.array(path[t + 1][0])) if t + 1 < len(path) else np.float32(0)
        update(tuple(map(tuple, s)), np.float32(alpha * (r + following - value(s))))


RIGHT = {
    "slide_left": [naive.slide_row_left],
    "slide": [slide],
    "symmetries": [lambda b: [naive.to_rows(image) for image in naive.symmetries(flat(b))]],
    "index": [
        lambda b, p: naive.index(flat(b), p),
        lambda b, p: np.uint32(naive.index(flat(b), p)),
    ],
    "estimate": [estimate],
    "update": [update],
    "spawn_mean": [spawn_mean],
    "select_afterstate": [best],
    "select_state": [lambda b, value, p4: best(b, lambda after: spawn_mean(after, value, p4))],
    "td0": [
        td0,
        lambda V, s, r, n, a: V.update({s: np.float32(V[s] + a * (r + V.get(n, 0) - V[s]))}),
    ],
    "update_episode_afterstate": [by_naive(naive.afterstate_backward)],
    "update_episode_state": [by_naive(naive.state_backward), bare_state],
    "win_rate": [lambda m, t: sum(one >= t for one in m) / len(m), lambda m, t: np.mean(m >= t)],
}
for name, base in dict(
    slide_left=wrong_answers.slide_left,
    slide=wrong_answers.slide,
    symmetries=wrong_answers.images,
    index=wrong_answers.index,
    estimate=wrong_answers.estimate,
    update=wrong_answers.update,
    spawn_mean=learning.spawn_mean,
    select_afterstate=learning.select,
    td0=learning.td0,
    update_episode_afterstate=functools.partial(learning.episode, kind="after"),
    update_episode_state=functools.partial(learning.episode, kind="state"),
    win_rate=learning.win_rate,
).items():
    RIGHT[name].append(base)  # so that nothing but its fault gives a wrong answer away


# And from lib2048


def board(cells):
    return lib2048.from_array(cells)


def lib_slide(cells, action):
    after, reward = lib2048.slide(board(cells), action)
    return lib2048.to_array(after), reward


def network(patterns, tables):
    net = lib2048.NTupleNetwork(patterns)
    for k, table in enumerate(tables):
        net.set_table_part(k, 0, table)
    return net


def lib_update(cells, patterns, tables, delta):
    net = network(patterns, tables)
    after = net.update(board(cells), delta)
    for k in range(len(patterns)):
        tables[k][:] = net.table(k)
    return after


def lib_slide_left(row):
    after, reward = lib_slide([row, [0] * 4, [0] * 4, [0] * 4], lib2048.LEFT)
    return after[0], max(reward, 0)


def lib_select(cells, value):
    moves = {action: lib_slide(cells, action) for action in lib2048.legal_actions(board(cells))}
    return max(
        moves,
        key=lambda action: (moves[action][1] + value(moves[action][0]), -action),
        default=None,
    )


RIGHT["slide_left"].append(lib_slide_left)
RIGHT["slide"].append(lib_slide)
RIGHT["symmetries"].append(
    lambda b: np.array([lib2048.to_array(image) for image in lib2048.symmetries(board(b))])
)
RIGHT["index"].append(
    lambda b, p: (
        lib2048.NTupleNetwork((p,) if len(p) < 7 else "4x6").index(0, board(b))
        if len(p) < 7
        else naive.index(flat(b), p)
    )
)
RIGHT["estimate"].append(lambda b, p, t: network(p, t).value(board(b)))
RIGHT["update"].append(lib_update)
RIGHT["select_afterstate"].append(lib_select)


def disguised(thing, kind):
    """An answer in another type: tuples, arrays or numpy numbers for lists and Python's numbers."""
    if isinstance(thing, np.ndarray):
        thing = thing.tolist()
    if isinstance(thing, list | tuple):
        parts = [disguised(part, kind) for part in thing]
        if kind == "arrays" and len({np.shape(part) for part in parts}) == 1:
            return np.array(parts)
        return tuple(parts) if kind == "tuples" else parts
    if thing is None or kind == "tuples":
        return thing
    return (
        np.uint8(thing)
        if kind == "arrays" and isinstance(thing, int) and 0 <= thing < 256
        else (
            np.array(thing)
            if kind == "arrays"
            else np.int64(thing)
            if isinstance(thing, int)
            else np.float32(thing)
        )
    )
