"""Play random edits, saves, changes by others, kills, full disks and takeovers with the studio; count what was lost.

    python benchmarks/studio_faults.py [--runs 10000] [--seed 0]

Each run is a small treebank, two servers that take the project from each other, and two clients; it takes a fifteenth
of a second. The rules are those of tests/apps/studio/faults.py. A run that breaks one is printed with its seed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))


def main() -> None:
    from tests.apps.studio.faults import Lost, run

    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--runs", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=0, help="of the first run")
    options = arguments.parse_args()
    counts: Counter[str] = Counter()
    lost, start = 0, time.monotonic()
    for number, seed in enumerate(range(options.seed, options.seed + options.runs), 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                counts += run(Path(folder) / "project", seed)
            except Lost as error:
                lost += 1
                print(f"  run {seed}: {error}", flush=True)
        if number % 500 == 0:
            print(f"  {number} of {options.runs}, {lost} lost", flush=True)
    print("| what | times |\n|---|---|")
    for name, count in sorted(counts.items()):
        print(f"| {name} | {count:,} |")
    print(f"{options.runs:,} runs in {time.monotonic() - start:.0f} s, {lost} of them lost, doubled or moved something")
    raise SystemExit(1 if lost else 0)


if __name__ == "__main__":
    main()
