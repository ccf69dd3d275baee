"""What a user is told when something is wrong.

Every error that a user can cause is a TreewrightError: one message that says what is wrong, where, and
what to do about it. The command line prints it and exits with 2; a traceback means a bug of ours.
"""


class TreewrightError(Exception):
    """Something the user can mend: the message says what is wrong, where, and the remedy."""


class TreebankError(TreewrightError):
    """A treebank that cannot be read or used, with its place: file, line, sentence."""

    def __init__(self, problem: str, *, source: str = "", line: int = 0, sent_id: str = "", remedy: str = "") -> None:
        place = ":".join(str(part) for part in (source, line) if part)
        if sent_id:
            place += f" (sent_id {sent_id})"
        message = f"{place}: {problem}" if place else problem
        super().__init__(f"{message}. {remedy}" if remedy else message)
        self.problem, self.source, self.line = problem, source, line
        self.sent_id, self.remedy = sent_id, remedy


class TreewrightWarning(UserWarning):
    """Something that is worth knowing and did not stop the work."""


class TreebankWarning(TreewrightWarning):
    """Something odd in a treebank that was accepted, or that a format could not hold."""


class FeatureModelError(TreewrightError):
    """A feature specification that cannot be understood, with line and column."""


class ModelFileError(TreewrightError):
    """A model file that is damaged, foreign, or of another version."""


class CombinationError(TreewrightError):
    """A choice of system, oracle, policy, learner or columns that cannot work together."""


class MissingExtraError(TreewrightError):
    """A part of treewright that needs a package which is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs {package}, which is not installed: pip install 'treewright[{extra}]'")
