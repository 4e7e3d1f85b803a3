"""What more than one test file asks for: the notebooks, executed once; Ctrl-C that works."""

import signal

import pytest

# A shell that starts a program in the background has it ignore Ctrl-C, which the tests of stopping
# need.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def executed():
    """{name: notebook} of all notebooks, executed at the small scale; those that did not change are
    not run again.
    """
    from report import notebooks  # here, so that tests of other things do not load it

    return {copy.stem: notebooks.read(copy) for copy in notebooks.run("small", show=False)}
