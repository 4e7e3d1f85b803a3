"""What the benchmark found, as a table and as a figure."""

from bench.speed import KINDS
from workbook.axes import CURVES, MARKS, Picture

NAMES = {"afterstate": "V(afterstate)", "state": "V(state)"}
REFERENCE = {
    "date": "2026-11-18",
    "machine": "AMD EPYC (Zen 5) virtual machine with two virtual cores",
    "moves/s": {
        "TDL2048 (C++), V(afterstate) 4x6, backward, at 30,000 games": (3.9e6, 4.0e6),
        "TDL2048, the same, forward": (4.3e6, 4.5e6),
        "TDL2048, greedy evaluation of that network": (4.9e6, 4.9e6),
        "TDL2048-Demo (C++) changed to V(state)": (0.137e6, 0.137e6),
    },
}


def head(one: str, other: str) -> str:
    """The head of a table that compares two sides."""
    return f"{'work':<26} {'games':>8} {one:>12} {other:>12} {'ratio':>7}   middle half"


def row(found: dict) -> str:
    """A comparison as a line of the table, speeds in millions of moves a second."""
    one, other = (speed / 1e6 for speed in found["speeds"])
    low, high = found["quartiles"]
    return (
        f"{NAMES[found['values']] + ', ' + found['work']:<26} {found['games']:>8,} {one:>12.3f} {other:>12.3f} "
        f"{found['ratio']:>7.2f}   {low:.2f} - {high:.2f}"
    )


def rest(results: dict) -> str:
    """What is told when all is measured: threads, the first call, memory, and figures not of this run."""
    lines = []
    if results["threads"]:
        lines += ["", head("threads=2", "one thread"), *map(row, results["threads"])]
    for found in results["first call"]:
        cold, warm = found["cold"], found["warm"]
        text = f"Starting Python and learning from 100 games: {cold:.1f} s, kernels compiled anew; {warm:.2f} s later"
        lines += ["", text]
    for found in results["memory"]:
        size, games = found["bytes"] / 1e6, found["games"]
        lines.append(
            f"Memory of {NAMES[found['values']]} after {games:,} games: {size:.0f} MB on top of the process"
        )
    for values, name in NAMES.items():
        same = [found["same_moves"] for found in results["speed"] if found["values"] == values]
        if same:
            lines.append(
                f"{name}: both sides made equally many moves in {sum(same)} of {len(same)} rows"
            )
    lines += [
        "",
        f"Measured {REFERENCE['date']} on an {REFERENCE['machine']}, one thread, not in this run:",
    ]
    for name, (low, high) in REFERENCE["moves/s"].items():
        speed = f"{low / 1e6:.3g}" if low == high else f"{low / 1e6:.1f}-{high / 1e6:.1f}"
        lines.append(f"  {name}: {speed} M moves/s")
    return "\n".join(lines)


def speed_figure(results: dict):
    """Moves a second against games of training, lib2048 and plain; `results` is what is in runs/bench.json."""
    figure = Picture(figsize=(8, 4), layout="constrained")
    figure.alt = "Speed of lib2048 and of the plain kernel against games of training"
    for axes, values in zip(figure.subplots(1, 2), KINDS):
        rows = [found for found in results["speed"] if found["values"] == values]
        for n, work in enumerate(dict.fromkeys(found["work"] for found in rows)):
            games = [found["games"] for found in rows if found["work"] == work]
            for side, name in enumerate(("lib2048", "plain")):
                speeds = [found["speeds"][side] / 1e6 for found in rows if found["work"] == work]
                look = {
                    "linestyle": "--" if side else "-",
                    "markerfacecolor": "white" if side else CURVES[n],
                }
                axes.plot(
                    games, speeds, color=CURVES[n], marker=MARKS[n], label=f"{name}, {work}", **look
                )
        axes.set(xscale="log", ylim=(0, None), title=NAMES[values], xlabel="games of training")
        ticks = sorted({found["games"] for found in rows})
        axes.set_xticks(ticks, [f"{games:,}" for games in ticks])
        axes.minorticks_off()
        axes.set_ylabel("speed (million moves a second)")
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    about = results["machine"]
    figure.supxlabel(
        f"one thread, {about['processor']}, {about['clock']}, {results['date']}", fontsize="small"
    )
    return figure
