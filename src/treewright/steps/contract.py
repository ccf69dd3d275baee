"""What a step is: it takes blocks and gives blocks. The first one of a pipeline takes text.

A kind of step fills in what stands here. What users call is the same for all steps, and stands in ``step.py``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from treewright.errors import CombinationError
from treewright.steps.blocks import missing_columns
from treewright.steps.call import CAPABILITIES, K_BEST, PLAIN, TEXT, TREES, Call, call_from

if TYPE_CHECKING:
    from typing_extensions import Self

    from treewright.steps.best_trees import BestTree
    from treewright.steps.familiarity import Familiarity
    from treewright.steps.model_file import ArrayData
    from treewright.steps.parser import Trees
    from treewright.steps.text import GivenText
    from treewright.treebank.blocks.block import Block
    from treewright.treebank.files.sentence_names import SentenceNames

Header = dict[str, Any]
Arrays = Mapping[str, memoryview]
TypedArrays: TypeAlias = "dict[str, tuple[str, ArrayData]]"


class Contract(ABC):
    """What a kind of step fills in, and what follows from it. ``Step`` is made of it."""

    kind: ClassVar[str]  # as model files call it
    role: str = "parser"  # what a pipeline calls it
    gives: Sequence[str] = ()  # the columns that it fills
    _LACKS: ClassVar[Mapping[str, str]] = {}  # what no step of this kind can do, of ``call.CAPABILITIES``: reasons
    relations: list[str]  # that its arcs may have
    settings: Mapping[str, Any]
    info: dict[str, Any]

    def __init__(self, settings: Mapping[str, Any], info: dict[str, Any], relations: Sequence[str] = ()) -> None:
        self.settings, self.info, self.relations = settings, info, list(relations)

    # What a kind of step fills in

    @abstractmethod
    def annotate(self, block: Block, call: Call) -> bytes:
        """Return the text of a block with what the step found, all else as it was.

        The call has been checked, and the block has columns to write to.
        """

    @abstractmethod
    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps of the step: its header, and its arrays with their types."""

    @classmethod
    @abstractmethod
    def from_file(cls, header: Header, arrays: Arrays) -> Self:
        """Return the step that a model file holds; header and arrays have been checked."""

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {"relations": len(self.relations)}

    @property
    def lacks(self) -> Mapping[str, str]:
        """What the step cannot do, each with the reason."""
        return self._LACKS

    # What a kind of step fills in where it can do it

    def blocks(self, text: GivenText, call: Call) -> Iterator[Block]:
        """Split a text into blocks of words."""
        raise self._refusal(TEXT)

    def split(self, text: str, call: Call, names: SentenceNames) -> tuple[bytes, int]:
        """Return the words of a text in memory in CoNLL-U, and the number of its sentences."""
        raise self._refusal(TEXT)

    def trees(self, block: Block, call: Call = PLAIN) -> Trees:
        """Return the trees of all sentences of a block."""
        raise self._refusal(TREES)

    def best_trees(self, block: Block, number: int, call: Call) -> Iterable[BestTree]:
        """Return the k best trees of a sentence, best first; fewer if the sentence has fewer."""
        raise self._refusal(K_BEST)

    def _prepared(self, block: Block, call: Call) -> tuple[Block, Call]:
        """Return a block and a call as they reach what finds trees."""
        return block, call

    def _applies(self, block: Block, call: Call) -> bool:
        """Is there anything to do for the step in a block?"""
        return True

    @property
    def needs(self) -> Sequence[str]:
        """The columns that the step looks at."""
        columns: Sequence[str] = self.info.get("columns", ())
        return columns

    @property
    def _feature_text(self) -> str:
        """The feature model as text; empty for a step without one."""
        text = self.settings.get("features")
        return text if isinstance(text, str) else ""

    def _missing(self, block: Block, call: Call) -> list[str]:
        """Return the columns that the step looks at and that a block leaves empty."""
        return missing_columns(block, self.needs)

    def _familiarity(self, block: Block) -> Familiarity | None:
        """Return how much of a block the step knows from its training; None if it cannot tell."""
        return None

    # What follows from it

    @property
    def capabilities(self) -> frozenset[str]:
        """What the step can do, of ``call.CAPABILITIES``."""
        return frozenset(CAPABILITIES) - self.lacks.keys()

    def _refusal(self, capability: str) -> CombinationError:
        """Return the error that says why the step cannot do something."""
        return CombinationError(self.lacks.get(capability, f"this model has no {capability}"))

    def _checked(self, given: Mapping[str, Any]) -> Call:
        """Return what keywords ask; reject what this step cannot do, with the reason."""
        if not given:
            return PLAIN
        call = call_from(given)
        for capability, name in call.needs().items():
            if capability in self.lacks:
                raise CombinationError(f"{name}: {self.lacks[capability]}")
        return call
