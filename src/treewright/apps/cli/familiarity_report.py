"""What `treewright parse --check` says: how much of each input a model knows from its training."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from treewright.apps.cli.inputs import Input
from treewright.errors import CombinationError
from treewright.evaluation.tables import table_lines
from treewright.steps.call import Call
from treewright.steps.familiarity import Familiarity
from treewright.steps.reader import blocks_of
from treewright.steps.step import Step
from treewright.treebank.sentences.sentence import sentences_in

HEADER = ("input", "sentences", "words", "words a sentence", "unknown words, %", "usual, %", "scripts", "")


def check_familiarity(step: Step, inputs: Sequence[Input], format: str | None, call: Call) -> int:
    """Print a line for each input; returns 1 if one of them is unlike the training data."""
    rows = []
    foreign = 0
    for given in inputs:
        known, sentences, scripts = _look_at(step, given, format, call)
        foreign += known.is_foreign
        rows.append(_row(given, known, sentences, scripts))
    print("\n".join(table_lines(HEADER, rows)))
    return 1 if foreign else 0


def _look_at(step: Step, given: Input, format: str | None, call: Call) -> tuple[Familiarity, int, Counter[str]]:
    known, sentences = Familiarity(0, 0, 0), 0
    scripts: Counter[str] = Counter()
    for block in blocks_of(step, given.source, format, call):
        here = step._familiarity(block)
        if here is None:
            raise CombinationError("--check needs a tagger, which knows words: this model has none")
        known, sentences = known + here, sentences + block.n_sentences
        for sentence in sentences_in([block]):
            scripts.update(filter(None, map(_script, sentence.text)))
    return known, sentences, scripts


def _script(character: str) -> str:
    """Return the script of a letter, as the names of Unicode begin (LATIN, CYRILLIC); "" for what is no letter."""
    return unicodedata.name(character, "").partition(" ")[0].capitalize() if character.isalpha() else ""


def _row(given: Input, known: Familiarity, sentences: int, scripts: Counter[str]) -> tuple[str, ...]:
    letters = max(1, scripts.total())
    shown = ", ".join(f"{name} {100 * count / letters:.0f} %" for name, count in scripts.most_common(3))
    verdict = "unlike the training data" if known.is_foreign else ""
    return (
        given.name or "the text",
        f"{sentences:,}",
        f"{known.words:,}",
        f"{known.words / max(1, sentences):.1f}",
        f"{100 * known.share:.1f}",
        f"{100 * known.usual:.1f}",
        shown,
        verdict,
    )
