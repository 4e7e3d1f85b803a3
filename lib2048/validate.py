"""Checks of what a user gives.

Each returns the value in its right type, or raises a ValueError that says what is wrong and what
would be right. Python's bool counts as an integer, but a board, an action or a number of games that
is True is a mistake.
"""

import math
import numbers
import operator
import re
from pathlib import Path
from typing import Any

import numpy as np

try:
    import psutil
except ImportError:  # it comes with lib2048[workbook]
    psutil = None

MOST_PLIES = 12
NO_TILE = 16  # an exponent that no tile has
ORDERS = ("backward", "forward")
MOST_THREADS = 1024  # far more than any machine has use for
LARGEST_WHOLE = (1 << 63) - 1  # that an int64 holds
LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
MOST_SHOWN = 100  # characters of an array in a message


def on_one_line(value: Any) -> str:
    """What was given, as a message shows it: on one line, and cut off where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


# Numbers


def plain_number(value: Any) -> Any:
    """A number of numpy as Python's, for `json.dumps`, which asks about what it does not know."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a file holds texts, numbers, lists and dicts, got {on_one_line(value)}")


def _whole_number(value: Any) -> int | None:
    """A whole number of Python or numpy as int; None for anything else, truth values too."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def real_number(value: Any) -> float | None:
    """A real number of Python or numpy as float; None for anything else, truth values too."""
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
    if not is_number:
        return None
    try:
        return float(value)
    except OverflowError:  # an integer beyond all floats
        return math.inf if value > 0 else -math.inf


def check_whole(name: str, value: Any, low: int = 0, high: int = LARGEST_WHOLE) -> int:
    """A whole number from `low` to `high` as int, or a ValueError that names it."""
    number = _whole_number(value)
    if number is None or not low <= number <= high:
        limits = f"from {low} to {high}"
        if high == LARGEST_WHOLE:  # which matters to nobody who stays below
            is_too_large = number is not None and number > high
            limits = f"of at least {low}" + (" and below 2**63" if is_too_large else "")
        raise ValueError(f"{name} is a whole number {limits}, got {value!r}")
    return number


def check_count(name: str, value: Any) -> int:
    """A whole number of at least 1, or a ValueError that names it."""
    return check_whole(name, value, 1)


def check_finite(name: str, value: Any) -> float:
    """A number that float32 can hold, or a ValueError that names it."""
    number = real_number(value)
    if number is None or not abs(number) <= LARGEST_FLOAT32:
        raise ValueError(f"{name} is a finite number (as float32 too), got {value!r}")
    return number


def check_not_negative(name: str, value: Any) -> float:
    """A finite number of at least 0, or a ValueError that names it."""
    number = real_number(value)
    if number is None or not 0 <= number < math.inf:
        raise ValueError(f"{name} is a number of at least 0, got {value!r}")
    return number


# The game


def check_board(board: Any) -> np.uint64:
    """The board as uint64, or a ValueError that says what is wrong with it."""
    number = _whole_number(board)
    if number is None:
        raise ValueError(
            f"a board is one 64-bit integer, got {board!r}; see from_array and from_tiles"
        )
    if not 0 <= number < 1 << 64:
        raise ValueError(f"a board is an integer from 0 to 2**64 - 1, got {board!r}")
    return np.uint64(number)


def check_action(action: Any) -> int:
    """The action as int, or a ValueError."""
    number = _whole_number(action)
    if number is None or not 0 <= number <= 3:
        raise ValueError(f"an action is 0 (up), 1 (right), 2 (down) or 3 (left), got {action!r}")
    return number


def check_tile(tile: Any) -> int:
    """The exponent of a tile as it is written on the board (11 for 2048), or a ValueError."""
    number = _whole_number(tile) or 0
    exponent = number.bit_length() - 1
    if not 1 <= exponent <= 15 or number != 2**exponent:
        raise ValueError(f"a tile is a power of two from 2 to 32768, got {tile!r}")
    return exponent


def check_p4(p4: Any) -> float:
    """p4 as float, or a ValueError."""
    number = real_number(p4)
    if number is None or not 0 <= number <= 1:
        raise ValueError(
            f"p4, the probability that a new tile is a 4, lies between 0 and 1, got {p4!r}"
        )
    return number


# How games are played


def check_rng(rng: Any) -> Any:
    """Where chance comes from, or a ValueError; Python's own `random.Random` will do as well."""
    if not callable(getattr(rng, "random", None)) or not callable(getattr(rng, "choice", None)):
        raise ValueError(
            f"rng is a generator of random numbers, such as np.random.default_rng(1), got {rng!r}"
        )
    return rng


def check_plies(plies: Any) -> int:
    """The number of plies, or a ValueError."""
    number = _whole_number(plies)
    if number is None or not 1 <= number <= MOST_PLIES:
        raise ValueError(
            f"plies, the player's moves looked ahead, is 1 to {MOST_PLIES}, got {plies!r}"
        )
    return number


def check_threads(threads: Any) -> int:
    """The number of threads, or a ValueError."""
    return check_whole("threads", threads, 1, MOST_THREADS)


def check_seconds(seconds: Any) -> float:
    """The time for a move, or a ValueError."""
    number = real_number(seconds)
    if number is None or not 0 < number < math.inf:
        raise ValueError(f"seconds, the time for a move, is a number above 0, got {seconds!r}")
    return number


def check_margin(margin: Any) -> float:
    """How many points less an action may be worth and still be looked into, or a ValueError.

    It is infinity for None.
    """
    if margin is None:
        return math.inf
    number = real_number(margin)
    if number is None or not 0 <= number <= LARGEST_FLOAT32:
        raise ValueError(
            "margin is a finite number of points (as float32 too), 0 or more, or None, "
            f"got {margin!r}"
        )
    return number


def check_downgrade(tile: Any) -> np.uint64:
    """The exponent of the tile from which on smaller boards are shown, or a ValueError.

    It is that of no tile for None.
    """
    if tile is None:
        return np.uint64(NO_TILE)
    try:
        return np.uint64(check_tile(tile))
    except ValueError:
        raise ValueError(
            "downgrade, the tile from which on smaller boards are shown, is a power of two "
            f"from 2 to 32768, or None for never, got {tile!r}"
        ) from None


def check_promote(tile: Any) -> int:
    """The tile from which on patterns are promoted, or a ValueError."""
    try:
        return 2 ** check_tile(tile)
    except ValueError:
        raise ValueError(
            "promote, the tile from which on patterns take the weights of smaller tiles, is a "
            f"power of two from 2 to 32768, or None for never, got {tile!r}"
        ) from None


def check_seed(seed: Any, name: str = "a seed") -> np.uint64:
    """A seed, or another number that random streams start from, as uint64; or a ValueError."""
    number = _whole_number(seed)
    if number is None or not 0 <= number < 1 << 63:
        raise ValueError(f"{name} is a whole number from 0 to 2**63 - 1, got {seed!r}")
    return np.uint64(number)


# How a network learns


def check_step(alpha: Any) -> float:
    """The step of V at each update, or a ValueError."""
    step = check_finite("alpha, the step of V at each update, such as 0.1,", alpha)
    if step < 0:
        raise ValueError(f"alpha, the step of V at each update, is not negative, got {alpha!r}")
    return step


def check_order(order: Any) -> str:
    """The order of learning, or a ValueError."""
    if not isinstance(order, str) or order not in ORDERS:
        raise ValueError(f'order is "backward" or "forward", got {order!r}')
    return order


def check_lambda(lambda_: Any) -> float:
    """The lambda of TD(lambda), or a ValueError."""
    number = real_number(lambda_)
    if number is None or not 0 <= number <= 1:
        raise ValueError(
            f"lambda_, the lambda of TD(lambda), lies between 0 and 1, got {lambda_!r}"
        )
    return number


def check_restart(restart: Any) -> int:
    """The fewest moves of a game that is played on, or a ValueError."""
    return check_whole("restart, the fewest moves to play on for (0 for never),", restart)


def check_until(tile: Any) -> int:
    """The tile at which games end, or a ValueError: a game may begin with a 2 and a 4."""
    try:
        exponent = check_tile(tile)
    except ValueError:
        exponent = 0
    if exponent < 3:
        raise ValueError(
            "until, the tile at which games end, is a power of two from 8 to 32768, or None for "
            f"none, got {tile!r}"
        )
    return 2**exponent


def check_prize(prize: Any) -> float:
    """The points that an end is worth, as float, or a ValueError."""
    number = real_number(prize)
    if number is None or not 0 <= number <= 1e7:
        raise ValueError(
            "prize, the points that the end at the tile `until` is worth, lies between 0 and "
            f"10,000,000, got {prize!r}"
        )
    return number


def check_flag(name: str, value: Any) -> bool:
    """True or False, or a ValueError: "no" would count as True."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} is True or False, got {value!r}")
    return bool(value)


# The machine


def check_memory(nbytes: int, what: str) -> None:
    """ValueError when this machine is known not to have `nbytes` of free memory for `what`."""
    free = free_memory()
    if free is not None and nbytes > free:
        raise ValueError(
            f"{what} takes {nbytes / 2**30:.1f} GiB of memory, "
            f"this machine has {free / 2**30:.1f} free"
        )


def free_memory() -> int | None:
    """The bytes of memory that programs can still get, or None where that cannot be known.

    psutil knows on every system, but the library does without it; Linux says so itself.
    """
    if psutil is not None:
        return int(psutil.virtual_memory().available)
    try:
        text = Path("/proc/meminfo").read_text()
    except OSError:
        return None
    kibibytes = re.search(r"^MemAvailable: +(\d+) kB$", text, re.MULTILINE)
    return 1024 * int(kibibytes[1]) if kibibytes else None
