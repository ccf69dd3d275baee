"""Tokens that training has not seen, split by a model that judges every rule that fits."""

from __future__ import annotations

import random

import pytest
from treewright.kinds.tokenizer.boundaries.boundaries import CELL_COUNT, SPAN_COUNT, BoundaryModel
from treewright.kinds.tokenizer.multiwords.multiword_guesses import applied
from treewright.kinds.tokenizer.multiwords.multiwords import MultiwordTable
from treewright.learners.perceptron import Perceptron
from treewright.treebank.blocks.block import Block

from tests.kinds.tokenizer.test_multiwords import split
from treewright.errors import ModelFileError
from treewright.kinds.tokenizer.multiwords import multiword_candidates
from treewright.kinds.tokenizer.multiwords.multiword_candidates import with_guesses
from treewright.kinds.tokenizer.multiwords.multiword_rules import multiword_settings
from treewright.kinds.tokenizer.raw_text import SurfaceSentence, SurfaceToken, surface_sentences
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.kinds.tokenizer.training import train_tokenizer
from treewright.treebank.formats.conllu import CONLLU

CONSONANTS, VOWELS = "bdfgklmnprst", "aeiou"


def word(rng: random.Random, last: str) -> str:
    return "".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(2)) + rng.choice(last)


def made_treebank(rng: random.Random, sentences: int) -> Block:
    """Return sentences in which *ki* is a word of its own after n and r, and the end of a word after other letters."""
    text = []
    for _ in range(sentences):
        lines, number = [], 1
        for _ in range(4):
            stem, split = (word(rng, "nr"), True) if rng.random() < 0.5 else (word(rng, "bdgt"), False)
            parts = (stem, "ki") if split else (stem + "ki",)
            if split:
                lines.append(f"{number}-{number + 1}\t{stem}ki" + "\t_" * 8)
            for part in parts:
                lines.append(f"{number}\t{part}\t_\tX\t_\t_\t{number - 1}\tdep\t_\t_")
                number += 1
        lines.append(f"{number}\t.\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_")
        text.append("\n".join(lines) + "\n\n")
    return Block("".join(text).encode(), CONLLU, "made")


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer([made_treebank(random.Random(1), 120)], TokenizerRecipe(seeds=1, iterations=5))


def words_of(tokenizer: Tokenizer, text: str) -> list[tuple[str, ...]]:
    block = Block(tokenizer.tokenize(text), CONLLU, "made")
    return [token.words for sentence in surface_sentences([block]) for token in sentence.tokens]


def test_the_letters_before_an_ending_decide(tokenizer: Tokenizer) -> None:
    rng = random.Random(7)
    right = total = 0
    for _ in range(50):
        split, whole = word(rng, "nr"), word(rng, "bdgt")
        found = words_of(tokenizer, f"{split}ki {whole}ki .")
        right += (found[0] == (split, "ki")) + (found[1] == (whole + "ki",))
        total += 2
    assert right > 0.95 * total


def test_what_has_no_weights_is_not_split(tokenizer: Tokenizer) -> None:
    settings = {"longest": 99, "marks": 0, "spaces_inside": False, "words": {}, "alphabet": ""}
    tables = {"usual": "?" * CELL_COUNT, "spans": "?" * SPAN_COUNT}
    model = BoundaryModel(Perceptron(3, 0), {**settings, **tables})
    for weights, expected in ((tokenizer.model, ["zuzun", "ki"]), (model, ["zuzunki"])):
        assert split(MultiwordTable(tokenizer.settings["multiwords"], weights), "zuzunki") == [expected]


def test_case_is_kept(tokenizer: Tokenizer) -> None:
    assert words_of(tokenizer, "Zuzunki .")[0] == ("Zuzun", "ki")


def test_splits_of_earlier_models_are_as_before(tokenizer: Tokenizer) -> None:
    """A table without a model follows its rules, as it did."""
    tokens = [SurfaceToken(form, words, True) for form, words in (("anki", ("an", "ki")), ("orki", ("or", "ki")))]
    settings = multiword_settings([SurfaceSentence(tokens)])
    assert MultiwordTable(settings).guesser is None
    assert MultiwordTable(settings, tokenizer.model).guesser is None


def test_damaged_rules_are_rejected(tokenizer: Tokenizer) -> None:
    model: BoundaryModel = tokenizer.model
    for number in (0, 999):
        settings = {**tokenizer.settings["multiwords"], "guesses": {"endings": {"ki": [number]}, "beginnings": {}}}
        with pytest.raises(ModelFileError, match="multiword tokens are invalid"):
            MultiwordTable(settings, model)


def test_rules_of_few_forms_are_left_out() -> None:
    tokens = [SurfaceToken("anki", ("an", "ki"), True), SurfaceToken("elso", ("el", "so"), True)]
    tokens += [SurfaceToken("orki", ("or", "ki"), True), SurfaceToken("enki", ("enki",), True)] * 2
    sentences = [SurfaceSentence(tokens)]
    found = with_guesses(multiword_settings(sentences), sentences)
    assert list(found["guesses"]["endings"]) == ["ki"]
    assert found["forms"]["enki"] == 0  # known as one word, though the rule would fit


def test_a_rule_that_few_of_many_forms_follow_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    split = [SurfaceToken(f"{stem}ki", (stem, "ki"), True) for stem in ("an", "or")]
    whole = [SurfaceToken(f"{stem}ki", (f"{stem}ki",), True) for stem in ("el", "en", "ir")]
    for n_whole, share, kept in ((2, 0.5, ["ki"]), (3, 0.5, []), (3, 0.4, ["ki"])):
        monkeypatch.setattr(multiword_candidates, "LEAST_SHARE", share)
        sentences = [SurfaceSentence([*split, *whole[:n_whole]])]
        assert list(with_guesses(multiword_settings(sentences), sentences)["guesses"]["endings"]) == kept


def test_going_on_keeps_the_rules(tokenizer: Tokenizer) -> None:
    old = tokenizer.settings["multiwords"]
    sentences = [SurfaceSentence([SurfaceToken("a", ("a",), True)])]
    found = with_guesses(multiword_settings(sentences, old), sentences, old)
    (number,) = found["guesses"]["endings"]["ki"]
    assert applied("anki", found["splits"][number]) == ["an", "ki"]
