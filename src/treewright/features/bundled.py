"""The feature models that come with treewright, and how one is found by name or file."""

from __future__ import annotations

from pathlib import Path

from treewright.errors import FeatureModelError
from treewright.features.language import FeatureModel, parse_model

_FOLDER = Path(__file__).parent / "models"


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
    return parse_model(text, name)
