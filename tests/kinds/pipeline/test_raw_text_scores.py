"""What a finished pipeline gets right from raw text: kept in the model, and by one command; both agree."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import treewright as tw
from tests.apps.cli.running import refuse, succeed
from tests.toy import DEV, TEST, TRAIN
from treewright.apps.cli.commands.train_command import dev_line, raw_text_line
from treewright.errors import CombinationError, TreewrightError
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.steps.call import TEXT
from treewright.steps.pipeline import Pipeline
from treewright.training.observer import TrainingObserver
from treewright.treebank.files.reading import read_blocks

NAMES = ["Tokens", "Sentences", "Words", "UPOS", "UFeats", "Lemmas", "UAS", "LAS"]  # the toy treebank has no XPOS


class Steps(TrainingObserver):
    """Remembers the steps, and how many sentences each went over."""

    def __init__(self) -> None:
        self.done: dict[str, int] = {}
        self.of: dict[str, int] = {}

    def begun(self, step: str, sentences: int) -> None:
        self.step = step
        self.done[step], self.of[step] = 0, sentences

    def advanced(self, sentences: int) -> None:
        self.done[self.step] += sentences


STEPS = Steps()


@cache
def pipeline() -> Pipeline:
    return tw.train_pipeline(TRAIN, DEV, jackknife=0, iterations=2, tagger_iterations=2, observer=STEPS)


def test_the_model_keeps_what_its_own_parse_of_the_text_scores(tmp_path: Path) -> None:
    kept = pipeline().info["dev"]["raw_text"]
    assert list(kept) == NAMES
    pipeline().parse_file(raw_text(read_blocks(DEV)).encode(), tmp_path / "parsed.conllu")
    scores = tw.evaluate(DEV, tmp_path / "parsed.conllu").ud
    assert kept == {name: round(scores[name].f1, 2) for name in NAMES}
    assert STEPS.done["dev from raw text"] == sum(block.n_sentences for block in read_blocks(DEV))
    assert STEPS.of["dev from raw text"] == STEPS.done["dev from raw text"]
    again = tw.evaluate(DEV, pipeline(), raw_text=True)
    assert kept == {name: round(again.ud[name].f1, 2) for name in NAMES}
    assert again.gold == DEV
    alone = pipeline().steps["parser"]
    with pytest.raises(CombinationError, match=re.escape(alone.lacks[TEXT])):
        tw.evaluate(DEV, alone, raw_text=True)
    with pytest.raises(TreewrightError, match=r"evaluate\(gold, model, raw_text=True\)"):
        tw.evaluate(DEV, DEV, raw_text=True)


def test_scores_are_shown_beside_those_of_the_steps() -> None:
    dev = pipeline().info["dev"]
    assert f"LAS {dev['las']:.2f}" in dev_line(dev)
    assert "Tokens" not in dev_line(dev)
    shown = raw_text_line(dev)
    assert shown.startswith("dev.conllu from raw text, CoNLL 2018 F1 (relations without subtype): Tokens ")
    assert shown.endswith(f"LAS {dev['raw_text']['LAS']:.2f}")


def test_without_dev_there_are_none() -> None:
    alone = tw.train_pipeline(TRAIN, jackknife=0, iterations=1, tagger_iterations=1)
    assert "dev" not in alone.info


def test_a_pipeline_that_cannot_be_scored_is_kept() -> None:
    forms = b"1\t \t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    made = tw.train_pipeline(TRAIN, forms, jackknife=0, iterations=1, tagger_iterations=1)
    assert list(made.info["dev"]["raw_text"]) == ["not scored"]
    assert "not scored: " in raw_text_line(made.info["dev"])


def test_graphs_are_scored_up_to_the_lemmas() -> None:
    rows = Path(TRAIN).read_text(encoding="utf-8").split("\n")
    graphs = "\n".join(_with_deps(row) for row in rows).encode()
    options = {"pipeline": True, "jackknife": 0, "iterations": 1, "tagger_iterations": 1}
    made = tw.train(graphs, graphs, system="dag-arc-eager", **options)
    kept = made.info["dev"]["raw_text"]
    assert list(kept) == NAMES[:-2]
    assert kept["Words"] > 95


def _with_deps(row: str) -> str:
    """Return a word of a tree as one of a graph, without the tree."""
    columns = row.split("\t")
    if len(columns) == 10:
        columns[6:9] = "_", "_", f"{columns[6]}:{columns[7]}"
    return "\t".join(columns)


def test_one_command_scores_a_model_from_raw_text(tmp_path: Path) -> None:
    model = tmp_path / "toy.tw"
    pipeline().save(model)
    found = json.loads(succeed("eval", DEV, model, "--raw-text", "--json"))
    kept = pipeline().info["dev"]["raw_text"]
    assert {name: round(found["ud"][name]["f1"], 2) for name in NAMES} == kept
    assert found["system"] == str(model)
    assert f"Tokens {' ' * 3}" in succeed("eval", TEST, model, "--raw-text").decode()
    assert "raw text" in succeed("info", model).decode()


@pytest.mark.parametrize("option", [["--by", "upos"], ["--graph"], ["--against", DEV], ["--unlabelled"]])
def test_options_for_given_words_are_rejected(option: list[str], tmp_path: Path) -> None:
    assert option[0] in refuse("eval", DEV, tmp_path / "any.tw", "--raw-text", *option)


def test_a_parser_alone_cannot_read_text(tmp_path: Path) -> None:
    tw.train(TRAIN, iterations=1).save(tmp_path / "alone.tw")
    assert "--pipeline" in refuse("eval", DEV, tmp_path / "alone.tw", "--raw-text")
