"""Parsers with siblings, from treebank to tree: templates, learning, model files, options."""

import pytest
from treewright.kinds.exact.search.decoding import Decoder

import treewright
from tests.kinds.exact.enumeration import is_projective, sibling_parts
from tests.kinds.exact.test_parser import SMALL, las
from tests.toy import SOME, TEST
from treewright.errors import CombinationError, FeatureModelError
from treewright.kinds.exact.parts.templates import load_templates, parse_templates
from treewright.steps.call import Call
from treewright.treebank.files.reading import read_blocks

SIBLINGS = """[sibling]
p(head) & p(sibling) & p(child) & direction(head, child)
w(sibling) & p(child) & distance(head, sibling)
p(token[sibling + 1]) & p(child)
"""


def trained(folder, features=SMALL + SIBLINGS, **choices):
    path = folder / "small.features"
    path.write_text(features, encoding="utf-8")
    choices = {"iterations": 3, "adviser": "none", **choices}
    return treewright.train(SOME, system="exact", features=str(path), **choices)


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("siblings"))


@pytest.fixture(scope="module")
def block():
    return next(iter(read_blocks(TEST)))


def certificates(parser, block, **options):
    found = []
    parser.trees(block, Call(certified=lambda certificate, _: found.append(certificate), **options))
    return found


def test_learns_the_toy_language(parser):
    assert las(parser) > 0.8
    assert any(weight > 0 for weight in parser.arrays["sibling_weights"])


@pytest.mark.parametrize("learning", ["mira", "perceptron"])
def test_other_ways_to_learn(tmp_path, learning):
    other = trained(tmp_path, learning=learning)
    assert las(other) > 0.75
    assert any(weight > 0 for weight in other.arrays["sibling_weights"])


def test_saved_and_loaded_it_parses_the_same(parser, block, tmp_path):
    parser.save(tmp_path / "a.tw")
    loaded = treewright.load(tmp_path / "a.tw")
    assert loaded.parse_block(block).data == parser.parse_block(block).data
    loaded.save(tmp_path / "b.tw")
    assert (tmp_path / "a.tw").read_bytes() == (tmp_path / "b.tw").read_bytes()


def test_all_methods_agree(parser, block):
    exact, ours, paper, brute = (
        certificates(parser, block, **options)
        for options in ({"exact": True}, {}, {"method": "paper"}, {"method": "brute"})
    )
    for best, bounds, columns, whole in zip(exact, ours, paper, brute, strict=True):
        assert best.optimal
        assert columns.objective == pytest.approx(whole.objective, abs=1e-5)
        assert best.score - 1e-5 <= bounds.objective <= whole.objective + 1e-5
        assert columns.scored <= whole.scored == whole.parts


def test_bounds_hold_for_all_sibling_parts(parser, block):
    decoder = Decoder(parser.scorer, True)
    checked = 0
    for number in range(0, block.n_sentences, 3):
        decoder.load(block, number)
        for h in range(decoder.n + 1):
            for c in range(1, decoder.n + 1):
                between = range(h + 1, c) if h < c else range(c + 1, h)
                for s in (h, *between) if h != c else ():
                    score = decoder.part_score(s, h, c, siblings=True)
                    assert score <= min(decoder.bounds(s, h, c, siblings=True)) + 1e-5
                    checked += score > 0
    assert checked > 100


def test_the_score_of_a_tree_is_that_of_its_parts(parser, block):
    decoder = parser.new_decoder()
    trees = parser.trees(block)
    for number, certificate in enumerate(certificates(parser, block)):
        words = block.words_of(number)
        heads = [0, *trees.heads[words.start : words.stop]]
        decoder.load(block, number)
        arcs = decoder.arc_scores()
        total = sum(arcs[heads[m] * len(heads) + m] for m in range(1, len(heads)))
        total += sum(decoder.part_score(heads[heads[m]], heads[m], m) for m in range(1, len(heads)) if heads[m])
        total += sum(decoder.part_score(s, h, m, siblings=True) for h, s, m in sibling_parts(heads))
        assert total == pytest.approx(certificate.score, abs=1e-4)


def test_projective_trees(tmp_path, block):
    parser = trained(tmp_path, projective=True)
    assert (parser.settings["order"], parser.settings["projective"]) == (2, True)
    assert las(parser) > 0.7
    for found in zip(*(certificates(parser, block, method=name) for name in ("bounds", "paper", "brute")), strict=True):
        assert all(certificate.optimal for certificate in found)
        assert [certificate.score for certificate in found] == pytest.approx([found[0].score] * 3, abs=1e-4)
    trees = parser.trees(block)
    for number in range(block.n_sentences):
        words = block.words_of(number)
        assert is_projective([0, *trees.heads[words.start : words.stop]])
    best = list(parser.best_trees(block, 0, parser._checked({"k_best": 3})))
    assert best[0].heads == trees.heads[: len(best[0].heads)]
    assert best[0].score >= best[1].score >= best[2].score


def test_parts_can_be_chosen(tmp_path):
    for parts, there, not_there in (("grandparents", "grandparent", "sibling"), ("siblings", "sibling", "grandparent")):
        parser = trained(tmp_path, parts=parts, iterations=1)
        assert parser.model.of(there)
        assert not parser.model.of(not_there)
        assert las(parser) > 0.5
    with pytest.raises(CombinationError, match=r"no templates under \[sibling\]"):
        trained(tmp_path, features=SMALL, parts="both")
    with pytest.raises(CombinationError, match="parts has no effect"):
        trained(tmp_path, order=1, parts="both")


def test_training_goes_on_from_a_model_with_siblings(parser):
    after = treewright.train(TEST, init_from=parser, iterations=1)
    assert las(after) >= las(parser) - 0.02
    assert after.model.of("sibling")


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("distance(sibling, child)", "expected 'head'"),
        ("p(grandparent)", r"expected an address \(head, child, sibling, token\)"),
        ("order()", "only for the three words under"),
        ("advised(head, child)", "only for arcs and relations"),
        ("each(feats(child))", "only for arcs and relations"),
    ],
)
def test_templates_of_siblings(template, problem):
    with pytest.raises(FeatureModelError, match=problem):
        parse_templates(SMALL + "[sibling]\n" + template)


def test_the_bundled_templates_have_siblings():
    model = load_templates("exact")
    assert model.of("sibling")
    assert str(parse_templates(str(model))) == str(model)
