"""Raw text as a format beside those of treebanks, and how it is recognised."""

from __future__ import annotations

from treewright.errors import TreebankError
from treewright.text.tokenizer.tokenizer import LAYOUTS
from treewright.treebank.formats.registry import SAMPLE_BYTES, Sample, guess
from treewright.treebank.source import InputStream

RAW = "text"  # the format of raw text, beside the names of treebank formats
TEXT_FORMATS = (RAW, *LAYOUTS[1:])


class OpenedStream:
    """A stream that was looked into already, as a file object with its name."""

    def __init__(self, stream: InputStream) -> None:
        self.name = stream.source
        self._stream = stream

    def read(self, size: int) -> bytes:
        """Return up to so many bytes."""
        return self._stream.read(size)


def is_text(stream: InputStream) -> bool:
    """Say whether a stream is in no treebank format, or is named as text."""
    sample = Sample(stream.peek(SAMPLE_BYTES), stream.source)
    if stream.source.endswith(".txt"):
        return True
    if b"\t" in sample.raw or b"<" in sample.raw[:200]:
        try:
            guess(sample)
        except TreebankError:
            return b"\0" not in sample.raw
        return False
    return b"\0" not in sample.raw and not sample.raw.lstrip().startswith(b"# global.columns")
