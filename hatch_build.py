"""What hatchling asks when it builds: which version this is, and what a wheel leaves out.

The version is that of the last tag (v0.2.0, say), and counts the commits since. Where there is no
tag to be seen, as in an archive of the sources, it is what CITATION.cff says, or PKG-INFO.

A wheel leaves out the entry point of the report's exporter, which only a checkout has. Installed
from a checkout, `jupyter nbconvert --to report` works. A wheel holds the two libraries only, and
there the same entry point would name a module that does not exist, which nbconvert answers with an
error whatever it is asked for.
"""

import re
import subprocess
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent
TOLD_BY = {"CITATION.cff": r"^version: (\S+)$", "PKG-INFO": r"^Version: (\S+)$"}
DESCRIBED = re.compile(r"v(\d[\w.]*)-(\d+)-(g[0-9a-f]+)")
ONLY_IN_A_CHECKOUT = "nbconvert.exporters"


def version(folder: Path = HERE) -> str:
    """The version of the sources in a folder."""
    described = DESCRIBED.fullmatch(_description(folder))
    if described is None:
        return _version_told(folder)
    tagged, commits, revision = described.groups()
    return tagged if commits == "0" else f"{tagged}.post{commits}+{revision}"


def _description(folder: Path) -> str:
    """What git says of a checkout: its last tag, the commits since; nothing where it knows none."""
    if not (folder / ".git").exists():  # it may lie inside a checkout of something else
        return ""
    command = ["git", "describe", "--tags", "--long", "--match", "v[0-9]*"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except OSError:  # there is no git
        return ""
    return done.stdout.strip()


def _version_told(folder: Path) -> str:
    """What a file beside the sources says."""
    for name, line in TOLD_BY.items():
        file = folder / name
        told = file.exists() and re.search(line, file.read_text(encoding="utf-8"), re.M)
        if told:
            return told[1]
    raise ValueError(f"no tag, and none of {', '.join(TOLD_BY)} says which version this is")


class LeaveOutExporter(BuildHookInterface):
    """Called by hatchling before it builds a wheel."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Forget the entry point, unless the wheel only points to this checkout."""
        if version != "editable":
            self.metadata.core.entry_points.pop(ONLY_IN_A_CHECKOUT, None)
