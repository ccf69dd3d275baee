"""What model files hold compressed: unpacked within limits, so that a small file cannot fill the memory."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from treewright.errors import ModelFileError

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: texts of machines shrink to a tenth; those with many zeros to a fiftieth
MOST_GROWTH = 100
SMALL = 16 << 20


def unpacked(data: Buffer, length: int, what: str) -> bytes:
    """Return ``length`` bytes that were compressed with zlib; reject data of another length, and bombs."""
    packed = bytes(data)
    if not 0 <= length <= MOST_GROWTH * len(packed) + SMALL:
        raise ModelFileError(f"the model is damaged: {what} would be {length:,} bytes long, made of {len(packed):,}")
    unpacker = zlib.decompressobj()
    try:
        unpacked_bytes = unpacker.decompress(packed, length + 1)
    except zlib.error as error:
        raise ModelFileError(f"the model is damaged: {what} cannot be unpacked: {error}") from None
    if len(unpacked_bytes) != length or not unpacker.eof:
        raise ModelFileError(f"the model is damaged: {what} has the wrong length")
    return unpacked_bytes
