"""A trained tokeniser: raw text in, CoNLL-U without tags and trees out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import ModelFileError, TreebankError, unknown
from treewright.features.word_clusters import WordClusters
from treewright.kinds.tokenizer.boundaries.boundaries import LOOK_AHEAD, BoundaryModel
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.boundaries.lines import LineStyle, lacking_marks, line_style
from treewright.kinds.tokenizer.excerpt import WHOLE, Excerpt
from treewright.kinds.tokenizer.multiwords.multiwords import MultiwordTable
from treewright.kinds.tokenizer.writer import ConlluWriter, label_given
from treewright.learners.frozen import FrozenWeights
from treewright.learners.table import LinearTable
from treewright.steps.call import PLAIN, TEXT, Call, all_but
from treewright.steps.kept_arrays import cluster_arrays, clusters_in, weight_arrays, weights_in
from treewright.steps.step import Step
from treewright.steps.text import GivenText
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.stretches import check_raw_text
from treewright.treebank.files.sentence_names import PLAIN_NAMES, SentenceNames, as_bytes
from treewright.treebank.files.source import InputStream, open_input
from treewright.treebank.files.text_format import LAYOUTS
from treewright.treebank.formats.conllu import CONLLU

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.steps.call_keywords import CallKeywords
    from treewright.steps.contract import Arrays, Header, TypedArrays

STRETCH = 1 << 18  # bytes of text that are read at once: some 50,000 words, which bounds the memory of all steps
LONGEST = 8 << 20  # bytes of text without the end of a sentence: memory grows with it, a hundred times
SAMPLE = 1 << 16  # bytes of text from which the meaning of lines is guessed
SENTENCE_END = 2


class Tokenizer(Step):
    """Splits text into sentences, tokens and words, as the treebank does that it was trained on."""

    kind: ClassVar[str] = "tokenizer"
    role = "tokenizer"
    gives = ("FORM",)
    _LACKS: ClassVar[Mapping[str, str]] = all_but(TEXT, "a tokeniser only splits text into sentences and words")

    def __init__(
        self,
        settings: dict[str, Any],
        weights: FrozenWeights,
        clusters: WordClusters | None = None,
        info: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(settings, info or {})
        self.weights, self.clusters = weights, clusters
        try:
            self.model = BoundaryModel(LinearTable(weights), settings, clusters)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelFileError(f"the model is damaged: its tokeniser is invalid ({error})") from None
        self.multiwords = MultiwordTable(settings["multiwords"], self.model)

    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps: settings, and arrays with their types."""
        settings, arrays = {**self.settings, "weights": self.weights.settings}, weight_arrays(self.weights)
        if self.clusters is not None:
            settings, arrays = (
                {**settings, "clusters": self.clusters.source},
                {**arrays, **cluster_arrays(self.clusters)},
            )
        return {"kind": self.kind, "settings": settings, "info": self.info}, arrays

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> Tokenizer:
        """Return the tokeniser that a model file holds."""
        settings = header["settings"]
        kept = {name: value for name, value in settings.items() if name not in ("weights", "clusters")}
        clusters = clusters_in(arrays, settings["clusters"]) if "clusters" in settings else None
        return cls(kept, weights_in(arrays, settings["weights"]), clusters, header["info"])

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        details = {"features": len(self.weights), "multiword_forms": len(self.settings["multiwords"]["forms"])}
        return details if self.clusters is None else {**details, "clusters": self.clusters.n_clusters}

    def _applies(self, block: Block, call: Call) -> bool:
        """A block has its words already."""
        return False

    def annotate(self, block: Block, call: Call) -> bytes:
        """Return the words as they are."""
        return bytes(block.data)

    def tokenize(self, text: str, layout: str = "raw", **options: Unpack[CallKeywords]) -> bytes:
        """Return the sentences of a text as CoNLL-U. ``layout`` says what is given: see LAYOUTS."""
        given = GivenText(open_input(text.encode()), layout)
        return b"".join(block.data for block in self.blocks(given, self._checked(options)))

    def split(self, text: str, call: Call = PLAIN, names: SentenceNames = PLAIN_NAMES) -> tuple[bytes, int]:
        """Return the sentences of a text as CoNLL-U, and how many there are."""
        data = as_bytes(text)
        if len(data) > SAMPLE:
            given = GivenText(InputStream(BytesIO(data), "the text"), names=names)
            done = b"".join(block.data for block in self.blocks(given, call))
            return done, done.count(b"\n\n")
        check_raw_text(data, "the text", 1)
        characters = Characters(data)
        line_style(characters, call.newlines).mark(characters)
        characters.lacking = lacking_marks(characters)
        labels = self.label(characters)
        writer = ConlluWriter(self.multiwords, ranges=call.ranges, **names.for_writer())
        done = writer.write(characters, labels, len(characters))
        return done, writer.sentences - names.before

    def blocks(self, text: GivenText, call: Call = PLAIN) -> Iterator[Block]:
        """Read text as a stream of blocks; memory does not grow with the file.

        Layout ``raw``: the model finds the sentences; ``call.newlines``: see NEWLINES.
        ``presegmented``: every line is a sentence. ``horizontal``: every line is a sentence with spaces between its
        tokens. ``vertical``: every line is a token, with a blank line after each sentence.
        """
        return _blocks(self, text, call)

    def label(self, text: Characters, whole_lines: bool = False) -> bytearray:
        """Return a label for every character: 1 after a token, 2 after a sentence, else 0.

        ``whole_lines``: only lines end sentences.
        """
        labels = bytearray(len(text))
        self.model.label(text, labels, whole_lines)
        return labels

    def sentence_ends(self, text: str) -> list[int]:
        """Return the places of the characters that end sentences of a raw text."""
        characters = Characters(text.encode())
        line_style(characters).mark(characters)
        characters.lacking = lacking_marks(characters)
        labels = self.label(characters)
        return [characters.text_place(place) for place, label in enumerate(labels) if label == SENTENCE_END]


def given_tokens(text: GivenText, call: Call) -> Iterator[Block]:
    """Read text whose tokens are given, which needs no model: ``horizontal`` or ``vertical``."""
    return _blocks(None, text, call)


def _blocks(tokenizer: Tokenizer | None, text: GivenText, call: Call) -> Iterator[Block]:
    stream, layout, names, excerpt = text
    if layout not in LAYOUTS:
        raise TreebankError(unknown("text layout", layout, LAYOUTS))
    given = layout in ("horizontal", "vertical")
    multiwords = tokenizer.multiwords if tokenizer is not None and not given else None
    state = (excerpt or WHOLE).for_writer()
    writer = ConlluWriter(
        multiwords,
        ranges=call.ranges,
        spaces=not given,
        paragraphs=layout == "raw",
        **names.for_writer(),
        **state,
    )
    line, before = 1, None
    style, lacking = LineStyle("sentence"), 0
    if layout == "raw":
        sample = Characters(stream.peek(SAMPLE) if excerpt is None else excerpt.head[:SAMPLE])
        style = line_style(sample, call.newlines)
        style.mark(sample)
        lacking = lacking_marks(sample)
    for characters, last in _stretches(stream, excerpt):
        characters.lacking = lacking
        if tokenizer is None or given:
            labels = bytearray(len(characters))
            label_given(characters, labels, layout)
        else:
            before = style.mark(characters, before)
            labels = tokenizer.label(characters, layout == "presegmented")
        # What the end of the stretch may have cut, or what comes after it may change, waits for the next one.
        end = (
            _character_at(characters, last)
            if last is not None
            else labels.rfind(SENTENCE_END, 0, max(0, len(labels) - LOOK_AHEAD)) + 1
        )
        done = writer.write(characters, labels, end)
        before = before and before.until(characters, end)
        characters.used = end
        if done:
            yield Block(done, CONLLU, stream.source, line)
            line += done.count(b"\n")


def _stretches(stream: InputStream, excerpt: Excerpt | None) -> Iterator[tuple[Characters, int | None]]:
    """Yield text, the last time with the byte at which it ends; what the caller has not used comes again."""
    pending = bytearray()
    wanted, lines = STRETCH, 0 if excerpt is None else excerpt.lines
    after = b"" if excerpt is None else excerpt.after
    while True:
        piece = stream.read(wanted)
        pending += piece
        if piece and len(pending) < wanted:
            continue
        cut = _last_space(pending) if piece else len(pending)
        text = bytes(pending[:cut])
        check_raw_text(text, stream.source, lines + 1)
        characters = Characters(text if piece else text + after)
        characters.used = 0
        yield characters, None if piece else len(text)
        used = characters.byte_offset(characters.used)
        lines += pending.count(b"\n", 0, used)
        del pending[:used]
        wanted = STRETCH if used else 2 * len(pending)  # a sentence longer than the stretch
        if not piece:
            return
        if not used and len(pending) > LONGEST:
            raise TreebankError(
                f"more than {LONGEST >> 20} MB without the end of a sentence",
                source=stream.source,
                line=lines + 1,
                remedy="Is this text? Blank lines end sentences.",
            )


def _character_at(characters: Characters, offset: int) -> int:
    """Return which character begins at a byte."""
    return bisect_left(range(len(characters)), offset, key=characters.byte_offset)


def _last_space(pending: bytearray) -> int:
    """Return a place where text can be cut without cutting a character, between words where possible."""
    cut = max(pending.rfind(b" "), pending.rfind(b"\n"))
    if cut > 0:
        return cut
    cut = len(pending)
    while cut > 0 and pending[cut - 1] & 0xC0 == 0x80:
        cut -= 1
    return max(0, cut - 1)
