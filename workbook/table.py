"""Tables of results: means with intervals over seeds, and a plot of them."""

import html
import itertools
import math
import numbers
import re

import numpy as np

from workbook.intervals import interval

LONGEST_TEXT = 40
WIDE_RANGE = 30  # an axis whose ends have a larger ratio is logarithmic
HYPHEN = re.compile(r"(?<![\w.)])-(?=\.?\d)")  # before a number, and not between two
ASIDE = 0.1  # between lines at one place, so that their intervals do not hide each other


def is_number(value) -> bool:
    """Whether a value can be averaged."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(value)


def text(value) -> str:
    """A value for a reader: four digits, or as many as a whole number has."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} array {value.shape}"
    if value is None or isinstance(value, float) and math.isnan(value):
        return "-"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, str):
        return value  # somebody wrote it, and wants it read to its end
    written = str(value)
    if len(written) > LONGEST_TEXT:
        return written[: LONGEST_TEXT - 3] + "..."
    return written


class Table:
    """Rows of results: a sequence of dicts, shown as a table in notebooks."""

    def __init__(self, rows):
        self.rows = list(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, n):
        return self.rows[n]

    def column(self, name: str) -> list:
        """The values of a column, None where a row has none."""
        if self.rows and not any(name in row for row in self.rows):
            raise ValueError(f"the table has no column {name!r}; it has {', '.join(self.rows[0])}")
        return [row.get(name) for row in self.rows]

    def where(self, **wanted) -> "Table":
        """The rows with these values."""
        columns = {name: self.column(name) for name in wanted}
        fits = [all(columns[name][n] == wanted[name] for name in wanted) for n in range(len(self))]
        return Table(itertools.compress(self.rows, fits))

    def means(self, by, of=None) -> "Table":
        """One row for each combination of the columns `by`: n, and means with their 95 % intervals.

        Where some of the n rows have no value (of a training that diverged, say) the mean is that
        of the others, and NAME_n says how many these are.

        Parameters
        ----------
        by : str or sequence of str
            The columns that rows are grouped by.
        of : str or sequence of str, optional
            The columns that means are taken of; all numbers that a function returned when None.

        Returns
        -------
        Table
            With the columns NAME, NAME_low and NAME_high for each mean.
        """
        by = [by] if isinstance(by, str) else list(by)
        if of is None:
            of = [name for name in self._numbers() if name not in self._parameters() | set(by)]
        of = [of] if isinstance(of, str) else list(of)
        groups = {}
        for row, *key in zip(self.rows, *(self.column(name) for name in by)):
            groups.setdefault(tuple(key), []).append(row)
        return Table(
            dict(zip(by, key)) | {"n": len(members)} | _means(members, of)
            for key, members in groups.items()
        )

    def _numbers(self) -> list[str]:
        """The columns that hold numbers."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        return [name for name in names if any(is_number(row.get(name)) for row in self.rows)]

    def _parameters(self) -> set[str]:
        """The columns that are parameters of what the rows are results of."""
        abouts = [getattr(row, "about", {}) for row in self.rows]
        return {name for about in abouts for name in about.get("parameters", {})}

    def plot(self, x: str, y: str, by: str | None = None):
        """Draw the means of y, with 95 % intervals, over x.

        Parameters
        ----------
        x, y : str
            Columns.
        by : str, optional
            A column for each value of which there is a line.

        Returns
        -------
        Picture
            The figure, with a text that says what it shows.
        """
        means = self.means([x, by] if by else [x], y)
        return _draw(means, x, y, by)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """Headings and texts: without arrays, and without parameters that all rows share."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        names = [
            name
            for name in names
            if not any(isinstance(row.get(name), np.ndarray) for row in self.rows)
        ]
        shared = {name for name in self._parameters() if len(self._texts_of(name)) == 1}
        if len(self) == 1:
            shared = set()  # a single row shares nothing
        means = [name for name in names if f"{name}_high" in names]
        parts = {f"{name}{end}" for name in means for end in ("_low", "_high", "_n")}
        kept = [name for name in names if name not in shared | parts]
        return kept, [[_cell(row, name, name in means) for name in kept] for row in self.rows]

    def _texts_of(self, name: str) -> set[str]:
        return {str(row.get(name)) for row in self.rows}

    def _typeset(self) -> tuple[list[str], list[list[str]]]:
        """Headings and texts for a page, on which a minus sign is no hyphen."""
        names, rows = self._cells()
        return names, [[HYPHEN.sub("−", cell) for cell in row] for row in rows]

    def _repr_html_(self) -> str:
        names, rows = self._typeset()
        lines = [_html_row(names, "th")] + [_html_row(row, "td") for row in rows]
        return f"<table>{''.join(lines)}</table>"

    def _repr_markdown_(self) -> str:
        names, rows = self._typeset()
        escaped = [[cell.replace("|", "\\|") for cell in row] for row in [names, *rows]]
        lines = [f"| {' | '.join(row)} |" for row in escaped]
        return "\n".join([lines[0], "|---" * len(names) + "|", *lines[1:]])

    def __repr__(self) -> str:
        names, rows = self._cells()
        widths = [max(map(len, column)) for column in zip(names, *rows)]
        lines = []
        for row in [names, *rows]:
            cells = [cell.ljust(width) for cell, width in zip(row, widths)]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)


def _html_row(cells: list[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _means(rows: list[dict], of: list[str]) -> dict:
    """The means of these columns over some rows, each with its interval."""
    means = {}
    for name in of:
        values = [row[name] for row in rows if is_number(row.get(name))]
        mean, low, high = interval(values) if values else (None, None, None)
        means |= {name: mean, f"{name}_low": low, f"{name}_high": high}
        if len(values) < len(rows):
            means[f"{name}_n"] = len(values)
    return means


def _cell(row: dict, name: str, is_mean: bool) -> str:
    """The text of a cell; a mean with its interval, and with how many rows it is of."""
    shown = text(row.get(name))
    if is_mean and is_number(row[f"{name}_low"]):
        shown += f" ({text(row[f'{name}_low'])} to {text(row[f'{name}_high'])})"
    if row.get(f"{name}_n"):
        shown += f", of {row[f'{name}_n']}"
    return shown


# Drawing


def _draw(means: Table, x: str, y: str, by: str | None):
    """A figure of means over x, a line for each value of `by`."""
    # Loads matplotlib, which takes longer than all the rest and is seldom needed.
    from workbook.axes import GRID, Picture, no_frame

    figure = Picture(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    is_continuous = all(is_number(value) for value in means.column(x))
    places = list(dict.fromkeys(means.column(x)))
    if is_continuous:
        places.sort()
    lines = list(dict.fromkeys(means.column(by))) if by else [None]
    texts = []
    for n, line in enumerate(lines):
        rows = [row for row in means if (not by or row[by] == line) and row[y] is not None]
        rows.sort(key=lambda row: places.index(row[x]))
        aside = ASIDE * (n - (len(lines) - 1) / 2)
        at = [row[x] if is_continuous else places.index(row[x]) + aside for row in rows]
        _draw_line(axes, at, rows, y, n, is_continuous, text(line))
        shown = ", ".join(f"{text(row[y])} at {text(row[x])}" for row in rows)
        texts.append(f"{by} {line}: {shown}" if by else shown)
    _draw_places(axes, places, is_continuous)
    if by:
        axes.legend(title=by, frameon=False)
    axes.set(xlabel=x, ylabel=f"{y} (mean, 95 % interval)")
    axes.yaxis.set_major_formatter(lambda value, _: text(value))
    axes.grid(**GRID)
    no_frame(axes)
    figure.alt = f"{y} over {x}. " + "; ".join(texts)
    return figure


def _draw_line(axes, at, rows: list[dict], y: str, n: int, is_joined: bool, label: str) -> None:
    """The means of y in some rows, with their intervals, at these places; line number n."""
    from workbook.axes import CURVES, LINES, MARKS

    axes.errorbar(
        at,
        [row[y] for row in rows],
        [0 if row["n"] < 2 else row[f"{y}_high"] - row[y] for row in rows],
        linestyle=LINES[n % len(LINES)] if is_joined else "",
        marker=MARKS[n % len(MARKS)],
        color=CURVES[n % len(CURVES)],
        capsize=3,
        label=label,
    )


def _draw_places(axes, places: list, is_continuous: bool) -> None:
    """The x axis: a scale of numbers, or a place for each text."""
    if is_continuous and places[0] > 0 and places[-1] > WIDE_RANGE * places[0]:
        axes.set_xscale("log")
    ticks = places if is_continuous else range(len(places))
    axes.set_xticks(ticks, [text(place) for place in places], minor=False)
    axes.minorticks_off()
    if not is_continuous:
        axes.set_xlim(-0.5, len(places) - 0.5)
