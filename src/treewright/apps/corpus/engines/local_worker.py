"""A worker of the local engine: a task a line comes in, an outcome a line goes out."""

from __future__ import annotations

import json
import os
import signal
import sys

from treewright.apps.corpus.run_part import run_part


def main() -> None:
    """Work until the input ends: the driver is done, or dead."""
    # What libraries print must not get between the outcomes.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # temporary files are removed
    for line in sys.stdin:
        outcome = run_part(json.loads(line))
        try:
            out.write(json.dumps(outcome) + "\n")
            out.flush()
        except OSError:
            os._exit(0)  # nobody is listening any more; the part is committed


if __name__ == "__main__":
    main()
