"""Beam and Viterbi against all sequences of tags; and training with them."""

from __future__ import annotations

import random
from array import array
from functools import cache
from itertools import product

import pytest
from treewright.kinds.tagger.search import SearchingDecoder
from treewright.treebank.blocks.block import Block

from tests.through_a_file import again, kept
from tests.toy import TEST, TRAIN
from treewright.errors import CombinationError, ModelFileError
from treewright.kinds.pipeline.recipe import PipelineRecipe
from treewright.kinds.tagger.corpus import CLOSED_FROM
from treewright.kinds.tagger.recipe import COLLINS_2002, TaggerRecipe
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tagger.training import column_accuracy, train_tagger
from treewright.steps.loading import step_of
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU

TAGS = ("NOUN", "VERB", "ADJ", "PRON")


def sentence(rng: random.Random, length: int, letters: str = "abcdef") -> str:
    """Return words of few letters with tags that depend on both neighbours, and on chance."""
    forms = ["".join(rng.choice(letters) for _ in range(rng.randint(1, 2))) for _ in range(length)]
    tags = [TAGS[(len(form) + ord(form[0]) + rng.randint(0, 1)) % 4] for form in forms]
    rows = zip(forms, tags, strict=True)
    lines = (f"{k}\t{form}\t_\t{tag}\t_\t_\t0\troot\t_\t_\n" for k, (form, tag) in enumerate(rows, 1))
    return "".join(lines) + "\n"


def training_text(letters: str) -> str:
    rng = random.Random(5)
    return "".join(sentence(rng, rng.randint(1, 6), letters) for _ in range(60))


@cache
def made_tagger(search: str, width: int, letters: str = "abcdef") -> Tagger:
    text = training_text(letters)
    recipe = TaggerRecipe(search=search, width=width, iterations=3, seeds=1, margin=5.0)
    return train_tagger([Block(text.encode(), CONLLU, "made")], recipe)


def allowed(tagger: Tagger, block: Block, letters: str) -> list[list[int]]:
    """Return the tags that each word may have: those seen with it if it is frequent, else all."""
    words = [line.split("\t") for line in training_text(letters).split("\n") if line]
    numbers = {tag[0]: number for number, tag in enumerate(tagger.tags.tags)}
    choices = []
    for word in range(block.n_words):
        seen = [numbers[columns[3]] for columns in words if columns[1] == block.value(word, 1).decode()]
        choices.append(sorted(set(seen)) if len(seen) >= CLOSED_FROM else list(range(len(tagger.tags))))
    return choices


def score(decoder: SearchingDecoder, block: Block, tags: tuple[int, ...]) -> float:
    return decoder.best_score(block, array("i", tags))


@pytest.mark.parametrize("letters", ["abcdef", "ab"])  # with two letters, words are frequent and have fewer tags
@pytest.mark.parametrize(("search", "width"), [("viterbi", 0), ("viterbi", 4), ("beam", 256)])
def test_the_best_of_all_sequences_is_found(search: str, width: int, letters: str) -> None:
    tagger = made_tagger(search, width, letters)
    decoder = tagger.decoder
    assert isinstance(decoder, SearchingDecoder)
    rng = random.Random(6)
    greedy_differs = False
    for _ in range(60):
        block = Block(sentence(rng, rng.randint(1, 4), letters).encode(), CONLLU, "made")
        found = tagger.tag_block(block)
        choices = allowed(tagger, block, letters)
        every = {tags: score(decoder, block, tags) for tags in product(*choices)}
        assert every[tuple(found)] == pytest.approx(max(every.values()), abs=1e-3)
        greedy: tuple[int, ...] = ()
        for word in range(block.n_words):
            rest = tuple(tags[0] for tags in choices[word + 1 :])
            options = {tag: score(decoder, block, (*greedy, tag, *rest)) for tag in choices[word]}
            greedy += (max(options, key=lambda tag, options=options: options[tag]),)
        greedy_differs = greedy_differs or every[greedy] < max(every.values()) - 1e-3
    assert greedy_differs, "the cases are too easy: word by word would do"


@pytest.mark.parametrize("letters", ["abcdef", "ab"])
def test_the_structured_perceptron_of_collins_chooses_among_all_tags(letters: str) -> None:
    """Frequent words, too; the option closes them otherwise. It has no margin: once right, it learns no more."""
    text = training_text(letters)
    tagger = train_tagger([Block(text.encode(), CONLLU, "made")], TaggerRecipe(**COLLINS_2002, iterations=3))
    decoder = tagger.decoder
    assert isinstance(decoder, SearchingDecoder)
    assert not any(tagger.lexicon.closed)
    rng = random.Random(6)
    for _ in range(40):
        block = Block(sentence(rng, rng.randint(1, 4), letters).encode(), CONLLU, "made")
        every = {tags: score(decoder, block, tags) for tags in product(range(len(tagger.tags)), repeat=block.n_words)}
        assert every[tuple(tagger.tag_block(block))] == pytest.approx(max(every.values()), abs=1e-3)


def test_without_a_margin_less_is_learnt() -> None:
    blocks = [Block(training_text("abcdef").encode(), CONLLU, "made")]
    options = {**COLLINS_2002, "iterations": 3}
    few, many = (len(train_tagger(blocks, TaggerRecipe(**{**options, "margin": m})).weights) for m in (0.0, 1e6))
    assert 0 < few < many


def test_a_narrow_beam_is_no_better_than_a_wide_one() -> None:
    tagger = made_tagger("beam", 256)
    parts = (tagger.tags, tagger.lexicon, tagger.decoder.scorer, tagger.open_tags, tagger.known)
    rng = random.Random(7)
    totals = dict.fromkeys((1, 2, 256), 0.0)
    for _ in range(40):
        block = Block(sentence(rng, 6).encode(), CONLLU, "made")
        scores = {width: SearchingDecoder(*parts, search="beam", width=width).best_score(block) for width in totals}
        assert scores[256] >= max(scores.values()) - 1e-3
        totals = {width: total + scores[width] for width, total in totals.items()}
    assert totals[1] < totals[2] <= totals[256]


@pytest.mark.parametrize(("search", "width"), [("beam", 4), ("viterbi", 8)])
def test_it_learns_and_its_file_brings_it_back(search: str, width: int) -> None:
    tagger = train_tagger(read_blocks(TRAIN), TaggerRecipe(search=search, width=width, iterations=3, seeds=1))
    blocks = list(read_blocks(TEST))
    assert min(column_accuracy(tagger, blocks).values()) > 95
    header, arrays = kept(tagger)
    same = again(tagger)
    assert (same.search, same.width) == (search, width)
    assert all(same.annotate(block) == tagger.annotate(block) for block in blocks)
    for wrong in ({"search": "magic"}, {"width": 257}, {"width": -1}):
        with pytest.raises(ModelFileError, match="damaged"):
            step_of({**header, "settings": {**header["settings"], **wrong}}, arrays)


def test_tags_depend_on_words_to_come() -> None:
    """A word's tag that only the next word tells is found by a search with features of tags alone."""
    lines = {
        "x a": "1\tx\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\ta\t_\tVERB\t_\t_\t1\tx\t_\t_\n\n",
        "x b": "1\tx\t_\tADJ\t_\t_\t0\troot\t_\t_\n2\tb\t_\tPRON\t_\t_\t1\tx\t_\t_\n\n",
    }
    block = Block("".join(lines.values()).encode() * 20, CONLLU, "made")
    for search, width in (("beam", 4), ("viterbi", 0)):
        tagger = train_tagger([block], TaggerRecipe(search=search, width=width, seeds=1))
        assert column_accuracy(tagger, [block])["UPOS"] == 100


def test_going_on_from_a_file_keeps_the_search() -> None:
    rng = random.Random(9)
    more = [Block("".join(sentence(rng, 3) for _ in range(10)).encode(), CONLLU, "more")]
    for search, width in (("greedy", 8), ("beam", 4), ("viterbi", 0)):
        recipe = TaggerRecipe(search=search, width=width, iterations=1, seeds=1)
        old = train_tagger([Block(training_text("abc").encode(), CONLLU, "made")], recipe)
        new = train_tagger(more, recipe, again(old))
        assert new.search == search
        other = TaggerRecipe(search="beam" if search != "beam" else "greedy")
        with pytest.raises(CombinationError, match=f"--tagger-search {search}"):
            train_tagger(more, other, old)


def test_options_that_make_no_sense_are_rejected() -> None:
    with pytest.raises(CombinationError, match="width"):
        TaggerRecipe(search="beam", width=0).check()
    with pytest.raises(CombinationError, match="width"):
        PipelineRecipe(beside={"tagger": TaggerRecipe(search="beam", width=0)}).check()
    assert PipelineRecipe(beside={"tagger": TaggerRecipe(width=3)}).idle()["tagger_width"] == "search is twice"
    old = made_tagger("viterbi", 4)
    rng = random.Random(8)
    with pytest.raises(CombinationError, match="--tagger-search viterbi --tagger-width 4"):
        train_tagger([Block(sentence(rng, 3).encode(), CONLLU, "made")], TaggerRecipe(), old)
