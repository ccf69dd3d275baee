"""Malt-XML: sentences and words as elements, with the tag sets in the header.

It is read as CoNLL-U, which the rest of the toolkit knows how to handle, with the numbers of the
lines in the XML file. What CoNLL-U has no place for stands in comments that start with
``malt-xml.`` (the header and the attributes of the treebank before the first sentence, those of a
sentence before it) and in MISC as ``malt:name=value`` (further attributes of a word), so that
writing it again gives an equivalent document. The attribute ``postag`` is UPOS, as in Malt-TAB.

Nothing is fetched and nothing is expanded: a document type with declarations is refused.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treewright.errors import TreebankError
from treewright.treebank.block import Block
from treewright.treebank.formats.conllu import COLUMNS, CONLLU
from treewright.treebank.formats.registry import Format, FormatWriter, Sample

if TYPE_CHECKING:
    from treewright.treebank.stretches import ByteStream

PREFIX = "malt-xml."
MISC_PREFIX = "malt:"
# Attribute of a word, and the column of CoNLL-U that holds it.
ATTRIBUTES = {
    "id": "ID",
    "form": "FORM",
    "lemma": "LEMMA",
    "postag": "UPOS",
    "feats": "FEATS",
    "head": "HEAD",
    "deprel": "DEPREL",
}
ENTITIES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)
DEEPEST = 50
XML_STARTS = (b"<?xml", b"<!--", b"<!DOCTYPE", b"<treebank", b"<body", b"<sentence")
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


class MaltXml(Format):
    """XML, read as CoNLL-U."""

    name = "malt-xml"
    description = "Malt-XML (read as CoNLL-U)"
    suffixes = (".xml",)

    def confidence(self, sample: Sample) -> float:
        """The start of an XML document."""
        start = sample.text.lstrip()
        if sample.raw.startswith(UTF16_BOMS):
            start = start[2:].replace(b"\0", b"").lstrip()
        return 1.0 if start.startswith(XML_STARTS) else 0.0

    def read(self, stream: ByteStream, sample: Sample, block_bytes: int) -> Iterator[Block]:
        """Yield blocks in the layout of CoNLL-U."""
        reader = MaltXmlReader(stream.source)
        while piece := stream.read(block_bytes):
            reader.feed(piece)
            if reader.size >= block_bytes and reader.whole:
                yield reader.block()
        reader.feed(b"", final=True)
        if reader.whole:
            yield reader.block()

    def writer(self) -> FormatWriter:
        """Return a new writer, for one file."""
        from treewright.treebank.formats.malt_xml_writer import MaltXmlWriter

        return MaltXmlWriter()


class MaltXmlReader:
    """Follows the elements of a document and writes sentences in CoNLL-U."""

    def __init__(self, source: str) -> None:
        from xml.parsers import expat

        self.source = source
        self.size = 0  # of the text so far
        self.whole = 0  # number of lines that belong to finished sentences
        self._lines: list[str] = []
        self._numbers = array("i")
        self._path: list[str] = []
        self._header: list[str] = []  # the <head> element, written again on one line
        self._malformed = expat.ExpatError
        self._parser = expat.ParserCreate()
        self._parser.ordered_attributes = False
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._entity

    def feed(self, piece: bytes, final: bool = False) -> None:
        """Take in the next bytes of the document."""
        try:
            self._parser.Parse(piece, final)
        except self._malformed as error:
            line = getattr(error, "lineno", 0)
            reason = str(error).partition(":")[0]
            raise self._error(f"not well-formed XML: {reason}", "Mend the file.", line) from None
        except (LookupError, ValueError) as error:
            raise self._error(f"cannot be read: {error}", "Convert the file to UTF-8.") from None

    def block(self) -> Block:
        """Return the finished sentences, and forget them."""
        data = "".join(self._lines[: self.whole]).encode()
        numbers = self._numbers[: self.whole]
        del self._lines[: self.whole], self._numbers[: self.whole]
        self.whole = 0
        self.size = sum(map(len, self._lines))
        block = Block(data, CONLLU, self.source, 1)
        block.renumber(numbers)
        return block

    def _put(self, line: str) -> None:
        self._lines.append(line + "\n")
        self._numbers.append(self._parser.CurrentLineNumber)
        self.size += len(line) + 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        parent = self._path[-1] if self._path else ""
        self._path.append(name)
        if len(self._path) > DEEPEST:
            raise self._error("elements nested too deeply", "This is not Malt-XML.")
        if "head" in self._path[:2]:
            self._header.append(f"<{name}{write_attributes(attributes)}>")
        elif name == "word" and parent == "sentence":
            self._put("\t".join(self._columns(attributes)))
        elif name == "sentence" and parent in ("body", "treebank", ""):
            self._start_sentence(attributes)
        elif name == "treebank" and not parent:
            if attributes:
                self._put(f"# {PREFIX}treebank ={write_attributes(attributes)}")
        elif name != "body":
            raise self._error(
                f"an element <{name}> that Malt-XML does not have here",
                "Malt-XML is <treebank> with <head> and <body>, and <sentence> with <word> in it.",
            )

    def _start_sentence(self, attributes: dict[str, str]) -> None:
        for name, value in attributes.items():
            self._refuse_breaks(name, value)
            self._put(f"# sent_id = {value}" if name == "id" else f"# {PREFIX}{name} = {value}")

    def _end(self, name: str) -> None:
        if "head" in self._path[:2]:
            self._end_header_element(name)
        self._path.pop()
        if name == "sentence":
            self._put("")
            self.whole = len(self._lines)

    def _end_header_element(self, name: str) -> None:
        opening = self._header[-1]
        if opening.startswith(f"<{name}") and opening.endswith(">") and "/" not in opening[-2:]:
            self._header[-1] = opening[:-1] + "/>"
        else:
            self._header.append(f"</{name}>")
        if len(self._path) == 2:
            self._put(f"# {PREFIX}head = {''.join(self._header)}")
            self._header = []

    def _text(self, text: str) -> None:
        if not text.strip():
            return
        if "head" in self._path[:2]:
            self._header.append(escape(text.strip()))
        else:
            raise self._error(
                f"text between the elements: {text.strip()[:30]!r}",
                "Words are attributes in Malt-XML.",
            )

    def _columns(self, attributes: dict[str, str]) -> list[str]:
        if not attributes.get("form"):
            raise self._error("a word without a form", 'Give every <word> a form="…".')
        cells = dict.fromkeys(COLUMNS, "_")
        further = []
        for name, value in attributes.items():
            self._refuse_breaks(name, value)
            if name in ATTRIBUTES:
                cells[ATTRIBUTES[name]] = value or "_"
            else:
                further.append(f"{MISC_PREFIX}{name}={percent_encode(value)}")
        cells["MISC"] = "|".join(further) or "_"
        return list(cells.values())

    def _refuse_breaks(self, name: str, value: str) -> None:
        if "\n" in value or "\t" in value or "\r" in value:
            raise self._error(f"a tab or line break in the attribute {name}", "Replace it by a space.")

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if system or public or internal:
            raise self._error(
                "a document type with declarations, which may hold entities, is not read",
                "Remove the <!DOCTYPE …>, and write the entities out.",
            )

    def _entity(self, *_: object) -> None:
        raise self._error("an entity declaration is not read", "Write the entity out where it is used.")

    def _error(self, problem: str, remedy: str, line: int = 0) -> TreebankError:
        line = line or self._parser.CurrentLineNumber
        return TreebankError(problem, source=self.source, line=line, remedy=remedy)


def escape(text: str) -> str:
    """Return text as it stands in an XML document, all on one line."""
    return text if text.isalnum() else text.translate(ENTITIES)


def write_attributes(attributes: dict[str, str]) -> str:
    """Return attributes as they stand in a tag, with a space before each."""
    return "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())


def is_well_formed(document: str) -> bool:
    """Return whether text that came from a comment may go into a document."""
    from xml.parsers import expat

    try:
        expat.ParserCreate().Parse(document, True)
    except expat.ExpatError:
        return False
    return True


def percent_encode(text: str) -> str:
    """Return text that can be a value in MISC."""
    return text.replace("%", "%25").replace("|", "%7C") or "%"


def percent_decode(text: str) -> str:
    """Undo percent_encode."""
    return "" if text == "%" else text.replace("%7C", "|").replace("%25", "%")
