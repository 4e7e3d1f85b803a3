"""The fonts that come with the workbook, for figures and for the report.

Libertinus Serif is the face of the report's text, and so of the text in figures. Letters that it
lacks, Chinese, Japanese and Korean ones above all, come from a part of Noto Serif CJK. README.md in
this folder says what each file holds; `python -m workbook.fonts` makes them.
"""

from pathlib import Path

FOLDER = Path(__file__).parent

BODY_FAMILY = "Libertinus Serif"
EAST_ASIAN_FAMILY = "Noto Serif CJK TC"

BODY = tuple(FOLDER / f"libertinus-{style}.otf" for style in ("regular", "bold", "italic"))
EAST_ASIAN = (FOLDER / "east-asian-regular.otf", FOLDER / "east-asian-bold.otf")
