"""A small model of every kind that a model file can hold, made in seconds: for tests and for the fuzzer."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import treewright as tw
from treewright.steps.step import Step
from treewright.treebank.files.reading import read_blocks

TINY = "p(stack[0])\np(input[0])\nw(stack[0]) & p(input[0])\nl(lc(stack[0]))\n[labels]\neach(feats(input[0]))\n"

FOR_PARTS = "p(head) & p(child)\nw(head) & p(child)\n[relation]\np(head) & p(child)\n"
GRANDPARENTS = FOR_PARTS + "[grandparent]\np(grandparent) & p(head) & p(child)\n"
ADVISED = "advised(head, child) & adviser(child)\n" + GRANDPARENTS
SIBLINGS = "[sibling]\np(head) & p(sibling) & p(child) & distance(head, sibling)\n"
NAMES, VERBS, NOUNS = ("Ann", "Bob", "Eve", "Kim"), ("sees", "likes", "knows"), ("figs", "cats", "tea")


def treebank() -> bytes:
    """Return sentences with trees, graphs, multiword tokens and lemmas that differ from forms."""
    return "".join("\n".join(_sentence(i)) + "\n\n" for i in range(24)).encode()


def _sentence(i: int) -> list[str]:
    name, verb, noun = NAMES[i % 4], VERBS[i % 3], NOUNS[i // 2 % 3]
    rows = [
        (name, name, "PROPN", "NNP", "Number=Sing", 2, "nsubj", "2:nsubj|4:nsubj" if i % 2 else "2:nsubj"),
        (verb, verb[:-1], "VERB", "VBZ", "Number=Sing|Person=3", 0, "root", "0:root"),
    ]
    if i % 2:
        rows += [
            ("and", "and", "CCONJ", "CC", "_", 4, "cc", "4:cc"),
            ("likes", "like", "VERB", "VBZ", "Number=Sing", 2, "conj", "2:conj"),
        ]
    n = len(rows)
    rows += [(noun, noun.rstrip("s"), "NOUN", "NNS", "Number=Plur", n, "obj", f"{n}:obj")]
    if i % 3 == 0:
        rows += [("'ll", "will", "AUX", "MD", "_", 2, "aux", "2:aux")]
    rows += [(".", ".", "PUNCT", ".", "_", 2, "punct", "2:punct")]
    lines = [f"# text = {_text(rows)}"]
    for number, (form, lemma, upos, xpos, feats, head, relation, deps) in enumerate(rows, 1):
        if number < len(rows) and rows[number][0] == "'ll":
            lines.append("\t".join((f"{number}-{number + 1}", f"{form}'ll", *"_______", "SpaceAfter=No")))
        columns = str(number), form, lemma, upos, xpos, feats, str(head), relation, deps
        lines.append("\t".join((*columns, "SpaceAfter=No" if number == len(rows) - 1 else "_")))
    return lines


def _text(rows: list[Any]) -> str:
    text = " ".join(row[0] for row in rows)
    return text.replace(" 'll", "'ll").replace(" .", ".")


RAW = "Ann sees figs. Bob likes and knows tea'll.\n\nKim knows cats."


def _moves(system: str = "arc-eager", features: str = TINY, **options: Any) -> Step:
    text = treebank()
    recipe = {"system": system, "features": features, "cutoff": 1, **options}
    if "learner" not in options:
        recipe["iterations"] = 2
    step: Step = tw.train(text, text, **recipe)
    return step


def _pipeline(**options: Any) -> Step:
    return _moves(pipeline=True, jackknife=0, tagger_iterations=2, tokenizer_iterations=2, tagger_cutoff=1, **options)


def _vectors(folder: Path) -> Step:
    path = folder / "vectors.txt"
    words = [*NAMES, *VERBS, *NOUNS, "and", "."]
    path.write_text("".join(f"{word} {i % 3} {i % 5} 1\n" for i, word in enumerate(words)), encoding="utf-8")
    return _pipeline(vectors=str(path), clusters=4)


def _neural(retag: bool = False, hybrid: tuple[str, ...] = (), context: bool = False) -> Step:
    from tests.kinds.network.models import random_parser
    from treewright.kinds.network.parser import Member

    parts = {"arc-eager": lambda: _moves("arc-eager"), "exact": lambda: _exact(FOR_PARTS, order=1)}
    members = [Member(name, parts[name](), 1.5, 0.5) for name in hybrid]
    blocks = list(read_blocks(treebank()))
    return random_parser(blocks, ["nsubj", "root", "obj", "punct"], retag=retag, members=members, context=context)


def _neural_graph() -> Step:
    from tests.kinds.network.graph_models import random_graph_parser

    return random_graph_parser(next(iter(read_blocks(treebank()))))


def _neural_moves(system: str) -> Step:
    from tests.kinds.network.move_models import random_moves

    return random_moves(list(read_blocks(treebank())), ["root", "nsubj", "obj", "punct"], system)


def _hybrid_pipeline() -> Step:
    from treewright.steps.pipeline import Pipeline

    linear = _pipeline()
    assert isinstance(linear, Pipeline)
    return Pipeline({**linear.steps, "parser": _neural(retag=True, hybrid=("arc-eager",))}, linear.info)


def _without_parser() -> Step:
    from treewright.steps.pipeline import Pipeline

    whole = _pipeline()
    assert isinstance(whole, Pipeline)
    return whole.without(["parser"])


def _exact(features: str, **options: Any) -> Step:
    return _moves("exact", features, adviser=options.pop("adviser", "none"), **options)


#: name of a kind → how to make one; the folder is for files that a training reads
KINDS: dict[str, Callable[[Path], Step]] = {
    "arc-eager": lambda folder: _moves(),
    "arc-eager-first": lambda folder: _moves(root="first", lifting="head"),
    "arc-standard-split": lambda folder: _moves("arc-standard", decision="split"),
    "arc-hybrid-leaves": lambda folder: _moves("arc-hybrid", governors="learnt"),
    "covington": lambda folder: _moves("covington", "lean"),
    "easy-first": lambda folder: _moves("easy-first", "lean"),
    "nivre-standard": lambda folder: _moves("nivre-standard"),
    "covington-projective": lambda folder: _moves("covington-projective", "lean"),
    "beam": lambda folder: _moves(beam=3),
    "floats": lambda folder: _moves(precision="float"),
    "isotonic": lambda folder: _moves(calibration="isotonic"),
    "liblinear": lambda folder: _moves(learner="liblinear"),
    "libsvm": lambda folder: _moves(learner="libsvm"),
    "libsvm-parts": lambda folder: _moves(
        learner="libsvm", features="w(stack[0])\np(input[0])\n", split_on="p(input[0])", split_threshold=5
    ),
    "timbl": lambda folder: _moves(learner="timbl", features="p(stack[0])\np(input[0])\n"),
    "dag-arc-eager": lambda folder: _moves("dag-arc-eager"),
    "dag-crossing": lambda folder: _moves("dag-crossing", "lean"),
    "dag-shift-reduce": lambda folder: _moves("dag-shift-reduce"),
    "exact-1": lambda folder: _exact(FOR_PARTS, order=1),
    "exact-projective": lambda folder: _exact(FOR_PARTS, order=1, projective=True),
    "exact-2": lambda folder: _exact(GRANDPARENTS),
    "exact-siblings": lambda folder: _exact(FOR_PARTS + SIBLINGS),
    "exact-projective-2": lambda folder: _exact(GRANDPARENTS + SIBLINGS, projective=True),
    "exact-adviser": lambda folder: _exact(ADVISED, adviser="greedy", adviser_folds=2),
    "neural": lambda folder: _neural(),
    "neural-tags": lambda folder: _neural(retag=True),
    "neural-context": lambda folder: _neural(context=True),
    "neural-graph": lambda folder: _neural_graph(),
    "neural-moves": lambda folder: _neural_moves("arc-hybrid"),
    "neural-graph-moves": lambda folder: _neural_moves("dag-arc-eager"),
    "hybrid": lambda folder: _neural(hybrid=("arc-eager", "exact")),
    "pipeline": lambda folder: _pipeline(),
    "pipeline-clusters": _vectors,
    "pipeline-dag": lambda folder: _pipeline(system="dag-arc-eager"),
    "pipeline-viterbi": lambda folder: _pipeline(tagger_search="viterbi", tagger_compose=True),
    "pipeline-beam": lambda folder: _pipeline(tagger_search="beam", beam=2),
    "pipeline-hybrid": lambda folder: _hybrid_pipeline(),
    "pipeline-without-parser": lambda folder: _without_parser(),
    "tokenizer": lambda folder: tw.train(treebank(), step="tokenizer", tokenizer_iterations=2),
    "tagger": lambda folder: tw.train(treebank(), step="tagger", tagger_iterations=2, tagger_cutoff=1),
    "graph": lambda folder: tw.train(treebank(), step="graph", graph_iterations=2),
}
NEEDS = {"liblinear": "liblinear", "libsvm": "libsvm", "libsvm-parts": "libsvm", "timbl": "timblapi"}


def available() -> list[str]:
    """Return the kinds whose libraries are installed."""
    return [name for name in KINDS if name not in NEEDS or importlib.util.find_spec(NEEDS[name])]


def save_all(folder: Path, names: list[str] | None = None) -> dict[str, Path]:
    """Write a model of each kind to a folder; return where they are."""
    paths = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names or available():
            paths[name] = folder / f"{name}.tw"
            KINDS[name](folder).save(paths[name])
    return paths
