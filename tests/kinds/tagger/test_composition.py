"""Tags that the treebank lacks, made of the attributes of those that it has."""

from __future__ import annotations

from itertools import product

import pytest
from treewright.treebank.blocks.block import Block

from tests.through_a_file import again
from treewright.kinds.tagger.composition import LEAST_NEIGHBOURS, composed_tags
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.training import train_tagger
from treewright.treebank.formats.conllu import CONLLU

CASES, NUMBERS = ("Acc", "Dat", "Nom"), ("Plur", "Sing")


def tag(case: str, number: str, upos: str = "NOUN") -> tuple[str, str, str]:
    return upos, "_", f"Case={case}|Number={number}"


def reference(seen: set[tuple[str, str, str]]) -> set[tuple[str, str, str]]:
    """Every combination of values seen with a UPOS that differs in one value from enough tags of it."""
    made = set()
    for upos in {each[0] for each in seen}:
        bundles = [tuple(feats.split("|")) for pos, _, feats in seen if pos == upos]
        for new in product(*map(set, zip(*bundles, strict=True))):
            near = sum(sum(a != b for a, b in zip(new, old, strict=True)) == 1 for old in bundles)
            if new not in bundles and near >= LEAST_NEIGHBOURS:
                made.add((upos, "_", "|".join(new)))
    return made


def test_what_is_missing_in_a_paradigm_is_made() -> None:
    every = [tag(case, number) for case, number in product(CASES, NUMBERS)]
    for missing in every:
        assert composed_tags(each for each in every if each != missing) == [missing]
    assert composed_tags(every) == []


@pytest.mark.parametrize("left_out", range(6))
def test_all_combinations_that_resemble_enough_tags(left_out: int) -> None:
    every = [tag(case, number, upos) for upos in ("NOUN", "ADJ") for case, number in product(CASES, NUMBERS)]
    seen = {each for place, each in enumerate(every) if place % 6 not in (left_out, (left_out + 3) % 6)}
    assert set(composed_tags(seen)) == reference(seen)


def test_other_attributes_and_empty_feats_make_nothing() -> None:
    assert composed_tags([("X", "_", "_"), ("X", "_", "A=1"), ("X", "_", "B=2")]) == []


def test_a_tagger_finds_a_tag_that_it_never_saw() -> None:
    """The ending tells the case, the beginning the number; the singular of the dative is missing."""
    endings, beginnings = {"Acc": "n", "Dat": "d", "Nom": "k"}, {"Plur": "va", "Sing": "jo"}
    stems = [a + b + c + b for a in "bfgk" for b in "eiu" for c in "lmrs"]
    rows = [
        f"1\t{beginnings[number]}{stem}{endings[case]}\t_\tNOUN\t_\tCase={case}|Number={number}\t0\troot\t_\t_\n\n"
        for stem in stems
        for case, number in product(CASES, NUMBERS)
        if (case, number) != ("Dat", "Sing")
    ]
    train = Block("".join(rows).encode(), CONLLU, "made")
    new = Block("".join(f"1\tjo{stem}d\t_\t_\t_\t_\t0\troot\t_\t_\n\n" for stem in stems).encode(), CONLLU, "new")
    found = {}
    for compose in (False, True):
        tagger = train_tagger([train], TaggerRecipe(compose=compose, seeds=1))
        tagged = tagger.tagged(new)
        found[compose] = sum(tagged.value(word, 5) == b"Case=Dat|Number=Sing" for word in range(new.n_words))
        assert again(tagger).composed == tagger.composed
        assert bool(tagger.composed) == compose
    assert found[False] == 0
    assert found[True] > 5, "the attributes alone must be able to win"
