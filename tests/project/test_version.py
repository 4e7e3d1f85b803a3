"""The version comes from the last tag, and without tags from what stands beside the sources."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import hatch_build

ROOT = Path(__file__).resolve().parents[2]
IDENTITY = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


@pytest.fixture
def git(tmp_path):
    """git(*arguments) in a new checkout, with a file that tells a version."""
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 0.7.1\n")

    def git(*arguments):
        subprocess.run(
            ["git", *IDENTITY, *arguments], cwd=tmp_path, check=True, capture_output=True
        )

    git("init")
    git("commit", "--allow-empty", "-m", "x")
    return git


def test_it_is_that_of_the_tag(git, tmp_path):
    assert hatch_build.version(tmp_path) == "0.7.1"
    git("tag", "start")
    assert hatch_build.version(tmp_path) == "0.7.1"
    git("tag", "v1.2.0")
    assert hatch_build.version(tmp_path) == "1.2.0"
    for _ in range(2):
        git("commit", "--allow-empty", "-m", "x")
    assert re.fullmatch(r"1\.2\.0\.post2\+g[0-9a-f]+", hatch_build.version(tmp_path))


def test_an_archive_of_the_sources_tells_it(tmp_path):
    with pytest.raises(ValueError, match="which version"):
        hatch_build.version(tmp_path)
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: lib2048\nVersion: 0.3.0\n")
    assert hatch_build.version(tmp_path) == "0.3.0"


def test_this_checkout_has_one_and_the_citation_names_it():
    told = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)[1]
    assert hatch_build.version().partition(".post")[0] == told
