"""Train a parser on a treebank.

With --dev, the best round on it is kept. Ctrl-C ends training early and keeps the best so far.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from treewright.cli.learner_arguments import LEARNER_CHOICES, add_learner_arguments, rounds_of
from treewright.cli.program import say
from treewright.errors import TreewrightError
from treewright.systems import SYSTEMS
from treewright.systems.graphs import GRAPH_SYSTEMS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("treebank", help="treebank to learn from, any format, compressed or not")
    parser.add_argument("-o", "--output", required=True, metavar="MODEL", help="model file to write")
    parser.add_argument("--dev", metavar="FILE", help="treebank to choose the best round on")
    parser.add_argument("--pipeline", action="store_true", help="train tokeniser and tagger too: a model for raw text")
    parser.add_argument(
        "--jackknife", type=int, metavar="N", help="parts tagged by taggers that have not seen them (default 4)"
    )
    parser.add_argument(
        "--system",
        metavar="NAME",
        help=f"{SYSTEMS[0]} (default), {', '.join(SYSTEMS[1:])}, graph, {', '.join(GRAPH_SYSTEMS)}",
    )
    parser.add_argument(
        "--root", choices=("first", "last"), help="where arc-eager and covington have their root (default last)"
    )
    parser.add_argument("--no-single-root", dest="single_root", action="store_false", help="allow several roots")
    parser.add_argument(
        "--policy",
        metavar="NAME",
        help="static, ambiguity or explore (default where possible); static (default) or dagger for batch learners",
    )
    parser.add_argument(
        "--exploration",
        metavar="YEAR",
        help="2013 (default): follow a wrong move if RAND() < p, k=1, p=0.9; 2012: if RAND() > p, k=2, p=0.1",
    )
    parser.add_argument("--k", type=int, help="rounds before exploration begins (default 1; 2 with --exploration 2012)")
    parser.add_argument("--p", type=float, help="see --exploration (default 0.9; 0.1 with --exploration 2012)")
    parser.add_argument(
        "--zero-cost", metavar="NAME", help="of several right moves, make the best by score (default), or a random one"
    )
    parser.add_argument(
        "--cost-sensitive", metavar="NAME", help="let mistakes that lose more arcs count for more: scale or margin"
    )
    add_learner_arguments(parser)
    parser.add_argument(
        "--features", metavar="NAME|FILE", help="feature model: rich (default), lean, malt, zhang-nivre, or a file"
    )
    parser.add_argument(
        "--decision", choices=("joint", "split"), help="kind and relation together or one after the other"
    )
    parser.add_argument(
        "--lifting", metavar="SCHEME", help="of non-projective trees: none, baseline, head (default), path, head+path"
    )
    parser.add_argument("--beam", type=int, metavar="N", help="states to follow at a time (default 1: greedy)")
    parser.add_argument(
        "--update", metavar="NAME", help="where a beam learns from a sentence: max-violation (default) or early"
    )
    parser.add_argument("--iterations", type=int, metavar="N", help="rounds over the treebank (default 15; graph: 5)")
    parser.add_argument(
        "--cutoff", type=int, metavar="N", help="mistakes that must touch a feature before it counts (default 3)"
    )
    parser.add_argument("--no-prune", dest="prune", action="store_false", help="keep features that dev does not miss")
    parser.add_argument("--seed", type=int, help="of the order of sentences and of exploration (default 1)")
    parser.add_argument("--order", type=int, choices=(1, 2), help="graph: arcs alone, or grandparents too (default 2)")
    parser.add_argument("--projective", action="store_true", default=None, help="graph: projective trees, first order")
    parser.add_argument("--learning", metavar="NAME", help="graph: sgd (default), mira or perceptron")
    parser.add_argument(
        "--adviser", metavar="NAME", help="graph: parser whose trees are looked at: greedy (default) or none"
    )
    parser.add_argument("--init-from", metavar="MODEL", help="go on from a trained model")
    parser.add_argument(
        "--on-error", choices=("fail", "skip", "fix"), default="fail", help="what to do with bad trees (default fail)"
    )
    parser.add_argument("--format", metavar="NAME", help="format of the treebanks, if it is not to be guessed")
    parser.add_argument("--licence", default="", help="licence of the model, kept in it")
    parser.add_argument("--description", default="", help="a line about the model, kept in it")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


CHOICES = (
    "system",
    "root",
    "single_root",
    "policy",
    "exploration",
    "k",
    "p",
    "zero_cost",
    "cost_sensitive",
    "features",
    "decision",
    "lifting",
    "iterations",
    "cutoff",
    "prune",
    "seed",
    "beam",
    "update",
    "order",
    "projective",
    "learning",
    "adviser",
    *LEARNER_CHOICES,
)


def run(arguments: argparse.Namespace) -> int:
    """Train and save."""
    from treewright.training.trainer import train

    check_target(arguments.output)
    choices = {name: getattr(arguments, name) for name in CHOICES if getattr(arguments, name) is not None}
    observer = _observer(arguments.quiet, rounds_of(choices))
    if arguments.jackknife is not None and not arguments.pipeline:
        raise TreewrightError("--jackknife needs a tagger: use it with --pipeline")
    if arguments.pipeline:
        return _run_pipeline(arguments, choices, observer)
    with observer:
        parser = train(
            arguments.treebank,
            arguments.dev,
            init_from=arguments.init_from,
            on_error=arguments.on_error,
            format=arguments.format,
            observer=observer,
            licence=arguments.licence,
            description=arguments.description,
            dump_instances=arguments.dump_instances,
            **choices,
        )
    parser.save(arguments.output)
    _report(parser.info, arguments)
    return 0


def _run_pipeline(arguments: argparse.Namespace, choices: dict[str, Any], observer: Any) -> int:
    """Train tokeniser, tagger and parser."""
    from treewright.text.pipeline_training import JACKKNIFE, train_pipeline

    if arguments.init_from is not None:
        raise TreewrightError("--pipeline trains all steps anew: leave --init-from out")
    with observer:
        pipeline = train_pipeline(
            arguments.treebank,
            arguments.dev,
            on_error=arguments.on_error,
            format=arguments.format,
            observer=observer,
            tell=None if arguments.quiet else say,
            licence=arguments.licence,
            jackknife=JACKKNIFE if arguments.jackknife is None else arguments.jackknife,
            description=arguments.description,
            **choices,
        )
    pipeline.save(arguments.output)
    _report(pipeline.info, arguments)
    return 0


def check_target(path: str) -> None:
    """Find out before hours of work whether the result can be written."""
    from treewright.treebank.output import check_writable

    if path == "-":
        raise TreewrightError("a model cannot go to standard output. Give -o a file name")
    check_writable(path)


def _report(info: dict[str, Any], arguments: argparse.Namespace) -> None:
    size = os.path.getsize(arguments.output) if os.path.isfile(arguments.output) else 0
    if arguments.json:
        print(json.dumps({"model": arguments.output, "bytes": size, **info}, ensure_ascii=False, indent=2))
        return
    if "dev" in info:
        dev = info["dev"]
        print(f"{dev['name']}: UAS {dev['uas']:.2f}  LAS {dev['las']:.2f}  (round {dev['round']})")
    if not arguments.quiet:
        shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
        say(f"wrote {arguments.output} ({shown})")


def _observer(quiet: bool, rounds: int) -> Any:
    from treewright.cli.training_progress import PlainProgress, RichProgress, Silence

    if quiet:
        return Silence()
    return RichProgress(rounds) if sys.stderr.isatty() else PlainProgress(rounds)
