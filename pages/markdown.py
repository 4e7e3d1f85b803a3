"""Markdown -> HTML, formulas as MathML: all texts of a page by one call of pandoc."""

import re

import pypandoc

READER = (
    "commonmark+pipe_tables+strikeout+tex_math_dollars+autolink_bare_uris+smart"
    "+gfm_auto_identifiers"
)
CUT = '<hr class="cut">'  # stands between two texts; no author writes it
PLACE = re.compile("\ue000(\\d+)([bi])\ue001")  # letters that stand for nothing but this
LINE_ANCHOR = re.compile(r'<a href="#cb[^"]*" aria-hidden="true" tabindex="-1"></a>')
WIDTHS = re.compile(r"<colgroup>.*?</colgroup>\s*", re.DOTALL)  # the browser finds better ones
LINE_ID = re.compile(r' id="cb\d+(?:-\d+)?"')
ONE_PARAGRAPH = re.compile(r"<p>((?:(?!</p>).)*)</p>", re.DOTALL)


class Texts:
    """Markdown texts that are converted together; until then a mark stands for each of them."""

    def __init__(self):
        self._texts = []

    def block(self, markdown: str) -> str:
        """A mark for a text of paragraphs."""
        return self._mark(markdown, "b")

    def inline(self, markdown: str) -> str:
        """A mark for a text of one paragraph, which comes without its `<p>`."""
        return self._mark(markdown, "i")

    def code(self, source: str, language: str = "python") -> str:
        """A mark for code."""
        longest = max((len(ticks) for ticks in re.findall("`+", source)), default=0)
        ticks = "`" * max(3, longest + 1)
        return self.block(f"{ticks}{language}\n{source}\n{ticks}")

    def _mark(self, markdown: str, how: str) -> str:
        self._texts.append(markdown)
        return f"\ue000{len(self._texts) - 1}{how}\ue001"

    def filled_in(self, html: str) -> str:
        """HTML with the texts in the places of their marks."""
        converted = as_html(self._texts)

        def fill(place: re.Match) -> str:
            text = converted[int(place[1])]
            if place[2] == "b":
                return text
            alone = ONE_PARAGRAPH.fullmatch(text)
            return alone[1] if alone else text

        return PLACE.sub(fill, html)


def as_html(texts: list[str]) -> list[str]:
    """Markdown texts as HTML.

    Parameters
    ----------
    texts
        The texts, of one page: no two headings of theirs get the same identifier.

    Returns
    -------
    list of str
        HTML for each text.

    Examples
    --------
    >>> as_html(["A *word*.", "$x^2$"])[0]
    '<p>A <em>word</em>.</p>'
    """
    if not texts:
        return []
    document = f"\n\n{CUT}\n\n".join(texts)
    html = pypandoc.convert_text(
        document, "html5", format=READER, extra_args=["--mathml", "--wrap=preserve"]
    )
    for needless in (LINE_ANCHOR, LINE_ID, WIDTHS):
        html = needless.sub("", html)
    converted = [text.strip() for text in html.split(CUT)]
    if len(converted) != len(texts):
        raise ValueError(
            f"{len(texts)} texts became {len(converted)}: does one of them end inside an HTML "
            "element, or with a code block left open?"
        )
    return converted
