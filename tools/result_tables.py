"""Keep the figures of experiments beside their recipes, and check that the tables of the documentation are theirs.

    python tools/result_tables.py store RESULTS NAME     # RESULTS: a folder that `treewright experiment` wrote
    python tools/result_tables.py table NAME METRIC      # the stored figures as such a table
    python tools/result_tables.py gains NAME METRIC      # a table of what rows gain over their baselines
    python tools/result_tables.py check

``store`` writes experiments/results/NAME.json: the scores of every cell, by seed, with date and version. ``check``
looks at every table of docs/results/ that stands behind a line such as

    <!-- stored: goldberg-nivre-2012-table-2 las_without_punctuation -->

Its columns are treebanks (``mean`` is over those of the row), its rows are named like those of the file. A cell is the
mean over seeds, ``± x`` the standard deviation, ``(+x)`` the difference from the row in the table that ends in
``static`` or ``ambiguity`` and begins in the same way. Rows that begin with "as published" are the papers'. Behind

    <!-- stored gains: goldberg-nivre-2012-table-2 las_without_punctuation -->

a cell is what the row gains over its baseline, seed by seed: the mean and the standard deviation.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
STORED, PAGES = ROOT / "experiments" / "results", ROOT / "docs" / "results"
BASELINES = ("static", "ambiguity")
#: options that rows are not named by
NOT_NAMED = ("as_paper", "policy", "exploration", "tags", "jackknife", "tagger_search", "iterations")
NOT_NAMED += ("learner_options", "split_on", "split_threshold")
_NUMBER = r"[+−-]?\d+\.\d+"


def row_name(options: dict[str, Any]) -> str:
    """Return the name of a row: whose choices it has, and what tells it from others."""
    whose = "as the paper, here" if options.get("as_paper") else "our defaults"
    own = [str(value) for name, value in options.items() if name not in NOT_NAMED]
    return f"{whose}: {', '.join(filter(None, [*own, options.get('policy', '')]))}"


def store(folder: Path, name: str) -> Path:
    """Write the scores of all finished cells of an experiment."""
    cells = []
    for path in sorted((folder / "cells").glob("*.json")):
        result = json.loads(path.read_text("utf-8"))
        if result["status"] != "done":
            continue
        cell = result["cell"]
        training = {key: value for key, value in cell["training"].items() if key != "seed"}
        scores = {cell["treebank"]: result["scores"], **_scores_of_parts(cell, result)}
        cells += [
            {
                "row": row_name(training),
                "treebank": treebank,
                "seed": cell["training"]["seed"],
                "scores": {key: round(value, 3) for key, value in found.items()},
                "data": cell["data"],
                "finished": result["made_with"]["finished"][:10],
                "version": result["made_with"]["version"],
            }
            for treebank, found in scores.items()
        ]
    cells.sort(key=lambda cell: (cell["row"], cell["treebank"], cell["seed"]))
    STORED.mkdir(exist_ok=True)
    target = STORED / f"{name}.json"
    lines = ",\n".join(json.dumps(cell, ensure_ascii=False) for cell in cells)
    target.write_text(f"[\n{lines}\n]\n", "utf-8")
    return target


def _scores_of_parts(cell: dict[str, Any], result: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return the attachment scores of each part of a test set, such as a genre; punctuation counts."""
    scores = {}
    for part in cell.get("parts", ()):
        sentences = result["sentences"]
        chosen = [number for number, name in enumerate(sentences["part"]) if name == part]
        words, heads, both = (sum(sentences[key][number] for number in chosen) for key in ("words", "heads", "both"))
        scores[part] = {"uas": 100 * heads / words, "las": 100 * both / words}
    return scores


class Figures:
    """The stored scores of an experiment."""

    def __init__(self, name: str, metric: str) -> None:
        self.by_row: dict[tuple[str, str], list[float]] = {}
        for cell in json.loads((STORED / f"{name}.json").read_text("utf-8")):  # sorted by row, treebank and seed
            if metric in cell["scores"]:  # parts of a test set have fewer scores than the whole
                self.by_row.setdefault((cell["row"], cell["treebank"]), []).append(cell["scores"][metric])
        order = {policy: number for number, policy in enumerate(BASELINES)}
        self.rows = sorted(
            {row for row, _ in self.by_row},
            key=lambda row: (row.rpartition(", ")[0], order.get(row.rpartition(", ")[2], len(order)), row),
        )
        self.treebanks = list(dict.fromkeys(treebank for _, treebank in self.by_row))

    def baseline(self, row: str) -> str | None:
        """Return the row that a row's gain is over: the same parser with another policy."""
        start = row.rpartition(", ")[0]
        found = [f"{start}, {policy}" for policy in BASELINES if f"{start}, {policy}" in self.rows]
        return found[0] if found and found[0] != row else None

    def table(self) -> Iterator[str]:
        """Yield the lines of a table as ``check`` reads it."""
        yield f"| | {' | '.join(self.treebanks)} | mean |"
        yield "|---" * (len(self.treebanks) + 2) + "|"
        for row in self.rows:
            there = [treebank for treebank in self.treebanks if (row, treebank) in self.by_row]
            cells = [self._shown(row, [treebank], True) if treebank in there else "" for treebank in self.treebanks]
            yield f"| {row} | {' | '.join(cells)} | {self._shown(row, there, False)} |"

    def _shown(self, row: str, treebanks: list[str], deviation: bool) -> str:
        baseline, text = self.baseline(row), f"{self.mean(row, treebanks):.2f}"
        if baseline is not None:
            return f"{text} ({self.mean(row, treebanks) - self.mean(baseline, treebanks):+.2f})".replace("-", "−")
        scores = self.by_row[row, treebanks[0]]
        return f"{text} ± {statistics.stdev(scores):.2f}" if deviation and len(scores) > 1 else text

    def gains(self) -> Iterator[str]:
        """Yield the lines of a table of gains as ``check`` reads it."""
        yield f"| | {' | '.join(self.treebanks)} |"
        yield "|---" * (len(self.treebanks) + 1) + "|"
        for row in self.rows:
            if self.baseline(row) is not None:
                yield f"| {row} | {' | '.join(self._gain(row, treebank) for treebank in self.treebanks)} |"

    def _gain(self, row: str, treebank: str) -> str:
        """Return what a row gains over its baseline, seed by seed: the mean and the standard deviation."""
        scores = self.by_row.get((row, treebank), []), self.by_row.get((self.baseline(row) or row, treebank), [])
        gains = [better - worse for better, worse in zip(*scores, strict=True)]
        if len(gains) < 2:
            return ""
        return f"{statistics.fmean(gains):+.2f} ± {statistics.stdev(gains):.2f}".replace("-", "−")

    def problems_of_gains(self, header: list[str], rows: list[list[str]]) -> Iterator[str]:
        """Yield what a table of gains says otherwise than the stored scores."""
        for row in rows:
            for treebank, text in zip(header[1:], row[1:], strict=True):
                if not row[0].startswith("as published") and text != (expected := self._gain(row[0], treebank)):
                    yield f"{row[0]}, {treebank}: the page says {text}, the stored results {expected}"

    def mean(self, row: str, treebanks: list[str]) -> float:
        """Return the mean of the means on some treebanks."""
        return statistics.fmean(statistics.fmean(self.by_row[row, treebank]) for treebank in treebanks)

    def problems(self, header: list[str], rows: list[list[str]]) -> Iterator[str]:
        """Yield what a table says otherwise than the stored scores."""
        treebanks = [name for name in header[1:] if name != "mean"]
        for row in rows:
            if row[0].startswith("as published"):
                continue
            for name, text in zip(header[1:], row[1:], strict=True):
                where = [each for each, shown in zip(header[1:], row[1:], strict=True) if shown and each in treebanks]
                where = where if name == "mean" else [name]
                if not text:
                    continue
                if any((row[0], treebank) not in self.by_row for treebank in where):
                    yield f"{row[0]}, {name}: no such result is stored"
                    continue
                yield from self._cell(row[0], where, name, text)

    def _cell(self, row: str, treebanks: list[str], name: str, text: str) -> Iterator[str]:
        """Yield what one cell says otherwise."""
        plain = text.replace("**", "").replace("\\*", "").replace("−", "-")
        expected = [f"{self.mean(row, treebanks):.2f}"]
        if "±" in plain:
            expected.append(f"{statistics.stdev(self.by_row[row, treebanks[0]]):.2f}")
        if "(" in plain:
            baseline = self.baseline(row) or row
            expected.append(f"{self.mean(row, treebanks) - self.mean(baseline, treebanks):+.2f}")
        if re.findall(_NUMBER, plain) != expected:
            yield f"{row}, {name}: the page says {text}, the stored results {' '.join(expected)}"


def tables_in(page: str) -> Iterator[tuple[str, str, str, list[str], list[list[str]]]]:
    """Yield the tables of a page that have stored results: kind, name, metric, header, rows."""
    pattern = r"<!-- (stored|stored gains): (\S+) (\S+) -->\n+((?:\|.*\n)+)"
    for kind, name, metric, table in re.findall(pattern, page):
        lines = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in table.splitlines()]
        yield kind, name, metric, lines[0], lines[2:]


def check() -> list[str]:
    """Return all differences between the pages and the stored results."""
    found = []
    for path in sorted(PAGES.glob("*.md")):
        for kind, name, metric, header, rows in tables_in(path.read_text("utf-8")):
            figures = Figures(name, metric)
            problems = figures.problems if kind == "stored" else figures.problems_of_gains
            found += [f"{path.name}: {problem}" for problem in problems(header, rows)]
    return found


def main(arguments: list[str]) -> int:
    """Store, print or check; 1 if a page differs from what is stored."""
    if len(arguments) == 3 and arguments[0] == "store":
        print(store(Path(arguments[1]), arguments[2]))
        return 0
    if len(arguments) == 3 and arguments[0] in ("table", "gains"):
        figures = Figures(*arguments[1:])
        print("\n".join(figures.table() if arguments[0] == "table" else figures.gains()))
        return 0
    if arguments != ["check"]:
        print(__doc__, file=sys.stderr)
        return 2
    problems = check()
    print("\n".join(problems) or "the tables of docs/results are those of experiments/results")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
