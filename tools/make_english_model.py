"""Train a bundled English model: the recorded recipes.

    python tools/make_english_model.py FOLDER [english | english-fast] [--raw TEXT] [--silver TREES] [-o FILE]
    python tools/make_english_model.py FOLDER english --goes-on-from OLD --voter FAST [--raw TEXT] [--silver TREES]

FOLDER holds the three files of UD English EWT. `english` has a hybrid parser (a network and
a greedy parser that votes), and its training needs PyTorch; `english-fast` has a greedy parser alone.
`--raw` learns word clusters, too, `--silver` from trees of parsers (tools/silver_trees.py): name the text's licence
beside the model.
`--goes-on-from` lets the network of `english` go on from that of another model, in a fifth of the time, beside the
parser of `--voter`; all other steps are trained anew.
`--only-tokenizer` trains the tokeniser of a bundled model again and keeps its other steps, which do not depend on it.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from treewright.learners.frozen import FrozenWeights, prune

from treewright import load, train_pipeline
from treewright.apps.cli.progress.training_progress import TrainingProgress
from treewright.kinds.network.members import without_small_weights
from treewright.kinds.network.parser import NeuralParser
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.kinds.pipeline.raw_text_scores import raw_text_scores
from treewright.kinds.pipeline.recipe import PipelineRecipe
from treewright.kinds.pipeline.training import PipelineTrainer
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.kinds.tokenizer.training import train_tokenizer
from treewright.kinds.transition.parser import TransitionParser
from treewright.recipes.catalogue import recipe_from
from treewright.steps.pipeline import Pipeline
from treewright.training.gathering import Gathered, gather

LICENCE = (
    "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/); trained on UD English EWT 2.16, with novels of"
    " ELTeC-eng (public domain)"
)
DESCRIPTION = "English, all genres of UD EWT: tokeniser, tagger, lemmatiser, {} parser and enhanced graphs"
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
#: how a network goes on: in few rounds and small steps, with as much left out as when its weights were learnt
GOING_ON = {"iterations": 4, "rate": 0.001, "dropout": 0.33, "recurrent_dropout": 0.0, "label_smoothing": 0.0}
#: the least quantised weights that are kept, for the size of the wheel
LEAST_OF_TOKENIZER, LEAST_OF_TAGGER, LEAST_OF_VOTER, LEAST_OF_PARSER = 6, 3, 6, 3


def without_small_weights_of(pipeline: Pipeline, dev: Gathered) -> Pipeline:
    """Return a pipeline without the small weights of its linear parts; the tagger of `english-fast` has none."""
    tokenizer, tagger, parser, *graph = pipeline.steps.values()
    for name in ("raw", "silver"):  # where the files were says nothing to others
        pipeline.info["recipe"][name] = Path(pipeline.info["recipe"][name]).name
    assert isinstance(tokenizer, Tokenizer)
    assert isinstance(tagger, Tagger)
    if isinstance(parser, NeuralParser):
        members = [without_small_weights(member, LEAST_OF_VOTER) for member in parser.members]
        parser = NeuralParser(parser.settings, parser.arrays, parser.info, members)
        tagger = tagger.with_weights(prune(tagger.weights, LEAST_OF_TAGGER))
    elif isinstance(parser, TransitionParser) and isinstance(parser.weights, FrozenWeights):
        parser = TransitionParser(parser.settings, prune(parser.weights, LEAST_OF_PARSER), parser.info)
    return scored(Pipeline([lighter_tokenizer(tokenizer), tagger, parser, *graph], pipeline.info), dev)


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
    options = {**RECIPES[name][1], **about(name), **given}
    return train_pipeline(train_file, dev_file, observer=TrainingProgress(moves=False), **options)


def about(name: str) -> dict[str, str]:
    """Return what a model says of itself."""
    return {"licence": LICENCE, "description": DESCRIPTION.format(RECIPES[name][0])}


def gone_on(name: str, train_file: Path, dev_file: Path, given: dict[str, Any], old: str, voter: str) -> Pipeline:
    """Return a bundled model whose network goes on from an old one, with another parser that votes."""
    recipe = recipe_from({**RECIPES[name][1], **GOING_ON, **given, "pipeline": True})
    assert isinstance(recipe, PipelineRecipe)
    assert isinstance(recipe.parser, NeuralRecipe)
    recipe = replace(recipe, parser=replace(recipe.parser, raw=""))  # a network keeps its inputs
    before = load(old)
    network, beside = before.steps["parser"], load(voter).steps["parser"]
    assert isinstance(network, NeuralParser)
    members = [member._replace(parser=beside) for member in network.members]
    base = NeuralParser(network.settings, network.arrays, {"recipe": before.info["recipe"]}, members)
    data, dev = gather(train_file), gather(dev_file)
    pipeline = PipelineTrainer(recipe, Pipeline([base])).run(data, dev, TrainingProgress(moves=False), about(name))
    assert isinstance(pipeline, Pipeline)
    return pipeline


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("name", nargs="?", default="english", choices=tuple(RECIPES))
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--jackknife", type=int)
    parser.add_argument("--iterations", type=int, help="rounds of the parser")
    parser.add_argument("--rate", type=float, help="of a network that learns")
    parser.add_argument("--keep-step", metavar="STEP=MODEL", help="as for `treewright train`: tokenizer=english")
    parser.add_argument("--raw", help="raw text to learn word clusters from")
    parser.add_argument("--silver", help="trees of parsers to learn from, too: tools/silver_trees.py")
    parser.add_argument("--goes-on-from", help="model with the network to go on from")
    parser.add_argument("--voter", help="model with the parser that votes beside it", default="english-fast")
    parser.add_argument("--only-tokenizer", action="store_true")
    arguments = parser.parse_args()
    output = arguments.output or Path(f"treewright-english/treewright_english/{arguments.name}.tw")
    train_file, dev_file = (arguments.folder / f"en_ewt-ud-{part}.conllu" for part in ("train", "dev"))
    every = {
        name: getattr(arguments, name) for name in ("jackknife", "iterations", "rate", "keep_step", "raw", "silver")
    }
    given = {name: value for name, value in every.items() if value is not None}
    if arguments.only_tokenizer:
        if given:
            parser.error(f"{', '.join(given)}: not with --only-tokenizer")
        pipeline = with_new_tokenizer(arguments.name, train_file, dev_file)
    else:
        if arguments.goes_on_from:
            sources = arguments.goes_on_from, arguments.voter
            pipeline = gone_on(arguments.name, train_file, dev_file, given, *sources)
        else:
            pipeline = trained(arguments.name, train_file, dev_file, given)
        pipeline = without_small_weights_of(pipeline, gather(dev_file))
    pipeline.save(output, packed=True)  # half the size; loading takes 0.02 s longer
    print(f"{output}: {output.stat().st_size / 1e6:.1f} MB, dev {pipeline.info['dev']}")


if __name__ == "__main__":
    main()
