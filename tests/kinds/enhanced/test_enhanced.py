"""Enhanced graphs as a user meets them: trained beside trees, saved, loaded, written, scored, left out."""

from __future__ import annotations

import random
from array import array
from pathlib import Path

import pytest
from treewright.features.encoder import Encoder
from treewright.kinds.enhanced.finding import ATTRIBUTES, KINDS, ArcFinder
from treewright.kinds.enhanced.tree_paths import TreePaths
from treewright.learners.perceptron import Perceptron
from treewright.treebank.blocks.block import Block

import treewright as tw
from treewright.apps.cli import main
from treewright.errors import CombinationError, ModelFileError, TreebankError
from treewright.evaluation.graphs import evaluate_graphs
from treewright.kinds.enhanced.parser import EnhancedParser
from treewright.kinds.enhanced.training import copier_of_trees, says_more_than_trees
from treewright.steps.pipeline import Pipeline
from treewright.training.gathering import gather
from treewright.training.observer import TrainingObserver
from treewright.treebank.checks.graph_checks import unreached
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.graphs.graph import graph_of, sentence_graphs

from .test_tree_paths import RELATIONS, all_paths, block_of, random_tree

NAMES, VERBS, NOUNS = ("Ann", "Bob", "Eve", "Kim"), ("sees", "likes", "knows"), ("figs", "cats", "tea")
SMALL = {"jackknife": 0, "tagger_iterations": 2, "tokenizer_iterations": 2, "tagger_cutoff": 1, "widen": "none"}
TINY = {**SMALL, "features": "tiny", "iterations": 3, "cutoff": 1, "seeds": 1}


def row(number: int, form: str, tag: str, head: int, relation: str, deps: str) -> str:
    return "\t".join([str(number), form, form.lower(), tag, "_", "_", str(head), relation, deps, "_"])


def sentence(i: int) -> list[str]:
    """`Ann sees figs .`, `Ann sees and likes figs .`, or `Ann wants to see figs .`, where Ann sees, too.

    Verbs share their object, but for `knows`.
    """
    name, verb, other, noun = NAMES[i % 4], VERBS[i // 3 % 3], VERBS[i // 5 % 3], NOUNS[i // 2 % 3]
    subject, root = row(1, name, "PROPN", 2, "nsubj", "2:nsubj|4:nsubj"), row(2, verb, "VERB", 0, "root", "0:root")
    end = row(6, ".", "PUNCT", 2, "punct", "2:punct")
    if i % 3 == 0:
        plain = [row(1, name, "PROPN", 2, "nsubj", "2:nsubj"), root, row(3, noun, "NOUN", 2, "obj", "2:obj")]
        return [*plain, row(4, ".", "PUNCT", 2, "punct", "2:punct")]
    if i % 3 == 1:
        shared = "2:obj|4:obj" if other != "knows" else "2:obj"
        linked = [row(3, "and", "CCONJ", 4, "cc", "4:cc"), row(4, other, "VERB", 2, "conj", "2:conj:and")]
        return [subject, root, *linked, row(5, noun, "NOUN", 2, "obj", shared), end]
    wants = row(2, "wants", "VERB", 0, "root", "0:root")
    wanted = [row(3, "to", "PART", 4, "mark", "4:mark"), row(4, other, "VERB", 2, "xcomp", "2:xcomp")]
    return [subject.replace("4:nsubj", "4:nsubj:xsubj"), wants, *wanted, row(5, noun, "NOUN", 4, "obj", "4:obj"), end]


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("enhanced") / "graphs.conllu"
    text = "".join("\n".join(sentence(i)) + "\n\n" for i in range(48))
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def step(treebank: Path) -> EnhancedParser:
    trained = tw.train(treebank, step="graph")
    assert isinstance(trained, EnhancedParser)
    return trained


@pytest.fixture(scope="module")
def pipeline(treebank: Path) -> Pipeline:
    return tw.train_pipeline(treebank, treebank, **TINY)


def without_deps(path: Path) -> bytes:
    lines = path.read_text(encoding="utf-8").split("\n")
    return "\n".join("\t".join([*line.split("\t")[:8], "_", "_"]) if line else "" for line in lines).encode()


def test_graphs_follow_from_trees(step: EnhancedParser, treebank: Path, tmp_path: Path) -> None:
    parsed = tmp_path / "parsed.conllu"
    bare = tmp_path / "bare.conllu"
    bare.write_bytes(without_deps(treebank))
    step.parse_file(bare, parsed)
    assert evaluate_graphs(treebank, parsed).labelled.f1 == 100
    assert parsed.read_bytes() == treebank.read_bytes()
    assert len(step.weights) > 0
    assert step.info["training"]["notes"][-1].endswith("paths to heads")


def test_a_pipeline_gives_trees_and_graphs(pipeline: Pipeline, tmp_path: Path) -> None:
    assert list(pipeline.steps) == ["tokenizer", "tagger", "parser", "graph"]
    assert {"HEAD", "DEPREL", "DEPS"} <= set(pipeline.gives)
    assert {"EULAS", "ELAS"} <= pipeline.info["dev"]["raw_text"].keys()
    assert "labelled_f1" in pipeline.info["dev"]["graph"]
    pipeline.save(tmp_path / "model.tw")
    (found,) = tw.load(tmp_path / "model.tw")("Eve wants to know tea .")
    assert [word.head for word in found.words] == [2, 0, 4, 2, 4, 2]
    assert found.words[0].deps == [(2, "nsubj"), (4, "nsubj:xsubj")]
    assert found.words[5].deps == [(2, "punct")]


def test_trees_are_those_of_the_parser(pipeline: Pipeline, treebank: Path) -> None:
    block = next(iter(read_blocks(treebank)))
    alone = pipeline.without(["graph"])
    assert pipeline.trees(block).heads == alone.trees(block).heads
    assert pipeline.relations == alone.relations
    assert all(word.deps == [] for found in alone("Bob sees cats .") for word in found.words)


def test_a_step_may_be_left_out_or_taken_from_another_model(
    treebank: Path, tmp_path: Path, step: EnhancedParser
) -> None:
    assert list(tw.train_pipeline(treebank, enhanced="none", **TINY).steps) == ["tokenizer", "tagger", "parser"]
    step.save(tmp_path / "graph.tw")
    (tmp_path / "bare.conllu").write_bytes(without_deps(treebank))
    bare = tmp_path / "bare.conllu"
    assert list(tw.train_pipeline(bare, **TINY).steps) == ["tokenizer", "tagger", "parser"]
    taken = tw.train_pipeline(bare, keep_step=f"graph={tmp_path / 'graph.tw'}", **TINY)
    assert taken.steps["graph"]._details()["paths"] == step._details()["paths"]
    whole = tw.train_pipeline(bare, **TINY).with_step(step)
    assert graph_of(whole("Ann wants to see figs .")[0])[0] == [(2, "nsubj"), (4, "nsubj:xsubj")]


def test_copies_of_trees(treebank: Path, tmp_path: Path) -> None:
    (tmp_path / "bare.conllu").write_bytes(without_deps(treebank))
    model = tw.train_pipeline(tmp_path / "bare.conllu", enhanced="copy", **TINY)
    for found in model("Ann sees and likes figs ."):
        assert [word.deps for word in found.words] == [[(word.head, word.deprel)] for word in found.words]


def test_what_a_graph_says_more_than_a_tree(treebank: Path, tmp_path: Path) -> None:
    assert says_more_than_trees(list(read_blocks(treebank)))
    assert not says_more_than_trees(list(read_blocks(without_deps(treebank))))
    copied = without_deps(treebank).decode().replace("\t2\tobj\t_", "\t2\tobj\t2:obj")
    assert says_more_than_trees(list(read_blocks(copied.encode())))  # the others lack theirs
    line = "1\ta\ta\tX\t_\t_\t0\troot\t0:root\t_\n\n"
    assert not says_more_than_trees(list(read_blocks(line.encode())))


def test_relations_that_training_lacks_are_copied(step: EnhancedParser) -> None:
    text = "\n".join(sentence(2)).replace("\tpunct\t", "\tparataxis\t").replace("\tobj\t", "\tobj:lvc\t") + "\n\n"
    parsed = next(step.parse_blocks(read_blocks(text.encode())))
    found = [parsed.value(word, parsed.layout.deps).decode() for word in range(6)]
    assert found == ["2:nsubj|4:nsubj:xsubj", "0:root", "4:mark", "2:xcomp", "4:obj:lvc", "2:parataxis"]


def test_words_without_a_head_get_no_arc(step: EnhancedParser) -> None:
    text = "\n".join(sentence(0)).replace("\t2\tobj\t", "\t_\t_\t") + "\n\n"
    parsed = next(step.parse_blocks(read_blocks(text.encode())))
    assert parsed.value(2, parsed.layout.deps) == b"_"
    assert parsed.value(0, parsed.layout.deps) == b"2:nsubj"


def test_formats_without_graphs_get_trees(pipeline: Pipeline, treebank: Path, tmp_path: Path) -> None:
    target = tmp_path / "parsed.conllx"
    main(["convert", str(treebank), str(tmp_path / "in.conllx")])
    pipeline.parse_file(tmp_path / "in.conllx", target)
    assert target.read_text(encoding="utf-8").splitlines()[1].split("\t")[6:8] == ["0", "root"]


@pytest.mark.parametrize("seed", range(30))
def test_the_root_reaches_every_word(seed: int) -> None:
    dice = random.Random(seed)
    n = dice.randint(1, 12)
    heads, labels = random_tree(n, dice)
    known = dice.sample(all_paths(), 20)
    chosen = [(path, sorted(dice.sample([-1, 0, 1], dice.randint(1, 3)))) for path in known]
    learner = Perceptron(KINDS, RELATIONS)
    finder = ArcFinder(TreePaths(chosen, RELATIONS, RELATIONS), Encoder(ATTRIBUTES, False), learner, (), ())
    copies = array("i", range(RELATIONS))
    dependents, found_heads, _ = finder.find(block_of(n), array("i", heads), array("i", labels), copies, True)
    graph: list[list[tuple[int, str]]] = [[] for _ in range(n)]
    for dependent, head in zip(dependents, found_heads, strict=True):
        graph[dependent].append((head, ""))
    assert all(graph)
    assert not unreached(graph)
    for arcs in graph:
        assert len(set(arcs)) == len(arcs)


def test_several_blocks_give_what_one_gives(step: EnhancedParser, treebank: Path) -> None:
    whole = next(iter(read_blocks(without_deps(treebank))))
    together = step.parse_block(whole).data
    alone = [step.parse_block(Block(whole.text_of(k), whole.layout, "one")).data for k in range(whole.n_sentences)]
    assert b"".join(alone) == together


def test_combinations_that_say_nothing_are_refused(treebank: Path, step: EnhancedParser) -> None:
    with pytest.raises(CombinationError, match="do not go on"):
        tw.train(treebank, step="graph", init_from=step)
    with pytest.raises(CombinationError, match="enhanced is none"):
        tw.recipe(pipeline=True, enhanced="none", graph_iterations=3)
    with pytest.raises(TreebankError, match="no graphs to learn from"):
        tw.train_pipeline(without_deps(treebank), enhanced="learnt", **TINY)
    with pytest.raises(CombinationError, match="the parser builds graphs"):
        tw.train_pipeline(treebank, system="dag-crossing", enhanced="learnt", jackknife=0)


def test_what_cannot_be_learnt_is_said_before_anything_is_trained(treebank: Path) -> None:
    text = treebank.read_text(encoding="utf-8").replace("2:xcomp", "9:xcomp", 1)
    steps: list[str] = []

    class Heard(TrainingObserver):
        def prepared(self, step: str, *about: object) -> None:
            steps.append(step)

    for given, options in ((text.encode(), TINY), (without_deps(treebank), {**TINY, "enhanced": "learnt"})):
        with pytest.raises(TreebankError, match=r"DEPS"):
            tw.train_pipeline(given, observer=Heard(), **options)
    assert not steps


def test_damaged_models_are_rejected(step: EnhancedParser) -> None:
    for change in ({"paths": [[[[True, 99]], [0]]]}, {"paths": [[[[True, 0]], [99]]]}, {"tree_relations": ["other"]}):
        header, arrays = step.to_file()
        header = {**header, "settings": {**header["settings"], **change}}
        from treewright.kinds.enhanced.schema import check

        with pytest.raises(ModelFileError, match="damaged"):
            check(header, {name: memoryview(data) for name, (_, data) in arrays.items()})


def test_a_copier_knows_the_relations_of_its_treebank(treebank: Path) -> None:
    assert "xcomp" in copier_of_trees(gather(treebank)).relations


def test_graphs_of_a_block(step: EnhancedParser, treebank: Path) -> None:
    block = next(iter(read_blocks(treebank)))
    assert list(map(str, step.parse_graphs(block))) == list(map(str, sentence_graphs(block)))
