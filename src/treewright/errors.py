"""Errors and warnings for users.

Every error that a user can cause is a TreewrightError. Its message says what is wrong, where, and what to do about it.
The command line prints it and exits with 2; a traceback means a bug in treewright.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class TreewrightError(Exception):
    """An error that the user can fix: the message names the problem, its position and a remedy."""


class TreebankError(TreewrightError):
    """A treebank cannot be read or used; the message names file, line and sentence."""

    def __init__(self, problem: str, *, source: str = "", line: int = 0, sent_id: str = "", remedy: str = "") -> None:
        place = ":".join(str(part) for part in (source, line) if part)
        if sent_id:
            place += f" (sent_id {sent_id})"
        message = f"{place}: {problem}" if place else problem
        super().__init__(f"{message}. {remedy}" if remedy else message)
        self.problem, self.source, self.line = problem, source, line
        self.sent_id, self.remedy = sent_id, remedy


class TreewrightWarning(UserWarning):
    """A warning that did not stop the work."""


class TreebankWarning(TreewrightWarning):
    """Something unusual in a treebank was accepted, or a format could not hold something."""


class OutputError(TreewrightError):
    """A file cannot be written: no space, no rights, no such folder."""


class FeatureModelError(TreewrightError):
    """A feature model cannot be understood; the message names line and column."""


class ModelFileError(TreewrightError):
    """A model file is damaged, not a model, or of another version."""


class CombinationError(TreewrightError):
    """The chosen system, oracle, policy, learner or columns do not work together."""


class MissingExtraError(TreewrightError):
    """A part of treewright needs a package that is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs {package}, which is not installed: pip install 'treewright[{extra}]'")
        self._parts = (what, package, extra)

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str, str]]:
        return MissingExtraError, self._parts  # the message alone does not make it again, in another process


#: how much of two names must be the same (2·same letters / all letters) for one to be a misspelling of the other
NEAR = 0.75
#: how many names are listed; more only if none of them is near
LISTED = 15


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that a mistyped one most likely means, whatever its case; None if all are far from it."""
    from difflib import get_close_matches

    by_letters = {_letters(each): each for each in known}
    matches = get_close_matches(_letters(name), by_letters, n=1, cutoff=NEAR)
    return by_letters[matches[0]] if matches else None


def _letters(name: str) -> str:
    """Return what is compared of a name: the dashes of an option would make short ones alike."""
    return name.lower().lstrip("-").replace("_", "-")


def unknown(what: str, name: str, known: Iterable[str], synonyms: Mapping[str, str] | None = None) -> str:
    """Return the message for a name that is not known; ``synonyms``: names elsewhere → known names."""
    return f"unknown {what} {name!r}. {choices(name, known, synonyms)}"


def choices(name: str, known: Iterable[str], synonyms: Mapping[str, str] | None = None) -> str:
    """Return what may be meant by a name that is not known, and what else there is."""
    listed = list(known)
    match = (synonyms or {}).get(name)
    if match not in listed:
        match = nearest(name, listed)
    suggested = f"Did you mean {match!r}?" if match else ""
    return suggested if match and len(listed) > LISTED else f"{suggested} Choose from {', '.join(listed)}".lstrip()


def meant(name: str, known: Iterable[str]) -> str:
    """Return what a message about a mistyped name may end with: the nearest known one, if any is near."""
    match = nearest(name, known)
    return f". Did you mean {match!r}?" if match else ""
