"""What a pipeline does itself: it decides which step the input needs, and passes on all that its parser is asked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest
from treewright.treebank.blocks.block import Block, Layout

import treewright as tw
from tests.kinds.pipeline.page_treebank import page_treebank
from treewright.errors import CombinationError, ModelFileError, TreebankError
from treewright.kinds.tokenizer.excerpt import Excerpt
from treewright.steps.call import PLAIN, TAGS, TEXT, Call
from treewright.steps.loading import step_of
from treewright.steps.pipeline import Pipeline
from treewright.steps.reader import blocks_of
from treewright.steps.step import Step
from treewright.steps.text import GivenText, split
from treewright.training.observer import TrainingObserver
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.sentence_names import PLAIN_NAMES
from treewright.treebank.files.source import open_input
from treewright.treebank.formats.conllu import CONLLU

SENTENCE = "# sent_id = {0}\n1\tBen\t_\t{1}\t_\t_\t_\t_\t_\t_\n2\tasked\t_\t{2}\t_\t_\t_\t_\t_\t_\n\n"
XPOS_ALONE = "1\tBen\t_\t_\tNNP\t_\t_\t_\t_\t_\n\n"


@cache
def page_pipeline() -> Pipeline:
    short: dict[str, Any] = {"iterations": 1, "tagger_iterations": 1, "tokenizer_iterations": 2, "prune": False}
    found = tw.train(page_treebank()[0], pipeline=True, jackknife=0, features="tiny", **short)
    assert isinstance(found, Pipeline)
    return found


def without(*steps: str) -> Pipeline:
    """Return the pipeline without some of its steps."""
    return page_pipeline().without(steps)


def parser_of(pipeline: Pipeline) -> Step:
    return pipeline.steps["parser"]


def ready(pipeline: Pipeline, block: Block, call: Call = PLAIN) -> Block:
    """Return a block as it reaches the parser."""
    return pipeline._prepared(block, call)[0]


def block_of(*tags: str, first_line: int = 1) -> Block:
    """Return sentences of two words; a tag for each, "_" for none."""
    text = "".join(SENTENCE.format(number, tag, tag) for number, tag in enumerate(tags))
    return Block(text.encode(), CONLLU, "made.conllu", first_line)


def tags_in(block: Block) -> list[str]:
    return [block.value(word, 3).decode() for word in range(block.n_words)]


class Asked:
    """Stands for a parser's method: keeps what it was asked."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.calls = answer, list[tuple[Any, ...]]()

    def __call__(self, *arguments: Any) -> Any:
        self.calls.append(arguments)
        return self.answer


def test_what_a_pipeline_lacks_without_a_step() -> None:
    assert TEXT not in page_pipeline().lacks
    assert TAGS not in page_pipeline().lacks
    assert without("tokenizer", "tagger").lacks | {} == page_pipeline().lacks | {
        TEXT: "raw text needs a tokeniser, which this model lacks. Give CoNLL-U, or tokens (--pretokenized), or"
        " train with --pipeline",
        TAGS: "the model has no tagger. Train one with --pipeline",
    }


@pytest.mark.parametrize("steps", [(), ("tokenizer",), ("tagger",), ("tokenizer", "tagger")])
def test_a_file_keeps_the_steps_that_there_are(steps: tuple[str, ...]) -> None:
    header, arrays = without(*steps).to_file()
    left = [name for name in ("tokenizer", "tagger", "parser") if name not in steps]
    assert [step["name"] for step in header["steps"]] == left
    assert {name.partition(".")[0] for name in arrays} == set(left)
    again = step_of(
        json.loads(json.dumps(header)),
        {name: memoryview(bytes(memoryview(data))) for name, (_, data) in arrays.items()},
    )
    assert [*again.steps] == left


@pytest.mark.parametrize(
    ("names", "kind", "said"),
    [
        (["a", "b"], "pipeline", "steps has a pipeline within the pipeline"),
        (["a", "a"], "tagger", "steps has a name twice"),
        ([], "tagger", "steps is not a list of 1 to 64 items"),
    ],
)
def test_steps_that_a_file_cannot_have(names: list[str], kind: str, said: str) -> None:
    header, _ = page_pipeline().to_file()
    steps = [{"name": name, "kind": kind} for name in names]
    with pytest.raises(ModelFileError, match=rf"^the model is damaged: {said}"):
        step_of({**header, "steps": steps}, {})


def test_details_tell_of_each_step() -> None:
    pipeline = page_pipeline()
    assert pipeline._details() == {
        "steps": ["tokenizer", "tagger", "parser"],
        **{name: step._details() for name, step in pipeline.steps.items()},
    }
    tokenizer = pipeline._details()["tokenizer"]
    assert tokenizer["multiword_forms"] == len(pipeline.steps["tokenizer"].settings["multiwords"]["forms"])
    tagger: Any = pipeline.steps["tagger"]
    assert tagger._details() == {
        "columns": ["LEMMA", "UPOS", "XPOS", "FEATS"],
        "tags": len(tagger.tags),
        "features": len(tagger.weights),
        "known_words": len(tagger.lexicon),
    }
    parser = parser_of(pipeline)
    assert without("tokenizer", "tagger")._details() == {"steps": ["parser"], "parser": parser._details()}
    assert repr(pipeline) == f"<Pipeline: tokenizer, tagger, {parser!r}>"


@pytest.mark.parametrize(
    ("given", "asked", "tagged"),
    [("_", False, True), ("X", False, False), ("X", True, True), ("_", True, True)],
)
def test_the_tagger_works_where_no_word_has_a_tag_or_where_it_is_asked_to(
    given: str, asked: bool, tagged: bool
) -> None:
    """The parser may correct tags that the tagger wrote, and none that were given."""
    pipeline, block, options = without(), block_of(given, given), Call(tag=asked, k_best=3)
    for method in ("trees", "annotate"):
        spy = Asked(b"")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(parser_of(pipeline), method, spy)
            getattr(pipeline, method)(block, options)
        ((seen, passed),) = spy.calls
        assert (given in tags_in(seen)) != tagged
        assert passed.tags_are_guesses == tagged
        assert passed.filled == (frozenset(("LEMMA", "UPOS", "XPOS", "FEATS")) if tagged else frozenset())
        assert passed.k_best == 3
    assert (given in tags_in(ready(pipeline, block, options))) != tagged
    assert tags_in(ready(without("tagger"), block, options)) == [given] * 4


def test_without_a_tagger_the_parser_corrects_no_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline, block, spy = without("tagger"), block_of("_"), Asked(b"")
    monkeypatch.setattr(parser_of(pipeline), "annotate", spy)
    pipeline.annotate(block, PLAIN)
    ((seen, passed),) = spy.calls
    assert (seen, passed.tags_are_guesses) == (block, False)


def test_the_best_trees_are_those_of_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline, block, options, spy = without(), block_of("NOUN", "VERB"), Call(k_best=2), Asked(["a tree"])
    monkeypatch.setattr(parser_of(pipeline), "best_trees", spy)
    assert pipeline.best_trees(block, 1, options) == ["a tree"]
    assert spy.calls == [(block, 1, options)]


def test_xpos_alone_is_a_tag_too() -> None:
    block = Block(XPOS_ALONE.encode(), CONLLU, "made")
    assert ready(page_pipeline(), block).data == block.data
    assert ready(page_pipeline(), block, Call(tag=True)).data != block.data


def test_what_has_no_words_and_what_has_no_columns_for_tags_is_not_tagged() -> None:
    empty = Block(b"", CONLLU, "empty")
    assert ready(page_pipeline(), empty) is empty
    assert ready(page_pipeline(), empty, Call(tag=True)) is empty
    bare = Block(b"1\tBen\t0\troot\n\n", Layout("bare", ("ID", "FORM", "HEAD", "DEPREL")), "bare")
    assert ready(page_pipeline(), bare) is bare
    for column in ("UPOS", "XPOS"):  # wherever it stands
        first = Block(b"_\t1\tBen\t0\troot\n\n", Layout("first", (column, "ID", "FORM", "HEAD", "DEPREL")), "first")
        assert ready(page_pipeline(), first).value(0, 0) != b"_"
        given = Block(first.data.replace(b"_", b"X"), first.layout, "first")
        assert ready(page_pipeline(), given) is given


def test_tags_may_stand_in_the_first_column(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline, spy = without(), Asked(b"")
    monkeypatch.setattr(parser_of(pipeline), "annotate", spy)
    text = b"X\t1\tBen\t0\troot\n\n_\t1\tasked\t0\troot\n\n"
    pipeline.annotate(Block(text, Layout("first", ("UPOS", "ID", "FORM", "HEAD", "DEPREL")), "first"), Call())
    assert [options.tags_are_guesses for _, options in spy.calls] == [False, True]


def test_columns_that_the_tagger_fills_are_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline, options, spy = without(), Call(k_best=2), Asked(["UPOS"])
    monkeypatch.setattr(parser_of(pipeline), "_missing", spy)
    assert pipeline._missing(block_of("_"), options) == []
    tagged = block_of("X")
    assert pipeline._missing(tagged, options) == ["UPOS"]
    assert spy.calls[-1] == (tagged, options)
    assert without("tagger")._missing(block_of("_"), options) == ["UPOS"]


@pytest.mark.parametrize("tags", ["_X", "X_", "_X_", "X_X", "__XX__", "XX", "__"])
def test_sentences_are_tagged_or_not_one_by_one(tags: str) -> None:
    """What comes out of a block is what comes out of its sentences."""
    pipeline, options = page_pipeline(), Call()
    block = block_of(*tags)
    alone = [Block(block.text_of(number), CONLLU, "made") for number in range(block.n_sentences)]
    assert pipeline.annotate(block, options) == b"".join(pipeline.annotate(one, options) for one in alone)
    again = Call(tag=True)
    assert pipeline.annotate(block, again) == b"".join(pipeline.annotate(one, again) for one in alone)
    bare = without("tagger")
    assert bare.annotate(block, options) == b"".join(bare.annotate(one, options) for one in alone)


def test_pieces_of_a_block_know_where_they_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline, spy = without(), Asked(b".")
    monkeypatch.setattr(parser_of(pipeline), "annotate", spy)
    assert pipeline.annotate(block_of(*"_XX_", first_line=9), Call()) == b"..."
    places = [(block.source, block.first_line, block.n_sentences) for block, _ in spy.calls]
    assert places == [("made.conllu", 9, 1), ("made.conllu", 13, 2), ("made.conllu", 21, 1)]


class Watching(TrainingObserver):
    """Keeps which steps begin, and how far each gets."""

    def __init__(self) -> None:
        self.steps: list[list[Any]] = []

    def begun(self, step: str, sentences: int) -> None:
        self.steps.append([step, sentences, 0])

    def advanced(self, sentences: int) -> None:
        self.steps[-1][2] += sentences


def test_training_says_which_step_is_at_work_and_how_far_it_is() -> None:
    observer = Watching()
    short: dict[str, Any] = {"iterations": 1, "tagger_iterations": 1, "tokenizer_iterations": 1, "prune": False}
    tw.train(*page_treebank(), pipeline=True, jackknife=2, widen="none", features="tiny", observer=observer, **short)
    names = [step for step, _, _ in observer.steps]
    assert names[:3] == ["tokeniser", "tagger", "jack-knife"]
    assert observer.steps[2] == ["jack-knife", 38, 38]


# What is read


def forms_in(blocks: Iterable[Block]) -> list[list[str]]:
    return [
        [block.value(word, block.layout.form).decode() for word in block.words_of(number)]
        for block in blocks
        for number in range(block.n_sentences)
    ]


def read(source: Any, format: str | None = None, call: Call = PLAIN) -> list[Block]:
    return list(blocks_of(page_pipeline(), source, format, call))


def read_text(
    step: Step, text: bytes, layout: str = "raw", call: Call = PLAIN, excerpt: Excerpt | None = None
) -> list[Block]:
    return list(split(step, GivenText(open_input(text), layout, PLAIN_NAMES, excerpt), call))


def test_what_is_in_no_treebank_format_is_text() -> None:
    words = [["Ben", "asked"]]
    assert forms_in(read(b"Ben asked")) == words
    assert forms_in(read(SENTENCE.format(1, "X", "X").encode())) == words
    assert forms_in(read(b"Ben asked", "horizontal")) == words
    assert forms_in(read(b"Ben\nasked\n", "vertical")) == words
    assert forms_in(read(b"Ben asked\nhim\n\n", "vertical")) == [["Ben asked", "him"]]
    assert forms_in(read(b"Ben asked\nBen\n", "presegmented")) == [*words, ["Ben"]]
    assert forms_in(read(b"Ben\tasked\n", "text")) == words
    assert forms_in(read([block_of("X")])) == words
    as_conllx = read(b"1\tBen" + b"\t_" * 8 + b"\n\n", "conllx")
    assert forms_in(as_conllx) == [["Ben"]]
    assert [block.layout.name for block in as_conllx] == ["conllx"]
    given = list(read_blocks(page_treebank()[1]))
    assert forms_in(read(iter(tw.read(page_treebank()[1])))) == forms_in(given)


@pytest.mark.parametrize(("call", "name"), [(Call(ranges=True), "ranges"), (Call(newlines="ignore"), "newlines")])
def test_what_is_for_raw_text_alone_is_refused_for_a_treebank(call: Call, name: str) -> None:
    with pytest.raises(CombinationError, match=f"{name} is for raw text, and this is a treebank: leave it out"):
        read(SENTENCE.format(1, "X", "X").encode(), call=call)


def test_ranges_reach_the_tokeniser_and_given_tokens() -> None:
    for format in (None, "horizontal", "vertical", "presegmented"):
        (block,) = read(b"Ben\nasked\n", format, Call(ranges=True))
        assert b"TokenRange=0:3" in block.data
    ranges = [word.misc.get("TokenRange") for word in next(page_pipeline().parse_text("Ben asked", ranges=True))]
    assert ranges == ["0:3", "4:9"]
    assert not any("TokenRange" in word.misc for word in next(page_pipeline().parse_text("Ben asked")))


def test_an_excerpt_counts_on_from_the_text_before_it() -> None:
    excerpt = Excerpt(b"x", b"", 10, 2, True, False)
    for layout in ("raw", "horizontal", "vertical"):
        (block,) = read_text(page_pipeline(), b"Ben\n", layout, Call(ranges=True), excerpt)
        assert b"TokenRange=10:13" in block.data


def test_a_sentence_to_parse() -> None:
    pipeline = page_pipeline()
    for given in (" Ben \n asked ", SENTENCE.format(1, "X", "X")):
        assert [word.form for word in pipeline.parse(given)] == ["Ben", "asked"]
    with pytest.raises(TreebankError, match=r"^no words in it. Give a sentence to parse$"):
        pipeline.parse(" \n")


def test_text_needs_a_tokeniser() -> None:
    bare = without("tokenizer")
    ways = (
        lambda: bare.split("Ben asked", PLAIN, PLAIN_NAMES),
        lambda: read_text(bare, b"Ben asked"),
        lambda: bare.split("Ben asked", PLAIN, PLAIN_NAMES),
        lambda: list(bare.blocks(GivenText(open_input(b"Ben asked")), PLAIN)),
    )
    for way in ways:
        with pytest.raises(CombinationError, match="raw text needs a tokeniser, which this model lacks"):
            way()
    assert forms_in(read_text(bare, b"Ben asked\n", "horizontal")) == [["Ben", "asked"]]
    with pytest.raises(CombinationError, match="raw text needs a tokeniser"):
        read_text(without("tokenizer", "tagger"), b"Ben asked\n", "horizontal")
    assert page_pipeline().split("Ben asked", PLAIN, PLAIN_NAMES)[1] == 1


def test_features_are_those_of_the_parser() -> None:
    pipeline = page_pipeline()
    assert pipeline._feature_text == parser_of(pipeline)._feature_text != ""
