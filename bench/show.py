"""What the benchmark measured, as a table and as a figure."""

from lib2048.network import VALUES
from workbook.axes import CURVES, MARKS, Picture, tidy

NAMES = {"afterstate": "V(afterstate)", "state": "V(state)"}
SIDES = ("fast", "plain")
DEMO = "TDL2048-Demo (C++), V(afterstate) 4x6, backward, the first 5,000 games"
REFERENCE = {
    "date": "2026-11-19",
    "machine": "AMD EPYC (Zen 4) virtual machine with two virtual cores",
    "moves/s": {
        "TDL2048 (C++), V(afterstate) 4x6, backward, up to game 30,000": (2.58e6, 2.59e6),
        "TDL2048, the same, forward": (2.86e6, 2.92e6),
        "TDL2048, greedy evaluation of that network": (3.20e6, 3.24e6),
        "TDL2048 with temporal coherence, backward, up to game 10,000": (1.76e6, 1.77e6),
        DEMO: (0.552e6, 0.553e6),
        "TDL2048-Demo changed to V(state), the first 2,000 games": (0.097e6, 0.097e6),
    },
}


# The table


def head(one: str, other: str) -> str:
    """The head of a table that compares two sides."""
    return f"{'work':<26} {'games':>8} {one:>12} {other:>12} {'ratio':>7}   middle half"


def row(compared: dict) -> str:
    """A comparison as a line of the table, speeds in millions of moves a second."""
    work = f"{NAMES[compared['values']]}, {compared['work']}"
    one, other = (speed / 1e6 for speed in compared["speeds"])
    low, high = compared["quartiles"]
    return (
        f"{work:<26} {compared['games']:>8,} {one:>12.3f} {other:>12.3f} "
        f"{compared['ratio']:>7.2f}   {low:.2f} - {high:.2f}"
    )


def rest(results: dict) -> str:
    """What is told when all is measured: threads, the first call, memory, and other programs."""
    lines = []
    if results["threads"]:
        lines += ["", head("threads=2", "one thread"), *map(row, results["threads"])]
    for call in results["first call"]:
        lines += ["", _first_call(call)]
    lines += [_memory(used) for used in results["memory"]]
    lines += _same_moves(results["speed"])
    lines += ["", *_reference(), *_beside_the_demo(results["speed"])]
    return "\n".join(lines)


def _first_call(call: dict) -> str:
    return (
        f"Starting Python and learning from 100 games: {call['cold']:.1f} s, "
        f"kernels compiled anew; {call['warm']:.2f} s later"
    )


def _memory(used: dict) -> str:
    return (
        f"Memory of {NAMES[used['values']]} after {used['games']:,} games: "
        f"{used['bytes'] / 1e6:.0f} MB on top of the process"
    )


def _same_moves(comparisons: list[dict]) -> list[str]:
    """For each kind of value, in how many rows both sides made equally many moves."""
    lines = []
    for values, name in NAMES.items():
        same = [row["same_moves"] for row in comparisons if row["values"] == values]
        if same:
            lines.append(
                f"{name}: both sides made equally many moves in {sum(same)} of {len(same)} rows"
            )
    return lines


def _reference() -> list[str]:
    """How fast other programs are; not measured in this run."""
    lines = [
        f"Measured {REFERENCE['date']} on an {REFERENCE['machine']}, one thread, not in this run:"
    ]
    for name, (low, high) in REFERENCE["moves/s"].items():
        speed = f"{low / 1e6:.3g}-{high / 1e6:.3g}"
        if low == high:
            speed = f"{low / 1e6:.3g}"
        lines.append(f"  {name}: {speed} M moves/s")
    return lines


def _beside_the_demo(comparisons: list[dict]) -> list[str]:
    """How many times as fast as the course's C++ program each engine was, learning the same."""
    rows = [
        row for row in comparisons if row["values"] == "afterstate" and row["work"] == "backward"
    ]
    if not rows:
        return []
    longest = max(rows, key=lambda row: row["games"])
    _, demo = REFERENCE["moves/s"][DEMO]
    multiples = [
        f"the {side} engine {speed / demo:.1f} times"
        for side, speed in zip(SIDES, longest["speeds"])
    ]
    return [
        f"Learning backward, at {longest['games']:,} games here, beside TDL2048-Demo there:",
        f"  {' and '.join(multiples)} as fast. They were not measured in the same run,",
        "  so this says something on a machine of that kind only.",
    ]


# The figure


def speed_figure(results: dict) -> Picture:
    """Moves a second against games of training, of both engines.

    `results` is what is in runs/bench.json.
    """
    figure = Picture(figsize=(8, 4), layout="constrained")
    figure.alt = "Speed of the fast and of the plain engine against games of training"
    for axes, values in zip(figure.subplots(1, 2), VALUES):
        rows = [row for row in results["speed"] if row["values"] == values]
        _draw_speeds(axes, rows)
        axes.set_title(NAMES[values])
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    about = results["machine"]
    figure.supxlabel(
        f"one thread, {about['processor']}, {about['clock']}, {results['date']}", fontsize="small"
    )
    return figure


def _draw_speeds(axes, rows: list[dict]) -> None:
    """A line for each piece of work and each side; the plain engine's are dashed."""
    works = dict.fromkeys(row["work"] for row in rows)
    for number, work in enumerate(works):
        of_work = [row for row in rows if row["work"] == work]
        for side, name in enumerate(SIDES):
            axes.plot(
                [row["games"] for row in of_work],
                [row["speeds"][side] / 1e6 for row in of_work],
                label=f"{name}, {work}",
                color=CURVES[number],
                marker=MARKS[number],
                linestyle="--" if name == "plain" else "-",
                markerfacecolor="white" if name == "plain" else CURVES[number],
            )
    ticks = sorted({row["games"] for row in rows})
    tidy(
        axes,
        xscale="log",
        ylim=(0, None),
        xlabel="games of training",
        ylabel="speed (million moves a second)",
    )
    axes.set_xticks(ticks, [f"{games:,}" for games in ticks])
    axes.minorticks_off()
