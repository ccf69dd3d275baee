"""From values to positions on an axis, and its tick labels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """An axis from ``low`` to ``high``, drawn from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def place(self, value: float) -> float:
        """Return the position of a value."""
        low, high, at = self.low, self.high, value
        if self.log:
            low, high, at = math.log(low), math.log(high), math.log(at)
        return self.start + (self.end - self.start) * (at - low) / (high - low)

    def ticks(self, wanted: int = 5) -> list[float]:
        """Return round values for the ticks of the axis."""
        return _log_ticks(self.low, self.high, wanted) if self.log else _linear_ticks(self.low, self.high, wanted)


def scale_for(values: Iterable[float], start: float, end: float, log: bool = False) -> Scale:
    """Return an axis for all values, with some space at both ends."""
    known = [value for value in values if math.isfinite(value) and (value > 0 or not log)]
    low, high = (min(known), max(known)) if known else (1.0, 10.0)
    if log:
        room = max(1.06, (high / low) ** 0.06)
        return Scale(low / room, high * room, start, end, True)
    room = 0.06 * (high - low) or max(0.5, 0.05 * abs(high))
    return Scale(low - room, high + room, start, end)


def _linear_ticks(low: float, high: float, wanted: int) -> list[float]:
    rough = (high - low) / wanted
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def _log_ticks(low: float, high: float, wanted: int) -> list[float]:
    if high < 4 * low:
        return _linear_ticks(low, high, wanted)
    for factors in ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        ticks = [factor * 10.0**exponent for exponent in exponents for factor in factors]
        shown = [tick for tick in ticks if low <= tick <= high]
        if len(shown) <= wanted + 1:
            break
    every = -(-len(shown) // (wanted + 1))  # with many powers of ten, show only some
    return shown[::every] if len(shown) > 1 else [low, high]


def shown(value: float) -> str:
    """Return a number as a tick label."""
    size = abs(value)
    for limit, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if size >= limit:
            unit = limit if letter != "k" else 1e3
            return f"{value / unit:.3g}{letter}"
    return f"{value:,.0f}" if size >= 1000 else f"{value:.4g}"
