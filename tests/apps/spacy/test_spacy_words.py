"""Tokens that a treebank splits into words: the words' tree becomes a tree of tokens."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from treewright.treebank.blocks.block import Block

import treewright as tw
from treewright.apps.spacy.spacy_words import token_tree
from treewright.oracles.exhaustive import all_trees, is_tree
from treewright.treebank.formats.conllu import CONLLU

FRENCH = """\
# text = {0} parle aux {1}
1\t{0}\t{0}\tPROPN\t_\t_\t2\tnsubj\t_\t_
2\tparle\tparler\tVERB\t_\t_\t0\troot\t_\t_
3-4\taux\t_\t_\t_\t_\t_\t_\t_\t_
3\tà\tà\tADP\t_\t_\t5\tcase\t_\t_
4\tles\tle\tDET\t_\tDefinite=Def\t5\tdet\t_\t_
5\t{1}\t{1}\tNOUN\t_\t_\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""
NAMES, NOUNS = ("Anne", "Luc", "Marie", "Paul"), ("enfants", "chats", "voisins", "poules")


def block_of(heads: list[int]) -> Block:
    lines = [f"{k}\tw{k}\t_\t_\t_\t_\t{head}\tr\t_\t_\n" for k, head in enumerate(heads, 1)]
    return Block(("".join(lines) + "\n").encode(), CONLLU, "test")


def test_contracted_trees_are_trees() -> None:
    """All trees of four words with all ways to group them, and random trees of nine."""
    chance = random.Random(5)
    trees = list(all_trees(4, projective=False, single_root=False))
    assert len(trees) == 125  # Cayley: (n + 1) ** (n - 1)
    cases = [(heads, sizes) for heads in trees for sizes in groupings(4)]
    for _ in range(300):
        heads = [chance.randrange(10) for _ in range(9)]
        if is_tree(heads):
            cases.append((heads, chance.choice(groupings(9))))
    for heads, sizes in cases:
        found = token_tree(block_of(heads), 0, sizes)
        assert is_tree([head + 1 for head in found.heads]), (heads, sizes)
        ends = list(itertools.accumulate(sizes))
        for token, (chief, words) in enumerate(zip(found.chiefs, found.words, strict=True)):
            assert chief in words
            assert words.stop == ends[token]
            head = heads[chief] - 1
            outside = next((k for k, end in enumerate(ends) if head < end), -1) if head >= 0 else -1
            assert found.heads[token] == outside
            assert found.heads[token] != token


def groupings(n: int) -> list[list[int]]:
    if n == 0:
        return [[]]
    return [[size, *rest] for size in range(1, n + 1) for rest in groupings(n - size)]


def test_among_equals_the_first_word_is_the_chief() -> None:
    found = token_tree(block_of([3, 3, 0]), 0, [2, 1])
    assert (found.chiefs, found.heads) == ([0, 2], [1, -1])


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("french")
    text = "".join(FRENCH.format(name, noun) for name in NAMES for noun in NOUNS)
    (folder / "train.conllu").write_text(text * 3)
    tw.train_pipeline(folder / "train.conllu", iterations=3, tagger_iterations=3, cutoff=1).save(folder / "fr.tw")
    return folder / "fr.tw"


def test_a_token_takes_the_place_of_its_words(french: Path) -> None:
    spacy = pytest.importorskip("spacy")
    import treewright.apps.spacy.spacy_component  # noqa: F401

    nlp = spacy.blank("fr")
    nlp.add_pipe("treewright", config={"model": str(french)})
    doc = nlp("Luc parle aux voisins. Anne parle aux chats.")
    assert [token.text for token in doc[:5]] == ["Luc", "parle", "aux", "voisins", "."]
    assert [token.dep_ for token in doc[:5]] == ["nsubj", "ROOT", "case", "obl", "punct"]
    assert [token.head.i for token in doc] == [1, 1, 3, 1, 1, 6, 6, 8, 6, 6]
    assert [token.pos_ for token in doc[:5]] == ["PROPN", "VERB", "ADP", "NOUN", "PUNCT"]
    assert doc[2].lemma_ == "à"
    words = doc[2]._.treewright_words
    assert [(word["form"], word["upos"], word["deprel"]) for word in words] == [
        ("à", "ADP", "case"),
        ("les", "DET", "det"),
    ]
    assert doc[1]._.treewright_words is None
    assert [chunk.text for chunk in doc.noun_chunks] == ["Luc", "voisins", "Anne", "chats"]


def test_given_tags_keep_tokens_whole(french: Path) -> None:
    spacy = pytest.importorskip("spacy")
    import treewright.apps.spacy.spacy_component  # noqa: F401

    nlp = spacy.blank("fr")
    component = nlp.add_pipe("treewright", config={"model": str(french), "tag": False})
    doc = spacy.tokens.Doc(nlp.vocab, ["Luc", "parle", "aux", "chats"], pos=["PROPN", "VERB", "ADP", "NOUN"])
    assert component(doc)[2]._.treewright_words is None
    assert [token.pos_ for token in doc] == ["PROPN", "VERB", "ADP", "NOUN"]


def test_noun_chunks_of_given_trees() -> None:
    spacy = pytest.importorskip("spacy")
    from treewright.apps.spacy.spacy_noun_chunks import noun_chunks_for, ud_noun_chunks
    from treewright.errors import CombinationError

    words = ["my", "very", "old", "friend", "of", "Paris", "saw", "John", "'s", "red", "house", "and", "it"]
    heads = [3, 2, 3, 6, 5, 3, 6, 10, 7, 10, 6, 12, 10]
    deps = [
        "nmod:poss",
        "advmod",
        "amod",
        "nsubj",
        "case",
        "nmod",
        "ROOT",
        "nmod:poss",
        "case",
        "amod",
        "obj",
        "cc",
        "conj",
    ]
    tags = ["PRON", "ADV", "ADJ", "NOUN", "ADP", "PROPN", "VERB", "PROPN", "PART", "ADJ", "NOUN", "CCONJ", "PRON"]
    expected = ["my very old friend", "Paris", "John 's red house", "it"]
    vocab = spacy.blank("xx").vocab
    for pos in (tags, None):  # without tags the relations tell, and the conjunct is not known for a noun
        doc = spacy.tokens.Doc(vocab, words, heads=heads, deps=deps, pos=pos)
        found = [doc[first:end].text for first, end, _ in ud_noun_chunks(doc)]
        assert found == (expected if pos else expected[:3])
    with pytest.raises(CombinationError, match="Universal Dependencies"):
        noun_chunks_for(["SBJ", "OBJ", "NMOD"])(doc)
