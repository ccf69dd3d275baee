"""``trace``: follow a parse move by move and record every step."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from treewright.apps.tracing.move_names import parse_moves
from treewright.apps.tracing.record import Trace, crosses
from treewright.apps.tracing.sentence_input import GivenGold, TracedSentence, as_learned, sentence_from, with_gold
from treewright.apps.tracing.traced_model import TracedModel
from treewright.apps.tracing.walk import Move, TracedWalk
from treewright.apps.tracing.window import builds_graphs, can_cross
from treewright.errors import CombinationError, TreebankError, choices, unknown
from treewright.steps.named_models import path_of
from treewright.steps.step import Step
from treewright.systems import SYSTEMS, make_system
from treewright.systems.graphs import GRAPH_SYSTEMS, make_graph_system
from treewright.systems.system import System
from treewright.treebank.files.text_format import is_conllu
from treewright.treebank.sentences.sentence import Sentence

ALL_SYSTEMS = (*SYSTEMS, *GRAPH_SYSTEMS)
FOLLOW = ("model", "static", "dynamic")


def trace(
    parser: Step | TracedModel | System | str | os.PathLike[str],
    sentence: Sentence | Sequence[str] | str,
    *,
    heads: Sequence[int] | None = None,
    relations: Sequence[str] | None = None,
    graph: str | Sequence[Sequence[tuple[int, str]]] | None = None,
    moves: str | Sequence[Move] | None = None,
    follow: str | None = None,
    features: int = 0,
    root: str | None = None,
    single_root: bool = True,
    number: int = 1,
) -> Trace:
    """Parse a sentence step by step and return the record.

    ``parser`` is a trained parser, the path of one, a transition system or its name. The gold standard is the
    sentence's own; or ``heads`` and ``relations`` give a tree, and ``graph`` the arcs (head, relation) to every word.
    A pipeline splits raw text, takes its sentence ``number``, and tags words without tags.

    ``moves`` are made first. Then ``follow`` chooses: ``model``, ``static`` (the canonical oracle) or ``dynamic`` (a
    move of least cost: the model's favourite among them, or the first). Without ``follow`` it is the model, or the
    dynamic oracle, or the static oracle unless ``moves`` came first. ``features`` is how many of the chosen move's
    features to show.
    """
    model, system = _resolve(parser, root, single_root)
    if features and model is None:
        raise CombinationError("features need a model: a system alone has none")
    notes: list[str] = []
    chosen = _tagged(_chosen(sentence, model, number, notes), model, notes)
    given = with_gold(chosen, system, GivenGold(heads, relations, graph))
    projective = None if given.gold is None else not crosses(given.gold)
    given = _comparable(given, system, model, notes)
    planned = parse_moves(moves, system.kinds) if isinstance(moves, str) else list(moves or ())
    leader = _leader(follow, system, model, given, moves is not None)
    if model is not None and model.beam > 1 and leader == "model":
        notes.append(_beam_note(model.beam, bool(planned)))
    walk = TracedWalk(system, model, given, planned, features)
    walk.run(leader)
    about = {**system.settings(), "projective": not can_cross(system), "graphs": builds_graphs(system)}
    name, result = (None, None) if model is None else (model.name, model.result(given.sentence))
    return Trace(about, name, given.words, given.tags, given.gold, projective, walk.steps, walk.end(), result, notes)


def _resolve(
    parser: Step | TracedModel | System | str | os.PathLike[str], root: str | None, single_root: bool
) -> tuple[TracedModel | None, System]:
    """Return the model, if there is one, and the system."""
    if isinstance(parser, (str, os.PathLike)):
        parser = _by_name(os.fspath(parser), root, single_root)
    if isinstance(parser, System):
        return None, parser
    model = TracedModel.of(parser) if isinstance(parser, Step) else parser
    if root is not None or not single_root:
        raise CombinationError("a model fixes the place and number of roots: leave these options out")
    return model, model.system


def _by_name(name: str, root: str | None, single_root: bool) -> System | TracedModel:
    if name in SYSTEMS:
        return make_system(name, root=root, single_root=single_root)
    if name in GRAPH_SYSTEMS:
        if root is not None or not single_root:
            raise CombinationError(f"{name} fixes the place of the root and allows several: leave these options out")
        return make_graph_system(name)
    return model_named(name)


def model_named(name: str) -> TracedModel:
    """Load a model by its path, or a bundled one by its name."""
    if not os.path.exists(name) and os.sep not in name and "." not in name and path_of(name) is None:
        raise CombinationError(f"{name!r} is neither a model file nor a system. {choices(name, ALL_SYSTEMS)}")
    return TracedModel.load(name)


def _chosen(
    sentence: Sentence | Sequence[str] | str, model: TracedModel | None, number: int, notes: list[str]
) -> Sentence:
    """Return the sentence to trace; of raw text for a pipeline, the one with this number."""
    if not isinstance(sentence, str) or is_conllu(sentence) or model is None or not model.tokenizes:
        return nth([sentence_from(sentence)], number, "the input")
    sentences = model.split(sentence)
    if len(sentences) > 1:
        notes.append(f"Sentence {number} of {len(sentences)} in the text; give another number to trace another.")
    return sentence_from(nth(sentences, number, "the text"))


def nth(sentences: Iterable[Sentence], number: int, source: str) -> Sentence:
    """Return the sentence with a number, counted from 1."""
    if number < 1:
        raise CombinationError(f"sentence {number}: sentences are counted from 1")
    n = 0
    for n, sentence in enumerate(sentences, 1):
        if n == number:
            return sentence
    raise TreebankError(f"sentence {number} was requested, but there are only {n}", source=source)


def _tagged(sentence: Sentence, model: TracedModel | None, notes: list[str]) -> Sentence:
    if model is None:
        return sentence
    tagged = model.tagged(sentence)
    if tagged.to_conllu() != sentence.to_conllu():
        notes.append("The model's tagger tagged the words.")
    return tagged


def _comparable(given: TracedSentence, system: System, model: TracedModel | None, notes: list[str]) -> TracedSentence:
    """Return the gold standard in the form that costs are counted against, and note what that means."""
    learned = given if model is None else as_learned(given, model)
    if given.gold is None or learned.gold is None:
        return given
    if builds_graphs(system):
        if set(learned.gold) != set(given.gold):
            notes.append("The gold graph is shown as the model learned graphs: lifted, or with other relations.")
        elif crosses(given.gold) and not can_cross(system):
            notes.append(f"Arcs of the gold graph cross, but {system.name} cannot cross arcs: it loses some of them.")
    elif crosses(given.gold) and not can_cross(system):
        if crosses(learned.gold):
            notes.append("The gold tree is not projective: a cost counts each gold arc separately and may be too high.")
        else:
            notes.append("The gold tree is not projective; it is lifted here, as in the model's training.")
    return learned


def _beam_note(width: int, after_moves: bool) -> str:
    if after_moves:
        return (
            f"The model has a beam of {width}, and a beam cannot start from given moves:"
            " after them the best move is made at each step."
        )
    return f"The model searches with a beam of {width}. These are the moves of the sequence with the best total score."


def _leader(
    follow: str | None, system: System, model: TracedModel | None, given: TracedSentence, has_moves: bool
) -> str | None:
    """Return who chooses the moves that are not given."""
    gold = "a gold graph (column DEPS, or --deps)" if builds_graphs(system) else "a gold tree (CoNLL-U, or --heads)"
    if follow is None:
        if model is not None:
            return "model"
        if given.gold is None:
            if not has_moves:
                raise CombinationError(
                    f"{system.name} alone cannot choose moves: give {gold}, --moves, or a trained model"
                )
            return None
        if "dynamic" in system.oracles:
            return "dynamic"
        return None if has_moves else "static"  # which is valid only on its own path
    if follow not in FOLLOW:
        raise CombinationError(unknown("follow", follow, FOLLOW))
    if follow == "model":
        if model is None:
            raise CombinationError("there is no model to follow: give a model file instead of a system")
        return follow
    if given.gold is None:
        raise CombinationError(f"the {follow} oracle needs {gold}")
    if follow not in system.oracles:
        raise CombinationError(f"{system.name} has no {follow} oracle; choose from {', '.join(system.oracles)}")
    return follow
