"""Training a network: it learns, the same seed gives the same weights, votes are fitted, and tags are corrected."""

from __future__ import annotations

from array import array
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.optional import needs
from tests.toy import DEV, SOME, TEST, TRAIN
from treewright.errors import CombinationError, TreebankError
from treewright.kinds.network import strategy
from treewright.kinds.network.inputs.tags import TagReader, TagWriter, right_values, rule_text, tag_values
from treewright.kinds.network.parser import NeuralParser
from treewright.kinds.tagger.lemmas.lemma_rules import rule_for
from treewright.lexicon.vectors import WordVectors
from treewright.steps.pipeline import Pipeline
from treewright.treebank.files.reading import read_blocks

pytestmark = needs("torch")

SMALL: dict[str, Any] = {
    "hidden": 24,
    "arc_size": 24,
    "relation_size": 16,
    "buckets": 256,
    "batch_words": 60,
    "rate": 0.01,
}


def test_a_network_learns() -> None:
    parser = tw.train(SOME, DEV, system="neural", iterations=5, **SMALL)
    assert parser.info["dev"]["las"] > 50


def test_a_treebank_says_how_many_rounds_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(sentence.to_conllu() for sentence in list(tw.read(DEV))[:6]).encode()
    n_words = sum(len(sentence) for sentence in tw.read(text))
    monkeypatch.setattr(strategy, "FEWEST_ROUNDS", 1)
    monkeypatch.setattr(strategy, "WORDS_READ", 3 * n_words)
    assert tw.train(text, system="neural", **SMALL).info["training"]["rounds"] == 3


TWO_ROOTS = "1\tyes\t_\tX\t_\t_\t0\troot\t_\t_\n2\tno\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


def test_trees_with_several_roots_are_learnt_from_where_they_are_allowed() -> None:
    options: dict[str, Any] = {**SMALL, "system": "neural", "iterations": 1}
    with pytest.raises(TreebankError, match=r"^the text:1: words 1 and 2 all have HEAD 0"):
        tw.train(TWO_ROOTS.encode(), **options)
    parser = tw.train(TWO_ROOTS.encode(), single_root=False, **options)
    assert parser.info["training"]["sentences"] == 1


def test_word_vectors_count_by_their_direction() -> None:
    from treewright.kinds.network.learning.pretrained_torch import ProjectedVectors

    vectors = WordVectors(["a", "b", "c"], array("f", [0.003, 0.004, 30, 40, 0, 0]), 2)
    kept = ProjectedVectors(vectors, [2, 0, 1], 4).get_buffer("vectors")[-3:]
    assert kept.flatten().tolist() == pytest.approx([0, 0, 0.6, 0.8, 0.6, 0.8])


def test_the_same_seed_gives_the_same_model(tmp_path: Path) -> None:
    for name in ("first", "second"):
        tw.train(DEV, TEST, system="neural", iterations=2, **SMALL).save(tmp_path / f"{name}.tw")
    assert (tmp_path / "first.tw").read_bytes() == (tmp_path / "second.tw").read_bytes()
    tw.train(DEV, TEST, system="neural", iterations=2, seed=2, **SMALL).save(tmp_path / "other.tw")
    assert (tmp_path / "first.tw").read_bytes() != (tmp_path / "other.tw").read_bytes()


def test_going_on_keeps_what_was_learnt() -> None:
    first = tw.train(DEV, TEST, system="neural", iterations=6, **SMALL)
    more = tw.train(DEV, TEST, init_from=first, iterations=1, rate=0.0001)
    assert more.info["dev"]["las"] > first.info["dev"]["las"] - 3
    with pytest.raises(CombinationError, match="hidden"):
        tw.train(DEV, TEST, init_from=first, hidden=30)


def test_votes_of_a_linear_parser_help() -> None:
    hybrid = tw.train(SOME, DEV, system="hybrid", iterations=2, members="greedy", **SMALL)
    assert isinstance(hybrid, NeuralParser)
    assert [member.name for member in hybrid.members] == ["greedy"]
    assert hybrid.info["dev"]["hybrid_las"] >= hybrid.info["dev"]["las"]
    assert hybrid.members[0].for_heads > 0


def test_a_time_limit_ends_the_training() -> None:
    begun = monotonic()
    parser = tw.train(TRAIN, system="neural", time_limit="2s", **SMALL)
    assert monotonic() - begun < 120  # not the hours that the rounds would take
    assert parser.info["training"]["rounds"] >= 1


def test_a_pipeline_with_a_network_corrects_tags() -> None:
    model = tw.train(DEV, TEST, system="neural", pipeline=True, jackknife=2, tagger_iterations=2, iterations=2, **SMALL)
    assert isinstance(model, Pipeline)
    parser = model.steps["parser"]
    assert isinstance(parser, NeuralParser)
    network = parser.network
    assert set(network.tag_votes) == set(network.tag_sizes) == set(network.settings["tag_values"])
    sentences = list(model.parse_text("The old shepherd sang. A girl slept."))
    assert [word.upos for sentence in sentences for word in sentence.words] != []
    given = model.parse("1\tdog\tdog\tVERB\t_\t_\t_\t_\t_\t_\n\n")
    assert given.words[0].upos == "VERB"  # tags that the input has stay


def test_tags_are_read_as_they_are_written() -> None:
    block = next(iter(read_blocks(DEV)))
    values = tag_values([block])
    assert {"UPOS", "LEMMA"} < set(values)
    values["LEMMA"] = list(dict.fromkeys([*values["LEMMA"], *_rules_of(block)]))
    numbers = TagReader(values).numbers(block)
    assert TagWriter(values).written(block, numbers).data == block.data
    without = {**values, "UPOS": ["X"]}
    assert set(TagReader(without).numbers(block)["UPOS"]) == {-1}


def test_columns_that_the_tagger_knows_better_stay_as_they_are() -> None:
    """The network predicts nothing of use after a step or two; with a good tagger before it, no tag gets worse."""
    options: dict[str, Any] = {**SMALL, "system": "neural", "pipeline": True, "jackknife": 0, "iterations": 1}
    model = tw.train(SOME, DEV, **options)
    assert isinstance(model, Pipeline)
    assert model.steps["tagger"] is not None
    for block in read_blocks(DEV):
        own = model.steps["tagger"].tagged(block)
        parsed = Block(model.parse_block(block, tag=True).data, block.layout)
        before, after = right_values([own], [block]), right_values([parsed], [block])
        assert all(after[column] >= before[column] for column in before)


def test_options_of_networks_are_checked() -> None:
    for options, message in (
        ({"system": "neural", "members": "greedy"}, "hybrid"),
        ({"system": "hybrid", "members": "gredy"}, "greedy"),
        ({"system": "neural", "time_limit": "soon"}, "time_limit"),
        ({"system": "neural", "tag_size": 9}, "tag_size"),
        ({"system": "neural", "time_limit": "1m", "iterations": 3}, "time limit decides"),
    ):
        with pytest.raises(CombinationError, match=message):
            tw.train(DEV, **options)


def _rules_of(block: Block) -> list[str]:
    pairs = ((block.value(word, 1).decode(), block.value(word, 2).decode()) for word in range(block.n_words))
    return [rule_text(rule_for(form, lemma)) for form, lemma in pairs]
