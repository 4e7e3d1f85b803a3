"""Several trainings of one kind: their mean, how sure it is, and a picture of them.

A training has a luck of its own, and an interval over evaluation games knows nothing of it. So ways
of learning are compared by trainings from several seeds, each of which counts as one number.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from workbook.axes import CURVES, PAGE, Picture, tidy
from workbook.intervals import interval
from workbook.table import Table, is_number


def over_seeds(values: Sequence[float]) -> tuple[float, float]:
    """The mean of a few trainings, and half the width of its 95 % interval.

    Parameters
    ----------
    values
        A number for each training, two or more.

    Raises
    ------
    ValueError
        If there is only one, or one is no finite number.

    Examples
    --------
    >>> mean, half = over_seeds([48.0, 50.0, 52.0])
    >>> round(mean, 1), round(half, 1)
    (50.0, 5.0)
    """
    numbers = np.asarray(values, float)
    if len(numbers) < 2:
        raise ValueError(f"an interval takes two trainings or more, got {len(numbers)}")
    if not np.isfinite(numbers).all():
        raise ValueError(f"every value must be a finite number, got {numbers.tolist()}")
    mean, _, high = interval(numbers)
    return mean, high - mean


def after_moves(result, count: float) -> float:
    """The mean score of the block of training games in which `count` moves were reached.

    Parameters
    ----------
    result
        The result of a training, with `means` and `moves_of_block`.
    count
        How many moves it may learn from.

    Raises
    ------
    ValueError
        If the training has not learned from so many.
    """
    learned = np.cumsum(result["moves_of_block"])
    if count > learned[-1]:
        raise ValueError(f"it learned from {learned[-1]:,} moves only, got {count:,.0f}")
    return float(result["means"][np.searchsorted(learned, count)])


def ratio(rows, right, of: str = "score") -> dict:
    """How rows compare with the rows of the same seeds in `right`.

    Returns the mean of the ratios and its 95 % interval as "ratio", "ratio_low" and "ratio_high".
    They are None where a row has no number, because its training diverged.
    """
    right_of_seed = {row["seed"]: row[of] for row in right}
    mean = low = high = None
    if all(is_number(row[of]) for row in rows):
        mean, low, high = interval([row[of] / right_of_seed[row["seed"]] for row in rows])
    return {"ratio": mean, "ratio_low": low, "ratio_high": high}


def against(table: Table, by: str, standard, names: dict) -> list[dict]:
    """Variants of an experiment against its standard, in the order of `names`.

    The rows of a variant hold its value in the column `by`, those of the standard hold `standard`.
    names: {value of the column: what the variant is called}. Each variant gets its mean score, the
    share of games that won, and `ratio`, with their intervals.
    """
    right = table.where(**{by: standard})
    variants = []
    for value, name in names.items():
        rows = table.where(**{by: value})
        (means,) = rows.means(by, ["score", "win_rate"]).rows
        shown = {key: means[key] for key in ("score", "score_low", "score_high", "win_rate")}
        variants.append({"name": name} | shown | ratio(rows, right))
    return variants


def each_training(named: Mapping[str, Sequence[float]], xlabel: str) -> Picture:
    """Every training as a point, a line for each way of learning, and the interval of its mean.

    Parameters
    ----------
    named
        The values of the trainings of each way.
    xlabel
        What the values are.
    """
    figure = Picture(figsize=(PAGE, 0.9 + 0.42 * len(named)), layout="constrained")
    axes = figure.subplots()
    told = []
    for n, (name, values) in enumerate(named.items()):
        mean, half = over_seeds(values)
        axes.plot(values, [-n] * len(values), "o", color=CURVES[2], alpha=0.55, markersize=6)
        axes.errorbar(
            [mean], [-n - 0.25], xerr=[half], color=CURVES[0], marker="|", markersize=9, capsize=3
        )
        told.append(f"{name}: {mean:,.0f} ± {half:,.0f}")
    tidy(axes, xlabel=xlabel, ylim=(0.3 - len(named), 0.5))
    axes.set_yticks([-n for n in range(len(named))], list(named))
    axes.set_xlim(0, None)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    figure.alt = f"{xlabel}, each training. " + "; ".join(told)
    return figure
