"""Edits as data: what a page sends, what a journal keeps. Each names what to do, and the words it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from treewright.apps.server.json_fields import JsonFields
from treewright.apps.studio.drafts import HEAD, ID, Draft, EditError, sorted_deps
from treewright.errors import unknown

Edit = Mapping[str, object]


def _attach(draft: Draft, edit: JsonFields) -> None:
    head = edit.integer("head", minimum=-1) if "head" in edit else None
    relation = edit.text("relation") if "relation" in edit else None
    draft.attach(edit.integer("word"), head, relation)


def _tree(draft: Draft, edit: JsonFields) -> None:
    heads = edit.values("heads", "a list of numbers", lambda head: head is None or type(head) is int)
    draft.set_tree(heads, edit.texts("relations"))
    if "tags" in edit:
        draft.fill_tags([JsonFields({"tags": tags}).texts("tags") for tags in edit.values("tags", "a list")])


def _enhanced(draft: Draft, edit: JsonFields) -> None:
    pairs = edit.values("arcs", "a list of pairs: a node and a relation", _is_pair)
    known = {"0", *(cells[ID] for _, cells in draft.rows())}
    for head, _ in pairs:
        if head not in known:
            raise EditError(f"the sentence has no token {head}")
    draft.set_cell(edit.text("token"), "DEPS", sorted_deps(pairs))


def _is_pair(value: object) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(each, str) for each in value)


def _decide(draft: Draft, edit: JsonFields) -> None:
    from treewright.apps.studio.adjudication import decide

    agreed = (
        edit.values("agreed", "a list of arcs", lambda one: one is None or _is_arc(one)) if "agreed" in edit else []
    )
    for word, arc in enumerate(agreed, 1):
        if arc is not None and word != edit.integer("word") and draft.word(word)[1][HEAD] == "_":
            draft.attach(word, int(arc[0]), arc[1])
    decide(draft, edit.integer("word"), edit.integer("head"), edit.text("relation"))


def _is_arc(value: object) -> bool:
    return _is_pair(value) and isinstance(value, (list, tuple)) and value[0].isdecimal() and len(value[0]) < 10


def _note(draft: Draft, edit: JsonFields) -> None:
    from treewright.apps.studio.team import add_note

    add_note(draft, edit.text("text"), edit.text("by"))


def _rewrite(draft: Draft, edit: JsonFields) -> None:
    from treewright.apps.studio.rewriting import rewrite

    rewrite(draft, edit.text("rules"))


#: what to do → how
KINDS: dict[str, Callable[[Draft, JsonFields], object]] = {
    "attach": _attach,
    "cell": lambda draft, edit: draft.set_cell(edit.text("token"), edit.text("column"), edit.text("value")),
    "decide": _decide,
    "note": _note,
    "rewrite": _rewrite,
    "tree": _tree,
    "enhanced": _enhanced,
    "comments": lambda draft, edit: draft.set_comments(edit.texts("comments")),
    "join": lambda draft, edit: draft.join(edit.integer("first"), edit.integer("last"), edit.text("form")),
    "remove": lambda draft, edit: draft.remove_token(edit.text("token")),
    "empty": lambda draft, edit: draft.add_empty(edit.integer("after"), edit.text("form")),
    "split": lambda draft, edit: draft.split(edit.integer("word"), edit.texts("forms")),
    "merge": lambda draft, edit: draft.merge(edit.integer("first"), edit.integer("last")),
    "insert": lambda draft, edit: draft.insert(edit.integer("after"), edit.text("form")),
    "delete": lambda draft, edit: draft.delete(edit.integer("word")),
}


def edited(text: str, edit: Edit) -> str:
    """Return the text of a sentence after an edit."""
    kind = edit.get("do")
    if not isinstance(kind, str) or kind not in KINDS:
        raise EditError(unknown("edit", str(kind), KINDS))
    draft = Draft(text)
    KINDS[kind](draft, JsonFields(edit))
    return draft.text
