"""Keep what was measured, and write it into the documentation.

    python tools/results.py store RESULTS NAME      # RESULTS: a folder that `treewright experiment` wrote
    python tools/results.py run NAME COMMAND …      # run a command, and keep the tables that it prints
    python tools/results.py show NAME [METRIC]      # the tables of a stored result
    python tools/results.py fill                    # `make results`: write stored figures into the pages
    python tools/results.py check                   # `make results-check`: say where pages differ

A stored result is a file experiments/results/NAME.json: the command, commit, version, machine and day, and either
``cells`` (the scores of every row, treebank and seed, with ``tests`` of the differences) or ``tables`` as they were
printed. In a page of docs/, the table behind one of these lines is filled from it:

    <!-- stored: NAME METRIC -->          columns are treebanks; ``mean`` is over those of the row
    <!-- stored: NAME TREEBANK -->        columns are scores
    <!-- stored gains: NAME METRIC -->    what rows gain over their baselines, seed by seed
    <!-- stored: NAME -->                 the table that was printed; NAME/2 is the second

A cell is the mean over seeds, ``± x`` the standard deviation, ``(+x)`` the difference from the row that ends in
``static`` or ``ambiguity`` and begins in the same way; ``*`` and ``**`` are p < 0.05 and 0.01 of the paired bootstrap
over sentences; in gains without such a test, ``†`` and ``††`` of Student's paired test over seeds. Rows that begin
with "as published" are the papers' and stay as they are.

``check`` also finds what does not come from a stored result: any other table of figures (unless ``<!-- no measurement:
REASON -->`` stands before it), and figures in the text of a page that none of its tables shows. The dated pages of
docs/notebook/ are free, and so are the pages in ``NOT_YET``.
"""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
STORED, PAGES = ROOT / "experiments" / "results", ROOT / "docs"
BASELINES = ("static", "ambiguity")
SCORES = {"UAS": "uas", "LAS": "las", "CLAS": "clas", "dev LAS": "dev_las", "tokens/s": "tokens_per_s"}
TESTED = ("uas", "las", "labelled_f1", "unlabelled_f1")
#: by the number of seeds: Student's t for p = 0.05 and 0.01, two-sided
STUDENT = {2: (12.706, 63.657), 3: (4.303, 9.925), 4: (3.182, 5.841), 5: (2.776, 4.604)}
#: options that rows are not named by
NOT_NAMED = ("as_paper", "policy", "exploration", "tags", "jackknife", "tagger_search", "iterations")
NOT_NAMED += ("learner_options", "split_on", "split_threshold", "batch_words", "hidden", "layers", "rate")
NOT_NAMED += ("word_width", "ngram_width", "lemma_width", "tag_width", "feats_width", "move_size", "relation_size")
#: folders where nothing is measured, and pages whose figures have no stored results so far
FREE = ("notebook/", "reference/")
NOT_YET = ("english-model.md", "results/enhanced.md", "how-to/valid-trees.md", "how-to/studio.md")
NOT_YET += ("how-to/annotate.md", "how-to/pretrain.md")
_MARKER = re.compile(r"^<!-- (stored|stored gains|no measurement): (\S+)(?: (.*\S))? -->$")
#: quotations, numbers of sections and versions, settings, and the paragraph with a paper's own figures
_NO_FIGURES = re.compile(
    r'^\*\*The paper.*?(?=\n\n)|"[^"]*"|(?i:sections?|python|parser|§) *\d[\d.]*|[=<≤] ?[\d.]+'
    r"|\*[kp]\* ?[=<≤>] ?[\d.]+",
    re.MULTILINE | re.DOTALL,
)
_FIGURE = re.compile(r"(?<![\w.§–-])\d[\d,]*(?:\.\d+|(?=\s?%))(?![\w.]*\w)")
Table = list[list[str]]


def row_name(options: dict[str, Any]) -> str:
    """Return the name of a row: whose choices it has, and what tells it from others."""
    whose = "as the paper, here" if options.get("as_paper") else "our defaults"
    own = [
        value if isinstance(value, str) else f"{name} {value}"
        for name, value in options.items()
        if name not in NOT_NAMED and value is not None
    ]
    return f"{whose}: {', '.join(filter(None, [*own, options.get('policy', '')]))}"


def envelope(command: str) -> dict[str, Any]:
    """Return how something was measured: everything but the figures."""
    from treewright import __version__

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    changed = " with changes" if git("status", "--porcelain", "--untracked-files=no", "src", "benchmarks") else ""
    information = Path("/proc/cpuinfo").read_text("utf-8") if Path("/proc/cpuinfo").exists() else ""
    named = re.search(r"model name\s*: (.*)", information)
    return {
        "command": command,
        "commit": git("rev-parse", "--short=8", "HEAD") + changed,
        "version": __version__,
        "machine": f"{named[1] if named else platform.machine()}, {os.cpu_count()} cores, Python "
        + platform.python_version(),
        "date": time.strftime("%Y-%m-%d"),
    }


def write(name: str, result: dict[str, Any]) -> Path:
    """Write a stored result, a line for each cell."""
    listed = {key: value for key, value in result.items() if isinstance(value, list)}
    lines = [f'"{key}": {json.dumps(value)}' for key, value in result.items() if key not in listed]
    for key, values in listed.items():
        items = ",\n".join(json.dumps(value, ensure_ascii=False) for value in values)
        lines.append(f'"{key}": [\n{items}\n]')
    STORED.mkdir(exist_ok=True)
    target = STORED / f"{name}.json"
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    return target


def store(folder: Path, name: str) -> Path:
    """Keep the scores of all finished cells of an experiment, and the tests of its differences."""
    cells, groups = [], {}
    for path in sorted((folder / "cells").glob("*.json")):
        result = json.loads(path.read_text("utf-8"))
        if result["status"] != "done":
            continue
        cell = result["cell"]
        training = {key: value for key, value in cell["training"].items() if key != "seed"}
        row, seed = row_name(training), cell["training"]["seed"]
        groups.setdefault((row, cell["treebank"]), {})[seed] = result
        whole = {**result["scores"], "train_s": result.get("training", {}).get("cpu_seconds", 0.0)}
        whole["dev_las"] = result.get("dev", {}).get("las", 0.0)
        whole["tokens_per_s"] = result.get("parsing", {}).get("tokens_per_second", 0.0)
        for treebank, found in {cell["treebank"]: whole, **_scores_of_parts(cell, result)}.items():
            scores = {key: round(value, 3) for key, value in found.items() if value}
            cells.append({"row": row, "treebank": treebank, "seed": seed, "scores": scores, "data": cell["data"]})
    cells.sort(key=lambda cell: (cell["row"], cell["treebank"], cell["seed"]))
    command = f"treewright experiment experiments/{name}.toml --treebanks TREEBANKS"
    return write(name, {**envelope(command), "cells": cells, "tests": list(_tests(groups, Figures({"cells": cells})))})


def _tests(groups: dict[tuple[str, str], dict[int, Any]], figures: Figures) -> Iterator[dict[str, Any]]:
    """Yield the paired bootstrap over sentences of every row against its baseline."""
    from treewright.apps.experiments.groups import CellGroup, compare

    for (row, treebank), results in sorted(groups.items()):
        baseline = figures.baseline(row)
        if baseline is None or (baseline, treebank) not in groups:
            continue
        pair = [CellGroup(treebank, {}, each) for each in (results, groups[baseline, treebank])]
        for metric in TESTED:
            difference = compare(*pair, metric)
            if difference is not None and difference.test is not None:
                yield {"row": row, "treebank": treebank, "metric": metric, "p": round(difference.test.p_value, 4)}


def _scores_of_parts(cell: dict[str, Any], result: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return the attachment scores of each part of a test set, such as a genre; punctuation counts."""
    scores = {}
    for part in cell.get("parts", ()):
        sentences = result["sentences"]
        chosen = [number for number, name in enumerate(sentences["part"]) if name == part]
        words, heads, both = (sum(sentences[key][number] for number in chosen) for key in ("words", "heads", "both"))
        scores[part] = {"uas": 100 * heads / words, "las": 100 * both / words}
    return scores


def run(name: str, words: list[str]) -> Path:
    """Run a command, show what it prints, and keep the tables in it. Folders of files are left out of the command."""
    command = " ".join(Path(word).name if word.startswith("/") else word for word in words)
    python = [sys.executable, *words[1:]] if words[0] == "python" else words
    ended = subprocess.run(python, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    print(ended.stdout)
    return write(name, {**envelope(command), "tables": printed_tables(ended.stdout)})


def printed_tables(text: str) -> list[Table]:
    """Return the tables of a text: their rows, the header first."""
    tables: list[Table] = []
    open_table = False
    for line in text.splitlines():
        if not line.startswith("|"):
            open_table = False
            continue
        if not open_table:
            tables.append([])
        open_table = True
        if not re.fullmatch(r"\|[-:| ]+\|", line):
            tables[-1].append(cells_of(line))
    return tables


def cells_of(line: str) -> list[str]:
    """Return the cells of a line of a table."""
    return [cell.strip() for cell in line.strip()[1:-1].split("|")]


class Figures:
    """The stored scores of an experiment, by row, treebank and seed."""

    def __init__(self, result: dict[str, Any]) -> None:
        self.scores: dict[tuple[str, str], list[dict[str, float]]] = {}
        for cell in result["cells"]:  # sorted by row, treebank and seed
            self.scores.setdefault((cell["row"], cell["treebank"]), []).append(cell["scores"])
        self.tests = {(test["row"], test["treebank"], test["metric"]): test["p"] for test in result.get("tests", ())}
        order = {policy: number for number, policy in enumerate(BASELINES)}
        self.rows = sorted(
            {row for row, _ in self.scores},
            key=lambda row: (row.rpartition(", ")[0], order.get(row.rpartition(", ")[2], len(order)), row),
        )
        self.treebanks = list(dict.fromkeys(treebank for _, treebank in self.scores))

    def values(self, row: str, treebank: str, metric: str) -> list[float]:
        """Return a score for every seed; parts of a test set have fewer scores than the whole."""
        return [scores[metric] for scores in self.scores.get((row, treebank), []) if metric in scores]

    def baseline(self, row: str) -> str | None:
        """Return the row that a row's gain is over: the same parser with another policy."""
        start = row.rpartition(", ")[0]
        found = [f"{start}, {policy}" for policy in BASELINES if f"{start}, {policy}" in self.rows]
        return found[0] if found and found[0] != row else None

    def cell(self, row: str, treebanks: list[str], metric: str, spread: bool = True) -> str:
        """Return a score: the mean over treebanks and seeds, with its spread or its difference from the baseline."""
        values = [self.values(row, treebank, metric) for treebank in treebanks]
        if not values or not all(values):
            return "?"
        decimals = 0 if metric == "tokens_per_s" else 2
        mean, baseline = statistics.fmean(map(statistics.fmean, values)), self.baseline(row)
        text = f"{mean:,.{decimals}f}"
        if decimals and baseline is not None:
            before = [self.values(baseline, treebank, metric) for treebank in treebanks]
            if all(before):
                gain = mean - statistics.fmean(map(statistics.fmean, before))
                return f"{text} ({gain:+.2f}{self.stars(row, treebanks, metric)})".replace("-", "−")
        if decimals and spread and len(values[0]) > 1:
            return f"{text} ± {statistics.stdev(values[0]):.2f}"
        return text

    def stars(self, row: str, treebanks: list[str], metric: str) -> str:
        """Return how significant a difference from the baseline is; means over treebanks are not tested."""
        p = self.tests.get((row, treebanks[0], metric), 1.0) if len(treebanks) == 1 else 1.0
        return "\\*\\*" if p < 0.01 else "\\*" if p < 0.05 else ""

    def gain(self, row: str, treebank: str, metric: str) -> str:
        """Return what a row gains over its baseline, seed by seed: the mean and the standard deviation."""
        scores = self.values(row, treebank, metric), self.values(self.baseline(row) or row, treebank, metric)
        gains = [better - worse for better, worse in zip(*scores, strict=True)]
        if len(gains) < 2:
            return ""
        mean, spread = statistics.fmean(gains), statistics.stdev(gains)
        shown = f"{mean:+.2f} ± {spread:.2f}".replace("-", "−")
        if self.tests:
            return shown + self.stars(row, [treebank], metric)
        t = abs(mean) / (spread / len(gains) ** 0.5) if spread else 0.0
        return shown + "†" * sum(t > bound for bound in STUDENT.get(len(gains), ()))

    def filled(self, kind: str, what: str, table: Table) -> Table:
        """Return a table of a page with the stored figures in it."""
        done = [table[0]]
        for row in table[1:]:
            own = [self._entry(kind, what, row, name, table[0]) for name in table[0][1:]]
            done.append(row if row[0].startswith("as published") else [row[0], *own])
        return done

    def _entry(self, kind: str, what: str, row: list[str], name: str, header: list[str]) -> str:
        shown = dict(zip(header[1:], row[1:], strict=True))
        if not shown[name] and name != "mean":
            return ""  # left out on purpose
        if what in self.treebanks:
            return self.cell(row[0], [what], SCORES.get(name, name))
        if name == "mean":
            treebanks = [each for each, text in shown.items() if text and each in self.treebanks]
            return self.cell(row[0], treebanks, what, spread=False) if shown[name] else ""
        return self.cell(row[0], [name], what) if kind == "stored" else self.gain(row[0], name, what)

    def table(self, metric: str, gains: bool = False) -> Table:
        """Return all rows and treebanks as a table."""
        rows = [row for row in self.rows if not gains or self.baseline(row)]
        header = ["", *self.treebanks, *([] if gains else ["mean"])]
        here = [[row, *("x" if (row, each) in self.scores else "" for each in self.treebanks)] for row in rows]
        wide = [row if gains else [*row, "x"] for row in here]
        return self.filled("stored gains" if gains else "stored", metric, [header, *wide])


def loaded(name: str) -> dict[str, Any]:
    """Return a stored result."""
    found: dict[str, Any] = json.loads((STORED / f"{name}.json").read_text("utf-8"))
    return found


def written(table: Table, divider: str = "") -> list[str]:
    """Return a table as lines of Markdown; a divider that fits keeps the columns where they are."""
    lines = ["| " + " | ".join(row) + " |" for row in table]
    lines = [re.sub(r"\|  (?=\|)", "| ", line) for line in lines]
    fits = divider.count("|") == len(table[0]) + 1
    return [lines[0], divider if fits else "|---" * len(table[0]) + "|", *lines[1:]]


def filled(page: str) -> str:
    """Return a page with the stored figures in its tables."""
    lines = page.split("\n")
    done: list[str] = []
    number = 0
    while number < len(lines):
        done.append(lines[number])
        number += 1
        marker = _MARKER.match(done[-1].strip())
        if not marker or marker[1] == "no measurement":
            continue
        while number < len(lines) and not lines[number].strip():
            done.append(lines[number])
            number += 1
        end = number
        while end < len(lines) and lines[end].startswith("|"):
            end += 1
        name, _, place = marker[2].partition("/")
        result = loaded(name)
        if marker[3] is None:
            table = result["tables"][int(place or 1) - 1]
        else:
            old = [cells_of(line) for line in lines[number:end]]
            figures = Figures(result)
            table = figures.filled(marker[1], marker[3], [old[0], *old[2:]]) if old else figures.table(marker[3])
        done += written(table, lines[number + 1] if end > number else "")
        done += [""] if end == number else []
        number = end
    return "\n".join(done)


def without_code(page: str) -> str:
    """Return a page without code, comments, links' targets and spans of code."""
    page = re.sub(r"^( *)```.*?^ *```$", "", page, flags=re.DOTALL | re.MULTILINE)
    page = re.sub(r"^    \S.*$", "", page, flags=re.MULTILINE)
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", page)


def loose_figures(page: str) -> Iterator[str]:
    """Yield the figures of a page that come from no stored result."""
    text = without_code(page)
    shown: set[str] = set()
    marked = inside = False
    for line in text.split("\n"):
        marker = _MARKER.match(line.strip())
        if line.startswith("|"):
            if not marked and not inside and len(_FIGURE.findall(_whole_table(text, line))) > 1:
                yield f"a table of figures without a stored result: {line}"
            inside = True
            shown.update(number.replace(",", "") for number in re.findall(r"\d[\d,]*(?:\.\d+)?", line))
        elif marker:
            marked, inside = True, False
        elif line.strip():
            marked, inside = False, False
    prose = re.sub(r"^\|.*$|<!--.*?-->|^#.*$", "", text, flags=re.MULTILINE)
    prose = _NO_FIGURES.sub("", prose)
    for found in _FIGURE.finditer(prose):
        if found[0].replace(",", "") not in shown:
            around = " ".join(prose[max(0, found.start() - 30) : found.end() + 20].split())
            yield f"{found[0]} is in no table of the page: … {around} …"


def _whole_table(text: str, first: str) -> str:
    """Return the lines of the table that begins with a line."""
    return text[text.index(first) :].split("\n\n", 1)[0]


def pages() -> Iterator[tuple[str, Path]]:
    """Yield the pages and their names."""
    for path in sorted(PAGES.rglob("*.md")):
        yield path.relative_to(PAGES).as_posix(), path


def fill() -> list[str]:
    """Write the stored figures into the pages; return the names of those that changed."""
    changed = []
    for name, path in pages():
        page = path.read_text("utf-8")
        if (new := filled(page)) != page:
            path.write_text(new, "utf-8")
            changed.append(name)
    return changed


def check() -> list[str]:
    """Return all differences between the pages and the stored results, and figures without one."""
    found = []
    for name, path in pages():
        page = path.read_text("utf-8")
        for line, expected in zip(page.split("\n"), filled(page).split("\n"), strict=False):
            if line != expected:
                found.append(f"{name} says: {line}\n{' ' * len(name)} stored: {expected}")
        if not name.startswith(FREE) and name not in NOT_YET:
            found += [f"{name}: {problem}" for problem in loose_figures(page)]
    return found


def main(arguments: list[str]) -> int:
    """Store, show, fill or check; 1 if a page differs from what is stored."""
    match arguments:
        case ["store", folder, name]:
            print(store(Path(folder), name))
        case ["run", name, *words] if words:
            print(run(name, words))
        case ["show", name, *rest]:
            result = loaded(name)
            tables = result["tables"] if "tables" in result else [Figures(result).table((rest or ["las"])[0])]
            if "cells" in result:
                tables.append(Figures(result).table((rest or ["las"])[0], gains=True))
            print("\n\n".join("\n".join(written(table)) for table in tables))
        case ["fill"]:
            print("\n".join(fill()) or "the pages have the stored figures already")
        case ["check"]:
            problems = check()
            print("\n".join(problems) or "all figures of docs/ are those of experiments/results")
            return 1 if problems else 0
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
