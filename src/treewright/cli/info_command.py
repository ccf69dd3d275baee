"""Show what a model is and how it was made."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from treewright.errors import TreewrightError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("model", help="model file, or `english`, which is bundled")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--features", action="store_true", help="print the feature model and nothing else")


def run(arguments: argparse.Namespace) -> int:
    """Print a model's header."""
    from treewright.parsing.parser import Parser
    from treewright.text.bundled import find_model

    arguments.model = os.fspath(find_model(arguments.model))
    parser = Parser.load(arguments.model)
    if arguments.features:
        if "features" not in parser.settings:
            raise TreewrightError(f"{arguments.model}: a model without a feature model of its own")
        print(parser.settings["features"], end="")
        return 0
    details = {
        "file": arguments.model,
        "bytes": os.path.getsize(arguments.model),
        **parser.details(),
        **parser.info,
    }
    if arguments.json:
        print(json.dumps(details, ensure_ascii=False, indent=2))
    else:
        print("\n".join(lines_of(details)))
    return 0


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
