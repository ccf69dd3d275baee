"""Small corpora, a small model, and a run over them in this process."""

from __future__ import annotations

import random
from dataclasses import asdict
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.every_kind import KINDS, NAMES, NOUNS, VERBS
from treewright.apps.corpus.driver import Driver, Progress
from treewright.apps.corpus.engines import make_engine
from treewright.apps.corpus.merge import merge
from treewright.apps.corpus.plan import CorpusPlan, Header
from treewright.apps.corpus.planner import Planner, Source, layout_of, numbered, write_plan
from treewright.apps.corpus.run_part import CorpusJob, model_digest
from treewright.apps.corpus.store import RunStore
from treewright.steps.call import call_from
from treewright.steps.files import parse_files
from treewright.steps.parser import Parser

SPACES = (" ", " ", " ", " ", " ", "\n", "\n", "  ", "\t", "\r\n", "\u3000", "\xa0 ")
ENDS = (
    ". ",
    ".\n",
    ".\n",
    "!\n\n",
    ".\n\n\n",
    "?\r\n\r\n",
    ".\n \n",
    ".\n\n\u3000\u3000",
    ".\n\n\ufeff",
    "\n\n",
    ".\x0c\n",
)


@cache
def model(kind: str = "pipeline") -> Path:
    """Return a model file, made once."""
    folder = Path(mkdtemp(prefix="treewright-corpus-"))
    path = folder / f"{kind}.tw"
    KINDS[kind](folder).save(path)
    return path


@cache
def parser(kind: str = "pipeline") -> Parser:
    """Return the parser of the model."""
    return Parser.load(model(kind))


def text(seed: int, sentences: int = 60) -> str:
    """Return a text with all kinds of spaces, paragraphs and lines."""
    chance = random.Random(seed)
    words = (
        *NAMES,
        *VERBS,
        *NOUNS,
        "and",
        "tea'll",
        "Zoë",
        "日本語",
        "3.14",
        "a@b.org",
        "(see",
        "it)",
        "...",
        "é",
        "naïve",
    )
    pieces = []
    for _ in range(sentences):
        for _ in range(chance.randrange(1, 9)):
            pieces += [chance.choice(words), chance.choice(SPACES) if chance.random() < 0.3 else " "]
        pieces[-1] = chance.choice(ENDS)
    return "".join(pieces)


def wrapped(seed: int, sentences: int = 200) -> str:
    """Return a text that is wrapped at 60 columns, with paragraphs."""
    import textwrap

    chance = random.Random(seed)
    paragraphs = []
    for _ in range(sentences // 5):
        words = []
        for _ in range(9):
            words += [
                chance.choice(NAMES),
                *(chance.choice((*VERBS, *NOUNS, "and")) for _ in range(chance.randrange(12))),
            ]
            words[-1] += "."
        paragraphs.append(textwrap.fill(" ".join(words), 60))
    return "\n\n".join(paragraphs) + "\n"


def plan(
    folder: Path, *paths: Path, part_bytes: int = 400, format: str | None = None, number: bool = False, **header: str
) -> CorpusPlan:
    """Plan files."""
    by = model_digest(str(model())) if number else ""
    made = Header(layout=layout_of(format), numbered_by=by, **header)
    sources = [Source(str(path), path.name.partition(".")[0]) for path in paths]
    parts = Planner(made, part_bytes, format).parts(sources)
    path = folder / "plan.jsonl"
    write_plan(str(path), made, numbered(parts, parser(), made) if number else parts)
    return CorpusPlan.open(str(path))


def driver(plan: CorpusPlan, out: Path | str, to: str = "conllu", kind: str = "pipeline", **options: object) -> Driver:
    """Return what runs a plan."""
    given = {name: options.pop(name) for name in ("ranges", "k_best", "confidence") if name in options}
    path = str(model(kind))
    job = CorpusJob(str(out), plan.digest, model_digest(path), path, to, asdict(plan.header), given)
    return Driver(plan, RunStore(str(out)), job, **options)


def run(plan: CorpusPlan, out: Path | str, engine: str = "serial", workers: int = 2, **options: object) -> Progress:
    """Run a plan."""
    with make_engine(engine, workers) as made:
        return driver(plan, out, **options).run(made)


def joined(plan: CorpusPlan, out: Path | str, target: Path) -> bytes:
    """Return the merged parts of a run."""
    merge(plan, RunStore(str(out)), str(target))
    return target.read_bytes()


def whole(folder: Path, *paths: Path, format: str | None = None, id_prefix: str = "", **options: object) -> bytes:
    """Return what one process writes."""
    target = folder / "whole.conllu"
    names = [path.name.partition(".")[0] for path in paths]
    sources = [str(path) for path in paths]
    parse_files(parser(), sources, target, call_from(options), format=format, id_prefix=id_prefix, names=names)
    return target.read_bytes()
