"""What a sentence is known by: its text without what stands around it, a digest of that, its sent_id."""

from __future__ import annotations

import hashlib
import re

from treewright.apps.studio.drafts import MARK

ENCODING = ("utf-8", "surrogateescape")  # a byte that is no UTF-8 comes back as it was
SENT_ID = re.compile(r"^#[ \t]*sent_id[ \t]*=[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
FRAME = MARK + "\r\n"  # what may stand around a sentence without being part of it


def core(text: str) -> str:
    """Return a sentence without the blank lines and the byte order mark around it."""
    return text.strip(FRAME)


def digest_of(text: str) -> str:
    """Return a digest of a sentence by which it is known in the journal, and equal ones are found."""
    return digest_of_bytes(core(text).encode(*ENCODING))


def digest_of_bytes(data: bytes) -> str:
    """Return the digest of a sentence without a byte order mark."""
    return hashlib.blake2b(data.strip(b"\r\n"), digest_size=6).hexdigest()


def sent_id(text: str) -> str | None:
    """Return the sent_id of a sentence."""
    found = SENT_ID.search(text)
    return (found[1] or None) if found else None
