"""No words, one word, five hundred words: every system trains and parses."""

from __future__ import annotations

from pathlib import Path

import pytest
from treewright.treebank.blocks.block import Block

import treewright
from tests.toy import SYSTEMS
from treewright.treebank.formats.conllu import CONLLU


def sentence(n: int) -> str:
    """A sentence of n words; the first of every five is under the first of those before, the others under it."""
    lines = ["# some sentence"]
    for word in range(1, n + 1):
        head = max(0, word - 5) if word % 5 == 1 else word - (word - 1) % 5
        relation, tag = "dep" if head else "root", "V" if word % 5 == 1 else "N"
        lines.append(f"{word}\tw{word % 7}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_")
    return "\n".join(lines) + "\n\n"


@pytest.mark.parametrize(("system", "root"), SYSTEMS)
@pytest.mark.parametrize("single_root", [True, False], ids=["single", "many"])
def test_one_word_and_five_hundred(system: str, root: str, single_root: bool, tmp_path: Path) -> None:
    train = tmp_path / "train.conllu"
    one = "1\tw\t_\tN\t_\t_\t0\troot\t_\t_\n\n"
    train.write_text(one + sentence(500) + sentence(10) + one, encoding="utf-8")
    parser = treewright.train(
        train, train, system=system, root=root, single_root=single_root, features="malt", iterations=1
    )
    block = Block((sentence(0) + sentence(500) + sentence(1) + sentence(2)).encode(), CONLLU, "generated")
    block, heads, _ = parser.parse_block(block)
    assert [len(block.words_of(number)) for number in range(4)] == [0, 500, 1, 2]
    assert heads[500] == 0
    assert list(heads[501:]) in ([0, 1], [2, 0], [0, 0])
    assert heads[:500].count(0) == 1 or not single_root
