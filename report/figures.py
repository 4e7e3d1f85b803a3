"""python -m report.figures: every figure with a label in the executed notebooks, as figures/NAME.svg."""

import sys
from pathlib import Path

from lib2048.files import replacing
from report.kernels import ROOT
from report.notebooks import read, sources
from report.tidy import MARK

OTHERS = {"speed.svg"}  # bench draws it


def pictures(paths: list[Path]) -> dict[str, str]:
    """{file name: SVG} of the figures in executed notebooks."""
    found = {}
    for path in paths:
        for cell in read(path).cells:
            for output in cell.get("outputs", []):
                label = output.get("metadata", {}).get(MARK, {}).get("label", "")
                if label.startswith("fig-"):
                    found[f"{label.removeprefix('fig-')}.svg"] = output.data["image/svg+xml"]
    return found


def write(paths: list[Path], root: Path = ROOT) -> int:
    """Write the figures of executed notebooks and delete those that none has any more. Returns how many changed."""
    folder, found, changed = root / "figures", pictures(paths), 0
    if not found:
        raise ValueError(
            "the notebooks hold no figures: run them first (python -m report.notebooks)"
        )
    folder.mkdir(exist_ok=True)
    for file in folder.glob("*.svg"):
        if file.name not in found.keys() | OTHERS:
            file.unlink()
            changed += 1
    for name, svg in found.items():
        file, content = folder / name, svg.encode()
        if not file.exists() or file.read_bytes() != content:
            with replacing(file, len(content)) as stream:
                stream.write(content)
            changed += 1
    return changed


def main() -> int:
    """Write the figures of the notebooks as they are in notebooks/; returns the exit code."""
    try:
        print(f"{write(sources())} files changed in figures.")
    except (ValueError, OSError) as error:
        print(f"report.figures: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
