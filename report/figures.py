"""python -m report.figures: the figures of the executed notebooks, as figures/NAME.svg.

figures/game.svg, which README shows, belongs to no notebook and is made here as well.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from experiments.versions import ROOT
from notebook_tools.cells import mark_of
from notebook_tools.files import read, sources, write_if_other
from report.document import Part, read_output
from workbook.animation import game_svg
from workbook.story import the_game

GAME = "game.svg"
DRAWN_BY_OTHERS = {"speed.svg", GAME}  # bench draws the first, `write_game` the second


def pictures(paths: list[Path]) -> dict[str, bytes]:
    """{file name: SVG} of the figures in executed notebooks."""
    files = {}
    for path in paths:
        for number, cell in enumerate(read(path).cells, 1):
            for figure in _figures_of(cell, f"{path.name}, cell {number}"):
                name = figure.label.removeprefix("fig-")
                files[f"{name}.svg"] = figure.picture.content
    return files


def _figures_of(cell, where: str) -> Iterator[Part]:
    for output in cell.get("outputs", []):
        if "label" not in mark_of(output):
            continue
        try:
            shown = read_output(output)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        if shown.kind == "figure":
            yield shown


def write(paths: list[Path], root: Path = ROOT) -> int:
    """Write the figures of executed notebooks and delete those that none has any more.

    Returns how many files changed; ValueError if there are no figures, or one cannot be printed.
    """
    files = pictures(paths)
    if not files:
        raise ValueError(
            "the notebooks hold no figures: run them first (python -m notebook_tools.execute)"
        )
    folder = root / "figures"
    changed = 0
    for file in folder.glob("*.svg"):
        if file.name not in files and file.name not in DRAWN_BY_OTHERS:
            file.unlink()
            changed += 1
    for name, content in files.items():
        changed += write_if_other(folder / name, content)
    return changed


def write_game(root: Path = ROOT) -> int:
    """Write the game of the book as a picture that moves; returns how many files changed."""
    return int(write_if_other(root / "figures" / GAME, game_svg(the_game()).encode()))


def main() -> int:
    """Write the figures of the notebooks as they are in notebooks/; returns the exit code."""
    try:
        changed = write(sources()) + write_game()
    except (ValueError, OSError) as error:
        print(f"report.figures: {error}", file=sys.stderr)
        return 1
    print(f"{changed} files changed in figures.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
