"""The kernel's own sigmoid, tanh, exp and log, over a sweep."""

from __future__ import annotations

import numpy as np
import pytest
from treewright.kinds.network.kernel.paths import current, evaluate, paths, use_path

from tests.kinds.network.kernel.reference import sigmoid
from treewright.errors import TreewrightError

SWEEP = np.concatenate([np.linspace(-30, 30, 120_001), np.linspace(-1e-3, 1e-3, 2001), [-1e30, 1e30, 0.0]])


def computed(function, x):
    return np.asarray(evaluate(function, x.astype(np.float32)), dtype=np.float64)


def test_sigmoid_and_tanh_are_close_everywhere(path):
    x = SWEEP.astype(np.float32).astype(np.float64)
    with np.errstate(over="ignore"):
        assert np.abs(computed("sigmoid", x) - sigmoid(x)).max() < 1e-6
    assert np.abs(computed("tanh", x) - np.tanh(x)).max() < 1e-6


def test_sigmoid_and_tanh_stay_in_their_range(path):
    assert np.abs(computed("tanh", SWEEP)).max() <= 1
    assert computed("sigmoid", SWEEP).min() >= 0
    assert computed("sigmoid", SWEEP).max() <= 1


def test_tanh_is_odd_and_rises(path):
    assert (computed("tanh", SWEEP) == -computed("tanh", -SWEEP)).all()
    assert np.diff(computed("tanh", np.linspace(-10, 10, 5001))).min() > -1e-6


def test_exp_has_six_right_digits(path):
    x = np.linspace(-86.9, 87.9, 100_001).astype(np.float32).astype(np.float64)
    assert np.abs(computed("exp", x) / np.exp(x) - 1).max() < 1e-6
    assert computed("exp", np.array([0.0]))[0] == 1


def test_exp_is_clipped_at_both_ends(path):
    low, high = computed("exp", np.array([-1e9, 1e9]))
    assert low == pytest.approx(np.exp(-87), rel=1e-6)
    assert high == pytest.approx(np.exp(88), rel=1e-6)


def test_log_has_six_right_digits(path):
    x = np.exp(np.linspace(-80, 80, 100_001)).astype(np.float32).astype(np.float64)
    assert np.abs(computed("log", x) - np.log(x)).max() < 2e-5
    near = np.linspace(0.5, 64, 100_001).astype(np.float32).astype(np.float64)
    assert np.abs(computed("log", near) - np.log(near)).max() < 1e-6
    assert computed("log", np.array([1.0]))[0] == 0


@pytest.mark.parametrize("function", ["sigmoid", "tanh", "exp", "log"])
def test_all_paths_give_the_same_bits(function, path):
    x = np.abs(SWEEP) + 1e-3 if function == "log" else SWEEP
    bits = evaluate(function, x.astype(np.float32)).tobytes()
    use_path("portable")
    assert bits == evaluate(function, x.astype(np.float32)).tobytes()


def test_the_fastest_path_is_taken():
    assert paths()[0] == "portable"
    assert current() == paths()[-1]


def test_an_unknown_path_is_rejected():
    with pytest.raises(TreewrightError, match=r"no path 'abacus'.*portable"):
        use_path("abacus")
