"""One drawing for all steps of a trace: ROOT among the words, the arcs of the moves above, the gold arcs below.

A page shows at each step the arcs that are there. So nothing moves from one step to the next.
"""

from __future__ import annotations

from treewright.apps.tracing.record import Trace, TraceArc
from treewright.display.hooked import hooked
from treewright.display.picture import Arc, Picture, Word, is_right_to_left
from treewright.display.svg import draw_hooked


def drawing_of(trace: Trace, width: int) -> str:
    """Return the drawing, for a page that has its styles."""
    words = [Word(form, tag, str(n)) for n, (form, tag) in enumerate(zip(trace.words, trace.tags, strict=True), 1)]
    root = Word("ROOT", "", "0")
    is_last = trace.system["root"] == "last"
    shown = [*words, root] if is_last else [root, *words]
    made = [step.move.arc for step in trace.steps if step.move.arc is not None]
    arcs = _drawn([*made, *trace.end.arcs], is_last, len(words), False)
    arcs += _drawn(trace.gold or (), is_last, len(words), True)
    text = " ".join(trace.words)
    return draw_hooked(hooked(Picture(shown, arcs, text=text, right_to_left=is_right_to_left(text))), width)


def _drawn(arcs: list[TraceArc] | tuple[()], is_last: bool, n_words: int, below: bool) -> list[Arc]:
    """Return each arc once, between the positions of its words; ROOT is a word here."""

    def place(node: int) -> int:
        return (node or n_words + 1) if is_last else node + 1

    unique = {(arc.head, arc.dependent): arc for arc in arcs}
    return [
        Arc(place(arc.head), place(arc.dependent), "" if arc.relation in (None, "_") else arc.relation, below)
        for arc in unique.values()
    ]
