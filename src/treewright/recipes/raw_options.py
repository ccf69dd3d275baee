"""Options of what is learnt from unlabelled text, for taggers, parsers and networks alike."""

from __future__ import annotations

from treewright.options import topics
from treewright.options.option import count, option


def raw_option() -> str:
    """Declare the files of raw text; several are joined by line breaks."""
    return option(
        "",
        "raw text (UTF-8, compressed or not) to learn word clusters from; in Python, one file a line",
        topics.TEXT,
        metavar="FILE",
        many=True,
    )


def clusters_option(made_of: str) -> int:
    """Declare the number of clusters of words."""
    return count(256, f"clusters of words, with {made_of}", topics.TEXT, 2, 4096)


def files_in(raw: str) -> list[str]:
    """Return the files that the option ``raw`` names."""
    return [path.strip() for path in raw.split("\n") if path.strip()]
