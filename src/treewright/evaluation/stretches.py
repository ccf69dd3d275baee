"""Read two streams of blocks in parallel.

The blocks of two files end at different positions, and the files may even have different sentences. Both are cut where
a sentence ends at the same position of the text in both files, with the same last token. Nothing that is scored crosses
such a border, so stretches are scored one by one, and memory holds two blocks instead of two files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treewright.errors import TreewrightError
from treewright.evaluation.comparison import Comparison, Names
from treewright.evaluation.official import common_text, last_common_border
from treewright.evaluation.side import Labels, Side
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source
from treewright.treebank.files.treebank import Treebank

_CONTEXT = 10


class RejectedError(Exception):
    """The official scores reject these files, but other scores may be defined. Never reaches a user."""

    def __init__(self, reason: TreewrightError) -> None:
        super().__init__(str(reason))
        self.reason = reason


def name_of(source: Source) -> str:
    """Return the name of a source for tables and messages."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    if isinstance(source, Treebank):
        return name_of(source.source)
    return source.source if isinstance(source, Block) else ""


@dataclass(frozen=True)
class Stretch:
    """Sentences ``gold_from`` to ``gold_to`` of a gold block with those of a system block."""

    gold: Side
    gold_from: int
    gold_to: int
    system: Side
    system_from: int
    system_to: int

    def compare(self, names: Names) -> Comparison:
        """Compare the words one to one; raise TreebankError if the words differ."""
        count = min(self.gold_to - self.gold_from, self.system_to - self.system_from)
        gold, system = self.gold.block, self.system.block
        return Comparison(gold, self.gold_from, system, self.system_from, count, names)


class Cursor:
    """A position in a stream of blocks: the current block and the next sentence in it."""

    def __init__(self, source: Source, labels: Labels, multiple_roots: bool) -> None:
        self.name = name_of(source)
        self._blocks = read_blocks(source)
        self._labels, self._multiple_roots = labels, multiple_roots
        self.side: Side | None = None
        self.sentence = 0

    def ready(self) -> Side | None:
        """Return the current block or the next one; None at the end of the stream."""
        while self.side is None or self.sentence >= self.side.block.n_sentences:
            block = next(self._blocks, None)
            if block is None:
                self.side = None
                return None
            self.name = self.name or block.source
            self.side, self.sentence = self._side(block), 0
        return self.side

    def extend(self) -> bool:
        """Append at least as much text as is left of the block; return whether there was more."""
        assert self.side is not None
        more = next(self._blocks, None)
        if more is None:
            return False
        block = self.side.block
        used = sum(len(block.text_of(sentence)) for sentence in range(self.sentence))
        left = len(block.data) - used
        parts, size = [block.data[used:], more.data], len(more.data)
        while size < left and (more := next(self._blocks, None)) is not None:
            parts.append(more.data)
            size += len(more.data)
        line = block.first_line + block.data.count(b"\n", 0, used)
        joined = Block(b"".join(parts), block.layout, block.source, line)
        self.side, self.sentence = self._side(joined), 0
        return True

    def _side(self, block: Block) -> Side:
        return Side(block, self._labels, self._multiple_roots)


class Stretches:
    """The stretches of a gold and a system treebank."""

    def __init__(self, gold: Source, system: Source, multiple_roots: bool) -> None:
        labels = Labels()
        self.gold = Cursor(gold, labels, multiple_roots)
        self.system = Cursor(system, labels, multiple_roots)

    def by_text(self) -> Iterator[Stretch]:
        """Yield stretches of the same text.

        Raises RejectedError if the official scores are not defined; ``by_sentence`` can then continue.
        """
        while True:
            gold, system = self.gold.ready(), self.system.ready()
            if gold is None and system is None:
                return
            if gold is None or system is None:
                raise RejectedError(one_ends([self.gold, self.system], "Both files must contain the same text"))
            rejection = gold.rejection or system.rejection
            if rejection is not None:
                raise RejectedError(rejection)
            first, second = self.gold.sentence, self.system.sentence
            same = common_text(gold, first, system, second)
            if same < min(gold.text_from(first), system.text_from(second)):
                raise RejectedError(self._texts_differ(gold, system, same))
            gold_to, system_to = last_common_border(gold, first, system, second)
            if gold_to == first:
                left = gold.text_from(first) - system.text_from(second)
                shorter, other = (self.gold, self.system) if left <= 0 else (self.system, self.gold)
                if shorter.extend() or (left == 0 and other.extend()):
                    continue
                if left != 0:
                    raise RejectedError(self._texts_differ(gold, system, same))
                gold_to, system_to = gold.block.n_sentences, system.block.n_sentences
            self.gold.sentence, self.system.sentence = gold_to, system_to
            yield Stretch(gold, first, gold_to, system, second, system_to)

    def by_sentence(self) -> Iterator[Stretch]:
        """Yield stretches of equally many sentences on both sides, whatever their text."""
        while True:
            gold, system = self.gold.ready(), self.system.ready()
            if gold is None and system is None:
                return
            if gold is None or system is None:
                raise one_ends([self.gold, self.system], "Both files must contain the same text")
            first, second = self.gold.sentence, self.system.sentence
            count = min(gold.block.n_sentences - first, system.block.n_sentences - second)
            self.gold.sentence, self.system.sentence = first + count, second + count
            yield Stretch(gold, first, first + count, system, second, second + count)

    def _texts_differ(self, gold: Side, system: Side, same: int) -> TreewrightError:
        places = []
        for role, cursor, side in (("gold", self.gold, gold), ("system", self.system, system)):
            start = side.text_from(0) - side.text_from(cursor.sentence)
            before, after, line = side.tokens_around(start + same, _CONTEXT)
            if not after:
                after, line = ["(end)"], side.block.line_of(side.block.n_sentences - 1)
            context = " ".join([*before, ">>>", *after])
            places.append(f"  {role:<6} {side.block.source}:{line}: {context}")
        return TreewrightError(
            "the texts of the two files differ from the tokens after >>> on\n"
            + "\n".join(places)
            + "\nThe forms of all tokens, without spaces, must give the same text in both files"
        )


def one_ends(cursors: Sequence[Cursor], remedy: str) -> TreewrightError:
    """Return the error of treebanks of which one ends before another."""
    short = next(cursor for cursor in cursors if cursor.side is None)
    longer = next(cursor for cursor in cursors if cursor.side is not None)
    assert longer.side is not None
    line, sent_id = longer.side.block.line_of(longer.sentence), longer.side.block.sent_id(longer.sentence)
    where = f"line {line}" + (f" (sent_id {sent_id})" if sent_id else "")
    return TreewrightError(
        f"{short.name or 'one file'} ends, but {longer.name or 'another'} continues at {where}. {remedy}"
    )


def comparisons(gold: Source, system: Source, names: Names) -> Iterator[Comparison]:
    """Yield comparisons of all words of two treebanks; raise TreewrightError if words differ."""
    for stretch in Stretches(gold, system, multiple_roots=True).by_sentence():
        yield stretch.compare(names)
