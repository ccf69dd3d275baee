"""The official scores must be those of udeval, to the last digit."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.treebank.blocks.block import Block, Layout
from udtools import udeval

from tests.evaluation import generated_treebanks as generated
from treewright.errors import TreewrightError
from treewright.evaluation import Score, official_scores

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
LAYOUT = Layout("conllu", COLUMNS)


def truth(gold: str, system: str, **options: Any) -> dict[str, tuple[float | None, ...]]:
    sides = [udeval.load_conllu(io.StringIO(text), "text", options) for text in (gold, system)]
    return {
        name: (
            100 * score.precision,
            100 * score.recall,
            100 * score.f1,
            None if score.aligned_accuracy is None else 100 * score.aligned_accuracy,
            score.correct,
            score.gold_total,
            score.system_total,
        )
        for name, score in udeval.evaluate(*sides).items()
    }


def numbers(scores: dict[str, Score]) -> dict[str, tuple[float | None, ...]]:
    return {
        name: (s.precision, s.recall, s.f1, s.aligned_accuracy, s.correct, s.gold, s.system)
        for name, s in scores.items()
    }


def in_blocks(random: Random, text: str) -> list[Block]:
    """Cut a treebank into blocks of whole sentences, as a reader does."""
    blocks, line = [], 1
    pending = ""
    for sentence in text.split("\n\n")[:-1]:
        pending += sentence + "\n\n"
        if random.random() < 0.5:
            blocks.append(Block(pending.encode(), LAYOUT, "file", line))
            line += pending.count("\n")
            pending = ""
    return [*blocks, Block(pending.encode(), LAYOUT, "file", line)]


def two_tokenisations(random: Random) -> list[str]:
    text = generated.text(random)
    return [generated.conllu(random, generated.sentences(random, text)) for _ in range(2)]


@settings(max_examples=240, deadline=None)
@given(st.randoms(use_true_random=True))
def test_equal_to_udeval_whatever_the_tokenisation(random: Random) -> None:
    gold, system = two_tokenisations(random)
    assert numbers(official_scores(gold.encode(), system.encode())) == truth(gold, system)


@settings(max_examples=120, deadline=None)
@given(st.randoms(use_true_random=True))
def test_equal_to_udeval_on_the_same_words(random: Random) -> None:
    gold = generated.conllu(random, generated.sentences(random, generated.text(random)))
    system = generated.disturbed(random, gold)
    assert numbers(official_scores(gold.encode(), system.encode())) == truth(gold, system)


@settings(max_examples=120, deadline=None)
@given(st.randoms(use_true_random=True))
def test_borders_of_blocks_do_not_matter(random: Random) -> None:
    gold, system = two_tokenisations(random)
    scores = official_scores(in_blocks(random, gold), in_blocks(random, system))
    assert numbers(scores) == truth(gold, system)


@settings(max_examples=50, deadline=None)
@given(st.randoms(use_true_random=True))
def test_several_roots_where_allowed(random: Random) -> None:
    analysis = generated.sentences(random, generated.text(random))
    gold, system = (generated.conllu(random, analysis, roots=2) for _ in range(2))
    scores = official_scores(gold.encode(), system.encode(), multiple_roots=True)
    assert numbers(scores) == truth(gold, system, multiple_roots_okay=True)


@pytest.mark.parametrize("seed", range(60))
def test_equal_to_udeval_on_a_few_treebanks(seed: int) -> None:
    """What the slow tests do with hundreds, on a few that are always the same."""
    random = Random(seed)
    gold, system = two_tokenisations(random)
    disturbed = generated.disturbed(random, gold)
    for other in (system, disturbed):
        expected = truth(gold, other)
        assert numbers(official_scores(gold.encode(), other.encode())) == expected
        assert numbers(official_scores(in_blocks(random, gold), in_blocks(random, other))) == expected


def words(*tokens: str) -> str:
    """Write one sentence; "ab a b" is a multiword token of two words."""
    lines, n = [], 0
    for token in tokens:
        form, *inner = token.split(" ")
        if inner:
            lines.append(f"{n + 1}-{n + len(inner)}\t{form}" + "\t_" * 8)
        for word in inner or [form]:
            n += 1
            lines.append(f"{n}\t{word}\t_\t_\t_\t_\t{int(n > 1)}\tdep\t_\t_")
    return "\n".join([*lines, "", ""])


@pytest.mark.parametrize(
    ("gold", "system", "aligned"),
    [
        (["a", "b", "c"], ["a", "b", "c"], 3),
        (["abc a b c"], ["a", "b", "c"], 3),
        (["abcd a b c d"], ["ab a b", "cd c d"], 4),
        (["abc a b c", "de d e"], ["a", "bcd b c d", "e"], 5),
        (["abcd"], ["a", "b", "c", "d"], 0),
        (["a", "bc", "d"], ["a", "b", "c", "d"], 2),
        (["a", "bc b c", "d"], ["ab AX BX", "cd CX a"], 1),
        (["DEL de el"], ["del DE EL"], 2),
        (["ZA za az"], ["ZA ZA AZ"], 2),
        (["a", "bc", "def"], ["abc", "def bc def"], 1),
        (["x x"], ["x x x"], 1),
    ],
)
def test_alignment_of_words(gold: list[str], system: list[str], aligned: int) -> None:
    ours, theirs = words(*gold), words(*system).replace("del", "DEL")
    assert official_scores(ours.encode(), theirs.encode())["Words"].correct == aligned
    assert truth(ours, theirs)["Words"][4] == aligned


def test_words_that_udeval_matches_across_sentences_are_matched() -> None:
    """Its alignment lags behind in one file and meets a multiword token further on in the other.

    Stretches must not be cut in such a place, even where it is the border of two blocks.
    """
    gold = [words("x x", "abcd"), words("c c")]
    system = [words("xa"), words("b", "c", "d"), words("cc").replace("cc", "c")]
    blocks = [[Block(text.encode(), LAYOUT) for text in side] for side in (gold, system)]
    expected = truth("".join(gold), "".join(system))
    assert expected["Words"][4] == 1
    assert numbers(official_scores(*blocks)) == expected


def test_a_repeated_arc_counts_as_udeval_counts_it() -> None:
    line = "1\ta\t_\t_\t_\t_\t0\troot\t{}\t_\n\n"
    many = line.format("|".join(["0:root"] * 100))
    one = line.format("0:root")
    for gold, system in ((many, one), (one, many), (many, many)):
        scores = official_scores(gold.encode(), system.encode())
        assert numbers(scores) == truth(gold, system)
    assert scores["ELAS"].correct == 10_000


def row(number: int | str, form: str = "a", head: int | str = 0, deps: str = "_") -> str:
    return f"{number}\t{form}\t_\tX\t_\t_\t{head}\tdep\t{deps}\t_"


def sentence(*lines: str) -> str:
    return "\n".join(["# sent_id = one", *lines, "", ""])


@pytest.mark.parametrize(
    ("bad", "says", "line"),
    [
        (sentence(row(1, head=1)), "cycle", 2),
        (sentence(row(1, head=2), row(2, head=1)), "cycle", 2),
        (sentence(row(1), row(2, head=3), row(3, head=2)), "cycle", 3),
        (sentence(row(1), row(2)), "several roots", 3),
        (sentence(row(1), row(2, head=7)), "outside the sentence", 3),
        (sentence(row(1), row(2, head=3)), "outside the sentence", 3),
        (sentence(row(1), row(2, head="_")), "no HEAD", 3),
        (sentence(row(1), row(2, head="x")), "HEAD is not a number", 3),
        (sentence(row(1), row(3, head=1)), "ID", 3),
        (sentence(row(1), "2\tb"), "columns", 3),
        (sentence(row(1, form=" ")), "FORM is empty", 2),
        (sentence(row("1-1", form="\u00a0"), row(1)), "FORM is empty", 2),
        (sentence(), "no words", 1),
        (sentence(row("1-2", head="_"), row(1)), "multiword token 1-2", 2),
        (sentence(row(1), row("2-3", head="_")), "multiword token 2-3", 3),
        (sentence(row(1, deps="obj")), "`obj`", 2),
        (sentence(row(1, deps="5:obj")), "outside the sentence", 2),
    ],
)
def test_bad_input_is_refused_as_udeval_refuses_it(bad: str, says: str, line: int) -> None:
    good = sentence(row(1), row(2, form="a", head=1))
    with pytest.raises((udeval.UDError, ValueError, IndexError)):
        truth(bad, good)
    block = Block(bad.encode(), LAYOUT, "bad.conllu")
    for pair in ((block, good.encode()), (good.encode(), block)):
        with pytest.raises(TreewrightError, match=says) as caught:
            official_scores(*pair)
        assert f"bad.conllu:{line} (sent_id one): " in str(caught.value)


@pytest.mark.parametrize(
    "bad",
    [
        sentence(row("2-3", head="_"), row(1), row(2, head=1)),
        sentence(row("2-1", head="_"), row(1)),
        sentence(row("2-2", head="_"), row(1), row(2, head=1)),
        sentence(row("1-2", head="_"), row(1), row("2-3", head="_"), row(2, head=1), row(3, head=1)),
    ],
)
def test_a_multiword_token_must_stand_before_its_words(bad: str) -> None:
    with pytest.raises(TreewrightError, match="is not directly before its words"):
        official_scores(bad.encode(), bad.encode())


def test_texts_that_differ_are_shown_side_by_side() -> None:
    gold = Block(words("the", "black", "cat", "sat").encode(), LAYOUT, "gold.conllu")
    system = Block(words("the", "black", "dog", "sat").encode(), LAYOUT, "out.conllu")
    with pytest.raises(TreewrightError) as caught:
        official_scores(gold, system)
    assert "gold.conllu:3: the black >>> cat sat" in str(caught.value)
    assert "out.conllu:3: the black >>> dog sat" in str(caught.value)


@pytest.mark.parametrize("tail", ["", words("d"), words("d", "e")])
def test_a_file_that_ends_early_is_refused(tail: str) -> None:
    short, long = words("a", "b"), words("a", "b", "c") + tail
    for pair in ((short, long), (long, short)):
        with pytest.raises(TreewrightError, match="text"):
            official_scores(*(text.encode() for text in pair))
    with pytest.raises(TreewrightError, match=r"ends, but .* continues at line 4"):
        official_scores(short.encode(), (short + words("c")).encode())


def test_crlf_and_a_byte_order_mark_change_nothing() -> None:
    gold = words("ab a b", "c")
    other = ("\ufeff# a comment\n" + gold).replace("\n", "\r\n")
    scores = official_scores(gold.encode(), other.encode())
    assert scores["Words"].correct == scores["LAS"].correct == 3
    assert scores["Tokens"].correct == 2


def test_a_very_long_multiword_span_is_refused_not_computed() -> None:
    n = 17_000
    gold = words("x " + " ".join(["a"] + ["b"] * n))
    system = words("x " + " ".join(["c"] + ["d"] * n))
    with pytest.raises(TreewrightError, match="too many to align"):
        official_scores(gold.encode(), system.encode())


def test_function_words_must_be_the_same_words() -> None:
    """Both analyses give the noun one case marker of the same kind, but not the same one."""
    lines = "1\tin\t_\tADP\t_\t_\t{}\t{}\t_\t_\n2\tof\t_\tADP\t_\t_\t{}\t{}\t_\t_\n"
    lines += "3\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    gold = lines.format(3, "case", 3, "dep")
    system = lines.format(3, "dep", 3, "case")
    scores = official_scores(gold.encode(), system.encode())
    assert numbers(scores) == truth(gold, system)
    assert (scores["CLAS"].correct, scores["MLAS"].correct) == (1, 0)
