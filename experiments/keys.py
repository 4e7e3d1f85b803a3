"""What code a result comes from, as a hash that a comment or a docstring does not change.

`code_hash(function)` covers the function, whatever it uses of its own file (or notebook), and as whole files the
modules of this project it reaches through imports, also those inside functions. Each is read from disk, parsed,
stripped of docstrings and written back by `ast.unparse`, so that comments and layout do not count. Python versions
whose `unparse` differ give different hashes; what was made by another one counts as stale.
"""

import ast
import dis
import functools
import hashlib
import inspect
import json
import sys
import sysconfig
import textwrap
import types
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("lib2048", "libewn", "workbook", "experiments")
# What runs and keeps pieces, so that no number in a result comes from it.
MACHINERY = {
    "catalogue",
    "cluster",
    "keys",
    "piece",
    "progress",
    "runner",
    "store",
    "sweep",
    "table",
}
MACHINERY |= {"beginnings", "confirm", "differences"}
MACHINERY = {"experiments", *(f"experiments.{name}" for name in MACHINERY)}
# What other modules reach and no number comes from either, unless a piece itself uses it.
ASIDE = {
    f"lib2048.{name}" for name in ("draw", "formats.episodes", "formats.tables", "viewer.viewer")
} | {"libewn.draw"}

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@functools.cache
def _parse(path: Path, stamp) -> ast.Module:
    """The syntax tree of a file without docstrings; stamp tells one state of the file from the next."""
    return _strip(ast.parse(path.read_bytes()))


def _strip(tree):
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def _normal(tree) -> str:
    return hashlib.sha256(ast.unparse(tree).encode()).hexdigest()


@functools.cache
def _normal_file(path: Path, stamp) -> str:
    return _normal(_parse(path, stamp))


def _stamp(path: Path):
    state = path.stat()
    return state.st_mtime_ns, state.st_size


def file_hash(path: Path) -> str:
    """The hash of what a source file says to Python."""
    return _normal_file(path, _stamp(path))


def module_file(name: str) -> Path | None:
    """The file of a module of this project, None for any other module."""
    if name.split(".")[0] not in PACKAGES:
        return None
    place = ROOT.joinpath(*name.split("."))
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None


def _imports(tree) -> list:
    """The import statements of a tree, wherever in it."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


@functools.cache
def _imports_of_file(path: Path, stamp) -> list:
    return _imports(_parse(path, stamp))


def _imported(imports, module: str, is_package: bool) -> set[str]:
    """The modules of this project that import statements in `module` name."""
    found = set()
    for node in imports:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            parts = module.split(".")
            kept = len(parts) - node.level + is_package
            base = ".".join(
                [*(parts[:kept] if node.level else []), *([node.module] if node.module else [])]
            )
            found |= {_home(base, alias.name) for alias in node.names}
    return {name for name in found if module_file(name)}


def _home(base: str, name: str) -> str:
    """The module that `from base import name` takes it from: past a package that only passes it on."""
    if module_file(f"{base}.{name}"):
        return f"{base}.{name}"
    file = module_file(base)
    if file is not None and file.name == "__init__.py":
        for node in _parse(file, _stamp(file)).body:
            if isinstance(node, ast.ImportFrom) and name in {
                alias.asname or alias.name for alias in node.names
            }:
                inner = ".".join(part for part in (base if node.level else "", node.module) if part)
                return _home(inner, name)
    return base


def _reached(modules: set[str]) -> set[str]:
    """These modules and all they import in this project, but for what stands aside."""
    seen, todo = set(), list(modules - MACHINERY)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            file = module_file(name)
            imports = _imports_of_file(file, _stamp(file))
            todo += _imported(imports, name, file.name == "__init__.py") - ASIDE - MACHINERY
    return seen


def _file(module: str) -> Path | None:
    """The file of an imported module, None for what has none, such as a notebook."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return module_file(module) or (Path(file) if file else None)


def _is_yours(module: str) -> bool:
    """Whether a module is neither Python's, nor a library's, nor this project's: a notebook, a script."""
    file = _file(module)
    if module == "__main__" or file is None or module_file(module):
        return module == "__main__"
    libraries = [
        Path(sysconfig.get_path(kind)) for kind in ("stdlib", "platstdlib", "purelib", "platlib")
    ]
    return not any(file.is_relative_to(folder) for folder in libraries)


def _definition(thing) -> ast.Module:
    """The source of a function or class, from its file as it is now, or from the notebook that defined it."""
    file = _file(thing.__module__)
    if file and file.is_file() and "<locals>" not in thing.__qualname__:
        found = [
            node
            for node in ast.walk(_parse(file, _stamp(file)))
            if isinstance(node, DOCUMENTED[1:])
        ]
        found = [node for node in found if node.name == thing.__name__]
        if found:
            return ast.Module(found, [])
    try:
        return _strip(ast.parse(textwrap.dedent(inspect.getsource(thing))))
    except (OSError, TypeError, SyntaxError):
        name = thing.__qualname__
        raise ValueError(
            f"the source of {name} cannot be read; define it in a file or a notebook cell"
        ) from None


def _names(code) -> set[str]:
    """The names that a code object, with those inside it, looks up outside itself."""
    steps = [
        step for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    ]
    names = {step.argval for step in steps if not step.argval.startswith("__")}
    return names.union(
        *(_names(inner) for inner in code.co_consts if isinstance(inner, types.CodeType))
    )


def _scope(thing) -> dict:
    """The values of the names around a function, a kernel (which holds its Python function) or a class."""
    thing = inspect.unwrap(getattr(thing, "py_func", thing))
    if isinstance(thing, type):
        return vars(sys.modules[thing.__module__])
    cells = zip(thing.__code__.co_freevars, thing.__closure__ or ())
    return thing.__globals__ | {name: cell.cell_contents for name, cell in cells}


def _is_defined(value) -> bool:
    """Whether a value is something that a definition made: a function, a class, a kernel."""
    return (
        isinstance(value, type | np.ufunc) or inspect.isroutine(value) or hasattr(value, "py_func")
    )


def sources(function) -> dict[str, str]:
    """What a result of `function` comes from: {name of a definition, module or constant: hash}."""
    if (
        not inspect.isfunction(getattr(function, "py_func", function))
        or function.__name__ == "<lambda>"
    ):
        raise ValueError(
            f"a piece of an experiment is a function defined with `def`, got {function!r}"
        )
    found, modules, todo = {}, set(), [function]
    while todo:
        thing = todo.pop()
        name = f"{thing.__module__}:{thing.__qualname__}"
        if name in found:
            continue
        tree = _definition(thing)
        found[name] = _normal(tree)
        modules |= _imported(_imports(tree), thing.__module__, False)
        scope = _scope(thing)
        for used in _names(compile(tree, name, "exec")) & scope.keys():
            value = scope[used]
            home = (
                value.__name__
                if inspect.ismodule(value)
                else str(getattr(value, "__module__", None))
            )
            if not inspect.ismodule(value) and not _is_defined(value):
                found[f"{name} {used}"] = _constant(name, used, value)
            elif module_file(home) and home != thing.__module__:
                modules.add(home)
            elif inspect.ismodule(value) and _is_yours(home):
                found[home] = file_hash(_file(home))
            elif home == thing.__module__ or _is_yours(home):
                todo.append(value)
    return found | {module: file_hash(module_file(module)) for module in _reached(modules)}


def _constant(name: str, used: str, value) -> str:
    """The hash of a constant that a piece uses."""
    try:
        return parameter_hash(
            {"": value.tolist() if isinstance(value, np.ndarray | np.generic) else value}
        )
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} uses {used} = {value!r:.60} from outside; make it a parameter"
        ) from None


def parameter_hash(parameters: dict) -> str:
    """The hash of parameters that are plain, as `piece.plain` makes them."""
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()


def versioned(number: int):
    """Declare the version of a function that results come from.

    A stored result is stale when this number is another one, so raise it when the function, or anything that it
    calls, gives other results. Making it faster, or rewording it, changes nothing.
    """

    def declare(function):
        function.version = number
        return function

    return declare


def code_hash(function) -> str:
    """What names the code of a function: its declared version, else the hash of all that `sources` lists."""
    if hasattr(function, "version"):
        return parameter_hash({"function": function.__qualname__, "version": function.version})
    return parameter_hash(sources(function))


def _project() -> list[Path]:
    return [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]


def project_hash() -> str:
    """The hash of all modules of this project."""
    return parameter_hash(
        {file.relative_to(ROOT).as_posix(): file_hash(file) for file in _project()}
    )


def project_stamp() -> str:
    """When the modules of this project were written: on one machine, a quick way to see that nothing changed."""
    return parameter_hash({str(file): _stamp(file) for file in _project()})


@functools.cache
def loaded_hash() -> str:
    """The project's hash when this process first asked: what it has in memory, even after files were edited."""
    return project_hash()


@functools.cache
def loaded_stamp() -> str:
    """As loaded_hash, of the stamp."""
    return project_stamp()
