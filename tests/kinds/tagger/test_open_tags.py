"""The best of many tags is the one that adding up the components of all of them finds."""

from __future__ import annotations

import random
from array import array

import pytest
from treewright.kinds.tagger.open_tags import OpenTags, starts_of
from treewright.kinds.tagger.tags import TagSet, components_of

NOTHING = array("f", [-1e30])[0]


def random_tags(rng: random.Random, n: int) -> list[tuple[str, str, str]]:
    """Tags that share parts of speech and features, as those of treebanks do."""
    made = []
    for _ in range(n):
        feats = [f"{name}={rng.choice('ab')}" for name in "CGN" if rng.random() < 0.6]
        made.append((rng.choice("XYZ"), rng.choice("xyz"), "|".join(feats) or "_"))
    return list(dict.fromkeys(made))


@pytest.mark.parametrize("seed", range(40))
def test_as_adding_up_all_of_them(seed: int) -> None:
    rng = random.Random(seed)
    tags = TagSet(random_tags(rng, rng.choice((1, 3, 60))))
    numbers = rng.sample(range(len(tags)), rng.randint(1, len(tags)))
    tried = OpenTags(tags, array("i", numbers))
    assert tried.fits
    varying = [len({tag[column] for tag in tags.tags}) > 1 for column in range(3)]
    for _ in range(20):
        scores = array("f", (rng.randint(-3, 3) for _ in range(tags.n_components)))  # with many ties

        def total(number: int, scores: array[float] = scores) -> float:
            parts = components_of(tags.tags[number])
            used = [part for place, part in enumerate(parts) if place > 2 or varying[place]] or parts[:1]
            return sum(scores[tags.components.index(part)] for part in used)

        for left_out in (-1, rng.choice(numbers), rng.randrange(len(tags))):
            totals = {number: total(number) for number in numbers if number != left_out}
            ranked = [*sorted(totals.values(), reverse=True), NOTHING, NOTHING]
            first = next((number for number in totals if totals[number] == ranked[0]), -1)
            assert tried.best(scores, left_out) == (first, ranked[0], ranked[1])


def test_too_many_are_left_to_others() -> None:
    tags = TagSet([("X", f"x{number}", "_") for number in range(1100)])
    tried = OpenTags(tags, array("i", range(1100)))
    assert not tried.fits
    with pytest.raises(ValueError, match="too many"):
        tried.best(array("f", bytes(4 * tags.n_components)))


def test_where_lists_begin() -> None:
    assert list(starts_of([[1, 2], [], [3]])) == [0, 2, 2, 3]
