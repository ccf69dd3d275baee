"""Check the values of columns and comments, so the file can be read again."""

from __future__ import annotations

from treewright.errors import TreewrightError


def checked(value: str, what: str, forbidden: str = "\t\n\r\0") -> str:
    """Return a value, or raise an error if it cannot be written."""
    if not isinstance(value, str):
        raise TreewrightError(f"{what} holds text, and {value!r:.40} is none. Give a string; '_' leaves it empty.")
    for character in forbidden:
        if character in value:
            raise TreewrightError(
                f"{value!r} is not a valid value of {what}: it contains {character!r}, which separates columns or"
                " lines, or is not text. Replace it by a space."
            )
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise TreewrightError(
            f"{value!r} is not a valid value of {what}: character {error.start + 1} is half of a surrogate pair,"
            " which UTF-8 cannot represent. Remove it."
        ) from None
    return value
