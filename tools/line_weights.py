"""Learn the weights of line ends, and write src/treewright/native/line_weights.h.

    python tools/line_weights.py TREEBANK… > src/treewright/native/line_weights.h

Sentences of treebanks are laid out in many ways (`laid_out_texts.py`). A logistic regression learns which ends of
lines are ends of sentences; a rare feature and one that says little get no weight. With --judge TREEBANK… nothing is
written but the share of wrong decisions on texts made of these.
"""

from __future__ import annotations

import argparse
import random
import sys
import textwrap
from pathlib import Path

import numpy
from laid_out_texts import Layouts, without_marks
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.boundaries.line_ends import Lines
from treewright.kinds.tokenizer.boundaries.lines import line_style

from treewright.kinds.tokenizer.raw_text import label, surface_sentences
from treewright.treebank.files.reading import read_blocks

FEATURES = 31 * 1024
SCALE = 12  # units of a weight for each unit of a logarithm of odds
LEFT_TO_MODEL = 0.1  # weight of an end after a full stop: the model finds these, and knows abbreviations
DOUBT = 1.5  # how sure, as logarithm of odds, it must be that the end of a line means something
STOPS = ".!?…”\"')"


def sentences_of(path: str) -> list[str]:
    """Return the texts of a treebank's sentences."""
    found = [label(sentence).text.strip() for sentence in surface_sentences(read_blocks(path))]
    return [text for text in found if 1 < len(text.split()) < 60]


def examples(path: str, number: int, seed: int):
    """Yield the features of line ends in texts of a treebank's sentences, whether they are ends, and how sure."""
    layouts = Layouts(sentences_of(path), random.Random(seed))
    for _ in range(number):
        text, ends = without_marks(layouts.text())
        characters = Characters(text.encode())
        style = line_style(characters)
        if style.each:
            continue
        lines = Lines(characters, style.wide)
        for place, features in lines.features_of_ends(style.width, style.support, style.share):
            at = characters.text_place(place)
            before = text[:at].rstrip()
            yield features, len(before) in ends, text, at


def matrix(rows: list[list[int]]) -> csr_matrix:
    """Return features as a sparse matrix."""
    starts = numpy.cumsum([0, *map(len, rows)])
    columns = numpy.concatenate([numpy.asarray(row) for row in rows])
    return csr_matrix((numpy.ones(len(columns), numpy.float32), columns, starts), shape=(len(rows), FEATURES))


def main() -> None:
    """Learn, and write; or judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--texts", type=int, default=7000, help="texts of each treebank")
    parser.add_argument("--judge", nargs="*", default=[])
    arguments = parser.parse_args()
    rows, right, importance = [], [], []
    for path in arguments.treebanks:
        for features, end, text, at in examples(path, arguments.texts, 1):
            rows.append(features)
            right.append(end)
            importance.append(LEFT_TO_MODEL if end and text[:at].rstrip()[-1:] in STOPS else 1.0)
    print(len(rows), "line ends,", sum(right), "mean something", file=sys.stderr)
    x, y = matrix(rows), numpy.asarray(right)
    seen = numpy.asarray(x.sum(0)).ravel() >= 5
    model = LogisticRegression(C=0.3, max_iter=300, solver="liblinear", l1_ratio=1)
    model.fit(x.multiply(seen).tocsr(), y, sample_weight=importance)
    weights = numpy.clip(numpy.round(SCALE * model.coef_[0]), -127, 127).astype(int)
    bias = round(SCALE * (model.intercept_[0] - DOUBT))
    for path in arguments.judge:
        judge(path, weights, bias)
    write(weights, bias)


def judge(path: str, weights: numpy.ndarray, bias: int) -> None:
    """Say how many decisions are wrong."""
    n = cut = missed = ends = 0
    for features, end, text, at in examples(path, 300, 7):
        found = weights[features].sum() + bias > 0
        n, ends = n + 1, ends + end
        cut += found and not end
        missed += end and not found and text[:at].rstrip()[-1:] not in STOPS
    print(f"{Path(path).name}: {n} line ends, {cut} cut of {n - ends}, {missed} missed of {ends}", file=sys.stderr)


def write(weights: numpy.ndarray, bias: int) -> None:
    """Write the header: pairs of a feature and its weight."""
    pairs = ", ".join(f"{{{feature}, {weights[feature]}}}" for feature in numpy.nonzero(weights)[0])
    print(
        "/* Made by tools/line_weights.py: the features of the end of a line that tell (line_ends.pyx), each with its\n"
        "   weight. Above 0 in sum, with the bias, the end of a line ends a sentence. */\n"
        "#ifndef TREEWRIGHT_LINE_WEIGHTS_H\n#define TREEWRIGHT_LINE_WEIGHTS_H\n#include <stdint.h>\n\n"
        f"#define TW_LINE_BIAS {bias}\n"
        "static const int16_t tw_line_weights[][2] = {"
    )
    print(textwrap.fill(pairs, 118, initial_indent="    ", subsequent_indent="    "))
    print("};\n#define TW_LINE_WEIGHTS (sizeof(tw_line_weights) / sizeof(tw_line_weights[0]))\n#endif")


if __name__ == "__main__":
    main()
