"""Make .venv, the environment that everything in this checkout runs in: `python set_up.py`.

`make` calls this before each of its targets; where there is no make, call it yourself. It needs
nothing but Python 3.11 or newer, and does nothing when .venv is up to date, which it knows from
hashes of requirements.lock and pyproject.toml.

Compiling the kernels belongs to it, as otherwise the first game would be kept waiting for half a
minute. An environment whose kernels are not compiled yet works all the same; so it is kept when
compiling is stopped or fails, and the next set-up compiles what is missing.

An environment that works is never given up before there is another one. The present .venv is set
aside as .venv.old, and is put back when the new one cannot be made: offline, say, or when Ctrl-C or
a power cut comes in between. (It cannot be made under another name and then moved: the programs in
an environment hold its path.)
"""

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent
MADE_OF = {"packages": "requirements.lock", "project": "pyproject.toml"}
COMPILING = ("lib2048.compile", "libewn.compile")  # modules that are run
OLDEST_PYTHON = (3, 11)


class SetUpFailed(Exception):
    """The environment could not be brought up to date; the text says what is there now."""


class Environment:
    """The environment of one checkout.

    Parameters
    ----------
    checkout : Path
        The folder that holds requirements.lock and pyproject.toml.
    run : callable
        Runs a command, a list of words; raises CalledProcessError when it fails.
    """

    def __init__(self, checkout=CHECKOUT, run=None):
        self.checkout = checkout
        self.run = run or self._run
        self.folder = checkout / ".venv"
        self.set_aside = checkout / ".venv.old"
        self.lock = checkout / ".venv.lock"
        self.stamp = self.folder / "made-of.json"
        scripts = "Scripts" if os.name == "nt" else "bin"
        self.python = self.folder / scripts / ("python.exe" if os.name == "nt" else "python")

    def _run(self, command):
        subprocess.run(command, cwd=self.checkout, check=True, env=_trusting_environment())

    def wanted(self) -> dict:
        """What an up-to-date environment is made of.

        Two hashes, the place it was made for, and that its kernels are compiled.
        """
        made_of = {"place": str(self.checkout), "kernels": "compiled"}
        for part, name in MADE_OF.items():
            made_of[part] = hashlib.sha256((self.checkout / name).read_bytes()).hexdigest()
        return made_of

    def present(self) -> dict:
        """What the present environment was made of; empty where it is missing or half made."""
        if not self.python.exists():
            return {}
        try:
            return json.loads(self.stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}

    def bring_up_to_date(self) -> bool:
        """Make what is missing. Returns whether anything had to be done."""
        if self.present() == self.wanted() and not self.set_aside.exists():
            return False
        with self._alone():
            self._recover()
            wanted = self.wanted()
            present = self.present()
            if present == wanted:
                return False  # another set-up made it while we waited
            if not _agree(present, wanted, ("packages", "place")):
                self._make_anew()
                self._stamp_installed(wanted)
            elif not _agree(present, wanted, ("project",)):
                self._install_project()
                self._stamp_installed(wanted)
            self._compile_kernels()
            self._write_stamp(wanted)
        return True

    def what_is_there(self) -> str:
        """What a set-up that was stopped has left, in a sentence or two."""
        present = self.present()
        wanted = self.wanted()
        if not present and self.set_aside.exists():
            return "The earlier .venv stands in .venv.old; the next set-up puts it back."
        if not present:
            return "There is no environment now; the next set-up makes it."
        if present == wanted:
            return "The environment is up to date."
        if _agree(present, wanted, ("packages", "place", "project")):
            return (
                ".venv is complete and can be used, but not all kernels are compiled: the next "
                "set-up compiles the rest."
            )
        return (
            "The earlier .venv is there, but it is not what requirements.lock and pyproject.toml "
            "ask for; the next set-up tries again."
        )

    def _stamp_installed(self, wanted: dict) -> None:
        """Note that everything is installed, while no kernel is compiled yet."""
        self._write_stamp({part: of for part, of in wanted.items() if part != "kernels"})

    def _write_stamp(self, made_of: dict) -> None:
        self.stamp.write_text(json.dumps(made_of, indent=1) + "\n", encoding="utf-8")

    def _compile_kernels(self) -> None:
        """Compile all kernels; the environment stays as it is when that fails."""
        print("Compiling the kernels: about half a minute, the first time.", flush=True)
        for module in COMPILING:
            try:
                self.run([str(self.python), "-m", module])
            except subprocess.CalledProcessError:
                raise SetUpFailed(
                    f"`{self.python} -m {module}` failed. {self.what_is_there()}"
                ) from None

    @contextlib.contextmanager
    def _alone(self):
        """One set-up at a time.

        The operating system lets go of the lock when its owner ends, however it ends.
        """
        with open(self.lock, "w") as file:
            if not _take_lock(file, wait=False):
                print("Another set-up of this checkout is running; waiting for it.", flush=True)
                _take_lock(file, wait=True)
            yield

    def _recover(self) -> None:
        """Put back what an interrupted set-up had set aside."""
        if not self.set_aside.exists():
            return
        if self.present():
            shutil.rmtree(self.set_aside)
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.set_aside.rename(self.folder)

    def _make_anew(self) -> None:
        print("Making .venv: a minute or two and 1.3 GB, this once.", flush=True)
        if self.present():
            self.folder.rename(self.set_aside)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
        try:
            self._install_packages()
            self._install_project()
        except BaseException as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            kept = "There is no environment now."
            if self.set_aside.exists():
                self.set_aside.rename(self.folder)
                kept = (
                    "The earlier .venv is back in its place, but it is not what "
                    "requirements.lock asks for. To use it all the same: "
                    f"{self.python.relative_to(self.checkout)} -m jupyterlab notebooks, say."
                )
            if isinstance(error, subprocess.CalledProcessError):
                command = " ".join(map(str, error.cmd))
                raise SetUpFailed(f"`{command}` failed. {kept}") from None
            raise
        shutil.rmtree(self.set_aside, ignore_errors=True)

    def _install_packages(self) -> None:
        """Install the locked packages: with uv where it is there, for its speed, else with pip."""
        locked = ["--require-hashes", "-r", "requirements.lock"]
        if shutil.which("uv"):
            try:
                self.run(
                    ["uv", "venv", "--quiet", "--no-project", "--python", sys.executable, ".venv"]
                )
                self.run(["uv", "pip", "install", "--python", str(self.python), *locked])
                return
            except subprocess.CalledProcessError:
                print("uv failed; trying pip.", file=sys.stderr, flush=True)
                shutil.rmtree(self.folder, ignore_errors=True)
        self.run([sys.executable, "-m", "venv", ".venv"])
        self.run([*self._pip(), "install", *locked])

    def _install_project(self) -> None:
        """This project itself, so that its programs are there and it is found from anywhere."""
        itself = ["--no-deps", "--no-build-isolation", "-e", "."]
        if self._made_by_uv():
            self.run(["uv", "pip", "install", "--python", str(self.python), *itself])
        else:
            self.run([*self._pip(), "install", *itself])

    def _made_by_uv(self) -> bool:
        """Whether uv made the environment: pyvenv.cfg says so, and then there is no pip in it."""
        configuration = self.folder / "pyvenv.cfg"
        return configuration.exists() and "\nuv = " in "\n" + configuration.read_text(
            encoding="utf-8"
        )

    def _pip(self) -> list:
        return [str(self.python), "-m", "pip", "--disable-pip-version-check"]


def _agree(present: dict, wanted: dict, parts) -> bool:
    return all(part in present and present[part] == wanted[part] for part in parts)


def _trusting_environment() -> dict:
    """uv is told to trust the system's certificates, which some networks need."""
    return {**os.environ, "UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"}


def _take_lock(file, wait: bool) -> bool:
    """Lock an open file; returns whether that worked."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def main(arguments=None, environment=None) -> int:
    """Do what the command line says; returns the exit code."""
    parser = argparse.ArgumentParser(description="Make .venv, or bring it up to date.")
    parser.add_argument(
        "--quiet", action="store_true", help="say nothing when there is nothing to do"
    )
    options = parser.parse_args(arguments)
    if sys.version_info < OLDEST_PYTHON:
        print(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}.", file=sys.stderr)
        return 1
    environment = environment or Environment()
    try:
        changed = environment.bring_up_to_date()
    except (SetUpFailed, subprocess.CalledProcessError, OSError) as error:
        print(f"set_up: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nset_up: stopped. {environment.what_is_there()}", file=sys.stderr)
        return 130
    if changed or not options.quiet:
        print(f"{environment.python.relative_to(environment.checkout)} is up to date.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
