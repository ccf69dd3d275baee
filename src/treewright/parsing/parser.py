"""A trained parser: what `train` makes and `load` brings back."""

from __future__ import annotations

import os
import warnings
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

from treewright.errors import (
    CombinationError,
    MissingExtraError,
    ModelFileError,
    TreebankError,
    TreewrightError,
    TreewrightWarning,
)
from treewright.parsing.model_file import read_model, write_model
from treewright.treebank.block import Block

if TYPE_CHECKING:
    from treewright.treebank.sentence import Sentence
    from treewright.treebank.source import Source

# Formats whose text can be copied around the columns that change.
_WRITTEN_AS_READ = ("conllu", "conllu-plus", "conllx", "malt-tab")

#: kind of model, as its file names it → the class that reads it
KINDS = {
    "transition": "treewright.parsing.transition:TransitionParser",
    "pipeline": "treewright.text.pipeline:Pipeline",
    "exact": "treewright.exact.parser:ExactParser",
    "graph": "treewright.exact.parser:ExactParser",  # as it was called first
    "dag": "treewright.parsing.dag:DagParser",
}


class Parser:
    """A trained parser: what ``train`` makes and ``load`` brings back, of whatever kind.

    Nothing in it changes while it parses: any number of threads may share one. ``info`` holds what is known of its
    making: recipe, scores, licence, training data. A kind of parser fills in ``parse_block``, ``save`` and
    ``from_file``; files, streams, threads and formats are the same for all.
    """

    settings: dict[str, Any]
    info: dict[str, Any]

    def __init__(self, settings: dict[str, Any], info: dict[str, Any], relations: Sequence[str]) -> None:
        self.settings = settings
        self.info = info
        self.relations = list(relations)
        self._relation_bytes = [relation.encode("utf-8", "surrogateescape") for relation in self.relations]
        self._warned = False

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Parser:
        """Load a parser from a model file."""
        name = os.fspath(path)
        header, arrays = read_model(path)
        try:
            kind = kind_of(header["kind"])
            _check_info(header["info"])
            return kind.from_file(header, arrays)
        except ModelFileError as error:
            raise ModelFileError(f"{name}: {error}") from None
        except MissingExtraError:
            raise
        except (TreewrightError, KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
            raise ModelFileError(f"{name}: the model is damaged: {str(error) or type(error).__name__}") from None

    @classmethod
    def from_file(cls, header: dict[str, Any], arrays: dict[str, Any]) -> Parser:
        """Return the parser that a model file holds, of this kind."""
        raise NotImplementedError

    def to_file(self) -> tuple[dict[str, Any], dict[str, tuple[str, Any]]]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""
        raise NotImplementedError

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the parser to a model file, which appears whole or not at all."""
        write_model(path, *self.to_file())

    def parse_block(self, block: Block) -> tuple[Block, array[int], array[int]]:
        """Parse all sentences of a block: heads and relations (positions in ``relations``), word by word."""
        raise NotImplementedError

    def with_confidence(self) -> Parser:
        """Return a parser that gives the same trees and writes how sure it is of each arc to MISC."""
        raise CombinationError(
            "this kind of parser cannot say how sure it is: confidences come from greedy transition parsers"
        )

    def details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {"relations": len(self.relations)}

    def parse_text_block(self, block: Block) -> bytes:
        """Return the text of a block with HEAD and DEPREL replaced, all else as it was."""
        block, heads, labels = self.parse_block(block)
        return block.with_tree(heads, labels, self._relation_bytes)

    def parse_blocks(
        self, blocks: Iterable[Block], threads: int = 1, text_of: Callable[[Block], bytes] | None = None
    ) -> Iterator[Block]:
        """Parse blocks as they come, in order, with any number of threads over this one model."""
        for block, text in zip_in_order(text_of or self.parse_text_block, blocks, threads):
            yield Block(text, _layout_after(block), block.source, block.first_line)

    def parse_texts(
        self, blocks: Iterable[Block], threads: int = 1, text_of: Callable[[Block], bytes] | None = None
    ) -> Iterator[bytes]:
        """Like ``parse_blocks``, as text."""
        for _, text in zip_in_order(text_of or self.parse_text_block, blocks, threads):
            yield text

    def parse(self, sentence: Sentence | Sequence[str] | str) -> Sentence:
        """Parse one sentence: a Sentence, CoNLL-U text, or a list of words; returns a new one."""
        from treewright.treebank.sentence import Sentence

        return Sentence.from_conllu(self.parse_text_block(self._block_of(sentence)).decode())

    def _block_of(self, sentence: Sentence | Sequence[str] | str) -> Block:
        from treewright.treebank.sentence import Sentence

        if isinstance(sentence, str):
            if "\t" not in sentence:
                raise TreewrightError(
                    "raw text needs a tokeniser and a tagger, which this model has not."
                    " Give CoNLL-U text, a Sentence, or a list of words"
                )
            sentence = Sentence.from_conllu(sentence)
        elif not isinstance(sentence, Sentence):
            sentence = Sentence.from_words(list(sentence))
        return Block(sentence.to_conllu().encode(), _conllu_layout(), "text")

    def parse_stream(self, sentences: Iterable[Sentence], threads: int = 1) -> Iterator[Sentence]:
        """Parse sentences as they come, in order; memory stays flat."""
        from treewright.treebank.sentence import Sentence

        for block in self.parse_blocks(_gather(sentences), threads):
            for number in range(block.n_sentences):
                yield Sentence.from_block(block, number)

    def parse_file(
        self,
        source: Source,
        target: str | os.PathLike[str],
        *,
        format: str | None = None,
        to: str | None = None,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
        text_of: Callable[[Block], bytes] | None = None,
    ) -> tuple[int, int]:
        """Parse a treebank file into another; returns the numbers of sentences and words.

        ``format`` is that of the source, guessed if not given; ``to`` that of the target, the same if not given.
        ``progress`` is told the bytes that have been read. ``text_of`` makes the text of a block, ``parse_text_block``
        if not given.
        """
        from treewright.treebank.output import open_output
        from treewright.treebank.problems import check
        from treewright.treebank.writing import write

        counts = [0, 0]

        def counted() -> Iterator[Block]:
            for block in self.read_blocks(source, format):
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
        if to is None and _layout_after(first).name in _WRITTEN_AS_READ:
            with open_output(target) as output:
                for text in self.parse_texts(blocks, threads, text_of):
                    output.write(text)
        else:
            write(self.parse_blocks(blocks, threads, text_of), target, to)
        return counts[0], counts[1]

    def read_blocks(self, source: Source, format: str | None = None) -> Iterator[Block]:
        """Read what is to be parsed."""
        from treewright.treebank.reading import read_blocks

        return read_blocks(source, format)

    def _ready(self, block: Block) -> Block:
        """Give the block columns to write to, and say once which columns the model misses."""
        if block.layout.head < 0:
            block = _as_conllu(block)
        if not self._warned and block.n_words:
            self._warned = True
            missing = [column for column in self.info.get("columns", ()) if not _has(block, column)]
            if missing:
                warnings.warn(
                    f"{block.source or 'the input'}: no {', '.join(missing)} in it, and the model was trained with"
                    f" {'it' if len(missing) == 1 else 'them'}: expect worse trees",
                    TreewrightWarning,
                    stacklevel=4,
                )
        return block


def kind_of(kind: Any) -> type[Parser]:
    """Return the class for a kind of model; each is imported when such a model is met."""
    if kind not in KINDS:
        raise ModelFileError(f"a model of kind {kind!r}, not a parser that this version knows")
    module, name = KINDS[kind].split(":")
    found: type[Parser] = getattr(import_module(module), name)
    return found


def zip_in_order(function: Any, items: Iterable[Block], threads: int) -> Iterator[tuple[Block, Any]]:
    """Yield (item, function(item)) in the order of the items, with a few of them under way at a time."""
    if threads <= 1:
        for item in items:
            yield item, function(item)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    waiting: deque[tuple[Block, Future[Any]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append((item, pool.submit(function, item)))
                if len(waiting) > 2 * threads:
                    block, future = waiting.popleft()
                    yield block, future.result()
            while waiting:
                block, future = waiting.popleft()
                yield block, future.result()
        finally:
            for _, future in waiting:
                future.cancel()


def _check_info(info: Any) -> None:
    """Refuse a description of another shape than those that are written: parsing and `info` rely on it."""
    if not isinstance(info, dict) or not isinstance(info.get("recipe", {}), dict):
        raise ModelFileError("the model is damaged: its description cannot be read")
    columns = info.get("columns", [])
    if not isinstance(columns, list) or not all(isinstance(column, str) for column in columns):
        raise ModelFileError("the model is damaged: its list of columns cannot be read")


def _has(block: Block, column: str) -> bool:
    from treewright.treebank.checks import is_filled

    place = block.layout.index(column)
    if column == "UPOS" and (place < 0 or not is_filled(block, place)):
        place = block.layout.index("XPOS")
    return place >= 0 and is_filled(block, place)


def _conllu_layout() -> Any:
    from treewright.treebank.formats.conllu import CONLLU

    return CONLLU


def _layout_after(block: Block) -> Any:
    return block.layout if block.layout.head >= 0 else _conllu_layout()


def _as_conllu(block: Block) -> Block:
    """Return a block of a format without trees (Malt-TAB of two columns) as CoNLL-U."""
    from treewright.treebank.formats.registry import format_named

    return Block(format_named("conllu").writer().write(block), _conllu_layout(), block.source, block.first_line)


def _gather(sentences: Iterable[Sentence]) -> Iterator[Block]:
    """Gather sentences into blocks of a few hundred kilobytes."""
    texts: list[bytes] = []
    size = 0
    for sentence in sentences:
        text = sentence.to_conllu().encode()
        texts.append(text)
        size += len(text)
        if size > 1 << 18:
            yield Block(b"".join(texts), _conllu_layout(), "sentences")
            texts, size = [], 0
    if texts:
        yield Block(b"".join(texts), _conllu_layout(), "sentences")
