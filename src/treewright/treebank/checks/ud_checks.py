"""Find what Universal Dependencies does not allow, beyond the shape of trees: levels 1 and 2 of its validator in short.

Many files in CoNLL-U are not UD: they have other tags and relations. ``is_ud`` tells the two apart by their values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from treewright.treebank.blocks.block import COLUMNS, ID, Block

WRONG_TEXT = "wrong-text"
NO_TEXT = "no-text"
NO_SENT_ID = "no-sent-id"
SAME_SENT_ID = "same-sent-id"
UNKNOWN_UPOS = "unknown-upos"
UNKNOWN_RELATION = "unknown-relation"
ROOT_RELATION = "root-relation"
BAD_FEATS = "bad-feats"
FEATS_ORDER = "feats-order"

UPOS = frozenset(b"ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())
RELATIONS = frozenset(
    b"acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed"
    b" flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative"
    b" xcomp".split()
)
SHOWN = 20  # characters of a text on both sides of a difference


class Finding(NamedTuple):
    """A problem of a sentence; ``words`` are numbered from 1."""

    sentence: int
    line: int
    code: str
    message: str
    words: tuple[int, ...] = ()


def is_ud(block: Block) -> bool:
    """Return whether at least half of the tags and relations are universal ones; where there are none, True."""
    known = filled = 0
    for column, inventory in ((block.layout.upos, UPOS), (block.layout.deprel, RELATIONS)):
        for word in range(block.n_words if column >= 0 else 0):
            value = block.value(word, column)
            if value not in (b"_", b""):
                filled += 1
                known += value.partition(b":")[0] in inventory
    return 2 * known >= filled


class UDChecks:
    """The checks of one file, which remember its sent_ids.

    ``values`` checks tags, relations and features, too; ``complete`` requires ``sent_id``, ``text`` and every tag.
    """

    def __init__(self, values: bool = True, complete: bool = False, tree: bool = True) -> None:
        self.values, self.complete, self.tree = values, complete, tree
        self._sent_ids: dict[bytes, int] = {}

    def find(self, block: Block) -> Iterator[Finding]:
        """Yield the problems of a block, sentence by sentence; sentences that cannot be read are left out."""
        unreadable = {sentence for sentence, _, code in block.problems if code in (COLUMNS, ID)}
        for sentence in range(block.n_sentences):
            if sentence not in unreadable:
                if block.layout.comments and block.layout.id >= 0:
                    yield from self._comments(block, sentence)
                if self.values:
                    yield from self._columns(block, sentence)

    def _comments(self, block: Block, sentence: int) -> Iterator[Finding]:
        start = block.line_of(sentence)
        text, sent_id, rows = None, None, []
        lines = block.text_of(sentence).removeprefix(b"\xef\xbb\xbf").split(b"\n")
        for number, line in enumerate(lines):
            line = line.removesuffix(b"\r")
            if not line.startswith(b"#") and line.strip(b" \t"):
                rows.append(line.split(b"\t"))
            elif (value := _comment(line, b"text")) is not None:
                text = (start + number, value)
            elif (value := _comment(line, b"sent_id")) is not None:
                sent_id = (start + number, value)
        if sent_id is not None:
            yield from self._sent_id(sentence, *sent_id)
        elif self.complete:
            yield Finding(sentence, start, NO_SENT_ID, "the sentence has no comment `# sent_id = …`")
        if text is not None:
            built = _text_of(rows, block)
            if text[1] != built and _spaced_alike(text[1]) != _spaced_alike(built):
                yield Finding(sentence, text[0], WRONG_TEXT, _difference(text[1], built))
        elif self.complete:
            yield Finding(sentence, start, NO_TEXT, "the sentence has no comment `# text = …`")

    def _sent_id(self, sentence: int, line: int, value: bytes) -> Iterator[Finding]:
        first = self._sent_ids.setdefault(value, line)
        if first != line:
            message = f"the sent_id is also that of the sentence of line {first}"
            yield Finding(sentence, line, SAME_SENT_ID, message)

    def _columns(self, block: Block, sentence: int) -> Iterator[Finding]:
        layout = block.layout
        tags = UPOS if self.complete else UPOS | {b"_"}
        for number, word in enumerate(block.words_of(sentence), 1):
            if layout.upos >= 0 and (value := block.value(word, layout.upos)) not in tags:
                message = f"UPOS of word {number} is `{_shown(value)}`, which UD does not have"
                yield Finding(sentence, block.line_of_word(word), UNKNOWN_UPOS, message, (number,))
            if layout.feats >= 0 and b"=" in (value := block.value(word, layout.feats)):
                yield from _features(block, sentence, word, number, value)
            elif layout.feats >= 0 and value not in (b"_", b""):
                message = f"FEATS of word {number} is `{_shown(value)}`, not `Name=Value`"
                yield Finding(sentence, block.line_of_word(word), BAD_FEATS, message, (number,))
            if self.tree and layout.deprel >= 0:
                yield from _relation(block, sentence, word, number)


def _comment(line: bytes, name: bytes) -> bytes | None:
    """Return the value of a comment ``# name = value``, or None if it is another one."""
    other, sign, value = line[1:].partition(b"=")
    return value.removeprefix(b" ") if sign and other.strip() == name else None


def _text_of(rows: list[list[bytes]], block: Block) -> bytes:
    """Return the text that the tokens make: a multiword token stands for its words."""
    pieces: list[bytes] = []
    last = 0
    misc = block.layout.misc
    for row in rows:
        first, dash, end = row[block.layout.id].partition(b"-")
        if b"." in first or (not dash and int(first) <= last):
            continue
        if dash:
            last = int(end)
        pieces.append(row[block.layout.form])
        if misc < 0 or b"SpaceAfter=No" not in row[misc].split(b"|"):
            pieces.append(b" ")
    return b"".join(pieces).removesuffix(b" ")


def _spaced_alike(text: bytes) -> list[str]:
    """Return the pieces between spaces of any kind: a no-break space in a text is a space."""
    return text.decode("utf-8", "replace").split()


def _difference(text: bytes, built: bytes) -> str:
    """Return where the text and what the words make part."""
    one, other = text.decode("utf-8", "replace"), built.decode("utf-8", "replace")
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    start = max(0, same - SHOWN)
    dots = "…" if start else ""
    found, made = (dots + side[start : same + SHOWN] for side in (one, other))
    return f"`# text` has `{found}` where the words make `{made}`"


def _features(block: Block, sentence: int, word: int, number: int, value: bytes) -> Iterator[Finding]:
    pairs = [pair.partition(b"=") for pair in value.split(b"|")]
    names = [name.lower() for name, _, _ in pairs]
    line = block.line_of_word(word)
    if not all(name and content for name, _, content in pairs) or len(set(names)) < len(names):
        message = f"FEATS of word {number} is `{_shown(value)}`: each feature is `Name=Value`, and stands once"
        yield Finding(sentence, line, BAD_FEATS, message, (number,))
    elif names != sorted(names):
        message = f"FEATS of word {number} is not in alphabetical order: `{_shown(value)}`"
        yield Finding(sentence, line, FEATS_ORDER, message, (number,))


def _relation(block: Block, sentence: int, word: int, number: int) -> Iterator[Finding]:
    value, head = block.value(word, block.layout.deprel), block.head_of(word)
    base = value.partition(b":")[0]
    line = block.line_of_word(word)
    if base not in RELATIONS:
        if value not in (b"_", b""):  # a missing relation is found elsewhere
            message = f"DEPREL of word {number} is `{_shown(value)}`, which UD does not have"
            yield Finding(sentence, line, UNKNOWN_RELATION, message, (number,))
    elif base == b"root" and head > 0:
        message = f"DEPREL of word {number} is `root`, but its HEAD is {head}"
        yield Finding(sentence, line, ROOT_RELATION, message, (number,))
    elif base != b"root" and head == 0:
        message = f"HEAD of word {number} is 0, but its DEPREL is `{_shown(value)}`"
        yield Finding(sentence, line, ROOT_RELATION, message, (number,))


def _shown(value: bytes) -> str:
    text = value.decode("utf-8", "replace")
    return text if len(text) <= 61 else text[:60] + "…"
