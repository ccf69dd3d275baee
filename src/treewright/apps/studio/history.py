"""The versions of a sentence, for unlimited undo and redo."""

from __future__ import annotations

from treewright.apps.studio.journal import Event


class History:
    """The versions of one sentence, and which of them it shows. A new edit drops what was undone before it."""

    def __init__(self, text: str) -> None:
        self.versions = [text]
        self.at = 0
        self.saved_at = 0

    @property
    def text(self) -> str:
        """The version that is shown."""
        return self.versions[self.at]

    def add(self, text: str) -> None:
        """Go on with a new version."""
        del self.versions[self.at + 1 :]
        self.versions.append(text)
        self.at += 1
        if self.saved_at >= self.at:
            self.saved_at = -1

    @property
    def can_undo(self) -> bool:
        """Is there an earlier version?"""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Is there a later version?"""
        return self.at + 1 < len(self.versions)

    def step(self, by: int) -> str:
        """Go back (-1) or forth (1) by one version, and return it."""
        self.at = min(max(self.at + by, 0), len(self.versions) - 1)
        return self.text

    def replay(self, event: Event) -> None:
        """Follow an event of the journal."""
        what = event["what"]
        if what == "edit":
            if event["before"] != self.text:
                self.versions, self.at, self.saved_at = [event["before"]], 0, 0
            self.add(event["after"])
        elif what in ("undo", "redo"):
            self.step(-1 if what == "undo" else 1)
        elif what == "save":
            self.saved_at = self.at

    def found_on_disk(self, text: str) -> bool:
        """Compare with the file when it is opened again; return whether it lacks edits that were not saved.

        It does if it still holds what was last saved. A version from elsewhere begins a new history; an earlier
        version, as after a checkout, keeps its past.
        """
        saved = self.versions[max(self.saved_at, 0)]
        if text == saved and self.at != self.saved_at:
            return text != self.text
        if text in self.versions:
            self.at = self.saved_at = self.versions.index(text)
        else:
            self.versions, self.at, self.saved_at = [text], 0, 0
        return False
