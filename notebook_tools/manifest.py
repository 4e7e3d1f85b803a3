"""What the committed notebooks and the committed reports were made of: report/manifest.json.

`python -m notebook_tools.execute` notes what it executed, `python -m report` what it printed, so
that `problems` can tell a notebook that was changed after it was executed, and a report that says
something else than the notebooks beside it.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from experiments.store import file_hash, json_hash
from experiments.versions import ROOT
from lib2048.files import replace_file
from notebook_tools.cells import code_cells
from notebook_tools.files import read, sources

MANIFEST = Path("report", "manifest.json")
REPORTS = (Path("report", "report.pdf"), Path("report", "report-long.pdf"))
"""The reports that are committed, as they come from `make report` and `EDITION=long`."""


def executed_hash(nb) -> str:
    """The hash of the code cells of a notebook and of what they showed."""
    return json_hash([[cell.source, cell.execution_count, cell.outputs] for cell in code_cells(nb)])


def content_hash(nb) -> str:
    """The hash of all that a report takes from a notebook."""
    return json_hash(
        [
            [cell.cell_type, cell.source, cell.metadata.get("tags", []), cell.get("outputs", [])]
            for cell in nb.cells
        ]
    )


def note_executed(paths: Iterable[Path], root: Path = ROOT) -> None:
    """Note notebooks as they are, just executed, and forget those that are gone."""
    manifest = _load(root)
    there = {path.name for path in sources(root)}
    noted = {name: hash for name, hash in manifest["notebooks"].items() if name in there}
    noted |= {path.name: executed_hash(read(path)) for path in paths}
    _save(manifest | {"notebooks": noted}, root)


def note_report(copies: Iterable[Path], root: Path, report: Path) -> None:
    """Note what a report that was just written was made of: executed copies of notebooks."""
    printed = {copy.name: content_hash(read(copy)) for copy in copies}
    manifest = _load(root)
    about = {"pdf": file_hash(report), "notebooks": printed}
    _save(manifest | {"reports": manifest["reports"] | {report.name: about}}, root)


def problems(root: Path = ROOT) -> list[str]:
    """What is wrong with the notebooks and the reports of a checkout, a line each.

    Nothing is, if each notebook was executed from beginning to end on a clean kernel and not
    changed since, and the reports say what they say.
    """
    manifest = _load(root)
    lines = []
    for path in sources(root):
        nb = read(path)
        lines += [f"{path.name}: {problem}" for problem in _problems_of_execution(nb)]
        if manifest["notebooks"].get(path.name) != executed_hash(nb):
            lines.append(f"{path.name}: changed since it was executed (make notebooks)")
    for report in REPORTS:
        lines += _problems_of_report(report, manifest["reports"].get(report.name), root)
    return lines


def _problems_of_report(report: Path, noted: dict | None, root: Path) -> list[str]:
    """What is wrong with a report: it is not there, or not what the notebooks say."""
    name = report.as_posix()
    how = "make report" if report == REPORTS[0] else "make report EDITION=long"
    if noted is None or not (root / report).is_file():
        return [f"{name}: not there ({how})"]
    lines = [
        f"{path.name}: not what {name} was made of ({how})"
        for path in sources(root)
        if noted["notebooks"].get(path.name) != content_hash(read(path))
    ]
    if noted["pdf"] != file_hash(root / report):
        lines.append(f"{name}: changed since it was made ({how})")
    return lines


def _problems_of_execution(nb) -> list[str]:
    """What shows that a notebook was not run from its first cell to its last."""
    lines = []
    expected = 0
    for number, cell in enumerate(nb.cells, 1):
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        expected += 1
        if cell.execution_count is None:
            lines.append(f"cell {number} has not been run")
        elif cell.execution_count != expected:
            lines.append(f"cell {number} has run as number {cell.execution_count}, not {expected}")
        may_fail = "raises-exception" in cell.metadata.get("tags", [])
        if not may_fail and any(output.output_type == "error" for output in cell.outputs):
            lines.append(f"cell {number} failed")
    return lines


def _load(root: Path) -> dict:
    """What is noted, empty where nothing is."""
    nothing = {"notebooks": {}, "reports": {}}
    path = root / MANIFEST
    if not path.exists():
        return nothing
    try:
        kept = nothing | json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{MANIFEST.as_posix()} cannot be read: {error}; delete it, then make notebooks and "
            "make report write it anew"
        ) from None
    return {name: kept[name] for name in nothing}


def _save(manifest: dict, root: Path) -> None:
    path = root / MANIFEST
    path.parent.mkdir(exist_ok=True)
    content = (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode()
    replace_file(path, content)
