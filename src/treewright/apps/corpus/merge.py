"""Join the parts of a run, in order, to what one process would have written.

Sentences of texts are numbered in their parts (``12-5``: the fifth of part 12) unless the plan knows the numbers;
here they get those of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from treewright.apps.corpus.part_output import SENTENCES, WORDS
from treewright.apps.corpus.plan import CorpusPlan, Part
from treewright.apps.corpus.reading import id_prefix, named
from treewright.apps.corpus.storage import checksum, local_output, open_bytes
from treewright.apps.corpus.store import Record, RunStore
from treewright.errors import TreewrightError
from treewright.treebank.blocks.stretches import missing_blank
from treewright.treebank.files.output import OutputFile
from treewright.treebank.files.source import open_input
from treewright.treebank.formats.parquet import Sink

PIECE = 1 << 20


class Merged(NamedTuple):
    """What was joined."""

    parts: int
    sentences: int
    words: int


class _Piece(NamedTuple):
    part: Part
    record: Record
    path: str
    before: int  # sentences of the parts before


def merge(
    plan: CorpusPlan,
    store: RunStore,
    target: str,
    skip_failed: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Merged:
    """Write the trees of all parts to one file; every part is compared with its checksum."""
    settings = store.settings()
    if settings is None or settings["plan"] != plan.digest:
        raise TreewrightError(f"{store.folder}: has no parts of the plan {plan.path}. Give the right plan and folder")
    tables = settings["to"] in (WORDS, SENTENCES)
    if tables != target.endswith(".parquet"):
        wanted = ".parquet" if tables else ".conllu, .conllu.gz, .conllu.xz or .conllu.zst"
        raise TreewrightError(f"{target}: the parts are {settings['to']}, so give a file that ends with {wanted}")
    pieces = _pieces(plan, store, settings, skip_failed)
    counts = [0, 0, 0]

    def counted() -> Iterator[_Piece]:
        for piece in pieces:
            yield piece
            for place, value in enumerate((1, piece.record["sentences"], piece.record["words"])):
                counts[place] += value
            if progress is not None:
                progress(piece.part.end - piece.part.start)

    with local_output(target) as path:
        (_merge_tables if tables else _merge_text)(plan, counted(), path)
    return Merged(*counts)


def _pieces(plan: CorpusPlan, store: RunStore, settings: dict[str, Any], skip_failed: bool) -> Iterator[_Piece]:
    """Yield the parts in order, with how many sentences come before; reject what does not belong here."""
    before = 0
    for part in plan.parts():
        record = store.record(part.number)
        if record is None:
            failure = store.failure(part.number)
            if failure is not None and skip_failed:
                continue
            why = f"failed ({failure.get('reason', '')})" if failure is not None else "is not done"
            remedy = "Run again with --retry-failed, or merge with --skip-failed" if failure else "Run the plan first"
            raise TreewrightError(f"{store.folder}: part {part.number} {why}. {remedy}")
        if record.get("plan") != plan.digest or record.get("model") != settings["model"]:
            raise TreewrightError(f"{store.record_path(part.number)}: the part is of another plan or model. Remove it")
        path = store.part_path(part.number, settings["to"])
        if checksum(path)[0] != record.get("sha256"):
            raise TreewrightError(
                f"{path}: has changed since it was written. Remove it, and run the plan again: only this part is done"
            )
        yield _Piece(part, record, path, before)
        before += record["sentences"]


# CoNLL-U


def _merge_text(plan: CorpusPlan, pieces: Iterator[_Piece], target: str) -> None:
    with OutputFile(target) as output:
        separator = b""
        for piece in pieces:
            last = b""
            for data in _lines_of(piece.path):
                output.write(separator)
                separator = b""
                data = _renumbered(plan, piece, data)
                output.write(data)
                last = (last + data)[-8:]
            separator = missing_blank(last) if last else separator


def _lines_of(path: str) -> Iterator[bytes]:
    """Yield the text of a part in pieces of whole lines."""
    with open_bytes(path) as file:
        stream, rest = open_input(named(file, path)), b""
        while data := stream.read(PIECE):
            data = rest + data
            cut = data.rfind(b"\n") + 1
            rest = data[cut:]
            if cut:
                yield data[:cut]
        if rest:
            yield rest


def _renumbered(plan: CorpusPlan, piece: _Piece, data: bytes) -> bytes:
    """Return text with the numbers that its sentences have in the whole."""
    if not piece.part.is_text or piece.part.sentences is not None:
        return data
    old, new = id_prefix(plan.header, piece.part).encode(), plan.header.id_prefix.encode()
    pattern = re.compile(rb"^(# sent_id = )" + re.escape(old) + rb"(\d+)$", re.MULTILINE)
    before = piece.before
    return pattern.sub(lambda match: b"%s%s%d" % (match[1], new, before + int(match[2])), data)


# Tables


def _merge_tables(plan: CorpusPlan, pieces: Iterator[_Piece], target: str) -> None:
    import pyarrow.parquet

    writer, sink = None, Sink()
    with OutputFile(target) as output:
        for piece in pieces:
            with open_bytes(piece.path) as file:
                table = pyarrow.parquet.ParquetFile(file)
                writer = writer or pyarrow.parquet.ParquetWriter(sink, table.schema_arrow, compression="zstd")
                for place in range(table.num_row_groups):
                    writer.write_table(_renumbered_table(plan, piece, table.read_row_group(place)))
                    output.write(sink.taken())
        if writer is not None:
            writer.close()
            output.write(sink.taken())


def _renumbered_table(plan: CorpusPlan, piece: _Piece, table: Any) -> Any:
    """Return rows with the numbers that their sentences have in the whole."""
    import pyarrow

    if piece.part.sentences is not None:
        return table
    names = table.column_names
    numbers = [number + piece.before for number in table.column("sentence").to_pylist()]
    table = table.set_column(names.index("sentence"), "sentence", pyarrow.array(numbers, pyarrow.int32()))
    if not piece.part.is_text:
        return table
    old, new = id_prefix(plan.header, piece.part), plan.header.id_prefix
    ids = [
        f"{new}{piece.before + int(name.removeprefix(old))}" if name and name.startswith(old) else name
        for name in table.column("sent_id").to_pylist()
    ]
    return table.set_column(names.index("sent_id"), "sent_id", pyarrow.array(ids, pyarrow.string()))
