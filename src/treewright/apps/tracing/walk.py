"""One parse under way: moves are chosen and made, and every step is recorded."""

from __future__ import annotations

from dataclasses import replace

from treewright.apps.tracing.legality import illegal_moves
from treewright.apps.tracing.lost_arcs import MOST_WORDS, LostArcs
from treewright.apps.tracing.model_view import ModelView, MoveScores
from treewright.apps.tracing.record import End, FeatureView, MoveView, TraceArc, TraceStep
from treewright.apps.tracing.sentence_input import TracedSentence
from treewright.apps.tracing.traced_model import TracedModel, block_of
from treewright.apps.tracing.window import MoveOption, builds_graphs, window_onto
from treewright.errors import CombinationError
from treewright.systems.system import System

Move = tuple[str, "str | None"]
NumberedMove = tuple[str, "int | None"]
UNNAMED = "_"  # the relation of an arc that nobody named


class TracedWalk:
    """A window, a model if there is one, and the steps so far."""

    def __init__(
        self, system: System, model: TracedModel | None, given: TracedSentence, planned: list[Move], n_features: int
    ) -> None:
        self.model, self.given, self.planned, self.n_features = model, given, planned, n_features
        known = model.relations if model else []
        gold = [arc.relation or UNNAMED for arc in given.gold or ()]
        self.names = list(dict.fromkeys((*known, *gold, *(name for _, name in planned if name), UNNAMED)))
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.n_known = len(known) if model else len(self.names)
        numbered = [(arc.head, arc.dependent, self.numbers[arc.relation or UNNAMED]) for arc in given.gold or ()]
        leaves = model.leaves(given.sentence) if model else []
        self.window = window_onto(system, len(given.words), None if given.gold is None else numbered, leaves)
        self.view = ModelView(model, block_of(given.sentence)) if model else None
        self.on_track = given.gold is not None  # as far as the moves so far are known to be right
        self.steps: list[TraceStep] = []
        self.lost: LostArcs | None = None
        if self.window.dynamic and len(given.words) <= MOST_WORDS and not builds_graphs(system):
            heads = {arc.dependent: arc.head for arc in given.gold or ()}
            self.lost = LostArcs(system, [heads.get(word, -1) for word in range(1, len(given.words) + 1)], leaves)

    def run(self, leader: str | None) -> None:
        """Make the given moves, then those of the leader."""
        script = None
        if self.view is not None and leader == "model" and not self.planned:
            script = self.view.model.winning_moves(self.view.block)
        while not self.window.terminal:
            options = self.window.options()
            scores = self.view.scores(self.window.parse) if self.view else None
            if len(self.steps) < len(self.planned):
                by, (kind, relation) = "moves", self._planned(options, scores)
            elif leader is None:
                break
            elif script is not None:
                by, (kind, relation) = leader, script[len(self.steps)]
            else:
                by, (kind, relation) = leader, self._choice(leader, options, scores)
            self._step(options, scores, kind, relation, by)
        left = len(self.planned) - len(self.steps)
        if left > 0:
            raise CombinationError(f"the parse is complete after {len(self.steps)} moves, but {left} more were given")

    # Who chooses

    def _planned(self, options: list[MoveOption], scores: MoveScores | None) -> NumberedMove:
        """Return the next of the moves that the user gave."""
        number = len(self.steps) + 1
        kind, relation = self.planned[number - 1]
        option = next((option for option in options if option.kind == kind), None)
        if option is None:
            legal = ", ".join(option.kind for option in options)
            raise CombinationError(f"move {number}, {kind}, is not legal there; choose from {legal}")
        if relation is None:
            return kind, self._usual_relation(option, scores)
        if option.arc is None:
            raise CombinationError(f"move {number}: {kind} adds no arc, so it takes no relation {relation!r}")
        if self.numbers[relation] >= self.n_known:
            raise CombinationError(f"the model does not know the relation {relation!r}")
        return kind, self.numbers[relation]

    def _usual_relation(self, option: MoveOption, scores: MoveScores | None) -> int | None:
        """Return the relation of a move that nobody named: the gold one, else the model's, else ``_``."""
        if option.arc is None:
            return None
        if option.gold_relation is not None and option.gold_relation < self.n_known:
            return option.gold_relation
        return self.numbers[UNNAMED] if scores is None else scores.best_relation(option.kind)

    def _choice(self, leader: str, options: list[MoveOption], scores: MoveScores | None) -> NumberedMove:
        """Return the move of the model or of an oracle."""
        by_kind = {option.kind: option for option in options}
        if leader == "model":
            assert scores is not None
            return scores.best(list(by_kind))
        if leader == "static":
            kind = self.window.static()
            if kind not in by_kind:
                raise CombinationError(
                    f"step {len(self.steps) + 1}: the static oracle says {kind}, which is not legal: it is valid only"
                    " on its own path. Follow the dynamic oracle, or give other moves"
                )
            return kind, self._usual_relation(by_kind[kind], scores)
        least = min(option.cost or 0 for option in options)
        moves = [(o.kind, self._usual_relation(o, scores)) for o in options if (o.cost or 0) == least]
        if scores is None:
            return moves[0]
        return max(moves, key=lambda move: scores.of(*move) or 0.0)

    # What is recorded

    def _step(
        self, options: list[MoveOption], scores: MoveScores | None, kind: str, relation: int | None, by: str
    ) -> None:
        """Record a configuration and the move made there, and make it."""
        features: list[FeatureView] = []
        if self.view is not None and scores is not None and self.n_features:
            scored = scores.best_relation(kind) if relation is None else relation
            features = self.view.features(self.window.parse, kind, scored)[: self.n_features]
        if next(option.arc for option in options if option.kind == kind) is None:
            relation = None
        shown, chosen = self._views(options, scores, kind, relation)
        self.on_track = self.on_track and shown[chosen].right is True
        self.steps.append(
            TraceStep(
                len(self.steps) + 1,
                self.window.lists(),
                self._arcs(),
                shown,
                chosen,
                by,
                features,
                illegal_moves(self.window, self._form),
            )
        )
        self.window.apply(kind, relation)
        if self.lost is not None:
            self.lost.apply(kind)

    def _form(self, node: int) -> str:
        return self.given.words[node - 1] if node else "ROOT"

    def _views(
        self, options: list[MoveOption], scores: MoveScores | None, kind: str, relation: int | None
    ) -> tuple[list[MoveView], int]:
        """Return the moves to show, and the position of the one that is made.

        A kind is shown with up to three relations: that of the move made, the model's favourite, and the gold one.
        """
        verdicts = self.window.verdicts() if self.on_track and not self.window.dynamic else {}
        shown: list[MoveView] = []
        chosen = 0
        lost = None if self.lost is None else self.lost.by_kind()
        for option in options:
            named = [relation] if option.kind == kind else []
            if scores is not None and option.arc is not None:
                named.append(scores.best_relation(option.kind))
            if option.gold_relation is not None:
                named.append(option.gold_relation)
            for number in dict.fromkeys(named or [None]):
                if option.kind == kind and number == relation:
                    chosen = len(shown)
                shown.append(self._view(option, number, scores, verdicts.get(option.kind), lost))
        costs = [view.cost for view in shown if view.cost is not None]
        if len(costs) == len(shown):  # by a dynamic oracle, moves of least cost are right
            shown = [replace(view, right=view.cost == min(costs)) for view in shown]
        return shown, chosen

    def _view(
        self,
        option: MoveOption,
        number: int | None,
        scores: MoveScores | None,
        verdict: bool | None,
        lost: dict[str, list[tuple[int, int]]] | None,
    ) -> MoveView:
        name = None if number is None else self.names[number]
        wrong = option.gold_relation is not None and number is not None and number != option.gold_relation
        return MoveView(
            option.kind,
            name,
            None if option.arc is None else TraceArc(*option.arc, name),
            None if option.cost is None else option.cost + wrong,
            None if verdict is None else verdict and not wrong,
            None if scores is None else scores.of(option.kind, number),
            None if lost is None else self._lost(lost.get(option.kind, []), option.arc if wrong else None),
        )

    def _lost(self, arcs: list[tuple[int, int]], misnamed: tuple[int, int] | None) -> list[TraceArc]:
        """Return gold arcs with their relations; of an arc that gets another relation, the gold one is lost, too."""
        wanted = {(arc.head, arc.dependent): arc for arc in self.given.gold or ()}
        return [wanted[arc] for arc in (*arcs, *([misnamed] if misnamed else [])) if arc in wanted]

    def _arcs(self) -> list[TraceArc]:
        return [TraceArc(head, dependent, self.names[label]) for head, dependent, label in self.window.arcs]

    def end(self) -> End:
        """Return the last configuration, compared with the gold standard."""
        arcs, gold = self._arcs(), self.given.gold
        attached = {arc.dependent for arc in arcs}
        headless = [word for word in range(1, len(self.given.words) + 1) if word not in attached]
        missing = extra = None
        if gold is not None:
            missing = [arc for arc in gold if arc not in arcs]
            pairs = {(arc.head, arc.dependent) for arc in gold}
            extra = [arc for arc in arcs if (arc.head, arc.dependent) not in pairs]
        if not builds_graphs(self.window.system):
            extra = None
        return End(self.window.lists(), arcs, self.window.terminal, headless, missing, extra)
