import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_cases import CONLLU, block_of, sentence_of
from tree_cases import is_tree
from treewright.treebank.blocks.block import Block, Layout

from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.checks.fixing import Outcome, apply_policy, fix_heads
from treewright.treebank.checks.validation import check_block

BROKEN = b"1\ttoo\tfew\n\n"


def apply(block: Block, on_error: str, **options: bool) -> Outcome:
    return apply_policy(block, check_block(block, **options), on_error)


def fixed(heads: list[int | str], relations: list[str], **options: bool) -> tuple[str, str]:
    block = apply(block_of(sentence_of(heads, relations)), "fix", **options).block
    values = [
        (block.value(word, CONLLU.head).decode(), block.value(word, CONLLU.deprel).decode())
        for word in range(block.n_words)
    ]
    return " ".join(head for head, _ in values), " ".join(relation for _, relation in values)


def test_fail_raises_the_first_error_and_counts_the_others() -> None:
    text = sentence_of([0, 3], comments=["# sent_id = s7"])
    with pytest.raises(TreebankError, match=r"test.conllu:3 \(sent_id s7\): .*3 more errors\)") as e:
        apply(block_of(text, BROKEN, sentence_of([1]), first_line=1), "fail")
    assert e.value.line == 3
    with pytest.raises(TreebankError, match=r"the last word is 2\. Correct"):
        apply(block_of(text), "fail")


def test_warnings_and_information_change_nothing() -> None:
    block = block_of(sentence_of([2, 0, 2, 1])[:-1])
    for policy in ("fail", "skip", "fix"):
        assert apply(block, policy) == Outcome(block)


def test_skip_leaves_bad_sentences_out_and_the_rest_as_it_was() -> None:
    good = [sentence_of([0] + [1] * n, comments=["# kept"]) for n in range(3)]
    block = block_of(BROKEN, good[0], sentence_of([1]), sentence_of([0, 9]), good[1], good[2])
    outcome = apply(block, "skip")
    assert outcome.block.data == b"".join(good)
    assert (outcome.fixed, outcome.skipped) == (0, 3)
    assert {problem.sentence for problem in outcome.left_out} == {0, 2, 3}
    assert outcome.summary() == "3 sentences left out"


@pytest.mark.parametrize(
    ("heads", "relations", "expected"),
    [
        # several roots: the first stays
        ([0, 0, 0], ["root", "root", "conj"], ("0 1 1", "root parataxis conj")),
        # heads that lead nowhere go to the root word
        ([2, 0, 7], ["det", "root", "obj"], ("2 0 2", "det root obj")),
        ([2, 0, 3], ["det", "root", "obj"], ("2 0 2", "det root obj")),
        ([2, 0, "_"], ["det", "root", "_"], ("2 0 2", "det root dep")),
        ([2, 0, "x"], ["det", "root", "root"], ("2 0 2", "det root parataxis")),
        # a cycle beside a root is broken at its longest arc
        ([0, 4, 2, 3], ["root", "a", "b", "c"], ("0 1 2 3", "root a b c")),
        # without a root, the word that says it is one becomes it
        ([2, 3, 1], ["a", "root", "b"], ("2 0 1", "a root b")),
        # else the word at the longest arc of the cycle
        ([2, 3, 1], ["a", "b", "c"], ("2 3 0", "a b root")),
        # of several words set free, the one that heads most
        ([9, 9, 2, 2], ["a", "b", "c", "d"], ("2 0 2 2", "a root c d")),
        # relations only
        ([0, 1], ["_", ""], ("0 1", "root dep")),
        (["_"], ["dep"], ("0", "root")),
    ],
)
def test_fix(heads: list[int | str], relations: list[str], expected: tuple[str, str]) -> None:
    if heads == ["_"]:  # alone it would be a file without trees
        block = block_of(sentence_of(heads, relations), sentence_of([0]))
        assert apply(block, "fix").block.data == sentence_of([0]) * 2
    else:
        assert fixed(heads, relations) == expected


def test_several_roots_stay_where_they_are_allowed() -> None:
    assert fixed([0, 0, 9], ["root", "root", "x"], single_root=False) == ("0 0 1", "root root x")


def test_a_new_root_is_spelt_as_in_the_rest_of_the_block() -> None:
    block = block_of(sentence_of([0], ["ROOT"]), sentence_of([2, 1], ["a", "b"]))
    assert b"\tROOT\t" in apply(block, "fix").block.text_of(1)


def test_fix_changes_no_other_byte() -> None:
    text = (
        b"\xef\xbb\xbf# sent_id = a\r\n1-2\tab c\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\r\n"
        b"1\ta\tl=\tN\t_\tF=1\t0\troot\t0:root\tx=y=z\r\n1.1\te\t_\t_\t_\t_\t_\t_\t1:dep\t_\r\n"
        b"2\t\t_\t_\t_\t_\tHEAD\tREL\t1:x\t_\r\n\r\n\r\n# tail\n1\tz\t_\t_\t_\t_\t0\troot\t_\t_"
    )
    block = block_of(text.replace(b"HEAD", b"17").replace(b"REL", b"_"))
    wanted = text.replace(b"2\t\t", b"2\t_\t").replace(b"HEAD", b"1").replace(b"REL", b"dep")
    outcome = apply(block, "fix")
    assert outcome.block.data == wanted
    assert outcome.summary() == "1 sentence fixed"


def test_what_cannot_be_fixed_is_left_out_and_reported() -> None:
    hopeless = sentence_of(["_", "x"])
    block = block_of(BROKEN, sentence_of([0, 8]), hopeless, sentence_of([0]))
    outcome = apply(block, "fix")
    assert outcome.block.data == sentence_of([0, 1], ["root", "dep"]) + sentence_of([0])
    assert outcome.summary() == "1 sentence fixed, 2 sentences left out"
    assert [problem.code for problem in outcome.left_out] == ["columns", "no-head", "head"]


def test_a_file_without_trees_has_nothing_left() -> None:
    block = block_of(sentence_of(["_"], ["_"]), sentence_of(["_", "_"], ["_", "_"]))
    for policy in ("skip", "fix"):
        outcome = apply(block, policy)
        assert outcome.block.data == b""
        assert outcome.skipped == 2
        assert len(outcome.left_out) == 1


@pytest.mark.parametrize("policy", ["fail", "skip", "fix"])
def test_missing_columns_cannot_be_helped(policy: str) -> None:
    block = Block(b"a\tN\n\n", Layout("pairs", ["FORM", "XPOS"]), "pairs.tsv")
    with pytest.raises(TreebankError, match="needs a treebank with trees"):
        apply(block, policy)


def test_an_unknown_policy_is_refused_with_the_known_ones() -> None:
    with pytest.raises(TreewrightError, match="fail, skip, fix"):
        apply_policy(block_of(b""), [], "repair")


@given(st.lists(st.lists(st.one_of(st.integers(0, 9), st.sampled_from(["_", "x", ""])), max_size=8)))
def test_after_fix_or_skip_no_error_is_left(forest: list[list[int | str]]) -> None:
    relations = ["root", "_", "dep", "", "obj", "root", "x", "y"]
    block = block_of(*(sentence_of(heads, relations) for heads in forest if heads))
    for policy in ("skip", "fix"):
        outcome = apply(block, policy)
        errors = [p for p in check_block(outcome.block) if p.severity == "error"]
        assert errors == []
        assert outcome.block.n_sentences == block.n_sentences - outcome.skipped
        again = apply(outcome.block, policy)
        assert (again.fixed, again.skipped, again.block.data) == (0, 0, outcome.block.data)


@given(
    st.lists(st.integers(-2, 9), min_size=1, max_size=8),
    st.lists(st.sampled_from([b"root", b"a"]), min_size=8, max_size=8),
    st.booleans(),
)
def test_fixed_heads_are_a_tree(heads: list[int], relations: list[bytes], single: bool) -> None:
    changed = fix_heads(heads, relations, single)
    usable = [0 <= head <= len(heads) and head != word for word, head in enumerate(heads, 1)]
    if changed is None:
        assert len(heads) > 1
        assert not any(usable)
        return
    assert is_tree(changed)
    assert changed.count(0) == (1 if single else max(1, heads.count(0)))
    if all(usable) and is_tree(heads) and not single:
        assert changed == heads


@st.composite
def damaged_text(draw: st.DrawFn) -> bytes:
    heads = draw(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4), max_size=4))
    text = bytearray(b"".join(sentence_of(h, comments=["# sent_id = s"]) for h in heads))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 3))
        pieces = [b"", b"\n", b"\t", b"\r\n", b"#", b"_", b"0", b"\xff", b" ", b"\n\n", b"-", b"."]
        text[place : place + length] = draw(st.sampled_from(pieces))
    return bytes(text)


@given(st.one_of(damaged_text(), st.binary(max_size=60)))
def test_any_text_is_checked_and_fixed_or_left_out(text: bytes) -> None:
    block = block_of(text)
    for problem in check_block(block):
        assert problem.message
        assert 1 <= problem.line <= text.count(b"\n") + 1
    for policy in ("skip", "fix"):
        outcome = apply(block, policy)
        assert [p.code for p in check_block(outcome.block) if p.severity == "error"] == []
        assert outcome.block.n_sentences == block.n_sentences - outcome.skipped
