"""Our parsers beside MaltParser with its own default features, the same algorithm and the same learner.

    python benchmarks/maltparser.py TREEBANKS_FOLDER en_ewt el_gdt hu_szeged tr_imst

A treebank is a folder with one *train*, *dev* and *test* file each. MaltParser's figures were measured once, with
MaltParser 1.9.2 (`-l liblinear`, everything else at its defaults, so that it sees forms, universal tags and the
relations built so far), gold tags, LAS over all words and full relations; they stand below. Ours are trained here, with
LIBLINEAR and the same options (`-s 4 -c 0.1 -e 0.1`): `malt-eager` and `malt-stack` are MaltParser's default feature
models template by template, `malt` is our own of the same kind.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from pathlib import Path

import treewright as tw

#: treebank → LAS of nivreeager, LAS of stackproj
MALTPARSER = {
    "en_ewt": (82.36, 82.66),
    "el_gdt": (81.82, 82.15),
    "hu_szeged": (62.68, 63.83),
    "tr_imst": (55.82, 54.62),
}
RUNS = (("nivreeager", "arc-eager", "malt-eager"), ("stackproj", "arc-standard", "malt-stack"))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("names", nargs="+")
    arguments.add_argument("--lifting", nargs="+", default=["none", "head"], help="of crossing arcs; MaltParser: none")
    arguments.add_argument("--own-features", action="store_true", help="also with our features `malt`")
    options = arguments.parse_args()
    warnings.simplefilter("ignore")
    print("| treebank | algorithm | features | lifting | LAS | MaltParser's LAS | difference | training, s |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name in options.names:
        for which, (theirs, system, features) in enumerate(RUNS):
            known = MALTPARSER[name][which] if name in MALTPARSER else None
            for model in [features, "malt"] if options.own_features else [features]:
                for lifting in options.lifting:
                    cells = row(options.folder / name, system, model, lifting, known)
                    print(f"| {name} | {system} ({theirs}) | {model} | {lifting} | {cells} |", flush=True)


def row(folder: Path, system: str, features: str, lifting: str, known: float | None) -> str:
    train, test = (next(folder.glob(f"*{part}*.conllu")) for part in ("train", "test"))
    start = time.process_time()
    parser = tw.train(
        train, system=system, features=features, learner="liblinear", policy="static", lifting=lifting, on_error="fix"
    )
    seconds = time.process_time() - start
    with tempfile.TemporaryDirectory() as temporary:
        parsed = Path(temporary) / "parsed.conllu"
        parser.parse_file(test, parsed)
        las = tw.evaluate(str(test), str(parsed)).las
    compared = f"{known:.2f} | {las - known:+.2f}" if known is not None else " | "
    return f"{las:.2f} | {compared} | {seconds:.1f}"


if __name__ == "__main__":
    main()
