"""Graph parsers as a user meets them: trained, saved, loaded, used, scored."""

import math
import re
from array import array

import pytest
from treewright.kinds.graph.dag_greedy import GreedyGraphParser

import treewright
from treewright.apps.cli import main
from treewright.errors import CombinationError, ModelFileError, TreebankError, TreewrightError
from treewright.evaluation.graphs import evaluate_graphs
from treewright.kinds.graph.parser import GraphParser
from treewright.kinds.graph.writing import word_confidences
from treewright.steps.parser import Parser
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.graphs.graph import graph_of
from treewright.treebank.sentences.sentence import Sentence

NAMES, VERBS, NOUNS = ("Ann", "Bob", "Eve", "Kim"), ("sees", "likes", "knows"), ("figs", "cats", "tea")


def row(number, form, tag, head, relation, deps):
    return "\t".join([str(number), form, form, tag, "_", "_", str(head), relation, deps, "_"])


def sentence(i):
    """`Ann sees figs`, or `Ann sees and likes figs`, where both verbs have the subject and the object."""
    name, verb, noun = NAMES[i % 4], VERBS[i % 3], NOUNS[i // 2 % 3]
    if i % 2:
        return [
            row(1, name, "PROPN", 2, "nsubj", "2:nsubj"),
            row(2, verb, "VERB", 0, "root", "0:root"),
            row(3, noun, "NOUN", 2, "obj", "2:obj"),
        ]
    return [
        row(1, name, "PROPN", 2, "nsubj", "2:nsubj|4:nsubj"),
        row(2, verb, "VERB", 0, "root", "0:root"),
        row(3, "and", "CCONJ", 4, "cc", "4:cc"),
        row(4, VERBS[(i + 1) % 3], "VERB", 2, "conj", "2:conj"),
        row(5, noun, "NOUN", 4, "obj", "4:obj|2:obj" if i % 4 else "2:obj|4:obj"),
    ]


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    path = tmp_path_factory.mktemp("graphs") / "graphs.conllu"
    path.write_text("".join("\n".join(sentence(i)) + "\n\n" for i in range(60)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def parser(treebank):
    return treewright.train(treebank, treebank, system="dag-arc-eager", iterations=5, cutoff=1)


@pytest.mark.parametrize(
    ("system", "choices"),
    [
        ("dag-arc-eager", {"static": "dag-rich", "ambiguity": "tokgoz-eryigit", "explore": "rich"}),
        ("dag-crossing", {"static": "rich", "ambiguity": "dag-rich", "explore": "tokgoz-eryigit"}),
        ("dag-shift-reduce", {"static": "rich", None: "tokgoz-eryigit"}),
    ],
)
def test_every_system_and_policy_learns_the_graphs(treebank, tmp_path, system, choices):
    for policy, features in choices.items():
        trained = treewright.train(treebank, system=system, policy=policy, features=features, iterations=6, cutoff=1)
        trained.parse_file(treebank, tmp_path / "out.conllu")
        scores = evaluate_graphs(treebank, tmp_path / "out.conllu")
        assert scores.labelled.f1 == scores.secondary_labelled.f1 == 100, policy
        assert scores.secondary_labelled.gold > 50


def test_relations_to_all_heads_tell_moves_apart(treebank, tmp_path):
    """After `nsubj`, a further arc to the same word can only be another `nsubj`: one template sees that."""
    features = tmp_path / "heads.features"
    features.write_text(
        "p(stack[0]) & p(input[0])\np(input[1]) & move(0)\nlabels(heads, stack[0]) & linked(stack[0], input[0])\n"
        "labels(heads, input[0]) & p(h2(input[0])) & linked(stack[0], input[0])\n"
    )
    trained = treewright.train(treebank, system="dag-arc-eager", features=str(features), iterations=8, cutoff=1)
    trained.save(tmp_path / "m.tw")
    Parser.load(tmp_path / "m.tw").parse_file(treebank, tmp_path / "out.conllu")
    assert evaluate_graphs(treebank, tmp_path / "out.conllu").labelled.f1 > 95


def test_a_model_survives_its_file(parser, treebank, tmp_path):
    parser.save(tmp_path / "m.tw")
    loaded = Parser.load(tmp_path / "m.tw")
    assert isinstance(loaded, GraphParser)
    for name, model in (("a", parser), ("b", loaded)):
        model.parse_file(treebank, tmp_path / name, threads=2 if name == "b" else 1)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_only_deps_is_written(parser, treebank, tmp_path):
    parser.parse_file(treebank, tmp_path / "out.conllu")
    before, after = treewright.read(treebank), treewright.read(tmp_path / "out.conllu")
    for one, other in zip(before, after, strict=True):
        assert one.heads == other.heads
        assert one.deprels == other.deprels


def test_every_word_gets_a_head_and_no_arc_twice(parser):
    parsed = parser.parse_words(["figs", "and", "and", "Zoe", "sees", "sees", "tea", "."])
    graph = graph_of(parsed)
    assert all(graph)
    assert all(len(set(arcs)) == len(arcs) for arcs in graph)
    assert all(head != word for word, arcs in enumerate(graph, 1) for head, _ in arcs)


def test_the_same_seed_gives_the_same_model(treebank, tmp_path):
    for name in "ab":
        treewright.train(treebank, system="dag-arc-eager", iterations=2, seed=3).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    "choices",
    [
        {"root": "first"},
        {"beam": 4},
        {"calibration": "none"},
        {"policy": "dagger"},
        {"nonsense": 1},
        {"decision": "split"},
        {"lifting": "path"},
        {"single_root": False},
        {"features": "malt-covington"},
        {"features": "dag-crossing"},
        {"system": "dag-shift-reduce", "policy": "explore"},
    ],
)
def test_what_is_for_trees_is_refused(treebank, choices):
    with pytest.raises(CombinationError):
        treewright.train(treebank, **{"system": "dag-arc-eager", **choices})


def test_a_relation_that_looks_lifted_is_refused(tmp_path):
    path = tmp_path / "odd.conllu"
    path.write_text(row(1, "Go", "VERB", 0, "root", "0:a↑b") + "\n\n", encoding="utf-8")
    with pytest.raises(TreebankError, match="a sign that lifting needs"):
        treewright.train(path, system="dag-arc-eager")


def test_a_treebank_without_graphs_is_refused(tmp_path):
    path = tmp_path / "trees.conllu"
    path.write_text(row(1, "Go", "VERB", 0, "root", "_") + "\n\n", encoding="utf-8")
    with pytest.raises(TreebankError, match="no graphs to learn from"):
        treewright.train(path, system="dag-arc-eager")
    with pytest.raises(TreebankError, match="has no graphs"):
        evaluate_graphs(path, path)


def test_the_command_line_from_training_to_scores(treebank, tmp_path, capsys):
    model, out = str(tmp_path / "m.tw"), str(tmp_path / "out.conllu")
    arguments = ["--system", "dag-arc-eager", "--iterations", "4", "--cutoff", "1", "-q"]
    assert main(["train", str(treebank), "-o", model, *arguments]) == 0
    assert main(["parse", model, str(treebank), "-o", out]) == 0
    assert main(["info", model]) == 0
    assert "dag-arc-eager" in capsys.readouterr().out
    assert main(["eval", "--graph", str(treebank), out]) == 0
    assert "secondary arcs, labelled" in capsys.readouterr().out
    assert main(["eval", "--tree-as-graph", str(treebank), out, "--json"]) == 0
    assert '"secondary_labelled"' in capsys.readouterr().out
    assert main(["eval", "--graph", "--by", "deprel", str(treebank), out]) == 2


def test_scores_count_arcs():
    gold = "\n".join(sentence(0)) + "\n\n"
    system = gold.replace("2:nsubj|4:nsubj", "2:nsubj|3:nsubj").replace("0:root", "0:other")
    scores = evaluate_graphs(gold.encode(), system.encode())
    assert (scores.labelled.gold, scores.labelled.system, scores.labelled.correct) == (7, 7, 5)
    assert scores.unlabelled.correct == 6
    assert (scores.secondary_unlabelled.gold, scores.secondary_unlabelled.correct) == (2, 1)
    trees = evaluate_graphs(gold.encode(), system.encode(), tree_as_graph=True)
    assert (trees.labelled.system, trees.labelled.correct, trees.secondary_labelled.system) == (5, 5, 0)
    assert trees.labelled.precision == 100
    assert trees.secondary_labelled.recall == 0


def test_other_words_are_refused():
    gold = ("\n".join(sentence(0)) + "\n\n").encode()
    with pytest.raises(TreewrightError, match="words of sentence 1 differ"):
        evaluate_graphs(gold, ("\n".join(sentence(1)) + "\n\n").encode())


def test_a_sentence_may_come_from_python(parser):
    parsed = parser.parse(Sentence.from_words([{"form": "Ann", "upos": "PROPN"}, {"form": "sees", "upos": "VERB"}]))
    assert graph_of(parsed) == [[(2, "nsubj")], [(0, "root")]]


@pytest.mark.parametrize("system", ["dag-arc-eager", "dag-crossing", "dag-shift-reduce"])
def test_whole_numbers_and_floats_choose_the_same_moves(treebank, system):
    trained = treewright.train(treebank, system=system, iterations=2, cutoff=1)
    engine = trained.engine
    slow = GreedyGraphParser(engine.system, engine.extractor, engine.moves, engine.scorer, fast=False)
    for block in read_blocks(treebank):
        assert engine.parse_block(block, engine.new_scratch()) == slow.parse_block(block, slow.new_scratch())


def test_weights_of_a_system_with_fewer_kinds_of_move_are_rejected(parser):
    with pytest.raises(ModelFileError, match="its weights and its moves do not fit each other"):
        GraphParser({**parser.settings, "system": "dag-crossing"}, parser.weights, parser.info)


def test_pruning_makes_the_model_smaller(treebank):
    whole = treewright.train(treebank, treebank, system="dag-crossing", iterations=4, cutoff=1, prune=False)
    pruned = treewright.train(treebank, treebank, system="dag-crossing", iterations=4, cutoff=1)
    assert len(pruned.weights) < len(whole.weights)
    assert pruned.info["dev"]["labelled_f1"] == 100


def prepositions(i):
    """`Ann swims in tea`: the relation is obl:in."""
    name, case = NAMES[i % 4], ("in", "with", "under", "near")[i // 4 % 4]
    return [
        row(1, name, "PROPN", 2, "nsubj", "2:nsubj"),
        row(2, "swims", "VERB", 0, "root", "0:root"),
        row(3, case, "ADP", 4, "case", "4:case"),
        row(4, NOUNS[i % 3], "NOUN", 2, "obl", f"2:obl:{case}"),
    ]


def test_a_preposition_that_was_never_seen_is_written_into_the_relation():
    text = "".join("\n".join(prepositions(i)) + "\n\n" for i in range(40)).encode()
    trained = treewright.train(text, system="dag-crossing", iterations=4, cutoff=1)
    assert "obl:⟨case⟩" in trained.relations
    assert not any(relation.startswith("obl:in") for relation in trained.relations)
    new = Sentence.from_conllu("\n".join(prepositions(0)).replace("\tin\tin\t", "\tBeyond\tbeyond\t") + "\n\n")
    assert graph_of(trained.parse(new))[3] == [(2, "obl:beyond")]


def test_words_without_any_head_stay_without():
    rows = [
        row(1, "Ann", "PROPN", 2, "x", "2:ARG1"),
        row(2, "tries", "VERB", 0, "x", "0:top|4:h"),
        row(3, "to", "PART", 4, "x", "_"),
        row(4, "sleep", "VERB", 2, "x", "2:ARG2"),
    ]
    text = ("\n".join(rows) + "\n\n").encode() * 20
    for system in ("dag-arc-eager", "dag-crossing", "dag-shift-reduce"):
        trained = treewright.train(text, system=system, iterations=5, cutoff=1)
        graph = graph_of(trained.parse(Sentence.from_conllu(text[: len(text) // 20].decode())))
        assert [sorted(arcs) for arcs in graph] == [[(2, "ARG1")], [(0, "top"), (4, "h")], [], [(2, "ARG2")]]


@pytest.mark.parametrize("system", ["dag-arc-eager", "dag-crossing", "dag-shift-reduce"])
def test_maximum_entropy_learns_the_graphs(treebank, tmp_path, system):
    trained = treewright.train(
        treebank, treebank, system=system, learner="liblinear", learner_options="-s 7 -c 1", features="tokgoz-eryigit"
    )
    assert trained.info["recipe"]["policy"] == "static"
    trained.parse_file(treebank, tmp_path / "out.conllu")
    assert evaluate_graphs(treebank, tmp_path / "out.conllu").labelled.f1 == 100


@pytest.mark.parametrize(
    "choices", [{"policy": "explore"}, {"learner": "libsvm"}, {"learner": "timbl"}, {"learner_options": "-s 7 -B 1"}]
)
def test_what_batch_learners_cannot_do_with_graphs_is_refused(treebank, choices):
    with pytest.raises(CombinationError):
        treewright.train(treebank, **{"system": "dag-arc-eager", "learner": "liblinear", **choices})


def test_empty_nodes_are_collapsed_to_learn_and_come_back_when_written():
    rows = [
        row(1, "Ann", "PROPN", 2, "nsubj", "2:nsubj"),
        row(2, "eats", "VERB", 0, "root", "0:root"),
        row(3, "figs", "NOUN", 2, "obj", "2:obj"),
        "\t".join(["3.1", "eats", *"______", "2:conj", "_"]),
        row(4, "Bob", "PROPN", 2, "conj", "3.1:nsubj"),
        row(5, "tea", "NOUN", 4, "orphan", "3.1:obj"),
    ]
    text = ("\n".join(rows) + "\n\n").encode()
    trained = treewright.train(text * 10, system="dag-crossing", iterations=5, cutoff=1, features="lean")
    (block,) = read_blocks(text)
    written = trained.parse_block(block).data.decode()
    assert written == text.decode().replace("3.1\teats", "3.1\t_")


def test_the_confidence_of_a_word_is_that_of_all_its_arcs():
    found = word_confidences(4, array("i", [2, 0, 2, 3, 2]), array("f", [0.5, 0.25, 0.5, 1.0, 0.5]))
    assert found[0] == 0.25
    assert math.isnan(found[1])
    assert list(found[2:]) == [0.125, 1.0]
    assert found.typecode == "f"


def test_confidence_is_written_beside_the_same_graphs(parser, treebank):
    block = next(iter(read_blocks(treebank)))
    plain, sure = parser.parse_block(block).data.decode(), parser.parse_block(block, confidence=True).data.decode()
    told = re.findall(r"Confidence=([\d.]+)", sure)
    assert len(told) == block.n_words
    assert all(0 < float(value) <= 1 for value in told)
    assert re.sub(r"Confidence=[\d.]+", "_", sure) == plain
