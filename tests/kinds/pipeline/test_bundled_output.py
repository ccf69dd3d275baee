"""What the bundled models make of the examples and of a page of English is what they made of it before.

A line of `expected/MODEL-INPUT.txt` is a sentence: a digest of its CoNLL-U, then each word with its tag, its head and
its relation, for people who read a difference. After a change on purpose (of a model, never of code alone), run this,
and look at the difference before you commit it:

    TREEWRIGHT_UPDATE=1 pytest tests/kinds/pipeline/test_bundled_output.py
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest

import treewright as tw
from tests.toy import TEST
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.steps.named_models import FOLDER
from treewright.steps.parser import Parser
from treewright.treebank.files.reading import read_blocks

EXPECTED = Path(__file__).parent / "expected"
MODELS = sorted(file.stem for file in Path(FOLDER).glob("*.tw"))
EXAMPLES = Path(__file__).parents[3] / "examples"
PAGE = Path(__file__).parents[2] / "data" / "page.txt"


def words_alone(file: Path) -> bytes:
    """Return a treebank with nothing but its words."""
    lines = []
    for line in file.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        lines.append("\t".join([*cells[:2], *("_" * 7), cells[9]]) if len(cells) == 10 else line)
    return "".join(f"{line}\n" for line in lines).encode()


INPUTS: dict[str, Callable[[], bytes]] = {
    "toy-words": lambda: words_alone(Path(TEST)),
    "examples": lambda: b"".join(
        words_alone(EXAMPLES / f"{name}.conllu") for name in ("sentence", "drawing", "graphs")
    ),
    "toy-text": lambda: raw_text(read_blocks(TEST)).encode(),
    "page": PAGE.read_bytes,
}


@cache
def model(name: str) -> Parser:
    return tw.load(name)


def sentences_of(text: str) -> Iterator[str]:
    """Yield each sentence of a parse as one line."""
    for sentence in text.split("\n\n")[:-1]:
        rows = [line.split("\t") for line in sentence.splitlines() if not line.startswith("#")]
        words = [f"{form}/{upos}/{head}/{deprel}" for _, form, _, upos, _, _, head, deprel, _, _ in rows]
        yield " ".join([hashlib.sha256(sentence.encode()).hexdigest()[:8], *words])


@pytest.mark.parametrize("given", INPUTS)
@pytest.mark.parametrize("name", MODELS)
def test_a_bundled_model_gives_the_same_trees_as_before(name: str, given: str, tmp_path: Path) -> None:
    model(name).parse_file(INPUTS[given](), tmp_path / "parsed.conllu")
    found = [*sentences_of((tmp_path / "parsed.conllu").read_text(encoding="utf-8"))]
    file = EXPECTED / f"{name}-{given}.txt"
    if os.environ.get("TREEWRIGHT_UPDATE"):
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    before = file.read_text(encoding="utf-8").splitlines()
    for number, (new, old) in enumerate(zip_longest(found, before), 1):
        assert new == old, f"{file.name}: line {number} is the first that differs"
