"""P-values and intervals against tests written a second time, in a few plain lines each."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
from treewright.treebank.blocks.block import Block

from tests.splitmix import draws
from treewright.errors import TreewrightError
from treewright.evaluation import bootstrap, compare_systems, mcnemar
from treewright.evaluation.graph_significance import compare_graph_systems
from treewright.treebank.formats.conllu import CONLLU

# The definitions, written again


def binomial_p(a: int, b: int) -> Fraction:
    """Throw a fair coin a + b times: how likely is a result at least as lopsided? From Pascal's triangle."""
    row = [1]
    for _ in range(a + b):
        row = [x + y for x, y in zip([0, *row], [*row, 0], strict=True)]
    return Fraction(sum(ways for heads, ways in enumerate(row) if abs(2 * heads - a - b) >= abs(a - b)), sum(row))


def normal_p(z: float) -> float:
    """Return the two-sided tail of the normal distribution, by Simpson's rule."""
    steps, end = 20_000, z + 12
    width = (end - z) / steps
    heights = [
        math.exp(-((z + width * k) ** 2) / 2) * (1, 4, 2)[0 if k in (0, steps) else 2 - k % 2] for k in range(steps + 1)
    ]
    return 2 * width / 3 * math.fsum(heights) / math.sqrt(2 * math.pi)


def summary(observed: Fraction, samples: list[Fraction]) -> tuple[float, ...]:
    """Return difference, interval and p-value of a bootstrap, in percent where they are differences."""
    samples = sorted(samples)
    low, high = (samples[round(share * (len(samples) - 1))] for share in (0.025, 0.975))
    far = sum(abs(sample - observed) >= abs(observed) for sample in samples)
    return (*(float(100 * x) for x in (observed, low, high)), (far + 1) / (len(samples) + 1))


def plain_bootstrap(first, second, weights, resamples, seed) -> tuple[float, ...]:
    gains = [Fraction(a) - Fraction(b) for a, b in zip(first, second, strict=True)]
    places, n = draws(len(gains), seed), len(gains)
    samples = []
    for _ in range(resamples):
        drawn = [next(places) for _ in range(n)]
        below = sum(weights[place] for place in drawn)
        samples.append(sum(gains[place] for place in drawn) / below if below else Fraction(0))
    return summary(sum(gains) / sum(weights), samples)


def numbers(found) -> tuple[float, ...]:
    return found.difference, found.low, found.high, found.p_value


# McNemar


@pytest.mark.parametrize(("a", "b"), [(0, 0), (0, 1), (1, 0), (3, 9), (9, 3), (10, 10), (40, 62), (470, 530)])
def test_mcnemar_up_to_a_thousand_words_is_the_exact_binomial_test(a, b):
    found = mcnemar(a, b)
    assert (found.only_first, found.only_second) == (a, b)
    assert (found.method, found.statistic) == ("exact binomial", min(a, b))
    assert found.p_value == pytest.approx(float(binomial_p(a, b)), rel=1e-12)


def test_the_binomial_test_ends_at_a_thousand_words():
    assert mcnemar(450, 550).method == "exact binomial"
    assert mcnemar(450, 551).method == "chi-square"


@pytest.mark.parametrize(("a", "b"), [(500, 501), (450, 551), (551, 450), (5000, 5197), (600, 600)])
def test_mcnemar_above_is_chi_square_with_continuity_correction(a, b):
    found = mcnemar(a, b)
    z = max(0, abs(a - b) - 1) / math.sqrt(a + b)
    assert found.statistic == pytest.approx(z * z)
    assert found.p_value == pytest.approx(normal_p(z), rel=1e-6)


# The bootstrap


@pytest.mark.parametrize(("resamples", "seed"), [(1, 1), (2, 5), (40, 3), (41, 2**64 - 1), (1000, 7)])
def test_bootstrap_is_the_one_written_again(resamples, seed):
    random = Random(resamples)
    weights = [random.randint(1, 20) for _ in range(30)]
    first, second = ([random.randint(0, n) for n in weights] for _ in "ab")
    found = bootstrap(first, second, weights, resamples=resamples, seed=seed)
    assert numbers(found) == pytest.approx(plain_bootstrap(first, second, weights, resamples, seed), rel=1e-9)
    assert (found.resamples, found.seed) == (resamples, seed)


def test_a_resample_exactly_as_far_as_zero_counts_as_far():
    """Differences of 1 and 0 only: resamples at 0 and at twice the observed difference are ties."""
    first, second, weights = [1, 1, 0, 0], [0, 0, 0, 0], [1] * 4
    found = bootstrap(first, second, weights, resamples=500, seed=2)
    assert numbers(found) == pytest.approx(plain_bootstrap(first, second, weights, 500, 2))
    assert 0.1 < found.p_value < 0.2  # 2 of 16 in theory; without the ties it would be 1 of 501


def test_the_bootstrap_has_its_defaults():
    found = bootstrap([1, 0, 1], [0, 0, 1], [1, 1, 1])
    assert (found.resamples, found.seed) == (10_000, 1)


def test_no_scored_word_is_no_difference():
    found = bootstrap([0, 0], [0, 0], [0, 0], resamples=9)
    assert numbers(found) == (0, 0, 0, 1)


def test_a_sentence_too_few_is_an_error():
    with pytest.raises(ValueError, match="zip"):
        bootstrap([1, 2], [1], [1, 2])
    with pytest.raises(ValueError, match="same sentences"):
        bootstrap([1, 2], [1, 2], [1])


# Whole comparisons


def conllu(sentences) -> bytes:
    """Return sentences of (head, relation, tag) as CoNLL-U."""
    rows = (
        "".join(f"{i}\tw\t_\t{tag}\t_\t_\t{head}\t{rel}\t_\t_\n" for i, (head, rel, tag) in enumerate(words, 1))
        for words in sentences
    )
    return ("\n".join(rows) + "\n").encode()


def made_treebanks(seed: int):
    """Return gold trees and two parses; one sentence is punctuation only."""
    random = Random(seed)
    gold, parses = [], ([], [])
    for number in range(25):
        n = random.randint(2, 9)
        tags = ["PUNCT" if number == 4 or random.random() < 0.2 else "NOUN" for _ in range(n)]
        gold.append([(0 if i == 0 else 1, "a" if i else "root", tags[i]) for i in range(n)])
        for parse, errors in zip(parses, (0.2, 0.35), strict=True):
            # A wrong head is the word before; of the second word, whose gold head that is, the root.
            wrong = [i if i > 1 else 0 for i in range(n)]
            heads = [bad if random.random() < errors else head for bad, (head, *_) in zip(wrong, gold[-1], strict=True)]
            labels = [label if random.random() > errors else label + ":x" for _, label, _ in gold[-1]]
            parse.append([*zip(heads, labels, tags, strict=True)])
    return gold, *parses


@pytest.mark.parametrize("metric", ["las", "uas"])
@pytest.mark.parametrize("relation", ["full", "universal"])
@pytest.mark.parametrize(("punctuation", "average"), [("all", "micro"), ("upos", "micro"), ("upos", "macro")])
def test_two_parses_compared(metric, relation, punctuation, average):
    gold, first, second = made_treebanks(4)

    def right(wanted, found):
        label = wanted[1] == (found[1] if relation == "full" else found[1].split(":")[0])
        return wanted[0] == found[0] and (label or metric == "uas")

    def flags(parse):
        return [
            [right(w, f) for w, f in zip(words, others, strict=True) if punctuation == "all" or w[2] != "PUNCT"]
            for words, others in zip(gold, parse, strict=True)
        ]

    ours, theirs = flags(first), flags(second)
    pairs = [pair for a, b in zip(ours, theirs, strict=True) for pair in zip(a, b, strict=True)]
    sizes = [len(words) for words in ours]
    scores = [[sum(words) for words in parse] for parse in (ours, theirs)]
    weights = sizes
    if average == "macro":
        scores = [[Fraction(s, n) if n else 0 for s, n in zip(of, sizes, strict=True)] for of in scores]
        weights = [int(n > 0) for n in sizes]
    found = compare_systems(
        conllu(gold),
        conllu(first),
        conllu(second),
        metric=metric,
        relation=relation,
        punctuation=punctuation,
        average=average,
        resamples=300,
        seed=5,
    )
    assert (found.words, found.sentences) == (sum(sizes), sum(n > 0 for n in sizes))
    assert (found.mcnemar.only_first, found.mcnemar.only_second) == (
        pairs.count((True, False)),
        pairs.count((False, True)),
    )
    assert found.mcnemar.p_value == pytest.approx(
        float(binomial_p(pairs.count((True, False)), pairs.count((False, True))))
    )
    assert found.first_score == pytest.approx(float(100 * sum(scores[0]) / Fraction(sum(weights))))
    assert found.second_score == pytest.approx(float(100 * sum(scores[1]) / Fraction(sum(weights))))
    assert numbers(found.bootstrap) == pytest.approx(plain_bootstrap(*scores, weights, 300, 5), rel=1e-9)


def test_a_comparison_has_its_defaults():
    gold, first, second = map(conllu, made_treebanks(2))
    found = compare_systems(gold, first, second)
    assert (found.metric, found.punctuation, found.relation, found.average) == ("las", "all", "full", "micro")
    assert (found.bootstrap.resamples, found.bootstrap.seed) == (10_000, 1)


def test_blocks_are_compared_as_one_file():
    texts = [conllu(treebank) for treebank in made_treebanks(3)]
    whole = compare_systems(*texts, resamples=50)
    cut = [[Block(part + b"\n\n", CONLLU, "x") for part in text.strip().split(b"\n\n")] for text in texts]
    assert len(cut[0]) == 25
    found = compare_systems(*cut, resamples=50)
    assert (found.mcnemar, found.bootstrap, found.words) == (whole.mcnemar, whole.bootstrap, whole.words)


@pytest.mark.parametrize("choice", [{"average": "mean"}, {"punctuation": "none"}, {"relation": "half"}])
def test_unknown_conventions_are_rejected(choice):
    with pytest.raises(TreewrightError, match=next(iter(choice.values()))):
        compare_systems(b"", b"", b"", **choice)


def graph_text(graphs) -> bytes:
    rows = (
        "".join(
            f"{i}\tw\t_\tX\t_\t_\t{int(i > 1)}\tr\t{'|'.join(f'{h}:{r}' for h, r in sorted(arcs)) or '_'}\t_\n"
            for i, arcs in enumerate(graph, 1)
        )
        for graph in graphs
    )
    return ("\n".join(rows) + "\n").encode()


def made_graphs(seed: int, errors: float, n_sentences: int = 20):
    """Return gold graphs and a copy with errors."""
    random = Random(seed)

    def arcs(i, n):
        return {(head, random.choice("ab")) for head in random.sample([h for h in range(n + 1) if h != i], 2)}

    gold = [[arcs(i, n) for i in range(1, n + 1)] for n in (random.randint(3, 8) for _ in range(n_sentences))]
    copy = [[arcs(i, len(g)) if random.random() < errors else old for i, old in enumerate(g, 1)] for g in gold]
    return gold, copy


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize(("resamples", "seed"), [(1, 1), (41, 3), (200, 4)])
def test_two_graph_parses_compared(labelled, resamples, seed):
    (gold, first), (_, second) = made_graphs(1, 0.3), made_graphs(1, 0.5)

    def arcs(graph):
        return {(i, h, r if labelled else "") for i, of_word in enumerate(graph) for h, r in of_word}

    rows = [tuple(map(arcs, graphs)) for graphs in zip(gold, first, second, strict=True)]

    def f1(sample, which):
        found = sum(len(row[0] & row[which]) for row in sample)
        return Fraction(2 * found, sum(len(row[0]) + len(row[which]) for row in sample))

    random = Random(seed)
    samples = [random.choices(rows, k=len(rows)) for _ in range(resamples)]
    wanted = summary(f1(rows, 1) - f1(rows, 2), [f1(sample, 1) - f1(sample, 2) for sample in samples])
    only = [sum(len((row[0] & row[a]) - row[b]) for row in rows) for a, b in ((1, 2), (2, 1))]
    texts = map(graph_text, (gold, first, second))
    found = compare_graph_systems(*texts, labelled=labelled, resamples=resamples, seed=seed)
    assert numbers(found.bootstrap) == pytest.approx(wanted, rel=1e-9)
    assert (found.mcnemar.only_first, found.mcnemar.only_second) == (only[0], only[1])
    assert found.mcnemar.p_value == pytest.approx(float(binomial_p(*only)))
    assert found.first_f1 == pytest.approx(float(100 * f1(rows, 1)))
    assert found.second_f1 == pytest.approx(float(100 * f1(rows, 2)))
    assert (found.labelled, found.sentences, found.gold_arcs) == (labelled, len(rows), sum(len(r[0]) for r in rows))


def test_a_comparison_of_graphs_has_its_defaults():
    gold, first = map(graph_text, made_graphs(2, 0.5, 3))
    found = compare_graph_systems(gold, first, gold)
    assert (found.labelled, found.bootstrap.resamples, found.bootstrap.seed) == (True, 1000, 1)


def test_trees_can_take_the_place_of_graphs(tmp_path):
    """Arcs from HEAD are right for both words; those from DEPS are right for one of the two."""
    row = "{}\tw\t_\tX\t_\t_\t{}\tr\t{}\t_\n"
    gold, poor = (tmp_path / name for name in ("gold.conllu", "poor.conllu"))
    gold.write_text(row.format(1, 0, "0:r") + row.format(2, 1, "1:r") + "\n")
    poor.write_text(row.format(1, 0, "0:r") + row.format(2, 1, "0:r") + "\n")

    def scores(**choices):
        found = compare_graph_systems(gold, poor, poor, resamples=1, **choices)
        assert (found.first, found.second) == (str(gold.with_name("poor.conllu")), str(poor))
        return found.first_f1, found.second_f1

    assert scores() == (50, 50)
    assert scores(tree_as_graph=True) == (100, 100)
    assert scores(tree_as_graph=True, second_tree_as_graph=False) == (100, 50)
    assert scores(second_tree_as_graph=True) == (50, 100)


def test_graphs_without_arcs_differ_in_nothing():
    empty = graph_text([[set(), set()]])
    found = compare_graph_systems(empty, empty, empty, resamples=5)
    assert (found.first_f1, found.second_f1, found.gold_arcs) == (0, 0, 0)
    assert numbers(found.bootstrap) == (0, 0, 0, 1)
    one = graph_text([[{(0, "a")}, set()]])
    assert compare_graph_systems(empty, one, empty, resamples=5).bootstrap.difference == 0
