"""The tournament of easy-first finds what judging every place after every move finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from treewright.features.inspection import extracted
from treewright.kinds.transition.engines.easy_first import sees_anywhere
from treewright.systems.system import Parse
from treewright.treebank.blocks.block import Block

import treewright
from tests.toy import DEV, TEST
from treewright.features.language import parse_template
from treewright.features.templates import Function
from treewright.steps.parser import Parser
from treewright.treebank.files.reading import read_blocks

#: templates that see moves made anywhere: past moves, and words that have left the list
FAR = """
p(list[0]) & p(list[1])
w(list[0]) & w(list[1])
p(list[0]) & p(list[1]) & l(token[list[0] + 1])
p(list[0]) & p(list[1]) & p(h(token[list[1] - 1]))
p(list[0]) & p(list[1]) & move(0)
"""


def slow_tree(parser: Parser, block: Block, sentence: int) -> tuple[list[int], list[int]]:
    """Parse by scoring all moves again each time; of equal ones the leftmost, then the first."""
    engine, settings = parser.engine, parser.settings
    parse = Parse(engine.system, len(block.words_of(sentence)))
    while not parse.terminal:
        best: tuple[float, str, int] | None = None
        for move in parse.legal():
            arc = parse.arc(move)  # turns to its place
            assert arc is not None
            kinds, classes = engine.scorer.score_keys(*extracted(engine.extractor, parse, block, sentence))
            kind = engine.system.kinds.index(move.split("_")[0])
            allowed = settings["word_labels"] if arc[0] else settings["root_labels"]
            for number, (of_kind, label) in enumerate(engine.moves.classes):
                if of_kind == kind and label in allowed:
                    score = kinds[kind] + classes[number]
                    if best is None or score > best[0]:
                        best = (score, move, label)
        assert best is not None
        parse.apply(best[1], best[2])
    arcs = [parse.arcs[word] for word in range(1, len(parse.arcs) + 1)]
    return [head for head, _ in arcs], [label for _, label in arcs]


@pytest.mark.parametrize("single_root", [True, False], ids=["single", "many"])
@pytest.mark.parametrize("features", ["rich", "goldberg-elhadad", "far"])
def test_the_same_trees_as_judging_all_places_again(features: str, single_root: bool, tmp_path: Path) -> None:
    if features == "far":
        features = str(tmp_path / "far.features")
        Path(features).write_text(FAR, encoding="utf-8")
    parser = treewright.train(
        DEV, system="easy-first", features=features, iterations=1, lifting="none", single_root=single_root
    )
    compared = 0
    for block in read_blocks(TEST):
        block, heads, labels = parser.parse_block(block)
        for sentence in range(0, block.n_sentences, 4):
            words = block.words_of(sentence)
            expected = slow_tree(parser, block, sentence)
            assert (list(heads[words.start : words.stop]), list(labels[words.start : words.stop])) == expected
            compared += 1
    assert compared > 10


@pytest.mark.parametrize(
    ("function", "anywhere"),
    [
        ("p(ld(list[0]))", False),
        ("w(token[list[0] - 1])", False),
        ("distance(token[list[0] - 1], list[1])", False),
        ("l(rd(list[1]))", False),
        ("valency(left, list[1])", False),
        ("move(0)", True),
        ("l(token[list[0] + 1])", True),
        ("p(h(token[list[0] + 1]))", True),
        ("valency(left, token[list[0] + 1])", True),
    ],
)
def test_which_functions_see_moves_made_anywhere(function: str, anywhere: bool) -> None:
    (parsed,) = parse_template(function, "here", 1).functions
    found: Function = parsed
    assert sees_anywhere(found) == anywhere
