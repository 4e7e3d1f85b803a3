"""Which fonts figures are lettered with, and how a picture becomes dots where no SVG is shown.

JupyterLab shows no SVG of a notebook that it does not trust, as one that somebody else has run is.
So a figure takes a PNG picture along, drawn by Typst with the report's fonts.
"""

import base64
import functools
import io
import re
import shutil
import tempfile
from pathlib import Path

import matplotlib
from matplotlib import font_manager
from PIL import Image

from lib2048.draw import BASELINE, CELL, DIGIT, LARGEST_NUMBER, SHARE_OF_TILE
from workbook.fonts import BODY, BODY_FAMILY, EAST_ASIAN, EAST_ASIAN_FAMILY
from workbook.typography import as_printed

DEJAVU = "DejaVu Sans"  # matplotlib's own, with signs that the others lack
DEJAVU_FILES = tuple(
    Path(matplotlib.get_data_path(), "fonts", "ttf", name)
    for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
)
FAMILIES = (BODY_FAMILY, EAST_ASIAN_FAMILY, DEJAVU)
SIZE = 11  # points: this face looks smaller than others of its size

# A browser that lacks the face takes one that is about as wide.
IN_BROWSERS = "'Times New Roman', Times, 'Songti TC', serif"
NAMED_BY_MATPLOTLIB = ", ".join(f"'{family}'" for family in FAMILIES)

TEXT = re.compile(r">([^<>]+)</text>")
FAMILY = re.compile(r'font-family="[^"]*"')
NUMBER_ON_TILE = re.compile(
    r'(<text x="[\d.]+" y=)"([\d.]+)"( font-size=)"([\d.]+)"'
    r'( font-weight="bold"[^>]*)>(\d{3,5})</text>'
)
DIGIT_OF_BODY = 0.53  # width of a bold digit in ems, and a little air
DOTS_PER_PIXEL = 1.5
POINTS_PER_PIXEL = 0.75
COLOURS = 64  # of a PNG picture: enough for smooth edges


def set_up() -> None:
    """Have matplotlib letter figures with the face of the report's text, as text.

    Examples
    --------
    >>> set_up()
    >>> matplotlib.rcParams["font.family"]
    ['Libertinus Serif', 'Noto Serif CJK TC', 'DejaVu Sans']
    """
    known = {font.fname for font in font_manager.fontManager.ttflist}
    for file in (*BODY, *EAST_ASIAN):
        if str(file) not in known:
            font_manager.fontManager.addfont(file)
    matplotlib.rcParams.update(
        {
            "font.family": list(FAMILIES),
            "font.size": SIZE,
            "axes.titlesize": "medium",
            "legend.fontsize": "medium",
            "mathtext.fontset": "custom",
            "mathtext.rm": BODY_FAMILY,
            "mathtext.it": f"{BODY_FAMILY}:italic",
            "mathtext.bf": f"{BODY_FAMILY}:bold",
            "mathtext.cal": f"{BODY_FAMILY}:italic",
            "mathtext.sf": DEJAVU,
            "mathtext.tt": f"{DEJAVU} Mono",
            "svg.fonttype": "none",
        }
    )


def finished(svg: str) -> str:
    """A figure by matplotlib with the signs of print, and with fonts for browsers without ours."""
    svg = TEXT.sub(lambda text: f">{as_printed(text[1])}</text>", svg)
    return svg.replace(NAMED_BY_MATPLOTLIB, f"'{BODY_FAMILY}', {IN_BROWSERS}")


def in_body_face(svg: str) -> str:
    """A drawing with all its text in the face of the report's text.

    Numbers on tiles are drawn small enough for the widest face that a browser may take. This one is
    narrower, so long numbers become larger.

    Examples
    --------
    >>> in_body_face('<text font-family="Arial, sans-serif">2</text>')
    '<text font-family="Libertinus Serif">2</text>'
    """
    return FAMILY.sub(f'font-family="{BODY_FAMILY}"', NUMBER_ON_TILE.sub(_larger, svg))


def _larger(number: re.Match) -> str:
    """A number on a tile, as large as the tile allows in this face."""
    before, y, between, size, after, digits = number.groups()
    old = float(size)
    if size != f"{_size_on_tile(len(digits), DIGIT):.4g}":
        return number[0]  # it stands elsewhere
    new = _size_on_tile(len(digits), DIGIT_OF_BODY)
    lower = float(y) + BASELINE * (new - old)
    return f'{before}"{lower:.4g}"{between}"{new:.4g}"{after}>{digits}</text>'


def _size_on_tile(digits: int, width: float) -> float:
    """The size of a number on a tile, in the units of a drawing, as lib2048.draw has it."""
    return min(LARGEST_NUMBER, SHARE_OF_TILE * CELL / (width * digits))


@functools.cache
def _font_folder() -> tempfile.TemporaryDirectory:
    """A folder with the fonts of figures but the face of the text, which Typst has itself."""
    folder = tempfile.TemporaryDirectory(prefix="lib2048-fonts-")
    for file in (*EAST_ASIAN, *DEJAVU_FILES):
        shutil.copy(file, folder.name)
    return folder


@functools.cache
def _fonts():
    import typst  # here, as below: most cells draw nothing

    return typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=True,
        font_paths=[_font_folder().name],
    )


def png(svg: str) -> bytes:
    """A drawing as a PNG picture, on white.

    Parameters
    ----------
    svg
        An SVG document.

    Returns
    -------
    bytes
        The picture, of one and a half dots for each pixel that the drawing says it has.

    Raises
    ------
    ValueError
        If the text is no SVG document that can be drawn.
    """
    import typst

    page = '#set page(width: auto, height: auto, margin: 0pt)\n#image("picture.svg")'
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "picture.svg").write_text(in_body_face(svg), encoding="utf-8")
        main = Path(folder, "main.typ")
        main.write_text(page, encoding="utf-8")
        try:
            drawn = typst.compile(
                str(main),
                root=folder,
                font_paths=_fonts(),
                format="png",
                ppi=72 / POINTS_PER_PIXEL * DOTS_PER_PIXEL,
            )
        except typst.TypstError as error:
            raise ValueError(f"a drawing that is no whole SVG document: {error.message}") from None
    picture = Image.open(io.BytesIO(drawn)).convert("RGB")
    file = io.BytesIO()
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, "png", optimize=True)
    return file.getvalue()


def dots(svg: str) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
    """The PNG picture of a drawing, as an output of a cell holds it: data and metadata.

    Examples
    --------
    >>> data, metadata = dots('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>')
    >>> metadata
    {'image/png': {'width': 40}}
    """
    content = png(svg)
    with Image.open(io.BytesIO(content)) as picture:
        width = round(picture.width / DOTS_PER_PIXEL)
    encoded = base64.b64encode(content).decode()
    return {"image/png": encoded}, {"image/png": {"width": width}}
