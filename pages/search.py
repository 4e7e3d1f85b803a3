"""The index that the search box reads: every section of every page, with its words."""

import json
import re
from collections.abc import Iterator

from pages.reading import HEADING, Page, plain_text

END_OF_BLOCK = re.compile(r"</(?:p|li|t[dhr]|pre|div|figcaption|summary|h\d)>")
ANSWER = re.compile(r"<details>.*?</details>", re.DOTALL)  # of a prediction
STATE = re.compile(r'<script type="application/json">.*?</script>', re.DOTALL)


def entries(page: Page) -> Iterator[dict]:
    """The sections of a page: where each is, what it is called, and its words."""
    # no words to be found are in the states of widgets, and answers are not told by a search
    body = ANSWER.sub("", STATE.sub("", page.body))
    headings = list(HEADING.finditer(body))
    for number, heading in enumerate(headings):
        is_last = number + 1 == len(headings)
        end = len(body) if is_last else headings[number + 1].start()
        yield {
            "page": f"{page.name}.html",
            "title": page.title,
            "id": heading[2] if number else "",
            "heading": plain_text(heading[3]),
            "text": plain_text(END_OF_BLOCK.sub(" ", body[heading.end() : end])),
        }


def script(pages: list[Page]) -> str:
    """The index as a script, because a page that is opened from a disk may load nothing else."""
    index = [entry for page in pages for entry in entries(page)]
    return f"site2048.searchIndex = {json.dumps(index, ensure_ascii=False)};\n"
