"""One script out of several JavaScript modules (lib2048/viewer/joining.py)."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import re
from pathlib import Path

import pytest
from browsing import browser

import lib2048.viewer
import libewn.viewer
import workbook
from lib2048.viewer.joining import joined

RUN = """source => {
    const file = new Blob([source], { type: "text/javascript" });
    return import(URL.createObjectURL(file)).then(({ default: it }) => it.result());
}"""
FOLDERS = [Path(package.__file__).parent for package in (lib2048.viewer, libewn.viewer)]
FOLDERS += sorted(Path(workbook.__file__).parent.glob("*/"))
SCRIPTS = [path for folder in FOLDERS for path in sorted((folder / "script").glob("*.js"))]


def write(folder, **modules):
    """Write modules, and return the path of the first one."""
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return folder / f"{next(iter(modules))}.js"


def test_a_module_without_imports_keeps_its_text(tmp_path):
    entry = write(tmp_path, one="const hidden = 1;\nexport const shown = hidden + 1;")
    script = joined(entry)
    assert "const shown = hidden + 1;" in script and "export const" not in script
    assert re.search(r"export default \$one_0;\s*$", script)


def test_every_module_stands_once_and_after_those_it_imports(tmp_path):
    entry = write(
        tmp_path,
        top='import { left } from "./left.js";\nimport { right } from "./right.js";\nleft(right);',
        left='import { base } from "./base.js";\nexport function left() { return base; }',
        right='import { base } from "./base.js";\nexport const right = base;',
        base="export const base = 1;",
    )
    names = re.findall(r"^// (\w+)\.js$", joined(entry), re.MULTILINE)
    assert names == ["base", "left", "right", "top"]
    assert "export default" not in joined(entry), "the entry exports nothing: it just runs"


@pytest.mark.parametrize(
    "modules, told",
    [
        ({"a": 'import { b } from "./b.js";\n', "b": "export const c = 1;"}, "does not export"),
        (
            {
                "a": 'import { b } from "./b.js";\nexport const a = 1;',
                "b": 'import { a } from "./a.js";\nexport const b = 1;',
            },
            "a.js -> b.js -> a.js",
        ),
        ({"a": 'import * as all from "./b.js";', "b": ""}, r"import \* as all"),
        ({"a": 'import one from "./b.js";', "b": ""}, "import one"),
        ({"a": 'export { b } from "./b.js";', "b": "export const b = 1;"}, "export {"),
        ({"a": "export default 1;"}, "export default"),
        ({"a": "export let changing = 1;"}, "export let"),
        ({"a": 'import "./b.js";', "b": ""}, "import"),
    ],
)
def test_what_cannot_be_joined_is_refused(tmp_path, modules, told):
    with pytest.raises(ValueError, match=told):
        joined(write(tmp_path, **modules))


def test_a_module_that_is_missing_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.js"):
        joined(write(tmp_path, a='import { b } from "./nowhere.js";'))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parts[-4]}-{path.stem}")
def test_every_module_of_ours_can_be_joined_and_imports_only_what_it_uses(script):
    text = script.read_text()
    assert text.startswith("// "), "the first line says what the module is for"
    assert max(map(len, text.splitlines())) <= 100
    assert joined(script)
    body = re.sub(r"^import .*$", "", text, flags=re.MULTILINE)
    imported = re.findall(r"^import \{([^}]*)\}", text, re.MULTILINE)
    for name in ",".join(imported).split(","):
        assert not name.strip() or re.search(rf"\b{name.strip()}\b", body), name


@pytest.mark.browser
@pytest.mark.slow
def test_a_browser_runs_the_whole(browser, tmp_path):
    """Names that are not exported stay apart, files of one name in two folders too."""
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep", tool='const word = "deep";\nexport const deep = () => word;')
    entry = write(
        tmp_path,
        main="""import { deep } from "./deep/tool.js";
import {
  Greeter,
  shallow,
} from "./tool.js";

const word = "main";

export function result() {
  return [deep(), shallow(), word, new Greeter().greet(), typeof shared];
}
""",
        tool="""const word = "shallow";
const shared = 1;
export const shallow = () => word;
export class Greeter {
  greet() {
    return `hello ${word}${shared}`;
  }
}
""",
    )
    page = browser.new_page()
    assert page.evaluate(RUN, joined(entry)) == [
        "deep",
        "shallow",
        "main",
        "hello shallow1",
        "undefined",
    ]
    page.close()
