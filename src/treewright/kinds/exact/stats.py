"""Certificates as a table: a line per sentence, and a summary."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from treewright.steps.certificate import Certificate

HEADER = (
    f"{'words':>5} {'score':>10} {'gap':>9} {'optimal':>7} {'integral':>8} {'by':>9} {'scored %':>8} {'added %':>8}"
    f" {'steps':>5} {'LPs':>4} {'ms':>8}  time"
)


class StatsReport:
    """Writes a line per sentence at once; ``finish`` writes the summary."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self.write = write
        self.all: list[tuple[Certificate, int]] = []
        self.lock = Lock()
        self.write(HEADER)

    def add(self, certificate: Certificate, words: int) -> None:
        """Add the certificate of a sentence."""
        with self.lock:
            self.all.append((certificate, words))
            self.write(line_of(certificate, words))

    def finish(self) -> None:
        """Write the summary."""
        for line in summary(self.all):
            self.write(line)


def share(part: int, whole: int) -> float:
    """Return a percentage."""
    return 100 * part / whole if whole else 0.0


def line_of(c: Certificate, words: int) -> str:
    """Return a sentence's certificate as a line."""
    spent = ", ".join(f"{name} {1000 * value:.1f}" for name, value in c.seconds.items())
    return (
        f"{words:5d} {c.score:10.3f} {c.gap:9.2e} {'yes' if c.optimal else 'no':>7} {'yes' if c.integral else 'no':>8}"
        f" {c.by:>9} {share(c.scored, c.parts):8.2f} {share(c.added, c.parts):8.2f} {c.iterations:5d} {c.programmes:4d}"
        f" {1000 * sum(c.seconds.values()):8.2f}  {spent}"
    )


def summary(certificates: list[tuple[Certificate, int]]) -> list[str]:
    """Return the summary over all sentences, as lines."""
    count = max(1, len(certificates))
    parts = sum(c.parts for c, _ in certificates)
    seconds: dict[str, float] = {}
    for c, _ in certificates:
        for name, value in c.seconds.items():
            seconds[name] = seconds.get(name, 0.0) + value
    without = sum(c.programmes == 0 for c, _ in certificates)
    return [
        f"{len(certificates):,} sentences, {sum(words for _, words in certificates):,} words",
        f"optimal {share(sum(c.optimal for c, _ in certificates), count):.2f} %,"
        f" integral {share(sum(c.integral for c, _ in certificates), count):.2f} %,"
        f" without a linear programme {share(without, count):.2f} %",
        f"parts scored {share(sum(c.scored for c, _ in certificates), parts):.2f} %,"
        f" added {share(sum(c.added for c, _ in certificates), parts):.2f} % of {parts:,}",
        f"seconds: {', '.join(f'{name} {value:.3f}' for name, value in seconds.items()) or '0'}",
    ]
