"""Analyses as text, on a coloured terminal, as a page and as JSON must be those of the files in ``expected``.

What these show is for people. After a change on purpose, run this, and look at the difference before you commit it:

    TREEWRIGHT_UPDATE=1 pytest tests/analysis/test_snapshots.py
"""

import io
import json
import os
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import treewright as tw
from tests.analysis.made import conllu, parse_of, treebank
from treewright.analysis.as_text import print_rich
from treewright.analysis.moves import MoveReport

EXPECTED = Path(__file__).parent / "expected"
TOP = 4
COUNTS = (9, 4, 60, 7, 9, 5, 20, 3, 58, 5, 6, 19, 2)  # from sentences to mistakes after the first, corrected
MOVES = MoveReport("arc-eager", *COUNTS, inflation=1.42, low=0.8, high=2.25)


def analyses():
    """Yield names and analyses: of one parse, of two, and one with replayed moves."""
    random = Random(3)
    gold = treebank(random, 14, 18)
    good, bad = parse_of(random, gold, 0.2), parse_of(random, gold, 0.6)
    texts = [conllu(sentences) for sentences in (gold, good, bad)]
    yield "one", tw.analyze(*texts[:2], sentences=1)
    two = tw.analyze(*texts, sentences=2, punctuation="upos", relation="universal")
    yield "two", two
    yield "moves", replace(two, moves=[MOVES, "these moves cannot be judged"], tables={}, extremes=([], []))


def shown(analysis):
    """Yield what an analysis looks like, and the ends of files' names."""
    yield "txt", analysis.to_text(TOP)
    stream = io.StringIO()
    print_rich(analysis, TOP, stream)
    yield "rich.txt", stream.getvalue()
    page = re.sub(r"<style>.*?</style>", "", analysis.to_html(TOP), flags=re.DOTALL)
    yield "html", page.replace("\n", " ").replace("<h2", "\n<h2")  # a line for a section
    yield "json", json.dumps(analysis.to_dict(), indent=1)


@pytest.mark.parametrize("name", ["one", "two", "moves"])
def test_an_analysis_looks_as_before(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    for ending, text in shown(dict(analyses())[name]):
        file = EXPECTED / f"{name}.{ending}"
        if os.environ.get("TREEWRIGHT_UPDATE"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8"), f"{file.name} differs"
