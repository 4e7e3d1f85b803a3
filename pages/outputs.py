"""What cells showed -> HTML."""

import base64
import re
from html import escape, unescape

from lib2048.viewer.still import PAGE
from pages.markdown import Texts
from report import live
from report.document import as_in_a_terminal
from workbook.marks import MARK

RASTERS = {"image/png": "png", "image/jpeg": "jpg"}
NOT_SHOWN = {"caption of", "picture follows", "reopened", "style"}  # marks of outputs
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
WIDE = '<div class="site-wide" tabindex="0" role="region" aria-label="Table">{}</div>'


class Shower:
    """Turns the outputs of one notebook into HTML.

    Parameters
    ----------
    name
        The notebook, by which its pictures are named.
    texts
        Where its Markdown goes.
    """

    def __init__(self, name: str, texts: Texts):
        self.texts = texts
        self.pictures: dict[str, bytes] = {}  # by the name of the file
        self.kinds: set[str] = set()  # of widgets
        self.labels: dict[str, str] = {}  # what figures and tables are called
        self._name = name
        self._counts = {"figure": 0, "table": 0}

    def cell(self, outputs) -> str:
        """What a cell showed."""
        return "\n".join(filter(None, map(self._output, outputs)))

    def _output(self, output) -> str:
        if output.output_type == "stream":
            return f'<pre class="site-printed">{_printed(output.text)}</pre>'
        if output.output_type == "error":
            return f'<pre class="site-printed">{escape(f"{output.ename}: {output.evalue}")}</pre>'
        data = output.get("data", {})
        mark = output.get("metadata", {}).get(MARK, {})
        if NOT_SHOWN & set(mark):
            return ""
        if "label" in mark:
            return self._labelled(data, mark)
        still = self._shown(data, output.get("metadata", {}))
        widget = data.get(PAGE)
        if widget is not None:
            self.kinds.add(widget["kind"])
            return live.place(widget, still)
        return still

    def _labelled(self, data, mark: dict) -> str:
        """A figure or a table with its number and its caption."""
        label = mark["label"]
        word = "figure" if label.startswith("fig-") else "table"
        self._counts[word] += 1
        self.labels[label] = f"{word.capitalize()} {self._counts[word]}"
        caption = self.texts.inline(f"**{self.labels[label]}.** {mark['caption']}")
        caption = f"<figcaption>{caption}</figcaption>"
        if word == "figure":
            inside = self.svg(data["image/svg+xml"], mark.get("alt", "")) + caption
        else:
            inside = caption + WIDE.format(self.texts.block(data["text/markdown"]))
        return f'<figure id="{label}" class="{word}">{inside}</figure>'

    def _shown(self, data, metadata) -> str:
        """The best of the forms in which something was shown."""
        if "image/svg+xml" in data:
            return f"<p>{self.svg(data['image/svg+xml'])}</p>"
        for kind, ending in RASTERS.items():
            if kind in data:
                content = base64.b64decode(data[kind])
                alt = str(metadata.get("alt") or data.get("text/plain", ""))
                return f"<p>{self._image(content, ending, alt)}</p>"
        if "text/markdown" in data:
            return self.texts.block(data["text/markdown"])
        if "text/latex" in data:
            return self.texts.block(data["text/latex"])
        if "text/html" in data:
            return f'<div class="site-made">{data["text/html"]}</div>'
        text = data.get("text/plain", "")
        return f'<pre class="site-printed">{_printed(text)}</pre>' if text else ""

    def svg(self, svg: str, alt: str = "") -> str:
        """An SVG document as a picture of the page; without other words its title is read out."""
        title = TITLE.search(svg)
        if not alt and title:
            alt = unescape(title[1])
        return self._image(svg.encode(), "svg", alt)

    def _image(self, content: bytes, ending: str, alt: str) -> str:
        file = f"{self._name}-{len(self.pictures) + 1:02d}.{ending}"
        self.pictures[file] = content
        # quotes as they are would end the attribute, and new lines are nothing to read out
        words = escape(" ".join(alt.split()))
        return f'<img src="pictures/{file}" alt="{words}" loading="lazy">'


def _printed(text: str) -> str:
    return escape(as_in_a_terminal(text))
