"""The kinds of parsers that a model file can hold by themselves, or as the last step of a pipeline."""

from __future__ import annotations

from treewright.errors import ModelFileError
from treewright.parsing.parser import Parser


def kind_of(kind: object) -> type[Parser]:
    """Return the class for a kind of parser, as model files name it; each is imported when such a model is met."""
    if kind == "transition":
        from treewright.parsing.transition import TransitionParser

        return TransitionParser
    if kind == "dag":
        from treewright.parsing.graph import GraphParser

        return GraphParser
    if kind in ("exact", "graph"):  # the second is what models of earlier versions say
        from treewright.exact.parser import ExactParser

        return ExactParser
    raise ModelFileError(f"a model of kind {kind!r}, which this version does not know")
