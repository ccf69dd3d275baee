"""Words that may not govern others, in the exact parser: the best tree, the k best and the marginals without them."""

from functools import cache

import pytest
from treewright.kinds.exact.search.decoding import Decoder
from treewright.systems.leaf_tags import LeafTags
from treewright.treebank.blocks.block import Block

import treewright
from tests.kinds.exact.enumeration import all_trees, is_projective, sibling_parts
from tests.kinds.exact.test_parser import SMALL
from tests.kinds.exact.test_sibling_models import SIBLINGS
from tests.toy import TRAIN
from tests.training.test_leaves import heads_among_leaves, scrambled
from treewright.kinds.exact.parser import ExactParser
from treewright.steps.call import Call
from treewright.treebank.formats.conllu import CONLLU

CHOICES = [{"order": 2}, {"order": 1}, {"projective": True}, {"order": 1, "projective": True}]


@cache
def step_in(order=None, projective=False, single_root=True):
    return treewright.train(
        TRAIN,
        system="exact",
        iterations=1,
        adviser="none",
        order=order,
        projective=projective,
        single_root=single_root,
        # With few templates, some sentences have no certificate if arcs may cross.
        **({"parts": "both"} if order == 2 else {"features": SMALL if order == 1 else SMALL + SIBLINGS}),
    )


def block_of(sentence, most):
    rows = [line.split("\t") for line in sentence.to_conllu().split("\n") if "\t" in line][:most]
    return Block(("".join("\t".join(row[:6] + ["_"] * 4) + "\n" for row in rows) + "\n").encode(), CONLLU)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_the_best_tree_is_the_best_that_obeys(choice, single_root):
    parser = step_in(**choice, single_root=single_root)
    tags = parser.settings["leaf_tags"]
    assert {"DET", "PUNCT"} <= set(tags)
    free = ExactParser({**parser.settings, "leaf_tags": []}, parser.arrays, parser.scale, parser.info)
    differ = 0
    for seed, sentence in enumerate(scrambled(TRAIN)[:12]):
        block = block_of(sentence, 3 + seed % 3)
        n = block.n_words
        leaves = {word for word, flag in enumerate(LeafTags(tags).flags(block), 1) if flag}
        whole = Decoder(free.scorer, single_root)  # which scores all arcs
        whole.load(block, 0)
        arcs = whole.arc_scores()

        def score(heads, arcs=arcs, whole=whole, n=n):
            total = sum(arcs[heads[m] * (n + 1) + m] for m in range(1, n + 1))
            if parser.settings["order"] == 2:
                total += sum(whole.part_score(heads[heads[m]], heads[m], m) for m in range(1, n + 1) if heads[m])
                total += sum(whole.part_score(s, h, m, siblings=True) for h, s, m in sibling_parts(heads))
            return total

        trees = [tree for tree in all_trees(n, single_root) if not choice.get("projective") or is_projective(tree)]
        obeying = [
            tree for tree in trees if not leaves & set(tree[1:]) and not (single_root and tree.index(0, 1) in leaves)
        ]
        ranked = sorted(map(score, obeying), reverse=True)
        differ += ranked[0] < max(map(score, trees)) - 1e-6
        certificates = []
        _, heads, _ = parser.trees(block, Call(certified=lambda c, _, kept=certificates: kept.append(c)))[:3]
        assert score([0, *heads]) == pytest.approx(ranked[0], abs=1e-4)
        assert certificates[0].optimal
        assert certificates[0].score == pytest.approx(ranked[0], abs=1e-4)
        found = [tree.score for tree in parser.best_trees(block, 0, parser._checked({"k_best": 6}))]
        assert found == pytest.approx(ranked[:6], abs=1e-4)
        marginals = parser.marginals(block)
        assert all(sum(marginals[leaf]) < 1e-6 for leaf in leaves)
    assert differ > 0


def test_sentences_obey_with_confidences_too():
    parser = step_in(order=2)
    for sentence in scrambled(TRAIN)[:25]:
        assert heads_among_leaves(parser.parse(sentence)) == 0
        assert heads_among_leaves(parser.parse(sentence, confidence=True)) == 0
