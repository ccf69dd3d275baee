"""Simulated annotation: how many decisions does the loop save a person who always answers right?

Sentences of a treebank are annotated one after the other, with the gold trees as the answers. Four ways to work:

- scratch: every word gets its head and relation by hand;
- suggestions: the parser of the studio fills in the tree, in the order of the treebank, and what is wrong is corrected;
- least sure: the same, but the sentence that the parser is least sure of comes next;
- re-parsed: as suggestions, and after each correction the rest of the sentence is parsed again around what is fixed;
- both: least sure first, re-parsed.

A decision is one word that gets its head and relation from the person. A person goes from left to right; what they
leave as it is, they have confirmed. "after 200" looks at new sentences in the order of the treebank once 200 are
annotated, so that all ways are compared on the same ones.

    python benchmarks/annotation.py TRAIN.conllu [TRAIN.conllu …] [--sentences 200] [--after 100] [--every 10]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from treewright.apps.studio.drafts import DEPREL, HEAD, Draft
from treewright.apps.studio.learning import LEAST, learn
from treewright.apps.studio.suggesting import blanked, suggestions
from treewright.steps.parser import Parser

Work = Callable[[Parser | None, str], int]  # a sentence with its gold tree → decisions that it takes


def answers(text: str) -> list[tuple[str, str]]:
    """Return the gold head and relation of every word."""
    return [(cells[HEAD], cells[DEPREL]) for _, cells in Draft(text).words()]


def from_scratch(parser: Parser | None, text: str) -> int:
    """Decide on every word."""
    return len(answers(text))


def corrected(parser: Parser | None, text: str) -> int:
    """Correct what the parser suggests."""
    if parser is None:
        return from_scratch(parser, text)
    found = suggestions(parser, [blanked(text)])[0]
    suggested = [(str(head), relation) for head, relation in zip(found.heads, found.relations, strict=True)]
    return sum(one != other for one, other in zip(suggested, answers(text), strict=True))


def reparsed(parser: Parser | None, text: str) -> int:
    """Correct the first wrong arc, have the rest parsed again around what is fixed, and so on."""
    if parser is None:
        return from_scratch(parser, text)
    gold, fixed, decisions = answers(text), 0, 0
    while True:
        found = suggestions(parser, [blanked(text, range(1, fixed + 1))])[0]
        suggested = [(str(head), relation) for head, relation in zip(found.heads, found.relations, strict=True)]
        wrong = next((n for n in range(fixed, len(gold)) if suggested[n] != gold[n]), None)
        if wrong is None:
            return decisions
        decisions += 1
        fixed = wrong + 1  # and what stands before it is confirmed


def simulate(
    pool: Sequence[str], after: Sequence[str], n: int, every: int, least_sure: bool, work: Work
) -> list[float]:
    """Return decisions per sentence and per word, first and later, and CPU seconds of the last training."""
    left, done, parser = list(pool), list[str](), None
    decisions = words = 0
    seconds = 0.0
    while len(done) < n and left:
        text = left.pop(0)
        decisions += work(parser, text)
        words += len(answers(text))
        done.append(text)
        if work is not from_scratch and (len(done) % every == 0 or LEAST <= len(done) <= every):
            start = time.process_time()
            learnt = learn(done)
            parser = learnt[0] if learnt is not None else None
            seconds = time.process_time() - start
            if least_sure and parser is not None:
                left = least_sure_first(parser, left)
    later = sum(work(parser, text) for text in after)
    return [decisions / len(done), decisions / words, later / len(after), later / total_words(after), seconds]


def least_sure_first(parser: Parser, left: Sequence[str]) -> list[str]:
    """Return sentences in the order of their mean confidence, the lowest first."""
    found = suggestions(parser, [blanked(text) for text in left])
    return [text for _, text in sorted(zip(found, left, strict=True), key=lambda pair: -pair[0].doubt)]


def total_words(texts: Sequence[str]) -> int:
    """Return the number of words."""
    return sum(len(answers(text)) for text in texts)


def main() -> None:
    """Print a table for each treebank."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", type=Path)
    parser.add_argument("--sentences", type=int, default=200, help="sentences to annotate (200)")
    parser.add_argument("--after", type=int, default=100, help="new sentences to look at afterwards (100)")
    parser.add_argument("--pool", type=int, default=600, help="sentences to choose from (600)")
    parser.add_argument("--every", type=int, default=10, help="sentences between trainings, after the first ten (10)")
    options = parser.parse_args()
    ways: list[tuple[str, bool, Work]] = [
        ("from scratch", False, from_scratch),
        ("suggestions", False, corrected),
        ("suggestions, least sure first", True, corrected),
        ("suggestions, re-parsed around fixed arcs", False, reparsed),
        ("least sure first, re-parsed", True, reparsed),
    ]
    print(f"| treebank | way | decisions a sentence, first {options.sentences} | saved | new sentences | saved | s |")
    print("|---|---|---|---|---|---|---|")
    for path in options.treebanks:
        texts = [text + "\n\n" for text in path.read_text(encoding="utf-8").strip("\n").split("\n\n")]
        after, pool = texts[: options.after], texts[options.after : options.after + options.pool]
        for name, least_sure, work in ways:
            first, share, later, later_share, seconds = simulate(
                pool, after, options.sentences, options.every, least_sure, work
            )
            print(
                f"| {path.name.split('-')[0]} | {name} | {first:.1f} | {1 - share:.0%} | {later:.1f}"
                f" | {1 - later_share:.0%} | {seconds:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
