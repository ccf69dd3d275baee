"""A process that works out one cell: so that memory is measured for it alone, and a crash is its own.

Reads a job from standard input, prints a line of JSON after every round, and the result as the last line.
"""

from __future__ import annotations

import json
import signal
import sys
import warnings
from typing import Any

from treewright.errors import TreewrightError
from treewright.training.trainer import RoundReport


def main() -> int:
    """Work; exit with 2 and one line if the cell cannot be done."""
    # Training answers Ctrl-C with the best round so far, which is not what a cell is about: the runner ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    job = json.load(sys.stdin)
    try:
        from treewright.experiments.measuring import measure

        places = {name: job.get(name) for name in ("model", "parse", "cache")}
        result = measure(job["cell"], job["paths"], _tell_round, **places)
    except TreewrightError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    except MemoryError:
        print("out of memory: run fewer jobs at a time", file=sys.stderr)
        return 2
    _tell({"result": result})
    return 0


def _tell_round(report: RoundReport) -> None:
    _tell({"round": report.round, "las": report.las})


def _tell(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message, ensure_ascii=True) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
