"""Blocks for parsers: made from sentences, given columns to write to, checked for what they lack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.checks import is_filled
from treewright.treebank.files.sentence_names import not_text
from treewright.treebank.formats.conllu import CONLLU

if TYPE_CHECKING:
    from treewright.treebank.sentences.sentence import Sentence

BLOCK_BYTES = 1 << 18  # of sentences that are parsed together


def block_of(sentence: Sentence | Sequence[str | Mapping[str, object]] | str) -> Block:
    """Return a sentence as a block: a Sentence, CoNLL-U text, or a list of words."""
    from treewright.treebank.sentences.sentence import Sentence

    if isinstance(sentence, str):
        sentence = Sentence.from_conllu(sentence)
    elif isinstance(sentence, (bytes, bytearray)) or not isinstance(sentence, Iterable):
        raise not_text(sentence)
    elif not isinstance(sentence, Sentence):
        sentence = Sentence.from_words(list(sentence))
    return Block(sentence.to_conllu().encode(), CONLLU, "text")


def gathered(sentences: Iterable[Sentence]) -> Iterator[Block]:
    """Gather sentences into blocks of a few hundred kilobytes."""
    texts: list[bytes] = []
    size = 0
    for sentence in sentences:
        text = sentence.to_conllu().encode()
        texts.append(text)
        size += len(text)
        if size > BLOCK_BYTES:
            yield Block(b"".join(texts), CONLLU, "sentences")
            texts, size = [], 0
    if texts:
        yield Block(b"".join(texts), CONLLU, "sentences")


def with_columns(block: Block) -> Block:
    """Return a block with columns to write to: a format without trees (Malt-TAB of two columns) becomes CoNLL-U."""
    if block.layout.head >= 0:
        return block
    from treewright.treebank.formats.registry import format_named

    return Block(format_named("conllu").writer().write(block), CONLLU, block.source, block.first_line)


def missing_columns(block: Block, columns: Iterable[str]) -> list[str]:
    """Return those of the columns that a block leaves empty; XPOS may stand in for UPOS."""
    missing = []
    for column in columns:
        place = block.layout.index(column)
        if column == "UPOS" and (place < 0 or not is_filled(block, place)):
            place = block.layout.index("XPOS")
        if place < 0 or not is_filled(block, place):
            missing.append(column)
    return missing


def lacks_tags(block: Block, again: bool) -> bool:
    """Does a block have words without tags, and columns for them? ``again``: tags that are there count as none."""
    upos, xpos = block.layout.upos, block.layout.xpos
    if not block.n_words or max(upos, xpos) < 0:
        return False
    return again or not ((upos >= 0 and is_filled(block, upos)) or (xpos >= 0 and is_filled(block, xpos)))
