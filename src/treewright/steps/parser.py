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
from typing import IO, TYPE_CHECKING, Any, Literal, cast, overload

from treewright.errors import CombinationError, TreewrightError, TreewrightWarning
from treewright.steps.blocks import as_conllu, block_of, gathered, layout_after, missing_columns
from treewright.steps.in_order import zip_in_order
from treewright.steps.model_file import ArrayData, write_model
from treewright.steps.parse_options import CAPABILITIES, K_BEST, TEXT, TRACE, TREES, ParseOptions, parse_options
from treewright.steps.trees import BestTree, ScoredTree, Trees, k_best_text, one_sentence
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.source import holds_bytes, open_input
from treewright.treebank.files.text_reading import PLAINLY, TextReading

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.kinds.transition.linear import LinearParser
    from treewright.steps.documents import Text
    from treewright.steps.parse_options import ParseKeywords
    from treewright.steps.pickling import Origin
    from treewright.treebank.files.source import Source
    from treewright.treebank.sentences.document import Document
    from treewright.treebank.sentences.sentence import Sentence

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
    origin: Origin | None = None  # the file it was loaded from

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
        """Return the k best trees of a sentence, best first; fewer if the sentence has fewer."""
        raise CombinationError(self.reason_against(K_BEST))

    @property
    def move_maker(self) -> LinearParser:
        """The parser that makes moves: this one, or the last step of a pipeline."""
        raise CombinationError(self.reason_against(TRACE))

    @property
    def feature_text(self) -> str:
        """The feature model as text, with today's names; empty for a parser without one."""
        return ""

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

    # Models on disk, and in other processes

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Parser:
        """Load a parser of any kind from a model file."""
        from treewright.steps.loading import load_parser

        return load_parser(path)

    def save(self, path: str | os.PathLike[str], *, packed: bool = True) -> None:
        """Write the parser to a model file, which appears whole or not at all.

        Large arrays are packed where that saves much; without, the file is larger and loads some milliseconds faster.
        """
        write_model(path, *self.to_file(), packed)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        from treewright.steps.pickling import reduced

        return reduced(self)

    def __deepcopy__(self, memo: dict[int, object]) -> Parser:
        from treewright.steps.pickling import copied

        return copied(self)

    def _repr_html_(self) -> str:
        from treewright.steps.model_card import card_of

        return card_of(self)

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
        for block, text in self.parsed_in_order(blocks, threads, self.checked(options)):
            yield Block(text, layout_after(block), block.source, block.first_line)

    def parse_texts(
        self, blocks: Iterable[Block], threads: int = 1, **options: Unpack[ParseKeywords]
    ) -> Iterator[bytes]:
        """Like ``parse_blocks``, as text."""
        for _, text in self.parsed_in_order(blocks, threads, self.checked(options)):
            yield text

    def parsed_in_order(
        self, blocks: Iterable[Block], threads: int, options: ParseOptions
    ) -> Iterator[tuple[Block, bytes]]:
        """Yield each block with the text of its parse; say once which columns the model misses."""
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

    # Texts

    def __call__(self, text: Text, **options: Unpack[ParseKeywords]) -> Document:
        """Parse a text to a document of sentences; also a Sentence or a Document, which keep their words."""
        return next(self.pipe([text], **options))

    @overload
    def pipe(
        self,
        texts: Iterable[Any],
        threads: int = 1,
        *,
        as_tuples: Literal[False] = False,
        column: str | None = None,
        batch_size: int = 256,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[Document]: ...
    @overload
    def pipe(
        self,
        texts: Iterable[Any],
        threads: int = 1,
        *,
        as_tuples: Literal[True],
        column: str | None = None,
        batch_size: int = 256,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[tuple[Document, Any]]: ...
    def pipe(
        self,
        texts: Iterable[Any],
        threads: int = 1,
        *,
        as_tuples: bool = False,
        column: str | None = None,
        batch_size: int = 256,
        **options: Unpack[ParseKeywords],
    ) -> Iterator[Document] | Iterator[tuple[Document, Any]]:
        """Parse many texts, in order; memory stays flat.

        ``texts`` are strings, Sentences or Documents; a table (a DataFrame of pandas or polars, a Table of pyarrow)
        has them in a ``column``. With ``as_tuples``, they are pairs (text, anything), and come back as pairs
        (document, anything); of a table, with the row as a dictionary. ``batch_size``: texts that are parsed together.
        """
        from treewright.steps.documents import parsed_documents, with_contexts

        pairs = with_contexts(texts, as_tuples, column)
        found = parsed_documents(self, pairs, threads, batch_size, self.checked(options))
        return found if as_tuples else (document for document, _ in found)

    def split_text(self, text: str, reading: TextReading) -> tuple[bytes, int]:
        """Return the words of a raw text in CoNLL-U, and the number of its sentences."""
        raise CombinationError(self.reason_against(TEXT))

    def parse_text(self, text: str, threads: int = 1, **options: Unpack[ParseKeywords]) -> Iterator[Sentence]:
        """Parse raw text of any length, sentence by sentence."""
        raise CombinationError(self.reason_against(TEXT))

    # Sentences

    def parse(
        self, sentence: Sentence | Sequence[Mapping[str, object]] | str, **options: Unpack[ParseKeywords]
    ) -> Sentence:
        """Parse one sentence: a Sentence, CoNLL-U text, words as dictionaries, or a text that is one sentence.

        Returns a new Sentence. Words as strings: ``parse_words``. Texts of several sentences: call the parser.
        """
        return self._parsed_sentence(self.block_of(sentence), options)

    def parse_words(self, words: Iterable[str], **options: Unpack[ParseKeywords]) -> Sentence:
        """Parse the words of one sentence, given as strings."""
        if isinstance(words, str):
            raise TreewrightError(
                "parse_words takes a list of words, and this is one text: use parse, or call the parser"
            )
        return self._parsed_sentence(block_of(list(words)), options)

    def _parsed_sentence(self, block: Block, options: ParseKeywords) -> Sentence:
        from treewright.treebank.sentences.sentence import Sentence

        return Sentence.from_block(next(self.parse_blocks([block], **options)), 0)

    def k_best(
        self, sentence: Sentence | Sequence[Mapping[str, object]] | str, k: int, beam: int | None = None
    ) -> list[ScoredTree]:
        """Return the k best trees of a sentence, best first, or fewer where there are no more.

        A beam is widened to k where it is narrower.
        """
        from treewright.treebank.sentences.sentence import Sentence

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

    def block_of(self, sentence: Sentence | Sequence[Mapping[str, object]] | str) -> Block:
        """Return a sentence as a block: a Sentence, CoNLL-U text, or words as dictionaries."""
        if isinstance(sentence, str) and "\t" not in sentence:
            raise CombinationError(self.reason_against(TEXT))
        if isinstance(sentence, (list, tuple)) and any(isinstance(word, str) for word in sentence):
            raise TreewrightError(
                "a list of strings may be words or texts. For the words of one sentence: parse_words(words), or"
                " parse(Sentence.from_words(words)); for several texts: pipe(texts)"
            )
        return block_of(sentence)

    def parse_stream(
        self, sentences: Iterable[Sentence], threads: int = 1, **options: Unpack[ParseKeywords]
    ) -> Iterator[Sentence]:
        """Parse sentences as they come, in order; memory stays flat."""
        from treewright.treebank.sentences.sentence import Sentence

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

        ``format`` is that of the source, guessed if not given; ``to`` that of the target: if not given, its name says
        it, or it is that of the source. ``progress`` hears how many bytes have been read. From an empty file comes an
        empty file, with a warning.
        """
        from treewright.steps.files import FileOptions, parse_files

        return parse_files(self, [source], target, FileOptions(format, to), threads, progress, options)

    def read_blocks(self, source: Source, format: str | None = None, reading: TextReading = PLAINLY) -> Iterator[Block]:
        """Read what is to be parsed; ``reading`` is about raw text."""
        from treewright.treebank.files.reading import read_blocks
        from treewright.treebank.files.text_format import TEXT_FORMATS, OpenedStream, is_text

        if format in TEXT_FORMATS:
            raise CombinationError(self.reason_against(TEXT))
        if reading.names.prefix:
            raise CombinationError("--id-prefix names the sentences of raw text: a treebank keeps its own sent_ids")
        if format is None and holds_bytes(source):
            stream = open_input(source)
            if is_text(stream) and stream.peek(1):
                stream.close()
                raise CombinationError(f"{stream.source}: {self.reason_against(TEXT)}")
            source = cast("IO[bytes]", OpenedStream(stream))
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
