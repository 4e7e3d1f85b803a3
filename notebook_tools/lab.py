"""python -m notebook_tools.lab [OPTION ...]: open the notebooks in JupyterLab, at the first one.

JupyterLab shows the figures that a notebook came with only when the notebook is trusted, and what
is trusted may run scripts in the browser. So this trusts the notebooks that git tracks and nobody
changed since; a notebook that lies beside them is the reader's to trust, by running it.

JupyterLab would also ask, on every new machine, whether to tell of its news, and look for them on
the net. lab_settings/ keeps it from that; whoever wants the news turns them on in its own settings.

All options are JupyterLab's: --no-browser, --port 8889, --allow-root (which a container needs).
"""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
from jupyterlab.labapp import LabApp
from nbformat.sign import NotebookNotary

from experiments.versions import ROOT
from notebook_tools.files import sources

FOLDER = "notebooks"
SETTINGS = Path(__file__).parent / "lab_settings"
ROOT_HINT = (
    "notebook_tools.lab: JupyterLab does not run as root unless it is told to, as in a container: "
    'make lab LAB="--allow-root", or python -m notebook_tools.lab --allow-root'
)


def unchanged_notebooks(root: Path = ROOT) -> list[Path]:
    """The notebooks of a checkout that are tracked and as git has them; none without git."""
    tracked = _names_from_git(root, "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", FOLDER)
    changed = _names_from_git(root, "diff", "-z", "--name-only", "--relative", "HEAD", "--", FOLDER)
    if tracked is None or changed is None:
        return []
    paths = [root / name for name in sorted(tracked - changed) if name.endswith(".ipynb")]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def _names_from_git(root: Path, *arguments: str) -> set[str] | None:
    """The file names that a command of git prints, None where it fails."""
    command = ["git", "-C", str(root), *arguments]
    try:
        done = subprocess.run(command, capture_output=True)
    except OSError:  # there is no git
        return None
    if done.returncode != 0:
        return None
    return {name for name in done.stdout.decode("utf-8", "surrogateescape").split("\0") if name}


def trust(paths: list[Path], notary: NotebookNotary | None = None) -> int:
    """Tell Jupyter to trust these notebooks as they are now; returns how many it did not before."""
    notary = notary or NotebookNotary()
    newly_trusted = 0
    for path in paths:
        nb = nbformat.read(path, as_version=4)
        if not notary.check_signature(nb):
            notary.sign(nb)
            newly_trusted += 1
    return newly_trusted


def lab_arguments(given: list[str], root: Path = ROOT) -> list[str]:
    """The arguments with which JupyterLab opens the first notebook; those given have the last word.

    The whole checkout is served, so that notebooks can show what they write into runs/.
    """
    first = sources(root)[0].relative_to(root).as_posix()
    return [f"--ServerApp.root_dir={root}", f"--LabApp.default_url=/lab/tree/{first}", *given]


def settings_path(before: str | None = None) -> str:
    """What JUPYTER_CONFIG_PATH is to say: what it said before, then our settings."""
    return os.pathsep.join([*filter(None, [before]), str(SETTINGS)])


def refuses_root(given: list[str]) -> bool:
    """Whether JupyterLab would end at once, because root runs it without saying so."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and not any(argument.startswith("--allow-root") for argument in given)


def main(arguments: list[str] | None = None) -> int:
    """Open JupyterLab, and return when it has ended; returns the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if refuses_root(given):
        print(ROOT_HINT, file=sys.stderr)
        return 1
    try:
        lab = lab_arguments(given)
        trust(unchanged_notebooks())
    except (ValueError, OSError) as error:
        print(f"notebook_tools.lab: {error}", file=sys.stderr)
        return 1
    os.environ["JUPYTER_CONFIG_PATH"] = settings_path(os.environ.get("JUPYTER_CONFIG_PATH"))
    LabApp.launch_instance(argv=lab)
    return 0


if __name__ == "__main__":
    sys.exit(main())
