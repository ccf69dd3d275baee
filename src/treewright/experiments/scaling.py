"""How the cost of parsing grows: with the number of sentences, and with their length.

Words of the test set are repeated: to texts of more and more sentences, and to longer and longer sentences.
"""

from __future__ import annotations

import time
from itertools import chain, cycle, islice
from typing import Any

from treewright.parsing.parser import Parser
from treewright.treebank.block import Block
from treewright.treebank.reading import read_blocks

SENTENCES = (250, 500, 1000, 2000, 4000, 8000, 16000)
LENGTHS = (10, 20, 40, 80, 160, 320, 640)
WORDS = 5_000  # of all sentences of one length together, about
ENOUGH = 0.25  # CPU seconds to measure for
PATIENCE = 2.0  # CPU seconds after which nothing larger is tried


def parsing_costs(parser: Parser, text: bytes) -> dict[str, list[dict[str, Any]]]:
    """Return CPU seconds of parsing by number of sentences and by words in a sentence."""
    blocks = list(read_blocks(text))
    sentences = [block.text_of(number) for block in blocks for number in range(block.n_sentences)]
    rows = [
        line.split(b"\t") for sentence in sentences for line in sentence.splitlines()
        if line.split(b"\t")[0].isdigit()
    ]  # fmt: skip
    by_sentences = []
    for count in SENTENCES:
        cost = _cost(parser, b"".join(islice(cycle(sentences), count)), blocks[0])
        by_sentences.append({"sentences": count, **cost})
        if cost["cpu_seconds"] > PATIENCE:
            break
    by_length = []
    for length in LENGTHS:
        n_sentences = max(1, WORDS // length)
        words = islice(cycle(rows), n_sentences * length)
        joined = b"".join(_sentence(list(islice(words, length))) for _ in range(n_sentences))
        cost = _cost(parser, joined, blocks[0])
        by_length.append({"length": length, **cost})
        if cost["cpu_seconds"] > PATIENCE:
            break
    return {"sentences": by_sentences, "lengths": by_length}


def _sentence(rows: list[list[bytes]]) -> bytes:
    """Return words as one sentence, without trees."""
    lines = (
        b"\t".join([b"%d" % number, *row[1:6], b"_", b"_", b"_", b"_"]) for number, row in enumerate(rows, start=1)
    )
    return b"\n".join(chain(lines, (b"", b"")))


def _cost(parser: Parser, text: bytes, like: Block) -> dict[str, Any]:
    blocks = list(read_blocks(text, like.layout.name))
    runs: list[float] = []
    while not runs or sum(runs) < ENOUGH:
        start = time.process_time()
        for block in blocks:
            parser.parse_text_block(block)
        runs.append(time.process_time() - start)
    return {"words": sum(block.n_words for block in blocks), "cpu_seconds": round(min(runs), 6)}
