"""Training gives the same bytes on every platform: the digests of small models are written down.

After a change on purpose of what training learns, run this, and say in the commit why models change:

    TREEWRIGHT_UPDATE=1 pytest tests/training/test_same_bytes.py
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from pathlib import Path

import pytest

from tests.every_kind import KINDS

EXPECTED = Path(__file__).parent / "expected" / "same-bytes.json"
#: kinds that nothing but this package trains: other libraries, and PyTorch, round as they like
OURS = ("arc-eager", "arc-hybrid-leaves", "covington", "easy-first", "beam", "floats", "isotonic", "dag-crossing")
OURS += (
    "exact-1",
    "exact-2",
    "exact-projective-2",
    "exact-adviser",
    "tokenizer",
    "tagger",
    "graph",
)


def digest_of(name: str, folder: Path) -> str:
    """Train a small model; return a digest of its settings and of its arrays."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        header, arrays = KINDS[name](folder).to_file()
    digest = hashlib.sha256(json.dumps(header["settings"], sort_keys=True).encode())
    for key, (kind, data) in sorted(arrays.items()):
        digest.update(f"{key} {kind} ".encode())
        digest.update(bytes(memoryview(data).cast("B")) if len(data) else b"")
    return digest.hexdigest()[:16]


@pytest.mark.parametrize("name", OURS)
def test_the_same_bytes_are_learnt(name: str, tmp_path: Path) -> None:
    expected = json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.exists() else {}
    found = digest_of(name, tmp_path)
    if os.environ.get("TREEWRIGHT_UPDATE"):
        EXPECTED.parent.mkdir(exist_ok=True)
        EXPECTED.write_text(json.dumps({**expected, name: found}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        return
    assert found == expected[name]
