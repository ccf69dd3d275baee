"""A greedy parser that advises an exact one, confidences and several trees, as a user asks for them."""

import math
from functools import cache

import pytest
from treewright.kinds.exact.search.decoding import Decoder
from treewright.treebank.blocks.block import Block

import treewright
from tests.kinds.exact.enumeration import all_trees
from tests.kinds.exact.test_parser import SMALL, las, small_parser
from tests.toy import DEV, SOME, TEST, TRAIN
from treewright.__main__ import main
from treewright.errors import CombinationError, ModelFileError
from treewright.kinds.exact.adviser import heads_of, in_folds, train_adviser
from treewright.kinds.exact.parser import ExactParser, with_advice
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.steps.call import Call
from treewright.training.gathering import Gathered, gather
from treewright.training.observer import TrainingObserver
from treewright.treebank.files.reading import read_blocks

ADVISED = (
    SMALL.replace(
        "[relation]\n",
        "advised(head, child) & adviser(child)\nadvised(head, child) & distance(head, child)\n"
        "[relation]\nadviser(child) & advised(head, child)\n",
    )
    + "adviser(head) & adviser(child) & order()\n"
)


class Steps(TrainingObserver):
    """Counts the sentences that were learnt from."""

    total = 0

    def advanced(self, sentences):
        self.total += sentences


@cache
def advised_parser(folder):
    path = folder / "advised.features"
    path.write_text(ADVISED, encoding="utf-8")
    return treewright.train(SOME, DEV, system="exact", features=str(path), iterations=2, adviser_folds=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("adviser")


def words_of(blocks):
    return [block.value(word, block.layout.form) for block in blocks for word in range(block.n_words)]


def test_folds_keep_every_word_in_its_place():
    data = gather(TRAIN)
    blocks, steps = data.blocks, Steps()
    parsed = in_folds(TransitionRecipe(iterations=1), data, 3, steps)
    assert words_of(parsed) == words_of(blocks)
    assert [block.n_sentences for block in parsed] == [block.n_sentences for block in blocks]
    # Every fold learns from the other two.
    assert steps.total == 2 * sum(block.n_sentences for block in blocks)


def test_a_fold_is_parsed_by_an_adviser_that_has_not_seen_it():
    data, recipe = gather(TRAIN), TransitionRecipe(iterations=2)
    blocks = data.blocks
    parsed = in_folds(recipe, data, 2, TrainingObserver())
    sentences = [block.text_of(number) for block in blocks for number in range(block.n_sentences)]
    first, others = (Block(b"".join(sentences[start::2]), blocks[0].layout) for start in (0, 1))
    adviser = train_adviser(recipe, Gathered("others", [others]), None, TrainingObserver())
    expected = with_advice(adviser, first)
    found = [block.text_of(number) for block in parsed for number in range(block.n_sentences)][0::2]
    assert [text.strip() for text in found] == [
        expected.text_of(number).strip() for number in range(expected.n_sentences)
    ]


def test_an_advised_parser_is_saved_with_its_adviser(folder, tmp_path):
    parser = advised_parser(folder)
    assert las(parser) > 0.8
    assert parser._details()["adviser"] == "arc-eager"
    parser.save(tmp_path / "a.tw")
    loaded = treewright.load(tmp_path / "a.tw")
    block = next(iter(read_blocks(TEST)))
    assert loaded.parse_block(block).data == parser.parse_block(block).data
    header, arrays = parser.to_file()
    del header["adviser"]
    with pytest.raises(ModelFileError, match="no adviser"):
        ExactParser.from_file(header, {name: memoryview(data).cast("B") for name, (_, data) in arrays.items()})


def test_an_adviser_with_a_beam(folder, tmp_path):
    greedy = advised_parser(folder)
    path = folder / "advised.features"
    options = {"system": "exact", "features": str(path), "iterations": 1, "adviser_folds": 2}
    parser = treewright.train(SOME, DEV, adviser="beam", **options)
    assert parser._details()["adviser"] == "arc-eager, beam 8"
    parser.save(tmp_path / "a.tw")
    loaded = treewright.load(tmp_path / "a.tw")
    assert loaded.adviser.beam == 8
    assert las(loaded) > 0.8
    block = next(iter(read_blocks(TEST)))
    alone = treewright.train(SOME, DEV, beam=8)
    assert loaded.adviser.parse_block(block).data == alone.parse_block(block).data
    assert greedy.adviser.beam == 1


def test_trees_in_the_input_do_not_matter(folder):
    parser = advised_parser(folder)
    gold = next(iter(read_blocks(TEST)))
    bare = with_advice(parser.adviser, gold)
    assert parser.parse_block(gold).data == parser.parse_block(bare).data
    assert parser.marginals(gold, 0) == parser.marginals(bare, 0)


def test_templates_see_the_adviser(folder):
    parser = advised_parser(folder)
    block = with_advice(parser.adviser, next(iter(read_blocks(TEST))))
    decoder = Decoder(parser.scorer, True)
    decoder.load(block, 0)
    with_its_tree = list(decoder.arc_scores())
    n = decoder.n
    turned = block.text_of(0).replace(b"\t0\troot\t", b"\t%d\troot\t" % (1 if heads_of([block])[0] else n))
    decoder.load(next(iter(read_blocks(turned, "conllu"))), 0)
    assert list(decoder.arc_scores()) != with_its_tree


def test_no_adviser_is_trained_without_templates_for_it(tmp_path):
    assert small_parser(tmp_path, order=1).adviser is None
    path = tmp_path / "advised.features"
    path.write_text(ADVISED, encoding="utf-8")
    parser = treewright.train(SOME, system="exact", features=str(path), iterations=1, adviser="none")
    assert parser.adviser is None
    assert not parser.model.advised


@pytest.mark.parametrize("option", [{"adviser": "beam"}, {"adviser_folds": 3}])
def test_options_of_an_adviser_that_no_template_looks_at(option, tmp_path):
    with pytest.raises(CombinationError, match=f"{next(iter(option))} has no effect here: no template of"):
        small_parser(tmp_path, order=1, **option)


def test_confidences_are_those_of_all_trees(tmp_path):
    parser = small_parser(tmp_path, order=1)
    text = b"".join(
        b"%d\t%s\t%s\t%s\t_\tNumber=Sing\t%d\t%s\t_\t_\n" % (i, w, w, p, h, r)
        for i, (w, p, h, r) in enumerate(
            [(b"the", b"DET", 2, b"det"), (b"dog", b"NOUN", 3, b"nsubj"), (b"sleeps", b"VERB", 0, b"root")], 1
        )
    )
    block = next(iter(read_blocks(text + b"\n", "conllu")))
    found = parser.trees(block, Call(confidence=True))
    heads, confidences = found.heads, found.confidences
    decoder = parser.new_decoder()
    decoder.load(block, 0)
    best = decoder.arc_scores()
    decoder.load(block, 0, True)
    summed = decoder.arc_scores()
    trees = list(all_trees(3, True))
    weights = [math.exp(sum(summed[t[c] * 4 + c] for c in (1, 2, 3))) for t in trees]
    for c in (1, 2, 3):
        h = heads[c - 1]
        arc = sum(weight for tree, weight in zip(trees, weights, strict=True) if tree[c] == h) / sum(weights)
        relation = math.exp(best[h * 4 + c] - summed[h * 4 + c])
        assert confidences[c - 1] == pytest.approx(arc * relation, abs=1e-4)


def test_command_line(folder, tmp_path, capsys):
    advised_parser(folder).save(tmp_path / "g.tw")
    model, out = str(tmp_path / "g.tw"), tmp_path / "out.conllu"
    assert main(["parse", model, str(TEST), "-o", str(out), "-q", "--confidence"]) == 0
    found = [line for line in out.read_text().splitlines() if "Confidence=" in line]
    assert len(found) == sum(block.n_words for block in read_blocks(TEST))
    assert all(0 <= float(line.split("Confidence=")[1].split("|")[0]) <= 1 for line in found)
    assert main(["parse", model, str(TEST), "-o", str(out), "-q", "--k-best", "2"]) == 0
    ranks = [line for line in out.read_text().splitlines() if line.startswith("# k_best = ")]
    assert ranks.count("# k_best = 1") == sum(block.n_sentences for block in read_blocks(TEST))
    assert "# k_best = 2" in ranks
    chosen = ["--method", "brute", "--constraints", "arcgp,gparc", "--stats"]
    assert main(["parse", model, str(TEST), "-o", str(out), *chosen]) == 0
    assert main(["parse", model, str(TEST), "-o", str(out), "--constraints", "twogp"]) == 2
    assert "unknown constraints 'twogp'" in capsys.readouterr().err
    assert main(["parse", model, str(TEST), "-o", str(out), "--constraints", "nogp"]) == 2
