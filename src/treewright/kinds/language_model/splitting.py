"""From raw text to sentences of words: paragraphs that were not seen before, split by a tokeniser or by Unicode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from treewright.errors import CombinationError
from treewright.lexicon.raw_words import TOKEN
from treewright.steps.call import PLAIN, TEXT
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.normal_text import normal_form
from treewright.treebank.files.sentence_names import PLAIN_NAMES
from treewright.treebank.formats.conllu import CONLLU

SLOTS = 1 << 28  # bits: with 20 million different paragraphs, one in a thousand is taken for one that was seen
PROBES = 4  # bits of a paragraph
ENDS, CLOSING = frozenset(".!?…"), frozenset("\"'”»’)]")
AT_ONCE = 1 << 16  # characters that a tokeniser gets at a time


class Seen:
    """Which paragraphs were seen before (a Bloom filter): its memory does not grow."""

    def __init__(self) -> None:
        self._bits = bytearray(SLOTS // 8)
        self.again = 0  # paragraphs that came again

    @property
    def notes(self) -> list[str]:
        """What to say of the paragraphs."""
        return [f"{self.again:,} paragraphs that came again left out"] if self.again else []

    def is_new(self, paragraph: str) -> bool:
        """Return whether a paragraph comes for the first time."""
        digest, new = blake2b(paragraph.encode("utf-8", "replace"), digest_size=4 * PROBES).digest(), False
        for probe in range(PROBES):
            place = int.from_bytes(digest[4 * probe : 4 * probe + 4], "little") % SLOTS
            new = new or not self._bits[place >> 3] >> (place & 7) & 1
            self._bits[place >> 3] |= 1 << (place & 7)
        self.again += not new
        return new


def new_paragraphs(paragraphs: Iterable[str], seen: Seen) -> Iterator[str]:
    """Yield paragraphs without spaces around them; an empty one or one that came before is left out."""
    for paragraph in map(str.strip, paragraphs):
        if paragraph and seen.is_new(paragraph):
            yield paragraph


def split(paragraphs: Iterable[str], tokenizer: Step | None) -> Iterator[list[str]]:
    """Yield the sentences of paragraphs, as a step splits them; without one, by the classes of their characters."""
    if tokenizer is None:
        for paragraph in paragraphs:
            yield from _by_unicode(paragraph)
        return
    if TEXT in tokenizer.lacks:
        raise CombinationError(f"the tokeniser splits no text: {tokenizer.lacks[TEXT]}")
    waiting: list[str] = []
    size = 0
    for paragraph in paragraphs:
        waiting.append(paragraph)
        size += len(paragraph)
        if size > AT_ONCE:
            yield from _by_model(waiting, tokenizer)
            waiting, size = [], 0
    yield from _by_model(waiting, tokenizer)


def _by_model(paragraphs: list[str], tokenizer: Step) -> Iterator[list[str]]:
    data, _ = tokenizer.split("\n\n".join(paragraphs), PLAIN, PLAIN_NAMES)
    block = Block(data, CONLLU)
    form = CONLLU.form
    for number in range(block.n_sentences):
        yield [block.value(word, form).decode("utf-8", "replace") for word in block.words_of(number)]


def _by_unicode(paragraph: str) -> Iterator[list[str]]:
    """Yield sentences: they end with a stop and what closes it, before a word that begins with no small letter."""
    sentence: list[str] = []
    ended = False
    for token in TOKEN.findall(normal_form(paragraph)):
        if ended and token not in CLOSING and token not in ENDS and not token[0].islower():
            yield sentence
            sentence, ended = [], False
        sentence.append(token)
        ended = token in ENDS or (ended and token in CLOSING)
    if sentence:
        yield sentence
