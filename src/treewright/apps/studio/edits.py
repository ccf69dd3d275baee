"""Edits as data: what a page sends, what a journal keeps. Each names what to do, and the words it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from treewright.apps.studio.drafts import ID, Draft, EditError, sorted_deps
from treewright.errors import unknown

Value = str | float | bool | Sequence["Value"] | Mapping[str, "Value"] | None
Edit = Mapping[str, Value]


class Fields:
    """The fields of an edit, checked as they are read."""

    def __init__(self, edit: Edit) -> None:
        self.edit = edit

    def number(self, name: str) -> int:
        """Return a whole number."""
        value = self.edit.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise EditError(f"the edit needs a number as `{name}`")
        return value

    def number_or_none(self, name: str) -> int | None:
        """Return a whole number, or None where it is null or missing."""
        return None if self.edit.get(name) is None else self.number(name)

    def text(self, name: str) -> str:
        """Return a text."""
        value = self.edit.get(name)
        if not isinstance(value, str):
            raise EditError(f"the edit needs a text as `{name}`")
        return value

    def text_or_none(self, name: str) -> str | None:
        """Return a text, or None where it is null or missing."""
        return None if self.edit.get(name) is None else self.text(name)

    def items(self, name: str) -> Sequence[Value]:
        """Return a list."""
        value = self.edit.get(name)
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise EditError(f"the edit needs a list as `{name}`")
        return value

    def texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        found = [value for value in self.items(name) if isinstance(value, str)]
        if len(found) != len(self.items(name)):
            raise EditError(f"`{name}` is a list of texts")
        return found


def _attach(draft: Draft, edit: Fields) -> None:
    draft.attach(edit.number("word"), edit.number_or_none("head"), edit.text_or_none("relation"))


def _cell(draft: Draft, edit: Fields) -> None:
    draft.set_cell(edit.text("token"), edit.text("column"), edit.text("value"))


def _tree(draft: Draft, edit: Fields) -> None:
    heads: list[int | None] = []
    for head in edit.items("heads"):
        if head is not None and (not isinstance(head, int) or isinstance(head, bool)):
            raise EditError("`heads` is a list of numbers")
        heads.append(head)
    draft.set_tree(heads, edit.texts("relations"))
    if edit.edit.get("tags") is not None:
        draft.fill_tags([Fields({"tags": tags}).texts("tags") for tags in edit.items("tags")])


def _enhanced(draft: Draft, edit: Fields) -> None:
    arcs: list[tuple[str, str]] = []
    known = {"0", *(cells[ID] for _, cells in draft.rows())}
    for arc in edit.items("arcs"):
        if isinstance(arc, str) or not isinstance(arc, Sequence) or len(arc) != 2:
            raise EditError("an enhanced arc is a pair: a node and a relation")
        head, relation = arc
        if not isinstance(head, str) or not isinstance(relation, str):
            raise EditError("an enhanced arc is a pair of texts")
        if head not in known:
            raise EditError(f"the sentence has no token {head}")
        arcs.append((head, relation))
    draft.set_cell(edit.text("token"), "DEPS", sorted_deps(arcs))


def _add_empty(draft: Draft, edit: Fields) -> None:
    draft.add_empty(edit.number("after"), edit.text("form"))


#: what to do → how
KINDS: dict[str, Callable[[Draft, Fields], None]] = {
    "attach": _attach,
    "cell": _cell,
    "tree": _tree,
    "enhanced": _enhanced,
    "comments": lambda draft, edit: draft.set_comments(edit.texts("comments")),
    "join": lambda draft, edit: draft.join(edit.number("first"), edit.number("last"), edit.text("form")),
    "remove": lambda draft, edit: draft.remove_token(edit.text("token")),
    "empty": _add_empty,
    "split": lambda draft, edit: draft.split(edit.number("word"), edit.texts("forms")),
    "merge": lambda draft, edit: draft.merge(edit.number("first"), edit.number("last")),
    "insert": lambda draft, edit: draft.insert(edit.number("after"), edit.text("form")),
    "delete": lambda draft, edit: draft.delete(edit.number("word")),
}


def edited(text: str, edit: Edit) -> str:
    """Return the text of a sentence after an edit."""
    kind = edit.get("do")
    if not isinstance(kind, str) or kind not in KINDS:
        raise EditError(unknown("edit", str(kind), KINDS))
    draft = Draft(text)
    KINDS[kind](draft, Fields(edit))
    return draft.text
