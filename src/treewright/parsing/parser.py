"""A trained parser: what `train` makes and `load` brings back."""

from __future__ import annotations

import os
import warnings
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from treewright.errors import ModelFileError, TreebankError, TreewrightError, TreewrightWarning
from treewright.features.extractor import Extractor
from treewright.features.language import parse_model
from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Moves
from treewright.learners.table import LinearTable
from treewright.parsing.greedy import GreedyParser, Scratch
from treewright.parsing.model_file import read_model, write_model
from treewright.systems import make_system
from treewright.treebank.block import Block
from treewright.treebank.deprojectivizer import Deprojectivizer

if TYPE_CHECKING:
    from treewright.treebank.sentence import Sentence
    from treewright.treebank.source import Source

# Formats whose text can be copied around the columns that change.
_WRITTEN_AS_READ = ("conllu", "conllu-plus", "conllx", "malt-tab")
_DTYPES = {"lines": "U8", "tags": "U16", "moves": "I8", "sizes": "U16", "classes_low": "U8", "classes_high": "U8", "values": "I8"}


class Parser:
    """A system, a feature model and weights, ready to parse.

    Nothing in it changes while it parses: any number of threads may share one. ``info`` holds what is known of its
    making: recipe, scores, licence, training data.
    """

    def __init__(self, settings: dict[str, Any], weights: FrozenWeights, info: dict[str, Any]) -> None:
        self.settings = settings
        self.weights = weights
        self.info = info
        system = make_system(**settings["system"])
        model = parse_model(settings["features"], settings["feature_model"])
        relations = settings["relations"]
        moves = Moves(system, [tuple(pair) for pair in settings["classes"]], settings["root_labels"], settings["word_labels"])
        if moves.n_classes != weights.n_classes:
            raise ModelFileError("the model is damaged: its weights and its moves do not fit each other")
        lifting = Deprojectivizer(relations, settings["lifting"])
        self.greedy = GreedyParser(
            system, Extractor(model, relations), moves, LinearTable(weights), settings["split"], lifting
        )
        self.relations: list[str] = lifting.decoded_relations
        self._relation_bytes = [relation.encode("utf-8", "surrogateescape") for relation in self.relations]
        self._scratches: deque[Scratch] = deque()
        self._warned = False

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Parser:
        """Load a parser from a model file."""
        header, arrays = read_model(path)
        try:
            if header["kind"] != "transition":
                raise ModelFileError(f"{os.fspath(path)}: a model of kind {header['kind']!r}, not a parser that this version knows")
            info = header["info"]
            if not isinstance(info, dict) or not all(isinstance(name, str) for name in info.get("columns", ())):
                raise ModelFileError("the model is damaged: what it says of its making is not readable")
            return cls(header["settings"], FrozenWeights(arrays, header["weights"]), info)
        except ModelFileError as error:
            name = os.fspath(path)
            raise error if str(error).startswith(name) else ModelFileError(f"{name}: {error}") from None
        except (TreewrightError, KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
            raise ModelFileError(f"{os.fspath(path)}: the model is damaged: {str(error) or type(error).__name__}") from None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the parser to a model file, which appears whole or not at all."""
        header = {
            "kind": "transition", "settings": self.settings, "weights": self.weights.settings, "info": self.info,
        }  # fmt: skip
        arrays = {name: (_DTYPES[name], data) for name, data in self.weights.arrays.items()}
        write_model(path, header, arrays)

    def parse_block(self, block: Block) -> tuple[Block, array[int], array[int]]:
        """Parse all sentences of a block: heads and relations (positions in ``relations``), word by word."""
        block = self._ready(block)
        heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
        try:
            scratch = self._scratches.pop()
        except IndexError:
            scratch = Scratch(self.greedy.extractor)
        self.greedy.parse_block(block, heads, labels, scratch)
        self._scratches.append(scratch)
        return block, heads, labels

    def parse_text_block(self, block: Block) -> bytes:
        """Return the text of a block with HEAD and DEPREL replaced, all else as it was."""
        block, heads, labels = self.parse_block(block)
        return block.with_tree(heads, labels, self._relation_bytes)

    def parse_blocks(self, blocks: Iterable[Block], threads: int = 1) -> Iterator[Block]:
        """Parse blocks as they come, in order, with any number of threads over this one model."""
        for block, text in zip_in_order(self.parse_text_block, blocks, threads):
            yield Block(text, _layout_after(block), block.source, block.first_line)

    def parse_texts(self, blocks: Iterable[Block], threads: int = 1) -> Iterator[bytes]:
        """Like ``parse_blocks``, as text."""
        for _, text in zip_in_order(self.parse_text_block, blocks, threads):
            yield text

    def parse(self, sentence: Sentence | Sequence[str] | str) -> Sentence:
        """Parse one sentence: a Sentence, CoNLL-U text, or a list of words; returns a new one."""
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
        text = self.parse_text_block(Block(sentence.to_conllu().encode(), _conllu_layout(), "text"))
        return Sentence.from_conllu(text.decode())

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
    ) -> tuple[int, int]:
        """Parse a treebank file into another; returns the numbers of sentences and words.

        ``format`` is that of the source, guessed if not given; ``to`` that of the target, the same if not given.
        ``progress`` is told the bytes that have been read.
        """
        from treewright.treebank.output import open_output
        from treewright.treebank.problems import check
        from treewright.treebank.reading import read_blocks
        from treewright.treebank.writing import write

        counts = [0, 0]

        def counted() -> Iterator[Block]:
            for block in read_blocks(source, format):
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
                for text in self.parse_texts(blocks, threads):
                    output.write(text)
        else:
            write(self.parse_blocks(blocks, threads), target, to)
        return counts[0], counts[1]

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

    def __repr__(self) -> str:
        system = self.settings["system"]["name"]
        return f"<Parser: {system}, {self.settings['feature_model']} features, {len(self.weights):,} weights>"


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

    return Block(format_named("conllu").encoder().encode(block), _conllu_layout(), block.source, block.first_line)


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
