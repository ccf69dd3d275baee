"""Values of training options that a grid names, looked at one by one: what no training could take is refused at once.

Which values go together is not asked here. A grid may well hold combinations that there are not: they fail as cells.
"""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import Any

from treewright.errors import TreewrightError
from treewright.exact.options import ExactOptions
from treewright.features.bundled import load_feature_model
from treewright.learners.batch import learner_names
from treewright.systems import SYSTEMS
from treewright.systems.graphs import GRAPH_SYSTEMS
from treewright.training.options import TrainingOptions

_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "str": ((str,), "text, in quotes"),
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "bool": ((bool,), "true or false"),
}
#: options that mean nothing alone; which of them go with what is asked when a cell is trained
_NOT_ALONE = ("learner_options", "split_on", "projective")


@lru_cache(maxsize=None, typed=True)  # a grid has the same values again and again
def check_option(name: str, value: Any, graph: bool, where: str) -> None:
    """Refuse a value that the option never has; ``graph``: of an exact parser."""
    kind = _kind_of(name, graph)
    if kind is None:
        return  # of the other kind of parser: the training says so
    types, described = _TYPES[kind]
    if not isinstance(value, types) or (isinstance(value, bool) and kind != "bool"):
        raise TreewrightError(f"{where}: {name} is {described}, not {value!r}")
    known = _names_of(name)
    if known and value not in known:
        raise TreewrightError(f"{where}: there is no {name} {value!r}; there are: {', '.join(known)}")
    try:
        if name == "features" and not graph:
            load_feature_model(str(value))
        elif name not in _NOT_ALONE:
            chosen: dict[str, Any] = {name: value}
            (ExactOptions(**chosen) if graph else TrainingOptions(**chosen)).check()
    except TreewrightError as error:
        raise TreewrightError(f"{where}: {error}") from None


def _kind_of(name: str, graph: bool) -> str | None:
    """Return the name of an option's type, as its class has it."""
    for field in fields(ExactOptions if graph else TrainingOptions):
        if field.name == name:
            return str(field.type).split(" ")[0]
    return None


def _names_of(name: str) -> tuple[str, ...]:
    if name == "system":
        return (*SYSTEMS, "exact", *GRAPH_SYSTEMS)
    return ("perceptron", *learner_names()) if name == "learner" else ()
