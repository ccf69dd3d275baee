import json

import pytest
from table_cases import block_of, sentence_of
from treewright.treebank.blocks.block import Block, Layout

from treewright.treebank.checks import validation
from treewright.treebank.checks.validation import Report, check_block


def lines(*sentences: bytes, **options: bool) -> list[str]:
    return [str(problem) for problem in check_block(block_of(*sentences), **options)]


def test_a_problem_reads_as_one_line_with_place_and_remedy() -> None:
    good = sentence_of([0], comments=["# sent_id = s1"])
    bad = sentence_of([0, 4, 2, 3], comments=["# sent_id = s2"])
    assert lines(good, bad) == [
        "test.conllu:6 (sent_id s2): the heads form a cycle: 2 → 4 → 3 → 2."
        " Correct it, or use `--on-error fix` or `--on-error skip`"
    ]


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([0, "_"], "HEAD of word 2 is missing"),
        ([0, "two"], "HEAD of word 2 is `two`, not a number"),
        ([0, 3], "HEAD of word 2 is `3`, but the last word is 2"),
        ([0, 2], "HEAD of word 2 is the word itself"),
        ([0, 0], "words 1 and 2 all have HEAD 0"),
        ([0, 9, 8], "is `9`, but the last word is 3 (this kind of error: words 2 and 3)"),
        ([0] * 9, "words 1, 2, 3, 4, 5 and 4 more all have HEAD 0"),
    ],
)
def test_messages_say_what_is_wrong(heads: list[int | str], message: str) -> None:
    (line,) = lines(sentence_of(heads))
    assert message in line


def test_a_long_cycle_is_not_told_in_full() -> None:
    told = lines(sentence_of([50, *range(1, 50)]))
    assert "1 → 50 → 49" in told[1]
    assert "(40 more) → 1." in told[1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"1\ta\tb", "expected 10 columns (conllu), found 3"),
        (b"just text", "expected 10 columns (conllu), found a line without tabs"),
        (b"2\ta" + b"\t_" * 8, "expected ID 1, found `2`"),
        (b"1\ta" + b"\t_" * 8 + b"\n1\ta" + b"\t_" * 8, "expected ID 2, found `1`"),
        (b"1-2\ta" + b"\t_" * 8 + b"\nx\ta" + b"\t_" * 8, "expected ID 1, found `x`"),
    ],
)
def test_a_line_that_cannot_be_read_is_described(line: bytes, message: str) -> None:
    text = b"\xef\xbb\xbf\n# sent_id = s1\n" + line + b"\r\n\n"
    (problem,) = check_block(block_of(text, sentence_of([0])))
    assert problem.message == message
    assert problem.sent_id == "s1"
    assert problem.line == 3 + line.count(b"\n")
    assert "--on-error skip" in problem.remedy


def test_several_roots_are_an_error_only_if_one_is_wanted() -> None:
    (problem,) = check_block(block_of(sentence_of([0, 0])))
    assert (problem.code, problem.severity) == ("many-roots", "error")
    assert problem.remedy == "Use `--on-error fix`, or `--no-single-root`"
    assert lines(sentence_of([0, 0]), single_root=False) == []


def test_non_projective_trees_are_information() -> None:
    (problem,) = check_block(block_of(sentence_of([2, 0, 2, 1])))
    assert (problem.code, problem.severity, problem.words) == ("non-projective", "info", (4,))


def test_a_file_without_trees_cannot_train() -> None:
    block = block_of(sentence_of(["_", "_"], ["_", "_"]), sentence_of(["_"], ["_"]))
    (problem,) = check_block(block)
    assert problem.code == "no-trees"
    assert "Training needs a treebank with trees" in str(problem)
    assert check_block(block, need_tree=False) == []


def test_a_format_without_tree_columns_cannot_train() -> None:
    block = Block(b"a\tN\n\n", Layout("pairs", ["FORM", "XPOS"]), "pairs.tsv")
    (problem,) = check_block(block)
    assert problem.code == "no-tree-columns"
    assert str(problem).startswith("pairs.tsv:1: the file has no HEAD and no DEPREL column.")


def test_columns_that_are_needed() -> None:
    block = block_of(sentence_of([0]))
    assert check_block(block, columns=("FORM", "UPOS")) == []
    missing, empty = check_block(block, columns=("PHEAD", "XPOS"))
    assert (missing.code, missing.severity) == ("no-column", "error")
    assert (empty.code, empty.severity) == ("empty-column", "warning")


def test_a_missing_last_blank_line_is_a_warning() -> None:
    (problem,) = check_block(block_of(sentence_of([0, 1])[:-1]))
    assert (problem.code, problem.severity, problem.line) == ("no-final-blank", "warning", 2)


def test_every_code_has_a_severity_and_a_remedy() -> None:
    from treewright.treebank.blocks import block
    from treewright.treebank.checks import checks

    for module in (block, checks, validation):
        codes = [
            value
            for name, value in vars(module).items()
            if name.isupper() and not name.startswith("_") and isinstance(value, str)
        ]
        assert codes
        assert set(codes) - set(validation.CODES) <= {block.HEAD}
    assert block.HEAD in validation.CODES


def test_a_report_counts_over_blocks_and_keeps_the_first_problems() -> None:
    report = Report(limit=2)
    bad, crossing = sentence_of([0, 5, 2]), sentence_of([2, 0, 2, 1])
    for told_of_each_kind in (1, 1, 0):
        block = block_of(bad, crossing, sentence_of([0, 0]))
        told = report.add(block, check_block(block))
        assert [problem.code for problem in told] == ["head-range", "many-roots"] * told_of_each_kind
    assert (report.sentences, report.words) == (9, 27)
    assert (report.errors, report.bad_sentences, report.warnings) == (6, 6, 0)
    assert (report.nonprojective_sentences, report.nonprojective_arcs) == (3, 3)
    assert [problem.code for problem in report.problems] == ["head-range", "many-roots"] * 2
    assert report.summary() == (
        "9 sentences, 27 words: 6 errors in 6 sentences, 0 warnings\n"
        "  head-range: 3\n  many-roots: 3\n  not projective: 3 sentences (33.3 %), 3 arcs"
    )
    loaded = json.loads(json.dumps(report.as_dict()))
    assert loaded["counts"] == {"head-range": 3, "many-roots": 3}
    assert loaded["problems"][0]["line"] == 2


def test_what_holds_for_a_file_is_told_once() -> None:
    report = Report()
    block = block_of(sentence_of(["_"], ["_"]))
    assert len(report.add(block, check_block(block))) == 1
    assert report.add(block, check_block(block)) == []
    assert (report.errors, report.bad_sentences) == (1, 2)


def test_a_multiword_token_with_too_many_digits_is_named():
    text = b"1-" + b"9" * 10 + b"\tab\t_\t_\n1\ta\t0\troot\n\n"
    (problem,) = check_block(Block(text, Layout("small", ["ID", "FORM", "HEAD", "DEPREL"])))
    assert problem.message == "expected ID 1, found `1-9999999999`"
