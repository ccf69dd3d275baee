"""From a treebank to a model of any kind: ``train``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from treewright.errors import CombinationError, TreewrightError
from treewright.kinds.exact.recipe import ExactRecipe
from treewright.kinds.graph.parser import GraphParser
from treewright.kinds.graph.recipe import GraphRecipe
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.kinds.network_graph.recipe import NeuralGraphRecipe
from treewright.kinds.network_moves.recipe import NeuralMoveRecipe
from treewright.kinds.pipeline.recipe import PipelineRecipe
from treewright.kinds.transition.parser import TransitionParser
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.options.recipe import Recipe
from treewright.recipes.catalogue import current_names, known_of, recipe_class, recipe_from
from treewright.steps.named_models import find_model
from treewright.steps.parser import Parser
from treewright.training.gathering import Gathered, Sources, gather
from treewright.training.loop import Training
from treewright.training.notebook_progress import usual_observer
from treewright.training.observer import TrainingObserver
from treewright.training.strategy import Strategy

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.learners.estimator import Estimator
    from treewright.recipes.keywords import RecipeOptions
    from treewright.steps.pipeline import Pipeline

    class TrainKeywords(RecipeOptions, total=False):
        """The keywords of ``train_pipeline``: see ``train``."""

        on_error: str
        format: str | None
        observer: TrainingObserver | None
        licence: str
        description: str


Kind = TypeVar("Kind", bound=Parser)


def train(
    source: Sources,
    dev: Sources | None = None,
    *,
    recipe: Recipe | None = None,
    init_from: str | os.PathLike[str] | Parser | None = None,
    on_error: str = "fail",
    format: str | None = None,
    observer: TrainingObserver | None = None,
    licence: str = "",
    description: str = "",
    dump_instances: str | os.PathLike[str] | None = None,
    **options: Unpack[RecipeOptions],
) -> Parser:
    """Train a parser on a treebank, or on several; with a dev set, the best round on it is kept.

    The recipe is given whole, or option by option: ``train("train.conllu", system="arc-hybrid", seed=2)``.
    ``learner`` may also be a scikit-learn classifier. ``init_from``: a model, or its file, to go on from.
    ``dump_instances``: a file for the instances of a batch learner. In a notebook, the rounds are shown unless an
    ``observer`` hears them.
    """
    base = Parser.load(find_model(init_from)) if isinstance(init_from, (str, os.PathLike)) else init_from
    chosen, estimator = _chosen(recipe, options, base)
    listener = observer or usual_observer()
    about: dict[str, Any] = {"licence": licence, "description": description}
    if base is not None:
        about["continued_from"] = base.info
    if isinstance(chosen, PipelineRecipe):
        if dump_instances is not None:
            raise CombinationError("the instances of a pipeline's parser are not dumped: leave --dump-instances out")
        return _train_pipeline(chosen, base, source, dev, format, on_error, listener, about)
    strategy = strategy_for(chosen, base, estimator)
    if dump_instances is not None:
        strategy.dump_to(dump_instances)
    graphs = strategy.reads_graphs
    data = gather(source, format, on_error, strategy.single_root, graphs)
    held_out = gather(dev, format, on_error, False, graphs) if dev is not None else None
    trained: Parser = Training(strategy, data, held_out, listener).run(about)
    return trained


def train_pipeline(
    source: Sources,
    dev: Sources | None = None,
    **options: Unpack[TrainKeywords],
) -> Pipeline:
    """Train tokeniser, tagger and parser: ``train(…, pipeline=True)``."""
    from treewright.steps.pipeline import Pipeline

    options["pipeline"] = True
    model = train(source, dev, **options)
    assert isinstance(model, Pipeline)
    return model


def _chosen(recipe: Recipe | None, options: Mapping[str, Any], base: Parser | None) -> tuple[Recipe, Estimator | None]:
    """Return the recipe, and the scikit-learn classifier if one was given as the learner."""
    if recipe is not None:
        if options:
            raise CombinationError(f"give a recipe or options, not both: {', '.join(options)}")
        recipe.check()
        return recipe.completed(), None
    given, estimator = current_names(options), None
    learner = given.get("learner")
    if learner is not None and not isinstance(learner, str):
        estimator = learner
        given |= {"learner": "sklearn", "learner_options": " ".join(repr(learner).split())}
    if base is not None:
        kept = _kept_options(base)
        _check_same_kind(kept, given)
        given = {**kept, **given}
    return recipe_from(given), estimator


def _check_same_kind(kept: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Reject a system that makes another kind of parser than the model to go on from."""
    if "system" not in given or "system" not in kept:
        return
    kinds = [recipe_class(options["system"], options.get("learner")) for options in (kept, {**kept, **given})]
    if kinds[0] is not kinds[1]:
        raise CombinationError(
            f"the model to go on from has system {kept['system']!r}, which cannot become {given['system']!r}."
            " Leave the option out"
        )


def _kept_options(base: Parser) -> dict[str, Any]:
    """Return the options that a training which goes on from a model keeps."""
    recipe = known_of(base.info.get("recipe", {}))
    kind = recipe_class(recipe.get("system", "arc-eager"), recipe.get("learner"))
    kept: dict[str, Any] = {name: recipe[name] for name in kind.kept if recipe.get(name) is not None}
    for idle in kind(**kept).idle():
        kept.pop(idle, None)
    return {**kept, "pipeline": True} if recipe.get("pipeline") else kept


def strategy_for(recipe: Recipe, base: Parser | None = None, estimator: Estimator | None = None) -> Strategy[Any, Any]:
    """Return what trains a parser by a recipe, going on from another where one is given."""
    if isinstance(recipe, TransitionRecipe):
        if recipe.is_batch:
            from treewright.kinds.transition.batch import BatchStrategy

            return BatchStrategy(recipe, _of(TransitionParser, base), estimator)
        from treewright.kinds.transition.training import TransitionStrategy

        return TransitionStrategy(recipe, _of(TransitionParser, base))
    if isinstance(recipe, GraphRecipe):
        from treewright.kinds.graph.training import GraphBatchStrategy, GraphStrategy

        return (GraphBatchStrategy if recipe.is_batch else GraphStrategy)(recipe, _of(GraphParser, base))
    if isinstance(recipe, NeuralMoveRecipe):
        from treewright.kinds.network_moves.parser import NeuralGraphMoves, NeuralMoves
        from treewright.kinds.network_moves.training import MoveStrategy

        return MoveStrategy(recipe, _of(NeuralGraphMoves if recipe.builds_graphs else NeuralMoves, base))
    if isinstance(recipe, NeuralGraphRecipe):
        from treewright.kinds.network_graph.parser import NeuralGraphParser
        from treewright.kinds.network_graph.training import NeuralGraphStrategy

        return NeuralGraphStrategy(recipe, _of(NeuralGraphParser, base))
    if isinstance(recipe, NeuralRecipe):
        from treewright.kinds.network.parser import NeuralParser
        from treewright.kinds.network.training import NeuralStrategy

        return NeuralStrategy(recipe, _of(NeuralParser, base))
    assert isinstance(recipe, ExactRecipe)
    from treewright.kinds.exact.parser import ExactParser
    from treewright.kinds.exact.training import ExactStrategy

    return ExactStrategy(recipe, _of(ExactParser, base))


def _of(kind: type[Kind], base: Parser | None) -> Kind | None:
    """Return the model to go on from, if it is of the kind that is trained."""
    if base is not None and not isinstance(base, kind):
        raise CombinationError(
            f"a {kind.__name__} cannot go on from a {type(base).__name__}: give a model of the same kind, or leave"
            " --init-from out"
        )
    return base


def _train_pipeline(
    recipe: PipelineRecipe,
    base: Parser | None,
    source: Sources,
    dev: Sources | None,
    format: str | None,
    on_error: str,
    observer: TrainingObserver,
    about: Mapping[str, Any],
) -> Pipeline:
    from treewright.kinds.pipeline.training import train_pipeline
    from treewright.steps.pipeline import Pipeline

    if base is not None and not isinstance(base, Pipeline):
        raise CombinationError("a pipeline goes on from a pipeline: give one, or leave --init-from out")
    parser = base.parser if base is not None else None
    strategy = strategy_for(recipe.parser, parser)
    graphs = strategy.reads_graphs
    data = gather(source, format, on_error, strategy.single_root, graphs)
    held_out = gather(dev, format, on_error, False, graphs) if dev is not None else None

    def train_parser(inner: Recipe, tagged: Gathered, judged: Gathered | None) -> Parser:
        trained: Parser = Training(strategy_for(inner, parser), tagged, judged, observer).run(about)
        return trained

    pipeline = train_pipeline(recipe, data, held_out, observer, train_parser, about, base)
    if held_out is not None:
        pipeline.info["dev"]["raw_text"] = _scores_from_raw_text(pipeline, held_out, observer)
    return pipeline


def _scores_from_raw_text(pipeline: Pipeline, dev: Gathered, observer: TrainingObserver) -> dict[str, float | str]:
    """Score the finished pipeline on the raw text of dev; where that is not possible, say why: the model is kept."""
    from treewright.kinds.pipeline.raw_text_scores import raw_text_scores

    observer.begun("dev from raw text", dev.n_sentences)
    try:
        return {**raw_text_scores(pipeline, dev, observer.advanced)}
    except KeyboardInterrupt:
        return {"not scored": "interrupted"}
    except TreewrightError as error:
        return {"not scored": str(error)}
