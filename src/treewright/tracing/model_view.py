"""What a model thinks of a configuration: the scores of its moves, and the features behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.features import inspection
from treewright.tracing.record import FeatureView
from treewright.tracing.window import kind_of

if TYPE_CHECKING:
    from treewright.parsing.transition import TransitionParser
    from treewright.systems.system import Parse
    from treewright.treebank.block import Block

#: how many keys are for labels, for both, for moves, if there is one key of a template that helps with these
_COUNTS = {("labels",): (1, 0, 0), ("moves", "labels"): (0, 1, 0), ("moves",): (0, 0, 1)}


class Scores:
    """The scores of one configuration: by kind, and by kind and relation."""

    def __init__(self, kinds: dict[str, float], classes: dict[tuple[str, int], float], split: bool) -> None:
        self.kinds, self.classes, self.split = kinds, classes, split

    def of(self, kind: str, relation: int | None) -> float | None:
        """Return the score of a move; None for a relation that the model does not give such an arc."""
        if relation is None:
            return self.kinds[kind]
        score = self.classes.get((kind, relation))
        return None if score is None else self.kinds[kind] + score

    def best_relation(self, kind: str) -> int | None:
        """Return the relation that the model would give the move's arc."""
        scores = {relation: score for (of, relation), score in self.classes.items() if of == kind}
        return max(scores, key=lambda relation: scores[relation]) if scores else None

    def best(self, kinds: list[str]) -> tuple[str, int | None]:
        """Return the model's choice among kinds: together with the relation, or one after the other (split)."""
        moves = [(kind, self.best_relation(kind)) for kind in kinds]
        if self.split:
            return max(moves, key=lambda move: self.kinds[move[0]])
        return max(moves, key=lambda move: self.of(*move) or 0.0)


class ModelView:
    """A trained parser's eyes on one sentence."""

    def __init__(self, parser: TransitionParser, block: Block) -> None:
        self.engine, self.block = parser.engine, block
        self.root_labels = set(parser.settings["root_labels"])
        self.word_labels = set(parser.settings["word_labels"])
        self.unit: float = getattr(self.engine.scorer, "scale", None) or 1.0

    def scores(self, parse: Parse) -> Scores:
        """Return the scores of all legal moves."""
        kinds: dict[str, float] = {}
        classes: dict[tuple[str, int], float] = {}
        scored = None
        for move in parse.legal():
            arc = parse.arc(move)  # which also puts the move's place into focus, where moves have places
            if scored is None or parse.system.has_places:
                keys, counts = inspection.extracted(self.engine.extractor, parse, self.block, 0)
                scored = self.engine.scorer.score_keys(keys, counts)
            number = parse.system.kinds.index(kind_of(move))
            kinds[move] = scored[0][number] / self.unit
            if arc is None:
                continue
            allowed = self.root_labels if arc[0] == 0 else self.word_labels
            for place, (kind, label) in enumerate(self.engine.moves.classes):
                if kind == number and label in allowed:
                    classes[move, label] = scored[1][place] / self.unit
        return Scores(kinds, classes, self.engine.split)

    def features(self, parse: Parse, kind: str, relation: int | None) -> list[FeatureView]:
        """Return the features that fired with a weight for a move, the weightiest first."""
        extractor, scorer = self.engine.extractor, self.engine.scorer
        number = parse.system.kinds.index(kind_of(kind))
        parse.arc(kind)  # its place in focus, where moves have places
        place = None
        if relation is not None and (number, relation) in self.engine.moves.classes:
            place = self.engine.moves.classes.index((number, relation))
        values = inspection.values(extractor, parse, self.block, 0)
        found = []
        all_keys = inspection.keys(extractor, parse, self.block, 0)
        for template, keys in zip(extractor.model.templates, all_keys, strict=True):
            weight = 0.0
            for key in keys:
                kinds, classes = scorer.score_keys([key], _COUNTS[tuple(template.parts)])
                weight += kinds[number] if "moves" in template.parts else 0
                weight += classes[place] if place is not None and "labels" in template.parts else 0
            if weight:
                value = " & ".join("∅" if values[f] is None else values[f] or "''" for f in template.functions)
                found.append(FeatureView(str(template), value, weight / self.unit))
        return sorted(found, key=lambda feature: -abs(feature.weight))
