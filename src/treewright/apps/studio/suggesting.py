"""Trees that a parser suggests for a sentence, around what a person has fixed; and how sure it is."""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from treewright.apps.studio.drafts import DEPREL, HEAD, Draft
from treewright.steps.call import K_BEST
from treewright.steps.call import TAGS as TAGGER
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU

TAGS = slice(2, 6)  # LEMMA, UPOS, XPOS, FEATS
BEST = 16  # trees of a sentence that are looked at for what else a word may be
TOGETHER = 200  # sentences that are parsed as one block, at most
_OPTIONS = {"keep_arcs": True, "confidence": True}


class Suggestion(NamedTuple):
    """A tree for a sentence: what is fixed has confidence 1. Tags are those that words lacked."""

    heads: list[int]
    relations: list[str]
    confidences: list[float]
    tags: list[list[str]]

    @property
    def doubt(self) -> float:
        """How unsure the parser is of the sentence: 1 less its mean confidence, 0 for a sentence without words."""
        return 1 - sum(self.confidences) / len(self.confidences) if self.confidences else 0.0


def suggestions(parser: Step, texts: Sequence[str]) -> list[Suggestion]:
    """Return a tree for each sentence, with the heads that it has already; and tags, where the parser can tag.

    Sentences without tags are parsed by themselves: a pipeline tags a text only where it has no tags at all.
    """
    if TAGGER in parser.capabilities:
        sides = {tagged: [text for text in texts if is_tagged(text) == tagged] for tagged in (True, False)}
        found = {tagged: iter(_suggestions(parser, side)) for tagged, side in sides.items()}
        return [next(found[is_tagged(text)]) for text in texts]
    return _suggestions(parser, texts)


def alternatives(parser: Step, text: str) -> list[list[tuple[int, str]]]:
    """Return for each word which heads and relations the parser's best trees give it, the likeliest first.

    None where the parser gives one tree only. What is fixed is not looked at: it may be what somebody wants to change.
    """
    if K_BEST not in parser.capabilities:
        return []
    block = Block(blanked(text).encode("utf-8", "surrogateescape"), CONLLU, "the sentence")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trees = list(parser.best_trees(block, 0, parser._checked({"k_best": BEST})))
    best = trees[0].score if trees else 0.0
    shares = [math.exp(max(tree.score - best, -50.0)) for tree in trees]
    found: list[list[tuple[int, str]]] = []
    for word in range(len(trees[0].heads) if trees else 0):
        weights: defaultdict[tuple[int, str], float] = defaultdict(float)
        for tree, share in zip(trees, shares, strict=True):
            weights[tree.heads[word], parser.relations[tree.labels[word]]] += share
        found.append(sorted(weights, key=lambda arc: -weights[arc]))
    return found


def is_tagged(text: str) -> bool:
    """Has any word of a sentence a part of speech?"""
    return any(cells[3] != "_" or cells[4] != "_" for _, cells in Draft(text).words())


def _suggestions(parser: Step, texts: Sequence[str]) -> list[Suggestion]:
    found: list[Suggestion] = []
    for start in range(0, len(texts), TOGETHER):
        data = "".join(texts[start : start + TOGETHER]).encode("utf-8", "surrogateescape")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a model without a dev set: the order counts here, not the numbers
            trees = parser.trees(Block(data, CONLLU, "the project"), parser._checked(_OPTIONS))
        relations = [*parser.relations, *trees.more_relations]
        rows = [cells for _, cells in Draft(trees.block.data.decode("utf-8", "surrogateescape")).words()]
        for sentence in range(trees.block.n_sentences):
            words = trees.block.words_of(sentence)
            found.append(
                Suggestion(
                    [trees.heads[word] for word in words],
                    [relations[trees.labels[word]] for word in words],
                    [_sure(trees.confidences[word]) if trees.confidences is not None else 1.0 for word in words],
                    [rows[word][TAGS] for word in words],
                )
            )
    return found


def _sure(confidence: float) -> float:
    """Return a confidence; words that no move gave a head have none, so nobody is sure of them."""
    return 0.0 if math.isnan(confidence) else min(max(confidence, 0.0), 1.0)


def blanked(text: str, fixed: Sequence[int] = ()) -> str:
    """Return a sentence without heads and relations, except those of some words, given by number."""
    draft = Draft(text)
    for number, (place, cells) in enumerate(draft.words(), 1):
        if number not in fixed:
            cells[HEAD] = cells[DEPREL] = "_"
            draft.put(place, cells)
    return draft.text
