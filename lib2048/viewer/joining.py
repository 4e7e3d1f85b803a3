"""One script out of several JavaScript modules.

A widget hands the browser the text of a single module, and so does a page that is opened from a
file. Our scripts are several modules that import one another; here they become one, whenever the
widget is loaded, without any tool but Python.

Every module becomes a function that is called at once and returns what the module exports, so
names that are not exported stay its own. Of JavaScript's many ways to import and export, two are
understood, each at the start of a line:

    import { slide, isDead } from "./game.js";
    export function ...     (likewise const, class)
"""

import re
from pathlib import Path
from typing import NamedTuple

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function|const|class) (\w+)", re.MULTILINE)
LEFT_OVER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


class Module(NamedTuple):
    """A module as it was read."""

    path: Path
    imports: list[tuple[list[str], Path]]  # the names, and the module they come from
    exports: list[str]
    body: str  # its text without the words import and export


def joined(entry: Path) -> str:
    """Join a module with all modules it imports, directly or not.

    Parameters
    ----------
    entry : Path
        The module to begin with.

    Returns
    -------
    str
        The text of one module. What the entry exports is the text's default export, as an object;
        an entry that exports nothing just runs.

    Raises
    ------
    FileNotFoundError
        If a module is not there.
    ValueError
        If modules import one another in a circle, if a name is imported that is not exported, or
        if an import or export is written in another way than the two above.
    """
    modules = _in_order(Path(entry).resolve())
    names = _names(modules)
    parts = [_wrapped(module, names) for module in modules.values()]
    last = modules[Path(entry).resolve()]
    if last.exports:
        parts.append(f"export default {names[last.path]};\n")
    return "\n".join(parts)


def _in_order(entry: Path) -> dict[Path, Module]:
    """All modules that an entry needs, each after those that it imports."""
    modules: dict[Path, Module] = {}
    _visit(entry, modules, ())
    return modules


def _visit(path: Path, modules: dict[Path, Module], importers: tuple[Path, ...]) -> None:
    if path in modules:
        return
    if path in importers:
        circle = [*importers[importers.index(path) :], path]
        way = " -> ".join(module.name for module in circle)
        raise ValueError(f"modules import one another: {way}")
    module = _read(path)
    for names, source in module.imports:
        _visit(source, modules, (*importers, path))
        missing = set(names) - set(modules[source].exports)
        if missing:
            raise ValueError(
                f"{path.name} imports {', '.join(sorted(missing))}, "
                f"which {source.name} does not export"
            )
    modules[path] = module


def _read(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    imports = [
        (_split(names), (path.parent / source).resolve()) for names, source in IMPORT.findall(text)
    ]
    exports = [name for _, name in EXPORT.findall(text)]
    body = EXPORT.sub(r"\1 \2", IMPORT.sub("", text))
    left_over = LEFT_OVER.search(body)
    if left_over:
        raise ValueError(f"{path.name} has a line that cannot be joined: {left_over[0]}")
    return Module(path, imports, exports, body.strip())


def _split(names: str) -> list[str]:
    """The names between the braces of an import, which may end with a comma."""
    return [name.strip() for name in names.split(",") if name.strip()]


def _names(modules: dict[Path, Module]) -> dict[Path, str]:
    """A name for each module; the number tells files of one name in two folders apart."""
    return {
        path: f"${re.sub(r'[^0-9A-Za-z]', '_', path.stem)}_{number}"
        for number, path in enumerate(modules)
    }


def _wrapped(module: Module, names: dict[Path, str]) -> str:
    """A module as a function that is called at once and returns what the module exports."""
    taken = [
        f"const {{ {', '.join(imported)} }} = {names[source]};"
        for imported, source in module.imports
    ]
    lines = [
        f"// {module.path.name}",
        f"const {names[module.path]} = (() => {{",
        *taken,
        module.body,
        f"return {{ {', '.join(module.exports)} }};",
        "})();",
        "",
    ]
    return "\n".join(lines)
