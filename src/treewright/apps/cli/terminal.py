"""What a terminal may be shown: text from files and models can hold control characters that steer it.

Such text could move the cursor, rename the window or hide a part of what is printed. Files and pipes get every byte as
it is; a terminal gets no control characters but the ends of lines, tabs and the colours that treewright itself uses.
"""

from __future__ import annotations

import re

#: control characters, those of the second set (C1), and marks that turn the direction of text around
_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
#: the end of a colour; bold, faint; red to cyan, bold or not; grey, magenta. Others could hide text.
_COLOUR = r"\x1b\[(?:0|[12]|(?:1;)?3[1-6]|9[05])m"
_FOR_TERMINALS = re.compile(rf"({_COLOUR})|[{_CONTROLS}]")
_FOR_MESSAGES = re.compile(rf"[{_CONTROLS}]")


def for_terminal(text: str) -> str:
    """Return text as a terminal may show it: without control characters, but with colours."""
    return _FOR_TERMINALS.sub(lambda found: found[1] or "", text)


def for_message(text: str) -> str:
    """Return the text of a message without control characters; those of other programs' names are gone, too."""
    return _FOR_MESSAGES.sub("", text)
