"""In how many sentences parsed from raw text a word with a given tag governs another.

    python benchmarks/governing_tags.py MODEL GOLD.conllu --tag PUNCT

The model, a pipeline, parses the raw text of the gold treebank.
"""

from __future__ import annotations

import argparse

import treewright as tw
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.steps.pipeline import Pipeline
from treewright.treebank.files.reading import read_blocks


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model")
    arguments.add_argument("gold")
    arguments.add_argument("--tag", default="PUNCT")
    options = arguments.parse_args()
    pipeline = tw.load(options.model)
    if not isinstance(pipeline, Pipeline):
        arguments.error("the model must be a pipeline: train it with --pipeline")
    sentences = found = 0
    for sentence in pipeline.parse_text(raw_text(read_blocks(options.gold))):
        words = list(sentence)
        sentences += 1
        found += any(word.head and words[word.head - 1].upos == options.tag for word in words)
    print(f"{found} of {sentences} sentences ({100 * found / sentences:.2f} %) have a head tagged {options.tag}")


if __name__ == "__main__":
    main()
