"""Any input as sentences of words, for learning from: raw text, JSON Lines, Parquet; treebanks have them already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treewright.apps.corpus.plan import JSON_LINES, PARQUET, TREEBANK, Header, Part
from treewright.apps.corpus.planner import Planner, Source
from treewright.apps.corpus.reading import PartReader, no_text
from treewright.errors import TreebankError
from treewright.kinds.language_model.splitting import Seen, new_paragraphs, split
from treewright.lexicon.raw_words import decoded, numbered_lines
from treewright.steps.call import PLAIN
from treewright.steps.step import Step
from treewright.treebank.files.reading import read_blocks

WHOLE = 1 << 62  # bytes of a part: inputs are not cut


def raw_sentences(
    sources: Sequence[Source], header: Header, format: str | None, tokenizer: Step | None, seen: Seen
) -> Iterator[list[str]]:
    """Yield the sentences of inputs; paragraphs that came before are left out."""
    for part in Planner(header, WHOLE, format, whole_files=True).parts(sources):
        if part.kind == TREEBANK:
            yield from _of_treebank(part, seen)
        else:
            yield from split(new_paragraphs(_paragraphs(part, header), seen), tokenizer)


def _of_treebank(part: Part, seen: Seen) -> Iterator[list[str]]:
    for block in read_blocks(part.file, part.format):
        form = block.layout.form
        for number in range(block.n_sentences):
            words = [block.value(word, form).decode("utf-8", "replace") for word in block.words_of(number)]
            if words and seen.is_new("\t".join(words)):
                yield words


def _paragraphs(part: Part, header: Header) -> Iterator[str]:
    if part.kind not in (JSON_LINES, PARQUET):
        for name, number, line in numbered_lines(part.file):
            yield decoded(line, name, number)
        return
    reader = PartReader(None, header, part, PLAIN)
    for row, text, _, _ in reader.rows():
        if not isinstance(text, str):
            raise TreebankError(f"row {row}: {no_text(header.text_field, text)}", source=part.file)
        yield from text.splitlines()
    for bad in reader.aside:
        raise TreebankError(bad["reason"], source=part.file)
