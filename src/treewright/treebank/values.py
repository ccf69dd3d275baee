"""What may stand in a column or a comment, so that the file can be read again."""

from __future__ import annotations

from treewright.errors import TreewrightError


def checked(value: str, what: str, forbidden: str = "\t\n\r\0") -> str:
    """Return a value, or say why it cannot be written."""
    for character in forbidden:
        if character in value:
            raise TreewrightError(
                f"{value!r} cannot be a value of {what}: it holds {character!r}, which ends columns"
                " or lines, or is no text. Replace it by a space."
            )
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise TreewrightError(
            f"{value!r} cannot be a value of {what}: character {error.start + 1} is half of a pair"
            " of surrogates, which UTF-8 cannot hold. Remove it."
        ) from None
    return value
