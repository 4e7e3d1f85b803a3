"""Letters: Chinese, Japanese and Korean wherever text stands, and what no font has, told first."""

import io

import pytest
import tiny_notebooks as tiny
from fontTools.ttLib import TTFont
from pypdf import PdfReader
from tiny_notebooks import code, figure, md, notebook, stream, table

from notebook_tools.files import sources
from report import build, letters, pdf
from report.document import parts_of
from report.pandoc import convert
from report.title import title_data
from workbook.fonts import BODY, EAST_ASIAN
from workbook.fonts.__main__ import main as make_fonts
from workbook.fonts.characters import east_asian, is_ideograph

LARGEST = 5_000_000  # bytes

TEXT = """# 時序差分學習

我們從一盤隨機的遊戲開始：玩家每走一步，就得到一個分數 $r$，然後估計盤面的價值。
「為什麼？」因為真正的價值沒有人知道，只能從遊戲裡學到。**這一步很重要**，*請注意*；
ㄅㄆㄇ、ひらがな・カタカナ、한국어도 나옵니다。

## 更新規則

- 第一項：步長 `α` 與 `獎勵`。

$$V(s') \\leftarrow V(s') + \\alpha\\,(r + V(\\text{下一步}) - V(s'))$$

| 方法 | 分數 |
|:-----|-----:|
| 向後更新 | 12,345 |
"""
CODE = '''def update(board, delta):
    # 每個查表的權重都加上一點點（平均分配）。
    return "新的價值"'''
SHOWN = [
    *figure(caption="盤面的價值。", svg=tiny.SVG.format(alt="盒子", text="標籤：價值")),
    *table(caption="兩種方法的分數。", text="| 方法 | 分數 |\n|---|--:|\n| 甲 | 20 |"),
    *stream("平均分數：一萬二千"),
]


def test_a_report_in_chinese(tmp_path):
    about = title_data(tmp_path) | {
        "title": "2048 的時序差分學習",
        "name": "王小明",
        "course": "電腦對局理論",
    }
    nb = notebook(md(TEXT), code(CODE, "report", "report-source", outputs=SHOWN))
    parts, problems = parts_of(nb, "05_x", "")
    reader = PdfReader(io.BytesIO(pdf.render(parts, about, problems=problems)))
    text = "".join(page.extract_text() for page in reader.pages).replace("\n", "")
    for words in (
        *("的時序差分學習", "王小明", "電腦對局理論", "更新規則"),  # title and headings
        *("玩家每走一步，就得到一個分數", "「為什麼？」", "這一步很重要", "請注意", "ㄅㄆㄇ"),
        *("カタカナ", "한국어도", "獎勵", "下一步", "向後更新"),
        *("每個查表的權重都加上一點點（平均分配）。", "新的價值"),  # code
        *("盤面的價值。", "標籤：價值", "兩種方法的分數。", "平均分數：一萬二千"),
    ):
        assert words in text, words


def test_the_end_of_a_line_leaves_no_gap_in_chinese():
    parts, _ = parts_of(notebook(md("第一行，\n第二行 and\nEnglish")), "05_x", "")
    assert convert(parts, "typst").parts[0].text.strip() == "第一行，第二行 and English"


def test_what_the_files_hold():
    wanted = east_asian()
    assert sum(map(is_ideograph, wanted)) == 10_365
    for everyday in (
        "的是我學習盤面價值",
        "，。：；（）、「」！？『』《》…—",
        "ㄅㄆˇ",
        "あア",
        "한글",
    ):
        assert set(everyday) <= wanted, everyday
    for file in EAST_ASIAN:
        assert file.stat().st_size < LARGEST
        with TTFont(file) as font:
            held = set(map(chr, font.getBestCmap()))
        assert {letter for letter in held - wanted if letter >= "\u3000"} == set()
        assert not [letter for letter in wanted - held if is_ideograph(letter)]
        assert set("，。「」ㄅˇあア한") <= held
    for file in BODY:
        with TTFont(file) as font:
            held = set(map(chr, font.getBestCmap()))
        assert set("azAZ09−’′×≤αλ…") <= held


def test_letters_that_no_font_has():
    assert letters.undrawable("aα₄′−←≤學가あ、▁✓") == set()
    assert letters.undrawable("學😀𠮷") == {"😀", "𠮷"}


def test_letters_are_looked_at_before_anything_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(build.execute, "run_experiments", pytest.fail)
    cells = [
        md("# A 學"),
        code("# 😀 is in no report", "scratch"),
        md("a 𠮷 here, and one more 𠮷 and 🂡"),
        code("def index():\n    return 1  # 😀", "exercise"),
    ]
    tiny.write(tmp_path, **{"01_x": notebook(*cells)})
    with pytest.raises(ValueError) as error:
        build.build("small", root=tmp_path, show=False)
    first, second, advice = str(error.value).split("\n")
    assert first == "01_x.ipynb, cell 3: no font has 🂡 (U+1F0A1), 𠮷 (U+20BB7)"
    assert second == "01_x.ipynb, cell 4: no font has 😀 (U+1F600)"
    assert "report.toml" in advice


def test_the_notebooks_have_no_other_letters():
    letters.check(letters.texts_of(sources()))


def test_fonts_are_made_from_fonts_of_these_families_alone(tmp_path, capsys):
    dejavu = pdf.PICTURE_FONTS[0]
    assert make_fonts([str(dejavu)]) == 1
    told = capsys.readouterr().err
    assert "holds DejaVu Sans Book; wanted is one of Noto Serif CJK TC Regular" in told
    (tmp_path / "a.otf").write_text("no font")
    for missing in ("a.otf", "b.ttc"):
        assert make_fonts([str(tmp_path / missing)]) == 1
        assert f"{missing} cannot be read as a font" in capsys.readouterr().err
