"""How the trees of a part are written: as CoNLL-U, or as a table with a row for each word or sentence."""

from __future__ import annotations

from typing import Any

from treewright.apps.corpus.plan import Part
from treewright.treebank.formats.parquet import Parquet, ParquetWriter
from treewright.treebank.formats.registry import Format, format_named
from treewright.treebank.formats.writers import FormatWriter
from treewright.treebank.sentences.exports import NUMBERS, document_after, table_of
from treewright.treebank.sentences.sentence import Sentence

WORDS, SENTENCES = "words.parquet", "sentences.parquet"
OF_SENTENCES = ("document", "sentence", "sent_id")  # the columns that all words of a sentence share


def part_format(to: str, part: Part) -> Format:
    """Return the format of a part's file; numbers and documents go on where the part before ended."""
    if to not in (WORDS, SENTENCES):
        return format_named("conllu")
    before = part.sentences or 0
    document = (part.document or None) if part.goes_on or not part.is_text else None
    return PartTable(to == SENTENCES, before, document)


class PartTable(Parquet):
    """A table whose sentences are numbered after those of other parts."""

    def __init__(self, by_sentence: bool, before: int, document: str | None) -> None:
        self.by_sentence, self.before, self.document = by_sentence, before, document

    def writer(self) -> FormatWriter:
        """Return a new writer for one file."""
        kind = SentenceTableWriter if self.by_sentence else ParquetWriter
        return kind(self.before, self.document)


class SentenceTableWriter(ParquetWriter):
    """Writes a row for each sentence: its text, and lists of what its words have."""

    def table(self, sentences: list[Sentence], numbered_from: int, document: str | None) -> Any:
        """Return the rows of sentences."""
        import pyarrow

        rows: dict[str, list[Any]] = {name: [] for name in (*OF_SENTENCES, "text")}
        lists: dict[str, list[Any]] = {}
        for number, sentence in enumerate(sentences, numbered_from):
            columns = table_of([sentence], number, document)
            document = document_after([sentence], document)
            rows["document"].append(document)
            rows["sentence"].append(number)
            rows["sent_id"].append(sentence.sent_id or None)
            rows["text"].append(sentence.text)
            for name, values in columns.items():
                if name not in OF_SENTENCES:
                    lists.setdefault(name, []).append(values)
        names = [name for name in table_of([]) if name not in OF_SENTENCES]
        kinds = [(name, pyarrow.int32() if name in NUMBERS else pyarrow.string()) for name in rows]
        kinds += [(name, pyarrow.list_(pyarrow.int32() if name in NUMBERS else pyarrow.string())) for name in names]
        filled = {**rows, **{name: lists.get(name, []) for name in names}}
        return pyarrow.table(filled, schema=pyarrow.schema(kinds))
