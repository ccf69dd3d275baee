"""The registry of formats, and guessing the format of a file.

A format is an object of a class derived from Format. A plug-in adds a format through an entry point in the group
``treewright.formats`` that names such an object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from treewright.errors import TreebankError, unknown

if TYPE_CHECKING:
    from treewright.treebank.blocks.block import Block
    from treewright.treebank.blocks.stretches import ByteStream

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
        self.lines = [line.rstrip(b"\r") for line in lines if line.strip(b" \t\r")][:SAMPLE_ROWS]
        self.rows = [line.split(b"\t") for line in self.lines if not line.startswith(b"#")]
        self.comments = [line for line in self.lines if line.startswith(b"#")]

    def share(self, *widths: int) -> float:
        """Return the share of rows with one of these numbers of columns."""
        return sum(len(row) in widths for row in self.rows) / max(1, len(self.rows))


class FormatWriter:
    """Converts blocks of any layout to one format, and counts whatever the format cannot hold.

    A writer serves one file: call ``write`` for every block, ``finish`` at the end, ``close`` in any case.
    """

    needs_blanks = True  # a blank line stands between what two blocks give, and is added where it is missing

    def __init__(self) -> None:
        self.dropped: dict[str, int] = {}

    def write(self, block: Block) -> bytes:
        """Return the sentences of a block in the format; b"" if ``finish`` returns them."""
        raise NotImplementedError

    def finish(self) -> Iterable[bytes]:
        """Return the bytes after the last block."""
        return ()

    def close(self) -> None:
        """Release resources, after success and after failure."""

    def drop(self, what: str, count: int) -> None:
        """Count something that was left out."""
        if count:
            self.dropped[what] = self.dropped.get(what, 0) + count


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


_formats: dict[str, Format] = {}
_plugins_loaded = False


def register(format: Format) -> None:
    """Add a format under its name."""
    if format.name in _formats:
        raise ValueError(f"a format named {format.name} is already registered")
    _formats[format.name] = format


def formats() -> list[Format]:
    """Return all formats, including those of plug-ins."""
    _load_builtin()
    _load_plugins()
    return list(_formats.values())


def format_named(name: str) -> Format:
    """Return a format by its name; the error for an unknown name lists the known ones."""
    _load_builtin()
    if name not in _formats:
        _load_plugins()
    if name not in _formats:
        raise TreebankError(unknown("format", name, sorted(_formats)))
    return _formats[name]


def format_for_path(path: str) -> Format | None:
    """Return the format that the suffix of a file name stands for, or None."""
    _load_builtin()
    suffix = _suffix(path)
    return next((format for format in _formats.values() if suffix in format.suffixes), None)


def guess(sample: Sample) -> Format:
    """Return the format of a file, guessed from its content and, if ambiguous, its name."""
    _load_builtin()
    best, confidence = _best(sample)
    if confidence < SURE:
        _load_plugins()
        best, confidence = _best(sample)
    if confidence > 0:
        return best
    if b"\0" in sample.raw:
        problem = "not a treebank, but a binary file or text in UTF-16"
    else:
        problem = "unknown treebank format"
    raise TreebankError(problem, source=sample.name, line=1, remedy=f"If it is one of {_names()}, give its name.")


def _best(sample: Sample) -> tuple[Format, float]:
    suffix = _suffix(sample.name)
    best, highest = next(iter(_formats.values())), 0.0
    for format in _formats.values():
        confidence = format.confidence(sample)
        if confidence > 0 and suffix in format.suffixes:
            confidence += 0.25
        if confidence > highest:
            best, highest = format, confidence
    return best, highest


def _names() -> str:
    return ", ".join(sorted(name for name, format in _formats.items() if format.is_read))


def _suffix(path: str) -> str:
    name = path.lower()
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression)
    return name[name.rfind(".") :] if "." in name else ""


def _load_builtin() -> None:
    if not _formats:
        from treewright.treebank.formats import BUILTIN

        for format in BUILTIN:
            register(format)


def _load_plugins() -> None:
    global _plugins_loaded
    if _plugins_loaded:
        return
    _plugins_loaded = True
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name in _formats:
            continue
        try:
            register(entry.load())
        except Exception as error:
            raise TreebankError(
                f"cannot load the plug-in for the format {entry.name} ({error})",
                remedy=f"Fix or remove the package that provides {entry.value}.",
            ) from error
