"""Documented commands that need data, time or another package run, too: on toy data, with settings as small as can be.

``tests/test_docs.py`` runs what pages show to be typed. Here are the rest of the commands of this package: those behind
``<!-- not run: … -->`` and in indented blocks, in the order of each page and in one folder, which has a file for every
name that commands use. Options with numbers get the least ones, and treebanks are the toy treebank; none of the
figures mean anything.
"""

from __future__ import annotations

import gzip
import lzma
import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import treewright as tw
from tests.test_docs import PACKAGE_PATH, PAGES, ROOT, blocks_of, commands_of
from tests.toy import DEV, TEST, TRAIN
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.treebank.files.reading import read_blocks

#: what a reference page says of commands in general, and what was typed on one day
NOT_EXAMPLES = ("docs/reference/", "docs/notebook/")
#: commands that do not end by themselves, or that need what no test has: each with the test that starts it otherwise
ELSEWHERE = {
    "treewright serve": "tests/apps/server",
    "treewright corpus": "tests/apps/corpus",
    "python benchmarks/fuzz.py": "tests/test_benchmarks.py",
    "python benchmarks/annotation.py": "tests/test_benchmarks.py",
    "python benchmarks/choose_features.py": "tests/test_benchmarks.py",
    "python benchmarks/studio_faults.py": "tests/test_benchmarks.py",
    "treewright train --pipeline en_ewt-ud-train.conllu --raw en.txt.xz": "needs the novels, and hours",
    "python benchmarks/annotation_keys.py": "tests/apps/studio: it drives Chromium",
    "python benchmarks/studio_large.py": "the same",
    "python benchmarks/neural.py TREEBANKS hu_szeged --raw-text --pretrained": "tests of pretraining",
    "treewright parse fr ": "tests/apps/library",
    "treewright pretrain": "tests of pretraining",
    "treewright train hu-train.conllu": "the same",
    "treewright train train.conllu --dev dev.conllu --system neural --encoder": "needs an encoder",
    "treewright train --pipeline train.conllu --vectors": "tests/kinds/pipeline",
    "treewright validate --checks ud.req": "tests/query",
    "treewright train --pipeline train.conllu --raw novels.txt.xz --silver": "tests/kinds/pipeline",
    "python benchmarks/tree_rules.py": "tests/test_benchmarks.py",
    "treewright parse village": "tests/apps/sharing",
    "treewright parse pipeline.tw": "tests/test_docs.py runs the plug-in",
    "treewright parse nearest.tw": "tests/test_docs.py runs the plug-in",
    "treewright train train.conllu --system nearest": "tests/test_docs.py runs the plug-in",
    "treewright train train.conllu --dev dev.conllu --features my.features": "tests/test_docs.py runs the plug-in",
    "treewright models": "its output is that of the bundled models",
}
TREEBANKS = ("cs_cltt", "da_cdt", "el_gdt", "en_ewt", "hu_szeged", "it_partut", "ta_ttb", "tr_imst", "zh_gsdsimp", "hu")
#: the least that options take
LEAST = {
    "--words": "2",
    "--hidden": "8",
    "--layers": "1",
    "--longest": "6",
    "--max-words": "300",
    "--members": "greedy",
}
COUNTED = re.compile(r"--(seeds?|sample|cases|rounds|repeats|runs|iterations|sentences|batch|steps|most|limit|models)")
#: words to add, by the start of a command
ADDED = {
    "treewright experiment": ["--list", "--quick"],
    "treewright crossval": ["--folds", "2", "--iterations", "1"],
    "treewright distill": ["--iterations", "1"],
    "python benchmarks/neural": ["--iterations", "1", "--hidden", "8"],
    "python benchmarks/accuracy.py": ["--iterations", "1"],
    "python benchmarks/systems.py": ["--iterations", "1"],
    "python benchmarks/error_propagation.py": ["--features", "tiny"],
}
SIZES = {"train": 60, "dev": 20, "test": 20}


def is_example(command: str) -> bool:
    """Is it a command of this package that has its words, not only names for them?"""
    return bool(re.match(r"treewright |python -m treewright|python benchmarks/", command)) and "|" not in command


def commands_to_start(path: Path) -> list[str]:
    """Return the commands of a page that test_docs.py does not run."""
    page = path.read_text(encoding="utf-8")
    excluded = [block for block in blocks_of(page) if block.excluded]
    found = [command.text for block in excluded if block.language == "console" for command in commands_of(block.text)]
    outside = re.sub(r"^( *)```.*?^ *```$", "", page, flags=re.DOTALL | re.MULTILINE).replace("\\\n", "")
    found += re.findall(r"^    ((?:treewright|python) .*)", outside, flags=re.MULTILINE)
    parts = [part.strip() for command in found for part in command.split("  #")[0].split("&&")]
    return [part for part in parts if is_example(part)]


NAMED = {str(path.relative_to(ROOT)): commands_to_start(path) for path in PAGES}
STARTED = {name: commands for name, commands in NAMED.items() if commands and not name.startswith(NOT_EXAMPLES)}


def small(command: str) -> list[str]:
    """Return a command as words, with the least settings."""
    words = shlex.split(re.sub(r"\[[^]]*\]", "", command))
    for place, word in enumerate(words[:-1]):
        if word in LEAST:
            words[place + 1] = LEAST[word]
        elif COUNTED.fullmatch(word):
            words[place + 1] = re.sub(r"\d+", "1", words[place + 1])
    if "--raw" in words:
        words += ["--clusters", "16"]
    if words[:2] == ["treewright", "train"] and not {"--iterations", "--step", "--learner"}.intersection(words):
        words += ["--iterations", "1"]
    for start, added in ADDED.items():
        if command.startswith(start) and added[0] not in words:
            words += added
    return words


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that commands name."""
    folder = tmp_path_factory.mktemp("data")
    parts = {}
    for (part, number), source in zip(SIZES.items(), (TRAIN, DEV, TEST), strict=True):
        sentences = Path(source).read_text(encoding="utf-8").split("\n\n", number)[:number]
        parts[part] = "\n\n".join(sentences) + "\n\n"
    for name in TREEBANKS:
        for base in ("TREEBANKS", "treebanks"):
            (folder / base / name).mkdir(parents=True)
            for part, text in parts.items():
                (folder / base / name / f"{name}-ud-{part}.conllu").write_text(text, encoding="utf-8")
        for part, text in parts.items():
            (folder / f"{name}-ud-{part}.conllu").write_text(text, encoding="utf-8")
            (folder / f"{name}-{part}.conllu").write_text(text, encoding="utf-8")
        (folder / f"{name}.conllu").write_text(parts["train"], encoding="utf-8")
    for part, text in parts.items():
        for name in (f"{part}.conllu", part.upper()):
            (folder / name).write_text(text, encoding="utf-8")
    for name in ("gold.conllu", "out.conllu", "a.conllu", "b.conllu", "text.conllu", "GOLD"):
        (folder / name).write_text(parts["test"], encoding="utf-8")
    raw = raw_text(read_blocks(TRAIN))
    for name in ("news.txt", "novels.txt", "text.txt", "hu.txt"):
        (folder / name).write_text(raw, encoding="utf-8")
    vectors = "3 2\nthe 0.1 0.2\ndog 0.3 0.4\ncat 0.5 0.6\n"
    for name, content in (("news.txt.gz", raw), ("wiki.vec.gz", vectors), ("cc.hu.300.vec.gz", vectors)):
        (folder / name).write_bytes(gzip.compress(content.encode()))
    for name in ("hu.txt.xz", "cs.txt.xz", "text.txt.xz", "novels.txt.xz"):
        (folder / name).write_bytes(lzma.compress(raw.encode()))
    model = tw.train(folder / "train.conllu", folder / "dev.conllu", iterations=1, features="tiny")
    for name in ("a.tw", "b.tw", "MODEL"):
        model.save(folder / name)
    tw.train(folder / "train.conllu", iterations=1, features="tiny", pipeline=True).save(folder / "model.tw")
    graphs = (ROOT / "examples" / "graphs.conllu").read_text(encoding="utf-8")
    for name in ("cs_cltt.conllu", *(f"en_ewt-ud-{part}.conllu" for part in parts)):
        (folder / name).write_text(graphs, encoding="utf-8")
    tw.train(folder / "train.conllu", system="exact", iterations=1, adviser="none").save(folder / "it.tw")
    for link in ("benchmarks", "experiments", "examples", "tests", "examples/toy"):
        os.symlink(ROOT / link, folder / Path(link).name)
    return folder


@pytest.mark.skipif(os.name == "nt", reason="the commands are written for a POSIX shell")
@pytest.mark.skipif(not (ROOT / "benchmarks").exists(), reason="benchmarks/ is not part of the package")
@pytest.mark.parametrize("page", STARTED)
def test_documented_commands_run(page: str, data: Path) -> None:
    for command in STARTED[page]:
        if any(command.startswith(start) for start in ELSEWHERE):
            continue
        if re.search(r"neural|--vectors|--encoder", command) and find_spec("torch") is None:
            continue
        words = small(command)
        if words[0] == "treewright":
            words = [sys.executable, "-m", *words]
        else:
            words[0] = sys.executable
        ended = subprocess.run(
            words,
            cwd=data,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([PACKAGE_PATH, str(ROOT)]), "OMP_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert ended.returncode == 0, f"{page}: {' '.join(words)}\n{ended.stdout[-1000:]}{ended.stderr[-2000:]}"


def test_what_is_started_elsewhere_is_still_documented() -> None:
    documented = [command for commands in STARTED.values() for command in commands]
    assert [start for start in ELSEWHERE if not any(command.startswith(start) for command in documented)] == []


def test_settings_become_the_least() -> None:
    command = "python benchmarks/accuracy.py TREEBANKS hu_szeged --seeds 3"
    assert small(command) == [*command.split()[:-1], "1", "--iterations", "1"]
    assert small("treewright train a.conllu -o b.tw")[-2:] == ["--iterations", "1"]
