"""Show, check or convert a feature model, bundled or from a file, in any of its notations.

The notations are our own, the tab-separated one of Hall, Nivre & Nilsson 2005 (malt2005), and MaltParser's XML.
"""

from __future__ import annotations

import argparse

from treewright.apps.cli.output_forms import write_document
from treewright.apps.cli.shared_arguments import add_output, add_to
from treewright.errors import TreewrightError
from treewright.features.feature_lists import LISTED, text_of_features
from treewright.features.notations import NOTATIONS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "action", choices=("show", "check", "convert"), metavar="ACTION", help="show, check or convert the model"
    )
    parser.add_argument(
        "model",
        metavar="NAME|FILE",
        help=f"a bundled model or a file, in any notation; to show, also {', '.join(LISTED)}",
    )
    add_to(parser, "notation to convert to", "notation, our own", NOTATIONS)
    parser.add_argument("--system", metavar="NAME", help="a bundled model as this system gets it")
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from treewright.features.bundled import feature_model_for, load_feature_model
    from treewright.features.explanation import explain_template, needs
    from treewright.features.extractor import Extractor
    from treewright.features.notations import written

    if arguments.to is not None and arguments.action != "convert":
        raise TreewrightError(f"--to is for `features convert`: {arguments.action} writes our own notation")
    name = arguments.model
    if name in LISTED and arguments.action == "show":
        write_document(text_of_features(name), "-")
        return 0
    model = feature_model_for(name, arguments.system) if arguments.system else load_feature_model(name)
    Extractor(model, [])  # refuses what is beyond its limits
    if arguments.action == "check":
        text = f"{name}: {len(model.templates)} templates; {needs(model)}\n"
    elif arguments.action == "convert":
        text = written(model, arguments.to or "notation")
    else:
        lines = [f"# {len(model.templates)} templates; {needs(model)}"]
        explained = iter(model.templates)
        for line in str(model).splitlines():
            lines.append(line if line.startswith("[") else f"{line}  # {explain_template(next(explained))}")
        text = "\n".join(lines)
    write_document(text, arguments.output)
    return 0
