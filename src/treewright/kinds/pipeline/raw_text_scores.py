"""What a pipeline gets right from raw text: the text of a gold treebank is parsed, words are aligned by characters."""

from __future__ import annotations

import io
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from treewright.errors import CombinationError
from treewright.evaluation.report import Evaluation, evaluate, official_scores
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.steps.call import PLAIN, TEXT, TREES
from treewright.steps.text import GivenText, split
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.source import InputStream

if TYPE_CHECKING:
    from treewright.steps.step import Step
    from treewright.training.gathering import Gathered

TOKEN_SCORES = ("Tokens", "Sentences", "Words")
#: official scores by the column that they are about; that of an empty column says nothing
COLUMN_OF = {"UPOS": "UPOS", "XPOS": "XPOS", "UFeats": "FEATS", "Lemmas": "LEMMA"}
TREE_SCORES = ("UAS", "LAS")
GRAPH_SCORES = ("EULAS", "ELAS")


def evaluate_raw_text(gold: Sequence[Block], parser: Step, *, multiple_roots: bool = False) -> Evaluation:
    """Parse the raw text of a gold treebank and score the trees."""
    for capability in (TEXT, TREES):
        if capability not in parser.capabilities:
            raise CombinationError(parser.lacks[capability])
    return evaluate(gold, list(_parsed(parser, gold)), multiple_roots=multiple_roots)


def raw_text_scores(pipeline: Step, gold: Gathered, advanced: Callable[[int], None] | None = None) -> dict[str, float]:
    """Return the F1 scores of CoNLL 2018 from raw text, in per cent; a parser of graphs has none for trees.

    ``advanced`` hears how many of the gold sentences have been parsed.
    """
    parsed: Iterable[Block] = _parsed(pipeline, gold.blocks, advanced)
    wanted: Iterable[Block] = gold.blocks
    names = [*TOKEN_SCORES, *(name for name, column in COLUMN_OF.items() if gold.filled([column]))]
    if TREES in pipeline.capabilities:
        names += TREE_SCORES
        if "DEPS" in pipeline.gives and gold.filled(["DEPS"]):
            names += GRAPH_SCORES
    else:
        parsed, wanted = map(_with_flat_trees, parsed), map(_with_flat_trees, wanted)
    scores = official_scores(wanted, parsed, multiple_roots=True)
    return {name: round(scores[name].f1, 2) for name in names}


def _parsed(pipeline: Step, gold: Sequence[Block], advanced: Callable[[int], None] | None = None) -> Iterator[Block]:
    left = sum(block.n_sentences for block in gold)  # more or fewer sentences may be found
    text = InputStream(io.BytesIO(raw_text(gold).encode()), "the parse of the raw text")
    for block in pipeline.parse_blocks(split(pipeline, GivenText(text), PLAIN)):
        yield block
        if advanced is not None:
            advanced(min(left, block.n_sentences))
            left -= min(left, block.n_sentences)
    if advanced is not None:
        advanced(left)


def _with_flat_trees(block: Block) -> Block:
    """Return a block whose words hang below the first of their sentence, for scores that are not about trees."""
    heads = array("i")
    for sentence in range(block.n_sentences):
        heads.extend([0] + [1] * (len(block.words_of(sentence)) - 1))
    text = block.with_tree(heads, array("i", bytes(4 * block.n_words)), [b"dep"])
    return Block(text, block.layout, block.source, block.first_line)
