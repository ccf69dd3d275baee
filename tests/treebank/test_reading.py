"""Reading: sources, compression, pieces of every size, and what a user is told of bad files."""

import bz2
import gzip
import io
import lzma
import os
import random
import sys
import tracemalloc
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.cutter import is_text

from treewright.errors import TreebankError, TreebankWarning
from treewright.treebank.blocks.stretches import check_text
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU


def word(number, form="w", head=0):
    return f"{number}\t{form}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n".encode()


SENTENCE = b"# sent_id = a\n" + word(1) + word(2, "é", 1) + b"\n"
TREEBANK = SENTENCE * 3


def text_of(source, **kwargs):
    return b"".join(block.data for block in read_blocks(source, **kwargs))


@pytest.mark.parametrize(
    "compress", [bytes, gzip.compress, bz2.compress, lzma.compress], ids=["plain", "gz", "bz2", "xz"]
)
def test_all_sources_and_compressions_by_content(tmp_path, monkeypatch, compress):
    data = compress(TREEBANK)
    path = tmp_path / "no-suffix"
    path.write_bytes(data)
    assert text_of(path) == TREEBANK
    assert text_of(str(path)) == TREEBANK
    assert text_of(data) == TREEBANK
    with path.open("rb") as file:
        assert text_of(file) == TREEBANK
        assert not file.closed
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert text_of("-") == TREEBANK


def test_several_gzip_members_are_one_file():
    assert text_of(gzip.compress(SENTENCE) + gzip.compress(SENTENCE)) == SENTENCE * 2


def test_names_for_messages(tmp_path):
    path = tmp_path / "x.conllu"
    path.write_bytes(SENTENCE)
    assert next(read_blocks(path)).source == str(path)
    assert next(read_blocks(SENTENCE)).source == "the text"
    assert next(read_blocks(io.BytesIO(SENTENCE))).source == "<stream>"


def test_an_empty_file_has_no_blocks():
    assert list(read_blocks(b"")) == []
    assert list(read_blocks(gzip.compress(b""))) == []
    assert list(read_blocks(b"", format="malt-xml")) == []


def test_a_file_of_blank_lines_has_a_block_without_sentences():
    [block] = read_blocks(b"\n\n\n")
    assert (block.data, block.n_sentences) == (b"\n\n\n", 0)


def errors_of(source, **kwargs):
    with pytest.raises(TreebankError) as caught:
        list(read_blocks(source, **kwargs))
    assert caught.value.remedy
    return caught.value


def test_missing_file_directory_and_text_for_a_path(tmp_path):
    assert "no such file" in str(errors_of(tmp_path / "none.conllu"))
    assert "is a directory" in str(errors_of(tmp_path))
    assert "text.encode()" in str(errors_of("1\ta\n\n"))
    assert "binary mode" in str(errors_of(io.StringIO("1\ta\n\n")))


def test_without_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is not available" in str(errors_of("-"))


def test_a_path_with_a_nul_is_an_error_of_the_user():
    with pytest.raises(TreebankError, match="not a valid file name"):
        list(read_blocks("a\0b"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(SENTENCE)
    path.chmod(0)
    assert "permission denied" in str(errors_of(path))


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_truncated_and_damaged_compression(compress):
    whole = compress(os.urandom(1000).hex().encode() * 3)
    assert "is truncated" in str(errors_of(whole[: len(whole) // 2]))
    damaged = bytearray(whole)
    for place in range(len(whole) // 2, len(whole) // 2 + 20):
        damaged[place] ^= 0xFF
    assert "compressed" in str(errors_of(bytes(damaged)))


def test_zip_archives_are_named():
    assert "zip archive" in str(errors_of(b"PK\x03\x04" + bytes(30)))


@pytest.mark.parametrize("block_bytes", [1, 50, 1 << 20])
def test_binary_junk_names_the_line(block_bytes):
    error = errors_of(SENTENCE + word(1) + b"2\ta\0b\n\n", block_bytes=block_bytes)
    assert "NUL" in str(error)
    assert error.line == 6
    error = errors_of(SENTENCE + word(1) + b"2\t\xff\n\n", block_bytes=block_bytes)
    assert "0xff is not valid UTF-8" in str(error)
    assert error.line == 6


def test_binary_junk_without_lines_is_refused_before_it_fills_memory():
    class Endless(io.RawIOBase):
        read_so_far = 0

        def read(self, size=-1):
            self.read_so_far += size
            return b"1" + bytes(size - 1)

    stream = Endless()
    errors_of(stream, format="conllu")
    assert stream.read_so_far < 10 << 20


@pytest.mark.parametrize("seed", range(20))
def test_text_is_what_python_decodes_and_has_no_nul(seed):
    chance = random.Random(seed)
    borders = ["\x7f", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"]
    data = bytearray("".join(chance.choices([*borders, "é", "a" * 40], k=chance.randrange(60))).encode())
    for _ in range(200):
        assert is_text(data) == (0 not in data and decodes(data))
        if data:
            data[chance.randrange(len(data))] = chance.choice([0, 0x41, 0x7F, *range(0x80, 0x100)])
        else:
            data += b"b"


@pytest.mark.parametrize("size", [63, 64, 65, 128, 200])
def test_a_byte_that_is_no_text_is_found_anywhere(size):
    """Many bytes are looked at together."""
    for place in range(size):
        for byte in (0, 0x7F, 0x80, 0xC3, 0xFF):
            data = bytearray(b"a" * size)
            data[place] = byte
            assert is_text(data) == (byte == 0x7F)


def decodes(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_characters_across_pieces_are_no_error():
    check_text("é".encode() * 100, "", 1)
    assert text_of(TREEBANK, block_bytes=1) == TREEBANK


def test_no_final_blank_line_is_a_warning_that_names_the_line():
    with pytest.warns(TreebankWarning, match=r"the text:7: no blank line after the last sentence"):
        assert text_of(SENTENCE + SENTENCE[:-1], block_bytes=10) == SENTENCE + SENTENCE[:-1]


def test_padded_blank_lines_are_a_warning_that_names_the_first():
    padded = SENTENCE[:-1] + b" \t\n"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        blocks = list(read_blocks(SENTENCE + padded + padded, block_bytes=10))
    assert sum(block.n_sentences for block in blocks) == 3
    [warning] = caught
    assert issubclass(warning.category, TreebankWarning)
    assert "the text:8: a line of spaces" in str(warning.message)


def test_block_size_must_be_positive_and_format_known():
    with pytest.raises(ValueError, match="at least 1"):
        read_blocks(SENTENCE, block_bytes=0)
    with pytest.raises(TreebankError, match="conllu-plus, conllx, json, jsonl, malt-tab"):
        read_blocks(SENTENCE, format="conll")


SHORT = ["# c", "1\ta", "2\tb", "", "", "", " ", "\t", " \t", "\r", "\r\r", " \r ", "é", "#", "\x0b"]
LINES = st.sampled_from([*SHORT, "#" * 31, "# " + "é" * 48])


@st.composite
def files(draw):
    lines = draw(st.lists(st.tuples(LINES, st.sampled_from(["\n", "\n", "\r\n"])), max_size=12))
    text = "".join(line + end for line, end in lines)
    if lines and draw(st.booleans()):
        text = text[: -len(lines[-1][1])]
    if draw(st.booleans()):
        text = "\ufeff" + text
    return text.encode()


@given(files(), st.integers(1, 40) | st.integers(60, 400))
def test_pieces_of_every_size_give_the_same_sentences(data, block_bytes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        blocks = list(read_blocks(data, format="conllu", block_bytes=block_bytes))
    whole = Block(data, CONLLU, "the text")
    assert b"".join(block.data for block in blocks) == data
    expected = [(whole.text_of(k), whole.line_of(k)) for k in range(whole.n_sentences)]
    found = [(b.text_of(k), b.line_of(k)) for b in blocks for k in range(b.n_sentences)]
    assert found == expected
    lines = [(line, code) for block in blocks for _, line, code in block.problems]
    assert lines == [(line, code) for _, line, code in whole.problems]


def test_a_sentence_longer_than_a_piece_is_read_whole():
    data = b"".join(word(number) for number in range(1, 100_001)) + b"\n"
    blocks = list(read_blocks(SENTENCE + data + SENTENCE, block_bytes=1000))
    assert max(block.n_words for block in blocks) == 100_000
    assert sum(block.n_words for block in blocks) == 100_004
    assert not any(block.problems for block in blocks)


class Repeated(io.RawIOBase):
    """A file of many sentences that takes no memory itself."""

    def __init__(self, times):
        self.left = times

    def read(self, size=-1):
        times = min(self.left, max(1, size // len(SENTENCE)))
        self.left -= times
        return SENTENCE * times


def test_memory_does_not_grow_with_the_file():
    def peak(times):
        tracemalloc.start()
        n = sum(block.n_sentences for block in read_blocks(Repeated(times), block_bytes=1 << 14))
        assert n == times
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(10)
    assert peak(40_000) < 1.5 * peak(4_000)
