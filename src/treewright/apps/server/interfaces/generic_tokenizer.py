"""A tokeniser without a model, for any language with spaces between words: UDPipe's ``generic_tokenizer``.

Words are runs of letters, digits and marks, joined by apostrophes, hyphens, points and the like inside; addresses stay
whole; every other character is a token. A sentence ends after ``. ! ? …`` (with closing quotes and brackets) before a
space and a capital or an opening mark, and at blank lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.writer import ConlluWriter
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.normal_form import rare_characters
from treewright.treebank.blocks.stretches import check_raw_text
from treewright.treebank.formats.conllu import CONLLU

TOKEN_END, SENTENCE_END = 1, 2
SOURCE = "the data"
_LETTER = rf"[\w{rare_characters()}]"  # with accents that stand alone
_TOKEN = re.compile(
    r"(?:https?|ftp)://[^\s<>\"]*[\w/]"
    r"|\w[\w.+-]*@\w[\w.-]*\w"
    rf"|{_LETTER}+(?:[.,]\d+)*(?:['’·-]{_LETTER}+)*"
    r"|\.{2,}|-{2,}"
    r"|\S"
)
_END = re.compile(r"[.!?…。！？؟।]+")
_CLOSING = set("\"'”’»)]}›」』")
_OPENING = set("\"'“‘«([{‹「『¿¡")


def generic_blocks(data: bytes, ranges: bool = False, lines: bool = False) -> Iterator[Block]:
    """Yield a text as one block of words; ``lines``: every line is a sentence."""
    check_raw_text(data, SOURCE, 1)
    characters = Characters(data)
    labels = bytearray(len(characters))
    starts = [place for place, byte in enumerate(characters.text) if byte & 0xC0 != 0x80]
    found = _labels(characters.text.decode("utf-8", "replace"), lines)
    by_offset = {starts[place]: label for place, label in found.items()}
    for at in range(len(characters)):
        label = by_offset.get(characters.text_offset(at))
        if label is not None:
            labels[at] = label
    text = ConlluWriter(None, ranges=ranges, paragraphs=not lines).write(characters, labels, len(characters))
    if text:
        yield Block(text, CONLLU, SOURCE)


def _labels(text: str, lines: bool) -> dict[int, int]:
    """Return where tokens and sentences end: the place of their last character → which."""
    labels: dict[int, int] = {}
    ending = False
    last = -1
    for match in _TOKEN.finditer(text):
        if last >= 0 and _is_border(text, last + 1, match.start(), ending, lines):
            labels[last] = SENTENCE_END
            ending = False
        token = match[0]
        ending = bool(_END.fullmatch(token)) or (ending and token in _CLOSING)
        last = match.end() - 1
        labels[last] = TOKEN_END
    if last >= 0:
        labels[last] = SENTENCE_END
    return labels


def _is_border(text: str, end: int, start: int, ending: bool, lines: bool) -> bool:
    """Say whether a sentence ends between two tokens."""
    if lines:
        return "\n" in text[end:start]
    if text.count("\n", end, start) > 1:
        return True
    following = text[start]
    return ending and start > end and (not following.islower()) and (following.isalnum() or following in _OPENING)
