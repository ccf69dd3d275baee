"""The multiword tokens of a treebank, as data for MultiwordTable.

A split is learnt twice: for the form itself, and as a rule for all forms with the same ending (*'s* in *John's*, *lo*
in *vederlo*) or beginning. Endings are tried from short to long. One that disagrees with the shorter ending before it
becomes a rule of its own: *solo* is not split just because *vederlo* is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from treewright.kinds.tokenizer.multiwords.multiword_context import context_weights
from treewright.kinds.tokenizer.raw_text import SurfaceSentence, SurfaceToken

LONGEST_AFFIX = 8
Split = tuple[tuple[int, int | None, str], ...]
NO_SPLIT: Split = ()


def multiword_settings(sentences: Iterable[SurfaceSentence], old: dict[str, Any] | None = None) -> dict[str, Any]:
    """Count tokens and their splits; return the settings of a MultiwordTable.

    ``old``: settings to go on from. Their forms and rules stay, except those that the sentences decide otherwise.
    """
    sentences = list(sentences)
    seen: dict[str, Counter[Split]] = {}
    rules: dict[str, tuple[Split, Split]] = {}
    for sentence in sentences:
        for token in sentence.tokens:
            form = token.form.lower()
            counts = seen.get(form)
            if counts is None:
                counts = seen[form] = Counter()
            if len(token.words) < 2:
                counts[NO_SPLIT] += 1
                continue
            counts[split_of(token)] += 1
            rules[form] = (suffix_rule(token), prefix_rule(token))
    old_forms, old_suffixes, old_prefixes = (_splits(old, table) for table in ("forms", "suffixes", "prefixes"))
    if not rules and not old_forms:
        return {"splits": [[]], "forms": {}, "suffixes": {}, "prefixes": {}, "contexts": {}}
    decided = {form: max(counts, key=lambda split: (counts[split], str(split))) for form, counts in seen.items()}
    by_end = {form: rules[form][0] if split else NO_SPLIT for form, split in decided.items()}
    suffixes = old_suffixes | _decision_list(by_end, backwards=True)
    # Beginnings are for forms that endings do not explain.
    rest = {form: split for form, split in decided.items() if not split or not _ruled(form, suffixes, backwards=True)}
    by_start = {form: rules[form][1] if split else NO_SPLIT for form, split in rest.items()}
    prefixes = old_prefixes | _decision_list(by_start, backwards=False)
    numbers: dict[Split, int] = {NO_SPLIT: 0}

    def number(split: Split) -> int:
        return numbers.setdefault(split, len(numbers))

    # Single words need no entry unless a rule would split them. Seen only once, they may be mistakes.
    contexts = context_weights(sentences)
    for form in contexts:  # the context says whether, the table how
        del seen[form][NO_SPLIT]
        decided[form] = max(seen[form], key=lambda split: (seen[form][split], str(split)))
    forms = old_forms | {
        form: split
        for form, split in decided.items()
        if split
        or (
            seen[form][NO_SPLIT] > 1
            and (form in old_forms or _ruled(form, suffixes, backwards=True) or _ruled(form, prefixes, backwards=False))
        )
    }
    return {
        "forms": {form: number(split) for form, split in sorted(forms.items())},
        "suffixes": {affix: number(split) for affix, split in sorted(suffixes.items())},
        "prefixes": {affix: number(split) for affix, split in sorted(prefixes.items())},
        "contexts": ((old or {}).get("contexts") or {}) | contexts,
        "splits": [[list(piece) for piece in split] for split in numbers],
    }


def _splits(settings: dict[str, Any] | None, table: str) -> dict[str, Split]:
    """Return the split of every form, ending or beginning in a table of settings."""
    if settings is None:
        return {}
    splits = [tuple((start, end, text) for start, end, text in split) for split in settings["splits"]]
    return {text: splits[number] for text, number in settings[table].items()}


def split_of(token: SurfaceToken) -> Split:
    """Return how a token is split: cut into pieces if its words join to the token, else as the words themselves."""
    if "".join(token.words) != token.form:
        return tuple((0, 0, word.lower()) for word in token.words)
    pieces, at = [], 0
    for word in token.words:
        end = at + len(word)
        pieces.append((at, end if end < len(token.form) else None, ""))
        at = end
    return tuple(pieces)


def suffix_rule(token: SurfaceToken) -> Split:
    """Return the split by ending: the first word keeps the beginning of the token."""
    form, words = token.form.lower(), [word.lower() for word in token.words]
    if "".join(words) == form:
        pieces: list[tuple[int, int | None, str]] = []
        after = len(form)
        for word in reversed(words[1:]):
            pieces.append((after - len(word) - len(form), after - len(form) or None, ""))
            after -= len(word)
        return ((0, after - len(form), ""), *reversed(pieces))
    stem = 0
    while stem < min(len(form), len(words[0])) and form[stem] == words[0][stem]:
        stem += 1
    if stem < 2 or len(form) - stem > LONGEST_AFFIX or stem == len(form):
        return NO_SPLIT
    return ((0, stem - len(form), words[0][stem:]), *((0, 0, word) for word in words[1:]))


def prefix_rule(token: SurfaceToken) -> Split:
    """Return the split by beginning: the last word keeps the end of the token."""
    form, words = token.form.lower(), [word.lower() for word in token.words]
    last = words[-1]
    before = len(form) - len(last)
    if not form.endswith(last) or len(last) < 2 or not 0 < before <= LONGEST_AFFIX:
        return NO_SPLIT
    if "".join(words) == form:
        pieces: list[tuple[int, int | None, str]] = []
        at = 0
        for word in words[:-1]:
            pieces.append((at, at + len(word), ""))
            at += len(word)
        return (*pieces, (at, None, ""))
    return (*((0, 0, word) for word in words[:-1]), (before, None, ""))


def reach(split: Split, backwards: bool) -> int:
    """Return how many characters of the ending or beginning a rule relies on."""
    if backwards:
        return -(split[0][1] or 0)
    return split[-1][0]


def _decision_list(outcomes: dict[str, Split], backwards: bool) -> dict[str, Split]:
    """Return the split of most forms with an ending (or beginning), where it differs from that of shorter ones."""
    votes: dict[str, Counter[Split]] = {}
    wanted = {affix for form, split in outcomes.items() if split for affix in affixes(form, backwards)}
    for form, split in outcomes.items():
        for affix in affixes(form, backwards):
            if affix in wanted:
                votes.setdefault(affix, Counter())[split] += 1
    chosen: dict[str, Split] = {}
    for affix in sorted(votes, key=len):
        split, count = max(votes[affix].items(), key=lambda item: (item[1], str(item[0])))
        shorter = affix[1:] if backwards else affix[:-1]
        inherited = chosen.get(shorter, NO_SPLIT)
        fits = not split or reach(split, backwards) <= len(affix)
        chosen[affix] = split if fits and count >= 2 and 2 * count > sum(votes[affix].values()) else inherited
    return {
        affix: split
        for affix, split in chosen.items()
        if split != chosen.get(affix[1:] if backwards else affix[:-1], NO_SPLIT)
    }


def affixes(form: str, backwards: bool) -> list[str]:
    """Return the beginnings of a form, or its endings, from the shortest on."""
    longest = min(LONGEST_AFFIX, len(form) - 1)
    return [form[-n:] if backwards else form[:n] for n in range(1, longest + 1)]


def _ruled(form: str, rules: dict[str, Split], backwards: bool) -> bool:
    split = NO_SPLIT
    for affix in affixes(form, backwards):
        split = rules.get(affix, split)
    return bool(split)
