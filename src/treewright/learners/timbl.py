"""Memory-based learning by TiMBL: all instances are kept, and the nearest ones decide.

TiMBL sees every template as a symbolic column. The model file holds TiMBL's instance base as bytes, which TiMBL reads
from a temporary file. Metrics that look at the spelling or the size of values (``-m N, E, D, C, L, DC``) get the values
themselves, as `--dump-instances` writes them, instead of numbers of features. Values that were never seen in training
have one text for all of them. TiMBL cannot read all of its instance bases with such metrics back, so that the model
file holds the instances, and TiMBL learns from them again.
"""

from __future__ import annotations

import math
import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import CombinationError, ModelFileError
from treewright.learners.batch import BatchLearner, Machine, need
from treewright.learners.stored_bytes import unpacked
from treewright.learners.timbl_format import check_column_weights, check_instance_base, check_instances

if TYPE_CHECKING:
    from treewright.features.templates import FeatureModel
    from treewright.learners.learner import Scorer
    from treewright.learners.problem import Problem

# Metrics that compare the spelling or the size of values, for all columns or for some: -m L, -m O:N1,3-5:L2.
SPELLING = re.compile(r"-m\s*(?:[A-Z]+[0-9,-]*:)*(?:N|L|DC|D|C|E)(?=[0-9:\s]|$)", re.ASCII)
# The metric of all columns, and those of some, which may be to be ignored: -m O:I1,3-5:N2.
METRIC = re.compile(r"-m\s*([A-Z]*)((?::[A-Z]+[0-9,-]+)*)(?=\s|$)", re.ASCII)
INCREMENTAL = re.compile(r"-a\s*(?:IB2|3)(?=\s|$)", re.ASCII)
BOOTSTRAP = re.compile(r"-b\s*([0-9]{1,9})(?=\s|$)", re.ASCII)
UNSEEN = "?"  # the text of all values that were never seen in training
SILENT = "-F Tabbed +D +vs+db+di"
PRIOR = 1e-3  # weight of the frequency of decisions: it orders decisions that no neighbour made


class TimblMachine(Machine):
    """A TiMBL instance base that classifies. With ``texts`` (by number of a feature), ``base`` has the instances."""

    def __init__(
        self,
        base: bytes,
        weights: bytes,
        options: str,
        prior: Sequence[float],
        n_features: int,
        texts: Sequence[str] | None = None,
        n_columns: int | None = None,
    ) -> None:
        self.base, self.weights, self.texts, self.n_columns = base, weights, texts, n_columns
        self.options, self.prior, self.n_features = options, list(prior), n_features
        self.api = _from_instance_base(base, weights, options) if texts is None else _from_instances(base, options)

    def scores(self, numbers: Sequence[int]) -> Sequence[float]:
        """Return the logarithm of each decision's share among the nearest neighbours."""
        if self.n_columns is not None and len(numbers) != self.n_columns:
            raise ModelFileError(
                f"the model is damaged: its feature model has {len(numbers)} features, not {self.n_columns}"
            )
        columns = map(str, numbers) if self.texts is None else (self.texts[number] for number in numbers)
        text = "\t".join(columns) + "\t?"
        classified, _, distribution, _ = self.api.classify3(text, True, 0)
        if not classified:
            raise CombinationError("TiMBL could not classify a configuration")
        shares = [PRIOR * share for share in self.prior]
        for decision, share in distribution.items():
            shares[int(decision)] += share
        return [math.log(share + 1e-9) for share in shares]

    def scorer(self, index: Any, plain: Sequence[int], n_classes: int) -> Scorer:
        """Return the scorer that a parser uses; the machine must know as many decisions as the parser."""
        if len(self.prior) != len(plain) + n_classes:
            wanted = f"{len(plain) + n_classes} moves of the parser"
            raise ModelFileError(f"TiMBL's instance base has {len(self.prior)} decisions, not the {wanted}")
        return super().scorer(index, plain, n_classes)

    @property
    def settings(self) -> dict[str, Any]:
        """Options, frequencies of the decisions, and the lengths of the instance base and its weights."""
        lengths = [len(self.base), len(self.weights)]
        kept: dict[str, Any] = {"options": self.options, "prior": self.prior, "lengths": lengths}
        return kept if self.texts is None else {**kept, "text_length": len(_joined(self.texts))}

    @property
    def arrays(self) -> dict[str, tuple[str, Any]]:
        """The instance base and the weights of the columns, compressed."""
        texts = b"" if self.texts is None else _joined(self.texts)
        return {"instance_base": ("U8", zlib.compress(self.base + self.weights + texts, 9))}

    @classmethod
    def from_file(cls, settings: Mapping[str, Any], arrays: Mapping[str, Any]) -> TimblMachine:
        """Return a saved machine."""
        first, second = map(int, settings["lengths"])
        options = str(settings["options"])
        _check_options(options)
        third = int(settings.get("text_length", 0))
        text = unpacked(arrays["instance_base"], first + second + third, "the instance base")
        prior, n_features = [float(share) for share in settings["prior"]], int(settings["n_features"])
        if "text_length" in settings:
            texts = _split_texts(text[first + second :], n_features)
            n_columns = check_instances(text[:first], len(prior))
            _check_ignored(options, n_columns)
            return cls(text[:first], b"", options, prior, n_features, texts, n_columns)
        n_columns = check_instance_base(text[:first], len(prior), n_features)
        check_column_weights(text[first:])
        _check_ignored(options, n_columns)
        return cls(text[:first], text[first:], options, prior, n_features, n_columns=n_columns)


class TimblLearner(BatchLearner):
    """TiMBL. The options are those of its ``timbl`` program (``-k 5 -m M -w 0 -d ID``)."""

    name: ClassVar[str] = "timbl"
    machine: ClassVar[type[Machine] | None] = TimblMachine
    fixed_columns: ClassVar[bool] = True
    default_options: ClassVar[str] = "-m M -k 5 -d ID -L 3 -w 0"

    def check(self, model: FeatureModel) -> None:
        """Check the options."""
        _check_options(self.options)
        _check_ignored(self.options, len(model.templates))
        if not _api(self.options).valid():
            raise CombinationError(f"TiMBL does not understand the options {self.options!r}")

    @property
    def wants_texts(self) -> bool:
        """Does a metric compare the spelling or the size of values?"""
        return SPELLING.search(self.options) is not None

    def fit(self, problem: Problem) -> Machine:
        """Stream the instances to a file, let TiMBL learn from it, and keep its instance base."""
        import tempfile

        counts = [0] * problem.n_decisions
        for decision in problem.decisions:
            counts[decision] += 1
        prior = [count / max(1, len(problem)) for count in counts]
        n_features = problem.index.n_features
        if self.wants_texts:
            texts = [UNSEEN, *self.texts[1:]] if self.texts else [UNSEEN, *map(str, range(1, n_features + 1))]
            return TimblMachine(_spelled(problem, texts), b"", self.options, prior, n_features, texts)
        with tempfile.TemporaryDirectory() as folder:
            instances, base = os.path.join(folder, "instances"), os.path.join(folder, "base")
            with open(instances, "wb") as file:
                file.writelines(problem.lines(b"\t"))
            api = _learnt(instances, self.options)
            if not (api.writeInstanceBase(base) and api.saveWeights(f"{base}.wgt")):
                raise CombinationError(f"TiMBL could not learn with the options {self.options!r}")
            with open(base, "rb") as first, open(f"{base}.wgt", "rb") as second:
                content, weights = first.read(), second.read()
        return TimblMachine(content, weights, _without_bootstrap(self.options), prior, n_features)


def _learnt(instances: str, options: str) -> Any:
    """Return TiMBL after it has learnt from a file of instances.

    IB2 learns the first instances and adds those of the others that it gets wrong. TiMBL's Python module does not pass
    the number of the first ones on (-b), so that the loop stands here.
    """
    api = _api(_without_bootstrap(options))
    if not INCREMENTAL.search(options):
        if not api.learn(instances):
            raise CombinationError(f"TiMBL could not learn with the options {options!r}")
        return api
    first = int(BOOTSTRAP.search(options)[1])  # type: ignore[index]  # `check` has seen to it
    with open(instances, "rb") as file, open(f"{instances}.first", "wb") as start:
        lines = iter(file)
        for _, line in zip(range(first), lines, strict=False):
            start.write(line)
        start.flush()
        if not api.learn(f"{instances}.first"):
            raise CombinationError(f"TiMBL could not learn with the options {options!r}")
        for line in lines:
            text = line.decode().rstrip("\n")
            if api.classify(text)[1] != text.rpartition("\t")[2]:
                api.increment(text)
    return api


def _without_bootstrap(options: str) -> str:
    """Return the options for the instance base that IB2 comes to: neighbours decide as in IB1."""
    return BOOTSTRAP.sub("", INCREMENTAL.sub("", options)).strip() if INCREMENTAL.search(options) else options


def _spelled(problem: Problem, texts: Sequence[str]) -> bytes:
    """Return the instances with the values themselves: a line for each, the decision in the last column."""
    lines: list[str] = []
    for chunk in problem.lines(b"\t"):
        for line in chunk.decode("ascii").splitlines():
            *numbers, decision = line.split("\t")
            lines.append("\t".join([*(texts[int(number)] for number in numbers), decision]) + "\n")
    return "".join(lines).encode()


def _numeric_where_possible(options: str, instances: bytes) -> str:
    """Return options in which a numeric metric for all columns (-m N, E) is one for those with numbers in them.

    TiMBL treats other columns as symbolic, too, but warns of each of their values.
    """
    if not (match := re.search(r"-m\s*([NE])(?=\s|$)", options)):
        return options
    columns = zip(*(line.split("\t")[:-1] for line in instances.decode().splitlines()), strict=True)
    numeric = [str(place) for place, column in enumerate(columns, 1) if all(map(_is_number, set(column)))]
    metric = f"-m O:{match[1]}{','.join(numeric)}" if numeric else "-m O"
    return f"{options[: match.start()]}{metric}{options[match.end() :]}"


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]+(?:\.[0-9]+)?", text, re.ASCII) is not None


def _joined(texts: Sequence[str]) -> bytes:
    return "\n".join(texts).encode()


def _split_texts(data: bytes, n_features: int) -> list[str]:
    """Return the texts of features from a model file."""
    try:
        texts = data.decode().split("\n")
    except UnicodeDecodeError:
        texts = []
    if len(texts) != n_features + 1 or any("\t" in text for text in texts):
        raise ModelFileError("the model is damaged: it has not one text for each feature")
    return texts


def _from_instances(instances: bytes, options: str) -> Any:
    """Return TiMBL after it has learnt from instances; reject what it then cannot classify."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "instances")
        with open(path, "wb") as file:
            file.write(instances)
        api = _learnt(path, _numeric_where_possible(options, instances))
    first = instances.partition(b"\n")[0].decode()
    api.classify(first)
    if not api.valid() or not api.classify(first)[0]:
        raise CombinationError(
            f"TiMBL cannot classify with the options {options!r}. Dot product and cosine (-m D, C) need numbers in all"
            " columns: choose templates such as distance and valency, or numeric metrics for some columns (-m O:N1,2)"
        )
    return api


def _check_options(options: str) -> None:
    """Reject options that have no meaning here, and those that name files."""
    if INCREMENTAL.search(options) and not BOOTSTRAP.search(options):
        raise CombinationError(f"{options!r}: IB2 needs the number of instances that it learns first: -b 100")
    for word in options.split():
        if re.match(r"-[fitseuPFOWIn]", word) or re.match(r"--(?!Beam)", word):
            raise CombinationError(
                f"{word}: treewright chooses the files, formats and tests of TiMBL. Choose from its options for"
                " learning: -a, -k, -m, -w, -d, -b, -L, -R, -q, -T, -B, -c"
            )


def _check_ignored(options: str, n_columns: int) -> None:
    """Reject metrics that leave no column to look at: TiMBL ends the program there, or crashes."""
    for metric, ranges in METRIC.findall(options):
        ignored = {place for group in re.findall(":I([0-9,-]+)", ranges) for place in _places(group, n_columns)}
        if metric == "I" or len(ignored) >= n_columns > 0:
            raise CombinationError(f"{options!r} ignores all columns: name those to ignore, and leave some (-m O:I1,2)")


def _places(group: str, most: int) -> Iterator[int]:
    """Yield the columns that a list names, such as 1,3-5, up to the last one that there is."""
    for first, last in re.findall(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", group):
        yield from range(int(first), min(int(last or first), most) + 1)


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
