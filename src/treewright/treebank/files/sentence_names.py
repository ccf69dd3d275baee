"""What the sentences of a raw text are called: ``# newdoc id`` and ``# sent_id``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.formats.registry import format_for_path, uncompressed_name

if TYPE_CHECKING:
    from typing import TypedDict

    class _ForWriter(TypedDict):
        before: int
        prefix: bytes
        document: bytes


TEXT_ENDING = ".txt"


@dataclass(frozen=True)
class SentenceNames:
    """Sentences get the numbers after ``before``, behind a ``prefix``; ``document`` is the name of the text.

    Where a text has no name, it is that of its ``file``, without the ending.
    """

    prefix: str = ""
    document: str = ""
    before: int = 0
    file: str = ""

    def __post_init__(self) -> None:
        if self.prefix and ("\0" in self.prefix or any(map(str.isspace, self.prefix))):
            raise TreewrightError(f"the prefix {self.prefix!r} of sent_id has a space in it. Use another character")

    def for_writer(self) -> _ForWriter:
        """Return what the writer of CoNLL-U takes."""
        document = self.document or name_without_endings(self.file)
        document = " ".join(document.replace("\0", " ").split())
        return {"before": self.before, "prefix": self.prefix.encode(), "document": document.encode("utf-8", "replace")}


PLAIN_NAMES = SentenceNames()


def name_without_endings(name: str) -> str:
    """Return the name of a file without what says how it is compressed, and that it is a text or a treebank."""
    plain = uncompressed_name(name)
    stem, ending = os.path.splitext(plain)
    return stem if ending.lower() == TEXT_ENDING or format_for_path(name) is not None else plain


def not_text(given: object) -> TreebankError:
    """Return the error about a value that stands where a text or a sentence is expected."""
    remedy = "Decode it: text.decode()" if isinstance(given, (bytes, bytearray)) else "Give a str"
    return TreebankError(f"expected a text, found {type(given).__name__}", remedy=remedy)


def as_bytes(text: str) -> bytes:
    """Return a text as UTF-8; reject halves of surrogate pairs, which no file can hold, and what is not a text."""
    if not isinstance(text, str):
        raise not_text(text)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise TreebankError(
            f"character {error.start + 1} of the text, {text[error.start]!r}, is half of a surrogate pair",
            remedy="Decode the text again, or leave it out: text.encode('utf-8', 'replace').decode()",
        ) from None
