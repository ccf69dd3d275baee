"""Raw text as numbers of words, for learning from text without trees."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treewright.errors import TreebankError
from treewright.treebank.blocks.normal_text import normal_form
from treewright.treebank.files.source import Source, open_input

PIECE = 1 << 20  # bytes read at once
TOKEN = re.compile(r"\w+(?:['’.\-]\w+)*|[^\w\s]")  # words with marks inside, and single marks
NUMBER = re.compile(r"\d")


@dataclass
class RawText:
    """A text as numbers of its frequent words, the most frequent first; -1 stands for a rare word or a break."""

    words: list[str]
    numbers: array[int]


def read_raw(sources: Iterable[Source], least: int, most: int) -> RawText:
    """Read raw texts, compressed or not; keep words with ``least`` occurrences, ``most`` of them at most.

    Words are in lower case, digits are all 0. A line break with nothing after it breaks the text.
    """
    seen: dict[str, int] = {}
    numbers = array("i")
    for source in sources:
        for name, number, line in numbered_lines(source):
            words = TOKEN.findall(NUMBER.sub("0", normal_form(decoded(line, name, number)).lower()))
            numbers.extend([seen.setdefault(word, len(seen)) for word in words] if words else [-1])
        numbers.append(-1)
    counts = Counter(numbers)
    counts.pop(-1, None)
    kept = [number for number, count in counts.most_common(most) if count >= least]
    renumbered = array("i", [-1]) * (len(seen) + 1)
    for place, number in enumerate(kept):
        renumbered[number] = place
    names = list(seen)
    return RawText([names[number] for number in kept], array("i", [renumbered[number] for number in numbers]))


def numbered_lines(source: Source, longest: int | None = None) -> Iterator[tuple[str, int, bytes]]:
    """Yield the name of a file, the number of each line, and the line; of a line longer than ``longest`` no more."""
    stream = open_input(source)
    rest, number = b"", 0
    try:
        while piece := stream.read(PIECE):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                number += 1
                yield stream.source, number, line
            if longest is not None and len(rest) > longest:
                break
        yield stream.source, number + 1, rest
    finally:
        stream.close()


def decoded(line: bytes, source: str, number: int) -> str:
    """Return a line of raw text; reject one that is not UTF-8."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise TreebankError(
            "raw text must be UTF-8", source=source, line=number, remedy="Convert the file, with iconv for example"
        ) from None
