"""All that tracing needs from a trained parser. No other module of the tracer looks inside one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from treewright.apps.tracing.record import TraceArc
from treewright.features.extractor import Extractor
from treewright.kinds.transition.linear import LinearParser
from treewright.kinds.transition.parser import TransitionParser
from treewright.steps.blocks import with_columns
from treewright.steps.call import GRAPHS, PLAIN, TEXT, TRACE
from treewright.steps.named_models import find_model
from treewright.steps.reader import blocks_of
from treewright.steps.step import Step
from treewright.systems.system import System
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.source import Source
from treewright.treebank.files.treebank import Treebank
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.graphs.graph import graph_of
from treewright.treebank.sentences.sentence import Sentence


@dataclass(frozen=True)
class TracedModel:
    """A trained parser that makes moves. ``whole`` is the model as loaded, maybe a pipeline around the parser."""

    whole: Step
    parser: LinearParser
    name: str

    @classmethod
    def of(cls, whole: Step, name: str = "model") -> TracedModel:
        """Return the view of a trained parser; reject parsers that make no moves."""
        for step in whole.steps.values():
            if isinstance(step, LinearParser):
                return cls(whole, step, name)
        raise whole._refusal(TRACE)

    @classmethod
    def load(cls, name: str | os.PathLike[str]) -> TracedModel:
        """Load a model file, or a bundled model by its name."""
        return cls.of(Step.load(find_model(name)), os.fspath(name))

    # What it is

    @property
    def system(self) -> System:
        """The transition system."""
        return self.parser.system

    @property
    def extractor(self) -> Extractor:
        """What turns a configuration into features."""
        return self.parser.extractor

    @property
    def relations(self) -> list[str]:
        """The relations by number, as learned: lifted and joined ones included."""
        return list(self.parser.settings["relations"])

    @property
    def decides_in_two_steps(self) -> bool:
        """Does the model choose the kind of move first, and the relation afterwards?"""
        return isinstance(self.parser, TransitionParser) and self.parser.engine.split

    @property
    def beam(self) -> int:
        """How many states are followed at a time; 1 is greedy parsing."""
        return self.parser.beam if isinstance(self.parser, TransitionParser) else 1

    @property
    def lifting(self) -> str | None:
        """The scheme that lifted the training trees or graphs; None if they were left as they were."""
        if self.parser.info.get("recipe", {}).get("lifting") == "none":
            return None
        return str(self.parser.settings.get("lifting", "head"))

    # Its scores

    @cached_property
    def unit(self) -> float:
        """Quantised weights per unit of score."""
        return getattr(self.parser.scorer, "scale", None) or 1.0

    @cached_property
    def classes(self) -> list[tuple[int, int]]:
        """The labelled moves: numbers of kind and relation."""
        return self.parser.moves.classes

    def allowed(self, from_root: bool) -> set[int]:
        """Return the relations that an arc may have: arcs from the root have their own."""
        return set(self.parser.settings["root_labels" if from_root else "word_labels"])

    def score(self, keys: Sequence[int], counts: Sequence[int]) -> tuple[list[float], list[float]]:
        """Return the scores of kinds of move and of labelled moves for some features."""
        kinds, classes = self.parser.scorer.score_keys(keys, counts)
        return [score / self.unit for score in kinds], [score / self.unit for score in classes]

    def winning_moves(self, block: Block) -> list[tuple[str, int | None]] | None:
        """Return the moves of the sequence that wins the beam search; None without a beam."""
        if self.beam == 1 or not isinstance(self.parser, TransitionParser):
            return None
        return self.parser.winning_moves(block, 0)

    # Its input and output

    @property
    def tokenizes(self) -> bool:
        """Can the model split raw text?"""
        return TEXT in self.whole.capabilities

    def split(self, text: str) -> list[Sentence]:
        """Return the sentences of raw text."""
        return list(self.read(text.encode("utf-8", "surrogateescape"), "text"))

    def read(self, source: Source, format: str | None = None) -> Iterator[Sentence]:
        """Yield the sentences of a file: a treebank, or raw text if the model can split it."""
        treebank = Treebank(source, None if self.tokenizes else format)
        for block in blocks_of(self.whole, source, format, PLAIN) if self.tokenizes else treebank.blocks():
            yield from treebank.sentences_of(block)

    def tagged(self, sentence: Sentence) -> Sentence:
        """Return the sentence with tags: its own if it has any, otherwise the pipeline's."""
        return Sentence.from_block(self.whole._prepared(with_columns(block_of(sentence)), PLAIN)[0], 0)

    def leaves(self, sentence: Sentence) -> list[int]:
        """Return the words of a tagged sentence that may not govern others."""
        flags = self.extractor.encoder.leaf_tags.flags(block_of(sentence))
        return [word for word, flag in enumerate(flags, 1) if flag]

    def result(self, sentence: Sentence) -> list[TraceArc]:
        """Return the arcs that the parser returns for a tagged sentence."""
        parsed = self.parser.parse(sentence)
        if GRAPHS in self.parser.capabilities:
            graph = enumerate(graph_of(parsed), 1)
            return [TraceArc(head, word, relation) for word, arcs in graph for head, relation in arcs]
        return [TraceArc(word.head or 0, number, word.deprel) for number, word in enumerate(parsed, 1)]


def block_of(sentence: Sentence) -> Block:
    """Return a sentence as a block of CoNLL-U."""
    return Block(sentence.to_conllu().encode("utf-8", "surrogateescape"), CONLLU, "text")
