"""All trees of a few words, one after the other: the truth that decoders are compared with."""

from itertools import product

import numpy as np
import pytest


def is_tree(heads):
    for word in range(1, len(heads)):
        at, steps = word, 0
        while at and steps <= len(heads):
            at, steps = heads[at], steps + 1
        if at:
            return False
    return True


def is_projective(heads):
    arcs = [(min(h, m), max(h, m)) for m, h in enumerate(heads) if m]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def all_trees(n, single_root=False):
    """Yield heads, heads[0] being 0."""
    for choice in product(range(n + 1), repeat=n):
        heads = (0, *choice)
        if any(heads[m] == m for m in range(1, n + 1)) or (single_root and choice.count(0) != 1):
            continue
        if is_tree(heads):
            yield heads


def sibling_parts(heads):
    """Yield ⟨head, sibling, child⟩ for every arc, read off the lists of children; the head stands for no sibling."""
    for head in range(len(heads)):
        children = [m for m in range(1, len(heads)) if heads[m] == head]
        for side in ([m for m in children if m > head], [m for m in reversed(children) if m < head]):
            for before, child in zip([head, *side], side, strict=False):
                yield head, before, child


def score(heads, arcs, parts=None, siblings=None):
    total = sum(arcs[heads[m], m] for m in range(1, len(heads)))
    if parts is not None:
        total += sum(parts[heads[heads[m]], heads[m], m] for m in range(1, len(heads)) if heads[m])
    if siblings is not None:
        total += sum(siblings[part] for part in sibling_parts(heads))
    return total


def random_scores(n, seed, weight=1.0):
    rng = np.random.default_rng(seed)
    return rng.normal(0, 2, (n + 1, n + 1)), weight * rng.normal(0, 1, (n + 1, n + 1, n + 1))


def random_siblings(n, seed, weight=1.0):
    return weight * np.random.default_rng(seed + 1000).normal(0, 1, (n + 1, n + 1, n + 1))


def check_certificates(certificates, expected):
    """Certificates never promise more than the best tree has; those of integral solutions are exact."""
    for certificate in certificates:
        if certificate.integral:
            assert certificate.score == pytest.approx(expected, abs=1e-6)
        assert certificate.score <= expected + 1e-6
        assert certificate.gap >= expected - certificate.score - 1e-6
