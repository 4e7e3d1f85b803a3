"""Running one notebook on a clean kernel of this Python."""

import os
import re
import tempfile
from pathlib import Path

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from report import ROOT

ANSI = re.compile(r"\x1b\[[0-9;]*m")


class NotebookFailed(ValueError):
    """A cell raised an error, or its kernel died."""


class Own(KernelSpecManager):
    """Knows one kernel: the Python that runs this, not what a user may have installed under the same name."""

    def get_kernel_spec(self, kernel_name):
        """The kernel of this Python."""
        return KernelSpec(resource_dir="", **get_kernel_dict())


class Run:
    """A notebook being executed. Another thread may end it."""

    def __init__(self, name: str, nb):
        self.name, self.nb, self.stopped = name, nb, False
        self.manager = AsyncKernelManager(kernel_spec_manager=Own())

    def execute(self, folder: Path, scale: str, tell=None) -> None:
        """Execute all cells in place, in `folder`; tell(done, total) hears how far it is. May raise NotebookFailed."""
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
            path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
            environment = os.environ | {"SCALE": scale, "PYTHONPATH": path, "IPYTHONDIR": profile}
            with client.setup_kernel(env=environment, cleanup_kc=True):
                for n, cell in enumerate(self.nb.cells):
                    self._one(client, cell, n)
                    if tell:
                        tell(n + 1, len(self.nb.cells))
                client.set_widgets_metadata()

    def _one(self, client, cell, n: int) -> None:
        if cell.cell_type != "code" or self.stopped:
            return
        cell.outputs, cell.execution_count = [], None
        try:
            client.execute_cell(cell, n)
        except CellExecutionError as error:
            told = ANSI.sub("", error.traceback)
            where = f"{self.name}.ipynb, cell {n + 1}: {error.ename}: {error.evalue}"
            raise NotebookFailed(f"{where}\n\n{told}") from None
        except DeadKernelError:
            raise NotebookFailed(
                f"{self.name}.ipynb, cell {n + 1}: the kernel died; had it enough memory?"
            ) from None

    def stop(self) -> None:
        """End the kernel at once."""
        self.stopped = True
        process = getattr(self.manager.provisioner, "process", None)
        if process is not None:
            process.kill()
