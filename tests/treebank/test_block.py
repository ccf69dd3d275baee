"""Blocks: the scan of treebank text into flat arrays, and the way back."""

import random
from array import array

import pytest
from treewright.treebank.blocks.block import COLUMNS, HEAD, ID, NO_FINAL_BLANK, Block, Layout
from treewright.treebank.blocks.interner import Interner

from treewright.errors import TreewrightError
from treewright.treebank.formats.conllu import CONLLU

SMALL = Layout("small", ["ID", "FORM", "HEAD", "DEPREL"])
TEXT = b"# sent_id = one\n1-2\tab\t_\t_\n1\ta\t2\tdet\n1.1\te\t_\t_\n2\tb\t0\troot\n\n1\tc\t0\troot\n\n"


def codes(data, layout=SMALL, **kwargs):
    return [(line, code) for _, line, code in Block(data, layout, **kwargs).problems]


def test_words_and_sentences_are_found():
    block = Block(TEXT, SMALL, "f", 11)
    assert (block.n_sentences, block.n_words) == (2, 3)
    assert [list(block.words_of(k)) for k in range(2)] == [[0, 1], [2]]
    assert [block.value(word, 1) for word in range(3)] == [b"a", b"b", b"c"]
    assert [block.head_of(word) for word in range(3)] == [2, 0, 0]
    assert [block.line_of_word(word) for word in range(3)] == [13, 15, 17]
    assert [block.line_of(k) for k in range(2)] == [11, 17]
    assert block.sent_id(0) == "one"
    assert block.sent_id(1) == ""
    assert block.text_of(0) + block.text_of(1) == TEXT


def test_extra_blank_lines_belong_to_the_next_sentence_and_to_the_last():
    block = Block(b"\n1\ta\t0\tr\n\n \n\n1\tb\t0\tr\n\n\n", SMALL)
    assert [block.text_of(k) for k in range(2)] == [b"\n1\ta\t0\tr\n\n", b" \n\n1\tb\t0\tr\n\n\n"]
    assert [block.line_of(k) for k in range(2)] == [2, 6]


@pytest.mark.parametrize(
    ("line", "code", "texts"),
    [
        (1, COLUMNS, (b"1\ta\t0\n\n", b"1\ta\t0\tr\tx\n\n")),
        (2, ID, (b"1\ta\t0\tr\n3\tb\t1\tr\n\n", b"1\ta\t0\tr\n1\tb\t1\tr\n\n")),
        (1, ID, (b"x\ta\t0\tr\n\n", b"0\ta\t0\tr\n\n", b"1-\ta\t0\tr\n\n")),
        (1, HEAD, (b"1\ta\tx\tr\n\n", b"1\ta\t-1\tr\n\n", b"1\ta\t9999999999\tr\n\n")),
        (1, NO_FINAL_BLANK, (b"1\ta\t0\tr\n", b"1\ta\t0\tr")),
    ],
)
def test_problems_are_listed_with_their_line(line, code, texts):
    for text in texts:
        assert codes(text) == [(line, code)], text


def test_a_word_without_a_tree_is_no_problem():
    assert codes(b"1\ta\t_\t_\n\n") == []


def test_an_unreadable_sentence_has_no_words_and_leaves_the_others_alone():
    block = Block(b"1\ta\t0\tr\n2\tb\n\n1\tc\t0\tr\n\n", SMALL)
    assert [len(block.words_of(k)) for k in range(2)] == [0, 1]
    assert block.value(0, 1) == b"c"


def test_byte_order_mark_is_skipped_at_the_start_of_a_file_only():
    data = b"\xef\xbb\xbf1\ta\t0\tr\n\n"
    assert codes(data) == []
    assert codes(data, first_line=2) == [(2, ID)]


def test_crlf_is_no_part_of_the_last_column():
    block = Block(b"1\ta\t0\troot\r\n\r\n", SMALL)
    assert block.value(0, 3) == b"root"
    assert block.n_sentences == 1


def test_hash_is_a_word_where_there_are_no_comments():
    block = Block(b"#\tSYM\n\n", Layout("two", ["FORM", "UPOS"], comments=False))
    assert block.value(0, 0) == b"#"


def test_with_tree_changes_two_columns_and_nothing_else():
    block = Block(TEXT, SMALL)
    changed = block.with_tree(array("i", [0, 1, -1]), array("i", [1, 0, -1]), [b"det", b"root"])
    assert changed == TEXT.replace(b"a\t2\tdet", b"a\t0\troot").replace(b"2\tb\t0\troot", b"2\tb\t1\tdet").replace(
        b"c\t0\troot", b"c\t_\t_"
    )


def test_renumber_replaces_all_line_numbers():
    block = Block(b"# c\n1\ta\tx\tr\n2\tb\t1\tr\n\n", SMALL)
    block.renumber(array("i", [7, 7, 9, 9]))
    assert [block.line_of_word(k) for k in range(2)] == [7, 9]
    assert block.line_of(0) == 7
    assert block.problems == [(0, 7, HEAD)]
    with pytest.raises(ValueError, match="every line"):
        block.renumber(array("i", [1]))


@pytest.mark.parametrize("seed", range(8))
def test_columns_are_those_of_a_plain_split(seed):
    """Columns and lines of any length, since many bytes are compared at once."""
    chance = random.Random(seed)
    n_columns = chance.choice([3, 5, 10, 14])
    layout = Layout("random", ["ID", "FORM", *(f"C{i}" for i in range(n_columns - 2))])

    def text(longest):
        return "".join(chance.choice("a é#_0") for _ in range(chance.randrange(longest))) or "_"

    lines, rows = [], []
    for _ in range(40):
        words = []
        for number in range(1, chance.randrange(2, 12)):
            if chance.random() < 0.2:
                lines.append("# " + text(200) + "\t" * chance.randrange(3))
            words.append([str(number), *(text(chance.choice([3, 20, 150])) for _ in range(n_columns - 1))])
            lines.append("\t".join(words[-1]) + "\r" * chance.randrange(2))
        broken = chance.random() < 0.2
        if broken:
            lines.append("\t".join(["1"] * chance.choice([1, n_columns - 1, n_columns + 1, 3 * n_columns])))
        lines.append("")
        rows += [] if broken else words
    block = Block(("\n".join(lines) + "\n").encode(), layout)
    found = [[block.value(word, column).decode() for column in range(n_columns)] for word in range(block.n_words)]
    assert found == rows


def test_trees_are_written_with_numbers_and_relations_of_any_length():
    chance = random.Random(1)
    relations = [b"", b"r", b"relation:" + b"x" * 300]
    for n in (1, 9, 120):
        block = Block(b"".join(b"%d\tw\t_\told\n" % number for number in range(1, n + 1)) + b"\n", SMALL)
        heads = array("i", [chance.choice([-1, 0, 9, 10, 99, 100, 2**31 - 1]) for _ in range(n)])
        labels = array("i", [chance.randrange(-1, 4) for _ in range(n)])
        lines = [
            b"%d\tw\t%s\t%s\n"
            % (number, b"%d" % head if head >= 0 else b"_", relations[label] if 0 <= label < 3 else b"_")
            for number, head, label in zip(range(1, n + 1), heads, labels, strict=True)
        ]
        assert block.with_tree(heads, labels, relations) == b"".join(lines) + b"\n"


@pytest.mark.parametrize("seed", range(10))
def test_trees_are_written_between_columns_of_any_length(seed):
    """Short texts are copied with what stands behind them: also at the end, where nothing does."""
    chance = random.Random(seed)
    relations = [b"r" * n for n in (0, 1, 31, 32, 33, 60)]
    layout = Layout("wide", ["ID", "FORM", "HEAD", "DEPREL", "MISC"])
    for n in (1, 2, 5, 30):
        words = [[b"x" * chance.choice([1, 40, 63, 64, 65, 127, 128, 129, 300]) for _ in "ab"] for _ in range(n)]
        heads = array("i", [chance.choice([0, 7, 10, 99, 100, 12345]) for _ in range(n)])
        labels = array("i", [chance.randrange(len(relations)) for _ in range(n)])
        end = chance.choice([b"", b"\n", b"\n\n"])

        def text(trees, words=words, end=end):
            rows = enumerate(zip(words, trees, strict=True), 1)
            return b"\n".join(b"%d\t%s\t%s\t%s\t%s" % (k, form, *tree, misc) for k, ((form, misc), tree) in rows) + end

        block = Block(text([(b"12", b"old")] * n), layout)
        expected = text([(b"%d" % head, relations[label]) for head, label in zip(heads, labels, strict=True)])
        assert block.with_tree(heads, labels, relations) == expected


def test_interner_numbers_strings_in_order_of_first_sight():
    interner = Interner(["x"])
    block = Block(b"1\ta\t0\tr\n2\tx\t1\tr\n3\ta\t1\tr\n\n", SMALL)
    out = array("i", [0, 0, 0])
    interner.column(block, 1, out)
    assert list(out) == [1, 0, 1]
    assert interner.strings == ["x", "a"]
    assert interner.number("b") == -1
    fresh = Interner()
    fresh.column(block, 1, out, add=False)
    assert list(out) == [-1, -1, -1]


def test_interner_grows():
    interner = Interner(str(number) for number in range(5000))
    assert [interner.number(str(number)) for number in range(5000)] == list(range(5000))


@pytest.mark.parametrize("word", [-1, 3, 2**31 - 1])
def test_words_and_columns_out_of_range_are_rejected(word):
    block = Block(TEXT, SMALL)
    for ask in (block.value, block.place):
        with pytest.raises(IndexError, match=f"word {word} of a block of 3"):
            ask(word, 1)
        with pytest.raises(IndexError, match="column 4 of 4"):
            ask(0, 4)
    for ask in (block.head_of, block.line_of_word):
        with pytest.raises(IndexError, match="of a block of 3"):
            ask(word)
    for ask in (block.words_of, block.text_of, block.span_of, block.line_of, block.sent_id):
        with pytest.raises(IndexError, match="of a block of 2"):
            ask(word)


def test_a_format_without_words_is_rejected():
    with pytest.raises(TreewrightError, match="no column FORM"):
        Layout("bare", ["ID", "HEAD"])


def test_which_sentences_have_a_head_for_every_word():
    """Multiword tokens, empty nodes and comments have none and need none."""
    line = "{}\tw\t_\t_\t_\t_\t{}\t_\t_\t_\n"
    texts = [
        line.format(1, 0) + line.format(2, 1),
        line.format(1, 0) + line.format(2, "_"),
        line.format("1-2", "_") + line.format(1, 2) + line.format(2, 0) + line.format("2.1", "_"),
        "# only a comment\n",
        line.format(1, "x"),
    ]
    block = Block("".join(f"{text}\n" for text in texts).encode(), CONLLU, "")
    assert list(block.attached()) == [1, 0, 1, 0, 1]
