"""Checks of the second game: which cubes may move, bounds, and carrying results up a tree."""

import math
import random
from itertools import product

from workbook.answers import Thing
from workbook.check.exercise import Suspects, exercise
from workbook.trial import Case

# movable

MOVABLE = Suspects()


def _right_movable(cubes, die):
    if die in cubes:
        return [die]
    return _nearest(cubes, die)


def _nearest(cubes, die) -> list:
    """The nearest cubes below and above the die."""
    lower = [cube for cube in cubes if cube < die]
    higher = [cube for cube in cubes if cube > die]
    return lower[-1:] + higher[:1]


MOVABLE.add("If the cube on the die is left, it alone may move.")(
    lambda cubes, die: _nearest(cubes, die) + ([die] if die in cubes else [])
)
MOVABLE.add("If the cube on the die is left, it alone may move: not its neighbours as well.")(
    lambda cubes, die: sorted(_nearest(cubes, die) + ([die] if die in cubes else []))
)
MOVABLE.add(
    "It looks as if only the nearer of the two neighbours could move: both can, however far."
)(lambda cubes, die: [die] if die in cubes else [min(cubes, key=lambda cube: abs(cube - die))])
MOVABLE.add("It looks as if only the lower neighbour could move: the higher one can as well.")(
    lambda cubes, die: [die] if die in cubes else _nearest(cubes, die)[:1]
)
MOVABLE.add("It looks as if only the higher neighbour could move: the lower one can as well.")(
    lambda cubes, die: [die] if die in cubes else _nearest(cubes, die)[-1:]
)
MOVABLE.add("It looks as if only die - 1 and die + 1 counted: the nearest cubes that are left do.")(
    lambda cubes, die: [die] if die in cubes else [c for c in (die - 1, die + 1) if c in cubes]
)
MOVABLE.add("It looks as if all lower and higher cubes could move: only the nearest of each.")(
    lambda cubes, die: [die] if die in cubes else list(cubes)
)
MOVABLE.add("It looks as if the farthest cubes were taken: the nearest below and above may move.")(
    lambda cubes, die: (
        [die]
        if die in cubes
        else [c for c in cubes if c < die][:1] + [c for c in cubes if c > die][-1:]
    )
)
MOVABLE.add("The lower cube comes first.")(
    lambda cubes, die: [die] if die in cubes else _nearest(cubes, die)[::-1]
)
MOVABLE.add("It looks as if nothing could move unless the cube on the die is left.")(
    lambda cubes, die: [die] if die in cubes else []
)
MOVABLE.add("It looks as if the cube on the die could move even when it is captured.")(
    lambda cubes, die: [die]
)
MOVABLE.add("A list is asked for, also when one cube alone may move.")(
    lambda cubes, die: die if die in cubes else _nearest(cubes, die)
)


@exercise(
    right=_right_movable,
    suspects=MOVABLE,
    wanted="A list of cubes is asked for.",
    now="That is the die of this game: luck that both sides can see coming.",
)
def movable():
    """movable(cubes, die) -> list of cubes

    Which cubes may move. cubes is the ascending list of the numbers (0 to 5) of those that are
    left, die a number from 0 to 5. The cube on the die may move if it is left; if not, the nearest
    one below its number and the nearest one above it, as far as there are such. Ascending.
    """
    for number in range(1, 64):
        cubes = [cube for cube in range(6) if number >> cube & 1]
        for die in range(6):
            told = f"cubes {cubes}, die {die}"
            yield Case((cubes, die), given=[Thing("", told)], explain=_explain_movable)


def _explain_movable(told) -> list[str]:
    cubes, die = told.arguments
    if die in cubes:
        return [f"Cube {die} is left: it moves, and no other."]
    lower = [cube for cube in cubes if cube < die]
    higher = [cube for cube in cubes if cube > die]
    return [f"Below {die} there are {lower}, above it {higher}: the nearest of each may move."]


# ucb1 and tuned

UCB1 = Suspects()
TUNED = Suspects()


def _right_ucb1(mean, n, total, c):
    if n == 0:
        return math.inf
    return mean + c * math.sqrt(math.log(total) / n)


def _or_infinite(bound):
    """A bound that is infinite for an arm that was never pulled."""

    def ucb1(mean, n, total, c):
        return math.inf if n == 0 else bound(mean, n, total, c)

    return ucb1


UCB1.add("It looks as if log10 were taken: it is the natural logarithm, math.log.")(
    _or_infinite(lambda mean, n, total, c: mean + c * math.sqrt(math.log10(total) / n))
)
UCB1.add("It looks as if log2 were taken: it is the natural logarithm, math.log.")(
    _or_infinite(lambda mean, n, total, c: mean + c * math.sqrt(math.log2(total) / n))
)
UCB1.add("It looks as if the square root were left out.")(
    _or_infinite(lambda mean, n, total, c: mean + c * math.log(total) / n)
)
UCB1.add("It looks as if the root covered the logarithm alone: n stands under it as well.")(
    _or_infinite(lambda mean, n, total, c: mean + c * math.sqrt(math.log(total)) / n)
)
UCB1.add("It looks as if the root covered n alone: the logarithm stands under it as well.")(
    _or_infinite(lambda mean, n, total, c: mean + c * math.log(total) / math.sqrt(n))
)
UCB1.add("It looks as if the logarithm were left out: it is sqrt(ln total / n).")(
    _or_infinite(lambda mean, n, total, c: mean + c * math.sqrt(total / n))
)
UCB1.add("It looks as if c stood under the root: it is in front of it.")(
    _or_infinite(lambda mean, n, total, c: mean + math.sqrt(c * math.log(total) / n))
)
UCB1.add("It looks as if there were a 2 under the root: here c says how much is explored.")(
    _or_infinite(lambda mean, n, total, c: mean + c * math.sqrt(2 * math.log(total) / n))
)
UCB1.add("It looks as if n and total were exchanged: the logarithm is that of total.")(
    _or_infinite(lambda mean, n, total, c: mean + c * math.sqrt(math.log(n) / total))
)
UCB1.add("It looks as if c were always sqrt(2): it is an argument.")(
    _or_infinite(lambda mean, n, total, c: mean + math.sqrt(2 * math.log(total) / n))
)
UCB1.add("It looks as if c were left out: it says how much the unknown is worth a try.")(
    _or_infinite(lambda mean, n, total, c: mean + math.sqrt(math.log(total) / n))
)
UCB1.add("It looks as if the mean were left out: the bound is above the mean.")(
    _or_infinite(lambda mean, n, total, c: c * math.sqrt(math.log(total) / n))
)
UCB1.add("It looks as if the term were taken off: this is an upper bound, so add it.")(
    _or_infinite(lambda mean, n, total, c: mean - c * math.sqrt(math.log(total) / n))
)
UCB1.add("It looks as if mean were a sum still to be divided by n: it is the mean already.")(
    _or_infinite(lambda mean, n, total, c: mean / n + c * math.sqrt(math.log(total) / n))
)
UCB1.add("It looks as if total + 1 stood in the logarithm, or n + 1 below it.")(
    _or_infinite(lambda mean, n, total, c: mean + c * math.sqrt(math.log(total + 1) / n))
)
UCB1.add("An arm that was never pulled has n = 0, by which nothing can be divided: math.inf.")(
    lambda mean, n, total, c: mean + c * math.sqrt(math.log(total) / n)
)
for _never in (0, 0.0, 1, 1e9, None, -math.inf, 1000000, 1000, 99999, 1e6, 100):
    UCB1.add("An arm that was never pulled (n = 0) must come first: its bound is math.inf.")(
        lambda mean, n, total, c, never=_never: _right_ucb1(mean, n, total, c) if n > 0 else never
    )
UCB1.add("An arm that was never pulled (n = 0) must come first: its bound is math.inf.")(
    lambda mean, n, total, c: _right_ucb1(mean, n, total, c) if n > 0 else mean
)
UCB1.add(
    "It looks as if 1 were added to n, so that nothing is divided by 0: an arm that was never "
    "pulled gets math.inf, and any other its own n."
)(lambda mean, n, total, c: mean + c * math.sqrt(math.log(total) / (n + 1)))


@exercise(
    right=_right_ucb1,
    suspects=UCB1,
    now="Pull the arm of the highest bound, and both the good and the unknown get their turn.",
)
def ucb1():
    """ucb1(mean, n, total, c) -> bound

    The upper confidence bound of an arm: mean + c * sqrt(ln total / n). n is how often this arm
    was pulled, total how often all were, mean what this one brought on average. An arm that was
    never pulled, n = 0, has an infinite bound (math.inf).
    """
    rng = random.Random(5)
    cases = [(0.5, 10, 100, 0.6), (0.25, 1, 1, 1.0), (0.0, 0, 7, 0.6), (0.75, 400, 5000, 1.4)]
    for n, c in product((1, 3, 50, 0), (0.3, 1.0, 2.0)):
        cases.append((rng.randrange(100) / 100, n, n + rng.randrange(1, 2000), c))
    for mean, n, total, c in cases:
        yield Case(
            (mean, n, total, c),
            given=[Thing("", f"mean {mean}, n {n}, total {total}, c {c}")],
            explain=_explain_ucb1,
        )


def _explain_ucb1(told) -> list[str]:
    mean, n, total, c = told.arguments
    if n == 0:
        return ["n is 0: this arm was never pulled."]
    return [
        f"ln total = {math.log(total):.6g}, ln total / n = {math.log(total) / n:.6g}, and its root "
        f"is {math.sqrt(math.log(total) / n):.6g}."
    ]


def _right_tuned(mean, variance, n, total, c, c1, c2):
    ratio = math.log(total) / n
    return mean + c * math.sqrt(ratio * min(variance + c1 * math.sqrt(ratio), c2))


TUNED.add("It looks as if the cap c2 were left out: min(variance + c1 sqrt(L), c2).")(
    lambda mean, variance, n, total, c, c1, c2: (
        mean + c * math.sqrt(math.log(total) / n * (variance + c1 * math.sqrt(math.log(total) / n)))
    )
)
TUNED.add("It looks as if the cap c2 always held: take the smaller of the two.")(
    lambda mean, variance, n, total, c, c1, c2: mean + c * math.sqrt(math.log(total) / n * c2)
)
TUNED.add("It looks as if the larger were taken where the smaller is asked for: min, not max.")(
    lambda mean, variance, n, total, c, c1, c2: (
        mean
        + c
        * math.sqrt(math.log(total) / n * max(variance + c1 * math.sqrt(math.log(total) / n), c2))
    )
)
TUNED.add("It looks as if the variance stood alone: c1 sqrt(L) is added to it.")(
    lambda mean, variance, n, total, c, c1, c2: (
        mean + c * math.sqrt(math.log(total) / n * min(variance, c2))
    )
)
TUNED.add("It looks as if the variance were left out: variance + c1 sqrt(L).")(
    lambda mean, variance, n, total, c, c1, c2: (
        mean + c * math.sqrt(math.log(total) / n * min(c1 * math.sqrt(math.log(total) / n), c2))
    )
)
TUNED.add("It looks as if the root of the variance were taken: the variance itself is meant.")(
    lambda mean, variance, n, total, c, c1, c2: _right_tuned(
        mean, math.sqrt(variance), n, total, c, c1, c2
    )
)
TUNED.add("It looks as if the root in the cap were left out: c1 sqrt(L), not c1 L.")(
    lambda mean, variance, n, total, c, c1, c2: (
        mean + c * math.sqrt(math.log(total) / n * min(variance + c1 * math.log(total) / n, c2))
    )
)
TUNED.add("It looks as if the root were left out: it stands over L and the minimum.")(
    lambda mean, variance, n, total, c, c1, c2: (
        mean + c * math.log(total) / n * min(variance + c1 * math.sqrt(math.log(total) / n), c2)
    )
)
TUNED.add("It looks as if the root stood over L alone: the cap is under it as well.")(
    lambda mean, variance, n, total, c, c1, c2: (
        mean
        + c
        * math.sqrt(math.log(total) / n)
        * min(variance + c1 * math.sqrt(math.log(total) / n), c2)
    )
)
TUNED.add("It looks as if c stood under the root: it is in front of it.")(
    lambda mean, variance, n, total, c, c1, c2: (
        mean
        + math.sqrt(
            c * math.log(total) / n * min(variance + c1 * math.sqrt(math.log(total) / n), c2)
        )
    )
)
TUNED.add("It looks as if this were ucb1: the cap is missing altogether.")(
    lambda mean, variance, n, total, c, c1, c2: mean + c * math.sqrt(math.log(total) / n)
)
TUNED.add("It looks as if log10 were taken: it is the natural logarithm, math.log.")(
    lambda mean, variance, n, total, c, c1, c2: (
        mean
        + c
        * math.sqrt(
            math.log10(total) / n * min(variance + c1 * math.sqrt(math.log10(total) / n), c2)
        )
    )
)
TUNED.add("It looks as if the mean were left out.")(
    lambda mean, variance, n, total, c, c1, c2: _right_tuned(0.0, variance, n, total, c, c1, c2)
)
TUNED.add("It looks as if the term were taken off: this is an upper bound, so add it.")(
    lambda mean, variance, n, total, c, c1, c2: _right_tuned(mean, variance, n, total, -c, c1, c2)
)


@exercise(
    right=_right_tuned,
    suspects=TUNED,
    now="An arm whose results hardly vary needs fewer tries to be known.",
)
def tuned():
    """tuned(mean, variance, n, total, c, c1, c2) -> bound

    The tuned bound of an arm: mean + c * sqrt(L * min(variance + c1 * sqrt(L), c2)), where L is
    ln total / n. n is 1 or more.
    """
    rng = random.Random(6)
    for _ in range(24):
        n = rng.choice((1, 4, 30, 900))
        arguments = (
            rng.randrange(100) / 100,
            rng.randrange(25) / 100,
            n,
            n + rng.randrange(1, 3000),
            rng.choice((0.6, 1.0, 1.4)),
            rng.choice((0.3, 1.414)),
            rng.choice((0.25, 0.5, 3.0)),
        )
        names = ("mean", "variance", "n", "total", "c", "c1", "c2")
        told = ", ".join(f"{name} {value}" for name, value in zip(names, arguments))
        yield Case(arguments, given=[Thing("", told)], explain=_explain_tuned)


def _explain_tuned(told) -> list[str]:
    _, variance, n, total, _, c1, c2 = told.arguments
    ratio = math.log(total) / n
    return [
        f"L = {ratio:.6g}; variance + c1 sqrt(L) = {variance + c1 * math.sqrt(ratio):.6g}, and c2 "
        f"is {c2}: the smaller counts."
    ]


# mcts_backup

MCTS_BACKUP = Suspects()


def _backed_up(ns, totals, visit, total, turn=True, levels=slice(None), playouts=None):
    """The right lists, or with one thing done otherwise."""
    ns = list(ns)
    totals = list(totals)
    for level in list(reversed(range(len(ns))))[levels]:
        ns[level] += visit if playouts is None else playouts
        totals[level] += total
        if turn:
            total = visit - total
    return ns, totals


def _right_mcts_backup(ns, totals, visit, total):
    return _backed_up(ns, totals, visit, total)


MCTS_BACKUP.add(
    "It looks as if every node got the same total. The sides take turns: what one wins the other "
    "loses, so the node above gets visit - total."
)(lambda ns, totals, visit, total: _backed_up(ns, totals, visit, total, turn=False))
MCTS_BACKUP.add(
    "It looks as if the leaf itself got visit - total: total is what the side that moved into the "
    "leaf has won, so turn it round after the leaf."
)(lambda ns, totals, visit, total: _backed_up(ns, totals, visit, visit - total))
MCTS_BACKUP.add("It looks as if only the leaf were changed: go up to the root.")(
    lambda ns, totals, visit, total: _backed_up(ns, totals, visit, total, levels=slice(1))
)
MCTS_BACKUP.add("It looks as if the root were left out: it is one of the nodes on the way.")(
    lambda ns, totals, visit, total: (
        _backed_up(ns, totals, visit, total, levels=slice(-1))
        if len(ns) > 1
        else (list(ns), list(totals))
    )
)
MCTS_BACKUP.add("It looks as if n grew by 1: it grows by visit, the number of playouts.")(
    lambda ns, totals, visit, total: _backed_up(ns, totals, visit, total, playouts=1)
)


@MCTS_BACKUP.add(
    "It looks as if the sign of total were turned from node to node: results are numbers of wins "
    "here, so the other side has visit - total, not -total."
)
def _turns_the_sign(ns, totals, visit, total):
    ns = [n + visit for n in ns]
    totals = list(totals)
    for level in reversed(range(len(ns))):
        totals[level] += total
        total = -total
    return ns, totals


@MCTS_BACKUP.add(
    "It looks as if 1 - total were handed up: of visit playouts the other side has won "
    "visit - total."
)
def _one_less_total(ns, totals, visit, total):
    ns = [n + visit for n in ns]
    totals = list(totals)
    for level in reversed(range(len(ns))):
        totals[level] += total
        total = 1 - total
    return ns, totals


@MCTS_BACKUP.add("It looks as if the root came first: the leaf is the last in the lists.")
def _root_first(ns, totals, visit, total):
    ns, totals = _backed_up(ns[::-1], totals[::-1], visit, total)
    return ns[::-1], totals[::-1]


@MCTS_BACKUP.add("It looks as if the totals were set, not added to: the old results stay.")
def _sets_totals(ns, totals, visit, total):
    return _backed_up(ns, [0.0] * len(totals), visit, total)


@MCTS_BACKUP.add("It looks as if the totals did not change.")
def _totals_stay(ns, totals, visit, total):
    return _backed_up(ns, totals, visit, total)[0], list(totals)


@MCTS_BACKUP.add("It looks as if the ns did not change: each grows by visit.")
def _ns_stay(ns, totals, visit, total):
    return list(ns), _backed_up(ns, totals, visit, total)[1]


@MCTS_BACKUP.add("It looks as if means were returned: the sums are asked for.")
def _means(ns, totals, visit, total):
    ns, totals = _backed_up(ns, totals, visit, total)
    return ns, [one / n for one, n in zip(totals, ns)]


@MCTS_BACKUP.add("The order is (ns, totals).")
def _totals_first(ns, totals, visit, total):
    return _backed_up(ns, totals, visit, total)[::-1]


@MCTS_BACKUP.add("Two lists are asked for, (ns, totals); these are pairs of a node.")
def _pairs(ns, totals, visit, total):
    return list(zip(*_backed_up(ns, totals, visit, total)))


@exercise(
    right=_right_mcts_backup,
    suspects=MCTS_BACKUP,
    wanted="Two lists are asked for, (ns, totals).",
    now="Select, expand, play out, back up: this was the last of the four.",
)
def mcts_backup():
    """mcts_backup(ns, totals, visit, total) -> (ns, totals)

    Carries the results of a visit up the tree. ns and totals hold, for the nodes on the way, the
    root first and the leaf last, how many playouts went through them and what those brought, as a
    sum, to the side that moved into the node. The leaf gets visit more playouts, which brought
    total to the side that moved there. The node above belongs to the other side, to which they
    brought visit - total, the one above that again total, and so on up to the root. Returns both
    lists, brought up to date; whether those handed in change does not matter.
    """
    cases = [
        ([0], [0.0], 25, 20.0),
        ([50, 25], [20.0, 15.0], 25, 5.0),
        ([400, 200, 75], [190.0, 110.0, 30.0], 25, 24.0),
        ([900, 500, 225, 50], [440.5, 260.0, 100.25, 26.0], 10, 2.5),
        ([7, 3], [4.0, 1.0], 1, 1.0),
        ([7, 3, 2, 1, 1], [4.0, 1.0, 1.0, 1.0, 0.0], 1, 0.0),
    ]
    for ns, totals, visit, total in cases:
        yield Case(
            (ns, totals, visit, total),
            given=[
                Thing("", f"ns {ns}"),
                Thing("", f"totals {totals}"),
                Thing("", f"visit {visit}, total {total}"),
            ],
            read=_read_lists,
            may_change=(0, 1),
            explain=_explain_visit,
        )


def _read_lists(answer, arguments):
    if not isinstance(answer, list) or len(answer) != 2:
        raise TypeError("two lists are asked for")
    return {"ns": answer[0], "totals": answer[1]}


def _explain_visit(told) -> list[str]:
    ns, _, visit, total = told.arguments
    brought = []
    for _ in ns:
        brought.insert(0, total)
        total = visit - total
    return [f"From the root to the leaf the visit adds {brought} to the totals, {visit} to each n."]
