"""Parquet as input: rows with a text, in groups that can be read alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from treewright.apps.corpus.plan import Header, Part
from treewright.apps.corpus.storage import open_bytes
from treewright.errors import MissingExtraError, TreebankError, unknown


class RowGroup(NamedTuple):
    """A group of rows: the bytes that hold it, and its rows."""

    start: int
    end: int
    rows_before: int
    rows: int


def opened(path: str, file: Any) -> Any:
    """Open a Parquet file."""
    try:
        from pyarrow.parquet import ParquetFile

        return ParquetFile(file)
    except ImportError:
        raise MissingExtraError("a Parquet file", "pyarrow", "parquet") from None
    except (OSError, ValueError, NotImplementedError) as error:  # pyarrow's errors are of these types
        raise TreebankError(f"not a Parquet file ({error})", source=path, remedy="Copy it again.") from None


def groups_of(path: str, header: Header) -> list[RowGroup]:
    """Return where the groups of rows of a file are; check that it has the columns that are asked for."""
    with open_bytes(path) as file:
        table = opened(path, file)
        for column in filter(None, (header.text_field, header.id_field)):
            if column not in table.schema_arrow.names:
                raise TreebankError(unknown("column", column, table.schema_arrow.names), source=path)
        groups, rows = [], 0
        for place in range(table.metadata.num_row_groups):
            group = table.metadata.row_group(place)
            columns = [group.column(k) for k in range(group.num_columns)]
            starts = [_start_of(column) for column in columns]
            ends = [start + column.total_compressed_size for start, column in zip(starts, columns, strict=True)]
            groups.append(RowGroup(min(starts), max(ends), rows, group.num_rows))
            rows += group.num_rows
        return groups


def _start_of(column: Any) -> int:
    offsets = [column.data_page_offset]
    if column.has_dictionary_page and column.dictionary_page_offset:
        offsets.append(column.dictionary_page_offset)
    return int(min(offsets))


def rows_of(part: Part, header: Header) -> Iterator[tuple[object, object]]:
    """Yield the text and the name of each row of a part."""
    columns = [name for name in (header.text_field, header.id_field) if name]
    with open_bytes(part.file) as file:
        table = opened(part.file, file)
        groups = list(range(part.first_group, part.end_group))
        for batch in table.iter_batches(batch_size=256, row_groups=groups, columns=columns):
            texts = batch.column(header.text_field).to_pylist()
            names = batch.column(header.id_field).to_pylist() if header.id_field else [None] * len(texts)
            yield from zip(texts, names, strict=True)
