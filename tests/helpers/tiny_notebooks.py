"""Small notebooks for tests of the report.

They are written here, some as if they had been run, so that most tests need no kernel.
"""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="200" height="100">'
    '<title>{alt}</title><rect width="200" height="100" fill="#cdc1b4"/>'
    '<text x="20" y="50" font-family="Arial">{text}</text></svg>'
)

# The smallest picture there is: a dot.
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJg"
    "gg=="
)


def md(source, *tags):
    """A Markdown cell, for the report unless told otherwise."""
    return new_markdown_cell(source, metadata={"tags": list(tags or ("report",))})


def code(source, *tags, outputs=(), count=1):
    """A code cell that looks as if it had been run."""
    return new_code_cell(
        source, metadata={"tags": list(tags)}, outputs=list(outputs), execution_count=count
    )


def bare(source, *tags):
    """A code cell that has not been run."""
    return code(source, *tags, count=None)


def figure(label="fig-one", caption="A grey box.", svg=None, alt="a box"):
    """The outputs of figure(picture, label, caption)."""
    about = {"label": label, "caption": caption, "alt": alt}
    data = {"image/svg+xml": svg or SVG.format(alt=alt, text="box"), "text/plain": alt}
    shown = new_output("display_data", data, metadata={"lib2048": about})
    below = {"text/markdown": f"*Figure.* {caption}", "text/plain": caption}
    return [shown, new_output("display_data", below, metadata={"lib2048": {"caption of": label}})]


def table(
    label="tab-one", caption="Numbers.", text="| a | b |\n|---|---|\n| x | 1,000 |\n| y | 20 |"
):
    """The outputs of figure(table, label, caption)."""
    about = {"label": label, "caption": caption}
    return [
        new_output(
            "display_data", {"text/markdown": text, "text/plain": "?"}, metadata={"lib2048": about}
        )
    ]


def stream(text, name="stdout"):
    """What a cell printed."""
    return [new_output("stream", text=text, name=name)]


def data(**kinds):
    """An output of certain kinds: data(text_plain="5")."""
    return [
        new_output(
            "display_data", {kind.replace("_", "/", 1): value for kind, value in kinds.items()}
        )
    ]


def notebook(*cells):
    """A notebook of these cells."""
    nb = new_notebook(cells=list(cells))
    kernel = {"display_name": "Python 3", "name": "python3", "language": "python"}
    nb.metadata = nbformat.from_dict({"kernelspec": kernel})
    for n, cell in enumerate(nb.cells):
        cell["id"] = f"cell-{n:02d}"
    return nb


def write(folder, **notebooks):
    """Write notebooks into folder/notebooks, and return folder.

    write(tmp_path, **{"01_a": notebook(...)})
    """
    (folder / "notebooks").mkdir(parents=True, exist_ok=True)
    for name, nb in notebooks.items():
        nbformat.write(nb, folder / "notebooks" / f"{name}.ipynb")
    return folder
