"""Score a parse against a gold treebank.

Prints LAS and UAS over all words with full relations, the scores that `train` and `crossval` report too, and under
them the official CoNLL 2018 scores (words aligned by their characters, relations without subtype).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from treewright.apps.cli.output_forms import print_json
from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_json

if TYPE_CHECKING:
    from treewright.evaluation.graph_significance import GraphComparison
    from treewright.evaluation.graphs import GraphScores
    from treewright.evaluation.report import Evaluation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("gold", metavar="GOLD", help="treebank with the right trees")
    parser.add_argument("system", metavar="SYSTEM", help="the parse to score; with --raw-text, the model that parses")
    parser.add_argument(
        "--raw-text", action="store_true", help="score a model from raw text: it parses the text of the gold treebank"
    )
    parser.add_argument(
        "--by", metavar="WHAT", help="break down by deprel, upos, length, distance, signed-distance or sentence"
    )
    parser.add_argument(
        "--conventions", action="store_true", help="also the conventions before UD: punctuation, relations, averages"
    )
    parser.add_argument(
        "--no-single-root", dest="single_root", action="store_false", help="accept trees with several roots"
    )
    parser.add_argument("--graph", action="store_true", help="score the graphs in DEPS: precision, recall, F1 of arcs")
    parser.add_argument(
        "--tree-as-graph", action="store_true", help="the same, with the parse's trees in place of its graphs"
    )
    parser.add_argument(
        "--against", metavar="FILE", help="with --graph: another system's graphs; is the difference more than luck?"
    )
    parser.add_argument("--unlabelled", action="store_true", help="with --against: compare arcs without relations")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Score and print."""
    _reject_idle(arguments)
    if arguments.raw_text:
        _show_scores(arguments, _raw_text_scores(arguments))
    elif arguments.against is not None:
        _show(arguments, _compared_graphs(arguments))
    elif _of_graphs(arguments):
        from treewright.evaluation.graphs import evaluate_graphs

        _show(arguments, evaluate_graphs(arguments.gold, arguments.system, tree_as_graph=arguments.tree_as_graph))
    elif arguments.by is not None:
        _show_breakdown(arguments)
    else:
        from treewright.evaluation import evaluate

        _show_scores(arguments, evaluate(arguments.gold, arguments.system, multiple_roots=not arguments.single_root))
    return 0


def _of_graphs(arguments: argparse.Namespace) -> bool:
    return bool(arguments.graph or arguments.tree_as_graph)


def _reject_idle(arguments: argparse.Namespace) -> None:
    """Reject options that would change nothing."""
    from treewright.errors import TreewrightError

    graphs = _of_graphs(arguments)
    if arguments.raw_text:
        given = {"--by": arguments.by, "--graph": arguments.graph, "--tree-as-graph": arguments.tree_as_graph}
        given |= {"--against": arguments.against, "--unlabelled": arguments.unlabelled}
        names = ", ".join(name for name, value in given.items() if value not in (None, False))
        if names:
            raise TreewrightError(f"--raw-text has scores over all words only: leave out {names}")
    if arguments.conventions and (arguments.by is not None or graphs):
        raise TreewrightError("--conventions is about scores over all words of trees: leave out --by and --graph")
    if arguments.conventions and arguments.json:
        raise TreewrightError("--json has all conventions anyway: leave out --conventions")
    if not arguments.single_root and (arguments.by is not None or graphs):
        raise TreewrightError("--no-single-root is about the official scores of trees: leave it out here")
    if arguments.unlabelled and arguments.against is None:
        raise TreewrightError("--unlabelled is for --against: give another system's graphs, or leave it out")
    if arguments.against is not None and not graphs:
        raise TreewrightError("--against is for graphs: add --graph")
    if arguments.by is not None and graphs:
        raise TreewrightError("scores of graphs have no breakdown: leave out --by or --graph")


def _raw_text_scores(arguments: argparse.Namespace) -> Evaluation:
    """Let a model parse the text of the gold treebank, and score it."""
    from treewright import load
    from treewright.evaluation.report import evaluate

    model = load(arguments.system)
    scores = evaluate(arguments.gold, model, multiple_roots=not arguments.single_root, raw_text=True)
    scores.gold, scores.system = arguments.gold, arguments.system
    return scores


def _compared_graphs(arguments: argparse.Namespace) -> GraphComparison:
    """Say whether the difference between two systems' graphs is more than luck; --tree-as-graph is for the first."""
    from treewright.evaluation.graph_significance import compare_graph_systems

    return compare_graph_systems(
        arguments.gold,
        arguments.system,
        arguments.against,
        labelled=not arguments.unlabelled,
        tree_as_graph=arguments.tree_as_graph,
        second_tree_as_graph=False,
    )


def _show_breakdown(arguments: argparse.Namespace) -> None:
    from treewright.evaluation import breakdown, breakdown_lines

    rows = breakdown(arguments.gold, arguments.system, arguments.by)
    if arguments.json:
        print_json([asdict(row) for row in rows])
    else:
        print("\n".join(breakdown_lines(arguments.by, rows)))


def _show_scores(arguments: argparse.Namespace, scores: Evaluation) -> None:
    if arguments.json:
        print_json(scores.to_dict())
        return
    print(scores.to_text(arguments.conventions))
    if not arguments.conventions and sys.stderr.isatty():
        say("other conventions (without punctuation, without subtypes, mean over sentences): --conventions")


def _show(arguments: argparse.Namespace, result: GraphScores | GraphComparison) -> None:
    if arguments.json:
        print_json(result.to_dict())
    else:
        print(result)
