"""Time that a piece of work takes, at best."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_time(run: Callable[[], object], repeat: int, clock: Callable[[], float] = time.process_time) -> float:
    """Return the seconds of the fastest of several runs."""
    times = []
    for _ in range(repeat):
        start = clock()
        run()
        times.append(clock() - start)
    return min(times)
