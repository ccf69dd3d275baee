"""Words as numbers: the pieces of forms are hashed as a plain reference does it."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.kinds.network.inputs.numbering import looked_up, texts_of_rows, with_values
from treewright.treebank.blocks.block import Block

from tests.toy import DEV
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
