"""Models by their names: list those that are here, look for others, install, update and remove them, or build them all.

Nothing is fetched unless `install` or `update` asks for it; `search` reads the index alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.output_forms import print_json
from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_json

if TYPE_CHECKING:
    from treewright.apps.library.index import Entry, Index
    from treewright.steps.named_models import NamedModel


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.usage = "%(prog)s [search|install|update|remove|build …] [--json] [--names]"
    add_json(parser)
    parser.add_argument("--names", action="store_true", help="print the names and nothing else")
    actions = parser.add_subparsers(prog=parser.prog, dest="action", metavar="ACTION")
    for name, (declare, text, _) in ACTIONS.items():
        declare(actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}."))


def run(arguments: argparse.Namespace) -> int:
    """Print the list, or run the action."""
    if arguments.action:
        return ACTIONS[arguments.action][2](arguments)
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
        origin = f"{row['package']} {row['version']}".strip() if row["package"] else "bundled"
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


# Actions


def _add_index(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--index", metavar="PLACE", help="address, folder or file of the index (default: ours)")


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", default="", metavar="NAME", help="model or language: fr, French, fr_sequoia")
    _add_index(parser)
    add_json(parser)


def _add_install(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME", help="model or language: fr, French, fr_sequoia")
    _add_index(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no messages")


def _add_update(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="models (default: all that are installed)")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no messages")


def _add_remove(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME", help="installed models")


def _add_build(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="a release of Universal Dependencies, or folders of treebanks")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="where models, index and report go")
    parser.add_argument("--speed", metavar="POINT", help="recipe of all models (default: by the size of each treebank)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these treebanks alone, as in fr_sequoia")
    parser.add_argument("--best-of", nargs="+", default=[], metavar="NAME", help="defaults of their languages")
    parser.add_argument("--newer", action="store_true", help="train again where the treebank or the version changed")
    parser.add_argument("--shard", metavar="I/N", help="a part of the treebanks: 1/4 on the first of four machines")
    parser.add_argument("-q", "--quiet", action="store_true", help="no messages but errors")


def _search(arguments: argparse.Namespace) -> int:
    from treewright.apps.library.index import chosen_place, plain, read_index

    index = read_index(chosen_place(arguments.index))
    wanted = plain(arguments.what)
    found = [one for one in index if one.is_called(wanted) or plain(one.name).startswith(wanted)]
    if arguments.json:
        print_json([one.to_dict() for one in found])
    for one in () if arguments.json else found:
        raw = one.scores.get("raw text", {})
        score = f", LAS {raw['LAS']:.1f} from raw text" if "LAS" in raw else ""
        language = one.languages[1] if len(one.languages) > 1 else "".join(one.languages)
        print(f"{one.name}  ({language}, {one.bytes / 1e6:.1f} MB{score})")
        print(f"  {one.treebank or one.description}  {one.licence}")
    return 0 if found else 1


def _install(arguments: argparse.Namespace) -> int:
    from treewright.apps.library.index import chosen_place, read_index

    index = read_index(chosen_place(arguments.index))
    for entry in [index.one(name) for name in arguments.names]:
        _bring(index, entry, arguments.quiet)
    return 0


def _bring(index: Index, entry: Entry, quiet: bool) -> None:
    from treewright.apps.cli.progress.byte_progress import ByteBar
    from treewright.apps.library.installed import install

    with ByteBar([entry.bytes], quiet) as bar:
        fresh = install(index, entry, bar)
    if not quiet:
        told = f"installed ({entry.bytes / 1e6:.1f} MB; {entry.licence})" if fresh else "is here already"
        say(f"{entry.name} {told}. Use it by name: treewright parse {entry.name} TEXT")


def _update(arguments: argparse.Namespace) -> int:
    from treewright.apps.library.index import read_index
    from treewright.apps.library.installed import installed

    names = set(arguments.names)
    for one in installed():
        if not names or one.entry.name in names:
            index = read_index(one.index)
            for entry in index:
                if entry.name == one.entry.name and entry.sha256 != one.entry.sha256:
                    _bring(index, entry, arguments.quiet)
    return 0


def _remove(arguments: argparse.Namespace) -> int:
    from treewright.apps.library.installed import remove

    for name in arguments.names:
        say(f"removed {remove(name).path}")
    return 0


def _build(arguments: argparse.Namespace) -> int:
    from treewright.apps.library.building import build

    return build(arguments)


Declare = Callable[[argparse.ArgumentParser], None]
ACTIONS: dict[str, tuple[Declare, str, Callable[[argparse.Namespace], int]]] = {
    "search": (_add_search, "look for models in an index", _search),
    "install": (_add_install, "fetch models of an index, so that their names can be used", _install),
    "update": (_add_update, "fetch what has changed in the indexes that models came from", _update),
    "remove": (_add_remove, "remove installed models", _remove),
    "build": (_add_build, "train, score and pack a model of every treebank in a folder, with an index of them", _build),
}
