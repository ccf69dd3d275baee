"""What an evaluation prints and hands on, to the letter."""

from __future__ import annotations

import pytest
from treewright.treebank.blocks.block import Block

from treewright.errors import TreewrightError
from treewright.evaluation import compare_systems, evaluate, official_scores
from treewright.treebank.formats.conllu import CONLLU

GOLD = b"""\
# sent_id = one
1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_

# sent_id = two
1\tRun\trun\tVERB\t_\t_\t0\troot\t_\t_

"""
SYSTEM = GOLD.replace(b"nsubj", b"obj")
TWO_ROOTS = GOLD.replace(b"2\tnsubj", b"0\troot")
OTHER_WORDS = b"""\
1\tDog\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_
2\ts\ts\tPART\t_\t_\t1\tdep\t_\t_
3\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_

1\tRun\trun\tVERB\t_\t_\t0\troot\t_\t_

"""


def test_the_page_has_names_headline_and_tables() -> None:
    pair = [Block(GOLD, CONLLU)], [Block(SYSTEM, CONLLU)]
    lines = evaluate(*pair).to_text(conventions=True).split("\n")
    assert lines[0] == "gold    (text)"
    assert lines[1] == "system  (text)"
    assert lines[2] == ""
    assert lines[3].startswith("LAS 66.67  UAS 100.00  ")
    assert lines[3].endswith(", 3 words")
    assert lines[4] == ""
    title = lines.index("Word by word (the conventions before UD)")
    assert lines[title - 1] == ""
    assert lines[title + 1].split() == ["Convention", "Words", "UAS", "LAS", "Label", "Exact", "Root"]
    assert evaluate(*pair).to_text().split("\n") == lines[: title - 1]
    assert repr(evaluate(*pair)) == "<Evaluation of text against text>"
    assert "66.67  (text)" in str(compare_systems(pair[0], pair[1], pair[0], resamples=10))


def test_files_are_named(tmp_path) -> None:
    paths = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    paths[0].write_bytes(GOLD)
    paths[1].write_bytes(SYSTEM)
    evaluation = evaluate(*paths)
    assert evaluation.to_text().split("\n")[:2] == [f"gold    {paths[0]}", f"system  {paths[1]}"]
    assert repr(evaluation) == f"<Evaluation of {paths[1]} against {paths[0]}>"
    compared = compare_systems(paths[0], paths[1], paths[0], resamples=10)
    assert (compared.first, compared.second) == (str(paths[1]), str(paths[0]))


def test_plain_data_begins_with_what_was_scored() -> None:
    data = evaluate(GOLD, SYSTEM).to_dict()
    assert list(data)[:5] == ["gold", "system", "convention", "words", "sentences"]
    assert (data["words"], data["sentences"], data["las"], data["uas"]) == (3, 2, pytest.approx(200 / 3), 100)
    averages = [scores["average"] for scores in data["attachment"]]
    assert averages.count("macro") == averages.count("micro") > 0
    assert {scores["unlabelled_exact_match"] for scores in data["attachment"]} == {100}


def test_scores_that_are_not_defined_come_with_the_reason() -> None:
    """The official scores reject two roots, and word-by-word scores reject other words; each has its place."""
    roots = evaluate(GOLD, TWO_ROOTS).to_dict()
    assert (roots["gold"], roots["system"], roots["words"]) == ("the text", "the text", 3)
    assert roots["ud"] is None
    assert "root" in roots["ud_refused"]
    words = evaluate(GOLD, OTHER_WORDS).to_dict()
    assert words["attachment"] is None
    assert (words["gold"], words["system"]) == ("the text", "the text")
    assert words["attachment_refused"] == str(evaluate(GOLD, OTHER_WORDS)._totals)
    assert evaluate(GOLD, TWO_ROOTS)._repr_html_().count("<table") == 0


def test_several_roots_are_accepted_on_request_only() -> None:
    with pytest.raises(TreewrightError, match="root"):
        official_scores(GOLD, TWO_ROOTS)
    assert official_scores(GOLD, TWO_ROOTS, multiple_roots=True)["UAS"].correct == 2
    assert evaluate(GOLD, TWO_ROOTS, multiple_roots=True).ud["UAS"].correct == 2


def test_scores_of_graphs_are_shown_where_a_file_has_graphs() -> None:
    plain = str(evaluate(GOLD, SYSTEM))
    assert "ELAS" not in plain
    assert "EULAS" not in plain
    assert "CLAS" in plain
    graphs = GOLD.replace(b"\tnsubj\t_", b"\tnsubj\t2:nsubj").replace(b"\troot\t_", b"\troot\t0:root")
    for pair in ((graphs, SYSTEM), (GOLD, graphs), (graphs, graphs)):
        shown = str(evaluate(*pair))
        assert "\nELAS" in shown
        assert "\nEULAS" in shown


def test_a_notebook_gets_headline_and_official_table() -> None:
    evaluation = evaluate(GOLD, SYSTEM)
    html = evaluation._repr_html_()
    assert html.startswith(f"<p><b>{evaluation.headline}</b></p>")
    for text in ("<caption>CoNLL", "Precision", "MLAS"):
        assert text in html


def test_a_file_that_ends_early_is_named_with_the_place(tmp_path) -> None:
    shorter = tmp_path / "shorter.conllu"
    shorter.write_bytes(GOLD.split(b"\n\n")[0] + b"\n\n")
    with pytest.raises(TreewrightError) as error:
        official_scores(GOLD, shorter)
    assert str(error.value) == (
        f"{shorter} ends, but the text continues at line 5 (sent_id two). Both files must contain the same text"
    )
    plain = GOLD.replace(b"# sent_id = two\n", b"")
    blocks = [Block(plain, CONLLU)]
    for pair in ((shorter.read_bytes(), blocks), (blocks, shorter.read_bytes())):
        with pytest.raises(TreewrightError) as error:
            official_scores(*pair)
        assert str(error.value) == (
            "the text ends, but another continues at line 5. Both files must contain the same text"
        )
    with pytest.raises(TreewrightError, match=r"^one file ends, but the text continues at line 1"):
        official_scores([], plain)


def test_other_text_is_shown_in_both_files(tmp_path) -> None:
    paths = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    paths[0].write_bytes(GOLD)
    paths[1].write_bytes(GOLD.replace(b"bark", b"bay"))
    with pytest.raises(TreewrightError) as error:
        official_scores(*paths)
    assert str(error.value).split("\n") == [
        "the texts of the two files differ from the tokens after >>> on",
        f"  gold   {paths[0]}:3: Dogs >>> bark",
        f"  system {paths[1]}:3: Dogs >>> bay",
        "The forms of all tokens, without spaces, must give the same text in both files",
    ]
    paths[1].write_bytes(GOLD.replace(b"Run", b"Running"))
    with pytest.raises(TreewrightError) as error:
        official_scores(*paths)
    assert str(error.value).split("\n")[1:3] == [
        f"  gold   {paths[0]}:5: Run >>> (end)",
        f"  system {paths[1]}:6: >>> Running",
    ]


def sentence(*words: tuple[str, int]) -> bytes:
    rows = [
        f"{n}\t{form}\t_\tX\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_" for n, (form, head) in enumerate(words, 1)
    ]
    return "\n".join(rows).encode() + b"\n\n"


FIRST, SECOND = sentence(("a", 0)), sentence(("b", 0))
JOINED = sentence(("b", 0), ("c", 1), ("d", 1))


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_blocks_that_end_elsewhere_are_joined(cut) -> None:
    """One side joins sentences, and blocks of the other end within them: the scores are those of whole files."""
    parts = [FIRST, SECOND, sentence(("c", 0), ("d", 1)), FIRST]
    blocks = [Block(b"".join(parts[:cut]), CONLLU, "x", 1), *(Block(part, CONLLU, "x", 1) for part in parts[cut:])]
    other = FIRST + JOINED + FIRST
    for one, two in ((blocks, other), (other, blocks)):
        assert official_scores(one, two) == official_scores(
            *(b"".join(parts) if side is blocks else side for side in (one, two))
        )
    scores = official_scores(blocks, other)
    assert (scores["Sentences"].gold, scores["Sentences"].system, scores["Sentences"].correct) == (4, 3, 2)
    assert (scores["UAS"].gold, scores["UAS"].correct) == (5, 3)


def test_lines_are_those_of_the_file_when_blocks_were_joined() -> None:
    two_roots = sentence(("c", 0), ("d", 0))
    blocks = [Block(FIRST + SECOND, CONLLU, "gold.conllu", 1), Block(two_roots, CONLLU, "gold.conllu", 5)]
    with pytest.raises(TreewrightError, match=r"^gold\.conllu:6: the sentence has several roots"):
        official_scores(blocks, FIRST + JOINED)
