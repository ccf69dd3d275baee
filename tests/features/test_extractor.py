"""The compiled extractor against a slow reference: the same key exactly where the values are the same."""

from __future__ import annotations

import random
import re

import pytest
from treewright.features.extractor import Extractor
from treewright.features.inspection import extracted, keys, values, words
from treewright.systems.system import Parse, System
from treewright.treebank.blocks.block import Block

from tests.features.reference import Reference
from tests.systems.cases import SYSTEMS, block_of, look_at, name_of
from treewright.errors import CombinationError
from treewright.features.bundled import load_feature_model
from treewright.features.language import parse_model
from treewright.features.templates import Attribute, FeatureModel
from treewright.systems import make_system

RELATIONS = ["root", "subj", "obj"]
KEYS = [14037458973783415503, 10545742802024492020, 16197858016781286545]
EVERYTHING = parse_model(
    """
    w(stack[0])
    w(stack[1])
    w(input[0])
    lemma(input[0]) & p(input[0])
    p(stack[0]) & p(input[0]) & p(input[1])
    p(stack[1]) & p(stack[0]) & p(input[0]) & p(input[1])
    x(input[2])
    feats(stack[0])
    feat(Case, stack[0]) & feat(Number, input[0])
    column(MISC, stack[0])
    column(NOWHERE, stack[0])
    suffix(w(stack[0]), 2) & prefix(w(input[0]), 1)
    lower(w(stack[0])) & shape(w(input[0]))
    suffix(lower(w(input[0])), 1)
    l(stack[0]) & l(ld(stack[0])) & l(rd(stack[0]))
    w(h(stack[0])) & l(h(stack[0]))
    w(ld2(stack[0])) & w(rd2(stack[0]))
    w(ld(input[0])) & w(ld2(input[0]))
    w(lss(rd(stack[0])))
    w(rss(ld(stack[0])))
    w(h(h(stack[0]))) & w(ld(h(stack[0])))
    w(lc(stack[0])) & w(rc(stack[0]))
    w(lc(input[0])) & w(rc(input[0])) & w(lc(stack[1]))
    w(ls(stack[0])) & w(rs(stack[0])) & w(ls(rd(stack[0]))) & w(rs(ld(stack[0])))
    w(rs(rs(lc(h(stack[0]))))) & w(ls(ls(rc(h(stack[0])))))
    w(token[stack[0] + 1]) & w(token[input[0] - 1])
    w(token[ld(stack[0]) - 2])
    w(h(token[stack[0] + 1]))
    distance(stack[0], input[0])
    distance(input[0], stack[1]) & p(stack[0])
    valency(left, stack[0]) & valency(right, stack[0])
    valency(left, input[0]) & p(input[0])
    distance(stack[0], input[0], 0|1|2|5) & distance(stack[1], stack[0], 0|3)
    distance(stack[1], stack[0], 0|2|4)
    valency(all, stack[0])
    valency(all, stack[0], 0|1|3) & valency(left, input[0], 0|1)
    valency(right, stack[0], 0|2)
    heads(stack[0]) & heads(input[0])
    exists(stack[1]) & exists(ld(input[0]))
    linked(stack[0], input[0])
    linked(stack[1], stack[0])
    w(context[0])
    labels(left, stack[0]) & labels(right, stack[0])
    labels(left, input[0])
    move(0)
    move(0) & move(1)
    [moves]
    each(feats(stack[0]))
    each(feats(stack[0])) & p(input[0])
    p(stack[1]) & w(stack[1])
    [labels]
    each(feats(stack[0])) & each(feats(input[0]))
    p(stack[0]) & each(feats(ld(stack[0]))) & l(stack[0]) & each(feats(input[0]))
    p(stack[2])
    """,
    "everything",
)
#: the same for easy-first: list[0] and list[1] are the pair that may be linked
IN_THE_LIST = parse_model(
    re.sub(
        r"(stack|input)\[(\d)\]",
        lambda found: f"list[{-int(found[2]) if found[1] == 'stack' else int(found[2]) + 1}]",
        str(EVERYTHING).replace("context[0]", "list[3]"),
    ),
    "everything",
)


def everything_for(system: System) -> FeatureModel:
    return IN_THE_LIST if system.has_places else EVERYTHING


def random_block(rng: random.Random, sentences: int = 6) -> Block:
    """Sentences whose columns hold few different values, so that the same features come again."""
    feats = ["_", "Case=Nom", "Case=Acc|Number=Sing", "Number=Plur", "Gender=Fem|Number=Sing"]
    return block_of(
        *[
            [
                (
                    rng.choice(["Aa", "aA", "ab", "ßa", "1b", "b"]),
                    rng.choice("lm"),
                    rng.choice(["N", "V", "_"]),
                    rng.choice(["n", "v", "N"]),
                    rng.choice(feats),
                    "_",
                    "_",
                    "_",
                    rng.choice(["_", "M=1"]),
                )
                for _ in range(rng.randint(1, 8))
            ]
            for _ in range(sentences)
        ]
    )


def random_walk(rng: random.Random, system: System, n: int):
    """Yield a parse and the word in focus before each of its random moves, and at its end."""
    parse = Parse(system, n)
    while not parse.terminal:
        kind = rng.choice(parse.legal())
        yield parse, look_at(parse, kind)
        parse.apply(kind, rng.randrange(3) if parse.carries_relation(kind) else None)
    yield parse, 0


def random_configurations(rng, system, n_blocks):
    """Configurations on random ways through random blocks, each with its sentence and the plain reference."""
    for _ in range(n_blocks):
        block = random_block(rng)
        for sentence in range(block.n_sentences):
            for parse, focus in random_walk(rng, system, len(block.words_of(sentence))):
                reference = Reference(parse, block, sentence, RELATIONS, focus)
                yield parse, block, sentence, reference


@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_equal_keys_exactly_where_values_are_equal(system):
    rng = random.Random(0)
    model = everything_for(system)
    names = [str(template) for template in model.templates]
    extractor = Extractor(model, RELATIONS)
    key_of: dict[tuple[object, ...], int] = {}
    feature_of: dict[int, tuple[object, ...]] = {}
    again = 0
    for parse, block, sentence, reference in random_configurations(rng, system, 4):
        found = keys(extractor, parse, block, sentence)
        for template, name, template_keys in zip(model.templates, names, found, strict=True):
            features = [(name, *f) for f in reference.features(template)]
            assert len(features) == len(template_keys), name
            for feature, key in zip(features, template_keys, strict=True):
                again += feature in key_of
                assert key_of.setdefault(feature, key) == key, feature
                assert feature_of.setdefault(key, feature) == feature, feature
        check_groups(model, found, *extracted(extractor, parse, block, sentence))
    assert len(key_of) > 500
    assert again > 1000


def check_groups(model: FeatureModel, found: list[list[int]], all_keys: list[int], counts: list[int]):
    """The whole model gives what its templates give alone, first for labels, then for both, then for moves."""
    start = 0
    for parts, count in zip((("labels",), ("moves", "labels"), ("moves",)), counts, strict=True):
        mine = [
            key
            for template, some in zip(model.templates, found, strict=True)
            if template.parts == parts
            for key in some
        ]
        assert sorted(all_keys[start : start + count]) == sorted(mine)
        start += count
    assert start == len(all_keys)


@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_what_people_are_shown(system):
    rng = random.Random(1)
    extractor = Extractor(everything_for(system), RELATIONS)
    shown = 0
    for parse, block, sentence, reference in random_configurations(rng, system, 4):
        for address, word in words(extractor, parse).items():
            assert word == reference.word(address), str(address)
        for function, value in values(extractor, parse, block, sentence).items():
            if isinstance(function, Attribute):
                expected = reference.value(function)
                assert value == ("ROOT" if expected == ("root",) else expected), str(function)
                shown += value is not None
    assert shown > 1000


def parse_after(moves: str, n: int, system: System | None = None, label: int = 0) -> Parse:
    parse = Parse(system or make_system("arc-eager", root="first"), n)
    for kind in moves.split():
        parse.apply(kind, label if kind in parse.system.labelled_kinds else None)
    return parse


def words_block(n: int) -> Block:
    return block_of([(f"w{i}",) for i in range(1, n + 1)])


def key_of(text: str, parse: Parse, block: Block, relations: list[str] | None = None) -> int:
    ((key,),) = keys(Extractor(parse_model(text), relations or RELATIONS), parse, block, 0)
    return key


class TestMeasures:
    def test_distances_that_count_as_one(self):
        block = words_block(30)
        found: dict[int, list[int]] = {}
        for size in range(1, 30):
            # One word on the stack below many that are gone: w1, then the rest LEFT of one another.
            parse = parse_after("SHIFT " + "SHIFT LEFT " * (size - 1), 30)
            assert (parse.stack[-1], parse.buffer[0]) == (1, size + 1)
            found.setdefault(key_of("distance(stack[0], input[0])", parse, block), []).append(size)
        assert list(found.values()) == [
            [1],
            [2],
            [3],
            [4],
            [5],
            [6, 7],
            [8, 9, 10],
            [11, 12, 13, 14, 15],
            [*range(16, 30)],
        ]

    def test_distance_has_a_direction(self):
        block, parse = words_block(5), parse_after("SHIFT SHIFT", 5)
        there = key_of("distance(stack[0], stack[1])", parse, block)
        extractor = Extractor(
            parse_model("distance(stack[0], stack[1]) & move(0)\ndistance(stack[1], stack[0]) & move(0)"), []
        )
        assert values(extractor, parse, block, 0)[extractor.model.templates[0].functions[0]] == "-1"
        assert values(extractor, parse, block, 0)[extractor.model.templates[1].functions[0]] == "1"
        assert there == key_of("distance(stack[0], stack[1])", parse_after("SHIFT SHIFT SHIFT", 5), block)

    @pytest.mark.parametrize("side", ["left", "right"])
    def test_valency_counts_to_nine(self, side):
        moves = "SHIFT " + "RIGHT REDUCE " * 12 if side == "right" else "SHIFT " * 12 + "LEFT " * 12
        function = f"valency({side}, {'stack' if side == 'right' else 'input'}[0])"
        found = set()
        for dependents in range(13):
            length = 1 + 2 * dependents if side == "right" else 12 + dependents
            parse = parse_after(" ".join(moves.split()[:length]), 14)
            found.add(key_of(function, parse, words_block(14)))
        assert len(found) == 10

    def test_relations_beyond_the_64th_share_bits_with_the_first(self):
        """The set of relations is kept in 64 bits; more is not told apart, but does no harm."""
        block, relations = words_block(3), [f"r{i}" for i in range(70)]
        found = [
            key_of("labels(right, stack[0])", parse_after("SHIFT RIGHT REDUCE", 3, label=label), block, relations)
            for label in (0, 1, 64)
        ]
        assert found[0] != found[1]
        assert found[0] == found[2]


class TestKeys:
    def test_the_same_template_gives_the_same_key_in_every_model(self):
        parse, block = parse_after("SHIFT", 3), words_block(3)
        alone = key_of("w(stack[0]) & p(input[0])", parse, block)
        among = parse_model("[moves]\nx(stack[0])\n[labels]\nw( stack[0] )&p(input[0])\nmove(1)\n")
        assert keys(Extractor(among, []), parse, block, 0)[1] == [alone]

    def test_keys_never_change(self):
        """Models keep them: if this fails, every model on disk has become worthless."""
        parse, block = parse_after("SHIFT RIGHT", 3), words_block(3)
        found = [
            key_of(text, parse, block)
            for text in ("w(stack[0])", "l(stack[0]) & move(0)", "distance(stack[1], input[0])")
        ]
        assert found == KEYS

    def test_functions_are_told_apart_by_their_places(self):
        block = block_of([("a",), ("b",), ("a",), ("b",)])
        there = key_of("w(stack[0]) & w(input[0])", parse_after("SHIFT", 4), block)
        back = key_of("w(stack[0]) & w(input[0])", parse_after("SHIFT SHIFT", 4), block)
        assert there != back
        assert there == key_of("w(stack[0]) & w(input[0])", parse_after("SHIFT SHIFT SHIFT", 4), block)

    @pytest.mark.parametrize("n_feats", [20, 64, 200, 2000])
    def test_products_stop_where_there_is_no_more_room(self, n_feats):
        """A configuration gives 4,096 keys at most; those of templates without products are always there."""
        feats = "|".join(f"F{i}=x" for i in range(n_feats))
        block = block_of([("a", "_", "_", "_", feats), ("b", "_", "_", "_", feats)])
        model = parse_model(
            "[labels]\neach(feats(stack[0])) & each(feats(input[0]))\neach(feats(stack[0])) & w(stack[0])\n"
            "[moves labels]\nw(stack[0])\neach(feats(stack[0]))\n[moves]\neach(feats(input[0]))\nw(input[0])\n"
        )
        parse = parse_after("SHIFT", 2)
        found, counts = extracted(Extractor(model, []), parse, block, 0)
        wanted = 3 * n_feats + n_feats**2 + 2
        assert sum(counts) == len(found) <= 4096
        assert len(found) == len(set(found))
        assert len(found) == wanted if n_feats == 20 else len(found) > 2048
        assert key_of("w(stack[0])", parse, block) in found[counts[0] : counts[0] + counts[1]]
        assert key_of("w(input[0])", parse, block) in found[counts[0] + counts[1] :]

    def test_a_model_without_columns(self):
        parse, block = parse_after("SHIFT", 2), words_block(2)
        assert len(keys(Extractor(parse_model("move(0)\nmove(1)"), []), parse, block, 0)) == 2

    @pytest.mark.parametrize("name", ["rich", "zhang-nivre"])
    def test_bundled_models_on_an_empty_stack(self, name):
        model: FeatureModel = load_feature_model(name)
        parse, block = Parse(make_system("arc-eager"), 1), block_of([("a",)])
        assert len(keys(Extractor(model, RELATIONS), parse, block, 0)) == len(model.templates)


class TestMistakes:
    extractor = Extractor(parse_model("w(stack[0])\nl(stack[0])"), RELATIONS)

    @pytest.mark.parametrize("look", [keys, values])
    def test_another_sentence(self, look):
        with pytest.raises(CombinationError, match="number of words"):
            look(self.extractor, parse_after("SHIFT", 2), words_block(3), 0)
        with pytest.raises(IndexError):
            look(self.extractor, parse_after("SHIFT", 2), words_block(2), 1)

    @pytest.mark.parametrize("look", [keys, values])
    def test_relations_without_a_name(self, look):
        parse = parse_after("SHIFT RIGHT", 2, label=3)
        with pytest.raises(CombinationError, match="relations that the extractor does not know"):
            look(self.extractor, parse, words_block(2), 0)
