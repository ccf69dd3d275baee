"""TiMBL's own files, read before TiMBL gets them: its loader trusts what it reads.

An instance base has a header, the names of classes and of values, and a tree: every node has its most frequent class,
how often each class occurs below it, and a branch for each value of a column. All leaves of a base of instances lie as
deep as there are columns, without those that the metric ignores (``-m O:I1``), which stand behind a ``!``. The trees of
``-a 1`` and ``-a 2`` are pruned, and theirs lie anywhere above.
"""

from __future__ import annotations

import re

from treewright.errors import ModelFileError

MOST_COLUMNS = 4096
MOST_TIMES = (1 << 31) - 1
_HEADER = re.compile(
    r"# Status: (?P<status>complete|pruned)\n(?:# Algorithm: [^\n]{1,40}\n)?# Permutation: < (?P<order>[0-9, !]+) >\n"
    r"# Numeric: \.\n# Bin_Size: 20\n# Version 4 \(Hashed\)\n#\nClasses\n(?P<classes>(?:[0-9]{1,9}\t[0-9]{1,9}\n)+)"
    r"Features\n(?P<values>(?:[0-9]{1,9}\t[0-9]{1,10}\n)+)\n"
)
_TOKEN = re.compile(r"\s*([()\[\]{},]|[0-9]{1,15}(?:\.[0-9]{1,20})?(?:e[+-]?[0-9]{1,3})?)")
_NUMBER = r"-?[0-9]{1,20}(?:\.[0-9]{1,25})?(?:e[+-]?[0-9]{1,3})?"
_WEIGHTS = re.compile(rf"(?:#[^\n]{{0,200}}\n|[0-9]{{1,4}}\t(?:Ignore|{_NUMBER})\n|\n)*")


def check_instance_base(data: bytes, n_decisions: int, n_features: int) -> int:
    """Return how many columns a base has.

    Reject one that TiMBL has not written: other decisions or features, or a tree of another shape.
    """
    text = _text(data, "is no text")
    header = _HEADER.match(text)
    if header is None:
        raise _damaged("does not begin as one")
    order = [int(place) for place in re.findall(r"[0-9]{1,9}", header["order"])]
    n_columns = len(order)
    if sorted(order) != list(range(1, n_columns + 1)) or not 0 < n_columns <= MOST_COLUMNS:
        raise _damaged("has columns that are not numbered from 1 on")
    classes = _names(header["classes"], n_decisions - 1, "a decision")
    values = _names(header["values"], n_features, "a feature")
    depth = header["order"].partition("!")[0].count(",") + 1
    _Tree(text, header.end(), classes, values, depth, header["status"] == "pruned").check()
    return n_columns


def check_instances(data: bytes, n_decisions: int) -> int:
    """Reject instances that we have not written: other decisions, or other columns on some line; return the columns."""
    lines = _text(data, "is no text", "utf-8").split("\n")
    n_columns = lines[0].count("\t")
    if lines.pop() or not 0 < n_columns <= MOST_COLUMNS:
        raise _damaged("has no columns, or no end")
    for line in lines:
        decision = line.rpartition("\t")[2]
        if line.count("\t") != n_columns or not re.fullmatch("[0-9]{1,9}", decision) or int(decision) >= n_decisions:
            raise _damaged("has a line with other columns or decisions")
    return n_columns


def check_column_weights(data: bytes) -> None:
    """Reject a file of the weights of columns with anything but numbers in it, or columns that are ignored."""
    if _WEIGHTS.fullmatch(_text(data, "has weights that are no text")) is None:
        raise _damaged("has weights that are no numbers")


def _text(data: bytes, problem: str, encoding: str = "ascii") -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise _damaged(problem) from None


def _names(lines: str, most: int, what: str) -> int:
    """Check a list of numbered names, which are numbers themselves; return how many there are."""
    seen = set()
    for place, line in enumerate(lines.splitlines(), 1):
        number, name = line.split("\t")
        if int(number) != place or int(name) > most or name in seen:
            raise _damaged(f"has {what} that the model does not know, or twice")
        seen.add(name)
    return len(seen)


class _Tree:
    """The tree of an instance base, read from left to right with a stack of our own."""

    def __init__(self, text: str, start: int, classes: int, values: int, depth: int, pruned: bool) -> None:
        self.text, self.at = text, start
        self.classes, self.values, self.depth, self.pruned = classes, values, depth, pruned

    def check(self) -> None:
        """Read node after node; ``branches`` has the values seen so far at each node above."""
        branches: list[set[int]] = []
        while True:
            self.node()
            if self.next_is("["):
                if len(branches) >= self.depth:
                    raise _damaged("has a tree deeper than it has columns")
                branches.append(set())
            else:
                if not self.pruned and len(branches) != self.depth:
                    raise _damaged("has a tree whose leaves are not as deep as it has columns")
                self.expect(")")
                while branches and not self.next_is(","):
                    self.expect("]")
                    self.expect(")")
                    branches.pop()
                if not branches:
                    break
            self.branch(branches[-1])
        if self.text[self.at :].strip():
            raise _damaged("goes on behind its tree")

    def node(self) -> None:
        """Read a class, and how often classes occur below the node."""
        self.expect("(")
        self.whole(1, self.classes)
        if not self.next_is("{"):
            raise _damaged("has a node without classes")
        last = 0
        while True:
            last = self.whole(last + 1, self.classes)
            self.whole(0, MOST_TIMES)  # how often: TiMBL goes on with nothing behind a number that it cannot hold
            if not self.next_is(","):
                break
        self.expect("}")

    def branch(self, seen: set[int]) -> None:
        value = self.whole(1, self.values)
        if value in seen:
            raise _damaged("has a branch twice")
        seen.add(value)

    def token(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            raise _damaged("is cut off, or has other signs in its tree")
        self.at = match.end()
        return match[1]

    def next_is(self, sign: str) -> bool:
        """Return whether a sign comes next, and pass it."""
        match = _TOKEN.match(self.text, self.at)
        if match is None or match[1] != sign:
            return False
        self.at = match.end()
        return True

    def expect(self, sign: str) -> None:
        if not self.next_is(sign):
            raise _damaged(f"lacks a {sign!r} in its tree")

    def whole(self, low: int, high: int) -> int:
        text = self.token()
        if not text.isdigit() or not low <= int(text) <= high:
            raise _damaged("has a number out of range in its tree")
        return int(text)


def _damaged(problem: str) -> ModelFileError:
    return ModelFileError(f"the model is damaged: TiMBL's instance base {problem}")
