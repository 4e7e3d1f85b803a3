"""Which characters the files in this folder hold.

Unicode has no order of use, but the older national standards do: their first levels hold what is
written every day. Python knows these standards as codecs, so the lists are made from them.
"""

from collections.abc import Iterable

TRAIL_OF_BIG5 = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
TRAIL_OF_EUC = tuple(range(0xA1, 0xFF))

# What a report in English needs in its figures: Latin with its accents, Greek, punctuation,
# arrows, signs of mathematics.
LATIN_RANGES = (
    (0x0020, 0x017F),
    (0x02B0, 0x0304),
    (0x0370, 0x03FF),
    (0x2000, 0x206F),
    (0x2070, 0x209F),
    (0x20A0, 0x20BF),
    (0x2100, 0x214F),
    (0x2190, 0x21FF),
    (0x2200, 0x22FF),
)

# Signs beside the ideographs: punctuation, kana, bopomofo with its tones, full-width forms.
SIGN_RANGES = (
    (0x3000, 0x303F),
    (0x3041, 0x30FF),
    (0x3105, 0x312F),
    (0xFF01, 0xFFE6),
)
TONES = "ˊˇˋ˙"

# Names like characters that everyday text does without. Unicode orders ideographs by their radical;
# these ranges are those of what people are called after: 人 土 女 日 水 火 玉 示 艸.
RADICALS_OF_NAMES = (
    (0x4EBA, 0x513E),
    (0x571F, 0x58EA),
    (0x5973, 0x5B4F),
    (0x65E5, 0x66EF),
    (0x6C34, 0x706A),
    (0x706B, 0x7229),
    (0x7389, 0x74DB),
    (0x793A, 0x79B7),
    (0x8278, 0x864C),
)
MORE_OF_NAMES = (
    "伃侊俽倻僡儁冔凃卬卲哖喆嘒囷堃墻夆奂妫娪娫媁嫺寘峮嵂嶧弢忞怞悕惢惪惲愔慜慬扆掞撝斾旂"
    "晳朢枏枬梣楀榳橒滢煊爗珉珏瑈瑨瓈甹皜皞眎睎砡秝稑竑竤竫筳簥絜綉綝綪緁緗繐羢翃裬詡赟邨"
    "郟鄔鈁鈄鈊鈦鉫鉷銣銪銹鋆鋐鋕錀鍇鍏闓闞靚頎馡馷驊髙龢"
)


def is_ideograph(character: str) -> bool:
    """Whether this is a Chinese character of the block that everyday text is written in.

    Examples
    --------
    >>> is_ideograph("學"), is_ideograph("。"), is_ideograph("a")
    (True, False, False)
    """
    return "\u4e00" <= character <= "\u9fff"


def characters_in(codec: str, first: int, last: int, trail: Iterable[int]) -> set[str]:
    """The characters of a two-byte standard whose first byte lies in a range, ends included.

    Examples
    --------
    >>> len(characters_in("big5", 0xA4, 0xC5, TRAIL_OF_BIG5))
    5338
    """
    found = set()
    for lead in range(first, last + 1):
        for second in trail:
            character = bytes([lead, second]).decode(codec, errors="ignore")
            if len(character) == 1 and character > "\x7f":
                found.add(character)
    return found


def in_ranges(ranges: Iterable[tuple[int, int]]) -> set[str]:
    """The characters of ranges of Unicode, ends included."""
    return {chr(code) for first, last in ranges for code in range(first, last + 1)}


def latin() -> set[str]:
    """What the files of the body's face hold."""
    return in_ranges(LATIN_RANGES)


def east_asian() -> set[str]:
    """What the files for Chinese, Japanese and Korean hold.

    Traditional Chinese comes first: level 1 of Big5 whole, and of level 2 what another country's
    standard holds as well, for that is what is read outside dictionaries, and what people are
    called. Level 1 of GB 2312 and of JIS X 0208 follow, the Hangul syllables of KS X 1001, and the
    signs of all of them.
    """
    frequent = characters_in("big5", 0xA4, 0xC6, TRAIL_OF_BIG5)
    rare = characters_in("big5", 0xC9, 0xF9, TRAIL_OF_BIG5)
    chinese = characters_in("gb2312", 0xB0, 0xD7, TRAIL_OF_EUC)
    japanese = characters_in("euc_jp", 0xB0, 0xCF, TRAIL_OF_EUC)
    elsewhere = (
        characters_in("gb2312", 0xB0, 0xF7, TRAIL_OF_EUC)
        | characters_in("euc_jp", 0xB0, 0xF4, TRAIL_OF_EUC)
        | characters_in("euc_kr", 0xCA, 0xFD, TRAIL_OF_EUC)
    )
    names = (rare & in_ranges(RADICALS_OF_NAMES)) | set(MORE_OF_NAMES)
    ideographs = frequent | (rare & elsewhere) | names | chinese | japanese
    hangul = characters_in("euc_kr", 0xB0, 0xC8, TRAIL_OF_EUC)
    signs = (
        characters_in("big5", 0xA1, 0xA3, TRAIL_OF_BIG5)
        | characters_in("gb2312", 0xA1, 0xA9, TRAIL_OF_EUC)
        | characters_in("euc_jp", 0xA1, 0xA8, TRAIL_OF_EUC)
        | characters_in("euc_kr", 0xA1, 0xAC, TRAIL_OF_EUC)
        | in_ranges(SIGN_RANGES)
        | set(TONES)
    )
    return ideographs | hangul | signs
