"""What all runners share: a command line of two verbs, and the cost of the process they run in.

A runner is a script of its own, run by the Python that has its library, one process for training and one for parsing,
so that memory and time are nobody else's. It prints one line of JSON. Nothing but the standard library is needed here.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

Row = list[str]


def sentences(path: str) -> Iterator[list[Row]]:
    """Yield the words of each sentence of a CoNLL-U file as rows; multiword tokens and empty nodes are left out."""
    rows: list[Row] = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                row = line.split("\t")
                if row[0].isdigit():
                    rows.append(row)
            elif not line and rows:
                yield rows
                rows = []
    if rows:
        yield rows


def write(path: str, parsed: list[list[Row]]) -> None:
    """Write sentences as CoNLL-U."""
    with open(path, "w", encoding="utf-8") as file:
        for rows in parsed:
            file.writelines("\t".join(row) + "\n" for row in rows)
            file.write("\n")


def best_speed(tokens: int, parse: Callable[[], Any], seconds: float = 4.0, passes: int = 5) -> tuple[float, Any]:
    """Return tokens per CPU second of the best of several passes, and what the last of them gave."""
    best, spent, result = 0.0, 0.0, None
    for _ in range(passes):
        start = time.process_time()
        result = parse()
        took = max(1e-6, time.process_time() - start)
        best, spent = max(best, tokens / took), spent + took
        if spent > seconds:
            break
    return best, result


def main(train: Callable[[argparse.Namespace], dict[str, Any]], parse: Callable[[argparse.Namespace], float]) -> None:
    """Run one verb and print what it cost: CPU seconds, peak memory in MB; tokens per second for parsing."""
    arguments = argparse.ArgumentParser()
    verbs = arguments.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("train")
    one.add_argument("train")
    one.add_argument("dev")
    one.add_argument("model")
    one.add_argument("--limit", type=float, default=1e9, help="CPU seconds after which to stop, where that can be done")
    two = verbs.add_parser("parse")
    two.add_argument("model")
    two.add_argument("test")
    two.add_argument("output")
    for verb in (one, two):
        verb.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    options = arguments.parse_args()
    options.choices = dict(choice.split("=", 1) for choice in options.option)
    start = time.process_time()
    found: dict[str, Any] = {}
    if options.verb == "train":
        found.update(train(options) or {})
        found["seconds"] = time.process_time() - start
    else:
        found["tokens_per_second"] = parse(options)
    found["memory"] = peak_memory()
    print(json.dumps(found))


def peak_memory() -> float:
    """Return the most memory that this program has had, in MB."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(line.split()[1]) / 1e3 for line in file if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        # On other systems; this may include the process that started this one.
        unit = 1e6 if sys.platform == "darwin" else 1e3
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
