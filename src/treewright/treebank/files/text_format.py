"""Raw text as a format beside those of treebanks, and how it is recognised."""

from __future__ import annotations

import re

from treewright.errors import TreebankError
from treewright.treebank.formats.registry import Sample, format_for_path, guess

RAW = "text"  # the format of raw text, beside the names of treebank formats
#: what is given in raw text: nothing, sentences, or sentences and tokens
LAYOUTS = ("raw", "presegmented", "horizontal", "vertical")
TEXT_FORMATS = (RAW, *LAYOUTS[1:])
#: a word of CoNLL-U or CoNLL-X with spaces where tabs belong
SPACED_ROW = re.compile(rb"1(?:-\d+)? +\S+ +\S+ +\S+ +\S+ +\S+ +\S+ +\S+")


def is_text(sample: Sample) -> bool:
    """Say whether what begins like this is in no treebank format, or is named as text, not as a treebank."""
    if sample.name.endswith(".txt"):
        return True
    if format_for_path(sample.name) is not None:
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
