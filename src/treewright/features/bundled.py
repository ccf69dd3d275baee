"""The feature models that come with treewright, and how one is found by name or file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from treewright.errors import FeatureModelError
from treewright.features.language import Address, FeatureModel, Function, Measure, parse_model

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


def for_arc_standard(model: FeatureModel) -> FeatureModel:
    """Return a model of templates for the pair (stack[0], input[0]) made for the pair (stack[1], stack[0]).

    The bundled models look at the two words that arc-eager may link next. In arc-standard these are the two topmost
    words of the stack: every address moves up by one.
    """

    def moved(address: Address) -> Address:
        if address.base == "stack":
            return replace(address, index=address.index + 1)
        if address.base == "input" and address.index == 0:
            return replace(address, base="stack")
        return replace(address, index=address.index - 1)

    def changed(function: Function) -> Function:
        if isinstance(function, Measure):
            return replace(function, addresses=tuple(map(moved, function.addresses)))
        return replace(function, address=moved(function.address))

    templates = tuple(replace(t, functions=tuple(map(changed, t.functions))) for t in model.templates)
    return replace(model, templates=templates)
