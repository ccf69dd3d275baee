"""Kill commands at random moments and take disk, memory and output away from them; count what was lost.

    python benchmarks/faults.py [--kills 300] [--faults 60] [--seed 1]

The scenes and the rule are those of tests/faults.py.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))


def main() -> None:
    from tests.faults import Lost, closed_output, full_disk, killed, limited, scenes, two_writers

    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--kills", type=int, default=300)
    arguments.add_argument("--faults", type=int, default=60)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    chance = random.Random(options.seed)
    counts: Counter[str] = Counter()
    lost = 0
    with tempfile.TemporaryDirectory() as folder:
        ready = scenes(Path(folder))
        others = [
            ("SIGTERM", lambda scene: killed(scene, chance, signal.SIGTERM)),
            ("SIGHUP", lambda scene: killed(scene, chance, signal.SIGHUP)),
            ("RLIMIT_FSIZE", lambda scene: limited(scene, resource.RLIMIT_FSIZE, chance.choice((100, 4096, 100_000)))),
            ("RLIMIT_AS", lambda scene: limited(scene, resource.RLIMIT_AS, chance.randrange(80, 300) << 20)),
            ("full disk", full_disk),
            ("closed output", closed_output),
            ("two writers", two_writers),
        ]
        work = [("SIGKILL", lambda scene: killed(scene, chance))] * options.kills
        work += [others[number % len(others)] for number in range(options.faults)]
        for number, (name, fault) in enumerate(work):
            try:
                fault(ready[number % len(ready)])
            except Lost as error:
                lost += 1
                print(f"  lost: {error}", flush=True)
            counts[name] += 1
            if number % 25 == 24:
                print(f"  {number + 1} of {len(work)}, {lost} lost", flush=True)
    print("| fault | times |\n|---|---|")
    for name, count in counts.items():
        print(f"| {name} | {count} |")
    print(f"damage after {sum(counts.values())} faults: {lost}")
    raise SystemExit(1 if lost else 0)


if __name__ == "__main__":
    main()
