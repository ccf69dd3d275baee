"""Memory-based learning by TiMBL: all instances are kept, and the nearest ones decide.

TiMBL sees every template as a symbolic column. The model file holds TiMBL's instance base as bytes, which TiMBL reads
from a temporary file.
"""

from __future__ import annotations

import math
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import CombinationError, ModelFileError
from treewright.learners.batch import BatchLearner, Machine, need
from treewright.learners.stored_bytes import unpacked
from treewright.learners.timbl_format import check_column_weights, check_instance_base

if TYPE_CHECKING:
    from treewright.features.templates import FeatureModel
    from treewright.learners.problem import Problem

# Metrics that compare the spelling or the size of values: learners see numbers of features, which have neither.
SPELLING = re.compile(r"-m\s*(?:[A-Z]+:)?(?:N|L|DC|D\b|C\b|E)", re.ASCII)
SILENT = "-F Tabbed +D +vs+db+di"
PRIOR = 1e-3  # weight of the frequency of decisions: it orders decisions that no neighbour made


class TimblMachine(Machine):
    """A TiMBL instance base that classifies."""

    def __init__(
        self,
        base: bytes,
        weights: bytes,
        options: str,
        prior: Sequence[float],
        n_features: int,
        n_columns: int | None = None,
    ) -> None:
        self.base, self.weights, self.n_columns = base, weights, n_columns
        self.options, self.prior, self.n_features = options, list(prior), n_features
        self.api = _from_instance_base(base, weights, options)

    def scores(self, numbers: Sequence[int]) -> Sequence[float]:
        """Return the logarithm of each decision's share among the nearest neighbours."""
        if self.n_columns is not None and len(numbers) != self.n_columns:
            raise ModelFileError(
                f"the model is damaged: its feature model has {len(numbers)} features, not {self.n_columns}"
            )
        text = "\t".join(map(str, numbers)) + "\t?"
        found, _, distribution, _ = self.api.classify3(text, True, 0)
        if not found:
            raise CombinationError("TiMBL could not classify a configuration")
        shares = [PRIOR * share for share in self.prior]
        for decision, share in distribution.items():
            shares[int(decision)] += share
        return [math.log(share + 1e-9) for share in shares]

    @property
    def settings(self) -> dict[str, Any]:
        """Options, frequencies of the decisions, and the lengths of the instance base and its weights."""
        lengths = [len(self.base), len(self.weights)]
        return {"options": self.options, "prior": self.prior, "lengths": lengths}

    @property
    def arrays(self) -> dict[str, tuple[str, Any]]:
        """The instance base and the weights of the columns, compressed."""
        return {"instance_base": ("U8", zlib.compress(self.base + self.weights, 9))}

    @classmethod
    def from_file(cls, settings: Mapping[str, Any], arrays: Mapping[str, Any]) -> TimblMachine:
        """Return a saved machine."""
        first, second = map(int, settings["lengths"])
        options = str(settings["options"])
        _check_options(options)
        text = unpacked(arrays["instance_base"], first + second, "the instance base")
        prior, n_features = [float(share) for share in settings["prior"]], int(settings["n_features"])
        n_columns = check_instance_base(text[:first], len(prior), n_features)
        check_column_weights(text[first:])
        return cls(text[:first], text[first:], options, prior, n_features, n_columns)


class TimblLearner(BatchLearner):
    """TiMBL. The options are those of its ``timbl`` program (``-k 5 -m M -w 0 -d ID``)."""

    name: ClassVar[str] = "timbl"
    machine: ClassVar[type[Machine] | None] = TimblMachine
    fixed_columns: ClassVar[bool] = True
    default_options: ClassVar[str] = "-m M -k 5 -d ID -L 3 -w 0"

    def check(self, model: FeatureModel) -> None:
        """Check the options."""
        _check_options(self.options)
        if not _api(self.options).valid():
            raise CombinationError(f"TiMBL does not understand the options {self.options!r}")

    def fit(self, problem: Problem) -> Machine:
        """Stream the instances to a file, let TiMBL learn from it, and keep its instance base."""
        import tempfile

        counts = [0] * problem.n_decisions
        for decision in problem.decisions:
            counts[decision] += 1
        with tempfile.TemporaryDirectory() as folder:
            instances, base = os.path.join(folder, "instances"), os.path.join(folder, "base")
            with open(instances, "wb") as file:
                file.writelines(problem.lines(b"\t"))
            api = _api(self.options)
            if not (api.learn(instances) and api.writeInstanceBase(base) and api.saveWeights(f"{base}.wgt")):
                raise CombinationError(f"TiMBL could not learn with the options {self.options!r}")
            with open(base, "rb") as first, open(f"{base}.wgt", "rb") as second:
                content, weights = first.read(), second.read()
        prior = [count / max(1, len(problem)) for count in counts]
        return TimblMachine(content, weights, self.options, prior, problem.index.n_features)


def _check_options(options: str) -> None:
    """Reject options that have no meaning here, and those that name files."""
    if SPELLING.search(options):
        raise CombinationError(
            f"{options!r}: numeric and spelling metrics (-m N, C, D, E, L) compare the text of values, but learners see"
            " only numbers of features. Choose -m O (overlap), M (modified value difference) or J (Jeffrey divergence)"
        )
    for word in options.split():
        if re.match(r"-[fitseuPFOWIn]", word) or re.match(r"--(?!Beam)", word):
            raise CombinationError(
                f"{word}: treewright chooses the files, formats and tests of TiMBL. Choose from its options for"
                " learning: -a, -k, -m, -w, -d, -b, -L, -R, -q, -T, -B, -c"
            )


def _api(options: str) -> Any:
    return need("timblapi", "timbl").TimblAPI(f"{SILENT} {options}", "")


def _from_instance_base(base: bytes, weights: bytes, options: str) -> Any:
    import tempfile

    api = _api(options)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "base")
        with open(path, "wb") as first, open(f"{path}.wgt", "wb") as second:  # TiMBL looks here
            first.write(base)
            second.write(weights)
        if not api.getInstanceBase(path):
            raise ModelFileError(
                "TiMBL cannot read its instance base: the base is damaged, or the options do not fit it"
            )
    return api
