"""What the journal knows of files: how they were on disk, which sentences have a past, and what was never saved."""

from __future__ import annotations

from collections.abc import Iterable

from treewright.apps.studio.history import History
from treewright.apps.studio.journal import BadLine, Event, checked_event
from treewright.apps.studio.sentence_names import core, digest_of
from treewright.apps.studio.sentence_state import SentenceState


class FilePast:
    """What is known of a file when it is opened."""

    def __init__(self) -> None:
        self.digests: list[str] = []  # of its sentences on disk, as far as they are known
        self.states: dict[str, SentenceState] = {}  # sentences with a past, by their keys
        self.places: dict[str, int] = {}  # where they were on disk
        self.gone: dict[str, int] = {}  # before which sentence those stood that were gone from it

    @property
    def unsaved(self) -> int:
        """The number of sentences with edits that were never saved."""
        return sum(state.text != state.base for state in self.states.values())

    def replay(self, event: Event) -> None:
        """Follow an event."""
        what = event["what"]
        if what == "file":
            self.digests, self.places, self.gone = event["digests"], event["ids"], event["gone"]
            known = self.places.keys() | self.gone.keys()
            self.states = {key: state for key, state in self.states.items() if key in known}
            return
        key = event["id"] if "id" in event else f"@{event['sentence']}"
        if what == "edit" and (key not in self.states or event.get("first")):
            self._begin(key, event)
        if key not in self.states:
            raise BadLine(f"nothing is known of the sentence before this {what}")
        state = self.states[key]
        if "base" in event:
            if event["base"] is not None and what != "decide":
                state.meet(event["base"])
            state.base = state.saved = event["base"]
            self._note_digest(key, event["base"])
        getattr(self, f"_{what}")(key, state, event)

    def _begin(self, key: str, event: Event) -> None:
        self.states[key] = state = SentenceState(key, event["before"])
        state.history = History(event["before"])
        self.gone.pop(key, None)
        if "sentence" in event:
            self.places[key] = event["sentence"]
            self._note_digest(key, event["before"])

    def _note_digest(self, key: str, text: str | None) -> None:
        place = self.places.get(key, -1)
        if text is not None and 0 <= place < len(self.digests):
            self.digests[place] = digest_of(text)

    def _edit(self, key: str, state: SentenceState, event: Event) -> None:
        if core(event["before"]) != core(state.text):  # changed by others in between
            assert state.history is not None
            state.history.adopt(event["before"])
            state.text = state.base = state.saved = event["before"]
        assert event["after"] is not None
        state.add(event["after"])

    def _undo(self, key: str, state: SentenceState, event: Event) -> None:
        state.step(-1 if event["what"] == "undo" else 1)

    _redo = _undo

    def _save(self, key: str, state: SentenceState, event: Event) -> None:
        state.settle(state.text)
        self._note_digest(key, state.text)

    def _decide(self, key: str, state: SentenceState, event: Event) -> None:
        after = event["after"]
        if after is None:
            del self.states[key]
        elif core(after) != core(state.text):
            state.add(after)

    def _disk(self, key: str, state: SentenceState, event: Event) -> None:
        """The base has been taken note of."""


def replayed(lines: Iterable[bytes]) -> tuple[dict[str, FilePast], dict[int, str]]:
    """Return what is known of every file, and which lines are wrong and why, by their numbers from 1."""
    files: dict[str, FilePast] = {}
    bad: dict[int, str] = {}
    for number, line in enumerate(lines, 1):
        try:
            event = checked_event(line)
            files.setdefault(event["file"], FilePast()).replay(event)
        except BadLine as error:
            bad[number] = str(error)
    for past in files.values():
        for state in past.states.values():
            state.noted = state.base
    return files, bad
