"""A trace for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from treewright.apps.tracing.record import MoveView, Trace, TraceArc, TraceStep
from treewright.display.cells import cell_width, printable

BOLD, FAINT, GREEN, RED, CYAN, PLAIN = "\033[1m", "\033[2m", "\033[32m", "\033[31m", "\033[36m", "\033[0m"
MARK = "›"
#: lists whose last item matters most
_GROWING = ("stack", "arcs")


def pad(text: str, width: int) -> str:
    """Fill a text with spaces up to a width in columns."""
    return text + " " * max(0, width - cell_width(text))


def text_of(trace: Trace, width: int, colour: bool) -> str:
    """Return the whole trace."""
    painter = _Painter(trace, width, colour)
    lines = [*painter.heading()]
    for step in trace.steps:
        lines += ["", *painter.step(step)]
    lines += ["", *painter.end()]
    return "\n".join(line.rstrip() for line in lines)


class _Painter:
    def __init__(self, trace: Trace, width: int, colour: bool) -> None:
        self.trace, self.width, self.colour = trace, max(40, width), colour

    def paint(self, text: str, *codes: str) -> str:
        return "".join(codes) + text + PLAIN if self.colour and text else text

    def heading(self) -> Iterable[str]:
        """Name the system, the model, and what else a reader should know."""
        system = self.trace.system
        parts = [f"{system['name']}, root {system['root']}{', single root' if system['single_root'] else ''}"]
        if self.trace.model:
            parts.append(f"model {self.trace.model}")
        if self.trace.gold is not None:
            parts.append(f"gold {self.trace.structure} known")
        yield self.paint(" · ".join(parts), BOLD)
        yield from self.trace.notes

    def _items(self, name: str, items: list[str]) -> str:
        """Join the items that fit on the line, from the end that matters most."""
        room = self.width - 10
        shown: list[str] = []
        growing = name in _GROWING
        for item in reversed(items) if growing else items:
            room -= cell_width(item) + 2
            if room < 2 and shown:
                shown.append("…")
                break
            shown.append(item)
        return (", " if name == "arcs" else "  ").join(reversed(shown) if growing else shown)

    def configuration(self, lists: dict[str, list[int]], arcs: Iterable[str]) -> Iterable[str]:
        """Show the node lists and the arcs."""
        width = max(7, *map(len, lists))
        for name, nodes in lists.items():
            items = self._items(name, [printable(self.trace.form(node)) for node in nodes])
            yield f"  {self.paint(pad(name, width), FAINT)} {items}"
        arcs = list(arcs)
        if arcs:
            yield f"  {self.paint(pad('arcs', width), FAINT)} {self._items('arcs', arcs)}"

    def step(self, step: TraceStep) -> Iterable[str]:
        """Show a configuration, its moves as a table, and the features of the chosen one."""
        yield self.paint(f"step {step.number}: {printable(step.move.name)}", BOLD, CYAN) + f"  (by {self._by(step.by)})"
        yield from self.configuration(step.lists, map(self._show, step.arcs))
        yield from self._table(step)
        for feature in step.features:
            yield f"      {feature.weight:+8.2f}  {feature.template} = {self.paint(printable(feature.value), FAINT)}"

    @staticmethod
    def _by(by: str) -> str:
        return {"moves": "the moves given", "model": "the model"}.get(by, f"the {by} oracle")

    def _table(self, step: TraceStep) -> Iterable[str]:
        rows = [(printable(move.name), self._arc(move), *self._figures(move)) for move in step.moves]
        names = max(cell_width(row[0]) for row in rows)
        arcs = max(cell_width(row[1]) for row in rows)
        for number, (move, row) in enumerate(zip(step.moves, rows, strict=True)):
            chosen = number == step.chosen
            line = f"  {MARK if chosen else ' '} {pad(row[0], names)}  {pad(row[1], arcs)}"
            line = self.paint(line, BOLD) if chosen else line
            if row[2]:
                line += "  " + self.paint(row[2], GREEN if move.right else RED)
            if row[3]:
                line += "  " + row[3]
            yield line

    def _arc(self, move: MoveView) -> str:
        if move.arc is None:
            return ""
        return printable(f"{self.trace.form(move.arc.head)} → {self.trace.form(move.arc.dependent)}")

    @staticmethod
    def _figures(move: MoveView) -> tuple[str, str]:
        cost = "" if move.right is None else "right" if move.right else "wrong"
        if move.cost is not None:
            cost = f"cost {move.cost}"
        return cost, "" if move.score is None else f"score {move.score:8.2f}"

    def end(self) -> Iterable[str]:
        """Show the result, compared with the gold standard."""
        trace, end = self.trace, self.trace.end
        moves = f"{len(trace.steps)} move{'' if len(trace.steps) == 1 else 's'}"
        yield self.paint(f"end after {moves}" if end.terminal else f"stopped after {moves}, not at the end", BOLD, CYAN)
        yield from self.configuration(end.lists, map(self._show, end.arcs))
        if end.headless and end.terminal:
            yield f"  without a head: {', '.join(printable(trace.form(word)) for word in end.headless)}"
        if trace.added_later:
            yield f"  in the parser's {trace.structure}, after the moves: {self._join(trace.added_later)}"
        if end.missing is None or not end.terminal:
            return
        if not end.loss:
            yield self.paint(f"  loss 0: the gold {trace.structure}", GREEN)
            return
        parts = [f"without {self._join(end.missing)}"] if end.missing else []
        parts += [f"with {self._join(end.extra)} too many"] if end.extra else []
        yield f"  {self.paint(f'loss {end.loss}', RED)}: {'; '.join(parts)}"

    def _show(self, arc: TraceArc) -> str:
        return printable(self.trace.show_arc(arc))

    def _join(self, arcs: Iterable[TraceArc]) -> str:
        return ", ".join(map(self._show, arcs))
