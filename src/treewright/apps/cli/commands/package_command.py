"""Make a package of a model that pip installs: a wheel with the model, a model card, a licence and a name.

Where it is installed, the model is found by its name: treewright parse NAME, tw.load("NAME").
"""

from __future__ import annotations

import argparse

from treewright.apps.cli.program import say
from treewright.errors import TreewrightError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("model", metavar="MODEL", help="model file that `treewright train` wrote")
    parser.add_argument(
        "-o", "--output", default=".", metavar="FOLDER", help="folder for the wheel (default: this one)"
    )
    parser.add_argument("--name", metavar="NAME", help="name of the model, as in fr_sequoia (default: the file's name)")
    parser.add_argument("--version", default="1.0.0", metavar="X.Y.Z", help="version of the package (default: 1.0.0)")
    parser.add_argument("--lang", metavar="CODE", help="language, for the model card: fr, en, …")
    parser.add_argument("--licence", default="", metavar="TEXT", help="licence (default: the one that the model names)")
    parser.add_argument(
        "--licence-file", metavar="FILE", help="file with the text of the licence, to go with the model"
    )
    parser.add_argument("--description", default="", metavar="TEXT", help="one line (default: the model's)")
    parser.add_argument("--author", default="", metavar="TEXT", help="who made the model")


def run(arguments: argparse.Namespace) -> int:
    """Write the wheel and say how to install it."""
    import os

    from treewright.apps.sharing.wheel import About, write_wheel
    from treewright.steps.named_models import find_model

    model = os.fspath(find_model(arguments.model))
    if not os.path.isdir(arguments.output):
        raise TreewrightError(f"{arguments.output}: -o is an existing folder; the wheel gets its name from the model")
    about = About(
        name=arguments.name or _name_from(model),
        version=arguments.version,
        licence=arguments.licence,
        licence_text=_text_of(arguments.licence_file) if arguments.licence_file else "",
        description=arguments.description,
        author=arguments.author,
        language=arguments.lang,
    )
    path = write_wheel(model, about, arguments.output)
    say(f"wrote {path}. Install it with: pip install {path}")
    return 0


def _name_from(model: str) -> str:
    import os

    stem = os.path.basename(model).partition(".")[0]
    return stem.lower().replace("-", "_").replace(" ", "_")


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise TreewrightError(f"--licence-file {path}: {reason}") from None
