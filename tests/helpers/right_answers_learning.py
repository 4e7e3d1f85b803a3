"""Right answers about learning from a game of 2048, and about what goes beyond TD(0)."""

import itertools

import naive
import numpy as np
from planting import right

# update_episode_afterstate


@right("update_episode_afterstate")
def update_episode_afterstate_by_targets(path, value, update, alpha):
    target = 0.0
    for _, _, r, after in reversed(path):
        error = target - value(after)
        target = r + update(after, alpha * error)


@right("update_episode_afterstate")
def update_episode_afterstate_by_numbers(path, value, update, alpha):
    T = len(path)
    V_next = None
    for t in range(T - 1, -1, -1):
        after = path[t][3]
        if t == T - 1:
            target = 0
        else:
            target = path[t + 1][2] + V_next
        V_next = update(after, alpha * (target - value(after)))


@right("update_episode_afterstate")
def update_episode_afterstate_reading_again(path, value, update, alpha):
    """V of the next afterstate is asked for, and not kept."""
    update(path[-1][3], alpha * (0 - value(path[-1][3])))
    for t in range(len(path) - 2, -1, -1):
        target = path[t + 1][2] + value(path[t + 1][3])
        update(path[t][3], alpha * (target - value(path[t][3])))


@right("update_episode_afterstate")
def update_episode_afterstate_in_float32(path, value, update, alpha):
    target = np.float32(0)
    for _, _, r, after in path[::-1]:
        delta = np.float32(alpha * (target - value(np.array(after))))
        target = np.float32(r + update(tuple(map(tuple, after)), delta))


class Network:
    """What the slow twin asks of a network."""

    def __init__(self, value, update):
        self.value = value
        self.update = update


@right("update_episode_afterstate")
def update_episode_afterstate_of_the_slow_twin(path, value, update, alpha):
    steps = [naive.Step(*step) for step in path]
    naive.afterstate_backward(Network(value, update), steps, alpha)


@right("update_episode_afterstate")
def update_episode_afterstate_by_recursion(path, value, update, alpha):
    if not path:
        return 0.0
    (_, _, r, after), *rest = path
    target = update_episode_afterstate_by_recursion(rest, value, update, alpha)
    return r + update(after, alpha * (target - value(after)))


# update_episode_state


@right("update_episode_state")
def update_episode_state_by_targets(path, value, update, alpha):
    following = 0.0
    for s, _, r, _ in reversed(path):
        error = r + following - value(s)
        following = update(s, alpha * error)


@right("update_episode_state")
def update_episode_state_by_numbers(path, value, update, alpha):
    V_next = 0
    for t in reversed(range(len(path))):
        s, _, r, _ = path[t]
        target = r + V_next
        delta = alpha * (target - value(s))
        V_next = update(s, delta)
    return V_next


@right("update_episode_state")
def update_episode_state_reading_again(path, value, update, alpha):
    for t in range(len(path) - 1, -1, -1):
        s, _, r, _ = path[t]
        following = value(np.array(path[t + 1][0])) if t + 1 < len(path) else np.float32(0)
        update(tuple(map(tuple, s)), np.float32(alpha * (r + following - value(s))))


@right("update_episode_state")
def update_episode_state_of_the_slow_twin(path, value, update, alpha):
    naive.state_backward(Network(value, update), [naive.Step(*step) for step in path], alpha)


@right("update_episode_state")
def update_episode_state_by_pairs(path, value, update, alpha):
    """Each state with the one after it, None after the last."""
    states = [step[0] for step in path]
    pairs = list(zip(path, [*states[1:], None]))
    for (s, _, r, _), s_next in reversed(pairs):
        target = r if s_next is None else r + value(s_next)
        update(s, alpha * (target - value(s)))


# returns


@right("returns")
def returns_by_sums(rewards):
    return [sum(rewards[t + 1 :]) for t in range(len(rewards))]


@right("returns")
def returns_from_the_end(rewards):
    still_to_come = []
    total = 0
    for reward in reversed(rewards):
        still_to_come.append(total)
        total += reward
    return still_to_come[::-1]


@right("returns")
def returns_by_what_is_left(rewards):
    left = sum(rewards)
    result = []
    for reward in rewards:
        left -= reward
        result.append(left)
    return result


@right("returns")
def returns_by_arrays(rewards):
    rewards = np.array(rewards)
    return rewards[::-1].cumsum()[::-1] - rewards


@right("returns")
def returns_by_accumulate(rewards):
    sums = list(itertools.accumulate(rewards[:0:-1], initial=0))
    return tuple(reversed(sums))


# tc_step


@right("tc_step")
def tc_step_by_the_book(weights, errors, sizes, i, step):
    rate = 1.0
    if sizes[i] > 0:
        rate = abs(errors[i]) / sizes[i]
    weights[i] += rate * step
    errors[i] += step
    sizes[i] += abs(step)


@right("tc_step")
def tc_step_in_one_line(weights, errors, sizes, i, step):
    weights[i] += step * (abs(errors[i]) / sizes[i] if sizes[i] != 0 else 1)
    errors[i], sizes[i] = errors[i] + step, sizes[i] + abs(step)


@right("tc_step")
def tc_step_with_old_sums(weights, errors, sizes, i, step):
    """The sums change first, but the rate is of those before."""
    E, A = errors[i], sizes[i]
    errors[i] = E + step
    sizes[i] = A + abs(step)
    if A == 0:
        weights[i] += step
    else:
        weights[i] += abs(E) / A * step


@right("tc_step")
def tc_step_in_numpy(weights, errors, sizes, i, step):
    rate = np.abs(errors[i]) / sizes[i] if sizes[i] else np.float64(1)
    weights[i] = weights[i] + rate * step
    errors[i] = errors[i] + step
    sizes[i] = sizes[i] + np.abs(step)


@right("tc_step")
def tc_step_with_try(weights, errors, sizes, i, step):
    try:
        rate = abs(float(errors[i])) / float(sizes[i])
    except ZeroDivisionError:
        rate = 1
    weights[i] += rate * step
    sizes[i] += max(step, -step)
    errors[i] += step
    return weights[i]


# lambda_target


@right("lambda_target")
def lambda_target_from_the_end(rewards, values, lambda_):
    targets = [0.0] * len(rewards)
    for t in range(len(rewards) - 2, -1, -1):
        following = (1 - lambda_) * values[t + 1] + lambda_ * targets[t + 1]
        targets[t] = rewards[t + 1] + following
    return targets


@right("lambda_target")
def lambda_target_by_appending(rewards, values, lambda_):
    target = 0.0
    targets = []
    for r, V in zip(reversed(rewards), reversed(values)):
        targets.append(target)
        target = r + V + lambda_ * (target - V)
    return targets[::-1]


@right("lambda_target")
def lambda_target_by_recursion(rewards, values, lambda_):
    def target(t):
        if t == len(rewards) - 1:
            return 0
        mixed = (1 - lambda_) * values[t + 1] + lambda_ * target(t + 1)
        return rewards[t + 1] + mixed

    return [target(t) for t in range(len(rewards))]


@right("lambda_target")
def lambda_target_by_errors(rewards, values, lambda_):
    """The TD errors, each with its power of lambda: the other way to say it."""
    T = len(rewards)
    following = [rewards[t + 1] + values[t + 1] if t + 1 < T else 0.0 for t in range(T)]
    errors = [following[t] - values[t] for t in range(T)]
    return [values[t] + sum(lambda_ ** (u - t) * errors[u] for u in range(t, T)) for t in range(T)]


@right("lambda_target")
def lambda_target_by_arrays(rewards, values, lambda_):
    targets = np.zeros(len(rewards))
    for t in reversed(range(len(rewards) - 1)):
        targets[t] = rewards[t + 1] + values[t + 1] - lambda_ * (values[t + 1] - targets[t + 1])
    return targets
