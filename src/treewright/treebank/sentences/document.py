"""A document: the sentences of one text, in order."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NoReturn

from treewright.treebank.blocks.block import Block, Layout
from treewright.treebank.blocks.stretches import missing_blank
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.exports import Exports
from treewright.treebank.sentences.list_like import TextItems, shortened
from treewright.treebank.sentences.offsets import spans_in
from treewright.treebank.sentences.other_names import no_attribute
from treewright.treebank.sentences.sentence import Sentence, sentences_in
from treewright.treebank.sentences.token import Token

if TYPE_CHECKING:
    import networkx


class Document(Exports, TextItems[Sentence]):
    """The sentences of a text. ``len``, iteration and indices (from 0) refer to sentences.

    Sentences are made when someone looks at them, once: changes to them stay. ``text`` is the text that was parsed,
    ``name`` that of the document (``# newdoc id``).
    """

    __slots__ = ("_data", "_sentences", "_text", "layout", "source")

    def __init__(self, data: bytes, layout: Layout = CONLLU, text: str | None = None, source: str = "") -> None:
        self.layout, self.source = layout, source
        self._data = data
        self._text = text
        self._sentences: list[Sentence] | None = None

    @property
    def sentences(self) -> list[Sentence]:
        """The sentences: the list itself."""
        if self._sentences is None:
            self._sentences = [*sentences_in([Block(self._data, self.layout, self.source)])]
            for sentence in self._sentences:
                sentence.document = self
        return self._sentences

    def find_spans(self) -> None:
        """Find where the tokens of all sentences are in the text."""
        text, position = self.text, 0
        for sentence in self.sentences:
            spans = spans_in(text, sentence.tokens, position)
            sentence.set_spans(spans)
            position = spans[-1].end if spans else position

    @property
    def words(self) -> list[Token]:
        """The words of all sentences."""
        return [word for sentence in self.sentences for word in sentence]

    @property
    def text(self) -> str:
        """The text that was parsed; of a treebank, the texts of the sentences with spaces between them."""
        if self._text is not None:
            return self._text
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def name(self) -> str:
        """What the document is called: the value of ``# newdoc id``, or ''."""
        return (self.sentences[0].metadata.get("newdoc id") or "") if self.sentences else ""

    def to_bytes(self) -> bytes:
        """Return the sentences as bytes, in the columns they were read with."""
        if self._sentences is None:
            return self._data
        pieces = []
        for sentence in self._sentences:
            data = sentence.to_bytes()
            pieces += [data, missing_blank(data)]
        return b"".join(pieces)

    def to_conllu(self) -> str:
        """Return the sentences in CoNLL-U."""
        if self.layout is CONLLU:
            return self.to_bytes().decode("utf-8", "surrogateescape")
        return "".join(sentence.to_conllu() for sentence in self.sentences)

    def to_dict(self) -> dict[str, Any]:
        """Return the document as plain data, for JSON; see ``Sentence.to_dict``."""
        return {
            "id": self.name or None,
            "text": self.text,
            "sentences": [sentence.to_dict() for sentence in self.sentences],
        }

    def to_displacy(self) -> list[dict[str, Any]]:
        """Return data for ``spacy.displacy.render(…, manual=True)``, an entry for each sentence."""
        return [sentence.to_displacy() for sentence in self.sentences]

    def to_networkx(self, graph: bool = False) -> list[networkx.DiGraph[Any]]:
        """Return a NetworkX graph for each sentence; see ``Sentence.to_networkx``."""
        return [sentence.to_networkx(graph) for sentence in self.sentences]

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write the document to a file; its ending says the format: see ``write``."""
        from treewright.treebank.files.writing import write

        write(self, path, format)

    def _repr_html_(self) -> str:
        return "".join(sentence.draw("fragment") for sentence in self.sentences)

    def _items(self) -> list[Sentence]:
        return self.sentences

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        name = f" {self.name}" if self.name else ""
        return f"<Document{name}, {len(self)} sentence{'s' * (len(self) != 1)}: {shortened(self.text)!r}>"

    def __getattr__(self, name: str) -> NoReturn:
        raise no_attribute(self, name)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Document, (self.to_bytes(), self.layout, self._text, self.source)
