"""Rules that turn a form into its lemma.

A rule changes case, then replaces some characters at the beginning and at the end; for irregular words it is the lemma
itself. *running* → *run* is "lower case, remove 4 characters at the end", which also works for *sitting*.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

TABLE = 0x3000  # only characters below this one change case
KEEP, LOWER, CAPITAL, UPPER = range(4)  # case: as it is, lower, first letter upper, all upper


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
def rule_for(form: str, lemma: str) -> LemmaRule:
    """Return the rule with the fewest changes."""
    best: tuple[int, LemmaRule] | None = None
    for case in (KEEP, LOWER, CAPITAL, UPPER):
        base = recased(form, case)
        start, in_lemma, length = _longest_common(base, lemma)
        if length == 0 or 2 * length < min(len(base), len(lemma)):
            continue
        change = Affixes(start, lemma[:in_lemma], len(base) - start - length, lemma[in_lemma + length :], "")
        cost = 4 * (change.strip_start + len(change.add_start)) + change.strip_end + len(change.add_end)
        if best is None or cost < best[0]:
            best = cost, LemmaRule(case, change)
    return best[1] if best is not None else LemmaRule(KEEP, Affixes(0, "", 0, "", lemma))


def apply(rule: LemmaRule, form: str) -> str:
    """Return the lemma of a form. Compiled code does the same (lemmatizer.pyx); this is for training and tests."""
    change = rule.affixes
    if change.whole:
        return change.whole
    base = recased(form, rule.case)
    if change.strip_start + change.strip_end > len(base):
        return base
    made = change.add_start + base[change.strip_start : len(base) - change.strip_end] + change.add_end
    return made or base


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
