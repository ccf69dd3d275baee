"""What a transition parser is put together from: beams, confidences, weights, clusters, and what it says it lacks."""

from __future__ import annotations

import math
import warnings
from array import array
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from treewright.learners.frozen import FrozenWeights
from treewright.learners.plain_weights import PlainWeights
from treewright.treebank.blocks.block import Block

import treewright
from tests.features.test_clusters import clusters
from tests.kinds.transition.beams import beam_over, block_of, trained, treebank, with_random_weights
from treewright.errors import CombinationError, ModelFileError, TreewrightWarning
from treewright.kinds.transition import linear
from treewright.kinds.transition.machine_weights import MachineWeights
from treewright.kinds.transition.parser import PARSER_ALONE, WHOLE_MOVES, TransitionParser
from treewright.steps import kept_arrays
from treewright.steps.border.arrays import WEIGHT_ARRAYS
from treewright.steps.call import BEAM, CERTIFICATE, GRAPHS, K_BEST, TAGS, TEXT, Call
from treewright.steps.given_arcs import GivenArcs
from treewright.steps.kept_arrays import cluster_arrays, clusters_in
from treewright.treebank.formats.conllu import CONLLU

WORDS = [("dogs", "NOUN"), ("the", "DET"), ("sleep", "VERB"), ("old", "ADJ"), ("dogs", "NOUN"), ("and", "CCONJ")]
PLAIN = Call()


@cache
def small(**options: Any) -> TransitionParser:
    """Return a parser trained on five sentences."""
    chosen = {"system": "arc-eager", "features": "lean", "iterations": 2, "decision": "joint", "cutoff": 1, **options}
    parser = treewright.train(treebank(), **chosen)
    assert isinstance(parser, TransitionParser)
    return parser


def with_settings(parser: TransitionParser, **changes: Any) -> TransitionParser:
    return TransitionParser({**parser.settings, **changes}, parser.weights, parser.info)  # type: ignore[typeddict-item]


def shuffled(seed: int, **changes: Any) -> TransitionParser:
    """Return a parser with random weights, whose search is worth something."""
    parser = trained("arc-eager", "last")
    weights = with_random_weights(parser, seed).scorer.weights
    return TransitionParser({**parser.settings, **changes}, weights, parser.info)  # type: ignore[typeddict-item]


def tree_of(parser: TransitionParser, options: Call = PLAIN) -> list[int]:
    return list(parser.trees(block_of(WORDS), options).heads)


# Beams


def test_a_beam_of_two_is_a_beam() -> None:
    """Some sentence has another tree than greedily, the one that a beam of two finds."""
    greedy = with_random_weights(trained("arc-eager", "last"), 3)
    (best,) = beam_over(greedy, 2).best_trees(block_of(WORDS), 0, 1)
    wanted = list(best[2])
    assert tree_of(shuffled(3)) != wanted
    assert tree_of(shuffled(3), Call(beam=2)) == wanted
    assert tree_of(shuffled(3, beam=2)) == wanted


def test_a_damaged_beam_is_rejected_when_the_model_is_made() -> None:
    for width in (2, 3):
        with pytest.raises(CombinationError, match="margin of a beam"):
            with_settings(small(), beam=width, beam_margin=-1.0)
    assert with_settings(small(), beam=1, beam_margin=-1.0).beam == 1


@pytest.mark.parametrize(
    ("options", "width", "margin"),
    [
        (PLAIN, 3, 2.0),
        (Call(beam=3), 3, 2.0),
        (Call(beam=2), 2, math.inf),
        (Call(beam=5), 5, math.inf),
        (Call(beam=1), 2, math.inf),
        (Call(k_best=2), 3, math.inf),
        (Call(k_best=3), 3, math.inf),
        (Call(k_best=7), 7, math.inf),
    ],
)
def test_a_beam_is_as_wide_as_a_call_needs_it(options: Call, width: int, margin: float) -> None:
    """The margin was fitted for the model's own width, and for one tree."""
    parser = with_settings(small(), beam=3, beam_margin=2.0)
    engine, _ = parser._beam_of(options)
    assert engine.width == width
    assert engine.margin == pytest.approx(margin * parser.weights.scale)
    assert engine.deprojectivizer is parser.lifting
    assert parser._beam_of(options)[0] is engine


def test_a_beam_takes_what_was_fitted_in_the_unit_of_the_scores() -> None:
    scale = small().weights.scale
    assert scale > 2  # else the unit would not show
    fitted = with_settings(small(), beam=2, beam_confidence={"temperature": 0.5, "outside": 0.25})
    engine, _ = fitted._beam_of(PLAIN)
    assert (engine.temperature, engine.outside) == (pytest.approx(0.5 * scale), 0.25)
    engine, _ = with_settings(small(), beam=2)._beam_of(PLAIN)
    assert (engine.temperature, engine.outside, engine.margin) == (pytest.approx(scale), 0.0, math.inf)


def test_the_best_trees_have_scores_in_the_unit_of_the_weights() -> None:
    parser, block = small(), block_of(WORDS)
    found = list(parser.best_trees(block, 0, Call(k_best=3)))
    engine, _ = parser._beam_of(Call(k_best=3))
    wanted = engine.best_trees(block, 0, 3)
    assert len(found) == len(wanted) == 3
    for tree, (score, probability, heads, labels) in zip(found, wanted, strict=True):
        assert tree.score == pytest.approx(score / parser.weights.scale)
        assert (tree.probability, tree.heads, tree.labels) == (probability, heads, labels)
        assert 0 < probability < 1
    (alone,) = parser.best_trees(block, 0, PLAIN)
    assert list(alone.heads) == tree_of(parser, Call(beam=2))


def test_weights_that_are_not_rounded_have_scores_as_they_are() -> None:
    parser, block = small(precision="float"), block_of(WORDS)
    assert isinstance(parser.weights, PlainWeights)
    found = list(parser.best_trees(block, 0, Call(k_best=2)))
    wanted = parser._beam_of(Call(k_best=2))[0].best_trees(block, 0, 2)
    assert [tree.score for tree in found] == [score for score, *_ in wanted]


def test_the_best_trees_of_a_parser_carry_their_probabilities() -> None:
    sentence = treewright.Sentence.from_conllu(block_of(WORDS).data.decode())
    trees = small().k_best(sentence, 2)
    wanted = list(small().best_trees(block_of(WORDS), 0, Call(k_best=2)))
    assert [(tree.score, tree.probability) for tree in trees] == [(tree.score, tree.probability) for tree in wanted]


def test_the_best_trees_of_all_sentences_are_written_one_after_the_other() -> None:
    block = Block(block_of(WORDS[:3]).data + block_of(WORDS[3:]).data, CONLLU, "two")
    parser = small()
    text = parser.parse_block(block, k_best=2).data.decode()
    parts = text.removesuffix("\n\n").split("\n\n")
    ranks = [[line for line in part.split("\n") if line.startswith("# k_best")] for part in parts]
    assert ranks == [["# k_best = 1"], ["# k_best = 2"]] * 2
    heads = [[int(line.split("\t")[6]) for line in part.split("\n") if "\t" in line] for part in parts]
    best = [tree for n in range(2) for tree in parser.best_trees(block, n, Call(k_best=2))]
    assert heads == [list(tree.heads) for tree in best]
    labels = [[line.split("\t")[7] for line in part.split("\n") if "\t" in line] for part in parts]
    assert labels == [[parser.relations[label] for label in tree.labels] for tree in best]


# Confidences


def told(parser: TransitionParser) -> tuple[list[float], list[str]]:
    """Return the confidences of a sentence, and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = parser.trees(block_of(WORDS), Call(confidence=True)).confidences
    assert found is not None
    return list(found), [str(each.message) for each in caught if each.category is TreewrightWarning]


def test_a_calibrated_model_has_other_confidences_and_no_warning() -> None:
    raw, warned = told(small())
    (message,) = warned
    assert message.startswith("the model was trained without a dev set to calibrate it on")
    knots = [[0.0, 0.125], [1.0, 0.125]]
    flat, warned = told(with_settings(small(), confidence={"beta": 1.0, "knots": knots}))
    assert warned == []
    known = [place for place, value in enumerate(raw) if not math.isnan(value)]
    assert known
    assert [flat[place] for place in known] == [0.125] * len(known)
    assert all(raw[place] != 0.125 for place in known)


def test_a_beam_measures_confidences_by_its_trees() -> None:
    parser, block = small(), block_of(WORDS)
    found = parser.trees(block, Call(beam=4, confidence=True))
    room = array("i", bytes(4 * len(WORDS))), array("i", bytes(4 * len(WORDS))), array("f", bytes(4 * len(WORDS)))
    parser._beam_of(Call(beam=4))[0].parse_block(block, room[0], room[1], None, room[2])
    assert found.confidences == room[2]
    assert max(room[2]) > 0


# Given arcs


@pytest.mark.parametrize("options", [PLAIN, Call(confidence=True), Call(beam=3)])
@pytest.mark.filterwarnings("ignore::treewright.errors.TreewrightWarning")
def test_the_search_itself_builds_given_arcs(options: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left to attach afterwards, though the parser alone finds another head."""
    moved = []
    complete = GivenArcs.complete
    monkeypatch.setattr(GivenArcs, "complete", lambda *rest: moved.append(complete(*rest)) or moved[-1])
    parser = small()
    alone = list(parser.trees(block_of(WORDS), options).heads)
    other = 2 if alone[0] != 2 else 3
    given = block_of(WORDS).data.replace(b"\t_\t_\t_\t_\n", f"\t{other}\t_\t_\t_\n".encode(), 1)
    found = parser.trees(Block(given, CONLLU, "given"), replace(options, keep_arcs=True))
    assert found.heads[0] == other
    assert moved == [{}]
    assert list(parser.trees(block_of(WORDS), options).heads) == alone  # the next call keeps nothing


# What it says of itself


def test_what_a_parser_of_trees_lacks() -> None:
    always = {
        GRAPHS: "the model builds trees, not graphs",
        CERTIFICATE: "only exact parsers give certificates: train with --system exact",
        TEXT: PARSER_ALONE,
        TAGS: PARSER_ALONE,
    }
    assert small().lacks == always
    places = "easy-first has no beam: its moves are not in order"
    assert small(system="easy-first").lacks == {**always, BEAM: places, K_BEST: places}
    assert with_settings(small(), split=True).lacks == {**always, BEAM: WHOLE_MOVES, K_BEST: WHOLE_MOVES}
    machine = with_settings(small())
    machine.weights = MachineWeights("liblinear", None, None, 6)  # type: ignore[arg-type]
    reason = "a beam adds up scores of moves, but this learner gives decisions"
    assert machine.lacks == {**always, BEAM: reason, K_BEST: reason}
    with pytest.raises(CombinationError, match=reason):
        machine._beam_of(Call(beam=2))


def test_decisions_in_two_steps_reach_the_search() -> None:
    parser = with_settings(small(), split=True)
    assert parser.engine.split
    assert not small().engine.split
    with pytest.raises(CombinationError, match="joint"):
        parser._beam_of(Call(beam=2))


def test_arcs_that_were_lifted_come_down_again() -> None:
    parser = with_settings(small())
    assert parser.engine.deprojectivizer is parser.lifting


def test_details_and_name_of_a_parser() -> None:
    parser = with_settings(small(), beam=2, leaf_tags=["PUNCT"])
    assert parser._details() == {
        "system": {"name": "arc-eager", "root": "last", "single_root": True},
        "feature_model": "lean",
        "templates": len(parser.extractor.model.templates),
        "features": len(parser.weights),
        "relations": 3,
        "moves": 6,
        "leaf_tags": ["PUNCT"],
        "beam": 2,
    }
    assert repr(parser) == f"<TransitionParser: arc-eager, lean features, {len(parser.weights)} weights>"
    assert parser._feature_text == str(parser.extractor.model)
    assert "p(input[0]) & p(input[1])\n" in parser._feature_text


# Model files


def through_a_file(parser: TransitionParser) -> tuple[dict[str, Any], TransitionParser]:
    header, arrays = parser.to_file()
    views = {name: memoryview(bytes(memoryview(data))) for name, (_, data) in arrays.items()}
    return header, TransitionParser.from_file(header, views)


def test_word_clusters_survive_a_file() -> None:
    features = small().settings["features"] + "cluster(w(input[0]))\n"
    parser = with_settings(small(), features=features, clusters=clusters())
    assert parser.extractor.clusters is parser.settings["clusters"]
    header, again = through_a_file(parser)
    assert header["settings"]["clusters"] == "made up"
    kept = again.extractor.clusters
    assert (kept.keys, kept.numbers, kept.paths, kept.depths, kept.source) == (
        clusters().keys,
        clusters().numbers,
        clusters().paths,
        clusters().depths,
        "made up",
    )
    assert "clusters" not in through_a_file(small())[0]["settings"]


def test_word_clusters_without_words_are_damaged() -> None:
    for empty in (memoryview(b""), memoryview(array("Q"))):
        with pytest.raises(ModelFileError, match="its word clusters are inconsistent"):
            clusters_in(dict.fromkeys(cluster_arrays(clusters()), empty), "none")


def test_weights_are_written_with_their_types_and_read_by_them() -> None:
    rounded, plain = small(), small(precision="float")
    of_rounded = {name: kept_arrays.NAMES[code] for name, code in WEIGHT_ARRAYS.items()}
    for parser, types in ((rounded, of_rounded), (plain, linear.PLAIN_WEIGHT_TYPES)):
        assert {name: kind for name, (kind, _) in linear.arrays_of(parser.weights).items()} == types
    for parser, kind in ((rounded, FrozenWeights), (plain, PlainWeights)):
        again = through_a_file(parser)[1]
        assert type(again.weights) is kind
        assert again.weights.settings == parser.weights.settings
        assert tree_of(again) == tree_of(parser)


def test_weights_of_other_moves_are_rejected() -> None:
    with pytest.raises(
        ModelFileError, match=r"^the model is damaged: its weights and its moves do not fit each other$"
    ):
        with_settings(small(), classes=small().settings["classes"][:-1])
