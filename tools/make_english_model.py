"""Train a bundled English model: the recorded recipes.

    python tools/make_english_model.py FOLDER [english | english-fast] [--raw TEXT | --only-tokenizer] [-o FILE]

FOLDER holds the three files of UD English EWT. `english` has a hybrid parser (a network and
a greedy parser that votes), and its training needs PyTorch; `english-fast` has a greedy parser alone.
`--raw` learns word clusters, too: name the text's licence beside the model.
`--only-tokenizer` trains the tokeniser of a bundled model again and keeps its other steps, which do not depend on it.
"""

import argparse
from pathlib import Path
from typing import Any

from treewright.learners.frozen import FrozenWeights, prune

from treewright import load, train_pipeline
from treewright.apps.cli.progress.training_progress import TrainingProgress
from treewright.kinds.network.members import without_small_weights
from treewright.kinds.network.parser import NeuralParser
from treewright.kinds.pipeline.raw_text_scores import raw_text_scores
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.kinds.tokenizer.training import train_tokenizer
from treewright.kinds.transition.parser import TransitionParser
from treewright.steps.pipeline import Pipeline
from treewright.training.gathering import Gathered, gather

LICENCE = "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/); trained on UD English EWT 2.16"
DESCRIPTION = "English, all genres of UD EWT: tokeniser, tagger, lemmatiser and {} parser"
#: what the parser is, and the options that differ from the defaults, which have changed since for tokeniser and tagger;
#: the tagger is the largest part of the fast model: with fewer weights, its tags are hardly worse
RECIPES: dict[str, tuple[str, dict[str, Any]]] = {
    "english": (
        "hybrid",
        {
            "system": "hybrid",
            "members": "greedy",
            "tagger_least": 3.0,
            "word_width": 64,
            "lemma_width": 32,
            "buckets": 8192,
        },
    ),
    "english-fast": (
        "greedy",
        {
            "tokenizer_seeds": 1,
            "tagger_search": "greedy",
            "tagger_iterations": 16,
            "tagger_least": 5.0,
            "tagger_seeds": 1,
        },
    ),
}
#: the least quantised weights that are kept, for the size of the wheel
LEAST_OF_TOKENIZER, LEAST_OF_TAGGER, LEAST_OF_VOTER, LEAST_OF_PARSER = 6, 3, 8, 3


def without_small_weights_of(pipeline: Pipeline, dev: Gathered) -> Pipeline:
    """Return a pipeline without the small weights of its linear parts; the tagger of `english-fast` has none."""
    tokenizer, tagger, parser = pipeline.steps.values()
    assert isinstance(tokenizer, Tokenizer)
    assert isinstance(tagger, Tagger)
    if isinstance(parser, NeuralParser):
        members = [without_small_weights(member, LEAST_OF_VOTER) for member in parser.members]
        parser = NeuralParser(parser.settings, parser.arrays, parser.info, members)
        tagger = tagger.with_weights(prune(tagger.weights, LEAST_OF_TAGGER))
    elif isinstance(parser, TransitionParser) and isinstance(parser.weights, FrozenWeights):
        parser = TransitionParser(parser.settings, prune(parser.weights, LEAST_OF_PARSER), parser.info)
    return scored(Pipeline([lighter_tokenizer(tokenizer), tagger, parser], pipeline.info), dev)


def scored(pipeline: Pipeline, dev: Gathered) -> Pipeline:
    """Return the pipeline with its scores on raw text of dev."""
    scores = raw_text_scores(pipeline, dev)
    found = {"tokens_f1": scores["Tokens"], "sentences_f1": scores["Sentences"]}
    info = {**pipeline.info, "dev": {**pipeline.info["dev"], "tokenizer": found, "raw_text": scores}}
    return Pipeline(pipeline.steps, info)


def lighter_tokenizer(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokeniser without its small weights."""
    return Tokenizer(tokenizer.settings, prune(tokenizer.weights, LEAST_OF_TOKENIZER), tokenizer.clusters)


def with_new_tokenizer(name: str, train_file: Path, dev_file: Path) -> Pipeline:
    """Return a bundled model whose tokeniser was trained again, with its scores on dev."""
    old = load(name)
    assert isinstance(old, Pipeline)
    prefix = "tokenizer_"
    options = {key.removeprefix(prefix): value for key, value in RECIPES[name][1].items() if key.startswith(prefix)}
    tokenizer, dev = train_tokenizer(gather(train_file).blocks, TokenizerRecipe(**options)), gather(dev_file)
    return scored(Pipeline({**old.steps, "tokenizer": lighter_tokenizer(tokenizer)}, old.info), dev)


def trained(name: str, train_file: Path, dev_file: Path, given: dict[str, Any]) -> Pipeline:
    """Return a bundled model, all steps trained; options that are given count before those of the recipe."""
    kind, recipe = RECIPES[name]
    options = {**recipe, "enhanced": "none", "licence": LICENCE, "description": DESCRIPTION.format(kind), **given}
    return without_small_weights_of(
        train_pipeline(train_file, dev_file, observer=TrainingProgress(moves=False), **options), gather(dev_file)
    )


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("name", nargs="?", default="english", choices=tuple(RECIPES))
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--jackknife", type=int)
    parser.add_argument("--raw", help="raw text to learn word clusters from")
    parser.add_argument("--only-tokenizer", action="store_true")
    arguments = parser.parse_args()
    output = arguments.output or Path(f"src/treewright/models/{arguments.name}.tw")
    train_file, dev_file = (arguments.folder / f"en_ewt-ud-{part}.conllu" for part in ("train", "dev"))
    every = {name: getattr(arguments, name) for name in ("jackknife", "raw")}
    given = {name: value for name, value in every.items() if value is not None}
    if arguments.only_tokenizer:
        if given:
            parser.error(f"{', '.join(given)}: not with --only-tokenizer")
        pipeline = with_new_tokenizer(arguments.name, train_file, dev_file)
    else:
        pipeline = trained(arguments.name, train_file, dev_file, given)
    pipeline.save(output, packed=arguments.name == "english")  # the fast one is to load fast; a wheel is packed anyway
    print(f"{output}: {output.stat().st_size / 1e6:.1f} MB, dev {pipeline.info['dev']}")


if __name__ == "__main__":
    main()
