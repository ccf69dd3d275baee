"""The comments of a sentence as a dictionary."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, TypeGuard

from treewright.errors import TreewrightError
from treewright.treebank.sentences.values import checked

if TYPE_CHECKING:
    from treewright.treebank.sentences.sentence import Sentence
    from treewright.treebank.sentences.token import Token


class Metadata(MutableMapping[str, "str | None"]):
    """The comments ``# key = value`` of a sentence, in order; without ``=`` the value is None.

    A change applies to the first comment with the key. A new key goes after the other comments.
    """

    __slots__ = ("_sentence",)

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence

    def _find(self, key: str) -> int:
        for index, part in enumerate(self._sentence.parts()):
            if is_comment(part) and split_comment(part)[0] == key:
                return index
        return -1

    def __getitem__(self, key: str) -> str | None:
        index = self._find(key)
        if index < 0:
            raise KeyError(key)
        return split_comment(str(self._sentence.parts()[index]))[1]

    def __setitem__(self, key: str, value: str | None) -> None:
        layout = self._sentence.layout
        if not layout.comments:
            raise TreewrightError(f"the format {layout.name} has no comments. Convert the sentence to conllu.")
        parts = self._sentence.parts()
        index = self._find(key)
        if index >= 0:
            old = str(parts[index])
            parts[index] = comment_line(key, value) + old[len(old.rstrip("\r\n")) :]
        else:
            index, line_end = _place_for_comment(parts), _line_end(parts)
            before = parts[index - 1] if index else ""
            if is_comment(before) and not before.endswith("\n"):
                parts[index - 1] = before + line_end
            parts.insert(index, comment_line(key, value) + line_end)

    def __delitem__(self, key: str) -> None:
        index = self._find(key)
        if index < 0:
            raise KeyError(key)
        del self._sentence.parts()[index]

    def __iter__(self) -> Iterator[str]:
        pairs = [split_comment(part) for part in self._sentence.parts() if is_comment(part)]
        return iter(dict(pairs))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return repr(dict(self))


def is_comment(part: str | Token) -> TypeGuard[str]:
    """Return whether a part of a sentence is a comment line; other strings are blank lines."""
    return isinstance(part, str) and part.startswith("#")


def split_comment(line: str) -> tuple[str, str | None]:
    """Return the key and value of a comment line."""
    key, equals, value = line[1:].partition("=")
    return key.strip(), value.strip() if equals else None


def comment_line(key: str, value: str | None) -> str:
    """Return a comment without its line end."""
    checked(key, "a comment's key", "=\n\r\0")
    checked(value or "", "a comment", "\n\r\0")
    return f"# {key}" if value is None else f"# {key} = {value}"


def _place_for_comment(parts: list[str | Token]) -> int:
    """Return the position after the last comment, or before the first token if there are no comments."""
    first_token = next((k for k, part in enumerate(parts) if not isinstance(part, str)), len(parts))
    comments = [k for k, part in enumerate(parts[:first_token]) if is_comment(part)]
    return comments[-1] + 1 if comments else first_token


def _line_end(parts: list[str | Token]) -> str:
    first = next((part for part in parts if not isinstance(part, str) or "\n" in part), "\n")
    text = first if isinstance(first, str) else first.line
    return "\r\n" if text.endswith("\r\n") else "\n"
