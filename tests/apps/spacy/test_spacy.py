"""The spaCy component, with the real spaCy."""

from __future__ import annotations

from pathlib import Path

import pytest

import treewright as tw
from tests.kinds.enhanced.test_enhanced import TINY, sentence
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


GRAPH = """\
1\tAnn\t_\tX\t_\t_\t2\tnsubj\t2:nsubj|6:nsubj\t_
2\tsees\t_\tX\t_\t_\t0\troot\t0:root\t_
3\tdu\t_\tX\t_\t_\t5\tcase\t5:case\t_
4\tthe\t_\tX\t_\t_\t5\tdet\t5:det\t_
5\ttea\t_\tX\t_\t_\t2\tobj\t2:obj|5.1:obj\t_
5.1\tsees\t_\tX\t_\t_\t_\t_\t2:conj\t_
6\tsips\t_\tX\t_\t_\t2\tconj\t2:conj\t_

"""


def test_tokens_have_the_arcs_of_graphs() -> None:
    """A token of two words has the arcs of both from other tokens; empty nodes are paths; a root's head is itself."""
    import spacy
    from spacy.tokens import Doc
    from treewright.treebank.blocks.block import Block

    from treewright.apps.spacy.spacy_graphs import set_graphs
    from treewright.treebank.formats.conllu import CONLLU

    nlp = spacy.blank("fr")
    doc = Doc(nlp.vocab, ["Ann", "sees", "du", " ", "tea", "sips"])
    set_graphs(doc, [[0, 1, 2, 4, 5]], Block(GRAPH.encode(), CONLLU, "test"), [[1, 1, 2, 1, 1]])
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    for each in (doc, again):
        found = {token.text: [(head.text, relation) for head, relation in token._.deps] for token in each}
        assert found == {
            "Ann": [("sees", "nsubj"), ("sips", "nsubj")],
            "sees": [("sees", "root")],
            "du": [("tea", "case"), ("tea", "det")],
            " ": [],
            "tea": [("sees", "obj"), ("sees", "conj>obj")],
            "sips": [("sees", "conj")],
        }


def test_graphs_of_a_parse(tmp_path: Path) -> None:
    import spacy

    path = tmp_path / "graphs.conllu"
    path.write_text("".join("\n".join(sentence(i)) + "\n\n" for i in range(24)), encoding="utf-8")
    model = tw.train(path, pipeline=True, **TINY)
    model.save(tmp_path / "both.tw")
    nlp = spacy.blank("en")
    nlp.add_pipe("treewright", config={"model": str(tmp_path / "both.tw")})
    doc = nlp("Ann sees and likes figs .")
    expected = model.parse("Ann sees and likes figs .")
    assert len(doc[0]._.deps) == 2
    assert [[head.i + 1 for head, _ in token._.deps if head != token] for token in doc] == [
        [head for head, _ in word.deps if head] for word in expected
    ]
