"""The tagger's second pass: against a plain reference, and what it is for."""

from __future__ import annotations

import random
from array import array

import pytest
from treewright.kinds.tagger.revising import RevisingDecoder
from treewright.kinds.tagger.words import EncodedWords
from treewright.learners.frozen import thaw
from treewright.learners.perceptron import Perceptron
from treewright.treebank.blocks.block import Block

from tests.through_a_file import again
from tests.toy import TRAIN
from treewright.errors import CombinationError
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tagger.training import column_accuracy, train_tagger
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU

GENDERS = ("Masc", "Fem")
ENDINGS = {"Masc": "us", "Fem": "a"}


def agreeing(rng: random.Random, sentences: int) -> Block:
    """Return sentences of an article, one or two adjectives and a noun: only the noun's ending tells the gender."""
    made = []
    for _ in range(sentences):
        gender = rng.choice(GENDERS)
        noun = "".join(rng.choice("bdfgklmnprst") + rng.choice("aeiou") for _ in range(3)) + "x" + ENDINGS[gender]
        words = [("le", "DET")] + [(rng.choice(("rapid", "lent", "grav")), "ADJ") for _ in range(rng.randint(1, 2))]
        rows = [(form, upos, f"Gender={gender}") for form, upos in [*words, (noun, "NOUN")]]
        lines = (
            f"{k}\t{form}\t_\t{upos}\t_\t{feats}\t0\troot\t_\t_\n" for k, (form, upos, feats) in enumerate(rows, 1)
        )
        made.append("".join(lines) + "\n")
    return Block("".join(made).encode(), CONLLU, "made")


def trained(search: str) -> Tagger:
    return train_tagger([agreeing(random.Random(1), 150)], TaggerRecipe(search=search, iterations=8, seeds=1))


def test_agreement_with_a_word_that_follows_needs_the_second_pass() -> None:
    dev = [agreeing(random.Random(2), 60)]
    once, twice = (column_accuracy(trained(search), dev)["FEATS"] for search in ("greedy", "twice"))
    # The article's gender stands two or three words ahead: beyond what one pass knows of endings.
    assert twice > 88
    assert once < 80


def test_a_tagger_that_is_always_sure_looks_once() -> None:
    """Where the first pass is ahead by far everywhere, both ways choose alike."""
    text = "".join(f"{k}\tw{k % 3}\t_\t{'ABC'[k % 3]}\t_\t_\t0\troot\t_\t_\n" for k in range(1, 7)) + "\n"
    block = Block((text * 40).encode(), CONLLU, "made")
    taggers = [train_tagger([block], TaggerRecipe(search=search, seeds=1)) for search in ("greedy", "twice")]
    assert list(taggers[0].tag_block(block)) == list(taggers[1].tag_block(block))


def test_weights_that_still_learn_choose_the_same_tags() -> None:
    tagger, block = trained("twice"), agreeing(random.Random(3), 20)
    learner = Perceptron(1, tagger.tags.n_components, 1, tagger.weights.n_lines)
    thaw(tagger.weights, learner, array("i", range(tagger.tags.n_components + 1)))
    found = array("i", bytes(4 * block.n_words))
    parts = (tagger.tags, tagger.lexicon, learner, tagger.open_tags, tagger.known)
    RevisingDecoder(*parts).tag(block, EncodedWords(), found)
    assert found == tagger.tag_block(block)


def test_models_remember_the_second_pass() -> None:
    tagger = trained("twice")
    same = again(tagger)
    assert isinstance(same.decoder, RevisingDecoder)
    block = agreeing(random.Random(3), 20)
    assert same.tagged(block).data == tagger.tagged(block).data


def test_a_second_pass_can_be_learnt_in_addition_but_not_dropped() -> None:
    blocks = list(read_blocks(TRAIN))
    first = train_tagger(blocks, TaggerRecipe(search="greedy", iterations=2, seeds=1))
    more = train_tagger(blocks, TaggerRecipe(search="twice", iterations=2, seeds=1), first)
    assert isinstance(more.decoder, RevisingDecoder)
    with pytest.raises(CombinationError, match="--tagger-search twice"):
        train_tagger(blocks, TaggerRecipe(search="greedy", iterations=2, seeds=1), more)
