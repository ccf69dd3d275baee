"""Texts on their way to documents: what is parsed together, what texts keep, and which text an error is about."""

import pytest

import treewright as tw
from tests.kinds.pipeline.test_pipeline import toy_pipeline
from tests.toy import toy_parser
from treewright.steps import documents
from treewright.steps.call import call_from

WORDS = "1\tgirls\tgirl\tNOUN\t_\tNumber=Plur\t_\t_\t_\t_\n2\tsing\tsing\tVERB\t_\tTense=Pres\t_\t_\t_\t_\n\n"


def batches(texts, batch_size=256):
    """Return how many texts are in each batch."""
    made = documents._batches(toy_parser(), ((text, None) for text in texts), batch_size, call_from({}))
    return [(block.n_sentences, len(tasks), block.source) for block, tasks in filter(None, made)]


def test_as_many_texts_as_asked_for_are_parsed_together():
    assert batches([WORDS] * 5, 2) == [(2, 2, "the texts"), (2, 2, "the texts"), (1, 1, "the texts")]
    assert batches([WORDS] * 4, 2) == [(2, 2, "the texts")] * 2
    assert batches([]) == []


@pytest.mark.parametrize(("room", "sizes"), [(1, [3, 3, 1]), (0, [2, 2, 2, 1])])
def test_many_words_are_not_parsed_together(monkeypatch, room, sizes):
    """A batch ends with the text that passes the limit; one that just reaches it does not pass it."""
    monkeypatch.setattr(documents, "BATCH_BYTES", 2 * len(WORDS) - 1 + room)
    assert [n for _, n, _ in batches([WORDS] * 7)] == sizes


def test_a_text_keeps_its_spaces():
    for text in ("  The girl sang. \n", "The  girl sang.\n\n\n"):
        (document,) = toy_pipeline().pipe([text])
        assert document.text == text
        assert next(iter(toy_pipeline().pipe([(text, 1)], as_tuples=True)))[0].text == text


def test_words_need_no_last_line_and_may_follow_a_mark():
    parser = toy_parser()
    expected = parser(WORDS).to_conllu()
    for given in (WORDS[:-1], "\ufeff" + WORDS, "\ufeff" + WORDS[:-1]):
        assert parser(given).to_conllu() == expected
    both = list(parser.pipe([WORDS[:-1], WORDS[:-1]]))
    assert [document.to_conllu() for document in both] == [expected] * 2


def test_an_error_names_the_text():
    with pytest.raises(tw.TreebankError, match=r"^text 3:2: "):
        list(toy_parser().pipe([WORDS, WORDS, WORDS.replace("2\tsing", "3\tsing")]))


def test_places_of_tokens_on_request():
    (document,) = toy_pipeline().pipe(["The girl sang."], ranges=True)
    assert document.words[1].misc["TokenRange"] == "4:8"


class Frame:
    """A table as polars has it."""

    columns = ("name", "words")

    def iter_rows(self, named=False):
        rows = [("a", "The girl sang."), ("b", "A goose slept.")]
        return iter([dict(zip(self.columns, row, strict=True)) for row in rows] if named else rows)


def test_rows_of_a_frame():
    nlp = toy_pipeline()
    found = list(nlp.pipe(Frame(), column="words", as_tuples=True))
    assert [(document.text, row["name"]) for document, row in found] == [
        ("The girl sang.", "a"),
        ("A goose slept.", "b"),
    ]
    with pytest.raises(tw.TreewrightError, match="needs the column of the texts: column=…, one of name, words"):
        nlp.pipe(Frame())
    with pytest.raises(tw.TreewrightError, match="column 'wrods'"):
        nlp.pipe(Frame(), column="wrods")


def test_pairs_have_two_parts():
    for wrong in ([("a", 1, 2)], ["ab"], [7]):
        with pytest.raises(tw.TreewrightError, match="needs pairs"):
            list(toy_pipeline().pipe(wrong, as_tuples=True))
