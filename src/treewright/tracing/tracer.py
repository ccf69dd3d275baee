"""``trace``: follow a parse move by move and write down all that there is to see."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.errors import CombinationError
from treewright.oracles.exhaustive import is_projective
from treewright.systems import SYSTEMS, make_system
from treewright.systems.system import Parse, System
from treewright.tracing.move_names import parse_moves
from treewright.tracing.record import Arc, End, FeatureView, MoveView, Step, Trace
from treewright.tracing.sentence_input import Given, as_learnt, understand
from treewright.tracing.window import Option, ParseWindow

if TYPE_CHECKING:
    from treewright.parsing.parser import Parser
    from treewright.parsing.transition import TransitionParser
    from treewright.tracing.model_view import ModelView, Scores
    from treewright.treebank.sentence import Sentence

FOLLOW = ("model", "static", "dynamic")
Move = tuple[str, "str | None"]


def trace(
    parser: Parser | System | str | os.PathLike[str],
    sentence: Sentence | Sequence[str] | str,
    *,
    heads: Sequence[int] | None = None,
    relations: Sequence[str] | None = None,
    moves: str | Sequence[Move] | None = None,
    follow: str | None = None,
    features: int = 0,
    root: str | None = None,
    single_root: bool = True,
) -> Trace:
    """Parse a sentence step by step and return what was seen.

    ``parser`` is a trained parser, the path of one, a transition system or its name. The gold tree is the sentence's
    own, or ``heads`` and ``relations``. ``moves`` are made first; then goes on who is to be followed: ``model``,
    ``static`` (the canonical oracle) or ``dynamic`` (a move of least cost: the model's favourite among them, or the
    first). Without ``follow``: the model, else the dynamic oracle; without one, the static oracle, but not after
    ``moves``. ``features`` asks for that many of the
    chosen move's features.
    """
    given = understand(sentence, heads, relations)
    model, system, name = _resolve(parser, root, single_root)
    if features and model is None:
        raise CombinationError("features need a model: a system by itself looks at none")
    planned = parse_moves(moves, system.kinds) if isinstance(moves, str) else list(moves or ())
    tracer = _Tracer(system, model, given, planned, features)
    tracer.run(_leader(follow, system, model, given, moves is not None))
    return tracer.result(name)


def _resolve(
    parser: Parser | System | str | os.PathLike[str], root: str | None, single_root: bool
) -> tuple[TransitionParser | None, System, str | None]:
    """Return the trained parser if there is one, the system, and the model's name."""
    name = None
    if isinstance(parser, (str, os.PathLike)):
        name = os.fspath(parser)
        if name in SYSTEMS:
            return None, make_system(name, root=root, single_root=single_root), None
        if not os.path.exists(name) and os.sep not in name and "." not in name:
            raise CombinationError(f"{name!r} is neither a file nor a system; the systems are: {', '.join(SYSTEMS)}")
        from treewright.parsing.parser import Parser

        parser = Parser.load(name)
    if isinstance(parser, System):
        return None, parser, None
    from treewright.parsing.transition import TransitionParser

    if not isinstance(parser, TransitionParser):
        raise CombinationError("only transition-based parsers make moves, and this model is of another kind")
    if root is not None or not single_root:
        raise CombinationError("the model says where its root is and how many there may be: leave these options out")
    return parser, parser.engine.system, name or "model"


def _leader(follow: str | None, system: System, model: object, given: Given, replays: bool) -> str | None:
    """Return who chooses the moves that are not given."""
    if follow is None:
        if model is not None:
            return "model"
        if given.heads is None:
            if not replays:
                raise CombinationError(
                    f"{system.name} by itself has no reason for any move: give a gold tree (CoNLL-U, or --heads),"
                    " --moves, or a trained model"
                )
            return None
        if "dynamic" in system.oracles:
            return "dynamic"
        return None if replays else "static"  # which may not know what to do after the moves given
    if follow not in FOLLOW:
        raise CombinationError(f"nobody is called {follow!r} to follow; there are: {', '.join(FOLLOW)}")
    if follow == "model" and model is None:
        raise CombinationError("to follow the model there must be one: give a model file instead of a system")
    if follow != "model" and given.heads is None:
        raise CombinationError(f"the {follow} oracle needs a gold tree: give CoNLL-U with heads, or --heads")
    if follow != "model" and follow not in system.oracles:
        raise CombinationError(f"{system.name} has no {follow} oracle; it has: {', '.join(system.oracles)}")
    return follow


class _Tracer:
    """One parse under way."""

    def __init__(
        self, system: System, model: TransitionParser | None, given: Given, planned: list[Move], features: int
    ) -> None:
        self.projective = None if given.heads is None else is_projective(given.heads)
        if model is not None:
            given = as_learnt(given, model)
        self.system, self.model, self.given, self.planned = system, model, given, planned
        self.n_features = features
        self.numbers: dict[str, int] = {}
        known = model.settings["relations"] if model else []
        named = [relation for _, relation in planned if relation]
        for relation in (*known, *(given.relations or ()), *named, "_"):
            self.numbers.setdefault(relation, len(self.numbers))
        self.names = list(self.numbers)
        self.n_known = len(known) if model else len(self.names)
        self.parse = Parse(system, len(given.words))
        if given.heads is not None:
            gold = [self.numbers[relation] for relation in given.relations or ["_"] * len(given.words)]
            self.parse.set_gold(given.heads, gold)
        self.window = ParseWindow(self.parse, given.heads is not None)
        self.view = self._model_view()
        self.reachable = given.heads is not None
        self.steps: list[Step] = []
        self.order: list[int] = []  # words with a head, as they got it

    def _model_view(self) -> ModelView | None:
        if self.model is None:
            return None
        from treewright.tracing.model_view import ModelView
        from treewright.treebank.block import Block
        from treewright.treebank.formats.conllu import CONLLU

        text = self.given.sentence.to_conllu().encode("utf-8", "surrogateescape")
        return ModelView(self.model, Block(text, CONLLU, "text"))

    def run(self, leader: str | None) -> None:
        """Make the given moves, then those of the leader."""
        while not self.window.terminal:
            options = self.window.options()
            scores = self.view.scores(self.parse) if self.view else None
            if len(self.steps) < len(self.planned):
                by, (kind, relation) = "moves", self._planned(options)
            elif leader is None:
                break
            else:
                by, (kind, relation) = leader, self._choice(leader, options, scores)
            self._step(options, scores, kind, relation, by)
        if len(self.steps) < len(self.planned):
            left = len(self.planned) - len(self.steps)
            raise CombinationError(f"the parse is complete after {len(self.steps)} moves, and {left} more were given")

    def _planned(self, options: list[Option]) -> tuple[str, int | None]:
        place = len(self.steps)
        kind, relation = self.planned[place]
        option = next((option for option in options if option.kind == kind), None)
        if option is None:
            legal = ", ".join(option.kind for option in options)
            raise CombinationError(f"move {place + 1}, {kind}, is not legal there; legal are: {legal}")
        if not option.labelled:
            if relation is not None:
                raise CombinationError(f"move {place + 1}: {kind} adds no arc, so it has no relation {relation!r}")
            return kind, None
        if relation is None:
            return kind, self._usual_relation(option, None)
        number = self.numbers[relation]
        self._need_known(number)
        return kind, number

    def _need_known(self, relation: int) -> None:
        """A model has no features of relations that it never saw."""
        if relation >= self.n_known:
            raise CombinationError(f"the model does not know the relation {self.names[relation]!r}")

    def _usual_relation(self, option: Option, scores: Scores | None) -> int | None:
        """Return the relation of a move that nobody named: the gold one, else the model's, else ``_``."""
        if not option.labelled:
            return None
        if option.gold_relation is not None and option.gold_relation < self.n_known:
            return option.gold_relation
        if self.view is not None:
            return (scores or self.view.scores(self.parse)).best_relation(option.kind)
        return self.numbers["_"]

    def _choice(self, leader: str, options: list[Option], scores: Scores | None) -> tuple[str, int | None]:
        by_kind = {option.kind: option for option in options}
        if leader == "model":
            assert scores is not None
            return scores.best(list(by_kind))
        if leader == "static":
            kind, _ = self.window.static()
            if kind not in by_kind:
                raise CombinationError(
                    f"step {len(self.steps) + 1}: the static oracle says {kind}, which is not legal: it is promised on"
                    " its own path only. Follow the dynamic oracle, or give other moves"
                )
            return kind, self._usual_relation(by_kind[kind], scores)
        least = min(option.cost or 0 for option in options)
        moves = [(o.kind, self._usual_relation(o, scores)) for o in options if (o.cost or 0) == least]
        if scores is None:
            return moves[0]
        return max(moves, key=lambda move: scores.of(*move) or 0.0)

    def _step(self, options: list[Option], scores: Scores | None, kind: str, relation: int | None, by: str) -> None:
        right = None if not self.reachable or self.window.dynamic else self.window.right_kinds()
        shown: list[MoveView] = []
        chosen = 0
        for option in options:
            named = [relation] if option.kind == kind else []
            if scores is not None and option.labelled:
                named.append(scores.best_relation(option.kind))
            if option.gold_relation is not None:
                named.append(option.gold_relation)
            for number in dict.fromkeys(named or [None]):
                if option.kind == kind and number == relation:
                    chosen = len(shown)
                shown.append(self._view(option, number, scores, right))
        shown = self._judge(shown)
        self.reachable = self.reachable and shown[chosen].right is not False and not shown[chosen].cost
        features: list[FeatureView] = []
        if self.view is not None and self.n_features:
            features = self.view.features(self.parse, kind, relation)[: self.n_features]
        lists, arcs = self.window.lists(), self._arcs()
        self.steps.append(Step(len(self.steps) + 1, lists, arcs, shown, chosen, by, features))
        self.window.apply(kind, relation)

    def _view(self, option: Option, number: int | None, scores: Scores | None, right: list[str] | None) -> MoveView:
        name = None if number is None else self.names[number]
        arc = None if option.arc is None else Arc(*option.arc, name)
        wrong = option.gold_relation is not None and number is not None and number != option.gold_relation
        cost = None if option.cost is None else option.cost + wrong
        return MoveView(
            option.kind,
            name,
            arc,
            cost,
            None if right is None else option.kind in right and not wrong,
            None if scores is None else scores.of(option.kind, number),
        )

    @staticmethod
    def _judge(views: list[MoveView]) -> list[MoveView]:
        """By a dynamic oracle, moves of least cost are right."""
        costs = [view.cost for view in views if view.cost is not None]
        if len(costs) < len(views):
            return views
        return [MoveView(v.kind, v.relation, v.arc, v.cost, v.cost == min(costs), v.score) for v in views]

    def _arcs(self) -> list[Arc]:
        arcs = self.window.arcs()
        self.order += [word for word in arcs if word not in self.order]  # as they were added
        return [Arc(arcs[word][0], word, self.names[arcs[word][1]]) for word in self.order]

    def result(self, name: str | None) -> Trace:
        """Return all that was seen."""
        given, arcs = self.given, self._arcs()
        gold = missing = None
        if given.heads is not None:
            relations = given.relations or ["_"] * len(given.words)
            pairs = enumerate(zip(given.heads, relations, strict=True), 1)
            gold = [Arc(head, word, relation) for word, (head, relation) in pairs]
            missing = [arc for arc in gold if arc not in arcs]
        attached = {arc.dependent for arc in arcs}
        headless = [word for word in range(1, len(given.words) + 1) if word not in attached]
        end = End(self.window.lists(), arcs, self.window.terminal, headless, missing)
        tree = None
        if self.model is not None:
            parsed = self.model.parse(given.sentence)
            tree = [Arc(word.head or 0, number, word.deprel) for number, word in enumerate(parsed, 1)]
        system = {**self.system.settings(), "projective": self.system.projective}
        return Trace(system, name, given.words, given.tags, gold, self.projective, self.steps, end, tree)
