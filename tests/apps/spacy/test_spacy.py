"""The spaCy component, with the real spaCy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kinds.pipeline.test_pipeline import toy_pipeline
from tests.optional import needs

pytestmark = needs("spacy")


@pytest.fixture(scope="module")
def nlp(tmp_path_factory: pytest.TempPathFactory) -> object:
    import spacy

    import treewright.apps.spacy.spacy_component  # noqa: F401  (an installed package is found by its entry point)

    path = tmp_path_factory.mktemp("spacy") / "toy.tw"
    toy_pipeline().save(path)
    made = spacy.blank("en")
    made.add_pipe("treewright", config={"model": str(path)})
    return made


def test_heads_labels_sentences_and_tags(nlp) -> None:  # type: ignore[no-untyped-def]
    doc = nlp("The old baker saw a goose. The girl  sang.")
    assert [sent.text.strip() for sent in doc.sents] == ["The old baker saw a goose.", "The girl  sang."]
    assert [sent.root.text for sent in doc.sents] == ["saw", "sang"]
    expected = toy_pipeline().parse("The old baker saw a goose.")
    assert [token.dep_ for token in doc[:7]] == ["ROOT" if word.head == 0 else word.deprel for word in expected]
    assert [token.head.i + 1 if token.head.i != token.i else 0 for token in doc[:7]] == [w.head for w in expected]
    assert [token.pos_ for token in doc[:7]] == [word.upos for word in expected]
    assert [token.lemma_ for token in doc[:7]] == [word.lemma for word in expected]


def test_sentences_that_are_there_are_kept(nlp) -> None:  # type: ignore[no-untyped-def]
    doc = nlp.make_doc("The girl sang. The baker slept.")
    for token in doc:
        token.is_sent_start = token.i == 0
    assert len(list(nlp.get_pipe("treewright")(doc).sents)) == 1


def test_odd_documents(nlp) -> None:  # type: ignore[no-untyped-def]
    assert len(nlp("")) == 0
    assert len(nlp("  \n ")) == 1
    assert [len(doc) for doc in nlp.pipe(["The girl sang.", "\n\nThe\tgirl"])] == [4, 4]


def test_saved_and_loaded(nlp, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    import spacy

    text = "The old baker saw a goose."
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert [token.dep_ for token in again(text)] == [token.dep_ for token in nlp(text)]
    other = spacy.blank("en")
    other.add_pipe("treewright", config={"model": nlp.get_pipe_config("treewright")["model"]})
    other.from_bytes(nlp.to_bytes())
    assert [token.head.i for token in other(text)] == [token.head.i for token in nlp(text)]
