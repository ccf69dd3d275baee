"""The registry of formats, and guessing the format of a file.

A format is an object of a class derived from Format. ``BUILTIN`` says what is known of the built-in ones; each is
imported when a file may be in it. A plug-in adds a format through an entry point in the group ``treewright.formats``
that names such an object.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from treewright.errors import TreebankError, unknown

if TYPE_CHECKING:
    from treewright.treebank.blocks.block import Block
    from treewright.treebank.blocks.stretches import ByteStream
    from treewright.treebank.formats.writers import FormatWriter

ENTRY_POINTS = "treewright.formats"
SAMPLE_BYTES = 1 << 16
SAMPLE_ROWS = 500
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")
SURE = 0.5  # at this confidence, plug-ins are not loaded to find a better format


class Sample:
    """The first bytes of a file and its name: the basis for guessing its format."""

    def __init__(self, raw: bytes, name: str) -> None:
        self.raw = raw
        self.name = name
        self.text = raw.removeprefix(b"\xef\xbb\xbf")
        self.is_sdp = self.text.startswith(b"#SDP")  # its rows look like those of other formats
        lines = self.text.split(b"\n")
        if len(raw) >= SAMPLE_BYTES and len(lines) > 1:
            lines.pop()  # incomplete
        self.lines: list[bytes] = []
        self.rows: list[list[bytes]] = []
        self.comments: list[bytes] = []
        self.widths: set[int] = set()  # numbers of columns of all lines
        for raw_line in lines:
            line = raw_line.rstrip(b"\r")
            if not line.strip(b" \t\r"):
                continue
            cells = line.split(b"\t")
            self.lines.append(line)
            self.widths.add(len(cells))
            if line.startswith(b"#"):
                self.comments.append(line)
            else:
                self.rows.append(cells)
            if len(self.lines) == SAMPLE_ROWS:
                break

    def share(self, *widths: int) -> float:
        """Return the share of rows with one of these numbers of columns."""
        fitting = 0
        for row in self.rows:
            fitting += len(row) in widths
        return fitting / max(1, len(self.rows))


class Format:
    """A treebank format: how to recognise, read and write it."""

    name: str
    description: str
    suffixes: tuple[str, ...] = ()
    is_read = True  # False: it can only be written

    def confidence(self, sample: Sample) -> float:
        """Return the confidence, from 0 to 1, that a file is in this format."""
        raise NotImplementedError

    def read(self, stream: ByteStream, sample: Sample, block_bytes: int) -> Iterator[Block]:
        """Yield blocks of whole sentences."""
        raise NotImplementedError

    def writer(self) -> FormatWriter:
        """Return a new writer for one file."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<Format {self.name}: {self.description}>"


class Builtin(NamedTuple):
    """What is known of a format before its module is imported: signs or numbers of columns that a file in it has."""

    place: str  # its module in this package, and its class
    suffixes: tuple[str, ...]
    signs: tuple[bytes, ...] = ()
    columns: Container[int] = ()
    never: tuple[bytes, ...] = ()  # what other formats write and no file in this one has

    def accepts(self, sample: Sample) -> bool:
        """May a file be in the format that begins like this?"""
        if any(map(sample.raw.__contains__, self.never)):
            return False
        return any(map(sample.raw.__contains__, self.signs)) or any(map(self.columns.__contains__, sample.widths))


#: built-in formats by name, in the order in which they are guessed
BUILTIN = {
    "conllu": Builtin("conllu:ConllU", (".conllu",), (b"",)),
    "conllu-plus": Builtin("conllu_plus:ConllUPlus", (".conllup",), (b"global.columns",)),
    "conllx": Builtin("conllx:ConllX", (".conllx",), columns=(10,), never=(b"\n# sent_id = ",)),
    "conll09": Builtin("conll09:Conll09", (".conll09",), columns=range(14, SAMPLE_BYTES)),
    "malt-tab": Builtin("malt_tab:MaltTab", (".tab",), columns=(2, 4)),
    "malt-xml": Builtin("malt_xml:MaltXml", (".xml",), (b"<",)),
    "sdp": Builtin("sdp:Sdp", (".sdp",), (b"#SDP", b"\t+\t", b"\t-\t")),
    "json": Builtin("json_sentences:JsonSentences", (".json",), (b'"tokens"',)),
    "jsonl": Builtin("json_sentences:JsonLines", (".jsonl", ".ndjson"), (b'"tokens"',)),
    "parquet": Builtin("parquet:Parquet", (".parquet",), (b"PAR1",)),
}
_formats: dict[str, Format] = {}  # built-in ones that have been made
_added: dict[str, Format] = {}  # those of plug-ins
_plugins_loaded = False


def register(format: Format) -> None:
    """Add a format under its name."""
    if format.name in _added or format.name in BUILTIN:
        raise ValueError(f"a format named {format.name} is already registered")
    _added[format.name] = format


def formats() -> list[Format]:
    """Return all formats, including those of plug-ins."""
    _load_plugins()
    return [format_named(name) for name in (*BUILTIN, *_added)]


def format_named(name: str) -> Format:
    """Return a format by its name; the error for an unknown name lists the known ones."""
    if name not in _formats and name in BUILTIN:
        module, _, kind = BUILTIN[name].place.partition(":")
        made: Format = getattr(import_module(f"treewright.treebank.formats.{module}"), kind)()
        made.suffixes = BUILTIN[name].suffixes
        _formats[name] = made
    if name in _formats:
        return _formats[name]
    if name not in _added:
        _load_plugins()
    if name not in _added:
        raise TreebankError(unknown("format", name, sorted({*BUILTIN, *_added})))
    return _added[name]


def format_for_path(path: str) -> Format | None:
    """Return the format that the suffix of a file name stands for, or None."""
    suffix = _suffix(path)
    for name, known in BUILTIN.items():
        if suffix in known.suffixes:
            return format_named(name)
    for added in _added.values():
        if suffix in added.suffixes:
            return added
    return None


def guess(sample: Sample) -> Format:
    """Return the format of a file, guessed from its content and, if ambiguous, its name."""
    best, confidence = _best(sample)
    if confidence < SURE:
        _load_plugins()
        best, confidence = _best(sample)
    if best is not None:
        return best
    if b"\0" in sample.raw:
        problem = "not a treebank, but a binary file or text in UTF-16"
    else:
        problem = "unknown treebank format"
    names = ", ".join(sorted(format.name for format in formats() if format.is_read))
    raise TreebankError(problem, source=sample.name, line=1, remedy=f"If it is one of {names}, give its name.")


def _best(sample: Sample) -> tuple[Format | None, float]:
    """Return the format with the highest confidence; those that a file cannot be in are not asked."""
    suffix = _suffix(sample.name)
    best, highest = None, 0.0
    for name in (*BUILTIN, *_added):
        if name in BUILTIN and not BUILTIN[name].accepts(sample):
            continue
        format = format_named(name)
        confidence = format.confidence(sample)
        if confidence > 0 and suffix in format.suffixes:
            confidence += 0.25
        if confidence > highest:
            best, highest = format, confidence
    return best, highest


def uncompressed_name(name: str) -> str:
    """Return the name of a file without what says how it is compressed."""
    for ending in COMPRESSIONS:
        name = name.removesuffix(ending)
    return name


def _suffix(path: str) -> str:
    name = path.lower()
    for ending in COMPRESSIONS:
        name = name.removesuffix(ending)
    return name[name.rfind(".") :] if "." in name else ""


def _load_plugins() -> None:
    global _plugins_loaded
    if _plugins_loaded:
        return
    _plugins_loaded = True
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name in BUILTIN or entry.name in _added:
            continue
        try:
            register(entry.load())
        except Exception as error:
            raise TreebankError(
                f"cannot load the plug-in for the format {entry.name} ({error})",
                remedy=f"Fix or remove the package that provides {entry.value}.",
            ) from error
