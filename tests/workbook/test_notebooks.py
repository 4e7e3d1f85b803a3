"""The notebooks: they run, exercises are whole, cells are short, and nothing is said twice."""

import ast
import re
from pathlib import Path

import pytest

from notebook_tools import handout, tidy
from notebook_tools.files import read, sources

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {path.stem: read(path) for path in sources()}
NAMES = list(SOURCES)
LONGEST = 30  # lines of a cell
OWN = {"naive", "exercise", "solution"}  # tags of cells that may say again what lib2048 says


def tags(cell):
    return set(cell.metadata.get("tags", []))


def code_cells(nb):
    return [(n, cell) for n, cell in enumerate(nb.cells, 1) if cell.cell_type == "code"]


def texts(output):
    """Everything readable in an output."""
    shown = (value for value in output.get("data", {}).values() if isinstance(value, str))
    return [output.get("text", ""), *output.get("traceback", []), *shown]


# As they are written


def is_appendix(name):
    return name.startswith("appendix_")


def test_numbers_are_given_once_and_appendices_come_last():
    numbers = [name[:2] for name in NAMES if not is_appendix(name)]
    assert numbers[0] == "00" and len(numbers) >= 10
    assert numbers == sorted(set(numbers))
    assert NAMES[len(numbers) :] == sorted(name for name in NAMES if is_appendix(name))


def test_tables_of_contents_list_all_notebooks():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[[^\]]+\]\(notebooks/(\w+)\.ipynb\)", readme, re.M) == NAMES
    first = "\n".join(cell.source for cell in SOURCES[NAMES[0]].cells)
    assert re.findall(r"^\| \[[^\]]+\]\((\w+)\.ipynb\)", first, re.M) == NAMES[1:]


@pytest.mark.parametrize("name", NAMES)
def test_links_to_the_previous_and_the_next(name):
    place, cells = NAMES.index(name), SOURCES[name].cells
    beside = [NAMES[n] for n in (place - 1, place + 1) if 0 <= n < len(NAMES)]
    for cell in (cells[0], cells[-1]):
        links = re.findall(r"\]\(([\w-]+)\.ipynb\)", cell.source)
        assert list(dict.fromkeys(link for link in links if link in beside)) == beside, (
            f"{name}: {cell.source}"
        )
    for cell in cells:
        if cell.cell_type == "markdown":
            for link in re.findall(r"\]\(([^)#\s]+)\)", cell.source):
                assert re.match("https?:", link) or (ROOT / "notebooks" / link).exists(), (
                    f"{name} links to {link}"
                )


@pytest.mark.parametrize("name", NAMES)
def test_cells_are_short(name):
    longest = {n: len(cell.source.splitlines()) for n, cell in code_cells(SOURCES[name])}
    assert {n: lines for n, lines in longest.items() if lines > LONGEST} == {}
    assert sorted(longest.values())[len(longest) // 2] <= 10, (
        "half of the cells have no more than ten lines"
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_first_cell_says_what_why_and_how_long(name):
    first = SOURCES[name].cells[0].source
    heading = "# Appendix: " if is_appendix(name) else f"# {name[:2]} "
    assert (
        first.startswith(heading)
        and "?" in first
        and re.search(r"\d+ (s|seconds|minutes?)\b", first)
    )


@pytest.mark.parametrize("name", NAMES)
def test_nothing_comes_from_the_net(name):
    for n, cell in enumerate(SOURCES[name].cells, 1):
        assert not remote(cell.source), f"{name}, cell {n}"


def remote(text):
    """Pictures, styles and scripts with a remote address."""
    markdown, style = r"!\[[^\]]*\]\(\s*https?:", r"url\(\s*[\"']?https?:|@import"
    source = r"(?:src|srcset|poster)\s*=\s*[\"']?(?:https?:)?//"
    other = r"<(?:link|image|use)\b[^>]*href\s*=\s*[\"']https?:"
    return re.findall("|".join([markdown, style, source, other]), text)


@pytest.mark.parametrize("name", NAMES)
def test_every_exercise_has_a_check_and_a_solution(name):
    exercises = {}
    for _, cell in code_cells(SOURCES[name]):
        if "exercise" in tags(cell):
            functions = handout.defined_functions(cell.source)
            asked_for = {made for made in functions if made.startswith("my_")}
            assert asked_for, f"{name}: an exercise that defines no my_..."
            for function in asked_for:
                exercises[function.removeprefix("my_")] = set()
        for tag, prefix in (("check", "my_"), ("solution", "solved_")):
            if tag in tags(cell):
                tested = [test.value.args[0].id for test in handout.tests(cell.source, prefix)]
                answered = {function.removeprefix(prefix) for function in tested}
                assert answered and answered <= exercises.keys(), f"{name}: a {tag} of {answered}"
                for exercise in answered:
                    exercises[exercise].add(tag)
    whole = {"check", "solution"}
    assert {exercise: has for exercise, has in exercises.items() if has != whole} == {}


def test_handouts_can_be_made():
    for path in sources():
        handout.handout(read(path), path.stem)


class Plain(ast.NodeTransformer):
    """Names of arguments and variables by order of their first use; no annotations."""

    def __init__(self, function):
        self.names = {}
        nodes = list(ast.walk(function))
        arguments = [node.arg for node in nodes if isinstance(node, ast.arg)]
        stored = [
            node.id
            for node in nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        for name in arguments + stored:
            self.names.setdefault(name, f"v{len(self.names)}")

    def visit_Name(self, node):
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node):
        return ast.arg(self.names[node.arg], None)


def bodies(source):
    """{normal form of its body: name} of every function of a few lines in a source."""
    names = {}
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            has_text = ast.get_docstring(function) is not None
            plain = Plain(function)
            body = [plain.visit(node) for node in function.body[has_text:]]
            written = ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))
            if len(written) > 60:  # shorter ones are alike by chance
                names[written] = function.name
    return names


def test_function_bodies_are_compared_by_what_they_do():
    ours = """def f(row, b):
    'Text.'
    total = 0
    for cell in row:
        total += cell ** b * 12345 + len(row)
    return total"""
    theirs = (
        ours.replace("row", "line")
        .replace("total", "s")
        .replace("Text", "Other")
        .replace("f(", "g(")
    )
    assert bodies(ours).keys() == bodies(theirs).keys() != bodies(ours.replace("12345", "1")).keys()


@pytest.mark.parametrize("name", NAMES)
def test_no_function_repeats_one_of_the_library(name):
    library = {}
    for package in ("lib2048", "libewn"):
        for path in (ROOT / package).rglob("*.py"):
            library |= bodies(path.read_text(encoding="utf-8"))
    for n, cell in code_cells(SOURCES[name]):
        if not tags(cell) & OWN and not cell.source.lstrip().startswith(("%", "!")):
            repeated = bodies(cell.source).keys() & library.keys()
            assert not repeated, f"{name}, cell {n} repeats {[library[body] for body in repeated]}"


# As they run, at the small scale


@pytest.mark.slow
def test_all_run_on_clean_kernels(executed):
    assert list(executed) == NAMES
    for name, nb in executed.items():
        counts = [cell.execution_count for _, cell in code_cells(nb) if cell.source.strip()]
        assert counts == list(range(1, len(counts) + 1)), name
        for n, cell in code_cells(nb):
            for output in cell.outputs:
                where = f"{name}, cell {n}"
                assert output.output_type != "error" or "raises-exception" in tags(cell), where
                assert output.get("name") != "stderr", f"{where}: {output.text}"


@pytest.mark.slow
def test_outputs_are_the_same_on_every_machine(executed):
    for name, nb in executed.items():
        assert tidy.machine_paths(nb) == [], name
        for n, cell in code_cells(nb):
            for text in (text for output in cell.outputs for text in texts(output)):
                assert not re.search(r" at 0x[0-9a-f]{6,}", text), f"{name}, cell {n}"
                assert not remote(text), f"{name}, cell {n}"


@pytest.mark.slow
def test_solutions_pass_their_checks(executed):
    for name, nb in executed.items():
        for n, cell in code_cells(nb):
            if "solution" in tags(cell):
                asked = len(handout.tests(cell.source, "solved_"))
                printed = "".join(text for output in cell.outputs for text in texts(output)[:1])
                printed += "".join(
                    output.get("data", {}).get("text/plain", "") for output in cell.outputs
                )
                right = re.findall(r"right in all \d+ cases|\d+ cases agree", printed)
                assert asked and len(right) == asked, f"{name}, cell {n}: {printed}"


@pytest.mark.slow
def test_pictures_are_small(executed):
    for name, nb in executed.items():
        shown = [output.get("data", {}) for _, cell in code_cells(nb) for output in cell.outputs]
        size = sum(
            len(value)
            for data in shown
            for kind, value in data.items()
            if kind.startswith("image/")
        )
        assert size < 1_500_000, f"{name} shows {size:,} bytes of pictures"
        for data in shown:  # JupyterLab shows no SVG of a notebook that it does not trust
            assert "image/svg+xml" not in data or "image/png" in data, f"{name}: SVG alone"
