"""The title data, which are yours to write, and the fixed words in the language that they choose.

The data are those of report/report.toml; report.example.toml shows how. How the title looks is in
page.typ for the PDF, and in html.py for the page. The fixed words are those between what the
notebooks say: Figure, Table, Contents and the like.
"""

import difflib
import re
import tomllib
from pathlib import Path

from fontTools.ttLib import TTFont, TTLibError

ENGLISH = "en"
TAIWANESE = "zh-TW"

WORDS = {
    ENGLISH: {
        "abstract": "Abstract",
        "appendix": "Appendix",
        "asked for": "asked for",
        "author": "Name",
        "comma": ", ",
        "contents": "Contents",
        "experiments": "Experiments",
        "figure": "Figure",
        "key results": "Key results",
        "networks": "Networks",
        "number": "Student number",
        "page": "page",
        "records": "Recorded runs",
        "references": "References",
        "section": "Section",
        "small": "Small scale: a quick run, whose numbers are not the report's",
        "sources": "Where the numbers come from",
        "table": "Table",
        "where": "where",
    },
    TAIWANESE: {
        "abstract": "摘要",
        "appendix": "附錄",
        "asked for": "作業要求",
        "author": "姓名",
        "comma": "、",
        "contents": "目錄",
        "experiments": "實驗",
        "figure": "圖",
        "key results": "主要結果",
        "networks": "網路",
        "number": "學號",
        "page": "頁",
        "records": "事先記錄的訓練",
        "references": "參考文獻",
        "section": "章節",
        "small": "小規模試跑：數字不代表報告的結果",
        "sources": "數字的來源",
        "table": "表",
        "where": "位置",
    },
}
"""{language: {what: word}}."""

LANGUAGES = tuple(WORDS)
DEFAULTS = {
    "title": "TD(0) learning for 2048",
    "name": "",
    "number": "",
    "course": "",
    "date": "",
    "language": ENGLISH,
    "font": "",
}
LISTS = ("name", "number")  # what several authors have each of their own
FILE = "report/report.toml"
NO_NAME = f"""The title page has no name yet, and leaves a line for it. Write {FILE}
(report.example.toml beside it shows all that it may hold):

    name = "王小明"
    number = "0123456"
"""

# What other editors write, and how each begins or what it would read as.
MARKS_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
OTHER_ENCODINGS = (("Big5", "big5hkscs"), ("GBK", "gbk"))

UNQUOTED = re.compile(r"^\s*(\w+)\s*=\s*([^\s\"'\[{#][^#]*?)\s*(?:#.*)?$")
FIELD = re.compile(r"^\s*(\w+)\s*[=＝]")
UNQUOTED_LIST = re.compile(r"^\s*(\w+)\s*=\s*\[(.*)\]\s*(?:#.*)?$")
WIDE_SIGNS = str.maketrans("＝［］，、", "=[],,")
QUOTES = "\"'“”‘’「」『』＂ "


def words_of(language: str) -> dict[str, str]:
    """The fixed words of a language.

    Raises
    ------
    ValueError
        If there are none in it.

    Examples
    --------
    >>> words_of("zh-TW")["figure"]
    '圖'
    """
    if language not in WORDS:
        known = " or ".join(f'"{name}"' for name in LANGUAGES)
        raise ValueError(f"the language is {known}, got {language!r}")
    return WORDS[language]


def title_data(root: Path, note: str = "") -> dict:
    """Read the fields of the title block of a checkout, with what is noted on every page.

    They are as in DEFAULTS where report.toml leaves them out; beside them there are the name of the
    family of the font, `authors`, a list of (name, number), and `words`, the fixed words of the
    language. ValueError says what to write, if report.toml is not as it should be.
    """
    text = _read(root / FILE)
    given = _parse(text)
    _check_names(given, text)
    fields = DEFAULTS | {name: _checked(name, value, text) for name, value in given.items()}
    if fields["language"] not in LANGUAGES:
        known = " or ".join(f'language = "{name}"' for name in LANGUAGES)
        where = _line_of("language", text)
        raise ValueError(f"{FILE}{where}: write {known}, got {fields['language']!r}")
    words = words_of(fields["language"])
    authors = _authors(fields["name"], fields["number"], text)
    fields |= {
        "name": words["comma"].join(name for name, _ in authors if name),
        "number": words["comma"].join(number for _, number in authors if number),
        "authors": authors,
        "words": words,
        "note": note,
        "family": "",
    }
    if fields["font"]:
        font = root / "report" / fields["font"]
        fields |= {"font": str(font), "family": _family_of(font, fields["font"])}
    return fields


def _read(path: Path) -> str:
    """The text of report.toml, none where there is no such file."""
    if not path.exists():
        return ""
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(_describe_encoding(content, error.start)) from None


def _describe_encoding(content: bytes, start: int) -> str:
    """What a file that is not in UTF-8 may be, and what to do."""
    advice = "save it with the encoding UTF-8 (your editor's “Save as” asks for it)"
    if content.startswith(MARKS_OF_UTF_16):
        return f"{FILE} is in UTF-16; {advice}"
    number = content.count(b"\n", 0, start) + 1
    line = content.splitlines()[number - 1]
    readings = []
    for encoding, codec in OTHER_ENCODINGS:
        try:
            readings.append(f"in {encoding} it reads {line.decode(codec).strip()}")
        except UnicodeDecodeError:
            continue
    told = f": {'; '.join(readings)}" if readings else ""
    return f"{FILE}, line {number}, is not in UTF-8{told}; {advice}"


def _parse(text: str) -> dict:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_describe(error, text)) from None


def _describe(error: tomllib.TOMLDecodeError, text: str) -> str:
    """What is wrong, and where it can be told, how the line should be."""
    for number, line in enumerate(text.splitlines(), 1):
        better = _mended(line)
        if better is not None:
            return f"{FILE}, line {number}: a text stands in quotes: {better}"
    return _describe_fields(text) or f"{FILE} cannot be read: {error}"


def _describe_fields(text: str) -> str:
    """What is wrong with the names of fields, "" where nothing is."""
    seen = set()
    for number, line in enumerate(text.splitlines(), 1):
        field = FIELD.match(line)
        if not field:
            continue
        name = field[1]
        if not name.isascii():
            return f"{FILE}, line {number}, has {name}. It may have {', '.join(DEFAULTS)}"
        if name in seen:
            advice = f'; several go into a list: {name} = ["...", "..."]' if name in LISTS else ""
            return f"{FILE}, line {number}, has {name} a second time{advice}"
        seen.add(name)
    return ""


def _mended(line: str) -> str | None:
    """A line with the quotes that it lacks; None where it has them or cannot be made out."""
    if _is_toml(line):
        return None
    plain = line.translate(WIDE_SIGNS)
    several = UNQUOTED_LIST.match(plain)
    if several:
        name, entries = several.groups()
        texts = [entry.strip(QUOTES) for entry in entries.split(",")]
        return f"{name} = {_written([text for text in texts if text])}"
    single = UNQUOTED.match(plain)
    if single:
        name, _ = single.groups()
        _, _, value = line.replace("＝", "=").partition("=")
        value, _, _ = value.partition("#")
        return f"{name} = {_written(value.strip().strip(QUOTES))}"
    if _is_toml(plain):
        return plain.strip()
    return None


def _written(value: str | list[str]) -> str:
    """A value as TOML has it.

    Examples
    --------
    >>> _written(["a", "b"])
    '["a", "b"]'
    """
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _is_toml(line: str) -> bool:
    try:
        tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _line_of(name: str, text: str) -> str:
    """Where a field stands: ", line 3"; nothing where that cannot be told."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*[\"\[]?{re.escape(name)}\b", line):
            return f", line {number}"
    return ""


def _check_names(given: dict, text: str) -> None:
    """Refuse a field that there is not, with the one that may be meant."""
    for name in given:
        if name in DEFAULTS:
            continue
        meant = _nearest(name)
        advice = f"; write {meant} = ..." if meant else ""
        raise ValueError(
            f"{FILE}{_line_of(name, text)}, has {name}{advice}. It may have {', '.join(DEFAULTS)}"
        )


def _nearest(name: str) -> str:
    """The field that a wrong name may mean, "" where none is near."""
    others = {"author": "name", "authors": "name", "names": "name", "id": "number"}
    others |= {"student_id": "number", "class": "course", "lang": "language"}
    if name.lower() in others:
        return others[name.lower()]
    return next(iter(difflib.get_close_matches(name.lower(), DEFAULTS, 1)), "")


def _checked(name: str, value, text: str) -> str | list[str]:
    """A value as text, or where several authors may have one each, as a list of texts."""
    where = f"{FILE}{_line_of(name, text)}"
    if isinstance(value, list):
        if any(isinstance(entry, dict | list | bool) for entry in value):
            raise ValueError(
                f'{where}: {name} is a list of texts, such as {name} = ["...", "..."], '
                f"got {value!r}"
            )
        entries = [str(entry) for entry in value]
        if name not in LISTS:
            better = _written(", ".join(entries))
            raise ValueError(f"{where}: {name} is one text, not a list; write {name} = {better}")
        return entries
    if isinstance(value, dict | bool):
        raise ValueError(f'{where}: {name} is a text, such as {name} = "...", got {value!r}')
    return str(value)


def _authors(name: str | list[str], number: str | list[str], text: str) -> list[tuple[str, str]]:
    """Each author's name and number."""
    names = name if isinstance(name, list) else [name]
    numbers = number if isinstance(number, list) else [number]
    if len(names) == len(numbers):
        return list(zip(names, numbers, strict=True))
    if numbers == [""] or numbers == []:
        return [(name, "") for name in names]
    as_many = _written(["..."] * len(names))
    raise ValueError(
        f"{FILE}{_line_of('number', text)}: {len(names)} in name and {len(numbers)} in number; "
        f"write one number for each name: number = {as_many}"
    )


def _family_of(font: Path, given: str) -> str:
    """What Typst calls a font."""
    try:
        with TTFont(font, fontNumber=0) as file:
            return file["name"].getBestFamilyName()
    except (OSError, TTLibError) as error:
        raise ValueError(f"{FILE} names the font {given}, which cannot be read: {error}") from None
