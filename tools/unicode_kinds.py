"""Write src/treewright/native/unicode_kinds.inc: the class of every Unicode character, for the tokeniser.

    python tools/unicode_kinds.py > src/treewright/native/unicode_kinds.inc

Classes come from the general category. What may end a sentence is Sentence_Terminal of the Unicode database, which
Python does not have, so the list stands here. The numbers are those of `characters.pxd`.
"""

from __future__ import annotations

import sys
import textwrap
import unicodedata
from itertools import groupby

SPACE, LOWER, UPPER, DIGIT, LETTER, IDEOGRAPH, KANA, STOP, COMMA, OPEN, CLOSE, QUOTE, DASH, OTHER = range(14)
MARK, SYMBOL, CURRENCY, EMOJI, UNSPACED, NUMERAL, SIGN = range(15, 22)
BY_TURNS = 31  # UPPER, LOWER, UPPER and so on: no class, but a run of the table

STOPS = (
    "! . ? 589 61d-61f 6d4 700-702 7f9 837 839 83d 83e 964 965 104a 104b 1362 1367 1368 166e 1735 1736 17d4 17d5 1803"
    " 1809 1944 1945 1aa8-1aab 1b5a 1b5b 1b5e 1b5f 1c3b 1c3c 1c7e 1c7f 2026 203c 203d 2047-2049 2e2e 2e3c 3002 a4ff"
    " a60e a60f a6f3 a6f7 a876 a877 a8ce a8cf a92f a9c8 a9c9 aa5d-aa5f aaf0 aaf1 abeb fe52 fe56 fe57 ff01 ff0e ff1f"
    " ff61 10a56 10a57 11047 11048 110be-110c1 11141-11143 111c5 111c6 11238 11239 1144b 1144c 115c2 115c3 11641 11642"
    " 16a6e 16a6f 16af5 16b37 16b38 16b44 1bc9f 1da88"
)
COMMAS = (
    ", ; : b7 387 60c 61b 7f8 1363-1366 1802 1808 3001 a60d a6f5 a6f6 fe10-fe14 fe50 fe51 fe54 fe55 ff0c ff1a ff1b ff64"
)
QUOTES = "\" ' ` 2019 ff02 ff07"
#: scripts without spaces between words: Thai, Lao, Tibetan, Burmese, Khmer, and their relatives
UNSPACED_SCRIPTS = "e00-eff f00-fff 1000-109f 1780-17ff 1950-19df 1a20-1aad a9e0-a9fe aa60-aadf"
IDEOGRAPHS = "2e80-2fdf 3005-3007 3021-3029 3038-303b 3400-4dbf 4e00-9fff f900-faff 20000-3ffff"
KANAS = "3041-30ff 31f0-31ff ff66-ff9f 1b000-1b16f"
CATEGORIES = {
    "Ll": LOWER,
    "Lu": UPPER,
    "Lt": UPPER,
    "Lm": LETTER,
    "Lo": LETTER,
    "Nd": DIGIT,
    "Nl": NUMERAL,
    "No": NUMERAL,
    "Mn": MARK,
    "Mc": MARK,
    "Me": MARK,
    "Ps": OPEN,
    "Pi": OPEN,
    "Pe": CLOSE,
    "Pf": CLOSE,
    "Pd": DASH,
    "Pc": SIGN,
    "Po": SIGN,
    "Sc": CURRENCY,
    "Sm": SYMBOL,
    "Sk": SYMBOL,
    "So": EMOJI,
    "Zs": SPACE,
    "Zl": SPACE,
    "Zp": SPACE,
}


def codes(ranges: str) -> set[int]:
    """Return the characters of a list: characters themselves, or hexadecimal numbers and ranges."""
    found: set[int] = set()
    for part in ranges.split():
        if len(part) == 1:
            found.add(ord(part))
            continue
        first, _, last = part.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return found


def kinds() -> list[int]:
    """Return the class of every character."""
    table = [CATEGORIES.get(unicodedata.category(chr(code)), OTHER) for code in range(0x110000)]
    for code in codes(UNSPACED_SCRIPTS):
        if table[code] == LETTER:
            table[code] = UNSPACED
    for name, kind in ((IDEOGRAPHS, IDEOGRAPH), (KANAS, KANA), (STOPS, STOP), (COMMAS, COMMA), (QUOTES, QUOTE)):
        for code in codes(name):
            table[code] = kind
    for code in (*range(1, 32), 0x7F, 0x85):
        table[code] = SPACE
    for code in (0xBF, 0xA1, 0x201A, 0x201E):
        table[code] = OPEN
    for code in (*range(0x1F000, 0x1FB00), 0xFE0F, 0x20E3, 0x200D):
        table[code] = EMOJI if code > 0x1EFFF else MARK
    for code in (*range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080), 0x200C, 0xAD):
        table[code] = MARK  # skin tones, tags of flags, the joiner that does not join, the soft hyphen
    return table


def runs(table: list[int]) -> list[tuple[int, int]]:
    """Return the runs of a class with their lengths; capitals and their small letters by turns are one run."""
    found: list[tuple[int, int]] = []
    for kind, run in groupby(table):
        length = len(list(run))
        last = found[-1] if found else (OTHER, 0)
        if kind == LOWER and length == 1 and last == (UPPER, 1):
            found.pop()
            pairs = found.pop()[1] if found[-1][0] == BY_TURNS else 0
            found.append((BY_TURNS, pairs + 2))
        else:
            found.append((kind, length))
    return found


def main() -> None:
    """Write the numbers; unicode_kinds.h says what they are."""
    numbers = ", ".join(str(length << 5 | kind) for kind, length in runs(kinds()))
    made_from = f"/* Made by tools/unicode_kinds.py from Unicode {unicodedata.unidata_version}. */"
    sys.stdout.write(f"{made_from}\n{textwrap.fill(numbers, 114)}\n")


if __name__ == "__main__":
    main()
