"""The notations that a feature model can be written in: our own, that of 2005, and MaltParser's XML."""

from __future__ import annotations

from treewright.errors import FeatureModelError, unknown
from treewright.features.language import parse_model
from treewright.features.templates import FeatureModel

NOTATIONS = ("notation", "malt2005", "xml")


def notation_of(text: str) -> str:
    """Return which of NOTATIONS a feature model is written in."""
    from treewright.features.notations.malt2005 import looks_like_malt2005
    from treewright.features.notations.malt_xml import looks_like_xml

    if looks_like_xml(text):
        return "xml"
    return "malt2005" if looks_like_malt2005(text) else "notation"


def parse_any_notation(text: str, name: str = "features") -> FeatureModel:
    """Read a feature model in any notation."""
    notation = notation_of(text)
    if notation == "xml":
        from treewright.features.notations.malt_xml import parse_malt_xml

        return parse_malt_xml(text, name)
    if notation == "malt2005":
        from treewright.features.notations.malt2005 import parse_malt2005

        return parse_malt2005(text, name)
    return parse_model(text, name)


def written(model: FeatureModel, notation: str) -> str:
    """Return a model in one of NOTATIONS; reject templates that it cannot express."""
    if notation == "xml":
        from treewright.features.notations.malt_xml import to_malt_xml

        return to_malt_xml(model)
    if notation == "malt2005":
        from treewright.features.notations.malt2005 import to_malt2005

        return to_malt2005(model)
    if notation != "notation":
        raise FeatureModelError(unknown("notation", notation, NOTATIONS))
    return str(model)
