"""Score a parse against a gold treebank.

Prints LAS and UAS over all words with full relations, the scores that `train` and `crossval` report too, and under
them the official CoNLL 2018 scores (words aligned by their characters, relations without subtype).
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from treewright.apps.cli.program import say

if TYPE_CHECKING:
    from treewright.evaluation.report import Evaluation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("gold", help="treebank with the right trees")
    parser.add_argument("system", help="the parse to score; with --raw, the model that parses")
    parser.add_argument(
        "--raw", action="store_true", help="score a model from raw text: it parses the text of the gold treebank"
    )
    parser.add_argument(
        "--by", metavar="WHAT", help="break down by deprel, upos, length, distance, signed-distance or sentence"
    )
    parser.add_argument(
        "--conventions", action="store_true", help="also the conventions before UD: punctuation, relations, averages"
    )
    parser.add_argument("--multiple-roots", action="store_true", help="accept trees with several roots")
    parser.add_argument("--graph", action="store_true", help="score the graphs in DEPS: precision, recall, F1 of arcs")
    parser.add_argument(
        "--tree-as-graph", action="store_true", help="the same, with the parse's trees in place of its graphs"
    )
    parser.add_argument(
        "--against", metavar="FILE", help="with --graph: another system's graphs; is the difference more than luck?"
    )
    parser.add_argument("--unlabelled", action="store_true", help="with --against: compare arcs without relations")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Score and print."""
    from treewright.errors import TreewrightError, unknown
    from treewright.evaluation import BREAKDOWNS, breakdown, breakdown_lines, evaluate

    _reject_idle(arguments)
    if arguments.raw:
        return _score_raw_text(arguments)
    if arguments.graph or arguments.tree_as_graph:
        from treewright.evaluation.graphs import evaluate_graphs

        if arguments.by is not None:
            raise TreewrightError("scores of graphs have no breakdown: leave out --by or --graph")
        if arguments.against is not None:
            return _compare_graphs(arguments)
        graphs = evaluate_graphs(arguments.gold, arguments.system, tree_as_graph=arguments.tree_as_graph)
        print(json.dumps(graphs.to_dict(), ensure_ascii=False, indent=2) if arguments.json else graphs)
        return 0
    if arguments.against is not None or arguments.unlabelled:
        raise TreewrightError("--against and --unlabelled are for graphs: add --graph")
    if arguments.by is not None:
        if arguments.by not in BREAKDOWNS:
            raise TreewrightError(unknown("breakdown", arguments.by, BREAKDOWNS))
        rows = breakdown(arguments.gold, arguments.system, arguments.by)
        if arguments.json:
            print(json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2))
        else:
            for line in breakdown_lines(arguments.by, rows):
                print(line)
        return 0
    _print(arguments, evaluate(arguments.gold, arguments.system, multiple_roots=arguments.multiple_roots))
    return 0


def _print(arguments: argparse.Namespace, scores: Evaluation) -> None:
    if arguments.json:
        print(json.dumps(scores.to_dict(), ensure_ascii=False, indent=2))
        return
    print(scores.to_text(arguments.conventions))
    if not arguments.conventions and sys.stderr.isatty():
        say("other conventions (without punctuation, without subtypes, mean over sentences): --conventions")


def _reject_idle(arguments: argparse.Namespace) -> None:
    """Reject options that would change nothing."""
    from treewright.errors import TreewrightError

    graphs = arguments.graph or arguments.tree_as_graph
    if arguments.conventions and (arguments.by is not None or graphs):
        raise TreewrightError("--conventions is about scores over all words of trees: leave out --by and --graph")
    if arguments.conventions and arguments.json:
        raise TreewrightError("--json has all conventions anyway: leave out --conventions")
    if arguments.multiple_roots and (arguments.by is not None or graphs):
        raise TreewrightError("--multiple-roots is about the official scores of trees: leave it out here")
    if arguments.unlabelled and arguments.against is None:
        raise TreewrightError("--unlabelled is for --against: give another system's graphs, or leave it out")


def _score_raw_text(arguments: argparse.Namespace) -> int:
    """Let a model parse the text of the gold treebank, and score it."""
    from treewright.errors import TreewrightError
    from treewright.kinds.pipeline.raw_text_scores import evaluate_raw_text
    from treewright.steps.named_models import find_model
    from treewright.steps.parser import Parser
    from treewright.treebank.files.reading import read_blocks

    unfit = {"--by": arguments.by is not None, "--graph": arguments.graph, "--tree-as-graph": arguments.tree_as_graph}
    unfit |= {"--against": arguments.against is not None, "--unlabelled": arguments.unlabelled}
    if any(unfit.values()):
        names = ", ".join(name for name, given in unfit.items() if given)
        raise TreewrightError(f"--raw has scores over all words only: leave out {names}")
    model = Parser.load(find_model(arguments.system))
    scores = evaluate_raw_text(list(read_blocks(arguments.gold)), model, multiple_roots=arguments.multiple_roots)
    scores.gold, scores.system = arguments.gold, arguments.system
    _print(arguments, scores)
    return 0


def _compare_graphs(arguments: argparse.Namespace) -> int:
    """Say whether the difference between two systems' graphs is more than luck; --tree-as-graph is for the first."""
    from treewright.evaluation.graph_significance import compare_graph_systems

    found = compare_graph_systems(
        arguments.gold,
        arguments.system,
        arguments.against,
        labelled=not arguments.unlabelled,
        tree_as_graph=arguments.tree_as_graph,
        second_tree_as_graph=False,
    )
    print(json.dumps(found.to_dict(), ensure_ascii=False, indent=2) if arguments.json else found)
    return 0
