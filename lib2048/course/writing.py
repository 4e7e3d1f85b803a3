"""Writes an agent for the Python course: course/agent.py with other settings and a network."""

import base64
import os
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lib2048.compacting import FILE, compact
from lib2048.engines import check_network
from lib2048.files import check_target, replace_file
from lib2048.formats.compact import (
    check_compact_step,
    folded_bytes,
    read_description,
    rounded_network,
    smallest_step,
    whole_steps,
)
from lib2048.network import NTupleNetwork
from lib2048.validate import check_seconds, check_whole

TEMPLATE = Path(__file__).with_name("agent.py")
END_OF_SETTINGS = "# end of settings\n"
BEGINNING_OF_NETWORK = "# the network itself\n"
SEARCHES = ("expectimax", "td-mcts")
DIRECTIONS = ("up", "down", "left", "right")
STATES = ("tiles", "exponents")
MOST_TRIPS = 1_000_000
MOST_PLIES = 5  # a move of 5 plies takes seconds
MOST_SECONDS = 60
COLUMNS = 100
LEVEL = 8  # of compression: nearly as small as with 9, in less than half of the time
LARGEST = 50_000_000  # bytes; places where homework is kept refuse files not much larger
EXAMPLE = sum(exponent << 4 * exponent for exponent in range(16))
"""A board with each exponent once, whose value the file knows."""


@dataclass(frozen=True)
class AgentFile:
    """What `write_agent` wrote.

    Attributes
    ----------
    path : str
        The file, as it was named.
    nbytes : int
        Its size.
    plays : str
        How it plays, in words.
    """

    path: str
    nbytes: int
    plays: str

    def __str__(self) -> str:
        size = (
            f"{self.nbytes / 1e6:.1f} MB" if self.nbytes >= 1e6 else f"{self.nbytes / 1e3:.0f} kB"
        )
        return f"{self.path}: {size}, {self.plays}"


def write_agent(
    path: str | os.PathLike,
    net: NTupleNetwork | None = None,
    search: str = "expectimax",
    plies: int = 2,
    seconds: float = 0.02,
    trips: int = 1000,
    actions: Sequence[str] = DIRECTIONS,
    state: str = "tiles",
    environment: str = "",
    step: float | None = None,
) -> AgentFile:
    """Write a `student_agent.py` that plays with a network and needs nothing but numpy.

    Parameters
    ----------
    path : str or Path
        The file to make or to replace.
    net : NTupleNetwork, optional
        The network, one of afterstates; that of `lib2048.compact` when None.
    search : str
        "expectimax", or "td-mcts": a tree search that takes its values from the network.
    plies : int
        How many of its own moves expectimax looks ahead, from 1 to 5.
    seconds : float
        How long the tree search thinks about a move, at most.
    trips : int
        How often it goes down the tree for a move, at most. Where this ends it, and not the time,
        the same board gets the same action on every computer.
    actions : sequence of str
        What the actions 0, 1, 2, 3 of the environment do: "up", "down", "left" and "right", in
        its order.
    state : str
        What its boards hold: "tiles" (2, 4, 8) or "exponents" (1, 2, 3).
    environment : str
        A module and a class in it, such as "env2048:Game2048Env", with which the file compares its
        conventions when it is imported.
    step : float, optional
        To which weights are rounded, a power of two, as in `lib2048.export_compact`: the larger,
        the smaller the file.

    Returns
    -------
    AgentFile
        The size of the file, and how it plays.

    Raises
    ------
    FileNotFoundError
        If the folder of the file does not exist.
    ValueError
        If an argument is not what it may be, or the file would be larger than 50 MB.

    Examples
    --------
    >>> import tempfile
    >>> from lib2048 import NTupleNetwork
    >>> net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_agent(f"{folder}/student_agent.py", net, plies=3)
    >>> written.plays
    'a network of 2 patterns that looks 3 plies ahead'
    """
    check_target(path)
    settings = {
        "SEARCH": _one_of("search", search, SEARCHES),
        "PLIES": check_whole("plies", plies, 1, MOST_PLIES),
        "SECONDS": _checked_seconds(seconds),
        "TRIPS": check_whole("trips", trips, 1, MOST_TRIPS),
        "ACTIONS": _checked_actions(actions),
        "STATE": _one_of("state", state, STATES),
        "ENVIRONMENT": _checked_environment(environment),
    }
    network, rounding = _network_and_step(net, step)
    settings |= {
        "P4": network.p4,
        "PATTERNS": network.patterns,
        "SIDES": network.symmetries,
        "STEP": rounding,
        "EXAMPLE_VALUE": rounded_network(NTupleNetwork, network, rounding).value(EXAMPLE),
    }
    content = _agent(settings, _network_text(network, rounding)).encode()
    if len(content) > LARGEST:
        raise ValueError(
            f"the file would take {len(content) / 1e6:.0f} MB, and may take {LARGEST / 1e6:.0f}: "
            f"take a larger step than {rounding}, or smaller patterns"
        )
    replace_file(path, content)
    look = f"looks {plies} {'ply' if plies == 1 else 'plies'} ahead"
    if search != "expectimax":
        look = f"searches a tree for {seconds} s or {trips:,} trips a move"
    plays = f"a network of {len(network.patterns)} patterns that {look}"
    return AgentFile(str(path), len(content), plays)


# What was asked for


def _one_of(name: str, given: Any, allowed: tuple[str, ...]) -> str:
    if given not in allowed:
        words = " or ".join(f'"{word}"' for word in allowed)
        raise ValueError(f"{name} is {words}, got {given!r}")
    return given


def _checked_seconds(seconds: Any) -> float:
    number = check_seconds(seconds)
    if number > MOST_SECONDS:
        raise ValueError(
            f"seconds, the time for a move, is at most {MOST_SECONDS}, got {seconds!r}"
        )
    return number


def _checked_actions(actions: Any) -> tuple[str, ...]:
    given = tuple(actions) if isinstance(actions, Iterable) else ()
    if sorted(map(str, given)) != sorted(DIRECTIONS):
        raise ValueError(
            'actions says what the actions 0, 1, 2, 3 do, such as ("up", "down", "left", "right"), '
            f"each once, got {actions!r}"
        )
    return given


def _checked_environment(environment: Any) -> str:
    if environment == "":
        return environment
    module, _, name = str(environment).partition(":")
    parts = [*module.split("."), name]
    if not isinstance(environment, str) or not all(part.isidentifier() for part in parts):
        raise ValueError(
            'environment is a module and a class, such as "env2048:Game2048Env", '
            f"got {environment!r}"
        )
    return environment


def _network_and_step(net: NTupleNetwork | None, step: Any) -> tuple[NTupleNetwork, float]:
    """The network, and the step to which its weights are rounded."""
    if net is None:
        usual = read_description(FILE).step
        return compact(), usual if step is None else check_compact_step(step)
    check_network(net)
    if net.values != "afterstate":
        raise ValueError(
            'the agent asks for the values of afterstates, and this network has values="state": '
            'train one with values="afterstate"'
        )
    return net, smallest_step(net) if step is None else check_compact_step(step)


# What is written


def _agent(settings: dict[str, Any], text: str) -> str:
    """The source of the agent: the template with settings and a network of its own."""
    source = TEMPLATE.read_text(encoding="utf-8")
    head, marker, rest = source.partition(END_OF_SETTINGS)
    for name, value in settings.items():
        head = _with_setting(head, name, value)
    body, begin, _ = rest.partition(BEGINNING_OF_NETWORK)
    network = f'NETWORK = Network(\n    """\n{text}\n"""\n)\n\nstart()\n'
    return head + marker + body + begin + network


def _with_setting(head: str, name: str, value: Any) -> str:
    """The settings with one of them changed; the comment behind it stays."""
    lines = head.split("\n")
    (place,) = [n for n, line in enumerate(lines) if line.startswith(f"{name} = ")]
    _, space, comment = lines[place].partition("  # ")
    written = f'"{value}"' if isinstance(value, str) else repr(value)
    lines[place] = f"{name} = {written}{space}{comment}"
    return "\n".join(lines)


def _network_text(net: NTupleNetwork, step: float) -> str:
    """The weights as text, as in a compact file but for all tables as one piece."""
    content = folded_bytes(np.concatenate(list(whole_steps(net, step))))
    text = base64.b85encode(zlib.compress(content, LEVEL)).decode()
    lines = [text[start : start + COLUMNS] for start in range(0, len(text), COLUMNS)]
    return "\n".join(lines)
