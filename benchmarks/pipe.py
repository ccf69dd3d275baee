"""Many short texts from Python beside one file.

    python benchmarks/pipe.py GOLD.conllu [MODEL] [--texts 1000] [--runs 15]

The first 1,000 sentences of GOLD are parsed as 1,000 texts with ``pipe``, and as one file with a text a line
(``parse --presegmented``). Both have the same words. Printed are words per second of processor time, best of several
runs that take turns, and how large a pickle of the model is and what it costs.
"""

from __future__ import annotations

import pickle
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from treebank_arguments import parser_of_one

import treewright as tw


def cost(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    arguments = parser_of_one(__doc__, 15)
    arguments.add_argument("--texts", type=int, default=1000, help="sentences of GOLD (1000)")
    options = arguments.parse_args()
    nlp, runs = tw.load(options.model), options.runs
    texts = [" ".join(sentence.text.split()) for sentence in islice(tw.read(options.gold), options.texts)]
    with tempfile.TemporaryDirectory() as place:
        source, target = Path(place, "texts.txt"), Path(place, "parsed.conllu")
        source.write_text("\n".join(texts) + "\n")

        def by_pipe() -> None:
            for _ in nlp.pipe(texts):
                pass

        ways: dict[str, Callable[[], object]] = {
            "one file": lambda: nlp.parse_file(source, target, format="presegmented"),
            "pipe": by_pipe,
        }
        seconds = {name: min(taken) for name, taken in _in_turns(ways, runs).items()}
        words = sum(len(sentence) for sentence in tw.read(target))
    print(f"{len(texts):,} texts, {words:,} words")
    for name, taken in seconds.items():
        print(f"{name:9} {words / taken:>9,.0f} words/s of processor time")
    print(f"pipe has {100 * seconds['one file'] / seconds['pipe']:.0f} % of the speed of one file")
    pickled = pickle.dumps(nlp)
    dumped = min(cost(lambda: pickle.dumps(nlp)) for _ in range(runs))
    loaded = min(cost(lambda: tw.load(nlp.origin.path if nlp.origin else "english")) for _ in range(runs))
    print(
        f"a pickle of the model: {len(pickled)} bytes, {1000 * dumped:.1f} ms; a process that gets it first:", end=" "
    )
    print(f"{1000 * loaded:.0f} ms to load the model")


def _in_turns(ways: dict[str, Callable[[], object]], runs: int) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, run in ways.items():
            taken[name].append(cost(run))
    return taken


if __name__ == "__main__":
    main()
