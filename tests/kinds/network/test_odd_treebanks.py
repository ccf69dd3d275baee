"""Hybrids learn from treebanks that lack columns, are tiny, or have unusual sentences, and build valid trees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import treewright as tw
from tests.optional import needs
from tests.toy import DEV

pytestmark = needs("torch")

SMALL: dict[str, Any] = {"hidden": 8, "arc_size": 8, "relation_size": 8, "buckets": 64, "iterations": 1}
ONE_PASS: dict[str, Any] = {"tagger_iterations": 1, "tagger_seeds": 1, "tokenizer_iterations": 1, "tokenizer_seeds": 1}
Rows = list[list[str]]
LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL = 2, 3, 4, 5, 6, 7


def sentences(number: int = 30) -> list[Rows]:
    text = Path(DEV).read_text(encoding="utf-8").strip()
    lines = [part.split("\n") for part in text.split("\n\n")[:number]]
    return [[line.split("\t") for line in part if not line.startswith("#")] for part in lines]


def filled(value: str, *columns: int) -> list[Rows]:
    found = sentences()
    for row in (row for rows in found for row in rows):
        for column in columns:
            row[column] = value
    return found


def one_long_sentence() -> list[Rows]:
    """All sentences as one, the later roots below the first."""
    joined: Rows = []
    for rows in sentences():
        first = len(joined)
        for row in rows:
            row[0] = str(int(row[0]) + first)
            if row[HEAD] != "0":
                row[HEAD] = str(int(row[HEAD]) + first)
            elif first:
                row[HEAD], row[DEPREL] = next(word[0] for word in joined if word[HEAD] == "0"), "parataxis"
        joined += rows
    return [joined, *sentences(5)]


def multiword_tokens_and_empty_nodes() -> list[Rows]:
    token, node = ["1-2", "Thatthis", *["_"] * 8], ["1.1", "left", *["_"] * 6, "1:dep", "_"]
    return [[token, rows[0], node, *rows[1:]] for rows in sentences()]


def single_words() -> list[Rows]:
    return [[["1", "Go", "go", "VERB", "_", "_", "0", "root", "_", "_"]] for _ in range(30)]


ODD: dict[str, Callable[[], list[Rows]]] = {
    "no UPOS": lambda: filled("_", UPOS),
    "no lemmas": lambda: filled("_", LEMMA),
    "no tags at all": lambda: filled("_", LEMMA, UPOS, XPOS, FEATS),
    "one relation": lambda: filled("dep", DEPREL),
    "all words punctuation": lambda: filled("PUNCT", UPOS),
    "one long sentence": one_long_sentence,
    "multiword tokens and empty nodes": multiword_tokens_and_empty_nodes,
    "single words": single_words,
}


def written(found: list[Rows], path: Path) -> Path:
    path.write_text("".join("".join("\t".join(row) + "\n" for row in rows) + "\n" for rows in found), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ODD)
def test_a_hybrid_learns_from_an_odd_treebank(name: str, tmp_path: Path) -> None:
    treebank = written(ODD[name](), tmp_path / "odd.conllu")
    parser = tw.train(treebank, treebank, system="hybrid", members="greedy", **SMALL)
    parser.save(tmp_path / "odd.tw")
    tw.load(tmp_path / "odd.tw").parse_file(treebank, tmp_path / "parsed.conllu")
    gold, parsed = list(tw.read(treebank)), list(tw.read(tmp_path / "parsed.conllu"))
    assert [len(sentence.words) for sentence in parsed] == [len(sentence.words) for sentence in gold]
    for sentence in parsed:
        assert [word.head for word in sentence.words].count(0) == 1


@pytest.mark.parametrize("name", ["no UPOS", "multiword tokens and empty nodes"])
def test_a_pipeline_learns_from_an_odd_treebank(name: str, tmp_path: Path) -> None:
    treebank = written(ODD[name](), tmp_path / "odd.conllu")
    model = tw.train(treebank, treebank, system="neural", pipeline=True, jackknife=2, **SMALL, **ONE_PASS)
    sentences = list(model.parse_text("The old shepherd sang. Thatthis girl slept."))
    assert all(word.head is not None for sentence in sentences for word in sentence.words)
