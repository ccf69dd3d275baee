"""Malt-XML: sentences and words as elements, with the tag sets in the header.

It is read as CoNLL-U, with the line numbers of the XML file. Whatever CoNLL-U has no column for is kept in comments
that start with ``malt-xml.`` (the header and the attributes of the treebank before the first sentence, those of a
sentence before that sentence) and in MISC as ``malt:name=value`` (other attributes of a word). Writing it again gives
an equivalent document. The attribute ``postag`` becomes UPOS, as in Malt-TAB.

Nothing is fetched or expanded: a document type with declarations is rejected.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treewright.errors import TreebankError
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import COLUMNS, CONLLU
from treewright.treebank.formats.registry import Format, Sample
from treewright.treebank.formats.writers import FormatWriter

if TYPE_CHECKING:
    from treewright.treebank.blocks.stretches import ByteStream

PREFIX = "malt-xml."
#: XML comments of the writer: what it has made up, which is not read as a comment of the treebank
OWN_TAG_SETS, OWN_IDS = " tag sets by treewright ", " ids by treewright "
MISC_PREFIX = "malt:"
# Attributes of a word and their columns in CoNLL-U.
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
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
DEEPEST = 50
XML_STARTS = (b"<?xml", b"<!--", b"<!DOCTYPE", b"<treebank", b"<body", b"<sentence")
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


class MaltXml(Format):
    """XML, read as CoNLL-U."""

    name = "malt-xml"
    description = "Malt-XML (read as CoNLL-U)"

    def confidence(self, sample: Sample) -> float:
        """Accept the start of an XML document."""
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
        """Return a new writer for one file."""
        from treewright.treebank.formats.malt_xml_writer import MaltXmlWriter

        return MaltXmlWriter()


class MaltXmlReader:
    """Converts the elements of a document to sentences in CoNLL-U."""

    def __init__(self, source: str) -> None:
        from xml.parsers import expat

        self.source = source
        self.size = 0  # of the text so far
        self.whole = 0  # number of lines of complete sentences
        self._lines: list[str] = []
        self._numbers = array("i")
        self._path: list[str] = []
        self._header: list[str] = []  # the <head> element, rewritten on one line
        self._made_up: set[str] = set()
        self._n_sentences = 0
        self._malformed = expat.ExpatError
        self._parser = expat.ParserCreate()
        self._parser.ordered_attributes = False
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.CommentHandler = self._made_up.add
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._entity

    def feed(self, piece: bytes, final: bool = False) -> None:
        """Parse the next bytes of the document."""
        try:
            self._parser.Parse(piece, final)
        except self._malformed as error:
            line = getattr(error, "lineno", 0)
            reason = str(error).partition(":")[0]
            raise self._error(f"not well-formed XML: {reason}", "Correct the file.", line) from None
        except (LookupError, ValueError) as error:
            raise self._error(f"cannot read the file: {error}", "Convert the file to UTF-8.") from None

    def block(self) -> Block:
        """Return the complete sentences and remove them."""
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
            raise self._error("elements are nested too deeply", "This is not Malt-XML.")
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
                f"unexpected element <{name}>",
                "Malt-XML is a <treebank> of <head> and <body>, with <sentence> elements that contain <word> elements.",
            )

    def _start_sentence(self, attributes: dict[str, str]) -> None:
        self._n_sentences += 1
        if OWN_IDS in self._made_up and attributes.get("id") == str(self._n_sentences):
            del attributes["id"]
        for name, value in attributes.items():
            self._reject_breaks(name, value)
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
            if OWN_TAG_SETS not in self._made_up:
                self._put(f"# {PREFIX}head = {''.join(self._header)}")
            self._header = []

    def _text(self, text: str) -> None:
        if not text.strip():
            return
        if "head" in self._path[:2]:
            self._header.append(escape(text.strip()))
        else:
            raise self._error(
                f"unexpected text between elements: {text.strip()[:30]!r}", "Words are attributes in Malt-XML."
            )

    def _columns(self, attributes: dict[str, str]) -> list[str]:
        if not attributes.get("form"):
            raise self._error("a word has no form", 'Give every <word> a form="…".')
        cells = dict.fromkeys(COLUMNS, "_")
        further = []
        for name, value in attributes.items():
            self._reject_breaks(name, value)
            if name in ATTRIBUTES:
                cells[ATTRIBUTES[name]] = value or "_"
            else:
                further.append(f"{MISC_PREFIX}{name}={percent_encode(value)}")
        cells["MISC"] = "|".join(further) or "_"
        return list(cells.values())

    def _reject_breaks(self, name: str, value: str) -> None:
        if "\n" in value or "\t" in value or "\r" in value:
            raise self._error(f"the attribute {name} contains a tab or line break", "Replace it by a space.")

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if system or public or internal:
            raise self._error(
                "a document type with declarations, which may define entities, is not supported",
                "Remove the <!DOCTYPE …> and replace the entities by their text.",
            )

    def _entity(self, *_: object) -> None:
        raise self._error("entity declarations are not supported", "Replace the entity by its text.")

    def _error(self, problem: str, remedy: str, line: int = 0) -> TreebankError:
        line = line or self._parser.CurrentLineNumber
        return TreebankError(problem, source=self.source, line=line, remedy=remedy)


def escape(text: str) -> str:
    """Return text escaped for XML, on one line."""
    return text if text.isalnum() else text.translate(ENTITIES)


def write_attributes(attributes: dict[str, str]) -> str:
    """Return attributes as text for a tag, with a space before each."""
    return "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())


def is_well_formed(document: str) -> bool:
    """Return whether text from a comment can be part of a document."""
    from xml.parsers import expat

    try:
        expat.ParserCreate().Parse(document, True)
    except expat.ExpatError:
        return False
    return True


def percent_encode(text: str) -> str:
    """Return text encoded as a value of MISC."""
    return text.replace("%", "%25").replace("|", "%7C") or "%"


def percent_decode(text: str) -> str:
    """Undo percent_encode."""
    return "" if text == "%" else text.replace("%7C", "|").replace("%25", "%")
