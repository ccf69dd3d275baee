"""Views of columns with parts as dictionaries and lists: FEATS, MISC and DEPS.

A view parses its column on access and writes it back on change. Unchanged columns keep their bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, MutableSequence
from typing import TYPE_CHECKING, overload

from treewright.errors import TreewrightError
from treewright.treebank.sentences.list_like import ListLike

if TYPE_CHECKING:
    from treewright.treebank.sentences.token import Token

NOTHING = ("", "_")
Dependency = tuple[int | str, str]


class KeyValues(MutableMapping[str, "str | None"]):
    """``Key=Value|Key=Value|Key`` as a dictionary; a key without ``=`` has the value None.

    ``str()`` returns the text of the column. A key that occurs twice has its first value.
    """

    __slots__ = ("_column", "_in_order", "_token")

    def __init__(self, token: Token, column: str, in_order: bool) -> None:
        self._token = token
        self._column = column
        self._in_order = in_order  # insert new keys in alphabetical order, as FEATS requires

    def _items(self) -> list[tuple[str, str | None]]:
        text = str(self)
        if text in NOTHING:
            return []
        return [_split_pair(item) for item in text.split("|")]

    def _write(self, items: Iterable[tuple[str, str | None]]) -> None:
        self._token[self._column] = join_pairs(items)

    def __str__(self) -> str:
        return self._token[self._column]

    def __repr__(self) -> str:
        return repr(dict(self))

    def __getitem__(self, key: str) -> str | None:
        for name, value in self._items():
            if name == key:
                return value
        raise KeyError(key)

    def __setitem__(self, key: str, value: str | None) -> None:
        items = self._items()
        names = [name for name, _ in items]
        if key in names:
            items[names.index(key)] = (key, value)
        else:
            place = len(items)
            if self._in_order and isinstance(key, str):
                place = next((k for k, name in enumerate(names) if name.lower() > key.lower()), place)
            items.insert(place, (key, value))
        self._write(items)

    def __delitem__(self, key: str) -> None:
        items = self._items()
        kept = [item for item in items if item[0] != key]
        if len(kept) == len(items):
            raise KeyError(key)
        self._write(kept)

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self._items()))

    def __len__(self) -> int:
        return len(dict(self._items()))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str(self) == other
        if isinstance(other, Mapping):
            return dict(self) == dict(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]


class Dependencies(ListLike[Dependency], MutableSequence[Dependency]):
    """``head:relation|head:relation`` as a list of pairs; a head such as 3.1 is a str."""

    __slots__ = ("_token",)

    def __init__(self, token: Token) -> None:
        self._token = token

    def _items(self) -> list[Dependency]:
        text = str(self)
        if text in NOTHING:
            return []
        return [_split_dependency(item) for item in text.split("|")]

    def _write(self, items: Iterable[Dependency]) -> None:
        self._token["DEPS"] = join_dependencies(items)

    def __str__(self) -> str:
        return self._token["DEPS"]

    def __repr__(self) -> str:
        return repr(self._items())

    @overload
    def __setitem__(self, place: int, value: Dependency) -> None: ...
    @overload
    def __setitem__(self, place: slice, value: Iterable[Dependency]) -> None: ...
    def __setitem__(self, place: int | slice, value: Dependency | Iterable[Dependency]) -> None:
        items = self._items()
        items[place] = value  # type: ignore[index, assignment]
        self._write(items)

    def __delitem__(self, place: int | slice) -> None:
        items = self._items()
        del items[place]
        self._write(items)

    def insert(self, index: int, value: Dependency) -> None:
        """Insert a pair before a position."""
        items = self._items()
        items.insert(index, value)
        self._write(items)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str(self) == other
        if isinstance(other, (Dependencies, list, tuple)):
            return self._items() == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]


def join_pairs(items: Iterable[tuple[str, str | None]]) -> str:
    """Return pairs as text for FEATS or MISC."""
    texts = []
    for key, value in items:
        if not (isinstance(key, str) and isinstance(value or "", str)):
            raise TreewrightError(f"keys and values of FEATS and MISC are text, and {key!r}={value!r:.40} is not.")
        if not key or "|" in key or "|" in (value or ""):
            raise TreewrightError(
                f"{key!r}={value!r} is not valid in FEATS or MISC: `|` separates pairs, and a key must not be empty."
                " Use other characters."
            )
        texts.append(key if value is None else f"{key}={value}")
    return "|".join(texts) or "_"


def join_dependencies(items: Iterable[Dependency]) -> str:
    """Return pairs of head and relation as text for DEPS."""
    texts = []
    for item in items:
        if not isinstance(item, (tuple, list)) or len(item) != 2 or not isinstance(item[1], str):
            raise TreewrightError(f"DEPS holds pairs of a head and a relation, as in (2, 'nsubj'), not {item!r:.40}.")
        head, relation = item
        if "|" in relation or not relation:
            raise TreewrightError(f"{relation!r} is not a valid relation in DEPS: it must not be empty or contain `|`.")
        texts.append(f"{head}:{relation}")
    return "|".join(texts) or "_"


def _split_pair(item: str) -> tuple[str, str | None]:
    key, equals, value = item.partition("=")
    return key, value if equals else None


def _split_dependency(item: str) -> Dependency:
    head, _, relation = item.partition(":")
    is_word = head.isdecimal() and head.isascii() and len(head) <= 9
    return (int(head) if is_word else head), relation
