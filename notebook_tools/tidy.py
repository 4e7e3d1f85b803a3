"""An executed notebook as it is kept: no progress bars, no widgets, nothing that differs by run."""

import re
from collections.abc import Iterator

from experiments.versions import ROOT
from lib2048.viewer.still import PAGE, STILL
from notebook_tools.cells import code_cells, mark_of
from workbook import lettering
from workbook.marks import MARK

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
WIDGET = "A widget: run this notebook to see it."

# What JupyterLab takes a line from, and what an SVG picture need not begin with.
SHOWN_AS_TEXT = {"image/svg+xml", "text/html", "text/latex", "text/markdown"}
SVG_PROLOG = re.compile(r"\A\s*<\?xml[^>]*>\s*(<!DOCTYPE[^>]*>)?")

# Metadata of cells that editors and runs leave behind.
PASSING_METADATA = {"ExecuteTime", "collapsed", "execution", "scrolled", "trusted"}

# What tqdm writes: "40%|", "3/10 [", "[00:12,".
PROGRESS_BAR = re.compile(r"\d+%\||\d+(/\d+|it) (\||\[)|\[\d\d:\d\d[,<]")

# Where machines keep people's files, and wherever this one keeps the project. A path counts where
# it begins, not inside a longer path or an address.
_PROJECT = re.escape(str(ROOT))
_HOMES = r"/(?:home|root|tmp|work|opt|Users|private/var)/\w"
_BEGINS = r"(?<![\w/.~+%$}>-])"
MACHINE_PATH = re.compile(rf"{_BEGINS}(?:{_HOMES}|{_PROJECT}(?!\w))[\w./-]*|\b[A-Z]:\\\w[\w.\\-]*")


def machine_paths(nb) -> list[str]:
    """Where outputs name a place on a machine: "cell 3: /home/..."."""
    places = []
    for number, cell in enumerate(nb.cells, 1):
        for output in cell.get("outputs", []):
            for text in _texts_of(output):
                for path in MACHINE_PATH.finditer(text):
                    places.append(f"cell {number}: {path[0]}")
    return places


def _texts_of(output) -> Iterator[str]:
    yield output.get("text", "")
    yield from output.get("traceback", [])
    for content in output.get("data", {}).values():
        if isinstance(content, str):
            yield content


def page_states(nb) -> list[list[dict]]:
    """What brings the widgets of an executed notebook to life on a page, for each code cell.

    `tidy` takes it out.
    """
    return [
        [output.data[PAGE] for output in cell.outputs if PAGE in output.get("data", {})]
        for cell in code_cells(nb)
    ]


def put_back(cell, states: list[dict]) -> None:
    """Give the outputs of a cell, in place, what `page_states` took from it."""
    stills = [output for output in cell.outputs if _stands_for_widget(output)]
    for output, state in zip(stills, states):
        output.data[PAGE] = state


def _stands_for_widget(output) -> bool:
    """Whether an output is what stands in the place of a widget."""
    picture = output.get("data", {}).get("image/svg+xml", "")
    return "prediction" in mark_of(output) or STILL in picture[:2000]


def tidy(nb):
    """Clean the outputs and the metadata of an executed notebook, in place; returns it."""
    widgets = _widget_states(nb)
    for cell in nb.cells:
        for name in PASSING_METADATA & cell.metadata.keys():
            del cell.metadata[name]
        if cell.cell_type == "code":
            cleaned = [_clean_output(output, widgets) for output in cell.outputs]
            cell.outputs = _join_streams([output for output in cleaned if output is not None])
    nb.metadata.pop("widgets", None)
    nb.metadata["language_info"] = {"name": "python"}
    return nb


def add_dots(nb):
    """Add a PNG picture to each SVG picture without one, in place; returns the notebook.

    JupyterLab shows no SVG of a notebook that it does not trust.
    """
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/svg+xml" in data and "image/png" not in data:
                try:
                    picture, about = lettering.dots(data["image/svg+xml"])
                except ValueError:  # a drawing of one's own that only browsers understand
                    continue
                data.update(picture)
                output.metadata.update(about)
    return nb


def empty_first_lines(nb):
    """Let what is folded begin with an empty line, in place; returns the notebook.

    JupyterLab shows the first line of folded outputs, which may be the answer to a prediction.
    """
    for cell in nb.cells:
        if not cell.metadata.get("jupyter", {}).get("outputs_hidden"):
            continue
        for output in cell.get("outputs", []):
            for kind, text in output.get("data", {}).items():
                if kind in SHOWN_AS_TEXT:
                    output.data[kind] = "\n" + SVG_PROLOG.sub("", text, count=1).lstrip()
    return nb


def _widget_states(nb) -> dict[str, dict]:
    """{model: state} of the widgets that a notebook holds, as far as it can be made out."""
    kept = nb.metadata
    for name in ("widgets", STATE, "state"):
        kept = kept.get(name) if isinstance(kept, dict) else None
    if not isinstance(kept, dict):
        return {}
    states = {model: about.get("state") for model, about in kept.items() if isinstance(about, dict)}
    return {model: state for model, state in states.items() if isinstance(state, dict)}


def _clean_output(output, widgets: dict[str, dict]):
    """An output without what cannot be kept, None where nothing is left."""
    output.pop("transient", None)
    if output.output_type == "stream":
        return _clean_stream(output)
    output.get("data", {}).pop(PAGE, None)
    if VIEW in output.get("data", {}):
        return _clean_widget(output, widgets)
    if mark_of(output).get("reopened"):
        return None  # it belongs to a widget, which is not kept
    return output


def _clean_stream(output):
    """What a terminal would show in the end, without progress bars."""
    lines = output.text.replace("\r\n", "\n").split("\n")
    output.text = "\n".join(line.rsplit("\r", 1)[-1] for line in lines)
    is_bar = PROGRESS_BAR.search(output.text) is not None or not output.text.strip()
    if not output.text or (output.name == "stderr" and is_bar):
        return None
    return output


def _clean_widget(output, widgets: dict[str, dict]):
    """The picture of a widget, or a line in its place; nothing in place of a progress bar."""
    view = output.data.pop(VIEW)
    model = view.get("model_id") if isinstance(view, dict) else None
    if any(name.endswith("ProgressModel") for name in _model_names(model, widgets)):
        return None
    if mark_of(output).get("picture follows"):
        return None  # the next output shows what there is to see without the widget
    if not any(kind.startswith("image/") for kind in output.data):
        output.data = {"text/plain": WIDGET}
        output.metadata = {MARK: {"widget": True}}
    return output


def _model_names(model, widgets: dict[str, dict]) -> Iterator[str]:
    """The names of the models of a widget and of all widgets in it."""
    waiting = [model]
    seen = set()
    while waiting:
        model = waiting.pop()
        if not isinstance(model, str) or model in seen or model not in widgets:
            continue
        seen.add(model)
        state = widgets[model]
        yield str(state.get("_model_name", ""))
        children = state.get("children")
        if isinstance(children, list):
            waiting += [str(child).removeprefix("IPY_MODEL_") for child in children]


def _join_streams(outputs: list) -> list:
    """The outputs, with what one stream printed in several goes as one."""
    joined = []
    for output in outputs:
        if joined and _continues(output, joined[-1]):
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _continues(output, last) -> bool:
    """Whether an output is more of the stream that the last one is of."""
    return output.output_type == last.output_type == "stream" and output.name == last.name


def take_outputs(executed, nb):
    """Give a notebook the outputs of an executed one with the same code cells, in place."""
    for cell, executed_cell in zip(code_cells(nb), code_cells(executed), strict=True):
        cell.outputs = executed_cell.outputs
        cell.execution_count = executed_cell.execution_count
    return tidy(nb)
