"""Normal form: what is composed, what is left out, and that nothing else is touched."""

from __future__ import annotations

import sys
import unicodedata
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.normal_form import in_normal_form

from treewright.treebank.blocks.normal_text import normal_form, normal_lines, rewritten
from treewright.treebank.formats.conllu import CONLLU

UNSEEN = "\u00ad\u200b\u200e\u200f\u202a\u2060\ufeff"
#: words that compose in different ways: Latin, Vietnamese, Greek, Hangul, Hebrew, Arabic, Devanagari, Bengali
WORDS = (
    "Zürich",
    "Łódź",
    "Nguyễn",
    "Ἀθῆναι",
    "ᾧ",
    "한국어",
    "שָׁלוֹם",
    "مُحَمَّد",
    "हिन्दी",
    "क़लम",
    "বাংলা",
    "Å",
    "ﬁn",
    "e\u0323\u0302",
)
FORMS = ("NFC", "NFD")
LETTERS = st.text(
    st.sampled_from("aeouyzAEOȷαωιηήשלוםבךﭏ\u05b0\u05c1\u05bcᄀ가ᅡᆨ각कड़\u093c\u094dабع\u0651\u064e")
    | st.characters(min_codepoint=0x300, max_codepoint=0x36F)
    | st.sampled_from("\u0323\u0302\u031b\u0345\u0342\u200c\u200d\u0344")
    | st.sampled_from(UNSEEN),
    max_size=12,
)


def seen(text: str) -> str:
    """Return a text without what nobody sees; joiners are not looked at here."""
    return "".join(character for character in text if character not in UNSEEN)


def test_all_compositions_of_unicode() -> None:
    """Each character that NFC changes or composes is found, in the company that it composes in."""
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if 0xD800 <= code < 0xE000 or unicodedata.category(character) == "Cn":
            continue
        apart = unicodedata.normalize("NFD", character)
        together = unicodedata.normalize("NFC", character)
        for given_text in {character, apart}:
            if given_text != together:
                assert not in_normal_form(given_text.encode()), hex(code)
        if apart != character:
            assert normal_form(f"x{apart}") == unicodedata.normalize("NFC", f"x{apart}"), hex(code)


@pytest.mark.parametrize("word", WORDS)
def test_words_look_alike_however_they_are_written(word: str) -> None:
    composed = unicodedata.normalize("NFC", word)
    for form in FORMS:
        assert normal_form(unicodedata.normalize(form, word)) == composed
    assert normal_form("\u2060".join(unicodedata.normalize("NFD", word))) == composed


@given(LETTERS)
def test_random_words(word: str) -> None:
    plain = word.replace("\u200c", "").replace("\u200d", "")
    assert normal_form(plain) == unicodedata.normalize("NFC", seen(plain) or plain)
    assert normal_form(normal_form(word)) == normal_form(word)
    assert normal_form(unicodedata.normalize("NFD", word)) == normal_form(word)
    if in_normal_form(word.encode()):
        assert normal_form(word) == word == unicodedata.normalize("NFC", word)


@pytest.mark.parametrize(
    ("word", "normal"),
    [
        ("Schiff\u00adfahrt", "Schifffahrt"),
        ("a\u200db", "ab"),
        ("\u200dab", "ab"),
        ("می\u200cشود", "می\u200cشود"),  # here it says that two letters are not joined
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("क्\u200dष", "क्\u200dष"),
        ("\u200b", "\u200b"),  # there is nothing else
        ("plain", "plain"),
    ],
)
def test_what_nobody_sees_is_left_out(word: str, normal: str) -> None:
    assert normal_form(word) == normal


def test_lines_keep_their_columns() -> None:
    assert normal_lines("1\tu\u0308\t\u200b\n\n") == "1\tü\t\u200b\n\n"
    assert normal_lines("1\ta\n") == "1\ta\n"


@pytest.mark.parametrize(
    ("text", "normal", "changes"),
    [
        ("plain", "plain", []),
        ("u\u0308bt", "übt", [(0, 3, 2)]),
        ("so u\u0308bt o\u0308", "so übt ö", [(3, 3, 2), (3, 3, 2)]),
        ("\ufeffNo", " No", [(0, 3, 1)]),
        ("a\u200bb", "a b", [(1, 3, 1)]),
        ("cafe\u0301\u200e no", "café  no", [(3, 3, 2), (0, 3, 1)]),
        ("a \u200eb", "a b", [(1, 4, 1)]),
        ("a\u00adb", "ab", [(0, 3, 1)]),
        ("end.\u200f", "end. ", [(4, 3, 1)]),
    ],
)
def test_raw_text_knows_where_it_was_changed(text: str, normal: str, changes: list[tuple[int, ...]]) -> None:
    found, places = rewritten(text.encode())
    assert found.decode() == normal
    assert places == array("i", [number for change in changes for number in change])


def test_a_block_in_normal_form_is_itself() -> None:
    block = Block("1\tça\tçà\t_\t_\t_\t0\troot\t_\tu\u0308\n\n".encode(), CONLLU)
    assert block.normal is block
    assert Block(b"", CONLLU).normal.n_words == 0


def test_a_block_has_forms_and_lemmas_in_normal_form() -> None:
    text = "# text = u\u0308 a\n1\tu\u0308\tu\u0308\t_\tu\u0308\t_\t0\troot\t_\tu\u0308\n"
    text += "2\ta\u00ad\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
    block = Block(text.encode(), CONLLU, "file", 7)
    normal = block.normal
    assert normal is block.normal
    assert block.data == text.encode()
    assert [normal.value(0, column).decode() for column in range(10)] == [
        *("1", "ü", "ü", "_", "u\u0308", "_", "0", "root", "_", "u\u0308")
    ]
    assert normal.value(1, CONLLU.form) == b"a"
    assert (normal.source, normal.first_line) == ("file", 7)


def test_bytes_that_are_no_utf8_stay() -> None:
    data = b"1\t\xff\xcc\t\xe2\x80\t_\t_\t_\t0\troot\t_\t_\n\n"
    assert Block(data, CONLLU).normal.data == data
