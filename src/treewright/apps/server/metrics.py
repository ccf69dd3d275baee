"""Counters in the text format that Prometheus reads."""

from __future__ import annotations

import threading
from collections.abc import Callable

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class ServerMetrics:
    """What happened since the start. The number of series is bounded: routes are counted by their pattern."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, str, int], int] = {}
        self._durations: dict[str, list[float]] = {}
        self._counters: dict[str, float] = {}
        self._gauges: dict[str, tuple[str, Callable[[], float]]] = {}

    def request(self, method: str, pattern: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        key = method, pattern, status
        with self._lock:
            self._requests[key] = self._requests.get(key, 0) + 1
            row = self._durations.get(pattern)
            if row is None:
                row = self._durations[pattern] = [0.0] * (len(BUCKETS) + 2)
            for number, bound in enumerate(BUCKETS):
                if seconds <= bound:
                    row[number] += 1
                    break
            row[-2] += 1
            row[-1] += seconds

    def add(self, name: str, amount: float = 1) -> None:
        """Raise a counter, such as ``words``."""
        with self._lock:
            self._counters[name] = self._counters.get(name, 0) + amount

    def gauge(self, name: str, help_text: str, value: Callable[[], float]) -> None:
        """Show a value as it is when someone asks."""
        self._gauges[name] = help_text, value

    def text(self) -> str:
        """Return everything in Prometheus's format."""
        with self._lock:
            requests, counters = dict(self._requests), dict(self._counters)
            durations = {pattern: list(row) for pattern, row in self._durations.items()}
        lines = _header("requests_total", "counter", "Requests answered.")
        for (method, pattern, status), number in sorted(requests.items()):
            lines.append(
                f'treewright_requests_total{{method="{method}",path="{_quoted(pattern)}",status="{status}"}} {number}'
            )
        lines += _header("request_seconds", "histogram", "Time from the request's last byte to the answer's.")
        for pattern, row in sorted(durations.items()):
            lines += _histogram(pattern, row)
        for name, value in sorted(counters.items()):
            lines += [*_header(f"{name}_total", "counter", f"Number of {name}."), f"treewright_{name}_total {value:g}"]
        for name, (help_text, current) in sorted(self._gauges.items()):
            lines += [*_header(name, "gauge", help_text), f"treewright_{name} {current():g}"]
        return "\n".join(lines) + "\n"


def _header(name: str, kind: str, help_text: str) -> list[str]:
    return [f"# HELP treewright_{name} {help_text}", f"# TYPE treewright_{name} {kind}"]


def _histogram(pattern: str, row: list[float]) -> list[str]:
    name, label = "treewright_request_seconds", f'path="{_quoted(pattern)}"'
    lines, total = [], 0.0
    for bound, number in zip(BUCKETS, row, strict=False):
        total += number
        lines.append(f'{name}_bucket{{{label},le="{bound:g}"}} {total:g}')
    lines.append(f'{name}_bucket{{{label},le="+Inf"}} {row[-2]:g}')
    return [*lines, f"{name}_sum{{{label}}} {row[-1]:.6f}", f"{name}_count{{{label}}} {row[-2]:g}"]


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
