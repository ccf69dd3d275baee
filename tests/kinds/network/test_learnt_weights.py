"""The same recipe gives networks the same weights as before, part by part.

A line of `expected/learnt-weights.txt` is a part of a tiny network, trained on a few sentences: how it was trained, its
name, and two sums of its weights, which any other weights would change. Processors and versions of PyTorch round
differently, so sums may differ a little. After a change on purpose of what training learns, run this, and say in the
commit why models change:

    TREEWRIGHT_UPDATE=1 pytest tests/kinds/network/test_learnt_weights.py
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import random
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import treewright as tw
from tests.optional import needs
from tests.toy import DEV
from treewright.steps.contract import TypedArrays
from treewright.steps.step import Step
from treewright.training.observer import RoundReport, TrainingObserver

pytestmark = [
    needs("torch"),
    pytest.mark.skipif(
        platform.machine() not in ("x86_64", "AMD64"), reason="other processors draw other random numbers"
    ),
]

EXPECTED = Path(__file__).parent / "expected" / "learnt-weights.txt"
GRAPHS = Path(__file__).parents[3] / "examples" / "graphs.conllu"
WIDTHS = {"word_width": 6, "ngram_width": 5, "lemma_width": 4, "tag_width": 3, "feats_width": 2}
SMALL: dict[str, Any] = {**WIDTHS, "hidden": 8, "buckets": 64, "batch_words": 60, "rate": 0.01, "relation_size": 8}
ARCS: dict[str, Any] = {**SMALL, "system": "neural", "arc_size": 9, "iterations": 2}
MOVES: dict[str, Any] = {**SMALL, "learner": "neural", "move_size": 10, "iterations": 2}
SETTINGS = ("widths", "threshold", "rules", "leaf_tags", "tag_values", "classes")
NEAR = 5e-3  # how much a sum may differ, of itself and of the mean weight


@cache
def sentences(first: int, last: int) -> bytes:
    """Return sentences of the toy treebank, with a tag of two letters as XPOS."""
    found = []
    for text in Path(DEV).read_text(encoding="utf-8").split("\n\n")[first:last]:
        rows = [line.split("\t") for line in text.split("\n")]
        found += ["\t".join([*row[:4], row[3][:2], *row[5:]]) if len(row) > 1 else row[0] for row in rows] + [""]
    return "".join(f"{line}\n" for line in found).encode()


def few() -> tuple[bytes, bytes]:
    return sentences(0, 12), sentences(30, 38)


def trees(**options: Any) -> Step:
    return tw.train(*few(), **ARCS | options)


@cache
def first_trees() -> Step:
    return trees(iterations=1, retag=True, tag_size=8)


def going_on() -> Step:
    return tw.train(sentences(12, 20), few()[1], init_from=first_trees(), iterations=1, rate=0.01)


def pipeline(**options: Any) -> Step:
    short = {"tagger_iterations": 1, "tokenizer_iterations": 1, "tag_size": 8}
    model = tw.train(*few(), pipeline=True, **ARCS | short | options)
    assert isinstance(model, tw.Pipeline)
    return model.steps["parser"]


def with_useful_tags() -> Step:
    """Return a parser whose UPOS and FEATS are better than those of the tagger: so it is told."""
    before, after = Counter(LEMMA=9, UPOS=1, XPOS=5, FEATS=3), Counter(LEMMA=8, UPOS=2, XPOS=5, FEATS=4)
    with patch("treewright.kinds.network.training.right_values", side_effect=[before, after]):
        return pipeline(jackknife=2)


def moves(**options: Any) -> Step:
    return tw.train(*few(), **MOVES | options)


def graph_moves(**options: Any) -> Step:
    return tw.train(GRAPHS, GRAPHS, **MOVES | options)


def more_moves() -> Step:
    return tw.train(few()[1], few()[0], init_from=moves(system="arc-hybrid"), iterations=1)


def graphs(**options: Any) -> Step:
    return tw.train(GRAPHS, GRAPHS, **ARCS | {"system": "neural-graph"} | options)


def vectors_file(folder: Path) -> str:
    chance, words = random.Random(2), [f"w{number}" for number in range(4)]
    words += sorted({word.form.lower() for sentence in tw.read(few()[0]) for word in sentence})[::2]
    path = folder / "vectors.txt"
    path.write_text("".join(f"{word} {' '.join(f'{chance.gauss(0, 1):.4f}' for _ in range(5))}\n" for word in words))
    return str(path)


def with_raw_text(folder: Path) -> Step:
    raw = folder / "raw.txt"
    raw.write_text("\n".join(sentence.text for sentence in tw.read(DEV)), encoding="utf-8")
    return trees(raw=str(raw), clusters=8, cluster_width=3)


TRAININGS: dict[str, Callable[[Path], Step]] = {
    "arcs": lambda folder: trees(),
    "arcs, as other recipes have them": lambda folder: trees(
        layers=1,
        seed=3,
        dropout=0.5,
        recurrent_dropout=0.0,
        smoothing=0.5,
        label_smoothing=0.0,
        cutoff=1,
        lemma_width=0,
    ),
    "tags": lambda folder: first_trees(),
    "tags, without dev": lambda folder: tw.train(few()[0], **ARCS | {"retag": True, "tag_size": 8}),
    "going on": lambda folder: going_on(),
    "pipeline": lambda folder: pipeline(jackknife=2),
    "pipeline, trees of one root": lambda folder: pipeline(jackknife=0, projective=True, governors="any"),
    "pipeline, useful tags": lambda folder: with_useful_tags(),
    "hybrid": lambda folder: trees(system="hybrid"),
    "hybrid, exact": lambda folder: trees(system="hybrid", members="greedy,exact", single_root=False),
    "vectors": lambda folder: trees(vectors=vectors_file(folder), vector_width=4),
    "clusters": with_raw_text,
    "moves": lambda folder: moves(),
    "moves, going on": lambda folder: more_moves(),
    "moves, static": lambda folder: moves(system="arc-standard", policy="static", iterations=1),
    "moves of graphs": lambda folder: graph_moves(system="dag-arc-eager"),
    "graphs": lambda folder: graphs(),
    "graphs, going on": lambda folder: tw.train(GRAPHS, GRAPHS, init_from=graphs(iterations=1), iterations=1),
}


def weights_of(arrays: TypedArrays) -> dict[str, list[float]]:
    """Return the weights of a network by the first part of their names; eight-bit ones times their scales."""
    found: dict[str, list[float]] = defaultdict(list)
    for name, (kind, values) in arrays.items():
        if name.endswith(".scales") or kind not in ("F32", "I8") or name.startswith("member"):
            continue
        own = array("f" if kind == "F32" else "b", bytes(memoryview(values).cast("B")))
        scales = array("f", bytes(memoryview(arrays[f"{name}.scales"][1]).cast("B"))) if kind == "I8" else [1.0]
        width = len(own) // len(scales)
        found[name.split(".")[0]] += [weight * scales[place // width] for place, weight in enumerate(own)]
    return found


def digest(value: object) -> str:
    return hashlib.sha256(value if isinstance(value, bytes) else json.dumps(value).encode()).hexdigest()[:12]


def parts_of(model: Step) -> Iterator[tuple[str, str, list[float]]]:
    """Yield names of parts, what must be the same of them, and numbers that may differ by rounding."""
    header, arrays = model.to_file()
    settings = {**header["settings"], **header["settings"]["network"]}
    for name in SETTINGS:
        if name in settings:
            yield name, digest(settings[name]), []
    words = {name: bytes(memoryview(values).cast("B")) for name, (kind, values) in arrays.items() if kind[0] == "U"}
    yield "vocabulary", digest(b"\0".join(words[name] for name in sorted(words) if not name.startswith("member"))), []
    yield "info", digest(sorted(map(str, header["info"]["training"].items()))), []
    for name, values in weights_of(arrays).items():
        n = len(values)
        mixed = sum(value * math.cos(place) for place, value in enumerate(values)) / n
        yield name, str(n), [sum(map(abs, values)) / n, mixed]
    yield "dev", "", [value for value in header["info"].get("dev", {}).values() if isinstance(value, float)]
    for member in header.get("members", ()):
        yield f"member {member['name']}", "", [member["for_heads"]] if "for_heads" in member else []
    yield "votes", "", [weight for pair in header["settings"].get("votes", ()) for weight in pair]


@pytest.mark.parametrize("name", TRAININGS)
def test_training_gives_the_same_weights_as_before(name: str, tmp_path: Path) -> None:
    found = list(parts_of(TRAININGS[name](tmp_path)))
    before = EXPECTED.read_text(encoding="utf-8").splitlines() if EXPECTED.exists() else []
    if os.environ.get("TREEWRIGHT_UPDATE"):
        others = [line for line in before if not line.startswith(f"{name}: ")]
        own = [f"{name}: {part}: {same}: {' '.join(f'{number:.6g}' for number in near)}" for part, same, near in found]
        before = [*others, *own]
        EXPECTED.write_text("".join(f"{line}\n" for line in before), encoding="utf-8")
    expected = [line.split(": ")[1:] for line in before if line.startswith(f"{name}: ")]
    assert [[part, same] for part, same, _ in found] == [line[:2] for line in expected]
    for (part, _, near), line in zip(found, expected, strict=True):
        largest = max(map(abs, near), default=0)
        assert near == pytest.approx(list(map(float, line[2].split())), rel=NEAR, abs=NEAR * largest), part


class Shares(TrainingObserver):
    """Remembers which share of the decisions of each round was wrong."""

    def __init__(self) -> None:
        self.wrong: list[float] = []

    def round_done(self, report: RoundReport) -> None:
        self.wrong.append(report.mistakes)


@pytest.mark.parametrize("options", [ARCS, MOVES, ARCS | {"system": "neural-graph"}], ids=["arcs", "moves", "graphs"])
def test_each_round_tells_the_share_of_wrong_decisions(options: dict[str, Any]) -> None:
    shares = Shares()
    treebank = GRAPHS if options.get("system") == "neural-graph" else few()[0]
    tw.train(treebank, observer=shares, **options | {"iterations": 6})
    assert len(shares.wrong) == 6
    assert 2 > shares.wrong[0] >= shares.wrong[-1] > 0, "of graphs, missing and wrong arcs per word"
