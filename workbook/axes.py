"""How every figure looks: colours, lines and marks of its curves, its grid, its legend.

Curves differ in line and mark as well as in colour, so that a print in grey keeps them apart.
"""

import io

import matplotlib
from matplotlib.figure import Figure

from workbook import lettering

lettering.set_up()

CURVES = ("#1d1d1d", "#c4451c", "#1f6fb2", "#8a7a00", "#7a4fa3", "#2f7d4f")
LINES = ("-", (0, (6, 2)), (0, (2, 1.5)), "-.", (0, (9, 2, 2, 2, 2, 2)), (0, (1, 1)))
MARKS = "os^Dvx"
GRID = {"color": "#dddddd", "linewidth": 0.6}
PAGE = 7.0  # inches: how wide a figure is that fills the width of a page
LETTERS = 92  # of a legend that fit into the width of a page
BESIDE_NAME = 7  # the letters that the line in front of a name and the gap behind it take


class Picture(Figure):
    """A matplotlib figure that notebooks show as SVG; drawn twice, it gives the same file twice.

    A notebook that is not trusted shows it as PNG.
    """

    alt = "figure"  # what it shows, in words

    def svg(self) -> str:
        """The figure as an SVG document."""
        file = io.StringIO()
        with matplotlib.rc_context({"svg.hashsalt": "lib2048"}):
            metadata = {"Date": None, "Creator": None, "Title": self.alt}
            self.savefig(file, format="svg", metadata=metadata)
        return lettering.finished(file.getvalue())

    def _repr_mimebundle_(self, **_wanted):
        svg = self.svg()
        data, metadata = lettering.dots(svg)
        return {"image/svg+xml": svg, "text/plain": self.alt, **data}, metadata


def look(n: int) -> dict:
    """Colour, line and mark of the n-th curve of a figure, as matplotlib takes them."""
    return {
        "color": CURVES[n % len(CURVES)],
        "linestyle": LINES[n % len(LINES)],
        "marker": MARKS[n % len(MARKS)],
        "markersize": 4.5,
    }


def tidy(axes, **labels) -> None:
    """Give axes their labels and limits (as `axes.set` takes them), a grid, and no frame."""
    axes.set(**labels)
    axes.grid(**GRID)
    axes.set_axisbelow(True)
    no_frame(axes)


def no_frame(axes) -> None:
    """Leave out the lines above and at the right of axes."""
    axes.spines[["top", "right"]].set_visible(False)


def legend_above(figure: Figure, axes) -> None:
    """A legend of the curves of `axes` above all axes, in as many columns as fit.

    A single curve needs no legend.
    """
    handles, names = axes.get_legend_handles_labels()
    if len(names) > 1:
        longest = max(map(len, names))
        columns = LETTERS // (longest + BESIDE_NAME)
        columns = max(1, min(len(names), columns))
        figure.legend(handles, names, loc="outside upper center", ncols=columns, frameon=False)


def with_commas(value: float, _position=None) -> str:
    """A whole number at a tick: 10,000."""
    return f"{value:,.0f}"
