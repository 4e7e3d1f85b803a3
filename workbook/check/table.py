"""Checks of learning with a table: on the game on two rows of two, and on made-up states."""

import random

from workbook import tiny
from workbook.answers import Thing, plain
from workbook.check.exercise import Suspects, exercise, located
from workbook.trial import Case

# value_iteration

CHAIN = {  # listed so that one sweep in this order reaches nothing but the end
    "A": {0: [(1.0, 1, "B")]},
    "B": {0: [(1.0, 2, "C")]},
    "C": {0: [(1.0, 4, None)]},
}
CHOICE = {
    "start": {0: [(1.0, 10, None)], 1: [(0.5, 0, "rich"), (0.5, 0, "poor")]},
    "rich": {0: [(1.0, 100, None)]},
    "poor": {0: [(0.9, 1, None), (0.1, 5, "start of the end")]},
    "start of the end": {0: [(1.0, 0, None)], 3: [(0.25, 8, None), (0.75, 4, None)]},
}
TEMPTING = {  # what earns most at once is not what earns most
    "here": {0: [(1.0, 8, None)], 1: [(1.0, 2, "there")], 2: [(0.5, 16, None), (0.5, 0, None)]},
    "there": {0: [(1.0, 4, "there too")]},
    "there too": {2: [(1.0, 4, None)]},
}

LOSING = {  # whatever is done, points are lost
    "cliff": {0: [(1.0, -5, None)], 1: [(1.0, -1, "ditch")]},
    "ditch": {0: [(0.5, -6, None), (0.5, 0, None)]},
}


def tiny_model() -> dict:
    """The game on two rows of two: {board: {action: [(probability, reward, next), ...]}}."""
    return {
        board: {action: tiny.outcomes(board, action) for action in tiny.moves(board)}
        for board in tiny.boards()
    }


def _worth(V, outcomes, discount=1.0, end=0.0) -> float:
    """The mean of r + V(s_next)."""
    return sum(
        probability * (r + discount * (end if s_next is None else V[s_next]))
        for probability, r, s_next in outcomes
    )


def _iterated(model, choose=max, worth=_worth, sweeps=200) -> dict:
    """The values after sweeps in which V(s) becomes what `choose` makes of the actions' worths."""
    V = dict.fromkeys(model, 0.0)
    for _ in range(sweeps):
        old = V
        V = {
            s: choose([worth(old, outcomes) for outcomes in actions.values()])
            for s, actions in model.items()
        }
        if old == V:
            break
    return V


def _right_value_iteration(model):
    return _iterated(model)


def _mean(worths) -> float:
    return sum(worths) / len(worths)


VALUE_ITERATION = Suspects()


@VALUE_ITERATION.add(
    "It looks as if the mean over the actions were taken. That is V of the player who moves at "
    "random: the best player takes the largest."
)
def _of_the_random_player(model):
    return _iterated(model, choose=_mean)


@VALUE_ITERATION.add("It looks as if the smallest worth were taken: take the largest.")
def _of_the_worst_player(model):
    return _iterated(model, choose=min)


@VALUE_ITERATION.add("It looks as if the first action were always taken: try all and take the max.")
def _first_action(model):
    return _iterated(model, choose=lambda worths: worths[0])


@VALUE_ITERATION.add("It looks as if the worths of the actions were added up: take the largest.")
def _sum_over_actions(model):
    return _iterated(model, choose=sum)


@VALUE_ITERATION.add(
    "It looks as if only the next reward counted: either there is one sweep only, in which all "
    "that comes later is still 0, or V(s_next) is missing. Go on until no value changes."
)
def _one_sweep(model):
    return _iterated(model, sweeps=1)


@VALUE_ITERATION.add("It looks as if there were two sweeps only: go on until no value changes.")
def _two_sweeps(model):
    return _iterated(model, sweeps=2)


@VALUE_ITERATION.add("It looks as if one sweep in place were all: go on until no value changes.")
def _one_sweep_in_place(model):
    V = dict.fromkeys(model, 0.0)
    for s, actions in model.items():
        V[s] = max(_worth(V, outcomes) for outcomes in actions.values())
    return V


@VALUE_ITERATION.add(
    "All values are 0: either no sweep is made, or the rewards are left out of r + V(s_next)."
)
def _no_sweep(model):
    return dict.fromkeys(model, 0.0)


@VALUE_ITERATION.add(
    "It looks as if the probabilities were left out: an outcome counts as much as it is likely."
)
def _without_probabilities(model):
    def worth(V, outcomes):
        return sum(r + (0.0 if s_next is None else V[s_next]) for _, r, s_next in outcomes)

    return _iterated(model, worth=worth)


@VALUE_ITERATION.add("It looks as if all outcomes counted alike: weigh each with its probability.")
def _all_outcomes_alike(model):
    def worth(V, outcomes):
        return _mean([_worth(V, [(1.0, r, s_next)]) for _, r, s_next in outcomes])

    return _iterated(model, worth=worth)


@VALUE_ITERATION.add(
    "It looks as if the best outcome were chosen. The player chooses the action, but chance "
    "chooses the outcome: take the mean over the outcomes and the max over the actions."
)
def _best_outcome(model):
    def worth(V, outcomes):
        return max(_worth(V, [(1.0, r, s_next)]) for _, r, s_next in outcomes)

    return _iterated(model, worth=worth)


@VALUE_ITERATION.add(
    "It looks as if the most likely outcome alone counted: take the mean over all of them."
)
def _likeliest_outcome(model):
    def worth(V, outcomes):
        _, r, s_next = max(outcomes, key=lambda outcome: outcome[0])
        return _worth(V, [(1.0, r, s_next)])

    return _iterated(model, worth=worth)


@VALUE_ITERATION.add(
    "It looks as if the reward of the best outcome at once decided: compare r + V(s_next)."
)
def _greedy_for_rewards(model):
    V = dict.fromkeys(model, 0.0)
    for _ in range(100):
        for s, actions in model.items():
            best = max(actions.values(), key=lambda outcomes: sum(p * r for p, r, _ in outcomes))
            V[s] = _worth(V, best)
    return V


def _discounted(discount):
    def value_iteration(model):
        return _iterated(model, worth=lambda V, outcomes: _worth(V, outcomes, discount))

    return value_iteration


for _discount in (0.9, 0.99, 0.95, 0.5):
    VALUE_ITERATION.add(
        "It looks as if later rewards were discounted: a point later is worth a point here."
    )(_discounted(_discount))


@VALUE_ITERATION.add("It looks as if the end of the game were worth -1: V after the end is 0.")
def _end_of_minus_one(model):
    return _iterated(model, worth=lambda V, outcomes: _worth(V, outcomes, end=-1.0))


@VALUE_ITERATION.add(
    "After the last move s_next is None, and V has no None: what follows is worth 0."
)
def _looks_the_end_up_in_sweeps(model):
    def worth(V, outcomes):
        return sum(probability * (r + V[s_next]) for probability, r, s_next in outcomes)

    return _iterated(model, worth=worth)


@VALUE_ITERATION.add(
    "It looks as if the best worth so far started at 0. Where every action loses, the best of them "
    "lies below 0. Start with None, or with -math.inf."
)
def _best_starts_at_0(model):
    return _iterated(model, choose=lambda worths: max(0.0, *worths))


@VALUE_ITERATION.add(
    "It looks as if the reward of one outcome stood for all: each outcome has its own, so the mean "
    "is over r + V(s_next), and not over V(s_next) alone."
)
def _reward_of_the_first_outcome(model):
    def worth(V, outcomes):
        return outcomes[0][1] + _worth(V, [(p, 0, s_next) for p, _, s_next in outcomes])

    return _iterated(model, worth=worth)


@VALUE_ITERATION.add("The values are asked for, {s: V}; these are actions.")
def _the_policy(model):
    V = _iterated(model)
    return {
        s: max(actions, key=lambda action: _worth(V, actions[action]))
        for s, actions in model.items()
    }


@exercise(
    right=_right_value_iteration,
    suspects=VALUE_ITERATION,
    wanted="A dict is asked for, {s: V}, with the value of every state.",
    now="These are the true values, which all learning here is measured by.",
)
def value_iteration():
    """value_iteration(model) -> {s: V}

    The values of the best player, computed. model[s][a] is a list of (probability, r, s_next), all
    that may follow action a in state s; s_next is None where the game is over, and what follows
    is worth 0. Begin with V(s) = 0 for every s. Put V(s) to the largest mean of r + V(s_next) that
    an action has, for every s, again and again, until no value changes by more than 1e-6. In the
    games of this check rewards may lie below 0.
    """
    single = {"A": {2: [(0.5, 4, None), (0.5, 8, None)]}}
    for model in (single, CHAIN, TEMPTING, CHOICE):
        yield Case((model,), given=_listed_model(model), read=_read_values, explain=_explain_sweep)
    yield Case(
        (LOSING,),
        about="all that can be had may lie below 0",
        given=_listed_model(LOSING),
        read=_read_values,
        explain=_explain_sweep,
    )
    yield Case(
        (tiny_model(),),
        about="the game on two rows of two",
        given=[Thing("", "the model of the 2x2 game")],
        read=_read_values,
        explain=_explain_sweep,
    )


def _listed_model(model) -> list[Thing]:
    """A small model, a line for each action."""
    lines = []
    for s, actions in model.items():
        for action, outcomes in actions.items():
            follows = ", ".join(f"({p:g}, {r}, {s_next})" for p, r, s_next in outcomes)
            lines.append(Thing("", f"{s}, action {action}: {follows}"))
    return lines


def _read_values(answer, arguments):
    if not isinstance(answer, dict):
        raise TypeError("values are a dict")
    return {_state_name(s): value for s, value in answer.items()}


def _state_name(s) -> str:
    return f"V of {s}"


def _explain_sweep(told) -> list[str]:
    """What the wrong value should be made of."""
    model = told.arguments[0]
    if told.part == _state_name(None):
        return ["None stands for the end of the game, which is no state: take it out again."]
    V = _iterated(model)
    for s, actions in model.items():
        if _state_name(s) == told.part:
            worths = [f"{action}: {_worth(V, outcomes):g}" for action, outcomes in actions.items()]
            lines = [f"The mean of r + V(s_next) for each action of {s}: {', '.join(worths)}."]
            if len(model) == len(tiny.boards()) and type(told.got) is float and told.got < V[s]:
                lines.append(
                    "The small games came out right, and here your value is too low. Were there "
                    "enough sweeps? A game on two rows of two has up to 24 moves."
                )
            return lines
    return []


# td0


def _right_td0(V, s, r, s_next, alpha):
    following = 0.0 if s_next is None else V[s_next]
    V[s] += alpha * (r + following - V[s])


TD0 = Suspects()


def _step_with(target):
    """A step towards another target: a function of (V, s, r, s_next)."""

    def td0(V, s, r, s_next, alpha):
        V[s] += alpha * (target(V, s, r, s_next) - V[s])

    return td0


def _following(V, s_next) -> float:
    return 0.0 if s_next is None else V[s_next]


TD0.add(
    "It looks as if the end of the game earned -1: after the last move comes nothing, the target "
    "is r alone."
)(_step_with(lambda V, s, r, s_next: r + (-1 if s_next is None else V[s_next])))
TD0.add("It looks as if the target were -1 at the end of the game: it is r.")(
    _step_with(lambda V, s, r, s_next: -1 if s_next is None else r + V[s_next])
)
TD0.add("It looks as if the target were 0 at the end of the game: the last move earns r, too.")(
    _step_with(lambda V, s, r, s_next: 0 if s_next is None else r + V[s_next])
)
TD0.add("It looks as if V[s] stood in for what follows the end: that is worth 0.")(
    _step_with(lambda V, s, r, s_next: r + (V[s] if s_next is None else V[s_next]))
)
TD0.add("It looks as if V of the next state were missing: the target is r + V[s_next].")(
    _step_with(lambda V, s, r, s_next: r)
)
TD0.add("It looks as if the reward were missing: the target is r + V[s_next].")(
    _step_with(lambda V, s, r, s_next: _following(V, s_next))
)
TD0.add(
    "It looks as if a next state that is empty, such as (), were taken for the end: ask for "
    "`s_next is None`."
)(_step_with(lambda V, s, r, s_next: r + _following(V, s_next or None)))
for _discount in (0.9, 0.99, 0.95):
    TD0.add("It looks as if V[s_next] were discounted: here a point later is worth a point.")(
        _step_with(lambda V, s, r, s_next, discount=_discount: r + discount * _following(V, s_next))
    )


@TD0.add(
    "It looks as if alpha were left out at the end of the game: there, too, V[s] goes a share "
    "alpha of the way, towards r."
)
def _no_alpha_at_the_end(V, s, r, s_next, alpha):
    _right_td0(V, s, r, s_next, 1.0 if s_next is None else alpha)


@TD0.add("It looks as if nothing were learned from the last move: its target is r.")
def _leaves_the_end_out(V, s, r, s_next, alpha):
    if s_next is not None:
        _right_td0(V, s, r, s_next, alpha)


@TD0.add("It looks as if alpha were left out: V[s] goes a share alpha of the way to the target.")
def _no_alpha(V, s, r, s_next, alpha):
    V[s] = r + _following(V, s_next)


@TD0.add("It looks as if alpha were always 0.1: it is an argument.")
def _alpha_of_a_tenth(V, s, r, s_next, alpha):
    V[s] += 0.1 * (r + _following(V, s_next) - V[s])


@TD0.add(
    "It looks as if the sign were wrong: the error is target - V[s], and V[s] moves towards "
    "the target."
)
def _wrong_sign(V, s, r, s_next, alpha):
    V[s] -= alpha * (r + _following(V, s_next) - V[s])


@TD0.add("It looks as if V of the next state moved: V[s] learns, from V[s_next].")
def _moves_the_next(V, s, r, s_next, alpha):
    changed = s if s_next is None else s_next
    V[changed] += alpha * (r + _following(V, s_next) - V[s])


@TD0.add(
    "It looks as if alpha times the target were put into V[s]: take V[s] off the target first, "
    "with brackets around the error, and add to V[s]."
)
def _puts_the_target(V, s, r, s_next, alpha):
    V[s] = alpha * (r + _following(V, s_next))


@TD0.add(
    "It looks as if alpha times the error were put in the place of V[s]: it is what V[s] changes "
    "by, so add it (+=)."
)
def _puts_the_step(V, s, r, s_next, alpha):
    V[s] = alpha * (r + _following(V, s_next) - V[s])


@TD0.add("It looks as if alpha times the target were added without taking V[s] off it.")
def _adds_the_target(V, s, r, s_next, alpha):
    V[s] += alpha * (r + _following(V, s_next))


@TD0.add(
    "It looks as if the two shares were exchanged: the new V[s] is (1 - alpha) times the old "
    "one plus alpha times the target."
)
def _exchanged_shares(V, s, r, s_next, alpha):
    V[s] = alpha * V[s] + (1 - alpha) * (r + _following(V, s_next))


@TD0.add("It looks as if alpha were missing before V[s_next]: it is a part of the target as r is.")
def _whole_following(V, s, r, s_next, alpha):
    V[s] = (1 - alpha) * V[s] + alpha * r + _following(V, s_next)


@TD0.add("It looks as if alpha were multiplied with a part only: brackets around the whole error.")
def _missing_brackets(V, s, r, s_next, alpha):
    V[s] += alpha * r + _following(V, s_next) - V[s]


@TD0.add("It looks as if a value could not go below 0: some states may be worth less than 0 here.")
def _never_below_0(V, s, r, s_next, alpha):
    _right_td0(V, s, r, s_next, alpha)
    V[s] = max(0.0, V[s])


@TD0.add("It looks as if the error could not be below 0: V must be able to fall.")
def _never_falls(V, s, r, s_next, alpha):
    V[s] += max(0.0, alpha * (r + _following(V, s_next) - V[s]))


@TD0.add("It looks as if the error were clipped to 1: V moves by alpha times the whole error.")
def _clipped(V, s, r, s_next, alpha):
    error = r + _following(V, s_next) - V[s]
    V[s] += alpha * max(-1.0, min(1.0, error))


for _digits in (None, 0, 1, 2, 3, 4):
    TD0.add("It looks as if the value were rounded: leave all digits, small steps need them.")(
        lambda V, s, r, s_next, alpha, digits=_digits: V.update(
            {s: round(V[s] + alpha * (r + _following(V, s_next) - V[s]), digits)}
        )
    )


@TD0.add("It looks as if the value were cut off to a whole number.")
def _whole_numbers(V, s, r, s_next, alpha):
    _right_td0(V, s, r, s_next, alpha)
    V[s] = int(V[s])


@TD0.add("It looks as if V did not change: change V[s] in the dict that is handed in.")
def _changes_nothing(V, s, r, s_next, alpha):
    return V[s] + alpha * (r + _following(V, s_next) - V[s])


@TD0.add("After the last move s_next is None, and V has no None: what follows is worth 0.")
def _looks_the_end_up(V, s, r, s_next, alpha):
    V[s] += alpha * (r + V[s_next] - V[s])


@TD0.add("It looks as if the end had been entered into V, as V[None]: it is no state.")
def _enters_the_end(V, s, r, s_next, alpha):
    V.setdefault(None, 0.0)
    _right_td0(V, s, r, s_next, alpha)


STEPS = [
    ("A", 4, "B", 0.5),
    ("A", 0, "C", 0.1),
    ("B", 8, None, 0.25),
    ("C", 0, None, 1.0),
    ("B", 2, "B", 0.5),
    ("C", 4, (), 0.5),  # any state, such as (), that is not None is one
    ("C", 0, "D", 0.3),  # below 0, and no round number
    ("A", 400, "B", 0.3),
    ("E", 0, None, 0.3137),  # so small that rounding shows
]
VALUES = {"A": 10.0, "B": 7.0, "C": -3.0, "D": -8.125, "E": 0.01, (): 24.0}


@exercise(
    right=_right_td0,
    suspects=TD0,
    now="This one line is TD(0); all the rest of the book is about where its V is kept.",
)
def td0():
    """td0(V, s, r, s_next, alpha), in place

    One step of TD(0): V[s] moves by alpha * (r + V[s_next] - V[s]). V is a dict. Where s_next is
    None the game is over, and what follows is worth 0. All other values stay.
    """
    for s, r, s_next, alpha in STEPS:
        yield Case(
            (dict(VALUES), s, r, s_next, alpha),
            given=[Thing("", f"V of {state}: {value:g}") for state, value in VALUES.items()],
            read=_read_table,
            may_change=(0,),
            explain=_explain_td0,
        )


def _read_table(answer, arguments):
    """The values as they are after the call, whatever was returned."""
    return {_state_name(s): plain(value) for s, value in arguments[0].items()}


def _explain_td0(told) -> list[str]:
    V, s, r, s_next, alpha = told.arguments
    following = _following(V, s_next)
    target = f"target = r + V of the next = {r:g} + {following:g} = {r + following:g}"
    error = r + following - V[s]
    return [f"{target}; the error is {error:g}, and alpha times it {alpha * error:g}."]


# td0_backward and monte_carlo


def _right_td0_backward(V, game, alpha):
    for s, _, r, s_next in reversed(game):
        _right_td0(V, s, r, s_next, alpha)


def _right_monte_carlo(V, game, alpha):
    G = 0.0
    for s, _, r, _ in reversed(game):
        G += r
        V[s] += alpha * (G - V[s])


TD0_BACKWARD = Suspects()
MONTE_CARLO = Suspects()


def _games() -> list:
    """(V, game, alpha) from short to long."""
    short = [("A", 0, 4, "B"), ("B", 2, 0, "C"), ("C", 1, 8, None)]
    cases = [
        ({"A": 1.0, "B": 2.0, "C": 5.0}, short[2:], 0.5),
        ({"A": 1.0, "B": 2.0, "C": 5.0}, short, 0.5),
        ({"A": 0.0, "B": 0.0, "C": 0.0, "D": 7.5}, short, 1.0),
        ({"A": -2.0, "B": 30.0, "C": 5.0, "D": 7.5}, short, 0.1),
        ({"A": -2.0, "B": -30.5, "C": -5.0}, [(s, a, 0, n) for s, a, _, n in short], 0.3),
        ({"A": 0.01, "B": 0.02, "C": 0.017}, [(s, a, 0, n) for s, a, _, n in short], 0.3137),
    ]
    for seed in range(4):
        rng = random.Random(seed)
        game = tiny.play(tiny.at_random, rng)
        met = sorted({s for s, _, _, _ in game} | {tiny.boards()[seed]})
        V = {s: rng.randrange(800) / 8 for s in met}
        cases.append((V, game, (0.1, 0.5, 0.3, 1.0)[seed]))
    return cases


def _game_cases(explain):
    for V, game, alpha in _games():
        moves = [f"{s}: r = {r}, then {s_next}" for s, _, r, s_next in game]
        yield Case(
            (V, game, alpha),
            given=[Thing("", move) for move in moves],
            read=_read_table,
            may_change=(0,),
            explain=explain,
        )


@TD0_BACKWARD.add(
    "It looks as if V of the next state were the one from before the game: either the first move "
    "is learned first, or all targets are made beforehand. Backward is from the last move to the "
    "first, reversed(game), and reads V[s_next] when it is new already."
)
def _forward(V, game, alpha):
    for s, _, r, s_next in game:
        _right_td0(V, s, r, s_next, alpha)


@TD0_BACKWARD.add(
    "It looks as if the return G of the whole rest were the target. That is Monte-Carlo: the "
    "target of TD(0) is r + V of the next state."
)
def _monte_carlo_instead(V, game, alpha):
    _right_monte_carlo(V, game, alpha)


@MONTE_CARLO.add(
    "It looks as if r + V of the next state were the target. That is TD(0): Monte-Carlo learns "
    "from what the game really brought, the sum of all rewards to come."
)
def _td0_instead(V, game, alpha):
    _right_td0_backward(V, game, alpha)


@MONTE_CARLO.add(
    "It looks as if r + V of the next state were the target, and the first move learned first: "
    "Monte-Carlo learns from the sum of all rewards to come."
)
def _td0_forward_instead(V, game, alpha):
    _forward(V, game, alpha)


def _with_last_left_out(learn):
    def learn_less(V, game, alpha):
        learn(V, game[:-1], alpha)

    return learn_less


def _with_first_left_out(learn):
    def learn_less(V, game, alpha):
        if len(game) > 1:
            value = V[game[0][0]]
            learn(V, game, alpha)
            V[game[0][0]] = value

    return learn_less


def _in_a_copy(learn):
    def learn_nothing(V, game, alpha):
        learn(dict(V), game, alpha)

    return learn_nothing


def _with_alpha_one(learn):
    def learn_all(V, game, alpha):
        learn(V, game, 1.0)

    return learn_all


for _suspects, _learn in (
    (TD0_BACKWARD, _right_td0_backward),
    (MONTE_CARLO, _right_monte_carlo),
):
    _suspects.add("It looks as if the last move were not learned from.")(
        _with_last_left_out(_learn)
    )
    _suspects.add("It looks as if the first move were not learned from.")(
        _with_first_left_out(_learn)
    )
    _suspects.add("It looks as if V did not change: change the dict that is handed in.")(
        _in_a_copy(_learn)
    )
    _suspects.add("It looks as if alpha were left out: V goes a share alpha of the way.")(
        _with_alpha_one(_learn)
    )


@TD0_BACKWARD.add("It looks as if one move only were learned from, the last: go on to the first.")
def _last_move_only(V, game, alpha):
    _right_td0_backward(V, game[-1:], alpha)


def _backward_with(step):
    """TD(0) backward with another step."""

    def td0_backward(V, game, alpha):
        for s, _, r, s_next in reversed(game):
            step(V, s, r, s_next, alpha)

    return td0_backward


SAID_ELSEWHERE = ("such as ()", "V did not change", "alpha were left")
for _sentence, _step in TD0:
    if any(words in _sentence for words in SAID_ELSEWHERE):
        continue
    TD0_BACKWARD.add(located("In a step", _sentence))(_backward_with(_step))


def _learn_returns(V, game, alpha, returns) -> None:
    for (s, _, _, _), G in zip(game, returns):
        V[s] += alpha * (G - V[s])


def _sums_to_come(rewards) -> list:
    return [sum(rewards[t:]) for t in range(len(rewards))]


@MONTE_CARLO.add(
    "It looks as if G left out the reward of the move itself: V[s] stands for all that is earned "
    "from s on, r included. Add r to G before V[s] learns."
)
def _without_its_own_reward(V, game, alpha):
    rewards = [r for _, _, r, _ in game]
    _learn_returns(V, game, alpha, [sum(rewards[t + 1 :]) for t in range(len(game))])


@MONTE_CARLO.add(
    "It looks as if G were what had been earned so far. It is what is still to come: go through "
    "the game from its end."
)
def _earned_so_far(V, game, alpha):
    rewards = [r for _, _, r, _ in game]
    _learn_returns(V, game, alpha, [sum(rewards[: t + 1]) for t in range(len(game))])


@MONTE_CARLO.add(
    "It looks as if every state learned the score of the whole game: only what comes from there "
    "on is earned by it."
)
def _whole_score(V, game, alpha):
    score = sum(r for _, _, r, _ in game)
    _learn_returns(V, game, alpha, [score] * len(game))


@MONTE_CARLO.add(
    "It looks as if the reward of the move alone were the target: G is the sum of all from there "
    "on."
)
def _reward_alone(V, game, alpha):
    _learn_returns(V, game, alpha, [r for _, _, r, _ in game])


@MONTE_CARLO.add(
    "It looks as if V[s] were a part of G: G holds rewards alone, those of this move and of all "
    "that came after it."
)
def _value_in_the_return(V, game, alpha):
    for s, _, r, _ in game:
        V[s] += alpha * r


@MONTE_CARLO.add("It looks as if the sign were wrong: V[s] moves towards G.")
def _away_from_the_return(V, game, alpha):
    _right_monte_carlo(V, game, -alpha)


@MONTE_CARLO.add("It looks as if alpha times G were added without taking V[s] off it.")
def _adds_the_return(V, game, alpha):
    for (s, _, _, _), G in zip(game, _sums_to_come([r for _, _, r, _ in game])):
        V[s] += alpha * G


@MONTE_CARLO.add("It looks as if alpha times G were put into V[s]: add alpha * (G - V[s]) to it.")
def _puts_the_return(V, game, alpha):
    for (s, _, _, _), G in zip(game, _sums_to_come([r for _, _, r, _ in game])):
        V[s] = alpha * G


@MONTE_CARLO.add(
    "It looks as if alpha times the error were put in the place of V[s]: it is what V[s] changes "
    "by, so add it (+=)."
)
def _puts_the_step_to_the_return(V, game, alpha):
    for (s, _, _, _), G in zip(game, _sums_to_come([r for _, _, r, _ in game])):
        V[s] = alpha * (G - V[s])


@MONTE_CARLO.add("It looks as if the mean of the rewards were the target: G is their sum.")
def _mean_reward(V, game, alpha):
    rewards = [r for _, _, r, _ in game]
    means = [_mean(rewards[t:]) for t in range(len(rewards))]
    _learn_returns(V, game, alpha, means)


@MONTE_CARLO.add("It looks as if only the first state learned: every state of the game does.")
def _first_state_only(V, game, alpha):
    _learn_returns(V, game[:1], alpha, [sum(r for _, _, r, _ in game)])


@MONTE_CARLO.add("It looks as if the end of the game earned -1: nothing is earned there.")
def _minus_one_at_the_end(V, game, alpha):
    returns = _sums_to_come([r for _, _, r, _ in game])
    _learn_returns(V, game, alpha, [G - 1 for G in returns])


def _discounted_returns(discount):
    def monte_carlo(V, game, alpha):
        G = 0.0
        for s, _, r, _ in reversed(game):
            G = r + discount * G
            V[s] += alpha * (G - V[s])

    return monte_carlo


for _discount in (0.9, 0.99, 0.95):
    MONTE_CARLO.add("It looks as if later rewards were discounted: a point later is a point here.")(
        _discounted_returns(_discount)
    )


@exercise(
    right=_right_td0_backward,
    suspects=TD0_BACKWARD,
    now="After one game the first board knows how it ended.",
)
def td0_backward():
    """td0_backward(V, game, alpha), in place

    TD(0) for every move of a finished game, the last move first. game is a list of
    (s, a, r, s_next) in the order of the moves; s_next is None after the last. Each V[s] moves by
    alpha * (r + V[s_next] - V[s]), with V[s_next] as it is by then.
    """
    yield from _game_cases(_explain_backward)


@exercise(
    right=_right_monte_carlo,
    suspects=MONTE_CARLO,
    now="It needs no V of any other state, but has to wait for the end of the game.",
)
def monte_carlo():
    """monte_carlo(V, game, alpha), in place

    Monte-Carlo learning from a finished game: each V[s] moves by alpha * (G - V[s]), where G is the
    sum of all rewards from that move on, its own included. game is a list of (s, a, r, s_next) in
    the order of the moves; s_next is None after the last. No state comes twice in a game.
    """
    yield from _game_cases(_explain_returns)


def _explain_backward(told) -> list[str]:
    """Target and value of every step, the last first."""
    V, game, alpha = told.arguments
    V = dict(V)
    lines = []
    for s, _, r, s_next in reversed(game):
        following = _following(V, s_next)
        old = V[s]
        _right_td0(V, s, r, s_next, alpha)
        lines.append(
            f"V of {s}: target {r:g} + {following:g} = {r + following:g}, from {old:g} to {V[s]:g}"
        )
    return ["The steps, the last move first:", *_at_most(lines)]


def _explain_returns(told) -> list[str]:
    """The return and the value of every state."""
    V, game, alpha = told.arguments
    returns = _sums_to_come([r for _, _, r, _ in game])
    lines = [
        f"V of {s}: G = {G:g}, from {V[s]:g} to {V[s] + alpha * (G - V[s]):g}"
        for (s, _, _, _), G in zip(game, returns)
    ]
    return ["The states and their returns:", *_at_most(lines)]


def _at_most(lines: list[str], count: int = 6) -> list[str]:
    return lines if len(lines) <= count else [*lines[: count - 1], "..."]


# bellman_afterstate


def _right_bellman_afterstate(V, afterstate, spawns, moves):
    return sum(
        probability
        * max((reward + V[following] for following, reward in moves(board).values()), default=0.0)
        for probability, board in spawns(afterstate)
    )


BELLMAN = Suspects()


def _backup_with(worth_of_board, weigh=sum):
    """A backup that makes something else of each board: a function of (V, moves of the board)."""

    def bellman_afterstate(V, afterstate, spawns, moves):
        return weigh(
            probability * worth_of_board(V, list(moves(board).values()))
            for probability, board in spawns(afterstate)
        )

    return bellman_afterstate


def _worths(V, moves) -> list:
    return [reward + V[following] for following, reward in moves]


BELLMAN.add(
    "It looks as if the mean over the moves were taken: the player takes the best, the max of "
    "r + V. The mean belongs to chance."
)(_backup_with(lambda V, moves: _mean(_worths(V, moves)) if moves else 0.0))
BELLMAN.add("It looks as if the smallest r + V were taken: the player takes the largest.")(
    _backup_with(lambda V, moves: min(_worths(V, moves), default=0.0))
)
BELLMAN.add("It looks as if the worths of all moves were added up: the player makes one.")(
    _backup_with(lambda V, moves: sum(_worths(V, moves)))
)
BELLMAN.add("It looks as if the first move were taken: the player takes the best.")(
    _backup_with(lambda V, moves: (_worths(V, moves) or [0.0])[0])
)
BELLMAN.add("It looks as if the reward of the next move were missing: it is r + V.")(
    _backup_with(lambda V, moves: max((V[following] for following, _ in moves), default=0.0))
)
BELLMAN.add("It looks as if V of the next afterstate were missing: it is r + V.")(
    _backup_with(lambda V, moves: max((reward for _, reward in moves), default=0.0))
)
BELLMAN.add(
    "It looks as if the largest V and the largest reward were taken from different moves: compare "
    "r + V of each move."
)(
    _backup_with(
        lambda V, moves: (
            max((V[following] for following, _ in moves), default=0.0)
            + max((reward for _, reward in moves), default=0.0)
        )
    )
)


def _chosen_by_value(V, moves) -> float:
    """r + V of the move with the largest V."""
    value, reward = max(((V[following], reward) for following, reward in moves), default=(0.0, 0))
    return reward + value


def _chosen_by_reward(V, moves) -> float:
    """r + V of the move with the largest reward."""
    reward, value = max(((reward, V[following]) for following, reward in moves), default=(0, 0.0))
    return reward + value


_by_value = _backup_with(_chosen_by_value)
_by_reward = _backup_with(_chosen_by_reward)
BELLMAN.add(
    "It looks as if the move were chosen by V alone, and its reward added afterwards: the player "
    "chooses by r + V."
)(_by_value)
BELLMAN.add(
    "It looks as if the move were chosen by its reward alone: the player chooses by r + V."
)(_by_reward)
BELLMAN.add("It looks as if a dead board counted -1: it counts 0, since nothing follows.")(
    _backup_with(lambda V, moves: max(_worths(V, moves), default=-1.0))
)
BELLMAN.add(
    "It looks as if afterstate and reward were exchanged: moves(board)[action] is (next "
    "afterstate, reward), in this order."
)(_backup_with(lambda V, moves: max((first + V[second] for first, second in moves), default=0.0)))
BELLMAN.add("A dead board has no moves, and max of nothing is an error: it counts 0.")(
    _backup_with(lambda V, moves: max(_worths(V, moves)))
)


@BELLMAN.add(
    "It looks as if the best of the new tiles were chosen. The player chooses the move, but chance "
    "the tile: take the mean over the boards."
)
def _best_spawn(V, afterstate, spawns, moves):
    return max(
        max(_worths(V, moves(board).values()), default=0.0) for _, board in spawns(afterstate)
    )


@BELLMAN.add("It looks as if the probabilities were left out: each board counts as it is likely.")
def _no_probabilities(V, afterstate, spawns, moves):
    return sum(
        max(_worths(V, moves(board).values()), default=0.0) for _, board in spawns(afterstate)
    )


@BELLMAN.add("It looks as if all boards were equally likely: a 2 is likelier than a 4.")
def _equally_likely(V, afterstate, spawns, moves):
    boards = spawns(afterstate)
    return _no_probabilities(V, afterstate, spawns, moves) / len(boards)


@BELLMAN.add(
    "It looks as if dead boards were left out of the mean: they count 0, with their probability."
)
def _without_dead_boards(V, afterstate, spawns, moves):
    total = _right_bellman_afterstate(V, afterstate, spawns, moves)
    alive = sum(probability for probability, board in spawns(afterstate) if moves(board))
    return total / alive if alive else 0.0


@BELLMAN.add(
    "It looks as if the moves were made from the afterstate itself, without a new tile: first "
    "spawns(afterstate), then moves(board)."
)
def _without_a_new_tile(V, afterstate, spawns, moves):
    return max(_worths(V, moves(afterstate).values()), default=0.0)


@BELLMAN.add("It looks as if only the last of the boards counted: add them up (+=).")
def _last_board(V, afterstate, spawns, moves):
    probability, board = spawns(afterstate)[-1]
    return probability * max(_worths(V, moves(board).values()), default=0.0)


@BELLMAN.add("It looks as if only the first board counted: is the return inside the loop?")
def _first_board(V, afterstate, spawns, moves):
    probability, board = spawns(afterstate)[0]
    return probability * max(_worths(V, moves(board).values()), default=0.0)


@BELLMAN.add("It looks as if V of the afterstate itself were used: it is V of the next one.")
def _own_value(V, afterstate, spawns, moves):
    return sum(
        probability
        * max((reward + V[afterstate] for _, reward in moves(board).values()), default=0.0)
        for probability, board in spawns(afterstate)
    )


BELLMAN.add("It looks as if rewards counted twice.")(
    _backup_with(lambda V, moves: max((2 * r + V[after] for after, r in moves), default=0.0))
)
for _discount in (0.9, 0.99, 0.95):
    BELLMAN.add("It looks as if V were discounted: here a point later is worth a point.")(
        _backup_with(
            lambda V, moves, discount=_discount: max(
                (r + discount * V[after] for after, r in moves), default=0.0
            )
        )
    )


@BELLMAN.add("It looks as if the old V of the afterstate were returned.")
def _old_value(V, afterstate, spawns, moves):
    return V[afterstate]


@BELLMAN.add(
    "It looks as if the max were taken over the moves after the mean over the new tiles: the "
    "player sees the new tile before moving, so it is the mean of the max."
)
def _max_of_the_mean(V, afterstate, spawns, moves):
    totals = {}
    for probability, board in spawns(afterstate):
        for action, (following, reward) in moves(board).items():
            totals[action] = totals.get(action, 0.0) + probability * (reward + V[following])
    return max(totals.values(), default=0.0)


@exercise(
    right=_right_bellman_afterstate,
    suspects=BELLMAN,
    now="Repeated for all afterstates it finds their exact values, with no game played.",
)
def bellman_afterstate():
    """bellman_afterstate(V, afterstate, spawns, moves) -> number

    One backup of V(s') on the game on two rows of two, returned: the mean, over the boards that
    the new tile may make, of the largest r + V that a move has there. spawns(afterstate) is a list
    of (probability, board); moves(board) is a dict {action: (next afterstate, reward)}, empty for
    a dead board, which counts 0. V is a dict {afterstate: value}, and stays as it is.
    """
    rng = random.Random(1)
    afterstates = sorted(
        {after for board in tiny.boards() for after, _ in tiny.moves(board).values()}
    )
    # large values, of which r is a small part, and small ones
    large = {afterstate: rng.randrange(100) / 2 for afterstate in afterstates}
    small = {afterstate: rng.randrange(80) / 10 - 2 for afterstate in afterstates}
    cases = [(large, after) for after in afterstates if after.count(0) > 1][:60:5]
    cases += [(small, after) for after in afterstates if after.count(0) == 1][::20]
    for fault, V in ((_by_value, small), (_by_reward, large)):
        cases += [(V, after) for after in afterstates if _differs(fault, V, after)][:4]
    for V, afterstate in cases:
        yield Case(
            (V, afterstate, tiny.spawns, tiny.moves),
            given=_listed_spawns(afterstate),
            explain=_explain_backup,
        )


def _differs(fault, V, afterstate) -> bool:
    """Whether a fault shows in the backup of an afterstate."""
    arguments = (V, afterstate, tiny.spawns, tiny.moves)
    return abs(fault(*arguments) - _right_bellman_afterstate(*arguments)) > 0.01


def _listed_spawns(afterstate) -> list[Thing]:
    boards = [f"({probability:g}, {board})" for probability, board in tiny.spawns(afterstate)]
    return [Thing("", f"afterstate {afterstate}"), *(Thing("", board) for board in boards)]


def _explain_backup(told) -> list[str]:
    """What each board is worth."""
    V, afterstate, spawns, moves = told.arguments
    lines = []
    for probability, board in spawns(afterstate):
        worths = [f"{r:g} + {V[following]:g}" for following, r in moves(board).values()]
        lines.append(f"  {probability:g} of {board}: r + V are {', '.join(worths) or 'none'}")
    return ["The boards, and what their moves are worth:", *_at_most(lines, 9)]
