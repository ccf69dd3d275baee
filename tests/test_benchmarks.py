"""Every script of benchmarks/ runs, with settings so small that it takes a second: none of the figures mean anything.

What a script says of its own arguments is right as long as the commands here are like those of its docstring.
"""

from __future__ import annotations

import os
import runpy
import shlex
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import treewright as tw
from tests.optional import needs
from tests.toy import DEV, TEST, TRAIN
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.treebank.files.reading import read_blocks

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "benchmarks"
PAGE = Path(__file__).parent / "data" / "page.txt"
PACKAGE_PATH = str(Path(tw.__file__).parents[1])  # of the package under test
SENTENCES = {"train": 60, "dev": 20, "test": 20}
MODELS = {"model": "eager.tw", "exact": "exact.tw", "raw": "raw.txt"}  # and raw text beside them
SMALL_NETWORK = "--hidden 8 --iterations 1"

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="benchmarks/ is not part of the package")

#: what to run, in this process; {…} stand for files of ``Inputs``
COMMANDS = (
    "accuracy.py {treebanks} xx_toy",
    "annotation.py {train} --sentences 12 --after 5 --pool 20 --every 10",
    "choose_features.py {treebanks} xx_toy --eliminate 0.5 --pool 12 --rounds 1 --most 20 -o {out}/path.json",
    "choose_features.py {treebanks} xx_toy --store {out}/trials --pool 3 --seeds 1 --rounds 1 -o {out}/path.json",
    "coverage.py {treebanks} xx_toy",
    "corpus_simulation.py --parts 40 --workers 5 --seconds 1",
    "corpus_simulation.py --parts 40 --memory",
    "decoders.py --cases 1 --words 3",
    "english_speed.py {test} english-fast --times 1 --runs 1",
    "error_propagation.py {treebanks} xx_toy --seeds 1 --policy static explore --features lean",
    "governing_tags.py english-fast {test}",
    "governors.py {treebanks} xx_toy --seeds 1",
    "handover.py english-fast {page} --repeats 1",
    "keys_as_c.py {test} english-fast --repeats 1",
    "lemmas.py {treebanks} xx_toy --raw {raw} --clusters 16 --rounds 1",
    "line_ends.py english-fast --texts 2",
    "maltparser.py {treebanks} xx_toy --lifting none --own-features",
    "neural_kernel.py --sentences 2 --batch 2 --rounds 1",
    "patterns.py {test} --copies 2 --runs 1",
    "patterns.py {test} --copies 2 --runs 1 --index",
    "pipe.py {test} english-fast --texts 20 --runs 1",
    "plain_sentences.py english-fast --show",
    "processors.py english-fast {test} --rounds 1",
    "pseudo_projective.py {train} {dev}",
    "normal_forms.py {treebanks} xx_toy --models english-fast",
    "random_text.py english-fast --texts 20",
    "retraining.py {train} --sentences 20",
    "scaling.py {model} {test} --most 1000 --longest 30 --repeats 1",
    "studio_faults.py --runs 2",
    "speed.py {train} {dev} {test} --rounds 1 --repeats 1 --features tiny",
    "systems.py {train} {dev} {test} --rounds 1 --repeats 1 --features tiny --compare system=arc-hybrid"
    " beam=2,system=arc-eager",
    "tagging.py {treebanks} xx_toy",
    "tagging.py {treebanks} xx_toy --searches greedy twice --seeds 1 --rounds 1",
    "template_costs.py {train} {test} --models 0 --repeats 1",
    "tokenising.py {treebanks} xx_toy --raw {raw} --clusters 16",
    "tokenising.py {treebanks} xx_toy --stripped words",
    "widening.py {treebanks} xx_toy --widen none pruned,case --search greedy --rounds 1",
)
#: the same, where another package is needed
MORE = (
    ("learners.py {treebanks} xx_toy --cut 30 --sample 5 --only liblinear --ece", ["liblinear"]),
    ("ppc.py {exact} {test} --longest 6 --sample 1", ["highspy"]),
    ("scoring.py {test} --repeat 1", ["udtools"]),
    ("tree_rules.py {treebanks} xx_toy --models {pipelines}", ["udtools"]),
    (f"neural.py {{treebanks}} xx_toy --models {{out}}/models --members greedy {SMALL_NETWORK}", ["torch"]),
    (f"neural_eight_bits.py {{treebanks}} xx_toy {SMALL_NETWORK}", ["torch"]),
    (f"neural_oracles.py {{treebanks}} xx_toy --seeds 1 --policies static {SMALL_NETWORK}", ["torch"]),
    ("neural_training.py {train} --steps 1 --rounds 1", ["torch"]),
    ("pretraining.py {raw} --steps 1 --rounds 1 --hidden 8", ["torch"]),
    ("neural_onnx.py --batch 2 --sentences 2 --rounds 1", ["numpy"]),
)
#: what starts, kills or limits processes, in one of its own
APART = (
    "corpus.py {page} --model english-fast --words 2000 --rounds 1 --parts 2 --engines parse one local",
    "corpus_faults.py --kills 1 --engines local --parts 4",
    "faults.py --kills 1 --faults 0",
    "fuzz.py reader --inputs 20 --engine loop --failures {out}/failures",
    "leaks.py --sentences 100 --kinds arc-eager",
    "peers.py {treebanks}/xx_toy --skip exact beam hybrid neural best rich fast lean UDPipe spaCy NLTK SuPar"
    " --baseline 'treewright tiny' --json {out}/peers.json --svg {out}/peers.svg",
    "serve.py core --model english-fast --number 5",
    "serve.py requests --model english-fast --number 5",
    "startup.py {model} --repeats 1",
    "under_valgrind.py {models}",
)
#: what drives Chromium, for minutes: tests/apps/studio does the same in small
IN_A_BROWSER = ("annotation_keys.py", "studio_large.py")
#: what scripts share
NO_SCRIPTS = ("elimination.py", "needed.py", "peer_plot.py", "timing.py", "treebank_arguments.py")


@dataclass(frozen=True)
class Inputs:
    """The files that commands name."""

    treebanks: Path
    models: Path

    @property
    def files(self) -> dict[str, str]:
        toy = self.treebanks / "xx_toy"
        parts = {part: str(toy / f"xx_toy-ud-{part}.conllu") for part in SENTENCES}
        models = {name: str(self.models / file) for name, file in MODELS.items()}
        models["pipelines"] = str(self.models / "pipelines")
        return {**parts, **models, "models": str(self.models), "treebanks": str(self.treebanks), "page": str(PAGE)}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    made = Inputs(tmp_path_factory.mktemp("treebanks"), tmp_path_factory.mktemp("models"))
    files = made.files
    made.treebanks.joinpath("xx_toy").mkdir()
    for (part, number), source in zip(SENTENCES.items(), (TRAIN, DEV, TEST), strict=True):
        sentences = Path(source).read_text(encoding="utf-8").split("\n\n", number)[:number]
        Path(files[part]).write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")
    Path(files["raw"]).write_text(raw_text(read_blocks(TRAIN)), encoding="utf-8")
    tw.train(files["train"], files["dev"], iterations=1, features="tiny").save(files["model"])
    Path(files["pipelines"]).mkdir()
    tw.train_pipeline(files["train"], files["dev"], iterations=1, seeds=1).save(f"{files['pipelines']}/xx_toy.tw")
    tw.train(files["train"], system="exact", order=2, iterations=1, adviser="none").save(files["exact"])
    return made


def words_of(command: str, inputs: Inputs, out: Path) -> list[str]:
    """Return a command as the words of a command line."""
    return [word.format(**inputs.files, out=out) for word in shlex.split(command)]


@pytest.fixture
def script_run(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put scripts' own modules out of the way of those of others with the same name."""
    before = {*sys.modules}
    monkeypatch.syspath_prepend(str(FOLDER))
    with warnings.catch_warnings():
        yield
    for name in {*sys.modules} - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(FOLDER)):
            del sys.modules[name]


def run_here(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a script in this process."""
    monkeypatch.setattr(sys, "argv", [str(FOLDER / words[0]), *words[1:]])
    code: object = 0
    try:
        runpy.run_path(str(FOLDER / words[0]), run_name="__main__")
    except SystemExit as ended:
        code = ended.code or 0
    assert code == 0


def script_of(command: str) -> str:
    return command.split()[0]


@pytest.mark.usefixtures("script_run")
@pytest.mark.parametrize(
    "command",
    [*COMMANDS, *(pytest.param(command, marks=needs(*packages)) for command, packages in MORE)],
    ids=script_of,
)
def test_a_script_runs(
    command: str, inputs: Inputs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here(words_of(command, inputs, tmp_path), monkeypatch)
    assert capsys.readouterr().out


@pytest.mark.parametrize("command", APART, ids=script_of)
def test_a_script_runs_in_a_process_of_its_own(command: str, inputs: Inputs, tmp_path: Path) -> None:
    script, *words = words_of(command, inputs, tmp_path)
    ended = subprocess.run(
        [sys.executable, str(FOLDER / script), *words],
        env={**os.environ, "PYTHONPATH": PACKAGE_PATH},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout


def test_no_script_is_left_out() -> None:
    known = {*map(script_of, (*COMMANDS, *APART, *(command for command, _ in MORE)))}
    assert known == {file.name for file in FOLDER.glob("*.py")} - {*NO_SCRIPTS, *IN_A_BROWSER}


@pytest.mark.parametrize("script", ["peers.py", "maltparser.py", "under_valgrind.py", "neural_onnx.py", "serve.py"])
@pytest.mark.usefixtures("script_run")
def test_help_needs_no_other_program(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here([script, "--help"], monkeypatch)
    assert f"benchmarks/{script}" in capsys.readouterr().out
