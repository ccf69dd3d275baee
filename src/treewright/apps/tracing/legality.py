"""Why a move is not legal, in words: what it would link, and which rule is in the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treewright.apps.tracing.record import IllegalMove
from treewright.apps.tracing.window import Window

#: system → the kinds that add an arc, and where its head and its dependent stand: in the stack (from the top) or buffer
_ENDS = {
    "arc-eager": {"LEFT": ("b0", "s0"), "RIGHT": ("s0", "b0")},
    "arc-hybrid": {"LEFT": ("b0", "s0"), "RIGHT": ("s1", "s0")},
    "arc-standard": {"LEFT": ("s0", "s1"), "RIGHT": ("s1", "s0")},
}
WHY_ROOT_IS_LAST = (
    "ROOT stands behind the last word. So every word meets all others before it can become the root, a wrong root is"
    " not chosen early, and every parse ends in a tree. With ROOT in front, words that never got a head are left over"
    " at the end, and have to be attached afterwards."
)


def illegal_moves(window: Window, form: Callable[[int], str]) -> list[IllegalMove]:
    """Return the kinds of move that are not legal now, with the reasons."""
    legal = set(window.parse.legal())
    if window.system.has_places:
        return []
    return [
        IllegalMove(kind, why)
        for kind in window.system.kinds
        if kind not in legal and (why := _reason(window, kind, form))
    ]


def _reason(window: Window, kind: str, form: Callable[[int], str]) -> str:
    name = str(window.system.settings()["name"])
    stack, buffer = window.parse.stack, window.parse.buffer
    root = 0
    attached = {dependent for _, dependent, _ in window.arcs}
    if kind == "SHIFT":
        return "no word is left in the buffer: ROOT is never shifted" if buffer in ([], [root]) else ""
    if kind == "REDUCE":
        if not stack:
            return "the stack is empty"
        top = stack[-1]
        if top == root:
            return "ROOT stays on the stack to the end"
        return "" if top in attached else f"{form(top)} has no head yet, and would never get one"
    ends = _ENDS.get(name, {}).get(kind)
    return _reason_of_arc(window, ends, stack, buffer, attached, form) if ends else ""


def _reason_of_arc(
    window: Window,
    ends: tuple[str, str],
    stack: Sequence[int],
    buffer: Sequence[int],
    attached: set[int],
    form: Callable[[int], str],
) -> str:
    places = {"s0": stack[-1:], "s1": stack[-2:-1], "b0": buffer[:1]}
    if not all(places[end] for end in ends):
        needs = "two words on the stack" if "b0" not in ends else "a word on the stack and one in the buffer"
        return f"it needs {needs}"
    head, dependent = (places[end][0] for end in ends)
    if dependent == 0:
        return "ROOT never has a head"
    if dependent in attached:
        return f"{form(dependent)} has a head already"
    if head == 0 and window.system.single_root:
        if any(arc[0] == 0 for arc in window.arcs):
            return "ROOT has its one dependent already"
        return "ROOT takes one word only, when no other word is left that could be its head"
    return f"{form(head)} may not govern other words here"
