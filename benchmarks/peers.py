"""treewright and its peers, trained and run on the same treebank, on the same machine, in the same run.

    python benchmarks/peers.py treebanks/en_ewt [--peers-python .venv-peers/bin/python] [--json FILE] [--svg FILE]

The treebank is a folder with one *train*, *dev* and *test* file. Peers are UDPipe 1 (PyPI ufal.udpipe), spaCy, NLTK's
TransitionParser and SuPar's biaffine parser, as far as --peers-python has them (`make bench-peers` installs the first
three into .venv-peers; `pip install supar` there adds the last). Our networks need PyTorch to be trained. Gold
tokens, and gold tags for those that look at tags; UAS and LAS over all words and full relations, by our evaluation of
everybody's output. Every training and every parse has a process of its own: CPU seconds, peak memory, and tokens per
CPU second of parsing alone (no reading, no writing) in one thread. Ratios are to --baseline. A training that takes more
than --limit CPU seconds is stopped: spaCy keeps what it has, UDPipe and NLTK cannot, and are left out. With --models,
trained models are kept in a folder and not trained again, so that an interrupted run can go on; all speeds are
measured again, side by side.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

from peer_plot import Point, draw

import treewright as tw

FEATURE_MODELS = ("tiny", "lean", "fast", "rich")
RUNNERS = Path(__file__).parent / "peer_runners"
MODULES = {"udpipe": "ufal.udpipe", "spacy": "spacy", "nltk": "nltk.parse.transitionparser, sklearn", "supar": "supar"}


@dataclass(frozen=True)
class Contender:
    """A parser with its settings; those with the same ``model`` share one training."""

    name: str
    runner: str
    model: str
    training: dict[str, str] = field(default_factory=dict)
    parsing: dict[str, str] = field(default_factory=dict)


@dataclass
class Result:
    """The scores and costs of one contender; None if not measured."""

    name: str
    runner: str
    uas: float | None = None
    las: float | None = None
    training: float | None = None  # CPU seconds
    tokens_per_second: float | None = None
    training_memory: float | None = None  # MB
    parsing_memory: float | None = None
    size: float | None = None  # MB
    note: str = ""


class TooLongError(Exception):
    """A process exceeded its time limit."""


def contenders(options: argparse.Namespace) -> list[Contender]:
    rounds = {"iterations": str(options.udpipe_rounds)}
    beam = {"features": "rich", "beam": str(options.beam)}
    found = [
        *(Contender(f"treewright {name}", "treewright", name, {"features": name}) for name in FEATURE_MODELS),
        Contender(f"treewright beam {options.beam}", "treewright", "beam", beam),
        Contender("treewright exact", "treewright", "exact", {"system": "exact"}),
        Contender("treewright neural", "treewright", "hybrid", {"system": "hybrid"}, {"alone": "yes"}),
        Contender("treewright hybrid", "treewright", "hybrid", {"system": "hybrid"}),
        *pretrained(options),
        Contender("treewright best", "treewright", "best", {"speed": "best"}),
        Contender("UDPipe 1 greedy", "udpipe", "udpipe", rounds),
        Contender("UDPipe 1 beam 5", "udpipe", "udpipe", rounds, {"beam": "5"}),
        Contender("spaCy", "spacy", "spacy"),
        Contender("NLTK", "nltk", "nltk", {"sentences": str(options.nltk_sentences)}),
        Contender("SuPar biaffine", "supar", "supar", {"epochs": str(options.supar_epochs)}),
    ]
    return [one for one in found if not any(part in one.name for part in options.skip)]


def pretrained(options: argparse.Namespace) -> list[Contender]:
    """Return a hybrid that has also seen text without trees, if there is one."""
    if options.raw is None:
        return []
    training = {"system": "hybrid", "raw": str(options.raw)}
    return [Contender("treewright hybrid + raw text", "treewright", "hybrid-raw", training)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("treebank", type=Path)
    arguments.add_argument("--peers-python", default=sys.executable, help="the Python that has the peers")
    arguments.add_argument("--baseline", default="UDPipe 1 greedy")
    arguments.add_argument("--skip", nargs="*", default=["exact"], help="left out: names with one of these (exact)")
    arguments.add_argument("--limit", type=float, default=3600, help="CPU seconds of a training")
    arguments.add_argument("--beam", type=int, default=8)
    arguments.add_argument("--udpipe-rounds", type=int, default=10)
    arguments.add_argument("--nltk-sentences", type=int, default=1000, help="training sentences for NLTK")
    arguments.add_argument("--nltk-test", type=int, default=200, help="test sentences for NLTK")
    arguments.add_argument("--supar-epochs", type=int, default=50)
    arguments.add_argument("--raw", type=Path, help="text without trees, for a hybrid with clusters of its words")
    arguments.add_argument("--models", type=Path, help="folder to keep trained models in, and to take them from")
    arguments.add_argument("--json", type=Path, help="file for the results; with --plot-only, to read them from")
    arguments.add_argument("--svg", type=Path, help="file for the plot: accuracy against speed")
    arguments.add_argument("--plot-only", action="store_true", help="draw what --json has from an earlier run")
    options = arguments.parse_args()
    if options.plot_only and (options.json is None or not options.json.is_file()):
        arguments.error("--plot-only draws what an earlier run has written: name that file with --json")
    if options.plot_only:
        results = [Result(**result) for result in json.loads(options.json.read_text(encoding="utf-8"))["results"]]
    else:
        with tempfile.TemporaryDirectory() as temporary:
            models = options.models or Path(temporary)
            models.mkdir(parents=True, exist_ok=True)
            results = measure(options, Path(temporary), models)
    if all(result.name != options.baseline for result in results):
        names = ", ".join(result.name for result in results)
        say(f"no ratios: unknown baseline {options.baseline!r}; choose from {names}")
    print(table(results, options.baseline))
    if options.svg is not None:
        points = [
            Point(result.name, result.tokens_per_second, result.las, result.runner == "treewright")
            for result in results
            if result.tokens_per_second is not None and result.las is not None
        ]
        options.svg.write_text(draw(points, f"{options.treebank.name}, test set"), encoding="utf-8")


def write_json(options: argparse.Namespace, results: list[Result]) -> None:
    """Write the results so far: a later contender may take hours or be interrupted."""
    if options.json is not None:
        known = {"treebank": options.treebank.name, "baseline": options.baseline}
        text = json.dumps({**known, "results": [asdict(result) for result in results]}, indent=1, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")


def measure(options: argparse.Namespace, folder: Path, models: Path) -> list[Result]:
    test = file_of(options.treebank, "test")
    results = []
    for contender in contenders(options):
        result = Result(contender.name, contender.runner)
        results.append(result)
        say(f"{contender.name} …")
        python = sys.executable if contender.runner == "treewright" else options.peers_python
        try:
            if not is_installed(python, contender.runner):
                result.note = "not installed"
                continue
            model = str(models / contender.model)
            training = trained_once(contender, python, model, options)
            fill(result, contender, training, python, model, test, folder, options)
        except TooLongError:
            result.note = f"over {options.limit:,.0f} s of training"
        except subprocess.CalledProcessError as error:
            lines = (error.stderr or "").strip().splitlines()
            result.note = "failed: " + (lines[-1][:100] if lines else str(error.returncode))
        finally:
            write_json(options, results)
    return results


def trained_once(contender: Contender, python: str, model: str, options: argparse.Namespace) -> dict[str, float]:
    """Train a model unless it is there, and return what the training cost, which is kept beside it."""
    costs = Path(f"{model}.json")
    if not costs.exists():
        train, dev = file_of(options.treebank, "train"), file_of(options.treebank, "dev")
        words = ["train", train, dev, model, "--limit", str(options.limit)]
        most = 1.2 * options.limit + 60
        found = run(python, contender.runner, *words, limit=most, choices=contender.training)
        costs.write_text(json.dumps(found), encoding="utf-8")
    known: dict[str, float] = json.loads(costs.read_text(encoding="utf-8"))
    return known


def file_of(treebank: Path, part: str) -> str:
    """Return the file of a treebank's folder that has the part in its name."""
    found = sorted(treebank.glob(f"*{part}*.conllu"))
    if len(found) != 1:
        raise SystemExit(f"{treebank}: {len(found)} files *{part}*.conllu; expected one. Give the folder of a treebank")
    return str(found[0])


def fill(
    result: Result,
    contender: Contender,
    training: dict[str, float],
    python: str,
    model: str,
    test: str,
    folder: Path,
    options: argparse.Namespace,
) -> None:
    """Parse the test set and score it."""
    output = str(folder / "out.conllu")
    if contender.runner == "nltk":
        test = first(test, folder / "test.conllu", options.nltk_test)
    parsing = run(python, contender.runner, "parse", model, test, output, choices=contender.parsing)
    scores = tw.evaluate(test, output, multiple_roots=True)
    result.uas, result.las = scores.uas, scores.las
    result.training, result.training_memory = training["seconds"], training["memory"]
    result.tokens_per_second, result.parsing_memory = parsing["tokens_per_second"], parsing["memory"]
    result.size = size_of(Path(model)) / 1e6
    result.note = str(training.get("note", ""))
    if contender.runner == "nltk":
        result.note += f", {options.nltk_test} test sentences"


def run(python: str, runner: str, *words: str, limit: float | None = None, choices: dict[str, str]) -> dict[str, float]:
    """Run a runner in its own process, on one thread, and return its output."""
    script = str(RUNNERS / f"run_{runner}.py")
    given = [word for name, value in choices.items() for word in ("--option", f"{name}={value}")]
    libraries = ("OMP", "OPENBLAS", "MKL", "BLIS")
    environment = {**os.environ, **{f"{library}_NUM_THREADS": "1" for library in libraries}}
    if runner == "treewright":
        environment["PYTHONPATH"] = str(Path(tw.__file__).parents[1])
    else:
        environment.pop("PYTHONPATH", None)

    def bound() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit)))

    done = subprocess.run(
        [python, script, *words, *given], capture_output=True, text=True, env=environment, preexec_fn=bound, check=False
    )
    if limit is not None and done.returncode in (-9, -24):  # the kernel's ways to stop what takes too long
        raise TooLongError
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, runner, done.stdout, done.stderr)
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def is_installed(python: str, runner: str) -> bool:
    if runner == "treewright":
        return True
    return subprocess.run([python, "-c", f"import {MODULES[runner]}"], capture_output=True, check=False).returncode == 0


def first(source: str, target: Path, sentences: int) -> str:
    """Write the first sentences of a treebank to another file."""
    text = Path(source).read_text(encoding="utf-8")
    target.write_text("\n\n".join(text.split("\n\n")[:sentences]).rstrip("\n") + "\n\n", encoding="utf-8")
    return str(target)


def size_of(path: Path) -> int:
    """Return the size of a file, or of all files in a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def table(results: list[Result], baseline: str) -> str:
    """Return the results as Markdown, with ratios to one of them."""
    header = ["parser", "UAS", "LAS", "training, s", "×", "tokens/s", "×"]
    header += ["memory training / parsing, MB", "model, MB", ""]
    base = next((result for result in results if result.name == baseline and result.training is not None), None)
    lines = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    for result in results:
        if result.training is None or result.tokens_per_second is None:
            lines.append(f"| {result.name} |{' |' * (len(header) - 2)} {result.note} |")
            continue
        cells = [result.name, f"{result.uas:.2f}", f"{result.las:.2f}", shown_seconds(result.training)]
        cells.append(ratio(result.training, base and base.training))
        cells += [f"{result.tokens_per_second:,.0f}", ratio(result.tokens_per_second, base and base.tokens_per_second)]
        cells += [f"{result.training_memory:,.0f} / {result.parsing_memory:,.0f}", f"{result.size:.1f}", result.note]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def shown_seconds(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def ratio(value: float, base: float | None) -> str:
    if not base:
        return ""
    share = value / base
    return f"{share:.1f}" if share >= 0.95 else f"{share:.2g}"


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
