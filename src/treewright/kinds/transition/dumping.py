"""Training instances for other tools: in TiMBL's, LIBSVM's or Parquet's form."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError, MissingExtraError
from treewright.features.inspection import keys, values

if TYPE_CHECKING:
    from treewright.features.extractor import Extractor
    from treewright.features.templates import FeatureModel
    from treewright.learners.problem import Problem
    from treewright.systems.system import Parse
    from treewright.treebank.blocks.block import Block

#: form of the instances by the ending of the file's name
FORMS = {".libsvm": "libsvm", ".svm": "libsvm", ".parquet": "parquet", ".timbl": "timbl", ".tsv": "timbl"}
AT_ONCE = 20_000
NOTHING = "-"  # what a template shows where there is no word or relation


class FeatureNames:
    """The text of every feature: what its template showed where it was first seen."""

    def __init__(self, extractor: Extractor, blocks: Sequence[Block]) -> None:
        self.extractor = extractor
        self.texts: dict[int, str] = {}  # by key
        self.templates: dict[int, str] = {}
        self.places = [(block, number) for block in blocks for number in range(block.n_sentences)]

    def __call__(self, parse: Parse, sentence: int) -> None:
        """Write down the features of a configuration."""
        block, number = self.places[sentence]
        shown = values(self.extractor, parse, block, number)
        for template, found in zip(
            self.extractor.model.templates, keys(self.extractor, parse, block, number), strict=True
        ):
            text = "&".join(NOTHING if shown[f] is None else str(shown[f]) for f in template.functions)
            text = "_".join(text.split()) or NOTHING
            for place, key in enumerate(found):
                self.texts.setdefault(key, text if len(found) == 1 else f"{text}/{place + 1}")
                self.templates.setdefault(key, str(template))

    def in_order(self, problem: Problem) -> list[str]:
        """Return the text of every feature of a problem by number; 0 is one never seen."""
        return ["", *(self.texts.get(key, "?") for key in _keys(problem))]

    def templates_in_order(self, problem: Problem) -> list[str]:
        """Return the template of every feature of a problem by number."""
        return ["", *(self.templates.get(key, "?") for key in _keys(problem))]


def _keys(problem: Problem) -> Iterable[int]:
    """Return the keys of the features in the order of their numbers."""
    numbered = problem.index.keys_buffer
    return numbered.cast("Q") if len(numbered) else ()


def form_of(path: str | os.PathLike[str]) -> str:
    """Return the form that a file's name asks for."""
    name = os.fspath(path)
    for ending in (".gz", ".bz2", ".xz", ".zst"):
        name = name.removesuffix(ending)
    try:
        return FORMS[os.path.splitext(name)[1]]
    except KeyError:
        raise CombinationError(
            f"instances cannot go to {os.fspath(path)}: the ending of its name says in which form, {', '.join(FORMS)}"
        ) from None


def check_dump(path: str | os.PathLike[str], model: FeatureModel) -> None:
    """Find out before the work whether the instances can be written."""
    from treewright.treebank.files.output import check_writable

    form = form_of(path)
    check_writable(os.fspath(path))
    if model.has_lists and form != "libsvm":
        raise CombinationError(
            f"{form} has a fixed number of columns, and the feature model {model.name} has templates with `each`:"
            " dump to a file ending in .libsvm, or choose --features malt or zhang-nivre"
        )
    if form == "parquet":
        _parquet()


def dump(
    path: str | os.PathLike[str],
    problem: Problem,
    templates: Sequence[Any],
    names: FeatureNames,
    decisions: Sequence[str],
) -> None:
    """Write all instances, as a stream."""
    from treewright.treebank.files.output import OutputFile

    form = form_of(path)
    texts = names.in_order(problem)
    if form == "parquet":
        _write_parquet(path, problem, [str(template) for template in templates], texts, decisions)
        return
    with OutputFile(path) as output:
        if form == "timbl":
            for columns, right in _columns(problem):
                rows = zip(*([texts[number] for number in column] for column in columns), strict=True)
                output.write(
                    "".join(
                        "\t".join(row) + f"\t{decisions[decision]}\n" for row, decision in zip(rows, right, strict=True)
                    ).encode()
                )
            return
        for lines in problem.libsvm_lines():
            output.write(lines)
    with OutputFile(f"{os.fspath(path)}.names") as output:
        for number, name in enumerate(decisions):
            output.write(f"decision\t{number}\t{name}\n".encode())
        of = names.templates_in_order(problem)
        for number, text in enumerate(texts[1:], 1):
            output.write(f"feature\t{number}\t{text}\t{of[number]}\n".encode())


def _columns(problem: Problem) -> Iterator[tuple[list[Any], Any]]:
    """Yield many instances at a time: the feature numbers of each column, and the decisions."""
    from array import array

    width, right = problem.n_columns, problem.decisions
    first = 0
    for text in problem.lines(b"\t", AT_ONCE):
        flat = array("i", map(int, text.split()))
        n = len(flat) // (width + 1)
        yield [flat[column :: width + 1] for column in range(width)], right[first : first + n]
        first += n


def _parquet() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("a Parquet file", "pyarrow", "parquet") from None
    return pyarrow


def _write_parquet(
    path: str | os.PathLike[str], problem: Problem, names: Sequence[str], texts: Sequence[str], decisions: Sequence[str]
) -> None:
    """Write a column of text for every template and one for the decision, each with its dictionary."""
    from treewright.treebank.files.output import OutputFile
    from treewright.treebank.formats.parquet import Sink

    arrow = _parquet()
    schema = arrow.schema([(name, arrow.string()) for name in [*names, "decision"]])
    sink = Sink()
    with OutputFile(path) as output:
        with arrow.parquet.ParquetWriter(sink, schema) as writer:
            for columns, right in _columns(problem):
                data = [[texts[number] for number in column] for column in columns]
                data.append([decisions[decision] for decision in right])
                writer.write_table(arrow.table(data, schema=schema))
                output.write(sink.taken())
        output.write(sink.taken())
