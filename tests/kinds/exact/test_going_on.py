"""Training that goes on from the weights of a trained exact parser."""

import random
from array import array
from functools import cache

import pytest
from treewright.kinds.exact.learning import PartLearner
from treewright.kinds.exact.parts.parts import PartProgram
from treewright.kinds.exact.parts.weights import WeightTable, extended, lay_out
from treewright.kinds.exact.search.decoding import Decoder
from treewright.kinds.transition.learning.corpus import Corpus, trees_of
from treewright.treebank.blocks.interner import Interner

import treewright
from tests.kinds.exact.test_parser import SMALL, small_parser
from tests.toy import SOME, TEST
from treewright.kinds.exact.parser import ExactParser
from treewright.kinds.exact.parts.templates import parse_templates
from treewright.treebank.files.reading import read_blocks

OPTIONS = {
    "learner": "sgd",
    "single_root": True,
    "projective": False,
    "rate": 0.1,
    "messages": 5,
    "dropout": 0.0,
    "second_order_from": 1,
    "cutoff": 2,
}


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    return small_parser(tmp_path_factory.mktemp("exact"), adviser="none")


@cache
def blocks_of(source):
    return list(read_blocks(source))


class GoingOn:
    """What a trainer does: relations of the parser first, then those of the treebank."""

    def __init__(self, parser, source, reverse=False, **options):
        blocks = blocks_of(source)
        known = list(parser.relations)
        interner = Interner(known[::-1] if reverse else known)
        heads, labels = trees_of(blocks, interner)
        names = list(interner.strings)
        self.program = PartProgram(parse_templates(SMALL))
        self.corpus = Corpus(blocks, self.program.encoder, False, heads, labels)
        numbers = [names.index(name) for name in known]
        self.labels = {"relations": names} | {
            side: [numbers[label] for label in parser.settings[side]] for side in ("root_labels", "word_labels")
        }
        advised = array("i", bytes(4 * (len(heads) + 1)))
        base = parser.scorer, numbers
        self.learner = PartLearner(self.program, self.corpus, advised, self.labels, OPTIONS | options, base)
        self.settings = parser.settings | self.labels

    def learn(self, rounds):
        for number in range(1, rounds + 1):
            order = array("q", range(self.corpus.n_sentences))
            random.Random(number).shuffle(order)
            self.learner.start_round(number, order, True)
            self.learner.learn(0, self.corpus.n_sentences)
        return self

    def parser(self):
        return ExactParser(self.settings, *self.learner.frozen(1e-3), {})


def scores(parser, source):
    """Return the scores of all arcs and of some grandparents, sentence by sentence."""
    decoder = Decoder(parser.scorer, True)
    for block in blocks_of(source):
        for number in range(block.n_sentences):
            decoder.load(block, number)
            n = decoder.n
            yield list(decoder.arc_scores()) + [
                decoder.part_score(0, head, child) for head in range(1, n + 1) for child in range(1, n + 1)
            ]


def accuracy(parser, source):
    pairs = [
        (found, gold)
        for sentence in treewright.read(source)
        for found, gold in zip(parser.parse(sentence).words, sentence.words, strict=True)
    ]
    return sum((a.head, a.deprel) == (b.head, b.deprel) for a, b in pairs) / len(pairs)


@pytest.mark.parametrize("reverse", [False, True])
def test_without_a_round_all_scores_stay(parser, reverse):
    """Also those of features that the new treebank lacks, and with relations in another order."""
    begun = GoingOn(parser, TEST, reverse).parser()
    for before, after in zip(scores(parser, SOME), scores(begun, SOME), strict=True):
        assert after == pytest.approx(before, abs=1e-3)
    for sentence in list(treewright.read(SOME))[:40]:
        before, after = parser.parse(sentence), begun.parse(sentence)
        assert [(w.head, w.deprel) for w in before.words] == [(w.head, w.deprel) for w in after.words]


def test_a_round_with_steps_of_length_0_keeps_the_weights(parser):
    """Averages begin with the old weights, not with 0."""
    same = GoingOn(parser, SOME, rate=0.0).learn(1).parser()
    for before, after in zip(scores(parser, TEST), scores(same, TEST), strict=True):
        assert after == pytest.approx(before, abs=1e-3)


@pytest.mark.parametrize("learner", ["sgd", "mira"])
def test_more_rounds_on_the_same_trees_are_no_worse(parser, learner):
    assert accuracy(GoingOn(parser, SOME, learner=learner).learn(2).parser(), SOME) >= accuracy(parser, SOME)


def test_what_the_new_treebank_shows_is_learnt_and_the_old_one_not_forgotten(parser):
    after = GoingOn(parser, TEST).learn(3).parser()
    assert accuracy(after, TEST) > accuracy(parser, TEST)
    assert accuracy(after, SOME) > accuracy(parser, SOME) - 0.02


def test_bounds_hold_for_all_parts(parser):
    """The search is exact only if no part scores above its bounds; also those of features seen long ago."""
    after = GoingOn(parser, TEST).learn(2).parser()
    decoder = Decoder(after.scorer, True)
    checked = 0
    for block in blocks_of(SOME):
        for number in range(0, block.n_sentences, 20):
            decoder.load(block, number)
            words = range(1, decoder.n + 1)
            for g, h, c in ((g, h, c) for g in (0, *words) for h in words for c in words if len({g, h, c}) == 3):
                score = decoder.part_score(g, h, c)
                assert score <= min(decoder.bounds(g, h, c)) + 1e-4
                checked += score > 0
    assert checked > 100


def test_likely_arcs_can_be_added_afterwards(parser):
    going = GoingOn(parser, TEST).learn(1)
    features = going.learner.n_features
    going.learner.extend(1)
    assert going.learner.n_features > features
    for before, after in zip(scores(parser, SOME), scores(going.parser(), SOME), strict=True):
        assert after == pytest.approx(before, abs=1e-3)


def test_other_templates_and_unknown_relations_are_rejected(parser):
    going = GoingOn(parser, TEST)
    advised = array("i", bytes(4 * (going.corpus.n_words + 1)))
    n = len(parser.relations)
    for numbers in ([0], [n] * n):
        with pytest.raises(ValueError, match="the number of a known relation"):
            PartLearner(going.program, going.corpus, advised, going.labels, OPTIONS, (parser.scorer, numbers))
    other = PartProgram(parse_templates(SMALL).without("grandparent"))
    with pytest.raises(ValueError, match="other templates"):
        PartLearner(other, going.corpus, advised, going.labels, OPTIONS, (parser.scorer, range(n)))


@pytest.mark.parametrize("count", [0, 1, 20, 150, 2000])
@pytest.mark.parametrize("old_count", [1, 40, 90])
def test_an_extended_table_finds_old_and_new_keys(old_count, count):
    numbers = random.Random(old_count + count)
    old, new = ([numbers.getrandbits(64) for _ in range(n)] for n in (old_count, count))
    new += old[: old_count // 2]
    base, old_slots = lay_out(array("Q", old))
    for _ in range(2):  # the second time from a table with fillers
        tags, slots, factor = extended(base, array("Q", new))
        where = {key: (slot + 1) * factor - 1 for key, slot in zip(old, old_slots, strict=True)}
        where |= {key: slot for key, slot in zip(new, slots, strict=True) if key not in where}
        assert len(set(where.values())) == len(where)
        assert all(found(tags, key) == slot for key, slot in where.items())
        assert sum(tag & 1 for tag in tags) == len(where)
        WeightTable(tags, array("f", bytes(4 * len(tags))))  # which checks that there is room left
        assert [slot for key, slot in zip(new, slots, strict=True) if key in set(old)] == [
            where[key] for key in new if key in set(old)
        ]
        base, old, old_slots = tags, list(where), array("q", where.values())
        new = [numbers.getrandbits(64) for _ in range(count)]


def found(tags, key):
    """Return the slot of a key, by the rule that tables are searched with."""
    size = len(tags)
    at = key >> (64 - (size.bit_length() - 1))
    while tags[at] != key & 0xFFFFFFFF | 1:
        assert tags[at] != 0
        at = (at + 1) % size
    return at
