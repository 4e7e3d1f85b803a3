"""Checks of learning from a finished game of 2048, and of what goes beyond TD(0)."""

import numpy as np

from workbook.answers import Thing, plain
from workbook.check import material
from workbook.check.exercise import Suspects, exercise
from workbook.trial import Case

# update_episode_afterstate and update_episode_state

BOARD, ACTION, REWARD, AFTERSTATE = range(4)
"""Places in a step of a path."""


class Network:
    """A small network, and a log of its updates: {"update 1": [board, delta], ...}."""

    def __init__(self, seed: int, patterns=((0, 1, 4), (5,))):
        self.patterns = patterns
        self.tables = material.random_tables(patterns, seed)
        self.log = {}

    def value(self, board):
        """V of a board."""
        return material.estimate(board, self.patterns, self.tables)

    def update(self, board, delta):
        """Move V of a board by delta. Returns V after."""
        after = material.update(board, self.patterns, self.tables, delta)
        self.log[f"update {len(self.log) + 1}"] = [plain(board), plain(delta)]
        return after


def _ask_to_learn(function, arguments):
    path, network, _, alpha = arguments
    return function(path, network.value, network.update, alpha)


def _read_log(_, arguments):
    return arguments[1].log


def _learn_afterstates(path, value, update, alpha, end=0.0, scale=1.0):
    target = end
    for _, _, reward, after in reversed(path):
        target = reward + update(after, scale * alpha * (target - value(after)))


def _learn_states(path, value, update, alpha, end=0.0, scale=1.0):
    following = end
    for board, _, reward, _ in reversed(path):
        following = update(board, scale * alpha * (reward + following - value(board)))


AFTERSTATES = Suspects()
STATES = Suspects()


def _episode(place, joins_before, passes="after", gain=1.0, is_cached=False, discount=1.0):
    """Learning backward, with the boards and the recursion of one's choice.

    place says which board of a step learns; joins_before whether the reward of the step joins the
    target before its update, as for states, or after it; passes what is handed on to the move
    before: V after the update, V before it, the target, or V + delta.
    """

    def learn(path, value, update, alpha):
        cache = [value(step[place]) for step in path]
        following = 0.0
        for t in reversed(range(len(path))):
            reward = gain * path[t][REWARD]
            board = path[t][place]
            old = cache[t] if is_cached else value(board)
            target = reward + following if joins_before else following
            after = update(board, alpha * (target - old))
            passed = {
                "after": after,
                "before": old,
                "target": target,
                "moved": old + alpha * (target - old),
            }[passes]
            following = discount * passed if joins_before else reward + discount * passed
        return following

    return learn


def _forward_afterstates(path, value, update, alpha):
    for step, following in zip(path, path[1:]):
        target = following[REWARD] + value(following[AFTERSTATE])
        update(step[AFTERSTATE], alpha * (target - value(step[AFTERSTATE])))
    update(path[-1][AFTERSTATE], alpha * (0.0 - value(path[-1][AFTERSTATE])))


def _forward_states(path, value, update, alpha):
    for t, step in enumerate(path):
        following = value(path[t + 1][BOARD]) if t + 1 < len(path) else 0.0
        update(step[BOARD], alpha * (step[REWARD] + following - value(step[BOARD])))


def _enter_usual_faults(suspects: Suspects, right, place, joins_before, symbol) -> None:
    """The faults that both ways of learning can have."""
    suspects.add(
        "It looks as if the end of the game were worth -1. The record of the dead board is no "
        "move: what follows the last move is 0."
    )(lambda path, value, update, alpha: right(path, value, update, alpha, end=-1.0))
    suspects.add(
        "It looks as if the error itself were handed to update: alpha is left out, and V goes all "
        "the way."
    )(lambda path, value, update, alpha: right(path, value, update, 1.0))
    suspects.add(
        "It looks as if the sign of the error were wrong: it is the target less V, so that V moves "
        "towards the target."
    )(lambda path, value, update, alpha: right(path, value, update, alpha, scale=-1.0))
    for divisor in (8, 16, 32):
        suspects.add(
            "It looks as if alpha were divided by the number of lookups: update does that already."
        )(
            lambda path, value, update, alpha, divisor=divisor: right(
                path, value, update, alpha, scale=1 / divisor
            )
        )
    suspects.add(
        f"It looks as if values were read before the game was learned from, or kept from when it "
        f"was played. Weights are shared, so an update changes other boards too: ask value({symbol}"
        ") right before its update."
    )(_episode(place, joins_before, is_cached=True))
    suspects.add(
        "It looks as if V from before the update were handed on: update returns V after it, which "
        "is what makes learning backward fast."
    )(_episode(place, joins_before, passes="before"))
    suspects.add(
        "It looks as if the target were handed on, not V: then the sum of all rewards is learned, "
        "which is Monte-Carlo. What update returns is V."
    )(_episode(place, joins_before, passes="target"))
    suspects.add(
        "It looks as if V + delta were handed on. On a symmetric board V moves by more: take what "
        "update returns."
    )(_episode(place, joins_before, passes="moved"))
    suspects.add("It looks as if the reward were left out of the targets.")(
        _episode(place, joins_before, gain=0.0)
    )
    suspects.add("It looks as if rewards were halved.")(_episode(place, joins_before, gain=0.5))
    for discount in (0.9, 0.99, 0.95):
        suspects.add("It looks as if what follows were discounted: here a point is a point.")(
            _episode(place, joins_before, discount=discount)
        )
    suspects.add(
        "It looks as if the path were gone through from its first move on, handing on as if from "
        "the last: go through reversed(path)."
    )(lambda path, value, update, alpha: right(path[::-1], value, update, alpha))
    suspects.add("It looks as if the last move were not learned from.")(
        lambda path, value, update, alpha: right(path[:-1], value, update, alpha)
    )
    suspects.add("It looks as if the first move were not learned from.")(
        lambda path, value, update, alpha: right(path[1:], value, update, alpha)
    )
    suspects.add("It looks as if only the last move were learned from: go on to the first.")(
        lambda path, value, update, alpha: right(path[-1:], value, update, alpha)
    )

    def learn_twice(path, value, update, alpha):
        right(path, value, update, alpha)
        right(path, value, update, alpha)

    suspects.add("It looks as if the game were learned from twice.")(learn_twice)
    suspects.add(
        "update was never called: it is what changes V, and it wants the board and alpha * error."
    )(lambda path, value, update, alpha: None)

    def updates_by_the_target(path, value, update, alpha):
        def update_to(board, delta):
            return update(board, delta / alpha + value(board))

        right(path, value, update_to, alpha)

    suspects.add("It looks as if update were handed the target: it wants alpha * error.")(
        updates_by_the_target
    )

    def updates_by_the_new_value(path, value, update, alpha):
        def update_to(board, delta):
            return update(board, value(board) + delta)

        right(path, value, update_to, alpha)

    suspects.add(
        "It looks as if update were handed the new value: it wants what V is to move by, alpha * "
        "error."
    )(updates_by_the_new_value)

    def last_value_after_the_end(path, value, update, alpha):
        right(path, value, update, alpha, end=value(path[-1][place]))

    suspects.add(
        "It looks as if V of the last board stood for what follows the last move: nothing follows, "
        "so that is 0."
    )(last_value_after_the_end)

    def updates_by_alpha_times_the_target(path, value, update, alpha):
        right(path, lambda board: 0.0, update, alpha)

    suspects.add("It looks as if V were not taken off the target: the error is the target less V.")(
        updates_by_alpha_times_the_target
    )

    def with_clipped_errors(path, value, update, alpha):
        def update_clipped(board, delta):
            return update(board, alpha * max(-1.0, min(1.0, delta / alpha)))

        right(path, value, update_clipped, alpha)

    suspects.add(
        "It looks as if the error were clipped to 1, which hides what is wrong elsewhere."
    )(with_clipped_errors)


AFTERSTATES.add(
    "It looks as if this were the recursion of V(state): the reward joined the target before the "
    "update. The reward of a move is earned before its afterstate is reached, so it counts for the "
    "afterstate of the move before, one step earlier."
)(_episode(AFTERSTATE, joins_before=True))
AFTERSTATES.add(
    "It looks as if states learned: the board of each update is the afterstate s', the last of a "
    "step (s, a, r, s')."
)(_episode(BOARD, joins_before=False))
AFTERSTATES.add("It looks as if V(state) were learned: here it is V(s') of afterstates.")(
    _episode(BOARD, joins_before=True)
)
AFTERSTATES.add(
    "It looks as if the path were learned from the first move on, which is the forward order: "
    "begin with the last."
)(_forward_afterstates)


def _afterstates_with(target_of):
    """Learning V(s') backward; target_of(step, next step or None, value) is the target."""

    def learn(path, value, update, alpha):
        for step, following in reversed(list(zip(path, [*path[1:], None]))):
            target = target_of(step, following, value)
            update(step[AFTERSTATE], alpha * (target - value(step[AFTERSTATE])))

    return learn


AFTERSTATES.add(
    "It looks as if the target of s' had the reward of its own move, which was earned before s' "
    "was reached: it is the reward of the next move."
)(
    _afterstates_with(
        lambda step, following, value: (
            step[REWARD] + value(following[AFTERSTATE]) if following else 0.0
        )
    )
)
AFTERSTATES.add(
    "It looks as if V of the next board s were in the target: it is V of the next afterstate s'."
)(
    _afterstates_with(
        lambda step, following, value: (
            following[REWARD] + value(following[BOARD]) if following else 0.0
        )
    )
)
AFTERSTATES.add(
    "It looks as if the last reward were the target of the last s': it was earned before, and "
    "after it comes nothing. The target is 0."
)(
    _afterstates_with(
        lambda step, following, value: (
            following[REWARD] + value(following[AFTERSTATE]) if following else step[REWARD]
        )
    )
)


@AFTERSTATES.add(
    "It looks as if the last afterstate were never learned. Nothing comes after it, and that too "
    "has to be learned: its target is 0."
)
def _last_afterstate_left_out(path, value, update, alpha):
    for step, following in reversed(list(zip(path, path[1:]))):
        target = following[REWARD] + value(following[AFTERSTATE])
        update(step[AFTERSTATE], alpha * (target - value(step[AFTERSTATE])))


@STATES.add(
    "It looks as if the target of the last state were 0: its move still earns its reward. What is "
    "worth 0 is the dead board that follows."
)
def _nothing_for_the_last_move(path, value, update, alpha):
    following = -path[-1][REWARD]
    for board, _, reward, _ in reversed(path):
        following = update(board, alpha * (reward + following - value(board)))


STATES.add(
    "It looks as if this were the recursion of V(afterstate): the reward joined the target after "
    "the update, one step too late. From s on the reward of this very move is earned, so it "
    "belongs to its target."
)(_episode(BOARD, joins_before=False))
STATES.add(
    "It looks as if afterstates learned: the board of each update is the state s, the first of a "
    "step (s, a, r, s')."
)(_episode(AFTERSTATE, joins_before=True))
STATES.add("It looks as if V(afterstate) were learned: here it is V(s) of states.")(
    _episode(AFTERSTATE, joins_before=False)
)
STATES.add(
    "It looks as if the path were learned from the first move on, which is the forward order: "
    "begin with the last."
)(_forward_states)


def _mixed(value_place, update_place, joins_before):
    """V is asked about one board of a step, and another one is updated."""

    def learn(path, value, update, alpha):
        following = 0.0
        for step in reversed(path):
            target = step[REWARD] + following if joins_before else following
            after = update(step[update_place], alpha * (target - value(step[value_place])))
            following = after if joins_before else step[REWARD] + after

    return learn


for _suspects, _place, _other, _joins_before in (
    (AFTERSTATES, AFTERSTATE, BOARD, False),
    (STATES, BOARD, AFTERSTATE, True),
):
    _suspects.add(
        "It looks as if V were asked about one board and another one updated: value and update "
        "want the same board."
    )(_mixed(_other, _place, _joins_before))
    _suspects.add(
        "It looks as if V were asked about the right board, but another one updated: value and "
        "update want the same board."
    )(_mixed(_place, _other, _joins_before))

_enter_usual_faults(AFTERSTATES, _learn_afterstates, AFTERSTATE, False, "s'")
_enter_usual_faults(STATES, _learn_states, BOARD, True, "s")


@STATES.add(
    "It looks as if V of the afterstate stood for what follows. It is states that are valued here: "
    "what follows is V of the next s, the board of the next move, as update returned it."
)
def _states_by_afterstates(path, value, update, alpha):
    for s, _, r, after in reversed(path):
        update(s, alpha * (r + value(after) - value(s)))


def _told_updates(arguments, place: int) -> list[str]:
    """What each update is about, in words, the first update first."""
    path, network, _, alpha = arguments
    lines = []
    following = 0.0
    symbol = "V(s')" if place == AFTERSTATE else "V(s)"
    for t, step in reversed(list(enumerate(path))):
        target = following if place == AFTERSTATE else step[REWARD] + following
        old = network.value(step[place])
        after = network.update(step[place], alpha * (target - old))
        following = step[REWARD] + after if place == AFTERSTATE else after
        lines.append(
            f"move {t}: {symbol} is {old:g}, its target {target:g}, so delta is {alpha:g} * "
            f"{target - old:g} = {alpha * (target - old):g}; {symbol} after is {after:g}"
        )
    return lines


def _explainer(place: int):
    def explain(told) -> list[str]:
        path = told.arguments[0]
        number = int(told.part.removeprefix("update "))
        if number > len(path):
            return [f"A path of {len(path)} moves takes {len(path)} updates."]
        fresh = Network(told.arguments[1].seed)
        lines = _told_updates((path, fresh, None, told.arguments[3]), place)
        return ["The updates, one for each move, the last move first:", *lines[: number + 1]]

    return explain


def _episode_cases(place: int):
    """The last moves of random games, to learn from."""
    for seed, (moves, alpha) in enumerate([(1, 0.5), (2, 1.0), (2, 0.5), (4, 0.1), (12, 0.25)]):
        path = material.random_path(np.random.default_rng(seed))[-moves:]
        network = Network(seed)
        network.seed = seed
        yield Case(
            (path, network, _update_by_name, alpha),
            ask=_ask_to_learn,
            read=_read_log,
            given=[Thing("", f"move {t}: r = {step[REWARD]}") for t, step in enumerate(path)],
            may_change=(1,),
            second="delta",
            explain=_explainer(place),
        )


def _update_by_name():
    """Stands for update where a call is written out."""


@exercise(
    right=_learn_afterstates,
    suspects=AFTERSTATES,
    now="This is the learning of the homework.",
)
def update_episode_afterstate():
    """update_episode_afterstate(path, value, update, alpha)

    Learns V(s') of each (s, a, r, s') of a finished game, the last move first. What follows the
    last s' is worth 0, and that is its target. The target of any other s' is the reward of the
    next move + V of the next s', as update returned it. value(board) is V; update(board, delta)
    moves V(board) by delta and returns V after; delta is alpha * (target - V). There is one
    update for each move.
    """
    yield from _episode_cases(AFTERSTATE)


@exercise(
    right=_learn_states,
    suspects=STATES,
    now="The reward joins the target one step earlier than with afterstates, that is all.",
)
def update_episode_state():
    """update_episode_state(path, value, update, alpha)

    Learns V(s) of each (s, a, r, s') of a finished game, the last move first. The target of s is
    r + V of the next s, as update returned it; after the last move comes a dead board, which is
    worth 0. value(board) is V; update(board, delta) moves V(board) by delta and returns V after;
    delta is alpha * (target - V). There is one update for each move.
    """
    yield from _episode_cases(BOARD)


# returns

RETURNS = Suspects()


def _right_returns(rewards):
    return [sum(rewards[t + 1 :]) for t in range(len(rewards))]


@RETURNS.add(
    "It looks as if the reward of the move itself were included: what V(s') claims to know comes "
    "after the afterstate, and the last entry is 0."
)
def _own_reward_included(rewards):
    return [sum(rewards[t:]) for t in range(len(rewards))]


@RETURNS.add("It looks as if what was earned before were added up: add up what is still to come.")
def _earned_so_far(rewards):
    return [sum(rewards[: t + 1]) for t in range(len(rewards))]


@RETURNS.add("It looks as if what was earned before each move were added up: go from the end.")
def _earned_before(rewards):
    return [sum(rewards[:t]) for t in range(len(rewards))]


@RETURNS.add("The numbers are right, but in the other order: the entry of the first move is first.")
def _last_first(rewards):
    return _right_returns(rewards)[::-1]


@RETURNS.add("It looks as if only the next reward counted: add up all that come after.")
def _next_reward(rewards):
    return [*rewards[1:], 0]


@RETURNS.add("The list is as long as rewards: the last move has its entry, 0.")
def _one_too_few(rewards):
    return _right_returns(rewards)[:-1]


@RETURNS.add("It looks as if there were an entry too many: one for each move.")
def _one_too_many(rewards):
    return [sum(rewards), *_right_returns(rewards)]


@RETURNS.add("It looks as if all rewards but its own were added up: only those after it count.")
def _all_others(rewards):
    return [sum(rewards) - reward for reward in rewards]


@RETURNS.add("It looks as if the score of the whole game stood everywhere.")
def _whole_score(rewards):
    return [sum(rewards)] * len(rewards)


@RETURNS.add("It looks as if the mean of the rewards to come were taken: their sum is asked for.")
def _means(rewards):
    return [sum(rewards[t + 1 :]) / max(1, len(rewards) - t - 1) for t in range(len(rewards))]


@RETURNS.add("A list is asked for, an entry for each move: this is the score.")
def _score(rewards):
    return sum(rewards)


def _discounted_returns(discount):
    def returns(rewards):
        to_come = [0.0]
        for reward in reversed(rewards[1:]):
            to_come.append(reward + discount * to_come[-1])
        return to_come[::-1]

    return returns


for _discount in (0.9, 0.99, 0.95):
    RETURNS.add("It looks as if later rewards were discounted: a point later is a point here.")(
        _discounted_returns(_discount)
    )


@exercise(
    right=_right_returns,
    suspects=RETURNS,
    wanted="A list is asked for, with an entry for each move.",
    now="Set it beside V(s') of the same moves: that is how a claim is tested.",
)
def returns():
    """returns(rewards) -> list

    What was still earned after each move of a finished game: for move t the sum of the rewards of
    the moves after it, without its own; 0 for the last. The list is as long as rewards.
    """
    for rewards in ([4], [0, 4], [4, 8, 16], [0, 0, 4, 0, 20], list(range(0, 400, 4))):
        yield Case(
            (rewards,),
            given=[Thing("", f"rewards {plain(rewards)}")],
            about="a game of one move" if len(rewards) == 1 else "",
        )


# tc_step

TC_STEP = Suspects()


def _right_tc_step(weights, errors, sizes, i, step):
    rate = abs(errors[i]) / sizes[i] if sizes[i] else 1.0
    weights[i] += rate * step
    errors[i] += step
    sizes[i] += abs(step)


def _tc_with(rate, error=lambda step, rate: step, size=lambda step, rate: abs(step), late=False):
    """A step with another rate, or with other sums: functions of the step and the rate."""

    def tc_step(weights, errors, sizes, i, step):
        factor = 1.0
        if not late:
            factor = rate(errors[i], sizes[i])
        errors[i] += error(step, factor)
        sizes[i] += size(step, factor)
        if late:
            factor = rate(errors[i], sizes[i])
        weights[i] += factor * step

    return tc_step


def _rate(error, size) -> float:
    return abs(error) / size if size else 1.0


TC_STEP.add(
    "It looks as if the sums were changed before the rate was taken from them: read the rate "
    "first, then add the step to both sums."
)(_tc_with(_rate, late=True))
TC_STEP.add(
    "It looks as if the rate of a weight without history were 0: it would never learn. While "
    "sizes[i] is 0 the rate is 1."
)(_tc_with(lambda error, size: abs(error) / size if size else 0.0))
TC_STEP.add("While sizes[i] is 0 nothing can be divided by it: the rate is 1 then.")(
    _tc_with(lambda error, size: abs(error) / float(size) if size else 1 // 0)
)
TC_STEP.add("It looks as if the rate were left out: the weight grows by rate * step.")(
    _tc_with(lambda error, size: 1.0)
)
TC_STEP.add(
    "It looks as if the sign of errors[i] got into the rate: it is abs(errors[i]) / sizes[i], "
    "never below 0."
)(_tc_with(lambda error, size: error / size if size else 1.0))
TC_STEP.add("It looks as if the rate were turned over: abs(errors[i]) / sizes[i], at most 1.")(
    _tc_with(lambda error, size: size / abs(error) if size and error else 1.0)
)
TC_STEP.add("It looks as if the square root of the rate were taken.")(
    _tc_with(lambda error, size: _rate(error, size) ** 0.5)
)
TC_STEP.add(
    "It looks as if errors[i] added up sizes: it adds up the step with its sign, so that steps "
    "to and fro cancel."
)(_tc_with(_rate, error=lambda step, rate: abs(step)))
TC_STEP.add("It looks as if sizes[i] added up steps with their sign: it adds up abs(step).")(
    _tc_with(_rate, size=lambda step, rate: step)
)
TC_STEP.add("It looks as if the sums added up rate * step: they add up the step as it came.")(
    _tc_with(_rate, error=lambda step, rate: rate * step, size=lambda step, rate: abs(rate * step))
)
TC_STEP.add("It looks as if errors[i] did not change: the step joins it.")(
    _tc_with(_rate, error=lambda step, rate: 0.0)
)
TC_STEP.add("It looks as if sizes[i] did not change: abs(step) joins it.")(
    _tc_with(_rate, size=lambda step, rate: 0.0)
)
TC_STEP.add("It looks as if the sums did not change: the step joins errors[i], its size sizes[i].")(
    _tc_with(_rate, error=lambda step, rate: 0.0, size=lambda step, rate: 0.0)
)
TC_STEP.add("It looks as if sizes[i] counted the steps: it adds up abs(step).")(
    _tc_with(_rate, size=lambda step, rate: 1.0)
)
TC_STEP.add("It looks as if the sign of the step were wrong for the weight: it is added.")(
    _tc_with(lambda error, size: -_rate(error, size))
)


TC_STEP.add(
    "It looks as if weights[i] did not change, or in a copy only: it grows by rate * step."
)(_tc_with(lambda error, size: 0.0))


@TC_STEP.add("It looks as if errors[i] and sizes[i] were set to the step: add it to what they are.")
def _sets_the_sums(weights, errors, sizes, i, step):
    weights[i] += _rate(errors[i], sizes[i]) * step
    errors[i] = step
    sizes[i] = abs(step)


@TC_STEP.add("It looks as if the weight were set to rate * step: add that to what it is.")
def _sets_the_weight(weights, errors, sizes, i, step):
    weights[i] = _rate(errors[i], sizes[i]) * step
    errors[i] += step
    sizes[i] += abs(step)


@TC_STEP.add(
    "A whole table was added to, where one weight of it is meant: weights[i], and errors[i]."
)
def _whole_tables(weights, errors, sizes, i, step):
    weights += _rate(errors[i], sizes[i]) * step
    errors += step
    sizes += abs(step)


@TC_STEP.add("It looks as if nothing changed: change weights[i], errors[i] and sizes[i].")
def _changes_nothing(weights, errors, sizes, i, step):
    return None


@exercise(
    right=_right_tc_step,
    suspects=TC_STEP,
    now="Each weight has a step size of its own now, which it finds by itself.",
)
def tc_step():
    """tc_step(weights, errors, sizes, i, step), in place

    One step of temporal coherence for weight i of a table. Its rate is abs(errors[i]) / sizes[i],
    or 1 while sizes[i] is 0. weights[i] grows by rate * step; after that errors[i] grows by step
    and sizes[i] by abs(step). All other entries stay.
    """
    rows = [(0.0, 0.0, 2.0), (3.0, 3.0, 1.5), (1.0, 4.0, -2.0), (-2.0, 4.0, 0.5), (0.0, 6.0, 8.0)]
    rng = np.random.default_rng(11)
    for error, size in rng.integers(-40, 40, (8, 2)).tolist():
        rows.append((error / 8, (abs(error) + abs(size)) / 8, float(rng.integers(-30, 30)) / 4))
    for number, (error, size, step) in enumerate(rows):
        i = number % 4
        weights = [float(n) for n in rng.integers(-20, 20, 4)]
        errors = [float(n) for n in rng.integers(-9, 9, 4)]
        sizes = [abs(n) + 1.0 for n in errors]
        errors[i] = error
        sizes[i] = size
        tables = (weights, errors, sizes)
        if number % 2:
            tables = tuple(np.array(table) for table in tables)
        yield Case(
            (*tables, i, step),
            given=[
                Thing("", f"weights[{i}] = {weights[i]:g}"),
                Thing("", f"errors[{i}] = {error:g}"),
                Thing("", f"sizes[{i}] = {size:g}"),
                Thing("", f"step = {step:g}"),
            ],
            read=_read_sums,
            may_change=(0, 1, 2),
            explain=_explain_rate,
        )


def _read_sums(_, arguments):
    """Every entry of the three tables by name."""
    return {
        f"{name}[{i}]": plain(table)[i]
        for name, table in zip(("weights", "errors", "sizes"), arguments)
        for i in range(len(table))
    }


def _explain_rate(told) -> list[str]:
    _, errors, sizes, i, step = told.arguments
    if not told.part.endswith(f"[{i}]"):
        return [f"Only entry {i} changes in each of the three."]
    if sizes[i] == 0:
        return ["sizes[i] is 0, so the rate is 1."]
    rate = abs(errors[i]) / sizes[i]
    return [
        f"The rate is {abs(errors[i]):g} / {sizes[i]:g} = {rate:g}; rate * step = {rate * step:g}."
    ]


# lambda_target

LAMBDA_TARGET = Suspects()


def _right_lambda_target(rewards, values, lambda_):
    targets = [0.0]
    for t in reversed(range(1, len(rewards))):
        targets.append(rewards[t] + (1 - lambda_) * values[t] + lambda_ * targets[-1])
    return targets[::-1]


def _lambda_with(start, following):
    """Targets made by another recursion, from the last move back.

    start(rewards, values) is the last target; following(t, rewards, values, lambda_, target) the
    one of move t, made of the target of move t + 1.
    """

    def lambda_target(rewards, values, lambda_):
        targets = [start(rewards, values)]
        for t in reversed(range(len(rewards) - 1)):
            targets.append(following(t, rewards, values, lambda_, targets[-1]))
        return targets[::-1]

    return lambda_target


def _zero(rewards, values) -> float:
    return 0.0


def _right_following(t, rewards, values, lambda_, target) -> float:
    return rewards[t + 1] + (1 - lambda_) * values[t + 1] + lambda_ * target


LAMBDA_TARGET.add(
    "It looks as if lambda and 1 - lambda were exchanged: with lambda 0 the target is that of "
    "TD(0), r + V of the next."
)(
    _lambda_with(
        _zero,
        lambda t, rewards, values, lambda_, target: (
            rewards[t + 1] + lambda_ * values[t + 1] + (1 - lambda_) * target
        ),
    )
)
LAMBDA_TARGET.add(
    "It looks as if the reward of the move itself were in its target: it is earned before its "
    "afterstate is reached. The target of move t has the reward of move t + 1."
)(
    _lambda_with(
        lambda rewards, values: rewards[-1],
        lambda t, rewards, values, lambda_, target: (
            rewards[t] + (1 - lambda_) * values[t + 1] + lambda_ * target
        ),
    )
)
LAMBDA_TARGET.add(
    "It looks as if the reward of the move itself stood for that of the next: the target of move t "
    "has the reward of move t + 1, and the last target is 0."
)(
    _lambda_with(
        _zero,
        lambda t, rewards, values, lambda_, target: (
            rewards[t] + (1 - lambda_) * values[t + 1] + lambda_ * target
        ),
    )
)
LAMBDA_TARGET.add(
    "It looks as if reward and value of the move itself were used: the target of move t is made of "
    "what comes next, rewards[t + 1] and values[t + 1]."
)(
    _lambda_with(
        _zero,
        lambda t, rewards, values, lambda_, target: (
            rewards[t] + (1 - lambda_) * values[t] + lambda_ * target
        ),
    )
)
LAMBDA_TARGET.add("It looks as if the last target were its reward: it is 0, nothing follows.")(
    _lambda_with(lambda rewards, values: rewards[-1], _right_following)
)
LAMBDA_TARGET.add("It looks as if the last target were its value: it is 0, nothing follows.")(
    _lambda_with(lambda rewards, values: values[-1], _right_following)
)
LAMBDA_TARGET.add("It looks as if the last target were -1: it is 0, nothing follows.")(
    _lambda_with(lambda rewards, values: -1.0, _right_following)
)
LAMBDA_TARGET.add("It looks as if the value of the move itself were used: it is V of the next.")(
    _lambda_with(
        _zero,
        lambda t, rewards, values, lambda_, target: (
            rewards[t + 1] + (1 - lambda_) * values[t] + lambda_ * target
        ),
    )
)
LAMBDA_TARGET.add("It looks as if the rewards were left out of the targets.")(
    _lambda_with(
        _zero,
        lambda t, rewards, values, lambda_, target: (
            (1 - lambda_) * values[t + 1] + lambda_ * target
        ),
    )
)
LAMBDA_TARGET.add(
    "It looks as if lambda were 0: this is the target of TD(0), which has nothing from further "
    "ahead."
)(_lambda_with(_zero, lambda t, rewards, values, lambda_, target: rewards[t + 1] + values[t + 1]))
LAMBDA_TARGET.add("It looks as if lambda were 1: this is the return of Monte-Carlo.")(
    _lambda_with(_zero, lambda t, rewards, values, lambda_, target: rewards[t + 1] + target)
)
LAMBDA_TARGET.add(
    "It looks as if V of the next counted in full, not with 1 - lambda: the two shares make 1."
)(
    _lambda_with(
        _zero,
        lambda t, rewards, values, lambda_, target: (
            rewards[t + 1] + values[t + 1] + lambda_ * target
        ),
    )
)
LAMBDA_TARGET.add(
    "It looks as if the reward were shared as well: it counts in full, what follows is shared."
)(
    _lambda_with(
        _zero,
        lambda t, rewards, values, lambda_, target: (
            (1 - lambda_) * (rewards[t + 1] + values[t + 1]) + lambda_ * target
        ),
    )
)
LAMBDA_TARGET.add("It looks as if lambda discounted what follows: it shares it, with 1 - lambda.")(
    _lambda_with(
        _zero, lambda t, rewards, values, lambda_, target: rewards[t + 1] + lambda_ * target
    )
)
LAMBDA_TARGET.add(
    "It looks as if the target of the next move were still 0 when it is used: go from the last "
    "move back to the first."
)(
    lambda rewards, values, lambda_: [
        rewards[t + 1] + (1 - lambda_) * values[t + 1] if t + 1 < len(rewards) else 0.0
        for t in range(len(rewards))
    ]
)
LAMBDA_TARGET.add(
    "It looks as if the targets stood one place too early: each is that of the move before. Keep "
    "the target of a move before you make the next one."
)(
    lambda rewards, values, lambda_: _right_lambda_target([0, *rewards], [0.0, *values], lambda_)[
        :-1
    ]
)
LAMBDA_TARGET.add(
    "The targets are right, but in the other order: that of the first move is first."
)(lambda rewards, values, lambda_: _right_lambda_target(rewards, values, lambda_)[::-1])
LAMBDA_TARGET.add("A target for each move is asked for: the last move has one too, 0.")(
    lambda rewards, values, lambda_: _right_lambda_target(rewards, values, lambda_)[:-1]
)
LAMBDA_TARGET.add("A list is asked for, with a target for each move: this is the first one.")(
    lambda rewards, values, lambda_: _right_lambda_target(rewards, values, lambda_)[0]
)
LAMBDA_TARGET.add("It looks as if errors were returned: the target itself is asked for.")(
    lambda rewards, values, lambda_: [
        target - value
        for target, value in zip(_right_lambda_target(rewards, values, lambda_), values)
    ]
)


@exercise(
    right=_right_lambda_target,
    suspects=LAMBDA_TARGET,
    wanted="A list is asked for, with a target for each move.",
    now="With lambda 0 it is TD(0), with lambda 1 Monte-Carlo.",
)
def lambda_target():
    """lambda_target(rewards, values, lambda_) -> list of targets

    The targets of V(s') of a finished game in TD(lambda). rewards[t] and values[t] are the reward
    of move t and V of its afterstate. The target of the last afterstate is 0. The target of move t
    is rewards[t + 1] + (1 - lambda) * values[t + 1] + lambda * the target of move t + 1.
    """
    rng = np.random.default_rng(13)
    for moves, lambda_ in ((1, 0.5), (2, 0.5), (3, 0.25), (3, 0.0), (4, 1.0), (12, 0.7), (30, 0.5)):
        rewards = (4 * rng.integers(0, 6, moves)).tolist()
        values = (rng.integers(-50, 200, moves) / 2).tolist()
        yield Case(
            (rewards, values, lambda_),
            given=[
                Thing("", f"move {t}: r = {reward}, V = {value:g}")
                for t, (reward, value) in enumerate(zip(rewards[:12], values))
            ],
            read=_read_targets,
            explain=_explain_target,
        )


def _read_targets(answer, arguments):
    """Each target by its move, the last first, as they are made."""
    if not isinstance(answer, list):
        raise TypeError("targets are a list")
    named = {f"target of move {t}": target for t, target in enumerate(answer)}
    return dict(reversed(named.items()))


def _explain_target(told) -> list[str]:
    rewards, values, lambda_ = told.arguments
    targets = _right_lambda_target(rewards, values, lambda_)
    t = int("".join(filter(str.isdigit, told.part)))
    if t >= len(rewards):
        return [f"There is one target for each move: {len(rewards)}, and not {t + 1} or more."]
    if t == len(rewards) - 1:
        return ["After the last move nothing is earned: its target is 0."]
    return [
        f"{rewards[t + 1]:g} + (1 - {lambda_:g}) * {values[t + 1]:g} + {lambda_:g} * "
        f"{targets[t + 1]:g} = {targets[t]:g}"
    ]
