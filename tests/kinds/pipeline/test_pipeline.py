"""Pipelines: each step where the input needs it; one file."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.toy import DEV, TEST, TRAIN
from treewright.apps.cli.progress.training_progress import TrainingProgress
from treewright.errors import CombinationError, FeatureModelError, ModelFileError, TreebankError
from treewright.kinds.pipeline.jackknife import jackknifed, parsed_apart
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.steps.border.container import read_model
from treewright.steps.model_file import write_model
from treewright.steps.pipeline import Pipeline
from treewright.training.gathering import gather
from treewright.training.observer import TrainingObserver
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU


@cache
def toy_pipeline() -> Pipeline:
    return tw.train_pipeline(TRAIN, DEV, jackknife=2, iterations=3, tagger_iterations=3)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pipeline") / "toy.tw"
    toy_pipeline().save(path)
    return path


def bare(path: str) -> bytes:
    """A treebank with nothing but its words."""
    lines = []
    for line in Path(path).read_text(encoding="utf-8").split("\n"):
        columns = line.split("\t")
        if len(columns) == 10:
            line = "\t".join([*columns[:2], *("_" * 7), columns[9]])
        lines.append(line)
    return "\n".join(lines).encode()


def test_a_file_brings_it_back(model: Path, tmp_path: Path) -> None:
    again = tw.load(str(model))
    assert isinstance(again, Pipeline)
    assert [*again.steps] == ["tokenizer", "tagger", "parser"]
    text = raw_text(read_blocks(TEST)).encode()
    for name, pipeline in (("a", toy_pipeline()), ("b", again)):
        pipeline.parse_file(text, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    again.save(tmp_path / "again.tw")
    assert (tmp_path / "again.tw").read_bytes() == model.read_bytes()


def test_raw_text_gives_good_trees(tmp_path: Path) -> None:
    toy_pipeline().parse_file(raw_text(read_blocks(TEST)).encode(), tmp_path / "parsed.conllu")
    scores = tw.evaluate(TEST, tmp_path / "parsed.conllu").ud
    assert scores["Tokens"].f1 > 99
    assert scores["UPOS"].f1 > 90
    assert scores["LAS"].f1 > 60


def test_words_are_tagged_and_tags_are_kept(tmp_path: Path) -> None:
    pipeline = toy_pipeline()
    pipeline.parse_file(bare(TEST), tmp_path / "bare.conllu")
    scores = tw.evaluate(TEST, tmp_path / "bare.conllu").ud
    assert scores["UPOS"].f1 > 95
    assert scores["Lemmas"].f1 > 95
    strange = Path(TEST).read_text(encoding="utf-8").replace("\tNOUN\t", "\tSTRANGE\t")
    pipeline.parse_file(strange.encode(), tmp_path / "kept.conllu")
    assert "\tSTRANGE\t" in (tmp_path / "kept.conllu").read_text(encoding="utf-8")
    pipeline.parse_file(strange.encode(), tmp_path / "new.conllu", tag=True)
    assert "\tSTRANGE\t" not in (tmp_path / "new.conllu").read_text(encoding="utf-8")


@pytest.mark.parametrize("wrong", range(5))
def test_errors_name_the_line_though_some_sentences_have_tags_and_others_none(wrong: int) -> None:
    """Sentences with tags and those without are parsed apart; a line is counted from the beginning of the file."""
    lines = []
    for number, tag in enumerate(("_", "DET", "DET", "_", "DET")):
        heads = (2, 1) if number == wrong else (2, 0)
        lines += [f"# sent_id = {number}", f"1\tthe\t_\t{tag}\t_\t_\t{heads[0]}\tdet\t_\t_"]
        lines += [f"2\tgirl\t_\t{tag}\t_\t_\t{heads[1]}\troot\t_\t_", ""]
    block = Block("\n".join([*lines, ""]).encode(), CONLLU, "mixed.conllu", 101)
    with pytest.raises(TreebankError, match="cycle") as caught:
        toy_pipeline().parse_block(block, keep_arcs=True)
    assert (caught.value.line, caught.value.sent_id) == (101 + 4 * wrong + 1, str(wrong))


def test_one_sentence_and_longer_texts() -> None:
    sentence = toy_pipeline().parse("The old baker saw a goose.")
    assert [word.form for word in sentence] == ["The", "old", "baker", "saw", "a", "goose", "."]
    assert sentence.root.form == "saw"
    many = list(toy_pipeline().parse_text("The girl sang. The baker slept.\n\nThe old girl saw a goose."))
    assert len(many) == 3
    assert toy_pipeline().parse_words(["The", "girl", "sang"]).root.form == "sang"


def test_threads_change_nothing(tmp_path: Path) -> None:
    text = (raw_text(read_blocks(TRAIN)) * 40).encode()
    for threads in (1, 3):
        toy_pipeline().parse_file(text, tmp_path / str(threads), threads=threads)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "3").read_bytes()


def test_jackknifing_tags_every_word_once() -> None:
    data = gather(TRAIN, None, "fail", True)
    tagged = jackknifed(data, 3, TaggerRecipe(iterations=1))
    assert sum(block.n_words for block in tagged) == sum(block.n_words for block in data.blocks)
    gold = [block.value(word, 1) for block in data.blocks for word in range(block.n_words)]
    assert [block.value(word, 1) for block in tagged for word in range(block.n_words)] == gold
    with pytest.raises(CombinationError, match="jackknife is 1"):
        tw.train_pipeline(TRAIN, jackknife=1)


def test_jackknifing_parses_the_treebank_s_own_sentences_once() -> None:
    """Trees are those of parsers; all else stays, and sentences that were made of trees are left out."""
    data = gather(TRAIN, None, "fail", True)
    made = [Block(re.sub(rb"\t[^\t\n]*\n", b"\tMade=Yes\n", block.data), block.layout, "made") for block in data.blocks]
    parsed = parsed_apart(replace(data, blocks=[*data.blocks, *made]), 1, TrainingObserver())
    found = [block for block in parsed if block.n_words]
    assert sum(block.n_words for block in found) == data.n_words

    def cells(blocks: list[Block], columns: slice) -> list[list[bytes]]:
        lines = b"".join(block.data for block in blocks).split(b"\n")
        return [line.split(b"\t")[columns] for line in lines if line[:1].isdigit()]

    assert cells(found, slice(0, 6)) == cells(data.blocks, slice(0, 6))
    assert cells(found, slice(8, 10)) == cells(data.blocks, slice(8, 10))
    assert cells(found, slice(6, 8)) != cells(data.blocks, slice(6, 8))


def test_a_treebank_too_small_for_the_parts_is_rejected_before_anything_is_trained(capsys) -> None:
    sentence = b"1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
    with pytest.raises(CombinationError, match="too small to be cut into 4 parts: use --jackknife 0"):
        tw.train_pipeline(3 * sentence, observer=TrainingProgress())
    assert "round" not in capsys.readouterr().err


def test_a_parser_without_a_tokeniser_says_so() -> None:
    alone = toy_pipeline().only(["parser"])
    with pytest.raises(CombinationError, match="tokeniser"):
        alone.parse("Some text.")
    assert [*alone.steps] == ["parser"]


@pytest.mark.parametrize("part", ["tokenizer.tags", "tagger.lexicon.keys", "tagger.lemmas.rules", "parser.tags"])
def test_missing_parts_are_refused(part: str, model: Path, tmp_path: Path) -> None:
    header, arrays = read_model(model)
    assert part in arrays
    kept = {name: ("U8", data) for name, data in arrays.items() if name != part}
    write_model(tmp_path / "cut.tw", {key: value for key, value in header.items() if key != "format"}, kept)
    with pytest.raises(ModelFileError, match=r"damaged|incomplete"):
        tw.load(str(tmp_path / "cut.tw"))


def test_raw_text_makes_clusters_for_a_pipeline(tmp_path: Path) -> None:
    raw = tmp_path / "raw.txt"
    raw.write_text(20 * raw_text(read_blocks(TRAIN)), encoding="utf-8")
    few = {"jackknife": 0, "iterations": 1, "tagger_iterations": 2, "clusters": 8}
    made = tw.train_pipeline(TEST, raw=f"{raw}\n{raw}", **few)
    assert made.steps["tagger"] is not None
    assert made.steps["tagger"].clusters is not None
    assert made.steps["tagger"].clusters.n_clusters == 8
    assert made._details()["tagger"]["clusters"] == made._details()["tokenizer"]["clusters"] == 8
    assert "cluster(w(stack[0]))" in made.settings["features"]
    made.save(tmp_path / "model.tw")
    again = tw.load(tmp_path / "model.tw")
    assert again.steps["parser"].extractor.clusters is not None
    assert again.steps["parser"].extractor.clusters.source == "raw.txt + raw.txt"
    assert again.steps["tokenizer"].clusters.source == "raw.txt + raw.txt"
    text = raw_text(read_blocks(TEST))
    assert again.steps["tokenizer"].tokenize(text) == made.steps["tokenizer"].tokenize(text)
    assert again.parse("The baker sleeps.").to_conllu() == made.parse("The baker sleeps.").to_conllu()


def test_the_parser_needs_its_clusters(tmp_path: Path) -> None:
    """A feature model with clusters is rejected where there are none, and damaged clusters are."""
    features = tmp_path / "mine.features"
    features.write_text("cluster(w(stack[0])) & p(input[0])\n", encoding="utf-8")
    with pytest.raises(FeatureModelError, match="--raw or --vectors"):
        tw.train(TEST, features=str(features), iterations=1)
    vectors = tmp_path / "some.vec"
    vectors.write_text("".join(f"w{k} {k % 2} {k % 3}\n" for k in range(12)), encoding="utf-8")
    few = {"jackknife": 0, "iterations": 1, "tagger_iterations": 1, "clusters": 2}
    made = tw.train_pipeline(TEST, vectors=str(vectors), features=str(features), **few)
    assert made._details()["parser"]["templates"] == 1
    made.save(tmp_path / "model.tw")
    header, arrays = read_model(tmp_path / "model.tw")
    kept = {name: ("U8", data) for name, data in arrays.items() if name != "parser.clusters.paths"}
    write_model(tmp_path / "cut.tw", {key: value for key, value in header.items() if key != "format"}, kept)
    with pytest.raises(ModelFileError, match=r"damaged|incomplete"):
        tw.load(str(tmp_path / "cut.tw"))


def test_one_source_of_clusters() -> None:
    with pytest.raises(CombinationError, match="one of them"):
        tw.train_pipeline(TEST, raw="a.txt", vectors="b.vec")
    with pytest.raises(CombinationError, match="clusters has no effect"):
        tw.train_pipeline(TEST, clusters=8)
