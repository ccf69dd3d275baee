"""Words as numbers: the pieces of forms are hashed as a plain reference does it."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.kinds.network.inputs.numbering import looked_up, texts_of_rows, with_values
from treewright.treebank.blocks.block import Block, Layout

from tests.toy import DEV
from treewright.errors import ModelFileError
from treewright.kinds.network.inputs import remembered as remembered_module
from treewright.kinds.network.inputs.remembered import Remembered
from treewright.kinds.network.inputs.vocabulary import OF_TREEBANK, ROOT, UNKNOWN, Vocabulary, ngrams, shape
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU


def hashed(text: str) -> int:
    value = 0x811C9DC5
    for byte in text.encode("utf-8"):
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), st.integers(1, 1 << 20))
def test_pieces_are_those_of_a_plain_reference(form: str, buckets: int) -> None:
    text = f"<{form.lower()}>"
    pieces = [text[start : start + size] for size in range(2, 6) for start in range(len(text) - size + 1)]
    expected = sorted(hashed(piece) % buckets for piece in [*pieces, f"\0{shape(form)}"])
    assert sorted(array("i", ngrams(form, buckets))) == expected


def test_shapes() -> None:
    assert [shape(form) for form in ("Paris", "USA", "iPhone7", "3,14", "")] == ["Aa", "A", "aAa0", "0.0", ""]


def test_numbers_of_a_block() -> None:
    block = next(iter(read_blocks(DEV)))
    vocabulary = Vocabulary.of([block], 2, 97)
    numbers = vocabulary.numbers(block, 1, 4, OF_TREEBANK)
    assert list(numbers.lengths) == [len(block.words_of(sentence)) + 1 for sentence in range(1, 4)]
    row = 0
    for sentence in range(1, 4):
        for step, word in enumerate([None, *block.words_of(sentence)]):
            form = "" if word is None else block.value(word, block.layout.form).decode().lower()
            known = vocabulary.lists["words"]
            expected = ROOT if word is None else known.index(form) + 2 if form in known else UNKNOWN
            assert numbers.single["words"][row] == expected, step
            ids, starts = numbers.bags["feats"]
            own = ids[starts[row] : starts[row + 1]]
            feats = b"_" if word is None else block.value(word, block.layout.feats)
            assert len(own) == (0 if feats == b"_" else feats.count(b"|") + 1)
            row += 1
    assert row == sum(numbers.lengths)


def test_numbers_are_looked_up_in_a_table() -> None:
    table = array("i", [7, -1, 5])
    assert looked_up(array("i", [2, 0, -1, 1, -9]), table).tolist() == [5, 7, -1, -1, -1]
    with pytest.raises(IndexError, match="entry 3 of 3"):
        looked_up(array("i", [0, 3]), table)


def test_columns_are_replaced_by_values_and_rows_by_texts() -> None:
    block = Block(b"# c\n1\ta\tA\tX\t_\t_\t0\troot\t_\t_\n2\tb\tB\tY\t_\t_\t1\tdep\t_\t_\n\n", CONLLU)
    asked = []

    def name(row: bytes) -> bytes:
        asked.append(array("i", row).tolist())
        return str(sum(asked[-1])).encode()

    known = Remembered(name)
    known[array("i", [1, 2]).tobytes()] = b"known"
    texts = texts_of_rows([array("i", [1, 3]), array("i", [2, 4])], known)
    assert (texts, asked) == ([b"known", b"7"], [[3, 4]])
    places = [block.layout.index("LEMMA"), block.layout.index("FEATS")]
    text = with_values(block, [(places[0], [b"", b"long"]), (places[1], texts)])
    assert text == b"# c\n1\ta\t\tX\t_\tknown\t0\troot\t_\t_\n2\tb\tlong\tY\t_\t7\t1\tdep\t_\t_\n\n"
    assert with_values(block, []) == block.data
    with pytest.raises(IndexError, match="a value for every word"):
        with_values(block, [(places[0], [b"one"])])
    with pytest.raises(IndexError, match="different lengths"):
        texts_of_rows([array("i", [1, 3]), array("i", [2])], Remembered(name))


TEXT = (
    b"1\tThe\tthe\tDET\tDT\tA=1|B=2\t0\troot\t_\t_\n"
    b"2\t_\t_\t_\t_\t_\t1\tdep\t_\t_\n"
    b"3\tthe\tThe\tdet\tDT\tB=2\t1\tdep\t_\t_\n"
    b"4\tS\xff\ts\xff\tX\tDT\t_\t1\tdep\t_\t_\n\n"
)
LISTS: dict[str, list[str]] = {
    "words": ["the", "_", "s\ufffd"],
    "lemmas": ["the", "s\ufffd"],
    "upos": ["DET", "det", "X"],
    "xpos": ["DT"],
    "feats": ["B=2", "A=1"],
}


def test_what_a_treebank_gives_to_know() -> None:
    block = Block(TEXT, CONLLU)
    known = Vocabulary.of([block], 1, 50, None, ["a", "b"])
    assert known.lists == {**LISTS, "clusters": [], "vectors": ["a", "b"]}
    assert Vocabulary.of([block], 2, 50).lists["words"] == Vocabulary.of([block], 2, 50).lists["lemmas"] == ["the"]
    assert Vocabulary.of([block], 2, 50).lists["upos"] == ["DET", "det", "X"]  # tags are not counted
    sizes = {"words": 5, "ngrams": 50, "lemmas": 4, "upos": 5, "xpos": 3, "feats": 4, "clusters": 2, "vectors": 4}
    assert known.sizes() == {**sizes, "encoder": 2, "context": 2}
    widths = {"words": 3, "ngrams": 4, "clusters": 5, "vectors": 6, "encoder": 7}
    assert known.filled(widths) == {name: width for name, width in widths.items() if name != "clusters"}
    tags = Vocabulary.of([Block(b"A\tword\nB\tx\n\n", Layout("tags", ("UPOS", "FORM")))], 1, 50)
    assert (tags.lists["upos"], tags.lists["xpos"]) == (["A", "B"], [])


def test_words_get_the_numbers_of_their_lists() -> None:
    known = Vocabulary(LISTS | {"vectors": ["The", "s\ufffd"]}, 50)
    for _ in range(2):  # the second time, from what it remembers
        numbers = known.numbers(Block(TEXT, CONLLU), 0, 1, (*OF_TREEBANK, "vectors"))
        assert {name: list(values) for name, values in numbers.single.items()} == {
            "words": [ROOT, 2, 3, 2, 4],
            "lemmas": [ROOT, 2, UNKNOWN, 2, 3],
            "upos": [ROOT, 2, UNKNOWN, 3, 4],
            "xpos": [ROOT, 2, UNKNOWN, 2, 2],
            "vectors": [ROOT, 2, UNKNOWN, UNKNOWN, 3],
        }
        found, starts = map(list, numbers.bags["feats"])
        assert (found, starts) == ([3, 2, 2], [0, 0, 2, 2, 3, 3])
    other = Block(b"1\tx\t_\t_\t_\tC=1|A=1\t0\troot\t_\t_\n\n", CONLLU)
    assert list(known.numbers(other, 0, 1, ("feats",)).bags["feats"][0]) == [UNKNOWN, 3]


def test_memory_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered_module, "MOST_REMEMBERED", 4)
    known, block = Vocabulary(LISTS, 50), Block(TEXT, CONLLU)
    kept = []
    for text in (TEXT, TEXT.replace(b"The", b"An"), TEXT.replace(b"The", b"Any")):
        known.numbers(Block(text, CONLLU), 0, block.n_sentences, ("words", "ngrams"))
        kept.append((len(known._single["words"]), len(known._bags["ngrams"])))
    assert kept == [(4, 4), (5, 5), (4, 4)]


@pytest.mark.parametrize(
    ("changed", "buckets"), [({}, 0), ({}, (1 << 24) + 1), ({"other": ["a"]}, 9), ({"clusters": ["01"]}, 9)]
)
def test_vocabularies_that_cannot_be_are_rejected(changed: dict[str, list[str]], buckets: int) -> None:
    with pytest.raises(ModelFileError, match="is damaged: its"):
        Vocabulary(LISTS | changed, buckets)
    with pytest.raises(ModelFileError, match="vocabulary"):
        Vocabulary({name: listed for name, listed in LISTS.items() if name != "xpos"}, 9)
    for most in (1, 1 << 24):
        assert Vocabulary(LISTS | {"clusters": [], "vectors": []}, most).buckets == most


def test_long_forms_count_by_their_beginning() -> None:
    long = "X" * 60
    assert ngrams(long, 999) == ngrams(long + "y7", 999) != ngrams(long[:-1] + "y", 999)
    assert ngrams("\ud800", 999) != ngrams("\ud801", 999)


def test_forms_get_the_numbers_that_they_have_in_a_block() -> None:
    known, block = Vocabulary(LISTS, 50), Block(TEXT, CONLLU)
    forms = [block.value(word, CONLLU.form) for word in range(block.n_words)]
    expected = known.numbers(block, 0, 1, ("words", "ngrams"))
    found = known.of_forms(forms, ("words", "ngrams"))
    assert block.n_sentences == 1
    assert (found.lengths, found.single, found.bags) == (expected.lengths, expected.single, expected.bags)
