"""What readers entered, kept in runs/predictions.json by notebook and name.

The file is no part of the project: it is the reader's own. `forget()` empties it.
"""

import json
import os
import warnings
from pathlib import Path

from IPython import get_ipython

from lib2048.files import replace_file

FILE = Path(__file__).resolve().parents[2] / "runs" / "predictions.json"


def notebook_name() -> str:
    """The notebook that runs, without its suffix; "notebook" where nobody says which it is."""
    path = os.environ.get("JPY_SESSION_NAME", "")  # what Jupyter's server tells its kernels
    shell = get_ipython()
    if not path and shell is not None:
        path = str(shell.user_ns.get("__vsc_ipynb_file__", ""))  # and VS Code
    return Path(path).stem if path.endswith(".ipynb") else "notebook"


def read_all() -> dict[str, dict]:
    """{notebook: {name: what was entered}}; nothing where there is no file that can be read."""
    try:
        kept = json.loads(FILE.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        warnings.warn(f"{FILE.name} cannot be read ({error}); it is begun anew", stacklevel=2)
        return {}
    return kept if isinstance(kept, dict) else {}


def entry_of(name: str) -> dict | None:
    """What was entered for a prediction of this notebook."""
    return read_all().get(notebook_name(), {}).get(name)


def keep(name: str, record: dict | None) -> None:
    """Keep what was entered for a prediction, or forget it (None)."""
    kept = read_all()
    of_notebook = kept.setdefault(notebook_name(), {})
    of_notebook.pop(name, None)
    if record is not None:
        of_notebook[name] = record
    FILE.parent.mkdir(exist_ok=True)
    replace_file(FILE, json.dumps(kept, indent=1, ensure_ascii=False).encode())


def forget(name: str | None = None) -> None:
    """Forget what was entered in this notebook: for one prediction, or for all of them."""
    names = list(read_all().get(notebook_name(), {})) if name is None else [name]
    for each in names:
        keep(each, None)
