"""Numbers as one reads them aloud, for prose: with separators, units and a proper minus.

Each function takes a number and gives a text for a sentence. A number that says nothing, NaN or an
infinity, is refused, so that it can never stand in a sentence.
"""

import math
import numbers

SPACE = "\u00a0"  # between a number and its unit, so that no line ends there
SIGNIFICANT = 3  # digits of a number that nobody said how to round
SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SMALL += ("eleven", "twelve")
BYTES = ("bytes", "kB", "MB", "GB", "TB")
MINUTE = 60
HOUR = 3600


def checked(value) -> float | int:
    """A number that can stand in a sentence.

    Raises
    ------
    ValueError
        If it is none: a text, None, NaN or an infinity.
    """
    is_real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not is_real or not math.isfinite(value):
        raise ValueError(f"a number in prose is a finite number, got {value!r}")
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value)


def typeset(text: str) -> str:
    """A formatted number with − for minus.

    Examples
    --------
    >>> typeset("-1.5")
    '−1.5'
    """
    return text.replace("-", "−")


def number(value, digits: int | None = None) -> str:
    """A number with separators.

    Parameters
    ----------
    value
        The number.
    digits
        Digits after the point. Without it a whole number is written out, and any other is rounded
        to three digits, or to a whole number if it is larger than that.

    Examples
    --------
    >>> number(100_000), number(-2.0), number(1234.5), number(0.12345), number(12.5, digits=2)
    ('100,000', '−2', '1,234', '0.123', '12.50')
    """
    value = checked(value)
    if digits is None:
        digits = _usual_digits(value)
    return typeset(_without_minus_zero(f"{value:,.{digits}f}"))


def _usual_digits(value: float) -> int:
    """How many digits after the point make three in all."""
    if value == int(value):
        return 0
    before_point = math.floor(math.log10(abs(value))) + 1
    return max(0, SIGNIFICANT - before_point)


def _without_minus_zero(text: str) -> str:
    return text.removeprefix("-") if not text.strip("-0.,") else text


def signed(value, digits: int | None = None) -> str:
    """A difference, with its sign.

    Examples
    --------
    >>> signed(12.34), signed(-0.5), signed(0)
    ('+12.3', '−0.500', '0')
    """
    text = number(value, digits)
    return f"+{text}" if checked(value) > 0 else text


def scientific(value, digits: int = 1) -> str:
    """A very large or very small number, as a power of ten in a formula.

    Examples
    --------
    >>> scientific(1.44e17)
    '$1.4 \\\\times 10^{17}$'
    """
    mantissa, exponent = f"{checked(value):.{digits}e}".split("e")
    return rf"${mantissa} \times 10^{{{int(exponent)}}}$"


def percent(share, digits: int | None = None) -> str:
    """A share, 0 to 1, in percent.

    Without `digits` there are none after the point, except where 0 % or 100 % would not be true.

    Examples
    --------
    >>> percent(0.973), percent(0.973, digits=1), percent(0.9996), percent(0.004), percent(1)
    ('97\\xa0%', '97.3\\xa0%', '99.96\\xa0%', '0.4\\xa0%', '100\\xa0%')
    """
    value = 100 * checked(share)
    if digits is None:
        digits = 0
        while digits < 6 and _looks_whole(value, digits):
            digits += 1
    return f"{number(value, digits)}{SPACE}%"


def _looks_whole(value: float, digits: int) -> bool:
    """Whether rounding makes 0 or 100 out of what is neither."""
    rounded = round(value, digits)
    return rounded in (0, 100) and abs(value - rounded) > 1e-9


def between(low, high, digits: int | None = None) -> str:
    """Two ends, as "between 1,200 and 1,350", both with as many digits.

    Examples
    --------
    >>> between(1_200.4, 1_350), between(0.12, 1.5)
    ('between 1,200 and 1,350', 'between 0.12 and 1.50')
    """
    first, second = _alike(low, high, digits)
    return f"between {first} and {second}"


def plus_minus(mean, half, digits: int | None = None) -> str:
    """A mean and half the width of its interval, which says how many digits are worth telling.

    Examples
    --------
    >>> plus_minus(20_123.4, 310.2), plus_minus(2.5104, 0.0341)
    ('20,123 ± 310', '2.510 ± 0.034')
    """
    half = checked(half)
    if digits is None:
        digits = 0 if half >= 10 or half == 0 else 1 - math.floor(math.log10(half))
    return f"{number(mean, digits)} ± {number(half, digits)}"


def _alike(low, high, digits: int | None) -> tuple[str, str]:
    low = checked(low)
    high = checked(high)
    if low > high:
        raise ValueError(f"the lower end comes first, got {low} and {high}")
    if digits is None:
        digits = _usual_digits(high) if high != low else _usual_digits(low)
    return number(low, digits), number(high, digits)


def plural(count, word: str, words: str | None = None) -> str:
    """A number of things.

    Examples
    --------
    >>> plural(1, "game"), plural(1_000, "game"), plural(2, "entry", "entries")
    ('1\\xa0game', '1,000\\xa0games', '2\\xa0entries')
    """
    text = number(count)
    named = word if text == "1" else words or f"{word}s"
    return f"{text}{SPACE}{named}"


def points(value) -> str:
    """A score: "12,345 points"."""
    return plural(round(checked(value)), "point")


def in_words(count) -> str:
    """A small number as a word, a larger one in digits.

    Examples
    --------
    >>> in_words(3), in_words(17)
    ('three', '17')
    """
    count = checked(count)
    return SMALL[count] if isinstance(count, int) and 0 <= count < len(SMALL) else number(count)


def times(ratio, digits: int | None = None) -> str:
    """How many times as much, two digits long.

    Examples
    --------
    >>> times(2.53), times(47.6), times(1.0)
    ('2.5 times', '48 times', '1.0 times')
    """
    ratio = checked(ratio)
    if digits is None:
        size = math.floor(math.log10(abs(ratio))) if ratio else 0
        digits = max(0, 1 - size)
    return f"{number(ratio, digits)} times"


def seconds(value) -> str:
    """A time in seconds: "0.35 seconds", "12 seconds"."""
    return _counted(value, "second")


def milliseconds(value) -> str:
    """A time in milliseconds: "0.52 milliseconds", "12 milliseconds"."""
    return _counted(value, "millisecond")


def minutes(value) -> str:
    """A time in minutes: "1 minute", "12 minutes"."""
    return _counted(value, "minute")


def _counted(value, unit: str) -> str:
    text = _short(value)
    return f"{text}{SPACE}{unit if text == '1' else f'{unit}s'}"


def _short(value) -> str:
    """A number of which no more than two digits are told, or the whole part."""
    value = checked(value)
    if abs(value) >= 10 or value == 0:
        return number(round(value))
    return typeset(f"{float(f'{value:.2g}'):g}")


def duration(seconds_: float) -> str:
    """A time in the unit in which one would say it.

    Examples
    --------
    >>> duration(0.2), duration(75), duration(200), duration(5_400)
    ('0.2\\xa0seconds', '75\\xa0seconds', '3.3\\xa0minutes', '1.5\\xa0hours')
    """
    value = checked(seconds_)
    if value < 2 * MINUTE:
        return seconds(value)
    if value < HOUR:
        return minutes(value / MINUTE)
    return _counted(value / HOUR, "hour")


def bytes_(size) -> str:
    """An amount of memory: "67 MB".

    Examples
    --------
    >>> bytes_(16**6 * 4), bytes_(900)
    ('67\\xa0MB', '900\\xa0bytes')
    """
    value = checked(size)
    unit = 0
    while abs(value) >= 1000 and unit < len(BYTES) - 1:
        value /= 1000
        unit += 1
    return f"{_short(value)}{SPACE}{BYTES[unit]}"


def joined(words) -> str:
    """Words as a list in a sentence.

    Examples
    --------
    >>> joined("abc"), joined(["a"])
    ('a, b and c', 'a')
    """
    *before, last = map(str, words)
    return f"{', '.join(before)} and {last}" if before else last
