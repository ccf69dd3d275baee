"""Rules that may split tokens which the treebank lacks. A model decides which ones to follow: multiword_guesses.pyx."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from treewright.kinds.tokenizer.multiwords.multiword_rules import (
    LONGEST_AFFIX,
    Split,
    affixes,
    prefix_rule,
    reach,
    suffix_rule,
)
from treewright.kinds.tokenizer.raw_text import SurfaceSentence, SurfaceToken

LEAST_FORMS = 2  # that a rule must split
LEAST_SHARE = 0.005  # of the forms with an ending or beginning, those that the rule splits; of others most look alike
Rule = tuple[bool, str, Split]  # an ending? which; the split


def with_guesses(
    settings: dict[str, Any], sentences: Iterable[SurfaceSentence], old: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return settings of a MultiwordTable with rules for a model to judge, in place of those that decide alone.

    ``old``: rules of a tokeniser to go on from, which stay; its splits have other numbers.
    """
    tokens = [token for sentence in sentences for token in sentence.tokens]
    numbers = {_split(split): number for number, split in enumerate(settings["splits"])}
    tables: dict[bool, dict[str, list[int]]] = {True: {}, False: {}}
    for backwards, affix, split in [*_old_rules(old), *_rules(tokens)]:
        found = tables[backwards].setdefault(affix, [])
        number = numbers.setdefault(split, len(numbers))
        if number not in found:
            found.append(number)
    guesses = {"endings": dict(sorted(tables[True].items())), "beginnings": dict(sorted(tables[False].items()))}
    # Known words that a rule would fit are listed, so that they stay whole.
    counts = Counter(token.form.lower() for token in tokens if len(token.words) < 2)
    forms = dict(settings["forms"])
    for form, count in counts.items():
        if count > 1 and form not in forms and _fits(form, tables):
            forms[form] = 0
    return {
        **settings,
        "splits": [[list(piece) for piece in split] for split in numbers],
        "forms": dict(sorted(forms.items())),
        "suffixes": {},
        "prefixes": {},
        "guesses": guesses,
    }


def _split(pieces: Iterable[Iterable[Any]]) -> Split:
    return tuple((start, end, text) for start, end, text in pieces)


def _old_rules(old: dict[str, Any] | None) -> Iterator[Rule]:
    if old is not None:
        for name, backwards in (("endings", True), ("beginnings", False)):
            for affix, splits in old["guesses"][name].items():
                for number in splits:
                    yield backwards, affix, _split(old["splits"][number])


def _rules(tokens: Iterable[SurfaceToken]) -> list[Rule]:
    """Return the rules by which the treebank splits several forms, and not too few of those that they fit."""
    tokens = list(tokens)
    split_forms: defaultdict[Rule, set[str]] = defaultdict(set)
    for token in tokens:
        if len(token.words) > 1:
            form = token.form.lower()
            for backwards, split in ((True, suffix_rule(token)), (False, prefix_rule(token))):
                n = reach(split, backwards) if split else 0
                if 0 < n <= min(LONGEST_AFFIX, len(form) - 1):
                    split_forms[backwards, form[-n:] if backwards else form[:n], split].add(form)
    wanted = {(backwards, affix) for backwards, affix, _ in split_forms}
    fitting = Counter(
        (backwards, affix)
        for form in {token.form.lower() for token in tokens}
        for backwards in (True, False)
        for affix in affixes(form, backwards)
        if (backwards, affix) in wanted
    )
    return [
        rule
        for rule, forms in split_forms.items()
        if len(forms) >= max(LEAST_FORMS, LEAST_SHARE * fitting[rule[0], rule[1]])
    ]


def _fits(form: str, tables: dict[bool, dict[str, list[int]]]) -> bool:
    return any(affix in table for backwards, table in tables.items() for affix in affixes(form, backwards))
