"""How long the studio takes from a saved tree to new suggestions.

A project has the first 500 sentences of a treebank annotated, and the next 100 without heads. The time is by the clock:
training, ordering the others by doubt, and the suggestion for the first of them.

    python benchmarks/retraining.py TRAIN.conllu [TRAIN.conllu …] [--sentences 500]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from treewright.apps.studio.loop import Loop
from treewright.apps.studio.project import Project
from treewright.apps.studio.suggesting import blanked

WAITING = 100


def seconds_for(path: Path, sentences: int) -> float:
    """Return the seconds from asking the loop to learn to a suggestion for the next sentence."""
    texts = [text + "\n\n" for text in path.read_text(encoding="utf-8").strip().split("\n\n")]
    with tempfile.TemporaryDirectory() as folder:
        waiting = [blanked(text) for text in texts[sentences : sentences + WAITING]]
        (Path(folder) / "project.conllu").write_text("".join([*texts[:sentences], *waiting]), encoding="utf-8")
        loop = Loop(Project(Path(folder)))
        start = time.perf_counter()
        loop.learn_soon()
        if not loop.wait(600) or loop.problem:
            raise SystemExit(f"{path}: {loop.problem or 'not learnt in ten minutes'}")
        place = loop.next_sentence()
        if place is None or loop.suggestion(loop.project.sentence(place).text) is None:
            raise SystemExit(f"{path}: no sentence waits for annotation")
        return time.perf_counter() - start


def main() -> None:
    """Print the seconds for each treebank."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", type=Path)
    parser.add_argument("--sentences", type=int, default=500)
    arguments = parser.parse_args()
    for path in arguments.treebanks:
        print(f"{path.name}: {seconds_for(path, arguments.sentences):.1f} s", flush=True)


if __name__ == "__main__":
    main()
