"""Measure our official scores against udeval's, on the same files in the same run.

    python benchmarks/scoring.py GOLD [SYSTEM] [--repeat 5]

Without SYSTEM, GOLD is scored against a copy with about a tenth of heads and relations changed.

Both read the two files, align and score them; the best of the repeats counts. The numbers must
agree to the last digit, or nothing is measured.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path
from typing import Any

from needed import needed
from timing import best_time

from treewright.evaluation import evaluate, official_scores


def theirs(gold: str, system: str) -> dict[str, Any]:
    udeval = needed("udtools.udeval", "pip install udtools")
    scores: dict[str, Any] = udeval.evaluate(udeval.load_conllu_file(gold), udeval.load_conllu_file(system))
    return scores


def disturbed(gold: str) -> str:
    """Return CoNLL-U text with some heads, relations, tags and lemmas changed; still trees."""
    draw = random.Random(1)
    result = []
    for sentence in Path(gold).read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in sentence.split("\n")]
        words = [row for row in rows if row[0].isdigit()]
        heads = [int(row[6]) for row in words]
        for number, row in enumerate(words, 1):
            target = above = draw.randint(1, len(words))
            while above not in (0, number):
                above = heads[above - 1]
            if heads[number - 1] and not above and draw.random() < 0.12:
                heads[number - 1] = target
            row[6] = str(heads[number - 1])
            for column, value in ((7, "nmod"), (3, "NOUN"), (2, "x"), (5, "Number=Sing")):
                if draw.random() < 0.08:
                    row[column] = value
        result.append("\n".join("\t".join(row) for row in rows))
    return "\n\n".join(result)


def check(gold: str, system: str) -> int:
    """Return the number of gold words; stop if a number differs."""
    ours = official_scores(gold, system)
    for name, score in theirs(gold, system).items():
        aligned = score.aligned_accuracy
        expected = [100 * value for value in (score.precision, score.recall, score.f1)]
        expected.append(None if aligned is None else 100 * aligned)
        own = ours[name]
        if [own.precision, own.recall, own.f1, own.aligned_accuracy] != expected:
            raise SystemExit(f"{name} differs: {own} against {expected}")
    return ours["Words"].gold


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold")
    parser.add_argument("system", nargs="?")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        system = options.system or f"{folder}/disturbed.conllu"
        if not options.system:
            Path(system).write_text(disturbed(options.gold), encoding="utf-8")
        measure(options.gold, system, options.repeat)


def measure(gold: str, system: str, repeat: int) -> None:
    pair = (gold, system)
    words = check(*pair)
    print(f"{words} words; all official numbers agree")
    reference = best_time(lambda: theirs(*pair), repeat)
    rows = {
        "udeval": reference,
        "official scores": best_time(lambda: official_scores(*pair), repeat),
        "evaluate (both conventions)": best_time(lambda: evaluate(*pair), repeat),
    }
    for name, seconds in rows.items():
        print(f"{name:<28} {1000 * seconds:9.1f} ms {reference / seconds:8.1f} times udeval")


if __name__ == "__main__":
    main()
