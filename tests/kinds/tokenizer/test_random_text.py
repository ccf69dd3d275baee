"""What benchmarks/random_text.py does with a million texts, with a few hundred."""

from __future__ import annotations

import random
from functools import partial

import pytest

from tests.kinds.tokenizer.test_tokenizer import toy_tokenizer, unspaced_tokenizer
from tests.outside import module_at
from treewright.kinds.tokenizer.restoring import restored_text, unescaped
from treewright.kinds.tokenizer.tokenizer import Tokenizer


def split(tokenizer: Tokenizer, newlines: str, text: str) -> str:
    return tokenizer.tokenize(text, newlines=newlines).decode()


def test_random_text_is_not_lost() -> None:
    script = module_at("benchmarks/random_text.py")
    chance = random.Random(7)
    for _ in range(400):
        text = script.random_text(chance)
        for tokenizer in (toy_tokenizer(), unspaced_tokenizer()):
            assert script.lost(partial(split, tokenizer, "auto"), text) is None
            assert script.lost(partial(split, tokenizer, "ignore"), text) is None
    assert script.lost(lambda text: "", "word") == "no sentences"
    assert script.lost(lambda text: "1\tw" + "\t_" * 8 + "\n\n", "word") is not None


@pytest.mark.parametrize(
    ("value", "text"), [(r"\s\n", " \n"), (r"\u2028", "\u2028"), (r"a\p\\b", "a|\\b"), ("\xa0", "\xa0")]
)
def test_escapes_of_spaces(value: str, text: str) -> None:
    assert unescaped(value) == text


def test_words_of_a_multiword_token_are_not_counted_twice() -> None:
    columns = "\t_" * 7 + "\t"
    rows = [
        f"1-2\tdu{columns}SpacesAfter=\\s\\s",
        f"1\tde{columns}_",
        f"1.1\tghost{columns}_",
        f"2\tle{columns}_",
        f"3\tvin{columns}SpaceAfter=No",
    ]
    assert restored_text("\n".join(rows) + "\n\n") == "du  vin"
