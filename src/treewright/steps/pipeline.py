"""Tokeniser, tagger and parser as one model: from raw text to trees or graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, cast

from treewright.errors import CombinationError, ModelFileError, TreebankError
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tokenizer.excerpt import Excerpt
from treewright.kinds.tokenizer.tokenizer import Tokenizer, given_tokens
from treewright.kinds.transition.linear import LinearParser
from treewright.steps.parse_options import TAGS, TEXT, ParseOptions, text_reading
from treewright.steps.parser import DEFAULT, Arrays, Header, Parser, TypedArrays
from treewright.steps.trees import BestTree, Trees
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.checks import is_filled, tagged_runs
from treewright.treebank.files.sentence_names import as_bytes
from treewright.treebank.files.source import Source, holds_bytes, open_input
from treewright.treebank.files.text_format import RAW, TEXT_FORMATS, OpenedStream, is_text
from treewright.treebank.files.text_reading import PLAINLY, TextReading

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.steps.parse_options import ParseKeywords
    from treewright.treebank.sentences.sentence import Sentence


class Pipeline(Parser):
    """A parser with what comes before it; each step is done where the input needs it.

    Raw text is split into words. Words without tags are tagged; those that have some keep them, unless a call says
    ``tag=True``. What the parser can do, the pipeline can do.
    """

    def __init__(
        self, tokenizer: Tokenizer | None, tagger: Tagger | None, parser: Parser, info: dict[str, Any]
    ) -> None:
        super().__init__(parser.settings, info, parser.relations)
        self.tokenizer, self.tagger, self.parser = tokenizer, tagger, parser

    @property
    def lacks(self) -> Mapping[str, str]:
        """What the parser cannot do, but with what its tokeniser and tagger add."""
        lacks = {name: reason for name, reason in self.parser.lacks.items() if name not in (TEXT, TAGS)}
        if self.tokenizer is None:
            lacks[TEXT] = (
                "raw text needs a tokeniser, which this model lacks. Give CoNLL-U, or tokens (--pretokenized),"
                " or train with --pipeline"
            )
        if self.tagger is None:
            lacks[TAGS] = "the model has no tagger. Train one with --pipeline"
        return lacks

    # Files

    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps: the parts side by side, their arrays under their names."""
        header, parser_arrays = self.parser.to_file()
        settings: dict[str, Any] = {"parser": header, "tokenizer": None, "tagger": None}
        arrays = {f"parser.{name}": value for name, value in parser_arrays.items()}
        if self.tokenizer is not None:
            settings["tokenizer"], own = self.tokenizer.to_file()
            arrays.update({f"tokenizer.{name}": value for name, value in own.items()})
        if self.tagger is not None:
            settings["tagger"] = self.tagger.settings()
            arrays.update({f"tagger.{name}": value for name, value in self.tagger.arrays().items()})
        return {"kind": "pipeline", "settings": settings, "info": self.info}, arrays

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> Pipeline:
        """Return the pipeline that a model file holds."""
        from treewright.steps.loading import part_of

        settings = header["settings"]
        inner = settings["parser"]
        if inner["kind"] == "pipeline":
            raise ModelFileError("a pipeline within a pipeline")
        parser = part_of(inner, _under("parser", arrays))
        tokenizer = tagger = None
        if settings["tokenizer"] is not None:
            tokenizer = Tokenizer.from_file(settings["tokenizer"], _under("tokenizer", arrays))
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
            if self.tokenizer.clusters is not None:
                details["tokenizer"]["clusters"] = self.tokenizer.clusters.n_clusters
        if self.tagger is not None:
            details["tagger"] = {
                "columns": self.tagger.columns,
                "tags": len(self.tagger.tags),
                "features": len(self.tagger.weights),
                "known_words": len(self.tagger.lexicon),
            }
            if self.tagger.clusters is not None:
                details["tagger"]["clusters"] = self.tagger.clusters.n_clusters
        return {**details, "parser": self.parser.details()}

    @property
    def steps(self) -> list[str]:
        """The steps that the pipeline has, in order."""
        found = {"tokenizer": self.tokenizer, "tagger": self.tagger, "parser": self.parser}
        return [name for name, step in found.items() if step is not None]

    # Parsing: tags where they are needed, then the parser

    def ready(self, block: Block, options: ParseOptions = DEFAULT) -> Block:
        """Return the block with tags: its own if it has any, else the tagger's."""
        return self._prepared(block, options)[0]

    def _prepared(self, block: Block, options: ParseOptions) -> tuple[Block, ParseOptions]:
        """Return the block with tags, and the options for the parser: it corrects no tags but the tagger's."""
        block = self.parser.ready(block, options)
        if self.tagger is None or not self._needs_tags(block, options):
            return block, replace(options, tag=False)
        return self.tagger.tagged(block), replace(options, tag=True)

    def _needs_tags(self, block: Block, options: ParseOptions) -> bool:
        places = block.layout.upos, block.layout.xpos
        if not block.n_words or max(places) < 0:
            return False
        return options.tag or not any(place >= 0 and is_filled(block, place) for place in places)

    def missing(self, block: Block, options: ParseOptions = DEFAULT) -> list[str]:
        """Return the columns that a block leaves empty and that the tagger does not fill.

        What the tagger fills is what the parser was trained with. That "OK." has no FEATS is right.
        """
        tags = self.tagger is not None and self._needs_tags(block, options)
        return [] if tags else self.parser.missing(block, options)

    @property
    def move_maker(self) -> LinearParser:
        """The parser that makes moves, where the pipeline's last step is one."""
        return self.parser.move_maker

    @property
    def feature_text(self) -> str:
        """The feature model of the parser as text, with today's names; empty where it has none."""
        return self.parser.feature_text

    def annotate(self, block: Block, options: ParseOptions) -> bytes:
        """Return the text of a block with tags and what the parser found, all else as it was.

        Sentences are tagged or not one by one: what comes out must not depend on where blocks end.
        """
        runs = self._runs(block, options)
        if len(runs) < 2:
            return self.parser.annotate(*self._prepared(block, options))
        return b"".join(self.parser.annotate(*self._prepared(run, options)) for run in runs)

    def _runs(self, block: Block, options: ParseOptions) -> list[Block]:
        """Return the block in pieces, of which each has tags in all of its sentences or in none."""
        if self.tagger is None or options.tag or max(block.layout.upos, block.layout.xpos) < 0:
            return [block]
        starts = tagged_runs(block)
        if len(starts) < 2:
            return [block]
        places = [0, *(block.span_of(start)[0] for start in starts[1:]), len(block.data)]
        lines = [block.first_line, *(block.line_of(start) for start in starts[1:])]
        return [
            Block(block.data[begin:end], block.layout, block.source, line)
            for begin, end, line in zip(places, places[1:], lines, strict=False)
        ]

    def trees(self, block: Block, options: ParseOptions = DEFAULT) -> Trees:
        """Tag a block if it needs it, then parse all its sentences."""
        return self.parser.trees(*self._prepared(block, options))

    def best_trees(self, block: Block, number: int, options: ParseOptions) -> Iterable[BestTree]:
        """Return the k best trees of a sentence that has its tags."""
        return self.parser.best_trees(block, number, options)

    # Text

    def read_blocks(self, source: Source, format: str | None = None, reading: TextReading = PLAINLY) -> Iterator[Block]:
        """Read text or a treebank: what is in no treebank format is text."""
        if not holds_bytes(source):
            return super().read_blocks(source, format, reading)
        stream = open_input(source)
        if format is None and is_text(stream):
            format = RAW
        opened = cast("IO[bytes]", OpenedStream(stream))
        if format in TEXT_FORMATS:
            return self.read_text(opened, "raw" if format == RAW else format, reading)
        idle = ["ranges"] * reading.ranges + ["newlines"] * (reading.newlines != "auto")
        if idle:
            raise CombinationError(f"{stream.source}: {idle[0]} is for raw text, and this is a treebank: leave it out")
        return super().read_blocks(opened, format, reading)

    def read_text(
        self, source: Source, layout: str = "raw", reading: TextReading = PLAINLY, excerpt: Excerpt | None = None
    ) -> Iterator[Block]:
        """Read text as blocks of words: see ``Tokenizer.blocks``."""
        if layout in ("horizontal", "vertical"):
            return given_tokens(source, layout, reading, excerpt)
        if self.tokenizer is None:
            raise CombinationError(self.reason_against(TEXT))
        return self.tokenizer.blocks(source, layout, reading, excerpt)

    def block_of(self, sentence: Sentence | Sequence[Mapping[str, object]] | str) -> Block:
        """Return a sentence as a block: raw text taken for one sentence, CoNLL-U, a Sentence, or dictionaries."""
        if isinstance(sentence, str) and "\t" not in sentence:
            line = " ".join(sentence.split())
            if not line:
                raise TreebankError("no words in it", remedy="Give a sentence to parse")
            return next(self.read_text(as_bytes(line), "presegmented"))
        return super().block_of(sentence)

    def split_text(self, text: str, reading: TextReading) -> tuple[bytes, int]:
        """Return the words of a raw text in CoNLL-U, and the number of its sentences."""
        if self.tokenizer is None:
            raise CombinationError(self.reason_against(TEXT))
        return self.tokenizer.split(text, reading)

    def parse_text(self, text: str, threads: int = 1, **options: Unpack[ParseKeywords]) -> Iterator[Sentence]:
        """Parse raw text of any length, sentence by sentence."""
        from treewright.treebank.sentences.sentence import Sentence

        blocks = self.read_text(as_bytes(text), reading=text_reading(options))
        for block in self.parse_blocks(blocks, threads, **options):
            for number in range(block.n_sentences):
                yield Sentence.from_block(block, number)

    def sentence_ends(self, text: str) -> list[int] | None:
        """Return after which characters sentences of a raw text end."""
        if self.tokenizer is None:
            return None
        return self.tokenizer.sentence_ends(text)

    def __repr__(self) -> str:
        return f"<Pipeline: {', '.join(self.steps[:-1])}, {self.parser!r}>"


def _under(name: str, arrays: Arrays) -> dict[str, Any]:
    return {key[len(name) + 1 :]: value for key, value in arrays.items() if key.startswith(f"{name}.")}
