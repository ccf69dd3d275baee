"""Systems in every variant, random trees, and small sentences, for the tests of the core."""

from __future__ import annotations

import random

from treewright.systems.system import Parse, System
from treewright.treebank.blocks.block import Block, Layout

from treewright.oracles.exhaustive import planes_of
from treewright.systems import make_system, variants

CONLLU = Layout(
    "conllu",
    ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"],
)
VARIANTS = [(name, root, single_root) for name, root in variants() for single_root in (True, False)]
SYSTEMS = [make_system(name, root=root, single_root=single_root) for name, root, single_root in VARIANTS]
DYNAMIC = [system for system in SYSTEMS if "dynamic" in system.oracles]
#: oracles that name all right moves
NONDETERMINISTIC = [system for system in SYSTEMS if "nondeterministic" in system.oracles]
STATIC = [system for system in SYSTEMS if "static" in system.oracles]


def random_projective_tree(rng: random.Random, n: int, single_root: bool = True) -> list[int]:
    """Return the heads of a random projective tree over n words."""
    heads = [0] * n

    def attach(first: int, end: int, head: int) -> None:
        """Cut the words first .. end into subtrees, each below the head."""
        while first < end:
            cut = rng.randint(first + 1, end)
            top = rng.randrange(first, cut)
            heads[top - 1] = head
            attach(first, top, top)
            attach(top + 1, cut, top)
            first = cut

    if single_root and n:
        top = rng.randint(1, n)
        attach(1, top, top)
        attach(top + 1, n + 1, top)
    else:
        attach(1, n + 1, 0)
    return heads


def random_tree(rng: random.Random, n: int, single_root: bool = True) -> list[int]:
    """Return the heads of a random tree over n words, arcs crossing as they may."""
    heads = [0] * n
    order = rng.sample(range(1, n + 1), n)
    for done, word in enumerate(order):
        above = order[:done] if single_root else [0, *order[:done]]
        heads[word - 1] = rng.choice(above) if above else 0
    return heads


def random_tree_for(system: System, rng: random.Random, n: int) -> list[int]:
    """Return the heads of a random tree that the system can build."""
    draw = random_projective_tree if system.projective else random_tree
    for _ in range(20):
        heads = draw(rng, n, system.single_root)
        if not system.planes or planes_of(heads) <= system.planes:
            return heads
    return random_projective_tree(rng, n, system.single_root)  # crossing arcs are too many in long random trees


def look_at(parse: Parse, move: str) -> int | None:
    """Turn to the place of a move, where the system has places; return the word left of it, 0 for the root."""
    arc = parse.arc(move)
    return min(arc) if parse.system.has_places and arc else None


def block_of(*sentences: list[tuple[str, ...]], layout: Layout = CONLLU) -> Block:
    """Return a block of sentences; words are tuples of FORM, LEMMA, UPOS, … as far as they go."""
    lines = []
    for sentence in sentences:
        for number, word in enumerate(sentence, 1):
            columns = [str(number), *word]
            lines.append("\t".join(columns + ["_"] * (len(layout.columns) - len(columns))))
        lines.append("")
    return Block("".join(f"{line}\n" for line in lines).encode(), layout)


def name_of(system: System) -> str:
    return f"{system.name}-{system.root}-{'single' if system.single_root else 'many'}"
