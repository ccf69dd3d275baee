"""Calls of any parser: defaults, what is told of missing columns, and what cannot be done."""

import inspect
import io
import warnings

import pytest

import treewright as tw
from tests.kinds.pipeline.test_pipeline import toy_pipeline
from tests.toy import TEST, toy_parser
from treewright.steps.parser import Parser
from treewright.steps.pipeline import Pipeline

WORDS = "1\tgirls\t{lemma}\t{upos}\t_\t{feats}\t_\t_\t_\t_\n2\tsing\t{lemma}\t{upos}\t_\t{feats}\t_\t_\t_\t_\n\n"
FULL = {"lemma": "x", "upos": "NOUN", "feats": "Number=Sing"}


@pytest.mark.parametrize(
    ("function", "defaults"),
    [
        (Parser.parse_blocks, {"threads": 1}),
        (Parser.parse_stream, {"threads": 1}),
        (Parser.parse_file, {"threads": 1, "format": None, "to": None, "progress": None}),
        (Parser.pipe, {"threads": 1, "batch_size": 256, "as_tuples": False, "column": None}),
        (Pipeline.parse_text, {"threads": 1}),
        (Parser.k_best, {"beam": None}),
    ],
)
def test_defaults(function, defaults):
    parameters = inspect.signature(function).parameters
    assert {name: parameters[name].default for name in defaults} == defaults


def told(parse):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        parse()
    return [str(each.message) for each in caught if issubclass(each.category, tw.TreewrightWarning)]


@pytest.mark.parametrize(
    ("empty", "message"),
    [
        ([], []),
        (["lemma"], ["a.conllu: LEMMA empty, but the model was trained with it: expect worse trees"]),
        (["lemma", "feats"], ["a.conllu: LEMMA, FEATS empty, but the model was trained with them: expect worse trees"]),
    ],
)
def test_missing_columns_are_named_once(tmp_path, monkeypatch, empty, message):
    monkeypatch.chdir(tmp_path)
    text = WORDS.format(**{**FULL, **dict.fromkeys(empty, "_")})
    (tmp_path / "a.conllu").write_text(text * 40_000)  # several blocks
    assert told(lambda: toy_parser().parse_file("a.conllu", "out.conllu")) == message


def test_columns_are_looked_for_in_the_first_words():
    full, bare = WORDS.format(**FULL), WORDS.format(**dict.fromkeys(FULL, "_"))
    assert told(lambda: list(toy_parser().pipe([bare, full], batch_size=1)))
    assert not told(lambda: list(toy_parser().pipe([full, bare], batch_size=1)))


def test_raw_text_goes_to_a_pipeline_alone(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("The girl sang. The baker slept.\n")
    for source in (lambda: str(text), text.read_bytes, lambda: io.BytesIO(text.read_bytes())):
        with pytest.raises(tw.TreewrightError, match="--pipeline"):
            toy_parser().parse_file(source(), tmp_path / "out.conllu")
        toy_pipeline().parse_file(source(), tmp_path / "out.conllu")
        assert len(list(tw.read(tmp_path / "out.conllu"))) == 2
    assert toy_pipeline().parse_file(TEST, tmp_path / "trees.conllu")[0] == sum(1 for _ in tw.read(TEST))
