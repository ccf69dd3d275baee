"""Data for brat: text with standoff annotation, or JSON for its embedded viewer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from treewright.display.picture import Picture

WORD_WITHOUT_TAG = "Word"


class BratDocument:
    """Pictures as one brat document: a line for each sentence, a span for each word, a relation for each arc.

    Names in brat consist of letters, digits, ``-`` and ``_``. Other characters become ``_``: nsubj:pass is nsubj_pass.
    """

    def __init__(self, pictures: Iterable[Picture]) -> None:
        self.text = ""
        self.spans: list[tuple[str, str, int, int]] = []
        self.relations: list[tuple[str, str, str, str]] = []
        position = 0
        pieces: list[str] = []
        for picture in pictures:
            first = len(self.spans)
            for k, word in enumerate(picture.words):
                form = " ".join(word.text.split()) or "_"
                pieces.append(form + ("\n" if k == len(picture.words) - 1 else " "))
                name = f"T{len(self.spans) + 1}"
                self.spans.append((name, _name(word.tag) or WORD_WITHOUT_TAG, position, position + len(form)))
                position += len(form) + 1
            self._add_relations(picture, first)
        self.text = "".join(pieces)

    def _add_relations(self, picture: Picture, first: int) -> None:
        for arc in picture.arcs:
            if not arc.is_upright:
                head, dependent = (self.spans[first + place - 1][0] for place in (arc.head, arc.dependent))
                name = f"R{len(self.relations) + 1}"
                self.relations.append((name, _name(arc.label) or "dep", head, dependent))

    def annotation(self) -> str:
        """Return the lines of an .ann file; offsets are in characters of ``text``."""
        lines = [f"{name}\t{kind} {start} {end}\t{self.text[start:end]}" for name, kind, start, end in self.spans]
        lines += [f"{name}\t{kind} Arg1:{head} Arg2:{dependent}" for name, kind, head, dependent in self.relations]
        return "".join(line + "\n" for line in lines)

    def data(self) -> dict[str, Any]:
        """Return the document for ``Util.embed`` in brat's viewer."""
        entities: Sequence[Any] = [[name, kind, [[start, end]]] for name, kind, start, end in self.spans]
        relations: Sequence[Any] = [
            [name, kind, [["Arg1", head], ["Arg2", dependent]]] for name, kind, head, dependent in self.relations
        ]
        return {"text": self.text, "entities": entities, "relations": relations}


def _name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", text)
