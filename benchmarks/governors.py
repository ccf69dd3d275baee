"""What the rule that some tags never govern is worth: the second table of docs/systems.md about leaves.

    python benchmarks/governors.py TREEBANKS NAME… [--seeds 1 2 3]

Trains the default parser on gold tags, with ``--governors learnt`` and ``any``, for each seed. Prints the LAS on the
dev set, which training does not see, and how many of its words have a head tagged PUNCT.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import fmean

from treebank_arguments import parser_for

import treewright as tw


def main() -> None:
    """Measure one treebank after the other."""
    parser = parser_for(__doc__)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3], help="of the trainings")
    arguments = parser.parse_args()
    for name in arguments.names:
        for governors in ("learnt", "any"):
            measure(arguments.treebanks / name, governors, arguments.seeds)


def measure(folder: Path, governors: str, seeds: list[int]) -> None:
    """Train with each seed; print a line."""
    train, judged = (next(folder.glob(f"*-{part}.conllu")) for part in ("train", "dev"))
    start = time.process_time()
    las: list[float] = []
    heads: list[int] = []
    for seed in seeds:
        model = tw.train(train, governors=governors, seed=seed)
        with tempfile.TemporaryDirectory() as place:
            parsed = Path(place) / "parsed.conllu"
            model.parse_file(judged, parsed)
            las.append(tw.evaluate(judged, parsed).las)
            heads.append(headed_by(parsed, "PUNCT"))
    seconds = (time.process_time() - start) / len(seeds)
    shown = ", ".join(f"{each:.2f}" for each in las)
    print(f"{folder.name} {governors}: LAS {shown}, mean {fmean(las):.2f}; heads {heads}; {seconds:.0f} s", flush=True)


def headed_by(parsed: Path, tag: str) -> int:
    """Return how many words of a treebank have a head with a tag."""
    found = 0
    for sentence in tw.read(parsed):
        words = list(sentence)
        found += sum(1 for word in words if word.head and words[word.head - 1].upos == tag)
    return found


if __name__ == "__main__":
    main()
