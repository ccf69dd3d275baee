"""Confidences of enhanced graphs: probabilities of choices, times those of the tree's arcs on the way, calibrated."""

from __future__ import annotations

import math
import random
from array import array
from pathlib import Path

import pytest
from treewright.features.encoder import Encoder
from treewright.kinds.enhanced.examples import ArcExamples
from treewright.kinds.enhanced.finding import ATTRIBUTES, KINDS, ArcFinder
from treewright.kinds.enhanced.tree_paths import TreePaths
from treewright.learners.perceptron import Perceptron
from treewright.treebank.blocks.block import Block

import treewright as tw
from treewright.errors import TreewrightWarning
from treewright.kinds.enhanced.confidence import calibration_on
from treewright.kinds.enhanced.parser import EnhancedParser, confidences_of_trees
from treewright.steps.pipeline import Pipeline
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.graphs.graph import Graphs, sentence_graphs

from .test_enhanced import TINY, sentence
from .test_tree_paths import RELATIONS, all_paths, block_of, random_tree


def way(word: int, head: int, heads: list[int]) -> list[int]:
    """Return the words whose arcs of the tree are between a word and a node."""
    above, beside = [word], [head]
    for line in (above, beside):
        while line[-1]:
            line.append(heads[line[-1] - 1])
    meet = next(node for node in above if node in beside)
    return above[: above.index(meet)] + beside[: beside.index(meet)]


@pytest.mark.parametrize("seed", range(30))
def test_arcs_are_as_sure_as_the_tree_along_their_paths(seed: int) -> None:
    """Where a path leaves no choice, that is all; and the arcs are the same as without confidences."""
    dice = random.Random(seed)
    n = dice.randint(1, 10)
    heads, labels = random_tree(n, dice)
    trie = TreePaths([(path, [dice.randrange(2)]) for path in dice.sample(all_paths(), 60)], RELATIONS, RELATIONS)
    finder = ArcFinder(trie, Encoder(ATTRIBUTES, False), Perceptron(KINDS, RELATIONS), (), ())
    given = block_of(n), array("i", heads), array("i", labels), array("i", range(RELATIONS)), bool(seed % 2)
    sure = array("f", [dice.choice([math.nan, dice.random()]) for _ in range(n)])
    dependents, found, relations, confidences = finder.find(*given, 1.0, sure)
    assert finder.find(*given) == (dependents, found, relations)
    assert finder.find(*given, 1.0)[3] == array("f", [1.0]) * len(found)
    for dependent, head, confidence in zip(dependents, found, confidences, strict=True):
        words = way(dependent + 1, head, heads)
        expected = math.prod(sure[word - 1] for word in words if not math.isnan(sure[word - 1]))
        assert confidence == pytest.approx(expected, rel=1e-5)


def test_choices_have_probabilities() -> None:
    """One path with two choices: the probability is a logistic function of the difference of their scores."""
    heads, labels = array("i", [0, 1]), array("i", [0, 1])
    trie = TreePaths([(((True, 1),), [0, 1])], RELATIONS, RELATIONS)
    learner = Perceptron(KINDS, RELATIONS)
    finder = ArcFinder(trie, Encoder(ATTRIBUTES, False), learner, (), ())
    given = block_of(2), heads, labels, array("i", range(RELATIONS)), False
    assert finder.find(*given, 1.0)[3][1] == pytest.approx(0.5)  # nothing is learnt yet
    examples = ArcExamples(finder)
    examples.add(given[0], heads, labels, Graphs([[(0, 0)], [(1, 1)]]), 0)
    for _ in range(3):
        examples.learn(learner, array("i", range(len(examples))))
    probabilities = [finder.find(*given, beta)[3][1] for beta in (0.01, 0.1, 1.0)]
    assert probabilities == sorted(probabilities)
    odds = [probability / (1 - probability) for probability in probabilities[:2]]
    assert math.log(odds[1]) == pytest.approx(10 * math.log(odds[0]), rel=1e-3)
    with pytest.raises(ValueError, match="every word needs a confidence"):
        finder.find(*given, 1.0, array("f", [1.0]))


def test_confidences_of_trees_are_read_from_misc() -> None:
    rows = ["Confidence=0.5", "SpaceAfter=No|Confidence=0.25|X=Y", "GraphConfidence=0.125", "_"]
    text = "".join(f"{k}\tw\t_\t_\t_\t_\t0\tr\t_\t{misc}\n" for k, misc in enumerate(rows, 1)) + "\n"
    (block,) = read_blocks(text.encode())
    found = confidences_of_trees(block)
    assert list(found[:2]) == [0.5, 0.25]
    assert all(map(math.isnan, found[2:]))


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("confidence") / "graphs.conllu"
    path.write_text("".join("\n".join(sentence(i)) + "\n\n" for i in range(48)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def pipeline(treebank: Path) -> Pipeline:
    return tw.train_pipeline(treebank, treebank, **TINY)


def test_a_pipeline_writes_both_confidences(pipeline: Pipeline) -> None:
    words = list(pipeline("Ann wants to see figs .", confidence=True)[0])
    for word in words:
        tree, graph = (float(word.misc[name] or "nan") for name in ("Confidence", "GraphConfidence"))
        assert 0 <= tree <= 1
        assert 0 <= graph <= 1
    assert "GraphConfidence" not in pipeline("Ann sees figs .")[0][0].misc
    assert pipeline.info["dev"]["graph"]
    assert pipeline.steps["graph"].info["calibration"]["ece"] < 0.05


def test_what_is_fitted_says_how_often_heads_are_right(treebank: Path) -> None:
    """Half of the dev set's graphs are wrong: no word is as sure as it seemed."""
    step = tw.train(treebank, step="graph")
    assert isinstance(step, EnhancedParser)
    block = next(read_blocks(treebank))
    right = list(sentence_graphs(block))
    wrong = [[[(head, relation + ":x") for head, relation in arcs] for arcs in graph] for graph in right]
    fitted, info = calibration_on(step, [(block, right), (block, wrong)])
    assert [knot[1] for knot in fitted["knots"]] == pytest.approx([0.5] * len(fitted["knots"]), abs=0.02)
    assert info["ece"] < 0.02 < info["ece_before"]


def test_a_step_that_was_not_calibrated_says_so(treebank: Path, pipeline: Pipeline) -> None:
    step = tw.train(treebank, step="graph")
    block = next(read_blocks(treebank))
    with pytest.warns(TreewrightWarning, match="trained without a dev set"):
        parsed = step.parse_block(block, confidence=True)
    assert b"GraphConfidence=" in parsed.data
    again = Block(parsed.data, parsed.layout)
    assert pipeline.steps["graph"].parse_block(again, confidence=True).data.count(b"GraphConfidence=") == block.n_words
