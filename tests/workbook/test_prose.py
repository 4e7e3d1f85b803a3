"""Prose with computed numbers: what `%%md` says, and what it refuses to say."""

import math

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from experiments import Table
from workbook import prose, words
from workbook.prose import ProseError, compose

NAMES = {
    "n": 12_345,
    "share": 0.973,
    "low": -0.25,
    "third": 1 / 3,
    "board": [[0, 1], [2, 3]],
    "word": "faster",
    "nothing": None,
    "nan": math.nan,
    "array": np.array([1.0, math.inf]),
    "f": lambda: 3,
}


@pytest.mark.parametrize(
    "text, said",
    [
        ("{n:,} games", "12,345 games"),
        ("{np_int:,} and {np_float:.1f}", "7 and 0.5"),
        ("{low} and {low:+.3f}", "−0.25 and −0.250"),
        ("{share:.1%}", "97.3\u00a0%"),
        ("{word} { word.upper() }", "faster FASTER"),
        ("{{n}} and {{}}", "{n} and {}"),
        ("{'}' + '{'} {{", "}{ {"),
        ("{board[0][1]} {({'a': 4})['a']}", "1 4"),
        ("{max(board, key=lambda row: row[0])[0]}", "2"),
        ("{f'{n:>7}|'}", "  12345|"),
        (
            """{"one"
            if n else
            "other"}""",
            "one",
        ),
        (r"$\frac{a}{b}$ and $V(s_{t+1})$", r"$\frac{a}{b}$ and $V(s_{t+1})$"),
        ("$$\nx_{n}\n$$", "$$\nx_{n}\n$$"),
        (r"$x = @{n:,}$, $@{low}$, $@{share:.0%}$", r"$x = 12{,}345$, $-0.25$, $97\,\%$"),
        ("`{n}` ``{`n`}`` `@{low}`", "`{n}` ``{`n`}`` `-0.25`"),
        ("```python\n{n}\n```\n{n}", "```python\n{n}\n```\n12345"),
        ("~~~\n{n}\n~~~\n", "~~~\n{n}\n~~~\n"),
        (r"it costs \$5", r"it costs \$5"),
        ("a @ b, $a$ and {n}$b$", "a @ b, $a$ and 12345$b$"),
    ],
)
def test_says(text, said):
    names = NAMES | {"np_int": np.int64(7), "np_float": np.float32(0.5)}
    assert compose(text, names) == said


@pytest.mark.parametrize(
    "text, reason",
    [
        ("so {unknown:.2f}", r"\{unknown:.2f\}: NameError: name 'unknown'"),
        ("{nan}", "not a finite number"),
        ("{nan:.1f}", "not a finite number"),
        ("{f'{nan:.1f} points'}", "no number: nan points"),
        ("{array}", "no number"),
        ("{-math.inf}", "NameError"),
        ("{nothing}", "it is None"),
        ("{n > 3}", "it is True"),
        ("{f}", "no reader understands"),
        ("{object()}", "no reader understands"),
        ("{third}", "say how to round it"),
        ("{1e-9}", "say how to round it"),
        ("{n:.2q}", "Unknown format code"),
        (r"\{n}", "without its {"),
        ("{1 / 0}", "ZeroDivisionError"),
        ("{n +}", "SyntaxError"),
        ("{}", "no expression"),
        ("{n", "without its }"),
        ("n}", "without its {"),
        ("5 $ and more", "begins no formula"),
    ],
)
def test_refuses(text, reason):
    with pytest.raises(ProseError, match=reason):
        compose(text, dict(NAMES))


def test_a_table_stands_in_prose():
    table = Table([{"game": "one", "score": 3}])
    assert compose("before\n\n{table}", {"table": table}).startswith("before\n\n| game | score |")


@pytest.fixture
def shell(monkeypatch):
    shell = InteractiveShell.instance()
    monkeypatch.setattr(prose, "get_ipython", lambda: shell)
    prose.register()
    yield shell
    InteractiveShell.clear_instance()


def test_the_magic_shows_markdown_and_fails_in_a_line(shell):
    shell.run_cell("n = 3")
    with capture_output() as shown:
        result = shell.run_cell("%%md\nThere are {n} games,\n\nand $x_{n}$.")
    assert result.success
    (output,) = shown.outputs
    assert output.data["text/markdown"] == "There are 3 games,\n\nand $x_{n}$."
    with capture_output() as shown:
        result = shell.run_cell("%%md\nThere are {m} games.")
    assert isinstance(result.error_in_exec, ProseError)
    assert shown.stdout.strip() == "ProseError: {m}: NameError: name 'm' is not defined"
    with capture_output():
        assert not shell.run_cell("%%md report\nText.").success


@pytest.mark.parametrize("function", [words.number, words.percent, words.points, words.times])
@pytest.mark.parametrize("value", [math.nan, -math.inf, None, "3", True, np.float32("nan")])
def test_words_refuse_what_is_no_number(function, value):
    with pytest.raises(ValueError, match="a finite number, got"):
        function(value)


@pytest.mark.parametrize("value", [np.int64(1234), np.float64(1234.4), np.uint8(200)])
def test_words_take_the_numbers_of_numpy(value):
    assert words.number(value) == f"{round(float(value)):,}"


@pytest.mark.parametrize(
    "share, said",
    [(0, "0"), (1, "100"), (0.004, "0.4"), (0.99951, "99.95"), (0.5, "50"), (1e-5, "0.001")],
)
def test_percent_says_neither_nothing_nor_all_where_it_is_not_so(share, said):
    assert words.percent(share) == f"{said}\u00a0%"


def test_words_agree_in_number_and_digits():
    assert words.plural(1, "game") == "1\u00a0game" and words.plural(0, "game") == "0\u00a0games"
    assert words.seconds(1) == "1\u00a0second" and words.seconds(0.25) == "0.25\u00a0seconds"
    assert words.duration(119) == "119\u00a0seconds" and words.duration(60 * 59) == (
        "59\u00a0minutes"
    )
    assert words.plus_minus(0.12345, 0.0456) == "0.123 ± 0.046"
    assert words.signed(-0.0) == "0" and words.signed(0.25, 1) == "+0.2"
    assert words.number(-0.001, 2) == "0.00", "no minus before zero"
    with pytest.raises(ValueError, match="the lower end comes first"):
        words.between(3, 2)
