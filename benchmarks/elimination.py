"""Backward elimination: take templates out of a large model, without training again for each of them.

The same template gives the same keys in every model. So a trained parser parses without one of its templates just by
not asking it, with the weights that it has. What dev loses by that says what the template is worth next to the others.
That takes milliseconds where a training takes seconds. After some templates are taken out, the model is trained again.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from treewright.features.extractor import Extractor
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.learning.corpus import trees_of
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.interner import Interner

from treewright.apps.tuning.bench import Bench
from treewright.apps.tuning.candidates import Change, removals
from treewright.apps.tuning.cost import nanoseconds
from treewright.features.templates import FeatureModel
from treewright.kinds.transition.parser import TransitionParser
from treewright.options.option import OptionValue


class Ablation:
    """A trained parser that can parse dev without some of its templates."""

    def __init__(self, parser: TransitionParser, blocks: Sequence[Block]) -> None:
        self.parser, self.blocks = parser, blocks
        self.gold = trees_of(blocks, Interner(parser.lifting.decoded_relations))

    def las(self, model: FeatureModel) -> float:
        """Return the score with a feature model that has a part of the parser's templates."""
        parser = self.parser
        extractor = Extractor(model, parser.extractor.relations, parser.extractor.leaf_tags, parser.extractor.clusters)
        engine = GreedyParser(
            parser.system, extractor, parser.moves, parser.scorer, parser.settings["split"], parser.lifting
        )
        right = start = 0
        scratch = engine.new_scratch()
        for block in self.blocks:
            heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
            engine.parse_block(block, heads, labels, scratch)
            end = start + block.n_words
            both = zip(heads, labels, self.gold[0][start:end], self.gold[1][start:end], strict=True)
            right += sum(head == gold_head and label == gold_label for head, label, gold_head, gold_label in both)
            start = end
        return 100 * right / max(1, start)


@dataclass(frozen=True)
class Stage:
    """A model that was trained on the way down."""

    model: FeatureModel
    las: float  # the mean over treebanks
    nanoseconds: float


def eliminate(
    model: FeatureModel, benches: Sequence[Bench], options: Mapping[str, OptionValue], share: float, least: int
) -> Iterator[Stage]:
    """Yield smaller and smaller models, each trained; a stage takes out a share of what is left.

    Templates that help with moves and relations can lose one of the two. What is taken out first loses the least
    accuracy for the time that it costs.
    """
    feats = sum(bench.feats_per_word for bench in benches) / len(benches)
    while True:
        ablations = []
        for bench in benches:
            parser = bench.parser({**options, "features": str(model)})
            assert isinstance(parser, TransitionParser)
            ablations.append(Ablation(parser, bench.dev.blocks))
        full = _mean(ablations, model)
        yield Stage(model, full, nanoseconds(model, feats))
        if len(model.templates) <= least:
            return
        goal = nanoseconds(model, feats)
        goal -= share * (goal - nanoseconds(FeatureModel("none", model.templates[:1], model.decision), feats))
        ranked: list[tuple[float, Change]] = []
        for change in removals(model):
            smaller = change.applied(model)
            saved = nanoseconds(model, feats) - nanoseconds(smaller, feats)
            ranked.append(((full - _mean(ablations, smaller)) / max(saved, 0.1), change))
        for _, change in sorted(ranked, key=lambda pair: pair[0]):
            if nanoseconds(model, feats) <= goal:
                break
            if change.is_possible(model) and _still_there(change, model):
                model = change.applied(model)


def _still_there(change: Change, model: FeatureModel) -> bool:
    """Does the template still have what the change takes out? It may have lost a part in this stage."""
    parts = next((template.parts for template in model.templates if str(template) == change.template), ())
    return len(parts) > len(change.parts)


def _mean(ablations: Sequence[Ablation], model: FeatureModel) -> float:
    return sum(ablation.las(model) for ablation in ablations) / len(ablations)
