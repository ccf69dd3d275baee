"""A trained tokeniser: raw text in, CoNLL-U without tags and trees out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treewright.errors import TreebankError
from treewright.learners.frozen import FrozenWeights
from treewright.learners.table import LinearTable
from treewright.text.tokenizer.boundaries import BoundaryModel
from treewright.text.tokenizer.characters import Characters
from treewright.text.tokenizer.multiwords import MultiwordTable
from treewright.text.tokenizer.writer import ConlluWriter, label_given
from treewright.treebank.block import MAX_BLOCK, Block
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.source import InputStream, Source, open_input
from treewright.treebank.stretches import BOM, check_text

STRETCH = 1 << 20  # bytes of text that are read at once
SENTENCE_END = 2
LAYOUTS = ("raw", "presegmented", "horizontal", "vertical")


class Tokenizer:
    """Splits text into sentences, tokens and words, as the treebank does that it was trained on.

    Nothing in it changes while it works: any number of threads may share one.
    """

    def __init__(self, settings: dict[str, Any], weights: FrozenWeights) -> None:
        self.settings = settings
        self.weights = weights
        self.model = BoundaryModel(LinearTable(weights), bytes(settings["usual"]), bool(settings["spaces_inside"]))
        self.multiwords = MultiwordTable(settings["multiwords"])

    def tokenize(self, text: str, layout: str = "raw", ranges: bool = False) -> bytes:
        """Return the sentences of a text as CoNLL-U. ``layout`` says what is given: see LAYOUTS."""
        return b"".join(block.data for block in self.blocks(text.encode(), layout, ranges))

    def blocks(self, source: Source, layout: str = "raw", ranges: bool = False) -> Iterator[Block]:
        """Read text as a stream of blocks; memory does not grow with the file.

        ``raw``: blank lines end sentences, the model finds the rest. ``presegmented``: every line is a sentence.
        ``horizontal``: every line is a sentence with spaces between its tokens. ``vertical``: every line is a token,
        with a blank line after each sentence. ``ranges``: write the characters of each token to MISC.
        """
        yield from _blocks(self, source, layout, ranges)

    def label(self, text: Characters, layout: str) -> bytearray:
        """Return a label for every character: 1 after a token, 2 after a sentence, else 0."""
        labels = bytearray(len(text))
        if layout in ("horizontal", "vertical"):
            label_given(text, labels, layout)
        else:
            # Text given on the command line or in Python ends without the line's end that files have, and that the
            # model has learnt to expect: the last word would be judged as one that goes on.
            ended = text if not text.text or text.text[-1:].isspace() else Characters(text.text + b"\n")
            labels += bytes(len(ended) - len(text))
            self.model.label(ended, labels, "sentence" if layout == "presegmented" else "")
            del labels[len(text) :]
        return labels


def given_tokens(source: Source, layout: str, ranges: bool = False) -> Iterator[Block]:
    """Read text whose tokens are given, which needs no model: ``horizontal`` or ``vertical``."""
    yield from _blocks(None, source, layout, ranges)


def _blocks(tokenizer: Tokenizer | None, source: Source, layout: str, ranges: bool) -> Iterator[Block]:
    if layout not in LAYOUTS:
        raise TreebankError(f"no text layout named {layout!r}", remedy=f"There are {', '.join(LAYOUTS)}.")
    given = layout in ("horizontal", "vertical")
    multiwords = tokenizer.multiwords if tokenizer is not None and not given else None
    writer = ConlluWriter(multiwords, ranges=ranges, spaces=not given, paragraphs=layout == "raw")
    stream = open_input(source)
    line = 1
    try:
        for characters, whole in _stretches(stream, layout):
            if tokenizer is None:
                labels = bytearray(len(characters))
                label_given(characters, labels, layout)
            else:
                labels = tokenizer.label(characters, layout)
            # A sentence that the end of the stretch may have cut waits for the next one.
            end = len(characters) if whole else _last_sentence(labels)
            done = writer.write(characters, labels, end)
            characters.used = end
            if done:
                yield Block(done, CONLLU, stream.source, line)
                line += done.count(b"\n")
    finally:
        stream.close()


def _last_sentence(labels: bytearray) -> int:
    """Return where the last sentence begins."""
    before = labels.rfind(SENTENCE_END, 0, max(0, labels.rfind(SENTENCE_END)))
    return before + 1


def _stretches(stream: InputStream, layout: str) -> Iterator[tuple[Characters, bool]]:
    """Yield text, each time with whether it ends with a sentence; what the caller has not used comes again."""
    pending = bytearray()
    wanted, lines, first = STRETCH, 0, True
    while True:
        piece = stream.read(wanted)
        pending += piece
        if piece and len(pending) < wanted:
            continue
        if first and pending.startswith(BOM):
            del pending[: len(BOM)]
        first = False
        cut = len(pending) if not piece else _cut(pending, layout)
        whole = not piece or cut > 0
        if not cut:
            cut = _last_space(pending)
        text = bytes(pending[:cut])
        check_text(text, stream.source, lines + 1)
        characters = Characters(text)
        characters.used = 0
        yield characters, whole
        used = characters.byte_offset(characters.used)
        lines += pending.count(b"\n", 0, used)
        del pending[:used]
        wanted = STRETCH if used else 2 * len(pending)  # a sentence longer than the stretch
        if not piece:
            return
        if wanted > MAX_BLOCK:
            raise TreebankError(
                f"more than {MAX_BLOCK >> 20} MB without the end of a sentence",
                source=stream.source,
                line=lines + 1,
                remedy="Is this text? Blank lines end sentences.",
            )


def _cut(pending: bytearray, layout: str) -> int:
    """Return up to where sentences are whole for sure; 0 if that cannot be known."""
    if layout in ("raw", "vertical"):
        cut = max(pending.rfind(b"\n\n"), pending.rfind(b"\n\r\n"))
    else:
        cut = pending.rfind(b"\n")
    if cut < 0:
        return 0
    while cut < len(pending) and pending[cut] in b" \t\r\n":
        cut += 1
    # Spaces that go on in the next piece would look like the end of the text.
    return cut if cut < len(pending) else 0


def _last_space(pending: bytearray) -> int:
    """Return a place where text can be cut without cutting a character, between words where possible."""
    cut = max(pending.rfind(b" "), pending.rfind(b"\n"))
    if cut > 0:
        return cut
    cut = len(pending)
    while cut > 0 and pending[cut - 1] & 0xC0 == 0x80:
        cut -= 1
    return max(0, cut - 1)
