"""The recipe of all steps as one model. Its options are those of all steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar

from treewright.errors import CombinationError
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.options import topics
from treewright.options.option import Option, OptionValue, choice, count, option, options_of
from treewright.options.recipe import Recipe
from treewright.recipes.shared_options import clusters_option, raw_option
from treewright.steps.kinds import IN_NO_PIPELINE, builtin_kinds

PARSER, GRAPH, PIPELINE = "parser", "graph", "pipeline"


@cache
def steps_beside() -> dict[str, type[Recipe]]:
    """Return the steps that may stand beside a parser, with their recipes; so begin the names of their options."""
    kinds = (kind for kind in builtin_kinds() if kind.step not in (PARSER, PIPELINE, IN_NO_PIPELINE))
    return {kind.step: kind.recipe_class for kind in kinds}


def _usual() -> dict[str, Recipe]:
    return {step: recipe() for step, recipe in steps_beside().items()}


@dataclass(frozen=True)
class PipelineRecipe(Recipe):
    """The recipe of all steps as one model, or of one of them (``step``)."""

    kind: ClassVar[str] = PIPELINE
    whose: ClassVar[str] = "pipelines"

    pipeline: bool = option(False, "train tokeniser and tagger too: a model for raw text", topics.TEXT)
    step: str = option(
        "",
        "train this step alone: tokenizer, tagger or graph",
        topics.TEXT,
        metavar="NAME",
        choices=("", "tokenizer", "tagger", "graph"),
    )
    keep_step: str = option(
        "",
        "take a step from another model instead of training it: tagger=OLD.tw; may be repeated",
        topics.TEXT,
        metavar="STEP=MODEL",
        many=True,
    )
    jackknife: int = count(
        4,
        "parts tagged (for the parser to learn from) and parsed (for graphs) by steps that have not seen them; "
        "0: gold tags and trees",
        topics.TEXT,
        0,
    )
    widen: str = option(
        "all",
        "sentences made of the treebank's trees, for tagger and parser to learn from, too: all, none, or names of what "
        "makes them, with commas",
        topics.TEXT,
        metavar="NAMES",
    )
    silver: str = option(
        "",
        "other text with trees of parsers (tools/silver_trees.py), for tagger and parser to learn from, too",
        topics.TEXT,
        metavar="FILE",
        many=True,
    )
    enhanced: str = choice(
        "auto",
        ("auto", "learnt", "copy", "none"),
        "enhanced graphs in DEPS, beside the trees: learnt, or copies of the trees; auto learns where DEPS says more",
        topics.TEXT,
    )
    raw: str = raw_option()
    vectors: str = option(
        "", "word vectors (word2vec, fastText, GloVe as text) to make word clusters of", topics.TEXT, metavar="FILE"
    )
    clusters: int = clusters_option("--raw or --vectors")
    beside: Mapping[str, Recipe] = field(default_factory=_usual)
    parser: Recipe = field(default_factory=TransitionRecipe)

    @property
    def steps(self) -> dict[str, Recipe]:
        """The recipes of all steps, in order; or of the one that is trained alone."""
        every = {name: self.beside[name] for name in self.beside if name != GRAPH}
        every[PARSER] = self.parser
        if GRAPH in self.beside and (self.enhanced != "none" or self.step == GRAPH):
            every[GRAPH] = self.beside[GRAPH]
        return {self.step: every[self.step]} if self.step else every

    @property
    def kept_steps(self) -> dict[str, str]:
        """The steps that are not trained, each with the model that it is taken from."""
        pairs = (pair.partition("=") for pair in self.keep_step.split("\n") if pair.strip())
        return {step.strip(): model.strip() for step, _, model in pairs}

    def check(self) -> None:
        """Reject values out of range in any step."""
        super().check()
        for step in self.steps.values():
            step.check()

    def check_together(self) -> None:
        """Reject a treebank cut into one part, two sources of word clusters, and names that there are not."""
        from treewright.kinds.pipeline.widening.widening import chosen_members

        chosen_members(self.widen)
        if self.jackknife == 1:
            raise CombinationError("jackknife is 1, but needs two parts at least; 0 means gold tags")
        if self.raw and self.vectors:
            raise CombinationError("raw and vectors both make word clusters: give one of them")
        for step, model in self.kept_steps.items():
            if step not in self.steps or not model:
                raise CombinationError(
                    f"keep_step {step!r}: give STEP=MODEL, with a step of {', '.join(self.steps)}: tagger=OLD.tw"
                )

    def completed(self) -> PipelineRecipe:
        """Return the recipe with the parser's choices made, and one seed for all steps."""
        seed = getattr(self.parser, "seed", 1)
        return replace(
            self,
            pipeline=True,
            parser=self.parser.in_pipeline().completed(),
            beside={step: recipe.with_seed(seed) for step, recipe in self.beside.items()},
        )

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing: those of steps that are not trained, clusters made of nothing."""
        idle = {f"{step}_{name}": why for step, recipe in self.beside.items() for name, why in recipe.idle().items()}
        idle.update(self.parser.idle())
        for step, recipe in {**self.beside, PARSER: self.parser}.items():
            why = f"only the {self.step} is trained" if self.step else f"the {step} is kept"
            if step == GRAPH and self.enhanced in ("none", "copy"):
                why = f"enhanced is {self.enhanced}"
            if step in self.kept_steps or step not in self.steps or (step == GRAPH and self.enhanced == "copy"):
                idle |= {_name(step, name): why for name in options_of(type(recipe)) if name != "seed"}
        if self.step:
            idle |= dict.fromkeys(_unused(self.step), f"only the {self.step} is trained")
        if self.raw or self.vectors:
            return {name: why for name, why in idle.items() if name != "clusters"}
        return {**idle, "clusters": "there is no --raw and no --vectors"}

    def to_dict(self) -> dict[str, OptionValue]:
        """Return the options of all steps as plain data."""
        own: dict[str, OptionValue] = {name: getattr(self, name) for name in options_of(PipelineRecipe)}
        own = {name: value for name, value in own.items() if value or name not in ("step", "keep_step")}
        for step, recipe in self.steps.items():
            own |= {_name(step, name): getattr(recipe, name) for name in options_of(type(recipe))}
        return {**own, "pipeline": True}


def _name(step: str, option: str) -> str:
    """Return the name that an option of a step has in a pipeline."""
    return option if step == PARSER else f"{step}_{option}"


def _unused(step: str) -> tuple[str, ...]:
    """Return the options of pipelines that do not count for a step alone: a tokeniser learns from no trees."""
    return {"tokenizer": ("jackknife", "widen", "silver"), GRAPH: ()}.get(step, ("jackknife",))


def step_options() -> dict[str, Option]:
    """Return the options of the steps beside the parser, under the names that they have in a pipeline."""
    return {
        _name(step, name): replace(declared, name=_name(step, name))
        for step, kind in steps_beside().items()
        for name, declared in options_of(kind).items()
    }
