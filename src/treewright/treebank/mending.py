"""What is done about a treebank's problems: fail, leave the sentences out, or mend them.

Mending is deterministic, and it changes nothing but HEAD and DEPREL of the words concerned (and an
empty FORM). These are its rules, in this order:

- A word whose HEAD is missing, no number, out of range or itself is attached to the root word.
- A cycle is broken at its word with the relation ``root``, else at its longest arc; that word is
  attached to the root word.
- If no word is the root, one of those just set free becomes it: one with the relation ``root``,
  else the one that heads most words.
- Of several roots, where only one is allowed, the first stays and the others are attached to it.
- A word attached to the root word keeps its relation, but ``root`` becomes ``parataxis``; a missing
  relation becomes ``dep``; a new root gets the relation ``root``, spelt as elsewhere in the block.
- An empty FORM becomes ``_``.

A sentence of several words without any usable HEAD, or with a line that cannot be read, is left
out. DEPS is never touched: an enhanced graph is not a tree, and says nothing about how to mend one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from treewright.errors import TreewrightError
from treewright.treebank import block as block_codes
from treewright.treebank import checks
from treewright.treebank.block import Block
from treewright.treebank.validation import NO_COLUMN, NO_TREE_COLUMNS, NO_TREES, Problem

POLICIES = ("fail", "skip", "fix")
_BROKEN = {block_codes.COLUMNS, block_codes.ID, NO_TREES}
_HOPELESS = {NO_TREE_COLUMNS, NO_COLUMN}  # no sentence of the file can be used


class Outcome(NamedTuple):
    """The block after the policy, and what it cost.

    ``left_out`` are the errors of the sentences that are no longer in the block. The comments of
    such a sentence go with it, also those that open a document or a file.
    """

    block: Block
    fixed: int = 0
    skipped: int = 0
    left_out: tuple[Problem, ...] = ()

    def summary(self) -> str:
        """Say how many sentences were mended and left out; '' if none."""
        parts = []
        if self.fixed:
            parts.append(f"{self.fixed:,} sentence{'s' * (self.fixed != 1)} mended")
        if self.skipped:
            parts.append(f"{self.skipped:,} sentence{'s' * (self.skipped != 1)} left out")
        return ", ".join(parts)


def apply_policy(block: Block, problems: Sequence[Problem], on_error: str) -> Outcome:
    """Raise, or return a block without errors, as ``on_error`` says; warnings change nothing.

    ``problems`` are those that ``check_block`` found in this block.
    """
    if on_error not in POLICIES:
        raise TreewrightError(f"there is no error policy {on_error!r}. Choose one of {', '.join(POLICIES)}")
    errors = [problem for problem in problems if problem.severity == "error"]
    hopeless = [problem for problem in errors if problem.code in _HOPELESS]
    if hopeless or (errors and on_error == "fail"):
        more = len(errors) - 1
        follow = f" (at least {more} more error{'s' * (more != 1)})" if more else ""
        raise (hopeless or errors)[0].error(follow)
    if not errors:
        return Outcome(block)
    by_sentence: dict[int, set[str]] = defaultdict(set)
    for problem in errors:
        whole = range(block.n_sentences)
        for sentence in [problem.sentence] if problem.sentence >= 0 else whole:
            by_sentence[sentence].add(problem.code)
    return _rewrite(block, errors, by_sentence, mend=on_error == "fix")


def _rewrite(block: Block, errors: list[Problem], by_sentence: dict[int, set[str]], mend: bool) -> Outcome:
    """Copy the text, without the bad sentences or with them mended."""
    pieces: list[bytes] = []
    copied = fixed = 0
    skipped: set[int] = set()
    root_relation = _root_relation(block) if mend else b""
    for sentence in sorted(by_sentence):
        start, end = block.span_of(sentence)
        edits = _mend(block, sentence, by_sentence[sentence], root_relation) if mend else None
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
    """Return ``root`` as the block spells it: the formats before UD have ``ROOT``."""
    for word in range(block.n_words if block.layout.deprel >= 0 else 0):
        if block.head_of(word) == 0:
            relation = block.value(word, block.layout.deprel)
            if _is_root(relation):
                return relation
    return b"root"


def _mend(block: Block, sentence: int, codes: set[str], root_relation: bytes) -> list[tuple[int, int, bytes]] | None:
    """Return (word, column, new value) for what must change, or None if it cannot be mended."""
    words = block.words_of(sentence)
    if codes & _BROKEN or not words:
        return None
    layout = block.layout
    edits = []
    if checks.NO_FORM in codes:
        edits = [(word, layout.form, b"_") for word in words if not block.value(word, layout.form)]
    if codes <= {checks.NO_FORM}:
        return edits
    heads = [block.head_of(word) for word in words]
    relations = [block.value(word, layout.deprel) for word in words]
    new_heads = mend_heads(heads, relations, single_root=checks.MANY_ROOTS in codes)
    if new_heads is None:
        return None
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


def mend_heads(heads: list[int], relations: list[bytes], single_root: bool) -> list[int] | None:
    """Return heads that form a tree, changed as little as the rules above allow, or None."""
    n = len(heads)
    free = {word for word, head in enumerate(heads, 1) if not 0 <= head <= n or head == word}
    if len(free) == n > 1:
        return None
    free.update(_break_point(cycle, heads, relations) for cycle in checks.find_cycles(heads))
    roots = [word for word, head in enumerate(heads, 1) if head == 0]
    root = roots[0] if roots else _best_root(heads, relations, free)
    mended = [root if word in free else head for word, head in enumerate(heads, 1)]
    if single_root:
        for other in roots[1:]:
            mended[other - 1] = root
    mended[root - 1] = 0
    return mended


def _is_root(relation: bytes) -> bool:
    return relation.lower() == b"root"


def _break_point(cycle: list[int], heads: list[int], relations: list[bytes]) -> int:
    return max(
        cycle,
        key=lambda word: (_is_root(relations[word - 1]), abs(heads[word - 1] - word), -word),
    )


def _best_root(heads: list[int], relations: list[bytes], free: set[int]) -> int:
    """Choose the root among words that have lost their heads, which is all that end a way up."""
    top = [0] * (len(heads) + 1)
    below = dict.fromkeys(free, 0)
    for word in range(1, len(heads) + 1):
        way = []
        node = word
        while node not in free and not top[node]:
            way.append(node)
            node = heads[node - 1]
        end = node if node in free else top[node]
        for passed in way:
            top[passed] = end
        below[end] += 1
    return max(free, key=lambda word: (_is_root(relations[word - 1]), below[word], -word))
