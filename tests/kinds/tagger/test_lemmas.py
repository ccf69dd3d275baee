"""Lemma rules: compiled code does what the rules say."""

from __future__ import annotations

from array import array
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.kinds.tagger.columns import with_tags
from treewright.kinds.tagger.lemmas.lemmatizer import Lemmatizer
from treewright.kinds.tagger.lexicon import ONE_FORM, KnownLemmas, pos_bit
from treewright.kinds.tagger.tags import TagSet
from treewright.learners.perceptron import Perceptron
from treewright.treebank.blocks.block import Block

from treewright.kinds.tagger.corpus import read_words
from treewright.kinds.tagger.lemmas import lemma_training
from treewright.kinds.tagger.lemmas.lemma_rules import TABLE, Affixes, accent_pairs, accented, apply, plain, rule_for
from treewright.kinds.tagger.lemmas.lemma_training import known_lemmas, train_lemmatizer
from treewright.kinds.tagger.training import train_tagger
from treewright.treebank.formats.conllu import CONLLU

WORDS = st.text(st.sampled_from("abcdeABCÄäßΣσςéáÉα'-0\U0001f600"), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("form", "lemma", "case", "affixes"),
    [
        ("dogs", "dog", 0, Affixes(0, "", 1, "", "")),
        ("Running", "run", 1, Affixes(0, "", 4, "", "")),
        ("was", "be", 0, Affixes(0, "", 0, "", "be")),
        ("NASA", "NASA", 0, Affixes(0, "", 0, "", "")),
        ("COMCAST", "Comcast", 2, Affixes(0, "", 0, "", "")),
        ("gegangen", "gehen", 0, Affixes(2, "", 5, "hen", "")),
    ],
)
def test_rules(form: str, lemma: str, case: int, affixes: Affixes) -> None:
    rule = rule_for(form, lemma)
    assert apply(rule, form) == lemma
    if form != "gegangen":
        assert (rule.case, rule.affixes) == (case, affixes)


@settings(max_examples=300, deadline=None)
@given(WORDS, WORDS, WORDS)
def test_compiled_rules_do_the_same(form: str, lemma: str, other: str) -> None:
    rule = rule_for(form, lemma)
    assert apply(rule, form) == lemma
    lemmatizer = Lemmatizer([(*rule.affixes, True)], array("Q"), array("H"), Perceptron(1, 5))
    assert lemmatizer.lemma(form, rule.case, 0) == lemma
    assert lemmatizer.lemma(other, rule.case, 0) == apply(rule, other)


def test_an_accent_that_moves_is_one_rule_for_many_words() -> None:
    rule = rule_for("μετώπου", "μέτωπο")
    assert apply(rule, "θορύφου") == "θόρυφο"
    assert rule == rule_for("πεδάνου", "πέδανο")
    lemmatizer = Lemmatizer([(*rule.affixes, True)], array("Q"), array("H"), Perceptron(1, 5))
    assert lemmatizer.lemma("ΘΟΡΎΦΟΥ", 1, 0) == "θόρυφο"


def treebank(*words: tuple[str, str, str]) -> Block:
    """Return a block with a sentence for each word (form, lemma, UPOS)."""
    lines = (f"1\t{form}\t{lemma}\t{upos}\t_\t_\t0\troot\t_\t_\n\n" for form, lemma, upos in words)
    return Block("".join(lines).encode(), CONLLU, "words")


def test_known_lemmas_have_their_parts_of_speech() -> None:
    block = treebank(("Runs", "run", "VERB"), ("runs", "run", "NOUN"), ("was", "be", "VERB"), ("_", "_", "NOUN"))
    words = read_words([block])
    known = known_lemmas(words, TagSet(words.tags))
    assert known.mask("run") == known.mask("RUN") == pos_bit(0) | pos_bit(1)
    assert known.mask("be") == pos_bit(0) | ONE_FORM
    assert known.mask("_") == known.mask("ru") == 0
    more = read_words([treebank(("be", "be", "AUX"))], words.tags)
    both = known_lemmas(more, TagSet(more.tags), known)
    assert both.mask("run") == known.mask("run")
    assert both.mask("be") & pos_bit(2)


def test_a_known_lemma_is_preferred() -> None:
    """Half of the verbs in -es lose both letters, half lose one: only a lemma seen elsewhere tells which."""
    stems = [a + b + c for a in "bdfgklmnprt" for b in "aiou" for c in ("sh", "lk", "rt")]
    words = []
    for number, stem in enumerate(stems):
        lemma = stem if number % 2 else f"{stem}e"
        words.append((f"{lemma}ing", lemma, "VERB"))
        if number % 11:
            words.append((f"{stem}es", lemma, "VERB"))
    tagger = train_tagger([treebank(*words)])
    unseen = [(number, stem) for number, stem in enumerate(stems) if number % 11 == 0]
    tagged = tagger.tagged(treebank(*((f"{stem}es", "_", "_") for _, stem in unseen)))
    lemmas = [tagged.value(place, 2).decode() for place in range(tagged.n_words)]
    assert lemmas == [stem if number % 2 else f"{stem}e" for number, stem in unseen]


def test_no_other_characters_gain_or_lose_an_accent() -> None:
    for char in set(map(chr, range(TABLE))) - accent_pairs():
        assert plain(char) == char == accented(char)


def test_an_accent_is_taken_off_only_if_putting_it_on_gives_the_character_back() -> None:
    tonos, oxia = "\u03ac", "\u1f71"  # two characters for the same accented alpha
    assert (plain(tonos), accented("α")) == ("α", tonos)
    assert (plain(oxia), accented("α")) == (oxia, tonos)


def rows(*words: tuple[str, str, str, str]) -> Block:
    """Return a block with a sentence for each word (form, lemma, UPOS, FEATS)."""
    lines = (f"1\t{form}\t{lemma}\t{upos}\t_\t{feats}\t0\troot\t_\t_\n\n" for form, lemma, upos, feats in words)
    return Block("".join(lines).encode(), CONLLU, "words")


def lemmatised(block: Block, *words: tuple[str, str, str]) -> list[str]:
    """Return the lemmas of words (form, UPOS, FEATS) whose tags are given, learnt from a block."""
    given = rows(*((form, "_", upos, feats) for form, upos, feats in words))
    numbered = read_words([given], read_words([block]).tags)
    learnt, tags = read_words([block]), TagSet(numbered.tags)
    lemmatizer, _ = train_lemmatizer(learnt, tags, known_lemmas(learnt, tags))
    done = Block(with_tags(given, numbered.tag_of, tags, lemmatizer, ["LEMMA"]), CONLLU, "words")
    return [done.value(word, 2).decode() for word in range(done.n_words)]


SYLLABLES = [a + b + c for a in "bdfgklmnprt" for b in "aiou" for c in ("sh", "lk", "rt")]
PLURALS = [(f"{stem}ies", f"{stem}y", "NOUN", "_") for stem in SYLLABLES]


def test_a_rule_strips_only_what_training_stripped() -> None:
    """ "-ies" becomes "-y"; three letters of "apples" do not."""
    assert lemmatised(rows(*PLURALS, ("sun", "sun", "NOUN", "_")), ("apples", "NOUN", "_")) == ["apples"]


def test_a_capital_at_the_start_of_a_sentence_says_nothing() -> None:
    """Frozen weights tell words that begin a sentence from others of the same shape."""
    names = [stem.capitalize() for stem in SYLLABLES]
    starts, inside = names[:120], names[120:]

    def pairs(*words: tuple[str, str, str, str]) -> Block:
        lines = (f"1\t{a}\t{b}\tX\t_\t_\t0\troot\t_\t_\n2\t{c}\t{d}\tX\t_\t_\t1\tdep\t_\t_\n\n" for a, b, c, d in words)
        return Block("".join(lines).encode(), CONLLU, "words")

    seen = read_words([pairs(*((a, a.lower(), b, b) for a, b in zip(starts, inside, strict=False)))])
    tags = TagSet(seen.tags)
    lemmatizer, _ = train_lemmatizer(seen, tags, known_lemmas(seen, tags))
    new = pairs(("Zish", "_", "Zosh", "_"))
    done = Block(with_tags(new, read_words([new], seen.tags).tag_of, tags, lemmatizer, ["LEMMA"]), CONLLU, "words")
    assert [done.value(word, 2) for word in range(2)] == [b"zish", b"Zosh"]


def test_a_doubled_letter_is_stripped_whatever_it_is() -> None:
    doubled = [(f"{stem[:-1]}{letter}{letter}ing", f"{stem[:-1]}{letter}", "VERB", "_")
               for letter in "bgmpt" for stem in SYLLABLES[:60]]  # fmt: skip
    assert lemmatised(rows(*doubled), ("kinning", "VERB", "_")) == ["kin"]


def test_a_form_with_other_feats_or_capitals_has_its_lemma() -> None:
    block = rows(*PLURALS, *[("vont", "aller", "VERB", "Person=3")] * 3, ("canto", "cantare", "VERB", "Person=1"))
    given = ("vont", "VERB", "Person=2"), ("VONT", "VERB", "Person=3"), ("Vont", "VERB", "_")
    assert lemmatised(block, *given) == ["aller"] * 3


def test_what_is_rare_and_right_stays_right_beside_another_tag_of_the_same_word() -> None:
    words = [*PLURALS, *((f"{stem}s", f"{stem}s", "NOUN", "Number=Sing") for stem in SYLLABLES)]
    words += [("hurties", "hurties", "NOUN", "Number=Sing")] * 4 + [("hurties", "hurty", "NOUN", "_")]
    learnt = lemmatised(rows(*words), ("hurties", "NOUN", "_"), ("hurties", "NOUN", "Number=Sing"))
    assert learnt == ["hurty", "hurties"]


def test_an_unsure_guess_is_cut_to_a_known_lemma() -> None:
    """Nothing is known of what a rule makes here, and much of the lemma that the word begins with."""
    words = [("ház", "ház", "NOUN", "_"), ("háza", "ház", "NOUN", "Poss=Yes"), ("kerttel", "kert", "NOUN", "Case=Ins")]
    words += [(f"{stem}nak", stem, "NOUN", "Case=Dat") for stem in SYLLABLES[:4]]
    assert lemmatised(rows(*words), ("házikó", "NOUN", "Case=Nom"))[0] in ("ház", "házikó")


def test_a_guess_that_words_alike_confirm_needs_less_of_a_lead() -> None:
    """All words of training in -okat are plurals; those in -ak are as often no plurals."""
    plurals = [(f"{stem}okat", stem, "NOUN", "Case=Acc") for stem in SYLLABLES[::2]]
    mixed = [(f"{stem}ak", stem if number % 2 else f"{stem}ak", "NOUN", "Case=Acc")
             for number, stem in enumerate(SYLLABLES[1::2])]  # fmt: skip
    given = ("vumpfokat", "NOUN", "Case=Acc"), ("vumpfak", "NOUN", "Case=Acc")
    assert lemmatised(rows(*plurals, *mixed), *given) == ["vumpf", "vumpfak"]


def endings_of(*words: tuple[str, str, str, str]) -> Counter[int]:
    """Return how many endings so many words have, as a lemmatizer that is learnt from words keeps them."""
    learnt = read_words([rows(*words)])
    tags = TagSet(learnt.tags)
    lemmatizer, _ = train_lemmatizer(learnt, tags, known_lemmas(learnt, tags))
    assert lemmatizer.times is not None
    return Counter(lemmatizer.times)


def test_endings_of_several_words_are_counted_with_their_rules() -> None:
    """Those of one word are left out, and those within an ending whose words have all one rule."""
    same = [("bats", "bat", "NOUN", "_"), ("cats", "cat", "NOUN", "_"), ("nets", "net", "NOUN", "_")]
    # stripped: -s; "-s" of three words and with its rule, nothing within it
    assert endings_of(*same) == {3: 3}
    # "-s" of four words, three of them with a rule, one with another; "-ts" of three words and with its rule
    assert endings_of(*same, ("gas", "gas", "NOUN", "_")) == {3: 4, 4: 1, 1: 1}
    # the same word with another UPOS has endings of its own
    assert endings_of(*same, ("bats", "bat", "VERB", "_")) == {4: 1, 3: 2}


def test_the_more_lemmas_training_saw_the_less_a_guess_must_lead() -> None:
    def must_lead(n_lemmas: int) -> float:
        keys = (place * 0x9E3779B97F4A7C15 % 2**64 for place in range(1, n_lemmas + 1))
        known = KnownLemmas(array("Q", keys), array("I", [1] * n_lemmas))
        rules = [(*Affixes(0, "", 0, "", ""), True)]
        return Lemmatizer(rules, array("Q"), array("H"), Perceptron(1, 8), known).sure

    assert must_lead(5000) == must_lead(9000)
    assert must_lead(18000) == must_lead(9000) / 2


def test_words_whose_affixes_are_too_rare_to_be_kept_are_left_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room for two: the most frequent one, and the one that changes nothing."""
    monkeypatch.setattr(lemma_training, "MOST_AFFIXES", 2)
    taught = [(f"{stem}s", stem, "NOUN", "_") for stem in ("cat", "dog", "pig")]
    assert lemmatised(
        rows(*taught * 3, ("mice", "mouse", "NOUN", "_")), ("mice", "NOUN", "_"), ("hats", "NOUN", "_")
    ) == [
        "mice",
        "hat",
    ]
