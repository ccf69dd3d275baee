"""Parquet: a table with a row for each word, for pandas, polars, Spark, DuckDB; it is written only."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from treewright.errors import MissingExtraError, TreebankError
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.registry import Format, Sample
from treewright.treebank.formats.writers import FormatWriter

if TYPE_CHECKING:
    from treewright.treebank.blocks.stretches import ByteStream
    from treewright.treebank.sentences.sentence import Sentence

MAGIC = b"PAR1"


class Parquet(Format):
    """One row a word, with the columns of ``to_pandas``."""

    name = "parquet"
    description = "Parquet, a row for each word (written only)"
    is_read = False

    def confidence(self, sample: Sample) -> float:
        """Recognise the file, for a message that says why it is not read."""
        return 1.0 if sample.raw.startswith(MAGIC) else 0.0

    def read(self, stream: ByteStream, sample: Sample, block_bytes: int) -> Iterator[Block]:
        """Say that this cannot be read: a table of words has lost multiword tokens and comments."""
        raise TreebankError("Parquet is written only", source=stream.source, remedy="Give the treebank it was made of.")

    def writer(self) -> FormatWriter:
        """Return a new writer for one file."""
        return ParquetWriter()


class Sink(io.RawIOBase):
    """Collects what pyarrow writes, until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        """It is for writing."""
        return True

    def write(self, data: Any) -> int:
        """Write bytes."""
        self._pieces.append(bytes(data))
        self._size += len(self._pieces[-1])
        return len(self._pieces[-1])

    def tell(self) -> int:
        """Return how much has been written."""
        return self._size

    def taken(self) -> bytes:
        """Return what was written since it was taken last."""
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data


class ParquetWriter(FormatWriter):
    """Writes a group of rows for each block; numbers go on after ``before``, in a ``document`` that goes on."""

    needs_blanks = False

    def __init__(self, before: int = 0, document: str | None = None) -> None:
        super().__init__()
        try:
            import pyarrow.parquet
        except ImportError:
            raise MissingExtraError("Parquet", "pyarrow", "parquet") from None
        self._make = pyarrow.parquet.ParquetWriter
        self._sink = Sink()
        self._writer: Any = None
        self._sentences = before
        self._document = document

    def write(self, block: Block) -> bytes:
        """Return the rows of a block as a group of rows."""
        from treewright.treebank.sentences.exports import document_after, sentences_of

        sentences = [*sentences_of(block)]
        table = self.table(sentences, self._sentences + 1, self._document)
        self._sentences += block.n_sentences
        self._document = document_after(sentences, self._document)
        if self._writer is None:
            self._writer = self._make(self._sink, table.schema, compression="zstd")
        self._writer.write_table(table)
        return self._sink.taken()

    def finish(self) -> Iterable[bytes]:
        """Return the end of the file, which says where the groups are."""
        if self._writer is None:
            self._writer = self._make(self._sink, self.table([], 1, None).schema)
        self._writer.close()
        return (self._sink.taken(),)

    def table(self, sentences: list[Sentence], numbered_from: int, document: str | None) -> Any:
        """Return the rows of sentences."""
        from treewright.treebank.sentences.exports import arrow_table

        return arrow_table(sentences, numbered_from, document)
