"""Training a network of graphs: what its loss adds up, and what a training that goes on keeps."""

from __future__ import annotations

import random
from array import array
from math import exp, log, log1p
from pathlib import Path
from typing import Any

import pytest
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.optional import needs
from treewright.kinds.network.inputs.vocabulary import Vocabulary
from treewright.kinds.network_graph.parser import NeuralGraphParser
from treewright.systems import obeying
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.graphs.graph import Graphs

pytestmark = needs("torch")

WIDTHS = {"words": 4, "upos": 3}
#: for each sentence the arcs to each of its words: heads and relations
ARCS = ([[(2, 0)], [(0, 1), (3, 2)], [(2, 0), (1, 2)]], [[(0, 1)]], [[], [(1, 0)]])
SMALL: dict[str, Any] = {
    "hidden": 8, "arc_size": 8, "relation_size": 8, "buckets": 64, "tag_width": 3, "word_width": 4, "iterations": 1,
}  # fmt: skip


def words(*rows: str) -> str:
    """Return a sentence of words given as form, tag and DEPS."""
    lines = []
    for number, row in enumerate(rows, 1):
        form, tag, arcs = row.split()
        lines.append(f"{number}\t{form}\t_\t{tag}\t_\t_\t_\t_\t{arcs}\t_\n")
    return "".join(lines) + "\n"


def test_the_loss_is_that_of_every_arc_every_gold_arc_and_every_relation() -> None:
    """The root of the first sentence counts like all others, and padding does not; a word has no arc to itself."""
    import torch

    from treewright.kinds.network.learning.batches import TensorCorpus
    from treewright.kinds.network.learning.torch_network import DropoutShares, Outputs, Sizes
    from treewright.kinds.network_graph.graph_torch import GoldArcs, LearningGraphNetwork

    torch.manual_seed(5)
    text = "".join(words(*(f"w{number} X _" for number in range(len(arcs)))) for arcs in ARCS)
    block = Block(text.encode(), CONLLU)
    vocabulary = Vocabulary.of([block], 1, 16)
    nothing = array("i", bytes(4 * block.n_words))
    corpus = TensorCorpus([block], vocabulary, tuple(WIDTHS), nothing, nothing, {})
    corpus.replaced = {}
    gold = GoldArcs(Graphs([arcs for sentence in ARCS for arcs in sentence]), torch.tensor([4, 2, 3]))
    sizes, outputs = Sizes(WIDTHS, 6, 1, 5, 5, 1), Outputs(3, {})
    network = LearningGraphNetwork(vocabulary.sizes(), sizes, outputs, DropoutShares(0.0, 0.0), gold).eval()
    torch.nn.init.normal_(network.arc_mix.weight, std=30.0)
    torch.nn.init.normal_(network.arc_distance.weight, std=9.0)
    chosen = [2, 0, 1]
    with torch.no_grad():
        batch = corpus.batch(chosen)
        loss, wrong = network.loss(batch)
        values = network.encoded(batch, batch.cells())
        scores = (network.arc_scores(values) + network.arc_offset["bias"]).tolist()
        of_arcs, of_gold, of_relations, mistakes, n_words = 0.0, [], [], 0, 0
        for place, sentence in enumerate(chosen):
            n = len(ARCS[sentence])
            n_words += n
            for dep, arcs in enumerate(ARCS[sentence], 1):
                heads = dict(arcs)
                own = scores[place][dep]
                others = sum(exp(own[head]) for head in range(n + 1) if head != dep and head not in heads)
                for head in set(range(n + 1)) - {dep}:
                    of_arcs += log1p(exp(-own[head] if head in heads else own[head]))
                    mistakes += (own[head] > 0) != (head in heads)
                for head, relation in heads.items():
                    of_gold.append(log1p(others / exp(own[head])))
                    at = torch.tensor([place]), torch.tensor([dep]), torch.tensor([head])
                    found = network._relations(values, *at)[0].tolist()
                    of_relations.append(log(sum(map(exp, found))) - found[relation])
    assert wrong == mistakes
    assert any(0 < score < 1 for sentence in scores for row in sentence for score in row), "some are nearly right"
    expected = of_arcs / n_words + sum(of_gold) / len(of_gold) + sum(of_relations) / len(of_relations)
    assert float(loss) == pytest.approx(expected, rel=1e-4)


def treebank(rooted: bool) -> bytes:
    """Return sentences in which every word depends on the last verb, or all of them on the root."""
    chance = random.Random(3)
    sentences = []
    for _ in range(30):
        tags = [*chance.choices("NVP", k=4), "V"]
        arcs = ["5:dep"] * 4 + ["0:root"] if rooted else ["0:root"] * 5
        sentences.append(words(*(f"{tag.lower()} {tag} {arc}" for tag, arc in zip(tags, arcs, strict=True))))
    return "".join(sentences).encode()


def trained(*args: Any, **options: Any) -> NeuralGraphParser:
    parser = tw.train(*args, **SMALL | options)
    assert isinstance(parser, NeuralGraphParser)
    return parser


def test_a_training_that_goes_on_keeps_the_rules_and_the_leaves_of_its_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the second treebank every word is a root and none governs others."""
    monkeypatch.setattr(obeying, "LEAST_WORDS", 20)
    first = trained(treebank(True), system="neural-graph")
    assert first.rules["single_root"]
    assert first.leaves.tags == ("N", "P")
    more = trained(treebank(False), init_from=first)
    assert (more.rules, more.leaves.tags) == (first.rules, first.leaves.tags)
    alone = trained(treebank(False), system="neural-graph")
    assert not alone.rules["single_root"]
    assert alone.leaves.tags == ("N", "P", "V")
    assert trained(treebank(False), system="neural-graph", governors="any").leaves.tags == ()


def test_a_model_of_graphs_keeps_all_that_dev_told_and_comes_back_from_its_file(tmp_path: Path) -> None:
    parser = trained(treebank(True), treebank(True), system="neural-graph")
    assert {"name", "round", "unlabelled_f1", "labelled_f1"} <= {*parser.info["dev"]}
    parser.save(tmp_path / "graphs.tw")
    assert tw.load(tmp_path / "graphs.tw").parse_block(Block(treebank(True), CONLLU)).n_words == 150
