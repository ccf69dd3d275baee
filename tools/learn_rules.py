"""Give a trained model the rules of a treebank; its weights stay as they are.

    python tools/learn_rules.py MODEL TREEBANK -o NEW.tw

For models that were trained before there were rules, and to measure what rules change.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import treewright as tw
from treewright.kinds.network.parser import NeuralParser
from treewright.kinds.transition.parser import TransitionParser
from treewright.steps.pipeline import Pipeline
from treewright.steps.step import Step
from treewright.systems.rules.learning import learn_rules
from treewright.systems.rules.rule import Rule, rows_of
from treewright.treebank.files.reading import read_blocks


def with_rules(step: Step, rules: Sequence[Rule]) -> Step:
    """Return a step that keeps rules: a parser of trees, or a pipeline with one; others stay as they are."""
    if isinstance(step, Pipeline):
        return Pipeline({name: with_rules(one, rules) for name, one in step.steps.items()}, step.info)
    if isinstance(step, TransitionParser):
        return TransitionParser({**step.settings, "rules": rows_of(rules)}, step.weights, step.info)
    if isinstance(step, NeuralParser):
        members = [member._replace(parser=with_rules(member.parser, rules)) for member in step.members]
        return NeuralParser({**step.settings, "rules": rows_of(rules)}, step.arrays, step.info, members)
    return step


def main() -> None:
    """Read model and treebank, write the new model."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model")
    arguments.add_argument("treebank")
    arguments.add_argument("-o", "--output", required=True)
    options = arguments.parse_args()
    rules = learn_rules(read_blocks(options.treebank))
    with_rules(tw.load(options.model), rules).save(options.output)
    print(f"{len(rules)} rules: {options.output}")


if __name__ == "__main__":
    main()
