"""The plot of accuracy against speed, as SVG for light and dark ground."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720.0, 400.0, 56.0, 48.0, 36.0, 52.0
STYLE = (
    ".ground{fill:#fff}text{font:13px system-ui,-apple-system,'Segoe UI',Arial,sans-serif;fill:#1b1f24}"
    ".faint{fill:#57606a}.grid{stroke:#d8dee4}.edge{fill:none;stroke:#0a58b5;stroke-dasharray:2 4}"
    ".ours{fill:#0a58b5}.peer{fill:#b5540a}.name{font-weight:600}"
    "@media (prefers-color-scheme:dark){.ground{fill:#0d1117}text{fill:#e6edf3}.faint{fill:#a0aab5}"
    ".grid{stroke:#30363d}.edge{stroke:#79b8ff}.ours{fill:#79b8ff}.peer{fill:#f0a860}}"
)


@dataclass(frozen=True)
class Point:
    """A parser: its speed, its accuracy, and whether it is ours."""

    name: str
    tokens_per_second: float
    las: float
    ours: bool


def draw(points: list[Point], title: str) -> str:
    """Return the plot: tokens per second on a logarithmic axis, LAS beside it."""
    low_x = math.floor(min((math.log10(p.tokens_per_second) for p in points), default=0))
    high_x = math.ceil(max((math.log10(p.tokens_per_second) for p in points), default=1))
    low_y = 5 * math.floor(min((p.las for p in points), default=0) / 5 - 0.1)
    high_y = 5 * math.ceil(max((p.las for p in points), default=5) / 5 + 0.1)

    def x(speed: float) -> float:
        return LEFT + (math.log10(speed) - low_x) / (high_x - low_x) * (WIDTH - LEFT - RIGHT)

    def y(las: float) -> float:
        return HEIGHT - BOTTOM - (las - low_y) / (high_y - low_y) * (HEIGHT - TOP - BOTTOM)

    pieces = [f'<rect class="ground" width="{WIDTH:g}" height="{HEIGHT:g}" rx="6"/>']
    for power in range(low_x, high_x + 1):
        at = x(10**power)
        pieces.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP:g}" y2="{HEIGHT - BOTTOM:g}"/>')
        pieces.append(_text(at, HEIGHT - BOTTOM + 18, f"{10**power:,}", "faint", "middle"))
    for las in range(low_y, high_y + 1, 5):
        pieces.append(f'<line class="grid" x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{y(las):.1f}" y2="{y(las):.1f}"/>')
        pieces.append(_text(LEFT - 8, y(las) + 4, str(las), "faint", "end"))
    pieces.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "tokens per second, one thread", "faint", "middle"))
    pieces.append(_text(LEFT, 22, f"LAS, {title}", "faint", "start"))
    edge = " ".join(f"{x(point.tokens_per_second):.1f},{y(point.las):.1f}" for point in frontier(points))
    pieces.append(f'<polyline class="edge" points="{edge}"/>')
    pieces += _marks([(point, x(point.tokens_per_second), y(point.las)) for point in points])
    label = escape(f"LAS against tokens per second, {title}", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{HEIGHT:g}"'
        f' viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{label}">'
        f"<style>{STYLE}</style>{''.join(pieces)}</svg>\n"
    )


def frontier(points: list[Point]) -> list[Point]:
    """Return the points that none beats in both speed and accuracy, from the slowest to the fastest."""
    found: list[Point] = []
    for point in sorted(points, key=lambda point: (-point.tokens_per_second, -point.las)):
        if not found or point.las > found[-1].las:
            found.append(point)
    return found[::-1]


def _marks(placed: list[tuple[Point, float, float]]) -> list[str]:
    """Return dots with names beside them: where it is free, to the right, to the left, above or below."""
    taken = [(px - 7, px + 7, py - 7, py + 7) for _, px, py in placed]
    pieces = []
    for point, px, py in sorted(placed, key=lambda item: -item[1]):
        width = 7.6 * len(point.name)
        choices = [(px + 11, py + 4), (px - 11 - width, py + 4), (px - width / 2, py - 12), (px - width / 2, py + 22)]
        free = [choice for choice in choices if _is_free(choice, width, taken)]
        left, base = (free or choices)[0]
        taken.append((left, left + width, base - 12, base + 3))
        kind = "ours" if point.ours else "peer"
        pieces.append(f'<circle class="{kind}" cx="{px:.1f}" cy="{py:.1f}" r="6"/>')
        pieces.append(_text(left, base, point.name, "name" if point.ours else "", "start"))
    return pieces


def _is_free(place: tuple[float, float], width: float, taken: list[tuple[float, float, float, float]]) -> bool:
    left, base = place
    if left < LEFT or left + width > WIDTH - 4 or base < TOP:
        return False
    return not any(a < left + width and b > left and c < base + 3 and d > base - 12 for a, b, c, d in taken)


def _text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text{name} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text, quote=False)}</text>'
