"""How fast a language model learns, and what of it are steps: on one thread, in processor time.

    python benchmarks/pretraining.py TEXT [--steps 20] [--rounds 3] [pretrain options, as --hidden 192]

TEXT: raw text, of which the first megabytes are enough. Prints how many words a second are read from the text, and how
many are learnt from, roots of sentences left out: the best of all rounds.
"""

from __future__ import annotations

import argparse
import random
import time

from treewright.apps.cli.declared_arguments import given_options
from treewright.kinds.language_model.recipe import LanguageModelRecipe
from treewright.kinds.language_model.sentences import SentenceFile
from treewright.kinds.language_model.splitting import Seen, new_paragraphs, split
from treewright.kinds.language_model.training import LanguageModelStrategy
from treewright.lexicon.raw_words import decoded, numbered_lines
from treewright.options.option import flag_of, options_of
from treewright.training.observer import TrainingObserver


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    numbers = [option for option in options_of(LanguageModelRecipe).values() if option.type is int]
    for option in numbers:
        if option.name != "steps":
            parser.add_argument(flag_of(option.name), type=int, default=argparse.SUPPRESS)
    arguments = parser.parse_args()
    begun = time.process_time()
    lines = (decoded(line, name, number) for name, number, line in numbered_lines(arguments.text))
    text = SentenceFile.of(arguments.text, split(new_paragraphs(lines, Seen()), None))
    print(f"{text.n_words:,} words, read at {text.n_words / (time.process_time() - begun):,.0f} words/s")
    given = given_options(arguments, [option.name for option in numbers if option.name != "steps"])
    strategy = LanguageModelStrategy(LanguageModelRecipe(**given, steps=20 * arguments.steps))
    strategy.prepare(text, None, TrainingObserver())
    best = 0.0
    for _ in range(arguments.rounds + 1):  # the first warms up
        begun = time.process_time()
        _, words = strategy.learning.round(random.Random(1), lambda _: None)
        best = max(best, words / (time.process_time() - begun))
    print(f"{best:,.0f} words/s learnt from, {strategy.learning.n_weights:,} weights")


if __name__ == "__main__":
    main()
