"""What a model thinks of a configuration: the scores of its moves, and the features behind them."""

from __future__ import annotations

from treewright.apps.tracing.record import FeatureView
from treewright.apps.tracing.traced_model import TracedModel
from treewright.apps.tracing.window import kind_of
from treewright.features import inspection
from treewright.systems.system import Parse
from treewright.treebank.blocks.block import Block

#: how many keys are for labels, for both, for moves, given one key of a template for these decisions
_COUNTS = {("labels",): (1, 0, 0), ("moves", "labels"): (0, 1, 0), ("moves",): (0, 0, 1)}


#: decimals of a score that count in a comparison
DIGITS = 9


class MoveScores:
    """The scores of one configuration: by kind, and by kind and relation."""

    def __init__(self, kinds: dict[str, float], classes: dict[tuple[str, int], float], split: bool) -> None:
        self.kinds, self.classes, self.split = kinds, classes, split

    def of(self, kind: str, relation: int | None) -> float | None:
        """Return the score of a move; None for a relation that the model does not give such an arc.

        Without a relation it is the score with the best one: a graph may have the move's arc already.
        """
        relation = self.best_relation(kind) if relation is None else relation
        if relation is None:
            return self.kinds[kind]
        score = self.classes.get((kind, relation))
        return None if score is None else self.kinds[kind] + score

    def best_relation(self, kind: str) -> int | None:
        """Return the relation that the model would give the move's arc."""
        scores = {relation: score for (of, relation), score in self.classes.items() if of == kind}
        return max(scores, key=lambda relation: scores[relation]) if scores else None

    def best(self, kinds: list[str]) -> tuple[str, int | None]:
        """Return the model's choice among kinds: with the relation, or before it (split); of equal ones the first.

        The parser adds whole numbers. Scaled ones differ in the last digits where those are equal.
        """
        moves = [(kind, self.best_relation(kind)) for kind in kinds]
        if self.split:
            return max(moves, key=lambda move: self.kinds[move[0]])
        return max(moves, key=lambda move: round(self.of(*move) or 0.0, DIGITS))


class ModelView:
    """A trained parser's view of one sentence."""

    def __init__(self, model: TracedModel, block: Block) -> None:
        self.model, self.block = model, block
        self._allowed = {from_root: model.allowed(from_root) for from_root in (False, True)}

    def scores(self, parse: Parse) -> MoveScores:
        """Return the scores of all legal moves."""
        kinds: dict[str, float] = {}
        classes: dict[tuple[str, int], float] = {}
        scored: tuple[list[float], list[float]] | None = None
        for move in parse.legal():
            arc = parse.arc(move)  # which also puts the move's place into focus, where moves have places
            if scored is None or parse.system.has_places:
                scored = self.model.score(*inspection.extracted(self.model.extractor, parse, self.block, 0))
            number = parse.system.kinds.index(kind_of(move))
            kinds[move] = scored[0][number]
            if arc is None:
                continue
            allowed = self._allowed[arc[0] == 0]
            for place, (kind, label) in enumerate(self.model.classes):
                if kind == number and label in allowed:
                    classes[move, label] = scored[1][place]
        return MoveScores(kinds, classes, self.model.decides_in_two_steps)

    def features(self, parse: Parse, kind: str, relation: int | None) -> list[FeatureView]:
        """Return the features that fired with a weight for a move, the largest weight first."""
        extractor = self.model.extractor
        number = parse.system.kinds.index(kind_of(kind))
        parse.arc(kind)  # its place in focus, where moves have places
        place = None
        if relation is not None and (number, relation) in self.model.classes:
            place = self.model.classes.index((number, relation))
        values = inspection.values(extractor, parse, self.block, 0)
        views = []
        all_keys = inspection.keys(extractor, parse, self.block, 0)
        for template, keys in zip(extractor.model.templates, all_keys, strict=True):
            weight = 0.0
            for key in keys:
                kinds, classes = self.model.score([key], _COUNTS[tuple(template.parts)])
                weight += kinds[number] if "moves" in template.parts else 0
                weight += classes[place] if place is not None and "labels" in template.parts else 0
            if weight:
                value = " & ".join("∅" if values[f] is None else values[f] or "''" for f in template.functions)
                views.append(FeatureView(str(template), value, weight))
        return sorted(views, key=lambda feature: -abs(feature.weight))
