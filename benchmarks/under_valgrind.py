"""Load every kind of model and parse with it, on few sentences: what to run under valgrind.

    PYTHONMALLOC=malloc valgrind --error-limit=no python benchmarks/under_valgrind.py MODELS
    PYTHONMALLOC=malloc valgrind --tool=helgrind python benchmarks/under_valgrind.py MODELS --threads 3

MODELS is a folder of model files, such as `python benchmarks/fuzz.py model --inputs 1 --valid FOLDER` makes
(FOLDER/models). memcheck finds uninitialised values that decide something, helgrind reads and writes of threads
without an order. Python itself gives findings of both; those with a frame in one of treewright's modules are ours.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))


def main() -> None:
    from tests.every_kind import RAW, treebank

    from treewright.errors import TreewrightError
    from treewright.steps.parse_options import TEXT
    from treewright.steps.parser import Parser
    from treewright.treebank.files.reading import read_blocks

    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("models", type=Path)
    arguments.add_argument("--kinds", nargs="+", help="names of files, without .tw (default: all)")
    arguments.add_argument("--threads", type=int, default=1)
    options = arguments.parse_args()
    warnings.simplefilter("ignore")
    blocks = list(read_blocks(treebank(), block_bytes=500))
    for path in sorted(options.models.glob("*.tw")):
        if options.kinds and path.stem not in options.kinds:
            continue
        parser = Parser.load(path)
        texts = list(parser.parse_texts(iter(blocks), threads=options.threads))
        for more in ({"confidence": True}, {"beam": 3}, {"tag": True}):
            try:
                texts += parser.parse_texts(iter(blocks[:2]), threads=options.threads, **more)
            except TreewrightError:
                continue
        if TEXT in parser.capabilities:
            list(parser.parse_text(RAW))  # type: ignore[attr-defined]
        print(path.stem, sum(map(len, texts)), flush=True)


if __name__ == "__main__":
    main()
