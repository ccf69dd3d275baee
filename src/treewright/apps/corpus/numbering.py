"""Count the sentences of texts when a plan is made, so that every part has its final numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from treewright.apps.corpus.plan import Header, Part
from treewright.apps.corpus.reading import PartReader
from treewright.errors import TreebankError
from treewright.steps.parse_options import parse_options
from treewright.steps.parser import Parser


def numbered(parts: Iterable[Part], parser: Parser, header: Header) -> Iterator[Part]:
    """Yield parts with the number of sentences before each; texts are split for it, not parsed."""
    total = 0
    for part in parts:
        part = replace(part, sentences=total)
        yield part
        total += _sentences_of(part, parser, header)


def _sentences_of(part: Part, parser: Parser, header: Header) -> int:
    options = parse_options({"newlines": header.newlines} if part.is_text else {})
    for careful in (False, True):
        reader = PartReader(parser, header, part, options, careful)
        try:
            for _ in reader.blocks():
                pass
        except TreebankError:
            continue
        return reader.sentences
    return 0  # the part will be set aside as a whole
