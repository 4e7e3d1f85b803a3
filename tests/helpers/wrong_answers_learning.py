"""Planted wrong answers about choosing and learning, for the catalogue of wrong_answers.py."""

import functools
import math

import naive
from wrong_answers import slide, variants, wrong

# Choosing


def spawn_mean(
    after, value, p4, share=None, exponents=(1, 2), flip=False, count=lambda n: n, cells=slice(None)
):
    """The mean over spawns, with faults."""
    flat = naive.flat(after)
    empty, p4 = naive.empty_cells(flat)[cells], p4 if share is None else share
    total = sum(
        p * value(naive.to_rows(naive.place(flat, cell, e)))
        for cell in empty
        for e, p in zip(exponents, (p4, 1 - p4) if flip else (1 - p4, p4))
    )
    return total / count(len(empty))


MEANS = dict(
    not_divided_by_the_empty_cells_3=dict(count=lambda n: 1),
    always_02_3=dict(share=0.2),
    always_01=dict(share=0.1),
    divided_by_16=dict(count=lambda n: 16),
    p4_and_its_rest_exchanged=dict(flip=True),
    twos_only=dict(share=0.0),
    stale_count_of_empty_cells_9=dict(count=lambda n: n + 1),
    first_empty_cell_only=dict(cells=slice(1)),
    eights_for_fours=dict(exponents=(1, 3)),
    twos_and_fours_as_exponents=dict(exponents=(2, 4)),
)
variants("spawn_mean", spawn_mean, **MEANS, divided_by_twice_the_cells=dict(count=lambda n: 2 * n))
wrong("spawn_mean", "no_spawn_12")(lambda b, v, p4: v(b))
wrong("spawn_mean", "whole_numbers")(lambda b, v, p4: round(spawn_mean(b, v, p4)))
wrong("spawn_mean", "largest")(
    lambda b, v, p4: max(
        spawn_mean(b, v, p4, cells=slice(n, n + 1)) for n in range(naive.flat(b).count(0))
    )
)


@wrong("spawn_mean", "leaves_its_tiles")
def _(after, value, p4):
    mean = spawn_mean(after, value, p4)
    for row in after:
        row[:] = [e or 2 for e in row]
    return mean


def select(
    board,
    worth,
    start=-math.inf,
    dead=None,
    ties="low",
    legal=True,
    reward=1,
    of="after",
    least=False,
    only=0,
):
    """The action with the best reward + worth(afterstate), with faults."""
    best, best_total = dead, start
    for action in range(4):
        after, r = slide(board, action)
        if (r < 0 and legal) or (only and r < 1):
            continue
        total = reward * r + (worth(after) if of == "after" else worth(board))
        total = -total if least else total
        if total > best_total or (ties == "high" and total == best_total):
            best, best_total = action, total
    return best


CHOICES = dict(
    best_starts_at_minus_1_11=dict(start=-1),
    best_starts_at_0=dict(start=0),
    best_starts_at_minus_1000=dict(start=-1_000),
    best_starts_at_minus_1000000=dict(start=-1_000_000),
    best_starts_at_minus_a_billion=dict(start=-1e9),
    minus_one_when_dead=dict(dead=-1),
    up_when_dead=dict(dead=0),
    highest_of_equals=dict(ties="high"),
    illegal_actions_too=dict(legal=False),
    ignores_the_reward=dict(reward=0),
    halved_reward_9=dict(reward=0.5),
    value_of_s=dict(of="board"),
    smallest=dict(least=True),
    merges_only=dict(only=1),
    doubled_reward=dict(reward=2),
)
variants(
    "select_afterstate", lambda board, value, **faults: select(board, value, **faults), **CHOICES
)
variants(
    "select_state",
    lambda board, value, p4, mean=(), **faults: select(
        board,
        lambda after: spawn_mean(after, value, p4, **dict(mean)) if 0 in naive.flat(after) else 0,
        **faults,
    ),
    **CHOICES,
    **{name: dict(mean=faults) for name, faults in MEANS.items()},
)
wrong("select_state", "no_spawn_12")(lambda b, v, p4: select(b, v))
for check in ("select_afterstate", "select_state"):
    right = (
        (lambda b, v: select(b, v))
        if check == "select_afterstate"
        else (lambda b, v, p4: select(b, lambda after: spawn_mean(after, v, p4)))
    )
    wrong(check, "ignores_the_value")(lambda b, v, *p4: select(b, lambda after: 0))
    wrong(check, "the_action_plus_one")(
        lambda *a, right=right: None if right(*a) is None else right(*a) + 1
    )
    wrong(check, "none_for_up")(lambda *a, right=right: right(*a) or None)
    wrong(check, "a_float")(lambda *a, right=right: None if right(*a) is None else float(right(*a)))
    wrong(check, "a_name")(lambda *a, right=right: None if right(*a) is None else "URDL"[right(*a)])
    wrong(check, "plays_on_its_board")(
        lambda b, *a, right=right: [
            right(b, *a),
            b.__setitem__(slice(None), slide(b, right(b, *a) or 0)[0]),
        ][0]
    )


# Learning


def td0(
    V, s, r, s_next, alpha, gamma=1, end=0, last=None, step=None, sign=1, key=None, end_reward=1
):
    """One step of TD(0), with faults."""
    r = r if s_next is not None else r * end_reward + end
    following = (V[s] if last else 0) if s_next is None else V[s_next]
    V[s_next if key == "next" and s_next is not None else s] += (
        sign * (step or alpha) * (r + gamma * following - V[s])
    )


variants(
    "td0",
    td0,
    terminal_reward_minus_1_2=dict(end=-1),
    terminal_reward_only_minus_1_2=dict(end=-1, end_reward=0),
    no_reward_at_the_end=dict(end_reward=0),
    the_end_is_worth_v_of_s=dict(last=True),
    discounted=dict(gamma=0.9),
    no_alpha=dict(step=1),
    always_01=dict(step=0.1),
    wrong_sign=dict(sign=-1),
    changes_the_next_state=dict(key="next"),
    no_next_value=dict(gamma=0),
)
wrong("td0", "changes_a_copy")(lambda V, *step: td0(dict(V), *step))
wrong("td0", "returns_the_value_only")(
    lambda V, s, r, n, a: V[s] + a * (r + (0 if n is None else V[n]) - V[s])
)
wrong("td0", "looks_the_end_up")(
    lambda V, s, r, n, a: V.__setitem__(s, V[s] + a * (r + V[n] - V[s]))
)
wrong("td0", "enters_the_end")(lambda V, s, r, n, a: (V.setdefault(None, 0.0), td0(V, s, r, n, a)))
wrong("td0", "an_empty_state_taken_for_the_end")(lambda V, s, r, n, a: td0(V, s, r, n or None, a))
wrong("td0", "does_nothing")(lambda *_: None)


@wrong("td0", "never_below_0")
def _(V, s, r, s_next, alpha):
    td0(V, s, r, s_next, alpha)
    V[s] = max(0, V[s])


@wrong("td0", "rounded")
def _(V, s, r, s_next, alpha):
    td0(V, s, r, s_next, alpha)
    V[s] = round(V[s], 2)


wrong("td0", "puts_the_target")(
    lambda V, s, r, n, a: V.__setitem__(s, a * (r + (0 if n is None else V[n])))
)


def episode(
    path,
    value,
    update,
    alpha,
    kind,
    rule=None,
    end=0,
    order=-1,
    at=None,
    share=1,
    cached=False,
    use="after",
    skip=0,
    gain=1,
):
    """Learning from an episode, with faults.

    rule is the recursion, at the board whose value moves.
    """
    rule, at, following = rule or kind, 3 if (at or kind) == "after" else 0, end
    cache = [value(step[at]) for step in path]
    for t in range(len(path))[::order][skip:]:
        r, board = gain * path[t][2], path[t][at]
        target = following if rule == "after" else r + following
        v = cache[t] if cached else value(board)
        delta = alpha * (target - v) / share
        following = {
            "after": update(board, delta),
            "before": v,
            "target": target,
            "moved": v + delta,
        }[use]
        following += r if rule == "after" else 0


EPISODES = dict(
    terminal_reward_minus_1_2=dict(end=-1),
    alpha_divided_again=dict(share=16),
    first_move_first=dict(order=1),
    cached_values_7=dict(cached=True),
    value_before_for_after=dict(use="before"),
    returns_for_values=dict(use="target"),
    v_plus_delta=dict(use="moved"),
    last_move_left_out=dict(skip=1),
    wrong_sign=dict(share=-1),
    no_reward=dict(gain=0),
    halved_reward_9=dict(gain=0.5),
)


def forward(path, value, update, alpha, at):
    """The forward order, which is another exercise."""
    for t, step in enumerate(path):
        if t + 1 == len(path):
            target = 0 if at == 3 else step[2]
        else:
            target = path[t + (at == 3)][2] + value(path[t + 1][at])
        update(step[at], alpha * (target - value(step[at])))


for kind, other, at in (("after", "state", 3), ("state", "after", 0)):
    check = {"after": "update_episode_afterstate", "state": "update_episode_state"}[kind]
    base = functools.partial(episode, kind=kind)
    variants(
        check,
        base,
        **EPISODES,
        other_recursion_1=dict(rule=other),
        other_board=dict(at=other),
        other_board_and_recursion=dict(at=other, rule=other),
    )
    wrong(check, "forward")(functools.partial(forward, at=at))
    wrong(check, "no_alpha")(lambda path, v, u, a, base=base: base(path, v, u, 1))
    wrong(check, "does_nothing")(lambda *_: None)
    wrong(check, "turns_the_path")(
        lambda path, v, u, a, base=base: (path.reverse(), base(path, v, u, a, order=1))
    )
    wrong(check, "empties_the_path")(
        lambda path, v, u, a, base=base: (base(path, v, u, a), path.clear())
    )
    wrong(check, "learns_twice")(lambda *args, base=base: (base(*args), base(*args)))
    wrong(check, "passes_the_target")(
        lambda path, v, u, a, base=base: base(path, v, lambda b, d: u(b, d / a + v(b)), a)
    )


def win_rate(max_tiles, tile, reached=lambda one, tile: one >= tile, unit=1, out_of=len):
    """The share of games that reached a tile, with faults."""
    return unit * sum(reached(one, tile) for one in max_tiles) / out_of(max_tiles)


variants(
    "win_rate",
    win_rate,
    ended=dict(reached=lambda a, b: a == b),
    beyond=dict(reached=lambda a, b: a > b),
    in_percent=dict(unit=100),
    lost=dict(reached=lambda a, b: a < b),
    up_to=dict(reached=lambda a, b: a <= b),
    a_count=dict(out_of=lambda games: 1),
    one_game_too_many=dict(out_of=lambda games: len(games) + 1),
    out_of_different_tiles=dict(out_of=lambda games: len(set(games))),
    always_2048=dict(reached=lambda a, b: a >= 2048),
)
wrong("win_rate", "rounded")(lambda m, t: round(win_rate(m, t)))
wrong("win_rate", "sorts_its_input")(lambda m, t: [win_rate(m, t), m.sort()][0])
