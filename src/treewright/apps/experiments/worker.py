"""A process that runs one cell, so that its memory is measured separately and a crash affects no other cell.

It reads a job from standard input and prints a line of JSON after every round. The last line is the result or an error.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import warnings
from collections.abc import Mapping
from typing import TextIO

from treewright.errors import TreewrightError


class Channel:
    """The connection to the runner: standard output, reserved for messages.

    Whatever else prints, such as a learner's library, prints to standard error.
    """

    def __init__(self) -> None:
        self.file: TextIO = os.fdopen(os.dup(1), "w", encoding="ascii")
        os.dup2(2, 1)

    def send(self, message: Mapping[str, object]) -> None:
        """Send a message."""
        self.file.write(json.dumps(message, ensure_ascii=True) + "\n")
        self.file.flush()


def main() -> int:
    """Run the cell; return 2 if it fails."""
    # On Ctrl-C, training returns the best round so far, which is no valid result. The runner stops this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    channel = Channel()
    job = json.load(sys.stdin)
    try:
        from treewright.apps.experiments.measuring import measure

        places = {name: job.get(name) for name in ("model", "parse", "cache")}
        result = measure(
            job["cell"], job["paths"], lambda done: channel.send({"round": done.round, "las": done.las}), **places
        )
    except TreewrightError as error:
        channel.send({"error": " ".join(str(error).split())})
        return 2
    except MemoryError:
        channel.send({"error": "out of memory: run fewer jobs at once"})
        return 2
    channel.send({"result": result})
    return 0


if __name__ == "__main__":
    sys.exit(main())
