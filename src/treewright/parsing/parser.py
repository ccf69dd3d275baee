"""What parses: the one contract of all kinds of parsers, and of pipelines.

A kind of parser says what it lacks (``lacks``) and fills in how a block is parsed. Files, streams, threads, formats
and the checks of options are the same for all.
"""

from __future__ import annotations

import os
import warnings
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError, TreebankError, TreewrightError, TreewrightWarning
from treewright.parsing.blocks import as_conllu, block_of, gathered, layout_after, missing_columns
from treewright.parsing.in_order import zip_in_order
from treewright.parsing.model_file import ArrayData, write_model
from treewright.parsing.parse_options import (
    CAPABILITIES,
    K_BEST,
    TRACE,
    TREES,
    ParseOptions,
    parse_options,
    text_options,
)
from treewright.parsing.trees import BestTree, ScoredTree, Trees, k_best_text, one_sentence
from treewright.treebank.block import Block

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.parsing.linear import LinearParser
    from treewright.parsing.parse_options import ParseKeywords
    from treewright.treebank.sentence import Sentence
    from treewright.treebank.source import Source

# Formats whose text can be copied around the columns that change.
_WRITTEN_AS_READ = ("conllu", "conllu-plus", "conllx", "malt-tab")
DEFAULT = ParseOptions()
Header = dict[str, Any]
Arrays = Mapping[str, memoryview]
TypedArrays = dict[str, tuple[str, ArrayData]]


class Parser(ABC):
    """A trained parser: what ``train`` makes and ``load`` brings back, of whatever kind.

    It never changes: any number of threads may share one, and what varies per call (a beam, confidences) is an
    argument of the call. ``info`` describes how it was made: recipe, scores, licence, training data.
    """

    settings: Mapping[str, Any]
    info: dict[str, Any]

    def __init__(self, settings: Mapping[str, Any], info: dict[str, Any], relations: Sequence[str]) -> None:
        self.settings = settings
        self.info = info
        self.relations = list(relations)
        self.relation_bytes = [relation.encode("utf-8", "surrogateescape") for relation in self.relations]

    # What a kind of parser fills in

    @classmethod
    @abstractmethod
    def from_file(cls, header: Header, arrays: Arrays) -> Parser:
        """Return the parser that a model file holds, of this kind."""

    @abstractmethod
    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""

    @abstractmethod
    def annotate(self, block: Block, options: ParseOptions) -> bytes:
        """Return the text of a block with what the parser found; the options have been checked."""

    def trees(self, block: Block, options: ParseOptions = DEFAULT) -> Trees:
        """Return the trees of all sentences of a block."""
        raise CombinationError(self.reason_against(TREES))

    def best_trees(self, block: Block, number: int, options: ParseOptions) -> Iterable[BestTree]:
        """Return the k best trees of a sentence, best first, or fewer where there are no more."""
        raise CombinationError(self.reason_against(K_BEST))

    @property
    def move_maker(self) -> LinearParser:
        """The parser that makes moves: this one, or the last step of a pipeline."""
        raise CombinationError(self.reason_against(TRACE))

    def ready(self, block: Block, options: ParseOptions = DEFAULT) -> Block:
        """Return a block with columns to write to; a pipeline also fills in tags."""
        return block if block.layout.head >= 0 else as_conllu(block)

    def missing(self, block: Block, options: ParseOptions = DEFAULT) -> list[str]:
        """Return the columns that the parser was trained with and that a block leaves empty."""
        return missing_columns(block, self.info.get("columns", ()))

    def details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {"relations": len(self.relations)}

    def sentence_ends(self, text: str) -> list[int] | None:
        """Return after which characters sentences of a raw text end; None where the parser cannot tell."""
        return None

    # What it can do

    @property
    def lacks(self) -> Mapping[str, str]:
        """What this parser cannot do, each with the reason."""
        return {}

    @property
    def capabilities(self) -> frozenset[str]:
        """What this parser can do, of ``parse_options.CAPABILITIES``."""
        return frozenset(CAPABILITIES) - self.lacks.keys()

    def reason_against(self, capability: str) -> str:
        """Return why the parser cannot do something."""
        return self.lacks.get(capability, f"this model has no {capability}")

    def checked(self, given: Mapping[str, Any]) -> ParseOptions:
        """Return the options of a call; reject those that this parser cannot serve, with the reason."""
        options = parse_options(given)
        for capability, name in options.needs().items():
            if capability not in self.capabilities:
                raise CombinationError(f"{name}: {self.reason_against(capability)}")
        return options

    # Models on disk

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Parser:
        """Load a parser of any kind from a model file."""
        from treewright.loading import load_parser

        return load_parser(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the parser to a model file, which appears whole or not at all."""
        write_model(path, *self.to_file())

    # Blocks

    def parse_block(self, block: Block, **options: Unpack[ParseKeywords]) -> tuple[Block, array[int], array[int]]:
        """Parse all sentences of a block: heads and relations (positions in ``relations``), word by word."""
        return self.trees(block, self.checked(options))[:3]

    def parse_text_block(self, block: Block, **options: Unpack[ParseKeywords]) -> bytes:
        """Return the text of a block with what the parser found, all else as it was."""
        return self.annotate(block, self.checked(options))

    def parse_blocks(
        self, blocks: Iterable[Block], threads: int = 1, **options: Unpack[ParseKeywords]
    ) -> Iterator[Block]:
        """Parse blocks as they come, in order, with any number of threads over this one model."""
        for block, text in self._parsed(blocks, threads, self.checked(options)):
            yield Block(text, layout_after(block), block.source, block.first_line)

    def parse_texts(
        self, blocks: Iterable[Block], threads: int = 1, **options: Unpack[ParseKeywords]
    ) -> Iterator[bytes]:
        """Like ``parse_blocks``, as text."""
        for _, text in self._parsed(blocks, threads, self.checked(options)):
            yield text

    def _parsed(self, blocks: Iterable[Block], threads: int, options: ParseOptions) -> Iterator[tuple[Block, bytes]]:
        first = True

        def watched() -> Iterator[Block]:
            nonlocal first
            for block in blocks:
                if first and block.n_words:
                    self._warn_of_missing(block, options)
                    first = False
                yield block

        return zip_in_order(lambda block: self.annotate(block, options), watched(), threads)

    def _warn_of_missing(self, block: Block, options: ParseOptions) -> None:
        """Say which columns the model misses; once for a file, by its first block."""
        missing = self.missing(block, options)
        if missing:
            warnings.warn(
                f"{block.source or 'the input'}: {', '.join(missing)} empty, but the model was trained with"
                f" {'it' if len(missing) == 1 else 'them'}: expect worse trees",
                TreewrightWarning,
                stacklevel=4,
            )

    # Sentences

    def parse(self, sentence: Sentence | Sequence[str] | str, **options: Unpack[ParseKeywords]) -> Sentence:
        """Parse one sentence: a Sentence, CoNLL-U text, or a list of words; returns a new one."""
        from treewright.treebank.sentence import Sentence

        blocks = self.parse_blocks([self.block_of(sentence)], **options)
        return Sentence.from_block(next(blocks), 0)

    def k_best(self, sentence: Sentence | Sequence[str] | str, k: int, beam: int | None = None) -> list[ScoredTree]:
        """Return the k best trees of a sentence, best first, or fewer where there are no more.

        A beam is widened to k where it is narrower.
        """
        from treewright.treebank.sentence import Sentence

        options = self.checked({"k_best": k, "beam": beam})
        block = self.ready(self.block_of(sentence), options)
        alone = one_sentence(block, 0)
        return [
            ScoredTree(
                Sentence.from_conllu(alone.with_tree(tree.heads, tree.labels, self.relation_bytes).decode()),
                tree.score,
                tree.probability,
            )
            for tree in self.best_trees(block, 0, options)
        ]

    def block_of(self, sentence: Sentence | Sequence[str] | str) -> Block:
        """Return a sentence as a block: a Sentence, CoNLL-U text, or a list of words."""
        if isinstance(sentence, str) and "\t" not in sentence:
            raise TreewrightError(
                "raw text needs a tokeniser and a tagger, which this model lacks. Give CoNLL-U text, a Sentence, or a"
                " list of words; or train a model with --pipeline"
            )
        return block_of(sentence)

    def parse_stream(
        self, sentences: Iterable[Sentence], threads: int = 1, **options: Unpack[ParseKeywords]
    ) -> Iterator[Sentence]:
        """Parse sentences as they come, in order; memory stays flat."""
        from treewright.treebank.sentence import Sentence

        for block in self.parse_blocks(gathered(sentences), threads, **options):
            for number in range(block.n_sentences):
                yield Sentence.from_block(block, number)

    # Files

    def parse_file(
        self,
        source: Source,
        target: str | os.PathLike[str],
        *,
        format: str | None = None,
        to: str | None = None,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
        **options: Unpack[ParseKeywords],
    ) -> tuple[int, int]:
        """Parse a treebank file into another; returns the numbers of sentences and words.

        ``format`` is that of the source, guessed if not given; ``to`` that of the target, the same if not given.
        ``progress`` hears how many bytes have been read.
        """
        from treewright.treebank.output import open_output
        from treewright.treebank.problems import check
        from treewright.treebank.writing import write

        counts = [0, 0]
        self.checked(options)

        def counted() -> Iterator[Block]:
            for block in self.read_blocks(source, format, **text_options(options)):
                check(block)
                counts[0] += block.n_sentences
                counts[1] += block.n_words
                yield block
                if progress is not None:
                    progress(len(block.data))

        blocks = counted()
        first = next(blocks, None)
        if first is None:
            raise TreebankError("no sentences in it", source=str(source), remedy="Give a file with text to parse")
        blocks = chain([first], blocks)
        if to is None and layout_after(first).name in _WRITTEN_AS_READ:
            with open_output(target) as output:
                for text in self.parse_texts(blocks, threads, **options):
                    output.write(text)
        else:
            write(self.parse_blocks(blocks, threads, **options), target, to)
        return counts[0], counts[1]

    def read_blocks(
        self, source: Source, format: str | None = None, ranges: bool = False, newlines: str = "auto"
    ) -> Iterator[Block]:
        """Read what is to be parsed; ``ranges`` and ``newlines`` are about raw text: see ParseOptions."""
        from treewright.treebank.reading import read_blocks

        return read_blocks(source, format)


class TreeParser(Parser):
    """A parser whose result is a tree for every sentence, or several."""

    def annotate(self, block: Block, options: ParseOptions) -> bytes:
        """Return the text of a block with HEAD and DEPREL replaced, all else as it was."""
        block = self.ready(block, options)
        if options.k_best is None:
            return self.trees(block, options).text(self.relation_bytes)
        return b"".join(
            k_best_text(block, number, self.best_trees(block, number, options), self.relation_bytes)
            for number in range(block.n_sentences)
        )
