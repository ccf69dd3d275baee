"""An exact parser from treebank to tree, as a user makes it."""

from functools import cache

import pytest
from treewright.kinds.exact.search.decoding import Decoder

import treewright
from tests.toy import DEV, SOME, TEST, TRAIN
from treewright.errors import CombinationError, FeatureModelError, ModelFileError
from treewright.kinds.exact.parts.templates import bundled_templates, load_templates, parse_templates
from treewright.steps.call import Call
from treewright.treebank.files.reading import read_blocks

SMALL = """[arc]
p(head) & p(child) & distance(head, child)
w(head) & p(child) & direction(head, child)
p(head) & between(p) & p(child)
each(feats(head)) & each(feats(child))
[relation]
p(head) & p(child) & direction(head, child)
w(child)
[grandparent]
p(grandparent) & p(head) & p(child) & order()
w(head) & p(child) & direction(grandparent, head)
"""


@cache
def small_parser(folder, **choices):
    path = folder / "small.features"
    path.write_text(SMALL, encoding="utf-8")
    if choices.get("order") != 1:
        choices["first_order_rounds"] = 2
    return treewright.train(SOME, system="exact", features=str(path), iterations=4, **choices)


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    return small_parser(tmp_path_factory.mktemp("exact"))


def las(parser):
    parsed = [parser.parse(sentence) for sentence in treewright.read(TEST)]
    pairs = [
        (found, gold)
        for ours, theirs in zip(parsed, treewright.read(TEST), strict=True)
        for found, gold in zip(ours.words, theirs.words, strict=True)
    ]
    return sum(a.head == b.head and a.deprel == b.deprel for a, b in pairs) / len(pairs)


def test_learns_the_toy_language(parser):
    assert las(parser) > 0.8


@pytest.mark.parametrize("learning", ["mira", "perceptron"])
def test_other_ways_to_learn(tmp_path, learning):
    assert las(small_parser(tmp_path, learning=learning)) > 0.75


@pytest.mark.parametrize("projective", [False, True])
def test_first_order(tmp_path, projective):
    parser = small_parser(tmp_path, order=1, projective=projective)
    assert las(parser) > 0.7
    block = next(iter(read_blocks(TEST)))
    trees = list(parser.best_trees(block, 0, Call(k_best=3)))
    assert trees[0].score >= trees[-1].score
    _, heads, _ = parser.trees(block)[:3]
    assert heads[: len(trees[0].heads)] == trees[0].heads
    for column in zip(*parser.marginals(block), strict=True):
        assert sum(column) == pytest.approx(1) or sum(column) == 0


def test_saved_and_loaded_it_parses_the_same(parser, tmp_path):
    parser.save(tmp_path / "a.tw")
    loaded = treewright.load(tmp_path / "a.tw")
    block = next(iter(read_blocks(TEST)))
    assert loaded.parse_block(block).data == parser.parse_block(block).data
    loaded.save(tmp_path / "b.tw")
    assert (tmp_path / "a.tw").read_bytes() == (tmp_path / "b.tw").read_bytes()
    assert loaded._details()["order"] == 2


def test_training_again_gives_the_same_bytes(parser, tmp_path):
    small_parser(tmp_path).save(tmp_path / "again.tw")
    parser.save(tmp_path / "once.tw")
    once = treewright.load(tmp_path / "once.tw")
    again = treewright.load(tmp_path / "again.tw")
    assert {k: bytes(v) for k, v in once.arrays.items()} == {k: bytes(v) for k, v in again.arrays.items()}


def test_all_methods_agree_and_bounds_hold(parser):
    block = next(iter(read_blocks(TEST)))
    scores = {}
    for method in ("bounds", "paper", "brute"):
        found = []
        parser.trees(
            block, Call(method=method, certified=lambda certificate, _, found=found: found.append(certificate))
        )
        scores[method] = found
    for ours, paper, brute in zip(*scores.values(), strict=True):
        assert paper.objective == pytest.approx(brute.objective, abs=1e-5)
        assert ours.objective <= brute.objective + 1e-5
        if brute.integral:
            assert ours.score == pytest.approx(brute.score, abs=1e-5)
        assert ours.scored <= brute.scored
    decoder = Decoder(parser.scorer, True)
    decoder.load(block, 0)
    for h in range(1, decoder.n + 1):
        for c in range(1, decoder.n + 1):
            for g in range(decoder.n + 1):
                if len({g, h, c}) == 3:
                    assert decoder.part_score(g, h, c) <= min(decoder.bounds(g, h, c)) + 1e-5


def test_damaged_models_are_refused(parser, tmp_path):
    parser.save(tmp_path / "a.tw")
    data = (tmp_path / "a.tw").read_bytes()
    (tmp_path / "cut.tw").write_bytes(data[: len(data) // 2])
    with pytest.raises(ModelFileError):
        treewright.load(tmp_path / "cut.tw")
    (tmp_path / "changed.tw").write_bytes(data.replace(b"root_labels", b"toor_labels"))
    with pytest.raises(ModelFileError):
        treewright.load(tmp_path / "changed.tw")


@pytest.mark.parametrize(
    "choices",
    [
        {"policy": "static"},
        {"order": 3},
        {"learning": "x"},
        {"dropout": 1.0},
        {"iterations": 0},
        {"adviser": "x"},
        {"adviser_folds": 1},
    ],
)
def test_what_cannot_be_chosen_is_refused(choices):
    with pytest.raises(CombinationError):
        treewright.train(TRAIN, DEV, system="exact", **choices)


def test_bundled_templates_are_read_back_as_they_are_written():
    for name in bundled_templates():
        model = load_templates(name)
        assert parse_templates(str(model), name) == model


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[grandparent]\nadvised(head, child)", "is only for arcs and relations"),
        ("[arc]\np(heads)", ":2:3: expected an address (head, child, token), found 'heads'"),
        ("[arcs]", ":1:1: expected [arc], [relation], [grandparent]"),
        ("p(head) & order()", "under [grandparent]"),
        ("p(head) p(child)", ":1:9: expected '&'"),
        ("p(head)", "no templates under [relation]"),
        ("p(head)\np(head)", "is already on line 1"),
        ("suffix(w(child), 0)", "from 1 on"),
        ("column(HEAD, child)", "features cannot look at it"),
        ("[grandparent]\neach(feats(head))", "are only for arcs and relations"),
        ("p(token[token[head + 1] + 1])", ":1:9: too many steps in an address: 1 at most"),
        ("each(feats(token[head + 1]))", "takes feats(head) or feats(child)"),
        ("[arc relation]\np(head)", ":1:1: expected [arc], [relation], [grandparent]"),
        (" & ".join(["p(head)"] * 7), "joins 6 functions at most"),
        ("distance(child, head)", ":1:10: expected 'head', found 'child'"),
        ("cluster(w(child))", ":1:1: expected a feature function"),
        ("q(head)", "expected a feature function"),
    ],
)
def test_errors_in_templates_name_their_place(text, told):
    with pytest.raises(FeatureModelError) as error:
        parse_templates(text, "x")
    assert told in str(error.value)
