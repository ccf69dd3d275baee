"""What a learner of another library learnt, in the place where a parser has its weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.errors import ModelFileError
from treewright.features.trust import check_allowed
from treewright.learners.batch import BATCH_LEARNERS, Machine, learner_class
from treewright.learners.decisions import plain_kinds
from treewright.learners.feature_index import FeatureIndex
from treewright.learners.learner import Scorer
from treewright.steps.model_file import ArrayData
from treewright.systems.system import System


class MachineWeights:
    """A machine with the features it knows and the name of the learner that can read it from a file."""

    def __init__(self, learner: str, machine: Machine, index: FeatureIndex, n_classes: int) -> None:
        self.learner, self.machine, self.index, self.n_classes = learner, machine, index, n_classes

    def __len__(self) -> int:
        return len(self.index)

    def scorer(self, system: System) -> Scorer:
        """Return what the parser asks."""
        return self.machine.scorer(self.index, plain_kinds(system), self.n_classes)

    @property
    def settings(self) -> dict[str, Any]:
        """What a model file must keep, as JSON."""
        return {
            "learner": self.learner,
            "n_classes": self.n_classes,
            "machine": {**self.machine.settings, "n_features": len(self.index)},
        }

    @property
    def typed_arrays(self) -> dict[str, tuple[str, ArrayData]]:
        """What a model file must keep, as arrays: {name: (type, buffer)}."""
        return {"features": ("U64", self.index.keys_buffer), **self.machine.arrays}

    @classmethod
    def from_file(cls, settings: Mapping[str, Any], arrays: Mapping[str, memoryview]) -> MachineWeights:
        """Return what was saved."""
        if settings["learner"] not in BATCH_LEARNERS:
            check_allowed(settings["learner"])
        kind = learner_class(settings["learner"])
        if kind.machine is None:
            raise ModelFileError(f"the learner {settings['learner']!r} cannot be read from a file")
        machine = kind.machine.from_file(settings["machine"], arrays)
        return cls(settings["learner"], machine, FeatureIndex(arrays["features"]), int(settings["n_classes"]))
