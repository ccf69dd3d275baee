"""Trees to cut and change: the words of a sentence as rows of values, with heads as positions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from treewright.training.gathering import MADE
from treewright.treebank.blocks.block import Block, Layout

ROOT = -1  # where the head of the root would stand

Word = tuple[str, str]  # form and lemma


@dataclass(frozen=True)
class Tree:
    """A sentence of a treebank, or what was made of one."""

    layout: Layout
    rows: Sequence[Sequence[str]]  # the values of each word
    heads: Sequence[int]

    @property
    def root(self) -> int:
        """The first root."""
        return self.heads.index(ROOT)

    @property
    def words(self) -> range:
        """The positions of all words."""
        return range(len(self.rows))

    def form(self, word: int) -> str:
        """Return the form of a word."""
        return self.rows[word][self.layout.form]

    def word(self, word: int) -> Word:
        """Return form and lemma of a word."""
        return self.form(word), self._value(word, self.layout.lemma)

    def upos(self, word: int) -> str:
        """Return the UPOS of a word."""
        return self._value(word, self.layout.upos)

    def tags(self, word: int) -> tuple[str, str, str]:
        """Return UPOS, XPOS and FEATS of a word."""
        return self.upos(word), self._value(word, self.layout.xpos), self._value(word, self.layout.feats)

    def features(self, word: int) -> dict[str, str]:
        """Return the FEATS of a word by name."""
        pairs = (pair.partition("=") for pair in self._value(word, self.layout.feats).split("|"))
        return {name: value for name, _, value in pairs if value}

    def relation(self, word: int) -> str:
        """Return a word's relation without its subtype."""
        return self.rows[word][self.layout.deprel].partition(":")[0]

    def children(self) -> dict[int, list[int]]:
        """Return the dependents of every word that has some."""
        found: dict[int, list[int]] = {}
        for word, head in enumerate(self.heads):
            found.setdefault(head, []).append(word)
        return found

    def _value(self, word: int, column: int) -> str:
        return self.rows[word][column] if column >= 0 else "_"

    def with_values(self, word: int, values: Mapping[int, str]) -> Tree:
        """Return the tree with other values in some columns of a word."""
        rows = list(self.rows)
        rows[word] = [values.get(column, value) for column, value in enumerate(rows[word])]
        return Tree(self.layout, rows, self.heads)

    def in_order(self, words: Sequence[int], root: int) -> Tree:
        """Return words of the tree in a given order, as a tree below ``root``; others hang where their head did."""
        places = {word: place for place, word in enumerate(words)}
        heads = [ROOT if word == root else places.get(self.heads[word], places[root]) for word in words]
        tree = Tree(self.layout, [self.rows[word] for word in words], heads)
        return tree.with_values(places[root], {self.layout.deprel: "root"})

    def with_forms(self, changed: Callable[[str], str]) -> Tree:
        """Return the tree with every form changed."""
        place, tree = self.layout.form, self
        for word in self.words:
            tree = tree.with_values(word, {place: changed(self.form(word))})
        return tree

    def begun_large(self) -> Tree:
        """Return the tree with a capital letter at its start."""
        form = self.form(0)
        return self.with_values(0, {self.layout.form: form[:1].upper() + form[1:]})

    def begun_small(self) -> Tree:
        """Return the tree with a small letter at its start, unless it is a name or not only its start is large."""
        form, lemma = self.form(0), self._value(0, self.layout.lemma)
        if self.upos(0) == "PROPN" or lemma[:1].isupper() or form[1:] != form[1:].lower():
            return self
        return self.with_values(0, {self.layout.form: form[:1].lower() + form[1:]})

    def with_stop(self, values: Sequence[str]) -> Tree:
        """Return the tree with another stop at its end, but with the head of the old one."""
        tags = (self.layout.form, self.layout.lemma, self.layout.upos, self.layout.xpos, self.layout.feats)
        return self.with_values(len(self.rows) - 1, {column: values[column] for column in tags if column >= 0})

    def lines(self, mark: bytes = MADE) -> str:
        """Return the tree as lines of its format, marked in MISC, with what the treebank says elsewhere left out."""
        layout, lines = self.layout, []
        for word, row in enumerate(self.rows):
            given = {layout.id: str(word + 1), layout.head: str(self.heads[word] + 1), layout.deps: "_"}
            given[layout.misc] = mark.decode()
            lines.append("\t".join(given.get(column, value) for column, value in enumerate(row)) + "\n")
        return "".join(lines) + "\n"


def trees_in(block: Block) -> Iterator[Tree]:
    """Yield the trees of a block."""
    columns = range(len(block.layout.columns))
    for sentence in range(block.n_sentences):
        words = block.words_of(sentence)
        rows = [[block.value(word, column).decode("utf-8", "surrogateescape") for column in columns] for word in words]
        yield Tree(block.layout, rows, [block.head_of(word) - 1 for word in words])


def marked_as(mark: bytes, block: Block) -> Block:
    """Return the trees of a block with a mark that says where they are from."""
    text = "".join(tree.lines(mark) for tree in trees_in(block))
    return Block(text.encode("utf-8", "surrogateescape"), block.layout, block.source)


def below(word: int, children: Mapping[int, Collection[int]]) -> list[int]:
    """Return a word and all words below it."""
    found = [word]
    for each in found:
        found += children.get(each, ())
    return sorted(found)
