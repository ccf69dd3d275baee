"""Parse a file with each set of instructions that this processor has: time beside that of AVX2, and the same bytes.

    python benchmarks/processors.py english en_ewt-ud-test.conllu

Rounds take turns, and the fastest of each counts. Linear models have AVX2 or portable code: build with
``CFLAGS=-DTREEWRIGHT_PORTABLE`` to measure the latter.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Sequence

from treewright.kinds.network.kernel.paths import paths, use_path

import treewright as tw


def seconds(model: tw.Step, blocks: Sequence[object]) -> tuple[float, str]:
    """Return the time of the process that parsing takes, and a digest of what came out."""
    begin = time.process_time()
    parsed = b"".join(model.parse_block(block).data for block in blocks)  # type: ignore[arg-type]
    return time.process_time() - begin, hashlib.sha256(parsed).hexdigest()[:12]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("treebank")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    model, blocks = tw.load(options.model), list(tw.read(options.treebank).blocks())
    best: dict[str, tuple[float, str]] = {}
    for _ in range(options.rounds):
        for path in paths():
            use_path(path)
            best[path] = min(seconds(model, blocks), best.get(path, (float("inf"), "")))
    usual = best.get("avx2", best[paths()[-1]])[0]
    print("| instructions | CPU seconds | beside AVX2 | digest |\n|---|---|---|---|")
    for path, (taken, digest) in best.items():
        print(f"| {path} | {taken:.2f} | {taken / usual:.2f} | {digest} |")


if __name__ == "__main__":
    main()
