"""What more than one test file asks for: the notebooks, executed once."""

import pytest


@pytest.fixture(scope="session")
def executed():
    """{name: notebook} of all notebooks, executed at the small scale; those that did not change are not run again."""
    from report import notebooks  # here, so that tests of other things do not load it

    return {copy.stem: notebooks.read(copy) for copy in notebooks.run("small", show=False)}
