"""What more than one test file asks for: the notebooks, executed once; Ctrl-C that works."""

import signal

import pytest
from filelock import FileLock

# A shell that starts a program in the background has it ignore Ctrl-C, which the tests of stopping
# need.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def executed():
    """{name: notebook} of all notebooks, executed at the small scale; those that did not change are
    not run again.
    """
    # here, so that tests of other things do not load them
    from experiments.versions import ROOT
    from notebook_tools import execute
    from notebook_tools.files import read

    # Tests run in several processes: the first executes the notebooks, the others find them done.
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with FileLock(build / "executed.lock"):
        return {copy.stem: read(copy) for copy in execute.run("small", show=False)}
