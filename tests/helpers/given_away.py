"""Whether cells that are handed out solve an exercise: their functions are put to all checks.

They are wrapped in one line. A wrapper passes a function what an exercise is given: some of it, in
another order, boards as the libraries have them (numbers of 64 bits) or as arrays, `value` and
`update` as the methods of a network. And it brings what comes back into the form that is asked for.
Only what is defined quickly is there: a function that needs a trained network is not tried.
"""

import ast
import contextlib
import inspect
import itertools
import signal
import warnings
from types import SimpleNamespace

import numpy as np

from workbook import check, grid
from workbook.answers import is_board
from workbook.check.exercise import EXERCISES
from workbook.trial import is_right, outcome

MOST_MOVED = 4  # arguments that are tried in all orders
NAMED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
SECONDS = 0.5  # for a function in the first case
CHEAP = {"range", "tuple", "list", "dict", "set", "from_tiles", "from_array", "len", "float"}
"""What the value of a variable may call, for the variable to be there."""


# The functions of a notebook


def functions_of(nb) -> dict:
    """{name: function} of all functions that the cells of a notebook define, its stubs left out."""
    scope = {"__name__": "handout"}
    own = set()
    for cell in nb.cells:
        for node in statements(cell):
            if not is_cheap(node):
                continue
            with contextlib.suppress(Exception):
                exec(compile(ast.Module([node], []), "<cell>", "exec"), scope)
                own |= defined(node)
    return {
        name: scope[name]
        for name in sorted(own)
        if inspect.isfunction(scope.get(name)) and not name.startswith("my_")
    }


def statements(cell) -> list:
    """The statements of a code cell; none where it is not plain Python."""
    if cell.cell_type != "code":
        return []
    try:
        return ast.parse(cell.source).body
    except SyntaxError:
        return []


def is_cheap(node) -> bool:
    """Whether a statement defines something without computing much."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
        return True
    if not isinstance(node, ast.Assign):
        return False
    if isinstance(node.value, ast.Lambda):
        return True
    calls = [inner.func for inner in ast.walk(node.value) if isinstance(inner, ast.Call)]
    return all(isinstance(called, ast.Name) and called.id in CHEAP for called in calls)


def defined(node) -> set:
    """The names of functions that a statement defines."""
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return set()


# Wrappers


def as_number(thing):
    """Boards as numbers of 64 bits, and functions of boards as functions of such numbers."""
    if is_board(thing):
        return grid.number_of(thing)
    if callable(thing):
        return lambda board, *rest: as_number(thing(as_rows(board), *rest))
    if isinstance(thing, list | tuple):
        return type(thing)(map(as_number, thing))
    return thing


def as_array(thing):
    """Boards as arrays."""
    return np.array(thing) if is_board(thing) else thing


def as_it_is(thing):
    return thing


def as_rows(board):
    """A board as rows, whatever it is now."""
    if isinstance(board, int | np.integer):
        return grid.rows_of(int(board))
    return np.array(board).tolist()


BOARDS_AS_ROWS = {
    "slide": lambda pair: (as_rows(pair[0]), pair[1]),
    "spawn": as_rows,
    "symmetries": lambda images: list(map(as_rows, images)),
    "play_game": lambda path: [(as_rows(s), a, r, as_rows(after)) for s, a, r, after in path],
}
"""How the boards in an answer become rows; other exercises have none in their answers."""


def orders(function, names) -> list:
    """The ways to choose arguments for a function among those of an exercise, as tuples of names.

    By name; in all orders where there are as many and not too many; else in theirs. A network may
    stand for `value` and `update`.
    """
    parameters = inspect.signature(function).parameters.values()
    required = [p.name for p in parameters if p.default is p.empty and p.kind in NAMED]
    choices = [*names]
    if {"value", "update"} & set(names):
        choices.insert(0, "network")
    aliases = {"net": "network", "net_": "network"}
    found = [tuple(aliases.get(name, name) for name in required)]
    if set(found[0]) - set(choices):
        found = []
    if len(required) == len(names) <= MOST_MOVED:
        found += itertools.permutations(names)
    found += itertools.combinations(choices, len(required))
    return list(dict.fromkeys(found))


def wrappers(function, exercise):
    """One-line functions of an exercise's arguments that do no more than call a function."""
    names = list(inspect.signature(exercise.right).parameters)
    bring = BOARDS_AS_ROWS.get(exercise.name, as_it_is)
    for chosen in orders(function, names):
        for convert in (as_it_is, as_number, as_array):
            yield wrapper(function, names, chosen, convert, bring)


def wrapper(function, names, chosen, convert, bring):
    """The function that is given these names and hands some of them on."""

    def wrapped(*arguments):
        given = {name: convert(argument) for name, argument in zip(names, arguments)}
        given["network"] = SimpleNamespace(value=given.get("value"), update=given.get("update"))
        return bring(function(*(given[name] for name in chosen)))

    return wrapped


# The question


class TooSlow(Exception):
    """A function has not come back in time."""


@contextlib.contextmanager
def at_most(seconds):
    """Interrupt what takes longer, and once more if it goes on."""

    def interrupt(*_):
        raise TooSlow

    before = signal.signal(signal.SIGALRM, interrupt)
    # and again after that: Python drops what is raised while it is tidying up
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def first_cases() -> dict:
    """{exercise: (its first case, what is right there)}."""
    cases = {name: next(iter(exercise.cases())) for name, exercise in EXERCISES.items()}
    return {name: (case, outcome(EXERCISES[name].right, case).got) for name, case in cases.items()}


def solves(function, name, first) -> bool:
    """Whether a function, wrapped in one line, passes a check. Raises TooSlow."""
    case, expected = first
    for wrapped in wrappers(function, EXERCISES[name]):
        with at_most(SECONDS):
            came = outcome(wrapped, case)
        if isinstance(came.error, TooSlow):
            raise came.error
        if is_right(expected, came) and check.passes(name, wrapped):
            return True
    return False


def solved_by(functions) -> set:
    """{(function, exercise)} of all functions that solve one; slow ones are answers to none."""
    firsts = first_cases()
    found = set()
    for name, function in functions.items():
        with contextlib.suppress(TooSlow), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for exercise, first in firsts.items():
                if solves(function, exercise, first):
                    found.add((name, exercise))
    return found
