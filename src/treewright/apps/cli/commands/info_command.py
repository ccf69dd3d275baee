"""Show what a model is and how it was made."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from treewright.apps.cli.output_forms import print_json
from treewright.apps.cli.shared_arguments import add_json
from treewright.errors import TreewrightError

if TYPE_CHECKING:
    from treewright.features.templates import FeatureModel
    from treewright.steps.step import Step


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("model", metavar="MODEL", help="model file, or the name of a model")
    add_json(parser)
    parser.add_argument(
        "--print",
        choices=("features", "recipe"),
        metavar="WHAT",
        help="print this alone: features, the feature model; recipe, the TOML file that makes the model again",
    )
    parser.add_argument("--check", action="store_true", help="check the file, say what is wrong with it, and no more")


def run(arguments: argparse.Namespace) -> int:
    """Print a model's header."""
    from treewright import load
    from treewright.steps.named_models import find_model

    if arguments.json and arguments.print is not None:
        raise TreewrightError("--json and --print each say what to print: give one of them")
    arguments.model = os.fspath(find_model(arguments.model))
    parser = load(arguments.model)
    if arguments.check:
        print(checked(arguments.model))
        return 0
    if arguments.print == "features":
        if not parser._feature_text:
            raise TreewrightError(f"{arguments.model}: a model without a feature model of its own")
        print(parser._feature_text, end="")
        return 0
    if arguments.print == "recipe":
        print(config_of(parser), end="")
        return 0
    own = parser._details()  # comes first, and counts where the training says something else by the same name
    details = {
        "file": arguments.model,
        "bytes": os.path.getsize(arguments.model),
        **(own | parser.info | own),
        **_as_in_paper(parser.info.get("recipe", {})),
    }
    if arguments.json:
        print_json(details)
    else:
        print("\n".join(lines_of(details)))
    return 0


def _as_in_paper(recipe: dict[str, Any]) -> dict[str, Any]:
    """Return where a model differs from the paper that it was trained after."""
    from treewright.recipes.papers import differences

    if not recipe.get("as_paper"):
        return {}
    changed = {name: f"{ours} (in the paper: {paper})" for name, (paper, ours) in differences(recipe).items()}
    return {"differs_from_the_paper": changed or "nothing"}


def checked(path: str) -> str:
    """Return what is known of a model file that has been loaded, and so has passed all checks."""
    from treewright.steps.border.container import has_digest, read_whole, unpack

    data = read_whole(path)
    count = len(unpack(data).arrays)
    told = "and the digest matches" if has_digest(data) else "but there is no digest: an early version wrote the file"
    return f"{path}: {len(data):,} bytes, {count} arrays: the header and all arrays are as they should be, {told}"


def config_of(parser: Step) -> str:
    """Return the TOML file that makes a model again, for `treewright train --config`."""
    from treewright.recipes.catalogue import known_of, recipe_from
    from treewright.recipes.toml_file import config_text
    from treewright.steps.kinds import IN_NO_PIPELINE, kind_of_model

    if kind_of_model(parser.kind).step == IN_NO_PIPELINE:
        raise TreewrightError(
            f"no configuration of `treewright train` makes a {parser.role}. See its recipe without --print"
        )
    kept = {name: value for name, value in known_of(parser.info.get("recipe", {})).items() if value is not None}
    notes = [f"Made by treewright {parser.info.get('version', 'of an unknown version')}. To make the model again:"]
    training, dev = parser.info.get("training", {}), parser.info.get("dev", {})
    files = " ".join([training.get("name", "TREEBANK"), *(["--dev", dev["name"]] if "name" in dev else [])])
    notes.append(f"treewright train {files} --config THIS-FILE -o MODEL.tw")
    if kept.get("learner") == "sklearn":
        notes.append(f"Its learner was given from Python: {kept.pop('learner_options', '')}")
        return config_text({name: value for name, value in kept.items() if name != "learner"}, tuple(notes))
    if "continued_from" in parser.info:
        notes.append("It went on from another model, which --init-from must name.")
    if parser._feature_text and kept.get("system") != "exact" and not _is_bundled(parser, kept):
        kept["features"] = parser._feature_text
    return config_text(recipe_from(kept, allow_idle=True).to_config(), tuple(notes))


def _is_bundled(parser: Step, recipe: dict[str, Any]) -> bool:
    """Does the name in a recipe still mean the parser's templates? Earlier versions may have had others of that name.

    Training may add templates: for word clusters, and for the bias of a batch learner. To a batch learner all templates
    help with all decisions.
    """
    from treewright.features.bundled import bundled_models
    from treewright.features.language import parse_model

    if recipe.get("features") not in bundled_models():
        return False
    learner = recipe.get("learner", "perceptron")
    in_batches = learner not in ("perceptron", "neural")
    todays, kept = (
        {(str(template), () if in_batches else template.parts) for template in model.templates}
        for model in (_bundled_model(parser, recipe, learner), parse_model(parser._feature_text))
    )
    return todays <= kept


def _bundled_model(parser: Step, recipe: dict[str, Any], learner: str) -> FeatureModel:
    """Return what the name of a recipe's feature model stands for today, for its kind of parser."""
    from treewright.features.bundled import feature_model_for, load_feature_model
    from treewright.kinds.graph.training import graph_feature_model
    from treewright.steps.call import GRAPHS

    name, system = recipe["features"], recipe.get("system", "arc-eager")
    if learner == "neural":
        return load_feature_model(name)
    return graph_feature_model(name, system) if GRAPHS in parser.capabilities else feature_model_for(name, system)


def lines_of(details: dict[str, Any], indent: str = "") -> list[str]:
    """Return nested settings as readable lines."""
    lines: list[str] = []
    for key, value in details.items():
        name = f"{indent}{key.replace('_', ' ')}"
        if isinstance(value, dict):
            lines.append(name)
            lines.extend(lines_of(value, indent + "  "))
        elif isinstance(value, list):
            lines.append(f"{name:24} {', '.join(map(str, value)) or '-'}")
        else:
            shown = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else value
            lines.append(f"{name:24} {'-' if value in ('', None) else shown}")
    return lines
