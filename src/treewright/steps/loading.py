"""Models on disk: the file says of which kind a model is, and each kind is imported when one is met."""

from __future__ import annotations

import os

from treewright.errors import MissingExtraError, ModelFileError, TreewrightError
from treewright.steps.border.arrays import check_arrays
from treewright.steps.border.container import Contents
from treewright.steps.border.headers import check_header
from treewright.steps.model_file import read_model
from treewright.steps.parser import Arrays, Header, Parser
from treewright.steps.pickling import Origin


def load_parser(path: str | os.PathLike[str]) -> Parser:
    """Load a parser of any kind from a model file."""
    parser = parser_of(read_model(path), os.fspath(path))
    parser.origin = Origin.of(path)
    return parser


def parser_of(contents: Contents, name: str) -> Parser:
    """Return the parser that the contents of a model file make; ``name`` is for messages."""
    try:
        return part_of(contents.header, contents.arrays)
    except ModelFileError as error:
        raise ModelFileError(f"{name}: {error}") from None
    except MissingExtraError:
        raise
    except (TreewrightError, KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise ModelFileError(f"{name}: the model is damaged: {str(error) or type(error).__name__}") from None


def part_of(header: Header, arrays: Arrays) -> Parser:
    """Return the parser that (a part of) a model file holds, after header and arrays have passed the border."""
    check_header(header)
    check_arrays(header, arrays)
    return kind_of(header["kind"]).from_file(header, arrays)


def kind_of(kind: object) -> type[Parser]:
    """Return the class for a kind of parser, as model files name it; each is imported when such a model is met."""
    if kind == "transition":
        from treewright.kinds.transition.parser import TransitionParser

        return TransitionParser
    if kind == "dag":
        from treewright.kinds.graph.parser import GraphParser

        return GraphParser
    if kind in ("exact", "graph"):  # the second is what models of earlier versions say
        from treewright.kinds.exact.parser import ExactParser

        return ExactParser
    if kind == "neural":
        from treewright.kinds.network.parser import NeuralParser

        return NeuralParser
    if kind == "neural-graph":
        from treewright.kinds.network_graph.parser import NeuralGraphParser

        return NeuralGraphParser
    if kind in ("neural-moves", "neural-graph-moves"):
        from treewright.kinds.network_moves.parser import NeuralGraphMoves, NeuralMoves

        return NeuralMoves if kind == "neural-moves" else NeuralGraphMoves
    if kind == "pipeline":
        from treewright.steps.pipeline import Pipeline

        return Pipeline
    raise ModelFileError(f"a model of kind {kind!r}, which this version does not know")
