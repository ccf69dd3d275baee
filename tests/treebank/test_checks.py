from hypothesis import given
from hypothesis import strategies as st
from table_cases import block_of, sentence_of
from tree_cases import nonprojective_words, path_to_root, trees
from treewright.treebank.blocks.block import Block, Layout

from treewright.treebank.checks import checks


def findings(
    heads: list[int | str], need_tree: bool = True, single_root: bool = True
) -> list[tuple[str, tuple[int, ...]]]:
    found = checks.find_problems(block_of(sentence_of(heads)), need_tree, single_root)
    return [(code, words) for _, _, code, words in found]


def test_a_good_sentence_has_no_findings() -> None:
    assert findings([2, 0, 2]) == []


def test_each_kind_of_wrong_head_names_its_words() -> None:
    assert findings([0, "_", 1, ""]) == [(checks.NO_HEAD, (2, 4))]
    assert findings([0, "x", "-1", 1]) == [(checks.BAD_HEAD, (2, 3))]
    assert findings([0, 4, 1]) == [(checks.HEAD_RANGE, (2,))]
    assert findings([0, 2, 3]) == [(checks.SELF_HEAD, (2, 3))]
    assert findings([0, 0, 2, 0]) == [(checks.MANY_ROOTS, (1, 2, 4))]


def test_several_roots_may_be_allowed() -> None:
    assert findings([0, 0], single_root=False) == []


def test_trees_do_not_matter_if_they_are_not_needed() -> None:
    assert findings(["x", "_", 9, 4, 0, 0], need_tree=False) == []


def test_a_cycle_beside_a_tree_is_followed_along_its_heads() -> None:
    assert findings([0, 4, 2, 3]) == [(checks.CYCLE, (2, 4, 3))]


def test_cycles_are_found_beside_heads_that_lead_nowhere() -> None:
    assert findings([0, 9, 4, 3, 6, 5, 7]) == [
        (checks.HEAD_RANGE, (2,)),
        (checks.SELF_HEAD, (7,)),
        (checks.CYCLE, (3, 4)),
        (checks.CYCLE, (5, 6)),
    ]


def test_no_root_is_told_with_the_cycle_that_takes_its_place() -> None:
    assert findings([2, 1]) == [(checks.NO_ROOT, ()), (checks.CYCLE, (1, 2))]


def test_no_root_is_not_told_where_a_missing_head_may_be_it() -> None:
    assert findings(["_", 1]) == [(checks.NO_HEAD, (1,))]


def test_crossing_arcs_are_named_by_their_dependents() -> None:
    assert findings([2, 0, 2, 1]) == [(checks.NONPROJECTIVE, (4,))]


def test_lines_are_those_of_the_words() -> None:
    good = sentence_of([0, 1], comments=["# one", "# two"])
    bad = sentence_of([0, 7, 7], comments=["# three"])
    block = block_of(good, bad, first_line=100)
    assert checks.find_problems(block) == [(1, 100 + 5 + 2, checks.HEAD_RANGE, (2, 3))]


def test_multiword_tokens_and_empty_nodes_are_no_words() -> None:
    text = (
        b"1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"
        b"1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t1\t_\t_\t_\n\n"
    )
    assert checks.find_problems(block_of(text)) == [(0, 4, checks.NO_DEPREL, (2,))]


def test_empty_forms_are_found_and_underscores_are_forms() -> None:
    text = sentence_of([0, 1, 1]).replace(b"\tw2\t", b"\t\t").replace(b"\tw3\t", b"\t_\t")
    assert checks.find_problems(block_of(text)) == [(0, 2, checks.NO_FORM, (2,))]


def test_what_the_scan_found_stands_in_order_of_sentences() -> None:
    broken = b"1\ttoo\tfew\n\n"
    block = block_of(sentence_of([1]), broken, sentence_of([5])[:-1])
    assert [(sentence, code) for sentence, _, code, _ in checks.find_problems(block)] == [
        (0, checks.SELF_HEAD),
        (0, checks.NO_ROOT),
        (1, "columns"),
        (2, "no-final-blank"),
        (2, checks.HEAD_RANGE),
        (2, checks.NO_ROOT),
    ]


def test_a_sentence_of_comments_and_an_empty_block_are_good() -> None:
    assert checks.find_problems(block_of(b"# only a comment\n\n")) == []
    assert checks.find_problems(block_of(b"")) == []


def test_a_format_without_trees_has_words_to_check() -> None:
    block = Block(b"a\tN\n\tV\n\n", Layout("pairs", ["FORM", "XPOS"]))
    assert checks.find_problems(block) == [(0, 2, checks.NO_FORM, (2,))]
    assert not checks.has_trees(block)
    assert checks.is_filled(block, 1)


@given(st.lists(st.integers(-2, 8), max_size=8))
def test_cycles_are_exactly_the_words_above_themselves(heads: list[int]) -> None:
    ends = [0 if not 0 <= head <= len(heads) or head == d else head for d, head in enumerate(heads, 1)]
    expected = {d for d in range(1, len(heads) + 1) if d in path_to_root(ends, d)}
    cycles = checks.find_cycles(heads)
    assert sorted(word for cycle in cycles for word in cycle) == sorted(expected)
    for cycle in cycles:
        assert cycle[0] == min(cycle)
        assert [heads[word - 1] for word in cycle] == [*cycle[1:], cycle[0]]


@given(st.lists(trees(max_words=10), max_size=4))
def test_trees_of_a_block_are_judged_one_by_one(forest: list[list[int]]) -> None:
    block = block_of(*(sentence_of(heads) for heads in forest))
    expected = [(number, tuple(words)) for number, heads in enumerate(forest) if (words := nonprojective_words(heads))]
    found = checks.find_problems(block, single_root=False)
    assert [(sentence, words) for sentence, _, _, words in found] == expected


def test_a_very_long_cycle_is_found() -> None:
    n = 100_000
    found = findings([n, *range(1, n)])
    assert [code for code, _ in found] == [checks.NO_ROOT, checks.CYCLE]
    assert sorted(found[1][1]) == list(range(1, n + 1))
