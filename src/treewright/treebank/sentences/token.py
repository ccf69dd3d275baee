"""One line of a sentence: a word, a multiword token or an empty node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NoReturn, overload

from treewright.errors import TreewrightError, unknown
from treewright.treebank.sentences.other_names import no_attribute
from treewright.treebank.sentences.tree_changes import head_number
from treewright.treebank.sentences.values import checked
from treewright.treebank.sentences.views import Dependencies, Dependency, KeyValues, join_dependencies, join_pairs

if TYPE_CHECKING:
    from treewright.treebank.sentences.sentence import Sentence


class _Column:
    """An attribute of tokens: the text of a column, ``_`` where the format lacks it."""

    def __init__(self, name: str, doc: str) -> None:
        self.name, self.__doc__ = name, doc

    @overload
    def __get__(self, token: None, owner: type[Token]) -> _Column: ...
    @overload
    def __get__(self, token: Token, owner: type[Token]) -> str: ...
    def __get__(self, token: Token | None, owner: type[Token]) -> _Column | str:
        return self if token is None else token._text(self.name)

    def __set__(self, token: Token, value: str) -> None:
        token[self.name] = value


class Token:
    """A line of a sentence, with its columns as attributes; changes apply to the sentence.

    ``token["NAME"]`` reads and writes the text of any column, including those without an attribute. An empty value is
    written as ``_``. Tokens may be keys of a dictionary: each is equal to itself alone.
    """

    __slots__ = ("_cells", "_index", "_line_end", "_number", "_sentence")

    def __init__(self, sentence: Sentence, index: int, number: int, cells: list[str], line_end: str) -> None:
        self._sentence = sentence
        self._index = index  # among the tokens of the sentence
        self._number = number  # of the word; 0 for other tokens
        self._cells = cells
        self._line_end = line_end

    def __getitem__(self, column: str) -> str:
        return self._cells[self._place(column)]

    def __setitem__(self, column: str, value: str) -> None:
        if column == "ID":
            raise TreewrightError("IDs follow from the order of the words; they cannot be set.")
        self._cells[self._place(column)] = checked(value, column) or "_"
        if column == "HEAD":
            self._sentence.forget_children()

    def _place(self, column: str) -> int:
        place = self._sentence.layout.index(column)
        if place < 0:
            layout = self._sentence.layout
            raise TreewrightError(
                f"format {layout.name}: {unknown('column', column, layout.columns)}."
                " Convert the sentence to another format for others."
            )
        return place

    def text_of(self, column: str) -> str | None:
        """Return the text of a column; None if it is empty (``_``) or the format lacks it."""
        text = self._text(column)
        return None if text in ("_", "") else text

    def _text(self, column: str) -> str:
        """Return a column, or '_' if the format lacks it, so reading never fails."""
        place = self._sentence.layout.index(column)
        return self._cells[place] if place >= 0 else "_"

    @property
    def id(self) -> int | str:
        """The number of a word; a str such as '3-4' or '3.1' for other tokens."""
        return self._number or self._text("ID")

    @property
    def is_word(self) -> bool:
        """Whether this is a word, which is part of the tree."""
        return self._number > 0

    @property
    def is_multiword(self) -> bool:
        """Whether this is a multiword token, which spans several words."""
        return not self._number and "-" in self._text("ID")

    @property
    def is_empty(self) -> bool:
        """Whether this is an empty node, which is part of the graph only."""
        return not self._number and "." in self._text("ID")

    @property
    def span(self) -> range:
        """The numbers of the words that this token covers."""
        if self._number:
            return range(self._number, self._number + 1)
        if not self.is_multiword:
            return range(0)
        first, _, last = self._text("ID").partition("-")
        return range(int(first), int(last) + 1)

    form = _Column("FORM", "The word as written in the text.")
    lemma = _Column("LEMMA", "The dictionary form.")
    upos = _Column("UPOS", "The universal or coarse-grained part of speech.")
    xpos = _Column("XPOS", "The treebank-specific or fine-grained part of speech.")
    deprel = _Column("DEPREL", "The relation to the head.")

    @property
    def head(self) -> int | None:
        """The number of the head, 0 for the root, None if missing."""
        text = self._text("HEAD")
        return int(text) if text.isdecimal() and text.isascii() and len(text) <= 9 else None

    @head.setter
    def head(self, value: int | Token | None) -> None:
        number = head_number(self, value)
        self["HEAD"] = "_" if number is None else str(number)

    @property
    def sentence(self) -> Sentence:
        """The sentence that this is a line of."""
        return self._sentence

    @property
    def parent(self) -> Token | None:
        """The word that is the head; None for the root and for words without a head."""
        head = self.head
        return self._sentence[head - 1] if head and head <= len(self._sentence) else None

    @parent.setter
    def parent(self, value: Token | None) -> None:
        self.head = 0 if value is None else value

    @property
    def children(self) -> list[Token]:
        """The words whose head is this word, in order."""
        return self._sentence.children(self)

    @property
    def subtree(self) -> list[Token]:
        """This word and all words below it, in order."""
        below = {self._number: self}
        waiting = [self]
        while waiting:
            new = [child for child in waiting.pop().children if child._number not in below]
            below.update((child._number, child) for child in new)
            waiting += new
        return [below[number] for number in sorted(below)]

    @property
    def feats(self) -> KeyValues:
        """The features as a dictionary; changes apply to the sentence. ``str()`` returns the text."""
        return KeyValues(self, "FEATS", in_order=True)

    @feats.setter
    def feats(self, value: str | Mapping[str, str | None]) -> None:
        self["FEATS"] = text_of_pairs(value, "FEATS")

    @property
    def misc(self) -> KeyValues:
        """MISC as a dictionary; changes apply to the sentence. ``str()`` returns the text."""
        return KeyValues(self, "MISC", in_order=False)

    @misc.setter
    def misc(self, value: str | Mapping[str, str | None]) -> None:
        self["MISC"] = text_of_pairs(value, "MISC")

    @property
    def deps(self) -> Dependencies:
        """The arcs of the graph to this word as a list of (head, relation); changes apply to the sentence."""
        return Dependencies(self)

    @deps.setter
    def deps(self, value: str | Iterable[Dependency]) -> None:
        self["DEPS"] = text_of_dependencies(value)

    @property
    def start(self) -> int:
        """The first character in the text of the document, or of the sentence where there is no document.

        Words of a multiword token have its characters.
        """
        return self._sentence.spans[self._index].start

    @property
    def end(self) -> int:
        """The character after the last one, in the same text."""
        return self._sentence.spans[self._index].end

    @property
    def idx(self) -> int:
        """The same as ``start``, as spaCy calls it."""
        return self.start

    @property
    def line(self) -> str:
        """The columns as text, with the line end."""
        return "\t".join(self._cells) + self._line_end

    def __repr__(self) -> str:
        tree = f" {self.deprel}→{self.head}" if self.head is not None else ""
        return f"<Token {self.id} {self.form!r}{tree}>"

    def __getattr__(self, name: str) -> NoReturn:
        raise no_attribute(self, name)

    def __reduce__(self) -> tuple[object, tuple[Sentence, int]]:
        return _token_of, (self._sentence, self._index)


def text_of_pairs(value: str | Mapping[str, str | None], column: str) -> str:
    """Return a value for FEATS or MISC as text."""
    if not isinstance(value, (str, Mapping)):
        raise TreewrightError(f"{column} holds a dictionary or its text, not {value!r:.40}. {{}} leaves it empty.")
    return value if isinstance(value, str) else join_pairs(value.items())


def text_of_dependencies(value: str | Iterable[Dependency]) -> str:
    """Return a value for DEPS as text."""
    if not isinstance(value, Iterable):
        raise TreewrightError(f"DEPS holds pairs of head and relation, or their text, not {value!r:.30}.")
    return value if isinstance(value, str) else join_dependencies(value)


def _token_of(sentence: Sentence, index: int) -> Token:
    return sentence.tokens[index]
