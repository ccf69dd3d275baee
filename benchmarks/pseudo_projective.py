"""How much of a treebank is not projective, and how much of it lifting and undoing gives back.

    python benchmarks/pseudo_projective.py treebanks/el_gdt/el_gdt-ud-train.conllu …

Prints a Markdown table. UAS and LAS compare the trees after lifting and undoing with those of the
file: a ceiling for a projective parser with that scheme. In brackets stands the number of labels
that the parser has to tell apart.
"""

from __future__ import annotations

import argparse
from array import array
from pathlib import Path

from treewright.treebank.blocks.block import Block, Layout
from treewright.treebank.blocks.interner import Interner
from treewright.treebank.lifting.deprojectivizer import Deprojectivizer
from treewright.treebank.lifting.lifting import projectivize
from treewright.treebank.lifting.projectivity import count_nonprojective

from treewright.treebank.lifting.lifted_labels import SCHEMES

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
CONLLU = Layout("conllu", COLUMNS)


def read_trees(path: Path) -> tuple[array[int], array[int], array[int], Interner]:
    block = Block(path.read_bytes(), CONLLU, str(path))
    heads = array("i", [block.head_of(word) for word in range(block.n_words)])
    relations = Interner()
    labels = array("i", bytes(4 * block.n_words))
    relations.column(block, CONLLU.deprel, labels)
    ends = [block.words_of(sentence).stop for sentence in range(block.n_sentences)]
    return heads, labels, array("i", [0, *ends]), relations


def measure(path: Path) -> str:
    heads, labels, offsets, relations = read_trees(path)
    gold = relations.strings[:]
    sentences, arcs = count_nonprojective(heads, offsets)
    cells = [
        path.name.split("-")[0],
        f"{len(offsets) - 1:,}",
        f"{100 * sentences / (len(offsets) - 1):.1f} %",
        f"{100 * arcs / len(heads):.2f} %",
    ]
    for scheme in SCHEMES:
        relations = Interner(gold)
        new_heads, new_labels = array("i", heads), array("i", labels)
        projectivize(new_heads, new_labels, offsets, relations, scheme)
        undoer = Deprojectivizer(relations.strings, scheme)
        n_labels = len(relations.strings)
        undoer.undo_all(new_heads, new_labels, offsets)
        right = [a == b for a, b in zip(heads, new_heads, strict=True)]
        relation = [gold[a] == undoer.decoded_relations[b] for a, b in zip(labels, new_labels, strict=True)]
        uas = 100 * sum(right) / len(heads)
        las = 100 * sum(a and b for a, b in zip(right, relation, strict=True)) / len(heads)
        cells.append(f"{uas:.2f} / {las:.2f} ({n_labels})")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+", type=Path)
    options = arguments.parse_args()
    columns = ["treebank", "sentences", "non-projective", "arcs", *SCHEMES]
    print(f"| {' | '.join(columns)} |")
    print("|---" * len(columns) + "|")
    for path in options.files:
        print(measure(path))


if __name__ == "__main__":
    main()
