"""Write sentences of any layout as a Malt-XML document.

The tag sets are in the header, before the sentences, but are known only after them. The sentences therefore wait in a
temporary file, and memory use stays constant.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator

from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import COLUMNS
from treewright.treebank.formats.malt_xml import (
    ATTRIBUTES,
    MISC_PREFIX,
    OWN_IDS,
    OWN_TAG_SETS,
    PREFIX,
    escape,
    is_well_formed,
    percent_decode,
    write_attributes,
)
from treewright.treebank.formats.tabular import TabFormat
from treewright.treebank.formats.writers import FormatWriter, TabWriter

IN_MEMORY = 1 << 24
PIECE = 1 << 20
TAG_SETS = ("postag", "deprel")
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
NAME = re.compile(r"[A-Za-z_][\w.:-]*")


class _WordsOfConllU(TabFormat):
    """An intermediate format: ten columns and comments, without multiword tokens and empty nodes."""

    name = "conllu-words"
    columns = COLUMNS
    holds_multiword = False
    holds_empty = False


class MaltXmlWriter(FormatWriter):
    """Writes sentences to a temporary file; at the end, the header and the sentences."""

    def __init__(self) -> None:
        super().__init__()
        self._tables = TabWriter(_WordsOfConllU())
        self._tables.dropped = self.dropped
        self._body = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._treebank = ""
        self._head = ""
        self._values: dict[str, dict[str, None]] = {name: {} for name in TAG_SETS}
        self._n_sentences = 0
        self._has_ids = False

    def write(self, block: Block) -> bytes:
        """Store the sentences of a block until the end."""
        self._tables.columns = COLUMNS
        text = self._tables.rearranged(block).decode("utf-8", "replace")
        pieces = [self._sentence(sentence) for sentence in text.split("\n\n") if sentence]
        body = "".join(pieces)
        illegal = NOT_IN_XML.search(body)
        if illegal:
            raise TreebankError(
                f"XML cannot represent the character {illegal.group()!r}",
                source=block.source,
                remedy="Remove it, or choose another format.",
            )
        try:
            self._body.write(body.encode())
        except OSError as error:
            raise TreewrightError(
                f"cannot write the temporary file for Malt-XML ({error.strerror})."
                " Set TMPDIR to a folder with more free space."
            ) from None
        return b""

    def finish(self) -> Iterator[bytes]:
        """Yield the document."""
        yield (
            f'<?xml version="1.0" encoding="UTF-8"?>\n{self._made_up()}<treebank{self._treebank}>\n'
            f"{self._header()}\n<body>\n"
        ).encode()
        self._body.seek(0)
        while piece := self._body.read(PIECE):
            yield piece
        yield b"</body>\n</treebank>\n"

    def close(self) -> None:
        """Remove the temporary file."""
        self._body.close()

    def _sentence(self, text: str) -> str:
        self._n_sentences += 1
        attributes = {"id": str(self._n_sentences)}
        words = []
        for line in text.split("\n"):
            if line.startswith("#"):
                self._comment(line, attributes)
            else:
                words.append(f"    <word{write_attributes(self._word(line))}/>\n")
        return f"  <sentence{write_attributes(attributes)}>\n{''.join(words)}  </sentence>\n"

    def _comment(self, line: str, attributes: dict[str, str]) -> None:
        key, _, value = line[1:].partition("=")
        key, value = key.strip(), value.strip()
        name = key.removeprefix(PREFIX) if key.startswith(PREFIX) else ""
        if key == "sent_id":
            attributes["id"] = value
            self._has_ids = True
        elif name == "treebank" and is_well_formed(f"<treebank {value}/>"):
            self._treebank = self._treebank or f" {value}"
        elif name == "head" and value.startswith("<head") and is_well_formed(value):
            self._head = self._head or value
        elif name not in ("treebank", "head") and NAME.fullmatch(name):
            attributes[name] = value
        else:
            self.drop("comment lines", 1)

    def _word(self, line: str) -> dict[str, str]:
        cells = dict(zip(COLUMNS, line.split("\t"), strict=True))
        if cells["HEAD"] == "0" and cells["DEPREL"].lower() == "root":
            cells["DEPREL"] = "ROOT"
        attributes = {
            name: cells[column] for name, column in ATTRIBUTES.items() if cells[column] != "_" or name == "form"
        }
        for name in TAG_SETS:
            if name in attributes:
                self._values[name].setdefault(attributes[name])
        for column in ("XPOS", "DEPS"):
            if cells[column] != "_":
                self.drop(f"values of {column}", 1)
        if cells["MISC"] != "_":
            self._further(cells["MISC"], attributes)
        return attributes

    def _further(self, misc: str, attributes: dict[str, str]) -> None:
        lost = False
        for item in misc.split("|"):
            name, _, value = item.partition("=")
            name = name.removeprefix(MISC_PREFIX) if name.startswith(MISC_PREFIX) else ""
            if NAME.fullmatch(name) and name not in attributes:
                attributes[name] = percent_decode(value)
            else:
                lost = True
        self.drop("values of MISC", lost)

    def _made_up(self) -> str:
        """Return XML comments that say what the treebank had not; reading leaves it out again."""
        made_up = ([] if self._head else [OWN_TAG_SETS]) + ([] if self._has_ids else [OWN_IDS])
        return "".join(f"<!--{what}-->\n" for what in made_up)

    def _header(self) -> str:
        """Return the header that was read, or a new one with the tag sets found."""
        if self._head:
            return self._head
        lines = ["<head>", "  <annotation>", '    <attribute name="head"/>']
        for name in TAG_SETS:
            values = "".join(f'<value name="{escape(value)}"/>' for value in self._values[name])
            lines.append(f'    <attribute name="{name}">{values}</attribute>')
        return "\n".join([*lines, "  </annotation>", "</head>"])
