"""Every count of an analysis against the same count done slowly, word by word."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.analysis.made import conllu, parse_of, treebank
from treewright.analysis.breakdowns import BreakdownRow, with_holm
from treewright.analysis.propagation import DISTANCES
from treewright.evaluation import compare_systems
from treewright.treebank.formats.conllu import CONLLU

CONVENTIONS = [("las", "all", "full"), ("uas", "upos", "full"), ("las", "form", "universal")]


def made(seed):
    random = Random(seed)
    gold = treebank(random)
    return gold, parse_of(random, gold, 0.3), parse_of(random, gold, 0.5)


def words_of(gold, parse, convention):
    """Yield, sentence by sentence, (gold head, relation, tag, place, length, right?, right head?, given)."""
    metric, punctuation, relation = convention
    cut = (lambda name: name.split(":")[0]) if relation == "universal" else (lambda name: name)
    for (heads, relations, tags), (given_heads, given_relations, _) in zip(gold, parse, strict=True):
        words = []
        for place in range(len(heads)):
            if punctuation != "all" and tags[place] == "PUNCT":
                continue
            head = heads[place] == given_heads[place]
            label = cut(relations[place]) == cut(given_relations[place])
            right = head and (label or metric == "uas")
            given = cut(given_relations[place])
            words.append((place, heads, cut(relations[place]), tags[place], right, head, label, given))
        yield words


def depth_of(heads, place):
    depth = 1
    while heads[place]:
        place, depth = heads[place] - 1, depth + 1
    return depth


def is_projective(heads, place):
    """Whether all words between a word and its head descend from that head."""
    head, word = heads[place], place + 1
    for between in range(min(head, word) + 1, max(head, word)):
        node = between
        while node not in (0, head):
            node = heads[node - 1]
        if node != head:
            return False
    return True


def bucket(value, bounds):
    """Return the name of the bucket of a number."""
    for low, high in zip(bounds, [*bounds[1:], None], strict=True):
        if high is None:
            return f"{low}+"
        if low <= value < high:
            return str(low) if high == low + 1 else f"{low}-{high - 1}"
    raise AssertionError


def keys(word):
    """Return the row of every table that a word belongs to."""
    place, heads, relation, tag, *_ = word
    distance = heads[place] - place - 1
    size = bucket(abs(distance), (1, 2, 3, 4, 6, 11, 21)) if heads[place] else ""
    depth = depth_of(heads, place)
    return {
        "deprel": relation,
        "upos": tag,
        "length": bucket(len(heads), (1, 6, 11)),
        "distance": "root" if not heads[place] else f"{'left' if distance < 0 else 'right'} {size}",
        "projectivity": "projective" if is_projective(heads, place) else "non-projective",
        "depth": "1 (root)" if depth == 1 else bucket(depth, (1, 2, 3, 4, 5, 6, 8, 11)),
    }


def analyzed(convention, seed):
    """Return a gold standard with two parses of it, and what is counted of them."""
    gold, a, b = made(seed)
    metric, punctuation, relation = convention
    counted = tw.analyze(conllu(gold), conllu(a), conllu(b), metric=metric, punctuation=punctuation, relation=relation)
    return (gold, a, b), counted


@pytest.mark.parametrize("convention", CONVENTIONS, ids=str)
@given(seed=st.integers(0, 10**6))
def test_tables_are_those_of_a_count_by_hand(convention, seed):
    (gold, a, b), found = analyzed(convention, seed)
    wanted = Counter()
    for first, second in zip(words_of(gold, a, convention), words_of(gold, b, convention), strict=True):
        for one, other in zip(first, second, strict=True):
            for by, name in {**keys(one), "": "all"}.items():
                wanted[by, name, "words"] += 1
                wanted[by, name, "first_heads"] += one[5]
                wanted[by, name, "second_heads"] += other[5]
                wanted[by, name, "first_right"] += one[4]
                wanted[by, name, "second_right"] += other[4]
                wanted[by, name, "only_first"] += one[4] and not other[4]
                wanted[by, name, "only_second"] += other[4] and not one[4]
    got = Counter()
    for by, rows in {**found.tables, "": [found.total]}.items():
        for row in rows:
            for what in ("words", "first_heads", "second_heads", "first_right", "second_right", "only_first"):
                got[by, row.name, what] = getattr(row, what)
            got[by, row.name, "only_second"] = row.only_second
    assert +got == +wanted


@pytest.mark.parametrize("convention", CONVENTIONS, ids=str)
@given(seed=st.integers(0, 10**6))
def test_confusions_are_those_of_a_count_by_hand(convention, seed):
    (gold, a, b), found = analyzed(convention, seed)
    wanted = Counter()
    for which, parse in (("first", a), ("second", b)):
        for sentence in words_of(gold, parse, convention):
            for _, _, wanted_relation, _, _, head, label, given_relation in sentence:
                if not label:
                    wanted[wanted_relation, given_relation, which] += 1
                    wanted[wanted_relation, given_relation, f"{which}_heads"] += head
    got = Counter()
    for row in found.confusions:
        for which in ("first", "second", "first_heads", "second_heads"):
            got[row.gold, row.given, which] = getattr(row, which)
    assert +got == +wanted


@given(seed=st.integers(0, 10**6))
def test_what_follows_the_first_error(seed):
    gold, a, b = made(seed)
    convention = CONVENTIONS[1]
    found = tw.analyze(conllu(gold), conllu(a), conllu(b), metric="uas", punctuation="upos")
    for parse, spread in ((a, found.spreads[0]), (b, found.spreads[1])):
        words, errors, expected = Counter(), Counter(), Counter()
        for sentence in words_of(gold, parse, convention):
            wrong = [not word[4] for word in sentence]
            if not any(wrong):
                continue
            first = wrong.index(True)
            for place in range(first + 1, len(wrong)):
                name = bucket(place - first, DISTANCES)
                words[name] += 1
                errors[name] += wrong[place]
                # By enumeration: all ways to place the other errors behind the first.
                others = list(combinations(range(first + 1, len(wrong)), sum(wrong) - 1))
                expected[name] += sum(place in chosen for chosen in others) / len(others)
        assert {row.distance: row.words for row in spread.after} == dict(words)
        assert +Counter({row.distance: row.errors for row in spread.after}) == +errors
        for row in spread.after:
            assert row.expected == pytest.approx(expected[row.distance])


@given(seed=st.integers(0, 10**6))
def test_who_has_erred_before(seed):
    gold, a, b = made(seed)
    wanted = Counter()
    convention = CONVENTIONS[0]
    for first, second in zip(words_of(gold, a, convention), words_of(gold, b, convention), strict=True):
        erred = [False, False]
        for one, other in zip(first, second, strict=True):
            name = {(0, 0): "neither", (1, 0): "only A", (0, 1): "only B", (1, 1): "both"}[tuple(map(int, erred))]
            wanted[name, "words"] += 1
            wanted[name, "first_errors"] += not one[4]
            wanted[name, "second_errors"] += not other[4]
            erred = [erred[0] or not one[4], erred[1] or not other[4]]
    found = tw.analyze(conllu(gold), conllu(a), conllu(b))
    got = Counter()
    for row in found.histories:
        for what in ("words", "first_errors", "second_errors"):
            got[row.erred_before, what] = getattr(row, what)
    assert +got == +wanted


def test_the_difference_is_that_of_compare_systems():
    gold, a, b = (conllu(part) for part in made(7))
    found, known = tw.analyze(gold, a, b), compare_systems(gold, b, a, resamples=2000)
    assert found.difference == known.bootstrap
    assert found.total.p_value == known.mcnemar.p_value
    assert (found.total.only_second, found.total.only_first) == (known.mcnemar.only_first, known.mcnemar.only_second)


def test_blocks_may_end_anywhere():
    whole = [conllu(part) for part in made(3)]

    def cut(text, size):
        sentences = text.decode().split("\n\n")[:-1]
        for start in range(0, len(sentences), size):
            yield Block(("\n\n".join(sentences[start : start + size]) + "\n\n").encode(), CONLLU, "cut")

    blocks = [list(cut(text, size)) for text, size in zip(whole, (3, 2, 5), strict=True)]
    one, other = tw.analyze(*whole).to_dict(), tw.analyze(*blocks).to_dict()
    # Lines are counted within what is read.
    for extremes in (*one["to_look_at"].values(), *other["to_look_at"].values()):
        for extreme in extremes:
            del extreme["line"]
    assert {**one, "gold": "", "parses": []} == {**other, "gold": "", "parses": []}


def test_the_sentences_to_look_at_are_those_that_differ_most():
    gold, a, b = made(11)
    found = tw.analyze(conllu(gold), conllu(a), conllu(b), sentences=2)
    differences = []
    pairs = zip(words_of(gold, a, CONVENTIONS[0]), words_of(gold, b, CONVENTIONS[0]), strict=True)
    for number, (first, second) in enumerate(pairs, 1):
        differences.append((sum(word[4] for word in second) - sum(word[4] for word in first), number))
    best = sorted(differences, key=lambda pair: -pair[0])
    assert [e.second_errors - e.first_errors for e in found.extremes[1]] == [-d for d, _ in best[:2] if d > 0]
    assert [e.second_errors - e.first_errors for e in found.extremes[0]] == [-d for d, _ in best[::-1][:2] if d < 0]
    one = tw.analyze(conllu(gold), conllu(a), sentences=1)
    most = max(sum(not word[4] for word in words) for words in words_of(gold, a, CONVENTIONS[0]))
    assert [e.first_errors for e in one.extremes[1]] == [most]
    assert one.extremes[1][0].second is None


def test_holm():
    """The example of the procedure: smallest p-value against level / n, the next against level / (n - 1), …"""
    rows = [BreakdownRow(str(p), 9, 1, 1, 1, 1, 1, 1, p) for p in (0.01, 0.04, 0.03, 0.005)]
    assert [row.significant for row in with_holm(rows)] == [True, False, False, True]
    silent = BreakdownRow("silent", 9, 1, 1, 1, 1, 0, 0, 1.0)  # which asks no question
    assert with_holm([rows[1], silent, silent, silent])[0].significant
