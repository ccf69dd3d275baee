"""Decoders of the exact parser against all trees: how often they miss the best one, on random scores.

    python benchmarks/decoders.py [--cases 200] [--words 5]

Arcs have normal scores of deviation 2, parts of three words of deviation 0.5, 1 or 2 in turn. A mismatch is a tree that
scores less than the best of all (for ``paper`` and ``brute`` on non-projective trees, an optimum below the best tree,
or a solution called integral that is not the best tree).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from treewright.kinds.exact.parts.part_scores import GivenParts
from treewright.kinds.exact.search.search import TreeSearch

from treewright.kinds.exact.programme.ppc import decode

sys.path.insert(0, str(Path(__file__).parent.parent))

KINDS = ("grandparents", "siblings", "both")
WEIGHTS = (0.5, 1.0, 2.0)
CLOSE = 1e-6


def mismatch(search: TreeSearch, method: str, best: float) -> bool:
    """Return whether a method misses the best tree, or claims more than it has."""
    _, certificate = decode(search, method, exact=method == "bounds")
    if method == "bounds" or search.projective:
        return not certificate.optimal or abs(certificate.score - best) > CLOSE
    claims = certificate.optimal or certificate.integral
    return certificate.objective < best - CLOSE or (claims and abs(certificate.score - best) > CLOSE)


def compare(words: int, cases: int, projective: bool, single_root: bool, kind: str) -> Counter[str]:
    """Return the number of mismatches by method."""
    from tests.kinds.exact.enumeration import all_trees, is_projective, random_scores, random_siblings, score

    trees = [tree for tree in all_trees(words, single_root) if not projective or is_projective(tree)]
    wrong: Counter[str] = Counter()
    for case in range(cases):
        arcs, grandparents = random_scores(words, case, WEIGHTS[case % 3])
        siblings = random_siblings(words, case, WEIGHTS[case % 3])
        parts = (grandparents if kind != "siblings" else None, siblings if kind != "grandparents" else None)
        best = max(score(tree, arcs, *parts) for tree in trees)
        for method in ("bounds", "paper", "brute"):
            search = TreeSearch(
                GivenParts(grandparents) if kind != "siblings" else None,
                GivenParts(siblings, True) if kind != "grandparents" else None,
                projective,
            )
            search.prepare(arcs, single_root)
            wrong[method] += mismatch(search, method, best)
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200, help="random cases of each row (default 200)")
    parser.add_argument("--words", type=int, default=5, help="words of a sentence (default 5)")
    arguments = parser.parse_args()
    print("| trees | single_root | parts | cases | `bounds` | `paper` | `brute` |\n|---|---|---|---|---|---|---|")
    for projective in (False, True):
        for single_root in (False, True):
            for kind in KINDS:
                wrong = compare(arguments.words, arguments.cases, projective, single_root, kind)
                name = "projective" if projective else "all"
                counts = " | ".join(str(wrong[method]) for method in ("bounds", "paper", "brute"))
                print(
                    f"| {name} | {'yes' if single_root else 'no'} | {kind} | {arguments.cases} | {counts} |", flush=True
                )


if __name__ == "__main__":
    main()
