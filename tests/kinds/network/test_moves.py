"""Transition parsers with a network: the moves are those of a plain reference, whatever the batch and the thread."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest
from treewright.kinds.network.kernel.positions import PositionSums
from treewright.kinds.network.kernel.rows import Rows
from treewright.kinds.network_moves.collecting import COLUMNS, DecisionCollector
from treewright.kinds.network_moves.walking import n_positions
from treewright.kinds.transition.learning.corpus import Corpus
from treewright.systems.system import Parse
from treewright.treebank.blocks.block import Block

from tests.kinds.network.move_models import random_moves
from tests.toy import DEV
from treewright.errors import CombinationError, ModelFileError
from treewright.kinds.network import parser as parser_module
from treewright.kinds.network_moves.parser import NeuralGraphMoves, NeuralMoves
from treewright.kinds.network_moves.positions import positions_for
from treewright.kinds.network_moves.recipe import NeuralMoveRecipe
from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy
from treewright.steps.parser import Parser
from treewright.systems import make_system
from treewright.systems.graphs import GRAPH_SYSTEMS, make_graph_system
from treewright.systems.rules.counts import broken_rules
from treewright.systems.rules.rule import CHAIN, GOVERNOR, PAIR, TAG, USUAL, Rule, rows_of
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.graphs.graph import sentence_graphs

LABELS = ("root", "nsubj", "obj", "det", "punct")
SYSTEMS = ("arc-hybrid", "arc-eager", "arc-standard", "covington")
#: of the arc-hybrid system, in the order in which the parser has them
HYBRID = (
    "stack0",
    "stack1",
    "stack2",
    "input0",
    "input1",
    "left0",
    "right0",
    "left1",
    "right1",
    "left-input0",
    "head0",
)
MOST_KINDS = 8


@pytest.fixture(scope="module")
def block() -> Block:
    return next(iter(read_blocks(DEV)))


def step_in(block: Block, system: str, seed: int = 1) -> NeuralMoves:
    made = random_moves([block], LABELS, system, seed)
    assert isinstance(made, NeuralMoves)
    return made


class Reference:
    """The moves of arc-hybrid by a network's scores, one Python object at a time."""

    def __init__(self, parser: NeuralMoves, block: Block) -> None:
        self.parser, self.block = parser, block
        self.sums = PositionSums(parser.parts.network.layers_of_moves)
        self.kinds = parser.engine.system.kinds

    def words(self, number: int) -> Rows:
        network = self.parser.parts.network
        return network.project(network.read(self.block, number, number + 1))

    def places(self, parse: Parse, start: int = 0) -> list[int]:
        """Return the rows of all positions; words are numbered from the row ``start`` on, the root first."""
        stack, buffer = parse.stack[::-1], parse.buffer
        dependents: dict[int, list[int]] = {}
        for word, (head, _) in sorted(parse.arcs.items()):
            dependents.setdefault(head, []).append(word)

        def at(line: list[int], place: int) -> int | None:
            return line[place] if place < len(line) else None

        def outermost(of: int | None, side: int) -> int | None:
            if of is None:
                return None
            own = [word for word in dependents.get(of, []) if (word < of or of == 0) == (side == 0)]
            return (own[0] if side == 0 else own[-1]) if own else None

        found = {
            "stack0": at(stack, 0),
            "stack1": at(stack, 1),
            "stack2": at(stack, 2),
            "input0": at(buffer, 0),
            "input1": at(buffer, 1),
            "left0": outermost(at(stack, 0), 0),
            "right0": outermost(at(stack, 0), 1),
            "left1": outermost(at(stack, 1), 0),
            "right1": outermost(at(stack, 1), 1),
            "left-input0": outermost(at(buffer, 0), 0),
            "head0": None,  # what has a head has left the stack
        }
        rows = [-1 - slot if (node := found[name]) is None else start + node for slot, name in enumerate(HYBRID)]
        past = [self.kinds.index(kind) for kind, _ in parse.history[-2:]][::-1]
        for slot in range(2):
            kind = past[slot] if slot < len(past) else -1
            rows.append(-1 - (len(HYBRID) + slot * (MOST_KINDS + 1) + kind + 1))
        return rows

    def move(self, parse: Parse, start: int = 0) -> tuple[str, int | None]:
        legal = parse.legal()
        places = array("i", self.places(parse, start))
        scores = self.sums.scores(places)
        kind = max(legal, key=lambda name: (scores[self.kinds.index(name)], -self.kinds.index(name)))
        if not parse.carries_relation(kind):
            return kind, None
        arc = parse.arc(kind)
        assert arc is not None
        allowed = [0] if arc[0] == 0 else range(1, len(LABELS))
        relations = self.sums.scores(places, True)
        classes = self.parser.parts.moves.classes
        numbers = {label: classes.index((self.kinds.index(kind), label)) for label in allowed}
        return kind, max(allowed, key=lambda label: relations[numbers[label]])

    def parsed(self, number: int) -> Parse:
        parse = Parse(self.parser.engine.system, len(self.block.words_of(number)))
        self.sums.bind(self.words(number))
        while not parse.terminal:
            parse.apply(*self.move(parse))
        return parse


@pytest.mark.parametrize("seed", range(3))
def test_the_tree_is_that_of_the_reference(block: Block, seed: int) -> None:
    parser = step_in(block, "arc-hybrid", seed)
    assert n_positions(parser.parts.extractor) == len(HYBRID)
    trees, reference, compared = parser.trees(block), Reference(parser, block), 0
    for number in range(25):
        words = block.words_of(number)
        arcs = reference.parsed(number).arcs
        if len(arcs) == len(words):  # else the parser attached words at the end
            assert [arcs[place][0] for place in range(1, len(words) + 1)] == list(trees.heads[words.start : words.stop])
            assert [arcs[place][1] for place in range(1, len(words) + 1)] == list(
                trees.labels[words.start : words.stop]
            )
            compared += 1
    assert compared > 10


def decisions(collector: DecisionCollector, words: Rows, n_places: int) -> Iterator[tuple[list[int], dict[str, int]]]:
    places, facts = collector.collect(array("i", [0]), words)
    for number in range(len(facts) // len(COLUMNS)):
        own = facts[number * len(COLUMNS) : (number + 1) * len(COLUMNS)]
        row = places[number * n_places : (number + 1) * n_places]
        yield list(row), dict(zip(COLUMNS, own, strict=True))


@pytest.mark.parametrize("chain", ["to the right", "to the left"])  # a static oracle can follow both
@pytest.mark.parametrize("policy", ["static", "explore", "correct"])
def test_the_collected_decisions_are_those_of_the_oracle(block: Block, policy: str, chain: str) -> None:
    """Static: on the canonical path. Explore, if always followed: on the path of the parser's own moves.

    Correct: if never followed, the best right move is made instead of a wrong one.
    """
    parser = step_in(block, "arc-hybrid", 5)
    reference, parts = Reference(parser, block), parser.parts
    system, kinds = parser.engine.system, parser.engine.system.kinds
    name, p = {"static": ("static", 1.0), "explore": ("explore", 1.0), "correct": ("explore", 0.0)}[policy]
    for number in range(8):
        alone = Block(block.text_of(number), block.layout)
        n = alone.n_words
        heads = array("i", range(n) if chain == "to the right" else (*range(2, n + 1), 0))
        labels = array("i", (0 if head == 0 else 1 + word % 4 for word, head in enumerate(heads)))
        corpus = Corpus([alone], parts.extractor.encoder, system.root == "last", heads, labels)
        collector = DecisionCollector(parser.engine, corpus, RoundsPolicy(name, 0, p, 3))
        collector.start_round()
        words = reference.words(number)
        reference.sums.bind(words)
        parse = Parse(system, n, list(heads), list(labels))
        found = decisions(collector, words, len(HYBRID) + 2)
        while not parse.terminal:
            legal = parse.legal()
            costs = parse.costs()
            move = parse.static() if policy == "static" else reference.move(parse)
            if len(legal) > 1 or parse.carries_relation(legal[0]):
                places, facts = next(found)
                assert places == reference.places(parse)
                assert facts["legal"] == sum(1 << kinds.index(kind) for kind in legal)
                right = [kind for kind in legal if costs[kind] == min(costs.values())]
                wanted = [move[0]] if policy == "static" else right
                assert facts["right"] == sum(1 << kinds.index(kind) for kind in wanted)
                scores = reference.sums.scores(array("i", places))
                best = max(wanted, key=lambda kind: scores[kinds.index(kind)])
                gold = {kind: parse.gold_relation(kind) for kind in (move[0], best) if parse.carries_relation(kind)}
                known = [(kinds.index(kind), relation) for kind, relation in gold.items() if relation is not None]
                expected = known[0] if known else None
                assert (parts.moves.classes[facts["class"]] if facts["class"] >= 0 else None) == expected
                if policy == "correct" and move[0] not in right:
                    move = best, None
            label = move[1] if move[1] is not None or not parse.carries_relation(move[0]) else 1
            parse.apply(move[0], label)
        assert next(found, None) is None


def heads_over(n: int) -> list[int]:
    """Return a tree where, before an odd word, one may reduce or shift first."""
    return [0, *(k + 1 if k % 2 and k < n else 1 for k in range(2, n + 1))]


def collected(block: Block, policy: RoundsPolicy, seed: int = 8) -> tuple[array[int], array[int]]:
    """Return the decisions about two sentences."""
    parser = step_in(block, "arc-eager", seed)
    pair, parts = Block(block.text_of(0) + block.text_of(1), block.layout), parser.parts
    heads, labels = array("i"), array("i")
    for n in (len(pair.words_of(sentence)) for sentence in range(2)):
        heads.extend(heads_over(n))
    labels.extend(int(head != 0) for head in heads)
    corpus = Corpus([pair], parts.extractor.encoder, parser.engine.system.root == "last", heads, labels)
    collector = DecisionCollector(parser.engine, corpus, policy)
    collector.start_round()
    return collector.collect(array("i", [0, 1]), parts.network.project(parts.network.read(pair, 0, 2)))


@pytest.mark.parametrize("seed", range(12))
def test_a_wrong_move_gives_way_to_the_best_right_one(block: Block, seed: int) -> None:
    parser = step_in(block, "arc-eager", seed)
    kinds, reference = parser.engine.system.kinds, Reference(parser, block)
    reference.sums.bind(reference.words(0))
    places, facts = collected(block, RoundsPolicy("explore", 0, 0.0, 3), seed)
    heads = heads_over(len(block.words_of(0)))
    parse = Parse(parser.engine.system, len(heads), heads, [int(head != 0) for head in heads])
    size = len(places) // (len(facts) // len(COLUMNS))
    for number in range(list(facts[COLUMNS.index("sentence") :: len(COLUMNS)]).count(0)):
        while len(parse.legal()) == 1 and not parse.carries_relation(parse.legal()[0]):
            parse.apply(parse.legal()[0])
        legal, right = facts[number * len(COLUMNS) : number * len(COLUMNS) + 2]
        assert legal == sum(1 << kinds.index(kind) for kind in parse.legal())
        scores = reference.sums.scores(places[number * size : (number + 1) * size])
        best = max(parse.legal(), key=lambda kind: scores[kinds.index(kind)])
        if not right >> kinds.index(best) & 1:
            allowed = [kind for kind in parse.legal() if right >> kinds.index(kind) & 1]
            best = max(allowed, key=lambda kind: scores[kinds.index(kind)])
        parse.apply(best, 1 if parse.carries_relation(best) else None)


def test_decisions_say_which_sentence_of_the_batch_they_are_about(block: Block) -> None:
    _, facts = collected(block, RoundsPolicy("static", 0, 1.0, 3))
    sentences = list(facts[COLUMNS.index("sentence") :: len(COLUMNS)])
    lengths = [len(block.words_of(number)) for number in range(2)]
    assert sentences == [number for number, n in enumerate(lengths) for _ in range(sentences.count(number))]
    assert all(sentences.count(number) >= n for number, n in enumerate(lengths))


@pytest.mark.parametrize(("zero_cost", "least", "most"), [("best", 1, 1), ("random", 3, 6)])
def test_of_several_right_moves_the_best_is_made_or_any(block: Block, zero_cost: str, least: int, most: int) -> None:
    """Where a wrong one was chosen and is not followed."""
    policies = [RoundsPolicy("explore", 0, 0.0, seed, zero_cost=zero_cost) for seed in range(6)]
    assert least <= len({tuple(collected(block, policy)[0]) for policy in policies}) <= most


@pytest.mark.parametrize("system", [*SYSTEMS, "dag-arc-eager", "dag-crossing", "dag-shift-reduce"])
def test_batches_threads_and_files_do_not_matter(
    block: Block, system: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    parser = random_moves([block], LABELS, system)
    expected = parser.parse_block(block).data
    for rows in (1, 37, 100_000):
        monkeypatch.setattr(parser_module, "MOST_ROWS", rows)
        assert parser.parse_block(block).data == expected
    assert [block.data for block in parser.parse_blocks([block] * 4, threads=2)] == [expected] * 4
    parser.save(tmp_path / "a.tw")
    loaded = Parser.load(tmp_path / "a.tw")
    assert loaded.parse_block(block).data == expected
    loaded.save(tmp_path / "b.tw")
    assert (tmp_path / "a.tw").read_bytes() == (tmp_path / "b.tw").read_bytes()
    assert "network" in loaded._details()


def test_confidences_are_probabilities(block: Block) -> None:
    parser = step_in(block, "arc-eager")
    plain, trees = parser.trees(block), parser.trees(block, parser._checked({"confidence": True}))
    assert (trees.heads, trees.labels) == (plain.heads, plain.labels)
    assert trees.confidences is not None
    known = [value for value in trees.confidences if not math.isnan(value)]
    assert all(0 < value <= 1 for value in known)
    assert len(known) > block.n_words // 4


@pytest.mark.parametrize("system", SYSTEMS)
def test_moves_keep_the_rules_of_trees(block: Block, system: str) -> None:
    rules = [Rule(PAIR, relation, ("nsubj", "obj"), 0, 1) for relation in ("nsubj", "obj")]
    rules += [Rule(CHAIN, "det", LABELS[1:], 0, 1), Rule(GOVERNOR, "nsubj NOUN", ("det",), 0, 1)]
    rules += [Rule(TAG, "punct", ("NOUN", "DET"), 0, 1), Rule(USUAL, "punct", ("PUNCT",), 0, 1)]
    parser = random_moves([block], LABELS, system, rules=rows_of(rules))
    assert isinstance(parser, NeuralMoves)
    written, free = (
        Block(each.trees(block).text(each.relations), block.layout) for each in (parser, step_in(block, system))
    )
    assert sum(broken_rules(rules, [written]).values()) <= 0.2 * sum(broken_rules(rules, [free]).values())
    plain, sure = parser.trees(block), parser.trees(block, parser._checked({"confidence": True}))
    assert (sure.heads, sure.labels) == (plain.heads, plain.labels)
    assert "rules" in parser._details()
    call = parser._checked({}).after(["UPOS"])
    guessed = Block(parser.trees(block, call).text(parser.relations), block.layout)
    assert not any(rule.kind == TAG for rule in broken_rules(rules, [guessed]))


def test_words_that_training_lifted_are_put_back(block: Block) -> None:
    relations, lifted = (*LABELS, "nsubj↑obj", "det↑obj"), {len(LABELS), len(LABELS) + 1}
    before, trees = (
        random_moves([block], relations, "arc-eager", lifting=scheme).trees(block) for scheme in ("baseline", "head")
    )
    assert lifted & set(before.labels)
    assert not lifted & set(trees.labels)
    assert trees.heads != before.heads


def test_every_graph_is_complete(block: Block) -> None:
    parser = random_moves([block], LABELS, "dag-arc-eager", 2)
    assert isinstance(parser, NeuralGraphMoves)
    text = parser.parse_block(block, confidence=True).data
    graphs = list(sentence_graphs(Block(text, block.layout)))
    assert len(graphs) == block.n_sentences
    assert any(len(arcs) > 1 for graph in graphs for arcs in graph)


def test_every_arc_of_a_graph_has_a_confidence_if_asked(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = random_moves([block], LABELS, "dag-arc-eager", 2)
    assert isinstance(parser, NeuralGraphMoves)
    plain, sure = (parser.arcs(block, parser._checked({"confidence": asked})) for asked in (False, True))
    assert plain.confidences is None
    assert sure.confidences is not None
    assert len(sure.confidences) == len(sure.heads) == len(plain.heads)
    monkeypatch.setattr(parser_module, "MOST_ROWS", 50)
    assert parser.arcs(block, parser._checked({"confidence": True})) == sure


def test_what_parsers_say_of_themselves(block: Block) -> None:
    parser = random_moves([block], LABELS, "arc-eager", leaf_tags=["PUNCT"])
    assert parser._details() == {
        "system": parser.settings["system"],
        "network": parser.settings["network"],
        "positions": n_positions(parser.parts.extractor),
        "leaf_tags": ["PUNCT"],
        "relations": len(LABELS),
    }


@pytest.mark.parametrize("system", ["arc-hybrid", "dag-arc-eager"])
def test_a_treebank_is_prepared_as_for_a_linear_parser(system: str) -> None:
    recipe = NeuralMoveRecipe(system=system, governors="any", lifting="head+path", policy="static")
    inner = recipe.inner
    assert (inner.system, inner.governors, inner.lifting, inner.policy) == (system, "any", "head+path", "static")
    assert recipe.completed() == recipe
    usual = NeuralMoveRecipe(system=system).completed()
    assert (usual.lifting, usual.policy) == (NeuralMoveRecipe(system=system).inner.completed().lifting, "explore")


@pytest.mark.parametrize(
    ("system", "looks_at"),
    [
        ("arc-standard", {"ld(stack[1])", "rd(stack[1])"}),
        ("arc-eager", {"ld(input[0])", "h(stack[0])"}),
        ("arc-hybrid", {"ld(stack[1])", "rd(stack[1])", "ld(input[0])", "h(stack[0])"}),
        ("covington", {"ld(input[0])", "h(stack[0])", "h(input[0])", "context[0]", "context[1]"}),
        ("dag-arc-eager", {"ld(input[0])", "h(stack[0])", "h(input[0])"}),
        ("dag-shift-reduce", {"ld(stack[1])", "rd(stack[1])", "ld(input[0])", "h(stack[0])", "h(input[0])"}),
    ],
)
def test_which_words_a_network_looks_at(system: str, looks_at: set[str]) -> None:
    """Those that the next arc may link, with their outermost dependents, and heads where words may have them."""
    made = make_graph_system(system) if system in GRAPH_SYSTEMS else make_system(system)
    everywhere = {"stack[0]", "stack[1]", "stack[2]", "input[0]", "input[1]", "ld(stack[0])", "rd(stack[0])"}
    found = re.findall(r"exists\((.*)\)", str(positions_for("positions", made)))
    assert set(found) == everywhere | looks_at
    assert len(found) == len(set(found))


def test_what_such_parsers_lack_is_said(block: Block) -> None:
    parser = step_in(block, "arc-eager")
    for options in ({"beam": 4}, {"k_best": 2}, {"tag": True}):
        with pytest.raises(CombinationError, match=next(iter(options))):
            parser._checked(options)


@pytest.mark.parametrize("name", ["move_fixed", "move_positions.weight", "move_kinds.bias", "move_labels.weight"])
def test_arrays_of_another_size_are_rejected(block: Block, name: str) -> None:
    parser = step_in(block, "arc-eager")
    arrays = {**parser.arrays, name: parser.arrays[name][:-1]}
    with pytest.raises(ModelFileError, match=name):
        NeuralMoves(parser.settings, arrays, {})
