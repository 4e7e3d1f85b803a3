"""Files are replaced in one step, whoever else writes them, and whatever happens meanwhile."""

import errno
import os
import stat
import subprocess
import sys
import threading

import pytest

from lib2048 import files
from lib2048.files import check_target, replace_file, replacing

pytestmark = pytest.mark.skipif(files.fcntl is None, reason="needs the locks of Linux and macOS")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file(tmp_path):
    replace_file(tmp_path / "new", b"content")
    assert (tmp_path / "new").read_bytes() == b"content"
    assert names(tmp_path) == ["new"]


@pytest.mark.parametrize("sync", [True, False])
def test_waiting_for_the_disk(tmp_path, monkeypatch, sync):
    waited = []
    monkeypatch.setattr(files.os, "fsync", waited.append)
    replace_file(tmp_path / "new", b"content", sync=sync)
    assert len(waited) == sync
    assert (tmp_path / "new").read_bytes() == b"content"


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "made by Python").write_bytes(b"")
    replace_file(tmp_path / "new", b"content")
    expected = (tmp_path / "made by Python").stat().st_mode
    assert (tmp_path / "new").stat().st_mode == expected


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_permissions_are_kept(tmp_path, mode):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    replace_file(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_bytes() == b"new"


def test_nobody_else_may_look_into_the_successor_of_a_private_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with replacing(path):
        (temporary,) = tmp_path.glob(".*")
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600


def test_a_symbolic_link_is_followed_and_kept(tmp_path):
    (tmp_path / "disk").mkdir()
    target, link, link_to_link = tmp_path / "disk" / "net", tmp_path / "link", tmp_path / "second"
    target.write_bytes(b"old")
    link.symlink_to("disk/net")
    link_to_link.symlink_to(link)
    for path, content in ((link, b"new"), (link_to_link, b"newer")):
        replace_file(path, content)
        assert target.read_bytes() == content
        assert not target.is_symlink()
    assert link.is_symlink() and link_to_link.is_symlink()
    assert names(tmp_path) == ["disk", "link", "second"]
    assert names(tmp_path / "disk") == ["net"]


def test_a_link_to_nothing_yet_makes_its_target(tmp_path):
    (tmp_path / "link").symlink_to("target")
    replace_file(tmp_path / "link", b"content")
    assert (tmp_path / "target").read_bytes() == b"content"
    assert (tmp_path / "link").is_symlink()


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "endless").symlink_to("endless")
    (tmp_path / "astray").symlink_to("nowhere/file")
    for name in ("", "endless"):
        with pytest.raises(ValueError, match="is there and not a regular file"):
            check_target(tmp_path / name)
    for name in ("nowhere/file", "astray"):
        with pytest.raises(FileNotFoundError, match="no folder .*nowhere to write file in"):
            check_target(tmp_path / name)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, OSError(errno.ENOSPC, "full")])
def test_an_exception_comes_out_as_it_is_and_leaves_the_old_file(tmp_path, error):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    expected = error if isinstance(error, type) else type(error)
    with pytest.raises(expected), replacing(path) as file:
        file.write(b"new")
        raise error
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_too_little_room_is_found_out_beforehand(tmp_path):
    refused = pytest.raises(OSError, match="would take .* bytes, the disk has .* free")
    with refused as caught, replacing(tmp_path / "file", 1 << 60):
        raise AssertionError("nothing may be written")
    assert caught.value.errno == errno.ENOSPC
    assert names(tmp_path) == []


@pytest.fixture
def small_files():
    """No file of this process may grow beyond 10,000 bytes: the disk is as good as full."""
    resource = pytest.importorskip("resource")
    _, hard = limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("nbytes", [10_001, 1_000_000])
def test_a_disk_that_fills_up_comes_out_as_an_os_error(tmp_path, small_files, nbytes):
    """Whether it is noticed in writing or, as with few bytes, when they are flushed at the end."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(OSError) as caught, replacing(path) as file:
        file.write(bytes(nbytes))
    assert caught.value.errno == errno.EFBIG
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


# Two at once


MIDDLE = b"." * 200_000


def contents(writer: int, round_: int) -> list[bytes]:
    """What a writer writes in a round, in three pieces, of which the last is as the first."""
    mark = f"{writer} {round_}".encode()
    return [mark, MIDDLE, mark]


def assert_whole(content: bytes) -> None:
    first, middle, last = content.partition(MIDDLE)
    assert first == last and first and middle


def test_threads_that_write_the_same_file_at_once(tmp_path):
    """Each write goes through, and whoever reads meanwhile finds a whole file."""
    path, errors = tmp_path / "file", []
    replace_file(path, b"".join(contents(0, 0)))

    def write(writer):
        try:
            for round_ in range(60):
                with replacing(path) as file:
                    for piece in contents(writer, round_):
                        file.write(piece)
        except BaseException as error:
            errors.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for writer in writers:
        writer.start()
    reads = 0
    while any(writer.is_alive() for writer in writers):
        assert_whole(path.read_bytes())
        reads += 1
    assert not errors and reads
    assert names(tmp_path) == ["file"]
    assert_whole(path.read_bytes())


WRITER = """
import os, sys
os.getpid = lambda: 1  # as in two containers
from lib2048.files import replacing
path, mark, rounds = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for _ in range(rounds):
    with replacing(path) as file:
        for part in (mark, b"." * 200_000, mark):
            file.write(part)
"""


def start_writer(path, mark: str, rounds: int):
    command = [sys.executable, "-c", WRITER, str(path), mark, str(rounds)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **pipes)


def test_processes_of_the_same_number_that_write_the_same_file_at_once(tmp_path):
    path = tmp_path / "file"
    writers = [start_writer(path, mark, 200) for mark in ("a", "b")]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    while any(writer.poll() is None for writer in writers):
        if path.exists():
            assert_whole(path.read_bytes())
    assert [writer.wait() for writer in writers] == [0, 0]
    for writer in writers:
        writer.communicate()
    assert names(tmp_path) == ["file"]
    assert_whole(path.read_bytes())


# What the dead leave behind


DYING = """
import os, sys
from lib2048.files import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), 9)
"""


def test_what_a_killed_program_left_behind_is_removed_by_the_next_save(tmp_path):
    for _ in range(2):
        subprocess.run([sys.executable, "-c", DYING, str(tmp_path / "file")])
        (left,) = names(tmp_path)
        assert left.startswith(".") and left.endswith(".part")
    replace_file(tmp_path / "another", b"content")
    assert names(tmp_path) == ["another"]


def test_what_is_being_written_is_left_alone(tmp_path):
    with replacing(tmp_path / "slow") as file:
        file.write(b"slow")
        replace_file(tmp_path / "fast", b"fast")
        replace_file(tmp_path / "slow", b"overtaken")
    assert names(tmp_path) == ["fast", "slow"]
    assert (tmp_path / "slow").read_bytes() == b"slow"


def test_other_hidden_files_are_left_alone(tmp_path):
    for name in (".hidden", ".file.part", "lib2048-0.part", ".lib2048-0"):
        (tmp_path / name).write_bytes(b"")
    before = names(tmp_path)
    replace_file(tmp_path / "file", b"content")
    assert names(tmp_path) == sorted([*before, "file"])


def test_a_file_taken_for_abandoned_before_it_was_locked(tmp_path, monkeypatch):
    """It is made again, under another name."""
    real, removed = files.fcntl.flock, []

    def flock(file, operation):
        if not removed:
            removed.append(file.name)
            os.unlink(file.name)
        return real(file, operation)

    monkeypatch.setattr(files.fcntl, "flock", flock)
    replace_file(tmp_path / "file", b"content")
    assert len(removed) == 1
    assert (tmp_path / "file").read_bytes() == b"content"
    assert names(tmp_path) == ["file"]


def test_where_there_are_no_locks_only_what_is_a_day_old_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "fcntl", None)
    young, old = tmp_path / ".lib2048-1.part", tmp_path / ".lib2048-2.part"
    for leftover in (young, old):
        leftover.write_bytes(b"half")
    two_days_ago = young.stat().st_mtime - 2 * files.SECONDS_OF_A_DAY
    os.utime(old, (two_days_ago, two_days_ago))
    replace_file(tmp_path / "file", b"content")
    assert names(tmp_path) == [young.name, "file"]
