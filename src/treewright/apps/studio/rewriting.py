"""Rules in Grew's notation, as an edit of a sentence, and what they would do before anybody does it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from difflib import ndiff
from functools import lru_cache
from typing import NamedTuple

from treewright.apps.studio.drafts import Draft, EditError
from treewright.apps.studio.drawings import clamped, drawn, sentence_of
from treewright.apps.studio.sentence_names import ENCODING
from treewright.apps.studio.sentence_state import framed
from treewright.display.difference import picture_of_difference
from treewright.display.hooked import hooked
from treewright.display.svg import draw_hooked
from treewright.errors import TreewrightError
from treewright.query.language.tokens import PatternError
from treewright.query.rewriting.rewriter import Rewriter

LONGEST = 20_000  # characters of rules, which the journal keeps with every sentence


class Version(NamedTuple):
    """A sentence as it was when somebody tried rules on it."""

    key: str
    number: int
    revision: str
    text: str


class Trial(NamedTuple):
    """What rules would do."""

    changed: list[Version]
    rules: Counter[str]  # how often each would be applied
    first: str  # the first sentence that changes, after the rules


def rewriter_of(rules: str) -> Rewriter:
    """Return what applies rules; an error with line and column where they cannot be understood."""
    if len(rules) > LONGEST:
        raise EditError(f"more than {LONGEST:,} characters of rules: apply them with `treewright rewrite`")
    return Rewriter(rules)


def rewritten(text: str, rewriter: Rewriter) -> tuple[str, Counter[str]]:
    """Return a sentence after rules, with what stands around it, and how often each was applied."""
    change = rewriter.rewrite(sentence_of(text))
    if change.after == change.before:
        return text, Counter()
    return framed(change.after.decode(*ENCODING), text), change.rules


def rewrite(draft: Draft, rules: str) -> None:
    """Apply rules to a sentence that is being edited."""
    draft.lines = Draft(rewritten(draft.text, _kept(rules))[0]).lines


#: the same rules come again with the next sentence
_kept = lru_cache(4)(rewriter_of)


def trial(versions: Iterable[Version], rules: str) -> Trial:
    """Return what rules would do to sentences."""
    rewriter = rewriter_of(rules)
    found = Trial([], Counter(), "")
    for version in versions:
        try:
            after, counts = rewritten(version.text, rewriter)
        except PatternError:  # it names line and column of the rules
            raise
        except TreewrightError as error:
            raise TreewrightError(f"sentence {version.number + 1}: {error}") from None
        if after != version.text:
            found.changed.append(version)
            found.rules.update(counts)
            found = found if found.first else found._replace(first=after)
    return found


def changed_lines(before: str, after: str) -> list[str]:
    """Return the lines that differ, old ones with -, new ones with +."""
    return [line.rstrip() for line in ndiff(before.splitlines(), after.splitlines()) if line[:1] in "+-"]


def drawn_change(before: str, after: str, width: int) -> str:
    """Return the drawing of a sentence after rules; new arcs are marked where its words stay."""
    old, new = sentence_of(before), sentence_of(after)
    same_words = [word.form for word in old] == [word.form for word in new]
    if not same_words or None in (*old.heads, *new.heads):
        return drawn(Draft(after), None, width)
    picture = replace(picture_of_difference(new, old, "upos", right_tags=False), notes=())
    return draw_hooked(hooked(picture, {}), clamped(width))
