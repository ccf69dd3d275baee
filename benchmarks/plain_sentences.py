"""What a model gets wrong in plain sentences: ``python benchmarks/plain_sentences.py english english-fast``.

A suite (`tests/suites/plain_english.txt` unless ``--suite`` says otherwise) has a sentence a line, each with what a
parse must say of it; `##` begins a kind of sentences. Every sentence is parsed as a text of its own. It is wrong if
anything expected is missing, or if it is cut in two. Prints the wrong sentences of each kind and their share;
``--show`` prints the sentences, too.

    Has the train left? | root=left/VERB nsubj=train aux=Has/AUX det(train)=the train/NOUN
    Stop it! | root=Stop compound|advmod=now            alternatives have | between them
    That is what that is. | root=what det(x)=that#2     the second of several words that are alike
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import treewright as tw

SUITE = Path(__file__).parents[1] / "tests" / "suites" / "plain_english.txt"
ITEM = re.compile(r"(?:(?P<relation>[a-z|]+)(?:\((?P<head>[^()]+)\))?=)?(?P<word>[^/=]+)(?:/(?P<tag>[A-Z|]+))?")


class Expectation(NamedTuple):
    """One thing that a parse must say: a word's relation (without subtype), its head if not the root, its tag."""

    relations: Sequence[str]
    head: str
    words: Sequence[str]
    tags: Sequence[str]
    written: str

    @classmethod
    def read(cls, item: str) -> Expectation:
        """Read one as it is written in a suite."""
        found = ITEM.fullmatch(item)
        if found is None:
            raise SystemExit(f"{item!r} is not like relation(HEAD)=WORD/TAG")
        relation, head, word, tag = (part or "" for part in found.group("relation", "head", "word", "tag"))
        return cls(relation.split("|"), head, word.split("|"), tag.split("|"), item)

    def holds(self, words: Sequence[tw.Token]) -> bool:
        """Does a parse say so?"""
        return any(self._holds_of(word, words) for form in self.words for word in _named(form, words))

    def _holds_of(self, word: tw.Token, words: Sequence[tw.Token]) -> bool:
        if self.tags != [""] and word.upos not in self.tags:
            return False
        if self.relations == [""]:
            return True
        if word.deprel.partition(":")[0] not in self.relations:
            return False
        if self.relations == ["root"]:
            return word.head == 0
        heads = _named(self.head, words) if self.head else [each for each in words if each.head == 0]
        return any(word.head == head.id for head in heads)


class PlainSentence(NamedTuple):
    """A sentence of a suite."""

    kind: str
    text: str
    expected: Sequence[Expectation]

    def mistakes(self, model: tw.Step) -> list[str]:
        """Return what a model does not say as expected."""
        sentences = list(model.parse_text(self.text))
        if len(sentences) != 1:
            return [f"cut into {len(sentences)} sentences"]
        words = list(sentences[0])
        return [each.written for each in self.expected if not each.holds(words)]


def _named(name: str, words: Sequence[tw.Token]) -> list[tw.Token]:
    """Return the words of that form; of `it#2` the second."""
    form, _, number = name.partition("#")
    found = [word for word in words if word.form == form]
    return found[int(number) - 1 : int(number)] if number else found


def sentences_of(suite: Path) -> Iterator[PlainSentence]:
    """Read a suite."""
    kind = ""
    for line in suite.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            kind = line[3:]
        elif line and not line.startswith("#"):
            text, _, expected = line.partition(" | ")
            yield PlainSentence(kind, text, [Expectation.read(item) for item in expected.split()])


def wrong_by_kind(
    model: tw.Step, suite: Sequence[PlainSentence]
) -> dict[str, list[tuple[PlainSentence, Sequence[str]]]]:
    """Return for every kind of sentences those that a model gets wrong, with its mistakes."""
    wrong: dict[str, list[tuple[PlainSentence, Sequence[str]]]] = {sentence.kind: [] for sentence in suite}
    for sentence in suite:
        mistakes = sentence.mistakes(model)
        if mistakes:
            wrong[sentence.kind].append((sentence, mistakes))
    return wrong


def main() -> None:
    """Score models on a suite."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--suite", type=Path, default=SUITE)
    parser.add_argument("--show", action="store_true", help="print the wrong sentences")
    arguments = parser.parse_args()
    suite = list(sentences_of(arguments.suite))
    for name in arguments.models:
        wrong = wrong_by_kind(tw.load(name), suite)
        for kind, found in wrong.items():
            print(f"{kind}: {len(found)} of {sum(sentence.kind == kind for sentence in suite)}")
            for sentence, mistakes in found if arguments.show else ():
                print(f"    {sentence.text} | {' '.join(mistakes)}")
        n_wrong = sum(map(len, wrong.values()))
        print(f"{name}: {n_wrong} of {len(suite)} sentences wrong, {100 * n_wrong / len(suite):.1f} %", flush=True)


if __name__ == "__main__":
    main()
