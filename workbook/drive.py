"""A drive home, on which guesses are learned from in two ways.

Each stage is (place, minutes gone, minutes that seem left). The picture shows what each guess of
the whole time is corrected towards: the time it did take (Monte-Carlo), or the next guess (TD).
"""

from workbook.axes import CURVES, PAGE, Picture, tidy

STAGES = (
    ("desk", 0, 45),
    ("bridge", 10, 50),
    ("far bank", 30, 25),
    ("village", 40, 22),
    ("last light", 56, 5),
    ("home", 60, 0),
)


def in_all() -> list[int]:
    """The guess of the whole time at each stage; the last is what it took.

    Examples
    --------
    >>> in_all()
    [45, 60, 55, 62, 61, 60]
    """
    return [gone + left for _, gone, left in STAGES]


def targets(waits: bool) -> list[int]:
    """What each guess but the last is corrected towards.

    Parameters
    ----------
    waits
        Whether the learner waits for the outcome, or takes the next guess.

    Examples
    --------
    >>> targets(waits=True), targets(waits=False)
    ([60, 60, 60, 60, 60], [60, 55, 62, 61, 60])
    """
    guesses = in_all()
    if waits:
        return [guesses[-1]] * (len(guesses) - 1)
    return guesses[1:]


def picture() -> Picture:
    """Both ways side by side: the guesses, and an arrow from each to its target."""
    figure = Picture(figsize=(PAGE, 3.0), layout="constrained")
    panels = {"wait for the outcome (Monte-Carlo)": True, "take the next guess (TD)": False}
    texts = []
    for axes, (title, waits) in zip(figure.subplots(1, 2, sharey=True), panels.items()):
        _draw(axes, waits)
        axes.set_title(title, fontsize=11)
        moves = zip(STAGES, in_all(), targets(waits))
        told = ", ".join(f"{place} {guess} to {target}" for (place, *_), guess, target in moves)
        texts.append(f"{title}: {told}")
    axes = figure.axes[0]
    axes.set_ylabel("minutes in all, as it seems")
    figure.alt = "What each guess on the drive home is corrected towards. " + "; ".join(texts)
    return figure


def _draw(axes, waits: bool) -> None:
    """The guesses of a panel, and their arrows."""
    guesses = in_all()
    places = range(len(guesses))
    if waits:
        axes.axhline(guesses[-1], color="#777777", linewidth=1, linestyle="--")
    axes.plot(places, guesses, color=CURVES[0], marker="o", linewidth=1)
    for place, (guess, target) in enumerate(zip(guesses, targets(waits))):
        if guess != target:
            look = {"color": CURVES[1], "width": 0.001, "headwidth": 7, "headlength": 6}
            axes.annotate("", (place, target), (place, guess), arrowprops=look)
    tidy(axes, ylim=(40, 66))
    axes.set_xticks(places, [place for place, *_ in STAGES], rotation=30, ha="right")
