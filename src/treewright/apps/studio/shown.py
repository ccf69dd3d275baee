"""A sentence as the page shows it: its tokens, what the parser suggests, and what is wrong with it."""

from __future__ import annotations

from treewright.apps.studio.checking import findings
from treewright.apps.studio.drafts import COLUMNS, FORM, HEAD, Draft
from treewright.apps.studio.drawings import drawn
from treewright.apps.studio.listing import shown_text
from treewright.apps.studio.loop import Loop
from treewright.apps.studio.project import Place, Project, Shown
from treewright.apps.studio.suggesting import Suggestion
from treewright.display.picture import is_right_to_left
from treewright.errors import TreewrightError

Data = dict[str, object]


def shown_sentence(project: Project, loop: Loop, place: Place, shown: Shown, width: int = 0) -> Data:
    """Return all that the page shows of a sentence."""
    draft = Draft(shown.text)
    forms = " ".join(cells[FORM] for _, cells in draft.words())
    names = [name.lower() for name in COLUMNS]
    suggestion = suggested(loop, draft)
    return {
        "file": place.file,
        "id": place.key,
        "n": shown.number,
        "count": len(project.file(place.file)),
        "revision": shown.revision,
        "canUndo": shown.can_undo,
        "canRedo": shown.can_redo,
        "saved": shown.saved,
        "comments": draft.comments,
        "tokens": [dict(zip(names, cells, strict=False)) for _, cells in draft.rows()],
        "findings": [one._asdict() for one in findings(shown.text)],
        "suggestion": None
        if suggestion is None
        else {**suggestion._asdict(), "doubt": suggestion.doubt, "choices": loop.alternatives(draft.text)},
        "drawing": drawn(draft, suggestion, width),
        "text": shown_text(shown.text),
        "rightToLeft": is_right_to_left(forms),
        "conflict": {"mine": shown.text, "theirs": shown.theirs} if shown.in_conflict else None,
        "parser": loop.version,
        "learning": loop.is_learning,
    }


def suggested(loop: Loop, draft: Draft) -> Suggestion | None:
    """Return what the parser suggests for words without a head; None where there are none, or no parser."""
    if all(cells[HEAD] != "_" for _, cells in draft.words()):
        return None
    loop.learn_first()
    try:
        return loop.suggestion(draft.text)
    except TreewrightError:  # no tree has the arcs so far, a cycle for instance: the findings say so
        return None


def with_suggestion(loop: Loop, text: str) -> str:
    """Return a sentence with what the parser suggests for it, for a validator that wants whole trees."""
    draft = Draft(text)
    found = suggested(loop, draft)
    if found is not None:
        draft.set_tree(list(found.heads), found.relations)
    return draft.text
