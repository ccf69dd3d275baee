"""Write src/treewright/native/normal_forms.inc: the characters that text in normal form may lack.

    python tools/normal_forms.py > src/treewright/native/normal_forms.inc

A run of characters of a class is three numbers: how many characters are between the run before and this one, how many
it has, and their class. The class of a mark that never composes is its combining class; MAYBE is for characters that
NFC changes, or may join to what stands before them.
"""

from __future__ import annotations

import sys
import textwrap
import unicodedata
from itertools import groupby

JOINER, INVISIBLE, MAYBE = 253, 254, 255
N_CODES = 0x110000
MOST = 0xFFFF  # what a number of the table holds
INVISIBLES = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\ufeff"
ISOLATES = range(0x2066, 0x2070)
JOINERS = "\u200c\u200d"
VOWELS_AND_FINALS = (range(0x1161, 0x1176), range(0x11A8, 0x11C3))  # of Hangul: they compose by a rule


def classes() -> list[int]:
    """Return the class of every character; 0 for those that NFC never changes, and that begin something new."""
    table = [unicodedata.combining(chr(code)) for code in range(N_CODES)]
    for code in range(N_CODES):
        character = chr(code)
        if unicodedata.normalize("NFC", character) != character:
            table[code] = MAYBE
        parts = unicodedata.normalize("NFD", character)
        if len(parts) > 1 and unicodedata.normalize("NFC", parts) == character:
            table[ord(parts[-1])] = MAYBE
    for run in VOWELS_AND_FINALS:
        for code in run:
            table[code] = MAYBE
    for code in (*map(ord, INVISIBLES), *ISOLATES):
        table[code] = INVISIBLE
    for character in JOINERS:
        table[ord(character)] = JOINER
    return table


def main() -> None:
    """Write the numbers; normal_forms.h says what they are."""
    runs: list[str] = []
    end = code = 0
    for kind, run in groupby(classes()):
        length = len(list(run))
        if kind:
            while code - end > MOST:
                runs.append(f"{{{MOST}, 0, 0}}")
                end += MOST
            runs.append(f"{{{code - end}, {length}, {kind}}}")
            end = code + length
        code += length
    made_from = f"/* Made by tools/normal_forms.py from Unicode {unicodedata.unidata_version}. */"
    sys.stdout.write(f"{made_from}\n{textwrap.fill(', '.join(runs), 114)}\n")


if __name__ == "__main__":
    main()
