"""From a treebank to a model of any kind: ``train``."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError, TreewrightWarning
from treewright.options.recipe import Recipe
from treewright.recipes.catalogue import USUAL_SYSTEM, current_names, known_of, recipe_class, recipe_from
from treewright.steps.border.container import byte_order_error
from treewright.steps.kinds import kind_of_recipe
from treewright.steps.named_models import find_model
from treewright.steps.step import Step
from treewright.training.gathering import Sources, gather
from treewright.training.notebook_progress import usual_observer
from treewright.training.observer import TrainingObserver
from treewright.training.strategy import Trainer
from treewright.treebank.files.folder_parts import treebank_parts
from treewright.treebank.sentences.in_memory import list_of

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


def train(
    source: Sources,
    dev: Sources | None = None,
    *,
    recipe: Recipe | None = None,
    init_from: str | os.PathLike[str] | Step | None = None,
    on_error: str = "fail",
    format: str | None = None,
    observer: TrainingObserver | None = None,
    licence: str = "",
    description: str = "",
    dump_instances: str | os.PathLike[str] | None = None,
    **options: Unpack[RecipeOptions],
) -> Step:
    """Train a parser on a treebank, or on several; with a dev set, the best round on it is kept.

    The recipe is given whole, or option by option: ``train("train.conllu", system="arc-hybrid", seed=2)``.
    Of a folder, the training part is learnt from and the dev part judged on, by the names of the files; a warning says
    so. ``learner`` may also be a scikit-learn classifier. ``init_from``: a model, or its file, to go on from.
    ``dump_instances``: a file for the instances of a batch learner. In a notebook, the rounds are shown unless an
    ``observer`` hears them.
    """
    base = Step.load(find_model(init_from)) if isinstance(init_from, (str, os.PathLike)) else init_from
    chosen, estimator = _chosen(recipe, options, base)
    listener = observer or usual_observer()
    about: dict[str, Any] = {"licence": licence, "description": description}
    if base is not None:
        about["continued_from"] = base.info
    trainer = trainer_for(chosen, base, estimator)
    if dump_instances is not None:
        trainer.dump_to(dump_instances)
    parts = treebank_parts(list_of(source), None if dev is None else list_of(dev))
    for said in parts.said:
        warnings.warn(said, TreewrightWarning, stacklevel=2)
    source, dev = parts.train, parts.dev
    data = gather(source, format, on_error, trainer.single_root, trainer.reads_graphs)
    held_out = gather(dev, format, on_error, False, trainer.reads_graphs) if dev is not None else None
    return trainer.run(data, held_out, listener, about)


def train_pipeline(source: Sources, dev: Sources | None = None, **options: Unpack[TrainKeywords]) -> Pipeline:
    """Train tokeniser, tagger and parser: ``train(…, pipeline=True)``."""
    from treewright.steps.pipeline import Pipeline

    options["pipeline"] = True
    model = train(source, dev, **options)
    assert isinstance(model, Pipeline)
    return model


def _chosen(recipe: Recipe | None, options: Mapping[str, Any], base: Step | None) -> tuple[Recipe, Estimator | None]:
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
        kept = _kept_options(base, given)
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


def _kept_options(base: Step, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a training which goes on from a model keeps, but those of steps that it leaves out."""
    if given.get("step"):
        return {}
    recipe = known_of(base.info.get("recipe", {}))
    kind = recipe_class(recipe.get("system", USUAL_SYSTEM), recipe.get("learner"))
    kept: dict[str, Any] = {name: recipe[name] for name in kind.kept if recipe.get(name) is not None}
    for idle in kind(**kept).idle():
        kept.pop(idle, None)
    if recipe.get("step"):
        return {} if given.get("pipeline") else {"step": recipe["step"]}
    return {**kept, "pipeline": True} if recipe.get("pipeline") else kept


def trainer_for(recipe: Recipe, base: Step | None = None, estimator: Estimator | None = None) -> Trainer:
    """Return what trains a step by a recipe, going on from another where one is given."""
    if sys.byteorder != "little":  # said before hours of training, not after
        raise byte_order_error()
    kind = kind_of_recipe(recipe)
    trainer: Trainer = kind.named(kind.training)(recipe, base, estimator)
    return trainer
