"""What sentences, documents and lists of arcs share: they behave like lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar, overload

from treewright.treebank.blocks.block import Layout

Item = TypeVar("Item")


class ListLike(Generic[Item]):
    """Whatever can say its items."""

    __slots__ = ()

    def _items(self) -> list[Item]:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items())

    def __len__(self) -> int:
        return len(self._items())

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        return self._items()[index]


class TextItems(ListLike[Item]):
    """The words of a sentence or the sentences of a document: equal if their texts are, true also without any."""

    __slots__ = ()
    layout: Layout

    def to_bytes(self) -> bytes:
        """Return the text, in the columns it was read with."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.layout.columns == other.layout.columns and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]


def shortened(text: str) -> str:
    """Return a text, or the beginning of a long one."""
    return text if len(text) <= 40 else text[:39] + "…"
