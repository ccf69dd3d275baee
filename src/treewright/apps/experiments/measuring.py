"""The work of one cell: train, parse the test set, score, and measure time and memory on the way."""

from __future__ import annotations

import io
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

from treewright.apps.experiments.cell import FORMAT, builds_graphs
from treewright.apps.experiments.memory import peak_memory
from treewright.apps.experiments.treebank_files import sample
from treewright.errors import TreewrightError
from treewright.evaluation.breakdown import DistanceRow, breakdown
from treewright.evaluation.comparison import FLAGS, Names
from treewright.evaluation.graphs import evaluate_graphs
from treewright.evaluation.report import Evaluation, evaluate
from treewright.evaluation.stretches import comparisons
from treewright.evaluation.tally import right_flags, right_per_sentence
from treewright.steps.step import Step
from treewright.training.observer import RoundReport, TrainingObserver
from treewright.training.trainer import train
from treewright.treebank.files.reading import read_blocks

SECONDS_OF_PARSING = 0.5  # CPU time after which the speed is known well enough
REPEATS = 5  # of parsing, at most


class RoundLog(TrainingObserver):
    """Keeps what every round gave, with the CPU time so far."""

    def __init__(self, tell: Callable[[RoundReport], None]) -> None:
        self.tell = tell
        self.rounds: list[dict[str, Any]] = []
        self.start = time.process_time()

    def round_done(self, report: RoundReport) -> None:
        """Keep the round, and pass it on."""
        mistakes = None if report.mistakes != report.mistakes else round(report.mistakes, 6)
        self.rounds.append(
            {
                "round": report.round,
                "mistakes": mistakes,
                "features": report.features,
                "uas": _rounded(report.uas),
                "las": _rounded(report.las),
                "cpu_seconds": round(time.process_time() - self.start, 3),
            }
        )
        self.tell(report)


def measure(
    content: dict[str, Any],
    paths: dict[str, str],
    tell: Callable[[RoundReport], None],
    model: str | None = None,
    parse: str | None = None,
    cache: str | None = None,
) -> dict[str, Any]:
    """Return the result of a cell, as plain data; keep model and parse if there are names for them.

    ``cache`` is a folder for what several cells need.
    """
    data, choices = content["data"], content["training"]
    sources, gold = _sources(paths, data, choices["seed"], cache)
    log = RoundLog(tell)
    wall, cpu = time.perf_counter(), time.process_time()
    on_error = data.get("on_error", "fail" if builds_graphs(choices) else "fix")
    parser = train(_named(sources["train"]), _named(sources.get("dev")), on_error=on_error, observer=log, **choices)
    result: dict[str, Any] = {
        "format": FORMAT,
        "status": "done",
        "cell": content,
        "training": {
            **parser.info["training"],
            "cpu_seconds": round(time.process_time() - cpu, 3),
            "seconds": round(time.perf_counter() - wall, 3),
        },
        "dev": parser.info.get("dev"),
        "rounds": log.rounds,
    }
    with tempfile.TemporaryDirectory() as temporary:
        target = model or os.path.join(temporary, "model.tw")
        parser.save(target)
        result["model_bytes"] = os.path.getsize(target)
    result["training_peak_memory_bytes"] = peak_memory()
    parsed, result["parsing"] = _parsed(parser, sources["test"])
    result.update(_scores(gold, parsed, content))
    if parse is not None:
        from treewright.treebank.files.output import OutputFile

        with OutputFile(parse) as output:
            output.write(parsed)
    result["peak_memory_bytes"] = peak_memory()
    if data.get("scaling"):
        from treewright.apps.experiments.scaling import parsing_costs

        result["scaling"] = parsing_costs(parser, sources["test"])
    if data.get("solver_sentences"):
        from treewright.apps.experiments.solving import LONGEST, solver_costs

        result["solving"] = solver_costs(parser, gold, data["solver_sentences"], data.get("solver_longest", LONGEST))
    result["made_with"] = _made_with()
    return result


def _sources(
    paths: dict[str, str], data: dict[str, Any], seed: int, cache: str | None
) -> tuple[dict[str, bytes], bytes]:
    """Return the cell's sentences by role, and the gold test set to score against."""
    sources = {role: _source(path, role, data, seed) for role, path in paths.items()}
    gold = sources["test"]
    tags = data.get("tags", "gold")
    if tags == "predicted":
        from treewright.apps.experiments.tagging import with_predicted_tags

        sources = with_predicted_tags(sources, data.get("jackknife"), cache, data.get("tagger_search"))
    elif tags != "gold":
        raise TreewrightError(f"there are no tags {tags!r}; there are: gold, predicted")
    return sources, gold


def _source(path: str, role: str, data: dict[str, Any], seed: int) -> bytes:
    """Return the sentences of a file that the cell is about."""
    count, fraction = data.get(f"{role}_sentences"), data.get(f"{role}_fraction")
    if count is None and fraction is None:
        return b"".join(block.data for block in read_blocks(path))
    # All cells are scored on the same sentences; only the training sentences depend on the seed.
    return sample(path, count, fraction, seed if role == "train" else 1)


def _named(text: bytes | None) -> Any:
    return None if text is None else io.BytesIO(text)


def _parsed(parser: Step, gold: bytes) -> tuple[bytes, dict[str, Any]]:
    """Parse a test set from memory, again and again until the time is known; the best run counts."""
    blocks = list(read_blocks(gold))
    words = sum(block.n_words for block in blocks)
    runs: list[float] = []
    while not runs or (sum(runs) < SECONDS_OF_PARSING and len(runs) < REPEATS):
        start = time.process_time()
        parsed = b"".join(parser.parse_block(block).data for block in blocks)
        runs.append(time.process_time() - start)
    best = max(min(runs), 1e-9)
    return parsed, {
        "sentences": sum(block.n_sentences for block in blocks),
        "words": words,
        "cpu_seconds": round(best, 6),
        "tokens_per_second": round(words / best),
        "runs": len(runs),
    }


def _scores(gold: bytes, parsed: bytes, content: dict[str, Any]) -> dict[str, Any]:
    """Score the parse, as a whole and sentence by sentence."""
    if builds_graphs(content["training"]):
        return _graph_scores(gold, parsed)
    scores = {name: round(value, 4) for name, value in _tree_scores(evaluate(gold, parsed)).items()}
    rows = breakdown(gold, parsed, "distance")
    return {
        "scores": scores,
        "sentences": sentence_scores(gold, parsed, content.get("parts", {})),
        "distances": [
            {"distance": row.distance, "gold": row.gold, "system": row.system}
            | {"precision": round(row.precision, 4), "recall": round(row.recall, 4)}
            for row in rows
            if isinstance(row, DistanceRow)
        ],
    }


def _graph_scores(gold: bytes, parsed: bytes) -> dict[str, Any]:
    graphs = evaluate_graphs(gold, parsed)
    scores = {
        f"{name}_{measure}": round(getattr(score, measure), 4)
        for name, score in (
            ("labelled", graphs.labelled),
            ("unlabelled", graphs.unlabelled),
            ("secondary", graphs.secondary_labelled),
        )
        for measure in ("precision", "recall", "f1")
    }
    counts: dict[str, list[int]] = {name: [] for name in ("gold", "system", "unlabelled", "labelled")}
    for ours, theirs in zip(_texts(gold), _texts(parsed), strict=True):
        one = evaluate_graphs(ours, theirs)
        counts["gold"].append(one.labelled.gold)
        counts["system"].append(one.labelled.system)
        counts["unlabelled"].append(one.unlabelled.correct)
        counts["labelled"].append(one.labelled.correct)
    return {"scores": scores, "graph_sentences": counts}


def _texts(treebank: bytes) -> Iterator[bytes]:
    for block in read_blocks(treebank):
        yield from (block.text_of(number) for number in range(block.n_sentences))


def _tree_scores(evaluation: Evaluation) -> dict[str, float]:
    plain = evaluation.attachment()
    names = ("uas", "las", "label_accuracy", "exact_match", "root_accuracy")
    scores: dict[str, float] = {name: getattr(plain, name) for name in names}
    scores |= {f"{name}_without_punctuation": getattr(evaluation.attachment("upos"), name) for name in names[:2]}
    try:
        official = evaluation.ud
    except TreewrightError:
        return scores
    return {**scores, **{name.lower(): official[name].f1 for name in ("CLAS", "MLAS", "BLEX")}}


def sentence_scores(gold: bytes, parsed: bytes, parts: dict[str, str] | None = None) -> dict[str, Any]:
    """Return for every sentence its words, those with the right head, and those with the right relation too.

    Significance, sentence lengths and parts of the test set can be had from these.
    """
    words: list[int] = []
    heads: list[int] = []
    both: list[int] = []
    part: list[str | None] = []
    for pair in comparisons(gold, parsed, Names()):
        n_words, n_heads = right_per_sentence(pair, 0, FLAGS["head"])
        _, n_both = right_per_sentence(pair, 0, right_flags("full"))
        words.extend(n_words)
        heads.extend(n_heads)
        both.extend(n_both)
        for number in range(pair.n_sentences if parts else 0):
            name = pair.gold.sent_id(pair.gold_from + number)
            part.append(next((part for part, prefix in (parts or {}).items() if name.startswith(prefix)), None))
    counts: dict[str, Any] = {"words": words, "heads": heads, "both": both}
    return {**counts, "part": part} if parts else counts


def _made_with() -> dict[str, str]:
    from treewright import __version__

    finished = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return {"version": __version__, "python": sys.version.split()[0], "platform": sys.platform, "finished": finished}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
