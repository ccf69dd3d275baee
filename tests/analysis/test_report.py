"""What an analysis holds and shows unless something else is wanted."""

from __future__ import annotations

from pathlib import Path

import pytest
from treewright.evaluation.comparison import Names
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.analysis.made import conllu
from treewright.analysis.breakdowns import Breakdown, Properties
from treewright.analysis.inputs import pieces
from treewright.errors import TreebankError, TreewrightError
from treewright.evaluation import compare_systems
from treewright.evaluation.attachment import Convention
from treewright.notebook import frame
from treewright.treebank.formats.conllu import CONLLU

GOLD = conllu([([0, 1], ["root", "obj"], ["VERB", "NOUN"])] * 6)
OTHER = GOLD.replace(b"\tobj\t", b"\tobl\t", 2)


def many_relations(n: int) -> bytes:
    """Return a sentence in which every word has a relation of its own."""
    return conllu([([0, *range(1, n)], [f"r{k:02}" for k in range(n)], ["X"] * n)])


def test_text_shows_fifteen_relations_and_a_page_twenty_five():
    text = many_relations(40)
    found = tw.analyze(text, text, by=["deprel"])
    assert found.to_text().count("\nr") == 15
    assert "\n… and 25 more\n" in found.to_text()
    assert found.to_html().count('<td class="t">r') == 25
    assert "… and 15 more" in found.to_html()
    assert str(found) == found.to_text() == found.to_text(15)
    assert found.to_text(1).count("\nr") == 1


def test_a_notebook_shows_the_page_in_a_frame():
    found = tw.analyze(GOLD, OTHER, by=["upos"])
    assert found._repr_html_() == frame(found.to_html())


def test_one_parse_is_compared_with_nothing():
    found = tw.analyze(GOLD, OTHER)
    assert found.difference is None
    assert (found.compared, found.histories, found.moves) == (False, [], [None])


def test_files_are_named(tmp_path: Path):
    path = tmp_path / "parse.conllu"
    path.write_bytes(OTHER)
    assert tw.analyze(path, OTHER).gold == str(path)
    found = tw.analyze(GOLD, path, str(path))
    assert (found.gold, found.parses) == ("", [str(path)] * 2)


@pytest.mark.parametrize("seed", [1, 2, 7])
def test_the_seed_is_that_of_the_bootstrap(seed: int):
    found = tw.analyze(GOLD, OTHER, GOLD, seed=seed, by=[])
    assert found.difference == compare_systems(GOLD, GOLD, OTHER, resamples=2000, seed=seed).bootstrap
    assert found.difference.seed == seed


# What is refused


def test_unknown_metrics_are_told():
    with pytest.raises(TreewrightError) as found:
        tw.analyze(GOLD, GOLD, metric="lass")
    assert str(found.value) == "unknown metric 'lass'. Did you mean 'las'? Choose from las, uas"


def test_the_first_unknown_breakdown_is_told():
    with pytest.raises(TreewrightError) as found:
        tw.analyze(GOLD, GOLD, by=["upos", "lenght", "depht"])
    assert str(found.value) == (
        "unknown breakdown 'lenght'. Did you mean 'length'?"
        " Choose from deprel, upos, length, distance, projectivity, depth"
    )


def test_a_treebank_without_sentences_is_told(tmp_path: Path):
    path = tmp_path / "empty.conllu"
    path.write_bytes(b"")
    with pytest.raises(TreebankError) as found:
        tw.analyze(path, path)
    assert str(found.value) == f"{path}: no sentences in it. Give a treebank with trees"


# Memory


def test_counts_take_as_much_room_however_many_pieces_there_are():
    names = Names(False)
    table = Breakdown("length", names, Convention("las", "all", "full"))
    blocks = [Block(GOLD, CONLLU, "text") for _ in range(5)]
    for piece in pieces(blocks, [OTHER * 5], names):
        table.add(piece, Properties(piece))
    assert len(table._totals) == 8 * 7  # eight lengths with seven counts
    (row,) = table.rows(False)
    assert (row.name, row.words, row.first_right) == ("1-5", 5 * 12, 5 * 10)
