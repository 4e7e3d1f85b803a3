"""Whose functions a learner is made of.

A learner needs a handful of functions, which are the exercises of the notebooks. What the reader
has written is taken; what is missing comes from the workbook, and is named.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbook import check, solutions
from workbook.trial import is_unwritten, verdict
from workbook.words import joined

YOURS = "yours"
OURS = "from the workbook"
UNWRITTEN = "not written yet"
SHORT = ("select", "update_episode")  # names that leave out which values are learned

# What each function of the reader's makes unnecessary: what it does is done inside it.
INSIDE = {
    "slide": ("slide_left",),
    "estimate": ("symmetries", "index"),
    "update": ("symmetries", "index"),
    "select_state": ("spawn_mean",),
}


def needed(values: str) -> list[str]:
    """The functions that a learner of such values can be made of, in the order of the book."""
    names = ["slide_left", "slide", "spawn", "play_game", "symmetries", "index"]
    names += ["estimate", "update"]
    if values == "state":
        names.append("spawn_mean")
    return [*names, f"select_{values}", f"update_episode_{values}"]


@dataclass(frozen=True)
class Part:
    """One function of a learner."""

    name: str
    function: Callable
    source: str  # "yours", or "from the workbook"
    note: str = ""  # why it is not the reader's, or what is the matter with it


def gather(given: Mapping[str, Callable], values: str, anyway: bool) -> dict[str, Part]:
    """Take the reader's functions, and the workbook's where there is none.

    Parameters
    ----------
    given
        The reader's functions, by the names of their exercises; `select` and `update_episode` stand
        for those of the values that are learned.
    values
        "afterstate" or "state".
    anyway
        Whether functions that do not pass their check are taken all the same.

    Returns
    -------
    dict of Part
        All parts, by name.

    Raises
    ------
    ValueError
        If a name is none of them, what is given is no function, or it does not pass its check.
    """
    named = {f"{name}_{values}" if name in SHORT else name: given[name] for name in given}
    names = needed(values)
    _refuse_what_is_no_part(named, names)
    parts = {}
    faults = {}
    for name in names:
        function = named.get(name)
        if function is None or is_unwritten(function):
            note = "" if function is None else UNWRITTEN
            parts[name] = Part(name, getattr(solutions, name), OURS, note)
            continue
        fault = fault_of(name, function)
        if fault is not None:
            faults[name] = fault
        note = "" if fault is None else "it does not pass its check"
        parts[name] = Part(name, function, YOURS, note)
    if faults and not anyway:
        raise ValueError(_refusal(faults))
    return parts


def fault_of(name: str, function: Callable) -> str | None:
    """What is wrong with a function, None if nothing is: a call to try, and what it usually means.

    Examples
    --------
    >>> fault_of("index", solutions.index) is None
    True
    """
    tried = verdict(check.EXERCISES[name], function)
    if tried.right:
        return None
    reason = tried.failure.reason if tried.failure is not None else ""
    call = f"check.{name}({_name_of(function)})"
    return f"{call} shows the first case that goes wrong. {reason}".strip()


def _refusal(faults: Mapping[str, str]) -> str:
    are = "is" if len(faults) == 1 else "are"
    lines = [f"{name}: {fault}" for name, fault in faults.items()]
    return (
        f"a learner learns with all its functions right, and {joined(faults)} {are} not yet.\n"
        + "\n".join(lines)
        + "\nWith anyway=True it is taken as it is: see what such a learner makes of it."
    )


def _name_of(function: Callable) -> str:
    return getattr(function, "__name__", "it")


def used(parts: Mapping[str, Part]) -> list[Part]:
    """The parts without those that are done inside a function of the reader's."""
    hidden = set()
    for name, inside in INSIDE.items():
        if name in parts and parts[name].source == YOURS:
            hidden.update(inside)
    if parts["estimate"].source != YOURS or parts["update"].source != YOURS:
        hidden -= {"symmetries", "index"}
    if parts["slide_left"].source != YOURS:
        hidden.add("slide_left")  # ours is inside our slide
    return [
        part
        for part in parts.values()
        if part.name not in hidden or (part.source == YOURS and part.name != "slide_left")
    ]


def told(parts: list[Part]) -> str:
    """Whose functions these are, in a sentence each."""
    mine = [part.name for part in parts if part.source == YOURS]
    others = [part.name for part in parts if part.source != YOURS]
    lines = [f"Yours: {', '.join(mine) or 'none yet'}."]
    if others:
        lines.append(f"From the workbook: {', '.join(others)}.")
    unwritten = [part.name for part in parts if part.note == UNWRITTEN]
    if unwritten:
        lines.append(f"(Not written yet: {', '.join(unwritten)}.)")
    lines += [f"({part.name}: {part.note}.)" for part in parts if part.note not in ("", UNWRITTEN)]
    return " ".join(lines)


def _refuse_what_is_no_part(named: Mapping[str, Callable], names: list[str]) -> None:
    """Raise ValueError for a name that a learner does not need, or what is no function."""
    unknown = [name for name in named if name not in names]
    if unknown:
        hint = ""
        if "spawn_mean" in unknown:
            hint = ": means over new tiles belong to a learner with values='state'"
        raise ValueError(f"a learner is made of {', '.join(names)}, got {', '.join(unknown)}{hint}")
    for name, function in named.items():
        if not callable(function):
            raise ValueError(f"{name} is a function, got {function!r:.60}")
