"""What is wrong with a sentence, while it is being edited: our checks, and UD's validator where it is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

from treewright.apps.studio.drafts import DEPS, HEAD, ID, Draft
from treewright.apps.studio.vocabulary import UD_TAGS
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.ud_checks import UDChecks
from treewright.treebank.checks.validation import check_block
from treewright.treebank.formats.conllu import CONLLU

FEATURE = re.compile(r"[A-Z0-9][A-Za-z0-9]*(\[[a-z0-9]+\])?=[A-Z0-9][A-Za-z0-9]*(,[A-Z0-9][A-Za-z0-9]*)*\Z")
RELATION = re.compile(r"[a-z]+(:[a-z]+)?\Z")
UD_LINE = re.compile(r"\[Line (?P<line>\d+)[^\]]*\]: \[(?P<level>L\d [^\]]+)\] (?P<message>.*)")
UD_COMMANDS = ("udvalidate", "udvalidate.py", "validate.py")
UD_SECONDS = 20


class SentenceFinding(NamedTuple):
    """Something to look at: how bad it is, what it is, and which tokens it concerns."""

    severity: str  # error, warning or info
    message: str
    tokens: tuple[str, ...] = ()


def findings(text: str) -> list[SentenceFinding]:
    """Return what our checks find in a sentence."""
    block = Block(text.encode("utf-8", "surrogateescape"), CONLLU, "the sentence")
    graphs = any(cells[DEPS] != "_" for _, cells in Draft(text).rows())
    words = Draft(text).words()
    headless = {number for number, (_, cells) in enumerate(words, 1) if cells[HEAD] == "_"}
    found: list[SentenceFinding] = []
    if headless and len(headless) < len(words):
        found.append(SentenceFinding("info", f"{len(headless)} of {len(words)} words have no head yet"))
    for problem in check_block(block, graphs=graphs, ud=UDChecks(values=False)):
        own = tuple(str(word) for word in problem.words if problem.code != "no-deprel" or word not in headless)
        unfinished = problem.code == "no-head" or (problem.code in ("no-deprel", "no-root") and headless and not own)
        if problem.code not in ("no-final-blank", "no-trees") and not unfinished:
            found.append(SentenceFinding(problem.severity, problem.message, own))
    return found + _of_cells(Draft(text))


def _of_cells(draft: Draft) -> list[SentenceFinding]:
    """Return what single cells have that UD does not."""
    found: list[SentenceFinding] = []
    for _, cells in draft.rows():
        token, upos, feats, relation = cells[ID], cells[3], cells[5], cells[7]
        if upos != "_" and upos not in UD_TAGS:
            found.append(SentenceFinding("warning", f"{upos} is not one of UD's parts of speech", (token,)))
        if feats != "_":
            parts = feats.split("|")
            bad = [part for part in parts if not FEATURE.match(part)]
            if bad:
                found.append(SentenceFinding("error", f"{bad[0]} is no feature: write Name=Value", (token,)))
            elif [part.split("=")[0].lower() for part in parts] != sorted(part.split("=")[0].lower() for part in parts):
                found.append(SentenceFinding("warning", "features are not in alphabetical order", (token,)))
        if relation != "_" and not RELATION.match(relation):
            found.append(SentenceFinding("warning", f"{relation} does not look like a relation of UD", (token,)))
        if relation == "root" and cells[6] not in ("0", "_"):
            found.append(SentenceFinding("warning", "only the root word has the relation root", (token,)))
        if cells[6] == "0" and relation not in ("root", "_"):
            found.append(SentenceFinding("warning", "the root word has the relation root in UD", (token,)))
    return found


def ud_validator() -> str | None:
    """Return UD's own validator, where it is installed: beside this Python, or anywhere on the path."""
    places = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    return next((path for name in UD_COMMANDS if (path := shutil.which(name, path=places))), None)


def ud_findings(text: str, language: str) -> list[SentenceFinding]:
    """Return what UD's validator says about a sentence; nothing where it is not installed."""
    command = ud_validator()
    if command is None or not re.fullmatch(r"[a-z]{2,3}", language):
        return []
    try:
        done = subprocess.run(
            [command, "--lang", language, "--max-err", "50", "-"],
            input=text.encode("utf-8", "surrogateescape"),
            capture_output=True,
            timeout=UD_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return [SentenceFinding("info", "UD's validator gave no answer")]
    report = (done.stdout + done.stderr).decode("utf-8", "replace")
    lines = text.split("\n")
    found = []
    for line in report.splitlines():
        if match := UD_LINE.search(line):
            place = int(match["line"]) - 1
            token = lines[place].split("\t")[0] if 0 <= place < len(lines) and "\t" in lines[place] else ""
            found.append(
                SentenceFinding("error", f"UD {match['level']}: {match['message']}", (token,) if token else ())
            )
    return found
