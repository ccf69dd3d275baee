"""Raw text as a format beside those of treebanks, and how it is recognised."""

from __future__ import annotations

import re

from treewright.errors import TreebankError
from treewright.treebank.files.source import InputStream
from treewright.treebank.formats.registry import SAMPLE_BYTES, Sample, format_for_path, guess

RAW = "text"  # the format of raw text, beside the names of treebank formats
#: what is given in raw text: nothing, sentences, or sentences and tokens
LAYOUTS = ("raw", "presegmented", "horizontal", "vertical")
TEXT_FORMATS = (RAW, *LAYOUTS[1:])
#: a word of CoNLL-U or CoNLL-X with spaces where tabs belong
SPACED_ROW = re.compile(rb"1(?:-\d+)? +\S+ +\S+ +\S+ +\S+ +\S+ +\S+ +\S+")


class OpenedStream:
    """A stream that was looked into already, as a file object with its name."""

    def __init__(self, stream: InputStream) -> None:
        self.name = stream.source
        self._stream = stream

    def read(self, size: int) -> bytes:
        """Return up to so many bytes."""
        return self._stream.read(size)


def is_text(stream: InputStream) -> bool:
    """Say whether a stream is in no treebank format, or is named as text; what is named as a treebank never is."""
    sample = Sample(stream.peek(SAMPLE_BYTES), stream.source)
    if stream.source.endswith(".txt"):
        return True
    if format_for_path(stream.source) is not None:
        return False
    if b"\t" in sample.raw or sample.raw[:1] == b"[" or b"<" in sample.raw[:200]:
        try:
            guess(sample)
        except TreebankError:
            return b"\0" not in sample.raw
        return False
    return b"\0" not in sample.raw and not _has_lost_its_tabs(sample)


def _has_lost_its_tabs(sample: Sample) -> bool:
    if sample.raw.lstrip().startswith(b"# global.columns"):
        return True
    first = next((line for line in sample.lines if not line.startswith(b"#")), b"")
    return SPACED_ROW.match(first) is not None
