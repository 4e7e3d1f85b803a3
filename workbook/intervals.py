"""Means with their 95 % intervals, by Student's t."""

import math

import numpy as np

from lib2048.records import Z95

# The 97.5 % points of Student's t, by degrees of freedom from 1 on.
T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


def interval(values) -> tuple[float, float, float]:
    """The mean of some numbers and its 95 % interval by Student's t, nan for a single number.

    Examples
    --------
    >>> mean, low, high = interval([1.0, 2.0, 3.0])
    >>> mean, round(high - mean, 3)
    (2.0, 2.484)
    """
    values = np.asarray(values, float)
    mean = float(values.mean())
    if len(values) < 2:
        return mean, math.nan, math.nan
    half = student(len(values) - 1) * float(values.std(ddof=1)) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def next_one(values) -> tuple[float, float]:
    """Where one more such number lies in 95 of 100 cases.

    Examples
    --------
    >>> low, high = next_one([1.0, 2.0, 3.0])
    >>> round(high - 2.0, 3)  # twice as far as the mean's interval, of three numbers
    4.969
    """
    mean, low, _ = interval(values)
    half = (mean - low) * math.sqrt(len(values) + 1)
    return mean - half, mean + half


def student(freedom: int) -> float:
    """The 97.5 % point of Student's t; past the table by Abramowitz and Stegun 26.7.5."""
    if freedom <= len(T95):
        return T95[freedom - 1]
    z = Z95  # of the normal distribution
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return z + first + second
