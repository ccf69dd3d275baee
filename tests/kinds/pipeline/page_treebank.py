"""A small treebank of English with multiword tokens, lemmas and XPOS: a page of text as a bundled model parses it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import treewright as tw

PAGE = Path(__file__).parents[2] / "data" / "page.txt"
FOR_TRAINING = 38  # sentences; the others are for dev


@cache
def page_treebank() -> tuple[bytes, bytes]:
    """Return what to train on, and dev."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / "page.conllu"
        tw.load("english").without(["graph"]).parse_file(PAGE, target)
        sentences = target.read_bytes().split(b"\n\n")
    return b"\n\n".join(sentences[:FOR_TRAINING]) + b"\n\n", b"\n\n".join(sentences[FOR_TRAINING:])
