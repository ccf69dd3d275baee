"""How a relation remembers that its word was lifted: the notation of pseudo-projective labels.

A label is ``base``, then ``↑head`` if its word was lifted from a word with relation ``head`` (``↑``
alone under the scheme ``path``), then ``↓`` if a word was lifted over this arc. In a relation that
itself contains one of these signs they are escaped with a backslash, so that every relation
survives. Such labels live between training and parsing only; a user never sees one.
"""

import re
from typing import NamedTuple

from treewright.errors import TreewrightError

SCHEMES = ("baseline", "head", "path", "head+path")

LIFTED, ON_PATH, ESCAPE = "↑", "↓", "\\"
_SIGN = re.compile(r"[↑↓\\]")
_PLAIN = r"(?:[^↑↓\\]|\\[↑↓\\])*"
_LABEL = re.compile(rf"({_PLAIN})(?:(↑)({_PLAIN}))?(↓)?", re.DOTALL)


class LiftedLabel(NamedTuple):
    """What a label says: the user's relation, and what undoing the lift needs to know."""

    base: str
    lifted: bool = False
    head: str | None = None
    on_path: bool = False


def require_scheme(scheme: str) -> None:
    """Refuse a scheme that does not exist, with the list of those that do."""
    if scheme not in SCHEMES:
        raise TreewrightError(f"there is no pseudo-projective scheme {scheme!r}. Choose one of {', '.join(SCHEMES)}")


def is_plain(relation: str) -> bool:
    """Whether a relation stands for itself, without a sign that would have to be escaped."""
    return _SIGN.search(relation) is None


def encode(label: LiftedLabel) -> str:
    """Write a label in the notation above."""
    text = _escape(label.base)
    if label.lifted:
        text += LIFTED + _escape(label.head or "")
    return text + ON_PATH if label.on_path else text


def decode(text: str, scheme: str) -> LiftedLabel:
    """Read a label; one that no encoding under ``scheme`` can have written stands for itself."""
    match = None if scheme == "baseline" else _LABEL.fullmatch(text)
    if match is None:
        return LiftedLabel(text)
    base, lifted, head, on_path = match.groups()
    if (scheme == "head" and on_path) or (scheme == "path" and head):
        return LiftedLabel(text)
    known_head = _unescape(head) if lifted and scheme != "path" else None
    return LiftedLabel(_unescape(base), lifted is not None, known_head, on_path is not None)


def _escape(relation: str) -> str:
    return _SIGN.sub(lambda sign: ESCAPE + sign[0], relation)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
