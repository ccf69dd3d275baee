"""Text that the treebank says nothing of: other scripts, pictures, addresses, initials, quotes."""

from __future__ import annotations

from functools import cache

import pytest
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.boundaries.lines import lacking_marks
from treewright.treebank.blocks.block import Block

from tests.kinds.tokenizer.test_tokenizer import rows, toy_tokenizer
from tests.toy import TRAIN
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tagger.training import train_tagger
from treewright.kinds.tokenizer.augmentation import initialled
from treewright.kinds.tokenizer.raw_text import label, surface_sentences
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.restoring import restored_text
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.kinds.tokenizer.training import train_tokenizer
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU


def sentences_of(tokenizer: Tokenizer, text: str) -> list[list[str]]:
    """Return the tokens of each sentence; the text must come back."""
    made = tokenizer.tokenize(text).decode()
    assert restored_text(made) == text
    return [[row[1] for row in rows(part.encode())] for part in made.split("\n\n") if part]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The girl saw 👨‍👩‍👧‍👦.", "The girl saw 👨‍👩‍👧‍👦 ."),
        ("The girl saw 🇩🇪🇫🇷.", "The girl saw 🇩🇪 🇫🇷 ."),
        ("The girl👍🏽 saw it.", "The girl 👍🏽 saw it ."),
        ("The girl saw j.doe+x@mail.example.org.", "The girl saw j.doe+x@mail.example.org ."),
        ("The girl saw שלום.", "The girl saw שלום ."),
        ("The girl saw ภาษาไทย.", "The girl saw ภาษาไทย ."),
        ("The girl saw 中文字.", "The girl saw 中文字 ."),
    ],
)
def test_what_the_treebank_lacks_is_cut_as_a_reader_would(text: str, expected: str) -> None:
    assert [token for sentence in sentences_of(toy_tokenizer(), text) for token in sentence] == expected.split()


def test_initials_are_one_token_and_end_no_sentence() -> None:
    tokenizer = train_tokenizer([names()], TokenizerRecipe(iterations=6, seeds=1))
    text = "We saw Q.X. near the river. We saw Z. Bodo near the river."
    assert sentences_of(tokenizer, text) == [
        ["We", "saw", "Q.X.", "near", "the", "river", "."],
        ["We", "saw", "Z.", "Bodo", "near", "the", "river", "."],
    ]


def names() -> Block:
    """Return sentences with names and without initials."""
    made = []
    for number in range(240):
        name = ("Anna", "Bodo", "Clara", "Dora", "Emil")[number % 5]
        place = ("river", "house", "wood", "lake")[number % 4]
        forms = [*("We", "saw", name, "near", "the", place), "."]
        made.extend(
            f"{k}\t{form}\t_\tX\t_\t_\t0\troot\t_\t{'SpaceAfter=No' if form == place else '_'}"
            for k, form in enumerate(forms, 1)
        )
        made.append("")
    return Block(("\n".join(made) + "\n").encode(), CONLLU, "names")


def test_sentences_with_initials_keep_their_labels() -> None:
    import random

    made = list(initialled(list(surface_sentences([names()])), random.Random(1)))
    assert len(made) > 4
    for with_initials, after in zip(made[::2], made[1::2], strict=True):
        assert any(token.form.endswith(".") and len(token.form) > 1 for token in with_initials.tokens)
        assert after.starts_paragraph is False
        found = label(with_initials)
        assert found.text
        assert sum(1 for value in found.labels if value) == len(with_initials.tokens)


@cache
def toy_tagger() -> Tagger:
    return train_tagger(read_blocks(TRAIN), TaggerRecipe(iterations=4, seeds=1))


@pytest.mark.parametrize("form", ["»", "「", "„", "⸘", "👩‍🚀", "∀", "₿"])
def test_unknown_signs_are_punctuation_or_symbols(form: str) -> None:
    line = "1\tThe\t_\t_\t_\t_\t_\t_\t_\t_\n2\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n3\tgirl\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    tagged = toy_tagger().tagged(Block(line.format(form).encode(), CONLLU, "t"))
    assert tagged.value(1, tagged.layout.upos) in (b"PUNCT", b"SYM")


def chinese() -> Block:
    """Return sentences of a language without spaces; two words begin them, two end them."""
    made = []
    for number in range(160):
        forms = ["我你"[number % 2], "看见", "山水火木土石"[number % 6], "了好"[number // 2 % 2], "。"]
        made.extend(f"{k}\t{form}\t_\tX\t_\t_\t0\troot\t_\tSpaceAfter=No" for k, form in enumerate(forms, 1))
        made.append("")
    return Block(("\n".join(made) + "\n").encode(), CONLLU, "chinese")


def test_text_without_spaces_and_punctuation_is_split() -> None:
    tokenizer = train_tokenizer([chinese()], TokenizerRecipe(iterations=6, seeds=1))
    parts = [f"{'我你'[k % 2]}看见{'山水火木'[k % 4]}{'了好'[k % 2]}" for k in range(30)]
    for between in (" ", ""):
        text = between.join(parts)
        assert lacking_marks(Characters(text.encode())) == (2 if between else 3)
        found = ["".join(sentence) for sentence in sentences_of(tokenizer, text)]
        assert len(set(found) & set(parts)) >= 4
        assert found == parts
    assert lacking_marks(Characters(("".join(parts) + "。，" * 4).encode())) == 0
