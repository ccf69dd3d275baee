"""Every command with every format and odd options, in this process, on damaged input.

The first bytes of an input choose the command and its options, the rest is the file. The rule: exit code 0, 1 or 2
and a message; exit code 70 is what the last-resort handler gives, and counts as a failure, as does running out of
memory.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
from functools import cache
from pathlib import Path

from fuzzing.mutations import mutate_features, mutate_treebank

FORMATS = ("conllu", "conllu-plus", "conllx", "conll09", "malt-tab", "malt-xml", "sdp")
ODD = (
    "-1",
    "0",
    "1",
    "2",
    "3",
    "1000000000000000000000000000000",
    "nan",
    "inf",
    "",
    "_",
    "x",
    "[0-9",
    "\udcff",
    "a\tb",
)
WHATS = ("deprel", "upos", "length", "distance", "signed-distance", "sentence", "form", "head-upos", "x")
SYSTEMS = ("arc-eager", "arc-hybrid", "arc-standard", "covington", "easy-first", "dag-arc-eager", "exact", "graph")
TOML = b'treebanks = ["%s"]\n[grid]\nsystem = ["arc-eager"]\n'
TEXT = b"Ann sees figs. Bob likes tea'll!\n\nKim knows cats.\n"
HEADER = 8


class Wrong(Exception):
    """An exit code or a message that no command may give."""


def options_for(command: str, rng: random.Random, folder: Path, file: str, models: list[str]) -> list[str]:
    """Return the words of a command line; what they name is chosen at random."""
    odd = rng.choice(ODD) if rng.random() < 0.3 else rng.choice(("1", "2", "3"))
    form = rng.choice(FORMATS) if rng.random() < 0.4 else "conllu"
    out = str(folder / rng.choice(("out.conllu", "out.xml", "out.tab", "out.conllu.gz", "out.svg", "out.html")))
    model = rng.choice(models)
    gold = str(folder / "small.conllu")
    plan = str(folder / "made.plan")
    pairs = rng.choice(((gold, file), (file, gold), (file, file)))
    choices: dict[str, tuple[list[str], list[list[str]]]] = {
        "parse": (
            [model, file],
            [
                ["-o", out],
                ["--to", form],
                ["--from", form],
                ["--confidence"],
                ["--k-best", rng.choice(("1", "2", "3", odd))],
                ["--beam", rng.choice(("1", "2", "4", odd))],
                ["--threads", rng.choice(("2", odd))],
                ["--tag"],
                ["--ranges"],
                ["--presegmented"],
                ["--pretokenized"],
                ["--pretokenized", "vertical"],
                ["--exact"],
                ["--stats"],
                ["--newlines", rng.choice(("space", "sentence", "auto", odd))],
            ],
        ),
        "convert": ([file, out], [["--to", form], ["--from", form], ["--to", odd]]),
        "validate": (
            [file],
            [
                ["--graph"],
                ["--no-tree"],
                ["--no-single-root"],
                ["--json"],
                ["--limit", odd],
                ["--from", form],
                ["--on-error", rng.choice(("skip", "fix")), "-o", out],
            ],
        ),
        "show": (
            [file],
            [
                ["--to", "svg"],
                ["--to", "html"],
                ["--to", "tikz"],
                ["--to", "displacy"],
                ["--to", "brat"],
                ["--ascii"],
                ["--style", "indented"],
                ["--width", rng.choice(("10", odd))],
                ["--sentence", rng.choice(("1", "2", odd))],
                ["--sent-id", odd],
                ["--below", "upos"],
                ["--no-graph"],
                ["--color", "always"],
                ["--from", form],
            ],
        ),
        "eval": (list(pairs), [["--by", rng.choice(WHATS)], ["--graph"], ["--json"], ["--no-single-root"]]),
        "analyze": (
            list(pairs),
            [["--by", rng.choice(WHATS)], ["--metric", "uas"], ["--top", odd], ["--draw", odd], ["--to", "json"]],
        ),
        "trace": (
            [rng.choice((model, *SYSTEMS)), file],
            [
                ["--sentence", rng.choice(("1", "2", odd))],
                ["--follow", rng.choice(("static", "dynamic", "model", odd))],
                ["--moves", rng.choice(("SHIFT", "SHIFT LEFT(x)", odd))],
                ["--heads", rng.choice(("2,0", "0", odd))],
                ["--top", rng.choice(("2", odd))],
                ["--to", rng.choice(("json", "html"))],
                ["--root", "first"],
            ],
        ),
        "crossval": (
            [file, "--folds", rng.choice(("2", odd)), "--iterations", "1", "--features", "lean", "-q"],
            [["--on-error", "skip"], ["--json"], ["--from", form], ["--system", rng.choice(SYSTEMS)]],
        ),
        "package": ([rng.choice((model, file)), "-o", str(folder / "wheels")], [["--name", odd], ["--version", odd]]),
        "presets": ([], [["--json"], ["--system", odd]]),
        "models": ([], [["--json"], [odd]]),
        "corpus": (
            rng.choice(
                (
                    ["plan", file, "-o", plan, "-q"],
                    ["run", rng.choice((file, plan)), model, "-o", str(folder / "parts"), "--engine", "serial"],
                    ["status", rng.choice((file, plan)), str(folder / "parts")],
                    ["merge", plan, str(folder / "parts"), "-o", out, "-q"],
                )
            ),
            [["--from", form], ["--part-size", odd], ["--json"], ["--model", model], ["--number"], ["--to", odd]],
        ),
        "completion": ([rng.choice(("bash", "zsh", "fish", odd))], []),
        "train": (
            [file],
            [
                ["--system", rng.choice(SYSTEMS)],
                ["--dev", gold],
                ["--on-error", rng.choice(("skip", "fix"))],
                ["--features", rng.choice(("lean", "malt", file))],
                ["--beam", rng.choice(("2", odd))],
                ["--decision", "split"],
                ["--seed", odd],
                ["--pipeline"],
                ["--config", file],
                ["--init-from", model],
            ],
        ),
        "features": (
            [rng.choice(("show", "check", "convert")), file],
            [["--to", rng.choice(("maltparser", "notation", odd))]],
        ),
        "info": ([file], [["--json"], ["--print", "features"], ["--print", "recipe"], ["--check"]]),
        "experiment": ([file, "--list"], [["-o", out]]),
    }
    words, extra = choices[command]
    if rng.random() < 0.2:
        extra = [*extra, *(any_option(command, rng, [odd, file, model, form], out) for _ in range(len(extra) // 3 + 1))]
    for option in rng.sample(extra, min(len(extra), rng.choice((0, 1, 1, 2, 3)))):
        words += option
    if command == "train":
        words += ["--iterations", "1", "-q", "-o", str(folder / "trained.tw")]
    if rng.random() < 0.02:
        words.insert(rng.randrange(len(words) + 1), odd)
    return [command, *words]


def any_option(command: str, rng: random.Random, values: list[str], out: str) -> list[str]:
    """Return one of all options of a command, with a value that may or may not be one that it takes."""
    flags, known, takes_value = rng.choice(declared(command))
    if not takes_value:
        return [rng.choice(flags)]
    if OUTPUTS & set(flags):
        return [rng.choice(flags), out]
    return [rng.choice(flags), rng.choice(known) if known and rng.random() < 0.7 else rng.choice(values)]


@cache
def declared(command: str) -> list[tuple[list[str], list[str], bool]]:
    """Return the names, the known values and whether there is one, of each option of a command."""
    from treewright.apps.cli.program import build_parser

    found = []
    for action in build_parser(command)._actions:
        if action.option_strings and not set(action.option_strings) & COSTLY:
            found.append((list(action.option_strings), [*map(str, action.choices or ())], action.nargs != 0))
    return found


OUTPUTS = {"--output", "--dump-instances"}
COSTLY = {"--jobs", "--iterations", "--time-limit", "--treebanks"}
COMMANDS = (
    *("parse",) * 12,
    *("convert", "validate", "show", "eval", "analyze", "trace") * 4,
    *("train", "features", "info", "experiment", "corpus") * 2,
    *("crossval", "package", "presets", "completion", "models"),
)


CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x0c\x0e-\x1a\x7f]|\x1b[^\\[]|\xe2\x80\xae")


class Terminal(io.TextIOWrapper):
    """Standard output that says that it is a terminal: commands draw then, and show no control characters."""

    def isatty(self) -> bool:
        """Yes."""
        return True

    def read_back(self) -> bytes:
        """Return what was shown."""
        self.flush()
        return self.buffer.getvalue()  # type: ignore[attr-defined, no-any-return]


class Inputs:
    """One command on one file."""

    @staticmethod
    def mutate(rng: random.Random, seeds: list[bytes], data: bytes) -> bytes:
        """Choose another command, and change the file behind it, or take it as it is: then the options matter."""
        if rng.random() < 0.3:
            return rng.randbytes(HEADER) + data[HEADER:]
        kinds = mutate_treebank if rng.random() < 0.9 else mutate_features
        return rng.randbytes(HEADER) + kinds(rng, [seed[HEADER:] for seed in seeds], data[HEADER:])

    def __init__(self, folder: Path) -> None:
        self.folder = folder / f"work-{os.getpid()}"
        self.folder.mkdir(exist_ok=True)
        os.chdir(self.folder)
        remember_what_does_not_change()
        (self.folder / "small.conllu").write_bytes((folder / "small.conllu").read_bytes())
        self.models = sorted(map(str, (folder / "models").glob("*.tw")))
        self.file = str(self.folder / "input")

    def __call__(self, data: bytes) -> None:
        """Run one command; raise what a command that fails cleanly would say."""
        from treewright.apps.cli import main
        from treewright.errors import TreewrightError

        rng = random.Random(data[:HEADER])
        with open(self.file, "wb") as file:
            file.write(data[HEADER:])
        words = options_for(rng.choice(COMMANDS), rng, self.folder, self.file, self.models)
        out, err = (Terminal if rng.random() < 0.2 else io.TextIOWrapper)(io.BytesIO(), "utf-8"), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code: object = main(words)
            except SystemExit as stop:
                code = stop.code
        said = err.getvalue()
        if code not in (0, 1, 2, None) or "Traceback" in said or "out of memory" in said:
            raise Wrong(f"{code}: {words}: {said[-500:]}")
        if isinstance(out, Terminal) and CONTROLS.search(shown := out.read_back()):
            raise Wrong(f"control characters: {words}: {shown[:500]!r}")
        if code == 2:
            if not any(line.startswith(("treewright", "error: ")) for line in said.splitlines()):
                raise Wrong(f"no message: {words}: {said[-500:]}")
            raise TreewrightError(said)


def remember_what_does_not_change() -> None:
    """Look for plug-ins, translations and the width of the terminal once, and build the options of a command once.

    This takes more than half of the time of a command on a small file, and nothing of it changes meanwhile.
    """
    import argparse
    import importlib.metadata
    import shutil

    from treewright.apps.cli import program

    importlib.metadata.entry_points = cache(importlib.metadata.entry_points)  # type: ignore[assignment]
    argparse._ = cache(argparse._)  # type: ignore[attr-defined]
    shutil.get_terminal_size = cache(shutil.get_terminal_size)  # type: ignore[assignment]
    program.build_parser = cache(program.build_parser)


def write_inputs(folder: Path) -> list[bytes]:
    """Return the valid files that commands are tried on."""
    import treewright as tw

    small = (folder / "small.conllu").read_bytes()
    seeds = [small, TEXT, (b"p(stack[0])\np(input[0])\nw(stack[0]) & p(input[0])\n"), TOML % b"small.conllu"]
    for number, form in enumerate(FORMATS):
        path = folder / f"form-{number}"
        try:
            tw.convert(small, path, form)
        except tw.TreewrightError:
            continue
        seeds.append(path.read_bytes())
    return [bytes(HEADER) + seed for seed in seeds]
