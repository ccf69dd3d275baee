"""Where tokens and sentences are in a text; tokens as keys; hints for names of other libraries."""

from __future__ import annotations

import random

import pytest
from tests.toy import TEST, toy_parser

import treewright as tw
from treewright.treebank.sentences.offsets import spans_in

TEXT = (
    "1-2\tcannot\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tcan\t_\t_\t_\t_\t0\troot\t_\t_\n"
    "2\tnot\t_\t_\t_\t_\t1\tdep\t_\t_\n"
    "2.1\tghost\t_\t_\t_\t_\t_\t_\t1:dep\t_\n"
    "3-4\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "3\tdo\t_\t_\t_\t_\t1\tdep\t_\t_\n"
    "4\tnot\t_\t_\t_\t_\t1\tdep\t_\t_\n"
    "5\t10 000\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
)


def test_multiword_tokens_empty_nodes_and_spaces():
    sentence = tw.Sentence.from_conllu("# text = cannot  don't10\u00a0000\n" + TEXT)
    assert [(token.start, token.end) for token in sentence.tokens] == [
        *[(0, 6), (0, 3), (3, 6), (6, 6)],  # the words are written as in the token: each has its part
        *[(8, 13), (8, 13), (8, 13)],  # they are not: each has the whole
        (13, 19),
    ]
    assert (sentence.start, sentence.end) == (0, 19)
    assert sentence[0].idx == sentence[0].start


def test_a_text_that_lacks_a_form_moves_nothing_else():
    sentence = tw.Sentence.from_words(["a", "missing", "b"])
    assert [(span.start, span.end) for span in spans_in("a \u200bb", sentence.tokens)] == [(0, 1), (2, 2), (3, 4)]


def test_sentences_of_a_document_count_in_its_text():
    document = tw.load("english-fast")("Birds sing.\n\nThey  cannot swim, can they?")
    for sentence in document:
        for token in sentence.tokens:
            assert document.text[token.start : token.end] == token.form
        assert sentence.start == sentence.tokens[0].start
        assert sentence.end == sentence.tokens[-1].end
    assert document[1].start == document.text.index("They")


def test_offsets_of_random_words_and_spaces():
    rng = random.Random(5)
    for _ in range(200):
        words = ["".join(rng.choices("ab\u0301é-", k=rng.randint(1, 4))) for _ in range(rng.randint(1, 8))]
        text = "".join(word + rng.choice(["", " ", "  ", "\n", "\t"]) for word in words)
        sentence = tw.Sentence.from_words(words)
        assert [text[span.start : span.end] for span in spans_in(text, sentence.tokens)] == words


def test_tokens_are_keys():
    sentence = tw.Sentence.from_words(["the", "the"])
    seen = {token: token.id for token in sentence}
    assert [seen[token] for token in sentence] == [1, 2]
    assert sentence[0] == sentence[0]
    assert sentence[0] != tw.Sentence.from_words(["the", "the"])[0]


@pytest.mark.parametrize(
    ("name", "ours"), [("text", "form"), ("head_token", "parent"), ("pos_", "upos"), ("dep_", "deprel")]
)
def test_names_of_other_libraries_are_answered_with_ours(name, ours):
    token = tw.Sentence.from_words(["a"])[0]
    with pytest.raises(AttributeError, match=rf"here it is \.{ours}$"):
        getattr(token, name)
    assert not hasattr(token, "nothing_of_ours")


def test_sents_of_a_document():
    with pytest.raises(AttributeError, match=r"here it is \.sentences$"):
        tw.load("english-fast")("Yes.").sents  # noqa: B018


def test_what_is_no_text_is_rejected():
    sentence = tw.Sentence.from_words(["a"])
    with pytest.raises(tw.TreewrightError, match="FORM holds text, and None is none"):
        sentence[0].form = None
    with pytest.raises(tw.TreewrightError, match="word 2 is None"):
        tw.Sentence.from_words(["a", None])


def test_no_model_is_no_name():
    with pytest.raises(tw.ModelFileError, match="not None"):
        tw.load(None)
    for name, meant in (("en", "english"), ("english_fast", "english-fast")):
        with pytest.raises(tw.ModelFileError, match=f"Did you mean '{meant}'"):
            tw.load(name)


def test_a_parser_is_scored_on_gold_words():
    parser = toy_parser()
    parsed = list(parser.parse_blocks(tw.read(TEST).blocks()))
    assert tw.evaluate(TEST, parser).las == tw.evaluate(TEST, parsed).las > 50


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda word: setattr(word, "feats", 3), "FEATS holds a dictionary or its text, not 3"),
        (lambda word: setattr(word, "misc", None), "MISC holds a dictionary or its text, not None"),
        (lambda word: setattr(word, "deps", 3), "DEPS holds pairs of head and relation"),
        (lambda word: setattr(word, "deps", [3]), "DEPS holds pairs of a head and a relation"),
        (lambda word: word.feats.update({"Case": 3}), "'Case'=3 is not"),
        (lambda word: word.feats.update({3: "Nom"}), "3='Nom' is not"),
        (lambda _: tw.Sentence.from_words("a text"), "words are given as a list"),
        (lambda _: tw.Sentence.from_words(None), "words are given as a list"),
        (lambda _: tw.Sentence.from_conllu(None), "CoNLL-U is a text or bytes, not None"),
        (lambda _: toy_parser().parse_words(None), "parse_words takes a list of words, and this is None"),
        (lambda _: toy_parser().pipe(3), "pipe takes many texts"),
        (lambda _: toy_parser().save(None), "None is no path"),
        (lambda _: tw.evaluate(toy_parser(), TEST), "the gold treebank comes first"),
        (lambda _: tw.load(""), "the name of the model is empty"),
    ],
)
def test_values_of_other_kinds_are_errors_of_ours(change, problem):
    with pytest.raises(tw.TreewrightError, match=problem):
        change(tw.Sentence.from_words(["a"])[0])


@pytest.mark.parametrize("name", ["fast", "en-fast", "ENGLISH_FAST"])
def test_parts_of_a_name_suggest_it(name):
    with pytest.raises(tw.ModelFileError, match="Did you mean 'english-fast'"):
        tw.load(name)


def test_what_nothing_here_does_is_said():
    with pytest.raises(AttributeError, match="finds no names of persons"):
        tw.load("english-fast")("Yes.").ents  # noqa: B018


def test_a_text_with_tabs_is_no_treebank():
    nlp = tw.load("english-fast")
    assert [word.form for word in nlp.parse("The cat\tsleeps.")] == ["The", "cat", "sleeps", "."]
    assert len(nlp.k_best("The cat\tsleeps.", 2)[0].sentence) == 4
    with pytest.raises(tw.TreewrightError, match="expected 10 columns"):
        nlp.parse("1\tThe\t_\t_\t_\t_\t_\t_\t_\n\n")
