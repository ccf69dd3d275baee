"""Training all steps of a pipeline from one treebank: each step learns from what the ones before it give."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treewright.errors import CombinationError, TreewrightError
from treewright.kinds.enhanced.training import check_learnable, copier_of_trees, says_more_than_trees
from treewright.kinds.pipeline.jackknife import check_parts, jackknifed, parsed_apart
from treewright.kinds.pipeline.recipe import GRAPH, PARSER, PipelineRecipe
from treewright.kinds.pipeline.widening.widening import chosen_members, widened
from treewright.kinds.tagger.tagger import Tagger
from treewright.learners.estimator import Estimator
from treewright.steps.named_models import find_model
from treewright.steps.pipeline import Pipeline
from treewright.steps.step import Step
from treewright.training.cluster_training import learn_clusters
from treewright.training.gathering import Gathered
from treewright.training.observer import TrainingObserver
from treewright.training.strategy import Trainer
from treewright.training.trainer import trainer_for

TOKENIZER, TAGGER = "tokenizer", "tagger"


def strategy(recipe: PipelineRecipe, base: Step | None = None, estimator: Estimator | None = None) -> PipelineTrainer:
    """Return what trains a pipeline by a recipe, each step going on from that of another where one is given."""
    return PipelineTrainer(recipe, base)


class PipelineTrainer(Trainer):
    """Trains the steps of a pipeline one after the other, or one of them alone; some may be taken from other models."""

    def __init__(self, recipe: PipelineRecipe, base: Step | None) -> None:
        if base is not None and not recipe.step and not isinstance(base, Pipeline):
            raise CombinationError("a pipeline goes on from a pipeline: give one, or leave --init-from out")
        self.recipe = recipe
        self.old = base.steps if base is not None else {}
        self.kept = {name: _step_in(model, name) for name, model in recipe.kept_steps.items()}
        if not recipe.step:
            parser = trainer_for(recipe.parser, self.old.get(PARSER))
            self.reads_graphs, self.single_root = parser.reads_graphs, parser.single_root
        if self.reads_graphs and (recipe.enhanced in ("learnt", "copy") or GRAPH in self.kept):
            raise CombinationError("the parser builds graphs, which fill DEPS: no other step may, leave --enhanced out")

    def dump_to(self, path: str | os.PathLike[str]) -> None:
        """Reject what only a parser alone can do."""
        raise CombinationError("the instances of a pipeline's parser are not dumped: leave --dump-instances out")

    def run(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver, about: Mapping[str, Any]) -> Step:
        """Train the steps; with a dev set, each is scored on it, and the whole on its raw text."""
        recipe = self.recipe
        has_graphs = self._has_graphs(data)
        if has_graphs and GRAPH not in self.kept:
            check_learnable(data)  # before the other steps are trained
        if self._jackknifes:
            check_parts(data, recipe.jackknife)
        data = replace(data, clusters=learn_clusters(recipe, observer))
        lessons = data if self.reads_graphs else widened(data, chosen_members(recipe.widen), self._seed)
        steps: dict[str, Step] = {}
        given, judged = data, dev
        for name, inner in recipe.steps.items():
            if name == TAGGER:
                given = lessons
            elif name == PARSER:
                given, judged = self._tagged(lessons, dev, steps[TAGGER], observer)
            elif name == GRAPH:
                if not has_graphs:
                    continue
                judged = _parsed_by(steps[PARSER], judged) if judged is not None and not recipe.step else judged
                if self._jackknifes and GRAPH not in self.kept:
                    given = replace(given, parsed=parsed_apart(given, self._seed, observer))
            steps[name] = self.kept.get(name) or trainer_for(inner, self.old.get(name)).run(
                given, judged, observer, about
            )
        if recipe.enhanced == "copy" and GRAPH in recipe.steps and not self.reads_graphs:
            steps[GRAPH] = copier_of_trees(data)
        return self._alone(steps[recipe.step]) if recipe.step else self._whole(steps, dev, observer, about)

    def _has_graphs(self, data: Gathered) -> bool:
        """Is there a step for graphs to be trained, or to be taken from another model?"""
        if self.reads_graphs or self.recipe.enhanced == "copy":
            return False
        named = self.recipe.enhanced == "learnt" or self.recipe.step == GRAPH or GRAPH in self.kept
        return named or says_more_than_trees(data.blocks)

    @property
    def _seed(self) -> int:
        return int(getattr(self.recipe.beside[TAGGER], "seed", 1))

    @property
    def _jackknifes(self) -> bool:
        """Does the parser learn from tags of taggers that have not seen them?"""
        return self.recipe.jackknife > 0 and TAGGER not in self.kept and not self.recipe.step

    def _tagged(
        self, data: Gathered, dev: Gathered | None, tagger: Step, observer: TrainingObserver
    ) -> tuple[Gathered, Gathered | None]:
        """Return treebank and dev set as the parser will get them: with tags of taggers."""
        assert isinstance(tagger, Tagger)
        if self._jackknifes:
            own, old = self.recipe.beside[TAGGER], self.old.get(TAGGER)
            blocks = jackknifed(data, self.recipe.jackknife, own, observer, old)
            data = replace(data, blocks=blocks, gold=data.blocks)
        elif TAGGER in self.kept:
            data = _tagged_by(tagger, data)
        return data, _tagged_by(tagger, dev) if dev is not None else None

    def _alone(self, step: Step) -> Step:
        """Return a step that was trained alone: its recipe is that of the training."""
        step.info["recipe"] = self.recipe.to_dict()
        return step

    def _whole(
        self, steps: dict[str, Step], dev: Gathered | None, observer: TrainingObserver, about: Mapping[str, Any]
    ) -> Pipeline:
        """Return all steps as one model, with its description and, where there is a dev set, its scores."""
        parser = steps[PARSER]
        info = {**parser.info, **about, "recipe": {**self.recipe.to_dict(), **parser.info["recipe"]}}
        if dev is not None:
            beside = {name: _scores_on_dev(step) for name, step in steps.items() if name != PARSER}
            info["dev"] = {**info.get("dev", {}), **beside}
        pipeline = Pipeline(steps, info)
        if dev is not None:
            info["dev"]["raw_text"] = _scores_from_raw_text(pipeline, dev, observer)
        return pipeline


def _step_in(model: str, name: str) -> Step:
    """Return the step of that name of another model."""
    steps = Step.load(find_model(model)).steps
    if name not in steps:
        raise CombinationError(f"keep_step {name}: {model} has the steps {', '.join(steps)} only")
    return steps[name]


def _scores_on_dev(step: Step) -> dict[str, Any]:
    """Return what a step got right on dev when it was trained."""
    return {name: score for name, score in step.info.get("dev", {}).items() if name not in ("name", "round")}


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


def _parsed_by(parser: Step, data: Gathered) -> Gathered:
    return replace(data, blocks=[*parser.parse_blocks(data.blocks)], gold=data.gold_blocks)


def _tagged_by(tagger: Tagger, data: Gathered) -> Gathered:
    return replace(data, blocks=[tagger.tagged(block) for block in data.blocks], gold=data.blocks)
