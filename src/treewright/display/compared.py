"""Compare a gold treebank and a system's output sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from treewright.display.difference import picture_of_difference
from treewright.display.from_sentence import has_graph
from treewright.display.picture import Picture
from treewright.errors import TreebankError
from treewright.treebank.files.source import Source, name_of
from treewright.treebank.files.treebank import read
from treewright.treebank.sentences.sentence import Sentence


@dataclass(frozen=True)
class Pair:
    """A sentence with the gold tree and the system's tree."""

    gold: Sentence
    system: Sentence

    @property
    def sent_id(self) -> str:
        """The sent_id of the sentence."""
        return self.gold.sent_id or self.system.sent_id

    def picture(self, tags: str = "none", graph: bool = True, right_tags: bool = True) -> Picture:
        """Return the picture of the differences; of the graphs if ``graph`` is set and both have one."""
        graph = graph and has_graph(self.gold) and has_graph(self.system)
        return picture_of_difference(self.gold, self.system, tags, graph, right_tags)


class SentencePairs:
    """The pairs of two treebanks, as a stream."""

    def __init__(self, gold: Source, system: Source, format: str | None = None) -> None:
        self._gold, self._system, self._format = gold, system, format

    def __iter__(self) -> Iterator[Pair]:
        sources = (read(self._gold, self._format), read(self._system, self._format))
        for number, (gold, system) in enumerate(zip_longest(*sources), 1):
            if gold is None or system is None:
                short = self._gold if gold is None else self._system
                raise TreebankError(
                    f"ends after {number - 1} sentences, but the other treebank continues",
                    source=name_of(short),
                    remedy="Give two treebanks with the same sentences.",
                )
            yield Pair(gold, system)
