"""Which words may govern others is learnt from the treebank, kept in the model, and obeyed by every kind of parser."""

from __future__ import annotations

import random
from array import array
from functools import cache
from pathlib import Path

import pytest
from treewright.kinds.transition.learning.corpus import trees_of
from treewright.treebank.blocks.interner import Interner

import treewright as tw
from tests.apps.cli.running import succeed
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import ModelFileError
from treewright.kinds.transition import leaves
from treewright.kinds.transition.leaves import leaves_in_graphs, leaves_in_trees
from treewright.steps.border.container import read_model
from treewright.steps.model_file import write_model
from treewright.steps.parser import Parser
from treewright.systems import SYSTEMS
from treewright.systems.graphs import GRAPH_SYSTEMS
from treewright.training.gathering import Gathered
from treewright.treebank.files.reading import read_blocks

LEAVES = {"DET", "PUNCT"}  # of the toy treebank


def scrambled(path: str, seed: int = 1) -> list[tw.Sentence]:
    """Sentences with half of their words tagged as if they could not govern others."""
    rng = random.Random(seed)
    sentences = []
    for text in Path(path).read_text(encoding="utf-8").strip().split("\n\n"):
        rows = [line.split("\t") for line in text.split("\n") if not line.startswith("#")]
        for row in rows:
            row[3] = rng.choice(["DET", "PUNCT", row[3], row[3]])
        sentences.append(tw.Sentence.from_conllu("\n".join("\t".join(row) for row in rows) + "\n\n"))
    return sentences


def heads_among_leaves(sentence: tw.Sentence) -> int:
    words = list(sentence)
    if all(word.upos in LEAVES for word in words):
        return 0
    return sum(words[word.head - 1].upos in LEAVES for word in words if word.head)


@cache
def parser_of(system: str, governors: str = "learnt") -> Parser:
    return tw.train(TRAIN, system=system, iterations=1, governors=governors)


@pytest.mark.parametrize("system", SYSTEMS)
def test_trees_have_no_arcs_from_leaves(system: str) -> None:
    parser = parser_of(system)
    assert set(parser.settings["leaf_tags"]) >= LEAVES
    for sentence in scrambled(TEST):
        parsed = parser.parse(sentence)
        assert heads_among_leaves(parsed) == 0
        assert sum(word.head == 0 for word in parsed) == 1
        traced = tw.trace(parser, sentence)
        assert {(arc.head, arc.dependent) for arc in traced.end.arcs} <= {
            (word.head, number) for number, word in enumerate(parsed, 1)
        }


@pytest.mark.parametrize("system", ["arc-eager", "arc-hybrid", "easy-first", "covington"])
def test_the_rule_can_be_switched_off(system: str) -> None:
    parser = parser_of(system, "any")
    assert parser.settings["leaf_tags"] == []
    assert sum(heads_among_leaves(parser.parse(sentence)) for sentence in scrambled(TEST)) > 0


def test_beams_and_confidences_obey() -> None:
    parser = parser_of("arc-standard")
    for sentence in scrambled(TEST)[:20]:
        assert heads_among_leaves(parser.parse(sentence, beam=4)) == 0
        assert heads_among_leaves(parser.parse(sentence, confidence=True)) == 0
        for tree in parser.k_best(sentence, 5):
            assert heads_among_leaves(tree.sentence) == 0


@pytest.mark.parametrize("options", [{"beam": 4}, {"policy": "static"}, {"learner": "liblinear"}, {"lifting": "none"}])
def test_every_way_to_train_obeys(options: dict[str, object]) -> None:
    if options.get("learner") == "liblinear":
        pytest.importorskip("liblinear")
    else:
        options = {**options, "iterations": 1}
    parser = tw.train(TRAIN, features="lean", **options)
    assert all(heads_among_leaves(parser.parse(sentence)) == 0 for sentence in scrambled(TEST)[:20])


def test_words_of_the_same_form_obey_their_tags_where_templates_do_not_look_at_tags(tmp_path: Path) -> None:
    """Words seen before are recognised by the columns that templates look at, and by their tags."""
    features = tmp_path / "forms.features"
    features.write_text("w(stack[0]) & w(input[0])\nw(stack[0])\nw(input[0])\n")
    parser = tw.train(TRAIN, features=str(features), iterations=1)
    assert all(heads_among_leaves(parser.parse(sentence)) == 0 for sentence in scrambled(TEST))


@pytest.mark.parametrize("system", GRAPH_SYSTEMS)
def test_graphs_have_no_arcs_from_leaves(system: str) -> None:
    lines = []
    for line in Path(TRAIN).read_text(encoding="utf-8").split("\n"):
        columns = line.split("\t")
        if len(columns) == 10:
            columns[8] = f"{columns[6]}:{columns[7]}"
        lines.append("\t".join(columns))
    parser = tw.train("\n".join(lines).encode(), system=system, iterations=1)
    assert set(parser.settings["leaf_tags"]) >= LEAVES
    for sentence in scrambled(TEST):
        parsed = parser.parse(sentence)
        words = list(parsed)
        if all(word.upos in LEAVES for word in words):
            continue
        graph = [[int(arc.split(":")[0]) for arc in str(word.deps).split("|")] for word in words]
        assert all(not head or words[head - 1].upos not in LEAVES for heads in graph for head in heads)


def test_arcs_of_graphs_go_to_words_above() -> None:
    blocks = list(read_blocks(Path(TRAIN).read_bytes()))
    graphs = [[[(0, "r")] for _ in block.words_of(i)] for block in blocks for i in range(block.n_sentences)]
    # The last word, a full stop, governs the first in one graph: an error of 490.
    last = len(graphs[0])
    graphs[0][0] = [(last, "a"), (2, "b")]
    tags, obeying = leaves_in_graphs("learnt", Gathered("toy", blocks), graphs, ["PUNCT"])
    assert tags == []  # of 490 words, one is more than a thousandth
    tags, obeying = leaves_in_graphs("any", Gathered("toy", blocks), graphs, None)
    assert (tags, obeying) == ([], graphs)


def tagged(*sentences: str) -> Gathered:
    """Sentences of words with these tags, without heads."""
    rows = (
        "".join(f"{i}\tw\t_\t{tag}\t_\t_\t_\t_\t_\t_\n" for i, tag in enumerate(tags.split(), 1)) for tags in sentences
    )
    return Gathered("made", list(read_blocks("\n".join([*rows, ""]).encode())))


def test_arcs_from_leaves_go_to_the_next_word_above_that_may_govern(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(leaves, "learn_leaf_tags", lambda _, governs, base: asked.append((governs, base)) or ["P"])
    plain = [[(2, "r")], [(0, "s")]]
    graph = [
        [(3, "a"), (2, "b"), (2, "c")],  # 3 is under 4, which is under 2: what is there already stays
        [(3, "d")],  # itself is above: the root
        [(4, "e"), (1, "f")],
        [(2, "g")],
        [(6, "h"), (4, "i")],  # 6 is under nothing
        [],
        [(8, "j")],  # 7 and 8 are under each other
        [(7, "k")],
        [(8, "l"), (3, "m"), (4, "n"), (9, "self")],
        [(10, "self"), (4, "o")],
    ]
    data = tagged("P N", "P N", "V N P P N P P P V P")
    tags, obeying = leaves_in_graphs("learnt", data, [plain, plain, graph], ["Q"])
    assert tags == ["P"]
    assert asked == [(bytes([0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1]), ["Q"])]
    assert obeying[:2] == [plain, plain]
    assert obeying[2] == [
        [(2, "b"), (2, "c")],
        [(0, "d")],
        [(1, "f"), (2, "e")],
        [(2, "g")],
        [(0, "h"), (2, "i")],
        [],
        [(0, "j")],
        [(0, "k")],
        [(9, "self"), (0, "l"), (2, "m")],
        [(2, "o")],
    ]


def test_the_note_counts_the_trees_that_were_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[str] = []
    monkeypatch.setattr(leaves, "learn_leaf_tags", lambda blocks, governs, base: base or known)
    data = tagged("V P D", "P V D", "V P D")

    def changed(heads: list[int], base: list[str] | None, single_root: bool = True) -> tuple[list[int], list[str]]:
        flat = array("i", heads)
        _, notes = leaves_in_trees("learnt", data, flat, array("i", [0] * 9), single_root, base)
        return list(flat), notes

    good = [0, 1, 1, 2, 0, 2, 0, 1, 1]
    assert changed(good, ["D", "P"]) == (good, [])
    assert changed([0, 1, 2, *good[3:]], ["D", "P"]) == (good, ["1 tree changed: no dependents of D, P"])
    assert changed([0, 1, 2, *good[3:6], 0, 1, 2], ["P"]) == (good, ["2 trees changed: no dependents of P"])
    assert changed([0, 1, 2, *good[3:]], None) == ([0, 1, 2, *good[3:]], [])
    assert changed([*good[:3], 0, 1, 2, *good[6:]], ["P"]) == (good, ["1 tree changed: no dependents of P"])
    assert changed([*good[:3], 0, 0, 1, *good[6:]], ["P"], False)[0] == [*good[:3], 0, 0, 0, *good[6:]]
    assert leaves_in_trees("any", data, array("i", [0, 1, 2]), array("i"), True, ["P"]) == ([], [])


def test_the_mistakes_of_a_tagger_do_not_count() -> None:
    gold = list(read_blocks(Path(TRAIN).read_bytes()))
    text = Path(TRAIN).read_text(encoding="utf-8")
    mistaken = list(read_blocks(text.replace("\tVERB\t", "\tPUNCT\t", 40).encode()))
    heads, labels = trees_of(mistaken, Interner())
    without, _ = leaves_in_trees("learnt", Gathered("toy", mistaken), array("i", heads), labels, True, None)
    assert "PUNCT" not in without
    tags, notes = leaves_in_trees("learnt", Gathered("toy", mistaken, [], gold), heads, labels, True, None)
    assert "PUNCT" in tags
    assert "trees changed" in notes[0]  # those in which such a verb governs others


def test_models_keep_the_tags(tmp_path: Path) -> None:
    parser_of("arc-eager").save(tmp_path / "new.tw")
    again = tw.load(tmp_path / "new.tw")
    sentences = scrambled(TEST)
    assert [str(again.parse(s)) for s in sentences] == [str(parser_of("arc-eager").parse(s)) for s in sentences]
    assert "leaf tags" in succeed("info", tmp_path / "new.tw").decode()
    header, _ = read_model(tmp_path / "new.tw")
    typed = parser_of("arc-eager").to_file()[1]
    header["settings"]["leaf_tags"] = []
    kept = {key: value for key, value in header.items() if key != "format"}
    write_model(tmp_path / "free.tw", kept, typed)
    free = tw.load(tmp_path / "free.tw")
    assert sum(heads_among_leaves(free.parse(s)) for s in sentences) > 0
    for damage in ([1], 3, "PUNCT"):
        kept["settings"]["leaf_tags"] = damage
        write_model(tmp_path / "damaged.tw", kept, typed)
        with pytest.raises(ModelFileError):
            tw.load(tmp_path / "damaged.tw")


def test_going_on_keeps_the_tags_that_the_new_treebank_does_not_contradict(tmp_path: Path) -> None:
    base = parser_of("arc-eager")
    assert tw.train(DEV, init_from=base, iterations=1).settings["leaf_tags"] == base.settings["leaf_tags"]
    assert tw.train(DEV, init_from=base, iterations=1, governors="any").settings["leaf_tags"] == []


def test_errors_in_the_treebank_are_moved_and_said() -> None:
    text = Path(TRAIN).read_text(encoding="utf-8") * 5
    text += "1\tgo\tgo\tVERB\t_\t_\t2\tx\t_\t_\n2\t.\t.\tPUNCT\t_\t_\t0\troot\t_\t_\n\n"
    parser = tw.train(text.encode(), iterations=1, features="lean")
    assert "PUNCT" in parser.settings["leaf_tags"]
    assert any(note.startswith("1 tree changed: no dependents of ") for note in parser.info["training"]["notes"])
