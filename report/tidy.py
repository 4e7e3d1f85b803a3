"""An executed notebook as it is kept: no progress bars, no widgets, nothing that differs from run to run."""

import re
from pathlib import Path

from workbook.marks import MARK

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
WIDGET = "A widget: run this notebook to see it."
PASSING = {
    "ExecuteTime",
    "collapsed",
    "execution",
    "scrolled",
    "trusted",
}  # metadata that editors and runs leave
BAR = re.compile(r"\d+%\||\d+(/\d+|it) (\||\[)|\[\d\d:\d\d[,<]")


# Where machines keep people's files, and wherever this one keeps the project. A path counts where it begins, not
# inside a longer path or an address.
HERE = re.escape(str(Path(__file__).resolve().parents[1]))
HOMES = r"/(?:home|root|tmp|work|opt|Users|private/var)/\w"
PLACE = re.compile(rf"(?<![\w/.~+%$}}>-])(?:{HOMES}|{HERE}(?!\w))[\w./-]*|\b[A-Z]:\\\w[\w.\\-]*")


def machine_paths(nb) -> list[str]:
    """Where outputs name a place on a machine: "cell 3: /home/..."."""
    found = []
    for n, cell in enumerate(nb.cells, 1):
        for output in cell.get("outputs", []):
            texts = [
                output.get("text", ""),
                *output.get("traceback", []),
                *output.get("data", {}).values(),
            ]
            found += [
                f"cell {n}: {hit[0]}"
                for text in texts
                if isinstance(text, str)
                for hit in PLACE.finditer(text)
            ]
    return found


def tidy(nb):
    """Clean the outputs and the metadata of an executed notebook, in place; returns it."""
    widgets = nb.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    for cell in nb.cells:
        for passing in PASSING & cell.metadata.keys():
            del cell.metadata[passing]
        if cell.cell_type == "code":
            shown = (_output(output, widgets) for output in cell.outputs)
            cell.outputs = _joined([output for output in shown if output is not None])
    nb.metadata.pop("widgets", None)
    nb.metadata["language_info"] = {"name": "python"}
    return nb


def _output(output, widgets):
    """An output without what cannot be kept, None where nothing is left."""
    output.pop("transient", None)
    if output.output_type == "stream":
        output.text = "\n".join(
            line.rsplit("\r", 1)[-1] for line in output.text.replace("\r\n", "\n").split("\n")
        )
        bars = output.name == "stderr" and (BAR.search(output.text) or not output.text.strip())
        return None if bars or not output.text else output
    if VIEW not in output.get("data", {}):
        return output
    model = output.data.pop(VIEW)["model_id"]
    if any(name.endswith("ProgressModel") for name in _models(model, widgets)):
        return None
    if not any(kind.startswith("image/") for kind in output.data):
        output.data = {"text/plain": WIDGET}
        output.metadata = {MARK: {"widget": True}}
    return output


def _models(model: str, widgets: dict):
    """The kinds of a widget and of all widgets in it."""
    state = widgets.get(model, {}).get("state", {})
    yield state.get("_model_name", "")
    for child in state.get("children", []):
        yield from _models(child.removeprefix("IPY_MODEL_"), widgets)


def _joined(outputs: list) -> list:
    """The outputs, with what one stream printed in several goes as one."""
    found = []
    for output in outputs:
        last = found[-1] if found else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            found.append(output)
    return found


def take_outputs(executed, nb):
    """Give a notebook the outputs of an executed one with the same code cells, in place; returns it."""
    with_code = [cell for cell in executed.cells if cell.cell_type == "code"]
    for cell, done in zip(
        (cell for cell in nb.cells if cell.cell_type == "code"), with_code, strict=True
    ):
        cell.outputs, cell.execution_count = done.outputs, done.execution_count
    return tidy(nb)
