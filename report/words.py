"""The fixed words of the report, in each language that report.toml may choose.

What stands in the notebooks stays in their language; these are the words between: Figure, Table,
Contents and the like.
"""

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
