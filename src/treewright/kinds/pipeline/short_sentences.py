"""Short sentences cut from the trees of a treebank: a predicate, its subject and its object.

A relative clause of the subject stays, cut in the same way: "The man who left gave a talk."

What people write to be read has few sentences of two or three words: a model trained on it takes "Dogs bark." for a
noun phrase. Here predicates make sentences by themselves (Şahin & Steedman 2018 call it cropping); tagger and parser
learn from a sample of them, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from treewright.errors import TreebankError
from treewright.training.gathering import Gathered
from treewright.treebank.blocks.block import Block

PREDICATE, PRONOUN = b"VERB", b"PRON"  # in UPOS
SUBJECT, STOP = "nsubj", "punct"
ARGUMENTS = frozenset({SUBJECT, "expl", "obj", "aux", "compound"})  # that a predicate keeps
MODIFIERS = frozenset({"det", "nummod", "amod", "case"})  # that an argument keeps, if nothing depends on them
RELATIVE = "acl"  # a clause that a noun keeps, if its subject is a pronoun
CLAUSES = frozenset({RELATIVE, "advcl", "ccomp", "csubj", "xcomp"})  # that are not built like sentences
MOST_WORDS = 10


class Clause(NamedTuple):
    """The words of a short sentence, in their order, and the one that becomes its root."""

    block: Block
    first: int  # word of the sentence that it is cut from
    predicate: int
    words: Sequence[int]

    @property
    def is_nested(self) -> bool:
        """Is there a clause within the clause?"""
        return any(_relation(self.block, word) == RELATIVE for word in self.words)


def with_short_sentences(data: Gathered, wanted: int, seed: int) -> Gathered:
    """Return a treebank with short sentences after its own: this many, or all that were found."""
    if not wanted:
        return data
    found = [clause for block in data.blocks for clause in _clauses(block)]
    if not found:
        raise TreebankError(
            f"no short sentences in its trees: no VERB has a noun as {SUBJECT} and {STOP} at its end",
            source=data.name,
            remedy="Leave --short-sentences out",
        )
    order = random.Random(seed)
    order.shuffle(found)
    found.sort(key=lambda clause: not clause.is_nested)  # these are few, and no parser learns them from few examples
    chosen = found[:wanted]
    order.shuffle(chosen)
    like = data.blocks[0]
    added = Block(b"".join(map(_lines, chosen)), like.layout, like.source)
    note = f"{len(chosen):,} short sentences added, of {len(found):,} in its trees"
    return replace(data, blocks=[*data.blocks, added], notes=[*data.notes, note])


def _clauses(block: Block) -> Iterator[Clause]:
    """Yield the short sentences in the trees of a block."""
    for sentence in range(block.n_sentences):
        words = block.words_of(sentence)
        children: dict[int, list[int]] = {}
        for word in words:
            children.setdefault(words.start + block.head_of(word) - 1, []).append(word)
        for word in words:
            if block.value(word, block.layout.upos) == PREDICATE and _relation(block, word) not in CLAUSES:
                kept = _kept(block, word, children)
                if kept:
                    yield Clause(block, words.start, word, kept)


def _kept(block: Block, predicate: int, children: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the words that a short sentence has of a predicate; none if it has no subject or no stop.

    After a pronoun alone, a verb is easy to tell: such sentences have little to teach.
    """
    own = [(word, _relation(block, word)) for word in children.get(predicate, ())]
    stops = [word for word, relation in own if relation == STOP]
    subjects = [word for word, relation in own if relation == SUBJECT]
    nested = [word for subject in subjects for word in _relative_clause(block, subject, children)]
    if not stops or not subjects or (not nested and any(_is_pronoun(block, word) for word in subjects)):
        return []
    kept = sorted([*_core(block, predicate, children), *nested])
    return [*kept, stops[-1]] if stops[-1] > kept[-1] and len(kept) < MOST_WORDS else []


def _relative_clause(block: Block, noun: int, children: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the core of the first relative clause of a noun whose subject is a pronoun, if it has one."""
    for clause in children.get(noun, ()):
        if _relation(block, clause) == RELATIVE:
            own = children.get(clause, ())
            if any(_relation(block, word) == SUBJECT and _is_pronoun(block, word) for word in own):
                return _core(block, clause, children)
    return []


def _is_pronoun(block: Block, word: int) -> bool:
    return block.value(word, block.layout.upos) == PRONOUN


def _core(block: Block, predicate: int, children: Mapping[int, Sequence[int]]) -> list[int]:
    """Return a predicate with its arguments and their modifiers."""
    kept = [predicate]
    for word in children.get(predicate, ()):
        if _relation(block, word) in ARGUMENTS:
            kept.append(word)
            inner = (each for each in children.get(word, ()) if _relation(block, each) in MODIFIERS)
            kept += [each for each in inner if each not in children]
    return kept


def _relation(block: Block, word: int) -> str:
    """Return a word's relation without its subtype."""
    return block.value(word, block.layout.deprel).decode("utf-8", "replace").partition(":")[0]


def _lines(clause: Clause) -> bytes:
    """Return a short sentence as lines: numbered from 1, with a capital where the sentence it is from has one."""
    block, layout = clause.block, clause.block.layout
    numbers = {word: number for number, word in enumerate(clause.words, 1)}
    lines: list[bytes] = []
    for word, number in numbers.items():
        values = [block.value(word, column) for column in range(len(layout.columns))]
        is_root = word == clause.predicate
        values[layout.id] = b"%d" % number
        values[layout.head] = b"%d" % (0 if is_root else numbers[clause.first + block.head_of(word) - 1])
        if is_root:
            values[layout.deprel] = b"root"
        for column in (layout.deps, layout.misc):
            if column >= 0:
                values[column] = b"_"
        lines.append(b"\t".join(values))
    lines[0] = _capitalised(lines[0], layout.form) if _begins_large(block, clause.first) else lines[0]
    return b"\n".join(lines) + b"\n\n"


def _begins_large(block: Block, word: int) -> bool:
    return block.value(word, block.layout.form).decode("utf-8", "replace")[:1].isupper()


def _capitalised(line: bytes, form: int) -> bytes:
    """Return a line with a capital letter at the start of its form."""
    values = line.split(b"\t")
    text = values[form].decode("utf-8", "surrogateescape")
    values[form] = (text[:1].upper() + text[1:]).encode("utf-8", "surrogateescape")
    return b"\t".join(values)
