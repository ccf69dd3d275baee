"""How the cost of parsing grows: with the number of sentences, and with their length.

Sentences and words of the test set are repeated to make longer texts and longer sentences.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import chain, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from treewright.apps.experiments.memory import parsing_memory
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.reading import read_blocks

SENTENCES = (250, 500, 1000, 2000, 4000, 8000, 16000)
LENGTHS = (10, 20, 40, 80, 160, 320, 640)
WORDS = 5_000  # in all sentences of one length together, approximately
ENOUGH = 0.25  # CPU seconds per measurement
PATIENCE = 2.0  # if a size takes more CPU seconds, no larger size is tried


def parsing_costs(parser: Step, text: bytes) -> dict[str, list[dict[str, Any]]]:
    """Return CPU seconds and memory of parsing by number of sentences and by words in a sentence."""
    blocks = list(read_blocks(text))
    sentences = [block.text_of(number) for block in blocks for number in range(block.n_sentences)]
    rows = [
        line.split(b"\t") for sentence in sentences for line in sentence.splitlines() if line.split(b"\t")[0].isdigit()
    ]
    texts = ((count, b"".join(islice(cycle(sentences), count))) for count in SENTENCES)
    joined = ((length, _joined(rows, length)) for length in LENGTHS)
    with TemporaryDirectory() as folder:
        parser.save(Path(folder, "model.tw"))
        return {
            "sentences": _measured(parser, "sentences", texts, blocks[0], Path(folder)),
            "lengths": _measured(parser, "length", joined, blocks[0], Path(folder)),
        }


def _measured(
    parser: Step, name: str, texts: Iterable[tuple[int, bytes]], like: Block, folder: Path
) -> list[dict[str, Any]]:
    """Parse texts of growing size until one takes too long."""
    costs = []
    for size, text in texts:
        cost = _cost(parser, text, like)
        path = folder / "text"
        path.write_bytes(text)
        costs.append({name: size, **cost, "memory_bytes": parsing_memory(folder / "model.tw", path)})
        if cost["cpu_seconds"] > PATIENCE:
            break
    return costs


def _joined(rows: list[list[bytes]], length: int) -> bytes:
    """Return sentences of a given length."""
    n_sentences = max(1, WORDS // length)
    words = islice(cycle(rows), n_sentences * length)
    return b"".join(_sentence(list(islice(words, length))) for _ in range(n_sentences))


def _sentence(rows: list[list[bytes]]) -> bytes:
    """Return words as one sentence without a tree."""
    lines = (
        b"\t".join([b"%d" % number, *row[1:6], b"_", b"_", b"_", b"_"]) for number, row in enumerate(rows, start=1)
    )
    return b"\n".join(chain(lines, (b"", b"")))


def _cost(parser: Step, text: bytes, like: Block) -> dict[str, Any]:
    blocks = list(read_blocks(text, like.layout.name))
    runs: list[float] = []
    while not runs or sum(runs) < ENOUGH:
        start = time.process_time()
        for block in blocks:
            parser.parse_block(block)
        runs.append(time.process_time() - start)
    return {"words": sum(block.n_words for block in blocks), "cpu_seconds": round(min(runs), 6)}
