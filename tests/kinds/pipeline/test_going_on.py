"""Taggers and tokenisers that go on from trained ones: the pieces that training puts together."""

from __future__ import annotations

from array import array
from functools import cache

import pytest
from treewright.kinds.tagger.decoder import Decoder
from treewright.kinds.tagger.lexicon import Lexicon
from treewright.kinds.tagger.online import TaggerTrainer
from treewright.kinds.tagger.tags import TagSet
from treewright.kinds.tagger.words import lower_key
from treewright.kinds.tokenizer.boundaries.boundaries import CELL_COUNT, BoundaryModel
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.multiwords.multiwords import MultiwordTable
from treewright.kinds.tokenizer.online import LabelCounts
from treewright.learners.frozen import freeze, thaw
from treewright.learners.perceptron import Perceptron
from treewright.treebank.blocks.block import Block

from tests.kinds.tagger.test_tagger import toy_tagger
from tests.kinds.tokenizer.test_tokenizer import toy_tokenizer
from tests.toy import TEST, TRAIN
from treewright.kinds.tagger.corpus import TaggedWords, build_lexicon, open_tags, read_words
from treewright.kinds.tagger.lemmas.lemma_training import known_lemmas, train_lemmatizer
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tagger.training import column_accuracy
from treewright.kinds.tokenizer.multiwords.multiword_rules import multiword_settings
from treewright.kinds.tokenizer.raw_text import SurfaceSentence, SurfaceToken, paragraphs, surface_sentences
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.training import TokenizerStrategy, boundary_scores
from treewright.training.gathering import Gathered
from treewright.training.loop import Training
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU

# Words and tags that the toy treebank lacks; one of its words with a new tag; a new lemma rule, three times.
OTHER = "".join(
    f"1\tThe\tthe\tVERB\t_\tNew=Yes\t2\tdet\t_\t_\n2\t{noun}um\t{noun}us\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    for noun in ("blor", "blor", "drax", "drax", "quil", "quil")
)


@cache
def other_words(text: str = OTHER) -> TaggedWords:
    return read_words([Block(text.encode(), CONLLU, "other")], toy_tagger().tags.tags)


def going_on(words: TaggedWords, rounds: int) -> Tagger:
    """Do what training does, in the same order."""
    old = toy_tagger()
    tags, lexicon = TagSet(words.tags), build_lexicon(words, old.lexicon)
    others = open_tags(words, old.open_tags)
    learner = Perceptron(1, tags.n_components, 1, old.weights.n_lines)
    thaw(old.weights, learner, array("i", range(old.tags.n_components + 1)))
    known = known_lemmas(words, tags, old.known)
    decoder = Decoder(tags, lexicon, learner, others, known)
    trainer = TaggerTrainer(decoder, learner, words.blocks, words.tag_of, 1, 1.0)
    for _ in range(rounds):
        trainer.start_round()
        trainer.learn(0, trainer.n_sentences)
    assert old.lemmatizer is not None
    assert old.lemma_weights is not None
    lemmas = train_lemmatizer(words, tags, known, 1, (old.lemmatizer, old.lemma_weights))
    return Tagger(tags, lexicon, others, freeze(learner), old.columns, *lemmas, known)


def test_further_tags_change_no_number() -> None:
    old, words = toy_tagger().tags, other_words()
    tags = TagSet(words.tags)
    assert len(tags) == len(old) + 2
    assert tags.tags[: len(old)] == old.tags
    assert tags.components[: old.n_components] == old.components
    assert tags.n_components > old.n_components


def class_of(lexicon: Lexicon, form: str) -> tuple[list[int], bool]:
    number = lexicon.classes[list(lexicon.keys).index(lower_key(form.encode()))]
    return list(lexicon.class_tags[lexicon.class_start[number] : lexicon.class_start[number + 1]]), bool(
        lexicon.closed[number]
    )


def test_a_lexicon_keeps_old_words_and_their_tags() -> None:
    old, words = toy_tagger().lexicon, other_words()
    lexicon = build_lexicon(words, old)
    assert {*old.keys} < {*lexicon.keys}
    assert len(lexicon) == len(old) + 3
    tags, closed = class_of(old, "the")
    assert closed
    assert class_of(lexicon, "the") == ([*tags, len(toy_tagger().tags)], True)
    assert class_of(lexicon, "blorum")[1] is False
    untouched = [key for key in old.keys if key != lower_key(b"the")]
    for key in untouched[:50]:
        before, after = old.classes[list(old.keys).index(key)], lexicon.classes[list(lexicon.keys).index(key)]
        assert old.class_codes[before] == lexicon.class_codes[after]


def test_a_word_is_closed_once_either_treebank_closes_it() -> None:
    tag, other = ("X", "_", "_"), ("Y", "_", "_")
    words = TaggedWords([], ["a"], array("i", [0] * 31), [tag, other], array("i", [1] * 30 + [0]))
    old = Lexicon(
        array("Q", [lower_key(b"a")]), array("H", [0]), array("i", [0, 1]), array("i", [0]), array("Q", [5]), b"\0"
    )
    assert class_of(build_lexicon(words), "a") == ([1, 0], True)
    assert class_of(build_lexicon(words, old), "a") == ([0, 1], True)
    few = TaggedWords([], ["a"], array("i", [0]), [tag, other], array("i", [1]))
    assert len(build_lexicon(few)) == 0
    assert class_of(build_lexicon(few, old), "a") == ([0], False)
    closed = Lexicon(old.keys, old.classes, old.class_start, old.class_tags, old.class_codes, b"\1")
    assert class_of(build_lexicon(few, closed), "a") == ([0, 1], True)


def test_open_tags_are_those_of_both() -> None:
    old, words = toy_tagger().open_tags, other_words()
    assert {*old} <= {*open_tags(words, old)}
    assert list(open_tags(words, [len(words.tags) - 1]))[-1] == len(words.tags) - 1
    assert list(open_tags(words)) == sorted(
        words.tags.index(tag) for tag in {("NOUN", "_", "_"), ("VERB", "_", "New=Yes")}
    )


def test_without_a_round_tags_and_lemmas_stay() -> None:
    """Of sentences without the words of the new treebank."""
    old, new = toy_tagger(), going_on(other_words(OTHER.replace("\tThe\t", "\tTho\t")), 0)
    blocks = list(read_blocks(TEST))
    before, after = column_accuracy(old, blocks), column_accuracy(new, blocks)
    for column, score in before.items():
        assert after[column] == pytest.approx(score, abs=0.7), column


def test_new_words_are_learnt_and_old_ones_kept() -> None:
    new = going_on(other_words(), 3)
    text = new.annotate(other_words().blocks[0]).decode()
    assert text.count("\tblorus\tNOUN\t") == 2
    assert text.count("\tthe\tVERB\t_\tNew=Yes\t") == 6
    scores = column_accuracy(new, list(read_blocks(TRAIN)))
    assert min(scores["LEMMA"], scores["UPOS"]) > 90


def test_lemma_rules_keep_their_numbers_and_the_memory_its_words() -> None:
    old, new = toy_tagger().lemmatizer, going_on(other_words(), 0).lemmatizer
    assert old is not None
    assert new is not None
    assert [tuple(change) for change in new.affixes[: old.n_guessed]] == [
        tuple(change) for change in old.affixes[: old.n_guessed]
    ]
    assert new.n_guessed == old.n_guessed + 1
    assert tuple(new.affixes[old.n_guessed]) == (0, "", 1, "s", "", True)
    remembered = dict(zip(new.keys, new.rules, strict=True))
    for key, rule in zip(old.keys, old.rules, strict=True):
        again = remembered[key]
        assert again % 4 == rule % 4
        assert tuple(new.affixes[again // 4])[:5] == tuple(old.affixes[rule // 4])[:5]


def test_a_lemma_that_the_new_treebank_corrects() -> None:
    """What is remembered of a word with its tag gives way; the rest stays."""
    lines = "".join(f"1\tdog\t{lemma}\tNOUN\t_\t_\t0\troot\t_\t_\n\n" for lemma in ["canine"] * 3)
    first = read_words([Block(lines.encode(), CONLLU, "first")])
    tags = TagSet(first.tags)
    old = train_lemmatizer(first, tags, known_lemmas(first, tags))
    second = read_words([Block(lines.replace("canine", "hound").encode(), CONLLU, "second")], first.tags)
    further = TagSet(second.tags)
    new, _ = train_lemmatizer(second, further, known_lemmas(second, further, old[0].known), 1, old)
    assert {new.affixes[rule // 4][4] for rule in new.rules} == {"hound"}
    assert list(new.keys) == list(old[0].keys)


def sentence(*tokens: tuple[str, ...]) -> SurfaceSentence:
    return SurfaceSentence([SurfaceToken(form, list(words), True) for form, *words in tokens], "")


def test_multiword_tokens_of_both_treebanks() -> None:
    first = multiword_settings([sentence(("don't", "do", "n't"), ("can't", "ca", "n't"), ("won't", "wo", "n't"))])
    second = [sentence(("zum", "zu", "dem"), ("don't", "don't"), ("don't", "don't"), ("can't", "can", "not"))]
    merged = multiword_settings(second, first)
    MultiwordTable(merged)
    splits = {form: [piece[2] for piece in merged["splits"][number]] for form, number in merged["forms"].items()}
    assert splits["zum"] == ["zu", "dem"]
    assert splits["don't"] == []  # twice one word now
    assert splits["can't"] == ["can", "not"]
    assert merged["splits"][merged["forms"]["won't"]] == first["splits"][first["forms"]["won't"]]
    assert {*first["suffixes"]} <= {*merged["suffixes"]}
    alone = multiword_settings([sentence(("mustn't", "mustn't"), ("mustn't", "mustn't"))], first)
    assert alone["forms"]["mustn't"] == 0
    assert multiword_settings([], first)["forms"].keys() == first["forms"].keys()


def test_usual_labels_stay_until_counts_contradict_them() -> None:
    lower_lower = 33  # no gap between two letters
    text = Characters(b"ab" * 200)
    model = BoundaryModel(Perceptron(3, 0, 1), toy_tokenizer().settings)
    counts = LabelCounts()
    counts.add(model, text, bytearray(400))
    assert counts.usual(0.001)[lower_lower] == 0
    old = bytearray([255] * CELL_COUNT)
    assert counts.usual(0.001, old)[lower_lower] == 255
    old[lower_lower] = 0
    assert counts.usual(0.001, old)[lower_lower] == 0
    old[lower_lower] = 1
    assert counts.usual(0.001, old)[lower_lower] == 255


def test_a_tokeniser_goes_on() -> None:
    """Do what training does, on text with another way to end sentences; the old one is not forgotten."""
    old = toy_tokenizer()
    lines = "".join(
        f"# text = go {n} ¶\n1\tgo\t{'_	' * 7}_\n2\t{n}\t{'_	' * 7}_\n3\t¶\t{'_	' * 7}_\n\n" for n in range(40)
    )
    sentences = list(surface_sentences([Block(lines.encode(), CONLLU, "t")]))
    texts = list(paragraphs(sentences))
    data = Gathered("t", [Block(lines.encode(), CONLLU, "t")])
    new = Training(TokenizerStrategy(TokenizerRecipe(iterations=5, cutoff=1), old), data).run()
    assert boundary_scores(new, texts)[1].f1 > max(90.0, boundary_scores(old, texts)[1].f1)
    assert boundary_scores(new, list(paragraphs(surface_sentences(read_blocks(TRAIN)))))[1].f1 > 90
