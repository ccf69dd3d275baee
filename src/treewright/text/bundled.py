"""The models that come with the package."""

from __future__ import annotations

import os
from pathlib import Path

from treewright.errors import ModelFileError

FOLDER = Path(__file__).parents[1] / "models"
DEFAULT = "english"


def bundled_model_path(name: str = DEFAULT) -> Path:
    """Return the file of a bundled model."""
    path = FOLDER / f"{name}.tw"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in FOLDER.glob("*.tw"))) or "none"
        raise ModelFileError(f"no bundled model named {name!r} (there are: {known}). `make model EWT=folder` makes it")
    return path


def find_model(name: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path of a model: a file, or the name of a bundled model where no file has that name."""
    text = os.fspath(name)
    if os.sep not in text and not os.path.exists(text) and (FOLDER / f"{text}.tw").is_file():
        return bundled_model_path(text)
    return name


def is_bundled(name: str) -> bool:
    """Say whether a bundled model has this name."""
    return os.sep not in name and (FOLDER / f"{name}.tw").is_file()
