"""A treebank's own checks: patterns with messages, of which there should be no match."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.query.language.pattern import Pattern
from treewright.query.language.patterns import parse_patterns
from treewright.query.matching import Match, Query, SentenceMatches
from treewright.query.pattern_files import text_of_file
from treewright.treebank.blocks.block import COLUMNS, HEAD, ID, Block
from treewright.treebank.checks.validation import Problem, Severity

WARNING = "warning:"
#: problems of a sentence that cannot be read, which other checks tell
UNREADABLE = (COLUMNS, ID, HEAD)


class PatternChecks:
    """Checks as a file of patterns has them: ``name "message" { pattern { … } }``.

    A message that begins with ``warning:`` is one. Without a message, the name says what is wrong.
    """

    def __init__(self, patterns: list[Pattern], source: str, tree: bool = True) -> None:
        self._source = source
        self._queries = [Query(pattern, tree) for pattern in patterns]

    @classmethod
    def of_file(cls, path: str) -> PatternChecks:
        """Return the checks of a file."""
        return cls(parse_patterns(text_of_file(path), path), path)

    def find(self, block: Block) -> Iterator[Problem]:
        """Yield a problem for each match in a block that can be read."""
        if any(code in UNREADABLE for _, _, code in block.problems):
            return
        for query in self._queries:
            for each in query.in_block(block):
                for match in each:
                    yield self._problem(query, block, each, match)

    def _problem(self, query: Query, block: Block, found: SentenceMatches, match: Match) -> Problem:
        message = query.pattern.message or query.pattern.name or "a match of the pattern"
        severity: Severity = "error"
        if message.startswith(WARNING):
            message, severity = message.removeprefix(WARNING).strip(), "warning"
        words = [token for token in match.nodes.values() if token is not None and token.is_word]
        numbers = tuple(int(token.id) for token in words)
        named = ", ".join(
            f"{name} = {token.id} {token.form}" for name, token in match.nodes.items() if token is not None
        )
        first = block.words_of(found.number)[numbers[0] - 1] if numbers else None
        return Problem(
            query.pattern.name or "checks",
            severity,
            block.source,
            block.line_of(found.number) if first is None else block.line_of_word(first),
            block.sent_id(found.number),
            f"{message} ({named})" if named else message,
            f"See {query.pattern.name or 'the pattern'} in {self._source}",
            found.number,
            numbers,
        )
