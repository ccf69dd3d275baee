"""The recipe of a neural parser of graphs: a network that scores every arc, of which a word may have several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treewright.kinds.network.recipe import ENCODER_KEPT, EncoderRecipe
from treewright.options import topics
from treewright.options.option import count, option
from treewright.recipes.shared_options import governors_option

SYSTEM = "neural-graph"


@dataclass(frozen=True)
class NeuralGraphRecipe(EncoderRecipe):
    """The recipe of a neural parser of graphs."""

    kind: ClassVar[str] = "neural graph"
    whose: ClassVar[str] = "neural graph parsers"
    kept: ClassVar[tuple[str, ...]] = ("system", "arc_size", "relation_size", *ENCODER_KEPT)

    system: str = option(SYSTEM, "what finds the graph", topics.PARSER, metavar="NAME", choices=(SYSTEM,))
    governors: str = governors_option()
    arc_size: int = count(160, "units that score arcs", topics.NEURAL, 8, 512)
    relation_size: int = count(96, "units that score relations", topics.NEURAL, 8, 512)
