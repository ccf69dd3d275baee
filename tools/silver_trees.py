"""Text with trees that several models agree on, for others to learn from: ``train --silver``.

    python tools/silver_trees.py novels.txt.xz english.tw other.tw -o silver.conllu --words 50000

Paragraphs (lines) are chosen at random, and the first model splits them into sentences and words. Of a sentence that
all models tag and parse alike, the first one's analysis is written. What several models agree on is rarely wrong, and
has words that no treebank has; but it is easy, and what all get wrong stays wrong: a quarter as many words as the
treebank has bring more than as many.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import lzma
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

import treewright as tw

OPENERS: dict[str, Callable[..., IO[str]]] = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}
AT_A_TIME = 2000  # paragraphs that are parsed at a time


def paragraphs_in(path: Path, seed: int) -> list[str]:
    """Return the lines of a text with something on them, in random order."""
    with OPENERS.get(path.suffix, open)(path, "rt", encoding="utf-8") as text:
        lines = [line.strip() for line in text if line.strip()]
    random.Random(seed).shuffle(lines)
    return lines


def agreed(paragraphs: Sequence[str], models: Sequence[tw.Pipeline], longest: int) -> Iterator[tw.Sentence]:
    """Yield the sentences that all models tag and parse alike."""
    tokenizer = models[0].only(["tokenizer"])
    for start in range(0, len(paragraphs), AT_A_TIME):
        text = "\n\n".join(paragraphs[start : start + AT_A_TIME])
        words = list(tokenizer.parse_text(text))
        for first, *others in zip(*(model.parse_stream(words) for model in models), strict=True):
            seen = _analysis(first)
            if 2 <= len(seen) <= longest and all(_analysis(other) == seen for other in others):
                yield first


def _analysis(sentence: tw.Sentence) -> list[tuple[str | None, ...]]:
    return [(word.upos, word.xpos, str(word.head), word.deprel) for word in sentence]


def main() -> None:
    """Parse, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path, help="raw text, a paragraph a line, compressed or not")
    parser.add_argument("models", nargs="+", help="models, or names of bundled ones; the first one's trees are written")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--longest", type=int, default=25, help="words of a sentence")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    models = [tw.load(name) for name in arguments.models]
    words = 0
    with arguments.output.open("w", encoding="utf-8") as out:
        for sentence in agreed(paragraphs_in(arguments.text, arguments.seed), models, arguments.longest):
            out.write(sentence.to_conllu())
            words += len(sentence)
            if words >= arguments.words:
                break
    print(f"{arguments.output}: {words:,} words")


if __name__ == "__main__":
    main()
