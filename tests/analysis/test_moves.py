"""Replayed moves against the same done step by step in Python."""

from collections import Counter
from copy import copy
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from treewright.systems.system import Parse
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.analysis.made import heads_of
from tests.toy import DYNAMIC, LEFT_TO_RIGHT, TEST, TRAIN, toy_parser
from treewright.analysis.moves import MoveAnalysis
from treewright.apps.tracing.model_view import ModelView
from treewright.apps.tracing.sentence_input import GivenGold, as_learned, with_gold
from treewright.apps.tracing.traced_model import TracedModel
from treewright.errors import CombinationError
from treewright.treebank.formats.conllu import CONLLU


def sentences_with_other_trees(parser, count=12):
    """Return sentences of the toy treebank with random trees: a parser that is right all the time tests nothing."""
    random = Random(5)
    found = []
    for sentence, _ in zip(tw.read(TEST), range(count), strict=False):
        mixed = random.random() < 0.7
        heads = heads_of(random, len(sentence)) if mixed else sentence.heads
        sentence.heads = heads
        for word in sentence if mixed else ():
            word.deprel = random.choice([*parser.relations, "never-seen"])
        found.append(sentence)
    return found


def by_hand(parser, sentence):
    """Return the counts of one sentence, in Python."""
    model = TracedModel.of(parser)
    gold_tree = as_learned(with_gold(sentence, model.system, GivenGold()), model).gold
    block = Block(sentence.to_conllu().encode(), CONLLU, "text")
    view = ModelView(model, block)
    names = {name: number for number, name in enumerate(parser.settings["relations"])}
    gold = [names.get(arc.relation, len(names)) for arc in gold_tree]
    counts = Counter()
    for mend in (False, True):
        heads = [arc.head for arc in gold_tree]
        parse = Parse(parser.engine.system, len(sentence), heads, gold, model.leaves(sentence))
        later = False
        while not parse.terminal:
            legal = parse.legal()
            if len(legal) == 1 and not parse.carries_relation(legal[0]):
                parse.apply(legal[0])
                continue
            costs, scores = parse.costs(), view.scores(parse)
            kind, label = scores.best(legal)
            wrong = parse.carries_relation(kind) and parse.gold_relation(kind) not in (None, label)
            lost = costs[kind] - min(costs.values()) + wrong
            prefix = "corrected_" if mend else ""
            counts[f"{prefix}decisions"] += 1
            counts[f"{prefix}mistakes"] += lost > 0
            counts[f"{prefix}arcs_lost"] += lost
            counts[f"{prefix}later_decisions"] += later
            counts[f"{prefix}later_mistakes"] += later and lost > 0
            if not mend and not later:
                counts["first_arcs_lost"] += lost
            later = later or lost > 0
            if mend and lost:
                right = [name for name in legal if costs[name] == min(costs.values())]
                kind, label = scores.best(right)
                relation = parse.gold_relation(kind) if parse.carries_relation(kind) else None
                if relation is not None and relation < len(names):
                    label = relation
            parse.apply(kind, label)
    return counts


@pytest.mark.parametrize(("system", "root"), [pair for pair in LEFT_TO_RIGHT if pair in DYNAMIC])
def test_replay_is_the_parse_step_by_step(system, root):
    """2-planar and the systems that swap have no dynamic oracle to judge their moves."""
    parser = toy_parser(system, root)
    sentences = sentences_with_other_trees(parser)
    moves = MoveAnalysis(parser)
    text = "".join(sentence.to_conllu() for sentence in sentences).encode()
    moves.add(Block(text, CONLLU, "text"))
    report, wanted = moves.report(), Counter()
    for sentence in sentences:
        wanted += by_hand(parser, sentence)
    assert report.mistakes > 20
    assert report.corrected_later_mistakes > 10
    for name, count in wanted.items():
        if name.startswith("corrected_") and ("covington" in system or system == "non-monotonic"):
            continue  # of moves that are right it teaches some, the economical ones: Python does not see which
        assert getattr(report, name) == count, name


def test_arcs_lost_are_the_errors_of_the_parse():
    """Of projective trees, where no lifting stands between moves and trees."""
    parser = toy_parser()
    gold = []
    for sentence in sentences_with_other_trees(parser, 60):
        trees = tw.trace(parser, sentence)
        if not trees.gold_projective or trees.end.headless or any(w.deprel == "never-seen" for w in sentence):
            continue
        gold.append(sentence.to_conllu())
    text = "".join(gold).encode()
    found = tw.analyze(text, parser)
    report = found.moves[0]
    assert found.total.first_errors > 5
    assert report.arcs_lost == found.total.first_errors
    assert report.arcs_lost >= report.mistakes >= report.sentences_with_mistakes > 0
    assert report.low <= report.inflation <= report.high


def test_a_perfect_parser_makes_no_mistake():
    parser = tw.train(TRAIN, features="rich", iterations=6)
    lines = list(parser.parse_stream(tw.read(TEST)))
    text = "".join(sentence.to_conllu() for sentence in lines).encode()
    found = tw.analyze(text, parser)
    assert found.total.first_errors == 0
    assert found.moves[0].inflation is None
    assert "Sentences with" not in str(found)


def test_what_makes_no_moves_is_told():
    beam = tw.train(TRAIN, features="lean", iterations=1, beam=4)
    easy = toy_parser("easy-first")
    found = tw.analyze(TEST, beam, easy)
    assert all("greedy parsers that go from left to right" in refusal for refusal in found.moves)
    assert "greedy parsers" in str(found)
    with pytest.raises(CombinationError):
        MoveAnalysis(easy)


# What cannot be replayed


def changed(info=None, beam=1):
    """Return a toy parser that says something else of itself."""
    parser = copy(toy_parser())
    parser.beam = beam
    parser.info = parser.info if info is None else info
    return parser


def test_what_is_refused_is_told():
    for parser, reason in (
        (object(), "only transition parsers of trees make the moves that are counted here"),
        (changed(beam=2), "moves are replayed for greedy parsers that go from left to right"),
        (
            changed(info={"recipe": {"lifting": "none"}}),
            "costs are of projective trees, and this model was trained without lifting",
        ),
    ):
        with pytest.raises(CombinationError) as found:
            MoveAnalysis(parser)
        assert str(found.value) == reason


def test_a_model_that_does_not_know_its_recipe_was_trained_with_lifting():
    block = Block(Path(TEST).read_bytes(), CONLLU, TEST)
    reports = []
    for parser in (toy_parser(), changed(info={}), changed(beam=1)):
        moves = MoveAnalysis(parser)
        moves.add(block)
        reports.append(moves.report())
    assert reports[0].decisions > 0
    assert reports == reports[:1] * 3


# Relations that the model does not know


def numbers(names, lifts, scheme, relations=("nsubj", "obj", "obj↑nsubj")):
    made = object.__new__(MoveAnalysis)
    made._parser = SimpleNamespace(settings={"relations": list(relations)})
    made._lifts, made._scheme = lifts, scheme
    return made._numbers(names)


def test_known_relations_keep_their_numbers():
    assert numbers(["obj↑nsubj", "obj", "nsubj"], True, "head") == [2, 1, 0]


def test_unknown_relations_get_numbers_that_the_model_does_not_use():
    assert numbers(["obj", "x", "nsubj", "y", "z"], True, "head") == [1, 4, 0, 6, 7]


def test_rare_lifted_relations_count_as_plain_ones():
    assert numbers(["obj↑root", "nsubj↑obj", "x↑obj"], True, "head") == [1, 0, 5]
    assert numbers(["obj↑root", "nsubj↑obj"], False, "head") == [3, 4]


def test_without_encoded_relations_signs_mean_nothing():
    """A treebank may have a relation with an arrow: it is another one than obj."""
    assert numbers(["obj↑root", "obj"], True, "baseline") == [3, 1]
