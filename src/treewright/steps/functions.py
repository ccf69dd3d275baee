"""A user's own step: a Python function that changes sentences, given as it is or found by name in a package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from treewright.errors import CombinationError, TreewrightError, unknown
from treewright.steps.call import CAPABILITIES, Call
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block
from treewright.treebank.sentences.sentence import Sentence, sentences_in

if TYPE_CHECKING:
    from treewright.steps.contract import Arrays, Header, TypedArrays

ENTRY_POINTS = "treewright.steps"
#: a function that changes a sentence in place, or returns another one
Change: TypeAlias = Callable[[Sentence], Sentence | None]


class FunctionStep(Step):
    """A function of a sentence as a step. No model file holds it: files are data, and nothing in them is executed."""

    kind: ClassVar[str] = "function"
    _LACKS: ClassVar[Mapping[str, str]] = dict.fromkeys(CAPABILITIES, "a function only changes sentences")

    def __init__(self, function: Change, name: str = "") -> None:
        super().__init__({}, {})
        self.function = function
        self.role = name or getattr(function, "__name__", "function")

    def annotate(self, block: Block, call: Call) -> bytes:
        """Return the text of a block with its sentences as the function leaves them."""
        return b"".join(self._changed(sentence).to_bytes() for sentence in sentences_in([block]))

    def _changed(self, sentence: Sentence) -> Sentence:
        result = self.function(sentence)
        if result is not None and not isinstance(result, Sentence):
            raise TreewrightError(
                f"the step {self.role} gave a {type(result).__name__}. It must return a Sentence, or change the one"
                " that it gets and return nothing"
            )
        if result is not None and result.layout.columns != sentence.layout.columns:
            raise TreewrightError(
                f"the step {self.role} gave a sentence with other columns than the one that it got. Change that one, or"
                " convert the treebank to CoNLL-U first"
            )
        return sentence if result is None else result

    def to_file(self) -> tuple[Header, TypedArrays]:
        """Reject what would put a program into a model file."""
        raise CombinationError(
            f"the step {self.role} is a function, which no model file can hold. Save the other steps, and add it when"
            " you load them: model.with_step(function)"
        )

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> FunctionStep:
        """Reject a file that says that it holds a function."""
        raise CombinationError("no model file holds a function")

    def __repr__(self) -> str:
        return f"<FunctionStep: {self.role}>"


def as_step(given: Step | Change, name: str = "") -> Step:
    """Return a step: the one that is given, or a function as one."""
    if isinstance(given, Step):
        return given
    if not callable(given):
        raise CombinationError(f"a {type(given).__name__} is no step: give a step, or a function of a sentence")
    return FunctionStep(given, name)


def installed_steps(names: Iterable[str], own: Iterable[str]) -> dict[str, Step]:
    """Return steps that installed packages offer through entry points in the group ``treewright.steps``.

    ``own``: the steps of the model, which may have been meant, too.
    """
    wanted = list(names)
    if not wanted:
        return {}
    from importlib.metadata import entry_points

    entries = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
    for name in wanted:
        if name not in entries:
            raise CombinationError(unknown("step", name, [*own, *entries]))
    return {name: as_step(entries[name].load(), name) for name in wanted}
