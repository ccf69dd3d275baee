"""SDP: the graphs of the SemEval tasks of 2014 and 2015, read as CoNLL-U with the graph in DEPS.

A row has ID, FORM, LEMMA, POS, TOP, PRED and, since 2015, FRAME. A column for every predicate of the sentence follows
(the rows with ``+`` in PRED, in order), with the word's role. An arc from the k-th predicate becomes ``head:role`` in
DEPS. A top node is attached to the root, ``0:top``. Many words have no arc. POS becomes XPOS. Whatever CoNLL-U has no
column for is kept in MISC: ``Frame=…``, and ``Pred=Yes`` for a predicate without arguments.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treewright.errors import TreebankError
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.stretches import BOM, stretches
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.formats.registry import Format, Sample
from treewright.treebank.formats.writers import FormatWriter

if TYPE_CHECKING:
    from treewright.treebank.blocks.stretches import ByteStream

HEADER = b"#SDP"
TOP = "top"
FIXED = {"2014": 6, "2015": 7}


class Sdp(Format):
    """Semantic dependency graphs, read as CoNLL-U."""

    name = "sdp"
    description = "SDP graphs of SemEval 2014 and 2015 (read as CoNLL-U)"

    def confidence(self, sample: Sample) -> float:
        """Accept the header, or rows with marks for tops and predicates."""
        if sample.is_sdp:
            return 1.0
        marks = (b"+", b"-")
        fitting = sum(len(row) >= 6 and row[4] in marks and row[5] in marks for row in sample.rows)
        return 0.6 if sample.rows and 2 * fitting > len(sample.rows) else 0.0

    def read(self, stream: ByteStream, sample: Sample, block_bytes: int) -> Iterator[Block]:
        """Yield blocks in the layout of CoNLL-U, with the line numbers of the file."""
        version = "2014" if not sample.is_sdp or sample.text[4:10].strip() == b"2014" else "2015"
        for data, first_line in stretches(stream, block_bytes):
            yield _block(data.removeprefix(BOM), FIXED[version], stream.source, first_line)

    def writer(self) -> FormatWriter:
        """Return a new writer for one file."""
        return SdpWriter()


def _block(data: bytes, fixed: int, source: str, first_line: int) -> Block:
    lines: list[str] = []
    numbers = array("i")
    rows: list[tuple[int, list[str]]] = []

    def end_sentence() -> None:
        for number, cells in _as_conllu(rows, fixed, source):
            lines.append("\t".join(cells) + "\n")
            numbers.append(number)
        if rows:
            lines.append("\n")
            numbers.append(rows[-1][0] + 1)
        rows.clear()

    for number, raw in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), start=first_line):
        line = raw.removesuffix("\r")
        if not line.strip(" \t"):
            end_sentence()
        elif line.startswith("#") and "\t" not in line:
            if not line.startswith(HEADER.decode()):
                lines.append(f"# sent_id = {line[1:].strip()}\n")
                numbers.append(number)
        else:
            rows.append((number, line.split("\t")))
    end_sentence()
    block = Block("".join(lines).encode("utf-8", "surrogateescape"), CONLLU, source, 1)
    block.renumber(numbers)
    return block


def _as_conllu(rows: list[tuple[int, list[str]]], fixed: int, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a sentence with the columns of CoNLL-U."""
    for number, cells in rows:
        if len(cells) < fixed:
            raise _wrong(f"expected at least {fixed} columns, found {len(cells)}", source, number)
    predicates = [word for word, (_, cells) in enumerate(rows, 1) if cells[5] == "+"]
    used = {
        predicate
        for _, cells in rows
        for predicate, role in zip(predicates, cells[fixed:], strict=False)
        if role != "_"
    }
    for word, (number, cells) in enumerate(rows, 1):
        if len(cells) != fixed + len(predicates):
            raise _wrong(f"expected {len(predicates)} columns of roles, found {len(cells) - fixed}", source, number)
        if cells[0] != str(word):
            raise _wrong(f"expected ID {word}, found {cells[0]!r}", source, number)
        arcs = [(0, TOP)] if cells[4] == "+" else []
        for predicate, role in zip(predicates, cells[fixed:], strict=True):
            if role != "_":
                arcs.append((predicate, role))
        misc = [f"Frame={cells[6]}"] if fixed > 6 and cells[6] != "_" else []
        if cells[5] == "+" and word not in used:
            misc.append("Pred=Yes")
        deps = "|".join(f"{head}:{role}" for head, role in arcs) or "_"
        yield number, [cells[0], cells[1], cells[2], "_", cells[3], "_", "_", "_", deps, "|".join(misc) or "_"]


def _wrong(problem: str, source: str, line: int) -> TreebankError:
    return TreebankError(
        f"{problem} (sdp)",
        source=source,
        line=line,
        remedy="A row has ID FORM LEMMA POS TOP PRED, FRAME since 2015, and a role or `_` for every predicate.",
    )


class SdpWriter(FormatWriter):
    """Writes graphs as SDP 2015."""

    def __init__(self) -> None:
        super().__init__()
        self._begun = False
        self._sentences = 0

    def write(self, block: Block) -> bytes:
        """Return the sentences of a block in the format."""
        from treewright.treebank.graphs.graph import sentence_graphs

        pieces = [] if self._begun else ["#SDP 2015\n"]
        self._begun = True
        for sentence, graph in enumerate(sentence_graphs(block)):
            self._sentences += 1
            if graph:
                pieces.append(self._sentence(block, sentence, graph))
        return "".join(pieces).encode("utf-8", "surrogateescape")

    def _sentence(self, block: Block, sentence: int, graph: list[list[tuple[int, str]]]) -> str:
        layout = block.layout
        words = block.words_of(sentence)
        roles: list[dict[int, str]] = []
        for arcs in graph:
            mine: dict[int, str] = {}
            for head, relation in arcs:
                self.drop("additional arcs between the same words", int(head in mine))
                mine.setdefault(head, relation)
            self.drop("relations to the root", int(mine.get(0, TOP) not in (TOP, "root")))
            roles.append(mine)
        heads = {head for mine in roles for head in mine if head}
        tag = layout.xpos if any(_cell(block, word, layout.xpos) != "_" for word in words) else layout.upos
        misc = [_misc(_cell(block, word, layout.misc)) for word in words]
        predicates = [place for place in range(1, len(words) + 1) if place in heads or misc[place - 1].get("Pred")]
        marked = set(predicates)
        lines = [f"#{block.sent_id(sentence) or self._sentences}"]
        for place, (word, mine) in enumerate(zip(words, roles, strict=True), 1):
            cells = [str(place), *(_cell(block, word, column) for column in (layout.form, layout.lemma, tag))]
            cells += ["+" if 0 in mine else "-", "+" if place in marked else "-", misc[place - 1].get("Frame", "_")]
            lines.append("\t".join(cells + [mine.get(predicate, "_") for predicate in predicates]))
            self.drop("FEATS", int(_cell(block, word, layout.feats) != "_"))
            self.drop("HEAD", int(block.head_of(word) >= 0))
        return "\n".join(lines) + "\n\n"


def _cell(block: Block, word: int, column: int) -> str:
    return block.value(word, column).decode("utf-8", "surrogateescape") or "_" if column >= 0 else "_"


def _misc(text: str) -> dict[str, str]:
    return dict(item.split("=", 1) for item in text.split("|") if "=" in item)
