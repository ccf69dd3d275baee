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
SPACED_ROW = re.compile(rb"1(?:-\d+)? +(?:\S+ +){5}(?:\d+|_) +\S+ +\S+ +\S+ *$")
#: how lines of tables begin whose words are numbered
ROW_WITH_ID = re.compile(rb"\d+(?:[-.]\d+)?\t")
WITH_IDS = ("conllu", "conllx", "conll09")
LEAST_COLUMNS = 8  # of a table that is taken for a damaged one with IDs, not for a text with tabs in it
#: how a string begins that is CoNLL-U, and no text with tabs in it
CONLLU_TEXT = re.compile(r"\ufeff?\s*(?:#[^\n]*\n)*1(?:-\d+)?(?:\t[^\t\n]*){7,}(?:\n|$)")
LOWER_CASE = re.compile(rb"[a-z]")


def is_text(sample: Sample, in_doubt: bool = True) -> bool:
    """Say whether what begins like this is in no treebank format, or is named as text, not as a treebank.

    ``in_doubt``: what to say of tables that may as well be texts with tabs.
    """
    if sample.name.endswith(".txt"):
        return True
    if format_for_path(sample.name) is not None:
        return False
    return b"\0" not in sample.raw and not is_treebank(sample, in_doubt)


def is_conllu(text: str) -> bool:
    """Say whether a string is beyond doubt CoNLL-U, perhaps damaged, rather than a text."""
    return "\t" in text and CONLLU_TEXT.match(text) is not None


def is_treebank(sample: Sample, beyond_doubt: bool = True) -> bool:
    """Say whether a file without a telling name is a treebank: texts have tabs, lists and numbers, too."""
    if _has_lost_its_tabs(sample):
        return True
    if b"\t" not in sample.raw and sample.raw[:1] != b"[" and b"<" not in sample.raw[:200]:
        return False
    try:
        format = guess(sample)
    except TreebankError:
        return False
    if not beyond_doubt:
        return True
    if format.name == "malt-tab":
        return _has_words_and_tags(sample)
    return format.name not in WITH_IDS or _has_ids(sample)


def _has_ids(sample: Sample) -> bool:
    """Is the first line, but for comments, one of a table whose words are numbered?"""
    first = next((line for line in sample.lines if not line.startswith(b"#")), b"")
    return ROW_WITH_ID.match(first) is not None and first.count(b"\t") + 1 >= LEAST_COLUMNS


def _has_words_and_tags(sample: Sample) -> bool:
    """Is a table of Malt-TAB unmistakable: words without spaces, and heads, or tags that recur or look like tags?"""
    rows = [line.split(b"\t") for line in sample.lines]
    if len(rows) < 2 or any(len(row) != len(rows[0]) or any(b" " in cell for cell in row) for row in rows):
        return False
    if len(rows[0]) > 2:
        return True  # the third column holds heads
    tags = {row[1] for row in rows}
    return 3 * len(tags) <= len(rows) or not any(map(LOWER_CASE.search, tags))


def _has_lost_its_tabs(sample: Sample) -> bool:
    if sample.raw.lstrip().startswith(b"# global.columns"):
        return True
    first = next((line for line in sample.lines if not line.startswith(b"#")), b"")
    return SPACED_ROW.match(first) is not None
