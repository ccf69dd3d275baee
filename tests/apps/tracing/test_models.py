"""Traces of models that do more than choose the best move: pipelines, beams; and of one that makes no moves."""

from __future__ import annotations

import pytest

import treewright
from tests.kinds.pipeline.test_pipeline import toy_pipeline
from tests.toy import TEST, TRAIN, toy_parser
from treewright.apps.tracing.record import TraceArc
from treewright.apps.tracing.traced_model import TracedModel
from treewright.errors import CombinationError, TreebankError
from treewright.steps.pipeline import Pipeline

TEXT = "We lose Pavel. She sleeps."


def untagged(sentence):
    return treewright.Sentence.from_words([word.form for word in sentence])


def test_a_pipeline_splits_and_tags_raw_text():
    first = treewright.trace(toy_pipeline(), TEXT)
    second = treewright.trace(toy_pipeline(), TEXT, number=2)
    assert (first.words, second.words) == (["We", "lose", "Pavel", "."], ["She", "sleeps", "."])
    assert all(first.tags)
    assert first.notes[0] == "Sentence 1 of 2 in the text; give another number to trace another."
    parsed = list(toy_pipeline().parse_text(TEXT))[1]
    assert second.tree == [TraceArc(word.head, number, word.deprel) for number, word in enumerate(parsed, 1)]
    assert set(second.end.arcs) <= set(second.tree)
    assert second.tags == [word.upos for word in parsed]


def test_a_pipeline_tags_only_words_without_tags():
    sentence = next(iter(treewright.read(TEST)))
    kept = treewright.trace(toy_pipeline(), sentence)
    assert kept.notes == []
    assert kept.tags == [word.upos for word in sentence]
    assert kept.end.loss is not None
    tagged = treewright.trace(toy_pipeline(), untagged(sentence))
    assert tagged.notes == ["The model's tagger tagged the words."]
    assert all(tagged.tags)
    alone = treewright.trace(toy_pipeline(), [word.form for word in sentence])
    assert alone.to_dict() == tagged.to_dict()


def test_a_pipeline_without_a_tokenizer_takes_words():
    traced = treewright.trace(toy_pipeline().without(["tokenizer"]), "We sleep . Now")
    assert traced.words == ["We", "sleep", ".", "Now"]
    assert all(traced.tags)


def test_sentences_that_are_not_there():
    with pytest.raises(TreebankError, match="sentence 3 was requested, but there are only 2"):
        treewright.trace(toy_pipeline(), TEXT, number=3)
    with pytest.raises(TreebankError, match="sentence 2 was requested, but there are only 1"):
        treewright.trace("arc-eager", "a b", heads=[2, 0], number=2)
    with pytest.raises(CombinationError, match="counted from 1"):
        treewright.trace(toy_pipeline(), TEXT, number=0)


def test_a_beam_shows_the_moves_of_the_sequence_that_won():
    parser = treewright.train(TRAIN, features="lean", iterations=1, beam=8)
    better = 0
    for sentence in list(treewright.read(TEST))[:40]:
        traced = treewright.trace(parser, sentence)
        assert "beam of 8" in traced.notes[-1]
        tree = {arc.dependent: arc for arc in traced.tree}
        for arc in traced.end.arcs:
            assert tree[arc.dependent].relation == arc.relation.split("↑")[0]
            assert "↑" in arc.relation or tree[arc.dependent] == arc
        scores = [[move.score for move in step.moves if move.score is not None] for step in traced.steps]
        better += any(step.move.score < max(found) for step, found in zip(traced.steps, scores, strict=True))
    assert better  # somewhere the best sequence is not that of the best moves


def test_after_given_moves_a_beam_goes_on_greedily_and_says_so():
    parser = treewright.train(TRAIN, features="lean", iterations=1, beam=4)
    traced = treewright.trace(parser, next(iter(treewright.read(TEST))), moves="SHIFT")
    assert "a beam cannot start from given moves" in str(traced)
    for step in traced.steps[1:]:
        assert step.move.score == max(move.score for move in step.moves if move.score is not None)


def test_the_exact_parser_makes_no_moves():
    parser = treewright.train(TRAIN, system="exact", iterations=1, order=1, adviser="none")
    with pytest.raises(CombinationError, match=r"exact parser makes no moves.*parse --stats"):
        treewright.trace(parser, "a b")
    with pytest.raises(CombinationError, match="exact parser makes no moves"):
        treewright.trace(Pipeline([parser]), "a b")


def test_a_pipeline_gives_the_steps_of_its_parser():
    sentence = next(iter(treewright.read(TEST)))
    parser = toy_parser()
    alone, within = (treewright.trace(one, sentence) for one in (parser, Pipeline([parser])))
    assert within.to_dict() == alone.to_dict()


def test_rows_that_are_too_short_are_rejected(tmp_path):
    file = tmp_path / "short.conllup"
    file.write_text("# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n1\tAnn\t_\tNOUN\n\n")
    model = TracedModel.of(toy_parser())
    with pytest.raises(TreebankError, match="expected 10 columns"):
        list(model.read(file))
