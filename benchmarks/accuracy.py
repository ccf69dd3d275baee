"""Train on treebanks with several seeds and score the test sets: the accuracy tables of the docs.

    python benchmarks/accuracy.py TREEBANKS_FOLDER en_ewt el_gdt --seeds 3
    python benchmarks/accuracy.py TREEBANKS_FOLDER hu_szeged --compare policy=static policy=explore

A treebank is a folder with one *train*, *dev* and *test* file each. Gold tags; LAS counts all words and full
relations.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import treewright as tw


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("treebanks", nargs="+")
    arguments.add_argument("--seeds", type=int, default=1)
    arguments.add_argument("--compare", nargs="+", default=[""], help="recipes such as policy=static,features=lean")
    options = arguments.parse_args()
    print("| treebank | recipe | UAS | LAS | ± | dev LAS | training s (CPU) | model MB |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for treebank in options.treebanks:
        for recipe in options.compare:
            print(row(options.folder / treebank, recipe, options.seeds), flush=True)


def row(folder: Path, recipe: str, seeds: int) -> str:
    """Train with every seed; return a line of the table."""
    files = {part: next(folder.glob(f"*{part}*.conllu")) for part in ("train", "dev", "test")}
    choices = dict(pair.split("=") for pair in recipe.split(",") if pair)
    typed = {key: type_of(key)(value) for key, value in choices.items()}
    uas, las, dev, seconds, size = [], [], [], [], 0
    with tempfile.TemporaryDirectory() as temporary:
        for seed in range(1, seeds + 1):
            start = time.process_time()
            parser = tw.train(files["train"], files["dev"], on_error="fix", seed=seed, **typed)
            seconds.append(time.process_time() - start)
            parser.save(f"{temporary}/model.tw")
            size = Path(f"{temporary}/model.tw").stat().st_size
            parser.parse_file(files["test"], f"{temporary}/out.conllu")
            scores = tw.evaluate(files["test"], f"{temporary}/out.conllu")
            uas.append(scores.uas)
            las.append(scores.las)
            dev.append(parser.info["dev"]["las"])
    spread = statistics.stdev(las) if seeds > 1 else 0.0
    mean = statistics.mean
    return (
        f"| {folder.name} | {recipe or 'default'} | {mean(uas):.2f} | {mean(las):.2f} | {spread:.2f} "
        f"| {mean(dev):.2f} | {mean(seconds):.1f} | {size / 1e6:.1f} |"
    )


def type_of(key: str) -> Callable[[str], Any]:
    """Return what makes an option of training from its text."""
    return {"k": int, "p": float, "iterations": int, "cutoff": int, "kind_weights": "yes".__eq__}.get(key, str)


if __name__ == "__main__":
    main()
