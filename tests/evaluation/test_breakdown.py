"""Breakdowns add up to the whole, and each row is what plain counting gives."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluation import generated_treebanks as generated
from treewright.errors import TreewrightError
from treewright.evaluation import BREAKDOWNS, breakdown, breakdown_lines, evaluate, sentence_scores
from treewright.evaluation.breakdown import DistanceRow, LengthRow, RelationRow, SentenceRow, TagRow
from treewright.evaluation.tables import table_lines


def pair(random: Random) -> tuple[str, str]:
    gold = generated.conllu(random, generated.sentences(random, generated.text(random)))
    return gold, generated.disturbed(random, gold)


def words(treebank: str) -> list[list[str]]:
    lines = [line.split("\t") for line in treebank.split("\n")]
    return [columns for columns in lines if columns[0].isdigit()]


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=True), st.sampled_from(["full", "universal"]))
def test_by_relation(random: Random, relation: str) -> None:
    gold, system = pair(random)

    def label(columns: list[str]) -> str:
        return columns[7] if relation == "full" else columns[7].split(":")[0]

    ours, theirs = words(gold), words(system)
    in_gold, in_system = Counter(map(label, ours)), Counter(map(label, theirs))
    correct = Counter(label(a) for a, b in zip(ours, theirs, strict=True) if a[6] == b[6] and label(a) == label(b))
    rows = breakdown(gold.encode(), system.encode(), "deprel", relation=relation)
    found = {r.deprel: (r.gold, r.system, r.correct) for r in rows if isinstance(r, RelationRow)}
    assert found == {
        name: (in_gold[name], in_system[name], correct[name]) for name in in_gold.keys() | in_system.keys()
    }
    for row in rows:
        assert isinstance(row, RelationRow)
        assert row.precision == pytest.approx(100 * row.correct / max(row.system, 1))
        assert row.recall == pytest.approx(100 * row.correct / max(row.gold, 1))


def bucket(distance: int) -> str:
    far = abs(distance)
    if far == 0:
        return "root"
    for top, name in ((1, "1"), (2, "2"), (3, "3"), (5, "4-5"), (10, "6-10"), (20, "11-20")):
        if far <= top:
            return name
    return "21+"


def signed_bucket(distance: int) -> str:
    side = "" if distance == 0 else "right " if distance > 0 else "left "
    return side + bucket(distance)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=True), st.booleans())
def test_by_distance(random: Random, signed: bool) -> None:
    gold, system = pair(random)
    name = signed_bucket if signed else bucket

    def key(columns: list[str]) -> str:
        return name(int(columns[6]) - int(columns[0]) if columns[6] != "0" else 0)

    ours, theirs = words(gold), words(system)
    in_gold, in_system = Counter(map(key, ours)), Counter(map(key, theirs))
    heads = Counter(key(a) for a, b in zip(ours, theirs, strict=True) if a[6] == b[6])
    both = Counter(key(a) for a, b in zip(ours, theirs, strict=True) if a[6:8] == b[6:8])
    by = "signed-distance" if signed else "distance"
    rows = [r for r in breakdown(gold.encode(), system.encode(), by) if isinstance(r, DistanceRow)]
    assert {row.distance for row in rows} == in_gold.keys() | in_system.keys()
    for row in rows:
        assert (row.gold, row.system) == (in_gold[row.distance], in_system[row.distance])
        assert row.recall == pytest.approx(100 * both[row.distance] / max(row.gold, 1))
        assert row.unlabelled_precision == pytest.approx(100 * heads[row.distance] / max(row.system, 1))


@pytest.mark.parametrize("signed", [False, True])
def test_distances_of_all_sizes_have_the_right_name(signed: bool) -> None:
    n = 60
    gold = "".join(f"{i}\tw\t_\tX\t_\t_\t{0 if i == 30 else 30}\tdep\t_\t_\n" for i in range(1, n + 1)).encode() + b"\n"
    name = signed_bucket if signed else bucket
    expected = Counter(name(0 if i == 30 else 30 - i) for i in range(1, n + 1))
    rows = breakdown(gold, gold, "signed-distance" if signed else "distance")
    assert {r.distance: r.gold for r in rows if isinstance(r, DistanceRow)} == expected


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=True), st.sampled_from(["all", "upos", "form"]))
def test_rows_add_up_to_the_whole(random: Random, punctuation: str) -> None:
    gold, system = pair(random)
    whole = evaluate(gold.encode(), system.encode()).attachment(punctuation)
    for by in ("upos", "length", "sentence"):
        rows = breakdown(gold.encode(), system.encode(), by, punctuation=punctuation)
        right_heads = right = total = 0.0
        for row in rows:
            assert isinstance(row, (TagRow, LengthRow, SentenceRow))
            total += row.words
            right_heads += row.words * row.uas
            right += row.words * row.las
        assert total == whole.words
        assert right_heads == pytest.approx(whole.uas * whole.words)
        assert right == pytest.approx(whole.las * whole.words)


def test_by_sentence_names_the_place() -> None:
    gold = (
        "# sent_id = first\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
        "# sent_id = second\n# text = b\n1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    )
    system = gold.replace("b\t_\tX\t_\t_\t0\troot", "b\t_\tX\t_\t_\t0\tdep")
    rows = list(sentence_scores(gold.encode(), system.encode()))
    assert rows == [SentenceRow(1, 1, 100.0, 100.0, "first"), SentenceRow(4, 1, 100.0, 0.0, "second")]


@pytest.mark.parametrize("by", BREAKDOWNS)
def test_every_breakdown_is_shown(by: str) -> None:
    gold, system = pair(Random(5))
    rows = breakdown(gold.encode(), system.encode(), by)
    lines = list(breakdown_lines(by, rows))
    assert len(lines) == len(rows) + 2
    assert len(rows) > 0


def test_a_table_is_written_before_its_rows_have_ended() -> None:
    def endless() -> object:
        number = 0
        while True:
            number += 1
            yield (number, 12.345, "x")

    lines = list(islice(table_lines(("n", "score", "name"), endless()), 4))  # type: ignore[arg-type]
    assert lines[2].split() == ["1", "12.35", "x"] or lines[2].split() == ["1", "12.34", "x"]


def test_an_unknown_breakdown_is_refused_with_the_known_ones() -> None:
    with pytest.raises(TreewrightError, match="deprel, upos, length"):
        breakdown(b"", b"", "colour")


def test_breakdowns_need_the_same_words() -> None:
    gold = "# sent_id = s\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    with pytest.raises(TreewrightError, match=r"the text:2 \(sent_id s\): the gold word is 'a'"):
        breakdown(gold.encode(), gold.replace("a\t", "b\t").encode(), "deprel")
    with pytest.raises(TreewrightError, match="ends, but"):
        breakdown(gold.encode(), (gold + gold).encode(), "deprel")
