"""The peak memory of a process, and of parsing a file in a new process.

A process that trained a model holds memory that parsing can reuse, so only a new process shows the true need.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def peak_memory() -> int | None:
    """Return the peak memory of this process, in bytes."""
    try:
        # On Linux, getrusage includes the parent process that this one was forked from.
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM"):
                return 1024 * int(line.split()[1])
    except OSError:
        pass
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def parsing_memory(model: Path, text: Path) -> int | None:
    """Return the peak memory of a process that loads a model and parses a file to another."""
    command = [sys.executable, "-m", __name__, str(model), str(text)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    peak: int | None = json.loads(done.stdout.splitlines()[-1])
    return peak


def main() -> None:
    """Parse a file and print the peak memory."""
    import warnings

    from treewright.steps.step import Step

    warnings.simplefilter("ignore")
    model, text = sys.argv[1:]
    Step.load(model).parse_file(text, f"{text}.parsed")
    print(json.dumps(peak_memory()))


if __name__ == "__main__":
    main()
