"""Tokeniser, tagger and parser as one model: from raw text to trees."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, cast

from treewright.errors import CombinationError, ModelFileError, TreebankError
from treewright.learners.frozen import FrozenWeights
from treewright.parsing.parser import Parser, kind_of
from treewright.text.tagger.tagger import Tagger, weight_arrays, weight_part
from treewright.text.tokenizer.tokenizer import LAYOUTS, Tokenizer, given_tokens
from treewright.treebank.block import Block
from treewright.treebank.checks import is_filled
from treewright.treebank.formats.registry import SAMPLE_BYTES, Sample, guess
from treewright.treebank.source import InputStream, Source, open_input

if TYPE_CHECKING:
    from treewright.treebank.sentence import Sentence

TEXT = "text"  # the format of raw text, beside the names of treebank formats
TEXT_FORMATS = (TEXT, *LAYOUTS[1:])


class Pipeline(Parser):
    """A parser with what comes before it; each step is done where the input needs it.

    Raw text is split into words. Words without tags are tagged; those that have some keep them, unless
    ``retag`` is set.
    """

    def __init__(
        self, tokenizer: Tokenizer | None, tagger: Tagger | None, parser: Parser, info: dict[str, Any]
    ) -> None:
        super().__init__(parser.settings, info, parser.relations)
        self.tokenizer, self.tagger, self.parser = tokenizer, tagger, parser
        self.retag = False
        self.ranges = False  # write the characters of tokens to MISC?

    # Files

    def to_file(self) -> tuple[dict[str, Any], dict[str, tuple[str, Any]]]:
        """Return what a model file keeps: the parts side by side, their arrays under their names."""
        header, parser_arrays = self.parser.to_file()
        settings: dict[str, Any] = {"parser": header, "tokenizer": None, "tagger": None}
        arrays = {f"parser.{name}": value for name, value in parser_arrays.items()}
        if self.tokenizer is not None:
            settings["tokenizer"] = {**self.tokenizer.settings, "weights": self.tokenizer.weights.settings}
            arrays.update(weight_arrays("tokenizer", self.tokenizer.weights))
        if self.tagger is not None:
            settings["tagger"] = self.tagger.settings()
            arrays.update({f"tagger.{name}": value for name, value in self.tagger.arrays().items()})
        return {"kind": "pipeline", "settings": settings, "info": self.info}, arrays

    @classmethod
    def from_file(cls, header: dict[str, Any], arrays: dict[str, Any]) -> Pipeline:
        """Return the pipeline that a model file holds."""
        settings = header["settings"]
        inner = settings["parser"]
        if inner["kind"] == "pipeline":
            raise ModelFileError("a pipeline within a pipeline")
        parser = kind_of(inner["kind"]).from_file(inner, _under("parser", arrays))
        tokenizer = tagger = None
        if settings["tokenizer"] is not None:
            weights = FrozenWeights(weight_part("tokenizer", arrays), settings["tokenizer"]["weights"])
            kept = {name: value for name, value in settings["tokenizer"].items() if name != "weights"}
            tokenizer = Tokenizer(kept, weights)
        if settings["tagger"] is not None:
            tagger = Tagger.restore(settings["tagger"], _under("tagger", arrays))
        return cls(tokenizer, tagger, parser, header["info"])

    def details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        details: dict[str, Any] = {"steps": self.steps}
        if self.tokenizer is not None:
            details["tokenizer"] = {
                "features": len(self.tokenizer.weights),
                "multiword_forms": len(self.tokenizer.settings["multiwords"]["forms"]),
            }
        if self.tagger is not None:
            details["tagger"] = {
                "columns": self.tagger.columns,
                "tags": len(self.tagger.tags),
                "features": len(self.tagger.weights),
                "known_words": len(self.tagger.lexicon),
            }
        return {**details, "parser": self.parser.details()}

    @property
    def steps(self) -> list[str]:
        """What the pipeline can do, in order."""
        return [
            *(["tokenizer"] if self.tokenizer is not None else []),
            *(["tagger"] if self.tagger is not None else []),
            "parser",
        ]

    # Parsing

    def parse_block(self, block: Block) -> tuple[Block, array[int], array[int]]:
        """Tag a block if it needs it, then parse all its sentences."""
        return self.parser.parse_block(self.tagged(block))

    def parse_text_block(self, block: Block) -> bytes:
        """Return the text of a block with tags and trees, all else as it was."""
        return self.parser.parse_text_block(self.tagged(block))

    def with_confidence(self) -> Pipeline:
        """Return a pipeline that also writes how sure its parser is of each arc to MISC."""
        made = Pipeline(self.tokenizer, self.tagger, self.parser.with_confidence(), self.info)
        made.retag, made.ranges = self.retag, self.ranges
        return made

    def tagged(self, block: Block) -> Block:
        """Return the block with tags: its own if it has any, else the tagger's."""
        if self.tagger is None or not block.n_words or (not self.retag and has_tags(block)):
            return block
        if block.layout.upos < 0 and block.layout.xpos < 0:
            return block
        # The tagger gives what the parser was trained with. That "OK." has no FEATS is right, and no reason to warn.
        self.parser._warned = True
        return self.tagger.tagged(block)

    def read_blocks(self, source: Source, format: str | None = None) -> Iterator[Block]:
        """Read text or a treebank: what is in no treebank format is text."""
        stream = open_input(source)
        if format is None and _is_text(stream):
            format = TEXT
        if format in TEXT_FORMATS:
            return self.read_text(cast("IO[bytes]", _Opened(stream)), "raw" if format == TEXT else format)
        from treewright.treebank.reading import read_blocks

        return read_blocks(cast("IO[bytes]", _Opened(stream)), format)

    def read_text(self, source: Source, layout: str = "raw") -> Iterator[Block]:
        """Read text as blocks of words; ``layout`` says which boundaries are given."""
        if layout in ("horizontal", "vertical"):
            return given_tokens(source, layout, self.ranges)
        if self.tokenizer is None:
            raise CombinationError(
                "raw text needs a tokeniser, which this model has not. Give CoNLL-U, or tokens (--pretokenized),"
                " or train with --pipeline"
            )
        return self.tokenizer.blocks(source, layout, self.ranges)

    def parse(self, sentence: Sentence | Sequence[str] | str) -> Sentence:
        """Parse one sentence: raw text, CoNLL-U text, a Sentence, or a list of words; returns a new one.

        Raw text is taken for one sentence; ``parse_text`` finds the sentences of longer ones.
        """
        from treewright.treebank.sentence import Sentence

        if isinstance(sentence, str) and "\t" not in sentence:
            line = " ".join(sentence.split())
            if not line:
                raise TreebankError("no words in it", remedy="Give a sentence to parse")
            blocks = self.read_text(line.encode(), "presegmented")
            return next(Sentence.from_block(block, 0) for block in self.parse_blocks(blocks))
        return super().parse(sentence)

    def parse_text(self, text: str, threads: int = 1) -> Iterator[Sentence]:
        """Parse raw text of any length, sentence by sentence."""
        from treewright.treebank.sentence import Sentence

        for block in self.parse_blocks(self.read_text(text.encode()), threads):
            for number in range(block.n_sentences):
                yield Sentence.from_block(block, number)

    def __repr__(self) -> str:
        return f"<Pipeline: {', '.join(self.steps[:-1])}, {self.parser!r}>"


class _Opened:
    """A stream that was looked into already, as a file object with its name."""

    def __init__(self, stream: InputStream) -> None:
        self.name = stream.source
        self._stream = stream

    def read(self, size: int) -> bytes:
        """Return up to so many bytes."""
        return self._stream.read(size)


def has_tags(block: Block) -> bool:
    """Say whether some word of a block has UPOS or XPOS."""
    layout = block.layout
    return any(place >= 0 and is_filled(block, place) for place in (layout.upos, layout.xpos))


def _is_text(stream: InputStream) -> bool:
    """Say whether a stream is in no treebank format, or is named as text."""
    sample = Sample(stream.peek(SAMPLE_BYTES), stream.source)
    if stream.source.endswith(".txt"):
        return True
    if b"\t" in sample.raw or b"<" in sample.raw[:200]:
        try:
            guess(sample)
        except TreebankError:
            return b"\0" not in sample.raw
        return False
    return b"\0" not in sample.raw and not sample.raw.lstrip().startswith(b"# global.columns")


def _under(name: str, arrays: dict[str, Any]) -> dict[str, Any]:
    return {key[len(name) + 1 :]: value for key, value in arrays.items() if key.startswith(f"{name}.")}
