"""Patterns as users give them: text, or a file that ends with .req."""

from __future__ import annotations

import os

from treewright.errors import TreewrightError
from treewright.query.language.pattern import Pattern
from treewright.query.language.patterns import parse_patterns
from treewright.query.language.tokens import PatternError

ENDING = ".req"


def given_patterns(text: str) -> list[Pattern]:
    """Return the patterns of a text, or of the file that it names."""
    if text.endswith(ENDING):
        return parse_patterns(text_of_file(text), text)
    if "{" not in text and os.path.isfile(text):
        raise PatternError(f"{text}: is a file and no pattern. A file of patterns ends with {ENDING}")
    return parse_patterns(text)


def text_of_file(path: str) -> str:
    """Return the text of a file of patterns or rules."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except OSError as error:
        raise TreewrightError(f"{path}: cannot be read ({error.strerror}). Check the path") from None
    except UnicodeDecodeError:
        raise TreewrightError(f"{path}: is not text in UTF-8. Convert it") from None
    except ValueError:
        raise TreewrightError(f"{path!r} is not a valid file name") from None
