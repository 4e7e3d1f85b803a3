"""Planted faults about learning from a game of 2048, and about what goes beyond TD(0)."""

from planting import Fault, plant, wrong
from right_answers_learning import (
    lambda_target_by_appending,
    lambda_target_by_arrays,
    lambda_target_from_the_end,
    returns_by_sums,
    returns_by_what_is_left,
    returns_from_the_end,
    tc_step_by_the_book,
    tc_step_in_numpy,
    tc_step_with_old_sums,
    update_episode_afterstate_by_numbers,
    update_episode_afterstate_by_targets,
    update_episode_afterstate_reading_again,
    update_episode_state_by_numbers,
    update_episode_state_by_targets,
    update_episode_state_reading_again,
)

# update_episode_afterstate

plant(
    "update_episode_afterstate",
    update_episode_afterstate_by_targets,
    Fault("the end is -1", "target = 0.0", "target = -1", says="the end of the game were worth -1"),
    Fault("the first move first", "reversed(path)", "path", says="from its first move on"),
    Fault("the whole error", "alpha * error", "error", says="the error itself were handed"),
    Fault(
        "the wrong way",
        "target - value(after)",
        "value(after) - target",
        says="the sign of the error",
    ),
    Fault(
        "the recursion of V(state)",
        "        error = target - value(after)\n        target = r + update(after, alpha * error)",
        "        error = r + target - value(after)\n        target = update(after, alpha * error)",
        says="the recursion of V(state)",
    ),
    Fault("no reward", "target = r + update", "target = update", says="the reward were left out"),
    Fault("half of the reward", "target = r + update", "target = r / 2 + update", says="halved"),
    Fault("discounted", "r + update", "r + 0.9 * update", says="discounted"),
    Fault(
        "the old value",
        "r + update(after, alpha * error)",
        "r + value(after)\n        update(after, alpha * error)",
        says="V from before the update",
    ),
    Fault(
        "the target is passed on",
        "target = r + update(after, alpha * error)",
        "update(after, alpha * error)\n        target = r + target",
        says="Monte-Carlo",
    ),
    Fault(
        "V + delta",
        "target = r + update(after, alpha * error)",
        "old = value(after)\n        "
        "update(after, alpha * error)\n        target = r + old + alpha * error",
        says="V + delta were handed on",
    ),
    Fault("states", "for _, _, r, after in", "for after, _, r, _ in", says="states learned"),
    Fault("divided again", "alpha * error", "alpha * error / 16", says="divided by the number of"),
    Fault(
        "the last move left out",
        "reversed(path)",
        "reversed(path[:-1])",
        says="the last move were not learned",
    ),
    Fault(
        "the first move left out",
        "reversed(path)",
        "reversed(path[1:])",
        says="the first move were not learned",
    ),
    Fault("the last move only", "reversed(path)", "path[-1:]", says="only the last move"),
    Fault("clipped", "alpha * error", "alpha * max(-1, min(1, error))", says="clipped to 1"),
    Fault("the target to update", "alpha * error", "target", says="handed the target"),
    Fault(
        "alpha times the target", "alpha * error", "alpha * target", says="not taken off the target"
    ),
    Fault(
        "turns the path",
        "    target = 0.0\n    for _, _, r, after in reversed(path)",
        "    target = 0.0\n    path.reverse()\n    for _, _, r, after in path",
        says="It changes its argument 1, path",
    ),
    Fault("one board asked, another updated", "value(after)", "value(_)", says="a board is 4 rows"),
)
plant(
    "update_episode_afterstate",
    update_episode_afterstate_reading_again,
    Fault(
        "the reward of the move itself",
        "path[t + 1][2] + value",
        "path[t][2] + value",
        says="the reward of its own move",
    ),
    Fault(
        "the end is not learned",
        "    update(path[-1][3], alpha * (0 - value(path[-1][3])))\n",
        "",
        says="its target",
    ),
    Fault(
        "value of s, update of s'",
        "target - value(path[t][3])",
        "target - value(path[t][0])",
        says="its target",
    ),
    Fault(
        "V of the next state",
        "value(path[t + 1][3])",
        "value(path[t + 1][0])",
        says="V of the next board s",
    ),
)
plant(
    "update_episode_afterstate",
    update_episode_afterstate_by_numbers,
    Fault(
        "the last reward is learned",
        "target = 0\n",
        "target = path[t][2]\n",
        says="the last reward",
    ),
)


@wrong("update_episode_afterstate", "the last one skipped", says="were never learned")
def update_episode_afterstate_but_the_last(path, value, update, alpha):
    following = None
    for _, _, r, after in reversed(path):
        if following is not None:
            update(after, alpha * (following[0] + value(following[1]) - value(after)))
        following = r, after


@wrong("update_episode_afterstate", "cached values", says="values were read before the game")
def update_episode_afterstate_with_cached_values(path, value, update, alpha):
    cached = [value(step[3]) for step in path]
    target = 0.0
    for step, V in zip(reversed(path), reversed(cached)):
        target = step[2] + update(step[3], alpha * (target - V))


@wrong("update_episode_afterstate", "forward", says="the forward order")
def update_episode_afterstate_forward(path, value, update, alpha):
    for step, following in zip(path, path[1:]):
        target = following[2] + value(following[3])
        update(step[3], alpha * (target - value(step[3])))
    update(path[-1][3], alpha * (0 - value(path[-1][3])))


@wrong("update_episode_afterstate", "twice", says="learned from twice")
def update_episode_afterstate_twice(path, value, update, alpha):
    update_episode_afterstate_by_targets(path, value, update, alpha)
    update_episode_afterstate_by_targets(path, value, update, alpha)


# update_episode_state

plant(
    "update_episode_state",
    update_episode_state_by_targets,
    Fault(
        "the end is -1",
        "following = 0.0",
        "following = -1",
        says="the end of the game were worth -1",
    ),
    Fault("the first move first", "reversed(path)", "path", says="from its first move on"),
    Fault("the whole error", "alpha * error", "error", says="the error itself were handed"),
    Fault(
        "the wrong way",
        "r + following - value(s)",
        "value(s) - r - following",
        says="the sign of the error",
    ),
    Fault(
        "the recursion of V(afterstate)",
        "        error = r + following - value(s)\n        following = update(s, alpha * error)",
        "        error = following - value(s)\n        following = r + update(s, alpha * error)",
        says="the recursion of V(afterstate)",
    ),
    Fault("no reward", "r + following", "following", says="the reward were left out"),
    Fault("half of the reward", "r + following", "r / 2 + following", says="halved"),
    Fault("discounted", "r + following", "r + 0.9 * following", says="discounted"),
    Fault(
        "the target is passed on",
        "following = update(s, alpha * error)",
        "update(s, alpha * error)\n        following = r + following",
        says="Monte-Carlo",
    ),
    Fault(
        "the old value",
        "following = update(s, alpha * error)",
        "following = value(s)\n        update(s, alpha * error)",
        says="V from before the update",
    ),
    Fault(
        "V + delta",
        "following = update(s, alpha * error)",
        "following = value(s) + alpha * error\n        update(s, alpha * error)",
        says="V + delta were handed on",
    ),
    Fault("afterstates", "for s, _, r, _ in", "for _, _, r, s in", says="afterstates learned"),
    Fault("divided again", "alpha * error", "alpha * error / 16", says="divided by the number of"),
    Fault(
        "the last move left out",
        "reversed(path)",
        "reversed(path[:-1])",
        says="the last move were not learned",
    ),
    Fault("the last move only", "reversed(path)", "path[-1:]", says="only the last move"),
    Fault("clipped", "alpha * error", "alpha * max(-1, min(1, error))", says="clipped to 1"),
    Fault("alpha times the target", "- value(s)", "", says="not taken off the target"),
)
plant(
    "update_episode_state",
    update_episode_state_by_numbers,
    Fault(
        "afterstates asked",
        "s, _, r, _ = path[t]",
        "s, _, r, after = path[t]\n        s = after",
        says="afterstates learned",
    ),
    Fault("values of afterstates", "- value(s)", "- value(path[t][3])", says="another one updated"),
    Fault(
        "the last move earns nothing",
        "target = r + V_next",
        "target = r + V_next if t + 1 < len(path) else 0",
        says="its move still earns its reward",
    ),
    Fault(
        "no update",
        "V_next = update(s, delta)",
        "V_next = value(s)",
        says="update was never called",
    ),
)
plant(
    "update_episode_state",
    update_episode_state_reading_again,
    Fault(
        "a dead board is asked",
        "if t + 1 < len(path) else np.float32(0)",
        "if t + 1 < len(path) else value(path[t][3])",
        says="its target",
    ),
)


@wrong("update_episode_state", "cached values", says="values were read before the game")
def update_episode_state_with_cached_values(path, value, update, alpha):
    cached = [value(step[0]) for step in path]
    following = 0.0
    for step, V in zip(reversed(path), reversed(cached)):
        following = update(step[0], alpha * (step[2] + following - V))


@wrong("update_episode_state", "forward", says="the forward order")
def update_episode_state_forward(path, value, update, alpha):
    for t, (s, _, r, _) in enumerate(path):
        following = value(path[t + 1][0]) if t + 1 < len(path) else 0
        update(s, alpha * (r + following - value(s)))


# returns

plant(
    "returns",
    returns_by_sums,
    Fault(
        "its own included", "rewards[t + 1 :]", "rewards[t:]", says="the move itself were included"
    ),
    Fault(
        "what was earned",
        "rewards[t + 1 :]",
        "rewards[: t + 1]",
        says="add up what is still to come",
    ),
    Fault("what was earned before", "rewards[t + 1 :]", "rewards[:t]", says="go from the end"),
    Fault(
        "the next reward", "rewards[t + 1 :]", "rewards[t + 1 : t + 2]", says="only the next reward"
    ),
    Fault("the whole score", "rewards[t + 1 :]", "rewards", says="score of the whole game"),
    Fault(
        "the score",
        "[sum(rewards[t + 1 :]) for t in range(len(rewards))]",
        "sum(rewards)",
        says="this is the score",
    ),
    Fault(
        "one too few", "range(len(rewards))", "range(len(rewards) - 1)", says="as long as rewards"
    ),
    Fault(
        "one too many", "range(len(rewards))", "range(-1, len(rewards))", says="an entry too many"
    ),
    Fault(
        "the mean",
        "sum(rewards[t + 1 :])",
        "sum(rewards[t + 1 :]) / max(1, len(rewards[t + 1 :]))",
        says="the mean of the rewards",
    ),
    Fault(
        "a generator",
        "[sum(rewards[t + 1 :]) for t in range(len(rewards))]",
        "(sum(rewards[t + 1 :]) for t in range(len(rewards)))",
        says="generator",
    ),
)
plant(
    "returns",
    returns_from_the_end,
    Fault("not turned back", "[::-1]", "", says="in the other order"),
    Fault(
        "reward first",
        "        still_to_come.append(total)\n        total += reward\n",
        "        total += reward\n        still_to_come.append(total)\n",
        says="the move itself were included",
    ),
    Fault("discounted", "total += reward", "total = reward + 0.9 * total", says="discounted"),
    Fault(
        "nothing", "return still_to_come[::-1]", "still_to_come.reverse()", says="Is there a return"
    ),
    Fault(
        "turns the rewards",
        "    total = 0\n",
        "    total = 0\n    rewards.reverse()\n",
        says="It changes its argument 1, rewards",
    ),
)
plant(
    "returns",
    returns_by_what_is_left,
    Fault(
        "taken off too late",
        "        left -= reward\n        result.append(left)\n",
        "        result.append(left)\n        left -= reward\n",
        says="the move itself were included",
    ),
)

# tc_step

plant(
    "tc_step",
    tc_step_by_the_book,
    Fault("no rate", "rate * step", "step", says="the rate were left out"),
    Fault("a rate of 0", "rate = 1.0", "rate = 0.0", says="it would never learn"),
    Fault(
        "divided by 0",
        "    if sizes[i] > 0:\n        rate",
        "    rate",
        says="nothing can be divided",
    ),
    Fault(
        "a sign in the rate", "rate = abs(errors[i])", "rate = errors[i]", says="sign of errors[i]"
    ),
    Fault(
        "turned over",
        "abs(errors[i]) / sizes[i]",
        "sizes[i] / abs(errors[i] or 1)",
        says="turned over",
    ),
    Fault(
        "sizes in errors",
        "errors[i] += step",
        "errors[i] += abs(step)",
        says="errors[i] added up sizes",
    ),
    Fault(
        "signs in sizes", "sizes[i] += abs(step)", "sizes[i] += step", says="steps with their sign"
    ),
    Fault(
        "the rate in errors", "errors[i] += step", "errors[i] += rate * step", says="The rate is"
    ),
    Fault(
        "the rate in both sums",
        "    weights[i] += rate * step\n",
        "    step = rate * step\n    weights[i] += step\n",
        says="the sums added up rate * step",
    ),
    Fault("no errors", "    errors[i] += step\n", "", says="errors[i] did not change"),
    Fault("no sizes", "    sizes[i] += abs(step)\n", "", says="sizes[i] did not change"),
    Fault("a count", "sizes[i] += abs(step)", "sizes[i] += 1", says="sizes[i] counted the steps"),
    Fault(
        "the wrong way",
        "weights[i] += rate",
        "weights[i] -= rate",
        says="sign of the step were wrong",
    ),
    Fault("put", "weights[i] += rate", "weights[i] = rate", says="the weight were set"),
    Fault(
        "a return too early",
        "    errors[i] += step\n",
        "    return\n    errors[i] += step\n",
        says="the sums did not change",
    ),
)
plant(
    "tc_step",
    tc_step_with_old_sums,
    Fault(
        "the new sums", "abs(E) / A", "abs(errors[i]) / sizes[i]", says="before the rate was taken"
    ),
    Fault(
        "sums are set",
        "errors[i] = E + step\n    sizes[i] = A + abs(step)",
        "errors[i] = step\n    sizes[i] = abs(step)",
        says="errors[i] and sizes[i] were set",
    ),
)
plant(
    "tc_step",
    tc_step_in_numpy,
    Fault(
        "the whole table",
        "weights[i] = weights[i] + rate * step",
        "weights[:] = [w + rate * step for w in weights]",
        says="Only entry",
    ),
    Fault("copies", "    rate =", "    weights = list(weights)\n    rate =", says="in a copy only"),
)


@wrong("tc_step", "sums before the rate", says="before the rate was taken from them")
def tc_step_in_the_wrong_order(weights, errors, sizes, i, step):
    errors[i] += step
    sizes[i] += abs(step)
    rate = abs(errors[i]) / sizes[i] if sizes[i] else 1
    weights[i] += rate * step


# lambda_target

plant(
    "lambda_target",
    lambda_target_from_the_end,
    Fault(
        "exchanged",
        "(1 - lambda_) * values[t + 1] + lambda_ * targets[t + 1]",
        "lambda_ * values[t + 1] + (1 - lambda_) * targets[t + 1]",
        says="were exchanged",
    ),
    Fault(
        "its own reward",
        "rewards[t + 1] + following",
        "rewards[t] + following",
        says="stood for that of the next",
    ),
    Fault("its own value", "values[t + 1]", "values[t]", says="the value of the move itself"),
    Fault("no reward", "rewards[t + 1] + following", "following", says="the rewards were left out"),
    Fault(
        "TD(0)",
        "(1 - lambda_) * values[t + 1] + lambda_ * targets[t + 1]",
        "values[t + 1]",
        says="as if lambda were 0",
    ),
    Fault(
        "Monte-Carlo",
        "(1 - lambda_) * values[t + 1] + lambda_ * targets[t + 1]",
        "targets[t + 1]",
        says="as if lambda were 1",
    ),
    Fault("V in full", "(1 - lambda_) * values[t + 1]", "values[t + 1]", says="counted in full"),
    Fault("a discount", "(1 - lambda_) * values[t + 1] + ", "", says="discounted what follows"),
    Fault(
        "the reward is shared",
        "rewards[t + 1] + following",
        "(1 - lambda_) * rewards[t + 1] + following",
        says="the reward were shared",
    ),
    Fault(
        "the last is its reward",
        "targets = [0.0] * len(rewards)",
        "targets = [0.0] * len(rewards)\n    targets[-1] = rewards[-1]",
        says="the last target were its reward",
    ),
    Fault(
        "the last is its value",
        "targets = [0.0] * len(rewards)",
        "targets = [0.0] * len(rewards)\n    targets[-1] = values[-1]",
        says="the last target were its value",
    ),
    Fault(
        "the last is -1",
        "targets = [0.0] * len(rewards)",
        "targets = [-1.0] * len(rewards)",
        says="the last target were -1",
    ),
    Fault("the first only", "return targets", "return targets[0]", says="this is the first one"),
    Fault("one too few", "return targets", "return targets[:-1]", says="the last move has one too"),
    Fault(
        "errors",
        "return targets",
        "return [T - V for T, V in zip(targets, values)]",
        says="errors were returned",
    ),
    Fault(
        "forward",
        "range(len(rewards) - 2, -1, -1)",
        "range(len(rewards) - 1)",
        says="from the last move back",
    ),
    Fault("nothing", "return targets", "return", says="Is there a return"),
)
plant(
    "lambda_target",
    lambda_target_by_appending,
    Fault("not turned back", "targets[::-1]", "targets", says="in the other order"),
    Fault(
        "too early",
        "        targets.append(target)\n        target = r + V + lambda_ * (target - V)\n",
        "        target = r + V + lambda_ * (target - V)\n        targets.append(target)\n",
        says="one place too early",
    ),
)
plant(
    "lambda_target",
    lambda_target_by_arrays,
    Fault("the wrong sign", "- lambda_ *", "+ lambda_ *", says="(1 - 0.5) *"),
)


@wrong("update_episode_afterstate", "hands on the new value", says="update were handed the new")
def update_episode_afterstate_by_values(path, value, update, alpha):
    target = 0.0
    for _, _, r, after in reversed(path):
        old = value(after)
        target = r + update(after, old + alpha * (target - old))


@wrong("update_episode_state", "V of the last board", says="V of the last board stood for")
def update_episode_state_with_the_last_value(path, value, update, alpha):
    following = value(path[-1][0])
    for s, _, r, _ in reversed(path):
        following = update(s, alpha * (r + following - value(s)))


plant(
    "returns",
    returns_by_sums,
    Fault(
        "the score less its own reward",
        "sum(rewards[t + 1 :])",
        "sum(rewards) - rewards[t]",
        says="all rewards but its own",
    ),
)
plant(
    "lambda_target",
    lambda_target_from_the_end,
    Fault(
        "all of the move itself",
        "(1 - lambda_) * values[t + 1] + lambda_ * targets[t + 1]\n"
        "        targets[t] = rewards[t + 1] + following",
        "(1 - lambda_) * values[t] + lambda_ * targets[t + 1]\n"
        "        targets[t] = rewards[t] + following",
        says="reward and value of the move itself",
    ),
    Fault(
        "a target too many",
        "return targets",
        "return [*targets, 0.0]",
        says="There is one target for each move: 1,",
    ),
)
plant(
    "tc_step",
    tc_step_by_the_book,
    Fault(
        "whole tables",
        "weights[i] += rate * step\n    errors[i] += step\n    sizes[i] += abs(step)",
        "weights += rate * step\n    errors += step\n    sizes += abs(step)",
        says="one weight of it is meant",
    ),
)

plant(
    "update_episode_state",
    update_episode_state_by_targets,
    Fault(
        "V of the afterstate",
        "    for s, _, r, _ in reversed(path):\n        error = r + following - value(s)",
        "    for s, _, r, after in reversed(path):\n        error = r + value(after) - value(s)",
        says="V of the afterstate stood for what follows",
    ),
)
