"""The rule between a form and its lemma: what it keeps, what it replaces, and that it stays what it was.

Models keep rules, so a change of these makes other models.
"""

from __future__ import annotations

from array import array
from random import Random

import pytest
from treewright.kinds.tagger.lemmas.lemmatizer import Lemmatizer
from treewright.learners.perceptron import Perceptron

from treewright.kinds.tagger.lemmas.lemma_rules import CAPITAL, KEEP, LOWER, UPPER, Affixes, apply, rule_for

NOTHING = (0, "", 0, "", "")
LETTERS = "abcdeABCÄäßΣσςéáÉα'-0ⴀⰀ\u3000\u3001\U00010400"


def kept(*places: int) -> str:
    """Marks of characters that stay."""
    return "".join(chr(0xE000 + place) for place in places)


def plain(place: int) -> str:
    return chr(0xE100 + place)


def acute(place: int) -> str:
    return chr(0xE200 + place)


@pytest.mark.parametrize(
    ("form", "lemma", "case", "affixes"),
    [
        # nothing but the case
        ("dog", "dog", KEEP, NOTHING),
        ("DOG", "dog", LOWER, NOTHING),
        ("COMCAST", "Comcast", CAPITAL, NOTHING),
        ("iPHONE", "iphone", LOWER, NOTHING),
        ("nasa", "NASA", UPPER, NOTHING),
        ("Ⴀⴀ", "ⴀⴀ", LOWER, NOTHING),
        # an end, a beginning, both
        ("dogs", "dog", KEEP, (0, "", 1, "", "")),
        ("Running", "run", LOWER, (0, "", 4, "", "")),
        ("ungood", "good", KEEP, (2, "", 0, "", "")),
        ("untied", "tie", KEEP, (2, "", 1, "", "")),
        ("ab", "a", KEEP, (0, "", 1, "", "")),
        ("ab", "b", KEEP, (1, "", 0, "", "")),
        ("xabyab", "ab", KEEP, (1, "", 3, "", "")),
        ("xyzabcdef", "abcdefuvw", KEEP, (3, "", 0, "uvw", "")),
        ("vxabcy", "wabczq", KEEP, (2, "w", 1, "zq", "")),
        ("Ärzte", "Arzt", KEEP, (1, "A", 1, "", "")),
        ("aXbXc", "xbxc", LOWER, (1, "", 0, "", "")),
        ("ßa", "SSA", UPPER, (1, "SS", 0, "", "")),
        # nothing in common, or too little
        ("was", "be", KEEP, (0, "", 0, "", "be")),
        ("abcd", "axyz", KEEP, (0, "", 0, "", "axyz")),
        ("abcd", "abyz", KEEP, (0, "", 2, "yz", "")),
        ("ς", "σ", KEEP, (0, "", 0, "", "σ")),
        ("x", f"x{kept(1)}", KEEP, (0, "", 0, "", f"x{kept(1)}")),
        (f"x{acute(255)}", "x", KEEP, (0, "", 0, "", "x")),
        # characters within what is replaced that stay
        ("gegangen", "gehen", KEEP, (0, "", 6, f"h{kept(4, 5)}", "")),
        ("aufgestanden", "aufstehen", KEEP, (0, "", 9, f"{kept(2, 3)}eh{kept(7, 8)}", "")),
        ("abxab", "abyab", KEEP, (0, "", 3, f"y{kept(1, 2)}", "")),
        # accents that come and go
        ("ανθρώπων", "άνθρωπος", KEEP, (1, acute(0), 4, f"{plain(0)}{kept(1)}ος", "")),
        ("μετώπου", "μέτωπο", KEEP, (0, "", 6, f"{acute(0)}{kept(1)}{plain(2)}{kept(3, 4)}", "")),
        ("bréva", "brava", KEEP, (0, "", 3, f"a{kept(1, 2)}", "")),
        ("ÁB", "ab", LOWER, (1, plain(0), 0, "", "")),
        ("ea", "éa", KEEP, (1, acute(0), 0, "", "")),
        ("ΆΝΘΡΩΠΟΣ", "άνθρωπος", LOWER, (0, "", 1, "ς", "")),
        # longer affixes are replaced whole
        ("b" + "é" * 64, "b" + "e" * 64, KEEP, (0, "", 64, "".join(map(plain, range(64))), "")),
        ("b" * 65 + "é" * 65, "b" * 65 + "e" * 65, KEEP, (0, "", 65, "e" * 65, "")),
    ],
)
def test_the_rule(form: str, lemma: str, case: int, affixes: tuple[int, str, int, str, str]) -> None:
    rule = rule_for(form, lemma)
    assert (rule.case, tuple(rule.affixes)) == (case, affixes)
    assert apply(rule, form) == lemma


@pytest.mark.parametrize(
    ("affixes", "form", "lemma"),
    [
        ((1, "", 1, "", ""), "ab", "ab"),  # nothing would be left
        ((1, "", 1, "x", ""), "ab", "x"),
        ((1, "", 2, "x", ""), "ab", "ab"),  # the word is too short
        ((2, kept(1), 0, "", ""), "abc", "bc"),
        ((1, kept(1), 0, "", ""), "abc", f"{kept(1)}bc"),  # a mark of a character that is not there
        ((0, "", 2, acute(1), ""), "xab", "xb\u0301"),
        ((0, "", 2, acute(0), ""), "xab", "xá"),
        ((0, "", 1, plain(0), ""), "xá", "xa"),
        ((0, "", 1, plain(0), ""), "xà", "xà"),
    ],
)
def test_a_rule_of_one_word_for_others(affixes: tuple[int, str, int, str, str], form: str, lemma: str) -> None:
    lemmatizer = Lemmatizer([(*affixes, True)], array("Q"), array("H"), Perceptron(1, 5))
    rule = rule_for("a", "a")._replace(affixes=Affixes(*affixes))
    expected = lemma if lemma != "xb\u0301" else "xb"  # there is no such letter
    assert apply(rule, form) == lemmatizer.lemma(form, KEEP, 0) == expected


@pytest.mark.parametrize("seed", range(5))
def test_compiled_rules_do_the_same_on_a_few_words(seed: int) -> None:
    random = Random(seed)
    words = ["".join(random.choices(LETTERS, k=random.randint(1, 7))) for _ in range(60)]
    for form, lemma, other in zip(words, words[20:], words[40:], strict=False):
        rule = rule_for(form, lemma)
        lemmatizer = Lemmatizer([(*rule.affixes, True)], array("Q"), array("H"), Perceptron(1, 5))
        assert apply(rule, form) == lemma == lemmatizer.lemma(form, rule.case, 0)
        for case in (KEEP, LOWER, CAPITAL, UPPER):
            assert apply(rule._replace(case=case), other) == lemmatizer.lemma(other, case, 0)
