"""What a network knows of words: frequent forms and lemmas, tags, features, and pieces of forms.

Everything becomes numbers: 0 is unknown or empty, 1 the artificial root, what the treebank has begins at 2. Pieces of
forms (n-grams of characters) have no list: their hash is their number, so that no word is ever wholly unknown.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain
from typing import NamedTuple

from treewright.errors import ModelFileError
from treewright.features.word_clusters import WordClusters
from treewright.kinds.network.inputs.numbering import bags_of_numbers, piece_numbers, single_numbers
from treewright.kinds.network.inputs.remembered import Remembered
from treewright.treebank.blocks.block import Block

UNKNOWN, ROOT, FIRST = 0, 1, 2
SHORTEST, LONGEST = 2, 5  # n-grams of characters
MOST_CHARACTERS = 60  # of a form; the pieces of what follows are not looked at


class NetworkInput(NamedTuple):
    """What a network looks at: a column, as one number a word or as several (a bag)."""

    column: str
    is_bag: bool = False
    is_cut: bool = False  # only values that are frequent enough have a number


INPUTS = {
    "words": NetworkInput("FORM", is_cut=True),
    "ngrams": NetworkInput("FORM", is_bag=True),
    "lemmas": NetworkInput("LEMMA", is_cut=True),
    "upos": NetworkInput("UPOS"),
    "xpos": NetworkInput("XPOS"),
    "feats": NetworkInput("FEATS", is_bag=True),
    "clusters": NetworkInput("FORM", is_bag=True),
    "vectors": NetworkInput("FORM"),
    "encoder": NetworkInput("FORM"),  # the last ones have no tables: see pretrained.py
    "context": NetworkInput("FORM"),  # and context.py
}
#: inputs that a treebank gives by itself
OF_TREEBANK = ("words", "ngrams", "lemmas", "upos", "xpos", "feats")
LISTED = ("words", "lemmas", "upos", "xpos", "feats")
#: inputs that come from elsewhere: beginnings of paths of word clusters, and words with vectors
PRETRAINED = ("clusters", "vectors")
BITS = (4, 6, 8, 10, 12, 16, 32)  # of the path of a word's cluster: from coarse to fine


def in_order(widths: Mapping[str, int]) -> dict[str, int]:
    """Return the widths of inputs in the order in which a word's vector has them; a file may have another."""
    return {name: widths[name] for name in INPUTS if name in widths}


@dataclass(frozen=True)
class WordNumbers:
    """The words of sentences as a network reads them; each sentence begins with the artificial root.

    Bags are numbers one after the other, with the place where each word's begin.
    """

    lengths: array[int]  # of sentences, with the root
    single: dict[str, array[int]]
    bags: dict[str, tuple[array[int], array[int]]]


class Vocabulary:
    """The numbers of what a network knows; ``lists`` has the known values of each input but the n-grams."""

    def __init__(self, lists: Mapping[str, Sequence[str]], buckets: int, clusters: WordClusters | None = None) -> None:
        if not set(LISTED) <= set(lists) <= {*LISTED, *PRETRAINED} or not 0 < buckets <= 1 << 24:
            raise ModelFileError("the model is damaged: its vocabulary cannot be read")
        if (clusters is None) != (not lists.get("clusters")):
            raise ModelFileError("the model is damaged: its word clusters cannot be read")
        self.lists = {name: list(lists.get(name, ())) for name in (*LISTED, *PRETRAINED)}
        self.buckets, self.clusters = buckets, clusters
        self._numbers = {name: {text: n for n, text in enumerate(listed, FIRST)} for name, listed in self.lists.items()}
        self._single = {name: Remembered(partial(self._number, name)) for name in INPUTS}
        self._bags = {name: Remembered(partial(self._bag, name)) for name in INPUTS}

    @classmethod
    def of(
        cls,
        blocks: Sequence[Block],
        least: int,
        buckets: int,
        clusters: WordClusters | None = None,
        vectors: Sequence[str] = (),
    ) -> Vocabulary:
        """Return the vocabulary of a treebank: forms and lemmas seen ``least`` times, all tags and features.

        ``vectors``: the words that have one.
        """
        kept: dict[str, list[str]] = {}
        for name in LISTED:
            counts = Counter(text for block in blocks for text in _values(block, name))
            needed = least if INPUTS[name].is_cut else 1
            kept[name] = [text for text, count in counts.most_common() if count >= needed]
        if clusters is not None:
            kept["clusters"] = sorted({prefix for path in _paths(clusters) for prefix in prefixes(path)})
        kept["vectors"] = list(vectors)
        return cls(kept, buckets, clusters)

    def sizes(self) -> dict[str, int]:
        """Return how many rows each table of a network has."""
        sizes = {name: len(listed) + FIRST for name, listed in self.lists.items()}
        return {name: sizes.get(name, self.buckets if name == "ngrams" else FIRST) for name in INPUTS}

    def filled(self, widths: Mapping[str, int]) -> dict[str, int]:
        """Return the widths of those inputs whose columns have anything to look at."""
        return {name: width for name, width in widths.items() if name not in self.lists or self.lists[name]}

    def numbers(self, block: Block, first: int, last: int, inputs: Iterable[str]) -> WordNumbers:
        """Return the words of sentences ``first`` to ``last`` of a block as numbers."""
        lengths = array("i", (len(block.words_of(sentence)) + 1 for sentence in range(first, last)))
        single: dict[str, array[int]] = {}
        bags: dict[str, tuple[array[int], array[int]]] = {}
        for name in inputs:
            place = block.layout.index(INPUTS[name].column)
            if INPUTS[name].is_bag:
                bags[name] = bags_of_numbers(block, first, last, place, self._bags[name])
            else:
                single[name] = single_numbers(block, first, last, place, self._single[name], ROOT)
        return WordNumbers(lengths, single, bags)

    def of_forms(self, forms: Sequence[bytes], inputs: Iterable[str]) -> WordNumbers:
        """Return forms as numbers, after a root: as the words of one sentence."""
        single: dict[str, array[int]] = {}
        bags: dict[str, tuple[array[int], array[int]]] = {}
        for name in inputs:
            if INPUTS[name].is_bag:
                packed = [self._bags[name][form] for form in forms]
                ends = accumulate((len(each) // 4 for each in packed), initial=0)
                bags[name] = array("i", b"".join(packed)), array("i", chain((0,), ends))
            else:
                known = self._single[name]
                single[name] = array("i", chain((ROOT,), (known[form] for form in forms)))
        return WordNumbers(array("i", [len(forms) + 1]), single, bags)

    def _number(self, name: str, value: bytes) -> int:
        text, known = value.decode("utf-8", "replace"), self._numbers[name]
        number = known.get(text.lower() if INPUTS[name].is_cut else text, UNKNOWN)
        return known.get(text.lower(), UNKNOWN) if number == UNKNOWN and name == "vectors" else number

    def _bag(self, name: str, value: bytes) -> bytes:
        text = value.decode("utf-8", "replace")
        if name == "ngrams":
            return ngrams(text, self.buckets)
        texts = _texts(text, name)
        if name == "clusters":
            texts = prefixes((self.clusters.path(text) if self.clusters is not None else None) or "")
        return array("i", (self._numbers[name].get(each, UNKNOWN) for each in texts)).tobytes()


def prefixes(path: str) -> list[str]:
    """Return the beginnings of a cluster's path, each of another length."""
    return list(dict.fromkeys(path[:bits] for bits in BITS if path))


def _paths(clusters: WordClusters) -> Iterator[str]:
    for path, depth in zip(clusters.paths, clusters.depths, strict=True):
        if depth:
            yield f"{path:0{depth}b}"


def _texts(text: str, name: str) -> Iterable[str]:
    """Return what is looked up for a value: forms in lower case, features one by one."""
    if name == "feats":
        return text.split("|") if text != "_" else ()
    return (text.lower(),) if INPUTS[name].is_cut else (text,)


def _values(block: Block, name: str) -> Iterator[str]:
    place = block.layout.index(INPUTS[name].column)
    if place < 0:
        return
    for word in range(block.n_words):
        text = block.value(word, place).decode("utf-8", "replace")
        if text != "_" or name == "words":
            yield from _texts(text, name)


def shape(form: str) -> str:
    """Return how a form is written: capitals, letters, digits and other signs, each kind once in a row."""
    kinds = ""
    for char in form:
        kind = "A" if char.isupper() else "a" if char.isalpha() else "0" if char.isdigit() else "."
        if not kinds.endswith(kind):
            kinds += kind
    return kinds


def ngrams(form: str, buckets: int) -> bytes:
    """Return the numbers of the pieces of a form: n-grams in lower case with its edges, and its shape."""
    text = f"<{form[:MOST_CHARACTERS].lower()}>".encode("utf-8", "surrogatepass")
    written = f"\0{shape(form[:MOST_CHARACTERS])}".encode()
    return piece_numbers(text, SHORTEST, LONGEST, buckets) + piece_numbers(written, len(written), len(written), buckets)
