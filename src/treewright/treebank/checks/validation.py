"""Report the problems of a treebank: what is wrong, where, and what to do about it.

Compiled code finds the problems (checks.pyx); this module describes them. fixing.py applies the user's policy (fail,
skip or fix).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from treewright.errors import TreebankError
from treewright.treebank.blocks import block as block_codes
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks import checks
from treewright.treebank.checks.graph_checks import BAD_DEPS, SELF_ARC, UNREACHED, find_graph_problems
from treewright.treebank.checks.problems import describe_line
from treewright.treebank.checks.ud_checks import (
    BAD_FEATS,
    FEATS_ORDER,
    NO_SENT_ID,
    NO_TEXT,
    ROOT_RELATION,
    SAME_SENT_ID,
    UNKNOWN_RELATION,
    UNKNOWN_UPOS,
    WRONG_TEXT,
    UDChecks,
)
from treewright.treebank.checks.ud_graph_checks import DEPS_ORDER, EMPTY_NODE, find_in_graphs

Severity = Literal["error", "warning", "info"]

# Codes for a whole file; block.pyx, checks.pyx and graph_checks.py have those for sentences
NO_TREE_COLUMNS = "no-tree-columns"
NO_TREES = "no-trees"
NO_COLUMN = "no-column"
EMPTY_COLUMN = "empty-column"

_NEED_TREES = "Training needs a treebank with trees: a head and a relation for every word"
_SKIP = "Correct it, or leave the sentence out with `--on-error skip`"
_UD = "Correct it, or use `--level 1` for a treebank that is not UD:"
_FIX = "Correct it, or use `--on-error fix` or `--on-error skip`"

_KINDS: dict[str, tuple[Severity, str]] = {
    block_codes.COLUMNS: ("error", f"Columns are separated by single tabs. {_SKIP}"),
    block_codes.ID: ("error", f"Words are numbered 1, 2, 3 and so on. {_SKIP}"),
    block_codes.NO_FINAL_BLANK: ("warning", "Add a blank line at the end of the file"),
    checks.NO_FORM: ("error", _FIX),
    checks.NO_HEAD: ("error", _FIX),
    checks.BAD_HEAD: ("error", _FIX),
    checks.HEAD_RANGE: ("error", _FIX),
    checks.SELF_HEAD: ("error", _FIX),
    checks.NO_ROOT: ("error", _FIX),
    checks.MANY_ROOTS: ("error", "Use `--on-error fix`, or `--no-single-root`"),
    checks.CYCLE: ("error", _FIX),
    checks.NO_DEPREL: ("error", _FIX),
    checks.NONPROJECTIVE: (
        "info",
        "A projective parser cannot build it unless trained with a pseudo-projective scheme",
    ),
    NO_TREE_COLUMNS: ("error", _NEED_TREES),
    NO_TREES: ("error", _NEED_TREES),
    NO_COLUMN: ("error", "Add the column, or choose features that do not need it"),
    BAD_DEPS: ("error", f"DEPS is `_` or `head:relation|head:relation`, with heads in the same sentence. {_FIX}"),
    SELF_ARC: ("error", f"No parser can build this arc. {_FIX}"),
    UNREACHED: ("warning", "Enhanced UD requires it; other kinds of graphs do not"),
    EMPTY_COLUMN: ("warning", "Fill it, or choose features that do not need it"),
    WRONG_TEXT: ("error", "Correct the text, a FORM, or `SpaceAfter=No` in MISC"),
    NO_TEXT: ("error", "UD requires it"),
    NO_SENT_ID: ("error", "UD requires it"),
    SAME_SENT_ID: ("error", "Give every sentence of a treebank a name of its own"),
    UNKNOWN_UPOS: ("error", f"{_UD} https://universaldependencies.org/u/pos/"),
    UNKNOWN_RELATION: ("error", f"{_UD} https://universaldependencies.org/u/dep/"),
    ROOT_RELATION: ("error", "In UD, the word with HEAD 0 has the relation `root`, and no other word has it"),
    BAD_FEATS: ("error", "Write `Name=Value|Name=Value`, or `_` for none"),
    FEATS_ORDER: ("error", "Sort the features by name, without regard to case"),
    DEPS_ORDER: ("error", "Write each arc once, ordered by heads, and arcs from the same head by relations"),
    EMPTY_NODE: ("error", "Empty nodes after word 3 are 3.1, 3.2 and so on; they have arcs in DEPS alone"),
}
CODES = tuple(_KINDS)


@dataclass(frozen=True)
class Problem:
    """A problem of a treebank, with its position and remedy.

    ``sentence`` is the position of the sentence in the block, or -1 for a problem of the whole block. ``words`` are the
    numbers of the words concerned, for a cycle in the order of the cycle.
    """

    code: str
    severity: Severity
    source: str
    line: int
    sent_id: str
    message: str
    remedy: str
    sentence: int = -1
    words: tuple[int, ...] = ()

    def __str__(self) -> str:
        return str(self.error())

    def error(self, addition: str = "") -> TreebankError:
        """Return the problem as an error to raise."""
        return TreebankError(
            self.message + addition, source=self.source, line=self.line, sent_id=self.sent_id, remedy=self.remedy
        )


def check_block(
    block: Block,
    *,
    need_tree: bool = True,
    single_root: bool = True,
    columns: Sequence[str] = (),
    graphs: bool = False,
    ud: UDChecks | None = None,
) -> list[Problem]:
    """Return the problems of a block: those of the whole block, of each sentence, of its graph, then those of UD.

    ``need_tree=False`` ignores HEAD and DEPREL: for input to be parsed, or to train on graphs. ``columns`` are those
    that the caller needs. ``graphs`` also checks DEPS, ``ud`` what UD requires of a file's comments and values.
    """
    problems = list(_column_problems(block, columns))
    if need_tree and (missing := _missing_tree(block)):
        problems.append(missing)
        need_tree = False
    for sentence, line, code, words in checks.find_problems(block, need_tree, single_root):
        message = _message(block, sentence, code, words)
        problems.append(_problem(block, code, message, line, sentence, words))
    for sentence, line, code, message, words in find_graph_problems(block) if graphs else ():
        problems.append(_problem(block, code, message, line, sentence, words))
    findings = list(ud.find(block)) if ud is not None else []
    if graphs and ud is not None and ud.values:
        findings += find_in_graphs(block)
    for finding in findings:
        problems.append(_problem(block, finding.code, finding.message, finding.line, finding.sentence, finding.words))
    return problems


def _problem(
    block: Block, code: str, message: str, line: int, sentence: int = -1, words: tuple[int, ...] = ()
) -> Problem:
    """Return a problem of a sentence or of the whole block, with its severity and remedy."""
    severity, remedy = _KINDS[code]
    sent_id = block.sent_id(sentence) if sentence >= 0 else ""
    return Problem(code, severity, block.source, line, sent_id, message, remedy, sentence, words)


def _column_problems(block: Block, columns: Iterable[str]) -> Iterator[Problem]:
    for column in columns:
        place = block.layout.index(column)
        if place < 0:
            message = f"the file has no {column} column"
            yield _problem(block, NO_COLUMN, message, block.first_line)
        elif block.n_words and not checks.is_filled(block, place):
            message = f"the {column} column is empty"
            yield _problem(block, EMPTY_COLUMN, message, block.first_line)


def _missing_tree(block: Block) -> Problem | None:
    missing = [name for name in ("HEAD", "DEPREL") if block.layout.index(name) < 0]
    if missing:
        message = f"the file has no {' and no '.join(missing)} column"
        return _problem(block, NO_TREE_COLUMNS, message, block.first_line)
    if block.n_words and not checks.has_trees(block):
        message = "no word has a HEAD, all are `_`"
        return _problem(block, NO_TREES, message, block.first_line)
    return None


def _message(block: Block, sentence: int, code: str, words: tuple[int, ...]) -> str:
    """Return what is wrong with a sentence."""
    named = _name_words(words)
    if code in (checks.BAD_HEAD, checks.HEAD_RANGE):
        word = block.words_of(sentence)[words[0] - 1]
        value = block.value(word, block.layout.head).decode("utf-8", "replace")
        message = f"HEAD of word {words[0]} is `{value[:30]}`"
        if code == checks.HEAD_RANGE:
            message += f", but the last word is {len(block.words_of(sentence))}"
        else:
            message += ", not a number"
        return message if len(words) == 1 else f"{message} (this kind of error: {named})"
    if code == checks.CYCLE:
        shown = words[:10] if len(words) > 11 else words
        path = " → ".join(map(str, shown))
        if len(shown) < len(words):
            path += f" → ({len(words) - len(shown)} more)"
        return f"the heads form a cycle: {path} → {words[0]}"
    if code in (block_codes.COLUMNS, block_codes.ID):
        return describe_line(block, sentence)
    return {
        block_codes.NO_FINAL_BLANK: "the last sentence does not end with a blank line",
        checks.NO_FORM: f"FORM of {named} is empty",
        checks.NO_HEAD: f"HEAD of {named} is missing",
        checks.SELF_HEAD: f"HEAD of {named} is the word itself",
        checks.NO_ROOT: "no word has HEAD 0",
        checks.MANY_ROOTS: f"{named} all have HEAD 0",
        checks.NO_DEPREL: f"DEPREL of {named} is missing",
        checks.NONPROJECTIVE: f"the tree is not projective at {named}",
    }[code]


def _name_words(words: Sequence[int], limit: int = 5) -> str:
    if len(words) == 1:
        return f"word {words[0]}"
    shown = words if len(words) <= limit + 1 else words[:limit]
    names = [str(word) for word in shown]
    if len(shown) < len(words):
        names.append(f"{len(words) - len(shown)} more")
    return f"words {', '.join(names[:-1])} and {names[-1]}" if names else "no words"


class Report:
    """The result of checking one or more files: all counts, and the first problems of each kind in full.

    Blocks are not kept, so memory does not grow with the file.
    """

    def __init__(self, limit: int = 20) -> None:
        self.limit = limit
        self.sentences = self.words = self.bad_sentences = 0
        self.nonprojective_sentences = self.nonprojective_arcs = 0
        self.counts: dict[str, int] = {}
        self._severities: dict[Severity, int] = {"error": 0, "warning": 0, "info": 0}
        self.problems: list[Problem] = []
        self._reported: set[tuple[str, str, str]] = set()

    def add(self, block: Block, problems: Iterable[Problem]) -> list[Problem]:
        """Count a block and its problems; return the problems to print.

        These exclude mere information and, for each kind, whatever exceeds the limit. A problem of a whole file is
        returned once.
        """
        self.sentences += block.n_sentences
        self.words += block.n_words
        bad: set[int] = set()
        shown = []
        for problem in problems:
            if problem.code == checks.NONPROJECTIVE:
                self.nonprojective_sentences += 1
                self.nonprojective_arcs += len(problem.words)
                continue
            if problem.severity == "error":
                whole = range(block.n_sentences)
                bad.update([problem.sentence] if problem.sentence >= 0 else whole)
            if problem.sentence < 0:
                key = (problem.source, problem.code, problem.message)
                if key in self._reported:
                    continue
                self._reported.add(key)
            if self.add_problem(problem):
                shown.append(problem)
        self.bad_sentences += len(bad)
        return shown

    def add_problem(self, problem: Problem) -> bool:
        """Count a problem, and keep it if it is among the first of its kind; return whether it is."""
        self.counts[problem.code] = self.counts.get(problem.code, 0) + 1
        self._severities[problem.severity] += 1
        is_shown = self.counts[problem.code] <= self.limit
        if is_shown:
            self.problems.append(problem)
        return is_shown

    @property
    def errors(self) -> int:
        """The number of errors."""
        return self._severities["error"]

    @property
    def warnings(self) -> int:
        """The number of warnings."""
        return self._severities["warning"]

    def summary(self) -> str:
        """Return the counts as a few lines for a terminal."""
        lines = [
            f"{_plural(self.sentences, 'sentence')}, {_plural(self.words, 'word')}:"
            f" {_plural(self.errors, 'error')} in {_plural(self.bad_sentences, 'sentence')},"
            f" {_plural(self.warnings, 'warning')}"
        ]
        ours = [code for code in CODES if code in self.counts]
        others = sorted(self.counts.keys() - set(ours))
        lines += [f"  {code}: {self.counts[code]:,}" for code in ours + others]
        if self.nonprojective_sentences:
            share = 100 * self.nonprojective_sentences / self.sentences
            lines.append(
                f"  not projective: {_plural(self.nonprojective_sentences, 'sentence')}"
                f" ({share:.1f} %), {_plural(self.nonprojective_arcs, 'arc')}"
            )
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        numbers = (
            *("sentences", "words", "errors", "warnings", "bad_sentences"),
            *("nonprojective_sentences", "nonprojective_arcs"),
        )
        texts = ("code", "severity", "source", "line", "sent_id", "message", "remedy")
        return {
            **{name: getattr(self, name) for name in numbers},
            "counts": dict(self.counts),
            "problems": [
                {**{name: getattr(problem, name) for name in texts}, "words": list(problem.words)}
                for problem in self.problems
            ],
        }


def _plural(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
