"""Right answers about learning with a table."""

from collections import defaultdict

import numpy as np
from planting import right

# value_iteration


@right("value_iteration")
def value_iteration_in_place(model):
    V = dict.fromkeys(model, 0.0)
    change = 1.0
    while change > 1e-6:
        change = 0.0
        for s in model:
            best = None
            for outcomes in model[s].values():
                worth = 0.0
                for probability, r, s_next in outcomes:
                    following = 0.0 if s_next is None else V[s_next]
                    worth += probability * (r + following)
                if best is None or worth > best:
                    best = worth
            change = max(change, abs(best - V[s]))
            V[s] = best
    return V


@right("value_iteration")
def value_iteration_with_a_new_table(model):
    V = dict.fromkeys(model, 0)

    def worth(outcomes):
        return sum(p * (r + (V[n] if n is not None else 0)) for p, r, n in outcomes)

    while True:
        new = {s: max(worth(outcomes) for outcomes in model[s].values()) for s in model}
        if max(abs(new[s] - V[s]) for s in model) < 1e-9:
            return new
        V = new


@right("value_iteration")
def value_iteration_with_the_end_in_the_table(model):
    V = defaultdict(float)
    V[None] = 0.0
    for _ in range(100):
        for s, actions in model.items():
            V[s] = max(sum(p * (r + V[n]) for p, r, n in actions[a]) for a in actions)
    del V[None]
    return V


@right("value_iteration")
def value_iteration_by_recursion(model):
    """No sweeps at all: what follows a state is valued before it."""
    V = {}

    def value(s):
        if s is None:
            return 0.0
        if s not in V:
            V[s] = max(
                sum(p * (r + value(n)) for p, r, n in outcomes) for outcomes in model[s].values()
            )
        return V[s]

    for s in model:
        value(s)
    return V


@right("value_iteration")
def value_iteration_until_nothing_changes(model):
    V = {s: np.float64(0) for s in model}
    has_changed = True
    while has_changed:
        has_changed = False
        for s in reversed(list(model)):
            worths = []
            for action in model[s]:
                probabilities = np.array([p for p, _, _ in model[s][action]])
                totals = np.array([r + V.get(n, 0) for _, r, n in model[s][action]])
                worths.append(probabilities @ totals)
            if V[s] != max(worths):
                V[s] = max(worths)
                has_changed = True
    return V


# td0


@right("td0")
def td0_by_the_error(V, s, r, s_next, alpha):
    following = 0.0 if s_next is None else V[s_next]
    error = r + following - V[s]
    V[s] += alpha * error


@right("td0")
def td0_by_shares(V, s, r, s_next, alpha):
    if s_next is None:
        target = r
    else:
        target = r + V[s_next]
    V[s] = (1 - alpha) * V[s] + alpha * target


@right("td0")
def td0_with_get(V, s, r, s_next, alpha):
    V.update({s: np.float32(V[s] + alpha * (r + V.get(s_next, 0) - V[s]))})
    return V


@right("td0")
def td0_with_early_return(V, s, r, s_next, alpha):
    old = V[s]
    if s_next is None:
        V[s] = old + alpha * (r - old)
        return V[s]
    V[s] = old + alpha * (r + V[s_next] - old)
    return V[s]


@right("td0")
def td0_with_an_end_for_a_moment(V, s, r, s_next, alpha):
    V[None] = 0.0
    V[s] = V[s] + alpha * (r + V[s_next] - V[s])
    del V[None]


# td0_backward


@right("td0_backward")
def td0_backward_with_td0(V, game, alpha):
    for s, _, r, s_next in reversed(game):
        td0_by_the_error(V, s, r, s_next, alpha)


@right("td0_backward")
def td0_backward_written_out(V, game, alpha):
    for t in range(len(game) - 1, -1, -1):
        s, a, r, s_next = game[t]
        target = r
        if s_next is not None:
            target += V[s_next]
        V[s] += alpha * (target - V[s])


@right("td0_backward")
def td0_backward_carrying_the_value(V, game, alpha):
    following = 0.0
    for s, _, r, _ in game[::-1]:
        V[s] += alpha * (r + following - V[s])
        following = V[s]


@right("td0_backward")
def td0_backward_by_recursion(V, game, alpha):
    if not game:
        return
    (s, _, r, s_next), *rest = game
    td0_backward_by_recursion(V, rest, alpha)
    V[s] = (1 - alpha) * V[s] + alpha * (r + V.get(s_next, 0.0))


@right("td0_backward")
def td0_backward_on_a_copy_of_the_list(V, game, alpha):
    moves = list(game)
    while moves:
        s, _, r, s_next = moves.pop()
        V[s] = float(V[s] + alpha * (r + (0 if s_next is None else V[s_next]) - V[s]))
    return V


# monte_carlo


@right("monte_carlo")
def monte_carlo_from_the_end(V, game, alpha):
    G = 0.0
    for s, _, r, _ in reversed(game):
        G += r
        V[s] += alpha * (G - V[s])


@right("monte_carlo")
def monte_carlo_by_sums(V, game, alpha):
    rewards = [step[2] for step in game]
    for t, step in enumerate(game):
        V[step[0]] += alpha * (sum(rewards[t:]) - V[step[0]])


@right("monte_carlo")
def monte_carlo_by_what_is_left(V, game, alpha):
    left = sum(r for _, _, r, _ in game)
    for s, _, r, _ in game:
        V[s] = V[s] + alpha * (left - V[s])
        left -= r


@right("monte_carlo")
def monte_carlo_by_arrays(V, game, alpha):
    rewards = np.array([r for _, _, r, _ in game])
    returns = np.cumsum(rewards[::-1])[::-1]
    for (s, _, _, _), G in zip(game, returns):
        V[s] = (1 - alpha) * V[s] + alpha * G
    return V


@right("monte_carlo")
def monte_carlo_by_recursion(V, game, alpha):
    def learn(t):
        if t == len(game):
            return 0.0
        G = game[t][2] + learn(t + 1)
        V[game[t][0]] += alpha * (G - V[game[t][0]])
        return G

    learn(0)


# bellman_afterstate


@right("bellman_afterstate")
def bellman_afterstate_by_loops(V, afterstate, spawns, moves):
    mean = 0.0
    for probability, board in spawns(afterstate):
        best = 0.0
        is_first = True
        for following, reward in moves(board).values():
            worth = reward + V[following]
            if is_first or worth > best:
                best = worth
            is_first = False
        mean += probability * best
    return mean


@right("bellman_afterstate")
def bellman_afterstate_by_max(V, afterstate, spawns, moves):
    return sum(
        p * max((r + V[after] for after, r in moves(board).values()), default=0)
        for p, board in spawns(afterstate)
    )


@right("bellman_afterstate")
def bellman_afterstate_with_a_helper(V, afterstate, spawns, moves):
    def value_of(board):
        legal = moves(board)
        if not legal:
            return 0.0
        return max(legal[action][1] + V[legal[action][0]] for action in legal)

    return sum(probability * value_of(board) for probability, board in spawns(afterstate))


@right("bellman_afterstate")
def bellman_afterstate_by_arrays(V, afterstate, spawns, moves):
    probabilities = []
    bests = []
    for probability, board in spawns(afterstate):
        worths = np.array([r + V[after] for after, r in moves(board).values()])
        probabilities.append(probability)
        bests.append(worths.max() if len(worths) else 0.0)
    return np.dot(probabilities, bests)


@right("bellman_afterstate")
def bellman_afterstate_by_sorting(V, afterstate, spawns, moves):
    total = 0.0
    for probability, board in spawns(afterstate):
        worths = sorted(reward + V[following] for following, reward in moves(board).values())
        if worths:
            total += probability * worths[-1]
    return total
