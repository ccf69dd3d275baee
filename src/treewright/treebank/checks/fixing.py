"""Apply the user's policy to the problems of a treebank: fail, leave bad sentences out, or fix them.

Fixing is deterministic. It changes only HEAD, DEPREL and DEPS of the words concerned, and an empty FORM. The rules for
trees apply in this order:

- A word whose HEAD is missing, not a number, out of range or the word itself is attached to the root word.
- A cycle is broken at its word with the relation ``root``, otherwise at its longest arc; that word is attached to the
  root word.
- If no word is the root, one of the words that just lost their heads becomes the root: one with the relation ``root``,
  otherwise the one with the most descendants.
- If only one root is allowed, the first root stays and the others are attached to it.
- A word attached to the root word keeps its relation, but ``root`` becomes ``parataxis``. A missing relation becomes
  ``dep``. A new root gets the relation ``root``, spelt as elsewhere in the block.
- An empty FORM becomes ``_``.

Graphs (DEPS) have one rule: an arc without a relation, without a head in the sentence, or from a word to itself is
removed, and so is a repeated arc.

A sentence is left out if a line cannot be read, if it has several words and no usable HEAD, or if no arc of its graph
is usable. Trees and graphs are fixed independently: neither is derived from the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from treewright.errors import TreewrightError, unknown
from treewright.treebank.blocks import block as block_codes
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks import checks
from treewright.treebank.checks.graph_checks import BAD_DEPS, SELF_ARC
from treewright.treebank.checks.validation import NO_COLUMN, NO_TREE_COLUMNS, NO_TREES, Problem
from treewright.treebank.graphs.graph import usable_deps

POLICIES = ("fail", "skip", "fix")
_UNREADABLE = {block_codes.COLUMNS, block_codes.ID, NO_TREES}
_NO_SENTENCE_USABLE = {NO_TREE_COLUMNS, NO_COLUMN}
_GRAPH = {BAD_DEPS, SELF_ARC}

Edit = tuple[int, int, bytes]  # word, column, new value


class Outcome(NamedTuple):
    """The block after applying the policy, and what changed.

    ``left_out`` holds the errors of the sentences that were removed from the block. Their comments are removed too,
    including those that open a document or a file.
    """

    block: Block
    fixed: int = 0
    skipped: int = 0
    left_out: tuple[Problem, ...] = ()

    def summary(self) -> str:
        """Return how many sentences were fixed and left out, or ''."""
        parts = []
        if self.fixed:
            parts.append(f"{self.fixed:,} sentence{'s' * (self.fixed != 1)} fixed")
        if self.skipped:
            parts.append(f"{self.skipped:,} sentence{'s' * (self.skipped != 1)} left out")
        return ", ".join(parts)


def apply_policy(block: Block, problems: Sequence[Problem], on_error: str) -> Outcome:
    """Raise an error or return a block without errors, depending on ``on_error``; warnings change nothing.

    ``problems`` are those that ``check_block`` found in this block, of trees, graphs or both.
    """
    if on_error not in POLICIES:
        raise TreewrightError(unknown("error policy", on_error, POLICIES))
    errors = [problem for problem in problems if problem.severity == "error"]
    fatal = [problem for problem in errors if problem.code in _NO_SENTENCE_USABLE]
    if fatal or (errors and on_error == "fail"):
        more = len(errors) - 1
        follow = f" (at least {more} more error{'s' * (more != 1)})" if more else ""
        raise (fatal or errors)[0].error(follow)
    if not errors:
        return Outcome(block)
    by_sentence: dict[int, set[str]] = defaultdict(set)
    for problem in errors:
        whole = range(block.n_sentences)
        for sentence in [problem.sentence] if problem.sentence >= 0 else whole:
            by_sentence[sentence].add(problem.code)
    return _rewrite(block, errors, by_sentence, fix=on_error == "fix")


def _rewrite(block: Block, errors: list[Problem], by_sentence: dict[int, set[str]], fix: bool) -> Outcome:
    """Copy the text, leaving bad sentences out or fixing them."""
    pieces: list[bytes] = []
    copied = fixed = 0
    skipped: set[int] = set()
    root_relation = _root_relation(block) if fix else b""
    for sentence in sorted(by_sentence):
        start, end = block.span_of(sentence)
        edits = _fix(block, sentence, by_sentence[sentence], root_relation) if fix else None
        if edits is None:
            skipped.add(sentence)
            pieces.append(block.data[copied:start])
            copied = end
            continue
        fixed += 1
        for word, column, value in sorted(edits):
            start, end = block.place(word, column)
            pieces += [block.data[copied:start], value]
            copied = end
    pieces.append(block.data[copied:])
    left_out = tuple(e for e in errors if e.sentence in skipped or (e.sentence < 0 and skipped))
    new = Block(b"".join(pieces), block.layout, block.source, block.first_line)
    return Outcome(new, fixed, len(skipped), left_out)


def _root_relation(block: Block) -> bytes:
    """Return ``root`` as the block spells it: formats older than UD use ``ROOT``."""
    for word in range(block.n_words if block.layout.deprel >= 0 else 0):
        if block.head_of(word) == 0:
            relation = block.value(word, block.layout.deprel)
            if _is_root(relation):
                return relation
    return b"root"


def _fix(block: Block, sentence: int, codes: set[str], root_relation: bytes) -> list[Edit] | None:
    """Return the changes that fix a sentence, or None if it cannot be fixed."""
    words = block.words_of(sentence)
    if codes & _UNREADABLE or not words:
        return None
    edits: list[Edit] = []
    if checks.NO_FORM in codes:
        form = block.layout.form
        edits += [(word, form, b"_") for word in words if not block.value(word, form)]
    if codes & _GRAPH:
        deps = usable_deps(block, sentence)
        if all(text == "_" for text in deps):
            return None
        edits += [
            (word, block.layout.deps, text.encode("utf-8", "surrogateescape"))
            for word, text in zip(words, deps, strict=True)
        ]
    if codes - _GRAPH - {checks.NO_FORM}:
        tree_edits = _fix_tree(block, words, root_relation, single_root=checks.MANY_ROOTS in codes)
        return None if tree_edits is None else edits + tree_edits
    return edits


def _fix_tree(block: Block, words: range, root_relation: bytes, single_root: bool) -> list[Edit] | None:
    layout = block.layout
    heads = [block.head_of(word) for word in words]
    relations = [block.value(word, layout.deprel) for word in words]
    new_heads = fix_heads(heads, relations, single_root)
    if new_heads is None:
        return None
    edits = []
    for word, old, new, relation in zip(words, heads, new_heads, relations, strict=True):
        wanted = relation
        if new == 0 and (old != 0 or relation in (b"", b"_")):
            wanted = root_relation
        elif relation in (b"", b"_"):
            wanted = b"dep"
        elif old != new and _is_root(relation):
            wanted = b"parataxis"
        if new != old:
            edits.append((word, layout.head, b"%d" % new))
        if wanted != relation:
            edits.append((word, layout.deprel, wanted))
    return edits


def fix_heads(heads: list[int], relations: list[bytes], single_root: bool) -> list[int] | None:
    """Return heads that form a tree, changed as little as the rules above allow, or None."""
    n = len(heads)
    free = {word for word, head in enumerate(heads, 1) if not 0 <= head <= n or head == word}
    if len(free) == n > 1:
        return None
    for cycle in checks.find_cycles(heads):
        free.add(max(cycle, key=lambda word: (_is_root(relations[word - 1]), abs(heads[word - 1] - word), -word)))
    roots = [word for word, head in enumerate(heads, 1) if head == 0]
    root = roots[0] if roots else _best_root(heads, relations, free)
    fixed = [root if word in free else head for word, head in enumerate(heads, 1)]
    if single_root:
        for other in roots[1:]:
            fixed[other - 1] = root
    fixed[root - 1] = 0
    return fixed


def _is_root(relation: bytes) -> bool:
    return relation.lower() == b"root"


def _best_root(heads: list[int], relations: list[bytes], free: set[int]) -> int:
    """Choose the root among the words that lost their heads; every path upwards ends at one of them."""
    top = [0] * (len(heads) + 1)
    below = dict.fromkeys(free, 0)
    for word in range(1, len(heads) + 1):
        path = []
        node = word
        while node not in free and not top[node]:
            path.append(node)
            node = heads[node - 1]
        end = node if node in free else top[node]
        for passed in path:
            top[passed] = end
        below[end] += 1
    return max(free, key=lambda word: (_is_root(relations[word - 1]), below[word], -word))
