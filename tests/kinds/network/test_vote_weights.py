"""The weights of votes: the best on dev, and none where a small dev set shows that they would not hold elsewhere."""

from __future__ import annotations

from itertools import product

from treewright.kinds.network.vote_weights import FEW_WORDS, WEIGHTS, fitted_weights


def right_in(*wanted: float):
    """Words right in each part: the more the closer the first weight is to what the part wants."""

    def right(weights: tuple[float, ...]) -> list[int]:
        return [100 - round(10 * abs(weights[0] - best)) for best in wanted]

    return right


def test_the_best_weights_are_found() -> None:
    def right(weights: tuple[float, ...]) -> list[int]:
        first, second = weights
        return [1000 - round(100 * (first - 1.5) ** 2) - round(100 * (second - 3.0) ** 2)] * 4

    best = max(product(WEIGHTS, repeat=2), key=lambda weights: sum(right(weights)))
    assert best == (1.5, 3.0)
    for words in (10, FEW_WORDS):
        assert fitted_weights(right, 2, words) == best


def test_votes_that_do_not_hold_elsewhere_do_not_count() -> None:
    """Three parts gain a little by chance, each with the fourth as the loser: what is fitted on the others loses."""

    def right(weights: tuple[float, ...]) -> list[int]:
        liked = {0.5: 0, 1.0: 1, 2.0: 2, 4.0: 3}.get(weights[0])
        return [100 + (12 if part == liked else -3 if weights[0] else 0) for part in range(4)]

    assert fitted_weights(right, 1, FEW_WORDS) != (0.0,)
    assert fitted_weights(right, 1, FEW_WORDS - 1) == (0.0,)


def test_votes_that_hold_in_all_parts_count_with_a_small_dev_set() -> None:
    assert fitted_weights(right_in(1.5, 1.5, 2.0, 1.5), 1, 100) == (1.5,)


def test_no_weights_are_tried_twice() -> None:
    tried: list[tuple[float, ...]] = []

    def right(weights: tuple[float, ...]) -> list[int]:
        tried.append(weights)
        return right_in(1.0, 2.0, 1.0, 0.5)(weights)

    fitted_weights(right, 2, 100)
    assert len(tried) == len(set(tried))
