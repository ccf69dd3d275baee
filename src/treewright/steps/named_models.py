"""Find models by name: the English ones, and those installed as packages (`treewright package` makes these).

The English models are bundled: a package of their own, since their licence is another, which pip installs beside this
one. Any other package names its model under the entry point group ``treewright_models``: the entry's name is the
model's, its value is the Python package that holds ``model.tw``. The package is found but not imported: nothing in it
runs.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from treewright.errors import ModelFileError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from pathlib import Path

ENGLISH = "treewright_english"  # the package of the bundled models
FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), ENGLISH)
if not os.path.isdir(FOLDER):  # not beside this package: in the source tree, or elsewhere on the path
    FOLDER = os.path.join(os.path.dirname(os.path.dirname(FOLDER)), "treewright-english", ENGLISH)
    if not os.path.isdir(FOLDER):
        from importlib.util import find_spec

        spec = find_spec(ENGLISH)
        FOLDER = os.path.dirname(spec.origin) if spec is not None and spec.origin else FOLDER
DEFAULT = "english"
BUNDLED = (DEFAULT, "english-fast")
ENTRY_POINTS = "treewright_models"
PLACE = "TREEWRIGHT_MODELS"  # the variable that names the folder of what `treewright models install` brings
LIST = "names.json"  # there: names of languages → the model of each
OWN = "installed"  # what stands for a package where `treewright models install` brought the model
FILE_IN_PACKAGE = "model.tw"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


class NamedModel(NamedTuple):
    """A model that is known by name; ``package`` and ``version`` are "" for a bundled one."""

    name: str
    path: Path
    package: str = ""
    version: str = ""


def named_models() -> list[NamedModel]:
    """Return all models that have a name: the bundled ones, then those installed, by name."""
    from pathlib import Path

    bundled = [NamedModel(file.stem, file) for file in sorted(Path(FOLDER).glob("*.tw"))]
    taken = {model.name for model in bundled}
    fetched = [NamedModel(file.stem, file, OWN) for file in sorted(Path(models_folder()).glob("*.tw"))]
    bundled += [model for model in fetched if model.name not in taken]
    taken |= {model.name for model in fetched}
    installed = {model.name: model for model in _installed() if model.name not in taken}
    return bundled + [installed[name] for name in sorted(installed)]


def is_model_file(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file is a model: safetensors begins with the length of its header in eight bytes."""
    try:
        with open(path, "rb") as file:
            start = file.read(9)
    except OSError:
        return False  # whatever reads it next reports the problem
    return len(start) == 9 and start[8:] == b"{" and int.from_bytes(start[:8], "little") < 1 << 32


def find_model(name: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path of a model: a file, or the name of a bundled or installed model where no file has that name."""
    if not isinstance(name, (str, os.PathLike)):
        raise ModelFileError(f"a model is a file or a name, not {name!r:.40}. Without one, load() gives {DEFAULT!r}")
    text = os.fspath(name)
    if not text:
        raise ModelFileError(f"the name of the model is empty. {_suggested(text)}")
    is_folder = os.path.isdir(text)
    path = name if os.path.exists(text) and not is_folder else path_of(text)
    if path is None and is_folder:
        return name
    if path is None and text in BUNDLED:
        raise ModelFileError(f"the model {text!r} is not installed: pip install 'treewright[english]'")
    if path is None and _NAME.fullmatch(text):
        raise ModelFileError(f"there is no file and no model called {text!r}. {_suggested(text)}")
    return path or name


def _suggested(name: str) -> str:
    """Return which model may be meant by a name: one whose parts begin so ("en", "en-fast"), or one spelt alike."""
    from treewright.errors import choices

    names = [model.name for model in named_models()]
    begun = sorted((other for other in names if _begins(name.lower(), other)), key=len)
    known = choices(name, names, {name: begun[0]} if begun else None)
    return f"{known}; `treewright models search {name}` looks for others, and `treewright train` makes them"


def _begins(parts: str, name: str) -> bool:
    """Say whether each part of a name begins, in order, some part of another."""
    rest = iter(name.lower().split("-"))
    return bool(parts) and all(any(other.startswith(part) for other in rest) for part in re.split("[-_]", parts))


def path_of(name: str) -> str | None:
    """Return where the model of a name is, bundled or installed; None where no model has it."""
    if not _NAME.fullmatch(name):
        return None
    path = os.path.join(FOLDER, f"{name}.tw")
    if os.path.isfile(path):
        return path
    return installed_path(name) or next((str(model.path) for model in _installed(name)), None)


def _installed(name: str | None = None) -> Iterator[NamedModel]:
    """Yield the installed models, or those of one name; an entry whose file is missing is passed over."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        if name not in (None, entry.name):
            continue
        path = _file_of(entry)
        if path is not None:
            package, version = (entry.dist.name, entry.dist.version) if entry.dist else ("", "")
            yield NamedModel(entry.name, path, package, version)


def _file_of(entry: EntryPoint) -> Path | None:
    from importlib.util import find_spec
    from pathlib import Path

    try:
        spec = find_spec(entry.module.partition(".")[0])  # of a package at the top, this imports nothing
    except (ImportError, ValueError):
        return None
    folders = spec.submodule_search_locations if spec is not None else None
    files = [Path(folder) / FILE_IN_PACKAGE for folder in folders or ()]
    return next((file for file in files if file.is_file()), None)


def models_folder() -> str:
    """Return the folder of installed models: as the environment says, or where the system keeps a user's data."""
    given = os.environ.get(PLACE)
    if given:
        return given
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(base, "treewright", "models")


def names_of(language: str) -> str:
    """Return the name of a language as it is looked for: without case, and with one kind of hyphen."""
    return language.casefold().replace("-", "_").strip()


def installed_path(name: str) -> str | None:
    """Return the file of an installed model, by its name or that of its language; None if there is none."""
    folder = models_folder()
    path = os.path.join(folder, f"{name}.tw")
    if os.path.isfile(path):
        return path
    import json

    try:
        with open(os.path.join(folder, LIST), encoding="utf-8") as file:
            meant = json.load(file).get(names_of(name))
    except (OSError, ValueError, AttributeError):
        return None
    path = os.path.join(folder, f"{meant}.tw")
    return path if isinstance(meant, str) and os.path.basename(path) == f"{meant}.tw" and os.path.isfile(path) else None
