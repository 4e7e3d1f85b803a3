"""Running one notebook on a clean kernel of this Python."""

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from lib2048.viewer.still import PAGES_WANTED
from report import ROOT

ANSI_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class NotebookFailed(ValueError):
    """A cell raised an error, or its kernel died."""


class OwnKernel(KernelSpecManager):
    """Knows one kernel: the Python that runs this.

    What a user may have installed under the same name is another one.
    """

    def get_kernel_spec(self, kernel_name):
        """The kernel of this Python, whatever a notebook asks for."""
        return KernelSpec(resource_dir="", **get_kernel_dict())


class Run:
    """A notebook being executed. Another thread may end it.

    Parameters
    ----------
    name
        What it is called in messages.
    nb
        The notebook; it is changed in place.
    """

    def __init__(self, name: str, nb):
        self.name = name
        self.nb = nb
        self.stopped = False
        self.manager = AsyncKernelManager(kernel_spec_manager=OwnKernel())

    def execute(
        self, folder: Path, scale: str, tell: Callable[[int, int], None] | None = None
    ) -> None:
        """Execute all cells in place.

        Parameters
        ----------
        folder
            The working directory.
        scale
            What the environment variable SCALE says to the notebook.
        tell
            Called with the cells that are done and their number after each cell.

        Raises
        ------
        NotebookFailed
            If a cell fails.
        """
        client = NotebookClient(
            self.nb,
            km=self.manager,
            timeout=None,
            record_timing=False,
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": str(folder)}},
        )
        # A profile of its own: neither a user's start-up files nor their history.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            environment = self._environment(scale, profile)
            with client.setup_kernel(env=environment, cleanup_kc=True):
                for number, cell in enumerate(self.nb.cells, 1):
                    if cell.cell_type == "code" and not self.stopped:
                        self._execute_cell(client, cell, number)
                    if tell is not None:
                        tell(number, len(self.nb.cells))
                client.set_widgets_metadata()

    def _environment(self, scale: str, profile: str) -> dict[str, str]:
        paths = [str(ROOT)]
        if "PYTHONPATH" in os.environ:
            paths.append(os.environ["PYTHONPATH"])
        changed = {
            "SCALE": scale,
            "PYTHONPATH": os.pathsep.join(paths),
            "IPYTHONDIR": profile,
            PAGES_WANTED: "1",  # the widgets' states are kept beside the copies
        }
        return os.environ | changed

    def _execute_cell(self, client: NotebookClient, cell, number: int) -> None:
        cell.outputs = []
        cell.execution_count = None
        where = f"{self.name}.ipynb, cell {number}"
        try:
            client.execute_cell(cell, number - 1)
        except CellExecutionError as error:
            traceback = ANSI_COLOUR.sub("", error.traceback)
            raise NotebookFailed(f"{where}: {error.ename}: {error.evalue}\n\n{traceback}") from None
        except DeadKernelError:
            raise NotebookFailed(f"{where}: the kernel died; had it enough memory?") from None

    def stop(self) -> None:
        """End the kernel at once."""
        self.stopped = True
        process = getattr(self.manager.provisioner, "process", None)
        if process is not None:
            process.kill()
