"""Models of all treebanks in a folder: trained, scored, tried on text, packed, and listed in an index.

Each treebank has a record of what came out, written last: a build that was killed goes on where it was, and one that
failed leaves the reason beside the others.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import treewright
from treewright.apps.library.index import FILE, Entry, index_text
from treewright.apps.library.report import METRICS, report
from treewright.apps.library.treebanks import FoundTreebank, treebanks_in
from treewright.errors import TreewrightError
from treewright.steps.step import Step
from treewright.treebank.files.output import OutputFile

SMALL = 100_000  # words up to which a beam's time does not matter
FEWEST = 20  # sentences that can be cut into folds
FOLDS = 10
TRIED = 30  # sentences whose text a new model must be able to parse


@dataclass(frozen=True)
class Settings:
    """How models are built; what changes a record is part of it."""

    output: Path
    speed: str | None
    newer: bool
    quiet: bool

    def speed_for(self, words: int) -> str:
        """Return the recipe of a treebank."""
        return self.speed or ("balanced" if words <= SMALL else "fast")

    def say(self, text: str) -> None:
        """Tell the user."""
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)


def build(arguments: argparse.Namespace) -> int:
    """Build all models that are not there yet; return 1 if some failed."""
    settings = Settings(Path(arguments.output), arguments.speed, arguments.newer, arguments.quiet)
    settings.output.mkdir(parents=True, exist_ok=True)
    treebanks = list(_chosen(arguments))
    begin, failed = time.monotonic(), 0
    for number, treebank in enumerate(treebanks, 1):
        left = (time.monotonic() - begin) / max(1, number - 1) * (len(treebanks) - number + 1)
        settings.say(f"{number}/{len(treebanks)} {treebank.name}" + (f", {left:.0f} s left" if number > 1 else ""))
        failed += not _built(treebank, settings)
    write_index(settings.output, arguments.best_of)
    settings.say(f"{len(treebanks) - failed} models, {failed} failures: {settings.output / 'report.html'}")
    return 1 if failed else 0


def _chosen(arguments: argparse.Namespace) -> Iterator[FoundTreebank]:
    part, parts = _shard(arguments.shard) if arguments.shard else (1, 1)
    found = list(treebanks_in(arguments.folder))
    unknown = set(arguments.only or ()) - {one.name for one in found}
    if unknown:
        known = ", ".join(one.name for one in found)
        raise TreewrightError(
            f"no treebank called {', '.join(sorted(unknown))} in {arguments.folder}: there are {known}"
        )
    for number, one in enumerate(found):
        if number % parts == part - 1 and (not arguments.only or one.name in arguments.only):
            yield one


def _shard(given: str) -> tuple[int, int]:
    part, slash, parts = given.partition("/")
    if not (slash and part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise TreewrightError(f"--shard {given}: write it as 2/8, the second of eight")
    return int(part), int(parts)


def _built(treebank: FoundTreebank, settings: Settings) -> bool:
    """Build one model, unless its record says that it is there; return whether it is."""
    record, reason = settings.output / f"{treebank.name}.json", settings.output / f"{treebank.name}.failed.txt"
    try:
        digest = treebank.digest()
        kept = _record(record)
        asked = {"treebank": digest, "speed": settings.speed, "version": treewright.__version__}
        there = kept is not None and (kept["asked"] == asked or not settings.newer)
        if not (there and (settings.output / f"{treebank.name}.tw").is_file()):
            _write(record, {"asked": asked, "entry": _made(treebank, settings).to_dict(), "note": treebank.note})
        reason.unlink(missing_ok=True)
    except (TreewrightError, OSError, MemoryError) as error:
        _write_text(reason, f"{type(error).__name__}: {error}\n")
        settings.say(f"{treebank.name}: {error}")
        return False
    return True


def _made(treebank: FoundTreebank, settings: Settings) -> Entry:
    words, sentences, has_text = _counted(treebank.train)
    if not has_text:
        raise TreewrightError("the treebank has no text: its words are left out for their licence")
    choices: dict[str, Any] = {"speed": settings.speed_for(words)}
    path = settings.output / f"{treebank.name}.tw"
    arriving = settings.output / f".{treebank.name}.arriving"
    licence = treebank.licence
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = treewright.train(
            treebank.train, treebank.dev or None, pipeline=True, licence=licence, on_error="fix", **choices
        )
        assert isinstance(model, Step)
        scores = _scores(model, treebank.test) if treebank.test else _in_folds(treebank, sentences, choices)
        speed = _tried(model, treebank)
    model.info["description"] = model.info.get("description") or f"{treebank.name}, {words:,} words"
    model.save(arriving)
    os.replace(arriving, path)
    _pack(path, treebank, licence)
    return Entry(
        name=treebank.name,
        file=path.name,
        bytes=path.stat().st_size,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        languages=treebank.languages,
        licence=licence,
        treebank=os.path.basename(os.path.normpath(treebank.folder)),
        version=time.strftime("%Y.%m"),
        made_by=treewright.__version__,
        words=words,
        words_per_second=speed,
        scores=scores,
    )


def _counted(files: Sequence[str]) -> tuple[int, int, bool]:
    """Return the numbers of words and sentences, and whether there is any text."""
    words = sentences = 0
    has_text = False
    for file in files:
        for block in treewright.read(file).blocks():
            words += block.n_words
            sentences += block.n_sentences
            has_text = has_text or any(
                block.value(word, block.layout.form) not in (b"_", b"") for word in range(min(block.n_words, 50))
            )
    return words, sentences, has_text


def _scores(model: Step, test: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return scores of the test part: from raw text, and with gold words and tags."""
    from treewright.kinds.tokenizer.raw_text import raw_text
    from treewright.treebank.files.reading import read_blocks

    gold = b"".join(Path(path).read_bytes() for path in test)
    text = raw_text(read_blocks(gold))
    parsed = "".join(sentence.to_conllu() for sentence in model.parse_text(text)).encode()
    tagged = b"".join(model.parse_block(block).data for block in read_blocks(gold))
    found = {}
    for kind, system in (("raw text", parsed), ("gold tags", tagged)):
        official = treewright.evaluate(gold, system, multiple_roots=True).ud  # some treebanks have such trees
        found[kind] = {name: round(official[name].f1, 2) for name in METRICS if name in official}
    return found


def _in_folds(treebank: FoundTreebank, sentences: int, choices: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return scores of a treebank without a test part: all of it is learnt from, and scored in folds."""
    from treewright.apps.experiments.crossvalidation import cross_validate

    if sentences < FEWEST:
        return {}
    spread = cross_validate(treebank.train, folds=FOLDS, on_error="fix", pipeline=True, **choices).scores
    return {"folds": {score.measure: round(score.mean, 2) for score in spread}}


def _tried(model: Step, treebank: FoundTreebank) -> int:
    """Parse the treebank's text in other spacing; return the words a second. Text must come out as it went in."""
    from treewright.kinds.tokenizer.raw_text import raw_text
    from treewright.treebank.files.reading import read_blocks

    data = Path((treebank.test or treebank.train)[0]).read_bytes()
    text = " ".join(raw_text(read_blocks(data)).split("\n")[: 4 * TRIED])
    begin, words = time.perf_counter(), 0
    for spaced in (text, text.replace(" ", "  "), text.replace(" ", "\n", 5)):
        letters = "".join("".join(sentence.text.split()) for sentence in model.parse_text(spaced))
        if letters != "".join(spaced.split()):
            raise TreewrightError("the model changes the text that it parses: this is a bug of treewright")
        words += sum(len(list(sentence)) for sentence in model.parse_text(spaced))
    return round(words / 2 / (time.perf_counter() - begin))


def _pack(path: Path, treebank: FoundTreebank, licence: str) -> None:
    from treewright.apps.sharing.wheel import About, write_wheel

    told = licence or "unknown: see the treebank"
    write_wheel(path, About(treebank.name, licence=told, language=treebank.language), path.parent)


def _record(path: Path) -> dict[str, Any] | None:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return values if isinstance(values, dict) and {"asked", "entry"} <= values.keys() else None
    except (OSError, ValueError):
        return None


def _write(path: Path, values: Mapping[str, Any]) -> None:
    _write_text(path, json.dumps(values, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def _write_text(path: Path, text: str) -> None:
    with OutputFile(path) as output:
        output.write(text.encode())


def write_index(folder: Path, best_of: Sequence[str] = ()) -> list[Entry]:
    """Write the index and the report of all records; of each language, the largest that was scored is the default."""
    records = [values for path in sorted(folder.glob("*.json")) if path.name != FILE and (values := _record(path))]
    entries = [Entry(**values["entry"]) for values in records]
    defaults: dict[str, Entry] = {}
    for entry in sorted(entries, key=lambda one: (one.name not in best_of, "raw text" not in one.scores, -one.words)):
        defaults.setdefault(entry.languages[0], entry)
    chosen = [replace(one, default_of=one.languages[0] if defaults[one.languages[0]] is one else "") for one in entries]
    _write_text(folder / FILE, index_text(chosen))
    notes = {values["entry"]["name"]: str(values.get("note", "")) for values in records}
    failures = {path.name.removesuffix(".failed.txt"): path.read_text("utf-8") for path in folder.glob("*.failed.txt")}
    _write_text(folder / "report.html", report(chosen, notes, failures))
    return chosen
