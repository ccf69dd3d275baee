"""``nlp(text)`` and ``nlp.pipe(texts)``: texts to documents, in order, whatever they come in."""

from __future__ import annotations

import pickle

import pytest

import treewright as tw
from tests.kinds.pipeline.test_pipeline import toy_pipeline
from tests.toy import TEST, toy_parser

TEXTS = ["The girl sang. The baker slept.", "", "A goose slept.", "The old girl saw a goose.", "The girl sang."]


def test_a_text_becomes_a_document():
    nlp = toy_pipeline()
    document = nlp(TEXTS[0])
    assert document.text == TEXTS[0]
    assert [sentence.text for sentence in document] == ["The girl sang.", "The baker slept."]
    assert [sentence.sent_id for sentence in document] == ["1", "2"]
    assert document[1].root is not None
    assert document[1].root.form == "slept"
    assert document.to_conllu() == "".join(sentence.to_conllu() for sentence in nlp.parse_text(TEXTS[0]))
    assert pickle.loads(pickle.dumps(document)) == document
    assert len(nlp("")) == 0
    assert bool(nlp(""))


def test_changes_to_a_document_stay(tmp_path):
    document = toy_pipeline()(TEXTS[0])
    document[0][0].lemma = "changed"
    assert document.words[0].lemma == "changed"
    assert "\tchanged\t" in document.to_conllu()
    document.save(tmp_path / "out.conllu")
    assert next(iter(tw.read(tmp_path / "out.conllu")))[0].lemma == "changed"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch_size", [1, 2, 256])
def test_many_texts_come_back_in_order(threads, batch_size):
    nlp = toy_pipeline()
    found = list(nlp.pipe(TEXTS, threads=threads, batch_size=batch_size))
    assert [document.text for document in found] == TEXTS
    alone = [[(word.form, word.head, word.deprel) for word in nlp(text).words] for text in TEXTS]
    assert [[(word.form, word.head, word.deprel) for word in document.words] for document in found] == alone
    assert [sentence.sent_id for document in found for sentence in document] == ["1", "2", "3", "4", "5"]


def test_a_stream_is_not_read_ahead():
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield "The girl sang."

    stream = toy_pipeline().pipe(endless(), threads=2, batch_size=4)
    for _ in range(40):
        next(stream)
    assert taken < 80


def test_pairs_and_tables():
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    nlp = toy_pipeline()
    pairs = list(nlp.pipe([(text, place) for place, text in enumerate(TEXTS)], as_tuples=True))
    assert [context for _, context in pairs] == [0, 1, 2, 3, 4]
    table = pandas.DataFrame({"name": list("abcde"), "text": TEXTS})
    rows = list(nlp.pipe(table, as_tuples=True))
    assert [(document.text, row["name"]) for document, row in rows] == list(zip(TEXTS, "abcde", strict=True))
    for given in (table["text"], pyarrow.Table.from_pandas(table), pyarrow.array(TEXTS)):
        assert [document.text for document in nlp.pipe(given)] == TEXTS
    with pytest.raises(tw.TreewrightError, match="Did you mean 'text'"):
        nlp.pipe(table, column="txet")


def test_words_that_are_given_are_kept():
    parser = toy_parser()
    sentences = list(tw.read(TEST))[:3]
    parsed = list(parser.pipe([sentences[0], parser(sentences[1]), sentences[2].to_conllu()]))
    assert [document[0].to_conllu() for document in parsed] == [parser.parse(each).to_conllu() for each in sentences]


@pytest.mark.parametrize("words", [["The girl sang.", "The baker slept."], ["The", "girl"], ("The", "girl")])
def test_strings_in_a_list_are_never_taken_for_words(words):
    nlp = toy_pipeline()
    for use in (nlp.parse, nlp, lambda given: nlp.k_best(given, 2), lambda given: list(nlp.pipe([given]))):
        with pytest.raises(tw.TreewrightError, match="parse_words"):
            use(words)
    assert [word.form for word in nlp.parse_words(words)] == list(words)
    assert nlp.parse([{"form": "girls"}, {"form": "sing"}])[1].form == "sing"


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (lambda nlp: list(nlp.pipe("one text")), "this is one"),
        (lambda nlp: list(nlp.pipe(["A goose.", None])), "text 2 is None: a missing value"),
        (lambda nlp: list(nlp.pipe([float("nan")])), "a missing value"),
        (lambda nlp: list(nlp.pipe([7])), "not a text"),
        (lambda nlp: list(nlp.pipe(["a"], as_tuples=True)), "needs pairs"),
        (lambda nlp: list(nlp.pipe(["a"], column="text")), "is for tables"),
        (lambda nlp: list(nlp.pipe(["a"], threads=0)), "at least one"),
        (lambda nlp: nlp("a", k_best=2), "nlp.k_best"),
        (lambda nlp: nlp("\ud800"), "surrogate"),
        (lambda nlp: nlp.parse_words("one text"), "one text"),
        (lambda nlp: nlp.parse(b"A goose."), "expected a text, found bytes. Decode it"),
        (lambda nlp: nlp.parse(7), "expected a text, found int. Give a str"),
        (lambda nlp: nlp.parse(None), "expected a text, found NoneType"),
        (lambda nlp: list(nlp.parse_text(b"A goose.")), "expected a text, found bytes. Decode it"),
    ],
)
def test_what_is_no_text_is_rejected(use, told):
    with pytest.raises(tw.TreewrightError, match=told):
        use(toy_pipeline())


def test_a_parser_alone_says_what_raw_text_needs():
    for use in (toy_parser(), toy_parser().parse, lambda text: list(toy_parser().pipe([text]))):
        with pytest.raises(tw.TreewrightError, match="--pipeline"):
            use("The girl sang.")
