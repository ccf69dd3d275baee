"""The same recipe gives the same tokeniser, tagger and parser as before, weight by weight.

A line of `expected/trained-parts.txt` is a part of a model, trained on a page of text: how it was trained, its name,
and a digest; of scores on dev, the scores. After a change on purpose of what training learns, run this, and say in the
commit why models change:

    TREEWRIGHT_UPDATE=1 pytest tests/kinds/pipeline/test_trained_parts.py
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from array import array
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from treewright.features.word_clusters import WordClusters, cluster_key
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.kinds.pipeline.page_treebank import page_treebank
from tests.kinds.tokenizer.test_tokenizer import unspaced_tokenizer
from tests.toy import TRAIN
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.training import column_accuracy, train_tagger
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.steps.contract import TypedArrays
from treewright.steps.step import Step
from treewright.treebank.files.reading import read_blocks

EXPECTED = Path(__file__).parent / "expected" / "trained-parts.txt"
SHORT: dict[str, Any] = {"iterations": 2, "tagger_iterations": 2, "features": "tiny", "prune": False}
SCORED = {"LEMMA", "UPOS", "XPOS", "FEATS"}

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="other processors round the averages of weights differently"
)


def made_up_clusters() -> WordClusters:
    """Clusters by the last letter of words."""
    words = sorted({word.form.lower() for sentence in tw.read(page_treebank()[0]) for word in sentence})
    found = {cluster_key(word): ord(word[-1]) % 4 for word in words}
    keys = array("Q", found)
    return WordClusters(keys, array("H", found.values()), array("I", range(4)), array("B", [2] * 4), "made up")


def parts_of(parser: Step) -> Iterator[tuple[str, object]]:
    """Yield the names and values of what a model file keeps, but for what says how it came to be."""
    header, arrays = parser.to_file()
    for step in header["steps"]:
        yield f"{step['name']} settings", step["settings"]
    yield from joined(arrays)


def joined(arrays: TypedArrays) -> Iterator[tuple[str, bytes]]:
    """Yield arrays, those whose names begin alike as one."""
    for start, names in groupby(arrays, lambda name: name.rpartition(".")[0]):
        yield start or "arrays", b"".join(bytes(memoryview(arrays[name][1])) for name in names)


def pipeline(**options: Any) -> Iterator[tuple[str, object]]:
    trained = trained_pipeline(**options)
    yield from parts_of(trained)
    for name in ("tokenizer", "tagger", "las"):
        yield f"dev {name}", trained.info["dev"][name]


@cache
def trained_pipeline(**options: Any) -> Step:
    return tw.train(*page_treebank(), pipeline=True, **SHORT | options)


def going_on() -> Iterator[tuple[str, object]]:
    first = trained_pipeline(jackknife=2)
    yield from parts_of(tw.train(*page_treebank(), init_from=first, iterations=1, tagger_iterations=1))


def with_raw_text(folder: Path) -> Iterator[tuple[str, object]]:
    raw = folder / "raw.txt"
    raw.write_text(raw_text(read_blocks(TRAIN)), encoding="utf-8")
    yield from pipeline(jackknife=2, raw=str(raw), clusters=8)


def in_blocks(block: Block, size: int) -> list[Block]:
    """Cut a block: larger treebanks are read in several."""
    texts = [block.text_of(number) for number in range(block.n_sentences)]
    return [Block(b"".join(texts[at : at + size]), block.layout, block.source) for at in range(0, len(texts), size)]


def tagger(**options: Any) -> Iterator[tuple[str, object]]:
    """Yield the parts of a tagger, and how many values of the rest of the page it gets right."""
    train, dev = (list(read_blocks(text)) for text in page_treebank())
    trained = train_tagger(
        in_blocks(train[0], 7), TaggerRecipe(**{"iterations": 2} | options), clusters=made_up_clusters()
    )
    header, arrays = trained.to_file()
    yield "settings", header["settings"]
    yield from joined(arrays)
    scores = column_accuracy(trained, dev)
    yield "dev", {name: round(scores[name], 2) for name in sorted(SCORED)}


def without_spaces() -> Iterator[tuple[str, object]]:
    header, arrays = unspaced_tokenizer().to_file()
    yield "settings", header["settings"]
    yield from joined(arrays)


TRAININGS = {
    "plain": lambda folder: pipeline(jackknife=2),
    "no jack-knifing": lambda folder: pipeline(jackknife=0),
    "not widened": lambda folder: pipeline(jackknife=2, widen="none"),
    "two seeds": lambda folder: pipeline(jackknife=3, seed=2, tagger_seeds=2, tokenizer_iterations=2),
    "with raw text": with_raw_text,
    "going on": lambda folder: going_on(),
    "tagger, greedy": lambda folder: tagger(search="greedy", compose=True),
    "tagger, twice": lambda folder: tagger(search="twice", dropout=1.0),
    "tagger, beam": lambda folder: tagger(search="beam", width=4),
    "tagger, viterbi": lambda folder: tagger(search="viterbi", width=8),
    "text without spaces": lambda folder: without_spaces(),
}


def shown(value: object) -> str:
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()[:12]
    text = json.dumps(value)
    return text if len(text) < 200 else hashlib.sha256(text.encode()).hexdigest()[:12]


@pytest.mark.parametrize("name", TRAININGS)
def test_training_gives_the_same_weights_as_before(name: str, tmp_path: Path) -> None:
    found = [f"{name}: {part} {shown(value)}" for part, value in TRAININGS[name](tmp_path)]
    before = EXPECTED.read_text(encoding="utf-8").splitlines() if EXPECTED.exists() else []
    if os.environ.get("TREEWRIGHT_UPDATE"):
        others = [line for line in before if not line.startswith(f"{name}: ")]
        before = [*others, *found]
        EXPECTED.write_text("".join(f"{line}\n" for line in before), encoding="utf-8")
    assert found == [line for line in before if line.startswith(f"{name}: ")]
