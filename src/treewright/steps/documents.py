"""Many texts with one model: ``nlp.pipe``.

Each text is split into words by itself. The words of many texts are tagged and parsed together, as one block, which
makes short texts as fast as a long one; no text waits long for others. Results come in order; a few batches are in
memory at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from treewright.errors import CombinationError, TreewrightError
from treewright.steps.arrivals import groups_as_they_come
from treewright.steps.in_order import parsed_in_order
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.stretches import missing_blank
from treewright.treebank.checks.problems import check
from treewright.treebank.files.sentence_names import SentenceNames
from treewright.treebank.files.text_format import is_conllu
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.document import Document
from treewright.treebank.sentences.sentence import Sentence

if TYPE_CHECKING:
    from treewright.steps.call import Call
    from treewright.steps.step import Step

#: what is parsed to a document: a text, or words that are given
Text: TypeAlias = "str | Sentence | Document"

BATCH_BYTES = 1 << 18  # of words in CoNLL-U that are parsed together


class Task(NamedTuple):
    """A text on its way to a document: how many sentences it has, and what comes back with it."""

    text: str | None  # None: words were given
    n_sentences: int
    context: Any


def parsed_documents(
    step: Step, texts: Iterable[tuple[Text, Any]], threads: int, batch_size: int, call: Call
) -> Iterator[tuple[Document, Any]]:
    """Yield a document for each text, in order, with what was given beside the text."""
    if call.k_best is not None:
        raise CombinationError("k_best gives several trees for a sentence, and a document has one: use nlp.k_best")
    if threads < 1 or batch_size < 1:
        raise CombinationError(f"{threads} threads, {batch_size} texts at a time: at least one is needed")
    waiting: deque[list[Task]] = deque()  # of the batches that are being parsed

    def blocks() -> Iterator[Block | None]:
        for batch in _batches(step, texts, batch_size, call):
            if batch is not None:
                waiting.append(batch[1])
            yield batch and batch[0]

    for _, data in parsed_in_order(step, blocks(), threads, call):
        yield from _split(data, waiting.popleft())


def _batches(
    step: Step, texts: Iterable[tuple[Text, Any]], batch_size: int, call: Call
) -> Iterator[tuple[Block, list[Task]] | None]:
    """Collect the words of texts into batches, or None while no text comes; numbers of sentences go on across texts."""
    n_sentences = place = 0
    for group in groups_as_they_come(texts, batch_size):
        pieces: list[bytes] = []
        tasks: list[Task] = []
        size = 0
        for text, context in group:
            words, n_found = _words_of(step, text, place, n_sentences, call)
            n_sentences, place = n_sentences + n_found, place + 1
            pieces.append(words)
            tasks.append(Task(text if isinstance(text, str) else None, n_found, context))
            size += len(words)
            if size > BATCH_BYTES:
                yield Block(b"".join(pieces), CONLLU, "the texts"), tasks
                pieces, tasks, size = [], [], 0
        yield (Block(b"".join(pieces), CONLLU, "the texts"), tasks) if tasks else None


def _words_of(step: Step, text: Text, place: int, before: int, call: Call) -> tuple[bytes, int]:
    """Return the words of a text in CoNLL-U, and the number of its sentences."""
    if isinstance(text, str) and not is_conllu(text):
        return step.split(text, call, SentenceNames(before=before))
    if isinstance(text, (Sentence, Document)):
        words = text.to_conllu().encode("utf-8", "surrogateescape")
    elif isinstance(text, str):
        words = text.removeprefix("\ufeff").encode()
    else:
        raise _no_text(text, place)
    words += missing_blank(words) if words else b""
    block = Block(words, CONLLU, f"text {place + 1}")
    check(block)
    return words, block.n_sentences


def _no_text(text: object, place: int) -> TreewrightError:
    shown = f"text {place + 1} is {text!r:.40}"
    if isinstance(text, (list, tuple)):
        return TreewrightError(
            f"{shown}: a list. Give several texts to nlp.pipe(texts), the words of one sentence to"
            " nlp.parse_words(words), and texts with something beside them to nlp.pipe(pairs, as_tuples=True)"
        )
    if text is None or text != text:
        return TreewrightError(f"{shown}: a missing value. Leave it out or fill it: table['text'].fillna('')")
    return TreewrightError(f"{shown}, not a text. Give strings, Sentences or Documents")


def _split(data: bytes, tasks: list[Task]) -> Iterator[tuple[Document, Any]]:
    """Yield the documents of a batch; each has a copy of its bytes, so that none keeps the batch in memory."""
    block = Block(data, CONLLU)
    first = start = 0
    for task in tasks:
        last = first + task.n_sentences
        end = len(data) if last >= block.n_sentences else block.span_of(last)[0]
        yield Document(data[start:end] if task.n_sentences else b"", CONLLU, task.text), task.context
        first, start = last, end


# What texts come in: strings, pairs, tables


def with_contexts(texts: Iterable[Any], as_tuples: bool, column: str | None) -> Iterable[tuple[Any, Any]]:
    """Return texts with what comes back with them: the second of a pair, or the row of a table."""
    if isinstance(texts, (str, bytes, Sentence, Document)):
        raise TreewrightError("pipe takes many texts, and this is one: call nlp(text), or nlp.pipe([text])")
    if hasattr(texts, "columns") or hasattr(texts, "column_names"):
        return _rows(texts, column)
    if not isinstance(texts, Iterable):
        raise TreewrightError(f"pipe takes many texts, as a list or a generator, not {texts!r:.40}")
    if column is not None:
        raise CombinationError(f"column={column!r} is for tables (DataFrame, pyarrow Table): leave it out")
    made = map(_pair if as_tuples else _alone, texts)
    return [*made] if isinstance(texts, (list, tuple)) else made


def _alone(text: Any) -> tuple[Any, None]:
    return text.as_py() if hasattr(text, "as_py") else text, None


def _pair(item: object) -> tuple[Any, Any]:
    if not isinstance(item, (tuple, list)) or len(item) != 2:
        raise TreewrightError(f"as_tuples needs pairs (text, anything), and this is {item!r:.60}")
    return item[0], item[1]


def _rows(table: Any, column: str | None) -> Iterator[tuple[Any, Any]]:
    """Yield the rows of a DataFrame or a table with the text in a column of it."""
    names = [str(name) for name in (table.column_names if hasattr(table, "column_names") else table.columns)]
    if column is None and "text" in names:
        column = "text"
    if column not in names:
        from treewright.errors import unknown

        if column is None:
            raise TreewrightError(f"a table needs the column of the texts: column=…, one of {', '.join(names)}")
        raise TreewrightError(unknown("column", column, names))
    return ((row[column], row) for row in _as_dicts(table))


def _as_dicts(table: Any) -> Iterator[dict[str, Any]]:
    if hasattr(table, "itertuples"):  # pandas
        names = [str(name) for name in table.columns]
        return (dict(zip(names, row, strict=True)) for row in table.itertuples(index=False, name=None))
    if hasattr(table, "iter_rows"):  # polars
        rows: Iterator[dict[str, Any]] = table.iter_rows(named=True)
        return rows
    return chain.from_iterable(batch.to_pylist() for batch in table.to_batches(max_chunksize=256))
