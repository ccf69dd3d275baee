"""CoNLL-U Plus, which names its columns in the first line."""

from __future__ import annotations

from treewright.errors import TreebankError
from treewright.treebank.blocks.block import Block, Layout
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.formats.registry import Sample
from treewright.treebank.formats.tabular import TabFormat
from treewright.treebank.formats.writers import FormatWriter, TabWriter

HEADER = "# global.columns ="


class ConllUPlus(TabFormat):
    """CoNLL-U with the columns listed in the first line of the file."""

    name = "conllu-plus"
    description = "CoNLL-U Plus (columns named in the first line)"

    def layout(self, sample: Sample) -> Layout:
        """Return the columns listed in the first line."""
        first = sample.text.split(b"\n", 1)[0].decode("utf-8", "replace").strip()
        if not _is_header(first):
            raise TreebankError(
                "the first line does not list the columns",
                source=sample.name,
                line=1,
                remedy=f"CoNLL-U Plus starts with `{HEADER} ID FORM …`.",
            )
        columns = first.partition("=")[2].split()
        twice = next((column for column in columns if columns.count(column) > 1), None)
        problem = ""
        if not columns:
            problem = "no columns are listed"
        elif twice:
            problem = f"the column {twice} is listed twice"
        elif "FORM" not in columns:
            problem = "no column FORM is listed"
        if problem:
            raise TreebankError(
                problem,
                source=sample.name,
                line=1,
                remedy=f"List every column once, with the words in FORM: `{HEADER} ID FORM …`.",
            )
        return Layout(self.name, columns)

    def confidence(self, sample: Sample) -> float:
        """Accept only files with the header line. One that lists the columns of CoNLL-U is a comment to CoNLL-U."""
        if not _is_header(sample.text[:40].decode("utf-8", "replace")):
            return 0.0
        listed = sample.lines[0].decode("utf-8", "replace").partition("=")[2].split()
        return 0.5 if tuple(listed) == CONLLU.columns else 1.0

    def columns_for(self, block: Block) -> tuple[str, ...]:
        """Return all columns of the block, so nothing is lost."""
        columns = block.layout.columns
        return columns if "ID" in columns or block.layout.name == self.name else ("ID", *columns)

    def writer(self) -> FormatWriter:
        """Return a new writer for one file."""
        return _PlusWriter(self)


class _PlusWriter(TabWriter):
    """Writes the header before the first sentence and nowhere else: what was read may come from several files."""

    started = False

    def write(self, block: Block) -> bytes:
        """Return the sentences of a block in the format."""
        data = super().write(block)
        has_header = _is_header(data[:40].decode("utf-8", "replace").removeprefix("\ufeff"))
        if self.started:
            return data.partition(b"\n")[2] if has_header else data
        self.started = True
        if has_header:
            return data
        return f"{HEADER} {' '.join(self.columns)}\n".encode() + data.removeprefix(b"\xef\xbb\xbf")


def _is_header(line: str) -> bool:
    return line.startswith("#") and line[1:].lstrip().startswith("global.columns")
