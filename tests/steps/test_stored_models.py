"""Models that users have must load, and parse as before.

`tests/stored_models` holds a small model of every kind, written by the first version that had the kind, and what it
made of a few sentences. Nothing here is ever written again: a change that fails these tests breaks the promise of
docs/stability.md. A kind without a stored model gets one with

    TREEWRIGHT_UPDATE=1 pytest tests/steps/test_stored_models.py
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from pathlib import Path

import pytest

import treewright as tw
from tests.every_kind import KINDS, NEEDS, RAW, save_all, treebank
from tests.optional import needs
from treewright.steps.call import TEXT
from treewright.steps.step import Step

FOLDER = Path(__file__).parents[1] / "stored_models"
PARSED = FOLDER / "parsed.json"
EXPECTED: dict[str, str] = json.loads(PARSED.read_text(encoding="utf-8")) if PARSED.exists() else {}


def digest_of(model: Step) -> str:
    """Return a digest of what a model makes of a treebank, and of raw text if it takes any."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = b"".join(block.data for block in model.parse_blocks(tw.read(treebank()).blocks()))
        if TEXT not in model.lacks:
            made += "".join(sentence.to_conllu() for sentence in model.parse_text(RAW)).encode()
    return hashlib.sha256(made).hexdigest()[:16]


@pytest.mark.skipif(not os.environ.get("TREEWRIGHT_UPDATE"), reason="writes models of new kinds")
def test_new_kinds_are_stored(tmp_path: Path) -> None:
    missing = [name for name in KINDS if name not in EXPECTED]
    for name, path in save_all(tmp_path, missing).items():
        (FOLDER / path.name).write_bytes(path.read_bytes())
        EXPECTED[name] = digest_of(tw.load(path))
    PARSED.write_text(json.dumps(EXPECTED, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def test_every_kind_is_stored() -> None:
    assert EXPECTED.keys() == KINDS.keys() == {path.stem for path in FOLDER.glob("*.tw")}


@pytest.mark.parametrize("name", [pytest.param(name, marks=needs(*filter(None, [NEEDS.get(name)]))) for name in KINDS])
def test_a_stored_model_parses_as_before(name: str) -> None:
    assert digest_of(tw.load(FOLDER / f"{name}.tw")) == EXPECTED[name]
