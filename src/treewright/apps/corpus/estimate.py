"""Guess from a sample how many words a corpus has, and how many hours of a core its parse takes."""

from __future__ import annotations

import io
import json
import re
import time
from dataclasses import dataclass, replace
from typing import NamedTuple

from treewright.apps.corpus.parquet_files import rows_of
from treewright.apps.corpus.plan import JSON_LINES, PARQUET, TEXT, TREEBANK, CorpusPlan, Header, Part
from treewright.apps.corpus.reading import named
from treewright.apps.corpus.storage import open_bytes
from treewright.errors import TreewrightError
from treewright.steps.call import Call
from treewright.steps.reader import blocks_of
from treewright.steps.step import Step
from treewright.treebank.files.source import open_input

SAMPLES = 8  # places to look at
SAMPLE = 1 << 17  # bytes of text at each
WORD = re.compile(rb"^\d+\t", re.MULTILINE)


class Estimate(NamedTuple):
    """What a corpus has, and costs."""

    words: float
    core_hours: float | None  # None: no model was given to measure with


@dataclass
class _Measured:
    n_bytes: float = 0.0
    words: float = 0.0
    seconds: float = 0.0


def estimate(plan: CorpusPlan, parser: Step | None) -> Estimate:
    """Look at a few parts, spread evenly over the plan; parse what was seen if there is a model."""
    chosen = {place * plan.n_parts // SAMPLES for place in range(min(SAMPLES, plan.n_parts))}
    total = _Measured()
    for part in plan.parts():
        if part.number in chosen:
            text, used = _sample_of(part, plan.header)
            words, seconds = _measured(part, text, parser, plan.header)
            total.n_bytes += used
            total.words += words
            total.seconds += seconds
    scale = plan.n_bytes / max(1.0, total.n_bytes)
    return Estimate(total.words * scale, total.seconds * scale / 3600 if parser is not None else None)


def _sample_of(part: Part, header: Header) -> tuple[bytes, float]:
    """Return text from the beginning of a part, and how many bytes of the part it stands for."""
    if part.kind == PARQUET:
        texts = [str(text or "") for text, _ in rows_of(replace(part, end_group=part.first_group + 1), header)]
        share = 1 / max(1, part.end_group - part.first_group)
        return "\n\n".join(texts).encode("utf-8", "replace"), (part.end - part.start) * share
    with open_bytes(part.file, part.start) as file:
        source = named(file, part.file)
        source.left = part.end - part.start
        stream = open_input(source)
        pieces, size = [], 0
        while size < SAMPLE and (piece := stream.read(SAMPLE - size)):
            pieces.append(piece)
            size += len(piece)
        used = part.end - part.start - source.left
        data = b"".join(pieces)
    if part.kind == JSON_LINES:
        return _texts_of(data, header), used
    cut = data.rfind(b"\n\n") + 2 if size >= SAMPLE else len(data)
    cut = cut if cut > 1 else len(data)
    return data[:cut], used * cut / max(1, len(data))


def _texts_of(data: bytes, header: Header) -> bytes:
    texts = []
    for line in data.splitlines():
        try:
            texts.append(str(json.loads(line)[header.text_field]))
        except (ValueError, KeyError, TypeError):
            continue
    return "\n\n".join(texts).encode("utf-8", "replace")


def _measured(part: Part, text: bytes, parser: Step | None, header: Header) -> tuple[int, float]:
    """Return the words of a text and the seconds of a core that its parse takes."""
    if parser is None:
        return (len(WORD.findall(text)) if part.kind == TREEBANK else len(text.split())), 0.0
    words, begin = 0, time.process_time()
    text = text.decode("utf-8", "ignore").encode()
    format = part.format or "conllu" if part.kind == TREEBANK else "text"
    if part.kind == TEXT and header.layout != "raw":
        format = header.layout
    source = named(io.BytesIO(text), part.file)
    call = Call(newlines=header.newlines if format == "text" else "auto")
    try:
        for block in parser.parse_blocks(blocks_of(parser, source, format, call)):
            words += block.n_words
    except TreewrightError:
        return len(text.split()), 0.0
    return words, time.process_time() - begin
