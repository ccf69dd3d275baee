"""Treebanks whose script writes no full stop: words decide where sentences end, with spaces between phrases or none."""

from __future__ import annotations

import random
from functools import cache

import pytest
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.boundaries.lines import LineStyle
from treewright.treebank.blocks.block import Block

from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.kinds.tokenizer.training import train_tokenizer
from treewright.treebank.formats.conllu import CONLLU

WORDS = ["中文", "好字", "文好", "本山", "水火", "大小", "天地", "人心"]
LAST = {"完了", "来吧"}  # words that end sentences, and stand nowhere else


def treebank(sentences: int, seed: int, spaces: float, after: bool) -> Block:
    """Return sentences without punctuation: some words have a space after them, and sentences if ``after``."""
    chance = random.Random(seed)
    lines = []
    for _ in range(sentences):
        forms = [*chance.choices(WORDS, k=chance.randint(3, 7)), chance.choice(sorted(LAST))]
        for number, form in enumerate(forms, 1):
            space = after if number == len(forms) else chance.random() < spaces
            columns = str(number), form, *"____", str(number - 1), "dep", "_", "_" if space else "SpaceAfter=No"
            lines.append("\t".join(columns))
        lines.append("")
    return Block(("\n".join(lines) + "\n").encode(), CONLLU, "t")


@cache
def tokenizer(spaces: float, after: bool) -> Tokenizer:
    return train_tokenizer([treebank(160, 1, spaces, after)], TokenizerRecipe(iterations=5, seeds=1))


@pytest.mark.parametrize(("spaces", "after"), [(0.3, True), (0.0, False)])
def test_words_tell_where_sentences_end(spaces: float, after: bool) -> None:
    """Nothing but these words does: there are 60 sentences, of which 54 must be found, and hardly any other."""
    found = tokenizer(spaces, after).tokenize(raw_text([treebank(60, 2, spaces, after)])).decode()
    sentences = [
        [row.split("\t")[1] for row in sentence.split("\n") if row[:1].isdigit()]
        for sentence in found.removesuffix("\n\n").split("\n\n")
    ]
    right = sum(forms[-1] in LAST and LAST.isdisjoint(forms[:-1]) for forms in sentences)
    assert right >= 54
    assert len(sentences) <= 66


@pytest.mark.parametrize("newlines", ["auto", "paragraph", "ignore"])
@pytest.mark.parametrize("hyphen", ["-", "\u2010"])
def test_no_sentence_ends_after_a_hyphen_at_the_end_of_a_line(newlines: str, hyphen: str) -> None:
    text = f"This one is hy{hyphen}\nPhenated over lines."
    characters = Characters(text.encode())
    style = LineStyle("sentence", guessed=True) if newlines == "auto" else LineStyle(newlines)
    style.mark(characters)
    assert dict(characters.space_kinds())[15] == "\t"  # goes on
