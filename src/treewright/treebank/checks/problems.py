"""Describe the problems that the scan of a block found."""

from __future__ import annotations

from treewright.errors import TreebankError
from treewright.treebank.blocks.block import COLUMNS, HEAD, ID, NO_FINAL_BLANK, Block

REMEDIES = {
    COLUMNS: "Separate columns by single tabs, and write `_` for an empty value.",
    ID: "Number words 1, 2, 3, …; write multiword tokens as 3-4 and empty nodes as 3.1.",
    HEAD: "HEAD is the ID of a word, 0 for the root, or `_`.",
}


def check(block: Block) -> None:
    """Raise a TreebankError for the first problem of a block that makes a sentence unreadable."""
    for sentence, line, code in block.problems:
        if code != NO_FINAL_BLANK:
            raise error_for(block, sentence, line, code)


def checked(block: Block) -> Block:
    """Return a block that can be read; raise a TreebankError for its first problem."""
    check(block)
    return block


def error_for(block: Block, sentence: int, line: int, code: str) -> TreebankError:
    """Return an error that describes a problem, its position and a remedy."""
    return TreebankError(
        _describe_head(block, sentence, line) if code == HEAD else describe_line(block, sentence),
        source=block.source,
        line=line,
        sent_id=block.sent_id(sentence),
        remedy=REMEDIES.get(code, ""),
    )


def _describe_head(block: Block, sentence: int, line: int) -> str:
    for word in block.words_of(sentence):
        if block.line_of_word(word) == line and block.head_of(word) < -1:
            return f"HEAD is {_quote(block.value(word, block.layout.head))}"
    return "HEAD is neither a number nor `_`"


def describe_line(block: Block, sentence: int) -> str:
    """Return what is wrong with the first line of a sentence that cannot be read."""
    number = 0
    for row in _rows(block, sentence):
        if len(row) != block.n_columns:
            return _describe_columns(block, row)
        if block.layout.id >= 0:
            text = row[block.layout.id]
            if _is_number(text) and int(text) == number + 1:
                number += 1
            elif not _is_range_or_empty_node(text):
                return f"expected ID {number + 1}, found {_quote(text)}"
    return "a line that cannot be read"


def _describe_columns(block: Block, row: list[bytes]) -> str:
    expected = f"expected {block.n_columns} columns ({block.layout.name})"
    if len(row) == 1 and len(row[0].split()) > 1:
        return f"{expected}, found a line without tabs"
    return f"{expected}, found {len(row)}"


def _rows(block: Block, sentence: int) -> list[list[bytes]]:
    text = block.text_of(sentence).removeprefix(b"\xef\xbb\xbf")
    return [
        line.removesuffix(b"\r").split(b"\t")
        for line in text.split(b"\n")
        if line.strip(b" \t\r") and not (line.startswith(b"#") and block.layout.comments)
    ]


def _is_range_or_empty_node(text: bytes) -> bool:
    for mark in (b"-", b"."):
        first, sign, second = text.partition(mark)
        if sign:
            return _is_number(first) and _is_number(second)
    return False


def _is_number(text: bytes) -> bool:
    """Return whether the scan reads this as a number; Python cannot convert thousands of digits."""
    return text.isdigit() and len(text) <= 9


def _quote(text: bytes) -> str:
    shown = text.decode("utf-8", "replace")
    return f"`{shown[:30]}…`" if len(shown) > 31 else f"`{shown}`"
