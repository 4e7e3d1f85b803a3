"""Planted faults about learning with a table."""

from planting import Fault, plant, wrong
from right_answers_table import (
    bellman_afterstate_by_loops,
    bellman_afterstate_by_max,
    bellman_afterstate_by_sorting,
    bellman_afterstate_with_a_helper,
    monte_carlo_by_sums,
    monte_carlo_by_what_is_left,
    monte_carlo_from_the_end,
    td0_backward_carrying_the_value,
    td0_backward_with_td0,
    td0_backward_written_out,
    td0_by_shares,
    td0_by_the_error,
    value_iteration_in_place,
    value_iteration_until_nothing_changes,
    value_iteration_with_a_new_table,
    value_iteration_with_the_end_in_the_table,
)

# value_iteration

plant(
    "value_iteration",
    value_iteration_in_place,
    Fault("one sweep", "while change > 1e-6:", "for _ in range(1):", says="sweep"),
    Fault("no sweep", "change = 1.0\n", "change = 0\n", says="All values are 0"),
    Fault("rewards left out", "(r + following)", "following", says="All values are 0"),
    Fault("the next reward alone", "(r + following)", "r", says="only the next reward"),
    Fault("discounted", "(r + following)", "(r + 0.9 * following)", says="discounted"),
    Fault(
        "the end is -1",
        "following = 0.0 if",
        "following = -1 if",
        says="the end of the game were worth -1",
    ),
    Fault("the least", "worth > best", "worth < best", says="the smallest"),
    Fault("from 0", "best = None\n", "best = 0.0\n", says="the best worth so far started at 0"),
    Fault("the first action", " or worth > best", "", says="the first action"),
    Fault(
        "added up",
        "if best is None or worth > best:\n                    best = worth",
        "best = worth + (best or 0)",
        says="added up",
    ),
    Fault(
        "no probabilities",
        "probability * (r + following)",
        "r + following",
        says="probabilities were left out",
    ),
    Fault("no values", "return V", "return", says="Is there a return"),
    Fault(
        "the last change",
        "change = max(change, abs(best - V[s]))",
        "change = abs(best - V[s])",
        says="two sweeps",
    ),
    Fault("one value", "return V", "return max(V.values())", says="A dict is asked for"),
    Fault("a list", "return V", "return list(V.values())", says="A dict is asked for"),
)
plant(
    "value_iteration",
    value_iteration_with_a_new_table,
    Fault(
        "the mean",
        "max(worth(outcomes) for outcomes in model[s].values()) for",
        "sum(worth(outcomes) for outcomes in model[s].values()) / len(model[s]) for",
        says="moves at random",
    ),
    Fault(
        "the best outcome",
        "return sum(p * (r + (V[n] if n is not None else 0)) for p, r, n in outcomes)",
        "return max(r + (V[n] if n is not None else 0) for p, r, n in outcomes)",
        says="the best outcome were chosen",
    ),
    Fault(
        "all outcomes alike",
        "sum(p * (r + (V[n] if n is not None else 0)) for p, r, n in outcomes)",
        "sum(r + (V[n] if n is not None else 0) for p, r, n in outcomes) / len(outcomes)",
        says="all outcomes counted alike",
    ),
    Fault("stops at once", "< 1e-9", "< 1e9", says="only the next reward"),
    Fault(
        "one reward for all",
        "return sum(p * (r + (V[n] if n is not None else 0)) for p, r, n in outcomes)",
        "return outcomes[0][1] + sum(p * (0 if n is None else V[n]) for p, _, n in outcomes)",
        says="the reward of one outcome stood for all",
    ),
)
plant(
    "value_iteration",
    value_iteration_with_the_end_in_the_table,
    Fault("the end stays", "    del V[None]\n", "", says="None stands for the end"),
    Fault("two sweeps", "range(100)", "range(2)", says="two sweeps"),
)
plant(
    "value_iteration",
    value_iteration_until_nothing_changes,
    Fault(
        "the likeliest outcome",
        "probabilities @ totals",
        "totals[probabilities.argmax()]",
        says="the most likely outcome",
    ),
    Fault(
        "actions",
        "    return V",
        "    return {s: max(model[s]) for s in V}",
        says="these are actions",
    ),
)

# td0

plant(
    "td0",
    td0_by_the_error,
    Fault("the end is -1", "0.0 if s_next", "-1 if s_next", says="the end of the game earned -1"),
    Fault("the end is V[s]", "0.0 if s_next", "V[s] if s_next", says="stood in for what follows"),
    Fault("no end", "0.0 if s_next is None else V[s_next]", "V[s_next]", says="V has no None"),
    Fault("an empty state", "s_next is None", "not s_next", says="taken for the end"),
    Fault("no next value", "r + following", "r", says="V of the next state were missing"),
    Fault("no reward", "r + following", "following", says="the reward were missing"),
    Fault("discounted", "r + following", "r + 0.9 * following", says="discounted"),
    Fault("no alpha", "alpha * error", "error", says="alpha were left out"),
    Fault("alpha of a tenth", "alpha * error", "0.1 * error", says="alpha were always 0.1"),
    Fault("the wrong way", "V[s] += alpha", "V[s] -= alpha", says="the sign were wrong"),
    Fault("the step is put", "V[s] += alpha", "V[s] = alpha", says="what V[s] changes by"),
    Fault(
        "the next state moves",
        "V[s] += alpha",
        "V[s if s_next is None else s_next] += alpha",
        says="V of the next state moved",
    ),
    Fault(
        "never below 0",
        "V[s] += alpha * error",
        "V[s] = max(0, V[s] + alpha * error)",
        says="could not go below 0",
    ),
    Fault(
        "rounded to two digits",
        "V[s] += alpha * error",
        "V[s] = round(V[s] + alpha * error, 2)",
        says="rounded",
    ),
    Fault(
        "rounded to four digits",
        "V[s] += alpha * error",
        "V[s] = round(V[s] + alpha * error, 4)",
        says="rounded",
    ),
    Fault(
        "whole numbers",
        "V[s] += alpha * error",
        "V[s] = int(V[s] + alpha * error)",
        says="cut off to a whole number",
    ),
    Fault("clipped", "alpha * error", "alpha * max(-1, min(1, error))", says="clipped to 1"),
    Fault("never falls", "alpha * error", "max(0, alpha * error)", says="V must be able to fall"),
    Fault(
        "returned only",
        "V[s] += alpha * error",
        "return V[s] + alpha * error",
        says="V did not change",
    ),
    Fault(
        "a copy",
        "    following = 0.0",
        "    V = dict(V)\n    following = 0.0",
        says="V did not change",
    ),
    Fault(
        "the end is entered",
        "    following = 0.0",
        "    V.setdefault(None, 0.0)\n    following = 0.0",
        says="the end had been entered",
    ),
)
plant(
    "td0",
    td0_by_shares,
    Fault(
        "shares exchanged",
        "(1 - alpha) * V[s] + alpha * target",
        "alpha * V[s] + (1 - alpha) * target",
        says="shares were exchanged",
    ),
    Fault("put", "(1 - alpha) * V[s] + alpha * target", "alpha * target", says="put into V[s]"),
    Fault("added", "(1 - alpha) * V[s]", "V[s]", says="without taking V[s] off"),
    Fault(
        "-1 is the target",
        "        target = r\n",
        "        target = -1\n",
        says="the target were -1",
    ),
    Fault(
        "0 is the target", "        target = r\n", "        target = 0\n", says="the target were 0"
    ),
)

# td0_backward

plant(
    "td0_backward",
    td0_backward_with_td0,
    Fault("forward", "reversed(game)", "game", says="one from before the game"),
    Fault(
        "the last move left out",
        "reversed(game)",
        "reversed(game[:-1])",
        says="last move were not learned",
    ),
    Fault(
        "the first move left out",
        "reversed(game)",
        "reversed(game[1:])",
        says="first move were not learned",
    ),
    Fault("the last move only", "reversed(game)", "game[-1:]", says="one move only"),
    Fault("a whole step", "s_next, alpha)\n", "s_next, 1.0)\n", says="alpha were left out"),
    Fault(
        "a copy", "td0_by_the_error(V, s", "td0_by_the_error(dict(V), s", says="V did not change"
    ),
    Fault(
        "turns the game",
        "for s, _, r, s_next in reversed(game):",
        "game.reverse()\n    for s, _, r, s_next in game:",
        says="It changes its argument 2, game",
    ),
    Fault(
        "empties the game",
        "for s, _, r, s_next in reversed(game):",
        "while game:\n        s, _, r, s_next = game.pop()",
        says="It changes its argument 2, game",
    ),
)
plant(
    "td0_backward",
    td0_backward_written_out,
    Fault("no reward", "target = r\n", "target = 0\n", says="the reward were missing"),
    Fault("no next value", "target += V[s_next]", "pass", says="V of the next state were missing"),
    Fault("discounted", "target += V[s_next]", "target += 0.9 * V[s_next]", says="discounted"),
    Fault("the wrong way", "V[s] += alpha", "V[s] -= alpha", says="the sign were wrong"),
    Fault(
        "the wrong bounds",
        "range(len(game) - 1, -1, -1)",
        "range(len(game) - 1, 0, -1)",
        says="first move were not learned",
    ),
    Fault(
        "never below 0",
        "V[s] += alpha * (target - V[s])",
        "V[s] = max(0, V[s] + alpha * (target - V[s]))",
        says="could not go below 0",
    ),
    Fault(
        "rounded",
        "V[s] += alpha * (target - V[s])",
        "V[s] = round(V[s] + alpha * (target - V[s]), 3)",
        says="rounded",
    ),
)
plant(
    "td0_backward",
    td0_backward_carrying_the_value,
    Fault("the return", "following = V[s]\n", "following = r + following\n", says="Monte-Carlo"),
    Fault(
        "the end is -1", "following = 0.0", "following = -1", says="the end of the game earned -1"
    ),
    Fault(
        "the old value",
        "        V[s] += alpha * (r + following - V[s])\n        following = V[s]\n",
        "        old = V[s]\n        V[s] += alpha * (r + following - V[s])\n        following = "
        "old\n",
        says="one from before the game",
    ),
)

# monte_carlo

plant(
    "monte_carlo",
    monte_carlo_from_the_end,
    Fault(
        "its own reward left out",
        "        G += r\n        V[s] += alpha * (G - V[s])\n",
        "        V[s] += alpha * (G - V[s])\n        G += r\n",
        says="left out the reward of the",
    ),
    Fault("from the beginning", "reversed(game)", "game", says="earned so far"),
    Fault("the reward alone", "G += r", "G = r", says="the reward of the move alone"),
    Fault("TD(0)", "        G += r\n", "        G = r\n", says="the reward of the move alone"),
    Fault("discounted", "G += r", "G = r + 0.9 * G", says="discounted"),
    Fault("the wrong way", "V[s] += alpha", "V[s] -= alpha", says="the sign were wrong"),
    Fault("added", "(G - V[s])", "G", says="without taking V[s] off"),
    Fault("the step is put", "V[s] += alpha", "V[s] = alpha", says="what V[s] changes by"),
    Fault("put", "V[s] += alpha * (G - V[s])", "V[s] = alpha * G", says="put into V[s]"),
    Fault("no alpha", "V[s] += alpha * (G - V[s])", "V[s] = G", says="alpha were left out"),
    Fault("the end is -1", "G = 0.0", "G = -1", says="the end of the game earned -1"),
    Fault(
        "the last move left out",
        "reversed(game)",
        "reversed(game[:-1])",
        says="last move were not learned",
    ),
    Fault("a copy", "    G = 0.0", "    V = V.copy()\n    G = 0.0", says="V did not change"),
    Fault(
        "turns the game",
        "    G = 0.0",
        "    game.reverse()\n    G = 0.0",
        says="It changes its argument 2, game",
    ),
)
plant(
    "monte_carlo",
    monte_carlo_by_sums,
    Fault("what was before", "rewards[t:]", "rewards[: t + 1]", says="earned so far"),
    Fault(
        "the whole score", "sum(rewards[t:])", "sum(rewards)", says="the score of the whole game"
    ),
    Fault(
        "the mean",
        "sum(rewards[t:])",
        "sum(rewards[t:]) / len(rewards[t:])",
        says="the mean of the",
    ),
    Fault("off by one", "rewards[t:]", "rewards[t + 1 :]", says="left out the reward of the"),
)
plant(
    "monte_carlo",
    monte_carlo_by_what_is_left,
    Fault(
        "too early",
        "        V[s] = V[s] + alpha * (left - V[s])\n        left -= r\n",
        "        left -= r\n        V[s] = V[s] + alpha * (left - V[s])\n",
        says="left out the reward of the",
    ),
    Fault("nothing is taken off", "        left -= r\n", "", says="the score of the whole game"),
)


@wrong("monte_carlo", "learns as TD(0)", says="That is TD(0)")
def monte_carlo_as_td0(V, game, alpha):
    td0_backward_with_td0(V, game, alpha)


# bellman_afterstate

plant(
    "bellman_afterstate",
    bellman_afterstate_by_loops,
    Fault("no reward", "reward + V[following]", "V[following]", says="the reward of the next move"),
    Fault(
        "no value", "reward + V[following]", "reward", says="V of the next afterstate were missing"
    ),
    Fault("the least", "worth > best", "worth < best", says="the smallest r + V"),
    Fault("no probability", "probability * best", "best", says="probabilities were left out"),
    Fault(
        "the last board",
        "mean += probability",
        "mean = probability",
        says="only the last of the boards",
    ),
    Fault(
        "a return too early",
        "        mean += probability * best\n    return mean",
        "        mean += probability * best\n        return mean",
        says="inside the loop",
    ),
    Fault(
        "the first move", "is_first or worth > best", "is_first", says="the first move were taken"
    ),
    Fault("the end is -1", "best = 0.0", "best = -1", says="a dead board counted -1"),
)
plant(
    "bellman_afterstate",
    bellman_afterstate_by_max,
    Fault("dead boards raise", ", default=0)", ")", says="max of nothing"),
    Fault("no new tile", "moves(board)", "moves(afterstate)", says="without a new tile"),
    Fault(
        "added up",
        "max((r + V[after] for after, r in moves(board).values()), default=0)",
        "sum(r + V[after] for after, r in moves(board).values())",
        says="added up",
    ),
    Fault("V of the afterstate", "r + V[after]", "r + V[afterstate]", says="the afterstate itself"),
    Fault("discounted", "r + V[after]", "r + 0.9 * V[after]", says="discounted"),
    Fault("rewards counted twice", "r + V[after]", "2 * r + V[after]", says="counted twice"),
)
plant(
    "bellman_afterstate",
    bellman_afterstate_with_a_helper,
    Fault(
        "the mean",
        "return max(legal[action][1] + V[legal[action][0]] for action in legal)",
        "return sum(r + V[after] for after, r in legal.values()) / len(legal)",
        says="the mean over the moves",
    ),
    Fault(
        "the best tile",
        "sum(probability * value_of(board) for probability, board in spawns(afterstate))",
        "max(value_of(board) for probability, board in spawns(afterstate))",
        says="best of the new tiles",
    ),
    Fault(
        "chosen by V",
        "return max(legal[action][1] + V[legal[action][0]] for action in legal)",
        "after, r = max(legal.values(), key=lambda move: V[move[0]])\n        return r + V[after]",
        says="chosen by V alone",
    ),
    Fault(
        "chosen by the reward",
        "return max(legal[action][1] + V[legal[action][0]] for action in legal)",
        "r, _, after = max((r, V[after], after) for after, r in legal.values())\n"
        "        return r + V[after]",
        says="chosen by its reward alone",
    ),
    Fault(
        "all alike",
        "sum(probability * value_of(board) for probability, board in spawns(afterstate))",
        "sum(value_of(b) for _, b in spawns(afterstate)) / len(spawns(afterstate))",
        says="equally likely",
    ),
)
plant(
    "bellman_afterstate",
    bellman_afterstate_by_sorting,
    Fault(
        "writes into V",
        "    return total",
        "    V[afterstate] = total\n    return total",
        says="It changes its argument 1, V",
    ),
    Fault("the old value", "    return total", "    return V[afterstate]", says="the old V"),
    Fault("nothing", "    return total", "    V[afterstate]", says="Is there a return"),
)


@wrong("bellman_afterstate", "dead boards left out of the mean", says="left out of the mean")
def bellman_afterstate_of_the_living(V, afterstate, spawns, moves):
    total = 0.0
    alive = 0.0
    for probability, board in spawns(afterstate):
        worths = [reward + V[following] for following, reward in moves(board).values()]
        if worths:
            total += probability * max(worths)
            alive += probability
    return total / alive if alive else 0.0


@wrong("bellman_afterstate", "the max of the mean", says="it is the mean of the max")
def bellman_afterstate_by_action(V, afterstate, spawns, moves):
    worths = [0.0] * 4
    for probability, board in spawns(afterstate):
        for action, (following, reward) in moves(board).items():
            worths[action] += probability * (reward + V[following])
    return max(worths)


@wrong("value_iteration", "the end looked up", says="V has no None")
def value_iteration_looking_the_end_up(model):
    V = dict.fromkeys(model, 0.0)
    for _ in range(100):
        for s, actions in model.items():
            V[s] = max(sum(p * (r + V[n]) for p, r, n in actions[a]) for a in actions)
    return V


@wrong("value_iteration", "ten sweeps", says="Were there enough sweeps?")
def value_iteration_in_ten_sweeps(model):
    V = dict.fromkeys(model, 0.0)
    for _ in range(10):
        for s, actions in model.items():
            V[s] = max(sum(p * (r + V.get(n, 0)) for p, r, n in actions[a]) for a in actions)
    return V


@wrong("td0", "the end is put", says="left out at the end of the game")
def td0_that_puts_the_end(V, s, r, s_next, alpha):
    if s_next is None:
        V[s] = r
    else:
        V[s] += alpha * (r + V[s_next] - V[s])


@wrong("td0", "the end is skipped", says="nothing were learned from the last move")
def td0_that_skips_the_end(V, s, r, s_next, alpha):
    if s_next is not None:
        V[s] += alpha * (r + V[s_next] - V[s])


@wrong("td0_backward", "reverses the game", says="reversed(game) leaves it as it is")
def td0_backward_reversing_the_game(V, game, alpha):
    game.reverse()
    for s, _, r, s_next in game:
        V[s] += alpha * (r + (0.0 if s_next is None else V[s_next]) - V[s])


@wrong("monte_carlo", "V in the return", says="V[s] were a part of G")
def monte_carlo_with_its_own_value(V, game, alpha):
    for s, _, r, _ in reversed(game):
        G = r + V[s]
        V[s] += alpha * (G - V[s])


@wrong("bellman_afterstate", "a pair exchanged", says="afterstate and reward were exchanged")
def bellman_afterstate_with_a_pair_exchanged(V, afterstate, spawns, moves):
    mean = 0.0
    for probability, board in spawns(afterstate):
        worths = [reward + V[following] for reward, following in moves(board).values()]
        mean += probability * max(worths, default=0.0)
    return mean


plant(
    "td0",
    td0_by_shares,
    Fault(
        "alpha before the reward alone",
        "V[s] = (1 - alpha) * V[s] + alpha * target",
        "V[s] = (1 - alpha) * V[s] + alpha * r + (target - r)",
        says="alpha were missing before V[s_next]",
    ),
)
