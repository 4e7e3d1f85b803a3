"""python -m workbook.fonts FILE ...: make the files in this folder from whole fonts.

Each FILE is told by what it says of itself: NotoSerifCJK-Regular.ttc and NotoSerifCJK-Bold.ttc (a
system's package of Noto's fonts has them), LibertinusSerif-Regular.otf, -Bold.otf and -Italic.otf.
"""

import argparse
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter, load_font, save_font
from fontTools.ttLib import TTCollection, TTFont, TTLibError

from workbook.fonts import BODY, BODY_FAMILY, EAST_ASIAN, EAST_ASIAN_FAMILY
from workbook.fonts.characters import east_asian, latin

TARGETS = {
    (EAST_ASIAN_FAMILY, "Regular"): EAST_ASIAN[0],
    (EAST_ASIAN_FAMILY, "Bold"): EAST_ASIAN[1],
    (BODY_FAMILY, "Regular"): BODY[0],
    (BODY_FAMILY, "Bold"): BODY[1],
    (BODY_FAMILY, "Italic"): BODY[2],
}

# For vertical text, and for choosing among forms: a report needs neither.
UNUSED_TABLES = ["vmtx", "vhea", "VORG", "BASE"]
NAMES_KEPT = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]  # the copyright and the licence among them


def name_of(font: TTFont) -> tuple[str, str]:
    """The family and the style of a font, as it names itself."""
    names = font["name"]
    return names.getBestFamilyName(), names.getBestSubFamilyName()


def face_in(file: Path) -> tuple[int, tuple[str, str]]:
    """The number of the face in a file that is one of ours, and its name.

    Raises
    ------
    ValueError
        If the file cannot be read or holds none of them.
    """
    try:
        with file.open("rb") as opened:
            if file.suffix.lower() == ".ttc":
                names = [name_of(face) for face in TTCollection(opened).fonts]
            else:
                names = [name_of(TTFont(opened))]
    except (OSError, TTLibError) as error:
        raise ValueError(f"{file} cannot be read as a font: {error}") from None
    for number, name in enumerate(names):
        if name in TARGETS:
            return number, name
    wanted = ", ".join(" ".join(name) for name in TARGETS)
    raise ValueError(f"{file} holds {' '.join(names[0])}; wanted is one of {wanted}")


def make(file: Path) -> Path:
    """Make the small file from a whole font; returns where it lies."""
    number, name = face_in(file)
    is_east_asian = name[0] == EAST_ASIAN_FAMILY
    options = Options()
    options.font_number = number
    options.layout_features = [] if is_east_asian else ["kern", "mark", "mkmk", "ccmp"]
    options.drop_tables += UNUSED_TABLES
    options.hinting = False
    options.name_IDs = NAMES_KEPT
    options.recalc_timestamp = False
    font = load_font(file, options)
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(east_asian() if is_east_asian else latin()))
    subsetter.subset(font)
    save_font(font, TARGETS[name], options)
    return TARGETS[name]


def main(arguments: list[str] | None = None) -> int:
    """Make what can be made of the files given; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m workbook.fonts", description="Make the workbook's fonts from whole ones."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    try:
        for file in parser.parse_args(arguments).files:
            made = make(file)
            print(f"{made.name}: {made.stat().st_size / 1e6:.1f} MB")
    except ValueError as error:
        print(f"workbook.fonts: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
