"""The feature models that come with treewright, and how one is found by name or file."""

from __future__ import annotations

from pathlib import Path

from treewright.errors import CombinationError, FeatureModelError
from treewright.features.adaptation import for_system
from treewright.features.language import parse_model
from treewright.features.notations import parse_any_notation
from treewright.features.templates import FeatureModel
from treewright.systems.system import System

_FOLDER = Path(__file__).parent / "models"
#: bundled models for the pair of words that arc-eager links, which other systems get with their own pairs
MADE_FOR_A_PAIR = ("lean", "malt", "rich", "zhang-nivre")


def bundled_models() -> list[str]:
    """Return the names of the feature models that come with the package."""
    return sorted(path.stem for path in _FOLDER.glob("*.features"))


def load_feature_model(name: str) -> FeatureModel:
    """Return a bundled feature model by name, or read one from a file."""
    path = _FOLDER / f"{name}.features"
    if "/" not in name and "\\" not in name and path.is_file():
        return parse_model(path.read_text(encoding="utf-8"), name)
    try:
        text = Path(name).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FeatureModelError(f"{name}: not a feature model: it is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FeatureModelError(
            f"there is no feature model {name!r} ({reason}): name a file or one of {', '.join(bundled_models())}"
        ) from None
    return parse_any_notation(text, name)


def feature_model_for(name: str, system: str) -> FeatureModel:
    """Return a feature model by name or file, a bundled one made for the words that the system links."""
    model = load_feature_model(name)
    return for_system(model, system) if name in MADE_FOR_A_PAIR else model


def check_addresses(model: FeatureModel, system: System) -> None:
    """Refuse a feature model that looks at what the system's configurations do not have."""
    for address in model.addresses:
        if address.base not in system.addresses:
            raise CombinationError(
                f"{model.name}: {system.name} has no {address.base}, which {address} looks at: choose another feature"
                f" model, with {' and '.join(system.addresses)} alone"
            )
