"""Word vectors from text files: word2vec, fastText and GloVe.

A line holds a word and its numbers, separated by spaces. word2vec and fastText begin with a line of two numbers, how
many words and how many dimensions; GloVe has no such line.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass

from treewright.errors import TreebankError
from treewright.lexicon.raw_words import numbered_lines
from treewright.treebank.blocks.normal_text import normal_form
from treewright.treebank.files.source import Source

LONGEST_LINE = 1 << 20


@dataclass
class WordVectors:
    """Words, in the order of the file (usually the most frequent first), and their vectors one after the other."""

    words: list[str]
    matrix: array[float]  # 32-bit numbers: those of word i are at i * dimensions
    dimensions: int

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, place: int) -> array[float]:
        return self.matrix[place * self.dimensions : (place + 1) * self.dimensions]


def read_vectors(source: Source, most: int | None = None) -> WordVectors:
    """Read the vectors of a text file, compressed or not: of its first ``most`` words, or of all.

    A word that comes twice keeps its first vector.
    """
    reader = _Reader()
    for reader.source, reader.line, line in numbered_lines(source, LONGEST_LINE):
        reader.take(line)
        if most is not None and len(reader.words) >= most:
            break
    return reader.finished()


class _Reader:
    """Takes a file line by line."""

    def __init__(self) -> None:
        self.source, self.line = "", 0
        self.dimensions = 0
        self.words: dict[str, None] = {}
        self.matrix: array[float] = array("f")

    def error(self, what: str) -> TreebankError:
        return TreebankError(
            what,
            source=self.source,
            line=self.line,
            remedy="Give word vectors as text: a word and its numbers in each line, separated by spaces",
        )

    def take(self, line: bytes) -> None:
        """Take a line: the header, a word with its vector, or nothing at all."""
        if len(line) > LONGEST_LINE:
            raise self.error("the line is too long for a word and its vector")
        fields = line.rstrip().split(b" ")
        if self.line == 1 and len(fields) == 2 and all(field.isdigit() for field in fields):
            self.dimensions = int(fields[1])
            if not 0 < self.dimensions < 100_000:
                raise self.error(f"{self.dimensions} dimensions")
            return
        if fields == [b""]:
            return
        self.dimensions = self.dimensions or len(fields) - 1
        if self.dimensions < 1 or len(fields) <= self.dimensions:
            raise self.error(f"expected a word and {max(self.dimensions, 1)} numbers, found {len(fields)} fields")
        # The words of some files contain spaces.
        word, numbers = b" ".join(fields[: -self.dimensions]), fields[-self.dimensions :]
        try:
            text, values = normal_form(word.decode()), array("f", map(float, numbers))
        except (ValueError, OverflowError) as error:
            raise self.error(f"the line cannot be read: {error}") from None
        if not all(map(math.isfinite, values)):
            raise self.error("a number is not finite")
        if text not in self.words:
            self.words[text] = None
            self.matrix.extend(values)

    def finished(self) -> WordVectors:
        if not self.words:
            raise self.error("no word vectors in it")
        return WordVectors(list(self.words), self.matrix, self.dimensions)
