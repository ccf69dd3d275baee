"""List the models that are found by name: the bundled ones, and those installed with pip."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from treewright.apps.cli.output_forms import print_json
from treewright.apps.cli.shared_arguments import add_json

if TYPE_CHECKING:
    from treewright.steps.named_models import NamedModel


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_json(parser)
    parser.add_argument("--names", action="store_true", help="print the names and nothing else")


def run(arguments: argparse.Namespace) -> int:
    """Print the list."""
    from treewright.steps.named_models import named_models

    models = named_models()
    if arguments.names:
        print("".join(f"{model.name}\n" for model in models), end="")
        return 0
    rows = [_about(model) for model in models]
    if arguments.json:
        print_json(rows)
        return 0
    for row in rows:
        origin = f"{row['package']} {row['version']}" if row["package"] else "bundled"
        print(f"{row['name']}  ({origin}, {row['bytes'] / 1e6:.1f} MB)")
        for key in ("problem", "description", "licence", "file"):
            if row.get(key):
                print(f"  {row[key]}")
    return 0


def _about(model: NamedModel) -> dict[str, Any]:
    """Return what a model's header says; one that cannot be read says why."""
    from treewright.errors import ModelFileError
    from treewright.steps.border.container import read_model

    row: dict[str, Any] = {
        "name": model.name,
        "package": model.package,
        "version": model.version,
        "file": str(model.path),
        "bytes": model.path.stat().st_size,
    }
    try:
        info = read_model(model.path).header.get("info", {})
    except ModelFileError as error:
        return {**row, "problem": str(error)}
    described = {key: info.get(key) or "" for key in ("description", "licence")}
    return {**row, **described, "dev": info.get("dev", {})}
