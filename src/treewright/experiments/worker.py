"""A process that works out one cell: so that memory is measured for it alone, and a crash is its own.

Reads a job from standard input; prints a line of JSON after every round, and the result, or why there is none, as the
last line.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import warnings
from typing import Any, TextIO

from treewright.errors import TreewrightError
from treewright.training.observer import RoundReport


class Channel:
    """The way to the runner: standard output, which nobody else may then write to.

    Libraries that learn print what they like; it goes to standard error.
    """

    def __init__(self) -> None:
        self.file: TextIO = os.fdopen(os.dup(1), "w", encoding="ascii")
        os.dup2(2, 1)

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.file.write(json.dumps(message, ensure_ascii=True) + "\n")
        self.file.flush()

    def tell_round(self, report: RoundReport) -> None:
        """Send what a round gave."""
        self.tell({"round": report.round, "las": report.las})


def main() -> int:
    """Work; exit with 2 if the cell cannot be done."""
    # Training answers Ctrl-C with the best round so far, which is not what a cell is about: the runner ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    channel = Channel()
    job = json.load(sys.stdin)
    try:
        from treewright.experiments.measuring import measure

        places = {name: job.get(name) for name in ("model", "parse", "cache")}
        result = measure(job["cell"], job["paths"], channel.tell_round, **places)
    except TreewrightError as error:
        channel.tell({"error": " ".join(str(error).split())})
        return 2
    except MemoryError:
        channel.tell({"error": "out of memory: run fewer jobs at a time"})
        return 2
    channel.tell({"result": result})
    return 0


if __name__ == "__main__":
    sys.exit(main())
