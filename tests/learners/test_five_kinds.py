"""Five kinds of move in four weights: only differences count."""

from random import Random

import pytest

from treewright.learners.frozen import freeze
from treewright.learners.perceptron import Perceptron
from treewright.learners.table import LinearTable


def learnt(seed):
    """Return a perceptron after random updates, and the same weights kept plainly: {key: five weights}."""
    random = Random(seed)
    learner = Perceptron(5, 2)
    plain = {key << 40 | key * 2 + 1: [0.0] * 5 for key in range(1, 30)}
    for _ in range(60):
        keys = random.sample(list(plain), 5)
        good, bad = random.sample(range(5), 2)
        learner.update_keys(keys, [0, 0, 5], (good, -1), (bad, -1))
        for key in keys:
            plain[key][good] += 1
            plain[key][bad] -= 1
    return learner, plain


@pytest.mark.parametrize("seed", range(5))
def test_differences_between_kinds_are_those_of_five_weights(seed):
    learner, plain = learnt(seed)
    for keys in (list(plain)[:7], list(plain)[5:20]):
        others, _ = learner.score_keys(keys, [0, 0, len(keys)])
        sums = [sum(plain[key][kind] for key in keys) for kind in range(5)]
        assert others == pytest.approx([score - sums[0] for score in sums[1:]])


def test_the_table_has_the_same_differences():
    learner, plain = learnt(1)
    frozen = freeze(learner)
    table = LinearTable(frozen)
    for key in plain:
        found, _ = table.score_keys([key], [0, 0, 1])
        averaged = learner.weights_of(key, averaged=True)[0]
        assert [score / frozen.scale for score in found] == pytest.approx(averaged, abs=0.51 / frozen.scale)


def test_six_kinds_are_refused():
    with pytest.raises(ValueError, match="one to five kinds"):
        Perceptron(6, 0)
