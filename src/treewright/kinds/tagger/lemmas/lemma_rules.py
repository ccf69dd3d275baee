"""Rules that turn a form into its lemma.

A rule changes case, then replaces some characters at the beginning and at the end; for irregular words it is the lemma
itself. *running* → *run* is "lower case, remove 4 characters at the end", which also works for *sitting*.

What is put at the beginning or end may keep characters of what is removed there, as an edit tree does (Chrupała 2008):
*ανθρώπων* → *άνθρωπος* puts ``ω``, the second of the four removed characters, and ``ος``, which also works for other
words whose accent moves. Characters for private use in Unicode stand for those that are kept, as they are or with an
acute accent removed or added: *ώπου* → *ωπο* is "the first without its accent, the second, the third".
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

TABLE = 0x3000  # only characters below this one change case
KEEP, LOWER, CAPITAL, UPPER = range(4)  # case: as it is, lower, first letter upper, all upper
KEPT = 0xE000  # chr(KEPT + k), for private use in Unicode: the k-th of the removed characters stays
PLAIN, ACUTE = 0xE100, 0xE200  # the same: it stays without, with an acute accent
LAST_MARK = 0xE2FF
MOST_REMEMBERED = 1 << 18  # pairs of a form and a lemma
MOST_KEPT = 64  # characters of an affix that can stay; longer affixes are replaced whole


class Affixes(NamedTuple):
    """What changes at the beginning and at the end of a form; or its lemma, where they have nothing in common."""

    strip_start: int
    add_start: str
    strip_end: int
    add_end: str
    whole: str


class LemmaRule(NamedTuple):
    """How a lemma is made from a form."""

    case: int
    affixes: Affixes


def recased(form: str, case: int) -> str:
    """Return a form in the case of a rule, character by character."""
    if case == LOWER:
        return "".join(map(lower, form))
    if case == CAPITAL:
        return upper(form[:1]) + "".join(map(lower, form[1:]))
    return "".join(map(upper, form)) if case == UPPER else form


def lower(char: str) -> str:
    """Return the lower case of a character, if it is one character and the tables of compiled code have it."""
    changed = char.lower()
    return changed if len(changed) == 1 and ord(char) < TABLE else char


def upper(char: str) -> str:
    """Return the upper case of a character, if it maps back to the character."""
    changed = char.upper()
    return changed if len(changed) == 1 and char and ord(char) < TABLE and changed.lower() == char else char


@cache
def plain(char: str) -> str:
    """Return a character without its acute accent, if that is all that it has."""
    parts = unicodedata.normalize("NFD", char)
    is_plain = len(parts) == 2 and parts[1] == "\u0301" and ord(char) < TABLE and accented(parts[0]) == char
    return parts[0] if is_plain else char


@cache
def accented(char: str) -> str:
    """Return a character with an acute accent, if Unicode has it and the tables of compiled code do."""
    made = unicodedata.normalize("NFC", char + "\u0301")
    return made if len(made) == 1 and max(ord(made), ord(char)) < TABLE else char


def accent_pairs() -> set[str]:
    """Return the characters that an acute accent may be taken from or put on: all others stay as they are."""
    found = set()
    for char in map(chr, range(TABLE)):
        parts = unicodedata.decomposition(char)
        if parts and not parts.startswith("<"):
            found.add(char)
            if parts.endswith(" 0301"):
                found.add(chr(int(parts.split()[0], 16)))
    return found


@lru_cache(MOST_REMEMBERED)
def rule_for(form: str, lemma: str) -> LemmaRule:
    """Return the rule with the fewest changes."""
    best: tuple[int, LemmaRule] | None = None
    bases: dict[str, int] = {}  # a later case that makes the same of the form is never better
    for case in (KEEP, LOWER, CAPITAL, UPPER):
        bases.setdefault(recased(form, case), case)
    if lemma in bases and not any(map(is_mark, lemma)):  # most words: nothing but the case changes
        return LemmaRule(bases[lemma], Affixes(0, "", 0, "", ""))
    for base, case in bases.items():
        if any(is_mark(char) for char in base + lemma):
            continue
        for start, in_lemma, length in (_longest_common(base, lemma), _common_start(base, lemma)):
            add_start = _edited(base[:start], lemma[:in_lemma])
            add_end = _edited(base[start + length :], lemma[in_lemma + length :])
            kept = length + sum(map(is_mark, add_start + add_end))
            if length == 0 or 2 * kept < min(len(base), len(lemma)):
                continue
            change = Affixes(start, add_start, len(base) - start - length, add_end, "")
            cost = 4 * (change.strip_start + len(change.add_start)) + change.strip_end + len(change.add_end)
            if best is None or cost < best[0]:
                best = cost, LemmaRule(case, change)
    return best[1] if best is not None else LemmaRule(KEEP, Affixes(0, "", 0, "", lemma))


def is_mark(char: str) -> bool:
    """Does a character of a rule stand for one that is kept?"""
    return KEPT <= ord(char) <= LAST_MARK


def _common_start(a: str, b: str) -> tuple[int, int, int]:
    """Return the stretch that two texts have in common at the beginning, as ``_longest_common`` does."""
    length = next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return 0, 0, length


def _edited(old: str, new: str, offset: int = 0) -> str:
    """Return what makes ``new`` of ``old``: its text, with a mark for each character that stays."""
    if not old or not new or offset + len(old) > MOST_KEPT:
        return new
    start, in_new, length = _longest_common("".join(map(plain, old)), "".join(map(plain, new)))
    if length == 0:
        return new
    marks = []
    for place in range(start, start + length):
        there = new[in_new + place - start]
        kind = KEPT if old[place] == there else PLAIN if plain(old[place]) == there else ACUTE
        marks.append(chr(kind + offset + place))
    after = start + length
    before = _edited(old[:start], new[:in_new], offset)
    return before + "".join(marks) + _edited(old[after:], new[in_new + length :], offset + after)


def _filled(text: str, removed: str) -> str:
    """Return what a rule puts in the place of removed characters."""
    return "".join(_kept(char, removed) for char in text)


def _kept(char: str, removed: str) -> str:
    kind, place = ord(char) & ~0xFF, ord(char) & 0xFF
    if not is_mark(char) or place >= len(removed):
        return char
    there = removed[place]
    return there if kind == KEPT else plain(there) if kind == PLAIN else accented(there)


def apply(rule: LemmaRule, form: str) -> str:
    """Return the lemma of a form. Compiled code does the same (lemmatizer.pyx); this is for training and tests."""
    change = rule.affixes
    if change.whole:
        return change.whole
    base = recased(form, rule.case)
    if change.strip_start + change.strip_end > len(base):
        return base
    end = len(base) - change.strip_end
    start = _filled(change.add_start, base[: change.strip_start])
    return start + base[change.strip_start : end] + _filled(change.add_end, base[end:]) or base


def _longest_common(a: str, b: str) -> tuple[int, int, int]:
    """Return where the longest common stretch of two texts begins in each, and its length; the first of several."""
    if a.startswith(b):
        return 0, 0, len(b)
    best = (0, 0, 0)
    before = [0] * (len(b) + 1)
    for i, char in enumerate(a):
        now = [0] * (len(b) + 1)
        for k, other in enumerate(b):
            if char == other:
                now[k + 1] = before[k] + 1
                if now[k + 1] > best[2]:
                    best = (i + 1 - now[k + 1], k + 1 - now[k + 1], now[k + 1])
        before = now
    return best
