"""Parsing around given arcs: whatever is given and forbidden, the tree has the one and not the other."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from treewright.treebank.blocks.block import Block

import treewright
from tests.kinds.network.models import random_parser
from tests.toy import DEV, DYNAMIC, TRAIN, toy_parser
from treewright.apps.cli import main
from treewright.errors import CombinationError, TreebankError
from treewright.kinds.graph.parser import GraphParser
from treewright.oracles.exhaustive import all_trees, is_tree
from treewright.steps.call import GIVEN_ARCS
from treewright.steps.given_arcs import GivenArcs
from treewright.steps.parser import Parser, empty_trees
from treewright.treebank.formats.conllu import CONLLU

TAGS = ("NOUN", "VERB", "DET", "PUNCT")


def sentence(heads: list[int], banned: dict[int, list[int]], relation: str = "_", tags: tuple[str, ...] = TAGS) -> str:
    """Return a sentence with these heads (-1: none) and forbidden ones."""
    rows = []
    for word, head in enumerate(heads, 1):
        misc = "NotHead=" + ",".join(map(str, banned[word])) if word in banned else "_"
        shown = ("_", "_") if head < 0 else (str(head), relation)
        rows.append(f"{word}\tw{word}\t_\t{tags[word % len(tags)]}\t_\t_\t{shown[0]}\t{shown[1]}\t_\t{misc}\n")
    return "".join(rows) + "\n"


def random_case(rng: random.Random) -> tuple[list[int], dict[int, list[int]]]:
    """Return given and forbidden heads that a tree can obey."""
    n = rng.randint(1, 5)
    tree = rng.choice(trees_of(n))
    heads = [head if rng.random() < 0.5 else -1 for head in tree]
    banned = {}
    for word, head in enumerate(heads, 1):
        others = [other for other in range(n + 1) if other not in (word, tree[word - 1]) and rng.random() < 0.4]
        if head < 0 and others:
            banned[word] = others
    return heads, banned


@cache
def trees_of(n: int) -> list[list[int]]:
    return list(all_trees(n, projective=False))


@cache
def other_parser(kind: str) -> Parser:
    """Return an exact parser, with or without grandparents or crossing arcs, or a beam."""
    options = {
        "exact": {"system": "exact", "order": 1, "iterations": 2},
        "exact projective": {"system": "exact", "order": 1, "projective": True, "iterations": 2},
        "exact second order": {"system": "exact", "order": 2, "iterations": 2},
        "beam": {"beam": 4, "features": "lean", "iterations": 1},
        "lifted": {"system": "arc-hybrid", "lifting": "head", "features": "lean", "iterations": 1},
    }[kind]
    parser: Parser = treewright.train(DEV if kind.startswith("exact") else TRAIN, **options)
    return parser


def check(parser: Parser, cases: int, **options: bool) -> None:
    rng = random.Random(cases)
    for _ in range(cases):
        heads, banned = random_case(rng)
        found = parser.parse(sentence(heads, banned), keep_arcs=True, **options)
        built = [token.head for token in found.tokens]
        assert is_tree(built), (heads, banned, built)
        assert built.count(0) == 1, (heads, banned, built)
        for word, (given, head) in enumerate(zip(heads, built, strict=True), 1):
            assert given in (-1, head), (heads, banned, built)
            assert head not in banned.get(word, ()), (heads, banned, built)


@pytest.mark.filterwarnings("ignore::treewright.errors.TreewrightWarning")
@pytest.mark.parametrize(("system", "root"), DYNAMIC)
def test_transition_parsers_keep_arcs(system: str, root: str) -> None:
    check(toy_parser(system, root), 120)
    check(toy_parser(system, root), 30, confidence=True)


@pytest.mark.parametrize("system", ["2-planar", "swap", "swap-hybrid"])
def test_systems_that_do_not_know_what_moves_lose_keep_none(system: str) -> None:
    with pytest.raises(CombinationError, match="does not know which moves lose a given arc"):
        check(toy_parser(system, "first"), 10)


@pytest.mark.filterwarnings("ignore::treewright.errors.TreewrightWarning")
@pytest.mark.parametrize("kind", ["exact", "exact projective", "exact second order", "beam", "lifted"])
def test_other_parsers_keep_arcs(kind: str) -> None:
    check(other_parser(kind), 60)
    check(other_parser(kind), 20, confidence=True)


def test_given_arcs_change_what_comes_around_them() -> None:
    """An arc that moves can build is built by them: the words around it find their heads knowing it."""
    parser = treewright.train(TRAIN, features="tiny", iterations=1)
    gold = treewright.read(DEV)
    helped = free = 0
    for one in gold:
        heads = [token.head for token in one.tokens]
        blank = one.to_conllu()
        alone = [token.head for token in parser.parse(blank).tokens]
        wrong = [place for place, (a, b) in enumerate(zip(alone, heads, strict=True)) if a != b]
        if not wrong:
            continue
        rows = [
            line.split("\t") for line in blank.splitlines() if line[:1].isdigit() and "-" not in line.split("\t")[0]
        ]
        for place, row in enumerate(rows):
            row[6:8] = [str(heads[place]), row[7]] if place == wrong[0] else ["_", "_"]
        around = parser.parse("\n".join("\t".join(row) for row in rows) + "\n\n", keep_arcs=True)
        built = [token.head for token in around.tokens]
        others = [place for place in range(len(heads)) if place != wrong[0]]
        helped += sum(built[place] == heads[place] for place in others)
        free += sum(alone[place] == heads[place] for place in others)
    assert helped > free


def test_relations_that_are_given_stay_also_unknown_ones() -> None:
    parser = toy_parser()
    found = parser.parse(sentence([2, -1, -1], {}, "made-up"), keep_arcs=True)
    assert (found.tokens[0].head, found.tokens[0].deprel) == (2, "made-up")
    assert found.tokens[1].deprel in parser.relations


def test_a_head_without_a_relation_gets_one() -> None:
    found = toy_parser().parse(sentence([3, -1, -1], {}), keep_arcs=True)
    assert found.tokens[0].head == 3
    assert found.tokens[0].deprel not in ("_", None)


def test_a_tree_that_must_be_grown_again_stays_as_like_as_possible() -> None:
    block = Block(sentence([-1, -1, -1, 1], {}).encode(), CONLLU, "case")
    trees = empty_trees(block, False)
    trees.heads[:] = type(trees.heads)("i", [2, 0, 2, 3])
    assert GivenArcs(block).complete(trees, True) == {0: [4]}
    assert list(trees.heads) == [2, 0, 2, 1]


@pytest.mark.parametrize(
    ("heads", "banned", "why"),
    [
        ([2, 1, -1], {}, "cycle, 1 → 2 → 1"),
        ([1, -1, -1], {}, "is the word itself"),
        ([9, -1, -1], {}, "is not in the sentence"),
        ([2, -1, -1], {1: [2]}, "NotHead forbids"),
        ([-1, -1], {1: [0, 2], 2: [0, 1]}, "no tree has the given arcs"),
    ],
)
def test_impossible_arcs_are_rejected(heads: list[int], banned: dict[int, list[int]], why: str) -> None:
    with pytest.raises(TreebankError, match=why) as raised:
        toy_parser().parse(sentence(heads, banned), keep_arcs=True)
    assert raised.value.line == 1


def test_bad_combinations_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(TreebankError, match="NotHead=2,5"):
        toy_parser().parse(sentence([-1, -1], {}).replace("_\n", "NotHead=x\n", 1), keep_arcs=True)
    with pytest.raises(CombinationError, match="choose one"):
        toy_parser().parse(sentence([-1, -1], {}), keep_arcs=True, k_best=2)


def test_neural_parsers_keep_arcs() -> None:
    block = Block(sentence([-1] * 5, {}).encode(), CONLLU, "case")
    for projective in (False, True):
        check(random_parser([block], ["root", "dep"], projective=projective), 60)


def test_pipelines_and_the_command_line_keep_arcs(tmp_path: Path) -> None:
    model, source, target = tmp_path / "model.tw", tmp_path / "in.conllu", tmp_path / "out.conllu"
    options = {"pipeline": True, "features": "lean", "iterations": 1, "tagger_iterations": 1}
    treewright.train(TRAIN, **options).save(model)
    source.write_text(
        "1\tdogs" + "\t_" * 4 + "\t3\tmine\t_\t_\n2\tsleep" + "\t_" * 8 + "\n3\ttoday" + "\t_" * 8 + "\n\n"
    )
    assert main(["parse", str(model), str(source), "--keep-arcs", "-o", str(target), "-q"]) == 0
    rows = [line.split("\t") for line in target.read_text(encoding="utf-8").splitlines() if line]
    assert rows[0][6:8] == ["3", "mine"]
    assert all(row[3] != "_" and row[6] != "_" for row in rows)
    graphs = "the model builds graphs"
    assert graphs in GraphParser._LACKS[GIVEN_ARCS]
