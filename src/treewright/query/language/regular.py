"""Regular expressions: OCaml's (`re"…"`), where `\\|` is an alternative, and Perl's (`/…/i`). Both fit whole values."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any

from treewright.query.language.tokens import PERL_REGEX, Place, Token

#: what reads expressions in Python, from 3.11 on and before
_parsing: Any = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

#: signs that mean themselves in OCaml and something else in Python
_LITERAL = frozenset("(){}|")
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
#: a repetition of more than so often counts as one without end
_MANY = 16
MOST_REPEATS = 6


def compiled(token: Token) -> re.Pattern[str]:
    """Return the regular expression of a token, which must be one that ends soon on every word."""
    text, flags = token.text, re.RegexFlag(0)
    if token.kind == PERL_REGEX:
        if token.flags.strip("i"):
            raise token.place.error(f"only `i` may follow a regular expression, not {token.flags!r}")
        flags = re.IGNORECASE if token.flags else flags
    else:
        text = _from_ocaml(text, token.place)
    try:
        tree = _parsing.parse(text, flags)
        _check_repeats(tree, token.place)
        return re.compile(text, flags)
    except (re.error, OverflowError) as error:
        raise token.place.error(f"not a regular expression: {error}") from None
    except RecursionError:
        raise token.place.error("the regular expression is nested too deeply") from None


def _from_ocaml(text: str, place: Place) -> str:
    """Return an expression of OCaml's library Str as one of Python."""
    out, at = [], 0
    while at < len(text):
        sign = text[at]
        if sign == "[":
            end = text.find("]", at + 2 + text.startswith("^", at + 1))
            if end < 0:
                raise place.error("not a regular expression: `[` without `]`")
            inside = text[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            out.append(f"[{_safe_class(inside)}]")
            at = end + 1
        elif sign == "\\":
            following = text[at + 1 : at + 2]
            if not following:
                raise place.error("not a regular expression: it ends with a backslash")
            meaning = following if following in "()|b" or following.isdigit() else re.escape(following)
            out.append(meaning if following in "()|" else f"\\{following}" if meaning == following else meaning)
            at += 2
        else:
            out.append(f"\\{sign}" if sign in _LITERAL else sign)
            at += 1
    return "".join(out)


def _safe_class(inside: str) -> str:
    """Return the inside of a set of characters without what Python warns about."""
    return re.sub(r"([&~|-])(?=\1)", r"\\\1", inside)


def _check_repeats(tree: Any, place: Place) -> None:
    """Refuse repetitions within repetitions, and many of them: on some words they take longer than the universe."""
    count = _repeats_in(tree, False, place)
    if count > MOST_REPEATS:
        raise place.error(f"{count} repetitions without end in a regular expression: at most {MOST_REPEATS}")


def _repeats_in(tree: Any, inside: bool, place: Place) -> int:
    count = 0
    for operation, argument in tree:
        name = str(operation)
        if name in _REPEATS:
            _, most, body = argument
            endless = int(most) > _MANY
            if endless and inside:
                raise place.error("a repetition within a repetition can take for ever. Write it with one of them")
            count += endless + _repeats_in(body, inside or endless, place)
        else:
            count += sum(_repeats_in(part, inside, place) for part in _parts(argument))
    return count


def _parts(argument: Any) -> list[Any]:
    """Return the expressions within an argument of an operation."""
    if isinstance(argument, _parsing.SubPattern):
        return [argument]
    if isinstance(argument, (tuple, list)):
        return [part for each in argument for part in _parts(each)]
    return []
