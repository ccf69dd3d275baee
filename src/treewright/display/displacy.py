"""Data for displaCy: ``spacy.displacy.render(data, manual=True)`` draws it."""

from __future__ import annotations

from typing import Any

from treewright.display.picture import Picture


def data_of(picture: Picture) -> dict[str, Any]:
    """Return a picture for displaCy: positions from 0, the left end first, no arcs from the root.

    displaCy does not escape labels: do not use it with untrusted treebanks.
    """
    return {
        "title": picture.title or None,
        "words": [
            {"text": word.text, "tag": word.tag, **({"lemma": word.lemma} if word.lemma else {})}
            for word in picture.words
        ],
        "arcs": [
            {
                "start": arc.left - 1,
                "end": arc.right - 1,
                "label": arc.label,
                "dir": "left" if arc.dependent < arc.head else "right",
            }
            for arc in picture.arcs
            if not arc.is_upright
        ],
        "settings": {"direction": "rtl" if picture.right_to_left else "ltr"},
    }
