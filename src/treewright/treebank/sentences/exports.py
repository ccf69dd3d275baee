"""Sentences, documents and treebanks for other libraries: pandas, pyarrow, JSON, displaCy, NetworkX.

A table has one row for each word. What a column leaves empty (``_``) is missing there: None, NA.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from treewright.errors import MissingExtraError

if TYPE_CHECKING:
    from treewright.treebank.files.source import Source
    from treewright.treebank.sentences.sentence import Sentence
    from treewright.treebank.sentences.token import Token

#: the columns of a table of words, those that hold numbers first
NUMBERS = ("sentence", "id", "head")
COLUMNS = (
    *("document", "sentence", "sent_id", "id", "form", "lemma", "upos", "xpos", "feats"),
    *("head", "deprel", "deps", "misc", "multiword"),
)
_OF_WORDS = ("lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")


class Exports:
    """What sentences, documents and treebanks share."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        raise NotImplementedError

    def to_json(self, indent: int | None = None) -> str:
        """Return JSON: see ``to_dict``."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame with a row for each word."""
        return to_pandas(cast("Source", self))

    def to_arrow(self) -> Any:
        """Return a pyarrow Table with a row for each word."""
        return to_arrow(cast("Source", self))


def to_pandas(source: Source) -> Any:
    """Return the words of a treebank as a pandas DataFrame, one row each.

    ``source`` is whatever ``read`` takes or returns, or sentences and documents in memory, as from ``nlp.pipe``.
    """
    try:
        import pandas
    except ImportError:
        raise MissingExtraError("a table of words", "pandas", "data") from None
    columns = table_of(sentences_of(source))
    kinds = {name: "Int64" if name in NUMBERS else "string" for name in columns}
    return pandas.DataFrame({name: pandas.array(values, dtype=kinds[name]) for name, values in columns.items()})


def to_arrow(source: Source) -> Any:
    """Return the words of a treebank as a pyarrow Table, one row each; see ``to_pandas``."""
    return arrow_table(sentences_of(source))


def arrow_table(sentences: Iterable[Sentence], numbered_from: int = 1, document: str | None = None) -> Any:
    """Return the words of sentences as a pyarrow Table; ``document``: the one that the first belongs to."""
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError("a table of words", "pyarrow", "data") from None
    columns = table_of(sentences, numbered_from, document)
    kinds = [(name, pyarrow.int32() if name in NUMBERS else pyarrow.string()) for name in columns]
    return pyarrow.table(columns, schema=pyarrow.schema(kinds))


def sentences_of(source: Source) -> Iterator[Sentence]:
    """Yield the sentences of anything that can be read as a treebank."""
    from treewright.treebank.checks.problems import checked
    from treewright.treebank.files.reading import read_blocks
    from treewright.treebank.sentences.sentence import sentences_in

    return sentences_in(map(checked, read_blocks(source)))


def document_after(sentences: Iterable[Sentence], document: str | None) -> str | None:
    """Return the document that the last of some sentences belongs to: the last ``# newdoc id``."""
    for sentence in sentences:
        metadata = sentence.metadata
        if "newdoc id" in metadata or "newdoc" in metadata:
            document = metadata.get("newdoc id")
    return document


def table_of(
    sentences: Iterable[Sentence], numbered_from: int = 1, document: str | None = None
) -> dict[str, list[Any]]:
    """Return the words of sentences as columns; ``document`` is the last ``# newdoc id`` before the sentence."""
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for number, sentence in enumerate(sentences, numbered_from):
        metadata = dict(sentence.metadata)
        document = document_after([sentence], document)
        covering = {place: token.form for token in sentence.multiword_tokens for place in token.span}
        sent_id = metadata.get("sent_id")
        for word in sentence:
            columns["document"].append(document)
            columns["sentence"].append(number)
            columns["sent_id"].append(sent_id)
            columns["id"].append(word.id)
            columns["form"].append(word.form)
            columns["head"].append(word.head)
            columns["multiword"].append(covering.get(int(word.id)))
            for name in _OF_WORDS:
                columns[name].append(word.text_of(name.upper()))
    return columns


def sentence_as_dict(sentence: Sentence) -> dict[str, Any]:
    """Return a sentence as plain data: its ID, text, comments, and tokens in file order, without empty columns."""
    return {
        "sent_id": sentence.sent_id or None,
        "text": sentence.text,
        "comments": sentence.comments,
        "tokens": [_token_as_dict(token) for token in sentence.tokens],
    }


def _token_as_dict(token: Token) -> dict[str, Any]:
    data: dict[str, Any] = {"id": token.id, "form": token.form}
    for name in ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"):
        value = token.head if name == "head" else token.text_of(name.upper())
        if value is not None:
            data[name] = value
    return data


def sentence_as_networkx(sentence: Sentence, graph: bool) -> Any:
    """Return a sentence as a NetworkX graph: nodes are IDs (0 is the root), arcs run from heads to dependents."""
    try:
        import networkx
    except ImportError:
        raise MissingExtraError("a NetworkX graph", "networkx", "data") from None
    made = networkx.MultiDiGraph() if graph else networkx.DiGraph()
    made.graph.update(sent_id=sentence.sent_id, text=sentence.text)
    made.add_node(0, form="ROOT")
    for token in sentence.tokens:
        if token.is_word or (graph and token.is_empty):
            attributes = _token_as_dict(token)
            made.add_node(attributes.pop("id"), **attributes)
    if graph:
        made.add_edges_from((head, node, {"deprel": relation}) for head, node, relation in sentence.graph)
    else:
        made.add_edges_from((word.head, word.id, {"deprel": word.deprel}) for word in sentence if word.head is not None)
    return made
