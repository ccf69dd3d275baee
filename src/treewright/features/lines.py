"""The lines of a file of templates and their tokens, for messages that say line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treewright.errors import FeatureModelError

# A name (CoNLL-U Plus names columns like PARSEME:MWE), a number, or a sign.
_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*(?::[A-Za-z0-9_]+)*|[0-9]+|[\[\](),&+|\-])")
MOST = 999_999_999  # places, offsets and lengths: more than any sentence or word has


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something, with their numbers, without comments and white space at their ends."""
    for number, raw in enumerate(re.split("\r\n|\r|\n", text), 1):
        line = raw.split("#", 1)[0].rstrip()
        if line:
            yield number, line


def is_header(line: str) -> bool:
    """Return whether a line begins a section."""
    return line.lstrip().startswith("[")


def names_in_header(line: str, known: Sequence[str], most: int, where: str, expected: str) -> tuple[str, ...]:
    """Return which of the known names stand in a header such as [moves labels]; ``where`` and ``expected`` if none."""
    words = line.strip()[1:-1].split() if line.endswith("]") else []
    if not 0 < len(words) <= most or not {*words} <= {*known}:
        raise FeatureModelError(f"{where}:1: expected {expected}, found {line.strip()!r}")
    return tuple(name for name in known if name in words)


def shown(token: str) -> str:
    """Return a token for a message."""
    return repr(token) if token else "the end of the line"


class Line:
    """The tokens of a line without white space at its end, their columns, and a current place."""

    def __init__(self, text: str, source: str, number: int) -> None:
        self.text, self.source, self.number = text, source, number
        self.tokens: list[tuple[str, int]] = []
        self.place = 0
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if not match:
                position += len(text[position:]) - len(text[position:].lstrip())
                raise self._error_in(position, f"an unexpected {text[position]!r}")
            self.tokens.append((match.group(1), match.start(1)))
            position = match.end()

    def error(self, problem: str, place: int | None = None) -> FeatureModelError:
        """Return the error for a problem with the token at a place, by default the current one."""
        place = self.place if place is None else place
        return self._error_in(self.tokens[place][1] if place < len(self.tokens) else len(self.text), problem)

    def _error_in(self, column: int, problem: str) -> FeatureModelError:
        return FeatureModelError(f"{self.source}:{self.number}:{column + 1}: {problem}")

    def peek(self) -> str:
        """Return the current token, '' at the end."""
        return self.tokens[self.place][0] if self.place < len(self.tokens) else ""

    def next(self) -> str:
        """Return the current token and go on to the one after it."""
        token = self.peek()
        self.place += 1
        return token

    def expect(self, *wanted: str) -> str:
        """Return the current token, which must be one of these, and go on."""
        if self.peek() not in wanted:
            listed = ", ".join(map(repr, wanted[:-1]))
            expected = f"{listed} or {wanted[-1]!r}" if listed else repr(wanted[0])
            raise self.error(f"expected {expected}, found {shown(self.peek())}")
        return self.next()

    def name(self) -> str:
        """Return the current token, which must be a name, and go on."""
        if not re.match("[A-Za-z_]", self.peek()):
            raise self.error(f"expected a name, found {shown(self.peek())}")
        return self.next()

    def whole(self, *, most: int = MOST) -> int:
        """Return the current token, which must be a whole number, and go on."""
        token = self.peek()
        if not token.isdigit() or len(token) > 9 or int(token) > most:
            span = "from 0" if most == MOST else f"from 0 to {most}"
            raise self.error(f"expected a number {span}, found {shown(token)}")
        return int(self.next())
