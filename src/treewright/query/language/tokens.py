"""The tokens of a pattern or of rules, each with its line and column."""

from __future__ import annotations

import re
from dataclasses import dataclass

from treewright.errors import TreewrightError

WORD, NUMBER, STRING, REGEX, PERL_REGEX, SIGN, END = "word", "number", "string", "re", "/", "sign", "end"

#: longest first: `]->` is not `]` and `->`
_SIGNS = (
    *("]->>", "]->", "]=>", "==>", "->>", "-[", "=[", "->", "<->", ":<", ":>", "<<", ">>", "><", "<>"),
    *("<=", ">=", "≤", "≥", "<", ">", "=", "{", "}", "[", "]", "(", ")", ":", ";", ","),
    *("|", "!", "*", ".", "+", "^", "/", "#", "@", "$"),
)
_SPACE = re.compile(r"(?:\s+|%[^\n]*|/\*.*?\*/)+", re.DOTALL)
# A name may have a dash within, and ends with `$` if another node of the pattern may be the same.
_WORD = re.compile(r"[^\W\d][\w']*(?:-[\w']+)*\$?")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?!\w)|\d\w*")
# Between `-[` and `]->` relations may have colons, dashes and more.
_LABEL = re.compile(r"[\w'@:./$+&~-]+")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_PERL = re.compile(r"/((?:[^/\\\n]|\\.)+)/([a-z]*)")
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))
MOST_CHARACTERS = 1 << 20


class PatternError(TreewrightError):
    """A pattern or a rule cannot be understood; the message names line and column."""


@dataclass(frozen=True)
class Place:
    """Where something stands: in which file (or ``the pattern``), line and column, from 1."""

    source: str
    line: int
    column: int

    def error(self, problem: str) -> PatternError:
        """Return the error for a problem here."""
        return PatternError(f"{self.source}:{self.line}:{self.column}: {problem}")


@dataclass(frozen=True)
class Token:
    """A word, a text in quotes, a regular expression or a sign."""

    kind: str
    text: str
    place: Place
    flags: str = ""  # of a regular expression between slashes

    @property
    def shown(self) -> str:
        """How messages name it."""
        return "the end" if self.kind == END else repr(self.text[:40])


def tokens_of(text: str, source: str) -> list[Token]:
    """Return the tokens of a text, the last of which is its end."""
    if len(text) > MOST_CHARACTERS:
        raise PatternError(f"{source}: more than {MOST_CHARACTERS >> 20} MB. Is this a pattern?")
    return _Lexer(text, source).tokens


class _Lexer:
    def __init__(self, text: str, source: str) -> None:
        self._text, self._source = text, source
        self._at, self._line, self._line_start = 0, 1, 0
        self._in_label = False
        self.tokens: list[Token] = []
        while self.tokens[-1:] == [] or self.tokens[-1].kind != END:
            self.tokens.append(self._next())

    def _next(self) -> Token:
        space = _SPACE.match(self._text, self._at)
        if space:
            self._move(space.end())
        if self._text.startswith("/*", self._at):
            raise self._place().error("a comment that begins with /* and does not end. Write */ behind it")
        if self._at == len(self._text):
            return Token(END, "", self._place())
        return self._quoted() or self._plain()

    def _quoted(self) -> Token | None:
        """Return a text in quotes or a regular expression, if one begins here."""
        place, before = self._place(), self._text.startswith('re"', self._at)
        if before or self._text[self._at] == '"':
            found = _STRING.match(self._text, self._at + 2 * before)
            if found is None:
                raise place.error('a text in quotes that does not end. Write " behind it')
            self._move(found.end())
            # as in Grew: only quotes and backslashes are escaped; other backslashes stay
            return Token(REGEX if before else STRING, re.sub(r'\\(["\\])', r"\1", found[1]), place)
        expected = self.tokens and self.tokens[-1].text in ("=", "<>", "-[", "=[", "^", "|")
        found = _PERL.match(self._text, self._at) if expected and self.tokens[-1].kind == SIGN else None
        if found is None:
            return None
        self._move(found.end())
        return Token(PERL_REGEX, found[1].replace("\\/", "/"), place, found[2])

    def _plain(self) -> Token:
        place = self._place()
        kinds = ((WORD, _LABEL),) if self._in_label else ((WORD, _WORD), (NUMBER, _NUMBER))
        for kind, pattern in kinds:
            found = pattern.match(self._text, self._at)
            if found:
                self._move(found.end())
                return Token(kind, found[0], place)
        found = _SIGN.match(self._text, self._at)
        if found is None:
            raise place.error(f"an unexpected {self._text[self._at]!r}. Texts with such signs stand in quotes")
        if found[0] in ("-[", "=["):
            self._in_label = True
        elif found[0].startswith("]") or found[0] in "{}":
            self._in_label = False
        self._move(found.end())
        return Token(SIGN, found[0], place)

    def _place(self) -> Place:
        return Place(self._source, self._line, self._at - self._line_start + 1)

    def _move(self, end: int) -> None:
        passed = self._text.count("\n", self._at, end)
        if passed:
            self._line += passed
            self._line_start = self._text.rindex("\n", self._at, end) + 1
        self._at = end


class Reader:
    """The tokens of a text with a current place; what parsers of patterns and of rules share."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self._tokens = tokens_of(text, source)
        self._at = 0

    @property
    def token(self) -> Token:
        """The current token."""
        return self._tokens[self._at]

    def ahead(self, count: int = 1) -> Token:
        """Return a token behind the current one."""
        return self._tokens[min(self._at + count, len(self._tokens) - 1)]

    def take(self) -> Token:
        """Return the current token and go on."""
        token = self.token
        self._at += token.kind != END
        return token

    def is_sign(self, *signs: str) -> bool:
        """Say whether the current token is one of some signs."""
        return self.token.kind == SIGN and self.token.text in signs

    def is_word(self, *words: str) -> bool:
        """Say whether the current token is a word, or one of some."""
        return self.token.kind == WORD and (not words or self.token.text in words)

    def accept(self, *signs: str) -> Token | None:
        """Take one of some signs, if it stands here."""
        return self.take() if self.is_sign(*signs) else None

    def expect(self, sign: str, where: str = "") -> Token:
        """Take a sign that must stand here."""
        if not self.is_sign(sign):
            raise self.unexpected(f"`{sign}`{where}")
        return self.take()

    def name(self, what: str) -> Token:
        """Take a word that must stand here."""
        if self.token.kind != WORD:
            raise self.unexpected(what)
        return self.take()

    def unexpected(self, wanted: str) -> PatternError:
        """Return the error for a token that cannot stand here."""
        return self.token.place.error(f"expected {wanted}, found {self.token.shown}")
