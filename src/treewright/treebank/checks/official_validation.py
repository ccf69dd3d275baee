"""Run the official validator of Universal Dependencies (udtools) and turn its findings into ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from treewright.errors import MissingExtraError, TreewrightError
from treewright.treebank.checks.validation import Problem, Report
from treewright.treebank.files.source import InputStream, open_input

if TYPE_CHECKING:
    from treewright.treebank.checks.validation import Severity

LOWEST, HIGHEST = 3, 5
#: from here on the validator knows what each language allows
NEEDS_LANGUAGE = 4
PIECE = 1 << 18  # bytes that are read at a time


class Incident(Protocol):
    """What the validator records of a problem."""

    level: int
    testid: str
    message: str
    explanation: str
    lineno: int
    sentid: str | None
    nodeid: str | None

    def is_error(self) -> bool:
        """Return whether it is more than a warning."""


class OfficialValidator:
    """The validator at a level, for one language; files of one treebank are checked one after the other."""

    def __init__(self, level: int, language: str | None) -> None:
        if not LOWEST <= level <= HIGHEST:
            raise TreewrightError(f"the official validator has levels {LOWEST} to {HIGHEST} here, not {level}")
        if level >= NEEDS_LANGUAGE and language is None:
            raise TreewrightError(f"--level {level} checks what a language allows: name it, as in --lang fr")
        try:
            from udtools.state import State
            from udtools.validator import Validator
        except ImportError:
            raise MissingExtraError(
                f"--level {level} runs the official validator of UD, and", "udtools", "validate"
            ) from None
        self._validator: Any = Validator(lang=language or "ud", level=level, output=None)
        if language is not None and not self._validator.data.is_known_language(language):
            raise TreewrightError(f"the official validator knows no language {language!r}: give its code, as in fr")
        self._new_state: Callable[[], Any] = State
        self._sent_ids: set[str] = set()  # of all files: no name may return in another one

    def check(self, source: str, limit: int, show: Callable[[Problem], None]) -> Report:
        """Check a file; ``show`` gets the first problems of each kind as they are found."""
        report = Report(limit)
        stream = open_input(source)
        bad: set[str] = set()

        def record(incident: Incident) -> None:
            problem = _problem(incident, source)
            if problem.severity == "error":
                bad.add(problem.sent_id or f"line {problem.line}")
            if report.add_problem(problem):
                show(problem)

        state = self._new_state()
        state.error_tracker, state.current_file_name = _Recorder(record), source
        state.known_sent_ids = self._sent_ids
        counted = _CountedLines(stream, report)
        try:
            self._validator.validate_file_handle(counted, state)
            self._validator.validate_end(state)
        except UnicodeDecodeError as error:
            raise TreewrightError(f"{source}:{counted.line}: not UTF-8 ({error.reason}). Convert it first") from None
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            # it takes for granted that words have what UD demands of them, and UPOS above all
            raise TreewrightError(
                f"{source}:{counted.line}: the official validator cannot check the sentence that ends here"
                f" ({type(error).__name__}: {error}). It needs UPOS and DEPREL of every word, as in UD: check the file"
                " without --level first"
            ) from None
        finally:
            stream.close()
        report.bad_sentences = len(bad)
        return report


class _Recorder:
    """Takes the place of the validator's list of incidents, which would keep all of them."""

    def __init__(self, record: Callable[[Incident], None]) -> None:
        self.append = record


class _CountedLines:
    """The lines of a file as text, with line ends as the validator wants them; counts words and sentences."""

    def __init__(self, stream: InputStream, report: Report) -> None:
        self._stream, self._report = stream, report
        self.line = 0
        self.newlines = "\n"  # the validator asks for it

    def __iter__(self) -> Iterator[str]:
        rest = b""
        while piece := self._stream.read(PIECE):
            *lines, rest = (rest + piece).split(b"\n")
            yield from (self._passed(line) + "\n" for line in lines)
        if rest:
            yield self._passed(rest)

    def _passed(self, data: bytes) -> str:
        self.line += 1
        if data[:1].isdigit():
            number = data.split(b"\t", 1)[0]
            self._report.words += number.isdigit()
            self._report.sentences += number == b"1"
        text = data.decode("utf-8")
        if text.endswith("\r"):
            self.newlines = "\r\n"
        return text.removesuffix("\r")


def _problem(incident: Incident, source: str) -> Problem:
    severity: Severity = "error" if incident.is_error() else "warning"
    message = " ".join(str(incident.message).split()).rstrip(".")
    node = str(incident.nodeid or "")
    words = (int(node),) if node.isdecimal() else ()
    sent_id = str(incident.sentid or "")
    return Problem(str(incident.testid), severity, source, incident.lineno, sent_id, message, "", words=words)
