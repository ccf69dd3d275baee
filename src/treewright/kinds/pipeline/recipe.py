"""The recipes of what comes before a parser: tokeniser and tagger; and of all steps as one pipeline."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from treewright.errors import CombinationError
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.options import topics
from treewright.options.option import Option, OptionValue, count, option, options_of
from treewright.options.recipe import Recipe
from treewright.recipes.raw_options import clusters_option, raw_option


def _seeds(trainings: str, in_large: int) -> int:
    """Declare how many trainings are averaged; large treebanks need fewer."""
    usual = f"4 in treebanks of fewer than 100,000 words, else {in_large}"
    return count(0, f"{trainings} whose weights are averaged", topics.TEXT, 0, 100, usual)


@dataclass(frozen=True)
class TokenizerRecipe(Recipe):
    """The recipe of a tokeniser and sentence splitter."""

    kind: ClassVar[str] = "tokenizer"
    whose: ClassVar[str] = "tokenisers"

    iterations: int = count(10, "tokeniser: rounds over the text", topics.TEXT)
    cutoff: int = count(2, "tokeniser: mistakes before a feature counts", topics.TEXT, 1, 200)
    margin: float = option(60.0, "tokeniser: lead that the right label must have", topics.TEXT, minimum=0, maximum=1e6)
    seeds: int = _seeds("tokeniser: trainings in different orders", 5)
    seed: int = 1


@dataclass(frozen=True)
class TaggerRecipe(Recipe):
    """The recipe of a tagger."""

    kind: ClassVar[str] = "tagger"
    whose: ClassVar[str] = "taggers"

    search: str = option(
        "twice",
        "tagger: choose tags word by word, once or again with those of the words after; or together, by a beam or "
        "(looking one tag back) by Viterbi's algorithm",
        topics.TEXT,
        choices=("greedy", "twice", "beam", "viterbi"),
    )
    width: int = count(
        8, "tagger: sequences in a beam; tags of each word that viterbi tries, 0: all", topics.TEXT, 0, 256
    )
    iterations: int | None = count(
        None,
        "tagger: rounds over the treebank",
        topics.TEXT,
        usual="16 in treebanks of fewer than 100,000 words, else 12",
    )
    cutoff: int = count(2, "tagger: mistakes before a feature counts", topics.TEXT, 1, 200)
    margin: float = option(100.0, "tagger: lead that the right tag must have", topics.TEXT, minimum=0, maximum=1e6)
    dropout: float = option(
        2.0,
        "tagger: D makes a word of n occurrences unknown with probability D/(D+n), so that endings are learnt",
        topics.TEXT,
        metavar="D",
        minimum=0,
        maximum=1e6,
    )
    compose: bool = option(
        False, "tagger: try tags that the treebank lacks, made of the attributes of those that it has", topics.TEXT
    )
    least: float = option(
        1.0, "tagger: smallest weight kept, in treebanks of 100,000 words or more", topics.TEXT, minimum=0, maximum=1e6
    )
    seeds: int = _seeds("tagger: trainings with different seeds", 1)
    seed: int = 1

    def check_together(self) -> None:
        """Reject a beam without any sequence."""
        if self.search == "beam" and self.width == 0:
            raise CombinationError("a beam of width 0 holds nothing: width must be at least 1")

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing: the width of a search that is none."""
        return {"width": f"search is {self.search}"} if self.search in ("greedy", "twice") else {}


#: steps before the parser → how the names of their options begin
STEPS: dict[str, type[Recipe]] = {"tokenizer": TokenizerRecipe, "tagger": TaggerRecipe}


@dataclass(frozen=True)
class PipelineRecipe(Recipe):
    """The recipe of tokeniser, tagger and parser as one model. Its options are those of all steps."""

    kind: ClassVar[str] = "pipeline"
    whose: ClassVar[str] = "pipelines"

    pipeline: bool = option(False, "train tokeniser and tagger too: a model for raw text", topics.TEXT)
    jackknife: int = count(
        4, "parts tagged by taggers that have not seen them, for the parser to learn from; 0: gold tags", topics.TEXT, 0
    )
    short_sentences: int = option(
        0,
        "short sentences (subject, verb, object) cut from the treebank's trees, for tagger and parser to learn from",
        topics.TEXT,
        metavar="N",
        minimum=0,
    )
    raw: str = raw_option()
    vectors: str = option(
        "", "word vectors (word2vec, fastText, GloVe as text) to make word clusters of", topics.TEXT, metavar="FILE"
    )
    clusters: int = clusters_option("--raw or --vectors")
    tokenizer: TokenizerRecipe = field(default_factory=TokenizerRecipe)
    tagger: TaggerRecipe = field(default_factory=TaggerRecipe)
    parser: Recipe = field(default_factory=TransitionRecipe)

    def check(self) -> None:
        """Reject values out of range in any step."""
        super().check()
        for step in (self.tokenizer, self.tagger, self.parser):
            step.check()

    def check_together(self) -> None:
        """Reject a treebank cut into one part, and two sources of word clusters."""
        if self.jackknife == 1:
            raise CombinationError("jackknife is 1, but needs two parts at least; 0 means gold tags")
        if self.raw and self.vectors:
            raise CombinationError("raw and vectors both make word clusters: give one of them")

    def completed(self) -> PipelineRecipe:
        """Return the recipe with the parser's choices made, and one seed for all steps."""
        seed = getattr(self.parser, "seed", 1)
        return replace(
            self,
            pipeline=True,
            parser=self.parser.in_pipeline().completed(),
            tokenizer=replace(self.tokenizer, seed=seed),
            tagger=replace(self.tagger, seed=seed),
        )

    def idle(self) -> dict[str, str]:
        """Return the parser's options that change nothing, and a number of clusters that nothing is made into."""
        steps = {"tokenizer": self.tokenizer, "tagger": self.tagger}
        idle = {f"{step}_{name}": why for step, recipe in steps.items() for name, why in recipe.idle().items()}
        idle.update(self.parser.idle())
        if self.raw or self.vectors:
            return {name: why for name, why in idle.items() if name != "clusters"}
        return {**idle, "clusters": "there is no --raw and no --vectors"}

    def to_dict(self) -> dict[str, OptionValue]:
        """Return the options of all steps as plain data."""
        steps = {
            f"{step}_{name}": getattr(getattr(self, step), name)
            for step, kind in STEPS.items()
            for name in options_of(kind)
        }
        own = {name: getattr(self, name) for name in ("jackknife", "short_sentences", "raw", "vectors", "clusters")}
        return {"pipeline": True, **own, **steps, **self.parser.to_dict()}


def step_options() -> dict[str, Option]:
    """Return the options of the steps before the parser, under the names that they have in a pipeline."""
    return {
        f"{step}_{name}": replace(declared, name=f"{step}_{name}")
        for step, kind in STEPS.items()
        for name, declared in options_of(kind).items()
    }
