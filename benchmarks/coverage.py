"""Which share of the trees of treebanks each class of trees covers, by the systems that build it.

    python benchmarks/coverage.py TREEBANKS hu_szeged it_partut …

TREEBANKS holds a folder for each treebank; its training set counts.
"""

from __future__ import annotations

from treebank_arguments import parser_for

import treewright as tw
from treewright.oracles.exhaustive import is_projective, planes_of

SYSTEMS = {
    "projective": "all others",
    "planar": "planar",
    "2-planar": "2-planar",
    "any": "covington, swap, swap-hybrid",
}


def main() -> None:
    options = parser_for(__doc__).parse_args()
    shares = [coverage(next((options.treebanks / name).glob("*train*.conllu"))) for name in options.names]
    print(f"| trees | systems | {' | '.join(options.names)} |\n|---|---|{'--:|' * len(shares)}")
    for kind, systems in SYSTEMS.items():
        cells = (f"{100 * share[kind]:.2f} %" for share in shares)
        print(f"| {kind} | {systems} | {' | '.join(cells)} |")


def coverage(treebank: object) -> dict[str, float]:
    """Return the share of sentences that each class of trees covers."""
    found = dict.fromkeys(SYSTEMS, 0)
    sentences = 0
    for sentence in tw.read(str(treebank)):
        heads = [token.head or 0 for token in sentence.words]
        sentences += 1
        projective = is_projective(heads)
        planes = 1 if projective else planes_of(heads)
        found["projective"] += projective
        found["planar"] += planes == 1
        found["2-planar"] += planes <= 2
        found["any"] += 1
    return {kind: count / sentences for kind, count in found.items()}


if __name__ == "__main__":
    main()
