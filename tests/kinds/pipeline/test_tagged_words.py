"""What a treebank says of its tags: numbers, counts, classes of words, and where sentences begin."""

from __future__ import annotations

from array import array

from treewright.kinds.tagger.tags import code_of
from treewright.kinds.tagger.words import lower_key
from treewright.treebank.blocks.block import Block, Layout

from treewright.kinds.tagger.composition import composed_tags
from treewright.kinds.tagger.corpus import (
    CLOSED_FROM,
    build_lexicon,
    form_counts,
    open_tags,
    read_words,
    sentence_starts,
)
from treewright.treebank.formats.conllu import CONLLU


def block_of(*sentences: str, source: str = "made") -> Block:
    """Return a block of sentences of words like `dog/NOUN/NN/Number=Sing`; what is left out is `_`."""
    text = ""
    for sentence in sentences:
        for number, word in enumerate(sentence.split(), 1):
            form, upos, xpos, feats, *_ = [*word.split("/"), "_", "_", "_"]
            text += f"{number}\t{form}\t_\t{upos}\t{xpos}\t{feats}\t_\t_\t_\t_\n"
        text += "\n"
    return Block(text.encode(), CONLLU, source)


def test_forms_and_tags_get_their_numbers_in_order() -> None:
    words = read_words([block_of("a/X b/Y/y a/X"), block_of("b/Y a/X", "a/Y/y/F=1")])
    assert words.forms == ["a", "b"]
    assert list(words.form_of) == [0, 1, 0, 1, 0, 0]
    assert words.tags == [("X", "_", "_"), ("Y", "y", "_"), ("Y", "_", "_"), ("Y", "y", "F=1")]
    assert list(words.tag_of) == [0, 1, 0, 2, 0, 3]


def test_tags_of_a_tagger_to_go_on_from_keep_their_numbers() -> None:
    old = [("Z", "_", "_"), ("X", "_", "_")]
    words = read_words([block_of("a/Y a/X")], old)
    assert words.tags == [*old, ("Y", "_", "_")]
    assert list(words.tag_of) == [2, 1]


def test_a_column_that_is_missing_is_empty_and_one_may_be_the_first() -> None:
    block = Block(b"X\ta\nY\tb\n\n", Layout("two", ("UPOS", "FORM")), "two")
    words = read_words([block])
    assert words.tags == [("X", "_", "_"), ("Y", "_", "_")]
    assert words.forms == ["a", "b"]


def lexicon_of(*sentences: str):
    words = read_words([block_of(*sentences)])
    lexicon = build_lexicon(words)
    names = [words.tags[tag][0] for tag in lexicon.class_tags]
    classes = {}
    for form in {form.lower() for form in words.forms}:
        key = lower_key(form.encode())
        if key in list(lexicon.keys):
            number = lexicon.classes[list(lexicon.keys).index(key)]
            tags = names[lexicon.class_start[number] : lexicon.class_start[number + 1]]
            classes[form] = (" ".join(tags), bool(lexicon.closed[number]))
    return lexicon, classes


def test_a_word_is_counted_in_lower_case_and_lists_the_tags_that_it_had_twice() -> None:
    _, classes = lexicon_of("The/D the/D go/V go/N Go/N go/N GO/V so/A", "one/X one/Y")
    assert classes == {"the": ("D", False), "go": ("N V", False)}


def test_a_word_seen_often_enough_has_the_tags_that_it_was_seen_with_and_no_others() -> None:
    for times in (CLOSED_FROM - 1, CLOSED_FROM):
        _, classes = lexicon_of("rare/R", "to/P " * (times - 1) + "to/Q")
        assert classes == {"to": ("P Q", True) if times == CLOSED_FROM else ("P", False)}


def test_a_class_has_the_code_of_its_coarse_tags() -> None:
    """Words with the same tags share a class; what follows UPOS and XPOS does not count."""
    lexicon, classes = lexicon_of("a/N/n/F=1 a/N/n/F=1 a/V/v a/V/v a/N/n/F=2 a/N/n/F=2 b/A/a b/A/a")
    assert classes == {"a": ("N V N", False), "b": ("A", False)}
    codes = {lexicon.class_codes[number] for number in range(len(lexicon.class_codes))}
    assert codes == {code_of("N\tn\nV\tv"), code_of("A\ta")}


def test_open_tags_are_all_that_were_seen_and_those_of_before() -> None:
    words = read_words([block_of("a/X b/Y c/Z")])
    assert list(open_tags(words)) == [0, 1, 2]
    assert list(open_tags(words, [7, 1])) == [0, 1, 2, 7]


def test_forms_are_counted_in_any_case() -> None:
    words = read_words([block_of("Straße/N strasse/N STRASSE/N"), block_of("straße/N a/X")])
    assert list(form_counts(words, words)) == [2, 2, 2, 2, 1]
    assert list(form_counts(words, read_words([block_of("strasse/N b/X")]))) == [0, 1, 1, 0, 0]


def test_sentences_begin_where_those_before_end_in_all_blocks() -> None:
    blocks = [block_of("a/X a/X", "a/X"), block_of("a/X a/X a/X", "a/X"), block_of("a/X")]
    assert sentence_starts(blocks) == array("i", [0, 2, 3, 6, 7, 8])


def test_composed_tags_have_the_xpos_of_the_first_that_they_resemble() -> None:
    """They resemble two tags at least, in all values but one; those that resemble most come first."""
    square = [("A=1|B=1", "p"), ("A=1|B=2", "q"), ("A=2|B=1", "r")]
    nouns = [("NOUN", xpos, feats) for feats, xpos in square]
    verbs = [("VERB", xpos * 2, feats) for feats, xpos in square]
    assert composed_tags([*nouns, *verbs]) == [("NOUN", "q", "A=2|B=2"), ("VERB", "qq", "A=2|B=2")]
    assert composed_tags([*nouns[:2], ("NOUN", "r", "A=2|C=1")]) == []
    assert composed_tags([("X", "_", "A=1|B=1|C=1"), ("X", "_", "A=2|B=2|C=2")]) == []
    wide = [("ADJ", "_", f"A={a}|B={b}") for a in "123" for b in "123" if (a, b) not in (("3", "3"), ("2", "2"))]
    more = [("ZZZ", "_", feats) for _, _, feats in wide if not feats.startswith("A=3")]
    assert composed_tags([*more, *wide]) == [
        ("ADJ", "_", "A=2|B=2"),
        ("ADJ", "_", "A=3|B=3"),
        ("ZZZ", "_", "A=2|B=2"),
    ]
    three = [("X", "_", f"A={a}|B={b}|C={c}") for a in "12" for b in "12" for c in "12" if (a, b, c) != ("2", "2", "2")]
    assert composed_tags(three) == [("X", "_", "A=2|B=2|C=2")]
