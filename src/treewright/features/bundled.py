"""The feature models that come with treewright, and how to find one by name or file."""

from __future__ import annotations

from pathlib import Path

from treewright.errors import FeatureModelError, unknown
from treewright.features.adaptation import for_system
from treewright.features.language import parse_model
from treewright.features.notations import parse_any_notation
from treewright.features.templates import FeatureModel

_FOLDER = Path(__file__).parent / "models"
#: bundled models for the pair of words that arc-eager links; other systems get them adapted to their own pairs
MADE_FOR_A_PAIR = ("fast", "lean", "malt", "rich", "tiny", "zhang-nivre")


def names_in(folder: Path) -> list[str]:
    """Return the names of the files of features in a folder of the package."""
    return sorted(path.stem for path in folder.glob("*.features"))


def text_of(name: str, folder: Path, what: str) -> tuple[str, bool]:
    """Return the text of a bundled file in a folder or of any other file, and whether it is bundled.

    ``what`` says in messages what the file should be.
    """
    if "\n" in name:  # the text itself, as configuration files hold it
        return name, False
    path = folder / f"{name}.features"
    if "/" not in name and "\\" not in name and path.is_file():
        return path.read_text(encoding="utf-8"), True
    try:
        return Path(name).read_text(encoding="utf-8-sig"), False
    except UnicodeDecodeError:
        raise FeatureModelError(f"{name}: not a {what}: it is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FeatureModelError(f"{unknown(what, name, names_in(folder))}; or give a file ({reason})") from None


def bundled_models() -> list[str]:
    """Return the names of the feature models that come with the package."""
    return names_in(_FOLDER)


def load_feature_model(name: str) -> FeatureModel:
    """Return a bundled feature model by name, or read one from a file."""
    text, bundled = text_of(name, _FOLDER, "feature model")
    return parse_model(text, name) if bundled else parse_any_notation(text, name)


def feature_model_for(name: str, system: str) -> FeatureModel:
    """Return a feature model by name or file; bundled ones are adapted to the words that the system links."""
    model = load_feature_model(name)
    return for_system(model, system) if name in MADE_FOR_A_PAIR else model
