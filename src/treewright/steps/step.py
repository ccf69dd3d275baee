"""A trained step as users have it: what they call is the same for every kind.

One text: ``step(text)``; many: ``pipe``. One sentence: ``parse``, ``parse_words``, ``k_best``. Streams: ``parse_text``,
``parse_stream``, ``parse_blocks``, and ``parse_block``. Files: ``parse_file``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from treewright.errors import CombinationError, TreebankError, TreewrightError
from treewright.steps.blocks import block_of, gathered, with_columns
from treewright.steps.call import PLAIN, TEXT
from treewright.steps.contract import Contract
from treewright.steps.in_order import parsed_in_order
from treewright.treebank.blocks.block import Block

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.steps.best_trees import ScoredTree
    from treewright.steps.call_keywords import CallKeywords
    from treewright.steps.documents import Text
    from treewright.steps.functions import Change
    from treewright.steps.loading import Origin
    from treewright.steps.pipeline import Pipeline
    from treewright.treebank.files.source import Source
    from treewright.treebank.sentences.document import Document
    from treewright.treebank.sentences.sentence import Sentence

    GivenSentence = Sentence | Sequence[Mapping[str, object]] | str


class Step(Contract):
    """A trained step: what ``train`` makes and ``load`` brings back, of whatever kind.

    It never changes: any number of threads may share one, and what varies per call (a beam, confidences) is an
    argument of the call. ``info`` describes how it was made: recipe, scores, licence, training data.
    """

    origin: Origin | None = None  # the file it was loaded from

    @property
    def steps(self) -> dict[str, Step]:
        """The steps by name: those of a pipeline, in order; any other is alone."""
        return {self.role: self}

    @property
    def tokenizer(self) -> Step:
        """The step that splits text into sentences and words."""
        return self._named("tokenizer")

    @property
    def tagger(self) -> Step:
        """The step that finds lemmas, tags and features."""
        return self._named("tagger")

    @property
    def parser(self) -> Step:
        """The step that finds trees."""
        return self._named("parser")

    def _named(self, name: str) -> Step:
        if name not in self.steps:
            raise AttributeError(f"there is no step {name!r}: the model has {', '.join(self.steps)}")
        return self.steps[name]

    def only(self, names: Iterable[str]) -> Pipeline:
        """Return a pipeline of some of the steps, in the order in which they stand here."""
        return self._as_pipeline().only(names)

    def without(self, names: Iterable[str]) -> Pipeline:
        """Return a pipeline without some of the steps."""
        return self._as_pipeline().without(names)

    def with_step(self, step: Step | Change, name: str = "", after: str = "") -> Pipeline:
        """Return a pipeline with one more step, at the end or behind another: a step, or a function of a sentence."""
        return self._as_pipeline().with_step(step, name, after)

    def _as_pipeline(self) -> Pipeline:
        from treewright.steps.pipeline import Pipeline

        return Pipeline(self.steps, self.info)

    # Texts

    def __call__(self, text: Text, **options: Unpack[CallKeywords]) -> Document:
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
        **options: Unpack[CallKeywords],
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
        **options: Unpack[CallKeywords],
    ) -> Iterator[tuple[Document, Any]]: ...
    def pipe(
        self,
        texts: Iterable[Any],
        threads: int = 1,
        *,
        as_tuples: bool = False,
        column: str | None = None,
        batch_size: int = 256,
        **options: Unpack[CallKeywords],
    ) -> Iterator[Document] | Iterator[tuple[Document, Any]]:
        """Parse many texts, in order; memory stays flat.

        ``texts`` are strings, Sentences or Documents; a table (a DataFrame of pandas or polars, a Table of pyarrow)
        has them in a ``column``. With ``as_tuples``, they are pairs (text, anything), and come back as pairs
        (document, anything); of a table, with the row as a dictionary. ``batch_size``: texts that are parsed together.
        """
        from treewright.steps.documents import parsed_documents, with_contexts

        pairs = with_contexts(texts, as_tuples, column)
        documents = parsed_documents(self, pairs, threads, batch_size, self._checked(options))
        return documents if as_tuples else (document for document, _ in documents)

    def parse_text(self, text: str, threads: int = 1, **options: Unpack[CallKeywords]) -> Iterator[Sentence]:
        """Parse raw text of any length, sentence by sentence."""
        from treewright.steps.reader import blocks_of
        from treewright.treebank.files.sentence_names import as_bytes
        from treewright.treebank.files.text_format import RAW
        from treewright.treebank.sentences.sentence import sentences_in

        blocks = blocks_of(self, as_bytes(text), RAW, self._checked(options))
        return sentences_in(self.parse_blocks(blocks, threads, **options))

    # Sentences

    def parse(self, sentence: GivenSentence, **options: Unpack[CallKeywords]) -> Sentence:
        """Parse one sentence: a Sentence, CoNLL-U text, words as dictionaries, or a text that is one sentence.

        Returns a new Sentence. Words as strings: ``parse_words``. Texts of several sentences: call the step.
        """
        return self._parsed_sentence(self._block_of(sentence), options)

    def parse_words(self, words: Iterable[str], **options: Unpack[CallKeywords]) -> Sentence:
        """Parse the words of one sentence, given as strings."""
        if isinstance(words, (str, bytes)) or not isinstance(words, Iterable):
            what = "one text: use parse, or call the parser" if isinstance(words, str) else f"{words!r:.40}"
            raise TreewrightError(f"parse_words takes a list of words, and this is {what}")
        return self._parsed_sentence(block_of(list(words)), options)

    def k_best(self, sentence: GivenSentence, k: int, beam: int | None = None) -> list[ScoredTree]:
        """Return the k best trees of a sentence, best first, or fewer where there are no more.

        A beam is widened to k where it is narrower.
        """
        from treewright.steps.best_trees import scored_trees

        call = self._checked({"k_best": k, "beam": beam})
        return scored_trees(self, with_columns(self._block_of(sentence)), call)

    # Streams

    def parse_stream(
        self, sentences: Iterable[Sentence], threads: int = 1, **options: Unpack[CallKeywords]
    ) -> Iterator[Sentence]:
        """Parse sentences as they come, in order; memory stays flat."""
        from treewright.treebank.sentences.sentence import sentences_in

        return sentences_in(self.parse_blocks(gathered(sentences), threads, **options))

    def parse_blocks(
        self, blocks: Iterable[Block], threads: int = 1, **options: Unpack[CallKeywords]
    ) -> Iterator[Block]:
        """Parse blocks as they come, in order, with any number of threads over this one model."""
        call = self._checked(options)
        for parsed in parsed_in_order(self, blocks, threads, call):
            yield parsed.as_block()

    def parse_block(self, block: Block, **options: Unpack[CallKeywords]) -> Block:
        """Parse the sentences of a block."""
        return next(self.parse_blocks([block], **options))

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
        **options: Unpack[CallKeywords],
    ) -> tuple[int, int]:
        """Parse a treebank file into another; returns the numbers of sentences and words.

        ``format`` is that of the source, guessed if not given; ``to`` that of the target: if not given, its name says
        it, or it is that of the source. ``progress`` hears how many bytes have been read. From an empty file comes an
        empty file, with a warning.
        """
        from treewright.steps.files import parse_files

        call = self._checked(options)
        how: dict[str, Any] = {"format": format, "to": to, "threads": threads, "progress": progress}
        return parse_files(self, [source], target, call, **how)

    # Models on disk, and in other processes

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Step:
        """Load a step of any kind from a model file."""
        from treewright.steps.loading import load_step

        return load_step(path)

    def save(self, path: str | os.PathLike[str], *, packed: bool = True) -> None:
        """Write the step to a model file, which appears whole or not at all.

        Large arrays are packed where that saves much; without, the file is larger and loads some milliseconds faster.
        """
        from treewright.steps.model_file import write_model

        if not isinstance(path, (str, os.PathLike)):
            raise TreewrightError(f"a model is written to a file, and {path!r:.40} is no path")
        write_model(path, *self.to_file(), packed)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        from treewright.steps.pickling import reduced

        return reduced(self)

    def __deepcopy__(self, memo: dict[int, object]) -> Step:
        from treewright.steps.pickling import copied

        return copied(self)

    def _repr_html_(self) -> str:
        from treewright.steps.model_card import card_of

        return card_of(self)

    # What these share

    def _parsed_sentence(self, block: Block, options: CallKeywords) -> Sentence:
        from treewright.treebank.sentences.sentence import Sentence

        return Sentence.from_block(self.parse_block(block, **options), 0)

    def _block_of(self, sentence: GivenSentence) -> Block:
        """Return a sentence as a block: raw text taken for one sentence, CoNLL-U, a Sentence, or dictionaries."""
        from treewright.treebank.files.text_format import is_conllu

        if isinstance(sentence, str) and not is_conllu(sentence):
            return self._split(sentence)
        if isinstance(sentence, (list, tuple)) and any(isinstance(word, str) for word in sentence):
            raise TreewrightError(
                "a list of strings may be words or texts. For the words of one sentence: parse_words(words), or"
                " parse(Sentence.from_words(words)); for several texts: pipe(texts)"
            )
        return block_of(sentence)

    def _split(self, text: str) -> Block:
        from treewright.steps.reader import blocks_of
        from treewright.treebank.files.sentence_names import as_bytes

        if TEXT in self.lacks:
            raise CombinationError(self.lacks[TEXT])
        line = " ".join(text.split())
        if not line:
            raise TreebankError("no words in it", remedy="Give a sentence to parse")
        return next(blocks_of(self, as_bytes(line), "presegmented", PLAIN))
