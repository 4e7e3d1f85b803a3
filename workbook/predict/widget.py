"""A prediction as a widget. It works in the browser alone, so also while Python is busy."""

from pathlib import Path

import traitlets

from lib2048.viewer.joining import joined
from lib2048.viewer.still import StillWidget
from workbook.marks import MARK
from workbook.predict import entries
from workbook.predict.texts import Question
from workbook.widgets.widget import widget_style

HERE = Path(__file__).parent


class Prediction(StillWidget):
    """What the functions of `predict` return.

    `entry` is what the reader entered, None until then: the number of an option, a list of such
    numbers, a number, or the heights of a curve.
    """

    _esm = joined(HERE / "script" / "predict.js")
    _css = widget_style(HERE.parent / "folded.css", HERE / "style.css")
    PAGE_STATE = ("about",)  # and nothing of what the one who made the page has entered

    about: traitlets.Dict = traitlets.Dict().tag(sync=True)
    entry = traitlets.Any(None, allow_none=True).tag(sync=True)

    def __init__(self, question: Question):
        kept = entries.entry_of(question.name) or {}
        # an entry for another question is none for this one
        entry = kept.get("entry") if kept.get("question") == question.asked else None
        super().__init__(about=question.for_browser, entry=entry)
        self.question = question

    @traitlets.observe("entry")
    def _keep(self, change) -> None:
        if not hasattr(self, "question"):
            return  # it is being made
        record = None
        if self.entry is not None:
            record = {"question": self.question.asked, "entry": self.entry}
            record["answer"] = self.question.answered
        entries.keep(self.question.name, record)

    @property
    def words(self) -> str:
        """The question as plain text."""
        return self.question.asked

    def _picture(self) -> dict:
        """The text that stands in its place: the question, and the answer folded below it."""
        return {"text/markdown": self.question.folded, "text/plain": self.words}

    def _about_picture(self) -> dict:
        question = self.question
        told = {"name": question.name, "asked": question.asked, "answered": question.answered}
        return {MARK: {"prediction": told}}
