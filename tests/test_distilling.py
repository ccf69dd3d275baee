"""Distilling on the toy treebank: what a student learns from, and what is refused."""

from pathlib import Path

import pytest

import treewright as tw
from treewright.apps.cli import main
from treewright.apps.tuning.distilling import Lessons, distill, mean_confidence, taught_sentences
from treewright.errors import CombinationError, TreewrightError
from treewright.treebank.files.reading import read_blocks

TOY = Path(__file__).parents[1] / "examples" / "toy"
TRAIN, DEV, TEST = (str(TOY / f"{name}.conllu") for name in ("train", "dev", "test"))


@pytest.fixture(scope="module")
def teacher():
    return tw.train(TRAIN, DEV, features="lean", iterations=3)


@pytest.fixture(scope="module")
def pipeline():
    return tw.train_pipeline(TRAIN, DEV, features="lean", iterations=2, tagger_iterations=1, tokenizer_iterations=1)


def sentences(teacher, **lessons):
    return list(taught_sentences(teacher, [TEST], Lessons(**lessons)))


def test_the_teachers_trees_are_taught_not_those_of_the_file(teacher):
    parsed = b"".join(teacher.parse_block(block).data for block in read_blocks(TEST))
    assert b"".join(sentences(teacher)) == parsed


def test_words_are_a_limit(teacher):
    counts = [len(sentences(teacher, max_words=words)) for words in (1, 50, 10**6)]
    assert counts[0] == 1
    assert counts[0] < counts[1] < counts[2]


def test_doubtful_sentences_are_left_out(teacher):
    kept = sentences(teacher, least_confidence=0.97)
    assert 0 < len(kept) < len(sentences(teacher))
    for block in read_blocks(b"".join(kept)):
        assert all(mean_confidence(block, number) >= 0.97 for number in range(block.n_sentences))


@pytest.mark.parametrize(("share", "taught", "copies"), [(0.5, 100, 1), (0.5, 1000, 10), (0.75, 100, 3), (0, 999, 1)])
def test_gold_is_repeated_until_it_has_its_share(share, taught, copies):
    assert Lessons(gold_share=share).copies(100, taught) == copies


def test_a_student_learns_from_both(teacher):
    student = distill(teacher, TEST, TRAIN, DEV, features="lean", iterations=2, teacher_name="toy")
    told = student.info["taught_by"]
    assert (told["name"], told["raw"], told["gold_copies"]) == ("toy", "test.conllu", 1)
    words = sum(block.n_words for block in read_blocks(TRAIN))
    assert student.info["training"]["words"] == words + told["words"]
    assert student.info["dev"]["las"] > 80


def test_the_student_keeps_the_teachers_steps(pipeline, tmp_path):
    raw = tmp_path / "raw.txt"
    raw.write_text("The cat sees the goose. The sailor sleeps.\n")
    out = tmp_path / "student.tw"
    student = distill(pipeline, str(raw), TRAIN, lessons=Lessons(keep_steps=True), features="lean", iterations=1)
    student.save(out)
    assert [len(sentence) for sentence in tw.load(str(out)).parse_text("The cat sees the goose.")] == [6]


def test_what_does_not_go_together_is_refused(teacher, tmp_path):
    with pytest.raises(CombinationError, match="no tokeniser and no tagger to give"):
        distill(teacher, TEST, TRAIN, lessons=Lessons(keep_steps=True))
    with pytest.raises(CombinationError, match="a student is a parser"):
        distill(teacher, TEST, TRAIN, pipeline=True)
    with pytest.raises(CombinationError, match="gold_share is 1"):
        distill(teacher, TEST, TRAIN, lessons=Lessons(gold_share=1.0))
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    with pytest.raises(TreewrightError, match="no sentences to parse"):
        distill(teacher, str(empty), TRAIN)


def test_the_command(teacher, tmp_path, capsys):
    model, student = tmp_path / "teacher.tw", tmp_path / "student.tw"
    teacher.save(model)
    given = ["distill", str(model), TEST, "--treebank", TRAIN, "--dev", DEV, "-o", str(student), "-q"]
    assert main([*given, "--features", "lean", "--iterations", "1", "--gold-share", "0.9", "--max-words", "100"]) == 0
    assert "LAS" in capsys.readouterr().out
    assert tw.load(str(student)).info["taught_by"]["name"] == "teacher.tw"
