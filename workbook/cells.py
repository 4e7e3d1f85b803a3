"""What cells of the notebooks show: figures and tables with a caption, and computed sentences.

The report takes these outputs over; a label names what it points to, as in [the
curves](#fig-curves).
"""

from html import unescape

from IPython.display import Markdown, display

from workbook.lettering import dots
from workbook.listings import listing
from workbook.marks import LABEL, MARK
from workbook.typography import as_printed

__all__ = ["figure", "listing", "say"]


def figure(thing, label: str, caption: str) -> None:
    """Show a picture or a table, and its caption below.

    Parameters
    ----------
    thing
        A Picture or an SVG document as text; for a table, what can be written as Markdown.
    label
        "fig-..." or "tab-...", the only one of its name in all notebooks. The file in figures/ is
        named by it.
    caption
        A sentence or more.

    Raises
    ------
    ValueError
        If the label is none, the caption is no sentence, or the thing is not what the label says.
    """
    if not isinstance(label, str) or not LABEL.fullmatch(label):
        raise ValueError(
            'a label starts with "fig-" or "tab-" and goes on with small letters, digits and '
            f"hyphens, got {label!r}"
        )
    if not isinstance(caption, str) or not caption.strip().endswith((".", "!", "?")):
        raise ValueError(f"a caption is a sentence or more, with its full stop, got {caption!r}")
    caption = as_printed(caption)
    if label.startswith("fig-"):
        _show_picture(thing, label, caption)
        _show_caption("Figure", label, caption)
    else:
        _show_table(thing, label, caption)
        _show_caption("Table", label, caption)


def _show_picture(thing, label: str, caption: str) -> None:
    svg, alt = _svg(label, thing)
    about = {"label": label, "caption": caption, "alt": alt}
    data, metadata = dots(svg)
    data |= {"image/svg+xml": svg, "text/plain": alt}
    display(data, metadata={MARK: about, **metadata}, raw=True)


def _show_table(thing, label: str, caption: str) -> None:
    if not hasattr(thing, "_repr_markdown_"):
        raise ValueError(f"{label} is a table that can be written as Markdown, got {thing!r:.60}")
    written = {"text/markdown": as_printed(thing._repr_markdown_()), "text/plain": repr(thing)}
    about = {"label": label, "caption": caption}
    display(written, metadata={MARK: about}, raw=True)


def _show_caption(word: str, label: str, caption: str) -> None:
    shown = {"text/markdown": f"*{word}.* {caption}", "text/plain": f"{word}. {caption}"}
    display(shown, metadata={MARK: {"caption of": label}}, raw=True)


def _svg(label: str, thing) -> tuple[str, str]:
    """A picture as an SVG document, and what it shows in words."""
    if isinstance(thing, str) and "<title>" in thing:
        _, _, after = thing.partition("<title>")
        title, _, _ = after.partition("</title>")
        return thing, unescape(title)
    if hasattr(thing, "svg") and getattr(thing, "alt", "figure") != "figure":
        return thing.svg(), thing.alt
    raise ValueError(
        f"{label} is a Picture with its alt set, or an SVG document with a title, got {thing!r:.60}"
    )


def say(text: str) -> None:
    """Show a text with Markdown in it.

    It is for sentences that hold results, so that no number is written by hand. Sentences that
    judge results are made by sentences.py.

    Parameters
    ----------
    text
        The text.
    """
    display(Markdown(as_printed(text)))
