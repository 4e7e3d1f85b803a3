"""Tables of results: means with intervals over seeds, and a plot of them."""

import html
import itertools
import math
import numbers

import numpy as np

T95 = (
    12.706,
    4.303,
    3.182,
    2.776,
    2.571,
    2.447,
    2.365,
    2.306,
    2.262,
    2.228,
)  # Student's t, by degrees of freedom


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
    written = str(value)
    return written if len(written) <= 40 else written[:37] + "..."


def interval(values) -> tuple[float, float, float]:
    """The mean of some numbers and its 95 % interval by Student's t; nan where one number is all there is."""
    values = np.asarray(values, float)
    mean, n = float(values.mean()), len(values)
    if n < 2:
        return mean, math.nan, math.nan
    half = student(n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return mean, mean - half, mean + half


def student(freedom: int) -> float:
    """The 97.5 % point of Student's t (past the table: Abramowitz and Stegun 26.7.5)."""
    if freedom <= len(T95):
        return T95[freedom - 1]
    z = 1.959964
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


class Table:
    """Rows of results: a sequence of dicts, shown as a table in notebooks."""

    def __init__(self, rows):
        self.rows = list(rows)

    def __len__(self):
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
        """One row for each combination of the columns `by`: n, and of each column `of` the mean with its 95 % interval.

        of: a name or several; all numbers that a function returned when it is left out. Where some of the n rows have
        no value (of a training that diverged, say) the mean is that of the others, and NAME_n says how many these are.
        """
        by = [by] if isinstance(by, str) else list(by)
        if of is None:
            own = {
                name
                for row in self.rows
                for name in getattr(row, "about", {}).get("parameters", {})
            }
            of = [name for name in self._numbers() if name not in own and name not in by]
        of = [of] if isinstance(of, str) else list(of)
        groups = {}
        for row, *key in zip(self.rows, *(self.column(name) for name in by)):
            groups.setdefault(tuple(key), []).append(row)
        rows = []
        for key, members in groups.items():
            row = dict(zip(by, key)) | {"n": len(members)}
            for name in of:
                values = [member[name] for member in members if is_number(member.get(name))]
                found = interval(values) if values else (None, None, None)
                row |= dict(zip((name, f"{name}_low", f"{name}_high"), found))
                row |= {f"{name}_n": len(values)} if len(values) < len(members) else {}
            rows.append(row)
        return Table(rows)

    def _numbers(self) -> list[str]:
        names = dict.fromkeys(name for row in self.rows for name in row)
        return [name for name in names if any(is_number(row.get(name)) for row in self.rows)]

    def plot(self, x: str, y: str, by: str | None = None):
        """Draw the means of y, with 95 % intervals, over x; one line for each value of `by`. Returns the figure."""
        from workbook.axes import CURVES, LINES, MARKS, Picture

        figure, texts = Picture(figsize=(6, 3.6), layout="constrained"), []
        axes = figure.subplots()
        means = self.means([x] + ([by] if by else []), y)
        continuous = all(is_number(value) for value in means.column(x))
        places = list(dict.fromkeys(means.column(x)))
        places = sorted(places) if continuous else places
        lines = list(dict.fromkeys(means.column(by))) if by else [None]
        for n, line in enumerate(lines):
            rows = [row for row in means if (not by or row[by] == line) and row[y] is not None]
            rows.sort(key=lambda row: places.index(row[x]))
            aside = 0.1 * (
                n - (len(lines) - 1) / 2
            )  # so that intervals at one place do not hide each other
            xs = [row[x] if continuous else places.index(row[x]) + aside for row in rows]
            errors = [0 if row["n"] < 2 else row[f"{y}_high"] - row[y] for row in rows]
            look = {
                "linestyle": LINES[n % len(LINES)] if continuous else "",
                "marker": MARKS[n % len(MARKS)],
            }
            look |= {"color": CURVES[n % len(CURVES)], "capsize": 3, "label": text(line)}
            axes.errorbar(xs, [row[y] for row in rows], errors, **look)
            name = f"{by} {line}: " if by else ""
            texts.append(name + ", ".join(f"{text(row[y])} at {text(row[x])}" for row in rows))
        if continuous and places[0] > 0 and places[-1] > 30 * places[0]:
            axes.set_xscale("log")
        axes.set_xticks(
            places if continuous else range(len(places)),
            [text(place) for place in places],
            minor=False,
        )
        axes.minorticks_off()
        if not continuous:
            axes.set_xlim(-0.5, len(places) - 0.5)
        if by:
            axes.legend(title=by, frameon=False)
        axes.set(xlabel=x, ylabel=f"{y} (mean, 95 % interval)")
        axes.yaxis.set_major_formatter(lambda value, _: text(value))
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        figure.alt = f"{y} over {x}. " + "; ".join(texts)
        return figure

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """Headings and texts: without arrays, and without parameters that all rows share."""
        names = dict.fromkeys(
            name for row in self.rows for name in row if not isinstance(row[name], np.ndarray)
        )
        shared = {
            name for row in self.rows for name in getattr(row, "about", {}).get("parameters", {})
        }
        shared = {name for name in shared if len({str(row.get(name)) for row in self.rows}) == 1}
        ends = {
            f"{name}{end}"
            for name in names
            for end in ("_low", "_high", "_n")
            if f"{name}_high" in names
        }
        kept = [
            name for name in names if name not in ends and (name not in shared or len(self) == 1)
        ]

        def cell(row, name):
            shown = text(row.get(name))
            if f"{name}_low" in ends and is_number(row[f"{name}_low"]):
                shown += f" ({text(row[f'{name}_low'])} to {text(row[f'{name}_high'])})"
            return shown + (f", of {row[f'{name}_n']}" if row.get(f"{name}_n") else "")

        return kept, [[cell(row, name) for name in kept] for row in self.rows]

    def _repr_html_(self) -> str:
        names, rows = self._cells()
        lines = [f"<tr>{''.join(f'<th>{html.escape(name)}</th>' for name in names)}</tr>"]
        lines += [
            f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows
        ]
        return f"<table>{''.join(lines)}</table>"

    def _repr_markdown_(self) -> str:
        names, rows = self._cells()
        escaped = [[cell.replace("|", "\\|") for cell in row] for row in [names, *rows]]
        lines = [f"| {' | '.join(row)} |" for row in escaped]
        return "\n".join([lines[0], "|---" * len(names) + "|", *lines[1:]])

    def __repr__(self) -> str:
        names, rows = self._cells()
        widths = [max(map(len, column)) for column in zip(names, *rows)]
        return "\n".join(
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip()
            for row in [names, *rows]
        )
