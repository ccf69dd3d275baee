"""Encode lifts in relations: the notation of pseudo-projective labels.

A label is ``base``, then ``↑head`` if its word was lifted from a word with the relation ``head`` (``↑`` alone under the
scheme ``path``), then ``↓`` if a word was lifted over this arc. A backslash escapes these signs where a relation itself
contains them, so every relation survives. Such labels exist only inside a model; users never see them.
"""

import re
from typing import NamedTuple

from treewright.errors import TreewrightError, unknown

SCHEMES = ("baseline", "head", "path", "head+path")

LIFTED, ON_PATH, ESCAPE = "↑", "↓", "\\"
_SIGN = re.compile(r"[↑↓\\]")
_PLAIN = r"(?:[^↑↓\\]|\\[↑↓\\])*"
_LABEL = re.compile(rf"({_PLAIN})(?:(↑)({_PLAIN}))?(↓)?", re.DOTALL)


class LiftedLabel(NamedTuple):
    """A decoded label: the user's relation and the information needed to undo the lift."""

    base: str
    lifted: bool = False
    head: str | None = None
    on_path: bool = False


def require_scheme(scheme: str) -> None:
    """Reject an unknown scheme; the error lists the known ones."""
    if scheme not in SCHEMES:
        raise TreewrightError(unknown("pseudo-projective scheme", scheme, SCHEMES))


def is_plain(relation: str) -> bool:
    """Return whether a relation contains no sign that must be escaped."""
    return _SIGN.search(relation) is None


def encode(label: LiftedLabel) -> str:
    """Return a label in the notation above."""
    text = _escape(label.base)
    if label.lifted:
        text += LIFTED + _escape(label.head or "")
    return text + ON_PATH if label.on_path else text


def decode(text: str, scheme: str) -> LiftedLabel:
    """Decode a label; text that ``scheme`` cannot have produced is a plain relation."""
    match = None if scheme == "baseline" else _LABEL.fullmatch(text)
    if match is None:
        return LiftedLabel(text)
    base, lifted, head, on_path = match.groups()
    if (scheme == "head" and on_path) or (scheme == "path" and head):
        return LiftedLabel(text)
    if ESCAPE in text:
        base, head = _unescape(base), _unescape(head or "")
    known_head = head if lifted and scheme != "path" else None
    return LiftedLabel(base, lifted is not None, known_head, on_path is not None)


def _escape(relation: str) -> str:
    return _SIGN.sub(lambda sign: ESCAPE + sign[0], relation)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
