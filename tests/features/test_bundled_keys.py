"""Bundled feature models as C: the same keys as the interpreter of feature models, in every configuration."""

from __future__ import annotations

import random
from array import array
from pathlib import Path

import pytest
from treewright.features.extractor import Extractor
from treewright.features.inspection import sought
from treewright.features.word_clusters import WordClusters, cluster_key
from treewright.systems.system import Parse

from tests.features.test_extractor import RELATIONS, random_block, random_walk
from tests.outside import module_at
from tests.systems.cases import block_of
from treewright.errors import CombinationError
from treewright.features.bundled import feature_model_for, load_feature_model
from treewright.features.language import parse_model
from treewright.features.program import Program
from treewright.systems import make_system

TOOL = module_at("tools/bundled_keys.py")
NAMES: tuple[str, ...] = TOOL.NAMES


def clusters(name: str) -> WordClusters | None:
    """Return clusters for models that look at some: of four words of random blocks in five."""
    if name != TOOL.WITH_CLUSTERS:
        return None
    keys, paths = array("Q", map(cluster_key, ("aa", "ab", "ßa", "1b"))), array("I", (0b00, 0b01, 0b10, 0b11))
    return WordClusters(keys, array("H", range(4)), paths, array("B", (2,) * 4))


def both_ways(name: str) -> tuple[Extractor, Extractor]:
    """Return an extractor that runs C code, and one that interprets the same feature model."""
    model = TOOL.model_named(name)
    compiled, interpreted = (Extractor(model, RELATIONS, clusters=clusters(name)) for _ in range(2))
    interpreted.interpret()
    return compiled, interpreted


@pytest.mark.parametrize("name", NAMES)
def test_bundled_models_run_as_c(name: str) -> None:
    assert Extractor(TOOL.model_named(name), RELATIONS, clusters=clusters(name)).as_c


def test_hash_of_texts_of_all_lengths() -> None:
    for length in range(20):
        model = parse_model(f"[moves]\nfeat({'N' * length or 'N'}, stack[0])", "one")
        extractor = Extractor(model, RELATIONS)
        assert extractor.program_hash == TOOL.text_hash(Program(model).text.encode(), 0)


def test_headers_are_written_once(tmp_path: Path) -> None:
    TOOL.write_headers(tmp_path)
    header = tmp_path / "keys_tiny.h"
    header.touch()
    before = header.stat().st_mtime_ns
    TOOL.write_headers(tmp_path)
    assert header.stat().st_mtime_ns == before
    header.write_text("another", encoding="utf-8")
    TOOL.write_headers(tmp_path)
    assert "tw_keys_tiny" in header.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_known_program_is_that_of_its_text(name: str) -> None:
    model, given = TOOL.model_named(name), clusters(name)
    known = Extractor.of_text(str(model), model.name, make_system("arc-eager"), RELATIONS, clusters=given)
    made = Extractor(model, RELATIONS, clusters=given)
    assert f'"{model.templates[0]}' in TOOL.layouts()
    assert (known.program_hash, known.encoder.attributes) == (made.program_hash, made.encoder.attributes)
    assert known.as_c
    known.interpret()
    rng = random.Random(name)
    block = random_block(rng)
    for sentence in range(block.n_sentences):
        for parse, _ in random_walk(rng, make_system("arc-eager"), len(block.words_of(sentence))):
            assert sought(known, parse, block, sentence) == sought(made, parse, block, sentence)
    assert (str(known.model), known.model.name, known.program.layout) == (str(model), model.name, made.program.layout)


def test_a_known_program_must_fit_the_system() -> None:
    text = str(load_feature_model("tiny"))
    with pytest.raises(CombinationError, match="easy-first has no"):
        Extractor.of_text(text, "tiny", make_system("easy-first"), RELATIONS)
    assert not Extractor.of_text(text.replace("stack[1]", "stack[2]"), "tiny", make_system("arc-eager"), []).as_c


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("root", ["first", "last"])
def test_same_keys_as_interpreted(name: str, root: str) -> None:
    rng = random.Random(name + root)
    compiled, interpreted = both_ways(name)
    compared = 0
    for _ in range(4):
        block = random_block(rng)
        for sentence in range(block.n_sentences):
            system = make_system("arc-eager", root=root, single_root=False)
            for parse, _ in random_walk(rng, system, len(block.words_of(sentence))):
                for labels in (True, False):
                    keys = sought(compiled, parse, block, sentence, labels)
                    assert keys == sought(interpreted, parse, block, sentence, labels)
                    assert labels or keys[1][0] == 0
                    compared += len(keys[0])
    assert compared > 2000


@pytest.mark.parametrize("room", [0, 1, 3, 8])
def test_products_of_features_stop_where_room_ends(room: int) -> None:
    features = "|".join(f"F{i}=1" for i in range(4))
    block = block_of([("a", "a", "N", "n", features, "_", "_", "_", "_")] * 3)
    parse = Parse(make_system("arc-eager"), 3)
    parse.apply("SHIFT")
    compiled, interpreted = both_ways("lean")
    keys = sought(compiled, parse, block, 0, room=room)
    assert keys == sought(interpreted, parse, block, 0, room=room)
    assert len(keys[0]) < len(sought(compiled, parse, block, 0)[0])


def test_another_program_is_interpreted() -> None:
    model = load_feature_model("tiny")
    changed = parse_model(str(model).replace("p(stack[1])", "p(stack[2])"), "tiny")
    for other in (changed, feature_model_for("tiny", "arc-hybrid"), load_feature_model("zhang-nivre")):
        assert not Extractor(other, RELATIONS).as_c
    assert Extractor(parse_model(str(model), "a copy"), RELATIONS).as_c


def test_interpreting_can_be_asked_for() -> None:
    extractor = Extractor(load_feature_model("tiny"), RELATIONS)
    assert extractor.as_c
    extractor.interpret()
    assert not extractor.as_c


@pytest.mark.parametrize("room", [-1, 5000])
def test_room_is_limited(room: int) -> None:
    block = block_of([("a", "a", "N", "n", "_", "_", "_", "_", "_")])
    with pytest.raises(ValueError, match="room"):
        sought(both_ways("tiny")[0], Parse(make_system("arc-eager"), 1), block, 0, room=room)
