"""Whether counts agree with the chances they should have."""

import math


def agrees(counts, chances):
    """Pearson's chi-square test at the 0.1 % level.

    Both arguments are dicts. A case of chance 0 may never come up.
    """
    total = sum(counts.values())
    expected = {case: total * chance for case, chance in chances.items() if chance}
    if not set(counts) <= set(expected):
        return False
    degrees = len(expected) - 1
    statistic = sum(
        (counts.get(case, 0) - number) ** 2 / number for case, number in expected.items()
    )
    if degrees == 0:
        return statistic == 0
    # Wilson and Hilferty 1931: the cube root of chi-square over its degrees of freedom is nearly
    # normal
    spread = 2 / (9 * degrees)
    return statistic < degrees * (1 - spread + 3.09 * math.sqrt(spread)) ** 3
