"""Choose the templates of the bundled feature models ``tiny``, ``lean`` and ``fast``: the most accuracy for the time.

    python benchmarks/choose_features.py TREEBANKS it_partut da_cdt cs_cltt --eliminate 0.33 -o PATH.json
    python benchmarks/choose_features.py TREEBANKS it_partut da_cdt cs_cltt --store FOLDER -o PATH.json

Treebanks are folders with *train* and *dev* files; test sets are not read. Name only treebanks that no figure is
reported on. A fifth of each training set joins its dev set, which is small otherwise. The first command begins with all
templates and takes out a third of their time, again and again (elimination.py): minutes. The second begins
with few and adds the best, one by one (apps/tuning/selection.py): hours, but trials are kept in a folder, and the same
command goes on. Both write every model on their path, with mean LAS and estimated nanoseconds a word
(apps/tuning/cost.py).
"""

from __future__ import annotations

import argparse
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

from elimination import eliminate

from treewright.apps.experiments.store import Store
from treewright.apps.tuning.bench import Bench, mean_las
from treewright.apps.tuning.candidates import Change, pool, start
from treewright.apps.tuning.selection import SelectionObserver, SelectionStep, TemplateSelection
from treewright.features.language import parse_model
from treewright.features.templates import FeatureModel
from treewright.options.option import OptionValue
from treewright.training.gathering import gather
from treewright.treebank.files.reading import read_blocks


class Progress(SelectionObserver):
    """Prints the steps, and how many trials there were."""

    def __init__(self, benches: list[Bench]) -> None:
        self.benches, self.trials, self.start = benches, 0, time.monotonic()

    def tried(self, change: Change, gain: float, cost: float) -> None:
        """Count, and show a sign of life."""
        self.trials += 1
        if self.trials % 25 == 0:
            seconds = sum(bench.seconds for bench in self.benches)
            print(f"  {self.trials} changes tried, {seconds:.0f} s of training: {change} {gain:+.2f}", flush=True)

    def made(self, step: SelectionStep) -> None:
        """Show the step."""
        print(
            f"{step.las:.2f} LAS, {step.nanoseconds:.0f} ns: {step.change} {step.gain.las:+.2f}"
            f" (chance {step.gain.chance:.3f})",
            flush=True,
        )


def main() -> None:
    """Run the search."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("names", nargs="+")
    arguments.add_argument("--store", type=Path, help="folder of trials")
    arguments.add_argument("--eliminate", type=float, metavar="SHARE", help="take out this share of the time per stage")
    arguments.add_argument("-o", "--output", type=Path, required=True)
    arguments.add_argument("--start", type=Path, help="feature model to begin with")
    arguments.add_argument("--rounds", type=int, default=6)
    arguments.add_argument("--seeds", type=int, default=2)
    arguments.add_argument("--most", type=int, default=1200, help="training sentences of a treebank")
    arguments.add_argument("--limit", type=float, default=900, help="nanoseconds a word at which to stop")
    arguments.add_argument("--price", type=float, default=0.0005, help="points of LAS that a nanosecond must bring")
    arguments.add_argument("--sweeps", type=int, default=2, help="times to try all templates again")
    arguments.add_argument("--pool", type=int, help="so many of the templates to choose from (all)")
    options = arguments.parse_args()
    store = Store(options.store) if options.store else None
    if store is not None:
        store.create()
    benches = [bench(options.folder / name, name, options.most, store) for name in options.names]
    recipe: dict[str, OptionValue] = {"iterations": options.rounds, "prune": False, "calibration": "none"}
    found = eliminated(options, benches, recipe) if options.eliminate else grown(options, benches, recipe)
    steps = []
    for step in found:
        steps.append(step)
        options.output.write_text(json.dumps(steps, indent=1))


def eliminated(
    options: argparse.Namespace, benches: list[Bench], recipe: dict[str, OptionValue]
) -> Iterator[dict[str, object]]:
    """Take templates out of the largest model."""
    text = options.start.read_text() if options.start else "\n".join(pool()[: options.pool]) + "\n"
    for stage in eliminate(parse_model(text, "all"), benches, recipe, options.eliminate, least=8):
        print(f"{stage.las:.2f} LAS, {stage.nanoseconds:.0f} ns, {len(stage.model.templates)} templates", flush=True)
        yield entry(stage.model, stage.las, stage.nanoseconds)


def grown(
    options: argparse.Namespace, benches: list[Bench], recipe: dict[str, OptionValue]
) -> Iterator[dict[str, object]]:
    """Add templates to a small model."""
    model = parse_model(options.start.read_text(), options.start.stem) if options.start else start()
    selection = TemplateSelection(benches, recipe, range(1, options.seeds + 1), Progress(benches))
    yield entry(model, mean_las(selection.outcomes(model, selection.seeds)), selection.cost(model))
    for sweep in range(options.sweeps):
        for step in selection.grow(model, pool()[: options.pool], options.limit, options.price):
            model = step.model
            yield entry(model, step.las, step.nanoseconds, str(step.change))
        for step in selection.shrink(model, options.price) if sweep + 1 < options.sweeps else ():
            model = step.model
            yield entry(model, step.las, step.nanoseconds, str(step.change))


def entry(model: FeatureModel, las: float, nanoseconds: float, change: str = "") -> dict[str, object]:
    """Return a step for the file."""
    return {"change": change, "las": las, "nanoseconds": nanoseconds, "model": str(model)}


def bench(folder: Path, name: str, most: int, store: Store | None) -> Bench:
    """Return a treebank to choose on; a fifth of its training set joins its dev set."""
    train, dev = (sorted(folder.glob(f"*{role}*.conllu"))[0] for role in ("train", "dev"))
    texts = [block.text_of(number) for block in read_blocks(str(train)) for number in range(block.n_sentences)]
    held = texts[::5]
    learnt = [text for number, text in enumerate(texts) if number % 5][:most]
    judged = b"".join(held[: most // 3]) + dev.read_bytes()
    return Bench(
        name, gather(io.BytesIO(b"".join(learnt)), on_error="fix"), gather(io.BytesIO(judged), on_error="fix"), store
    )


if __name__ == "__main__":
    main()
