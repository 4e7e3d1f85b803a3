"""What cells of the notebooks show: figures and tables with a caption, and sentences with measured numbers in them.

The report takes these outputs over; a label names what it points to, as in [the curves](#fig-curves).
"""

from html import unescape

from IPython.display import Markdown, display

from workbook.listings import listing
from workbook.marks import LABEL, MARK

__all__ = ["figure", "listing", "say"]


def figure(thing, label: str, caption: str) -> None:
    """Show a picture (a Picture, or an SVG document as text) or a table, and its caption below.

    label: "fig-..." or "tab-...", the only one of its name in all notebooks; the file in figures/ is named by it.
    """
    if not isinstance(label, str) or not LABEL.fullmatch(label):
        raise ValueError(
            'a label starts with "fig-" or "tab-" and goes on with small letters, digits and '
            f"hyphens, got {label!r}"
        )
    if not isinstance(caption, str) or not caption.strip().endswith((".", "!", "?")):
        raise ValueError(f"a caption is a sentence or more, with its full stop, got {caption!r}")
    about = {"label": label, "caption": caption}
    if label.startswith("fig-"):
        svg, alt = _svg(label, thing)
        display(
            {"image/svg+xml": svg, "text/plain": alt},
            metadata={MARK: about | {"alt": alt}},
            raw=True,
        )
    else:
        if not hasattr(thing, "_repr_markdown_"):
            raise ValueError(
                f"{label} is a table that can be written as Markdown, got {thing!r:.60}"
            )
        written = {"text/markdown": thing._repr_markdown_(), "text/plain": repr(thing)}
        display(written, metadata={MARK: about}, raw=True)
    word = "Figure" if label.startswith("fig-") else "Table"
    shown = {"text/markdown": f"*{word}.* {caption}", "text/plain": f"{word}. {caption}"}
    display(shown, metadata={MARK: {"caption of": label}}, raw=True)


def _svg(label: str, thing) -> tuple[str, str]:
    """A picture as an SVG document, and what it shows in words."""
    if isinstance(thing, str) and "<title>" in thing:
        return thing, unescape(thing.split("<title>", 1)[1].split("</title>", 1)[0])
    if hasattr(thing, "svg") and getattr(thing, "alt", "figure") != "figure":
        return thing.svg(), thing.alt
    raise ValueError(
        f"{label} is a Picture with its alt set, or an SVG document with a title, got {thing!r:.60}"
    )


def say(text: str) -> None:
    """Show a text with Markdown in it. For sentences that hold results, so that no number is written by hand."""
    display(Markdown(text))
