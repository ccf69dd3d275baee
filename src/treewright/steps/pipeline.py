"""A pipeline: steps in a row, and itself a step. It knows nothing of which steps there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import CombinationError, unknown
from treewright.steps.border.arrays import part_of_arrays
from treewright.steps.border.schema import damaged
from treewright.steps.call import GRAPHS, PLAIN, TAGS, TEXT, TREES, Call
from treewright.steps.loading import part_of
from treewright.steps.step import Step
from treewright.steps.waiting import Waiting
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.checks import tagged_runs

if TYPE_CHECKING:
    from treewright.steps.best_trees import BestTree
    from treewright.steps.contract import Arrays, Header, TypedArrays
    from treewright.steps.familiarity import Familiarity
    from treewright.steps.functions import Change
    from treewright.steps.parser import Trees
    from treewright.steps.text import GivenText
    from treewright.treebank.files.sentence_names import SentenceNames

#: what only some step of a pipeline can add → why one without it cannot do it
WITHOUT = {
    TEXT: "raw text needs a tokeniser, which this model lacks. Give CoNLL-U, or tokens (--pretokenized), or train with"
    " --pipeline",
    TAGS: "the model has no tagger. Train one with --pipeline",
}


class Pipeline(Step):
    """Steps by name, in order; each does its work where the input needs it. What one of them can do, the pipeline can.

    Raw text is split into words. Words without tags are tagged; those that have some keep them, unless a call says
    ``tag=True``.
    """

    kind: ClassVar[str] = "pipeline"
    role = "pipeline"

    def __init__(
        self, steps: Mapping[str, Step | Waiting] | Iterable[Step], info: dict[str, Any] | None = None
    ) -> None:
        if not isinstance(steps, Mapping):
            steps = {step.role: step for step in steps}
        if not steps:
            raise CombinationError("a pipeline needs a step at least")
        self._steps, known = dict(steps), [*steps.values()]
        parser = known[-1]
        for wanted in (GRAPHS, TREES):
            for step in known:
                parser = step if wanted not in step.lacks else parser  # the last that finds trees, or else graphs
        self._lacking = {**parser.lacks, **WITHOUT}
        for step in known:
            for name in self._lacking.keys() - step.lacks.keys():
                del self._lacking[name]
        self._parser = _made(parser)
        super().__init__(self._parser.settings, self._parser.info if info is None else info, self._parser.relations)

    @property
    def gives(self) -> Sequence[str]:  # type: ignore[override]
        """The columns that the steps fill."""
        return tuple(dict.fromkeys(column for step in self.steps.values() for column in step.gives))

    @property
    def steps(self) -> dict[str, Step]:
        """The steps by name, in order."""
        return {name: _made(step) for name, step in self._steps.items()}

    @property
    def lacks(self) -> Mapping[str, str]:
        """What none of the steps can do."""
        return self._lacking

    def only(self, names: Iterable[str]) -> Pipeline:
        """Return a pipeline of some of the steps, in the order in which they stand here."""
        wanted = self._known(names)
        return Pipeline({name: step for name, step in self._steps.items() if name in wanted}, self.info)

    def without(self, names: Iterable[str]) -> Pipeline:
        """Return a pipeline without some of the steps."""
        left_out = self._known(names)
        return self.only(name for name in self._steps if name not in left_out)

    def _known(self, names: Iterable[str]) -> set[str]:
        """Return the names of some steps; reject a name that no step has."""
        known = set(names)
        for name in sorted(known - self._steps.keys()):
            raise CombinationError(unknown("step", name, self._steps))
        return known

    def with_step(self, step: Step | Change, name: str = "", after: str = "") -> Pipeline:
        """Return a pipeline with one more step, at the end or behind another: a step, or a function of a sentence."""
        from treewright.steps.functions import as_step

        one = as_step(step, name)
        name = name or one.role
        if name in self._steps:
            raise CombinationError(f"there is a step {name!r} already: give the new one another name")
        if after and after not in self._steps:
            raise CombinationError(unknown("step", after, self._steps))
        steps: dict[str, Step | Waiting] = {}
        for place, own in self._steps.items():
            steps[place] = own
            if place == after:
                steps[name] = one
        return Pipeline({**steps, name: steps.get(name, one)}, self.info)

    # Blocks, from step to step

    def annotate(self, block: Block, call: Call) -> bytes:
        """Return the text of a block with what all steps found, all else as it was.

        Sentences are tagged or not one by one: what comes out must not depend on where blocks end.
        """
        texts = []
        for run in self._runs(block, call):
            text, heard = run.data, call
            for waiting in self._steps.values():
                if waiting._applies(run, heard):
                    step = _made(waiting)
                    run = run if text is run.data else _block(text, run)
                    text = step.annotate(run, heard)
                    heard = heard.after(step.gives)
            texts.append(text)
        return b"".join(texts)

    def _runs(self, block: Block, call: Call) -> list[Block]:
        """Return the block in pieces: in each, all sentences have tags, or none has."""
        if TAGS in self.lacks or call.tag or max(block.layout.upos, block.layout.xpos) < 0:
            return [block]
        starts = tagged_runs(block)
        if len(starts) < 2:
            return [block]
        places = [0, *(block.span_of(start)[0] for start in starts[1:]), len(block.data)]
        lines = [block.first_line, *(block.line_of(start) for start in starts[1:])]
        return [
            Block(block.data[begin:end], block.layout, block.source, line)
            for begin, end, line in zip(places, places[1:], lines, strict=False)
        ]

    def _missing(self, block: Block, call: Call) -> list[str]:
        """Return the columns that a step looks at, and that neither the block nor an earlier step fills.

        What a step fills is what the next ones were trained with. That "OK." has no FEATS is right.
        """
        missing: dict[str, None] = {}
        for waiting in self._steps.values():
            if waiting._applies(block, call):
                step = _made(waiting)
                for column in step._missing(block, call):
                    if column not in call.filled:
                        missing[column] = None
                call = call.after(step.gives)
        return list(missing)

    def _familiarity(self, block: Block) -> Familiarity | None:
        """Return how much of a block the model knows, by the first step that can tell."""
        for step in self._steps.values():
            known: Familiarity | None = step._familiarity(block)
            if known is not None:
                return known
        return None

    def blocks(self, text: GivenText, call: Call) -> Iterator[Block]:
        """Split a text into blocks of words, by the step that can."""
        return self._tokenizer.blocks(text, call)

    def split(self, text: str, call: Call, names: SentenceNames) -> tuple[bytes, int]:
        """Return the words of a text in memory, and the number of its sentences, by the step that can."""
        return self._tokenizer.split(text, call, names)

    @property
    def _tokenizer(self) -> Step:
        """The step that splits text."""
        for step in self._steps.values():
            if TEXT not in step.lacks:
                return _made(step)
        raise self._refusal(TEXT)

    # Trees

    def _prepared(self, block: Block, call: Call) -> tuple[Block, Call]:
        """Return a block and a call as they reach the step that finds trees."""
        for waiting in self._steps.values():
            if waiting is self._parser:
                return block, call
            if waiting._applies(block, call):
                step = _made(waiting)
                block = _block(step.annotate(block, call), block)
                call = call.after(step.gives)
        return block, call

    def trees(self, block: Block, call: Call = PLAIN) -> Trees:
        """Return the trees of all sentences of a block."""
        return self._parser.trees(*self._prepared(block, call))

    def best_trees(self, block: Block, number: int, call: Call) -> Iterable[BestTree]:
        """Return the k best trees of a sentence of a block that ``_prepared`` gave."""
        return self._parser.best_trees(block, number, call)

    # Files

    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps: the steps side by side, their arrays under their names."""
        headers: list[Header] = []
        arrays: TypedArrays = {}
        for name, step in self.steps.items():
            header, own = step.to_file()
            headers.append({"name": name, **header})
            arrays |= {f"{name}.{array}": values for array, values in own.items()}
        return {"kind": self.kind, "steps": headers, "info": self.info}, arrays

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> Pipeline:
        """Return the pipeline that a model file holds."""
        steps: dict[str, Step | Waiting] = {}
        for each in headers_of_steps(header):
            steps[each["name"]] = part_of(each, part_of_arrays(arrays, each["name"]))
        return cls(steps, header["info"])

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {"steps": list(self._steps), **{name: step._details() for name, step in self.steps.items()}}

    @property
    def _feature_text(self) -> str:
        """The feature model of the last step that has one."""
        return next((step._feature_text for step in reversed(self.steps.values()) if step._feature_text), "")

    def __repr__(self) -> str:
        *before, last = self.steps.items()
        return f"<Pipeline: {', '.join([*(name for name, _ in before), repr(last[1])])}>"


def _made(step: Step | Waiting) -> Step:
    """Return a step that is to do something."""
    return step.made() if isinstance(step, Waiting) else step


def chosen_steps(model: Step, names: Sequence[str] | None, left_out: Sequence[str] | None) -> Step:
    """Return a model with some of its steps, or without some; names that it lacks are those of installed steps."""
    whole = model if isinstance(model, Pipeline) else Pipeline(model.steps, model.info)
    if left_out:
        whole = whole.without(left_out)
    if names is None:
        return whole
    from treewright.steps.functions import installed_steps

    more = installed_steps((name for name in names if name not in whole.steps), whole.steps)
    return Pipeline({**whole.only(name for name in names if name not in more).steps, **more}, whole.info)


def _block(text: bytes, like: Block) -> Block:
    return Block(text, like.layout, like.source, like.first_line)


def headers_of_steps(header: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the headers of a pipeline's steps.

    The bundled models have the steps as tables of their own: they will be written anew when they are next trained.
    """
    if "steps" in header:
        listed: list[dict[str, Any]] = header["steps"]
        return listed
    kept = header.get("settings")
    headers: list[dict[str, Any]] = []
    for name in (*BEFORE, "parser"):
        own = kept.get(name) if isinstance(kept, dict) else None
        if not isinstance(own, dict):
            raise damaged("steps", "is missing")
        headers.append(
            {"name": name, "kind": name, "settings": own, "info": {}} if name in BEFORE else {"name": name, **own}
        )
    return headers


BEFORE = ("tokenizer", "tagger")
