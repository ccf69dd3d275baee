"""A gold treebank and a system's output, sentence by sentence: the system's tree above the words, missed arcs below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from treewright.display.from_sentence import has_graph, picture_of
from treewright.display.picture import MISSED, RIGHT, WRONG_HEAD, WRONG_LABEL, Arc, Picture, Word
from treewright.errors import TreebankError
from treewright.treebank.files.source import Source, name_of
from treewright.treebank.files.treebank import read
from treewright.treebank.sentences.sentence import Sentence


def picture_of_difference(
    gold: Sentence, system: Sentence, tags: str = "none", graph: bool = False, right_tags: bool = True
) -> Picture:
    """Return a picture of the system's arcs with marks on wrong arcs, and of the missed gold arcs.

    An arc between the correct words with a wrong label shows both labels, the system's first: ``obj→obl``. A wrong tag
    shows both tags likewise; ``right_tags=False`` leaves the others out. Both sentences must have the same words.
    """
    wanted, got = picture_of(gold, tags, graph), picture_of(system, tags, graph)
    _check_words(gold, system, wanted, got)
    missed = {(arc.head, arc.dependent, arc.label): arc for arc in wanted.arcs}
    arcs, unmatched = [], []
    for arc in got.arcs:
        if missed.pop((arc.head, arc.dependent, arc.label), None) is None:
            unmatched.append(arc)
        else:
            arcs.append(replace(arc, mark=RIGHT))
    by_pair: dict[tuple[int, int], list[Arc]] = {}
    for arc in missed.values():
        by_pair.setdefault((arc.head, arc.dependent), []).append(arc)
    for arc in unmatched:
        alike = by_pair.get((arc.head, arc.dependent))
        if alike:
            right = alike.pop(0)
            del missed[right.head, right.dependent, right.label]
            arcs.append(replace(arc, mark=WRONG_LABEL, label=f"{arc.label or '_'}→{right.label or '_'}"))
        else:
            arcs.append(replace(arc, mark=WRONG_HEAD))
    arcs += [replace(arc, mark=MISSED, below=True) for arc in missed.values()]
    words = [_compared_word(one, other, right_tags) for one, other in zip(wanted.words, got.words, strict=True)]
    return replace(got, words=words, arcs=arcs, title=wanted.title or got.title, notes=(_summary(arcs, words),))


def _compared_word(wanted: Word, got: Word, right_tags: bool) -> Word:
    if wanted.tag == got.tag:
        return got if right_tags else replace(got, tag="")
    return replace(got, tag=f"{got.tag or '_'}→{wanted.tag or '_'}", wrong_tag=True)


def _summary(arcs: list[Arc], words: list[Word]) -> str:
    counts = [
        (sum(arc.mark == mark for arc in arcs), name)
        for mark, name in ((WRONG_HEAD, "wrong head"), (WRONG_LABEL, "wrong relation"), (MISSED, "missed arc"))
    ]
    counts.append((sum(word.wrong_tag for word in words), "wrong tag"))
    shown = [f"{count} {name}{'s' if count > 1 else ''}" for count, name in counts if count]
    return ", ".join(shown) or "no differences"


def _check_words(gold: Sentence, system: Sentence, wanted: Picture, got: Picture) -> None:
    for place, (one, other) in enumerate(zip(wanted.words, got.words), 1):  # noqa: B905 (lengths: below)
        if one.text != other.text:
            problem = f"word {place} is {other.text!r}, but {one.text!r} in the gold sentence"
            break
    else:
        if len(wanted.words) == len(got.words):
            return
        problem = f"{len(got.words)} words, but {len(wanted.words)} in the gold sentence"
    raise TreebankError(
        problem,
        source=system.source,
        line=system.line,
        sent_id=system.sent_id or gold.sent_id,
        remedy="Only trees with the same words can be compared; `treewright eval` accepts different words.",
    )


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


def sentence_pairs(gold: Source, system: Source, format: str | None = None) -> Iterator[Pair]:
    """Yield the pairs of two treebanks."""
    for number, (one, other) in enumerate(zip_longest(read(gold, format), read(system, format)), 1):
        if one is None or other is None:
            raise TreebankError(
                f"ends after {number - 1} sentences, but the other treebank continues",
                source=name_of(gold if one is None else system),
                remedy="Give two treebanks with the same sentences.",
            )
        yield Pair(one, other)
