"""Cross-validation: parse each part of a treebank with a parser trained on the other parts.

Sentences are assigned to folds at random, the same way for the same seed. Each fold is trained and scored in its own
process, several at a time.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from treewright.errors import CombinationError, TreebankError, TreewrightError
from treewright.recipes.catalogue import recipe_from
from treewright.treebank.files.output import OutputFile, check_writable
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source, name_of
from treewright.treebank.formats.registry import format_named
from treewright.treebank.sentences.in_memory import list_of

#: what LAS and UAS mean, here as in training and in `treewright eval`
HEADLINE = "LAS and UAS over all words, punctuation included, with full relations"


@dataclass(frozen=True)
class FoldSpread:
    """A score over the folds: the mean, the standard deviation and the values."""

    measure: str
    mean: float
    deviation: float
    folds: tuple[float, ...]


@dataclass(frozen=True)
class CrossValidation:
    """The scores of all folds."""

    sentences: int
    words: int
    seed: int
    choices: dict[str, Any]
    scores: tuple[FoldSpread, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return all fields for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        n = len(self.scores[0].folds)
        lines = [
            f"{self.sentences:,} sentences, {self.words:,} words, {n} folds, seed {self.seed}",
            "" if "LAS" not in [score.measure for score in self.scores] else HEADLINE + "\n",
            f"{'':24}{'mean':>8} {'deviation':>10} {'lowest':>8} {'highest':>8}",
        ]
        for score in self.scores:
            lines.append(
                f"{score.measure:24}{score.mean:8.2f} {score.deviation:10.2f}"
                f" {min(score.folds):8.2f} {max(score.folds):8.2f}"
            )
        return "\n".join(lines)


def cross_validate(
    source: Source | Sequence[Source],
    *,
    folds: int = 10,
    jobs: int = 1,
    seed: int = 1,
    format: str | None = None,
    on_error: str = "fail",
    done: Callable[[int, dict[str, float]], None] | None = None,
    keep_parses: str | os.PathLike[str] | None = None,
    **choices: Any,
) -> CrossValidation:
    """Train and score on every fold of a treebank; ``choices`` are those of ``train``.

    There is no development set: the last round of each training counts. Graph parsers get graph scores, others
    attachment scores. ``done`` is called after each fold with its number and its scores. ``keep_parses`` is a file for
    the parses of all folds, in the order of the treebank: scored against the treebank, and compared with those of
    another parser, it tests the difference over all folds.
    """
    recipe_from({"seed": seed, **choices})  # what is wrong with the options is said before any work
    if keep_parses is not None:
        check_writable(os.fspath(keep_parses))
    if folds < 2 or jobs < 1:
        raise CombinationError(f"{folds} folds, {jobs} jobs: cross-validation needs at least two folds and one job")
    sources = list_of(source)
    sentences, words = _sentences(sources, format)
    if len(sentences) < folds:
        name = " + ".join(map(name_of, sources))
        raise TreebankError(
            f"{len(sentences)} sentences for {folds} folds", source=name, remedy="Use fewer folds: --folds"
        )
    order = list(range(len(sentences)))
    Random(seed).shuffle(order)
    fold_of = {sentence: place % folds for place, sentence in enumerate(order)}
    scores_by_fold: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="treewright-") as folder:
        tasks = []
        for fold in range(folds):
            for name, wanted in (("train", False), ("test", True)):
                text = b"".join(s for i, s in enumerate(sentences) if (fold_of[i] == fold) is wanted)
                Path(folder, f"{fold}-{name}.conllu").write_bytes(text)
            tasks.append((folder, fold, on_error, {"seed": seed, **choices}))
        for fold, scores in _run(tasks, min(jobs, folds)):
            scores_by_fold[fold] = scores
            if done is not None:
                done(fold, scores)
        if keep_parses is not None:
            _keep(keep_parses, folder, [fold_of[sentence] for sentence in range(len(sentences))])
    measures = [
        FoldSpread(name, statistics.fmean(values), statistics.stdev(values), values)
        for name in scores_by_fold[0]
        for values in [tuple(scores_by_fold[fold][name] for fold in range(folds))]
    ]
    return CrossValidation(len(sentences), words, seed, choices, tuple(measures))


def _sentences(sources: Sequence[Source], format: str | None) -> tuple[list[bytes], int]:
    """Return every sentence as CoNLL-U, and the number of words."""
    writer = format_named("conllu").writer()
    texts: list[bytes] = []
    words = 0
    for block in chain.from_iterable(read_blocks(source, format) for source in sources):
        words += block.n_words
        text = writer.write(block)
        texts += _split(text)
    return texts, words


def _keep(path: str | os.PathLike[str], folder: str, fold_of: Sequence[int]) -> None:
    """Write the parses of all folds in the order of the treebank."""
    parsed = {fold: iter(_split(Path(folder, f"{fold}-parsed.conllu").read_bytes())) for fold in set(fold_of)}
    with OutputFile(path) as output:
        for fold in fold_of:
            output.write(next(parsed[fold]))


def _split(text: bytes) -> list[bytes]:
    """Return the sentences of CoNLL-U, each with the blank line after it."""
    return [part + b"\n\n" for part in text.strip(b"\n").split(b"\n\n") if part.strip()]


def _run(tasks: Sequence[tuple[Any, ...]], jobs: int) -> Any:
    """Yield (fold, scores) as folds finish."""
    if jobs == 1:
        for task in tasks:
            yield task[1], score_fold(*task)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(score_fold, *task): task[1] for task in tasks}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def score_fold(folder: str, fold: int, on_error: str, choices: dict[str, Any]) -> dict[str, float]:
    """Train on all folds but one, parse that fold, and return its scores in percent."""
    from treewright.evaluation.graphs import evaluate_graphs
    from treewright.evaluation.report import evaluate
    from treewright.steps.call import GRAPHS
    from treewright.training.observer import TrainingObserver
    from treewright.training.trainer import train

    train_file, test_file = (os.path.join(folder, f"{fold}-{name}.conllu") for name in ("train", "test"))
    parsed = os.path.join(folder, f"{fold}-parsed.conllu")
    try:
        parser = train(train_file, on_error=on_error, observer=TrainingObserver(), **choices)
        parser.parse_file(test_file, parsed)
    except TreebankError as error:  # names a temporary file that the user does not know
        raise TreewrightError(f"fold {fold + 1}: {error}") from None
    if GRAPHS in parser.capabilities:
        graphs = evaluate_graphs(test_file, parsed)
        return {
            f"{kind}, {name}": getattr(score, name if name != "F1" else "f1")
            for kind, score in graphs.rows()
            for name in ("precision", "recall", "F1")
        }
    scores = evaluate(test_file, parsed)
    return {"UAS": scores.uas, "LAS": scores.las}
